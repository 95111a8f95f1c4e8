//! Motions of points without mass, where springs and dampers in space meet: see `mechanics::points`.

use fmu_runtime::{ModelError, Number};
use mechanics::points::{End, PointError, PointLine};
use nalgebra::Vector3;

use super::{Buffers, System};
use crate::MULTIBODY;
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::massless_nodes::LinkedPoints;
use crate::topology::mechanism::SpaceBuffers;

impl<T: PartScalar> System<'_, T> {
    /// Sets positions and velocities of the points, where their states and all other frames are known.
    pub(super) fn place_points(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { x: [x, v, a], q: [q, qd, _], space, points, massless, at_random, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        for (group, points) in self.wiring.linked_points.iter().zip(&mut *points) {
            for (line, linked) in points.lines.iter_mut().zip(&group.lines) {
                let end = |i: usize| {
                    linked.points[i].map_or_else(
                        || {
                            let motion = tree.frame(workspace, linked.frames[i]);
                            End::Other([motion.r_0, motion.v_0])
                        },
                        End::Point,
                    )
                };
                let [c, relaxed, d] = linked.values.map(|place| place.map_or(T::zero(), |place| view.reals[place]));
                let length = linked.length.filter(|_| !massless.settles).map(|place| view.reals[place]);
                *line = PointLine { ends: [end(0), end(1)], c, relaxed, d, length };
            }
            for (r, coordinates) in points.r.iter_mut().zip(&group.coordinates) {
                *r = Vector3::from(coordinates.map(|k| q[k]));
            }
            let found = T::find_points(points, massless.settles);
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

    /// Writes lengths that are states, which the outputs of their parts have replaced by what follows from the frames.
    pub(super) fn keep_lengths(&self, arrays: &mut Arrays<'_, T>, buffers: &Buffers<T>) {
        if !MULTIBODY {
            return;
        }
        for (group, points) in self.wiring.linked_points.iter().zip(&buffers.points) {
            for (linked, line) in group.lines.iter().zip(&points.lines) {
                if let (Some(place), Some(length)) = (linked.length, line.length) {
                    arrays.reals[place] = length;
                }
            }
        }
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
            PointError::Undamped(point) => format!(
                "the dampers at \"{}\" do not act in all directions at {time} s, so that the velocity of this point, which has no \
                 mass, does not follow from them: they must not lead from it in one plane only; otherwise connect a Body to it",
                self.parts[group.parts[point]].name
            ),
            PointError::InLine(point) => format!(
                "the two dampers at \"{}\" are in line at {time} s, where their lengths do not say where this point is, which has \
                 no mass: they must lead from it in different directions; otherwise connect a Body to it",
                self.parts[group.parts[point]].name
            ),
            PointError::SamePlace(line) => format!(
                "\"{}\": frame_a and frame_b are at the same place, where its force has no direction; start values or the mechanism \
                 must keep them apart, at {time} s",
                self.parts[group.lines[line].part].name
            ),
        })
    }
}
