//! What is done with finished FMUs: running them, many times, drawing what comes out, and checking them.
//!
//! [`Simulation`] runs an FMU in Co-Simulation or Model Exchange, [`Instance`] is one instance for a master of one's
//! own, [`sweep`] makes many runs, [`validate::file`] finds what is wrong with an FMU, [`plot`] and [`animate`] draw
//! what a simulation gave. [`fit`] finds parameters of a bushing from measurements, and `convert` reads them from property
//! files of other programs. [`run`] carries out their commands.

pub mod animate;
mod commands;
mod convert;
pub mod fit;
mod load;
pub mod plot;
mod simulate;
pub mod sweep;
pub mod validate;
mod values;

pub use commands::{is_child, run};
pub use load::{Failure, Fmu, Instance, Interface, Loaded, Saved, messages, watch};
pub use simulate::simulation::{Event, Simulation};
pub use simulate::trajectory::Trajectory;
pub use simulate::{input, summary};
pub use values::{assignment, value};
