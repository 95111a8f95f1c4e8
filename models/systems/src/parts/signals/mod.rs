//! Signals: the blocks of Modelica.Blocks, with its names, parameters and signs.
//!
//! A Real signal is a value with its first two derivatives in time, which given motions need.

mod continuous;
mod logical;
mod math;
mod nonlinear;
mod sensor;
mod signal;
mod source;
mod time_table;

use crate::part::{AnyPart, Typed};

pub(in crate::parts) use signal::margin;
pub use signal::{InputSignal, Jet, OutputSignal, SignalRow};

/// The types of blocks.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types = source::types();
    types.push(Box::<Typed<time_table::TimeTableType>>::default());
    types.extend(math::types());
    types.extend(nonlinear::types());
    types.extend(logical::types());
    types.extend(continuous::types());
    types.extend(sensor::types());
    types
}
