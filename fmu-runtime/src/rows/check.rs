//! Mistakes in rows that the compiler reports at the row.

/// A bound that nothing implements, asked of a `state` without its derivative.
#[diagnostic::on_unimplemented(
    message = "the row of this state does not name its derivative",
    label = "add `der = name` behind the description, with the name of the row of the derivative"
)]
pub trait NamesDerivative: Copy {}

/// Never compiles, with the message at `row`; a part of [`model!`](crate::model!).
#[doc(hidden)]
pub const fn derivative_of_state<R: NamesDerivative>(_row: R) {}
