//! The Gripper with its memory in a tool (`tests/modelica/gripper.c`), beside the same FMU in Model Exchange.

use std::fmt::Write as _;

use fmu_builder::description::Description;
use fmu_tests::finished::{Fmu, printed};

use crate::driven::Driven;

/// Returns the references of the variables that the program sets and reads.
fn references(description: &Description, ramp: f64) -> String {
    let of = |name: &str| {
        let is_wanted = |full: &str| full == name || full.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
        let variables = description.variables.iter().filter(move |variable| is_wanted(&variable.name));
        variables.map(|variable| variable.value_reference.to_string()).collect::<Vec<_>>()
    };
    let frames = |members: &[&str]| -> Vec<String> {
        ["frame_a", "frame_b"]
            .iter()
            .flat_map(|frame| members.iter().flat_map(move |member| of(&format!("{frame}.{member}"))))
            .collect()
    };
    let motion = frames(&["r_0", "R.T", "v_0", "R.w"]);
    let loads = [frames(&["f", "t"]), of("onoff"), of("lossPower")].concat();
    assert_eq!((motion.len(), loads.len()), (36, 14));
    let mut text = format!("static const double RAMP = {ramp:?};\n");
    for (name, references) in [("motion", motion), ("load", loads)] {
        writeln!(text, "static const unsigned {name}_references[] = {{{}}};", references.join(", ")).unwrap();
    }
    for name in ["active", "state"] {
        writeln!(text, "static const unsigned {name}_reference = {};", of(name)[0]).unwrap();
    }
    text
}

fn check(settings: &[&str], ramp: f64) {
    let fmu = Fmu::new("gripper", settings);
    let driven = Driven::of(&fmu.description, &fmu.file, false);
    fs_err::write(driven.folder.path().join("gripper.h"), references(&fmu.description, ramp)).unwrap();
    let said = printed(&mut driven.program("gripper.c"));
    assert!(!said.contains("wrong") && !said.contains("warning"), "{said}");
    let numbers = |begin: &str| -> Vec<f64> {
        let line = said.lines().find_map(|line| line.strip_prefix(begin)).unwrap_or_else(|| panic!("{said}"));
        line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect()
    };
    let differences = numbers("loads");
    assert!(differences.len() == 3 && differences.iter().all(|difference| *difference <= 1e-9), "{said}");
    assert!(numbers("states").iter().all(|count| *count >= 50.0), "{said}");
}

#[test]
fn a_body_is_gripped_and_released() {
    check(&["T=0.1", "cT=3000", "dT=80", "useMoment=true", "cR=60", "dR=2"], 0.1);
}

#[test]
fn a_body_is_gripped_in_place() {
    let settings =
        ["T=0.08", "cT=2000", "dT=60", "useMoment=true", "cR=50", "dR=1.5", "useInPlace=true", "TransDir=xAndY"];
    check(&settings, 0.08);
    check(&[&settings[..], &["setAngles=resetToZero", "momentLaw=gimbal"]].concat(), 0.08);
}
