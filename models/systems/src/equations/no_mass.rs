//! Messages about joints that move no inertia.

use fmu_runtime::{ModelError, Number};
use mechanics::tree::Tree;

use super::{Buffers, System};
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::{SpaceBuffers, list};

/// Type of a rotor on a body.
const ROTOR: &str = "Rotor1D";

impl<T: PartScalar> System<'_, T> {
    /// Describes a coordinate of articulated bodies that moves no inertia: the mass matrix says what moves against it.
    #[cold]
    pub(super) fn no_mass_of(&self, coordinate: usize, buffers: &mut Buffers<T>) -> ModelError {
        let Buffers { x: [x, ..], space, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else {
            unreachable!("they are those of a mechanism")
        };
        let train = &self.prepared.train;
        if self.has_rings() {
            return self.no_mass(tree, coordinate, &[], x);
        }
        let mut blocks = train.blocks();
        self.find_masses(tree, workspace, &mut blocks);
        let (coordinate, against) = train.finish(&mut blocks).err().unwrap_or((coordinate, Vec::new()));
        self.no_mass(tree, coordinate, &against, x)
    }

    /// Describes a coordinate that moves no inertia, alone or while others move against it; `x` are the positions.
    #[cold]
    pub(super) fn no_mass(&self, tree: &Tree<T>, coordinate: usize, against: &[usize], x: &[T]) -> ModelError {
        let coordinates = self.prepared.train.coordinates();
        // The joint is named, also where another part has its motion.
        let part = |coordinate: usize| {
            let is_of = |i: &usize| {
                self.parts[*i].part.properties().is_multibody
                    && self.prepared.positions[*i].contains(&coordinates[coordinate])
            };
            (0..self.parts.len()).find(is_of).unwrap_or(self.wiring.coordinates[coordinate].part)
        };
        let name = |coordinate: usize| format!("\"{}\"", self.parts[part(coordinate)].name);
        let own = name(coordinate);
        let is_rotor = |coordinate: &&usize| self.parts[part(**coordinate)].part.properties().type_name == ROTOR;
        if let Some(rotor) = against.iter().chain([&coordinate]).find(is_rotor) {
            return ModelError::singular(format!(
                "{own} can move without moving any inertia: a body at frame_a of {} must have the rotor's inertia at rest, so about \
                 its axis more than J",
                name(*rotor)
            ));
        }
        if self.prepared.posed.contains(&part(coordinate)) {
            let what = if self.wiring.free_bodies[part(coordinate)] {
                "a body that moves freely"
            } else {
                "what is behind it"
            };
            return ModelError::singular(format!(
                "{own} can move without moving any inertia: {what} needs a mass and moments of inertia about all axes"
            ));
        }
        let Some(first) = against.first() else {
            return ModelError::singular(format!(
                "{own} can move without moving any inertia: what is behind it needs a mass away from its axis, or moments of \
                 inertia"
            ));
        };
        let names = list(&against.iter().map(|coordinate| name(*coordinate)).chain([own]).collect::<Vec<_>>());
        let between = tree.turning_between([coordinates[*first], coordinates[coordinate]]);
        let turned = coordinates.iter().enumerate().filter(|(_, position)| between.contains(position));
        let turned = turned.map(|(k, position)| format!("{} is at {} rad", name(k), Number(x[*position].value())));
        let turned = list(&turned.collect::<Vec<_>>());
        ModelError::singular(if turned.is_empty() {
            format!(
                "{names} can move without moving any inertia, as two joints about the same axis turn against each other: leave \
                 one of them out, or put a body between them"
            )
        } else {
            format!(
                "gimbal lock: {turned}, so that {names} turn about the same axis and can move without moving any inertia, at {} \
                 s: put a Spherical in place of these joints, or bodies with moments of inertia between them",
                Number(self.time.value())
            )
        })
    }
}
