//! The finished FMU: everything that goes into the archive, put together.

use std::path::{Path, PathBuf};

use fmu_exchange::{CONFIGURATION, Standard};

use crate::archive::deflated::Deflated;
use crate::archive::file_kind::FileKind;
use crate::archive::origin::Origin;
use crate::archive::platform::Platform;
use crate::archive::webassembly;
use crate::archive::writer::{ArchiveWriter, Compression, executable, executable_in_memory};
use crate::date::Date;
use crate::description::documentation::documentation;
use crate::description::icon::icon;
use crate::description::model_description::model_description;
use crate::description::model_description_3::model_description_3;
use crate::description::shapes;
use crate::description::terminals::terminals_and_icons;
use crate::description::{Attachment, Description, MAX_DESCRIPTION_BYTES};
use crate::error::Error;

/// Packs a described component and its binaries into an FMU of FMI 2.0 and returns the file's path.
///
/// The FMU is written to [`output_path`]; an existing file is replaced in one step, and only on success.
pub fn pack(
    description: &Description,
    origin: &Origin,
    libraries: &[(Platform, PathBuf)],
    output: &Path,
) -> Result<PathBuf, Error> {
    Packer::read(libraries, origin.clone(), Compression::Usual)?.pack(description, Standard::Fmi2, output)
}

/// The libraries and licences of a component, ready to be packed into any number of FMUs.
#[derive(Clone, Debug)]
pub struct Packer {
    date: Option<Date>,
    origin: Origin,
    licenses: String,
    libraries: Vec<(Platform, Deflated)>,
    compression: Compression,
}

impl Packer {
    /// Reads and compresses libraries. The compressed libraries are cached next to them.
    ///
    /// # Errors
    ///
    /// When one cannot be read, or is not a library for its platform.
    pub fn read(libraries: &[(Platform, PathBuf)], origin: Origin, compression: Compression) -> Result<Self, Error> {
        let date = Date::from_environment()?;
        let read = |(platform, path): &(Platform, PathBuf)| {
            let binary = fs_err::read(path)?;
            platform.accepts(&binary).map_err(|reason| Error::Library { path: path.clone(), reason })?;
            Ok((*platform, executable(&binary, path, compression)?))
        };
        let libraries = libraries.iter().map(read).collect::<Result<_, Error>>()?;
        Ok(Self { date, licenses: origin.licenses("FMU"), origin, libraries, compression })
    }

    /// Takes and compresses libraries in memory.
    ///
    /// # Errors
    ///
    /// When one is not a library for its platform.
    pub fn of(libraries: &[(Platform, &[u8])], origin: Origin, compression: Compression) -> Result<Self, Error> {
        let compressed = |(platform, binary): &(Platform, &[u8])| {
            let path = || PathBuf::from(platform.folder());
            platform.accepts(binary).map_err(|reason| Error::Library { path: path(), reason })?;
            let library = executable_in_memory(binary, compression);
            Ok((*platform, library.map_err(|error| Error::Archive { path: path(), reason: error.to_string() })?))
        };
        let libraries = libraries.iter().map(compressed).collect::<Result<_, Error>>()?;
        Ok(Self { date: Date::from_environment()?, licenses: origin.licenses("FMU"), origin, libraries, compression })
    }

    /// Packs the libraries with a described component into an FMU, as [`pack`] does.
    ///
    /// # Errors
    ///
    /// When the description cannot be written as an FMU, or the file cannot be written.
    pub fn pack(&self, description: &Description, standard: Standard, output: &Path) -> Result<PathBuf, Error> {
        let path = output_path(description, standard, output);
        if path.extension().is_none_or(|extension| extension != "fmu") {
            return Err(Error::Archive { path, reason: "must end with .fmu in lower case".to_owned() });
        }
        self.archive(description, standard, &path)?.write(&path, FileKind::Fmu, [])?;
        Ok(path)
    }

    /// Returns the bytes of the FMU that [`pack`](Self::pack) writes.
    ///
    /// # Errors
    ///
    /// When the description cannot be written as an FMU.
    pub fn bytes(&self, description: &Description, standard: Standard) -> Result<Vec<u8>, Error> {
        let path = output_path(description, standard, Path::new(""));
        let archive = self.archive(description, standard, &path)?;
        archive.bytes().map_err(|error| Error::Archive { path, reason: error.to_string() })
    }

    fn archive(&self, description: &Description, standard: Standard, path: &Path) -> Result<ArchiveWriter, Error> {
        let fail = |reason: String| Error::Archive { path: path.to_owned(), reason };
        let of = |wanted: Platform| self.libraries.iter().find(|(platform, _)| *platform == wanted);
        if of(Platform::Wasm32).is_some() {
            webassembly::check(description, standard, path)?;
        }
        let mut archive = ArchiveWriter::new(self.date).compressed(self.compression);
        let license = self.origin.license.as_deref();
        let write_xml = || match standard {
            Standard::Fmi2 => model_description(description, license),
            Standard::Fmi3 => model_description_3(description, license),
        };
        // Those of large systems take a second.
        let (xml, page) = both(write_xml, || documentation(description, standard));
        let xml = xml?;
        if xml.len() > MAX_DESCRIPTION_BYTES {
            let or = match standard {
                Standard::Fmi2 => ", or build the FMU for FMI 3.0, which has arrays",
                Standard::Fmi3 => "",
            };
            let reason = format!(
                "modelDescription.xml would have {} bytes, but at most {MAX_DESCRIPTION_BYTES} are read; write large tables to \
                 files and name these in parameters for files{or}",
                xml.len()
            );
            return Err(fail(reason));
        }
        archive.add("modelDescription.xml", xml)?;
        let icon = icon(description)?;
        archive.add("terminalsAndIcons/terminalsAndIcons.xml", terminals_and_icons(description, standard, &icon)?)?;
        archive.add("terminalsAndIcons/icon.svg", description.icon.as_str())?;
        archive.add("terminalsAndIcons/icon.png", icon.png.as_slice())?;
        if standard == Standard::Fmi2 {
            archive.add("model.png", icon.png)?;
        }
        archive.add("documentation/index.html", page)?;
        archive.add("documentation/licenses/license.txt", self.licenses.as_str())?;
        archive.add("documentation/sbom.cdx.json", self.origin.sbom(description))?;
        archive.add(format!("resources/{CONFIGURATION}"), description.configuration.as_str())?;
        if !description.shapes.is_empty() {
            archive.add(shapes::ENTRY, shapes::json(&description.shapes))?;
        }
        if let Some(attachment) = description.attachments.iter().find(|attachment| attachment.file.is_none()) {
            let Attachment { name, description: text, .. } = attachment;
            return Err(Error::Refused(format!("parameter {name} is missing: it names the file to attach ({text})")));
        }
        for (name, content) in &description.resources {
            archive.add(format!("resources/{name}"), content.as_slice())?;
        }
        for (platform, library) in &self.libraries {
            archive.add_deflated(platform.entry_of(standard, &description.name), library.clone())?;
        }
        // Before 2.0.4, FMI had no folder for Linux on ARM; some importers look into this one there.
        if let (Standard::Fmi2, Some((_, library)), None) =
            (standard, of(Platform::Aarch64Linux), of(Platform::Linux64))
        {
            archive.add_deflated(Platform::Linux64.entry(&description.name), library.clone())?;
        }
        if of(Platform::Wasm32).is_some() {
            archive.add(webassembly::MANIFEST_ENTRY, webassembly::MANIFEST)?;
        }
        if self.libraries.is_empty() {
            return Err(fail("has no binary for any platform".to_owned()));
        }
        Ok(archive)
    }
}

/// Returns the results of two functions that run at the same time.
#[cfg(not(target_family = "wasm"))]
fn both<A, B: Send>(one: impl FnOnce() -> A, other: impl FnOnce() -> B + Send) -> (A, B) {
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        (one(), other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Returns the results of two functions, one after the other: WebAssembly has no threads.
#[cfg(target_family = "wasm")]
fn both<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// Returns the path of an FMU: `output` itself if it ends with `.fmu`, otherwise `<name>.fmu` in that folder, those of
/// FMI 3.0 in its subfolder `fmi3`.
pub fn output_path(description: &Description, standard: Standard, output: &Path) -> PathBuf {
    let is_file = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fmu"));
    let name = format!("{}.fmu", description.name);
    match standard {
        _ if is_file => output.to_owned(),
        Standard::Fmi2 => output.join(name),
        Standard::Fmi3 => output.join("fmi3").join(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::platform::tests::binary;
    use crate::check::check;
    use crate::example::description;
    use crate::read::Archive;

    #[test]
    fn everything_is_in_the_archive() {
        let folder = tempfile::tempdir().unwrap();
        let mut libraries = Vec::new();
        for platform in [Platform::Win64, Platform::Linux64] {
            let path = folder.path().join(platform.folder());
            fs_err::write(&path, binary(platform)).unwrap();
            libraries.push((platform, path));
        }
        let path = pack(&description(), &Origin::default(), &libraries, &folder.path().join("out")).unwrap();
        assert_eq!(path, folder.path().join("out/FrontSpring.fmu"));
        let archive = Archive::open(&path).unwrap();
        let names: Vec<&str> = archive.entries().iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "modelDescription.xml",
                "binaries/linux64/FrontSpring.so",
                "binaries/win64/FrontSpring.dll",
                "documentation/index.html",
                "documentation/licenses/license.txt",
                "documentation/sbom.cdx.json",
                "model.png",
                "resources/configuration.txt",
                "terminalsAndIcons/icon.png",
                "terminalsAndIcons/icon.svg",
                "terminalsAndIcons/terminalsAndIcons.xml",
            ]
        );
        let bytes = fs_err::read(&path).unwrap();
        libraries.reverse();
        pack(&description(), &Origin::default(), &libraries, &path).unwrap();
        assert_eq!(bytes, fs_err::read(&path).unwrap());
    }

    #[test]
    fn an_fmu_for_linux_on_arm_alone_has_both_folders_of_linux() {
        let folder = tempfile::tempdir().unwrap();
        let libraries = [Platform::Aarch64Linux, Platform::Linux64].map(|platform| {
            let path = folder.path().join(platform.folder());
            fs_err::write(&path, binary(platform)).unwrap();
            (platform, path)
        });
        let folders = |libraries: &[(Platform, PathBuf)]| {
            let path = pack(&description(), &Origin::default(), libraries, folder.path()).unwrap();
            let archive = Archive::open(&path).unwrap();
            let problems = check(&path).unwrap().problems;
            assert!(!problems.iter().any(|problem| problem.contains("is a library for")), "{problems:?}");
            let names = archive.entries().iter().map(|entry| entry.name.clone());
            names.filter(|name| name.starts_with("binaries/")).collect::<Vec<_>>()
        };
        let both = ["binaries/aarch64-linux/FrontSpring.so", "binaries/linux64/FrontSpring.so"];
        assert_eq!(folders(&libraries[..1]), both);
        let arm = fs_err::read(&libraries[0].1).unwrap();
        assert_eq!(Archive::open(&folder.path().join("FrontSpring.fmu")).unwrap().read(both[1]).unwrap(), arm);
        assert_eq!(folders(&libraries), both);
        let path = folder.path().join("FrontSpring.fmu");
        assert_ne!(Archive::open(&path).unwrap().read(both[1]).unwrap(), arm);
    }

    #[test]
    fn the_output_is_a_file_or_a_folder() {
        for (output, path) in
            [("out/Rear.fmu", "out/Rear.fmu"), ("out", "out/FrontSpring.fmu"), ("fmu", "fmu/FrontSpring.fmu")]
        {
            assert_eq!(output_path(&description(), Standard::Fmi2, Path::new(output)), Path::new(path));
        }
        for (output, path) in [("out/Rear.fmu", "out/Rear.fmu"), ("out", "out/fmi3/FrontSpring.fmu")] {
            assert_eq!(output_path(&description(), Standard::Fmi3, Path::new(output)), Path::new(path));
        }
        // Importers look for the lower-case extension.
        let message = pack(&description(), &Origin::default(), &[], Path::new("out/Rear.FMU")).unwrap_err().to_string();
        assert_eq!(message, "out/Rear.FMU: must end with .fmu in lower case");
    }

    #[test]
    fn attachments_are_in_the_resources_and_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("spring.so");
        fs_err::write(&library, binary(Platform::Linux64)).unwrap();
        let libraries = [(Platform::Linux64, library)];
        let attachment = |file: Option<&str>| Attachment {
            units: vec![],
            sheet: None,
            name: "data".to_owned(),
            description: "Measured data".to_owned(),
            file: file.map(str::to_owned),
        };
        let mut description = description();
        description.attachments = vec![attachment(None)];
        assert_eq!(
            pack(&description, &Origin::default(), &libraries, folder.path()).unwrap_err().to_string(),
            "parameter data is missing: it names the file to attach (Measured data)"
        );
        description.attachments = vec![attachment(Some("points.csv"))];
        description.resources.insert("points.csv".to_owned(), b"0,1\n".to_vec());
        let archive =
            Archive::open(&pack(&description, &Origin::default(), &libraries, folder.path()).unwrap()).unwrap();
        assert_eq!(archive.read("resources/points.csv").unwrap(), b"0,1\n");
    }

    #[test]
    fn a_binary_for_another_platform_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spring.dll");
        fs_err::write(&path, binary(Platform::Linux64)).unwrap();
        let message = pack(&description(), &Origin::default(), &[(Platform::Win64, path)], &folder.path().join("out"))
            .unwrap_err()
            .to_string();
        assert!(message.ends_with("spring.dll: is a library for linux64, not for win64"), "{message}");
        assert!(!folder.path().join("out").exists());
    }

    #[test]
    fn a_description_that_is_too_large_to_be_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Spring.fmu");
        let mut description = description();
        description.description = "x".repeat(MAX_DESCRIPTION_BYTES);
        // FMI 3.0 has one of its own.
        let time = description.variables.iter_mut().find(|variable| variable.name == "time").unwrap();
        time.name = "t".to_owned();
        let packer = Packer::read(&[], Origin::default(), Compression::Usual).unwrap();
        for (standard, end) in [
            (Standard::Fmi2, "in parameters for files, or build the FMU for FMI 3.0, which has arrays"),
            (Standard::Fmi3, "in parameters for files"),
        ] {
            let message = packer.pack(&description, standard, &path).unwrap_err().to_string();
            assert!(message.contains("Spring.fmu: modelDescription.xml would have 671"), "{message:.200}");
            assert!(message.ends_with(&format!(
                "but at most 67108864 are read; write large tables to files and name these {end}"
            )));
            assert!(!path.exists());
        }
    }

    #[test]
    fn webassembly_has_a_manifest_and_limits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spring.wasm");
        fs_err::write(&path, binary(Platform::Wasm32)).unwrap();
        let packer = Packer::read(&[(Platform::Wasm32, path)], Origin::default(), Compression::Usual).unwrap();
        let mut description = description();
        // FMI 3.0 has one of its own.
        let time = description.variables.iter_mut().find(|variable| variable.name == "time").unwrap();
        time.name = "t".to_owned();
        let out = folder.path().join("Spring.fmu");
        let fmu = packer.pack(&description, Standard::Fmi3, &out).unwrap();
        let archive = Archive::open(&fmu).unwrap();
        let manifest = archive.read("extra/org.modelica.fmi-ls-wasm/manifest.xml").unwrap();
        let manifest = String::from_utf8(manifest).unwrap();
        assert!(manifest.contains(r#" fmi-ls:fmi-ls-name="org.modelica.fmi-ls-wasm""#), "{manifest}");
        assert!(archive.read("binaries/wasm32-wasip2/FrontSpring.wasm").is_ok());
        let problems = check(&fmu).unwrap().problems;
        assert!(!problems.iter().any(|problem| problem.contains("wasm")), "{problems:?}");

        let shown = out.display();
        assert_eq!(
            packer.pack(&description, Standard::Fmi2, &out).unwrap_err().to_string(),
            format!("{shown}: FMI 2.0 has no WebAssembly; build the FMU for FMI 3.0 (--fmi 3)")
        );
        description.resources.insert("points.xlsx".to_owned(), b"PK".to_vec());
        assert_eq!(
            packer.pack(&description, Standard::Fmi3, &out).unwrap_err().to_string(),
            format!("{shown}: points.xlsx is a workbook, which WebAssembly does not read: save the sheet as .csv")
        );
    }

    #[test]
    fn an_fmu_without_binaries_is_refused() {
        assert_eq!(
            pack(&description(), &Origin::default(), &[], Path::new("Spring.fmu")).unwrap_err().to_string(),
            "Spring.fmu: has no binary for any platform"
        );
    }
}
