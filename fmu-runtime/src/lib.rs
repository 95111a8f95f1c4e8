//! What runs inside an FMU: variables, life cycle and the FMI 2.0 C interface.
//!
//! A component declares its variables with [`model!`], gives its equations by implementing
//! [`Equations`], and says what it is by implementing [`Component`]. [`export!`] makes the C
//! functions of a shared library from it. The way of a call: [`ffi`] (pointers become slices) →
//! [`instance::Instance::call`] (is it legal now?) → `access`, `co_simulation`, `model_exchange`,
//! `snapshot`, `derivative` (what it does) → `model` (the component's equations).

mod access;
pub mod co_simulation;
mod component;
mod component_model;
mod configuration;
mod connector;
mod declaration;
mod declare;
mod dependencies;
mod derivative;
mod describe;
pub mod description;
mod enumeration;
mod export;
mod failure;
mod fault;
pub mod ffi;
mod files;
pub mod instance;
pub mod instantiate;
mod layout;
pub mod lifecycle;
pub mod log;
mod model;
mod model_exchange;
mod number;
mod polynomial;
pub mod resource;
mod row;
mod runge_kutta;
mod scalar;
mod shape;
mod snapshot;
pub mod structure;
mod terminals;
mod trial;
pub mod unit;
mod values;
mod variable;

pub use component::{Component, Context, Diagnostics, Equations, Event, Info, Inputs, Source};
pub use component_model::{ComponentModel, component_model};
pub use configuration::{escape, fingerprint, real, real_text};
pub use connector::Connector;
pub use declaration::{INTERFACE_VERSION, declaration};
pub use declare::Variables;
pub use describe::{DescribeError, describe};
pub use enumeration::{Enumeration, Item};
pub use failure::{CallError, Outcome};
pub use fault::ModelError;
pub use files::{LARGEST_DATA, read_limited};
pub use instantiate::CONFIGURATION;
pub use number::Number;
pub use row::{Attributes, Base, ElementVisitor, Index, Key, Kind, Prefix};
pub use runge_kutta::runge_kutta;
pub use scalar::{Dual64, Scalar};
pub use shape::Shape;
pub use structure::{Choice, Positive, Structure};
pub use trial::{Trial, TrialValue};
pub use values::{Reader, Size, TableShape, Values, Writer};
pub use variable::{Attachment, Table, Text, Variable, declare_vector};
