//! The folder of the package.

use std::collections::BTreeSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::acausal;
use super::check::is_keyword;
use super::model::{PACKAGE, model};
use super::names::text;
use crate::archive::destination::Destination;
use crate::archive::file_kind::FileKind;
use crate::description::Description;
use crate::description::icon::{Icon, draw};
use crate::error::Error;
use crate::read::Archive;

/// Width of the drawing in a model's icon, in pixels.
const WIDTH: u32 = 320;

/// Names of models that would hide names that the models need or replace files of the package, in small letters.
const RESERVED: [&str; 10] = [
    "boolean", "connections", "integer", "internal", "mechanicalfmus", "modelica", "package", "real", "string", "time",
];

/// A library without members: the functions name the library `dl`, which Windows has not and does not need.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

/// Writes the model of an FMU into the package `MechanicalFMUs` beside it, with the unpacked FMU; [`modelica_package`]
/// completes the package. An FMU of which there cannot be a model gets none, and the result says why.
///
/// # Errors
///
/// When the icon is not a drawing, the FMU cannot be read, or a file cannot be written.
pub fn modelica_model(description: &Description, fmu: &Path) -> Result<Option<String>, Error> {
    ModelicaModel::of(description)?.write(description, fmu)
}

/// The model of an FMU, which needs its description only.
pub struct ModelicaModel(Result<Model, String>);

/// A model that may have a name of its own in Modelica.
struct Model {
    icon: Icon,
    /// The text, or the reason why there is none.
    text: Result<String, String>,
}

impl ModelicaModel {
    /// Makes the model of the FMU with a description.
    ///
    /// # Errors
    ///
    /// When the icon is not a drawing.
    pub fn of(description: &Description) -> Result<Self, Error> {
        let name = &description.name;
        if is_keyword(name) || RESERVED.contains(&&*name.to_ascii_lowercase()) {
            return Ok(Self(Err(format!(
                "a model cannot be called {name} in Modelica; another name is needed, such as My{name}"
            ))));
        }
        let icon = draw(description, WIDTH)?;
        let text = match &description.acausal {
            Some(law) => acausal::model(description, law, &icon),
            None => model(description, &icon),
        };
        Ok(Self(Ok(Model { icon, text })))
    }

    /// Writes the model as [`modelica_model`] does.
    ///
    /// # Errors
    ///
    /// When the FMU cannot be read, or a file cannot be written.
    pub fn write(self, description: &Description, fmu: &Path) -> Result<Option<String>, Error> {
        match self.0 {
            Ok(model) => write(model, description, fmu),
            Err(reason) => Ok(Some(reason)),
        }
    }
}

fn write(Model { icon, text }: Model, description: &Description, fmu: &Path) -> Result<Option<String>, Error> {
    let (name, package) = (&description.name, fmu.with_file_name(PACKAGE));
    let file = package.join(format!("{name}.mo"));
    let (images, folder) = (package.join("Resources/Images"), package.join("Resources/FMUs").join(name));
    [&package.join("package.mo"), &file].into_iter().try_for_each(|file| FileKind::Modelica.check_existing(file))?;
    // Builds of the same name at the same time, in this or other processes, take turns. The archive is that of the last
    // one, which also writes or removes the model.
    let _lock = NameLock::wait(fmu, name);
    let archive = Archive::open(fmu)?;
    let is_last = archive.guid()?.is_some_and(|guid| guid == description.guid);
    match text {
        Ok(ref text) if is_last => {
            add(&images, &format!("{name}.png"), &icon.png)?;
            unpack(&archive, &folder)?;
            replace(&file, text.as_bytes())?;
        }
        // The files may be of another configuration.
        Err(_) if is_last => {
            remove(&file)?;
            remove(&images.join(format!("{name}.png")))?;
            remove(&folder)?;
        }
        _ => {}
    }
    Ok(text.err())
}

/// The right to write the model of one name beside an archive, until this is dropped.
struct NameLock {
    /// An empty file among the temporary ones, so that the package has none of it.
    path: PathBuf,
    _locked: Handle,
}

impl NameLock {
    /// Waits until no other build has this right. Where files cannot be locked, builds of the same name disturb each
    /// other.
    fn wait(fmu: &Path, name: &str) -> Option<Self> {
        let fmu = fs_err::canonicalize(fmu).ok()?;
        let mut hasher = DefaultHasher::new();
        (fmu.parent(), name).hash(&mut hasher);
        let path = std::env::temp_dir().join(format!("{PACKAGE}-{:016x}.lock", hasher.finish()));
        loop {
            let file = File::options().create(true).append(true).open(&path).ok()?;
            file.lock().ok()?;
            let locked = Handle::from_file(file).ok()?;
            // The build before removed its file; another may have a new one by now.
            if Handle::from_path(&path).is_ok_and(|present| present == locked) {
                return Some(Self { path, _locked: locked });
            }
        }
    }
}

impl Drop for NameLock {
    fn drop(&mut self) {
        let _ = fs_err::remove_file(&self.path);
    }
}

/// Removes a file or a folder if there is one.
fn remove(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        fs_err::remove_dir_all(path)?;
    } else if path.exists() {
        fs_err::remove_file(path)?;
    }
    Ok(())
}

/// Unpacks the files that an instance needs; then removes the files that another build left in the folder.
fn unpack(archive: &Archive, folder: &Path) -> Result<(), Error> {
    let mut present = BTreeSet::new();
    for entry in archive.entries() {
        // The names were checked when the archive was opened.
        let is_needed = ["binaries/", "resources/"].iter().any(|part| entry.name.starts_with(part));
        if let (true, Some((place, file))) = (is_needed, entry.name.rsplit_once('/'))
            && !file.is_empty()
        {
            add(&folder.join(place), file, &archive.read(&entry.name)?)?;
            present.insert(folder.join(&entry.name));
        }
    }
    prune(folder, &present)
}

/// Removes all files but some.
fn prune(folder: &Path, present: &BTreeSet<PathBuf>) -> Result<(), Error> {
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            prune(&path, present)?;
        } else if !present.contains(&path) {
            fs_err::remove_file(path)?;
        }
    }
    Ok(())
}

/// Makes a package of all models in its folder, whenever they were written; returns that folder.
///
/// # Errors
///
/// When a file cannot be written.
pub fn modelica_package(folder: &Path) -> Result<PathBuf, Error> {
    let package = folder.join(PACKAGE);
    let resources = package.join("Resources");
    for file in ["package.mo", "Internal.mo"] {
        FileKind::Modelica.check_existing(&package.join(file))?;
    }
    add(&package, "package.mo", head().as_bytes())?;
    add(&package, "Internal.mo", include_bytes!("files/Internal.mo"))?;
    add(&resources.join("Include"), "MechanicalFMU.h", include_bytes!("files/MechanicalFMU.h"))?;
    for library in ["libdl.a", "dl.lib"] {
        add(&resources.join("Library").join("win64"), library, EMPTY_ARCHIVE)?;
    }
    let mut listed = None;
    // Another build may add a model meanwhile.
    while listed != Some(models(&package)?) {
        let models = models(&package)?;
        let order: String = models.iter().map(|name| format!("{name}\n")).collect();
        replace(&package.join("package.order"), order.as_bytes())?;
        listed = Some(models);
    }
    Ok(package)
}

fn head() -> String {
    let summary = text("Mechanical components and systems as FMUs, with their connectors or signals");
    let info = text(
        "<html>\n<p>Each model is an FMU with the connectors of the Modelica Standard Library. The FMUs are in the \
         folder Resources and need no import: the models call them as external functions in C.</p>\n</html>",
    );
    let version = text(env!("CARGO_PKG_VERSION"));
    format!(
        "within;\npackage {PACKAGE} {summary}\n  extends Modelica.Icons.Package;\n  annotation (\n    \
         version = {version},\n    uses(Modelica(version = \"4.0.0\")),\n    Documentation(info = {info}));\n\
         end {PACKAGE};\n"
    )
}

/// Returns the names of the models in the folder of a package.
fn models(package: &Path) -> Result<BTreeSet<String>, Error> {
    let mut models = BTreeSet::new();
    for entry in fs_err::read_dir(package)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "package");
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|extension| extension == "mo")) {
            models.insert(stem.to_owned());
        }
    }
    Ok(models)
}

/// Writes a file into a folder, which is made if it does not exist.
fn add(folder: &Path, name: &str, content: &[u8]) -> Result<(), Error> {
    fs_err::create_dir_all(folder)?;
    replace(&folder.join(name), content)
}

/// Writes a file in one step.
fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    Destination::new(path)?.write(|writer| writer.write_all(content))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::archive::origin::Origin;
    use crate::archive::package::pack;
    use crate::archive::platform::Platform;
    use crate::archive::platform::tests::binary;
    use crate::example::movable;

    fn packed(description: &Description, folder: &Path) -> PathBuf {
        let library = folder.join("library");
        fs_err::write(&library, binary(Platform::Linux64)).unwrap();
        pack(description, &Origin::default(), &[(Platform::Linux64, library)], folder).unwrap()
    }

    #[test]
    fn models_are_added_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("MechanicalFMUs");
        let read = |name: &str| fs_err::read_to_string(package.join(name)).unwrap();
        let add = |description: &Description| {
            let reason = modelica_model(description, &packed(description, folder.path())).unwrap();
            modelica_package(folder.path()).unwrap();
            reason
        };
        let other = Description { name: "Other".to_owned(), ..movable() };
        assert_eq!(add(&movable()), None);
        assert_eq!(read("package.order"), "Internal\nTestAssembly\n");
        let old = package.join("Resources/FMUs/Other/binaries/old.so");
        for _ in 0..2 {
            assert_eq!(add(&other), None);
            assert!(!old.exists());
            fs_err::write(&old, "of another build").unwrap();
            assert_eq!(read("package.order"), "Internal\nOther\nTestAssembly\n");
        }
        let head = read("package.mo");
        assert!(
            head.contains("package MechanicalFMUs ") && head.contains("with their connectors or signals"),
            "{head}"
        );
        assert!(read("Other.mo").starts_with("within MechanicalFMUs;\nmodel Other "));
        for file in
            ["Images/Other.png", "FMUs/Other/binaries/linux64/Other.so", "FMUs/Other/resources/configuration.txt"]
        {
            assert!(package.join("Resources").join(file).exists(), "{file}");
        }
        let unpacked = fs_err::read_dir(package.join("Resources/FMUs/Other")).unwrap();
        let unpacked: BTreeSet<_> = unpacked.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(unpacked, BTreeSet::from(["binaries".into(), "resources".into()]));

        // Another configuration has the same name.
        let without =
            Description { name: "Other".to_owned(), guid: "{2}".to_owned(), event_indicators: 1, ..movable() };
        // The archive has been replaced meanwhile.
        let replaced = modelica_model(&without, &packed(&other, folder.path())).unwrap();
        assert_eq!(replaced.unwrap(), "it moves frame_ia and has states or events");
        for file in ["Other.mo", "Resources/Images/Other.png", "Resources/FMUs/Other/binaries/linux64/Other.so"] {
            assert!(package.join(file).exists(), "{file}");
        }
        assert_eq!(add(&without).unwrap(), "it moves frame_ia and has states or events");
        assert_eq!(read("package.order"), "Internal\nTestAssembly\n");
        for place in ["Images/Other.png", "FMUs/Other"] {
            assert!(!package.join("Resources").join(place).exists(), "{place}");
        }
    }

    #[test]
    fn builds_of_one_name_at_the_same_time_take_turns() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("MechanicalFMUs");
        let build = |number: usize| {
            let guid = format!("{{{number}}}");
            let description = Description { configuration: guid.clone(), guid, ..movable() };
            for _ in 0..10 {
                let library = folder.path().join(format!("library{number}"));
                fs_err::write(&library, binary(Platform::Linux64)).unwrap();
                let fmu =
                    pack(&description, &Origin::default(), &[(Platform::Linux64, library)], folder.path()).unwrap();
                assert_eq!(modelica_model(&description, &fmu).unwrap(), None);
                modelica_package(folder.path()).unwrap();
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|number| drop(scope.spawn(move || build(number)))));
        // All files are of the build whose archive is there.
        let guid = Archive::open(&folder.path().join("TestAssembly.fmu")).unwrap().model().unwrap().guid;
        let unpacked = package.join("Resources/FMUs/TestAssembly/resources/configuration.txt");
        assert_eq!(fs_err::read_to_string(unpacked).unwrap(), guid);
        assert!(fs_err::read_to_string(package.join("TestAssembly.mo")).unwrap().contains(&guid));
        assert_eq!(fs_err::read_to_string(package.join("package.order")).unwrap(), "Internal\nTestAssembly\n");
    }

    #[test]
    fn turns_are_taken_one_by_one_and_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let fmu = folder.path().join("Wheel.fmu");
        fs_err::write(&fmu, "").unwrap();
        let held = AtomicBool::new(false);
        let take = || {
            (0..50).fold(PathBuf::new(), |_, _| {
                let lock = NameLock::wait(&fmu, "Wheel").unwrap();
                assert!(!held.swap(true, Relaxed), "two have it at the same time");
                std::thread::yield_now();
                held.store(false, Relaxed);
                lock.path.clone()
            })
        };
        let path = std::thread::scope(|scope| {
            let others: Vec<_> = (0..8).map(|_| scope.spawn(take)).collect();
            others.into_iter().map(|other| other.join().unwrap()).last().unwrap()
        });
        assert!(path.starts_with(std::env::temp_dir()) && !path.exists());
    }

    #[test]
    fn names_that_break_the_package_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let internal = folder.path().join("MechanicalFMUs/Internal.mo");
        modelica_package(folder.path()).unwrap();
        for name in ["Internal", "REAL", "Package", "model"] {
            let description = Description { name: name.to_owned(), ..movable() };
            let reason = modelica_model(&description, &packed(&description, folder.path())).unwrap();
            let message =
                format!("a model cannot be called {name} in Modelica; another name is needed, such as My{name}");
            assert_eq!(reason.unwrap(), message);
        }
        assert!(internal.exists());
    }

    #[test]
    fn another_package_of_this_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let fmu = packed(&movable(), folder.path());
        let package = folder.path().join("MechanicalFMUs");
        for file in ["package.mo", "TestAssembly.mo"] {
            fs_err::create_dir_all(&package).unwrap();
            fs_err::write(package.join(file), "model Mine end Mine;").unwrap();
            let message = modelica_model(&movable(), &fmu).unwrap_err().to_string();
            let reason =
                "the existing file is not of the Modelica package MechanicalFMUs; delete it or choose another name";
            assert_eq!(message, format!("{}: cannot be written: {reason}", package.join(file).display()));
            assert_eq!(fs_err::read_dir(&package).unwrap().count(), 1);
            fs_err::remove_dir_all(&package).unwrap();
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("MechanicalFMUs"), "a file").unwrap();
        let message = modelica_model(&movable(), &packed(&movable(), folder.path())).unwrap_err().to_string();
        assert!(message.contains("MechanicalFMUs/Resources/Images`: "), "{message}");
    }
}
