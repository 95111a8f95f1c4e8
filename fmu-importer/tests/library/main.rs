//! The library: simulations, their input and output, and sessions.

mod animation;
mod assignment;
mod both_standards;
mod dead_centres;
mod input;
mod input_table;
mod model;
mod plot;
mod sensitivities;
mod session;
mod trajectory;
