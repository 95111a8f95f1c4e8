//! The calls with Booleans, which are an int in FMI 2.0 and a byte in FMI 3.0, and with items of enumerations, which are
//! an Integer in FMI 2.0 and an Int64 in FMI 3.0.

use std::ffi::c_int;

use crate::fmi2::EventInfo;
use crate::functions::Status;
use crate::instance::CInstance;
use crate::standard::Standard;
use crate::variables::Variables;

impl CInstance {
    /// `fmi2GetBoolean` or `fmi3GetBoolean`
    pub fn get_boolean(&self, vr: &(impl Variables + ?Sized)) -> (Status, Vec<i32>) {
        match self.standard() {
            Standard::Fmi2 => self.get_booleans_2(vr),
            Standard::Fmi3 => {
                let (status, bytes) = self.get_booleans_3(vr);
                (status, bytes.into_iter().map(c_int::from).collect())
            }
        }
    }

    /// `fmi2SetBoolean` or `fmi3SetBoolean`
    pub fn set_boolean(&self, vr: &[u32], values: &[i32]) -> Status {
        match self.standard() {
            Standard::Fmi2 => self.set_booleans_2(vr, values),
            Standard::Fmi3 => {
                let bytes: Vec<_> = values.iter().map(|value| u8::from(*value != 0)).collect();
                self.set_booleans_3(vr, &bytes)
            }
        }
    }

    /// `fmi2GetInteger` or `fmi3GetInt64`, of enumerations
    pub fn get_items(&self, vr: &(impl Variables + ?Sized)) -> (Status, Vec<i64>) {
        match self.standard() {
            Standard::Fmi2 => {
                let (status, items) = self.get_integer(vr);
                (status, items.into_iter().map(i64::from).collect())
            }
            Standard::Fmi3 => self.get_items_3(vr),
        }
    }

    /// `fmi2SetInteger` or `fmi3SetInt64`, of enumerations
    pub fn set_items(&self, vr: &[u32], values: &[i64]) -> Status {
        match self.standard() {
            Standard::Fmi2 => {
                let items: Vec<_> = values.iter().map(|item| i32::try_from(*item).expect("a small number")).collect();
                self.set_integer(vr, &items)
            }
            Standard::Fmi3 => self.set_items_3(vr, values),
        }
    }

    /// `fmi2NewDiscreteStates` or `fmi3UpdateDiscreteStates`
    pub fn new_discrete_states(&self) -> (Status, EventInfo) {
        if self.standard() == Standard::Fmi2 {
            return self.new_discrete_states_2();
        }
        let (status, (flags, next_event_time)) = self.update_discrete_states();
        let [again, end, nominals, states, defined] = flags.map(c_int::from);
        let info = EventInfo {
            new_discrete_states_needed: again,
            terminate_simulation: end,
            nominals_of_continuous_states_changed: nominals,
            values_of_continuous_states_changed: states,
            next_event_time_defined: defined,
            next_event_time,
        };
        (status, info)
    }

    /// `fmi2CompletedIntegratorStep` or `fmi3CompletedIntegratorStep`
    pub fn completed_integrator_step(&self) -> (Status, [i32; 2]) {
        match self.standard() {
            Standard::Fmi2 => self.completed_integrator_step_2(),
            Standard::Fmi3 => {
                let (status, flags) = self.completed_integrator_step_3();
                (status, flags.map(c_int::from))
            }
        }
    }
}
