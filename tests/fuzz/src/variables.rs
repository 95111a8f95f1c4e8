//! The rules of the standard for the variables of a description.

use fmu_builder::description::{Causality, Description, Initial, Variability, Variable as Described, VariableType};

/// A base type; each has value references of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Real,
    Integer,
    Boolean,
    String,
}

/// A variable.
pub(crate) struct Variable {
    pub reference: u32,
    pub causality: Causality,
    pub variability: Variability,
    /// Whether it has a start value that the importer may change.
    pub starts: bool,
    pub state: bool,
    pub min: f64,
    pub max: f64,
}

/// The variables by base type.
#[derive(Default)]
pub(crate) struct Variables {
    pub of: [Vec<Variable>; 4],
    /// Number of continuous-time states.
    pub states: usize,
    pub indicators: usize,
}

impl Variables {
    pub fn of(description: &Description) -> Self {
        let is_state = |position: usize| {
            description.model_structure.derivatives.iter().any(|unknown| {
                let VariableType::Real { derivative, .. } = &description.variables[unknown.index].kind else {
                    return false;
                };
                *derivative == Some(position)
            })
        };
        let mut of: [Vec<Variable>; 4] = Default::default();
        for (position, described) in description.variables.iter().enumerate() {
            let (base, min, max) = limits(described, description);
            of[base as usize].push(Variable {
                reference: described.value_reference,
                causality: described.causality,
                variability: described.variability,
                starts: matches!(described.initial, Some(Initial::Exact | Initial::Approx)),
                state: is_state(position),
                min,
                max,
            });
        }
        Self { of, states: description.model_structure.derivatives.len(), indicators: description.event_indicators }
    }

    pub fn find(&self, base: Base, reference: u32) -> Option<&Variable> {
        self.of[base as usize].iter().find(|variable| variable.reference == reference)
    }
}

fn limits(described: &Described, description: &Description) -> (Base, f64, f64) {
    let any = (f64::NEG_INFINITY, f64::INFINITY);
    match &described.kind {
        VariableType::Real { min, max, .. } => (Base::Real, min.unwrap_or(any.0), max.unwrap_or(any.1)),
        VariableType::Integer { min, max, .. } => {
            (Base::Integer, min.map_or(any.0, f64::from), max.map_or(any.1, f64::from))
        }
        VariableType::Enumeration { declared_type, .. } => {
            let items = description.enumerations.iter().find(|kind| kind.name == *declared_type).unwrap().items.len();
            (Base::Integer, 1.0, items as f64)
        }
        VariableType::Boolean { .. } => (Base::Boolean, any.0, any.1),
        VariableType::String { .. } => (Base::String, any.0, any.1),
    }
}

impl Variable {
    /// Whether the standard lets an importer set the variable in a state.
    pub fn settable(&self, state: &str) -> bool {
        let input = self.causality == Causality::Input;
        let parameter = self.causality == Causality::Parameter;
        match state {
            "inst" | "init" => input || parameter || self.starts,
            "sC" | "event" => input || parameter && self.variability == Variability::Tunable,
            "cont" => input && self.variability == Variability::Continuous || self.state,
            _ => false,
        }
    }

    /// Whether a Real is finite and within its bounds, which bind parameters only.
    pub fn takes_real(&self, value: f64) -> bool {
        value.is_finite() && (self.causality != Causality::Parameter || (self.min..=self.max).contains(&value))
    }

    /// Whether an Integer is within its bounds.
    pub fn takes_integer(&self, value: i32) -> bool {
        (self.min..=self.max).contains(&value.into())
    }
}
