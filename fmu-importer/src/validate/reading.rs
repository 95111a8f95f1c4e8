//! Common parts of the runs in both interfaces: the experiment, and reading all variables.

use fmu_builder::ModelDescription;
use fmu_builder::description::Causality;

use crate::load::{Failure, Instance};

/// Start and stop time, step and tolerance, with defaults for models that do not propose them.
#[derive(Clone, Copy)]
pub struct Experiment {
    pub start: f64,
    pub stop: f64,
    pub step: f64,
    pub tolerance: Option<f64>,
}

/// Returns the experiment that a model proposes.
pub fn experiment(model: &ModelDescription) -> Experiment {
    let proposed = model.default_experiment;
    let start = proposed.start_time.unwrap_or(0.0);
    let stop = proposed.stop_time.unwrap_or(start + 1.0);
    let step = proposed.step_size.unwrap_or((stop - start) / 100.0);
    Experiment { start, stop, step, tolerance: proposed.tolerance }
}

/// Initialises an instance as the experiment says.
pub fn initialise(instance: &Instance, experiment: &Experiment) -> Result<(), Failure> {
    instance.setup_experiment(experiment.tolerance, (experiment.start, experiment.stop))?;
    instance.enter_initialization_mode()?;
    instance.exit_initialization_mode()
}

/// Reads all variables, and returns the outputs' bits; a real output that is not a finite number is a problem.
pub fn read_all(instance: &Instance, when: &str, problem: &mut impl FnMut(String)) -> anyhow::Result<Vec<u64>> {
    let mut outputs = Vec::new();
    let variables = &instance.model().variables;
    // An array of FMI 3.0 is read as a whole.
    for variables in variables.chunk_by(|one, next| instance.are_read_together(one, next)) {
        let name = &variables[0].name;
        let values =
            instance.numbers(variables).map_err(|failure| anyhow::anyhow!("reading `{name}` {when}: {failure}"))?;
        for (variable, value) in variables.iter().zip(values) {
            let name = &variable.name;
            if variable.causality == Causality::Output {
                if !value.is_finite() {
                    problem(format!("output `{name}` is {value} {when}"));
                }
                outputs.push(value.to_bits());
            }
        }
    }
    Ok(outputs)
}
