//! Motion of rings through their singular positions.
//!
//! There conditions of a ring depend on each other, and its equations are quotients of two numbers that vanish. A motion that
//! takes the ring through is smooth and unique nevertheless. So beside such a position, accelerations and the way back to where
//! rings close are interpolated between points on both sides, along the velocity:
//!
//! ```text
//! f(q, v) = sum w_k f(q + k h v, v),   k = -4 ... 4 but 0,   w_k = 56/70, -28/70, 8/70, -1/70 for |k| = 1, 2, 3, 4
//! ```
//!
//! That is exact for polynomials up to degree 7. The time h is such that rings are regular at these points.

use fmu_runtime::{ModelError, Number};
use mechanics::null_space::SINGULAR;
use mechanics::{constant, value};

use super::ring_buffers::RingBuffers;
use crate::MULTIBODY;
use crate::equations::{Buffers, System};
use crate::part::View;
use crate::topology::drivetrain::PartScalar;
use crate::topology::rings::RingBlock;

/// Regularity, as a fraction of the usual one, below which a ring is beside a singular position: rounding errors grow with the square
/// of its inverse.
const BESIDE: f64 = 0.02;

/// Difference of the regularity of neighbouring points.
const SPACING: f64 = 0.06;

/// Way of the fastest coordinate in a ring, in rad or m, on which the rate of the regularity is found.
const PROBE: f64 = 1e-3;

/// Largest such way between neighbouring points.
const MAX_SPACING: f64 = 0.15;

/// Least regularity on a way past a singular position that does not lead through it: there the ring turns away.
const MIN_REGULARITY: f64 = 1e-4;

/// Speed in rad/s or m/s below which rounding decides where a ring goes.
const MIN_SPEED: f64 = 1e-9;

/// Weights of the points from the nearest ones on.
const WEIGHTS: [f64; 4] = [56.0 / 70.0, -28.0 / 70.0, 8.0 / 70.0, -1.0 / 70.0];

impl<T: PartScalar> System<'_, T> {
    /// Sets motions and accelerations.
    ///
    /// # Errors
    ///
    /// Also names a ring in a singular position from which its motion is not unique.
    // Not inlined at its callers, since it is long.
    #[inline(never)]
    pub fn move_and_accelerate(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.accelerate_alone(view, buffers)?;
        if !MULTIBODY || buffers.at_random || !self.prepared.massless.is_empty() {
            return Ok(());
        }
        match self.find_singular(buffers) {
            Some((block, regularity)) => self.accelerate_beside(view, buffers, block, regularity),
            None => Ok(()),
        }
    }

    /// Returns true if a ring is in or beside a singular position through which its velocity takes it, where conditions are known;
    /// marks the coordinates of the blocks that are beside one.
    #[cold]
    pub(super) fn leads_through_singular(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> bool {
        // Points without mass have no accelerations to interpolate.
        if !self.prepared.massless.is_empty() {
            return false;
        }
        let Some((_, here)) = self.find_singular(buffers) else { return false };
        if here < MIN_REGULARITY {
            return true;
        }
        let leads_through = self.interpolate(view, buffers, here);
        buffers.rings.ahead = 0.0;
        leads_through
    }

    /// Marks the coordinates of the blocks that are beside a singular position; returns the least regular block, if there is one.
    #[inline(never)]
    fn find_singular(&self, buffers: &mut Buffers<T>) -> Option<(&RingBlock, f64)> {
        let mut least = None;
        for block in &self.prepared.rings.blocks {
            let found = regularity(block, buffers);
            if found < BESIDE {
                if least.is_none() {
                    buffers.rings.is_moved.fill(false);
                }
                block.coordinates.iter().for_each(|k| buffers.rings.is_moved[*k] = true);
                least = least.filter(|(_, known)| *known < found).or(Some((block, found)));
            }
        }
        least
    }

    /// Returns the regularity of the least regular one of the blocks that are marked.
    fn least_regularity(&self, buffers: &mut Buffers<T>) -> f64 {
        let blocks = self.prepared.rings.blocks.iter();
        blocks.fold(f64::INFINITY, |least, block| {
            if block.is_among(&buffers.rings.is_moved) { least.min(regularity(block, buffers)) } else { least }
        })
    }

    /// Sets motions and accelerations, wherever the rings are.
    #[inline(never)]
    pub(crate) fn accelerate_alone(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.forward_kinematics(view, buffers)?;
        self.accelerate(view, buffers)
    }

    /// Replaces accelerations beside a singular position by those between points on both sides.
    #[cold]
    #[inline(never)]
    fn accelerate_beside(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        block: &RingBlock,
        here: f64,
    ) -> Result<(), ModelError> {
        let leads_through = self.interpolate(view, buffers, here);
        buffers.rings.ahead = 0.0;
        self.accelerate_alone(view, buffers)?;
        if !leads_through {
            return self.check_singular(block, buffers);
        }
        let Buffers { x, q, rings, .. } = &mut *buffers;
        let RingBuffers { between: [a, by_q, by_v], correction, .. } = rings;
        q[2].copy_from_slice(a);
        for (order, by) in [by_q, by_v].into_iter().enumerate() {
            add(&mut q[order], T::one(), by);
            add(&mut q[order], -T::one(), &correction[order]);
            correction[order].copy_from_slice(by);
        }
        let train = &self.prepared.train;
        train.positions(&q[0], &mut x[0]);
        [1, 2].into_iter().for_each(|order| train.rates(&q[order], &mut x[order]));
        Ok(())
    }

    /// Interpolates accelerations and the way to where rings close, in `between`; returns false if the motion does not lead
    /// through a singular position.
    fn interpolate(&self, view: View<'_, T>, buffers: &mut Buffers<T>, here: f64) -> bool {
        let speed = self.speed_in_rings(buffers);
        if speed < MIN_SPEED {
            return false;
        }
        let probe = PROBE / speed;
        let beside = [probe, -probe].map(|time| self.move_ahead(view, buffers, time));
        let [Some(ahead), Some(behind)] = beside else { return false };
        let spacing = SPACING * probe / (ahead.max(behind) - here);
        if !(0.0..=MAX_SPACING / speed).contains(&spacing) {
            return false;
        }
        buffers.rings.between.iter_mut().for_each(|between| between.fill(T::zero()));
        // With a sign that changes where the ring is singular.
        let mut signed = 0.0;
        for (k, weight) in (1..).zip(WEIGHTS) {
            for sign in [-1.0, 1.0] {
                let time = sign * f64::from(k) * spacing;
                let there = self.move_ahead(view, buffers, time).filter(|there| *there > BESIDE);
                let Some(there) = there else { return false };
                signed += sign * weight * there;
                let Buffers { q: [_, _, a], rings: RingBuffers { between, correction, .. }, .. } = &mut *buffers;
                let [by_q, by_v] = &*correction;
                let weight = constant::<T>(weight);
                between.iter_mut().zip([&*a, by_q, by_v]).for_each(|(sum, found)| add(sum, weight, found));
            }
        }
        here * here - signed * signed < MIN_REGULARITY * MIN_REGULARITY
    }

    /// Returns the velocity of the fastest coordinate that a marked ring ties to others, in rad/s or m/s.
    fn speed_in_rings(&self, buffers: &mut Buffers<T>) -> f64 {
        let mut speed = 0.0_f64;
        for block in &self.prepared.rings.blocks {
            for (place, k) in block.coordinates.iter().enumerate() {
                let is_tied = block.is_among(&buffers.rings.is_moved)
                    && buffers.null_space(block.block).is_some_and(|space| space.has(place));
                if is_tied {
                    speed = speed.max(value(buffers.q[1][*k]).abs());
                }
            }
        }
        speed
    }

    /// Computes accelerations where the velocity takes the marked coordinates and the given ones in a time in s; returns how
    /// regular the blocks are there.
    #[inline(never)]
    fn move_ahead(&self, view: View<'_, T>, buffers: &mut Buffers<T>, time: f64) -> Option<f64> {
        buffers.rings.ahead = time;
        self.accelerate_alone(view, buffers).ok()?;
        Some(self.least_regularity(buffers)).filter(|regularity| regularity.is_finite())
    }

    /// Refuses a ring whose motion is not unique, since it has lost a condition.
    #[cold]
    fn check_singular(&self, block: &RingBlock, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Some(space) = buffers.null_space(block.block) else { return Ok(()) };
        if space.rank_above(SINGULAR) == block.rank {
            return Ok(());
        }
        let lost = space.independent().last().copied().unwrap_or_default();
        let mut places = self.prepared.rings.places.iter();
        let ring = places.position(|place| {
            place.block == Some(block.block) && (place.first..place.first + place.rows).contains(&lost)
        });
        let names = self.prepared.tree().zip(ring).map(|(tree, ring)| self.ring_names(tree, ring)).unwrap_or_default();
        Err(ModelError::singular(format!(
            "the ring of {names} is in a singular position at {} s, from which it can go on in several ways: begin beside it, or with \
             velocities that take it through",
            Number(self.time.value())
        )))
    }
}

/// Returns how far a block of the mass matrix is from a singular position of its rings, as a fraction of a usual position.
#[inline(never)]
fn regularity<T: PartScalar>(block: &RingBlock, buffers: &mut Buffers<T>) -> f64 {
    buffers.null_space(block.block).map_or(f64::INFINITY, |space| space.regularity(block.rank) / block.regularity)
}

/// Adds a multiple of some numbers to others.
#[inline(never)]
fn add<T: PartScalar>(sums: &mut [T], weight: T, found: &[T]) {
    sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += weight * *found);
}
