//! What happens outside an FMU: a component library becomes an archive, and an archive is checked.
//!
//! [`Settings`] are resolved against a [`Library`] into a [`Description`], from which [`pack`] makes
//! the `.fmu`. A [`Catalogue`] knows all that can be set; [`template()`] and [`schema()`] write it down.
//! [`Archive`] reads a finished one back, and [`check`] lists all that is wrong with it.

mod archive;
mod catalogue;
pub mod console;
mod date;
mod deflated;
mod destination;
mod documentation;
mod error;
#[cfg(test)]
mod example;
#[cfg(test)]
mod faults;
mod fold;
mod icon;
mod library;
mod model_description;
mod modelica;
mod nearest;
mod number;
mod origin;
mod package;
mod platform;
mod problems;
mod read;
mod rows;
mod schema;
mod settings;
pub mod shapes;
mod ssp;
mod template;
mod terminals;
mod words;
mod xml;

use documentation::documentation;
use icon::{Icon, icon};
use model_description::model_description;
use terminals::terminals_and_icons;

pub use catalogue::{Catalogue, choices};
pub use destination::Destination;
pub use error::Error;
pub use fmu_runtime::description::Description;
pub use library::{Describe, Library, Remembering};
pub use modelica::{modelica_model, modelica_package};
pub use nearest::nearest;
pub use origin::{Origin, Package};
pub use package::{Binaries, pack, place};
pub use platform::Platform;
pub use problems::{Report, check};
pub use read::{Archive, Entry, Experiment, Interface, ModelDescription};
pub use rows::{Described, Row, rows};
pub use schema::schema;
pub use settings::{Settings, is_path};
pub use ssp::System;
pub use template::template;

/// The name under which the project signs what it writes.
pub const GENERATOR: &str = concat!("mechanical-fmus ", env!("CARGO_PKG_VERSION"));
