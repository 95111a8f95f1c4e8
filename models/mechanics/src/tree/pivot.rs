//! Velocities of articulated bodies, one after the other.

use std::ops::Range;

use nalgebra::Vector3;

use super::articulated_inertia::Moves;
use crate::Scalar;
use crate::frame::Load;

/// A velocity of a joint or rotor by that of a coordinate.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)]
pub struct Drive<T: Scalar> {
    /// Number of the coordinate.
    pub coordinate: usize,
    /// Velocity of the joint by that of the coordinate.
    pub ratio: T,
    /// Inertia that the coordinate moves without the mechanism, in kg.m2 or kg.
    pub J: T,
}

/// Whose velocity it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner<T: Scalar> {
    /// Of a joint, in it or in an assembly: number of the axis.
    Joint(usize),
    /// Of a rotor: J e by the velocity of the coordinate, resolved in its link.
    Rotor(Vector3<T>),
}

/// A velocity, with what its elimination leaves.
#[derive(Clone, Debug)]
pub(super) struct Pivot<T: Scalar> {
    pub owner: Owner<T>,
    pub link: usize,
    pub drive: Drive<T>,
    pub moves: Moves,
    /// The cluster that it belongs to, and its coordinate there.
    pub member: Option<(usize, usize)>,
    /// True if its cluster is eliminated here.
    pub closes: bool,
    /// The cluster that is open where it is eliminated, with the place of the inertias that couple both.
    pub passes: Option<(usize, Range<usize>)>,
    /// S: linear and angular acceleration of the link.
    pub axis: [Vector3<T>; 2],
    /// U.
    pub load: Load<T>,
    /// 1 / D.
    pub inverse: T,
}

impl<T: Scalar> Pivot<T> {
    /// Makes one that is not prepared.
    pub fn new(owner: Owner<T>, link: usize, drive: Drive<T>, moves: Moves) -> Self {
        let (axis, load, inverse) = ([Vector3::zeros(); 2], Load::none(), T::zero());
        Self { owner, link, drive, moves, member: None, closes: false, passes: None, axis, load, inverse }
    }

    /// Returns the part of a load that the joint takes.
    #[inline]
    pub fn along(&self, load: &Load<T>) -> T {
        let [s, z] = &self.axis;
        match self.moves {
            Moves::Nothing => T::zero(),
            Moves::Turn => z.dot(&load.t),
            Moves::Slide => s.dot(&load.f),
            Moves::Both => s.dot(&load.f) + z.dot(&load.t),
        }
    }

    /// Adds what the link accelerates by where this velocity has this rate.
    #[inline]
    pub fn accelerate(&self, [s, z]: &mut [Vector3<T>; 2], y: T) {
        let [by_s, by_z] = &self.axis;
        match self.moves {
            Moves::Nothing => {}
            Moves::Turn => *z += by_z * y,
            Moves::Slide => *s += by_s * y,
            Moves::Both => {
                *s += by_s * y;
                *z += by_z * y;
            }
        }
    }
}
