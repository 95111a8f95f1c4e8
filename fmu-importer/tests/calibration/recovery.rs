//! Known truths are found again: to rounding without noise, within the intervals with it.

use fmu_importer::calibration::{Calibration, Fitted};
use fmu_importer::{Interface, Simulation};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::{Case, EXAMPLES};

/// Rows of each experiment, with the times and inputs of the example.
fn rows(name: &str) -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let times = |count: usize, step: f64| (0..count).map(move |row| row as f64 * step);
    match name {
        "train" => vec![
            ("train-pulse.csv", times(121, 0.005).map(|t| vec![t, if t < 0.1 { 20.0 } else { 0.0 }]).collect()),
            (
                "train-sweep.csv",
                times(161, 0.005)
                    .map(|t| vec![t, 10.0 * (std::f64::consts::TAU * (8.0 * t + 12.0 * t * t)).sin()])
                    .collect(),
            ),
        ],
        "clutch" => {
            vec![("clutch-engagement.csv", times(101, 0.01).map(|t| vec![t, (0.4 * t / 0.3).min(0.4), 20.0]).collect())]
        }
        _ => vec![(
            "mount-loop.csv",
            times(161, 0.0125)
                .map(|t| vec![t, 1e-3 * if t < 1.0 { 0.4 * t } else { 1.0 } * (std::f64::consts::TAU * t).sin()])
                .collect(),
        )],
    }
}

/// Writes the data of an example: the outputs of a run with the truth, with errors of measurement of this part of their
/// root mean square.
fn measure(case: &Case, name: &str, noise: f64, seed: u64) {
    let (_, _, truth) = EXAMPLES.iter().find(|(example, ..)| *example == name).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for (file, rows) in rows(name) {
        let (interface, inputs, outputs, headings): (_, &[&str], &[&str], _) = match name {
            "train" => (
                Interface::ModelExchange,
                &["drive.tau"],
                &["motor.w", "load.w"],
                "time [s],torque [N.m],motor [rad/s],load [rad/s]",
            ),
            "clutch" => (
                Interface::ModelExchange,
                &["f_normalized", "flange_a.tau"],
                &["flange_a.w", "flange_b.w"],
                "time [s],pressure [1],drive [N.m],input shaft [rad/s],output shaft [rad/s]",
            ),
            _ => {
                (Interface::CoSimulation, &["frame_b.r_0[1]"], &["frame_b.f[1]"], "time [s],displacement [m],force [N]")
            }
        };
        let mut simulation = Simulation::load_as(case.path("Model.fmu"), interface).unwrap();
        truth.iter().for_each(|(name, value)| simulation.set(&format!("{name}={value}")).unwrap());
        let mut text =
            format!("time,{}\n", inputs.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(","));
        for row in &rows {
            text += &(row.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(",") + "\n");
        }
        fs_err::write(case.path("input.csv"), text).unwrap();
        simulation.read_inputs(case.path("input.csv")).unwrap();
        simulation.step = rows[1][0];
        simulation.tolerance = Some(1e-9);
        let trajectory = simulation.run().unwrap();
        let columns: Vec<Vec<f64>> = outputs.iter().map(|name| trajectory.column(name).unwrap().to_vec()).collect();
        let mut normal = || {
            // Irwin and Hall's sum is normal enough: its intervals of 95 % differ by less than 0.1 %.
            (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0
        };
        let sizes: Vec<f64> = columns
            .iter()
            .map(|column| (column.iter().map(|value| value * value).sum::<f64>() / column.len() as f64).sqrt())
            .collect();
        let mut text = format!("{headings}\n");
        for (number, row) in rows.iter().enumerate() {
            let own = columns.iter().zip(&sizes).map(|(column, size)| column[number] + noise * size * normal());
            let cells: Vec<String> = row.iter().copied().chain(own).map(|value| value.to_string()).collect();
            text += &(cells.join(",") + "\n");
        }
        fs_err::write(case.path(file), text).unwrap();
    }
}

fn fit(case: &Case) -> Fitted {
    Calibration::load(&case.path("fit.toml")).and_then(|mut calibration| calibration.fit()).unwrap()
}

#[test]
fn exact_data_give_their_parameters() {
    for (name, component, truth) in EXAMPLES {
        let case = Case::of_example(name, component);
        measure(&case, name, 0.0, 0);
        let found = fit(&case);
        for ((parameter, expected), value) in truth.iter().zip(&found.values) {
            assert!((value / expected - 1.0).abs() < 1e-6, "{name}: {parameter} is {value}, not {expected}");
        }
    }
}

/// 100 measurements of each example with errors of 2 %.
#[test]
#[ignore = "expensive: 300 fits"]
fn the_truth_is_within_the_intervals() {
    for (name, component, truth) in EXAMPLES {
        let case = Case::of_example(name, component);
        // Their deviation is that of the made errors, which is not known to the file.
        let text = fs_err::read_to_string(case.path("fit.toml")).unwrap();
        fs_err::write(case.path("fit.toml"), text.replace(", deviation = 9.0", "")).unwrap();
        let mut inside = vec![0; truth.len()];
        for seed in 1..=100 {
            measure(&case, name, 0.02, seed);
            let found = fit(&case);
            for ((count, (_, expected)), [low, high]) in inside.iter_mut().zip(truth).zip(&found.intervals) {
                *count += usize::from((*low..=*high).contains(expected));
            }
        }
        println!("{name}: {inside:?} of 100");
        assert!(inside.iter().all(|count| *count >= 90), "{name}: {inside:?}");
    }
}

/// Writes the data of the page, into the folder that the variable names.
#[test]
#[ignore = "expensive: makes the data of docs/fit anew, which are in the repository"]
fn data_of_the_page() {
    let Some(folder) = std::env::var_os("FIT_DATA") else { return };
    for (name, component, _) in EXAMPLES {
        let case = Case::of_example(name, component);
        measure(&case, name, 0.02, 1);
        for (file, _) in rows(name) {
            fs_err::copy(case.path(file), std::path::Path::new(&folder).join(file)).unwrap();
        }
    }
}
