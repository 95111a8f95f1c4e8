//! The part of an FMU that runs: variables, life cycle and the C interfaces of FMI 2.0 and FMI 3.0.
//!
//! A component is a table of variables, one row each, and its equations:
//!
//! ```
//! use fmu_runtime::{Context, Equations, ModelError, Scalar, export, model};
//!
//! model! {
//!     /// A mass on a spring and a damper: m a = f - c s - d v.
//!     pub struct MassOnSpring<T> {
//!         parameter m: T = 1.0, KG, "Mass", min = 1e-6;
//!         parameter c: T = 100.0, N_PER_M, "Stiffness", min = 0.0;
//!         parameter d: T = 1.0, NS_PER_M, "Damping", min = 0.0;
//!         input f: T = 0.0, N, "Force on the mass";
//!         state s: T = 0.1, M, "Position", der = v;
//!         state v: T = 0.0, M_PER_S, "Velocity", der = a;
//!         output a: T, M_PER_S2, "Acceleration";
//!         output energy: T, J, "Energy of the mass and the spring";
//!     }
//! }
//!
//! impl<T: Scalar> Equations<T> for MassOnSpring<T> {
//!     fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
//!         self.a = (self.f - self.c * self.s - self.d * self.v) / self.m;
//!         self.energy = (self.m * self.v * self.v + self.c * self.s * self.s) * 0.5;
//!         Ok(())
//!     }
//! }
//!
//! export!(MassOnSpring);
//! #
//! # let mut mass = fmu_runtime::Trial::new::<MassOnSpring>(&[]);
//! # assert_eq!(mass.real("energy"), 0.5);
//! # mass.step(1.0);
//! # let (w, decay) = (f64::sqrt(99.75), f64::exp(-0.5));
//! # assert!((mass.real("s") - 0.1 * decay * (w.cos() + 0.5 / w * w.sin())).abs() < 1e-5);
//! ```
//!
//! [`model!`] lists the kinds of rows, types, keys and units, [`Equations`] the functions that a component may have, and
//! what its description, icon and default experiment are. Events, indicators, memory and steps of its own are
//! [`Events`], [`Indicators`], [`Memory`] and [`Steps`]. [`Trial`] runs it in its tests.
//!
//! [`export!`] makes the C functions of a shared library from it. A call passes through [`ffi`] (pointers become slices) →
//! [`Instance::call`] (is it legal now?) → the functions of [`Instance`] (what it does) → [`ComponentModel`] (the
//! component's equations).

mod c_interface;
mod component;
mod instance;
mod rows;

/// Integration of the states of any system: in Co-Simulation, and by importers in Model Exchange.
pub mod integration {
    pub use crate::component::integration::difference::{Point, difference};
    pub use crate::component::integration::integrator::{Integrator, TOLERANCE};
    pub use crate::component::integration::system::System;
}

/// The interface of models whose rows follow from the configuration.
pub mod model {
    pub use crate::component::component_model::{Data, Integrate, Scratch, Step};
    pub use crate::component::files::Files;
    pub use crate::component::flows::{FlowOutputs, Flows};
    pub use crate::component::layout::Layout;
    pub use crate::component::motion::Integration;
    pub use crate::component::polynomial::Polynomials;
    pub use crate::component::sparsity::Sparsity;
}

#[cfg(target_family = "wasm")]
pub use c_interface::webassembly;
pub use c_interface::{ffi, fmi3, linked};
pub use component::adapter::component_model;
pub use component::capabilities::{Acausal, Events, Indicators, Memory, Steps};
pub use component::component::{Component, Info};
pub use component::component_model::ComponentModel;
pub use component::declaration::declaration;
pub use component::equations::{Context, Diagnostics, Equations, Event, Inputs};
pub use component::integration::system::Solver;
pub use component::jacobian::{Jacobian, JacobianIndex};
pub use component::model_error::ModelError;
pub use component::names::{real_name, write_name};
pub use component::source::Source;
pub use fmu_exchange::{
    AcausalModel, Base, CONFIGURATION, Category, Choice, Connector, Count, Curve, DECLARES, Declaration,
    DeclarationRequest, DefaultExperiment, Dependencies, Element, Enumeration, INTERFACE_VERSION, Index, InitialValue,
    Item, MAX_DATA_BYTES, MAX_ROWS, NamedConnector, Number, Picture, Positive, RowKind, SEPARATOR, Shape, Standard,
    Start, Structure, StructureKind, StructureOption, configuration, declared, escape, fingerprint, out_of_bounds,
    read_limited, real, real_text, reference, structure, unit,
};
pub use instance::call_error::{CallError, Outcome};
pub use instance::instance::Instance;
pub use instance::trial::{Trial, TrialValue};
pub use instance::{arrays, co_simulation, instantiate, intermediate_update, lifecycle, log, resource};
#[doc(hidden)]
pub use rows::check::{declare_row, derivative_of_state};
pub use rows::declare::Variables;
pub use rows::row::{Attributes, ElementVisitor, Key, Prefix};
pub use rows::scalar::{Dual64, Scalar};
pub use rows::values::{Offsets, Reader, Size, TableShape, Values, Writer};
pub use rows::variable::{Attachment, Table, Text, Variable, declare_vector};
