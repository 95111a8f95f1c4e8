//! The data that the library of a component and the builder exchange: requests, configurations and declarations.
//!
//! The builder needs nothing else of the runtime, so it compiles without equations.

mod attributes;
mod bounds;
pub mod configuration;
mod connector;
mod declaration;
mod declares;
mod enumeration;
mod file;
mod initial;
#[cfg(target_family = "wasm")]
pub mod memory;
mod number;
mod picture;
mod row;
mod shape;
mod standard;
pub mod structure;
pub mod unit;

pub use attributes::RowAttributes;
pub use bounds::{Bounded, out_of_bounds};
pub use configuration::{escape, fingerprint};
pub use connector::Connector;
pub use declaration::{
    AcausalModel, Declaration, DeclarationRequest, DefaultExperiment, Dependencies, Detail, Element, INTERFACE_VERSION,
    NO_DECLARATION, NamedConnector, Start,
};
pub use declares::{DECLARES, declared};
pub use enumeration::{Enumeration, Item};
pub use file::{CONFIGURATION, MAX_DATA_BYTES, is_file, read_limited};
#[cfg(target_family = "wasm")]
pub use file::{ReadFile, read_files_with};
pub use initial::InitialValue;
pub use number::{Number, parse_number, real, real_text};
pub use picture::{Curve, Picture};
pub use row::{Base, Index, RowKind, reference, write_element_name};
pub use shape::Shape;
pub use standard::{Category, MAX_OUTPUT_DERIVATIVE_ORDER, MAX_ROWS, Standard};
pub use structure::{Choice, Count, Positive, SEPARATOR, Structure, StructureKind, StructureOption};
