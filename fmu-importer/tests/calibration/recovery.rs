//! Known truths are found again from data without errors of measurement.

use fmu_importer::Simulation;
use fmu_importer::calibration::{Calibration, Fitted};
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

/// The data of an example without errors of measurement.
pub struct Truth {
    file: &'static str,
    headings: &'static str,
    rows: Vec<Vec<f64>>,
    /// The outputs of a run with the true values.
    columns: Vec<Vec<f64>>,
}

impl Truth {
    pub fn of(case: &Case, name: &str) -> Vec<Self> {
        let (_, _, truth) = EXAMPLES.iter().find(|(example, ..)| *example == name).unwrap();
        let (inputs, outputs, headings): (&[&str], &[&str], _) = match name {
            "train" => (&["drive.tau"], &["motor.w", "load.w"], "time [s],torque [N.m],motor [rad/s],load [rad/s]"),
            "clutch" => (
                &["f_normalized", "flange_a.tau"],
                &["flange_a.w", "flange_b.w"],
                "time [s],pressure [1],drive [N.m],input shaft [rad/s],output shaft [rad/s]",
            ),
            _ => (&["frame_b.r_0[1]"], &["frame_b.f[1]"], "time [s],displacement [m],force [N]"),
        };
        let of_file = |(file, rows): (&'static str, Vec<Vec<f64>>)| {
            let mut simulation = Simulation::load(case.path("Model.fmu")).unwrap();
            truth.iter().for_each(|(name, value)| simulation.set(&format!("{name}={value}")).unwrap());
            let names: Vec<String> = inputs.iter().map(|name| format!("\"{name}\"")).collect();
            let mut text = format!("time,{}\n", names.join(","));
            rows.iter().for_each(|row| text += &line(row));
            fs_err::write(case.path("input.csv"), text).unwrap();
            simulation.read_inputs(case.path("input.csv")).unwrap();
            simulation.step = rows[1][0];
            simulation.tolerance = Some(1e-9);
            let trajectory = simulation.run().unwrap();
            let columns = outputs.iter().map(|name| trajectory.column(name).unwrap().to_vec()).collect();
            Self { file, headings, rows, columns }
        };
        rows(name).into_iter().map(of_file).collect()
    }

    /// Writes the data with errors of measurement of this part of the root mean square of each output.
    fn write(&self, case: &Case, noise: f64, random: &mut ChaCha8Rng) {
        // Irwin and Hall's sum is normal enough: its intervals of 95 % differ by less than 0.1 %.
        let mut normal = || (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0;
        let size =
            |column: &Vec<f64>| (column.iter().map(|value| value * value).sum::<f64>() / column.len() as f64).sqrt();
        let mut text = format!("{}\n", self.headings);
        for (number, row) in self.rows.iter().enumerate() {
            let own = self.columns.iter().map(|column| column[number] + noise * size(column) * normal());
            text += &line(&row.iter().copied().chain(own).collect::<Vec<_>>());
        }
        fs_err::write(case.path(self.file), text).unwrap();
    }
}

fn line(values: &[f64]) -> String {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n"
}

pub fn measure(case: &Case, truths: &[Truth], noise: f64, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    truths.iter().for_each(|truth| truth.write(case, noise, &mut random));
}

pub fn fit(case: &Case) -> Fitted {
    Calibration::load(&case.path("fit.toml")).and_then(|mut calibration| calibration.fit(&mut |_| ())).unwrap()
}

#[test]
fn exact_data_give_their_parameters() {
    for (name, component, truth) in EXAMPLES {
        let case = Case::of_example(name, component);
        measure(&case, &Truth::of(&case, name), 0.0, 0);
        let found = fit(&case);
        for ((parameter, expected), value) in truth.iter().zip(&found.values) {
            assert!((value / expected - 1.0).abs() < 1e-6, "{name}: {parameter} is {value}, not {expected}");
        }
    }
}

/// Searches from other points within the bounds end where the one from the start values does.
#[test]
fn several_starts_lead_to_the_truth() {
    let (name, component, truth) = EXAMPLES[1];
    let case = Case::of_example(name, component);
    measure(&case, &Truth::of(&case, name), 0.0, 0);
    let text = fs_err::read_to_string(case.path("fit.toml")).unwrap();
    fs_err::write(case.path("fit.toml"), format!("starts = 4\n{text}")).unwrap();
    for ((parameter, expected), value) in truth.iter().zip(&fit(&case).values) {
        assert!((value / expected - 1.0).abs() < 1e-6, "{parameter} is {value}, not {expected}");
    }
    measure(&case, &Truth::of(&case, name), 0.02, 1);
    let (success, printed, said) = case.run(&["--output", "found.toml"]);
    assert!(success && printed.contains("; 4 of 4 starts led here)"), "{printed}{said}");
}

/// A bench writes milliseconds, percent and decimal commas; the parameters are those of the same data in SI units.
#[test]
fn tables_of_benches_are_read_as_they_are() {
    let (name, component, truth) = EXAMPLES[1];
    let case = Case::of_example(name, component);
    let truths = Truth::of(&case, name);
    let [Truth { rows, columns, .. }] = &truths[..] else { panic!("one experiment") };
    let mut text = "Prüfstand 7\nZeit;Druck;Antrieb;Drehzahl an;Drehzahl ab\n".to_owned();
    for (number, row) in rows.iter().enumerate() {
        let speeds = columns.iter().map(|column| column[number] * 30.0 / std::f64::consts::PI);
        let cells: Vec<_> = [row[0] * 1e3, row[1] * 1e2, row[2] * 1e-3].into_iter().chain(speeds).collect();
        text += &cells.iter().map(|cell| cell.to_string().replace('.', ",")).collect::<Vec<_>>().join(";");
        text += "\n";
    }
    let encoded: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    fs_err::write(case.path("bench.csv"), encoded).unwrap();
    let plain = fs_err::read_to_string(case.path("fit.toml")).unwrap();
    let (head, _) = plain.split_once("data =").unwrap();
    let keys = "data = 'bench.csv'\nencoding = 'latin1'\ndelimiter = ';'\ndecimal = ','\nrange = 'A2:E200'\n\
                units = ['ms', 'rpm', 'rpm', '%', 'kN.m']\n";
    for columns in [
        "time = 'Zeit'\ninputs = { f_normalized = 'Druck', 'flange_a.tau' = 'Antrieb' }\n\
         outputs = { 'flange_a.w' = 'Drehzahl an', 'flange_b.w' = 'Drehzahl ab' }\n",
        "time = 1\ninputs = { f_normalized = 2, 'flange_a.tau' = { column = 3 } }\n\
         outputs = { 'flange_a.w' = { column = 4 }, 'flange_b.w' = 5 }\n",
    ] {
        fs_err::write(case.path("fit.toml"), format!("{head}{keys}{columns}")).unwrap();
        for ((parameter, expected), value) in truth.iter().zip(&fit(&case).values) {
            assert!((value / expected - 1.0).abs() < 1e-6, "{parameter} is {value}, not {expected}: {columns}");
        }
    }
}

/// Writes the data of the page, into the folder that the variable names.
#[test]
#[ignore = "expensive: makes the data of docs/fit anew, which are in the repository"]
fn data_of_the_page() {
    let Some(folder) = std::env::var_os("FIT_DATA") else { return };
    for (name, component, _) in EXAMPLES {
        let case = Case::of_example(name, component);
        let truths = Truth::of(&case, name);
        measure(&case, &truths, 0.02, 1);
        for Truth { file, .. } in truths {
            fs_err::copy(case.path(file), std::path::Path::new(&folder).join(file)).unwrap();
        }
    }
}
