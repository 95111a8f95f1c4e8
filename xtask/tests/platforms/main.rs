//! FMUs with libraries for several platforms: each library runs, on an emulator if necessary, and
//! gives the same values as the others.
//!
//! Checks for which this computer has no tools are skipped with a message.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod fixture;
mod libraries;
mod locations;
mod machine;
mod sizes;
mod values;
mod webassembly;
