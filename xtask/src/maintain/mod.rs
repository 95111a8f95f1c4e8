//! The commands for those who work on this project.

pub mod checks;
pub mod test;
