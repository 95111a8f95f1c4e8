//! Libraries that were compiled before, in a folder: part of an installed program.
//!
//! `index.json` lists the components, their libraries and the packages in these. All libraries of a platform lie in one
//! archive, such as `linux64.xz`, one after the other: they have most of their code in common, so that it takes half the
//! space of compressed libraries. What is used is unpacked into a cache.

mod index;
#[cfg(feature = "installed")]
mod installed;

pub use index::{Entry, File, INDEX, Index, unpacked};
#[cfg(feature = "installed")]
pub use installed::{Options, Prebuilt};
