//! Our FMUs of FMI 3.0 have the same results as those of FMI 2.0.

use fmu_builder::Standard;
use fmu_importer::{Simulation, Trajectory};
use fmu_tests::finished::{describe, packed};

/// Returns the values of a run with everything recorded, in the order of the names.
fn run(standard: Standard, component: &str, settings: &[&str], assignments: &[&str]) -> Vec<(String, Vec<u64>)> {
    let folder = tempfile::tempdir().unwrap();
    let file = packed(component, &describe(component, settings).unwrap(), standard, folder.path());
    let mut simulation = Simulation::load(&file).unwrap();
    for assignment in assignments {
        simulation.set(assignment).unwrap();
    }
    let (stop, step) = (simulation.stop, simulation.step);
    assert!(stop > 2.0 * step);
    let Trajectory { names, columns, .. } = simulation.run().unwrap();
    let bits = columns.into_iter().map(|column| column.into_iter().map(f64::to_bits).collect());
    names.into_iter().zip(bits).collect()
}

#[test]
fn t27_co_simulation_gives_the_same_bits() {
    let cases: [(&str, &[&str], &[&str]); 2] = [
        ("Clutch", &[], &["flange_a.tau=5", "f_normalized=0.4"]),
        ("Bushing", &[], &["frame_b.r_0=[1e-3,2e-3,-1e-3]", "frame_b.v_0[2]=0.1", "TS=[4e6,3e6,2e6]"]),
    ];
    for (component, settings, assignments) in cases {
        let [two, three] = [Standard::Fmi2, Standard::Fmi3].map(|it| run(it, component, settings, assignments));
        assert!(two.iter().any(|(_, column)| column.iter().any(|bits| *bits != 0)), "{component} does not move");
        assert_eq!(two, three, "{component}");
    }
}
