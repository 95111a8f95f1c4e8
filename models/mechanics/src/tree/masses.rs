//! The matrix of masses, column by column.

use nalgebra::Vector3;

use super::link::{By, Place, Unit, add, carried};
use super::{Closed, Closure, Room, Tree};
use crate::Scalar;
use crate::motion::Motion;

impl<T: Scalar> Closed<T> {
    /// Finds how it accelerates with its ends; these are those of links at rest.
    fn accelerate(&mut self, ends: [Option<[Vector3<T>; 2]>; 2]) {
        let zero = Vector3::zeros();
        let rest = |motion: &Motion<T>, unit: Option<[Vector3<T>; 2]>| {
            let [s, z] = unit.unwrap_or([zero; 2]);
            Motion { v_0: zero, w: zero, a_0: motion.T.tr_mul(&s), z, ..*motion }
        };
        let ends = [rest(&self.ends[0], ends[0]), rest(&self.ends[1], ends[1])];
        // The same place at which the loop was closed.
        self.unit = (ends, self.assembly.pose(&ends, &self.posture).ok());
    }
}

impl<T: Scalar> Tree<T> {
    /// Passes M: two positions of joints, or twice the same one, with their element, in kg.m2, kg.m or kg. Also finds the
    /// [slopes](Room::slopes) of assemblies.
    pub fn masses(&self, room: &mut Room<T>, mut pass: impl FnMut([usize; 2], T)) {
        let Room { poses, given, units, closures, slopes, .. } = room;
        slopes.clear();
        let columns = self.links.iter().enumerate().filter_map(|(j, link)| match &link.by {
            By::Joint(column) => Some((j, column)),
            By::Closure { .. } => None,
        });
        for (j, column, i) in columns.flat_map(|(j, column)| (0..column.kind.count()).map(move |i| (j, column, i))) {
            let position = column.position + i;
            let links = || column.touched.iter().cloned().flatten();
            for k in links() {
                let unit = |units: &[Unit<T>], (link, pose): &Place<T>| {
                    link.filter(|link| *link >= j && units[*link].moves).map(|link| units[link].at(pose))
                };
                let accelerations = match &self.links[k].by {
                    By::Joint(axis) if k == j => Some(axis.unit(i, given)),
                    By::Joint(axis) => unit(units, &(axis.parent, poses[k])),
                    By::Closure { closure, inner } => {
                        let closed = &mut closures[*closure];
                        let ends = self.closures[*closure].ends.each_ref().map(|end| unit(units, end));
                        let moves = ends.iter().any(Option::is_some);
                        if *inner == 0 {
                            closed.accelerate(ends);
                            if let (Some(pose), true) = (&closed.unit.1, moves) {
                                slopes.push((*closure, position, pose.x().a));
                            }
                        }
                        let pose = closed.unit.1.as_ref().filter(|_| moves);
                        pose.map(|pose| pose.inner()[*inner]).map(|motion| [motion.T * motion.a_0, motion.z])
                    }
                };
                units[k] = accelerations.map_or_else(Unit::still, |[s, z]| Unit {
                    moves: true,
                    s,
                    z,
                    load: self.links[k].load(&s, &z),
                });
            }
            for k in links().rev() {
                match &self.links[k].by {
                    By::Joint(axis) => {
                        for row in 0..axis.kind.count() {
                            let mass = axis.along(row, given, &units[k].load);
                            pass([axis.position + row, position], mass);
                            if k > j {
                                pass([position, axis.position + row], mass);
                            }
                        }
                        if let Some(parent) = axis.parent.filter(|parent| *parent >= j) {
                            let load = carried(&units[k].load, &poses[k]);
                            add(&mut units[parent].load, &load);
                        }
                    }
                    By::Closure { closure, inner: 0 } => {
                        self.pass_on(&self.closures[*closure], &closures[*closure], units, j);
                    }
                    By::Closure { .. } => {}
                }
            }
        }
    }

    /// Adds the loads at the outer frames of an assembly to those of links from number `first` on.
    fn pass_on(&self, closure: &Closure<T>, closed: &Closed<T>, units: &mut [Unit<T>], first: usize) {
        let (ends, Some(pose)) = &closed.unit else { return };
        let inner = closure.inner(|link| units[link].load);
        let loads = closed.assembly.loads(ends, pose, inner, T::zero(), None);
        for ((link, pose), load) in closure.ends.iter().zip([&loads.a, &loads.b]) {
            if let Some(link) = link.filter(|link| *link >= first) {
                add(&mut units[link].load, &carried(load, pose));
            }
        }
    }
}
