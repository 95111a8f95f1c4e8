//! Invalid parameters of assemblies, when the FMU is built and when it is initialised.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, describe};

use crate::drive::ASSEMBLIES;

/// Component, parameter, value, and message.
const WRONG: [(&str, &str, [f64; 3], &str); 17] = [
    ("joint-ups", "n1_a", [0.0; 3], "n1_a is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-ups", "nAxis_ia", [0.0; 3], "nAxis_ia is [0.0, 0.0, 0.0], but must not be zero"),
    (
        "joint-ups",
        "nAxis_ia",
        [0.0, 0.0, 2.0],
        "nAxis_ia is [0.0, 0.0, 2.0], parallel to n1_a, but must have a perpendicular component",
    ),
    ("joint-usr", "n_b", [0.0; 3], "n_b is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-usr", "rRod1_ia", [0.0; 3], "rRod1_ia is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-usr", "rRod1_ia", [0.0, 0.0, -1.0], "rRod1_ia is [0.0, 0.0, -1.0], parallel to n1_a"),
    ("joint-usr", "rRod2_ib", [0.0; 3], "rRod2_ib is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-usr", "rRod2_ib", [0.0, 0.0, 1.0], "rRod2_ib is [0.0, 0.0, 1.0], parallel to n_b"),
    ("joint-usp", "n_b", [0.0; 3], "n_b is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-ssr", "n_b", [0.0; 3], "n_b is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-ssr", "rRod2_ib", [0.0; 3], "rRod2_ib is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-ssp", "n_b", [0.0; 3], "n_b is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-rrr", "n_a", [0.0; 3], "n_a is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-rrp", "rRod1_ia", [0.0; 3], "rRod1_ia is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-rrp", "n_a", [0.0; 3], "n_a is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-rrp", "n_b", [0.0; 3], "n_b is [0.0, 0.0, 0.0], but must not be zero"),
    ("joint-rrp", "n_b", [0.0, 0.0, 2.0], "n_b must be perpendicular to n_a, but the angle between them is 0.0 deg"),
];

#[test]
fn what_makes_no_assembly_is_refused_when_the_fmu_is_built() {
    for (component, name, value, expected) in WRONG {
        let [x, y, z] = value;
        let message = describe(component, &[&format!("{name}=[{x},{y},{z}]")]).unwrap_err().to_string();
        assert!(message.contains(expected), "{component}: {message}");
    }
}

#[test]
fn what_makes_no_assembly_is_refused_at_the_initialisation() {
    for (component, ..) in ASSEMBLIES {
        let fmu = Fmu::new(component, &[]);
        for (_, name, value, expected) in WRONG.into_iter().filter(|(wrong, ..)| *wrong == component) {
            refused_at_the_initialisation(&fmu, name, &value, expected);
        }
    }
}

fn refused_at_the_initialisation(fmu: &Fmu, name: &str, value: &[f64], expected: &str) {
    let instance = fmu.instance();
    assert_eq!(instance.set(name, value), Status::Ok);
    assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.fmi.exit_initialization_mode(), Status::Error, "{name}");
    let text = instance.last_message().text;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_rod_without_length_or_with_negative_mass_is_refused() {
    for component in ["joint-ssr", "joint-ssp"] {
        let fmu = Fmu::new(component, &[]);
        let instance = fmu.instance();
        for (name, value) in [("rod1Length", 0.0), ("rod1Mass", -1.0)] {
            assert_eq!(instance.set(name, &[value]), Status::Discard);
            let text = instance.last_message().text;
            assert!(text.contains(&format!("\"{name}\"")), "{text}");
        }
        instance.initialise();
    }
}

#[test]
fn the_slide_of_a_planar_assembly_lies_in_the_plane() {
    let fmu = Fmu::new("joint-rrp", &[]);
    let expected = "n_b must be perpendicular to n_a, but the angle between them is 89.42";
    refused_at_the_initialisation(&fmu, "n_b", &[-1.0, 0.0, 0.01], expected);
    // The rounding of a direction with seven digits is accepted.
    let instance = fmu.instance();
    instance.set("n_b", &[-1.0, 0.0, 1e-7]);
    instance.initialise();
}

/// Only the direction of axes counts.
#[test]
fn axes_may_have_any_length() {
    let fmu = Fmu::new("joint-usr", &[]);
    let outputs = |settings: &[(&str, [f64; 3])]| {
        let instance = fmu.instance();
        settings.iter().for_each(|(name, value)| assert_eq!(instance.set(name, value), Status::Ok));
        instance.set("frame_ia.t", &[0.1, 0.2, 0.3]);
        instance.set("axis.tau", &[2.0]);
        instance.initialise();
        ["phi", "frame_a.t", "frame_b.f", "e2_ia"].map(|name| instance.get(name)).concat()
    };
    assert_eq!(outputs(&[("n1_a", [0.0, 0.0, 4.0]), ("n_b", [0.0, 0.0, 0.125])]), outputs(&[]));
}
