//! The articulated bodies of a tree, and which coordinates are in clusters.

use nalgebra::Vector3;

use super::Tree;
use super::articulated::{ArticulatedBodies, ArticulatedBody};
use super::articulated_inertia::{ArticulatedInertia, InertiaSize, Moves};
use super::cluster::Cluster;
use super::cluster_plan::{ClusterPlan, Extent, PlannedCluster};
use super::joint::JointKind;
use super::link::{Inertia, MovedBy};
use super::pivot::{Drive, Owner, Pivot};
use crate::Scalar;
use crate::frame::Load;

/// The coordinates of a tree, for its articulated bodies.
pub struct TreeCoordinates<'a, T> {
    /// Their number.
    pub count: usize,
    /// Returns the coordinates that move a position, with its velocity by theirs; none if its motion is given.
    pub drives: &'a dyn Fn(usize) -> Vec<(usize, T)>,
    /// Returns the inertia that two coordinates share without the mechanism, or that of one, in kg.m2, kg.m or kg.
    pub inertia: &'a dyn Fn(usize, usize) -> T,
    /// Sets of coordinates that belong together.
    pub tied: &'a [Vec<usize>],
}

impl<T: Scalar> Tree<T> {
    /// Makes the bodies of a tree, none if a coordinate in a cluster moves no joint.
    #[inline(never)]
    pub fn articulated_bodies(&self, coordinates: &TreeCoordinates<'_, T>) -> Option<ArticulatedBodies<T>> {
        let zero = Vector3::zeros();
        let inertias = self.inertias();
        let (mut bodies, mut pivots) = (Vec::with_capacity(inertias.len()), Vec::<Pivot<T>>::new());
        #[allow(non_snake_case)]
        let drives = |position: usize| {
            (coordinates.drives)(position).into_iter().map(|(coordinate, ratio)| {
                let J = (coordinates.inertia)(coordinate, coordinate);
                Drive { coordinate, ratio, J }
            })
        };
        for (k, own) in inertias.iter().enumerate() {
            let first = pivots.len();
            let moves = match self.links.get(k).map(|link| &link.by) {
                None => Moves::Slide,
                Some(MovedBy::Closure { .. }) => Moves::Both,
                Some(MovedBy::Joint(axis)) => match axis.kind {
                    JointKind::Revolute | JointKind::Spherical => Moves::Turn,
                    JointKind::Prismatic => Moves::Slide,
                    JointKind::Free | JointKind::Wheel | JointKind::WheelSet => Moves::Both,
                },
            };
            for (position, axis) in self.axes_of(k) {
                pivots.extend(drives(position).map(|drive| Pivot::new(Owner::Joint(axis), k, drive, moves)));
            }
            for (_, rotor) in self.rotors.iter().filter(|(carrier, _)| *carrier == k) {
                pivots.extend(drives(rotor.position).map(|drive| {
                    Pivot::new(Owner::Rotor(rotor.e * (rotor.J * drive.ratio)), k, drive, Moves::Nothing)
                }));
            }
            bodies.push(ArticulatedBody {
                pivots: first..pivots.len(),
                closing: Vec::new(),
                columns: 0..0,
                to_parent: None,
                r: zero,
                inertia: ArticulatedInertia::rigid(&Inertia::none()),
                own: InertiaSize::of(own),
                rigid: InertiaSize::of(own),
                load: Load::none(),
                is_loaded: false,
                acceleration: [zero; 2],
            });
        }
        let mut made = ArticulatedBodies {
            parents: (0..bodies.len()).map(|k| self.carrier(k)).collect(),
            bodies,
            pivots,
            clusters: Vec::new(),
            places: vec![None; coordinates.count],
            at_world: Vec::new(),
            columns: Vec::new(),
            couplings: Vec::new(),
            rigid: Vec::new(),
        };
        made.place_clusters(coordinates)?;
        Some(made)
    }
}

impl<T: Scalar> ArticulatedBodies<T> {
    /// Makes the clusters, and finds where their loads are.
    fn place_clusters(&mut self, coordinates: &TreeCoordinates<'_, T>) -> Option<()> {
        let parents = self.parents.clone();
        let moved: Vec<_> = self.pivots.iter().map(|pivot| (pivot.link, pivot.drive.coordinate)).collect();
        let ClusterPlan { clusters, open } = ClusterPlan::new(coordinates.count, &parents, &moved, coordinates.tied)?;
        let mut columns = 0;
        let mut reserve = |count: usize| {
            columns += count;
            columns - count..columns
        };
        for (number, PlannedCluster { coordinates: own, extent: Extent { last, is_own } }) in
            clusters.iter().enumerate()
        {
            own.iter().enumerate().for_each(|(place, k)| self.places[*k] = Some((number, place)));
            let place = if last.is_some() { reserve(own.len()) } else { 0..0 };
            match last {
                None => self.at_world.push(number),
                Some(k) if *is_own => self.bodies[*k].columns = place.clone(),
                Some(k) => self.bodies[*k].closing.push(number),
            }
            self.clusters.push(Cluster::new(own.clone(), place, coordinates.inertia));
        }
        let mut couplings = 0;
        for (k, parent) in parents.iter().enumerate() {
            let own = &mut self.pivots[self.bodies[k].pivots.clone()];
            own.iter_mut().for_each(|pivot| pivot.member = self.places[pivot.drive.coordinate]);
            let Some(cluster) = open[k] else { continue };
            let (last, count) = (clusters[cluster].extent.last, clusters[cluster].coordinates.len());
            let mut is_closed = last == Some(k);
            for pivot in own {
                if pivot.member.is_some() {
                    pivot.closes = std::mem::take(&mut is_closed);
                } else if !is_closed {
                    pivot.passes = Some((cluster, couplings..couplings + count));
                    couplings += count;
                }
            }
            if last == Some(k) {
                continue;
            }
            self.bodies[k].columns = reserve(count);
            self.bodies[k].to_parent = parent.map(|parent| match last {
                Some(last) if last == parent => self.clusters[cluster].columns.start,
                _ => self.bodies[parent].columns.start,
            });
        }
        self.columns = vec![Load::none(); columns];
        self.couplings = vec![T::zero(); couplings];
        Some(())
    }
}
