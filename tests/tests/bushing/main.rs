//! The bushing, through its finished archives.

mod behaviour;
mod fixture;
mod structures;
mod tables;
mod tables_refused;
mod trajectories;
