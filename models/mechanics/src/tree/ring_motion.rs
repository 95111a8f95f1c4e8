//! The motion of rings, and how the joints of the tree move them.
//!
//! ```text
//! Delta = r_b - r_a,   d = R_a^T Delta,   s, p: directions fixed in frame_b or frame_a
//! along s        c = d.s = 0
//! across p, s    c = p.s = 0,   c' = (s x p).(w_b - w_a)
//! distance L     c = |d| - L
//! rolling, R     c' = e.(d' + w_b x (0, 0, -R)),   e = y x (0, 0, 1) / |...| or (0, 0, 1) x that,   y: wheel's axis
//! c'' = J q'' + J' v,   J' v: c'' while the coordinates of the tree do not accelerate
//! ```

use nalgebra::{Matrix3, Vector3};

use super::joint::{Joint, JointKind, MAX_ROWS, Row, across};
use super::link::{MovedBy, at};
use super::pose::Pose;
use super::ring::{Ring, RingLoads};
use super::{Moved, Tree, Workspace};
use crate::angle::angle;
use crate::frame::Load;
use crate::motion::{Coordinate, Motion};
use crate::rotation::from_any_quaternion;
use crate::{Scalar, constant};

/// The direction of a load at frame_b: force, and torque about its origin, in the world frame; that at frame_a is
/// opposite.
#[derive(Clone, Copy, Debug)]
struct Direction<T: Scalar> {
    f: Vector3<T>,
    t: Vector3<T>,
}

/// Returns the direction in which the contact of an upright wheel is at rest, with its rate, resolved in the frame of
/// the plane; `back` turns directions from the wheel to there, `w` is the angular velocity of the wheel.
fn rolling_direction<T: Scalar>(back: &Matrix3<T>, w: &Vector3<T>, is_lateral: bool) -> [Vector3<T>; 2] {
    let n = Vector3::z_axis().into_inner();
    let y = back.column(1).into_owned();
    let (along, rate) = (y.cross(&n), w.cross(&y).cross(&n));
    let length = along.norm();
    let e = along / length;
    let e_1 = (rate - e * e.dot(&rate)) / length;
    if is_lateral { [n.cross(&e), n.cross(&e_1)] } else { [e, e_1] }
}

impl<T: Scalar> Ring<T> {
    /// Returns the motion of both frames.
    fn motions(&self, workspace: &Workspace<T>) -> [Motion<T>; 2] {
        let world = Motion::at_rest(Vector3::zeros());
        self.ends.each_ref().map(|(link, pose)| at(&link.map_or(world, |link| workspace.motions[link]), pose))
    }

    /// Passes by how much the conditions are missed (order 0), and the first (1) or second (2) rate of that.
    pub fn gaps(&self, workspace: &Workspace<T>, order: usize, mut pass: impl FnMut(usize, T)) {
        let [a, b] = self.motions(workspace);
        let by = a.position_of(&b);
        let back = a.rotation_to(&b).transpose();
        let (w_b, z_b) = (back * b.w, back * b.z);
        let (w, z) = (w_b - a.w, z_b - a.z);
        let zero = T::zero();
        for (i, row) in self.closing.rows().enumerate() {
            pass(
                i,
                match row {
                    Row::Along(s) => s.dot([&by.r, &by.v, &by.a][order]),
                    Row::Across(p, s) => {
                        let s = back * s;
                        match order {
                            0 => p.dot(&s),
                            1 => s.cross(p).dot(&w),
                            _ => s.cross(p).dot(&z) + (w_b.cross(&s).cross(p) + s.cross(&a.w.cross(p))).dot(&w),
                        }
                    }
                    Row::Distance(length) => {
                        let distance = by.r.norm();
                        let rate = by.r.dot(&by.v) / distance;
                        match order {
                            0 => distance - *length,
                            1 => rate,
                            _ => (by.v.norm_squared() + by.r.dot(&by.a) - rate * rate) / distance,
                        }
                    }
                    Row::Rolling { radius, is_lateral } => {
                        let [e, e_1] = rolling_direction(&back, &w, *is_lateral);
                        let contact = Vector3::new(zero, zero, -*radius);
                        let v = by.v + w.cross(&contact);
                        match order {
                            0 => zero,
                            1 => e.dot(&v),
                            _ => e.dot(&(by.a + z.cross(&contact))) + e_1.dot(&v),
                        }
                    }
                },
            );
        }
    }

    /// Returns true if directions that are to be the same are not, where the conditions hold, too: opposite ones, or axes that
    /// have changed places.
    pub fn is_turned(&self, workspace: &Workspace<T>) -> bool {
        let [a, b] = self.motions(workspace);
        let back = a.rotation_to(&b).transpose();
        let of_row = |row: &Row<T>| if let Row::Across(p, _) = row { Some(*p) } else { None };
        let same = || self.closing.rows().filter_map(of_row);
        // One condition alone leaves both axes of a universal joint free.
        same().count() > 1 && same().any(|p| p.dot(&(back * p)).value() < 0.5)
    }

    /// Returns coordinate `i` of the joint that closes the ring; its acceleration is complete where those of the tree are.
    /// Angles are between -pi and pi; a joint with several coordinates has only their rates.
    pub fn coordinate(&self, workspace: &Workspace<T>, i: usize) -> Coordinate<T> {
        let zero = T::zero();
        let Some(Joint { kind, e, .. }) = self.closing.joint else { return Coordinate { x: zero, v: zero, a: zero } };
        let [a, b] = self.motions(workspace);
        let turn = a.rotation_to(&b);
        let w_a = turn * a.w;
        let (w, z) = (b.w - w_a, b.z - turn * a.z + (b.w - w_a).cross(&w_a));
        match kind {
            JointKind::Revolute => {
                let [x, y] = across(&e);
                let turned = turn * x;
                Coordinate { x: angle(-y.dot(&turned), x.dot(&turned)), v: e.dot(&w), a: e.dot(&z) }
            }
            JointKind::Prismatic => {
                let by = a.position_of(&b);
                Coordinate { x: e.dot(&by.r), v: e.dot(&by.v), a: e.dot(&by.a) }
            }
            JointKind::Spherical | JointKind::Free | JointKind::Wheel | JointKind::WheelSet => {
                Coordinate { x: zero, v: w[i % 3], a: z[i % 3] }
            }
        }
    }

    /// Returns the directions of the loads of all conditions.
    fn directions(&self, [a, b]: &[Motion<T>; 2]) -> impl Iterator<Item = Direction<T>> {
        let zero = Vector3::zeros();
        self.closing.rows().map(move |row| match row {
            Row::Along(s) => Direction { f: a.T.tr_mul(s), t: zero },
            Row::Across(p, s) => Direction { f: zero, t: b.T.tr_mul(s).cross(&a.T.tr_mul(p)) },
            Row::Distance(_) => Direction { f: (b.r_0 - a.r_0).normalize(), t: zero },
            Row::Rolling { radius, is_lateral } => {
                let [e, _] = rolling_direction(&a.rotation_to(b).transpose(), &zero, *is_lateral);
                let t = Vector3::new(T::zero(), T::zero(), -*radius).cross(&e);
                Direction { f: a.T.tr_mul(&e), t: a.T.tr_mul(&t) }
            }
        })
    }

    /// Returns the direction of the load along coordinate `i` of the joint that closes the ring.
    fn axis(&self, [_, b]: &[Motion<T>; 2], i: usize) -> Option<Direction<T>> {
        let zero = Vector3::zeros();
        let Joint { kind, e, .. } = self.closing.joint?;
        Some(match kind {
            JointKind::Revolute => Direction { f: zero, t: b.T.tr_mul(&e) },
            JointKind::Prismatic => Direction { f: b.T.tr_mul(&e), t: zero },
            JointKind::Spherical | JointKind::Free | JointKind::Wheel | JointKind::WheelSet => {
                Direction { f: zero, t: b.T.row(i % 3).transpose() }
            }
        })
    }
}

impl<T: Scalar> Tree<T> {
    /// Returns the rings of joints.
    pub fn rings(&self) -> &[Ring<T>] {
        &self.rings
    }

    /// Iterates over the positions of the joints in a ring, but for the one that closes it.
    pub fn in_ring(&self, ring: &Ring<T>) -> impl Iterator<Item = usize> {
        ring.path.iter().flat_map(|(link, _)| match &self.links[*link].by {
            MovedBy::Joint(axis) => axis.position..axis.position + axis.kind.count(),
            MovedBy::Closure { .. } => 0..0,
        })
    }

    /// Returns the elements that are the joints of a ring, with their kinds, in the order in which they follow one another.
    pub fn around(&self, ring: &Ring<T>) -> Vec<(usize, JointKind)> {
        let element = |link: usize| {
            let is_it = |moved: &Option<Moved>| matches!(moved, Some(Moved::Link { link: own, .. }) if *own == link);
            let MovedBy::Joint(axis) = &self.links[link].by else { return None };
            Some((self.moved.iter().position(is_it)?, axis.kind))
        };
        // From frame_b to the link that both ends have in common, and on to frame_a.
        let side =
            |of_b: bool| ring.path.iter().filter(move |(_, is_b)| *is_b == of_b).filter_map(|(link, _)| element(*link));
        let to_a: Vec<_> = side(false).collect();
        let closing = ring.closing.joint.map(|joint| (ring.element, joint.kind));
        side(true).chain(to_a.into_iter().rev()).chain(closing).collect()
    }

    /// Passes for each condition of a ring, and behind them for each coordinate of the joint that closes it, the ratios
    /// of its rate to the velocities of joints, with their positions. Takes place and orientation of the links.
    pub fn ring_slopes(&self, workspace: &Workspace<T>, ring: &Ring<T>, mut pass: impl FnMut(usize, usize, T)) {
        let ends = ring.motions(workspace);
        let count = ring.following().map_or(0, |(_, count)| count);
        let axes = (0..count).filter_map(|i| ring.axis(&ends, i));
        let mut directions = [None; 2 * MAX_ROWS];
        directions.iter_mut().zip(ring.directions(&ends).chain(axes)).for_each(|(to, from)| *to = Some(from));
        for (link, is_b) in &ring.path {
            let MovedBy::Joint(axis) = &self.links[*link].by else { continue };
            let motion = &workspace.motions[*link];
            for i in 0..axis.kind.count() {
                let [s, z] = axis.unit(i, &workspace.given).map(|unit| motion.T.tr_mul(&unit));
                let v = s + z.cross(&(ends[1].r_0 - motion.r_0));
                for (row, Direction { f, t }) in directions.iter().flatten().enumerate() {
                    let slope = f.dot(&v) + t.dot(&z);
                    pass(row, axis.position + i, if *is_b { slope } else { -slope });
                }
            }
        }
    }

    /// Moves the links by their joints alone, without assemblies.
    pub fn move_joints(&self, workspace: &mut Workspace<T>, motion: [&[T]; 3]) {
        let world = Motion::at_rest(Vector3::zeros());
        for (k, link) in self.links.iter().enumerate() {
            if let MovedBy::Joint(axis) = &link.by {
                let parent = axis.parent.map_or(&world, |parent| &workspace.motions[parent]);
                (workspace.poses[k], workspace.motions[k]) = axis.moved(parent, motion, &workspace.given);
            }
        }
    }

    /// Moves the joints whose pose is given by small displacements along their velocities.
    pub fn displace(&self, workspace: &mut Workspace<T>, by: &[T]) {
        for link in &self.links {
            let MovedBy::Joint(axis) = &link.by else { continue };
            let triple =
                |first: usize| Vector3::from_column_slice(&by[axis.position + first..axis.position + first + 3]);
            let (shift, turn) = match axis.kind {
                JointKind::Spherical | JointKind::Wheel => (Vector3::zeros(), triple(0)),
                JointKind::Free => (triple(0), triple(3)),
                JointKind::Revolute | JointKind::Prismatic | JointKind::WheelSet => continue,
            };
            let pose = &mut workspace.given[axis.given];
            let Pose { r, T: rotation } = if axis.is_reversed { pose.inverse() } else { *pose };
            let half = turn * constant::<T>(0.5);
            let step = from_any_quaternion(&half.push(T::one())).unwrap_or_else(Matrix3::identity);
            let moved = Pose { r: r + shift, T: step * rotation };
            *pose = if axis.is_reversed { moved.inverse() } else { moved };
        }
    }

    /// Sets the loads in a ring: those along coordinates of the joint that closes it, and the multipliers of its
    /// conditions.
    pub fn load_ring(&self, workspace: &mut Workspace<T>, i: usize, axes: impl Fn(usize) -> T, multipliers: &[T]) {
        let ring = &self.rings[i];
        let ends = ring.motions(workspace);
        let mut on_b = Direction { f: Vector3::zeros(), t: Vector3::zeros() };
        let count = ring.following().map_or(0, |(_, count)| count);
        let along = (0..count).filter_map(|i| Some((ring.axis(&ends, i)?, axes(i))));
        let conditions = ring.directions(&ends).zip(multipliers.iter().copied());
        for (Direction { f, t }, size) in along.chain(conditions) {
            on_b.f += f * size;
            on_b.t += t * size;
        }
        let [a, b] = &ends;
        let at_a = on_b.t + (b.r_0 - a.r_0).cross(&on_b.f);
        let on = [Load { f: -(a.T * on_b.f), t: -(a.T * at_a) }, Load { f: b.T * on_b.f, t: b.T * on_b.t }];
        workspace.rings[i] = RingLoads { on, drive: if count > 0 { axes(0) } else { T::zero() } };
    }
}
