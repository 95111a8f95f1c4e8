//! Tunable parameters through a third-party importer.

use fmu_tests::finished::{Fmu, printed, python, root};
use fmu_tests::tuning::{COMPONENTS, H, STEPS, expected};

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
