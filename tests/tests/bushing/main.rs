//! The bushing, through its finished archives.

mod behaviour;
mod curves;
mod fixture;
mod quarter_turns;
mod rubber;
mod structures;
mod table_derivatives;
mod tables;
mod tables_refused;
mod trajectories;
