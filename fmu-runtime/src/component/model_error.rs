//! Errors of components.

use std::fmt;

/// Error of a component with its reason, which names the variable, the value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// The input or a parameter is wrong: `fmi2Error`.
    Invalid(String),
    /// The equations have no solution here. In Model Exchange a solver may try a shorter step
    /// (`fmi2Discard`); everywhere else `fmi2Error`.
    Singular(String),
}

impl ModelError {
    /// Makes an error of an input or a parameter.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Makes the error of a point at which the equations have no solution.
    pub fn singular(message: impl Into<String>) -> Self {
        Self::Singular(message.into())
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) | Self::Singular(message) => f.write_str(message),
        }
    }
}
