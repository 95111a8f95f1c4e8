//! Numbers that record the operations on them: one sweep back through the record gives the derivatives of results by any
//! number of arguments.
//!
//! Each operation is a call of a function of this package, so that equations in these numbers take little code.

mod field;
mod number;
mod operations;
mod operators;
mod tape;

pub use number::Recorded;
pub use tape::Tape;

#[cfg(test)]
mod tests;
