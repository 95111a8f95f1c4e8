//! Signals: the blocks of Modelica.Blocks, with its names, parameters and signs.
//!
//! A Real signal is a value with its first two derivatives in time, which given motions need.

mod axis;
mod band;
mod boolean_source;
mod combi_table;
mod combi_table_2d;
mod continuous;
mod elements;
mod grid;
mod lim_pid;
mod linear;
mod logical;
mod math;
mod nonlinear;
mod output_vector;
mod pieces;
mod poles;
mod rows;
mod sensor;
mod signal;
mod source;
mod time_table;

use crate::part::{AnyPart, Typed};

pub(super) use signal::margin;
pub use signal::{InputSignal, Jet, OutputSignal, SignalRow};

/// The types of blocks.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types: Vec<_> = source::types().collect();
    types.push(Box::<Typed<time_table::TimeTableType>>::default());
    types.extend(combi_table::types());
    types.extend(combi_table_2d::types());
    types.extend(math::types());
    types.extend(nonlinear::types());
    types.extend(logical::types());
    types.extend(boolean_source::types());
    types.extend(continuous::types());
    types.push(Box::<Typed<lim_pid::LimPidType>>::default());
    types.extend(linear::types());
    types.extend(sensor::types());
    types
}
