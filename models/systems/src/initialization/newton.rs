//! Start values of relative motions: the coordinates that fulfil them follow by Newton's method, with exact derivatives.

use fmu_runtime::{Dual64, InitialValue, ModelError, Number};
use mechanics::least_squares::Condition;
use mechanics::{constant, value};

use crate::equations::{Buffers, System};
use crate::initialization::coordinates::{
    CLOSE, MAX_STEPS, MAX_STEPS_AT_RANDOM, MIN_PART, NamedCondition, contradiction,
};
use crate::part::{Arrays, InitialCondition, View};
use crate::topology::drivetrain::PartScalar;

/// Largest deviation of an enforced value that counts as rounding.
const MAX_MISSED: f64 = 1e-8;

/// A condition for a relative motion, with the number of its part.
type Wish<'w, T> = (usize, &'w InitialCondition<T>);

impl<T: PartScalar> System<'_, T> {
    /// Sets the free coordinates to fulfil the conditions near these positions and velocities, beginning at others. `rest` may
    /// change the result; enforced conditions must hold after it.
    pub fn approach(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        (starts, mut motion): ([Vec<T>; 2], [Vec<T>; 2]),
        at_random: bool,
        rest: impl FnOnce(&mut Arrays<'_, T>, &mut Buffers<T>, [Vec<T>; 2]) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let closed = motion[0].clone();
        let found = self.approach_by(arrays, buffers, wanted, (&starts[0], &mut motion), 0, at_random);
        if found.is_err() && self.has_rings() {
            // Far from the start, the nearest position may not be found, but one is known.
            motion[0].clone_from(&closed);
            self.approach_by(arrays, buffers, wanted, (&closed, &mut motion), 0, at_random)?;
        } else {
            found?;
        }
        self.approach_by(arrays, buffers, wanted, (&starts[1], &mut motion), 1, at_random)?;
        rest(arrays, buffers, motion)?;
        for order in [0, 1] {
            let mut conditions = self.relative_conditions(arrays.view(), buffers, wanted, order)?;
            let enforced = conditions[0].clone();
            let others = self.conditions(wanted, order, arrays.view(), buffers);
            conditions.iter_mut().zip(others).for_each(|(all, others)| all.extend(others));
            self.nearest(conditions, at_random)?;
            let residual = enforced.iter().map(|named| -value(named.condition.change));
            let residual: Vec<_> =
                residual.map(|residual| if residual.abs() > MAX_MISSED { residual } else { 0.0 }).collect();
            if !at_random && residual.iter().any(|residual| *residual != 0.0) {
                return Err(contradiction(&enforced, &residual));
            }
        }
        Ok(())
    }

    /// Solves for positions (0) or velocities (1): of those that fulfil the conditions the nearest ones. One step more
    /// than needed gives the derivatives.
    fn approach_by(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        (start, motion): (&[T], &mut [Vec<T>; 2]),
        order: usize,
        at_random: bool,
    ) -> Result<(), ModelError> {
        self.set_free(arrays, motion.each_ref().map(Vec::as_slice));
        let mut relative = self.relative_conditions(arrays.view(), buffers, wanted, order)?;
        let mut is_close = false;
        for _ in 0..if at_random { MAX_STEPS_AT_RANDOM } else { MAX_STEPS } {
            let mut conditions = self.conditions(wanted, order, arrays.view(), buffers);
            conditions.iter_mut().zip(relative).for_each(|(all, relative)| all.extend(relative));
            // Changes are counted from the start, not from the present point.
            for Condition { terms, change, .. } in conditions.iter_mut().flatten().map(|named| &mut named.condition) {
                terms.iter().for_each(|(k, n)| *change += *n * (motion[order][*k] - start[*k]));
            }
            // Far from the solution, nonlinear conditions may seem to contradict each other.
            let change = self.nearest(conditions, true)?;
            let begin = motion[order].clone();
            let goal: Vec<_> = start.iter().zip(&change).map(|(x, change)| *x + *change).collect();
            let is_small = |(x, goal): (&T, &T)| value(*goal - *x).abs() <= CLOSE * value(*x).abs().max(1.0);
            let is_last = std::mem::replace(&mut is_close, begin.iter().zip(&goal).all(is_small)) && is_close;
            let mut part = 1.0;
            relative = loop {
                motion[order] =
                    begin.iter().zip(&goal).map(|(x, goal)| *x + (*goal - *x) * constant::<T>(part)).collect();
                self.set_free(arrays, motion.each_ref().map(Vec::as_slice));
                // A step to a position that the mechanism cannot take is refused.
                match self.relative_conditions(arrays.view(), buffers, wanted, order) {
                    Err(_) if part > MIN_PART => part /= 2.0,
                    found => break found?,
                }
            };
            if is_last {
                return Ok(());
            }
        }
        let [enforced, _] = relative;
        let size = |named: &NamedCondition<T>| value(named.condition.change).abs();
        match enforced.iter().max_by(|one, other| size(one).total_cmp(&size(other))) {
            Some(worst) if !at_random && size(worst) > MAX_MISSED => Err(ModelError::invalid(format!(
                "no position was found that fulfils what is enforced: {} = {} is missed by {} where the search ended; give start \
                 values of positions closer to it, or make it a guess",
                worst.name,
                Number(worst.start),
                Number(size(worst))
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the enforced and the guessed conditions of relative motions, for changes of the free coordinates.
    fn relative_conditions(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        order: usize,
    ) -> Result<[Vec<NamedCondition<T>>; 2], ModelError> {
        let all = wanted.iter().enumerate().flat_map(|(i, wanted)| wanted.iter().map(move |wanted| (i, wanted)));
        let wishes: Vec<Wish<'_, T>> =
            all.filter(|(_, wanted)| wanted.order == order && wanted.relative.is_some()).collect();
        let (mut reals, mut integers) = (view.reals.to_vec(), view.integers.to_vec());
        let mut booleans = view.booleans.to_vec();
        let mut arrays = Arrays { reals: &mut reals, integers: &mut integers, booleans: &mut booleans };
        let at_random = buffers.space.as_ref().is_some_and(|space| space.workspace.stretches);
        let rings = if at_random { Vec::new() } else { self.ring_conditions(&mut arrays, buffers, order)? };
        if wishes.is_empty() {
            return Ok([rings, Vec::new()]);
        }
        // An assembly that does not fit is refused once the position is found.
        self.begin(&mut arrays, buffers, true)?;
        self.move_to(arrays.view(), buffers)?;
        let missing = |(i, wanted): &Wish<'_, T>| {
            let space = self.space(*i, buffers);
            wanted.relative.zip(space).map_or(T::zero(), |(component, space)| component.missing(&space.relative()))
        };
        let mut conditions: Vec<_> = wishes
            .iter()
            .map(|wish| {
                let (i, InitialCondition { name, start, nominal, .. }) = wish;
                let (start, change) = (value(*start), missing(wish));
                // Frames may be some metres away from the origin.
                let size = 1.0 + start.abs() + value(change).abs();
                let condition = Condition { terms: Vec::new(), change, size, nominal: *nominal };
                NamedCondition { name: format!("{}.{name}", self.parts[*i].name), start, is_of_rest: false, condition }
            })
            .collect();

        self.along(&mut arrays, order, at_random, |k, system, view, buffers| {
            system.move_to(view, buffers)?;
            for ((i, wanted), NamedCondition { condition, .. }) in wishes.iter().zip(&mut conditions) {
                let component = wanted.relative.map(|component| component.map(|number| Dual64::from_re(value(number))));
                let (Some(component), Some(space)) = (component, system.space(*i, buffers)) else { continue };
                let change = component.missing(&space.relative()).eps;
                if change != 0.0 {
                    condition.terms.push((k, constant(-change)));
                }
            }
            Ok(())
        })?;
        let mut split = [rings, Vec::new()];
        for ((_, wanted), condition) in wishes.iter().zip(conditions) {
            split[usize::from(wanted.initial == InitialValue::guess)].push(condition);
        }
        Ok(split)
    }
}
