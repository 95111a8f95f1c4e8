//! Instances as resources, one type for each interface.

use std::marker::PhantomData;
use std::sync::Arc;

use super::super::linked::Linked;
use super::bindings::exports::fmi::fmi3::co_simulation::{self, DoStepResult};
use super::bindings::exports::fmi::fmi3::model_exchange::{self, CompletedStepResult};
use super::bindings::fmi::fmi3::intermediate_update_callbacks::intermediate_update;
use super::bindings::fmi::fmi3::types::{
    DiscreteStatesInfo, IntervalFraction, IntervalQualifier, Status, VariableDependency,
};
use super::log_message;
use super::owned::{Answer, Owned};
use crate::instance::instance::Instance;
use crate::instance::intermediate_update::{Request, Update};
use crate::instance::lifecycle::{Call, EventHandling, Interface};
use crate::instance::log;

/// Makes functions for types of which the FMU has no variables.
macro_rules! absent {
    ($($get:ident $get_call:ident $value:ty, $set:ident $set_call:ident $given:ty, $name:literal;)*) => {$(
        fn $get(&self, references: Vec<u32>) -> Answer<Vec<$value>> {
            match self.0.absent(Call::$get_call, $name, &references) {
                Status::Ok => Ok(Vec::new()),
                status => Err(status),
            }
        }
        fn $set(&self, references: Vec<u32>, _: Vec<$given>) -> Status {
            self.0.absent(Call::$set_call, $name, &references)
        }
    )*};
}

/// Makes functions that have neither arguments nor results.
macro_rules! transitions {
    ($($function:ident $call:ident;)*) => {$(
        fn $function(&self) -> Status {
            self.0.call(Call::$call, &mut Instance::$function)
        }
    )*};
}

/// Makes functions that hand slices on.
macro_rules! forwarded {
    ($($function:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $function(&self $(, $argument: Vec<$type>)*) -> $result {
            self.0.$function($(&$argument),*)
        }
    )*};
}

/// Makes the functions that both interfaces have.
macro_rules! common {
    () => {
        transitions! {
            exit_initialization_mode fmi3ExitInitializationMode;
            enter_event_mode fmi3EnterEventMode;
            terminate fmi3Terminate;
            reset fmi3Reset;
            enter_configuration_mode fmi3EnterConfigurationMode;
            exit_configuration_mode fmi3ExitConfigurationMode;
            enter_step_mode fmi3EnterStepMode;
        }
        forwarded! {
            update_discrete_states() -> Answer<DiscreteStatesInfo>;
            evaluate_discrete_states() -> Status;
            get_float64(references: u32) -> Answer<Vec<f64>>;
            set_float64(references: u32, values: f64) -> Status;
            get_int32(references: u32) -> Answer<Vec<i32>>;
            set_int32(references: u32, values: i32) -> Status;
            get_int64(references: u32) -> Answer<Vec<i64>>;
            set_int64(references: u32, values: i64) -> Status;
            get_uint64(references: u32) -> Answer<Vec<u64>>;
            set_uint64(references: u32, values: u64) -> Status;
            get_boolean(references: u32) -> Answer<Vec<bool>>;
            set_boolean(references: u32, values: bool) -> Status;
            get_string(references: u32) -> Answer<Vec<String>>;
            set_string(references: u32, values: String) -> Status;
            get_fmu_state() -> Answer<Vec<u8>>;
            set_fmu_state(state: u8) -> Status;
            get_directional_derivative(unknowns: u32, knowns: u32, seed: f64) -> Answer<Vec<f64>>;
            get_adjoint_derivative(unknowns: u32, knowns: u32, seed: f64) -> Answer<Vec<f64>>;
            get_output_derivatives(requests: (u32, u32)) -> Answer<Vec<f64>>;
        }
        absent! {
            get_float32 fmi3GetFloat32 f32, set_float32 fmi3SetFloat32 f32, "Float32";
            get_int8 fmi3GetInt8 i8, set_int8 fmi3SetInt8 i8, "Int8";
            get_int16 fmi3GetInt16 i16, set_int16 fmi3SetInt16 i16, "Int16";
            get_uint8 fmi3GetUInt8 u8, set_uint8 fmi3SetUInt8 u8, "UInt8";
            get_uint16 fmi3GetUInt16 u16, set_uint16 fmi3SetUInt16 u16, "UInt16";
            get_uint32 fmi3GetUInt32 u32, set_uint32 fmi3SetUInt32 u32, "UInt32";
            get_binary fmi3GetBinary Vec<u8>, set_binary fmi3SetBinary Vec<u8>, "Binary";
            get_clock fmi3GetClock bool, set_clock fmi3SetClock bool, "Clock";
            get_shift_decimal fmi3GetShiftDecimal f64, set_shift_decimal fmi3SetShiftDecimal f64, "Clock";
            get_shift_fraction fmi3GetShiftFraction IntervalFraction,
                set_shift_fraction fmi3SetShiftFraction IntervalFraction, "Clock";
            get_interval_decimal fmi3GetIntervalDecimal (f64, IntervalQualifier),
                set_interval_decimal fmi3SetIntervalDecimal f64, "Clock";
            get_interval_fraction fmi3GetIntervalFraction (IntervalFraction, IntervalQualifier),
                set_interval_fraction fmi3SetIntervalFraction IntervalFraction, "Clock";
        }

        fn set_debug_logging(&self, on: bool, categories: Vec<String>) -> Status {
            self.0.set_debug_logging(on, &categories)
        }
        fn enter_initialization_mode(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Status {
            self.0.enter_initialization_mode(tolerance, start, stop)
        }
        fn get_number_of_variable_dependencies(&self, dependent: u32) -> Answer<u64> {
            self.0.get_number_of_variable_dependencies(dependent)
        }
        fn get_variable_dependencies(&self, dependent: u32) -> Answer<Vec<VariableDependency>> {
            self.0.get_variable_dependencies(dependent)
        }
    };
}

/// An instance for Model Exchange.
pub struct ModelExchange<M>(Owned, PhantomData<M>);

impl<M: Linked> model_exchange::Guest for M {
    type ModelExchangeInstance = ModelExchange<M>;
}

impl<M: Linked> model_exchange::GuestModelExchangeInstance for ModelExchange<M> {
    common!();
    transitions! {
        enter_continuous_time_mode fmi3EnterContinuousTimeMode;
    }
    forwarded! {
        get_continuous_states() -> Answer<Vec<f64>>;
        get_continuous_state_derivatives() -> Answer<Vec<f64>>;
        get_nominals_of_continuous_states() -> Answer<Vec<f64>>;
        get_event_indicators() -> Answer<Vec<f64>>;
    }

    fn instantiate_model_exchange(
        name: String,
        token: String,
        _visible: bool,
        logging_on: bool,
    ) -> Option<model_exchange::ModelExchangeInstance> {
        let texts = [name, token];
        let instance = Owned::new(M::model, Interface::ModelExchange, texts, logging_on, EventHandling::Inside, None)?;
        Some(model_exchange::ModelExchangeInstance::new(Self(instance, PhantomData)))
    }
    fn set_time(&self, time: f64) -> Status {
        self.0.call(Call::fmi3SetTime, &mut |instance| instance.set_time(time))
    }
    fn set_continuous_states(&self, states: Vec<f64>) -> Status {
        self.0.call(Call::fmi3SetContinuousStates, &mut |instance| instance.set_continuous_states(&states))
    }
    fn get_number_of_event_indicators(&self) -> Answer<u64> {
        self.0.ask(Call::fmi3GetNumberOfEventIndicators, |instance| Ok(instance.model.indicator_count() as u64))
    }
    fn get_number_of_continuous_states(&self) -> Answer<u64> {
        self.0.ask(Call::fmi3GetNumberOfContinuousStates, |instance| Ok(instance.layout.states.len() as u64))
    }
    fn completed_integrator_step(&self, _no_set_state_prior: bool) -> Answer<CompletedStepResult> {
        self.0.completed_integrator_step()
    }
}

/// An instance for Co-Simulation.
pub struct CoSimulation<M>(Owned, PhantomData<M>);

impl<M: Linked> co_simulation::Guest for M {
    type CoSimulationInstance = CoSimulation<M>;
}

impl<M: Linked> co_simulation::GuestCoSimulationInstance for CoSimulation<M> {
    common!();

    fn instantiate_co_simulation(
        name: String,
        token: String,
        _visible: bool,
        logging_on: bool,
        event_mode_used: bool,
        may_return_early: bool,
        variables: Vec<u32>,
    ) -> Option<co_simulation::CoSimulationInstance> {
        let update = |update: &Update| {
            let Update { time, takes_inputs, can_return_early } = *update;
            let (is_requested, at) = intermediate_update(time, takes_inputs, true, true, can_return_early);
            (can_return_early && is_requested).then_some(at)
        };
        // The draft asks importers for the function only then.
        let updates = may_return_early.then(|| Request {
            callback: Arc::new(update),
            variables: Ok(variables),
            may_return_early,
        });
        let events = EventHandling::new(event_mode_used, may_return_early);
        let instance = Owned::new(M::model, Interface::CoSimulation, [name, token], logging_on, events, updates)?;
        Some(co_simulation::CoSimulationInstance::new(Self(instance, PhantomData)))
    }
    fn do_step(&self, point: f64, h: f64, _no_set_state_prior: bool) -> Answer<DoStepResult> {
        self.0.do_step(point, h)
    }
    fn set_input_derivatives(&self, requests: Vec<(u32, u32)>, _: Vec<f64>) -> Status {
        // FMI 3.0 has no such function, and `maxInputDerivativeOrder` is 0.
        if requests.is_empty() {
            return Status::Ok;
        }
        log_message(c"", log::Status::Error, c"logStatusError", c"set-input-derivatives: this FMU takes none");
        Status::Error
    }
}
