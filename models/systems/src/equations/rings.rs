//! Rings of joints: everything is evaluated where they close.
//!
//! ```text
//! q^ = q + delta,   delta: least change that closes the rings        c(q^) = 0
//! v^ = v - J^+ c'(q^, v)                                             J v^ + J_given v_given = 0
//! M a = tau - h + J^T lambda,   J a = -J' v^                         see mechanics::null_space
//! q' = v,   v' = a + 2 gamma (v^ - v) + gamma^2 (q^ - q)
//! ```
//!
//! The states q and v are those of all joints of the tree, so what they mean never changes, and the equations have no memory. On
//! the manifold where rings close the motion is exact; what leads away from it decays with gamma.

use fmu_runtime::{ModelError, Number};
use mechanics::drivetrain::Factors;
use mechanics::tree::{Tree, Workspace};
use mechanics::{constant, value};

use super::ring_buffers::RingBuffers;
use crate::MULTIBODY;
use crate::equations::{Buffers, System};
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::{SpaceBuffers, list};

/// Rate in 1/s at which states return to where the rings close.
const GAMMA: f64 = 10.0;

/// Largest number of steps to where rings close.
const MAX_STEPS: usize = 30;

/// Change of a coordinate that is rounding, as a fraction of it or of 1.
const ROUNDING: f64 = 1e-15;

/// Change, as such a fraction, that counts as rounding if it does not become smaller.
const NEAR: f64 = 1e-9;

/// Fraction of its first step below which a derivative's further steps are rounding.
const ROUNDING_OF_DERIVATIVES: f64 = 1e-9;

impl<T: PartScalar> System<'_, T> {
    /// True if there are rings of joints.
    pub fn has_rings(&self) -> bool {
        MULTIBODY && !self.prepared.rings.places.is_empty()
    }

    /// Moves the coordinates to where the rings close, and finds the rates that keep them closed. The poses of joints are set.
    ///
    /// # Errors
    ///
    /// Names a ring that does not close.
    pub fn close_rings(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if !self.has_rings() {
            return Ok(());
        }
        let Buffers { x: [x, v, a], q: [q, qd, qdd], factors, space, rings, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        let train = &self.prepared.train;
        qdd[..train.free()].fill(T::zero());
        train.rates(qd, v);
        train.rates(qdd, a);
        rings.correction.iter_mut().for_each(|correction| correction.fill(T::zero()));
        if rings.ahead != 0.0 {
            self.go_ahead(tree, workspace, q, qd, rings);
        }
        let at_random = workspace.stretches;
        let (mut first_change, mut last) = (0.0, f64::INFINITY);
        for step in 0.. {
            train.positions(q, x);
            tree.move_joints(workspace, [x, v, a]);
            self.find_conditions(tree, workspace, factors);
            self.correct(tree, workspace, factors, rings, 0);
            let size = |of: fn(T) -> f64, step: &[T]| step.iter().map(|change| of(*change).abs()).fold(0.0, f64::max);
            let (change, derivative) = (size(value, &rings.step), size(T::tangent, &rings.step));
            if step == 0 {
                first_change = derivative;
            }
            let extent = q.iter().map(|q| q.value().abs()).fold(1.0, f64::max);
            if change <= ROUNDING * extent
                && derivative <= ROUNDING_OF_DERIVATIVES * first_change
                && (step > 0 || derivative == 0.0)
            {
                break;
            }
            // Near singular positions more is rounding.
            if step > 1 && change >= 0.5 * last && change <= NEAR * extent {
                break;
            }
            last = change;
            if step == MAX_STEPS || !change.is_finite() {
                return Err(self.open_ring(tree, workspace));
            }
            let both = q.iter_mut().zip(&mut rings.correction[0]).zip(&rings.step);
            both.for_each(|((q, correction), step)| (*q, *correction) = (*q + *step, *correction + *step));
            train.rates(&rings.step, &mut rings.displacements);
            tree.displace(workspace, &rings.displacements);
            if at_random && step > 0 {
                break;
            }
        }
        self.correct(tree, workspace, factors, rings, 1);
        qd.iter_mut().zip(&rings.step).for_each(|(v, step)| *v += *step);
        rings.correction[1].copy_from_slice(&rings.step);
        train.rates(qd, v);
        tree.move_joints(workspace, [x, v, a]);
        self.correct(tree, workspace, factors, rings, 2);
        for block in &self.prepared.rings.blocks {
            let Some(space) = factors.null_space(block.block) else { continue };
            gather(&block.coordinates, &rings.step, &mut space.drift);
        }
        Ok(())
    }

    /// Moves coordinates along their velocities, as far as they are ahead.
    #[cold]
    fn go_ahead(
        &self,
        tree: &Tree<T>,
        workspace: &mut Workspace<T>,
        q: &mut [T],
        qd: &[T],
        RingBuffers { ahead, is_moved, step, displacements, .. }: &mut RingBuffers<T>,
    ) {
        for (k, ((q, v), step)) in q.iter_mut().zip(qd).zip(&mut *step).enumerate() {
            let is_moved = is_moved[k] || k >= self.wiring.free;
            *step = if is_moved { *v * constant::<T>(*ahead) } else { T::zero() };
            *q += *step;
        }
        self.prepared.train.rates(step, displacements);
        tree.displace(workspace, displacements);
    }

    /// Finds the ratios of the conditions' rates to those of the coordinates.
    pub fn find_conditions(&self, tree: &Tree<T>, workspace: &Workspace<T>, factors: &mut Factors<T>) {
        let rings = &self.prepared.rings;
        for block in &rings.blocks {
            factors.null_space(block.block).into_iter().for_each(|space| space.clear());
        }
        for (ring, place) in tree.rings().iter().zip(&rings.places) {
            let Some(block) = rings.block_of(place) else { continue };
            let Some(space) = factors.null_space(block.block) else { continue };
            tree.ring_slopes(workspace, ring, |row, position, slope| {
                if row < place.rows {
                    self.prepared.train.condition(space, &block.coordinates, place.first + row, position, slope);
                }
            });
        }
        for block in &rings.blocks {
            factors.null_space(block.block).into_iter().for_each(|space| space.decompose());
        }
    }

    /// Sets `step` to the least change of the coordinates (order 0), of their velocities (1) or accelerations (2) that
    /// corrects the gaps of all rings.
    fn correct(
        &self,
        tree: &Tree<T>,
        workspace: &Workspace<T>,
        factors: &mut Factors<T>,
        buffers: &mut RingBuffers<T>,
        order: usize,
    ) {
        let (rings, mut begin) = (&self.prepared.rings, 0);
        buffers.step.fill(T::zero());
        for block in &rings.blocks {
            let gaps = &mut buffers.gaps[begin..begin + block.rows];
            begin += block.rows;
            for (ring, place) in
                tree.rings().iter().zip(&rings.places).filter(|(_, place)| place.block == Some(block.block))
            {
                ring.gaps(workspace, order, |row, gap| {
                    // At random points no ring closes.
                    let open = if workspace.stretches && order < 2 { constant(gap.value()) } else { T::zero() };
                    gaps[place.first + row] = open - gap;
                });
            }
            if let Some(space) = factors.null_space(block.block) {
                // There are at least as many positions as coordinates.
                let RingBuffers { displacements, loads, .. } = buffers;
                let [step, correction] = [displacements, loads].map(|own| &mut own[..space.count()]);
                space.correct(gaps, step);
                if order == 0 {
                    // The whole change is the least one, whichever conditions its steps have taken.
                    gather(&block.coordinates, &buffers.correction[0], correction);
                    space.remove_free(correction, step);
                }
                block.coordinates.iter().zip(step).for_each(|(k, step)| buffers.step[*k] = *step);
            }
        }
    }

    /// Describes the ring that is most open.
    #[cold]
    fn open_ring(&self, tree: &Tree<T>, workspace: &Workspace<T>) -> ModelError {
        let gap = |i: usize| {
            let mut largest = 0.0_f64;
            tree.rings()[i].gaps(workspace, 0, |_, gap| largest = largest.max(gap.value().abs()));
            largest
        };
        let worst = (0..tree.rings().len()).max_by(|i, j| gap(*i).total_cmp(&gap(*j))).unwrap_or_default();
        ModelError::singular(format!(
            "the ring of {} does not close at {} s: it cannot take this position, or is in a singular one",
            self.ring_names(tree, worst),
            Number(self.time.value())
        ))
    }

    /// Returns the names of the joints of a ring.
    pub fn ring_names(&self, tree: &Tree<T>, ring: usize) -> String {
        let ring = &tree.rings()[ring];
        let mut parts: Vec<_> = vec![self.wiring.elements[ring.element]];
        for position in tree.in_ring(ring) {
            let is_of = |i: &usize| {
                self.parts[*i].part.properties().is_multibody && self.prepared.positions[*i].contains(&position)
            };
            parts.extend((0..self.parts.len()).find(is_of));
        }
        parts.sort_unstable();
        parts.dedup();
        list(&parts.iter().map(|i| format!("\"{}\"", self.parts[*i].name)).collect::<Vec<_>>())
    }

    /// Passes the coordinates of joints that close rings, with their motion, as it is in the mechanism.
    pub(super) fn follow_rings(
        &self,
        tree: &Tree<T>,
        workspace: &Workspace<T>,
        mut pass: impl FnMut(usize, mechanics::motion::Coordinate<T>),
    ) {
        for (ring, place) in tree.rings().iter().zip(&self.prepared.rings.places) {
            for (i, k) in place.following.iter().enumerate() {
                pass(*k, ring.coordinate(workspace, i));
            }
        }
    }

    /// Adds how the coordinates of joints that close rings follow from those of the others.
    pub(super) fn tie_rings(&self, tree: &Tree<T>, workspace: &Workspace<T>, factors: &mut Factors<T>) {
        for (ring, place) in tree.rings().iter().zip(&self.prepared.rings.places) {
            tree.ring_slopes(workspace, ring, |row, position, slope| {
                if let Some(k) = row.checked_sub(place.rows).and_then(|i| place.following.get(i)) {
                    self.prepared.train.follow(factors, *k, position, slope);
                }
            });
        }
    }

    /// Finds the loads in rings where accelerations are known, and adds what joints need for them to `tau`.
    pub(super) fn load_rings(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { x: [_, _, a], tau, factors, space, reactions, rings, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        rings.loads.copy_from_slice(tau);
        let train = &self.prepared.train;
        let places = &self.prepared.rings.places;
        rings.multipliers.fill(T::zero());
        for with_multipliers in [false, true] {
            // What acts at the axes of joints that close rings is the same both times.
            train.reactions(tau, a, reactions);
            if with_multipliers {
                let mut begin = 0;
                for block in &self.prepared.rings.blocks {
                    let Some(space) = factors.null_space(block.block) else { continue };
                    let loads = &mut rings.displacements[..space.count()];
                    gather(&block.coordinates, reactions, loads);
                    space.multipliers(loads, &mut rings.multipliers[begin..begin + block.rows]);
                    begin += block.rows;
                }
            }
            let mut begin = 0;
            for block in &self.prepared.rings.blocks {
                for (i, place) in places.iter().enumerate().filter(|(_, place)| place.block == Some(block.block)) {
                    let own = &rings.multipliers[begin + place.first..begin + place.first + place.rows];
                    let axis = |i: usize| place.following.get(i).map_or(T::zero(), |k| -reactions[*k]);
                    tree.load_ring(workspace, i, axis, own);
                }
                begin += block.rows;
            }
            tau.copy_from_slice(&rings.loads);
            self.joint_loads(tree, workspace, tau, true)?;
        }
        Ok(())
    }

    /// Computes the motion that the states say, for the parts that have them.
    pub(super) fn show_states(&self, buffers: &mut Buffers<T>) {
        if !self.has_rings() {
            return;
        }
        let Buffers { x, rings: RingBuffers { correction, shown, step, displacements, .. }, .. } = buffers;
        let train = &self.prepared.train;
        let [of_q, of_v] = &*correction;
        for (order, factors) in [[1.0, 0.0], [0.0, 1.0], [-GAMMA * GAMMA, -2.0 * GAMMA]].into_iter().enumerate() {
            let [by_q, by_v] = factors.map(constant::<T>);
            step.iter_mut().zip(of_q).zip(of_v).for_each(|((step, q), v)| *step = by_q * *q + by_v * *v);
            train.rates(step, displacements);
            let both = x[order].iter().zip(&*displacements);
            shown[order].iter_mut().zip(both).for_each(|(shown, (x, by))| *shown = *x - *by);
        }
    }
}

/// Takes the numbers of some coordinates from those of all.
fn gather<T: PartScalar>(coordinates: &[usize], all: &[T], own: &mut [T]) {
    own.iter_mut().zip(coordinates).for_each(|(own, k)| *own = all[*k]);
}
