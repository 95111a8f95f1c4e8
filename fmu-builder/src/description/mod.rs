//! The description of a component, and the files made from it: XML, documentation, icon, shapes.

pub(crate) mod arrays;
mod attribute_values;
pub(crate) mod connectors;
pub(crate) mod data;
mod data_type;
pub(crate) mod describe;
pub(crate) mod documentation;
pub(crate) mod icon;
pub(crate) mod library;
pub(crate) mod model_description;
pub(crate) mod model_description_3;
pub(crate) mod pictures;
pub(crate) mod real_attributes;
pub(crate) mod rows;
pub(crate) mod schematic;
pub mod shapes;
#[cfg(feature = "drawing")]
mod svg;
pub(crate) mod terminals;
mod types;
pub(crate) mod xml;

pub use data_type::DataType;
pub use describe::{DescribeError, describe};
pub use fmu_exchange::unit::{DisplayUnit, Unit};
pub use fmu_exchange::{Connector, DefaultExperiment, Enumeration, RowAttributes, StructureKind, StructureOption};
pub use types::{
    Attachment, Capabilities, Causality, Description, Initial, LogCategory, Member, ModelStructure, TableParameter,
    Terminal, Unknown, Variability, Variable, VariableType,
};

/// The bytes of the largest `modelDescription.xml` that is written or read. One with a hundred thousand variables has 50 MB;
/// elements and attributes take more memory than their text.
pub(crate) const MAX_DESCRIPTION_BYTES: usize = 64 << 20;
