//! Friction against closed forms, balances and another integrator.

mod at_rest;
mod balance;
mod closed_forms;
mod direct;
mod elastic;
mod fixture;
mod gears;
mod law;
mod repetition;
