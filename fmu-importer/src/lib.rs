//! Runs finished FMUs, once or many times, draws the results, and checks FMUs.
//!
//! [`Simulation`] runs an FMU in Co-Simulation or Model Exchange, [`Instance`] is one instance for your own master,
//! [`sweep`] makes many runs, [`validate::file`] checks an FMU, [`plot`] and [`animate`] draw the results of a simulation.
//! [`linearize`](mod@linearize) makes linear systems of FMUs. [`calibration`] finds parameters of any FMU from measurements, [`fit`] those of rubber, and
//! `convert` reads them from property files of other programs. [`run`] executes their commands. [`session`] serves a
//! model that stays open.

#![cfg_attr(not(feature = "commands"), allow(dead_code, reason = "the commands use it"))]

pub mod animate;
#[cfg(feature = "commands")]
pub mod calibration;
#[cfg(feature = "commands")]
mod commands;
#[cfg(feature = "commands")]
mod convert;
#[cfg(feature = "commands")]
pub mod fit;
#[cfg(feature = "commands")]
pub mod linearize;
mod load;
#[cfg(feature = "commands")]
pub mod plot;
#[cfg(feature = "commands")]
pub mod session;
mod simulate;
#[cfg(feature = "commands")]
pub mod sweep;
#[cfg(feature = "commands")]
pub mod validate;
mod values;

#[cfg(feature = "commands")]
pub use commands::{is_child, run, verdict};
pub use load::{Failure, Fmu, Instance, Interface, Loaded, Saved, messages, watch};
pub use simulate::run::Run;
pub use simulate::simulation::{Event, Simulation};
pub use simulate::trajectory::Trajectory;
pub use simulate::{input, summary};
pub use values::{assignment, value};
