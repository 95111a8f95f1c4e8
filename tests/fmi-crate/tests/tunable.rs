//! Tunable parameters through the `fmi` crate.

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common};
use fmi::traits::FmiInstance;
use fmu_tests::finished::Fmu;
use fmu_tests::tuning::{COMPONENTS, H, STEPS, expected, inputs, reals, tunables};

#[test]
fn v11_rule_13_15_the_fmi_importer_tunes_between_steps() {
    for component in COMPONENTS {
        let fmu = Fmu::new(component, &[]);
        let import: Fmi2Import = fmi::import::from_path(&fmu.file).unwrap();
        let mut instance = import.instantiate_cs("instance", false, true).unwrap();
        FmiInstance::enter_initialization_mode(&mut instance, None, 0.0, None).unwrap();
        for (reference, value) in inputs(&fmu.description) {
            instance.set_real(&[reference], &[value]).unwrap();
        }
        FmiInstance::exit_initialization_mode(&mut instance).unwrap();
        let tunables = tunables(&fmu.description);
        for i in 0..STEPS {
            if 2 * i == STEPS {
                let mut values = vec![0.0; tunables.len()];
                instance.get_real(&tunables, &mut values).unwrap();
                values.iter_mut().for_each(|value| *value *= 1.25);
                instance.set_real(&tunables, &values).unwrap();
            }
            instance.do_step(i as f64 * H, H, true).unwrap();
        }
        let reals = reals(&fmu.description);
        let mut found = vec![0.0; reals.len()];
        instance.get_real(&reals, &mut found).unwrap();
        assert_eq!(found, expected(&fmu, true), "{component}");
    }
}
