//! Components in the runtime: their declaration, their instances, and Co-Simulation.

mod communication_steps;
mod energy;
mod findings;
mod follows_time;
mod integration;
mod rows;
mod shared;
mod tunable;
mod unassigned;
