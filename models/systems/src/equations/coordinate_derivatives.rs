//! Exact derivatives along each free coordinate, and along states of blocks.

use fmu_runtime::{Dual64, ModelError};
use mechanics::value;

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

impl<T: PartScalar> System<'_, T> {
    /// Calls `visit` for each free coordinate with the system in dual numbers, whose small part is that of the coordinate
    /// (order 0) or of its velocity (1), with the signals that follow from the motion.
    pub fn along(
        &self,
        arrays: &mut Arrays<'_, T>,
        order: usize,
        at_random: bool,
        mut visit: impl FnMut(usize, &System<'_, Dual64>, View<'_, Dual64>, &mut Buffers<Dual64>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        self.in_duals(arrays, at_random, |system, arrays, buffers| {
            for (k, Owner { part: i, own }) in system.wiring.coordinates[..system.wiring.free].iter().enumerate() {
                let (part, offsets) = (Dual64::of(&*system.parts[*i].part), system.wiring.offsets[*i]);
                let [x, v, _] = part.own(arrays.view(), offsets, *own);
                let moved = |motion: Dual64, is_it: bool| Dual64::new(motion.re, f64::from(u8::from(is_it)));
                part.set_own(arrays, offsets, *own, [moved(x, order == 0), moved(v, order == 1)]);
                system.sense(arrays, buffers)?;
                visit(k, system, arrays.view(), buffers)?;
                part.set_own(arrays, offsets, *own, [x, v]);
            }
            Ok(())
        })
    }

    /// Visits the system in dual numbers along the other [unknowns](Self::unknowns), whose numbers are behind those of the free
    /// coordinates.
    pub fn along_others(
        &self,
        arrays: &mut Arrays<'_, T>,
        at_random: bool,
        mut visit: impl FnMut(usize, &System<'_, Dual64>, View<'_, Dual64>, &mut Buffers<Dual64>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let blocks = self.wiring.signals.resting.iter().map(|state| state.places[0]);
        let places: Vec<_> = blocks.chain(self.wiring.found.iter().map(|found| found.place)).collect();
        if places.is_empty() {
            return Ok(());
        }
        self.in_duals(arrays, at_random, |system, arrays, buffers| {
            for (i, place) in places.into_iter().enumerate() {
                arrays.reals[place].eps = 1.0;
                system.feed(arrays);
                system.sense(arrays, buffers)?;
                visit(system.wiring.free + i, system, arrays.view(), buffers)?;
                arrays.reals[place].eps = 0.0;
            }
            Ok(())
        })
    }

    fn in_duals(
        &self,
        arrays: &mut Arrays<'_, T>,
        at_random: bool,
        work: impl FnOnce(&System<'_, Dual64>, &mut Arrays<'_, Dual64>, &mut Buffers<Dual64>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let prepared = self.prepared.values();
        let (time, laws, data) = (Dual64::from_re(value(self.time)), self.laws, self.data);
        let system = System { parts: self.parts, wiring: self.wiring, prepared: &prepared, laws, data, time };
        let mut buffers = prepared.buffers(self.wiring, at_random);
        buffers.massless.settles = self.has_massless();
        let mut reals: Vec<_> = arrays.reals.iter().map(|real| Dual64::from_re(value(*real))).collect();
        let mut arrays = Arrays { reals: &mut reals, integers: arrays.integers, booleans: arrays.booleans };
        work(&system, &mut arrays, &mut buffers)
    }
}
