//! The archive that `cargo xtask build` makes, and others made of the library in it.

use std::path::{Path, PathBuf};

use fmu_builder::{Archive, Error, Library, Platform, Settings, pack};
use fmu_runtime::description::Description;
use fmu_tests::api::{Api, CO_SIMULATION, Setup, Slave, Status};
use tempfile::TempDir;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The archive that `cargo xtask build` makes.
pub fn archive() -> PathBuf {
    let path = root().join("target/fmu/Bushing.fmu");
    assert!(path.exists(), "{} is missing: run cargo xtask build first", path.display());
    path
}

/// The library out of the archive.
pub fn library(folder: &TempDir) -> PathBuf {
    let entry = Platform::host().unwrap().entry("Bushing");
    let path = folder.path().join(Path::new(&entry).file_name().unwrap());
    fs_err::write(&path, Archive::open(&archive()).unwrap().read(&entry).unwrap()).unwrap();
    path
}

/// The description of a configuration.
pub fn describe(assignments: &[&str]) -> Result<Description, Error> {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::default();
    assignments.iter().try_for_each(|assignment| settings.set(assignment))?;
    settings.resolve(&Library::load(&library(&folder))?)
}

/// An unpacked FMU of one configuration.
pub struct Fmu {
    pub description: Description,
    api: Api,
    folder: TempDir,
}

impl Fmu {
    pub fn new(assignments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = library(&folder);
        let description = describe(assignments).unwrap();
        let file = pack(&description, &[(Platform::host().unwrap(), library.clone())], folder.path()).unwrap();
        let archive = Archive::open(&file).unwrap();
        let resources = folder.path().join("resources");
        fs_err::create_dir_all(&resources).unwrap();
        let configuration = "resources/configuration.txt";
        fs_err::write(folder.path().join(configuration), archive.read(configuration).unwrap()).unwrap();
        Self { description, api: Api::load(&library).unwrap(), folder }
    }

    /// An instance of Co-Simulation that logs everything.
    pub fn instance(&self) -> Instance<'_> {
        let location = format!("file://{}", self.folder.path().join("resources").display());
        let location = Some(location.as_bytes());
        let setup = Setup { location, logging_on: true, ..Setup::new(CO_SIMULATION, &self.description.guid) };
        Instance { slave: self.api.instantiate(setup).unwrap_or_else(|messages| panic!("{messages:?}")), fmu: self }
    }
}

/// An instance that knows its variables by name.
pub struct Instance<'a> {
    pub slave: Slave,
    fmu: &'a Fmu,
}

impl Instance<'_> {
    fn references(&self, name: &str) -> Vec<u32> {
        let element = format!("{name}[");
        let wanted = |found: &str| found == name || found.starts_with(&element);
        let variables = self.fmu.description.variables.iter().filter(|variable| wanted(&variable.name));
        let references: Vec<u32> = variables.map(|variable| variable.value_reference).collect();
        assert!(!references.is_empty(), "no {name}");
        references
    }

    /// Sets a Real, or all elements of an array.
    pub fn set(&self, name: &str, values: &[f64]) -> Status {
        self.slave.set_real(&self.references(name), values)
    }

    /// A Real, or all elements of an array.
    pub fn get(&self, name: &str) -> Vec<f64> {
        let (status, values) = self.slave.get_real(&self.references(name));
        assert_eq!(status, Status::Ok, "{name}: {:?}", self.slave.messages());
        values
    }

    /// Initialises at time 0.
    pub fn initialise(&self) {
        assert_eq!(self.slave.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(self.slave.enter_initialization_mode(), Status::Ok);
        assert_eq!(self.slave.exit_initialization_mode(), Status::Ok, "{:?}", self.slave.messages());
    }
}
