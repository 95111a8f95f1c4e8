//! Accuracy over cost: the clutch, which finds its events exactly, against fixed steps of the same equations.
//!
//!     engagement PROGRAM PICTURE BUDGET
//!
//! PROGRAM is `tests/bench/engagement.c`, compiled; it makes and times the runs, BUDGET seconds for each. Plots the
//! errors to PICTURE and prints a table of them. `cargo xtask bench` does all that.

mod reference;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use fmu_builder::{Destination, Platform};
use fmu_importer::plot::cost::{Cost, save};
use fmu_tests::finished::{Fmu, printed};
use reference::{Outcome, exact};

/// The variables that the program sets and gets, in order.
const VARIABLES: [&str; 7] =
    ["f_normalized", "flange_a.tau", "flange_b.tau", "flange_a.phi", "flange_a.w", "flange_b.phi", "flange_b.w"];

/// The clutch that the program expects.
const SETTINGS: [&str; 6] =
    ["fn_max=100", "mue_pos=[[0.0,0.5],[100.0,0.3]]", "peak=1.2", "J_a=0.2", "J_b=1.0", "w_a_start=100.0"];

/// A run of a method.
struct Run {
    method: String,
    step: f64,
    /// Processor time in s per simulated second.
    cost: f64,
    outcome: Outcome,
}

impl Run {
    /// Returns the relative errors of the slip angle and of the heat.
    fn errors(&self) -> [f64; 2] {
        let exact = exact();
        [self.outcome.slip_angle / exact.slip_angle - 1.0, self.outcome.heat / exact.heat - 1.0].map(f64::abs)
    }
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [program, picture, budget] = &arguments[..] else { bail!("engagement PROGRAM PICTURE BUDGET") };
    let runs = runs(program, budget)?;
    for run in runs.iter().filter(|run| run.method == "Clutch.fmu") {
        // The error is rounding of some hundred communication points, in the heat with cancellation.
        if run.errors().into_iter().any(|error| error > 1e-11) {
            bail!("the clutch is not exact with steps of {} s: relative errors {:?}", run.step, run.errors());
        }
    }
    draw(&runs, Path::new(picture))?;
    print!("{}", table(&runs));
    Ok(())
}

fn runs(program: &str, budget: &str) -> Result<Vec<Run>> {
    let fmu = Fmu::new("clutch", &SETTINGS);
    let reference = |name: &&str| {
        let variable = fmu.description.variables.iter().find(|variable| variable.name == **name);
        variable.map(|variable| variable.value_reference.to_string()).with_context(|| format!("no variable {name}"))
    };
    let references = VARIABLES.iter().map(reference).collect::<Result<Vec<_>>>()?;
    let resources = fmu.resources();
    let entry = Platform::host().context("a known platform")?.entry(&fmu.description.name);
    let library = resources.with_file_name(entry);
    let mut command = Command::new(program);
    command.arg(library).arg(&fmu.description.guid).arg(format!("file://{}", resources.display()));
    printed(command.arg(budget).args(references)).lines().map(run).collect()
}

fn run(line: &str) -> Result<Run> {
    let (method, numbers) = line.split_once(';').context("a line of numbers")?;
    let numbers = numbers.split(';').map(|number| Ok(number.parse()?)).collect::<Result<Vec<f64>>>()?;
    let [step, cost, slip_angle, heat, w, _] = numbers[..] else { bail!("six numbers, not {line}") };
    Ok(Run { method: method.to_owned(), step, cost, outcome: Outcome { slip_angle, heat, w } })
}

/// Returns the methods in their order, with their runs.
fn by_method(runs: &[Run]) -> Vec<(&str, Vec<&Run>)> {
    let mut methods: Vec<(&str, Vec<&Run>)> = Vec::new();
    for run in runs {
        match methods.iter_mut().find(|(method, _)| *method == run.method) {
            Some((_, runs)) => runs.push(run),
            None => methods.push((&run.method, vec![run])),
        }
    }
    methods
}

fn draw(runs: &[Run], picture: &Path) -> Result<()> {
    let methods = by_method(runs);
    let panel = |which: usize| {
        let points = |runs: &[&Run]| runs.iter().map(|run| [run.cost, run.errors()[which]]).collect();
        methods.iter().map(|(method, runs)| ((*method).to_owned(), points(runs))).collect()
    };
    let cost = Cost {
        title: "A clutch that engages, is overloaded and engages again".to_owned(),
        along: "processor time per simulated second [s]".to_owned(),
        panels: vec![
            ("relative error of the slip angle".to_owned(), panel(0)),
            ("relative error of the heat".to_owned(), panel(1)),
        ],
    };
    save(&cost, &Destination::new(picture)?)
}

fn table(runs: &[Run]) -> String {
    let mut text = "The shafts slide, stick, are broken apart by a load and stick again, in 3 s. The FMU is called like any \
        other, with its inputs set and its outputs read at each communication point; the fixed steps are bare loops in \
        C without any interface, which is to their advantage. \"Mode switched at steps\": sticking and sliding are \
        decided at the end of a step, conserving momentum. \"tanh\": the jump of the friction is smoothed, so that \
        the shafts creep instead of sticking. Errors are relative to the closed-form solution \
        (`tests/examples/engagement`); those of the clutch are rounding.\n\n\
        | method | step | processor time per simulated second | error of the slip angle | of the heat | of w at the end |\n\
        | --- | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for (method, runs) in by_method(runs) {
        for run in runs {
            let [slip_angle, heat] = run.errors();
            let w = (run.outcome.w - exact().w).abs();
            text += &format!(
                "| {method} | {:e} s | {:.2e} s | {slip_angle:.0e} | {heat:.0e} | {w:.0e} rad/s |\n",
                run.step, run.cost
            );
        }
    }
    text
}
