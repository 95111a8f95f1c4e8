//! Derivatives of the motion by parameters, which FMUs of this project have beside FMI.

use c_interface::Standard;

use super::failure::{Done, Names};
use super::fmu::Loaded;
use super::instance::Instance;

const SENSITIVITY: Names = ["mechanics_sensitivity", "mechanics3_sensitivity"];

impl Loaded {
    /// Returns true if the library has the function for derivatives of the motion by parameters.
    pub fn has_sensitivity(&self) -> bool {
        SENSITIVITY.iter().any(|name| self.api.beside().contains(name))
    }
}

impl Instance {
    /// `mechanics_sensitivity` or `mechanics3_sensitivity`: the derivatives of computed values along a direction of
    /// states, inputs and parameters, and those of the event indicators.
    pub fn sensitivity(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Done<[Vec<f64>; 2]> {
        let indicators = self.model().number_of_event_indicators;
        match self.standard() {
            Standard::Fmi2 => self.call(SENSITIVITY, |fmi| fmi.sensitivity(unknowns, knowns, seeds, indicators)),
            Standard::Fmi3 => self.sensitivity_of_arrays(unknowns, knowns, seeds, indicators),
        }
    }
}
