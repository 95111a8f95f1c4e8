//! The outside view of finished FMUs.
//!
//! [`api`] has the C functions of a library, one by one, as they lie below an importer. With [`finished`] tests call
//! them by the variables' names. `foreign` is a third-party FMU that misbehaves, `corpus` has those of other shapes,
//! and [`in_process`] has no library. [`fmpy`] and [`tuning`] are for tests of importers.

#[cfg(unix)]
pub mod corpus;
pub mod finished;
pub mod fmpy;
#[cfg(unix)]
pub mod foreign;
#[cfg(unix)]
pub mod foreign_3;
pub mod in_process;
pub mod tuning;

/// The C functions of a library, one by one.
pub use c_interface as api;
