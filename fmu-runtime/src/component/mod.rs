//! The interface that a component implements; its configuration, evaluation and declaration.

pub mod adapter;
pub mod capabilities;
#[allow(clippy::module_inception, reason = "the file that the folder is named after")]
pub mod component;
pub mod component_model;
pub mod declaration;
pub mod defaults;
pub mod dependencies;
pub mod equations;
pub mod files;
pub mod flows;
pub mod integration;
pub mod jacobian;
pub mod layout;
pub mod model_error;
pub mod motion;
pub mod names;
pub mod polynomial;
pub mod random_point;
pub mod source;
pub mod sparsity;
pub mod unassigned;
pub mod watched;
