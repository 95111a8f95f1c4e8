//! Frequency responses of an FMU, as measurements have them: magnitudes and phases over frequency.

use anyhow::{Context as _, Result, ensure};

use super::experiment::{Experiment, Output, decibels};
use super::plan::Quantity;
use crate::Instance;
use crate::linearize::response::Response;
use crate::linearize::{Choice, linearize};
use crate::simulate::simulation::Simulation;
use crate::values::value::Value;

/// Returns the responses at the operating point where a run would start, for each output at all frequencies.
pub fn respond(experiment: &Experiment, input: &str, starts: &[(usize, Value)]) -> Result<Vec<Vec<f64>>> {
    respond_of(&experiment.simulation, experiment, input, starts).with_context(|| experiment.name.clone())
}

fn respond_of(
    simulation: &Simulation,
    experiment: &Experiment,
    input: &str,
    starts: &[(usize, Value)],
) -> Result<Vec<Vec<f64>>> {
    let instance: Instance = simulation.instance()?;
    ensure!(simulation.initialise(&instance, starts)?, "the FMU ends the simulation at its start");
    let mut names: Vec<&str> = experiment.outputs.iter().map(|output| output.variable.as_str()).collect();
    names.dedup();
    let outputs = names.join(",");
    let choice = Choice { inputs: Some(input), outputs: Some(&outputs), ..Choice::default() };
    let system = linearize(simulation.loaded(), &instance, simulation.start, &choice)?;
    let response = Response::of(&system, experiment.places.clone())?;
    let driven = response.pairs.iter().filter(|pair| pair.output == names[0]).count();
    ensure!(driven == 1, "`{input}` names {driven} inputs, but a response is that to one of them and its derivatives");
    let values = |output: &Output| {
        let pair = response.pairs.iter().find(|pair| pair.output == output.variable);
        let values = &pair.with_context(|| format!("there is no response of `{}`", output.variable))?.values;
        let value = |(value, measured): (&nalgebra::Complex<f64>, &f64)| match output.quantity {
            Quantity::Phase => nearest(value.arg().to_degrees(), *measured),
            _ => decibels(value.norm()),
        };
        Ok(values.iter().zip(&output.measured).map(value).collect())
    };
    experiment.outputs.iter().map(values).collect()
}

/// Returns the phase, in degrees, by whole turns as near to the measured one as it can be.
fn nearest(phase: f64, measured: f64) -> f64 {
    if measured.is_nan() { phase } else { phase + 360.0 * ((measured - phase) / 360.0).round() }
}
