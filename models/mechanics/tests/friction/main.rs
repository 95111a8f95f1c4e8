//! Friction against closed forms, balances and another way of integrating.

mod balance;
mod closed_forms;
mod direct;
mod elastic;
mod fixture;
mod repetition;
