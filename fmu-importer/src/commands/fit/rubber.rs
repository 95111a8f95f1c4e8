//! Rubber of a bushing from measured dynamic stiffness and loss angle.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::fit::{Axes, AxisKind, Fit, FitOptions, MAX_DEVIATION, MAX_STANDARD_ERROR, Measured, configuration, fit};
use crate::plot::{self, dynamic};
use anyhow::{Result, bail, ensure};
use comfy_table::{Table, presets};
use fmu_builder::console::{note, say};
use fmu_builder::{CONFIGURATION, Destination};
use fmu_commands::ensure_configuration;
use fmu_commands::import::Fit as Options;

use super::super::destination::of_kind;
use super::super::table::form;

/// Relative deviation of all rows, or of one, above which it is reported.
const LARGE_DEVIATION: f64 = 0.05;

/// Multiple of the root mean square above which a deviation shows that a row does not belong to the same measurements.
const OUTLIER: f64 = 5.0;

/// Largest number of rows that are named.
const MAX_NAMED_ROWS: usize = 3;

/// Measurements for some axes.
struct Task {
    axes: Axes,
    name: String,
    file: PathBuf,
}

/// Finds the parameters.
pub fn run(options: &Options) -> Result<()> {
    if let Some(plot) = &options.plot {
        plot::Format::of(plot)?;
    }
    ensure_configuration(&options.output)?;
    if let Some(results) = &options.results {
        bail!("--results {}: results are those of a fit file, not of tables of rubber", results.display());
    }
    let tasks = tasks(&options.files)?;
    let given = || tasks.iter().map(|task| ("the measurements", Some(task.file.as_path())));
    let output =
        Destination::create(&options.output, options.force)?.apart_from("--output", given())?.of_kind(CONFIGURATION)?;
    let others = || given().chain([("--output", Some(options.output.as_path()))]);
    let picture = match &options.plot {
        Some(plot) => Some(Destination::create(plot, options.force)?.apart_from("--plot", others())?),
        None => None,
    };
    let picture = of_kind(picture, plot::Format::kind_of)?;
    let form = form(&options.table)?;
    let wanted = FitOptions { maxwell: options.maxwell.map(usize::from), friction: !options.no_friction };
    let mut found = Vec::new();
    for task in &tasks {
        let measured = Measured::read(&task.file, task.axes.kind, &form)?;
        note(&measured.found);
        for what in &measured.notes {
            note(format_args!("note: {}: {what}", task.file.display()));
        }
        let amplitudes = measured.amplitudes();
        if wanted.friction && amplitudes.len() == 1 {
            note(format_args!(
                "note: {}: all rows have about the same amplitude, so friction cannot be told from other losses and is left out",
                task.file.display()
            ));
        }
        let fit = fit(&measured, wanted)?;
        print(task, &fit)?;
        warn_of_deviations(task, &measured, &fit);
        found.push((measured, fit));
    }
    let laws: Vec<_> = tasks.iter().zip(&found).map(|(task, (_, fit))| (task.axes.clone(), fit.law.clone())).collect();
    let origins: Vec<_> = tasks.iter().map(|task| format!("{} ({})", file_name(&task.file), task.name)).collect();
    let text = configuration(&laws, &origins.join(", "));
    output.write(|writer| writer.write_all(text.as_bytes()))?;
    say(options.output.display())?;
    if let Some(picture) = picture {
        let fitted = tasks.iter().zip(&found).map(|(task, (measured, fit))| dynamic::Fitted {
            name: task.name.clone(),
            kind: task.axes.kind,
            measured,
            law: &fit.law,
        });
        dynamic::save(&fitted.collect::<Vec<_>>(), &origins.join(", "), &picture)?;
        say(picture.path().display())?;
    }
    Ok(())
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the files, of which each axis of a kind has one at most; all axes of a kind need one.
fn tasks(files: &[String]) -> Result<Vec<Task>> {
    let task =
        |text: &String| match text.split_once('=').and_then(|(axes, file)| Some((Axes::parse(axes)?, axes, file))) {
            Some((axes, name, file)) => Task { axes, name: name.to_owned(), file: file.into() },
            None => Task {
                axes: Axes { kind: AxisKind::Translation, which: [true; 3] },
                name: "xyz".to_owned(),
                file: text.into(),
            },
        };
    let tasks: Vec<_> = files.iter().map(task).collect();
    for kind in [AxisKind::Translation, AxisKind::Rotation] {
        let names = kind.names();
        let of = |axis: usize| tasks.iter().filter(|task| task.axes.kind == kind && task.axes.which[axis]).count();
        let counts = [0, 1, 2].map(of);
        if let Some(axis) = counts.iter().position(|count| *count > 1) {
            bail!("axis {} has measurements twice", names[axis]);
        }
        if let Some(axis) = counts.iter().position(|count| *count == 0).filter(|_| counts.contains(&1)) {
            bail!("axis {0} has no measurements: give {0}=FILE, or add {0} to the axes of another file", names[axis]);
        }
    }
    ensure!(!tasks.is_empty(), "no measurements are given");
    Ok(tasks)
}

/// Prints the parameters with their errors.
fn print(task: &Task, fit: &Fit) -> Result<()> {
    let (letter, load, stiffness, limit) = match task.axes.kind {
        AxisKind::Translation => ('T', 'F', "N/m", "N"),
        AxisKind::Rotation => ('R', 'M', "N.m/rad", "N.m"),
    };
    let mut rows = vec![(format!("{letter}S"), fit.law.stiffness, stiffness)];
    for (number, element) in fit.law.maxwell.iter().enumerate() {
        rows.push((format!("{letter}S_maxwell_{}", number + 1), element.stiffness, stiffness));
        rows.push((format!("{letter}tau_maxwell_{}", number + 1), element.tau, "s"));
    }
    if let Some(friction) = &fit.law.friction {
        rows.push((format!("{letter}S_friction"), friction.stiffness, stiffness));
        rows.push((format!("{letter}{load}_friction"), friction.limit, limit));
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([task.name.as_str(), "value", "unit", "standard error"]);
    for ((name, value, unit), error) in rows.iter().zip(&fit.errors) {
        table.add_row([name.clone(), format!("{value:.4e}"), (*unit).to_owned(), standard_error(*error)]);
    }
    say(table.trim_fmt())?;
    say(format_args!(
        "deviation of stiffness and loss angle: {} (root mean square, in which none counts more than {})",
        percent(fit.deviation),
        percent(MAX_DEVIATION)
    ))?;
    for ((name, ..), error) in rows.iter().zip(&fit.errors).filter(|(_, error)| **error > MAX_STANDARD_ERROR) {
        note(format_args!(
            "warning: {}: the measurements do not determine {name} (standard error: {}); other frequencies or amplitudes would",
            task.file.display(),
            standard_error(*error)
        ));
    }
    Ok(())
}

/// Warns of rows that the law does not describe.
fn warn_of_deviations(task: &Task, measured: &Measured, fit: &Fit) {
    let mut rows: Vec<_> = measured.positions.iter().zip(&fit.of_rows).collect();
    rows.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let worst = rows.first().map_or(0.0, |(_, deviation)| **deviation);
    if fit.deviation <= LARGE_DEVIATION && worst <= LARGE_DEVIATION.max(OUTLIER * fit.deviation) {
        return;
    }
    let is_near = |(_, deviation): &&(&u32, &f64)| **deviation > 0.5 * worst;
    let named = rows.iter().take(MAX_NAMED_ROWS).take_while(is_near);
    let named: Vec<_> =
        named.map(|(row, deviation)| format!("row {row} deviates by {}", percent(**deviation))).collect();
    note(format_args!(
        "warning: {}: the law does not describe all measurements: {}",
        task.file.display(),
        named.join(", ")
    ));
}

/// Returns a relative standard error as text.
fn standard_error(part: f64) -> String {
    if part <= 1.0 { percent(part) } else { "undetermined".to_owned() }
}

fn percent(part: f64) -> String {
    format!("{:.2} %", 100.0 * part)
}
