//! The mass matrix of a tree by articulated bodies: equations with M are solved without M, at a cost that grows with the
//! number of joints (R. Featherstone, Rigid Body Dynamics Algorithms, 7).
//!
//! A link's articulated inertia A says which load accelerates it while all behind it gives way in its joints. About the
//! origin of the link, in directions of the world: t = I z + H s, f = H^T z + M s.
//!
//! ```text
//! U = A S,   D = S.U + J,   A -= U U^T / D            inwards: S is the motion of the joint, J the inertia at its axis
//! A_parent += A moved by r
//! u = tau - S.p,   p_parent += p + U u / D            solves M y = tau, inwards
//! y = (u - U.a) / D,   a += S y                       and outwards, a is that of the parent first
//! ```
//!
//! The way inwards is half of the solution: M^-1 = L^-T D^-1 L^-1 with u = L^-1 tau, so loads accelerate each other by
//! sums of u_1 u_2 / D.
//!
//! Several velocities of a joint are joints one behind the other, the last one of which moves the link.
//!
//! A rotor with the inertia J about e is a joint behind its link, which it does not move: U = J e, D = J (`rotor.rs` has the
//! equations).

use std::fmt;
use std::ops::Range;

use nalgebra::Vector3;

use super::articulated_inertia::{ArticulatedInertia, InertiaSize, Moves};
use super::joint::JointKind;
use super::link::{Axis, Inertia, MovedBy};
use super::{Tree, Workspace};
use crate::factor::SINGULAR;
use crate::frame::Load;
use crate::{Scalar, value};

/// A velocity of a joint that moves a coordinate of its own.
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

/// A solver of equations with the mass matrix of a tree. Behind a trait, since a library without mechanisms is to be without
/// [`ArticulatedBodies`].
pub trait MassSolver<T: Scalar>: Send + Sync {
    /// Prepares for the place of all links.
    ///
    /// # Errors
    ///
    /// Returns a coordinate that moves nothing that has inertia.
    fn prepare(&mut self, tree: &Tree<T>, workspace: &mut Workspace<T>) -> Result<(), usize>;

    /// Replaces generalised loads on the coordinates by their accelerations.
    fn solve(&mut self, loads: &mut [T]);

    /// Replaces generalised loads on the coordinates by those that are left to each once all behind it gives way,
    /// u = L^-1 tau: half of the solution.
    fn halve(&mut self, loads: &mut [T]);

    /// Divides such loads by the inertias that are left, D^-1 u: products of that with other u are those of accelerations
    /// with loads.
    fn divide(&self, halves: &mut [T]);

    /// Returns another such solver.
    fn clone_box(&self) -> Box<dyn MassSolver<T>>;
}

// Not by a trait above it: the code that prints all bodies would be in each library.
impl<T: Scalar> fmt::Debug for dyn MassSolver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MassSolver")
    }
}

impl<T: Scalar> Clone for Box<dyn MassSolver<T>> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// The links of a tree with their articulated inertias.
#[derive(Clone, Debug)]
pub struct ArticulatedBodies<T: Scalar> {
    /// One for each link.
    bodies: Vec<ArticulatedBody<T>>,
    pivots: Vec<Pivot<T>>,
    /// For each link, the inertia if nothing behind it gives way; nothing unless it was asked for at this point.
    rigid: Vec<Inertia<f64>>,
}

#[derive(Clone, Debug)]
struct ArticulatedBody<T: Scalar> {
    parent: Option<usize>,
    pivots: Range<usize>,
    /// Place of the origin, seen from that of the parent, resolved in the world frame.
    r: Vector3<T>,
    inertia: ArticulatedInertia<T>,
    /// Size of the link's own inertia.
    own: InertiaSize,
    /// Limit of the size of the inertia if nothing behind the link gives way.
    rigid: InertiaSize,
    /// Load p that the loads behind the link need, none if there are no such loads.
    load: Load<T>,
    is_loaded: bool,
    /// Linear and angular acceleration.
    acceleration: [Vector3<T>; 2],
}

/// Whose velocity it is.
#[derive(Clone, Copy, Debug)]
enum Owner<T: Scalar> {
    /// In a joint: number among the velocities of all joints.
    Joint(usize),
    /// In rotors that turn together: J e, resolved in their link.
    Rotors(Vector3<T>),
}

/// A velocity, with what its elimination leaves.
#[derive(Clone, Debug)]
struct Pivot<T: Scalar> {
    owner: Owner<T>,
    drive: Drive<T>,
    moves: Moves,
    /// S: linear and angular acceleration of the link.
    axis: [Vector3<T>; 2],
    /// U.
    load: Load<T>,
    /// 1 / D.
    inverse: T,
}

impl<T: Scalar> Tree<T> {
    /// Returns the positions that are the velocities of joints, if there are neither assemblies nor rings.
    pub fn joint_positions(&self) -> Option<impl Iterator<Item = usize>> {
        let is_plain = self.closures.is_empty() && self.rings.is_empty();
        is_plain.then(|| self.links.iter().flat_map(|link| self.own_positions(&link.by)))
    }

    /// Returns the positions of rotors on links.
    pub fn rotor_positions(&self) -> impl Iterator<Item = usize> {
        self.rotors.iter().map(|(_, rotor)| rotor.position)
    }

    fn own_positions(&self, by: &MovedBy<T>) -> Range<usize> {
        match by {
            MovedBy::Joint(axis) => axis.position..axis.position + axis.kind.count(),
            MovedBy::Closure { .. } => 0..0,
        }
    }

    /// Makes the bodies of a tree that has [joints](Self::joint_positions) and rotors only, none if a coordinate turns rotors on
    /// several links; `drive` says which coordinate moves a position, none if its motion is given.
    #[inline(never)]
    pub fn articulated_bodies(&self, drive: impl Fn(usize) -> Option<Drive<T>>) -> Option<ArticulatedBodies<T>> {
        let (zero, mut pivots) = (Vector3::zeros(), Vec::<Pivot<T>>::new());
        let mut bodies = Vec::with_capacity(self.links.len());
        let pivot = |owner: Owner<T>, drive: Drive<T>, moves: Moves| {
            let (axis, load, inverse) = ([zero; 2], Load::none(), T::zero());
            Pivot { owner, drive, moves, axis, load, inverse }
        };
        for (k, link) in self.links.iter().enumerate() {
            let MovedBy::Joint(axis) = &link.by else { continue };
            let first = pivots.len();
            let moves = match axis.kind {
                JointKind::Revolute | JointKind::Spherical => Moves::Turn,
                JointKind::Prismatic => Moves::Slide,
                JointKind::Free | JointKind::Wheel | JointKind::WheelSet => Moves::Both,
            };
            for (i, position) in self.own_positions(&link.by).enumerate() {
                pivots.extend(drive(position).map(|drive| pivot(Owner::Joint(axis.first + i), drive, moves)));
            }
            for (_, rotor) in self.rotors.iter().filter(|(carrier, _)| *carrier == k) {
                let Some(drive) = drive(rotor.position) else { continue };
                let own = rotor.e * (rotor.J * drive.ratio);
                match pivots.iter().position(|pivot| pivot.drive.coordinate == drive.coordinate) {
                    None => pivots.push(pivot(Owner::Rotors(own), drive, Moves::Nothing)),
                    Some(known) => match &mut pivots[known].owner {
                        Owner::Rotors(sum) if known >= first => *sum += own,
                        _ => return None,
                    },
                }
            }
            bodies.push(ArticulatedBody {
                parent: axis.parent,
                pivots: first..pivots.len(),
                r: zero,
                inertia: ArticulatedInertia::rigid(&Inertia::none()),
                own: InertiaSize::of(&link.own),
                rigid: InertiaSize::of(&link.own),
                load: Load::none(),
                is_loaded: false,
                acceleration: [zero; 2],
            });
        }
        Some(ArticulatedBodies { bodies, pivots, rigid: Vec::new() })
    }
}

impl<T: Scalar> MassSolver<T> for ArticulatedBodies<T> {
    fn prepare(&mut self, tree: &Tree<T>, workspace: &mut Workspace<T>) -> Result<(), usize> {
        tree.resolve_open(workspace);
        let Workspace { composites, axes, motions, .. } = workspace;
        let Self { bodies, pivots, rigid: known } = self;
        known.clear();
        for (body, (own, r)) in bodies.iter_mut().zip(&*composites) {
            (body.inertia, body.r, body.rigid) = (ArticulatedInertia::rigid(own), *r, body.own);
        }
        for k in (0..bodies.len()).rev() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { parent, pivots: own, r, inertia, rigid, .. } = &mut rest[0];
            for pivot in pivots[own.clone()].iter_mut().rev() {
                let Drive { ratio, J, coordinate } = pivot.drive;
                if let Owner::Joint(velocity) = pivot.owner {
                    pivot.axis = axes[velocity].map(|axis| axis * ratio);
                }
                pivot.load = inertia.load(&pivot.axis, pivot.moves);
                if let Owner::Rotors(own) = &pivot.owner {
                    pivot.load.t = motions[k].T.tr_mul(own);
                }
                let mass = pivot.along(&pivot.load) + J;
                let [s, z] = pivot.axis.map(|axis| axis.map(value));
                let is_enough = |most: f64| value(mass) > SINGULAR * (most + value(J));
                if !is_enough(rigid.most(&s, &z, pivot.moves)) {
                    rigid_inertias(tree, composites, known);
                    let Load { f, t } = known[k].load(&s, &z);
                    if !is_enough(s.dot(&f) + z.dot(&t)) {
                        return Err(coordinate);
                    }
                }
                pivot.inverse = T::one() / mass;
                inertia.eliminate_joint(&pivot.load, pivot.inverse);
            }
            if let Some(parent) = *parent {
                before[parent].inertia.add_moved(inertia, r);
                before[parent].rigid.add_moved(rigid, &r.map(value));
            }
        }
        Ok(())
    }

    fn solve(&mut self, loads: &mut [T]) {
        self.halve(loads);
        let Self { bodies, pivots, .. } = self;
        for k in 0..bodies.len() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { parent, pivots: own, r, acceleration, .. } = &mut rest[0];
            let [mut s, mut z] = parent.map_or([Vector3::zeros(); 2], |parent| before[parent].acceleration);
            s += z.cross(r);
            for pivot in &pivots[own.clone()] {
                let load = &mut loads[pivot.drive.coordinate];
                let y = (*load - pivot.load.f.dot(&s) - pivot.load.t.dot(&z)) * pivot.inverse;
                *load = y;
                let [by_s, by_z] = &pivot.axis;
                match pivot.moves {
                    Moves::Nothing => {}
                    Moves::Turn => z += by_z * y,
                    Moves::Slide => s += by_s * y,
                    Moves::Both => {
                        s += by_s * y;
                        z += by_z * y;
                    }
                }
            }
            *acceleration = [s, z];
        }
    }

    fn halve(&mut self, loads: &mut [T]) {
        let Self { bodies, pivots, .. } = self;
        for body in bodies.iter_mut() {
            (body.load, body.is_loaded) = (Load::none(), false);
        }
        let is_zero = |load: T| value(load) == 0.0 && load.tangent() == 0.0;
        for k in (0..bodies.len()).rev() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { parent, pivots: own, r, load, is_loaded, .. } = &mut rest[0];
            let pivots = &pivots[own.clone()];
            if !*is_loaded && pivots.iter().all(|pivot| is_zero(loads[pivot.drive.coordinate])) {
                continue;
            }
            for pivot in pivots.iter().rev() {
                let left = &mut loads[pivot.drive.coordinate];
                *left -= pivot.along(load);
                let by = *left * pivot.inverse;
                load.f += pivot.load.f * by;
                load.t += pivot.load.t * by;
            }
            if let Some(parent) = *parent {
                let parent = &mut before[parent];
                parent.is_loaded = true;
                parent.load.f += load.f;
                parent.load.t += load.t + r.cross(&load.f);
            }
        }
    }

    fn divide(&self, halves: &mut [T]) {
        self.pivots.iter().for_each(|pivot| halves[pivot.drive.coordinate] *= pivot.inverse);
    }

    fn clone_box(&self) -> Box<dyn MassSolver<T>> {
        Box::new(self.clone())
    }
}

/// Computes the inertias of all links if nothing behind them gives way, unless they are known.
#[cold]
#[inline(never)]
fn rigid_inertias<T: Scalar>(tree: &Tree<T>, own: &[(Inertia<T>, Vector3<T>)], known: &mut Vec<Inertia<f64>>) {
    if !known.is_empty() {
        return;
    }
    let in_values =
        |Inertia { m, c, I: inertia }: &Inertia<T>| Inertia { m: value(*m), c: c.map(value), I: inertia.map(value) };
    known.extend(own.iter().map(|(own, _)| in_values(own)));
    for (k, link) in tree.links.iter().enumerate().rev() {
        if let MovedBy::Joint(Axis { parent: Some(parent), .. }) = &link.by {
            let behind = known[k];
            known[*parent].add(&behind, &own[k].1.map(value));
        }
    }
}

impl<T: Scalar> Pivot<T> {
    /// Returns the part of a load that the joint takes.
    #[inline]
    fn along(&self, load: &Load<T>) -> T {
        let [s, z] = &self.axis;
        match self.moves {
            Moves::Nothing => T::zero(),
            Moves::Turn => z.dot(&load.t),
            Moves::Slide => s.dot(&load.f),
            Moves::Both => s.dot(&load.f) + z.dot(&load.t),
        }
    }
}
