//! The bushing, through its finished archives.

mod behaviour;
mod fixture;
mod quarter_turns;
mod structures;
mod tables;
mod tables_refused;
mod trajectories;
