//! Runs of an FMU.
//!
//! `simulation` has the settings of a run, `run` carries it out, in either interface; `signals`, `cells`, `input_table` and
//! `reading` read the table of input signals, `input` has their values over time, `run_inputs` sets them, `recorder` and
//! `trajectory` the results; `sensitivities` are derivatives of a run.

mod cells;
mod co_simulation;
mod columns;
pub mod input;
mod input_table;
pub mod model_exchange;
mod reading;
mod recorder;
pub mod run;
pub mod run_inputs;
pub mod sensitivities;
mod signals;
pub mod simulation;
pub mod summary;
pub mod trajectory;
