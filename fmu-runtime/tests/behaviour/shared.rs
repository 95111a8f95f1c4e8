//! Instances share the data derived from their configuration, and nothing else.

use std::path::Path;

use fmu_runtime::configuration::guid;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{EventHandling, Interface};
use fmu_runtime::{
    CONFIGURATION, Component, ComponentModel, Context, Equations, Info, Instance, ModelError, Scalar, Standard,
    component_model, model, real_text, structure,
};

model! {
    /// y = k u
    pub struct Gain<T>(s: Structure) {
        parameter k: T = 1.0, ONE, "Factor";
        input u: T = 1.0, ONE, "Argument";
        output y: T, ONE, "Result", when = s.shown;
    }
}

structure! {
    /// Structure options of the gain.
    pub struct Structure {
        shown: bool = true, "Adds y";
    }
}

/// A component with the equations of `Gain` under another name.
struct Other;

impl Component for Other {
    const INFO: Info = Info { name: "Other", ..Info::of::<Gain<f64>>() };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = Gain<T>;
}

impl<T: Scalar> Equations<T> for Gain<T> {
    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.y = self.k * self.u;
        Ok(())
    }
}

/// Returns GUID and configuration of an FMU whose configuration differs from the default by these lines.
fn configured<C: Component>(lines: &str) -> (String, String) {
    let text = format!("component {}\n{lines}", C::INFO.name);
    (guid(&text), text)
}

fn made(model: Box<dyn ComponentModel>, guid: &str, resources: &Path) -> Option<Instance> {
    let request = Request {
        standard: Standard::Fmi2,
        name: Some("instance"),
        interface: Some(Interface::CoSimulation),
        guid: Some(guid),
        location: Some(resources.to_str().unwrap().as_bytes()),
        logger: None,
        logging_on: false,
        events: EventHandling::Inside,
        updates: None,
    };
    instantiate(model, request, || None)
}

/// Returns the factor, which is the first Real.
fn factor(instance: &mut Instance) -> f64 {
    instance.get_real(&[0]).unwrap().next().unwrap()
}

#[test]
fn a_configuration_that_changed_on_disk_is_seen_by_the_next_instance() {
    let resources = tempfile::tempdir().unwrap();
    let path = resources.path().join(CONFIGURATION);
    let three = configured::<Gain<f64>>(&format!("start k {}\n", real_text(3.0)));
    let seven = configured::<Gain<f64>>(&format!("start k {}\n", real_text(7.0)));
    // The configurations have the same length, so that only the content differs.
    assert_eq!(three.1.len(), seven.1.len());
    let make = |guid: &str| made(component_model::<Gain<f64>>(), guid, resources.path());
    std::fs::write(&path, &three.1).unwrap();
    let [mut first, mut second] = [make(&three.0).unwrap(), make(&three.0).unwrap()];
    std::fs::write(&path, &seven.1).unwrap();
    assert!(make(&three.0).is_none());
    let mut third = make(&seven.0).unwrap();
    first.set_real(&[0], &[5.0]).unwrap();
    assert_eq!([&mut first, &mut second, &mut third].map(factor), [5.0, 3.0, 7.0]);
    // Values that were set do not outlive their instance.
    drop(third);
    assert_eq!(factor(&mut make(&seven.0).unwrap()), 7.0);
    std::fs::remove_file(&path).unwrap();
    assert!(make(&seven.0).is_none());
}

#[test]
fn a_configuration_is_of_one_component() {
    let resources = tempfile::tempdir().unwrap();
    let (guid, text) = configured::<Gain<f64>>("structure shown false\n");
    std::fs::write(resources.path().join(CONFIGURATION), text).unwrap();
    let mut hidden = made(component_model::<Gain<f64>>(), &guid, resources.path()).unwrap();
    assert!(hidden.get_real(&[2]).is_err());
    assert!(made(component_model::<Other>(), &guid, resources.path()).is_none());
}
