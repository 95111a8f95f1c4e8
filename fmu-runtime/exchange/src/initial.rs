//! The use of the start value of a computed variable.

use serde::{Deserialize, Serialize};

/// Use that the initialisation makes of the start value of a variable that it computes.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InitialValue {
    /// The variable has no start value: FMI's `calculated`.
    #[default]
    ignore,
    /// The variable comes close to its start value: FMI's `approx`.
    guess,
    /// The variable begins with its start value: FMI's `exact`.
    enforce,
}

impl InitialValue {
    /// All uses of a start value.
    pub const ALL: [Self; 3] = [Self::ignore, Self::guess, Self::enforce];
    /// Words for the uses in a configuration, in the order of [`ALL`](Self::ALL).
    pub const WORDS: [&'static str; 3] = ["ignore", "guess", "enforce"];
}
