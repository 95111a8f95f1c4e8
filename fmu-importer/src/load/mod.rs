//! Unpacked FMUs, their instances, and their messages.

mod arrays;
mod dependencies;
mod failure;
mod fmu;
mod given;
mod instance;
pub mod messages;
mod platforms;
mod saved;
mod sensitivity;
pub mod watch;

pub use failure::Failure;
pub use fmu::{Fmu, Interface, Loaded};
pub use instance::{EventInfo, Instance, StepEnd};
pub use saved::Saved;
