//! Mechanisms in space.

mod assemblies;
mod assembly_axes;
mod axes;
mod benchmarks;
mod bushings;
mod closers;
mod dead_centres;
mod derivatives;
mod derivatives_closers;
mod energy;
mod forces;
mod free;
mod free_frames;
mod grippers;
mod joints;
mod lines;
mod look;
mod motions;
mod own;
mod points;
pub mod refused;
mod relative_starts;
mod rotors;
mod sensors;
mod shaped;
mod tied;
mod wheels;
