//! Motions of points without mass, where springs in space meet: see `mechanics::points`.

use fmu_runtime::{ModelError, Number};
use mechanics::points::{End, PointError, PointSpring, Points};

use super::{Buffers, System};
use crate::part::View;
use crate::topology::drivetrain::PartScalar;
use crate::topology::massless_nodes::LinkedPoints;
use crate::topology::mechanism::SpaceBuffers;

impl<T: PartScalar> System<'_, T> {
    /// Sets positions and velocities of the points, where all other frames are known.
    pub(super) fn place_points(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { x: [x, v, a], q: [q, qd, _], space, points, at_random, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        for (group, points) in self.wiring.linked_points.iter().zip(&mut *points) {
            for (spring, linked) in points.springs.iter_mut().zip(&group.springs) {
                let end = |i: usize| {
                    linked.points[i].map_or_else(
                        || {
                            let motion = tree.frame(workspace, linked.frames[i]);
                            End::Other([motion.r_0, motion.v_0])
                        },
                        End::Point,
                    )
                };
                let [c, relaxed] = linked.values.map(|place| view.reals[place]);
                *spring = PointSpring { ends: [end(0), end(1)], c, relaxed };
            }
            // Not from the last points: the motion must follow from the states alone.
            let found = points.begin().and_then(|()| points.find_positions()).and_then(|()| points.find_velocities());
            found.or_else(|error| if *at_random { Ok(()) } else { Err(self.describe_point(group, error)) })?;
            for ((r, rate), coordinates) in points.r.iter().zip(&points.v).zip(&group.coordinates) {
                for (i, k) in coordinates.iter().enumerate() {
                    [q[*k], qd[*k]] = [r[i], rate[i]];
                }
            }
        }
        let train = &self.prepared.train;
        train.positions(q, x);
        train.rates(qd, v);
        tree.set_motion(workspace, [x, v, a]).map_err(|reason| self.position_error(reason))
    }

    #[cold]
    fn describe_point(&self, group: &LinkedPoints, error: PointError) -> ModelError {
        let time = Number(self.time.value());
        ModelError::singular(match error {
            PointError::Loose(point) => format!(
                "the springs at \"{}\" do not hold this point, which has no mass, at {time} s: they must be stretched, and pull from \
                 different sides; otherwise connect a Body to it",
                self.parts[group.parts[point]].name
            ),
            PointError::SamePlace(spring) => format!(
                "\"{}\": frame_a and frame_b are at the same place, where its force has no direction; start values or the mechanism \
                 must keep them apart, at {time} s",
                self.parts[group.springs[spring].part].name
            ),
        })
    }
}

impl LinkedPoints {
    /// Allocates their buffers.
    pub fn buffers<T: PartScalar>(&self) -> Points<T> {
        Points::new(self.parts.len(), self.springs.len())
    }
}
