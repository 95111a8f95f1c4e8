//! Mechanisms in space.

mod assemblies;
mod axes;
mod closers;
mod derivatives;
mod energy;
mod forces;
mod motions;
mod refused;
