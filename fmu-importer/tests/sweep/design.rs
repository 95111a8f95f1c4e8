//! The runs of a design.

use fmu_importer::sweep::latin_hypercube_column;
use proptest::prelude::*;

use crate::{Case, numbers};

proptest! {
    #[test]
    fn each_stratum_is_hit_once(count in 1_usize..500, seed: u64, axis in 0_u64..20) {
        let parts = latin_hypercube_column(count, seed, axis);
        let mut sorted = parts.clone();
        sorted.sort_by(f64::total_cmp);
        for (stratum, part) in sorted.iter().enumerate() {
            let edge = |stratum: usize| stratum as f64 / count as f64;
            prop_assert!(edge(stratum) <= *part && *part < edge(stratum + 1), "{part} in stratum {stratum} of {count}");
        }
        prop_assert_eq!(&parts, &latin_hypercube_column(count, seed, axis));
        // Another seed and another axis are in another order, unless there are few orders.
        prop_assert!(count < 20 || parts != latin_hypercube_column(count, seed ^ 1, axis));
        prop_assert!(count < 20 || parts != latin_hypercube_column(count, seed, axis + 1));
    }
}

/// Any computer must compute these numbers.
#[test]
fn the_points_of_a_seed_are_fixed() {
    let shown: Vec<_> = latin_hypercube_column(4, 1, 0).iter().map(|part| format!("{part:.6}")).collect();
    assert_eq!(shown, ["0.054831", "0.820923", "0.677653", "0.365272"]);
}

#[test]
fn the_last_axis_of_a_grid_runs_fastest() {
    let text = "
        [parameters]
        w_a_start = [10, 20]
        J_a = { from = 1, to = 100, count = 3, spacing = 'log' }
        J_b = 3
        [results]
        flange_a.w = 'final'";
    let case = Case::new("Clutch", text);
    case.complete(&["--points", "points.csv"]);
    let points = case.csv("points.csv");
    assert_eq!(points[0], ["run", "w_a_start", "J_a", "J_b"]);
    assert_eq!(numbers(&points, "run"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&points, "w_a_start"), [10.0, 10.0, 10.0, 20.0, 20.0, 20.0]);
    assert_eq!(numbers(&points, "J_b"), [3.0; 6]);
    let inertias = numbers(&points, "J_a");
    assert_eq!([inertias[0], inertias[2], inertias[3], inertias[5]], [1.0, 100.0, 1.0, 100.0]);
    assert!((inertias[1] - 10.0).abs() < 1e-14);
    assert_eq!(case.entries(), ["points.csv", "sweep.toml"], "nothing was run");
}

#[test]
fn arrays_take_lists_of_their_shape_or_one_number_for_all_elements() {
    let text = "
        stop = 0.01
        [parameters]
        TS = { from = 1e6, to = 3e6, count = 2 }
        TD = [[1, 2, 3], [4, 5, 6]]
        RS = [10, 20, 30]
        [results]
        frame_b.f = 'final'";
    let case = Case::new("Bushing", text);
    case.complete(&["--points", "points.csv"]);
    let points = case.csv("points.csv");
    for (name, values) in [("TS[1]", [1e6, 1e6, 3e6, 3e6]), ("TS[3]", [1e6, 1e6, 3e6, 3e6])] {
        assert_eq!(numbers(&points, name), values);
    }
    assert_eq!(numbers(&points, "TD[2]"), [2.0, 5.0, 2.0, 5.0]);
    assert_eq!(numbers(&points, "RS[3]"), [30.0; 4]);
    let table = case.table();
    let header = [
        "run", "TS", "TD[1]", "TD[2]", "TD[3]", "final(frame_b.f[1])", "final(frame_b.f[2])", "final(frame_b.f[3])",
        "status",
    ];
    assert_eq!(table[0], header);
}

#[test]
fn a_latin_hypercube_covers_each_parameter_evenly() {
    let text = "
        design = 'latinHypercube'
        samples = 200
        seed = 7
        [parameters]
        J_a = { from = 1, to = 3 }
        J_b = { distribution = 'logUniform', from = 0.01, to = 100 }
        w_a_start = { distribution = 'normal', mean = 20, deviation = 5 }
        fn_max = [10, 20, 30, 40]
        [results]
        flange_a.w = 'final'";
    let case = Case::new("Clutch", text);
    case.complete(&["--points", "points.csv"]);
    let points = case.csv("points.csv");
    let sorted = |name: &str| {
        let mut values = numbers(&points, name);
        values.sort_by(f64::total_cmp);
        values
    };
    // Each of 200 equal parts of the distribution holds one value; the quartiles are between two of them.
    let quartiles = |values: &[f64]| [50, 100, 150].map(|at| [values[at - 1], values[at]]);
    let holds = |name: &str, expected: [f64; 3]| {
        for ([low, high], value) in quartiles(&sorted(name)).iter().zip(expected) {
            assert!((*low..=*high).contains(&value), "{name}: {value} is not in {low} to {high}");
        }
    };
    holds("J_a", [1.5, 2.0, 2.5]);
    holds("J_b", [0.1, 1.0, 10.0]);
    let quartile = 5.0 * 0.674_489_750_196_081_7;
    holds("w_a_start", [20.0 - quartile, 20.0, 20.0 + quartile]);
    assert_eq!(sorted("fn_max"), [[10.0; 50], [20.0; 50], [30.0; 50], [40.0; 50]].concat());
}

#[test]
fn points_are_taken_one_after_the_other() {
    let text = "
        design = 'points'
        stop = 0.1
        [parameters]
        J_a = [3, 1, 2]
        J_b = 5
        mue_pos = [[[0, 0.1]], [[0, 0.2]], [[0, 0.3]]]
        w_a_start = { from = 10, to = 30, count = 3 }
        f_normalized = 1
        fn_max = 10
        [results]
        lossPower = 'max'";
    let table = Case::new("Clutch", text).table();
    assert_eq!(numbers(&table, "J_a"), [3.0, 1.0, 2.0]);
    assert_eq!(numbers(&table, "mue_pos[1,2]"), [0.1, 0.2, 0.3]);
    // The torque and the speed at the start are known, up to one factor.
    let found = numbers(&table, "max(lossPower)");
    for (power, [mue, speed]) in found.iter().zip([[0.1, 10.0], [0.2, 20.0], [0.3, 30.0]]) {
        assert!((power / found[0] - mue * speed).abs() < 1e-12 && found[0] > 0.0, "{power} for {mue} and {speed}");
    }
    let text = "design = 'points'\n[parameters]\nJ_a = [3, 1]\nJ_b = [1]\n[results]\nw_rel = 'max'";
    let said = Case::new("Clutch", text).refused(&["--output", "out.csv"]);
    assert_eq!(said, "sweep.toml:4:1: points need lists of the same length, but `J_a` has 2 and `J_b` has 1 values");
}
