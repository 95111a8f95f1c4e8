//! A run in which the tunable parameters change half way, with which importers are compared.

use fmu_builder::description::{Causality, Description, Variability, Variable, VariableType};

use crate::api::Status;
use crate::finished::Fmu;

/// Components with tunable parameters.
pub const COMPONENTS: [&str; 4] = ["bushing", "gripper", "clutch", "brake"];
/// The number of steps.
pub const STEPS: usize = 20;
/// The length of a step, in s.
pub const H: f64 = 1e-3;

/// Value references of the tunable parameters, which are Reals.
pub fn tunables(description: &Description) -> Vec<u32> {
    let is_tunable = |variable: &&Variable| {
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable
    };
    description.variables.iter().filter(is_tunable).map(|variable| variable.value_reference).collect()
}

/// Value references of the Reals.
pub fn reals(description: &Description) -> Vec<u32> {
    let reals = description.variables.iter().filter(|variable| variable.is_real());
    reals.map(|variable| variable.value_reference).collect()
}

/// Inputs that may have any value, with one.
pub fn inputs(description: &Description) -> Vec<(u32, f64)> {
    let is_free = |variable: &&Variable| variable.causality == Causality::Input && !variable.name.contains(".R.T[");
    let real = |variable: &Variable| match variable.kind {
        VariableType::Real { start, .. } => Some((variable.value_reference, start.unwrap_or(0.0))),
        _ => None,
    };
    let inputs = description.variables.iter().filter(is_free).filter_map(real).enumerate();
    inputs.map(|(i, (reference, start))| (reference, start + 4e-3 * (1 + i % 7) as f64)).collect()
}

/// The Reals at the end of our own run, with or without tuning.
pub fn expected(fmu: &Fmu, tuned: bool) -> Vec<f64> {
    let instance = fmu.instance();
    for (reference, value) in inputs(&fmu.description) {
        assert_eq!(instance.fmi.set_real(&[reference], &[value]), Status::Ok);
    }
    instance.initialise();
    let tunables = tunables(&fmu.description);
    for i in 0..STEPS {
        if 2 * i == STEPS && tuned {
            let values: Vec<f64> = instance.fmi.get_real(&tunables).1.iter().map(|value| 1.25 * value).collect();
            assert_eq!(instance.fmi.set_real(&tunables, &values), Status::Ok);
        }
        instance.step(i as f64 * H, H);
    }
    instance.fmi.get_real(&reals(&fmu.description)).1
}
