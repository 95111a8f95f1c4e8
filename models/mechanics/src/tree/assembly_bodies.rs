//! Assemblies among articulated bodies.
//!
//! The base of an assembly is the last link that has both of its ends behind it. While all joints between base and ends rest,
//! its links and point masses are rigid with the base; so they are bodies on the base, which each of these joints moves:
//!
//! ```text
//! a = a_base moved by r + sum_k S_k y_k      S_k: what the closed loop accelerates by where only joint k does, by 1
//! ```

use nalgebra::Vector3;

use super::assembly_place::{AssemblyPlace, Mover, Path};
use super::link::{Inertia, Link, MovedBy};
use super::{Closure, Tree, Workspace};
use crate::Scalar;
use crate::motion::Motion;

impl<T: Scalar> Tree<T> {
    /// Returns the way between two links, and the last link that carries both.
    pub(super) fn path(&self, [mut a, mut b]: [Option<usize>; 2]) -> (Path, Option<usize>) {
        let mut path = Vec::new();
        // Links lie behind those that move them, so the later one of two is not before the other.
        while a != b {
            let is_b = b > a;
            let last = if is_b { &mut b } else { &mut a };
            let Some(link) = *last else { break };
            path.push((link, is_b));
            *last = self.carrier(link);
        }
        (path, a)
    }

    /// Finds the places of all assemblies.
    pub(super) fn place_assemblies(&mut self) {
        let (mut bodies, mut axes) = (self.links.len(), self.velocities());
        for i in 0..self.closures.len() {
            let Closure { ends, assembly, first, .. } = &self.closures[i];
            let (path, base) = self.path(ends.each_ref().map(|(link, _)| *link));
            let points = assembly.points().len();
            let own = (*first..=first + usize::from(assembly.has_ia())).chain(bodies..bodies + points).collect();
            let mut movers: Vec<Mover> = Vec::new();
            for (link, is_b) in path {
                for (position, axis) in self.axes_of(link) {
                    let moved = (usize::from(is_b), link, axis);
                    match movers.iter_mut().find(|known| known.position == position) {
                        Some(known) => known.links.push(moved),
                        None => movers.push(Mover { position, links: vec![moved] }),
                    }
                }
            }
            let place = AssemblyPlace { base, bodies: own, movers, axes };
            bodies += points;
            axes += place.bodies.len() * place.movers.len();
            self.closures[i].place = place;
        }
    }

    /// Returns the assembly that moves a body, with the number of the body among its own; none if a joint moves it.
    pub(super) fn assembly_of(&self, body: usize) -> Option<(&Closure<T>, usize)> {
        let own = |closure: &Closure<T>| closure.place.bodies.iter().position(|own| *own == body);
        self.closures.iter().find_map(|closure| Some((closure, own(closure)?)))
    }

    /// Returns the link on which a body is: with it the body moves while joints between them rest.
    pub(super) fn carrier(&self, body: usize) -> Option<usize> {
        match self.links.get(body) {
            Some(Link { by: MovedBy::Joint(axis), .. }) => axis.parent,
            _ => self.assembly_of(body).and_then(|(closure, _)| closure.place.base),
        }
    }

    /// Returns the positions that move a body with respect to the link on which it is, with the numbers of its axes by them; none
    /// if nothing moves with it.
    pub(super) fn axes_of(&self, body: usize) -> Vec<(usize, usize)> {
        if let Some(Link { by: MovedBy::Joint(axis), .. }) = self.links.get(body) {
            return (0..axis.kind.count()).map(|i| (axis.position + i, axis.first + i)).collect();
        }
        let own = self.assembly_of(body).filter(|_| self.carries(body));
        let Some((Closure { place, .. }, own)) = own else { return Vec::new() };
        let axis = |k: usize| place.axes + k * place.bodies.len() + own;
        place.movers.iter().enumerate().map(|(k, mover)| (mover.position, axis(k))).collect()
    }

    /// Returns the own inertias of all bodies, resolved in their links.
    pub(super) fn inertias(&self) -> Vec<Inertia<T>> {
        let points = self.closures.iter().flat_map(|closure| closure.assembly.points());
        let points = points.map(|m| Inertia { m, ..Inertia::none() });
        self.links.iter().map(|link| link.own).chain(points).collect()
    }

    /// Returns the number of axes of all bodies.
    pub(super) fn axes(&self) -> usize {
        let last = self.closures.last().map(|Closure { place, .. }| place);
        last.map_or(self.velocities(), |last| last.axes + last.bodies.len() * last.movers.len())
    }

    /// Returns true if a body has a mass, or if others move with it.
    fn carries(&self, body: usize) -> bool {
        let is_on = |other: &Link<T>| self.parents(other).contains(&Some(body));
        body >= self.links.len()
            || self.weights.iter().any(|weight| weight.link == body)
            || self.rotors.iter().any(|(own, _)| *own == body)
            || self.links.iter().any(is_on)
    }

    /// Resolves in the world frame the inertias, places and axes that [articulated bodies](super::MassSolver::prepare) need. Also
    /// finds the [slopes](Workspace::slopes) of assemblies.
    pub fn resolve(&self, workspace: &mut Workspace<T>) {
        self.resolve_joints(workspace, false);
        let Workspace { motions, composites, axes, closures, slopes, .. } = workspace;
        slopes.clear();
        let zero = Vector3::zeros();
        for (i, (Closure { place, .. }, closed)) in self.closures.iter().zip(closures).enumerate() {
            let AssemblyPlace { base, bodies, movers, axes: first } = place;
            for (k, Mover { position, links }) in movers.iter().enumerate() {
                let mut ends = [None; 2];
                for (end, link, axis) in links {
                    let ([s, z], Motion { r_0, T: rotation, .. }) = (&axes[*axis], &closed.ends[*end]);
                    let [sum_s, sum_z] = ends[*end].get_or_insert([zero; 2]);
                    *sum_s += rotation * (s + z.cross(&(r_0 - motions[*link].r_0)));
                    *sum_z += rotation * z;
                }
                closed.accelerate(ends);
                let own = &mut axes[first + k * bodies.len()..][..bodies.len()];
                let (ends, pose) = &closed.unit;
                let Some(pose) = pose else {
                    own.fill([zero; 2]);
                    continue;
                };
                slopes.push((i, *position, pose.x().a));
                for (number, axis) in own.iter_mut().enumerate() {
                    let Motion { T: rotation, a_0, z, .. } = closed.assembly.body(ends, pose, number);
                    *axis = [a_0, rotation.tr_mul(&z)];
                }
            }
            let Some(pose) = &closed.pose else { continue };
            let r_0 = base.map_or(zero, |base| motions[base].r_0);
            for (number, body) in bodies.iter().enumerate() {
                composites[*body].1 = closed.assembly.body(&closed.ends, pose, number).r_0 - r_0;
                if let Some(link) = self.links.get(*body) {
                    composites[*body].0 = link.own.resolved(&motions[*body].T);
                }
            }
        }
    }
}
