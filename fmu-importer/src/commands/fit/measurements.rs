//! Parameters of an FMU from the experiments of a fit file.

use std::io::Write;
use std::path::Path;

use crate::calibration::Calibration;
use crate::plot::{self, fitted};
use anyhow::{Context as _, Result, ensure};
use fmu_builder::console::{counted, note, say};
use fmu_builder::{CONFIGURATION, Destination, FileKind};
use fmu_commands::ensure_configuration;
use fmu_commands::import::{Fit as Options, ProgressLines};
use indicatif::ProgressBar;

use super::super::destination::of_kind;

/// Size of the stack of each thread in bytes: FMUs may need as much as the first thread of a program has.
const STACK: usize = 8 << 20;

pub fn run(options: &Options, file: &Path) -> Result<()> {
    if let Some(plot) = &options.plot {
        plot::Format::of(plot)?;
    }
    ensure_configuration(&options.output)?;
    if let Some(results) = &options.results {
        ensure!(
            results.extension().is_some_and(|extension| extension == "json"),
            "{}: results are a .json file",
            results.display()
        );
    }
    options.refuse_rubber()?;
    // In a thread of the pool, which takes part in the runs itself, so that fewer threads have to be woken for each.
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().context("cannot begin threads")?;
    threads.install(|| find(options, file))
}

/// Finds the parameters, and writes the files.
fn find(options: &Options, file: &Path) -> Result<()> {
    // Before the FMU is unpacked.
    let create = |path: &Path| Destination::create(path, options.force);
    let output = create(&options.output)?;
    let picture = options.plot.as_deref().map(create).transpose()?;
    let results = options.results.as_deref().map(create).transpose()?;
    let mut calibration = Calibration::load(file)?;
    let mut read = vec![("the fit file", Some(file)), ("the FMU", Some(calibration.fmu.as_path()))];
    read.extend(calibration.data.iter().map(|data| ("the measurements", Some(data.as_path()))));
    read.push(("the model", calibration.model.as_deref()));
    let output = output.apart_from("--output", read.iter().copied())?.of_kind(CONFIGURATION)?;
    read.push(("--output", Some(options.output.as_path())));
    let picture = picture.map(|picture| picture.apart_from("--plot", read.iter().copied())).transpose()?;
    let picture = of_kind(picture, plot::Format::kind_of)?;
    read.push(("--plot", options.plot.as_deref()));
    let results = results.map(|results| results.apart_from("--results", read.iter().copied())).transpose()?;
    let results = of_kind(results, |_| Ok(FileKind::FitResults))?;
    for line in calibration.notes() {
        note(line);
    }
    let mut progress = ProgressLines::default();
    let bar = ProgressBar::new_spinner();
    let found = calibration.fit(&mut |part| {
        progress.part(part);
        bar.tick();
        bar.set_message(format!("about {:.0} % of the search", 100.0 * part));
    });
    bar.finish_and_clear();
    let found = found?;
    say(calibration.report(&found))?;
    for doubt in calibration.doubts(&found) {
        note(format_args!("warning: {}: {doubt}", file.display()));
    }
    let origin = file.file_name().unwrap_or_default().to_string_lossy();
    let text = calibration.configuration(&found, &origin)?;
    output.write(|writer| writer.write_all(text.as_bytes()))?;
    say(options.output.display())?;
    if let Some(results) = results {
        let text = calibration.results(&found)?;
        results.write(|writer| writer.write_all(&text))?;
        say(results.path().display())?;
    }
    if let Some(picture) = picture {
        let more = fitted::save(&calibration.curves(&found), &origin, &picture)?;
        match more {
            0 => say(picture.path().display())?,
            _ => say(format_args!("{} ({} without room)", picture.path().display(), counted(more, "more output")))?,
        }
    }
    Ok(())
}
