//! Clutch and Brake without inertia among equations of a tool (`tests/modelica/friction.c`), beside the same FMUs with
//! inertias inside, which locate their events themselves.

use std::fmt::Write as _;
use std::process::Stdio;

use fmu_tests::finished::{Fmu, Instance};

use crate::driven::Driven;

/// Time in s between two rows, and their number.
const H: f64 = 0.1;
const ROWS: usize = 200;

/// Results of a clutch or brake in a row: w_rel, tau and mode.
type Found = [f64; 3];

/// Returns a fixed sequence of numbers from -1 to 1.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 7_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / 8_388_608.0 - 1.0
    }
}

/// Returns torques on the two flanges, and f_normalized: slow enough that much is stuck, sometimes nothing is pressed.
fn rows() -> Vec<[f64; 3]> {
    let mut number = numbers();
    let row = |i: usize| {
        let slow = (i as f64 * 0.35).sin();
        let torques = [9.0 * slow + 3.0 * number(), 6.0 * (i as f64 * 0.23).cos() + 3.0 * number()];
        [torques[0], torques[1], if i % 41 > 37 { 0.0 } else { 1.0 + 0.3 * number() }]
    };
    (0..ROWS).map(row).collect()
}

/// Runs the FMU in Co-Simulation: the torques are held over each step.
fn co_simulation(instance: &Instance<'_>, rows: &[[f64; 3]]) -> Vec<Found> {
    instance.initialise();
    let row = |(i, [a, b, f]): (usize, &[f64; 3])| {
        for (name, value) in [("flange_a.tau", a), ("flange_b.tau", b), ("f_normalized", f)] {
            instance.set(name, &[*value]);
        }
        instance.step(i as f64 * H, H);
        ["w_rel", "tau", "mode"].map(|name| instance.get(name)[0])
    };
    rows.iter().enumerate().map(row).collect()
}

/// Runs the law of the FMU in the equations of a tool.
fn among_equations(driven: &Driven, rows: &[[f64; 3]], acceleration: impl Fn(f64, f64) -> f64, factor: f64) -> String {
    let mut text = String::new();
    for [a, b, f] in rows {
        writeln!(text, "{:?} {f:?}", acceleration(*a, *b)).unwrap();
    }
    let input = driven.folder.path().join("rows");
    fs_err::write(&input, text).unwrap();
    let mut program = driven.program("friction.c");
    program
        .args([factor.to_string(), H.to_string()])
        .stdin(Stdio::from(fs_err::File::open(input).unwrap().into_file()));
    fmu_tests::finished::printed(&mut program)
}

/// Compares the two; `acceleration` is the relative one without friction, `factor` its decrease by a torque.
fn check(component: &str, settings: &[&str], acceleration: impl Fn(f64, f64) -> f64, factor: f64) {
    let fmu = Fmu::new(component, settings);
    let driven = Driven::of(&fmu.description, &fmu.file, false);
    let rows = rows();
    let said = among_equations(&driven, &rows, acceleration, factor);
    assert!(!said.contains("wrong") && !said.contains("warning"), "{said}");
    let unpacked = format!("{} ({})", driven.name, driven.unpacked().display());
    let has = |part: &str| assert!(said.contains(part), "{part}\n{said}");
    has(&format!("early: {unpacked}: mechanics_law: not allowed in state \"instantiated\""));
    has(&format!("size: {unpacked}: mechanics_law: the law has 2 arguments and 7 results, not 1 and 7"));
    has(&format!("number: {unpacked}: mechanics_law: an argument of the law is NaN; a finite number is needed"));
    let found = said.lines().filter_map(|line| line.strip_prefix("row ")).map(|line| {
        let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    });
    let found: Vec<Found> = found.collect();
    let expected = co_simulation(&fmu.instance(), &rows);
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found[2], expected[2], "mode at the end of row {i}: {found:?}, {expected:?}");
        for k in 0..2 {
            let difference = (found[k] - expected[k]).abs();
            assert!(difference <= 1e-9 * (1.0 + expected[k].abs()), "row {i}: {found:?}, not {expected:?}");
        }
    }
    for mode in [-1.0, 0.0, 1.0, 2.0] {
        let count = expected.iter().filter(|row| row[2] == mode).count();
        assert!(count >= 5, "mode {mode} occurs {count} times only");
    }
}

#[test]
fn clutch() {
    let settings = ["J_a=0.5", "J_b=2", "peak=1.2", "cgeo=2", "fn_max=8", "mue_pos=[[0, 0.5], [20, 0.3]]"];
    check("clutch", &settings, |a, b| b / 2.0 - a / 0.5, 1.0 / 2.0 + 1.0 / 0.5);
}

#[test]
fn brake() {
    let settings = ["J_a=0.8", "peak=1.1", "cgeo=1.5", "fn_max=12", "mue_pos=[[0, 0.5], [3, 0.4]]"];
    check("brake", &settings, |a, b| (a + b) / 0.8, 1.0 / 0.8);
}
