//! Mechanisms in space.

mod axes;
mod derivatives;
mod energy;
mod motions;
mod published;
mod refused;
