//! A gear with losses among the friction elements.

use super::losses::Losses;
use super::stick_state::Limits;
use crate::Scalar;

/// A gear among the elements.
#[derive(Clone, Copy, Debug)]
pub struct Gear<T> {
    /// Number of the element between housing and flange_a.
    pub element: usize,
    /// Torque at flange_a without those of the elements in the problem, in N.m.
    pub torque: T,
    /// The losses at its speed.
    pub losses: Losses<T>,
    /// Direction in which it moves already, if it does.
    pub rolls: Option<f64>,
    /// True if the torque at flange_b drives.
    pub(super) is_driven_back: bool,
}

impl<T: Scalar> Gear<T> {
    /// Makes a gear that does not move.
    pub fn new(element: usize) -> Self {
        let losses = Losses { eta: [T::one(); 2], tau: [T::zero(); 2] };
        Self { element, torque: T::zero(), losses, rolls: None, is_driven_back: false }
    }

    /// Returns the limits of lambda at a torque at flange_a.
    pub fn limits(&self, torque: T) -> Limits<T> {
        [self.losses.loss(torque), self.losses.loss(-torque)]
    }
}
