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
//!
//! The links of an assembly are bodies on the last link that has both of its ends behind it, moved by each joint between
//! (`assembly_bodies.rs`).
//!
//! Coordinates of several joints, those of rings, and those that move links of an assembly are eliminated later, in clusters
//! (`cluster.rs`). A joint on which one is open has h for its coordinates, and y = (u - U.a - h.y_cluster) / D.

use std::fmt;
use std::ops::Range;

use nalgebra::Vector3;

use super::Workspace;
use super::articulated_inertia::{ArticulatedInertia, InertiaSize};
use super::cluster::Cluster;
use super::link::Inertia;
use super::pivot::{Drive, Owner, Pivot};
use crate::factor::SINGULAR;
use crate::frame::Load;
use crate::null_space::NullSpace;
use crate::{Scalar, value, vanishes};

/// A solver of equations with the mass matrix of a tree. Behind a trait, since a library without mechanisms is to be without
/// [`ArticulatedBodies`].
pub trait MassSolver<T: Scalar>: Send + Sync {
    /// Removes all inertias that are [coupled](Self::couple).
    fn begin(&mut self);

    /// Adds an inertia that two coordinates of a cluster share, or twice the same one, in kg.m2, kg.m or kg.
    fn couple(&mut self, coordinates: [usize; 2], inertia: T);

    /// Prepares for the place of all links, which is [resolved](super::Tree::resolve).
    ///
    /// # Errors
    ///
    /// Returns a coordinate that moves nothing that has inertia.
    fn prepare(&mut self, workspace: &Workspace<T>) -> Result<(), usize>;

    /// Replaces generalised loads on the coordinates by their accelerations, with the drift that conditions need if `drifts`.
    fn solve(&mut self, loads: &mut [T], drifts: bool);

    /// Replaces generalised loads on the coordinates by those that are left to each once all behind it gives way,
    /// u = L^-1 tau: half of the solution.
    fn halve(&mut self, loads: &mut [T]);

    /// Divides such loads by the inertias that are left, D^-1 u: products of that with other u are those of accelerations
    /// with loads.
    fn divide(&self, halves: &mut [T]);

    /// Returns the number of the cluster of a coordinate, if it has one.
    fn cluster_of(&self, coordinate: usize) -> Option<usize>;

    /// Returns the coordinates of a cluster, in rising order.
    fn coordinates(&self, cluster: usize) -> &[usize];

    /// Returns the conditions on the rates of a cluster.
    fn null_space(&mut self, cluster: usize) -> &mut NullSpace<T>;

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
    /// One for each link, then those of point masses.
    pub(super) bodies: Vec<ArticulatedBody<T>>,
    /// For each body, the one that carries it.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) pivots: Vec<Pivot<T>>,
    pub(super) clusters: Vec<Cluster<T>>,
    /// For each coordinate, its cluster with its place there.
    pub(super) places: Vec<Option<(usize, usize)>>,
    /// The clusters whose last link is the world.
    pub(super) at_world: Vec<usize>,
    /// F of the clusters that are open at links.
    pub(super) columns: Vec<Load<T>>,
    /// h of joints that are eliminated while clusters are open.
    pub(super) couplings: Vec<T>,
    /// For each body, the inertia if nothing behind it gives way; nothing unless it was asked for at this point.
    pub(super) rigid: Vec<Inertia<f64>>,
}

#[derive(Clone, Debug)]
pub(super) struct ArticulatedBody<T: Scalar> {
    pub pivots: Range<usize>,
    /// The clusters whose last link this is, none of whose joints is its own.
    pub closing: Vec<usize>,
    /// Place of F of the cluster that is open here.
    pub columns: Range<usize>,
    /// Where F of the parent begins, if the cluster stays open.
    pub to_parent: Option<usize>,
    /// Place of the origin, seen from that of the parent, resolved in the world frame.
    pub r: Vector3<T>,
    pub inertia: ArticulatedInertia<T>,
    /// Size of the link's own inertia.
    pub own: InertiaSize,
    /// Limit of the size of the inertia if nothing behind the link gives way.
    pub rigid: InertiaSize,
    /// Load p that the loads behind the link need, none if there are no such loads.
    pub load: Load<T>,
    pub is_loaded: bool,
    /// Linear and angular acceleration.
    pub acceleration: [Vector3<T>; 2],
}

impl<T: Scalar> MassSolver<T> for ArticulatedBodies<T> {
    fn begin(&mut self) {
        self.clusters.iter_mut().for_each(Cluster::begin);
    }

    fn couple(&mut self, [one, other]: [usize; 2], inertia: T) {
        if let (Some((cluster, one)), Some((_, other))) = (self.places[one], self.places[other]) {
            self.clusters[cluster].couple(one, other, inertia);
        }
    }

    fn prepare(&mut self, workspace: &Workspace<T>) -> Result<(), usize> {
        let Workspace { composites, axes, motions, .. } = workspace;
        let Self { bodies, parents, pivots, clusters, at_world, columns, couplings, rigid: known, .. } = self;
        known.clear();
        columns.fill(Load::none());
        for (body, (own, r)) in bodies.iter_mut().zip(composites) {
            (body.inertia, body.r, body.rigid) = (ArticulatedInertia::rigid(own), *r, body.own);
        }
        let eliminate = |clusters: &mut [Cluster<T>],
                         pivots: &[Pivot<T>],
                         known: &mut Vec<Inertia<f64>>,
                         columns: &[Load<T>],
                         i: usize,
                         inertia: Option<&mut ArticulatedInertia<T>>| {
            let cluster = &mut clusters[i];
            let own = &columns[cluster.columns.clone()];
            cluster.eliminate(own, inertia, &mut |coordinates, most| {
                rigid_inertias(parents, composites, known);
                most.fill(0.0);
                for pivot in pivots {
                    if let Ok(k) = coordinates.binary_search(&pivot.drive.coordinate) {
                        most[k] += most_along(pivot, &known[pivot.link]);
                    }
                }
            })
        };
        for k in (0..bodies.len()).rev() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { pivots: own, closing, columns: open, to_parent, r, inertia, rigid, .. } =
                &mut rest[0];
            for i in &*closing {
                eliminate(clusters, pivots, known, columns, *i, Some(inertia))?;
            }
            for i in own.clone().rev() {
                let pivot = &mut pivots[i];
                let Drive { ratio, J, coordinate } = pivot.drive;
                if let Owner::Joint(velocity) = pivot.owner {
                    pivot.axis = axes[velocity].map(|axis| axis * ratio);
                }
                pivot.load = inertia.load(&pivot.axis, pivot.moves);
                if let Owner::Rotor(own) = &pivot.owner {
                    pivot.load.t = motions[k].T.tr_mul(own);
                }
                let [s, z] = pivot.axis.map(|axis| axis.map(value));
                let most = rigid.most(&s, &z, pivot.moves);
                if let Some((cluster, place)) = pivot.member {
                    clusters[cluster].open(place, pivot, &mut columns[open.clone()], most);
                    if pivot.closes {
                        eliminate(clusters, pivots, known, columns, cluster, Some(inertia))?;
                    }
                    continue;
                }
                let mass = pivot.along(&pivot.load) + J;
                let is_enough = |most: f64| value(mass) > SINGULAR * (most + value(J));
                if !is_enough(most) {
                    rigid_inertias(parents, composites, known);
                    if !is_enough(most_along(pivot, &known[k])) {
                        return Err(coordinate);
                    }
                }
                pivot.inverse = T::one() / mass;
                if let Some((cluster, place)) = &pivot.passes {
                    clusters[*cluster].pass(pivot, &mut columns[open.clone()], &mut couplings[place.clone()]);
                }
                inertia.eliminate_joint(&pivot.load, pivot.inverse);
            }
            if let Some(parent) = parents[k] {
                before[parent].inertia.add_moved(inertia, r);
                before[parent].rigid.add_moved(rigid, &r.map(value));
            }
            if let Some(to) = *to_parent {
                for (i, from) in open.clone().enumerate() {
                    let Load { f, t } = columns[from];
                    columns[to + i].f += f;
                    columns[to + i].t += t + r.cross(&f);
                }
            }
        }
        at_world.iter().try_for_each(|i| eliminate(clusters, pivots, known, columns, *i, None))
    }

    fn solve(&mut self, loads: &mut [T], drifts: bool) {
        self.halve_all(loads, drifts);
        let Self { bodies, parents, pivots, clusters, at_world, couplings, .. } = self;
        for i in &*at_world {
            clusters[*i].accelerate(loads, &[Vector3::zeros(); 2], drifts);
        }
        for (k, parent) in parents.iter().enumerate() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { pivots: own, closing, r, acceleration, .. } = &mut rest[0];
            let mut a = parent.map_or([Vector3::zeros(); 2], |parent| before[parent].acceleration);
            a[0] += a[1].cross(r);
            for pivot in &pivots[own.clone()] {
                let k = pivot.drive.coordinate;
                if let Some((cluster, _)) = pivot.member {
                    if pivot.closes {
                        clusters[cluster].accelerate(loads, &a, drifts);
                    }
                } else {
                    let mut left = loads[k] - pivot.load.f.dot(&a[0]) - pivot.load.t.dot(&a[1]);
                    if let Some((cluster, place)) = &pivot.passes {
                        let of_cluster = clusters[*cluster].coordinates.iter().zip(&couplings[place.clone()]);
                        left = of_cluster.fold(left, |left, (k, h)| left - loads[*k] * *h);
                    }
                    loads[k] = left * pivot.inverse;
                }
                pivot.accelerate(&mut a, loads[k]);
            }
            for i in &*closing {
                clusters[*i].accelerate(loads, &a, drifts);
            }
            *acceleration = a;
        }
    }

    fn halve(&mut self, loads: &mut [T]) {
        self.halve_all(loads, false);
    }

    fn divide(&self, halves: &mut [T]) {
        let single = self.pivots.iter().filter(|pivot| pivot.member.is_none());
        single.for_each(|pivot| halves[pivot.drive.coordinate] *= pivot.inverse);
    }

    fn cluster_of(&self, coordinate: usize) -> Option<usize> {
        self.places[coordinate].map(|(cluster, _)| cluster)
    }

    fn coordinates(&self, cluster: usize) -> &[usize] {
        &self.clusters[cluster].coordinates
    }

    fn null_space(&mut self, cluster: usize) -> &mut NullSpace<T> {
        &mut self.clusters[cluster].space
    }

    fn clone_box(&self) -> Box<dyn MassSolver<T>> {
        Box::new(self.clone())
    }
}

impl<T: Scalar> ArticulatedBodies<T> {
    /// True if a coordinate moves a joint or a rotor.
    pub fn moves(&self, coordinate: usize) -> bool {
        self.pivots.iter().any(|pivot| pivot.drive.coordinate == coordinate)
    }

    /// Returns the number of coordinates in the largest cluster.
    pub fn largest_cluster(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.coordinates.len()).max().unwrap_or_default()
    }

    /// Returns the number of velocities of joints, rotors and links of assemblies by coordinates.
    pub fn velocities(&self) -> usize {
        self.pivots.len()
    }

    /// Does the way inwards, also for the drift of conditions if `drifts`.
    fn halve_all(&mut self, loads: &mut [T], drifts: bool) {
        let Self { bodies, parents, pivots, clusters, at_world, columns, couplings, .. } = self;
        for body in bodies.iter_mut() {
            (body.load, body.is_loaded) = (Load::none(), drifts);
        }
        for k in (0..bodies.len()).rev() {
            let (before, rest) = bodies.split_at_mut(k);
            let ArticulatedBody { pivots: own, closing, r, load, is_loaded, .. } = &mut rest[0];
            let pivots = &pivots[own.clone()];
            for i in &*closing {
                let cluster = &mut clusters[*i];
                if drifts || cluster.is_loaded(loads) {
                    *is_loaded = true;
                    cluster.halve(&columns[cluster.columns.clone()], loads, load, drifts);
                }
            }
            if !*is_loaded && pivots.iter().all(|pivot| vanishes(loads[pivot.drive.coordinate])) {
                continue;
            }
            for pivot in pivots.iter().rev() {
                let left = &mut loads[pivot.drive.coordinate];
                *left -= pivot.along(load);
                if let Some((cluster, _)) = pivot.member {
                    if pivot.closes {
                        let cluster = &mut clusters[cluster];
                        cluster.halve(&columns[cluster.columns.clone()], loads, load, drifts);
                    }
                    continue;
                }
                let by = *left * pivot.inverse;
                if let Some((cluster, place)) = &pivot.passes {
                    let of_cluster = clusters[*cluster].coordinates.iter().zip(&couplings[place.clone()]);
                    of_cluster.for_each(|(k, h)| loads[*k] -= *h * by);
                }
                load.f += pivot.load.f * by;
                load.t += pivot.load.t * by;
            }
            if let Some(parent) = parents[k] {
                let parent = &mut before[parent];
                parent.is_loaded = true;
                parent.load.f += load.f;
                parent.load.t += load.t + r.cross(&load.f);
            }
        }
        for i in &*at_world {
            clusters[*i].halve(&[], loads, &mut Load::none(), drifts);
        }
    }
}

/// Returns the inertia along a velocity of a link if nothing behind it gives way.
fn most_along<T: Scalar>(pivot: &Pivot<T>, rigid: &Inertia<f64>) -> f64 {
    let [s, z] = pivot.axis.map(|axis| axis.map(value));
    let Load { f, t } = rigid.load(&s, &z);
    s.dot(&f) + z.dot(&t)
}

/// Computes the inertias of all bodies if nothing behind them gives way, unless they are known.
#[cold]
#[inline(never)]
fn rigid_inertias<T: Scalar>(
    parents: &[Option<usize>],
    own: &[(Inertia<T>, Vector3<T>)],
    known: &mut Vec<Inertia<f64>>,
) {
    if !known.is_empty() {
        return;
    }
    let in_values =
        |Inertia { m, c, I: inertia }: &Inertia<T>| Inertia { m: value(*m), c: c.map(value), I: inertia.map(value) };
    known.extend(own.iter().map(|(own, _)| in_values(own)));
    for (k, parent) in parents.iter().enumerate().rev() {
        if let Some(parent) = parent {
            let behind = known[k];
            known[*parent].add(&behind, &own[k].1.map(value));
        }
    }
}
