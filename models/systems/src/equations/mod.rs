//! The equations of motion of all parts together.
//!
//! ```text
//! x = N q + e,   M a = N^T (tau - J N_given a_given) + J_f^T lambda     see mechanics::drivetrain, and space.rs
//! a_f = A lambda + b,   A = J_f M^-1 J_f^T                              friction elements at rest
//! ```

mod accelerations;
mod coordinate_derivatives;
mod dead_centre;
mod events;
mod friction;
mod gears;
mod heat;
mod impacts;
mod massless;
mod massless_flanges;
mod no_mass;
mod points;
mod prepared;
mod ring_buffers;
mod ring_passage;
mod rings;
mod signals;
mod singular;
mod space;

use fmu_runtime::{Event, ModelError, Scalar};

use crate::part::{Arrays, ElementLaw, EventPoint, Kinematics, PartData, Solution, Space, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::{NamedPart, Owner, Wiring};
pub use prepared::{Buffers, Prepared};

/// A system at one point: its parts with the data prepared for them, and the time.
pub struct System<'a, T: Scalar> {
    /// The parts.
    pub parts: &'a [NamedPart],
    /// Connections of the parts, and places of their values.
    pub wiring: &'a Wiring,
    /// Drive train and mechanism, which follow from the parameters.
    pub prepared: &'a Prepared<T>,
    /// The law of each friction element.
    pub laws: &'a [ElementLaw],
    /// Data prepared for each part.
    pub data: &'a [Box<PartData>],
    /// Time in s.
    pub time: T,
}

impl<T: PartScalar> System<'_, T> {
    /// Computes outputs and derivatives.
    pub fn evaluate(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.move_and_accelerate(arrays.view(), buffers)?;
        if self.wiring.signals.measured.is_empty() {
            self.complete_motion(buffers)?;
        } else {
            self.measure(arrays, buffers)?;
        }
        self.show_states(buffers);
        let mut pairs = 0..;
        for (i, NamedPart { part, .. }) in self.parts.iter().enumerate() {
            if part.properties().is_block {
                continue;
            }
            let pair = if part.properties().has_friction { pairs.next() } else { None };
            self.set_outputs(i, pair, self.space(i, buffers), arrays, buffers);
        }
        self.keep_lengths(arrays, buffers);
        self.balance_heat(arrays, &mut buffers.heat)?;
        self.show(arrays, buffers);
        for slot in &self.wiring.outflows {
            arrays.reals[*slot] = -arrays.reals[*slot];
        }
        Ok(())
    }

    /// Computes the derivatives of the states, which are values of the parts that have them.
    pub fn derivatives(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.move_and_accelerate(arrays.view(), buffers)?;
        self.measure(arrays, buffers)?;
        self.write_derivatives(arrays, buffers)?;
        Ok(())
    }

    /// Computes motions in space and the loads on given positions, where accelerations are known.
    pub fn complete_motion(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.move_in_space(buffers)?;
        self.find_reactions(buffers);
        Ok(())
    }

    /// Writes the derivatives of the states where the accelerations are known.
    fn write_derivatives(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.show_states(buffers);
        let pair = |i: &usize| self.wiring.friction_pairs.binary_search(i).ok();
        for i in &self.wiring.moving {
            self.set_outputs(*i, pair(i), None, arrays, buffers);
        }
        for i in self.wiring.heat.lossy.iter().chain(&self.wiring.relaxing) {
            self.set_outputs(*i, pair(i), self.space(*i, buffers), arrays, buffers);
        }
        self.keep_lengths(arrays, buffers);
        self.balance_heat(arrays, &mut buffers.heat)
    }

    /// Sets the outputs of a part, which may have a friction element or be in space.
    fn set_outputs(
        &self,
        i: usize,
        pair: Option<usize>,
        space: Option<Space<'_, T>>,
        arrays: &mut Arrays<'_, T>,
        buffers: &Buffers<T>,
    ) {
        let Buffers { x: [x, v, a], reactions, pairs, lambda, .. } = buffers;
        let has_shown = self.has_rings() && self.wiring.moving.contains(&i);
        let all = if has_shown { buffers.rings.shown.each_ref().map(Vec::as_slice) } else { [&x[..], v, a] };
        let motion = Kinematics::new(all, &self.prepared.positions[i]);
        let friction = pair.and_then(|k| self.friction(k, pairs, lambda, &motion));
        let reaction = self.wiring.given[i].map_or(T::zero(), |k| reactions[k]);
        T::of(&*self.parts[i].part).set_outputs(
            arrays,
            self.wiring.offsets[i],
            &motion,
            Solution { friction, reaction, space },
        );
    }

    /// Computes the derivatives of the states and the event indicators.
    pub fn derivatives_and_indicators(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            indicators.fill(T::one());
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.move_and_accelerate(arrays.view(), buffers)?;
        self.measure(arrays, buffers)?;
        self.indicators_here(arrays.view(), buffers, indicators);
        self.write_derivatives(arrays, buffers)?;
        Ok(())
    }

    /// Evaluates the event indicators with the signals that they need.
    pub fn indicators_afresh(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        self.sense(arrays, buffers)?;
        if !self.wiring.signals.measured.is_empty() && !self.is_passing(arrays.view(), buffers) {
            self.move_and_accelerate(arrays.view(), buffers)?;
            self.measure(arrays, buffers)?;
        }
        self.indicators(arrays.view(), buffers, indicators)
    }

    /// Sets the coordinates and the modes of friction at the initial point. At a random point start values may
    /// contradict each other.
    pub fn initialise(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<(), ModelError> {
        if self.has_rings() {
            self.forget_passages(arrays);
        }
        self.begin_blocks(arrays, None, false)?;
        self.start(arrays, buffers, at_random).inspect_err(|_| buffers.massless.settles = false)?;
        self.begin_blocks(arrays, Some(buffers), true)?;
        if !at_random {
            self.check_start(arrays.view(), buffers)?;
        }
        self.find_modes(arrays, buffers)?;
        self.begin_measured(arrays, buffers)
    }

    /// Sets the coordinates, and what points and flanges without mass have as states.
    fn start(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>, at_random: bool) -> Result<(), ModelError> {
        buffers.massless.settles = self.has_massless();
        if buffers.massless.settles {
            self.choose_constant_loads(arrays, buffers)?;
        }
        self.set_coordinates(arrays, buffers, at_random)?;
        self.begin(arrays, buffers, at_random)
            .and_then(|()| self.settle(arrays, buffers))
            .and_then(|()| self.forward_kinematics(arrays.view(), buffers))
            // During the simulation, a solver may try another step after an error.
            .map_err(|error| ModelError::invalid(error.to_string()))
    }

    /// Where a part is at an event.
    pub(crate) fn event_point<'b>(&'b self, i: usize, buffers: &'b Buffers<T>) -> EventPoint<'b, T> {
        let Buffers { x: [x, v, a], reactions, .. } = buffers;
        let motion = Kinematics::new([x, v, a], &self.prepared.positions[i]);
        let reaction = self.wiring.given[i].map_or(T::zero(), |k| reactions[k]);
        EventPoint { time: self.time, data: &*self.data[i], motion, reaction, space: self.space(i, buffers) }
    }

    /// Reads positions and velocities of the coordinates, and computes those that follow by linear relations.
    ///
    /// # Errors
    ///
    /// Reports a flange without inertia that nothing holds.
    pub fn read_motion(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { q: [q, qd, qdd], .. } = &mut *buffers;
        for (k, Owner { part: i, own }) in self.wiring.coordinates.iter().enumerate() {
            [q[k], qd[k], qdd[k]] = T::of(&*self.parts[*i].part).own(view, self.wiring.offsets[*i], *own);
        }
        if !self.prepared.massless.is_empty() {
            self.place_massless(view, buffers)?;
        }
        let Buffers { x: [x, v, _], q: [q, qd, _], .. } = buffers;
        self.prepared.train.positions(q, x);
        self.prepared.train.rates(qd, v);
        Ok(())
    }
}

/// Adds what an event of a part has done.
pub fn join(all: &mut Event, event: Event) {
    all.again |= event.again;
    all.next_time = [all.next_time, event.next_time].into_iter().flatten().reduce(f64::min);
}
