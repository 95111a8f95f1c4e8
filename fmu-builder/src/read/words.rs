//! Parses FMI's words.

use crate::description::{Causality, Initial, Variability};

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

pub(super) fn causality(text: &str) -> Option<Causality> {
    Some(match text {
        "parameter" => Causality::Parameter,
        "calculatedParameter" => Causality::CalculatedParameter,
        "input" => Causality::Input,
        "output" => Causality::Output,
        "local" => Causality::Local,
        "independent" => Causality::Independent,
        _ => return None,
    })
}

pub(super) fn variability(text: &str) -> Option<Variability> {
    Some(match text {
        "constant" => Variability::Constant,
        "fixed" => Variability::Fixed,
        "tunable" => Variability::Tunable,
        "discrete" => Variability::Discrete,
        "continuous" => Variability::Continuous,
        _ => return None,
    })
}

pub(super) fn initial(text: &str) -> Option<Initial> {
    Some(match text {
        "exact" => Initial::Exact,
        "approx" => Initial::Approx,
        "calculated" => Initial::Calculated,
        _ => return None,
    })
}
