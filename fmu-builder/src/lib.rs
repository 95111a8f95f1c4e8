//! Builds and checks FMUs: a component library becomes an archive, and an archive is checked.
//!
//! [`Settings`] are resolved against a [`Library`] into a [`Description`], from which [`pack`] makes
//! the `.fmu`. A [`Catalogue`] has all settings; [`template()`] and [`schema()`] write them to files.
//! [`Archive`] reads a finished FMU back, and [`check()`] lists its problems.

mod archive;
// The check loads libraries, which WebAssembly cannot.
#[cfg(not(target_family = "wasm"))]
mod check;
mod configuration;
mod date;
pub mod description;
mod error;
#[cfg(test)]
mod example;
#[cfg(test)]
mod fault_injection;
mod folder;
mod imported;
mod modelica;
mod read;
mod ssp;
mod text;

pub use archive::destination::Destination;
pub use archive::file_kind::FileKind;
pub use archive::origin::{Origin, Package};
pub use archive::package::{Packer, output_path, pack};
pub use archive::platform::Platform;
pub use archive::writer::Compression;
#[cfg(not(target_family = "wasm"))]
pub use check::{Report, check};
pub use configuration::catalogue::Catalogue;
pub use configuration::schema::{schema, system_schema};
pub use configuration::settings::{CONFIGURATION, Settings, TOP_LEVEL_KEYS, is_path, lines as structure_lines};
pub use configuration::template::{system_template, template};
pub use description::data::Datum;
pub use description::library::{Cached, DeclareFunction, Describe, DescribeCallback, Library, load_failure};
pub use description::pictures::svg;
pub use description::rows::{Described, Row, choices, rows};
pub use description::schematic::svg as schematic;
pub use description::{DescribeError, Description, describe, shapes};
pub use error::Error;
pub use fmu_exchange::Standard;
pub use folder::TemporaryFolder;
pub use imported::imported;
pub use modelica::{ModelicaModel, modelica_model, modelica_package};
pub use read::{Archive, ArrayVariable, Entry, Experiment, Interface, ModelDescription};
pub use ssp::System;
pub use text::reserved::reserved;
pub use text::suggestion::suggestion;
pub use text::{GENERATOR, console, shortened};
