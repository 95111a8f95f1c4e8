//! Errors of calls.

use fmu_exchange::Number;

use crate::component::model_error::ModelError;
use crate::instance::lifecycle::{Call, Interface};
use crate::instance::log::Status;

/// A status other than `fmi2OK` with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// The status that the call returns.
    pub status: Status,
    /// The reason.
    pub message: String,
}

/// The outcome of a call.
pub type Outcome<V = ()> = Result<V, CallError>;

impl CallError {
    /// Makes an error with the status `fmi2Error`.
    pub fn error(message: impl Into<String>) -> Self {
        Self { status: Status::Error, message: message.into() }
    }

    /// Makes an error of a discarded call, with the status `fmi2Discard`.
    pub fn discard(message: impl Into<String>) -> Self {
        Self { status: Status::Discard, message: message.into() }
    }

    /// Converts a component's error in a call; some are discarded there.
    pub fn from_model(error: &ModelError, call: Call, interface: Interface, time: f64) -> Self {
        let message = format!("{error} (time = {} s)", Number(time));
        match error {
            ModelError::Singular(_) if interface == Interface::ModelExchange && call.may_discard(interface) => {
                Self::discard(message)
            }
            _ => Self::error(message),
        }
    }
}
