//! What both interfaces share: calls with their problems, and reading everything.

use std::ffi::CString;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::Common;
use fmi::fmi2::schema::{Causality, ScalarVariable, ScalarVariableElement};
use fmi::traits::FmiImport;
use fmi_schema::traits::DefaultExperiment;

use crate::{messages, watch};

/// Start and stop time, step and tolerance, for models that do not say as well.
#[derive(Clone, Copy)]
pub struct Experiment {
    pub start: f64,
    pub stop: f64,
    pub step: f64,
    pub tolerance: Option<f64>,
}

/// The experiment that a model proposes.
pub fn experiment(import: &impl FmiImport) -> Experiment {
    let model = import.model_description();
    let start = model.start_time().unwrap_or(0.0);
    let stop = model.stop_time().unwrap_or(start + 1.0);
    Experiment { start, stop, step: model.step_size().unwrap_or((stop - start) / 100.0), tolerance: model.tolerance() }
}

/// Turns a failed call into a problem with what the FMU said about it.
pub fn call<T, E: std::fmt::Display>(name: &str, result: Result<T, E>) -> Result<T, String> {
    watch::returned(name);
    let called = name.split(' ').next().unwrap_or_default();
    result.map_err(|error| format!("{name} failed ({error}): {}", messages::said(called)))
}

/// Reads all variables, and gives the outputs' bits; a real output that is not a finite number is a
/// problem.
pub fn read_all(
    instance: &mut impl Common,
    import: &Fmi2Import,
    when: &str,
    problems: &mut Vec<String>,
) -> Result<Vec<u64>, String> {
    let mut outputs = Vec::new();
    for variable in &import.model_description().model_variables.variables {
        let name = &variable.name;
        let value = call(&format!("reading `{name}` {when}"), read(instance, variable))?;
        if variable.causality == Causality::Output {
            if !value.is_finite() {
                problems.push(format!("output `{name}` is {value} {when}"));
            }
            outputs.push(value.to_bits());
        }
    }
    Ok(outputs)
}

fn read(instance: &mut impl Common, variable: &ScalarVariable) -> Result<f64, fmi::fmi2::Fmi2Error> {
    let reference = [variable.value_reference];
    match variable.elem {
        ScalarVariableElement::Real { .. } => {
            let mut value = [0.0];
            instance.get_real(&reference, &mut value)?;
            Ok(value[0])
        }
        ScalarVariableElement::Integer { .. } | ScalarVariableElement::Enumeration => {
            let mut value = [0];
            instance.get_integer(&reference, &mut value)?;
            Ok(f64::from(value[0]))
        }
        ScalarVariableElement::Boolean { .. } => {
            let mut value = [0];
            instance.get_boolean(&reference, &mut value)?;
            Ok(f64::from(value[0]))
        }
        ScalarVariableElement::String => {
            let mut value = [CString::default()];
            instance.get_string(&reference, &mut value)?;
            Ok(0.0)
        }
    }
}
