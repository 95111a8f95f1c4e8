//! The initial state, and whether a start at rest is stable.

mod blocks;
mod coordinates;
mod found;
mod immobile_rings;
mod newton;
mod rest;
mod rings;
mod stability;
mod steady;
