//! The functions of FMI 2.0 and FMI 3.0 in C.

#[macro_use]
mod functions;

mod callback;
pub mod export;
pub mod ffi;
pub mod fmi3;
pub mod linked;
mod own_library;
mod panics;
#[cfg(target_family = "wasm")]
pub mod webassembly;
