//! Passages of rings through singular positions, which are events.
//!
//! The indicator of a ring is its [minor](Minor), a function of positions: it changes its sign where the ring is singular. It
//! also does where the coordinates that follow cannot follow from the others, as at the turning point of a rocker; that is no
//! passage, since the ring is regular there. Each ring has its own, since where two rings are singular at once, as those of
//! parallelograms in a row, the sign of a common determinant stays.
//!
//! Nothing jumps at such an event: it finds the time for a message.

use fmu_runtime::{Diagnostics, ModelError, Number};
use mechanics::{constant, value};

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::ring_memory::{PASSING, RingMemory};
use crate::topology::rings::{Minor, RingPlace};

/// Way of the fastest coordinate in a ring, in rad or m, beyond which a step may see neither of two passages.
const MAX_WAY: f64 = 1.0;

/// Sign of a minor whose passage is not logged yet.
const NOT_LOGGED: f64 = 2.0;

/// Fraction of the usual minor, more than its rounding, by which it has changed its sign at an event: so others that change it
/// with that one have done so, too.
const BEYOND: f64 = 1e-9;

/// That fraction from which on the sign is known where a ring starts in a singular position.
const LEFT: f64 = 1e-6;

impl<T: PartScalar> System<'_, T> {
    /// Forgets on which sides of singular positions rings are.
    pub fn forget_passages(&self, arrays: &mut Arrays<'_, T>) {
        let RingMemory { parts, place } = &self.wiring.rings;
        arrays.reals[*place..][..PASSING * parts.len()].fill(T::zero());
    }

    /// Evaluates the event indicators of rings, where their conditions are known.
    #[inline(never)]
    pub fn ring_indicators(&self, view: View<'_, T>, buffers: &mut Buffers<T>, indicators: &mut [T]) {
        let memory = view.reals[self.wiring.rings.place..].chunks_exact(PASSING);
        for ((place, own), indicator) in self.prepared.rings.places.iter().zip(memory).zip(indicators) {
            *indicator = minor(place, buffers).map_or_else(T::one, |minor| match value(own[0]) {
                0.0 if value(minor) < 0.0 => -minor - constant::<T>(LEFT),
                0.0 => minor - constant::<T>(LEFT),
                side => minor + constant::<T>(BEYOND * side.signum()),
            });
        }
    }

    /// Returns the time in s after which a ring can have passed two singular positions, unseen by its indicator.
    pub fn ring_step_limit(&self, view: View<'_, T>) -> f64 {
        let rings = &self.prepared.rings;
        let speed = |k: usize| {
            let owner = self.wiring.coordinates[k];
            let [_, v, _] = T::of(&*self.parts[owner.part].part).own(view, self.wiring.offsets[owner.part], owner.own);
            value(v).abs()
        };
        let moved = rings.places.iter().filter_map(|RingPlace { block, minor, .. }| {
            let block = rings.blocks.iter().find(|own| Some(own.block) == *block)?;
            Some(minor.as_ref()?.moved.iter().map(|k| block.first + k))
        });
        MAX_WAY / moved.flatten().map(speed).fold(0.0, f64::max)
    }

    /// Notes which rings pass a singular position.
    ///
    /// # Errors
    ///
    /// Names a ring that does not close.
    #[inline(never)]
    pub fn pass_singular_positions(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<(), ModelError> {
        if buffers.at_random || self.is_passing(arrays.view(), buffers) {
            return Ok(());
        }
        self.move_to(arrays.view(), buffers)?;
        let memory = self.wiring.rings.place;
        let mut turned = Vec::new();
        for (i, place) in self.prepared.rings.places.iter().enumerate() {
            let Some(here) = minor(place, buffers).map(value) else { continue };
            let known = &mut arrays.reals[memory + PASSING * i];
            let before = value(*known);
            if before * here < 0.0 || before == 0.0 && here.abs() > LEFT {
                *known = constant(here.signum());
                turned.extend((before != 0.0).then_some(i));
            }
        }
        if turned.is_empty() || !self.leads_through_singular(arrays.view(), buffers) {
            return Ok(());
        }
        for i in turned {
            let block = self.prepared.rings.places[i].block;
            let mut blocks = self.prepared.rings.blocks.iter();
            if blocks.any(|own| Some(own.block) == block && buffers.rings.is_moved[own.first]) {
                let own = &mut arrays.reals[memory + PASSING * i..][..PASSING];
                own.copy_from_slice(&[constant(NOT_LOGGED * value(own[0])), constant(self.time.value())]);
            }
        }
        Ok(())
    }

    /// Logs the singular positions that rings have passed.
    pub fn report_singular_positions(&self, arrays: &mut Arrays<'_, T>, diagnostics: &mut Diagnostics) {
        let Some(tree) = self.prepared.tree() else { return };
        let RingMemory { parts, place } = &self.wiring.rings;
        for (i, own) in arrays.reals[*place..][..PASSING * parts.len()].chunks_exact_mut(PASSING).enumerate() {
            if value(own[0]).abs() >= NOT_LOGGED {
                own[0] = constant(value(own[0]) / NOT_LOGGED);
                diagnostics.warn(format!(
                    "the ring of {} has passed a singular position, from which it could go on in several ways, at {} s: it goes on \
                     smoothly, since its velocities are continuous",
                    self.ring_names(tree, i),
                    Number(value(own[1]))
                ));
            }
        }
    }
}

/// Returns the minor of a ring, as a fraction of its usual value.
fn minor<T: PartScalar>(RingPlace { block, minor, .. }: &RingPlace, buffers: &mut Buffers<T>) -> Option<T> {
    let Minor { conditions, coordinates, usual, .. } = minor.as_ref()?;
    Some(buffers.null_space((*block)?)?.minor(conditions, coordinates) / constant::<T>(*usual))
}
