//! Independence of the results from the communication points.

use crate::fixture::{Fmu, Instance, brake, clutch, get, set};

/// Returns normal force and torques over a tenth of a second: engagements, reversals, breakaways, release.
fn inputs(tenth: usize) -> [f64; 3] {
    let f = [0.9, 0.5, 1.0, 0.7, 0.0, 0.6, 1.0][tenth % 7];
    [f, [0.3, -2.0, 4.0][tenth % 3], [14.0, 1.0, -14.5, 0.5, -3.0][tenth % 5]]
}

/// Returns inputs with a breakaway in each even tenth, a stop in each odd one.
fn stick_and_slip(tenth: usize) -> [f64; 3] {
    [1.0 - 0.01 * (tenth % 5) as f64, 0.0, [24.0, 0.5, -26.0, 0.0][tenth % 4]]
}

/// The outputs after each tenth of a second, and how often the mode changed between steps.
type Inputs = fn(usize) -> [f64; 3];

fn run(
    instance: &Instance<'_>,
    inputs: Inputs,
    torques: [&str; 2],
    tenths: usize,
    parts: usize,
) -> (Vec<Vec<f64>>, usize) {
    instance.initialise();
    let outputs = ["phi_rel", "w_rel", "a_rel", "tau", "lossPower", "mode", "flange_a.phi", "flange_a.w", "flange_b.w"];
    let mut rows = Vec::new();
    let (mut changes, mut mode) = (0, get(instance, "mode"));
    let mut time = 0.0;
    for tenth in 0..tenths {
        let [f, tau_1, tau_2] = inputs(tenth);
        set(instance, &[("f_normalized", f), (torques[0], tau_1), (torques[1], tau_2)]);
        for part in 1..=parts {
            let end = 0.1 * (tenth as f64 + part as f64 / parts as f64);
            instance.step(time, end - time);
            time = end;
            let now = get(instance, "mode");
            changes += usize::from(now != mode);
            mode = now;
        }
        rows.push(outputs.iter().map(|name| get(instance, name)).collect());
    }
    (rows, changes)
}

/// Compares after each tenth of a second; returns the number of changes of the mode.
#[track_caller]
fn assert_agreement(fmu: &Fmu, inputs: Inputs, torques: [&str; 2], tenths: usize, parts: usize) -> usize {
    let (long, _) = run(&fmu.instance(), inputs, torques, tenths, 1);
    let (short, changes) = run(&fmu.instance(), inputs, torques, tenths, parts);
    let columns = long[0].len();
    let sizes: Vec<f64> = (0..columns).map(|i| long.iter().map(|row| row[i].abs()).fold(0.0, f64::max)).collect();
    assert!(sizes.iter().all(|size| *size > 0.0), "{sizes:?}");
    for (row, (long, short)) in long.iter().zip(&short).enumerate() {
        for i in 0..columns {
            assert!((long[i] - short[i]).abs() <= 1e-11 * sizes[i], "row {row}, {i}: {} {}", long[i], short[i]);
        }
    }
    changes
}

const CLUTCH: [&str; 5] = ["mue_pos=[[0.0,0.5],[0.1,0.4],[1.0,0.45]]", "peak=1.2", "fn_max=20", "J_a=0.7", "J_b=0.4"];
const TORQUES: [&str; 2] = ["flange_a.tau", "flange_b.tau"];

#[test]
fn the_clutch_in_steps_of_a_tenth_second_and_a_tenth_millisecond() {
    let fmu = clutch(&CLUTCH);
    let changes = assert_agreement(&fmu, inputs, TORQUES, 60, 1000);
    assert!(changes > 40, "{changes}");
    let changes = assert_agreement(&fmu, stick_and_slip, TORQUES, 10_000, 5);
    assert!(changes >= 10_000, "{changes}");
}

#[test]
fn the_brake_with_a_housing_that_turns() {
    let fmu = brake(&["useSupport=true", CLUTCH[0], CLUTCH[1], CLUTCH[2], "J_a=0.4", "J_support=0.7"]);
    let changes = assert_agreement(&fmu, inputs, ["support.tau", "flange_b.tau"], 60, 1000);
    assert!(changes > 40, "{changes}");
}
