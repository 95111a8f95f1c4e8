//! FMUs with libraries for several platforms: each library runs, on emulators where need be, and
//! gives the values of the others.
//!
//! `cargo xtask test` runs this; it is not among the ordinary tests, since it compiles for a while.
//! Libraries for macOS, which take minutes more, are checked by
//! `cargo test -p xtask --test platforms -- --ignored`.
//! What this computer has no tools for is skipped with a message, but not where `CI` is `true`.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod fixture;
mod libraries;
mod locations;
mod machine;
mod sizes;
mod values;
