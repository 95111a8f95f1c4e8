//! Rows, shapes and messages that the joint assemblies share.
//!
//! An assembly fits on a page: its parameters, one of the two sets of frames ([`universal`],
//! [`spherical`]), one of the two driven joints ([`revolute`], [`prismatic`]), its shapes from
//! [`look`], and [`closed_loop!`](crate::closed_loop!), which connects them with `mechanics::assembly`.
//! For a new assembly, copy `models/joint-usr/src/lib.rs`, or `models/joint-rrp/src/lib.rs` if its equations have more.

pub mod branch_memory;
mod component;
mod error;
pub mod frames;
pub mod linear;
pub mod look;
pub mod planar;
pub mod prismatic;
pub mod revolute;
pub mod spherical;
mod structure;
pub mod telescope;
pub mod universal;

use fmu_runtime::DefaultExperiment;

pub use crate::Orientation;
pub use error::{Names, check_length, check_rod1, check_rod2, shown};
pub use structure::{AssemblyStructure, PortOptions};

/// The packages on which the results of an assembly depend, beside its own. The first name is not that of this package, so that
/// the fingerprints of FMUs stay.
pub const PACKAGES: &[(&str, &str)] = &[("assemblies", env!("CARGO_PKG_VERSION")), mechanics::PACKAGE];
/// The default experiment of an assembly.
pub const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(10.0, 1e-3);
