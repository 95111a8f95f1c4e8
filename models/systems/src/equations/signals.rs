//! Evaluation of signals, in the order that `topology/signal_order.rs` finds.

use fmu_runtime::{Event, ModelError, Number};

use crate::equations::{Buffers, System, join};
use crate::part::{Arrays, EventPoint, Kinematics};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::{NamedPart, Signals, Stage};

impl<T: PartScalar> System<'_, T> {
    /// The values with those of inputs that the system's inputs give, or signals before the motion.
    pub fn fed<'a>(&self, mut arrays: Arrays<'a, T>) -> Arrays<'a, T> {
        self.wiring.feeds.copy(&mut arrays);
        let Signals { first, order, .. } = &self.wiring.signals;
        first.iter().chain(order).for_each(|stage| self.update(stage, &mut arrays, None));
        self.distribute_temperatures(&mut arrays);
        arrays
    }

    /// Evaluates the blocks whose signals follow from the motion, such as sensors, after those before the motion.
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

    /// Sets the states of blocks at the start: before the motion is known, then those that follow from it.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn begin_blocks(&self, arrays: &mut Arrays<'_, T>, buffers: Option<&Buffers<T>>) -> Result<(), ModelError> {
        let Signals { first, order, sensed, .. } = &self.wiring.signals;
        let [early, stages] = if buffers.is_none() { [&first[..], order] } else { [&[], &sensed[..]] };
        for stage in early.iter().chain(stages) {
            let at = self.signal_point(stage.part, buffers);
            T::of(&*self.parts[stage.part].part).begin_block(arrays, self.wiring.offsets[stage.part], &at);
            self.event_of_block(stage, arrays, buffers)?;
            self.update(stage, arrays, buffers);
        }
        Ok(())
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
                EventPoint { time: self.time, data: &*self.data[part], motion, space: None }
            }
        }
    }

    fn update(&self, stage: &Stage, arrays: &mut Arrays<'_, T>, buffers: Option<&Buffers<T>>) {
        let at = self.signal_point(stage.part, buffers);
        T::of(&*self.parts[stage.part].part).update(arrays, self.wiring.offsets[stage.part], &at);
        stage.feeds.copy(arrays);
    }
}
