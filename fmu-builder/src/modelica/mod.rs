//! A Modelica package with a model for each FMU that has the component's physical connectors.
//!
//! The model holds the block that a Modelica tool made of the FMU and connects it with equations:
//! `connectors` has those of each type of connector, `wrapper` puts the model together.

mod connectors;
mod names;
mod package;
mod parameters;
mod placement;
mod ports;
#[cfg(test)]
mod tests;
mod wrapper;

pub use package::{modelica_model, modelica_package};
