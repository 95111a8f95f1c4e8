//! Flanges without inertia and points without mass, with the parts that connect them.

use fmu_runtime::Scalar;
use mechanics::drivetrain::{Drivetrain, MasslessGroup};

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

/// Points that springs connect.
#[derive(Debug, Default)]
pub struct LinkedPoints {
    /// The parts of the points.
    pub parts: Vec<usize>,
    /// The coordinates of each point.
    pub coordinates: Vec<[usize; 3]>,
    /// The springs.
    pub springs: Vec<LinkedSpring>,
}

/// A spring at a point.
#[derive(Debug)]
pub struct LinkedSpring {
    /// The part.
    pub part: usize,
    /// Numbers of its frames.
    pub frames: [usize; 2],
    /// The points at its ends, by their places.
    pub points: [Option<usize>; 2],
    /// Places of its stiffness and its relaxed length among the Reals.
    pub values: [usize; 2],
}
