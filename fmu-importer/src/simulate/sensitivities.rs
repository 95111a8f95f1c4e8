//! Derivatives of a run by parameters: integrated with the states, with their jumps at events.
//!
//! Between events, the derivatives s of the states by a parameter follow `s' = df/dx s + df/dp`, which the FMU computes
//! exactly. Where an indicator g ends a mode, the time of the event moves with the parameter, and s jumps:
//!
//! ```text
//! dt/dp = -(dg/dx s + dg/dp) / (dg/dt along the motion)
//! s+ = s- + (f- - f+) dt/dp
//! ```
//!
//! This holds for events that leave the states as they are, as where friction sticks. There is no derivative where an
//! indicator only touches zero, or two of them end modes together; and what states do that jump is not known.

use anyhow::{Context as _, Result, bail};

use super::summary::short;
use crate::load::{Failure, Instance};

/// Largest multiple of the nominal values of the states by which errors of their derivatives are measured.
const MAX_SLACK: f64 = 1e3;

/// Error of the derivatives, relative to these nominal values, that the multiple must not exceed.
const MAX_ERROR: f64 = 1e-4;

/// Relative change of a state at an event that is not rounding.
const RESET: f64 = 1e-6;

/// Multiple of the length of the run by which the time of an event cannot move.
const TOUCHING: f64 = 1e3;

/// Relative difference of the derivatives of the times of two events at the same time, above which they come apart.
const APART: f64 = 1e-6;

/// Variables, by their positions, that change together, with their changes.
pub type Direction = Vec<(usize, f64)>;

/// The derivatives of the states of a run along directions.
pub struct Sensitivities {
    derivatives: Vec<u32>,
    states: Vec<u32>,
    /// References and changes of the variables of each direction.
    directions: Vec<(Vec<u32>, Vec<f64>)>,
    /// References of the Real values whose derivatives are recorded.
    outputs: Vec<u32>,
    /// True for the recorded values that are Reals; others have no derivatives.
    are_real: Vec<bool>,
    /// The derivatives of the states at the start, direction by direction.
    pub start: Vec<f64>,
    /// True for the indicators that have been positive since the last event.
    positive: Vec<bool>,
    /// Length of the run in s.
    length: f64,
    /// Multiple of the nominal values of the states by which errors of the derivatives are measured.
    slack: f64,
}

/// The motion just before an event.
pub struct Approach {
    states: Vec<f64>,
    derivatives: Vec<f64>,
    /// Derivatives of the time of the event along each direction.
    delays: Vec<f64>,
}

impl Sensitivities {
    /// Takes an instance in initialization mode at the start of a run of this length, in s.
    ///
    /// # Errors
    ///
    /// When the FMU does not have the derivatives.
    pub fn begin(
        instance: &Instance,
        directions: &[Direction],
        outputs: &[usize],
        length: f64,
        tolerance: f64,
    ) -> Result<Self> {
        let model = instance.model();
        let variables = &model.variables;
        let reference = |position: usize| variables[position].value_reference;
        let derivatives: Vec<usize> = model.model_structure.derivatives.iter().map(|unknown| unknown.index).collect();
        let state = |derivative: &usize| match variables[*derivative].derivative_of() {
            Some(state) => Ok(reference(state)),
            None => bail!("`{}` is not the derivative of a variable", variables[*derivative].name),
        };
        let states = derivatives.iter().map(state).collect::<Result<Vec<u32>>>()?;
        let directions: Vec<(Vec<u32>, Vec<f64>)> = directions
            .iter()
            .map(|direction| direction.iter().map(|(position, change)| (reference(*position), *change)).unzip())
            .collect();
        let mut start = Vec::with_capacity(states.len() * directions.len());
        for (knowns, changes) in &directions {
            start.extend(instance.directional_derivative(&states, knowns, changes).context("at the start")?);
        }
        Ok(Self {
            derivatives: derivatives.into_iter().map(reference).collect(),
            states,
            directions,
            outputs: outputs.iter().copied().filter(|position| variables[*position].is_real()).map(reference).collect(),
            are_real: outputs.iter().map(|position| variables[*position].is_real()).collect(),
            start,
            positive: Vec::new(),
            length,
            slack: (MAX_ERROR / tolerance).clamp(1.0, MAX_SLACK),
        })
    }

    /// Returns the number of directions.
    pub fn count(&self) -> usize {
        self.directions.len()
    }

    /// Sets the nominal values of the derivatives from those of the states before them.
    pub fn set_nominals(&self, nominals: &mut [f64]) {
        let (states, along) = nominals.split_at_mut(self.states.len());
        for part in along.chunks_exact_mut(states.len().max(1)) {
            part.iter_mut().zip(&*states).for_each(|(along, nominal)| *along = self.slack * nominal);
        }
    }

    /// Computes the rates of the derivatives at the point where the instance is.
    pub fn rates(&self, instance: &Instance, along: &[f64], rates: &mut [f64]) -> Result<(), Failure> {
        let count = self.states.len();
        for direction in 0..self.count() {
            let [found, _] = self.along(instance, &self.derivatives, direction, along)?;
            rates[direction * count..][..count].copy_from_slice(&found);
        }
        Ok(())
    }

    /// Returns the derivatives of the recorded values along each direction, those of values that jump as 0.
    pub fn of_outputs(&self, instance: &Instance, along: &[f64]) -> Result<Vec<Vec<f64>>, Failure> {
        let of = |direction| {
            let [values, _] = self.along(instance, &self.outputs, direction, along)?;
            let mut values = values.into_iter();
            let next = |is_real: &bool| if *is_real { values.next().unwrap_or_default() } else { 0.0 };
            Ok(self.are_real.iter().map(next).collect())
        };
        (0..self.count()).map(of).collect()
    }

    /// Derives values and indicators along the states and the parameters of a direction.
    fn along(
        &self,
        instance: &Instance,
        unknowns: &[u32],
        direction: usize,
        along: &[f64],
    ) -> Result<[Vec<f64>; 2], Failure> {
        let count = self.states.len();
        let (knowns, changes) = &self.directions[direction];
        let knowns: Vec<u32> = self.states.iter().chain(knowns).copied().collect();
        let seeds: Vec<f64> = along[direction * count..][..count].iter().chain(changes).copied().collect();
        instance.sensitivity(unknowns, &knowns, &seeds)
    }

    /// Keeps the signs that indicators have behind an event.
    pub fn leave(&mut self, indicators: &[f64]) {
        self.positive.clear();
        self.positive.extend(indicators.iter().map(|indicator| *indicator > 0.0));
    }

    /// Returns how the event that the instance has reached at `t`, in s, moves along each direction; the error is a
    /// sentence.
    ///
    /// `x` are the states and their derivatives along the directions, `rates` those of the indicators along the motion.
    pub fn approach(
        &self,
        instance: &Instance,
        t: f64,
        x: &[f64],
        derivatives: Vec<f64>,
        (indicators, rates): (&[f64], &[f64]),
    ) -> Result<Result<Approach, String>, Failure> {
        let (states, along) = x.split_at(self.states.len());
        let ended = |i: &usize| self.positive.get(*i).is_some_and(|positive| *positive != (indicators[*i] > 0.0));
        let ended: Vec<usize> = (0..indicators.len()).filter(ended).collect();
        let mut delays = vec![0.0; self.count()];
        for (direction, delay) in delays.iter_mut().enumerate() {
            let [_, of_indicators] =
                if ended.is_empty() { Default::default() } else { self.along(instance, &[], direction, along)? };
            for (order, i) in ended.iter().enumerate() {
                let own = -of_indicators[*i] / rates[*i];
                if own.is_nan() || own.abs() >= TOUCHING * self.length {
                    return Ok(Err(format!(
                        "the event at {} s has no derivative: its indicator {} only touches zero",
                        short(t),
                        i + 1
                    )));
                }
                if order > 0 && (own - *delay).abs() > APART * delay.abs().max(self.length * f64::EPSILON.sqrt()) {
                    return Ok(Err(format!(
                        "the event at {} s has no derivative: two modes end there that change at different times",
                        short(t)
                    )));
                }
                *delay = own;
            }
        }
        Ok(Ok(Approach { states: states.to_vec(), derivatives, delays }))
    }

    /// Changes the derivatives in `x` at an event, after which the states have these `derivatives`; the error is a
    /// sentence.
    pub fn jump(
        &self,
        t: f64,
        before: &Approach,
        derivatives: &[f64],
        nominals: &[f64],
        x: &mut [f64],
    ) -> Result<(), String> {
        let count = self.states.len();
        let (states, along) = x.split_at_mut(count);
        for ((before, after), nominal) in before.states.iter().zip(&*states).zip(nominals) {
            if (after - before).abs() > RESET * before.abs().max(*nominal) {
                return Err(format!("the event at {} s changes states, whose derivatives are not known", short(t)));
            }
        }
        for (part, delay) in along.chunks_exact_mut(count.max(1)).zip(&before.delays) {
            for (along, (before, after)) in part.iter_mut().zip(before.derivatives.iter().zip(derivatives)) {
                *along += (before - after) * delay;
            }
        }
        Ok(())
    }
}
