//! Mechanisms in space whose joints form a tree that begins at the world.
//!
//! What is rigidly connected is one link. The frame of a link is that of its joint; m, c and I are its mass, its mass times
//! the position of its center of mass, and its inertia tensor about the frame's origin.
//!
//! ```text
//! s = T (a_0 - g)
//! f = m s + z x c + w x (w x c),   t = I z + w x (I w) + c x s        what moves one link
//! tau = e.t or e.f of all links behind the joint                      what moves a joint
//! tau = M(q) q'' + h(q, q')                                           column j of M: q''_j = 1 at rest without gravity
//! ```
//!
//! Frames, loads and signs are those of [`crate::motion`] and [`crate::frame`].

mod build;
mod element;

use nalgebra::{Matrix3, Vector3};

use crate::Scalar;
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativeRotation};
pub use build::TreeError;
pub use element::{Body, Element, Gravity, Joint, JointKind, Pose};

/// A mechanism.
#[derive(Clone, Debug)]
pub struct Tree<T: Scalar> {
    /// Each behind its parent, and what it carries directly behind it.
    links: Vec<Link<T>>,
    /// For each frame its link, none for the world, with its pose there.
    frames: Vec<(Option<usize>, Pose<T>)>,
    /// Link, mass and center of mass of each body.
    weights: Vec<(usize, (T, Vector3<T>))>,
    gravity: Gravity<T>,
    /// For each element that is a joint, the link that it moves, and whether that is at its first frame.
    joints: Vec<Option<(usize, bool)>>,
}

/// What a joint moves.
#[derive(Clone, Debug)]
#[allow(non_snake_case)]
struct Link<T: Scalar> {
    /// None for the world.
    parent: Option<usize>,
    /// Behind the last link that it carries.
    end: usize,
    /// Pose of the joint's nearer frame, seen from the parent.
    attachment: Pose<T>,
    kind: JointKind,
    e: Vector3<T>,
    position: usize,
    m: T,
    c: Vector3<T>,
    I: Matrix3<T>,
}

/// What an evaluation works with.
#[derive(Clone, Debug)]
pub struct Room<T: Scalar> {
    /// The motion of each link.
    motions: Vec<Motion<T>>,
    /// Its pose, seen from its parent.
    poses: Vec<Pose<T>>,
    /// The load on it from its joint.
    loads: Vec<Load<T>>,
    /// Accelerations and loads of a column of M.
    units: Vec<Unit<T>>,
}

/// Accelerations of a link at rest, resolved in it, and the load on it from its joint.
#[derive(Clone, Copy, Debug)]
struct Unit<T: Scalar> {
    s: Vector3<T>,
    z: Vector3<T>,
    load: Load<T>,
}

impl<T: Scalar> Link<T> {
    /// What moves it, resolved in its frame: from its linear acceleration without gravity, and the angular one.
    fn load(&self, s: &Vector3<T>, z: &Vector3<T>) -> Load<T> {
        Load { f: s * self.m + z.cross(&self.c), t: self.I * z + self.c.cross(s) }
    }

    /// The part of a load that its joint's coordinate takes.
    fn along(&self, load: &Load<T>) -> T {
        match self.kind {
            JointKind::Revolute => self.e.dot(&load.t),
            JointKind::Prismatic => self.e.dot(&load.f),
        }
    }

    /// The rotation from the parent, of which the joint's coordinate is a part, and the motion.
    fn moved(&self, parent: &Motion<T>, coordinate: &Coordinate<T>) -> (Pose<T>, Motion<T>) {
        let Pose { r, T: fixed } = self.attachment;
        let zero = Vector3::zeros();
        let near = parent.translated(&r).turned(&RelativeRotation { T: fixed, w: zero, z: zero });
        match self.kind {
            JointKind::Revolute => {
                let (sin, cos) = coordinate.x.sin_cos();
                let turn = RelativeRotation::about(&self.e, [sin, cos], coordinate.v, coordinate.a);
                (Pose { r, T: turn.T * fixed }, near.turned(&turn))
            }
            JointKind::Prismatic => {
                (Pose { r: r + fixed.tr_mul(&(self.e * coordinate.x)), T: fixed }, near.slid(&self.e, coordinate))
            }
        }
    }
}

/// A load at the origin of a frame as a load at the one from which it has this pose.
fn carried<T: Scalar>(load: &Load<T>, pose: &Pose<T>) -> Load<T> {
    let f = pose.T.tr_mul(&load.f);
    Load { f, t: pose.T.tr_mul(&load.t) + pose.r.cross(&f) }
}

fn add<T: Scalar>(sum: &mut Load<T>, load: &Load<T>) {
    sum.f += load.f;
    sum.t += load.t;
}

impl<T: Scalar> Tree<T> {
    /// The same in another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Tree<U> {
        let link = |link: &Link<T>| Link {
            parent: link.parent,
            end: link.end,
            attachment: link.attachment.map(&to),
            kind: link.kind,
            e: link.e.map(&to),
            position: link.position,
            m: to(link.m),
            c: link.c.map(&to),
            I: link.I.map(&to),
        };
        Tree {
            links: self.links.iter().map(link).collect(),
            frames: self.frames.iter().map(|(link, pose)| (*link, pose.map(&to))).collect(),
            weights: self.weights.iter().map(|(link, (m, r))| (*link, (to(*m), r.map(&to)))).collect(),
            gravity: match &self.gravity {
                Gravity::Uniform(g) => Gravity::Uniform(g.map(&to)),
                Gravity::Point(mue) => Gravity::Point(to(*mue)),
            },
            joints: self.joints.clone(),
        }
    }

    /// Room for an evaluation.
    pub fn room(&self) -> Room<T> {
        let (zero, count) = (Vector3::zeros(), self.links.len());
        Room {
            motions: vec![Motion::at_rest(zero); count],
            poses: vec![Pose::translation(zero); count],
            loads: vec![Load::none(); count],
            units: vec![Unit { s: zero, z: zero, load: Load::none() }; count],
        }
    }

    /// The positions of the joints that share a matrix of masses.
    pub fn couplings(&self) -> Vec<Vec<usize>> {
        let mut couplings = Vec::new();
        let mut first = 0;
        while let Some(link) = self.links.get(first) {
            couplings.push(self.links[first..link.end].iter().map(|link| link.position).collect());
            first = link.end;
        }
        couplings
    }

    /// Moves all links: by positions, velocities and accelerations of all positions.
    pub fn set_motion(&self, room: &mut Room<T>, [x, v, a]: [&[T]; 3]) {
        let world = Motion::at_rest(Vector3::zeros());
        for (k, link) in self.links.iter().enumerate() {
            let i = link.position;
            let parent = link.parent.map_or(&world, |parent| &room.motions[parent]);
            let coordinate = Coordinate { x: x[i], v: v[i], a: a[i] };
            (room.poses[k], room.motions[k]) = link.moved(parent, &coordinate);
        }
    }

    /// Finds the loads that lead to the motion, and passes for each joint its position with the load along its coordinate,
    /// in N.m or N.
    pub fn loads(&self, room: &mut Room<T>, mut pass: impl FnMut(usize, T)) {
        let Room { motions, poses, loads, .. } = room;
        let g = match self.gravity {
            Gravity::Uniform(g) => g,
            Gravity::Point(_) => Vector3::zeros(),
        };
        for ((link, motion), load) in self.links.iter().zip(&*motions).zip(loads.iter_mut()) {
            let Motion { T: rotation, w, .. } = motion;
            *load = link.load(&(rotation * (motion.a_0 - g)), &motion.z);
            load.f += w.cross(&w.cross(&link.c));
            load.t += w.cross(&(link.I * w));
        }
        if let Gravity::Point(mue) = self.gravity {
            for (link, (m, r)) in &self.weights {
                let motion = &motions[*link];
                let from_center = motion.translated(r).r_0;
                let distance = from_center.norm();
                let f = motion.T * (from_center * (mue * *m / (distance * distance * distance)));
                add(&mut loads[*link], &Load { f, t: r.cross(&f) });
            }
        }
        for (k, link) in self.links.iter().enumerate().rev() {
            pass(link.position, link.along(&loads[k]));
            if let Some(parent) = link.parent {
                let load = carried(&loads[k], &poses[k]);
                add(&mut loads[parent], &load);
            }
        }
    }

    /// Passes M: the positions of two joints, or twice that of one, with their element, in kg.m2, kg.m or kg.
    pub fn masses(&self, room: &mut Room<T>, mut pass: impl FnMut([usize; 2], T)) {
        let Room { poses, units, .. } = room;
        for (j, moved) in self.links.iter().enumerate() {
            for (k, link) in self.links[..moved.end].iter().enumerate().skip(j) {
                let (s, z) = match link.parent.filter(|_| k > j) {
                    Some(parent) => {
                        let (Pose { r, T: rotation }, Unit { s, z, .. }) = (&poses[k], &units[parent]);
                        (rotation * (s + z.cross(r)), rotation * z)
                    }
                    None => match link.kind {
                        JointKind::Revolute => (Vector3::zeros(), link.e),
                        JointKind::Prismatic => (link.e, Vector3::zeros()),
                    },
                };
                units[k] = Unit { s, z, load: link.load(&s, &z) };
            }
            for k in (j..moved.end).rev() {
                let link = &self.links[k];
                let mass = link.along(&units[k].load);
                pass([link.position, moved.position], mass);
                if k > j {
                    pass([moved.position, link.position], mass);
                }
                if let Some(parent) = link.parent.filter(|_| k > j) {
                    let load = carried(&units[k].load, &poses[k]);
                    add(&mut units[parent].load, &load);
                }
            }
        }
    }

    /// The motion of a frame.
    pub fn frame(&self, room: &Room<T>, frame: usize) -> Motion<T> {
        let (link, pose) = &self.frames[frame];
        let motion = link.map_or(Motion::at_rest(Vector3::zeros()), |link| room.motions[link]);
        let zero = Vector3::zeros();
        motion.translated(&pose.r).turned(&RelativeRotation { T: pose.T, w: zero, z: zero })
    }

    /// The load that drives a joint along its coordinate, in N.m or N; `element` is its number.
    pub fn drive(&self, room: &Room<T>, element: usize) -> T {
        self.joints[element].map_or(T::zero(), |(k, _)| self.links[k].along(&room.loads[k]))
    }

    /// The loads on a joint at its two frames, resolved there; `element` is its number.
    pub fn cuts(&self, room: &Room<T>, element: usize) -> [Load<T>; 2] {
        let Some((k, is_reversed)) = self.joints[element] else { return [Load::none(); 2] };
        let (link, pose, load) = (&self.links[k], &room.poses[k], &room.loads[k]);
        let far = Load { f: -load.f, t: -load.t };
        let from_near = Pose { r: pose.r - link.attachment.r, T: pose.T };
        let Load { f, t } = carried(load, &from_near);
        let near = Load { f: link.attachment.T * f, t: link.attachment.T * t };
        if is_reversed { [far, near] } else { [near, far] }
    }
}
