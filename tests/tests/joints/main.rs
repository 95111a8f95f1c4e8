//! The joint assemblies, through their finished archives.

mod bodies;
mod configurations;
mod dead_centres;
mod dependencies;
mod descriptions;
mod drive;
mod input;
mod planar;
mod singular;
mod statics;
mod structures;
mod trajectories;
