//! Libraries, texts and licences become one file, written in one step.

pub(crate) mod deflated;
pub(crate) mod destination;
pub(crate) mod file_kind;
pub(crate) mod origin;
pub(crate) mod package;
pub(crate) mod platform;
mod webassembly;
pub(crate) mod writer;
