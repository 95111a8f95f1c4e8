//! What the joint assemblies share.
//!
//! An assembly fits on a page: its parameters, one of the two sets of frames ([`universal`],
//! [`spherical`]), one of the two driven joints ([`revolute`], [`prismatic`]), its shapes from
//! [`look`], and [`closed_loop!`], which connects them with `mechanics::assembly`.
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

pub use error::{Names, check_length, check_rod1, check_rod2};
pub use ports::Orientation;
pub use structure::{AssemblyStructure, PortOptions};

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
/// That of the equations, for what `component!` writes.
pub use mechanics::PACKAGE as MECHANICS;
