//! Drive trains, in both interfaces.

mod clutch;
mod derivatives;
mod fixture;
mod oscillators;
mod published;
mod random;
