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
        }
    }
}
