//! Flanges without inertia and points without mass, with the parts that connect them.

use fmu_runtime::Scalar;
use mechanics::drivetrain::{Drivetrain, MasslessGroup};
use mechanics::points::Points;

use crate::parts::domain::Domain;
use crate::parts::massless::Role;

/// A flange without inertia.
#[derive(Debug)]
pub struct MasslessFlange {
    /// One of the connectors there: it names the motion.
    pub name: String,
    /// Rotational or translational.
    pub domain: Domain,
    /// The parts that decide its motion.
    pub role: Role,
    /// Name of the flange relative to which the state counts.
    pub root: Option<String>,
}

/// Coordinates without inertia that springs and dampers connect.
#[derive(Clone, Debug)]
pub struct LinkedFlanges {
    /// The coordinates.
    pub coordinates: Vec<usize>,
    /// For each, the place of the one with whose balance it moves, if dampers do not connect it to what moves by itself.
    pub roots: Vec<Option<usize>>,
    /// The springs, dampers and constant loads.
    pub parts: Vec<usize>,
}

impl LinkedFlanges {
    /// Makes the equations of the group; `positions` has those of each part.
    pub fn of_train<T: Scalar>(&self, train: &Drivetrain<T>, positions: &[Vec<usize>]) -> MasslessGroup<T> {
        let links = self.parts.iter().map(|part| (*part, positions[*part].as_slice()));
        MasslessGroup::new(train, self.coordinates.clone(), self.roots.clone(), links)
    }
}

/// A point without mass.
#[derive(Debug)]
pub struct MasslessPoint {
    /// One of the connectors there: it names the motion.
    pub name: String,
    /// The connector of the world.
    pub world: String,
    /// True if its position is a state, by the dampers there.
    pub is_state: bool,
}

/// Points that springs and dampers connect.
#[derive(Debug, Default)]
pub struct LinkedPoints {
    /// The parts of the points.
    pub parts: Vec<usize>,
    /// The coordinates of each point.
    pub coordinates: Vec<[usize; 3]>,
    /// For each point, true if its position is a state.
    pub are_states: Vec<bool>,
    /// The points where the lengths of one or two dampers are states, by their places, with the places of these lines.
    pub guided: Vec<(usize, [Option<usize>; 2])>,
    /// The springs and dampers.
    pub lines: Vec<LinkedLine>,
}

/// A spring, a damper or both at a point.
#[derive(Debug)]
pub struct LinkedLine {
    /// The part.
    pub part: usize,
    /// Numbers of its frames.
    pub frames: [usize; 2],
    /// The points at its ends, by their places.
    pub points: [Option<usize>; 2],
    /// Places of its stiffness, its relaxed length and its damping among the Reals, where it has them.
    pub values: [Option<usize>; 3],
    /// Place of its length among the Reals, if it is a state.
    pub length: Option<usize>,
}

impl LinkedPoints {
    /// Allocates their buffers.
    pub fn buffers<T: Scalar>(&self) -> Points<T> {
        Points::new(self.are_states.clone(), &self.guided, self.lines.len())
    }

    /// Returns the parts whose lengths are states.
    pub fn with_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.lines.iter().filter(|line| line.length.is_some()).map(|line| line.part)
    }

    /// Returns the coordinates that are states.
    pub fn states(&self) -> impl Iterator<Item = usize> + '_ {
        let of_states = self.coordinates.iter().zip(&self.are_states).filter(|(_, is_state)| **is_state);
        of_states.flat_map(|(coordinates, _)| *coordinates)
    }
}
