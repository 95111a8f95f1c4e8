//! Components compiled as shared libraries, for this computer and for others.

pub mod cargo;
pub mod components;
pub mod origin;
pub mod platforms;
pub mod programs;
pub mod source;
pub mod targets;
pub mod toolchain;
