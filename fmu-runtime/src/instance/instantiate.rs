//! Instantiation: name, GUID, configuration and layout are checked here.

use std::path::PathBuf;

use fmu_exchange::configuration::guid;
use fmu_exchange::{CONFIGURATION, Category, DECLARES, Standard, read_limited};

use crate::component::component_model::ComponentModel;
use crate::component::declaration::default_configuration;
use crate::instance::instance::Instance;
use crate::instance::intermediate_update;
use crate::instance::lifecycle::{EventHandling, Interface};
use crate::instance::log::{Log, Logger, Status};
use crate::instance::model::{Model, keep, recall};
use crate::instance::resource::{folder_with, scheme};

/// The largest configuration that is read, in bytes: the limit for an entry of an FMU.
const MAX_BYTES: u64 = 256 << 20;

/// The arguments of a function that makes an instance, read from C.
pub struct Request<'a> {
    /// The standard of the function.
    pub standard: Standard,
    /// Name of the instance, if it is not NULL.
    pub name: Option<&'a str>,
    /// The interface, if the number names one.
    pub interface: Option<Interface>,
    /// The GUID or instantiation token of the importer's `modelDescription.xml`.
    pub guid: Option<&'a str>,
    /// Location of the resources.
    pub location: Option<&'a [u8]>,
    /// The importer's logger, if there is one.
    pub logger: Option<Logger>,
    /// True if everything is logged.
    pub logging_on: bool,
    /// Handling of the events in Co-Simulation.
    pub events: EventHandling,
    /// Request of the importer for intermediate updates inside steps.
    pub updates: Option<intermediate_update::Request>,
}

impl Request<'_> {
    /// Returns the standard's names of the function, the GUID and the location of the resources.
    pub(crate) fn words(&self) -> [&'static str; 3] {
        match (self.standard, self.interface) {
            (Standard::Fmi2, _) => ["fmi2Instantiate", "fmuGUID", "fmuResourceLocation"],
            (Standard::Fmi3, Some(Interface::ModelExchange)) => {
                ["fmi3InstantiateModelExchange", "instantiationToken", "resourcePath"]
            }
            (Standard::Fmi3, _) => ["fmi3InstantiateCoSimulation", "instantiationToken", "resourcePath"],
        }
    }
}

/// Makes an instance, or logs why not.
///
/// `library` gives the path of the library, next to which the resources are looked for last.
pub fn instantiate(
    model: Box<dyn ComponentModel>,
    mut request: Request<'_>,
    library: fn() -> Option<PathBuf>,
) -> Option<Instance> {
    let [function, token, location] = request.words();
    let mut log =
        Log::new(request.standard, request.logger.take(), request.name.unwrap_or_default(), request.logging_on);
    if let Some(name) = request.location.and_then(scheme).filter(|name| !name.eq_ignore_ascii_case(b"file")) {
        let name = String::from_utf8_lossy(name);
        let message =
            format!("{function}: {location} with the scheme \"{name}\" is ignored: only \"file\" is supported");
        log.send(Status::Ok, Category::Warning, &message);
    }
    let parts = attempt(model, &request, token, location, library);
    if let Err(message) = &parts {
        log.send(Status::Error, Category::Error, &format!("{function}: {message}"));
    }
    log.take().deliver();
    let (interface, model, resources) = parts.ok()?;
    let mut instance = Instance::new(request.standard, interface, model, log, resources);
    instance.events = request.events;
    if let Err(error) = request.updates.map_or(Ok(()), |updates| instance.accept(updates)) {
        instance.log.send(Status::Error, Category::Error, &format!("{function}: {}", error.message));
        instance.log.take().deliver();
        return None;
    }
    Some(instance)
}

type Parts = (Interface, Model, Option<PathBuf>);

fn attempt(
    mut model: Box<dyn ComponentModel>,
    request: &Request<'_>,
    token: &str,
    location: &str,
    library: fn() -> Option<PathBuf>,
) -> Result<Parts, String> {
    if request.name.is_none_or(|name| name.trim().is_empty()) {
        return Err("instanceName is missing or blank".to_owned());
    }
    let interface = request.interface.ok_or("fmuType is neither fmi2ModelExchange nor fmi2CoSimulation")?;
    let given = request.guid.ok_or_else(|| format!("{token} is missing"))?;
    let resources = folder_with(CONFIGURATION, request.location, library);
    let text = match &resources {
        Some(folder) => {
            let path = folder.join(CONFIGURATION);
            let bytes = read_limited(&path, MAX_BYTES)?;
            String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", path.display()))?
        }
        None if DECLARES => default_configuration(model.as_mut())?,
        None => {
            return Err(format!(
                "no folder with {CONFIGURATION} was found at {location} or near the library, which has no default \
                 configuration, since it was made with --small or for WebAssembly"
            ));
        }
    };
    let component = model.info().name;
    let known = recall(component, &text);
    let own = known.as_ref().map_or_else(|| guid(&text).into(), |model| model.guid.clone());
    if *given != *own {
        let whose = match &resources {
            Some(folder) => format!("of {}", folder.join(CONFIGURATION).display()),
            None => "of the default configuration, since no resources folder was found".to_owned(),
        };
        let what = if request.standard == Standard::Fmi2 { "GUID" } else { "token" };
        return Err(format!("{token} is {given}, but the {what} {whose} is {own}"));
    }
    let model = match known {
        Some(model) => model,
        None => {
            let model = Model::new(model, &text, &own)?;
            keep(component, model.clone());
            model
        }
    };
    Ok((interface, model, resources))
}
