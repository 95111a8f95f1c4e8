//! Mechanisms in space.

mod assemblies;
mod axes;
mod derivatives;
mod energy;
mod motions;
mod refused;
