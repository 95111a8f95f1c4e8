//! Instances of a component: life cycle and calls, without pointers.

pub mod access;
pub mod arrays;
pub mod call_error;
pub mod co_simulation;
pub mod derivative;
pub mod fmu_state;
pub mod history;
#[allow(clippy::module_inception, reason = "the file that the folder is named after")]
pub mod instance;
pub mod instantiate;
pub mod intermediate_update;
pub mod last_linear;
pub mod last_set;
pub mod law;
pub mod lifecycle;
pub mod log;
pub mod model;
pub mod model_exchange;
pub mod resource;
mod sensitivity;
pub mod snapshot;
pub mod trial;
pub mod variable_dependencies;
