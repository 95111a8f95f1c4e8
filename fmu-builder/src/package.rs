//! The finished FMU: everything that goes into the archive, put together.

use std::path::{Path, PathBuf};

use fmu_runtime::description::Description;

use crate::archive::ArchiveWriter;
use crate::date::Date;
use crate::{Error, Platform, documentation, icon, model_description, shapes};

/// Packs a described component and its binaries into an FMU and returns the file's path.
///
/// `output` is a file if it ends with `.fmu`, otherwise a folder, which gets `<name>.fmu`. An
/// existing file is replaced in one step, and only when all went well.
pub fn pack(description: &Description, libraries: &[(Platform, PathBuf)], output: &Path) -> Result<PathBuf, Error> {
    let date = Date::from_environment()?;
    let mut archive = ArchiveWriter::default();
    archive.add("modelDescription.xml", model_description(description)?)?;
    archive.add("model.png", icon(description)?)?;
    archive.add("documentation/index.html", documentation(description))?;
    archive.add("documentation/licenses/license.txt", include_str!("license.txt"))?;
    archive.add("resources/configuration.txt", description.configuration.as_str())?;
    if !description.shapes.is_empty() {
        archive.add(shapes::ENTRY, shapes::json(&description.shapes))?;
    }
    for (platform, path) in libraries {
        let binary = fs_err::read(path)?;
        platform.accepts(&binary).map_err(|reason| Error::Library { path: path.clone(), reason })?;
        archive.add(platform.entry(&description.name), binary)?;
    }
    let is_file = output.extension().is_some_and(|extension| extension == "fmu");
    let path = if is_file { output.to_owned() } else { output.join(format!("{}.fmu", description.name)) };
    if libraries.is_empty() {
        return Err(Error::Archive { path, reason: "has no binary for any platform".to_owned() });
    }
    archive.write(&path, date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;
    use crate::example::description;
    use crate::platform::tests::binary;

    #[test]
    fn everything_is_in_the_archive() {
        let folder = tempfile::tempdir().unwrap();
        let mut libraries = Vec::new();
        for platform in [Platform::Win64, Platform::Linux64] {
            let path = folder.path().join(platform.folder());
            fs_err::write(&path, binary(platform)).unwrap();
            libraries.push((platform, path));
        }
        let path = pack(&description(), &libraries, &folder.path().join("out")).unwrap();
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
                "model.png",
                "resources/configuration.txt",
            ]
        );
        let bytes = fs_err::read(&path).unwrap();
        libraries.reverse();
        pack(&description(), &libraries, &path).unwrap();
        assert_eq!(bytes, fs_err::read(&path).unwrap());
    }

    #[test]
    fn a_binary_for_another_platform_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spring.dll");
        fs_err::write(&path, binary(Platform::Linux64)).unwrap();
        let message =
            pack(&description(), &[(Platform::Win64, path)], &folder.path().join("out")).unwrap_err().to_string();
        assert!(message.ends_with("spring.dll: is a library for linux64, not for win64"), "{message}");
        assert!(!folder.path().join("out").exists());
    }

    #[test]
    fn an_fmu_without_binaries_is_refused() {
        assert_eq!(
            pack(&description(), &[], Path::new("Spring.fmu")).unwrap_err().to_string(),
            "Spring.fmu: has no binary for any platform"
        );
    }
}
