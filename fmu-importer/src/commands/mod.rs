//! The commands.

mod notes;
pub mod scratch;
pub mod simulate;
pub mod sweep;
