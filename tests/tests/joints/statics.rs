//! The published static cases: position, force and torque of every published frame.

use fmu_tests::finished::Fmu;

use crate::drive::Assembly;
use crate::trajectories::published;

const ROD_1: [f64; 3] = [1.0, 0.3, 0.0];
const ROD_2: [f64; 3] = [-0.5, 0.2, 0.0];

/// Compares all signals of the assembly itself; returns their number.
fn compare(case: &str, parameters: &[(&str, &[f64])]) {
    let Some((names, columns)) = published(&format!("static/{case}")) else { return };
    let component = case.to_lowercase().replace("joint", "joint-");
    let settings: &[&str] = if case == "JointSSP" { &["mslRodForce=true"] } else { &[] };
    let fmu = Fmu::new(&component, settings);
    let assembly = Assembly::new(fmu.instance());
    parameters.iter().for_each(|(name, values)| assembly.set(name, values));
    assembly.instance.initialise();
    let own = format!("{}.", case.replacen('J', "j", 1));
    let quantity = |name: &str| name.split('.').nth(1).is_some_and(|last| matches!(&last[..1], "r" | "f" | "t"));
    let mut compared = 0;
    for (name, column) in names.iter().zip(&columns) {
        let Some(name) = name.strip_prefix(&own).filter(|name| name.split('.').count() == 2 && quantity(name)) else {
            continue;
        };
        let (found, expected) = (assembly.number(name), column[0]);
        assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{case}: {name} is {found}, not {expected}");
        compared += 1;
    }
    assert!(compared >= 18, "{case}: only {compared} signals");
}

#[test]
fn universal_joints_and_a_driven_joint_bear_the_static_loads() {
    compare("JointUPS", &[("frame_b.r_0", &[1.7, 0.1, 0.0]), ("nAxis_ia", &ROD_1)]);
    let rods: [(&str, &[f64]); 2] = [("rRod1_ia", &ROD_1), ("rRod2_ib", &ROD_2)];
    let at = |case: &str, r_0: &[f64]| compare(case, &[("frame_b.r_0", r_0), rods[0], rods[1]]);
    at("JointUSR", &[1.5, 0.1, 0.0]);
    at("JointRRR", &[1.5, 0.1, 0.0]);
    at("JointUSP", &[1.7, 0.1, 0.0]);
    at("JointRRP", &[1.7, 0.1, 0.0]);
}

#[test]
fn spherical_joints_and_a_driven_joint_bear_the_static_loads() {
    let length = [ROD_1[0].hypot(ROD_1[1])];
    let rod: [(&str, &[f64]); 3] = [("frame_b.r_0", &[1.5, 0.1, 0.0]), ("rod1Length", &length), ("rod1Mass", &[1.0])];
    compare("JointSSR", &[&rod[..], &[("rRod2_ib", &ROD_2)]].concat());
    let slide: [(&str, &[f64]); 2] = [("rRod2_ib", &[-0.52, 0.2, 0.0]), ("s_guess", &[-10.0])];
    compare("JointSSP", &[&rod[..], &slide].concat());
}
