//! The result as JSON, for other programs.

use anyhow::Result;
use serde_json::{Value, json};

use super::{Calibration, Fitted};

impl Calibration {
    /// Returns estimates with their intervals, correlations, and all measurements beside the runs before and after the fit.
    ///
    /// # Errors
    ///
    /// When a value cannot be written as JSON.
    pub fn results(&self, fitted: &Fitted) -> Result<Vec<u8>> {
        let parameters = self.runs.parameters.iter().enumerate().map(|(number, parameter)| {
            json!({
                "name": parameter.name,
                "unit": parameter.unit,
                "start": parameter.start,
                "value": fitted.values[number],
                // Infinite ends are null.
                "interval": fitted.intervals[number],
                "at_bound": fitted.at_bounds[number],
            })
        });
        let correlation = fitted.certainty.correlation.row_iter().map(|row| row.iter().copied().collect::<Vec<f64>>());
        let mut measurements: Vec<Value> = Vec::new();
        for (number, experiment) in self.runs.experiments.iter().enumerate() {
            for (at, output) in experiment.outputs.iter().enumerate() {
                measurements.push(json!({
                    "experiment": experiment.name,
                    "output": output.name,
                    "unit": output.unit,
                    "along": experiment.along(),
                    "places": experiment.places,
                    "measured": output.measured,
                    "before": fitted.before[number][at],
                    "after": fitted.after[number][at],
                    "deviation": fitted.deviations[number][at],
                }));
            }
        }
        let mut text = serde_json::to_vec_pretty(&json!({
            "parameters": parameters.collect::<Vec<_>>(),
            "correlation": correlation.collect::<Vec<_>>(),
            "measurements": measurements,
            "iterations": fitted.found.iterations,
        }))?;
        text.push(b'\n');
        Ok(text)
    }
}
