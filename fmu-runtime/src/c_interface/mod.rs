//! The functions of FMI 2.0 in C.

pub mod export;
pub mod ffi;
mod own_library;
mod panics;
