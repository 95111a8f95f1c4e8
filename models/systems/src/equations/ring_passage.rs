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

/// Least speed in rad/s or m/s, so that there is a limit of a step at rest, too.
const MIN_SPEED: f64 = 1e-12;

/// Fraction of the usual minor, more than its rounding, by which it is beyond zero at an event: so minors of other rings that are
/// singular with this one have changed their signs, too.
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
        let moved = rings.places.iter().filter_map(|place| {
            let block = rings.block_of(place)?;
            Some(place.minor.as_ref()?.moved.iter().map(|k| block.coordinates[*k]))
        });
        MAX_WAY / moved.flatten().map(speed).fold(MIN_SPEED, f64::max)
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
                *known = constant(here.signum() * before.abs().max(1.0));
                turned.extend((before != 0.0).then_some(i));
            }
        }
        if turned.is_empty() || !self.leads_through_singular(arrays.view(), buffers) {
            return Ok(());
        }
        for i in turned {
            let rings = &self.prepared.rings;
            if rings.block_of(&rings.places[i]).is_some_and(|block| block.is_among(&buffers.rings.is_moved)) {
                let own = &mut arrays.reals[memory + PASSING * i..][..PASSING];
                let side = value(own[0]);
                own.copy_from_slice(&[constant(side + side.signum()), constant(self.time.value())]);
            }
        }
        Ok(())
    }

    /// Logs the singular positions that rings have passed, those of several rings at once in one message.
    pub fn report_singular_positions(&self, arrays: &mut Arrays<'_, T>, diagnostics: &mut Diagnostics) {
        let Some(tree) = self.prepared.tree() else { return };
        let RingMemory { parts, place } = &self.wiring.rings;
        // A ring, with the numbers of its passages and of the other rings that pass with it.
        let mut passages: Vec<(usize, f64, usize)> = Vec::new();
        let memory = &mut arrays.reals[*place..][..PASSING * parts.len()];
        for i in 0..parts.len() {
            let [side, passed] = [value(memory[PASSING * i]), value(memory[PASSING * i + 1])];
            let count = side.abs() - 1.0;
            if count < 1.0 {
                continue;
            }
            memory[PASSING * i] = constant(side.signum());
            let known = passages.iter_mut().find(|(other, ..)| value(memory[PASSING * other + 1]) == passed);
            match known {
                Some((.., others)) => *others += 1,
                None => passages.push((i, count, 0)),
            }
        }
        for (i, count, others) in passages {
            let together = match others {
                0 => String::new(),
                1 => " together with another one".to_owned(),
                _ => format!(" together with {others} others"),
            };
            let times = if count > 1.0 { format!(", the last of {count} times") } else { String::new() };
            diagnostics.warn(format!(
                "the ring of {} has passed a singular position{together}, from which it could go on in several ways, at {} s{times}: it \
                 goes on smoothly, since its velocities are continuous",
                self.ring_names(tree, i),
                Number(value(memory[PASSING * i + 1]))
            ));
        }
    }
}

/// Returns the minor of a ring, as a fraction of its usual value.
fn minor<T: PartScalar>(RingPlace { block, minor, .. }: &RingPlace, buffers: &mut Buffers<T>) -> Option<T> {
    let Minor { conditions, coordinates, usual, .. } = minor.as_ref()?;
    Some(buffers.null_space((*block)?)?.minor(conditions, coordinates) / constant::<T>(*usual))
}
