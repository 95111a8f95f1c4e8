//! The outside view: finished FMUs through the `fmi` crate, an importer that shares no code with
//! the runtime inside them.
//!
//! [`Simulation`] runs an FMU in Co-Simulation, [`Slave`] is one instance for a master of one's own,
//! [`sweep`] makes many runs, [`validate::file`] finds what is wrong with an FMU, and [`plot`] draws what
//! a simulation gave. The binary `importer` puts them on the command line. [`api`] is what lies below an
//! importer: the C functions of a library, one by one. With [`finished`] tests call them by the variables'
//! names.

pub mod animate;
pub mod assignment;
mod drive;
pub mod finished;
pub mod input;
pub mod messages;
mod platforms;
pub mod plot;
mod recorder;
mod simulation;
mod slave;
pub mod summary;
pub mod sweep;
mod trajectory;
pub mod validate;
pub mod value;
mod variables;

/// The C functions of a library, one by one.
pub use c_interface as api;
pub use simulation::{Event, Simulation};
pub use slave::{Saved, Slave, load};
pub use trajectory::Trajectory;
