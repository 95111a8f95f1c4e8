//! The Modelica Association's published trajectories.

use std::io::Write;
use std::path::Path;

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::cases::{Case, Signal, cases};
use crate::fixture::train;

/// The rows of a trajectory; `None`, with a message, if the data are missing.
fn reference(case: &Case) -> Option<Vec<Vec<f64>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4).expect("the workspace lies in a folder");
    let path = root.join(format!("shared/reference/{}.csv", case.file));
    if !path.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    }
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let names: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let column = |name: &&str| names.iter().position(|known| known == name).expect(name);
    let wanted: Vec<usize> = case.columns.iter().map(column).collect();
    let rows = reader.records().map(|row| row.expect("a row"));
    Some(rows.map(|row| wanted.iter().map(|column| row[*column].parse().expect("a number")).collect()).collect())
}

/// The largest deviation from the trajectory, as a fraction of a signal's range, if each `every`th row ends a communication
/// step.
fn deviation(case: &Case, rows: &[Vec<f64>], interface: Interface, every: usize) -> f64 {
    let column = |i: usize| rows.iter().map(move |row| row[i]);
    let range = |i: usize| column(i).fold(f64::MIN, f64::max) - column(i).fold(f64::MAX, f64::min);
    let ranges: Vec<_> = (0..case.columns.len()).map(range).collect();
    let mut train = train(interface, &case.text);
    case.inputs.iter().for_each(|input| train.set(input.name, (input.at)(0.0, 0)));
    let (mut time, mut largest) = (0.0, 0.0_f64);
    for (i, row) in rows.iter().enumerate() {
        let is_break = case.breaks.iter().any(|at| (row[0] - at).abs() < 1e-9);
        if row[0] <= time || !(i % every == 0 || is_break || i + 1 == rows.len()) {
            continue;
        }
        advance(&mut train, &case.inputs, interface, [time, row[0]]);
        time = row[0];
        let near = |other: usize| rows.get(other).is_some_and(|other| (other[0] - time).abs() < 1e-6);
        let is_event = near(i + 1) || near(i - 1);
        for (k, name) in case.columns.iter().enumerate().skip(1) {
            if name.ends_with(".mode") {
                let mode = f64::from(train.integer(name));
                assert!(is_event || mode == row[k], "{}: {name} at {time}: {mode} {}", case.file, row[k]);
            } else {
                largest = largest.max((train.real(name) - row[k]).abs() / ranges[k]);
            }
        }
    }
    largest
}

fn advance(train: &mut Trial, inputs: &[Signal], interface: Interface, [begin, end]: [f64; 2]) {
    match interface {
        Interface::CoSimulation => {
            for Signal { name, at } in inputs {
                train.set(name, at(begin, 0));
                train.set_derivatives(name, &[1, 2, 3, 4, 5, 6, 7, 8].map(|order| at(begin, order)));
            }
            train.step(end - begin);
        }
        // Inputs are constant inside a step.
        Interface::ModelExchange => {
            let count = ((end - begin) / 2.5e-3).ceil().max(1.0);
            let h = (end - begin) / count;
            for k in 0..count as i32 {
                let middle = begin + (f64::from(k) + 0.5) * h;
                inputs.iter().for_each(|Signal { name, at }| train.set(name, at(middle, 0)));
                train.step(h);
            }
        }
    }
}

/// In both interfaces, in Co-Simulation at two communication steps.
#[test]
fn published_trajectories_are_reached() {
    for case in cases() {
        let Some(rows) = reference(&case) else { continue };
        for (interface, every, tolerance) in [
            (Interface::CoSimulation, case.steps[0], case.tolerances[0]),
            (Interface::CoSimulation, case.steps[1], case.tolerances[0]),
            (Interface::ModelExchange, case.steps[1], case.tolerances[1]),
        ] {
            let largest = deviation(&case, &rows, interface, every);
            assert!(largest <= tolerance, "{}, {interface:?}, every {every}: {largest:e}", case.file);
        }
    }
}
