//! Systems beside trajectories that the Modelica Association published: in Co-Simulation at three communication steps, and in
//! FMPy's Model Exchange.

use std::fs::File;
use std::io::Write;

use fmu_builder::Settings;
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance, resolve, root};
use fmu_tests::fmpy;

mod cases;

use cases::{Case, Signal, cases};

/// Fraction of a signal's range that the data and runs of FMPy may differ by, where the data are not less exact.
const TOLERANCE: f64 = 5e-4;

/// Time in s between rows of inputs.
const GRID: f64 = 1e-4;

/// Returns the configuration that the lines of a case mean.
fn configuration(text: &str) -> String {
    let mut configuration = String::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(part), Some(kind)) = (words.next(), words.next()) else { continue };
        configuration += &format!("[parts.{part}]\ntype = \"{kind}\"\n");
        for (key, value) in words.filter_map(|word| word.split_once('=')) {
            let is_bare = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
            let value = if is_bare { value.to_owned() } else { format!("\"{value}\"") };
            configuration += &format!("\"{key}\" = {value}\n");
        }
    }
    configuration
}

/// Returns the inputs as a table, with two rows where they jump.
fn table(case: &Case, stop: f64) -> String {
    let mut table = case.inputs.iter().fold("time".to_owned(), |names, Signal { name, .. }| names + "," + name) + "\n";
    let mut row = |time: f64, at: f64| {
        let values = case.inputs.iter().map(|input| format!(",{:?}", (input.at)(at, 0)));
        table += &(format!("{time:?}") + &values.collect::<String>() + "\n");
    };
    for k in 0..=(stop / GRID).round() as u32 {
        let time = f64::from(k) * GRID;
        if case.breaks.iter().any(|at| (at - time).abs() < 0.5 * GRID) {
            row(time, time - 1e-9);
        }
        row(time, time + 1e-9);
    }
    table
}

/// Returns the rows of a table of numbers.
fn rows(reader: &mut csv::Reader<File>) -> Vec<Vec<f64>> {
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| row.iter().map(|cell| cell.parse().expect("a number")).collect()).collect()
}

/// Returns the trajectory of a case; `None`, with a message, if the data are missing.
fn reference(case: &Case) -> Option<Vec<Vec<f64>>> {
    let path = root().parent().expect("a folder").join(format!("shared/reference/{}.csv", case.file));
    if !path.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    }
    let mut reader = csv::Reader::from_path(&path).expect("a table");
    let head: Vec<String> = reader.headers().expect("a head").iter().map(str::to_owned).collect();
    let column = |name: &&str| head.iter().position(|known| known == name).expect(name);
    let columns: Vec<usize> = case.columns.iter().map(column).collect();
    Some(rows(&mut reader).iter().map(|row| columns.iter().map(|column| row[*column]).collect()).collect())
}

/// Returns the FMU of a case.
fn fmu(case: &Case) -> Fmu {
    let folder = tempfile::tempdir().expect("room for a folder");
    let file = if case.text.ends_with(".toml") {
        root().join("examples/msl").join(&case.text)
    } else {
        let file = folder.path().join("system.toml");
        fs_err::write(&file, configuration(&case.text)).expect("room for a file");
        file
    };
    let settings = Settings::from_toml(&file).unwrap_or_else(|error| panic!("{error}"));
    Fmu::of("systems", resolve("systems", &settings).unwrap_or_else(|error| panic!("{error}")))
}

/// Returns our name of a signal: bodies are not parts of others.
fn own(name: &str) -> String {
    name.replace(".body.", ".")
}

/// Returns the range of a signal.
fn range(rows: &[Vec<f64>], column: usize) -> f64 {
    let values = || rows.iter().map(|row| row[column]);
    values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
}

/// Communication steps along the rows of a trajectory.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// Of this length in s at most, also where rows are closer to each other.
    Short(f64),
    /// From one row to another, so many rows behind it.
    Rows(usize),
}

/// Returns the largest deviation in Co-Simulation, as a fraction of a signal's range.
fn deviation(case: &Case, rows: &[Vec<f64>], instance: &Instance<'_>, steps: Steps) -> f64 {
    let ranges: Vec<_> = (0..case.columns.len()).map(|column| range(rows, column)).collect();
    let set = |Signal { name, at }: &Signal, time| assert_eq!(instance.set(name, &[at(time, 0)]), Status::Ok, "{name}");
    case.inputs.iter().for_each(|input| set(input, 0.0));
    instance.initialise();
    let (mut time, mut largest) = (0.0, 0.0_f64);
    for (i, row) in rows.iter().enumerate() {
        let is_break = case.breaks.iter().any(|at| (row[0] - at).abs() < 1e-9);
        let (is_end, parts) = match steps {
            Steps::Short(h) => (
                rows.get(i + 1).is_none_or(|next| next[0] - time > h * (1.0 + 1e-9)),
                ((row[0] - time) / h - 1e-6).ceil().max(1.0) as u32,
            ),
            Steps::Rows(every) => (i % every == 0, 1),
        };
        if row[0] <= time || !(is_end || is_break || i + 1 == rows.len()) {
            continue;
        }
        let end_of = |part: u32| time + (row[0] - time) * f64::from(part) / f64::from(parts);
        for part in 0..parts {
            let begin = end_of(part);
            for input in &case.inputs {
                set(input, begin);
                let orders = [1, 2, 3, 4, 5, 6, 7, 8];
                let references = vec![instance.references(input.name)[0]; orders.len()];
                let derivatives = orders.map(|order| (input.at)(begin, order));
                assert_eq!(instance.fmi.set_real_input_derivatives(&references, &orders, &derivatives), Status::Ok);
            }
            instance.step(begin, end_of(part + 1) - begin);
        }
        time = row[0];
        let near = |other: usize| rows.get(other).is_some_and(|other| (other[0] - time).abs() < 1e-6);
        let is_event = near(i + 1) || near(i.wrapping_sub(1));
        for (k, name) in case.columns.iter().enumerate().skip(1) {
            let found = instance.get(&own(name))[0];
            if name.ends_with(".mode") {
                assert!(is_event || found == row[k], "{}: {name} at {time}: {found} {}", case.file, row[k]);
            } else {
                // Where a signal jumps, the data have rows before the event and behind it.
                let beside = (i.saturating_sub(4)..=i + 4).filter(|other| near(*other));
                let differences = beside.map(|other| (found - rows[other][k]).abs());
                largest = largest.max(differences.fold(f64::INFINITY, f64::min) / ranges[k]);
            }
        }
    }
    largest
}

#[test]
fn published_trajectories_are_reached_in_co_simulation() {
    for case in cases() {
        let Some(rows) = reference(&case) else { return };
        let fmu = fmu(&case);
        for steps in [Steps::Short(1e-3), Steps::Short(1e-2), Steps::Rows(case.every)] {
            let largest = deviation(&case, &rows, &fmu.instance(), steps);
            assert!(largest <= case.tolerance, "{}, {steps:?}: {largest:e}", case.file);
        }
    }
}

/// Returns the run of a case with outputs at the times of its trajectory.
fn run<'a>(fmu: &'a Fmu, reference: &[Vec<f64>], case: &Case) -> fmpy::Run<'a> {
    let stop = reference.last().expect("rows")[0];
    let mut interval = reference.windows(2).map(|pair| pair[1][0] - pair[0][0]).fold(0.0, f64::max);
    let is_off = |row: &&Vec<f64>| (row[0] - (row[0] / interval).round() * interval).abs() > 1e-6;
    if reference.iter().filter(is_off).count() > reference.len() / 2 {
        // An event has shifted the times behind it.
        interval /= 20.0;
    }
    let outputs = case.columns[1..].iter().map(|name| own(name)).collect();
    fmpy::Run { fmu: &fmu.file, inputs: table(case, stop), times: [interval, stop], tolerance: 1e-8, outputs }
}

#[test]
#[ignore = "expensive: FMPy integrates"]
fn published_trajectories_are_reached_in_fmpy() {
    let all: Option<Vec<_>> =
        cases().into_iter().map(|case| reference(&case).map(|reference| (fmu(&case), reference, case))).collect();
    let Some(all) = all else { return };
    let runs: Vec<_> = all.iter().map(|(fmu, reference, case)| run(fmu, reference, case)).collect();
    let Some(tables) = fmpy::in_model_exchange(&runs) else { return };
    for ((_, reference, case), found) in all.iter().zip(tables) {
        let ranges: Vec<_> = (0..case.columns.len()).map(|column| range(reference, column)).collect();
        let (mut largest, mut compared) = (0.0_f64, 0);
        for (i, row) in reference.iter().enumerate() {
            // At an event there are two rows.
            let is_near = |other: &[f64]| (other[0] - row[0]).abs() < 1e-6;
            let is_event = reference[..i].iter().chain(&reference[i + 1..]).any(|other| is_near(other))
                || found.iter().filter(|other| is_near(other)).count() != 1;
            let Some(found) = found.iter().find(|found| is_near(found)).filter(|_| !is_event) else { continue };
            compared += 1;
            for k in 1..row.len() {
                if case.columns[k].ends_with(".mode") {
                    assert_eq!(found[k], row[k], "{}: {} at {}", case.file, case.columns[k], row[0]);
                } else {
                    largest = largest.max((found[k] - row[k]).abs() / ranges[k]);
                }
            }
        }
        assert!(compared > 50, "{}: {compared} rows of {}", case.file, reference.len());
        assert!(largest <= TOLERANCE.max(case.tolerance), "{}: {largest:e}", case.file);
    }
}
