//! The archive that `cargo xtask build` makes, and others made of the library in it.

use std::path::{Path, PathBuf};

use fmu_builder::{Archive, Error, Library, Platform, Settings};
use fmu_runtime::CONFIGURATION;
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
    let mut settings = Settings::default();
    assignments.iter().try_for_each(|assignment| settings.set(assignment))?;
    resolve(&settings)
}

/// The description of settings.
pub fn resolve(settings: &Settings) -> Result<Description, Error> {
    let folder = tempfile::tempdir().unwrap();
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
        Self::of(describe(assignments).unwrap())
    }

    /// What is packed, without the detour over an archive.
    pub fn of(description: Description) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = library(&folder);
        let resources = folder.path().join("resources");
        fs_err::create_dir_all(&resources).unwrap();
        fs_err::write(resources.join(CONFIGURATION), &description.configuration).unwrap();
        for (name, content) in &description.resources {
            fs_err::write(resources.join(name), content).unwrap();
        }
        Self { description, api: Api::load(&library).unwrap(), folder }
    }

    /// The folder of the resources.
    pub fn resources(&self) -> PathBuf {
        self.folder.path().join("resources")
    }

    /// An instance of Co-Simulation that logs everything.
    pub fn instance(&self) -> Instance<'_> {
        self.instantiate(CO_SIMULATION).unwrap_or_else(|message| panic!("{message}"))
    }

    /// An instance that logs everything, or why there is none.
    pub fn instantiate(&self, kind: i32) -> Result<Instance<'_>, String> {
        let location = format!("file://{}", self.resources().display());
        let location = Some(location.as_bytes());
        let setup = Setup { location, logging_on: true, ..Setup::new(kind, &self.description.guid) };
        let slave = self.api.instantiate(setup).map_err(|messages| messages.last().unwrap().text.clone())?;
        Ok(Instance { slave, fmu: self })
    }
}

/// An instance that knows its variables by name.
pub struct Instance<'a> {
    pub slave: Slave,
    fmu: &'a Fmu,
}

impl Instance<'_> {
    pub fn references(&self, name: &str) -> Vec<u32> {
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

    /// Sets a String.
    pub fn set_text(&self, name: &str, text: &str) {
        assert_eq!(self.slave.set_string(&self.references(name), &[Some(text.as_bytes())]), Status::Ok);
    }

    /// Initialises at time 0.
    pub fn initialise(&self) {
        self.try_initialise().unwrap_or_else(|message| panic!("{message}"));
    }

    /// Initialises at time 0; the error is the last message.
    pub fn try_initialise(&self) -> Result<(), String> {
        assert_eq!(self.slave.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(self.slave.enter_initialization_mode(), Status::Ok);
        match self.slave.exit_initialization_mode() {
            Status::Ok => Ok(()),
            _ => Err(self.slave.messages().last().unwrap().text.clone()),
        }
    }
}
