//! Drive trains, in both interfaces.

mod fixture;
mod oscillators;
mod published;
mod random;
