//! Unpacked FMUs, their instances, and their messages.

mod arrays;
mod fmu;
mod instance;
pub mod messages;
mod platforms;
pub mod watch;

pub use fmu::{Fmu, Interface, Loaded};
pub use instance::{EventInfo, Failure, Instance, Saved, StepEnd};
