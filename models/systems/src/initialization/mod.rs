//! The initial state, and whether a start at rest is stable.

mod coordinates;
mod newton;
mod stability;
mod steady;
