//! What the start value of a computed variable is for.

use serde::{Deserialize, Serialize};

/// What the initialisation does with the start value of a variable that it computes.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InitialValue {
    /// There is none: FMI's `calculated`.
    #[default]
    ignore,
    /// The variable comes close to it: FMI's `approx`.
    guess,
    /// The variable has it: FMI's `exact`.
    enforce,
}

impl InitialValue {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ignore, Self::guess, Self::enforce];
    /// The words for it.
    pub const WORDS: [&'static str; 3] = ["ignore", "guess", "enforce"];
}
