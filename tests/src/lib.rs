//! The outside view of finished FMUs.
//!
//! [`api`] is what lies below an importer: the C functions of a library, one by one. With [`finished`] tests call
//! them by the variables' names. `foreign` is a third-party FMU, and [`in_process`] has no library.

pub mod finished;
#[cfg(unix)]
pub mod foreign;
pub mod in_process;

/// The C functions of a library, one by one.
pub use c_interface as api;
