//! The equations of flanges without inertia, and their buffers.

use fmu_runtime::Scalar;
use mechanics::drivetrain::{MasslessBuffers, MasslessGroup};

/// The equations of the flanges without inertia, in groups.
#[derive(Clone, Debug)]
pub struct MasslessFlanges<T: Scalar> {
    pub(super) moving: Vec<MasslessGroup<T>>,
    /// These groups without states: their springs balance.
    pub(super) resting: Vec<MasslessGroup<T>>,
}

/// Buffers of these equations.
#[derive(Clone, Debug)]
pub struct MasslessState<T: Scalar> {
    pub(super) moving: Vec<MasslessBuffers<T>>,
    pub(super) resting: Vec<MasslessBuffers<T>>,
    /// True while the initial state is looked for: states are where springs balance.
    pub settles: bool,
    /// True if the branches of contacts are not known yet.
    pub at_event: bool,
}

impl<T: Scalar> MasslessFlanges<T> {
    /// Of groups.
    pub fn new(moving: Vec<MasslessGroup<T>>) -> Self {
        let resting = moving.iter().map(MasslessGroup::at_rest).collect();
        Self { moving, resting }
    }

    /// True if there are no such flanges.
    pub fn is_empty(&self) -> bool {
        self.moving.is_empty()
    }

    /// Converts the equations to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: &impl Fn(T) -> U) -> MasslessFlanges<U> {
        let map = |groups: &[MasslessGroup<T>]| groups.iter().map(|group| group.map(to)).collect();
        MasslessFlanges { moving: map(&self.moving), resting: map(&self.resting) }
    }

    /// Allocates buffers.
    pub fn buffers(&self) -> MasslessState<T> {
        let buffers = |groups: &[MasslessGroup<T>]| groups.iter().map(MasslessGroup::buffers).collect();
        MasslessState {
            moving: buffers(&self.moving),
            resting: buffers(&self.resting),
            settles: false,
            at_event: false,
        }
    }
}
