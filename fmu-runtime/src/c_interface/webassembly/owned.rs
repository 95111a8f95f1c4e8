//! An instance and its calls, which both interfaces share.

use std::ffi::c_void;
use std::sync::Arc;

use fmu_exchange::Standard;

use super::bindings::exports::fmi::fmi3::co_simulation::DoStepResult;
use super::bindings::exports::fmi::fmi3::model_exchange::CompletedStepResult;
use super::bindings::fmi::fmi3::types::{DependencyKind, DiscreteStatesInfo, Status, VariableDependency};
use super::{connect, log_message};
use crate::c_interface::ffi::{Texts, fmi2_free_instance, instantiate_or_log, run};
use crate::c_interface::fmi3::{fmi3_do_step, nearest_integers, not_provided};
use crate::component::component_model::ComponentModel;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::Outcome;
use crate::instance::instance::Instance;
use crate::instance::intermediate_update::Request;
use crate::instance::lifecycle::{Call, EventHandling, Interface};
use crate::instance::log::{self, c_string};
use crate::instance::variable_dependencies::Dependency;

/// A result, or the status of the call that has none.
pub type Answer<T> = Result<T, Status>;

/// An instance, freed with it.
pub struct Owned(*mut c_void);

impl Owned {
    /// Makes an instance, or logs the reason why there is none.
    pub fn new(
        model: fn() -> Box<dyn ComponentModel>,
        interface: Interface,
        texts: [String; 2],
        logging_on: bool,
        events: EventHandling,
        updates: Option<Request>,
    ) -> Option<Self> {
        connect();
        let [name, token] = texts.map(|text| c_string(&text));
        let texts = Texts { name: Some(&name), guid: Some(&token), location: None };
        let logger: log::Logger = Arc::new(log_message);
        let instance = instantiate_or_log(
            model,
            Standard::Fmi3,
            Some(interface),
            events,
            texts,
            Some(logger),
            logging_on,
            updates,
        );
        (!instance.is_null()).then_some(Self(instance))
    }

    /// Runs a call on the instance.
    pub fn call(&self, call: Call, body: &mut dyn FnMut(&mut Instance) -> Outcome) -> Status {
        // SAFETY: `instantiate_or_log` has returned the instance, which is freed with this.
        of_c(unsafe { run(self.0, call, body) })
    }

    /// Runs a call on the instance that has a result.
    pub fn ask<T>(&self, call: Call, body: impl Fn(&mut Instance) -> Outcome<T>) -> Answer<T> {
        let mut found = None;
        let status = self.call(call, &mut |instance| {
            found = Some(body(instance)?);
            Ok(())
        });
        found.filter(|_| status == Status::Ok).ok_or(status)
    }

    /// Runs a call for variables of a type of which the FMU has none.
    pub fn absent(&self, call: Call, kind: &str, references: &[u32]) -> Status {
        self.call(call, &mut |instance| instance.no_variables(kind, references.len()))
    }

    pub fn set_debug_logging(&self, on: bool, categories: &[String]) -> Status {
        let categories: Vec<_> = categories.iter().map(String::as_str).collect();
        self.call(Call::fmi3SetDebugLogging, &mut |instance| instance.set_debug_logging(on, &categories))
    }

    pub fn enter_initialization_mode(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Status {
        self.call(Call::fmi3EnterInitializationMode, &mut |instance| {
            instance.setup_experiment(tolerance, start, stop)?;
            instance.enter_initialization_mode()
        })
    }

    pub fn update_discrete_states(&self) -> Answer<DiscreteStatesInfo> {
        self.ask(Call::fmi3UpdateDiscreteStates, |instance| {
            let event = instance.new_discrete_states()?;
            Ok(DiscreteStatesInfo {
                new_discrete_states_needed: event.again,
                terminate_simulation: false,
                nominals_of_continuous_states_changed: false,
                values_of_continuous_states_changed: event.states_changed,
                next_event_time_defined: event.next_time.is_some(),
                next_event_time: event.next_time.unwrap_or_default(),
            })
        })
    }

    pub fn evaluate_discrete_states(&self) -> Status {
        self.call(Call::fmi3EvaluateDiscreteStates, &mut |_| not_provided("providesEvaluateDiscreteStates"))
    }

    pub fn get_float64(&self, references: &[u32]) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetFloat64, |instance| {
            let mut values = vec![0.0; instance.float_count(references)?];
            instance.get_floats(references, values.len(), || &mut values)?;
            Ok(values)
        })
    }

    pub fn set_float64(&self, references: &[u32], values: &[f64]) -> Status {
        self.call(Call::fmi3SetFloat64, &mut |instance| instance.set_real(references, values))
    }

    pub fn get_int32(&self, references: &[u32]) -> Answer<Vec<i32>> {
        self.ask(Call::fmi3GetInt32, |instance| integers(instance, ArrayType::Int32, references))
    }

    pub fn set_int32(&self, references: &[u32], values: &[i32]) -> Status {
        self.call(Call::fmi3SetInt32, &mut |instance| instance.set_integer(ArrayType::Int32, references, values))
    }

    pub fn get_int64(&self, references: &[u32]) -> Answer<Vec<i64>> {
        self.ask(Call::fmi3GetInt64, |instance| {
            Ok(integers(instance, ArrayType::Enumeration, references)?.into_iter().map(i64::from).collect())
        })
    }

    pub fn set_int64(&self, references: &[u32], values: &[i64]) -> Status {
        let values = nearest_integers(values);
        self.call(Call::fmi3SetInt64, &mut |instance| instance.set_integer(ArrayType::Enumeration, references, &values))
    }

    pub fn get_boolean(&self, references: &[u32]) -> Answer<Vec<bool>> {
        self.ask(Call::fmi3GetBoolean, |instance| Ok(instance.get_boolean(references, references.len())?.collect()))
    }

    pub fn set_boolean(&self, references: &[u32], values: &[bool]) -> Status {
        let values: Vec<_> = values.iter().copied().map(i32::from).collect();
        self.call(Call::fmi3SetBoolean, &mut |instance| instance.set_boolean(references, &values))
    }

    pub fn get_string(&self, references: &[u32]) -> Answer<Vec<String>> {
        self.ask(Call::fmi3GetString, |instance| {
            let found = instance.get_string(references, references.len())?;
            Ok(found.iter().map(|string| string.to_string_lossy().into_owned()).collect())
        })
    }

    pub fn set_string(&self, references: &[u32], values: &[String]) -> Status {
        self.call(Call::fmi3SetString, &mut |instance| instance.set_string(references, values))
    }

    pub fn get_uint64(&self, references: &[u32]) -> Answer<Vec<u64>> {
        self.ask(Call::fmi3GetUInt64, |instance| instance.get_rows(references, references.len()))
    }

    pub fn set_uint64(&self, references: &[u32], values: &[u64]) -> Status {
        self.call(Call::fmi3SetUInt64, &mut |instance| instance.set_rows(references, values))
    }

    pub fn get_number_of_variable_dependencies(&self, dependent: u32) -> Answer<u64> {
        self.ask(Call::fmi3GetNumberOfVariableDependencies, |instance| {
            Ok(instance.variable_dependencies(dependent)?.len() as u64)
        })
    }

    pub fn get_variable_dependencies(&self, dependent: u32) -> Answer<Vec<VariableDependency>> {
        let number = |element: usize| element.try_into().unwrap_or(u32::MAX);
        let of_one = |one: Dependency| VariableDependency {
            dependent_value_reference: dependent,
            element_index_of_dependent: number(one.element),
            independent_value_reference: one.independent,
            element_index_of_independent: number(one.independent_element),
            kind: DependencyKind::Dependent,
        };
        self.ask(Call::fmi3GetVariableDependencies, |instance| {
            Ok(instance.variable_dependencies(dependent)?.into_iter().map(of_one).collect())
        })
    }

    /// Saves the state; the importer gets it as bytes.
    pub fn get_fmu_state(&self) -> Answer<Vec<u8>> {
        self.ask(Call::fmi3GetFMUState, |instance| {
            let state = instance.get_fmu_state(0)?;
            let bytes = instance.serialize_fmu_state(state);
            instance.free_fmu_state(state)?;
            bytes
        })
    }

    pub fn set_fmu_state(&self, bytes: &[u8]) -> Status {
        self.call(Call::fmi3SetFMUState, &mut |instance| {
            let state = instance.deserialize_fmu_state(bytes)?;
            let result = instance.set_fmu_state(state);
            instance.free_fmu_state(state)?;
            result
        })
    }

    pub fn get_directional_derivative(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetDirectionalDerivative, |instance| {
            let count = instance.elements(ArrayType::Float64, unknowns)?.len();
            Ok(instance.directional_derivative(unknowns, knowns, seed, count)?.collect())
        })
    }

    pub fn get_adjoint_derivative(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetAdjointDerivative, |instance| {
            let count = instance.elements(ArrayType::Float64, knowns)?.len();
            instance.adjoint_derivative(unknowns, knowns, seed, count)
        })
    }

    pub fn get_output_derivatives(&self, requests: &[(u32, u32)]) -> Answer<Vec<f64>> {
        let order = |order: u32| order.try_into().unwrap_or(i32::MAX);
        let (references, orders): (Vec<_>, Vec<_>) =
            requests.iter().map(|(reference, number)| (*reference, order(*number))).unzip();
        self.ask(Call::fmi3GetOutputDerivatives, |instance| {
            let count = instance.elements(ArrayType::Float64, &references)?.len();
            Ok(instance.get_output_derivatives(&references, &orders, count)?.collect())
        })
    }

    pub fn get_continuous_state_derivatives(&self) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetContinuousStateDerivatives, |instance| {
            Ok(instance.get_derivatives(instance.layout.states.len())?.into_iter().collect())
        })
    }

    pub fn get_continuous_states(&self) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetContinuousStates, |instance| {
            Ok(instance.get_continuous_states(instance.layout.states.len())?.into_iter().collect())
        })
    }

    pub fn get_nominals_of_continuous_states(&self) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetNominalsOfContinuousStates, |instance| {
            Ok(instance.get_nominals(instance.layout.states.len())?.into_iter().collect())
        })
    }

    pub fn get_event_indicators(&self) -> Answer<Vec<f64>> {
        self.ask(Call::fmi3GetEventIndicators, |instance| {
            let mut indicators = vec![0.0; instance.model.indicator_count()];
            instance.get_event_indicators(&mut indicators)?;
            Ok(indicators)
        })
    }

    pub fn completed_integrator_step(&self) -> Answer<CompletedStepResult> {
        self.ask(Call::fmi3CompletedIntegratorStep, |instance| {
            let enter_event_mode = instance.completed_integrator_step()?;
            Ok(CompletedStepResult { enter_event_mode, terminate_simulation: false })
        })
    }

    pub fn do_step(&self, point: f64, h: f64) -> Answer<DoStepResult> {
        let mut step = DoStepResult {
            last_successful_time: point,
            event_handling_needed: false,
            terminate_simulation: false,
            early_return: false,
        };
        // SAFETY: the instance is there, and the results have their places.
        let status = unsafe {
            fmi3_do_step(
                self.0, point, h, 0, &raw mut step.event_handling_needed, &raw mut step.terminate_simulation,
                &raw mut step.early_return, &raw mut step.last_successful_time,
            )
        };
        if status == 0 { Ok(step) } else { Err(of_c(status)) }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: `instantiate_or_log` has returned the instance, and nobody else frees it.
        unsafe { fmi2_free_instance(self.0) }
    }
}

/// Returns the status of FMI's number.
fn of_c(status: i32) -> Status {
    match status {
        0 => Status::Ok,
        1 => Status::Warning,
        2 => Status::Discard,
        3 => Status::Error,
        _ => Status::Fatal,
    }
}

fn integers(instance: &mut Instance, kind: ArrayType, references: &[u32]) -> Outcome<Vec<i32>> {
    let count = instance.elements(kind, references)?.len();
    Ok(instance.get_integer(kind, references, count)?.collect())
}
