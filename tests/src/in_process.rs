//! Instances in this process, without a library.

use fmu_builder::description::Description;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{EventHandling, Interface};
use fmu_runtime::{CONFIGURATION, ComponentModel, Instance, Standard};

/// Makes an instance of FMI 2.0 of a model with the configuration of a description.
pub fn instance(model: Box<dyn ComponentModel>, description: &Description, interface: Interface) -> Instance {
    let resources = tempfile::tempdir().expect("room for a folder");
    fs_err::write(resources.path().join(CONFIGURATION), &description.configuration).expect("room for a file");
    let location = format!("file://{}", resources.path().display());
    let request = Request {
        standard: Standard::Fmi2,
        name: Some("instance"),
        interface: Some(interface),
        guid: Some(&description.guid),
        location: Some(location.as_bytes()),
        logger: None,
        logging_on: true,
        events: EventHandling::Inside,
        updates: None,
    };
    instantiate(model, request, || None).expect("an instance")
}
