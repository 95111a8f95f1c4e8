//! Runs of an FMU.
//!
//! `simulation` is the run from the start to the stop time, in either interface; `input` and `drive` are the signals
//! of the inputs, `recorder` and `trajectory` the results.

mod co_simulation;
pub mod drive;
pub mod input;
pub mod model_exchange;
mod recorder;
pub mod simulation;
pub mod summary;
pub mod trajectory;
mod workbook;
