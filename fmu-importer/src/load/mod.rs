//! Unpacked FMUs, their instances, and what these say.

mod fmu;
mod instance;
pub mod messages;
mod platforms;
pub mod watch;

pub use fmu::{Fmu, Interface, Loaded};
pub use instance::{Failure, Instance, Saved};
