//! Runs finished FMUs, once or many times, draws the results, and checks FMUs.
//!
//! [`Simulation`] runs an FMU in Co-Simulation or Model Exchange, [`Instance`] is one instance for your own master,
//! [`sweep`] makes many runs, [`validate::file`] checks an FMU, [`plot`] and [`animate`] draw the results of a simulation.
//! [`linearize`](mod@linearize) makes linear systems of FMUs. [`calibration`] finds parameters of any FMU from measurements, [`fit`] those of rubber, and
//! `convert` reads them from property files of other programs. [`run`] executes their commands. [`session`] serves a
//! model that stays open.

pub mod animate;
pub mod calibration;
mod commands;
mod convert;
pub mod fit;
pub mod linearize;
mod load;
pub mod plot;
pub mod session;
mod simulate;
pub mod sweep;
pub mod validate;
mod values;

pub use commands::{is_child, run, verdict};
pub use load::{Failure, Fmu, Instance, Interface, Loaded, Saved, messages, watch};
pub use simulate::simulation::{Event, Simulation};
pub use simulate::trajectory::Trajectory;
pub use simulate::{input, summary};
pub use values::{assignment, value};
