//! Tunable parameters through a third-party importer.

use fmu_builder::description::{Causality, Variable};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, printed, python, root};

use crate::points::is_real;
use crate::tunable::tunables;

const COMPONENTS: [&str; 4] = ["bushing", "gripper", "clutch", "brake"];
const STEPS: usize = 20;
const H: f64 = 1e-3;

fn reals(fmu: &Fmu) -> Vec<&Variable> {
    fmu.description.variables.iter().filter(|variable| is_real(variable)).collect()
}

fn references(fmu: &Fmu) -> Vec<u32> {
    reals(fmu).iter().map(|variable| variable.value_reference).collect()
}

/// Inputs that may have any value, with one.
fn inputs(fmu: &Fmu) -> Vec<(u32, f64)> {
    let is_free = |variable: &&&Variable| variable.causality == Causality::Input && !variable.name.contains(".R.T[");
    let reals = reals(fmu);
    let inputs = reals.iter().filter(is_free).enumerate().map(|(i, variable)| {
        let fmu_builder::description::VariableType::Real { start, .. } = variable.kind else { unreachable!("a Real") };
        (variable.value_reference, start.unwrap_or(0.0) + 4e-3 * (1 + i % 7) as f64)
    });
    inputs.collect()
}

/// The Reals at the end of our own run, with or without tuning half way.
fn expected(fmu: &Fmu, tuned: bool) -> Vec<f64> {
    let instance = fmu.instance();
    for (reference, value) in inputs(fmu) {
        assert_eq!(instance.slave.set_real(&[reference], &[value]), Status::Ok);
    }
    instance.initialise();
    let tunables = tunables(&fmu.description);
    for i in 0..STEPS {
        if 2 * i == STEPS && tuned {
            let values: Vec<f64> = instance.slave.get_real(&tunables).1.iter().map(|value| 1.25 * value).collect();
            assert_eq!(instance.slave.set_real(&tunables, &values), Status::Ok);
        }
        instance.step(i as f64 * H, H);
    }
    instance.slave.get_real(&references(fmu)).1
}

#[test]
fn v11_rule_13_15_fmpy_tunes_between_steps() {
    for component in COMPONENTS {
        let Some(mut python) = python() else { return };
        let fmu = Fmu::new(component, &[]);
        let script = root().join("tests/tests/every_component/tunable.py");
        python.arg(script).arg(&fmu.file).arg(STEPS.to_string()).arg(H.to_string());
        let found: Vec<f64> = printed(&mut python).split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(found, expected(&fmu, true), "{component}");
        assert_ne!(found, expected(&fmu, false), "{component}");
    }
}
