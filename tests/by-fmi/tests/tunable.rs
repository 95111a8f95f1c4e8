//! Tunable parameters through the `fmi` crate.

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common};
use fmi::traits::FmiInstance;
use fmu_builder::description::{Causality, Variability, Variable, VariableType};
use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;

const COMPONENTS: [&str; 4] = ["bushing", "gripper", "clutch", "brake"];
const STEPS: usize = 20;
const H: f64 = 1e-3;

fn reals(fmu: &Fmu) -> Vec<&Variable> {
    fmu.description.variables.iter().filter(|variable| matches!(variable.kind, VariableType::Real { .. })).collect()
}

fn references(fmu: &Fmu) -> Vec<u32> {
    reals(fmu).iter().map(|variable| variable.value_reference).collect()
}

fn tunables(fmu: &Fmu) -> Vec<u32> {
    let is_tunable = |variable: &&Variable| {
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable
    };
    fmu.description.variables.iter().filter(is_tunable).map(|variable| variable.value_reference).collect()
}

/// Inputs that may have any value, with one.
fn inputs(fmu: &Fmu) -> Vec<(u32, f64)> {
    let is_free = |variable: &&&Variable| variable.causality == Causality::Input && !variable.name.contains(".R.T[");
    let reals = reals(fmu);
    let inputs = reals.iter().filter(is_free).enumerate().map(|(i, variable)| {
        let VariableType::Real { start, .. } = variable.kind else { unreachable!("a Real") };
        (variable.value_reference, start.unwrap_or(0.0) + 4e-3 * (1 + i % 7) as f64)
    });
    inputs.collect()
}

/// The Reals at the end of a run of our own, tuned half way.
fn expected(fmu: &Fmu) -> Vec<f64> {
    let instance = fmu.instance();
    for (reference, value) in inputs(fmu) {
        assert_eq!(instance.slave.set_real(&[reference], &[value]), Status::Ok);
    }
    instance.initialise();
    let tunables = tunables(fmu);
    for i in 0..STEPS {
        if 2 * i == STEPS {
            let values: Vec<f64> = instance.slave.get_real(&tunables).1.iter().map(|value| 1.25 * value).collect();
            assert_eq!(instance.slave.set_real(&tunables, &values), Status::Ok);
        }
        instance.step(i as f64 * H, H);
    }
    instance.slave.get_real(&references(fmu)).1
}

#[test]
fn v11_rule_13_15_the_fmi_importer_tunes_between_steps() {
    for component in COMPONENTS {
        let fmu = Fmu::new(component, &[]);
        let import: Fmi2Import = fmi::import::from_path(&fmu.file).unwrap();
        let mut instance = import.instantiate_cs("instance", false, true).unwrap();
        FmiInstance::enter_initialization_mode(&mut instance, None, 0.0, None).unwrap();
        for (reference, value) in inputs(&fmu) {
            instance.set_real(&[reference], &[value]).unwrap();
        }
        FmiInstance::exit_initialization_mode(&mut instance).unwrap();
        let tunables = tunables(&fmu);
        for i in 0..STEPS {
            if 2 * i == STEPS {
                let mut values = vec![0.0; tunables.len()];
                instance.get_real(&tunables, &mut values).unwrap();
                values.iter_mut().for_each(|value| *value *= 1.25);
                instance.set_real(&tunables, &values).unwrap();
            }
            instance.do_step(i as f64 * H, H, true).unwrap();
        }
        let references = references(&fmu);
        let mut found = vec![0.0; references.len()];
        instance.get_real(&references, &mut found).unwrap();
        assert_eq!(found, expected(&fmu), "{component}");
    }
}
