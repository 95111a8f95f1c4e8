//! An FMU in Continuous-Time Mode as x' = f(x, u), y = g(x, u), and the derivatives of f and g.

use anyhow::{Context, Result};
use fmu_builder::description::Variable;
use nalgebra::DMatrix;

use crate::load::{Failure, Instance, Loaded};

/// Change of a variable for differences, as a fraction of its value or nominal value.
const CHANGE: f64 = 1e-4;

/// A variable that may be changed: a continuous state, by its number, or an input, by its position among the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    State(usize),
    Input(usize),
}

/// An instance in Continuous-Time Mode; where its states do not matter, in any mode in which inputs may change.
pub struct Plant<'a> {
    pub instance: &'a Instance,
    /// Positions of the states, where the description tells them.
    pub states: Vec<Option<usize>>,
    has_directional: bool,
}

impl<'a> Plant<'a> {
    /// Takes an instance, with `differences` as one without directional derivatives.
    pub fn new(loaded: &Loaded, instance: &'a Instance, differences: bool) -> Self {
        let model = instance.model();
        let derivatives = model.model_structure.derivatives.iter().map(|unknown| &model.variables[unknown.index]);
        let state = |derivative: &Variable| derivative.derivative_of().filter(|state| *state < model.variables.len());
        let has_directional = !differences && loaded.has_directional_derivatives();
        Self { instance, states: derivatives.map(state).collect(), has_directional }
    }

    pub fn variables(&self) -> &'a [Variable] {
        &self.instance.model().variables
    }

    /// Returns the derivative of a state.
    pub fn derivative(&self, state: usize) -> &'a Variable {
        &self.variables()[self.instance.model().model_structure.derivatives[state].index]
    }

    /// Returns the name of a state.
    pub fn state_name(&self, state: usize) -> String {
        match self.states[state] {
            Some(position) => self.variables()[position].name.clone(),
            None => format!("x[{}]", state + 1),
        }
    }

    /// Returns true if the FMU has the derivatives of an output; of other variables they are differences.
    pub fn is_exact(&self, output: usize) -> bool {
        self.has_directional
            && self.instance.model().model_structure.outputs.iter().any(|unknown| unknown.index == output)
    }

    /// Returns true if the FMU has the derivatives of those of the states.
    pub fn has_directional(&self) -> bool {
        self.has_directional
    }

    pub fn reference(&self, position: usize) -> u32 {
        self.variables()[position].value_reference
    }

    /// Returns the values of Real variables.
    pub fn values(&self, positions: &[usize]) -> Result<Vec<f64>, Failure> {
        self.instance.get_reals(&positions.iter().map(|position| self.reference(*position)).collect::<Vec<_>>())
    }

    /// Returns the value of a known.
    pub fn value(&self, known: Known) -> Result<f64, Failure> {
        Ok(match known {
            Known::State(state) => self.instance.continuous_states()?[state],
            Known::Input(position) => self.values(&[position])?[0],
        })
    }

    pub fn set(&self, known: Known, value: f64) -> Result<(), Failure> {
        match known {
            Known::State(state) => {
                let mut states = self.instance.continuous_states()?;
                states[state] = value;
                self.instance.set_continuous_states(&states)
            }
            Known::Input(position) => self.instance.set_reals(&[self.reference(position)], &[value]),
        }
    }

    /// Returns a size by which changes of a known are measured.
    pub fn size(&self, known: Known) -> Result<f64, Failure> {
        let position = match known {
            Known::State(state) => self.states[state],
            Known::Input(position) => Some(position),
        };
        let nominal = position.and_then(|position| self.variables()[position].attributes.nominal).unwrap_or(1.0);
        let nominal = if nominal.is_finite() && nominal != 0.0 { nominal.abs() } else { 1.0 };
        Ok(self.value(known)?.abs().max(nominal))
    }

    /// Returns the derivatives of the states' derivatives, and below them those of the outputs, a column for each known.
    pub fn jacobian(&self, knowns: &[Known], outputs: &[usize]) -> Result<DMatrix<f64>> {
        let states = self.states.len();
        let mut jacobian = DMatrix::zeros(states + outputs.len(), knowns.len());
        let (exact, others): (Vec<usize>, Vec<usize>) =
            (0..outputs.len()).partition(|output| self.is_exact(outputs[*output]));
        for (column, known) in knowns.iter().enumerate() {
            let own = match known {
                Known::State(state) => self.states[*state],
                Known::Input(position) => Some(*position),
            };
            let own = own.filter(|_| self.has_directional);
            if let Some(own) = own {
                let rows = (0..states).chain(exact.iter().map(|output| states + output));
                let unknowns: Vec<u32> = (0..states)
                    .map(|state| self.derivative(state).value_reference)
                    .chain(exact.iter().map(|output| self.reference(outputs[*output])))
                    .collect();
                if !unknowns.is_empty() {
                    let values = self.instance.directional_derivative(&unknowns, &[self.reference(own)], &[1.0])?;
                    rows.zip(values).for_each(|(row, value)| jacobian[(row, column)] = value);
                }
            }
            if own.is_none() || !others.is_empty() {
                let values = self.difference(*known, outputs)?;
                let is_wanted = |row: usize| own.is_none() || row >= states && others.contains(&(row - states));
                values
                    .into_iter()
                    .enumerate()
                    .filter(|(row, _)| is_wanted(*row))
                    .for_each(|(row, value)| jacobian[(row, column)] = value);
            }
        }
        Ok(jacobian)
    }

    /// Returns derivatives along a known by central differences of fourth order; the known has its value again afterwards.
    fn difference(&self, known: Known, outputs: &[usize]) -> Result<Vec<f64>> {
        self.difference_of(known, || {
            let mut values = self.instance.derivatives()?;
            values.extend(self.values(outputs)?);
            Ok(values)
        })
    }

    /// Returns derivatives of what `read` returns, along a known.
    pub fn difference_of(&self, known: Known, read: impl Fn() -> Result<Vec<f64>, Failure>) -> Result<Vec<f64>> {
        let (value, change) = (self.value(known)?, CHANGE * self.size(known)?);
        let at = |part: f64| self.set(known, value + part * change).and_then(|()| read());
        let values: Result<Vec<Vec<f64>>, Failure> = [-2.0, -1.0, 1.0, 2.0].into_iter().map(at).collect();
        self.set(known, value)?;
        let name = match known {
            Known::State(state) => self.state_name(state),
            Known::Input(position) => self.variables()[position].name.clone(),
        };
        let values = values.with_context(|| {
            format!("`{name}` cannot be changed from {value} by ±{}, for derivatives by differences", 2.0 * change)
        })?;
        let slope = |row: usize| {
            let value = |at: usize| values[at][row];
            (8.0 * (value(2) - value(1)) - (value(3) - value(0))) / (12.0 * change)
        };
        Ok((0..values[0].len()).map(slope).collect())
    }
}
