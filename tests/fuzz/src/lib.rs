//! The checks of the fuzz targets, as functions of arbitrary bytes.
//!
//! A check panics when a property does not hold. `docs/fuzzing.md` lists the properties.

pub mod archive;
mod bytes;
pub mod calls;
mod components;
pub mod configuration;
mod instance;
mod panics;
pub mod state;
#[path = "../../tests/c_interface/legal_calls.rs"]
mod table;
pub mod tables;
pub mod uri;
mod variables;
mod zipped;
