//! The gripper, through its finished archives.

mod behaviour;
mod fixture;
mod importers;
mod level;
mod loads;
mod model_exchange;
mod ramps;
mod schedule;
mod state;
