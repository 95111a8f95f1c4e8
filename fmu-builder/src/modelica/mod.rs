//! A Modelica package with a model for each FMU that has the component's physical connectors.
//!
//! The model contains the block that a Modelica tool generates from the FMU, and connects it by equations:
//! `connectors` has those of each type of connector, `wrapper` assembles the model.

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
