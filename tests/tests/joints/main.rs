//! The joint assemblies, through their finished archives.

mod bodies;
mod configurations;
mod drive;
mod input;
mod singular;
mod structures;
mod trajectories;
