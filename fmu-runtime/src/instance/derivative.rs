//! Exact derivatives: the equations evaluated in dual numbers, or in recorded ones.

use fmu_exchange::{Base, Number, reference};

use crate::component::component_model::Data;
use crate::component::jacobian::Jacobian;
use crate::component::layout::Rule;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::last_linear::LinearFormCache;
use crate::instance::lifecycle::State;
use crate::rows::scalar::Dual64;

/// Number of knowns from which on a recorded evaluation is faster than one in dual numbers for each.
const MIN_RECORDED: usize = 8;

impl Instance {
    /// `fmi2GetDirectionalDerivative`, where a known may be the independent variable, by [`reference::TIME`];
    /// `fmi3GetDirectionalDerivative`
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        count: usize,
    ) -> Outcome<impl Iterator<Item = f64>> {
        let unknowns = self.elements_of(ArrayType::Float64, unknowns, count)?;
        let knowns = self.elements_of(ArrayType::Float64, knowns, seeds.len())?;
        let is_time = |known: u32| known == reference::TIME && !self.is_initialising();
        knowns.iter().filter(|known| !is_time(**known)).try_for_each(|known| self.check_known(*known))?;
        unknowns.iter().try_for_each(|unknown| self.check_unknown(*unknown))?;
        self.check_seeds(&knowns, seeds)?;
        let mut directions: Vec<_> = knowns.iter().map(|known| *known as usize).zip(seeds.iter().copied()).collect();
        let mut time = 0.0;
        if knowns.contains(&reference::TIME) {
            directions.retain(|(known, seed)| {
                let is_time = *known == reference::TIME as usize;
                time += if is_time { *seed } else { 0.0 };
                !is_time
            });
        }
        let mut duals = Vec::new();
        self.along(&directions, time, &mut duals)?;
        Ok((0..unknowns.len()).map(move |i| duals[unknowns[i] as usize].eps))
    }

    /// `fmi3GetAdjointDerivative`: the derivatives of the unknowns by each known, added up with the seeds as factors.
    pub fn adjoint_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        count: usize,
    ) -> Outcome<Vec<f64>> {
        let unknowns = self.elements_of(ArrayType::Float64, unknowns, seeds.len())?;
        let knowns = self.elements_of(ArrayType::Float64, knowns, count)?;
        self.check_derivative(&unknowns, &knowns)?;
        self.check_seeds(&unknowns, seeds)?;
        if let Some(sums) = self.recorded_adjoint((&unknowns, seeds), &knowns)? {
            return Ok(sums);
        }
        let (mut sums, mut duals) = (Vec::with_capacity(knowns.len()), Vec::new());
        for known in knowns.iter() {
            self.along(&[(*known as usize, 1.0)], 0.0, &mut duals)?;
            // In code optimised for size, an index into a vector is a call.
            let duals = duals.as_slice();
            sums.push(unknowns.iter().zip(seeds).map(|(unknown, seed)| duals[*unknown as usize].eps * seed).sum());
        }
        Ok(sums)
    }

    /// Returns adjoint derivatives from one evaluation, if the component's are recorded and that is the faster way. The
    /// initial values are not, since tables and parameters are among what they depend on.
    fn recorded_adjoint(&mut self, unknowns: (&[u32], &[f64]), knowns: &[u32]) -> Outcome<Option<Vec<f64>>> {
        if knowns.len() < MIN_RECORDED || self.is_initialising() {
            return Ok(None);
        }
        self.refresh()?;
        let Some(data) = &self.data else { return Ok(None) };
        let sums = self.model.adjoint(&mut self.values, data, self.time, &mut self.tape, unknowns, knowns);
        sums.map_err(|error| self.call_error(&error))
    }

    /// `mechanics_linear`: sets the inputs to zero, fills the matrix with the derivatives of the outputs by these inputs,
    /// and returns the outputs.
    pub fn linear_form(
        &mut self,
        outputs: &[u32],
        inputs: &[u32],
        factors: &mut [f64],
    ) -> Outcome<impl Iterator<Item = f64>> {
        let mut last = std::mem::take(&mut self.last_linear);
        let done = self.set_factors(outputs, inputs, factors, &mut last);
        self.last_linear = last;
        done?;
        // Optimised for size, an index into a vector is a call.
        let reals = self.values.reals.as_slice();
        Ok(outputs.iter().map(|output| reals[*output as usize]))
    }

    fn set_factors(
        &mut self,
        outputs: &[u32],
        inputs: &[u32],
        factors: &mut [f64],
        last: &mut LinearFormCache,
    ) -> Outcome {
        let size = self.values.reals.len();
        if !last.has(outputs, inputs, self.state, size) {
            self.check_derivative(outputs, inputs)?;
            last.remember(outputs, inputs, self.state, size);
        }
        let reals = self.values.reals.as_slice();
        if inputs.iter().any(|input| reals[*input as usize].to_bits() != 0) {
            self.set_real(inputs, &vec![0.0; inputs.len()])?;
        }
        self.refresh()?;
        let indices = last.indices.as_slice();
        let columns = inputs.len();
        let mut jacobian = Jacobian::new(factors, columns);
        let Some(data) = &self.data else { return Ok(()) };
        let is_set = self.model.linear_form(&self.values, data, self.time, indices, &mut jacobian);
        if is_set.map_err(|error| self.call_error(&error))? {
            if !last.has_repetitions {
                return Ok(());
            }
            // A variable that is listed several times has the index of its last entry.
            for (row, output) in outputs.iter().enumerate() {
                let from = indices[*output as usize] as usize;
                if from != row {
                    factors.copy_within(from * columns..(from + 1) * columns, row * columns);
                }
            }
            for (column, input) in inputs.iter().enumerate() {
                let from = indices[*input as usize] as usize;
                if from != column {
                    factors.chunks_exact_mut(columns).for_each(|row| row[column] = row[from]);
                }
            }
            return Ok(());
        }
        let mut duals = Vec::new();
        for (column, input) in inputs.iter().enumerate() {
            self.along(&[(*input as usize, 1.0)], 0.0, &mut duals)?;
            for (row, output) in outputs.iter().enumerate() {
                factors[row * columns + column] = duals[*output as usize].eps;
            }
        }
        Ok(())
    }

    /// Returns all Reals with their rates of change in time, along the inputs of the last step.
    pub(crate) fn output_rates(&mut self) -> Outcome<Vec<Dual64>> {
        self.refresh()?;
        let states = self.layout.states.iter();
        let mut directions: Vec<_> = states.map(|s| (s.state, self.values.reals[s.derivative])).collect();
        directions.extend_from_slice(self.polynomials.rates());
        let mut duals = Vec::new();
        self.along(&directions, 1.0, &mut duals)?;
        Ok(duals)
    }

    /// Replaces `duals` by all Reals before tables with their derivatives along a direction.
    fn along(&mut self, directions: &[(usize, f64)], time: f64, duals: &mut Vec<Dual64>) -> Outcome {
        let moved = self.set_direction(directions, duals)?;
        let Some(data) = moved.as_ref().or(self.data.as_ref()) else { return Ok(()) };
        let (time, initial) = (Dual64::new(self.time, time), self.is_initialising());
        let result = self.model.differentiate(duals, &mut self.values, data, time, initial);
        result.map_err(|error| self.call_error(&error))
    }

    /// Replaces `duals` by all Reals before tables with these changes; returns other data if elements of tables change.
    pub(super) fn set_direction(
        &mut self,
        directions: &[(usize, f64)],
        duals: &mut Vec<Dual64>,
    ) -> Outcome<Option<Data>> {
        self.refresh()?;
        let before_tables = self.values.before_tables;
        duals.clear();
        duals.extend(self.values.reals[..before_tables].iter().map(|value| Dual64::from_re(*value)));
        if self.is_initialising() {
            // The solution has taken the place of the start values.
            for (slot, start) in &self.layout.starts {
                duals[*slot] = Dual64::from_re(self.values.reals[*start]);
            }
        }
        let mut tables = Vec::new();
        for (slot, seed) in directions {
            if let Some(dual) = duals.get_mut(*slot) {
                dual.eps += seed;
            } else {
                tables.resize(self.values.reals.len() - before_tables, 0.0);
                tables[slot - before_tables] += seed;
            }
        }
        if tables.is_empty() { Ok(None) } else { self.prepare_along(&tables).map(Some) }
    }

    fn check_derivative(&self, unknowns: &[u32], knowns: &[u32]) -> Outcome {
        knowns.iter().try_for_each(|known| self.check_known(*known))?;
        unknowns.iter().try_for_each(|unknown| self.check_unknown(*unknown))
    }

    pub(super) fn check_seeds(&self, variables: &[u32], seeds: &[f64]) -> Outcome {
        let Some((variable, seed)) = variables.iter().zip(seeds).find(|(_, seed)| !seed.is_finite()) else {
            return Ok(());
        };
        let is_time = *variable == reference::TIME;
        let name = if is_time { "time".to_owned() } else { self.name(Base::Real, *variable) };
        Err(CallError::error(format!(
            "the direction of \"{name}\" cannot be {}; a finite number is needed",
            Number(*seed)
        )))
    }

    fn check_known(&self, known: u32) -> Outcome {
        let rule = self.layout.reals.get(known as usize).copied().unwrap_or(Rule(0));
        let needed = match self.state {
            _ if self.is_initialising() => Rule::SET_INITIALIZATION,
            State::ContinuousTime => Rule::SET_CONTINUOUS,
            _ => Rule::INPUT | Rule::STATE,
        };
        if rule.has(Rule::EXISTS) && rule.has(needed) {
            return Ok(());
        }
        let name = self.name(Base::Real, known);
        let kinds = match self.state {
            _ if self.is_initialising() => "a Real input, parameter or state with a start value",
            State::ContinuousTime => "a continuous Real input or a state",
            _ => "a Real input or a state",
        };
        let state = self.state.name(self.standard);
        Err(CallError::error(format!("\"{name}\" cannot be a known in state {state}: it is not {kinds}")))
    }

    pub(super) fn check_unknown(&self, unknown: u32) -> Outcome {
        let rule = self.layout.reals.get(unknown as usize).copied().unwrap_or(Rule(0));
        let derivative = || self.layout.states.iter().any(|state| state.derivative == unknown as usize);
        let initial = self.is_initialising();
        if rule.has(Rule::OUTPUT) || derivative() || (initial && rule.has(Rule::COMPUTED | Rule::STATE)) {
            return Ok(());
        }
        let name = self.name(Base::Real, unknown);
        Err(CallError::error(format!(
            "\"{name}\" cannot be an unknown: it is not a Real output or the derivative of a state"
        )))
    }
}
