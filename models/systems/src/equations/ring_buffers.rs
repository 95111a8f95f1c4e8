//! Buffers of an evaluation with rings.

use fmu_runtime::Scalar;

use crate::topology::rings::Rings;

/// Buffers of an evaluation with rings.
#[derive(Clone, Debug)]
pub struct RingBuffers<T: Scalar> {
    /// Changes of the coordinates and of their velocities to where rings close.
    pub(super) correction: [Vec<T>; 2],
    /// The motion as the states say it, for the parts that have them.
    pub(super) shown: [Vec<T>; 3],
    pub(super) step: Vec<T>,
    pub(super) displacements: Vec<T>,
    pub(super) gaps: Vec<T>,
    pub(super) multipliers: Vec<T>,
    pub(super) loads: Vec<T>,
    /// Time in s by which the motion of the given coordinates and of those marked is ahead.
    pub(super) ahead: f64,
    pub(super) is_moved: Vec<bool>,
    /// Accelerations of the coordinates and both corrections, between points on both sides of a singular position.
    pub(super) between: [Vec<T>; 3],
}

impl<T: Scalar> RingBuffers<T> {
    /// Allocates buffers for this number of coordinates and positions.
    pub fn new(rings: &Rings, coordinates: usize, positions: usize) -> Self {
        let zeros = |count: usize| vec![T::zero(); count];
        Self {
            correction: [zeros(coordinates), zeros(coordinates)],
            shown: std::array::from_fn(|_| zeros(positions)),
            step: zeros(coordinates),
            displacements: zeros(positions),
            gaps: zeros(rings.blocks.iter().map(|block| block.rows).sum::<usize>()),
            multipliers: zeros(rings.blocks.iter().map(|block| block.rows).sum::<usize>()),
            loads: zeros(positions),
            ahead: 0.0,
            is_moved: vec![false; coordinates],
            between: std::array::from_fn(|_| zeros(coordinates)),
        }
    }
}
