//! Steps that are completed and then tried again leave nothing in the memory.

use std::f64::consts::TAU;

use fmu_builder::describe;
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{
    Context, DeclarationRequest, DefaultExperiment, Diagnostics, Equations, Instance, Memory, ModelError, Outcome,
    Scalar, component_model, declaration, model,
};
use fmu_tests::in_process;
use proptest::prelude::*;

model! {
    /// y = u + 2 pi k, nearest to y at the end of the last step
    pub struct Turns<T>: Memory {
        input u: T = 0.0, RAD, "Angle from -pi to pi";
        output y: T, RAD, "Angle with its turns";
        memory last: T, RAD, "y at the end of the last step";
    }
}

impl<T: Scalar> Equations<T> for Turns<T> {
    const DESCRIPTION: &'static str = "Counts turns";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

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
    let ask = |request: DeclarationRequest<'_>| declaration(component_model::<Turns<f64>>().as_mut(), request);
    let description = describe(ask, DeclarationRequest::new("")).expect("a description");
    let mut instance = in_process::instance(component_model::<Turns<f64>>(), &description, Interface::ModelExchange);
    call(&mut instance, Call::fmi2EnterInitializationMode, Instance::enter_initialization_mode);
    call(&mut instance, Call::fmi2ExitInitializationMode, Instance::exit_initialization_mode);
    call(&mut instance, Call::fmi2EnterContinuousTimeMode, Instance::enter_continuous_time_mode);
    instance
}

fn set(instance: &mut Instance, angle: f64) {
    let wrapped = angle - (angle / TAU).round() * TAU;
    call(instance, Call::fmi2SetReal, |instance| instance.set_real(&[0], &[wrapped]));
}

fn read(instance: &mut Instance) -> f64 {
    let mut y = 0.0;
    call(instance, Call::fmi2GetReal, |instance| {
        y = instance.get_real(&[1])?.next().unwrap();
        Ok(())
    });
    y
}

/// Returns the angle with its turns, after a step that ends at a time with this angle.
fn complete(instance: &mut Instance, time: f64, angle: f64) -> f64 {
    call(instance, Call::fmi2SetTime, |instance| instance.set_time(time));
    set(instance, angle);
    call(instance, Call::fmi2CompletedIntegratorStep, |instance| instance.completed_integrator_step().map(drop));
    read(instance)
}

/// An action that leaves no trace, although it follows a completed step.
#[derive(Clone, Copy, Debug)]
enum Aside {
    /// Reads with other inputs.
    Read(f64),
    /// Saves the state.
    Save,
    /// Completes this and the next step with another angle after the state was saved, and restores it.
    Return(f64),
    /// Completes this and the next step with another angle after the state was serialised, and restores it from the
    /// bytes.
    Serialise(f64),
}

fn aside() -> impl Strategy<Value = Aside> {
    let angle = || -100.0..100.0_f64;
    prop_oneof![
        angle().prop_map(Aside::Read),
        Just(Aside::Save),
        angle().prop_map(Aside::Return),
        angle().prop_map(Aside::Serialise),
    ]
}

fn turn_aside(instance: &mut Instance, time: f64, aside: Aside) {
    let save = |instance: &mut Instance| instance.get_fmu_state(0).expect("a state");
    let restore = |instance: &mut Instance, state: usize| {
        call(instance, Call::fmi2SetFMUstate, |instance| instance.set_fmu_state(state));
    };
    match aside {
        Aside::Read(angle) => {
            set(instance, angle);
            read(instance);
        }
        Aside::Save => {
            save(instance);
        }
        Aside::Return(angle) => {
            let state = save(instance);
            complete(instance, time, angle);
            complete(instance, time + 1.0, angle);
            restore(instance, state);
        }
        Aside::Serialise(angle) => {
            let state = save(instance);
            let bytes = instance.serialize_fmu_state(state).expect("bytes");
            complete(instance, time, angle);
            complete(instance, time + 1.0, angle);
            let state = instance.deserialize_fmu_state(&bytes).expect("a state");
            restore(instance, state);
        }
    }
}

proptest! {
    /// Each step moves by less than half a turn; the angles that are tried at its end and beyond are arbitrary.
    #[test]
    fn p19_m5_the_memory_follows_the_last_step_at_each_time(
        steps in prop::collection::vec(
            (
                -3.0..3.0_f64,
                prop::collection::vec((0.0..3.0_f64, -100.0..100.0_f64), 0..8),
                prop::collection::vec(aside(), 0..3),
            ),
            1..20,
        ),
    ) {
        let mut instance = instance();
        let mut angle = 0.0;
        for (k, (movement, trials, asides)) in steps.into_iter().enumerate() {
            let begin = k as f64;
            for (ahead, tried) in trials {
                complete(&mut instance, begin + 1.0 + ahead, tried);
                for aside in &asides {
                    turn_aside(&mut instance, begin + 1.0 + ahead, *aside);
                }
            }
            angle += movement;
            let y = complete(&mut instance, begin + 1.0, angle);
            prop_assert!((y - angle).abs() < 1e-9, "{} {}", y, angle);
            for aside in asides {
                turn_aside(&mut instance, begin + 1.0, aside);
            }
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
