//! Runs of an FMU.

mod drive;
pub mod input;
mod recorder;
pub mod simulation;
pub mod summary;
pub mod trajectory;
