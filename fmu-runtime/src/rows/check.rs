//! Mistakes in rows that the compiler reports at the row.

use crate::rows::row::{Attributes, ElementVisitor};
use crate::rows::variable::Variable;

/// Hands the elements of a row to `visitor`. Called with the type of the row, it makes the compiler report a wrong type there.
#[doc(hidden)]
#[inline(always)]
pub fn declare_row<V: Variable<T, Start = S>, T, S>(
    attributes: &Attributes<'_>,
    start: Option<S>,
    visitor: &mut dyn ElementVisitor,
) {
    V::declare(attributes, start, visitor);
}

/// A bound that nothing implements, asked of a `state` without its derivative.
#[diagnostic::on_unimplemented(
    message = "the row of this state does not name its derivative",
    label = "add `der = name` behind the description, with the name of the row of the derivative"
)]
pub trait NamesDerivative: Copy {}

/// Never compiles, with the message at `row`; a part of [`model!`](crate::model!).
#[doc(hidden)]
pub const fn derivative_of_state<R: NamesDerivative>(_row: R) {}
