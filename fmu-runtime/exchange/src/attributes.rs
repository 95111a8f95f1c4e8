//! The attributes of a row: one structure from the declaration to the description.

use serde::{Deserialize, Serialize};

use crate::initial::InitialValue;
use crate::row::RowKind;

/// The attributes of a variable that the keys of its row give, from the row to the description.
///
/// `S` holds a text: `&'static str` in a component, `String` in the builder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowAttributes<S> {
    /// FMI's quantity, such as `Torque`, if it is not that of the unit; empty for none.
    pub quantity: Option<S>,
    /// Name of the display unit.
    pub display: Option<S>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Nominal value, positive.
    pub nominal: Option<f64>,
    /// Name of the derivative within the groups; of an input, another input.
    pub derivative: Option<S>,
    /// True if a Real changes at events only.
    pub discrete: bool,
    /// True if the row gives a start value.
    pub has_start: bool,
    /// The purpose of the start value of a computed variable, if the row says it.
    pub initial: Option<InitialValue>,
    /// For an attachment, the name within its group of the parameter that names its sheet.
    pub sheet: Option<S>,
    /// An expression in Modelica for the value, or for its default.
    pub modelica: Option<S>,
    /// Another name that configurations may use.
    pub alias: Option<S>,
    /// True if the memory keeps the value at the end of each step, to follow an angle through further turns.
    pub remembered: bool,
    /// True if an importer gives an input with its derivatives, which count.
    pub with_derivatives: bool,
    /// The description of the group without a name around the row.
    pub heading: Option<S>,
}

impl<S> RowAttributes<S> {
    /// The name of the derivative, if a row of this kind is a continuous-time state.
    pub fn state_derivative(&self, kind: RowKind) -> Option<&S> {
        self.derivative.as_ref().filter(|_| kind != RowKind::input)
    }

    /// The bounds of an Integer.
    pub fn integer_bounds(&self) -> [Option<i128>; 2] {
        [self.min, self.max].map(|bound| bound.map(|bound| bound as i128))
    }

    /// The purpose of the start value of a row of this kind, if it is computed.
    pub fn initial_value(&self, kind: RowKind) -> InitialValue {
        let is_of_state = self.state_derivative(kind).is_some() && self.has_start;
        self.initial.unwrap_or(if is_of_state { InitialValue::enforce } else { InitialValue::ignore })
    }
}
