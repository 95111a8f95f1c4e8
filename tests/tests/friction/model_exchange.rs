//! Model Exchange: indicators, iteration of events, and FMPy's solver against Co-Simulation.

use std::path::Path;

use fmu_tests::api::Status;
use fmu_tests::finished::{printed, python};

use crate::fixture::{BACKWARD, FORWARD, FREE, Fmu, Instance, STUCK, brake, clutch, get, indicators, set};

/// Iterates an event; returns whether states have changed.
fn handle_event(instance: &Instance<'_>) -> bool {
    assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
    let mut changed = false;
    loop {
        let (status, info) = instance.fmi.new_discrete_states();
        assert_eq!(status, Status::Ok);
        changed |= info.values_of_continuous_states_changed != 0;
        if info.new_discrete_states_needed == 0 {
            assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
            return changed;
        }
    }
}

fn begin(instance: &Instance<'_>, f: f64) {
    set(instance, &[("f_normalized", f)]);
    instance.initialise();
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
}

#[test]
fn m3_no_indicator_is_zero_after_a_breakaway() {
    let fmu = brake(&["fn_max=8", "mue_pos=[[0.0,0.5],[1.0,0.3],[2.0,0.4]]"]);
    let instance = fmu.model_exchange();
    begin(&instance, 1.0);
    set(&instance, &[("flange_a.tau", -5.0)]);
    handle_event(&instance);
    for w in [0.0, -1.0, -2.0] {
        assert_eq!(instance.fmi.set_continuous_states(&[0.0, w]), Status::Ok);
        handle_event(&instance);
        assert_eq!((get(&instance, "mode"), get(&instance, "w_rel")), (BACKWARD, w));
        assert!(indicators(&instance).iter().all(|indicator| *indicator != 0.0), "{:?}", indicators(&instance));
    }
}

#[test]
fn a_solver_that_stops_exactly_at_the_limit_still_sees_the_breakaway() {
    let fmu = brake(&["fn_max=8", "peak=1.25"]);
    let instance = fmu.model_exchange();
    begin(&instance, 1.0);
    set(&instance, &[("flange_a.tau", 5.0)]);
    assert!(!handle_event(&instance));
    assert_eq!(get(&instance, "mode"), STUCK);
    assert!(indicators(&instance).iter().all(|indicator| *indicator != 0.0));
    assert!(indicators(&instance)[1] < 0.0);
    set(&instance, &[("flange_a.tau", 5.0 * (1.0 + 1e-14))]);
    assert!(indicators(&instance)[1] > 0.0);
    assert!(!handle_event(&instance));
    assert_eq!((get(&instance, "mode"), get(&instance, "a_rel") > 0.99), (FORWARD, true));
}

#[test]
fn a_solver_that_stops_exactly_where_the_normal_force_comes_still_sees_it() {
    let fmu = brake(&["w_a_start=2"]);
    let instance = fmu.model_exchange();
    begin(&instance, 0.0);
    assert_eq!(get(&instance, "mode"), FREE);
    assert!(indicators(&instance)[2] < 0.0);
    set(&instance, &[("f_normalized", 1e-12)]);
    assert!(indicators(&instance)[2] > 0.0);
    handle_event(&instance);
    assert_eq!(get(&instance, "mode"), FORWARD);
    assert!(indicators(&instance)[2] > 0.0);
    set(&instance, &[("f_normalized", 0.0)]);
    assert!(indicators(&instance)[2] <= 0.0);
    handle_event(&instance);
    assert_eq!(get(&instance, "mode"), FREE);
}

/// The residual w_rel that a solver leaves after its zero is distributed to both inertias.
#[test]
fn an_arrival_at_zero_conserves_the_momentum() {
    let fmu = clutch(&["fn_max=10", "J_a=3", "J_b=0.5", "w_a_start=1"]);
    let instance = fmu.model_exchange();
    begin(&instance, 1.0);
    assert_eq!(get(&instance, "mode"), BACKWARD);
    instance.fmi.set_continuous_states(&[0.0, 0.5, 0.0, 1e-7]);
    assert!(indicators(&instance)[0] > 0.0);
    assert!(handle_event(&instance), "the states have changed");
    assert_eq!(get(&instance, "mode"), STUCK);
    let states = instance.fmi.get_continuous_states(4).1;
    assert_eq!(states[3], 0.0);
    assert!((3.5 * states[1] - (3.0 * 0.5 + 0.5 * (0.5 + 1e-7))).abs() < 1e-15);
    assert!(!handle_event(&instance), "nothing more to do");
}

#[test]
fn an_indicator_changes_its_sign_at_each_row_of_the_table() {
    let fmu = brake(&["mue_pos=[[0.0,0.5],[1.0,0.3],[2.0,0.4]]", "w_a_start=5"]);
    let instance = fmu.model_exchange();
    begin(&instance, 1.0);
    let sign = |w: f64| {
        instance.fmi.set_continuous_states(&[0.0, w]);
        indicators(&instance)[3] > 0.0
    };
    assert_eq!([0.5, 0.99, 1.01, 5.0].map(sign), [true, true, false, false]);
}

const NAMES: [&str; 4] = ["phi_rel", "w_rel", "flange_a.w", "flange_b.w"];

/// Times with inputs from there on: normal force and two torques. Between the pairs they are linear.
struct Signals {
    names: [&'static str; 3],
    rows: Vec<[f64; 4]>,
}

/// Piecewise constant: FMPy holds inputs between output times.
fn levels(names: [&'static str; 3]) -> Signals {
    let level = |t: f64, f: f64, a: f64, b: f64| [[t, f, a, b], [t + 0.5, f, a, b]];
    let rows = [
        level(0.0, 0.0, 5.0, 0.0),
        level(0.5, 1.0, 5.0, 0.0),
        level(1.0, 1.0, -9.0, 0.0),
        level(1.5, 1.0, 30.0, -12.0),
        level(2.0, 0.0, 0.0, 1.0),
        level(2.5, 0.7, 0.0, 1.0),
        level(3.0, 0.7, 0.0, 40.0),
        level(3.5, 0.7, 0.0, -35.0),
        level(4.0, 0.9, -2.0, 0.0),
        level(4.5, 0.9, 25.0, 0.0),
        level(5.0, 0.6, 1.0, 3.0),
        level(5.5, 0.6, 1.0, 3.0),
    ];
    Signals { names, rows: rows.concat() }
}

/// Ramps, too.
fn ramps(names: [&'static str; 3]) -> Signals {
    let mut rows = levels(names).rows[..12].to_vec();
    rows.extend([[3.0, 0.7, 0.0, 1.0], [3.5, 0.7, 0.0, 40.0], [3.8, 0.7, 0.0, -35.0], [4.2, 0.9, 10.0, 0.0]]);
    rows.extend([[4.6, -0.2, 0.0, 3.0], [5.0, 0.6, 1.0, 3.0], [6.0, 0.6, 1.0, 3.0]]);
    Signals { names, rows }
}

/// Co-Simulation from row to row in steps of a tenth millisecond: values at the rows, sequence of modes.
fn co_simulate(fmu: &Fmu, signals: &Signals) -> (Vec<[f64; 5]>, Vec<f64>) {
    let instance = fmu.instance();
    let give = |row: &[f64; 4]| {
        for (name, value) in signals.names.iter().zip(&row[1..]) {
            set(&instance, &[(name, *value)]);
        }
    };
    give(&signals.rows[0]);
    instance.initialise();
    let mut modes = vec![get(&instance, "mode")];
    let mut values = Vec::new();
    for pair in signals.rows.windows(2).filter(|pair| pair[1][0] > pair[0][0]) {
        let length = pair[1][0] - pair[0][0];
        let steps = (length * 10_000.0).round() as usize;
        for i in 0..steps {
            let [share, end] = [i, i + 1].map(|i| i as f64 / steps as f64);
            let at = pair[0][0] + share * length;
            give(&[0, 1, 2, 3].map(|k| pair[0][k] + share * (pair[1][k] - pair[0][k])));
            for (k, name) in signals.names.iter().enumerate() {
                instance.set_rates(name, &[(pair[1][k + 1] - pair[0][k + 1]) / length]);
            }
            instance.step(at, pair[0][0] + end * length - at);
            let mode = get(&instance, "mode");
            if modes.last() != Some(&mode) {
                modes.push(mode);
            }
        }
        let [a, b, c, d] = NAMES.map(|name| get(&instance, name));
        values.push([pair[1][0], a, b, c, d]);
    }
    (values, modes)
}

/// The same by FMPy with CVode.
fn fmpy(fmu: &Fmu, signals: &Signals, label: &str) -> Option<(Vec<[f64; 5]>, Vec<f64>)> {
    let mut python = python()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join(format!("{label}-input.csv")), folder.join(format!("{label}-output.csv")));
    let rows: String = signals.rows.iter().map(|[t, f, a, b]| format!("{t:?},{f:?},{a:?},{b:?}\n")).collect();
    fs_err::write(&input, format!("time,{}\n{rows}", signals.names.join(","))).unwrap();
    let script = "import csv, sys, numpy, fmpy\n\
        fmu, given, output, *names = sys.argv[1:]\n\
        header, *rows = csv.reader(open(given))\n\
        rows = [tuple(map(float, row)) for row in rows]\n\
        signals = numpy.array(rows, dtype=[(name, float) for name in header])\n\
        result = fmpy.simulate_fmu(fmu, fmi_type='ModelExchange', input=signals, stop_time=6.0, output=names,\n\
        \x20   output_interval=1e-2, relative_tolerance=1e-10, validate=True)\n\
        columns = [result[name] for name in ['time'] + names]\n\
        numpy.savetxt(output, numpy.array(columns).T, fmt='%.17g', delimiter=',')";
    printed(python.args(["-c", script]).arg(&fmu.file).arg(&input).arg(&output).args(NAMES).arg("mode"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&output).unwrap();
    let mut values = Vec::new();
    let mut modes: Vec<f64> = Vec::new();
    for record in reader.records() {
        let row: Vec<f64> = record.unwrap().iter().map(|cell| cell.parse().unwrap()).collect();
        if modes.last() != Some(&row[5]) {
            modes.push(row[5]);
        }
        values.push([row[0], row[1], row[2], row[3], row[4]]);
    }
    Some((values, modes))
}

/// The same by a Runge-Kutta method in steps of a millisecond, with bisection where an indicator
/// changes its sign.
fn integrate(fmu: &Fmu, signals: &Signals) -> (Vec<[f64; 5]>, Vec<f64>) {
    let instance = fmu.model_exchange();
    let count = fmu.description.model_structure.derivatives.len();
    let give = |t: f64, pair: &[[f64; 4]]| {
        let share = (t - pair[0][0]) / (pair[1][0] - pair[0][0]);
        for (k, name) in signals.names.iter().enumerate() {
            set(&instance, &[(name, pair[0][k + 1] + share * (pair[1][k + 1] - pair[0][k + 1]))]);
        }
    };
    let place = |t: f64, x: &[f64], pair: &[[f64; 4]]| {
        assert_eq!(instance.fmi.set_time(t), Status::Ok);
        give(t, pair);
        assert_eq!(instance.fmi.set_continuous_states(x), Status::Ok);
    };
    let rates = |t: f64, x: &[f64], pair: &[[f64; 4]]| {
        place(t, x, pair);
        instance.fmi.get_derivatives(count).1
    };
    let step = |t: f64, x: &[f64], h: f64, pair: &[[f64; 4]]| -> Vec<f64> {
        let moved = |k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
        let a = rates(t, x, pair);
        let b = rates(t + h / 2.0, &moved(&a, h / 2.0), pair);
        let c = rates(t + h / 2.0, &moved(&b, h / 2.0), pair);
        let d = rates(t + h, &moved(&c, h), pair);
        let mean: Vec<f64> = (0..count).map(|i| (a[i] + 2.0 * (b[i] + c[i]) + d[i]) / 6.0).collect();
        let end = moved(&mean, h);
        place(t + h, &end, pair);
        end
    };
    let signs = || indicators(&instance).iter().map(|z| *z > 0.0).collect::<Vec<_>>();

    give(0.0, &signals.rows[..2]);
    instance.initialise();
    let mut modes = vec![get(&instance, "mode")];
    let mut values = Vec::new();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    for pair in signals.rows.windows(2).filter(|pair| pair[1][0] > pair[0][0]) {
        let mut t = pair[0][0];
        give(t, pair);
        handle_event(&instance);
        let mut x = instance.fmi.get_continuous_states(count).1;
        loop {
            let mode = get(&instance, "mode");
            if modes.last() != Some(&mode) {
                modes.push(mode);
            }
            if pair[1][0] - t < 1e-12 {
                break;
            }
            let before = signs();
            let mut h = (pair[1][0] - t).min(1e-3);
            let mut end = step(t, &x, h, pair);
            if signs() != before {
                let mut lo = 0.0;
                while h - lo > 1e-13 {
                    let middle = 0.5 * (lo + h);
                    step(t, &x, middle, pair);
                    if signs() == before { lo = middle } else { h = middle }
                }
                step(t, &x, h, pair);
                handle_event(&instance);
                end = instance.fmi.get_continuous_states(count).1;
            }
            (t, x) = (t + h, end);
        }
        let [a, b, c, d] = NAMES.map(|name| get(&instance, name));
        values.push([pair[1][0], a, b, c, d]);
    }
    (values, modes)
}

#[track_caller]
fn assert_same(found: &(Vec<[f64; 5]>, Vec<f64>), expected: &(Vec<[f64; 5]>, Vec<f64>), tolerance: f64) {
    let (modes, rows) = (&found.1, &found.0);
    assert_eq!(*modes, expected.1);
    assert!(modes.len() > 7 && [FORWARD, STUCK, BACKWARD, FREE].iter().all(|mode| modes.contains(mode)), "{modes:?}");
    for row in &expected.0 {
        let found = rows.iter().rfind(|found| (found[0] - row[0]).abs() < 1e-9).expect("a row at this time");
        for i in 1..5 {
            assert!((found[i] - row[i]).abs() < tolerance, "{} at {}: {} {}", NAMES[i - 1], row[0], found[i], row[i]);
        }
    }
}

fn compare(fmu: &Fmu, label: &str) {
    let names = ["f_normalized", "flange_a.tau", "flange_b.tau"];
    let signals = ramps(names);
    assert_same(&integrate(fmu, &signals), &co_simulate(fmu, &signals), 1e-8);
    let signals = levels(names);
    if let Some(found) = fmpy(fmu, &signals, label) {
        assert_same(&found, &co_simulate(fmu, &signals), 1e-6);
    }
}

const PARAMETERS: [&str; 3] = ["fn_max=20", "peak=1.1", "mue_pos=[[0.0,0.5],[1.0,0.4],[6.0,0.45]]"];

#[test]
fn the_clutch_with_other_solvers_is_that_in_co_simulation() {
    compare(&clutch(&[&PARAMETERS[..], &["J_b=2", "w_b_start=3"]].concat()), "clutch");
}

#[test]
fn the_brake_with_other_solvers_is_that_in_co_simulation() {
    compare(&brake(&[&PARAMETERS[..], &["w_a_start=-3"]].concat()), "brake");
}
