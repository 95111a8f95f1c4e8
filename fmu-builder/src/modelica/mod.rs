//! A Modelica package with a model for each FMU that has the component's connectors, or its signals.
//!
//! The package has the unpacked FMUs and calls them as external functions: `files/MechanicalFMU.h` in C and
//! `files/Internal.mo` in Modelica. `levels` sorts the ports of an FMU into arguments and results of these functions,
//! `inner_frames` has the frames that a model can leave out, `model` writes the model of an FMU, `block` the further parts of one with states and events, `acausal` the model around
//! the law of a component that has one.

mod acausal;
mod block;
mod calls;
mod check;
mod inner_frames;
mod levels;
mod model;
mod names;
mod package;
mod parameters;
mod placement;
mod visualizers;

pub use package::{ModelicaModel, modelica_model, modelica_package};
