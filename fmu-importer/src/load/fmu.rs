//! An FMU in a folder of its own, and its libraries in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
use anyhow::anyhow;
use anyhow::{Context, Result, bail, ensure};
use c_interface::{Api, CO_SIMULATION_ONLY, MODEL_EXCHANGE_ONLY, Standard};
use fmu_builder::description::Description;
use fmu_builder::{Archive, ModelDescription, TemporaryFolder};
#[cfg(not(target_family = "wasm"))]
use fmu_builder::{Platform, load_failure};
use fmu_exchange::CONFIGURATION;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::platforms::{self, standard};
use super::watch::{Watched, watched};

/// Characters that are escaped by percent signs in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The interfaces of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The FMU computes its states over a step.
    CoSimulation,
    /// The importer integrates the states.
    ModelExchange,
}

impl Interface {
    /// Returns the standard's name of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::CoSimulation => "Co-Simulation",
            Self::ModelExchange => "Model Exchange",
        }
    }

    /// Returns the element of the interface in a description, if the FMU offers it.
    pub fn of(self, model: &ModelDescription) -> Option<&fmu_builder::Interface> {
        match self {
            Self::CoSimulation => model.co_simulation.as_ref(),
            Self::ModelExchange => model.model_exchange.as_ref(),
        }
    }
}

/// An unpacked FMU; its folder is removed when it is dropped.
pub struct Fmu {
    path: PathBuf,
    standard: Standard,
    model: ModelDescription,
    folder: TemporaryFolder,
    /// The functions, if they are linked into this program.
    linked: Option<Api>,
}

impl Fmu {
    /// Unpacks an FMU for this computer.
    ///
    /// # Errors
    ///
    /// When it is not safe to unpack, cannot be read, is for another version of FMI, or has no library for this
    /// computer; the message begins with the path.
    pub fn open(path: &Path) -> Result<Arc<Self>> {
        // All entries are unpacked below, and checked there.
        let archive = Archive::list(path)?;
        if let Some(version) = archive.fmi_version()?.filter(|version| standard(version).is_none()) {
            bail!("{} is for FMI {version}; only FMI 2.0 and FMI 3.0 can be imported", path.display());
        }
        let model = archive.model()?;
        platforms::require_own(&archive, &model).with_context(|| path.display().to_string())?;
        Self::unpack(path, &archive, model)
    }

    /// Unpacks an archive that was opened before.
    pub(crate) fn unpack(path: &Path, archive: &Archive, model: ModelDescription) -> Result<Arc<Self>> {
        let folder = TemporaryFolder::new("fmu-").context("cannot make a temporary folder")?;
        for entry in archive.entries() {
            // The names were checked when the archive was opened.
            if entry.name.ends_with('/') {
                fs_err::create_dir_all(folder.path().join(&entry.name))?;
                continue;
            }
            folder.write(&entry.name, &archive.read(&entry.name)?)?;
        }
        fs_err::create_dir_all(folder.path().join("resources"))?;
        let standard = standard(&model.fmi_version).unwrap_or(Standard::Fmi2);
        Ok(Arc::new(Self { path: path.to_owned(), standard, model, folder, linked: None }))
    }

    /// Makes an FMU that is not packed, of a description and the functions of its component, which are linked into this
    /// program.
    ///
    /// # Errors
    ///
    /// When the description is not one of an FMU.
    pub fn linked(description: &Description, api: Api) -> Result<Arc<Self>> {
        let standard = api.standard();
        let of_builder = match standard {
            Standard::Fmi2 => fmu_builder::Standard::Fmi2,
            Standard::Fmi3 => fmu_builder::Standard::Fmi3,
        };
        let model = fmu_builder::imported(description, of_builder)?;
        let folder = TemporaryFolder::new("fmu-").context("cannot make a temporary folder")?;
        folder.write(&format!("resources/{CONFIGURATION}"), description.configuration.as_bytes())?;
        for (name, content) in &description.resources {
            folder.write(&format!("resources/{name}"), content)?;
        }
        let path = format!("{}.fmu", description.name).into();
        Ok(Arc::new(Self { path, standard, model, folder, linked: Some(api) }))
    }

    /// Returns the content of the FMU's description.
    pub fn model(&self) -> &ModelDescription {
        &self.model
    }

    /// Returns the standard of the FMU.
    pub(super) fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns the path of the archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns Co-Simulation if the FMU offers it, else Model Exchange.
    pub fn interface(&self) -> Result<Interface> {
        let mut all = [Interface::CoSimulation, Interface::ModelExchange].into_iter();
        let offered = all.find(|interface| interface.of(&self.model).is_some());
        offered.with_context(|| format!("{} offers neither Co-Simulation nor Model Exchange", self.path.display()))
    }

    /// Loads the library of an interface.
    ///
    /// # Errors
    ///
    /// When the FMU does not offer the interface, or the library cannot be loaded or is not of the FMU's standard.
    pub fn load(self: &Arc<Self>, interface: Interface) -> Result<Loaded> {
        let path = self.path.display();
        let Some(offered) = interface.of(&self.model) else {
            bail!("{path} does not offer {}", interface.name());
        };
        let api = match &self.linked {
            Some(api) => api.clone(),
            None => self.library(&offered.model_identifier)?,
        };
        let api = Watched::new("unloading the library", api);
        let (call, number) = match self.standard {
            Standard::Fmi2 => ("fmi2GetVersion", "2.0"),
            Standard::Fmi3 => ("fmi3GetVersion", "3.0"),
        };
        let version = watched(call, || api.version().to_string_lossy().into_owned());
        let is_right = standard(&version) == Some(self.standard);
        ensure!(is_right, "{path}: {call} returns \"{version}\" instead of \"{number}\"");
        Ok(Loaded { api, fmu: self.clone(), interface })
    }

    /// Loads the library of this name.
    #[cfg(not(target_family = "wasm"))]
    fn library(&self, identifier: &str) -> Result<Api> {
        let entry = platforms::entry(Platform::host()?, self.standard, identifier);
        let library = self.folder.path().join(&entry);
        let api = watched("loading the library", || Api::load_as(&library, self.standard));
        api.map_err(|error| anyhow!("{}: {entry} {}", self.path.display(), load_failure(&error)))
    }

    #[cfg(target_family = "wasm")]
    fn library(&self, identifier: &str) -> Result<Api> {
        bail!("{}: the library {identifier} cannot be loaded in WebAssembly", self.path.display())
    }

    /// Returns the folder of the resources: in FMI 2.0 a URI, in FMI 3.0 a path that ends with a separator.
    pub(super) fn resources(&self) -> String {
        if self.standard == Standard::Fmi3 {
            return format!("{}{}", self.folder.path().join("resources").display(), std::path::MAIN_SEPARATOR);
        }
        let path = self.folder.path().join("resources").display().to_string().replace('\\', "/");
        let root = if path.starts_with('/') { "" } else { "/" };
        format!("file://{root}{}", utf8_percent_encode(&path, PATH).to_string().replace("%3A", ":"))
    }
}

/// The library of an interface in memory.
#[derive(Clone)]
pub struct Loaded {
    // The library is dropped before the folder that it was loaded from.
    pub(super) api: Watched<Api>,
    pub(super) fmu: Arc<Fmu>,
    pub(super) interface: Interface,
}

impl Loaded {
    /// Returns the content of the FMU's description.
    pub fn model(&self) -> &ModelDescription {
        &self.fmu.model
    }

    /// Returns the path of the archive.
    pub fn path(&self) -> &Path {
        self.fmu.path()
    }

    /// Returns the interface of its instances.
    pub fn interface(&self) -> Interface {
        self.interface
    }

    /// Returns true if the FMU is for FMI 3.0.
    pub fn is_of_fmi_3(&self) -> bool {
        self.fmu.standard == Standard::Fmi3
    }

    /// Returns the functions of the interface that the library does not have.
    pub fn missing(&self) -> Vec<&'static str> {
        let other = match (self.fmu.standard, self.interface) {
            (Standard::Fmi2, Interface::CoSimulation) => MODEL_EXCHANGE_ONLY,
            (Standard::Fmi2, Interface::ModelExchange) => CO_SIMULATION_ONLY,
            (Standard::Fmi3, _) => &[],
        };
        self.api.missing().iter().copied().filter(|name| !other.contains(name)).collect()
    }

    /// `fmi2GetTypesPlatform`
    pub fn types_platform(&self) -> String {
        watched("fmi2GetTypesPlatform", || self.api.types_platform().to_string_lossy().into_owned())
    }

    /// Returns the highest order of derivatives that outputs have in Co-Simulation.
    pub fn output_derivative_order(&self) -> u32 {
        self.interface.of(self.model()).map_or(0, |offered| offered.max_output_derivative_order)
    }

    /// Returns the attribute of Model Exchange by which an FMU says that it needs no call after the importer's steps, if it
    /// does.
    pub fn needs_no_completed_steps(&self) -> Option<&'static str> {
        let offered =
            self.interface.of(self.model()).is_some_and(|offered| offered.completed_integrator_step_not_needed);
        let name = if self.is_of_fmi_3() { "needsCompletedIntegratorStep" } else { "completedIntegratorStepNotNeeded" };
        offered.then_some(name)
    }

    /// Returns true if the FMU offers directional derivatives: the attribute has a plural in FMI 3.0.
    pub fn has_directional_derivatives(&self) -> bool {
        ["providesDirectionalDerivative", "providesDirectionalDerivatives"].iter().any(|name| self.flag(name))
    }

    /// Returns true if the attribute of this name is true for the interface.
    pub fn flag(&self, name: &str) -> bool {
        self.interface.of(self.model()).is_some_and(|offered| offered.flags.iter().any(|flag| flag == name))
    }
}
