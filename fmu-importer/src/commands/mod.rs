//! The commands.

pub mod fit;
pub mod isolation;
mod notes;
pub mod simulate;
pub mod sweep;
pub mod validate;
