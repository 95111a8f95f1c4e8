//! Components compiled as shared libraries, for this computer and for others; other programs of this project, and Python
//! environments.

pub mod cargo;
pub mod components;
pub mod environment;
pub mod importer;
pub mod origin;
pub mod paths;
pub mod platforms;
pub mod programs;
pub mod source;
pub mod targets;
pub mod toolchain;
pub mod venv;
