//! Positions in which an assembly has no solution.

use crate::{Scalar, value};

/// Reason why the kinematics of an assembly cannot be computed, with the numbers for the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Singular {
    /// Rod 1 cannot close the loop, or only at a dead centre, where both configurations meet.
    Reach {
        /// Length of rod 1, in m.
        length: f64,
        /// Smallest distance between frame_a and the spherical joint, in m.
        nearest: f64,
        /// Largest distance between them, in m; infinite for a prismatic joint.
        farthest: f64,
    },
    /// Axis 1 of the universal joint is parallel to the line to the spherical joint.
    Parallel {
        /// Angle between the two, in rad.
        angle: f64,
    },
    /// The origins of frame_a and frame_b coincide, so that the line between them has no direction.
    Coincident {
        /// Their distance, in m.
        distance: f64,
    },
}

/// Squared distance to a dead centre, relative to the squared radius of the motion, below which it counts as zero.
pub(super) const DEAD_CENTRE: f64 = 1e-12;

impl Singular {
    /// Makes [`Reach`](Self::Reach) for rod 1 of length `length` where squared distances from `nearest` to `farthest`
    /// are possible.
    #[cold]
    pub(super) fn reach<T: Scalar>(length: T, nearest: T, farthest: f64) -> Self {
        let root = |square: f64| square.max(0.0).sqrt();
        Self::Reach { length: value(length), nearest: root(value(nearest)), farthest: root(farthest) }
    }

    /// True if the rod is too short or too long, with a margin for rounding; otherwise the position is a dead centre.
    pub fn is_unreachable(&self) -> bool {
        const ROUNDING: f64 = 1e-6;
        match *self {
            Self::Reach { length, nearest, farthest } => {
                length < nearest * (1.0 - ROUNDING) || length > farthest * (1.0 + ROUNDING)
            }
            Self::Parallel { .. } | Self::Coincident { .. } => false,
        }
    }
}
