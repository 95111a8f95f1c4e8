//! Evaluation of signals, in the order that `topology/signal_order.rs` finds.

use fmu_runtime::{Event, ModelError, Number};

use crate::equations::{Buffers, System, join};
use crate::part::{Arrays, EventPoint, Kinematics, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::{NamedPart, Signals, Stage};

impl<T: PartScalar> System<'_, T> {
    /// The values with those of inputs that the system's inputs give, or signals before the motion.
    pub fn fed<'a>(&self, mut arrays: Arrays<'a, T>) -> Arrays<'a, T> {
        self.wiring.feeds.copy(&mut arrays);
        self.feed(&mut arrays);
        arrays
    }

    /// Evaluates the blocks whose signals follow from time and states.
    pub fn feed(&self, arrays: &mut Arrays<'_, T>) {
        let Signals { first, order, .. } = &self.wiring.signals;
        first.iter().chain(order).for_each(|stage| self.update(stage, arrays, None));
        self.distribute_temperatures(arrays);
    }

    /// Sets the states of blocks that a start at rest decides, with the branches and signals that follow from them.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn set_resting_blocks(&self, arrays: &mut Arrays<'_, T>, states: &[T]) -> Result<(), ModelError> {
        let Signals { first, order, resting, .. } = &self.wiring.signals;
        resting.iter().zip(states).for_each(|(state, value)| arrays.reals[state.places[0]] = *value);
        first.iter().for_each(|stage| self.update(stage, arrays, None));
        order.iter().try_for_each(|stage| self.begin_block(stage, arrays, None, true))?;
        self.distribute_temperatures(arrays);
        Ok(())
    }

    /// Evaluates the blocks whose signals follow from positions and velocities, such as sensors, after those before the motion.
    ///
    /// # Errors
    ///
    /// Reports positions that are not possible.
    pub fn sense(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let sensed = &self.wiring.signals.sensed;
        if sensed.is_empty() {
            return Ok(());
        }
        self.move_to(arrays.view(), buffers)?;
        sensed.iter().for_each(|stage| self.update(stage, arrays, Some(buffers)));
        self.distribute_temperatures(arrays);
        Ok(())
    }

    /// Evaluates the blocks whose signals follow from accelerations, which must be known.
    ///
    /// # Errors
    ///
    /// Reports positions that are not possible.
    pub fn measure(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let measured = &self.wiring.signals.measured;
        if !measured.is_empty() {
            self.complete_motion(buffers)?;
            measured.iter().for_each(|stage| self.update(stage, arrays, Some(buffers)));
        }
        Ok(())
    }

    /// Sets the states of blocks at the start: before the motion is known, then those that follow from it. Those that a start at
    /// rest decides may be known already.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn begin_blocks(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: Option<&Buffers<T>>,
        is_at_rest: bool,
    ) -> Result<(), ModelError> {
        let Signals { first, order, sensed, .. } = &self.wiring.signals;
        let [early, stages] = if buffers.is_none() { [&first[..], order] } else { [&[], &sensed[..]] };
        let mut all = early.iter().chain(stages);
        all.try_for_each(|stage| self.begin_block(stage, arrays, buffers, is_at_rest))
    }

    /// Sets the states of blocks that follow from accelerations at the start, where everything else is known.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn begin_measured(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let measured = &self.wiring.signals.measured;
        if measured.is_empty() {
            return Ok(());
        }
        self.find_accelerations_and_loads(arrays.view(), buffers)?;
        measured.iter().try_for_each(|stage| self.begin_block(stage, arrays, Some(buffers), false))?;
        // What they give to others may have changed.
        self.event(arrays, buffers)?;
        Ok(())
    }

    fn begin_block(
        &self,
        stage: &Stage,
        arrays: &mut Arrays<'_, T>,
        buffers: Option<&Buffers<T>>,
        is_at_rest: bool,
    ) -> Result<(), ModelError> {
        if !(is_at_rest && self.wiring.signals.resting.iter().any(|state| state.part == stage.part)) {
            let at = self.signal_point(stage.part, buffers);
            T::of(&*self.parts[stage.part].part).begin_block(arrays, self.wiring.offsets[stage.part], &at);
        }
        self.event_of_block(stage, arrays, buffers)?;
        self.update(stage, arrays, buffers);
        Ok(())
    }

    /// Computes all accelerations, and the loads between flanges.
    fn find_accelerations_and_loads(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.move_and_accelerate(view, buffers)?;
        self.complete_motion(buffers)
    }

    /// Lets the blocks choose their branches at an event, each behind those that give its inputs; returns when the next time
    /// event is due.
    ///
    /// # Errors
    ///
    /// Reports inputs that a block refuses, and positions that are not possible.
    pub fn block_events(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        let Signals { first, order, sensed, .. } = &self.wiring.signals;
        first.iter().for_each(|stage| self.update(stage, arrays, None));
        let mut all = Event::default();
        for stage in order {
            join(&mut all, self.event_of_block(stage, arrays, None)?);
            self.update(stage, arrays, None);
        }
        if !sensed.is_empty() && !self.is_passing(arrays.view(), buffers) {
            self.move_to(arrays.view(), buffers)?;
            for stage in sensed {
                join(&mut all, self.event_of_block(stage, arrays, Some(buffers))?);
                self.update(stage, arrays, Some(buffers));
            }
        }
        Ok(all)
    }

    /// Lets the blocks that follow from accelerations choose their branches, where friction has its modes; adds to what the event
    /// has done.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn measured_events(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        mut all: Event,
    ) -> Result<Event, ModelError> {
        let measured = &self.wiring.signals.measured;
        if measured.is_empty() || self.is_passing(arrays.view(), buffers) {
            return Ok(all);
        }
        let before = arrays.booleans.to_vec();
        self.find_accelerations_and_loads(arrays.view(), buffers)?;
        for stage in measured {
            join(&mut all, self.event_of_block(stage, arrays, Some(buffers))?);
            self.update(stage, arrays, Some(buffers));
        }
        // A comparison may have changed what others act on.
        all.again |= *arrays.booleans != *before;
        Ok(all)
    }

    fn event_of_block(
        &self,
        stage: &Stage,
        arrays: &mut Arrays<'_, T>,
        buffers: Option<&Buffers<T>>,
    ) -> Result<Event, ModelError> {
        let (NamedPart { name, part, .. }, mut event) = (&self.parts[stage.part], Event::default());
        if part.properties().has_events {
            let at = self.signal_point(stage.part, buffers);
            let chosen = T::of(&**part).event(arrays, self.wiring.offsets[stage.part], &at, &mut event);
            let time = Number(self.time.value());
            chosen.map_err(|error| ModelError::singular(format!("\"{name}\": {error}, at {time} s")))?;
        }
        Ok(event)
    }

    /// Where a block is; without buffers, before the motion.
    fn signal_point<'b>(&'b self, part: usize, buffers: Option<&'b Buffers<T>>) -> EventPoint<'b, T> {
        match buffers {
            Some(buffers) => self.event_point(part, buffers),
            None => {
                let motion = Kinematics::new([&[]; 3], &[]);
                EventPoint { time: self.time, data: &*self.data[part], motion, reaction: T::zero(), space: None }
            }
        }
    }

    fn update(&self, stage: &Stage, arrays: &mut Arrays<'_, T>, buffers: Option<&Buffers<T>>) {
        let at = self.signal_point(stage.part, buffers);
        T::of(&*self.parts[stage.part].part).update(arrays, self.wiring.offsets[stage.part], &at);
        stage.feeds.copy(arrays);
    }
}
