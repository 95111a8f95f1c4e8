//! The mass matrix of a tree.
//!
//! Where no assembly depends on a joint, all links behind it are rigid while it alone accelerates: the composite-rigid-body
//! method (R. Featherstone, Rigid Body Dynamics Algorithms, 6.2). Other columns follow from the motion of all links.

use nalgebra::{Matrix3, Vector3};

use super::joint::JointKind;
use super::link::{Axis, Inertia, LinkPose, MovedBy, UnitResponse, add, carried};
use super::{Closed, Closure, Tree, Workspace};
use crate::Scalar;
use crate::motion::Motion;

/// Returns the entry of M between two joints, or a joint and a rotor. It stands for both orders of the two, which are the same
/// where gears or shafts give them one position.
pub(super) fn between<T: Scalar>(positions: [usize; 2], mass: T) -> T {
    if positions[0] == positions[1] { mass + mass } else { mass }
}

impl<T: Scalar> Inertia<T> {
    /// Resolves in the world frame the inertia of a link with this rotation matrix.
    #[inline]
    pub(super) fn resolved(&self, rotation: &Matrix3<T>) -> Self {
        let by_axes = self.I * rotation;
        let at = |row: usize, column: usize| rotation.column(row).dot(&by_axes.column(column));
        let (xy, yz, zx) = (at(0, 1), at(1, 2), at(2, 0));
        let inertia = Matrix3::new(at(0, 0), xy, zx, xy, at(1, 1), yz, zx, yz, at(2, 2));
        Self { m: self.m, c: rotation.tr_mul(&self.c), I: inertia }
    }
}

impl<T: Scalar> Closed<T> {
    /// Computes how the assembly accelerates with its outer frames; these are those of links at rest.
    pub(super) fn accelerate(&mut self, ends: [Option<[Vector3<T>; 2]>; 2]) {
        let zero = Vector3::zeros();
        let rest = |motion: &Motion<T>, unit: Option<[Vector3<T>; 2]>| {
            let [s, z] = unit.unwrap_or([zero; 2]);
            Motion { v_0: zero, w: zero, a_0: motion.T.tr_mul(&s), z, ..*motion }
        };
        let (at_rest, pose) = &mut self.unit;
        for ((at_rest, end), unit) in at_rest.iter_mut().zip(&self.ends).zip(ends) {
            *at_rest = rest(end, unit);
        }
        // The loop is closed in the same position as before.
        if self.assembly.write_pose(at_rest, &self.assembly_branch, pose).is_err() {
            *pose = None;
        }
    }
}

impl<T: Scalar> Tree<T> {
    /// Passes the entries of M: two positions of joints and rotors in one of both orders, or twice the same one, with their entry,
    /// in kg.m2, kg.m or kg. Entries of the same positions are to be added. Also finds the [slopes](Workspace::slopes) of
    /// assemblies.
    pub fn masses(&self, workspace: &mut Workspace<T>, mut pass: impl FnMut([usize; 2], T)) {
        self.open_masses(workspace, &mut pass);
        self.open_rotor_masses(workspace, &mut pass);
        let Workspace { poses, given, units, closures, slopes, .. } = workspace;
        slopes.clear();
        let columns = self.links.iter().enumerate().filter_map(|(j, link)| match &link.by {
            MovedBy::Joint(column) => (!column.is_open).then_some((j, column)),
            MovedBy::Closure { .. } => None,
        });
        for (j, column, i) in columns.flat_map(|(j, column)| (0..column.kind.count()).map(move |i| (j, column, i))) {
            let position = column.position + i;
            let links = || column.touched.iter().cloned().flatten();
            for k in links() {
                let unit = |units: &[UnitResponse<T>], (link, pose): &LinkPose<T>| {
                    link.filter(|link| *link >= j && units[*link].moves).map(|link| units[link].at(pose))
                };
                let accelerations = match &self.links[k].by {
                    MovedBy::Joint(axis) if k == j => Some(axis.unit(i, given)),
                    MovedBy::Joint(axis) => unit(units, &(axis.parent, poses[k])),
                    MovedBy::Closure { closure, inner } => {
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
                units[k] = accelerations.map_or_else(UnitResponse::still, |[s, z]| UnitResponse {
                    moves: true,
                    s,
                    z,
                    load: self.links[k].own.load(&s, &z),
                });
            }
            self.rotor_masses(units, &column.touched, position, &mut pass);
            for k in links().rev() {
                match &self.links[k].by {
                    MovedBy::Joint(axis) => {
                        for row in if k == j { i } else { 0 }..axis.kind.count() {
                            let positions = [axis.position + row, position];
                            let mass = axis.along(row, given, &units[k].load);
                            pass(positions, if k == j && row == i { mass } else { between(positions, mass) });
                        }
                        if let Some(parent) = axis.parent.filter(|parent| *parent >= j) {
                            let load = carried(&units[k].load, &poses[k]);
                            add(&mut units[parent].load, &load);
                        }
                    }
                    MovedBy::Closure { closure, inner: 0 } => {
                        self.pass_on(&self.closures[*closure], &closures[*closure], units, j);
                    }
                    MovedBy::Closure { .. } => {}
                }
            }
        }
    }

    /// Returns the joint of a link if no assembly depends on it.
    pub(super) fn open(&self, link: usize) -> Option<&Axis<T>> {
        match &self.links[link].by {
            MovedBy::Joint(axis) => Some(axis).filter(|axis| axis.is_open),
            MovedBy::Closure { .. } => None,
        }
    }

    /// Resolves in the world frame the links that joints move, perhaps only those of joints on which no assembly depends.
    pub(super) fn resolve_joints(&self, workspace: &mut Workspace<T>, only_open: bool) {
        let Workspace { motions, poses, given, composites, axes, .. } = workspace;
        for (k, link) in self.links.iter().enumerate() {
            let MovedBy::Joint(axis) = &link.by else { continue };
            if only_open && !axis.is_open {
                continue;
            }
            let rotation = &motions[k].T;
            if axis.kind == JointKind::Revolute {
                axes[axis.first] = [Vector3::zeros(), rotation.tr_mul(&axis.e)];
            } else {
                for i in 0..axis.kind.count() {
                    axes[axis.first + i] = axis.unit(i, given).map(|unit| rotation.tr_mul(&unit));
                }
            }
            let r = &poses[k].r;
            composites[k] = (link.own.resolved(rotation), axis.parent.map_or(*r, |parent| motions[parent].T.tr_mul(r)));
        }
    }

    /// Passes the columns of joints on which no assembly depends, up to the first one before them on which one does.
    fn open_masses(&self, workspace: &mut Workspace<T>, pass: &mut impl FnMut([usize; 2], T)) {
        self.resolve_joints(workspace, true);
        let Workspace { composites, axes, .. } = workspace;
        for k in (0..self.links.len()).rev() {
            let Some(axis) = self.open(k) else { continue };
            let (own, r) = composites[k];
            for i in 0..axis.kind.count() {
                let [s, z] = &axes[axis.first + i];
                let mut load = own.load(s, z);
                let (mut row, mut first, mut r) = (axis, i, r);
                loop {
                    for j in first..row.kind.count() {
                        let [s, z] = &axes[row.first + j];
                        let positions = [row.position + j, axis.position + i];
                        let mass = s.dot(&load.f) + z.dot(&load.t);
                        let is_own = row.first + j == axis.first + i;
                        pass(positions, if is_own { mass } else { between(positions, mass) });
                    }
                    let Some((parent, next)) = row.parent.and_then(|parent| Some((parent, self.open(parent)?))) else {
                        break;
                    };
                    load.t += r.cross(&load.f);
                    (row, first, r) = (next, 0, composites[parent].1);
                }
            }
            if let Some(parent) = axis.parent.filter(|parent| self.open(*parent).is_some()) {
                composites[parent].0.add(&own, &r);
            }
        }
    }

    /// Adds the loads at the outer frames of an assembly to those of links from number `first` on.
    fn pass_on(&self, closure: &Closure<T>, closed: &Closed<T>, units: &mut [UnitResponse<T>], first: usize) {
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
