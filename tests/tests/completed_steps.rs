//! Steps that are completed and then tried again leave nothing in the memory.

use std::f64::consts::TAU;

use fmu_builder::describe;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{
    CONFIGURATION, Component, Context, DefaultExperiment, DescribeRequest, Diagnostics, Equations, Info, Instance,
    Memory, ModelError, Outcome, Scalar, component_model, declaration, model, structure,
};
use proptest::prelude::*;

model! {
    /// y = u + 2 pi k, nearest to y at the end of the last step
    pub struct Turns<T>(_s: Structure): Memory {
        input u: T = 0.0, RAD, "Angle from -pi to pi";
        output y: T, RAD, "Angle with its turns";
        memory last: T, RAD, "y at the end of the last step";
    }
}

structure! {
    /// There are no options.
    pub struct Structure {}
}

impl Component for Turns<f64> {
    const INFO: Info = Info {
        name: "Turns",
        description: "Counts turns",
        icon: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        packages: &[("turns", "1.0.0")],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 0.1, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = Turns<T>;
}

impl<T: Scalar> Equations<T> for Turns<T> {
    type Data = ();

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let turns = ((self.last - self.u).value() / TAU).round();
        self.y = self.u + nalgebra::convert::<f64, T>(turns * TAU);
        Ok(())
    }
}

impl<T: Scalar> Memory<T> for Turns<T> {
    fn completed_step(&mut self, _: &Context<'_, T, Self>, _: &mut Diagnostics) {
        self.last = self.y;
    }
}

fn call(instance: &mut Instance, call: Call, body: impl FnOnce(&mut Instance) -> Outcome) {
    assert_eq!(instance.call(call, body), Status::Ok, "{call:?}");
}

fn instance() -> Instance {
    let ask = |request: DescribeRequest<'_>| declaration(component_model::<Turns<f64>>().as_mut(), request);
    let description = describe(ask, DescribeRequest::new("")).expect("a description");
    let resources = tempfile::tempdir().expect("room for a folder");
    fs_err::write(resources.path().join(CONFIGURATION), &description.configuration).expect("room for a file");
    let location = format!("file://{}", resources.path().display());
    let request = Request {
        name: Some("turns"),
        interface: Some(Interface::ModelExchange),
        guid: Some(&description.guid),
        location: Some(location.as_bytes()),
        logger: None,
        logging_on: false,
    };
    let mut instance = instantiate(component_model::<Turns<f64>>(), request, || None).expect("an instance");
    call(&mut instance, Call::fmi2EnterInitializationMode, Instance::enter_initialization_mode);
    call(&mut instance, Call::fmi2ExitInitializationMode, Instance::exit_initialization_mode);
    call(&mut instance, Call::fmi2EnterContinuousTimeMode, Instance::enter_continuous_time_mode);
    instance
}

/// The angle with its turns, where a step ends at a time with this angle.
fn complete(instance: &mut Instance, time: f64, angle: f64) -> f64 {
    let wrapped = angle - (angle / TAU).round() * TAU;
    call(instance, Call::fmi2SetTime, |instance| instance.set_time(time));
    call(instance, Call::fmi2SetReal, |instance| instance.set_real(&[0], &[wrapped]));
    let mut y = 0.0;
    call(instance, Call::fmi2GetReal, |instance| {
        y = instance.get_real(&[1])?.next().unwrap();
        Ok(())
    });
    call(instance, Call::fmi2CompletedIntegratorStep, |instance| instance.completed_integrator_step().map(drop));
    y
}

proptest! {
    /// Each step moves by less than half a turn; what is tried at its end and beyond may move anywhere.
    #[test]
    fn p19_m5_the_memory_follows_the_last_step_at_each_time(
        steps in prop::collection::vec(
            (-3.0..3.0_f64, prop::collection::vec((0.0..3.0_f64, -100.0..100.0_f64), 0..8)),
            1..20,
        ),
    ) {
        let mut instance = instance();
        let mut angle = 0.0;
        for (k, (movement, trials)) in steps.into_iter().enumerate() {
            let begin = k as f64;
            for (ahead, tried) in trials {
                complete(&mut instance, begin + 1.0 + ahead, tried);
            }
            angle += movement;
            let y = complete(&mut instance, begin + 1.0, angle);
            prop_assert!((y - angle).abs() < 1e-9, "{} {}", y, angle);
        }
    }
}

#[test]
fn p19_what_was_completed_at_an_event_stays() {
    let mut instance = instance();
    assert_eq!(complete(&mut instance, 1.0, 3.0), 3.0);
    call(&mut instance, Call::fmi2EnterEventMode, Instance::enter_event_mode);
    call(&mut instance, Call::fmi2EnterContinuousTimeMode, Instance::enter_continuous_time_mode);
    assert_eq!(complete(&mut instance, 1.0, 6.0), 6.0, "less than half a turn away from 3, not from 0");
}
