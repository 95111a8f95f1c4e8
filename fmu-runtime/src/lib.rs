//! What runs inside an FMU: variables, life cycle and the C interfaces of FMI 2.0 and FMI 3.0.
//!
//! A component declares its variables with [`model!`], its equations by implementing
//! [`Equations`], and its description by implementing [`Component`]. [`export!`] makes the C
//! functions of a shared library from it. A call passes through [`ffi`] (pointers become slices) →
//! [`Instance::call`] (is it legal now?) → `access`, `co_simulation`, `model_exchange`,
//! `fmu_state`, `derivative` (what it does) → `model` (the component's equations).

mod c_interface;
mod component;
mod declaration;
mod instance;

/// Integration of the states of any system: in Co-Simulation, and by importers in Model Exchange.
pub mod integration {
    pub use crate::component::integration::difference::{Point, difference};
    pub use crate::component::integration::integrator::{Integrator, TOLERANCE};
    pub use crate::component::integration::system::System;
}

/// What a model implements whose rows follow from the configuration.
pub mod model {
    pub use crate::component::component_model::{Data, Integrate, Scratch, Step};
    pub use crate::component::files::Files;
    pub use crate::component::flows::{FlowOutputs, Flows};
    pub use crate::component::layout::Layout;
    pub use crate::component::motion::Integration;
    pub use crate::component::polynomial::Polynomials;
    pub use crate::component::sparsity::Sparsity;
}

pub use c_interface::{ffi, fmi3};
pub use component::adapter::component_model;
pub use component::capabilities::{Acausal, Events, Indicators, Memory, Steps};
pub use component::component::{Component, Info};
pub use component::component_model::ComponentModel;
pub use component::declaration::declaration;
pub use component::equations::{Context, Diagnostics, Equations, Event, Inputs};
pub use component::integration::system::Solver;
pub use component::jacobian::Jacobian;
pub use component::model_error::ModelError;
pub use component::names::{real_name, write_name};
pub use component::source::Source;
pub use declaration::declare::Variables;
pub use declaration::row::{Attributes, ElementVisitor, Key, Prefix};
pub use declaration::scalar::{Dual64, Scalar};
pub use declaration::values::{Offsets, Reader, Size, TableShape, Values, Writer};
pub use declaration::variable::{Attachment, Table, Text, Variable, declare_vector};
pub use fmu_declaration::{
    AcausalModel, Base, CONFIGURATION, Category, Choice, Connector, Count, Curve, Declaration, DeclarationRequest,
    DefaultExperiment, Dependencies, Element, Enumeration, INTERFACE_VERSION, Index, InitialValue, Item,
    MAX_DATA_BYTES, MAX_ROWS, NamedConnector, Number, Picture, Positive, RowKind, SEPARATOR, Shape, Standard, Start,
    Structure, StructureKind, StructureOption, configuration, escape, fingerprint, out_of_bounds, read_limited, real,
    real_text, reference, structure, unit,
};
pub use instance::call_error::{CallError, Outcome};
pub use instance::instance::Instance;
pub use instance::trial::{Trial, TrialValue};
pub use instance::{arrays, co_simulation, instantiate, intermediate_update, lifecycle, log, resource};
