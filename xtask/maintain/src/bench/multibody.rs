//! The multibody benchmark of the IFToMM: time at a given error, beside Exudyn.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::steps::System;
use xtask::environment::Environment;
use xtask::venv;

/// A problem.
pub struct Problem {
    pub name: &'static str,
    pub title: &'static str,
    /// The example, in the folder of examples.
    pub file: &'static str,
    /// Its parameters, if not those of the file.
    parameters: &'static [&'static str],
    /// Communication step and end, in s.
    times: [f64; 2],
    outputs: fn() -> Vec<String>,
    /// The error of a run, from the outputs at the communication points.
    error: fn(&[Vec<f64>]) -> f64,
    /// The error that is allowed, and what it is.
    pub limit: f64,
    pub what: &'static str,
    /// Time of OpenSim 3.2 on an Intel i5-4570, in s, as published.
    pub published: Option<f64>,
}

/// Acceleration of gravity in m/s2.
const G: f64 = 9.81;

pub const PROBLEMS: [Problem; 6] = [
    Problem {
        name: "A01",
        title: "simple pendulum",
        file: "iftomm/a01-simple-pendulum.toml",
        parameters: &[],
        times: [0.1, 10.0],
        outputs: || ["joint.w", "rod.frame_b.r_0[2]"].map(str::to_owned).into(),
        error: |rows| drift(rows, |row| 0.5 * row[0].powi(2) + G * row[1]),
        limit: 5e-5,
        what: "J",
        published: Some(0.637),
    },
    Problem {
        name: "A02",
        title: "two windows of four bars",
        file: "iftomm/a02-four-bars.toml",
        parameters: &[],
        times: [0.1, 10.0],
        outputs: crank,
        error: |rows| drift(rows, |row| windows(2.0, row)),
        limit: 0.1,
        what: "J",
        published: Some(0.455),
    },
    Problem {
        name: "A02-40",
        title: "40 windows of four bars",
        file: "iftomm/a02-four-bars.toml",
        parameters: &["N=40"],
        times: [0.1, 10.0],
        outputs: crank,
        error: |rows| drift(rows, |row| windows(40.0, row)),
        limit: 0.1,
        what: "J",
        published: None,
    },
    Problem {
        name: "A03",
        title: "Andrews' squeezing mechanism",
        file: "iftomm/a03-andrews-squeezer.toml",
        parameters: &[],
        times: [0.01, 0.05],
        outputs: || ["beta.phi", "gamma.angle", "delta.angle", "epsilon.angle"].map(str::to_owned).into(),
        error: |rows| {
            let quarter = std::f64::consts::FRAC_PI_2;
            let published = [
                15.810_771_196_299_04,
                0.040_822_240_130_73 - quarter,
                0.524_409_965_880_53,
                1.048_080_741_042_26 - quarter,
            ];
            largest(rows[3].iter().zip(published).map(|(found, published)| found - published))
        },
        limit: 1e-5,
        what: "rad",
        published: Some(0.384),
    },
    Problem {
        name: "A04",
        title: "Bricard's mechanism",
        file: "bricard.toml",
        parameters: &[],
        times: [0.1, 10.0],
        outputs: rods,
        error: |rows| drift(rows, bricard),
        limit: 5e-5,
        what: "J",
        published: Some(0.258),
    },
    Problem {
        name: "A05",
        title: "flyball governor",
        file: "iftomm/a05-flyball-governor.toml",
        parameters: &[],
        times: [0.1, 10.0],
        outputs: || ["guide.s"].map(str::to_owned).into(),
        error: |rows| {
            let published = [(5, 0.743_249_425), (10, 0.501_420_922), (50, 0.535_563_104), (100, 0.619_622_917)];
            largest(published.into_iter().map(|(row, s)| rows[row][0] - s))
        },
        limit: 1e-5,
        what: "m",
        published: Some(0.233),
    },
];

/// A problem that was solved.
pub struct Solved {
    pub problem: &'static Problem,
    pub ours: Cost,
    pub peer: Option<Cost>,
}

/// A run with an error below the limit.
pub struct Cost {
    /// The tolerance or the step.
    pub setting: String,
    pub error: f64,
    /// Nanoseconds of processor time.
    pub time: f64,
}

/// Solves the problems; the peer and what takes seconds are left out of a smoke run, which has one round.
pub fn solve(environment: &Environment, folder: &Path, budget: f64, rounds: usize) -> Result<Vec<Solved>> {
    let folder = folder.join("multibody");
    let scripts = xtask::paths::root().join("tests").join("bench").join("exudyn");
    let python = match rounds {
        1 => None,
        _ => {
            let folder = xtask::paths::root().join("target").join("peers").join("exudyn");
            Some(venv::prepare(&folder, &scripts.join("requirements.txt"), "Exudyn")?)
        }
    };
    let one = |problem: &'static Problem| {
        let outputs = (problem.outputs)();
        let names = outputs.iter().map(String::as_str);
        let system = System::of(
            environment,
            &folder.join(problem.name),
            (problem.file, problem.parameters),
            names,
            outputs.len(),
        )?;
        let ours = ours(problem, &system, budget, rounds)?;
        let peer = python.as_ref().map(|python| {
            let mut command = Command::new(python);
            command.args(["-W", "ignore"]).arg(scripts.join("run.py"));
            let output = venv::run(command.args([problem.name, &problem.limit.to_string()]))?;
            let output = String::from_utf8(output.stdout)?;
            let line = output.lines().last().context("a line of Exudyn")?;
            let [error, seconds, setting] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                bail!("\"{line}\" is no run of Exudyn")
            };
            Ok(Cost { setting: setting.to_owned(), error: error.parse()?, time: 1e9 * seconds.parse::<f64>()? })
        });
        Ok(Solved { problem, ours, peer: peer.transpose()? })
    };
    PROBLEMS.iter().filter(|problem| rounds > 1 || problem.parameters.is_empty()).map(one).collect()
}

/// Returns the run with the largest tolerance whose error is below the limit.
fn ours(problem: &Problem, system: &System, budget: f64, rounds: usize) -> Result<Cost> {
    for tolerance in (2..12).flat_map(|digits| [1.0, 0.3].map(|part| part * 0.1_f64.powi(digits))) {
        let (mut time, rows) = system.run(0.0, tolerance, problem.times)?;
        let error = (problem.error)(&rows);
        if error < problem.limit {
            for _ in 0..rounds {
                time = time.min(system.run(budget, tolerance, problem.times)?.0);
            }
            return Ok(Cost { setting: format!("tolerance {tolerance:.0e}"), error, time });
        }
    }
    bail!("{}: no tolerance is small enough", problem.name)
}

/// Returns what the energy of windows of four bars needs.
fn crank() -> Vec<String> {
    ["crank0.w", "bar0.frame_b.r_0[2]"].map(str::to_owned).into()
}

/// Returns the energy of windows of four bars: cranks turn about their bearings, couplers do not turn.
fn windows(count: f64, row: &[f64]) -> f64 {
    0.5 * ((count + 1.0) / 3.0 + count) * row[0].powi(2) + (1.5 * count + 0.5) * G * row[1]
}

/// Returns what the energy of Bricard's mechanism needs of each of its rods: height and velocity of its first end, and its angular
/// velocity, resolved in it.
fn rods() -> Vec<String> {
    let of_rod = |rod: u32| {
        let motion = ["v_0", "w_a"].map(|what| [1, 2, 3].map(|k| format!("rod{rod}.{what}[{k}]"))).concat();
        std::iter::once(format!("rod{rod}.r_0[2]")).chain(motion)
    };
    (1..=5).flat_map(of_rod).collect()
}

/// Returns the energy of Bricard's mechanism. The middle of a rod is between its first end and that of the next one; the last rod
/// ends at the base, at rest.
fn bricard(row: &[f64]) -> f64 {
    // The direction of each rod, in which it is thin.
    let along = [0, 1, 2, 0, 1];
    let ends: Vec<&[f64]> = row.chunks(7).map(|rod| &rod[..4]).chain([&[0.0; 4][..]]).collect();
    let of_rod = |(rod, along): (usize, usize)| {
        let middle = |k: usize| 0.5 * (ends[rod][k] + ends[rod + 1][k]);
        let moment = |k: usize| if k == along { 0.02 / 12.0 } else { 1.01 / 12.0 };
        let turning = |k: usize| moment(k) * row[7 * rod + 4 + k].powi(2);
        G * middle(0) + 0.5 * (0..3).map(|k| middle(1 + k).powi(2) + turning(k)).sum::<f64>()
    };
    along.into_iter().enumerate().map(of_rod).sum()
}

fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, |largest, error| largest.max(error.abs()))
}

/// Returns the largest change of the energy.
fn drift(rows: &[Vec<f64>], energy: impl Fn(&[f64]) -> f64) -> f64 {
    largest(rows.iter().map(|row| energy(row) - energy(&rows[0])))
}
