//! The command `sweep`.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::plot::{self, family, heat_map};
use crate::sweep::{Format, Journal, POINTS, Progress, Sweep};
use anyhow::{Result, bail};
use fmu_builder::Destination;
use fmu_builder::console::{counted, note, say};
use fmu_commands::import::{ProgressLines, Sweep as Options};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::destination::{destination, of_kind};
use super::notes::Notes;

/// Runs the command; returns true if no run failed.
pub fn run(options: &Options) -> Result<bool> {
    if let Some(output) = &options.output {
        Format::of(output)?;
    }
    for picture in [&options.plot, &options.heat_map].into_iter().flatten() {
        plot::Format::of(picture)?;
    }
    let sweep = Sweep::load(&options.file)?;
    if options.plot.is_some() {
        sweep.has_family()?;
    }
    if options.heat_map.is_some() {
        sweep.has_heat_map()?;
    }
    let files = Destinations::new(options, &sweep)?;
    for text in sweep.notes() {
        note(format_args!("note: {text}"));
    }
    if let Some(points) = &files.points {
        sweep.write_points(points)?;
        say(format_args!("{}: {}", points.path().display(), counted(sweep.runs(), "point")))?;
    }
    let Some(output) = &files.output else { return Ok(true) };
    let jobs = jobs(options, &sweep);
    let begin = Instant::now();
    let mut journal = sweep.journal(output.path())?;
    let earlier = journal.done();
    if earlier > 0 {
        note(format_args!("resuming after {earlier} of {}", counted(sweep.runs(), "run")));
    }
    let failed = watched(&sweep, &mut journal, jobs)?;
    let seconds = begin.elapsed().as_secs_f64();
    sweep.write(&mut journal, output, files.series.as_ref())?;
    if let Some(file) = &files.plot {
        family::save(&sweep.family(&mut journal)?, file)?;
        say(file.path().display())?;
    }
    if let Some(file) = &files.heat_map {
        heat_map::save(&sweep.heat_map(&mut journal)?, file)?;
        say(file.path().display())?;
    }
    journal.remove()?;
    let (path, runs) = (output.path().display(), counted(sweep.runs(), "run"));
    match earlier {
        0 => say(format_args!("{path}: {runs} in {seconds:.1} s"))?,
        _ => say(format_args!("{path}: {runs}, {} of them now in {seconds:.1} s", sweep.runs() - earlier))?,
    }
    if let Some(series) = &files.series {
        say(format_args!("{}: the series", series.path().display()))?;
    }
    match failed {
        0 => Ok(true),
        1 => bail!("1 run failed; the column status of its row says why"),
        _ => bail!("{failed} runs failed; the column status of their rows says why"),
    }
}

/// Returns the number of runs at the same time.
fn jobs(options: &Options, sweep: &Sweep) -> NonZero<usize> {
    let wanted = options.jobs.or_else(|| available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    match sweep.most_jobs() {
        Some(most) if wanted > most => {
            note("note: the FMU allows only one instance per process, so its runs are sequential");
            most
        }
        _ => wanted,
    }
}

/// Makes the runs with a progress bar on the standard error; returns the number of failed ones, earlier ones included.
fn watched(sweep: &Sweep, journal: &mut Journal, jobs: NonZero<usize>) -> Result<usize> {
    let begin = Instant::now();
    let runs = sweep.runs() as u64;
    let bar = ProgressBar::with_draw_target(Some(runs), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {per_sec}, {eta} left{msg}") {
        bar.set_style(style);
    }
    let mut failed = 0;
    for run in (0..sweep.runs()).filter(|run| journal.has(*run)).collect::<Vec<_>>() {
        failed += usize::from(journal.read(run)?.failure.is_some());
    }
    bar.set_position(journal.done() as u64);
    // The rate is that of the present runs only.
    bar.reset_eta();
    let mut notes = Notes::default();
    let mut progress = ProgressLines::default();
    let result = sweep.run(journal, jobs, |event| match event {
        Progress::Run(_, outcome) => {
            bar.inc(1);
            progress.part(bar.position() as f64 / runs as f64);
            if outcome.failure.is_some() {
                failed += 1;
                bar.set_message(format!(", {failed} failed"));
            }
            if bar.is_hidden() && begin.elapsed() > Duration::from_secs(1) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
        Progress::Message(run, message) => {
            if notes.is_new(message) {
                bar.suspend(|| note(format_args!("run {}: {message}", run + 1)));
            }
        }
    });
    bar.finish_and_clear();
    notes.finish();
    result.map(|()| failed)
}

/// The files to be written.
struct Destinations {
    output: Option<Destination>,
    series: Option<Destination>,
    points: Option<Destination>,
    plot: Option<Destination>,
    heat_map: Option<Destination>,
}

impl Destinations {
    /// Refuses files that cannot be written, or would overwrite another file of the command.
    fn new(options: &Options, sweep: &Sweep) -> Result<Self> {
        let series = options.output.as_deref().and_then(|output| sweep.series_beside(output));
        let journal = options.output.as_deref().map(Journal::beside);
        let files = [
            ("the sweep file", Some(options.file.as_path())),
            ("the FMU", Some(sweep.fmu.as_path())),
            ("the input", sweep.input.as_deref()),
            ("--output", options.output.as_deref()),
            ("the journal", journal.as_deref()),
            ("the series", series.as_deref()),
            ("--points", options.points.as_deref()),
            ("--plot", options.plot.as_deref()),
            ("--heat-map", options.heat_map.as_deref()),
        ];
        let destination = |position| destination(&files, position, &sweep.files);
        let output = destination(3)?;
        // Opening it refuses the journal of another sweep, and files that are no journals.
        destination(4)?;
        let [series, points, plot, heat_map] = [destination(5)?, destination(6)?, destination(7)?, destination(8)?];
        Ok(Self {
            output: of_kind(output, Format::kind_of)?,
            series: of_kind(series, Format::kind_of)?,
            points: of_kind(points, |_| Ok(POINTS))?,
            plot: of_kind(plot, plot::Format::kind_of)?,
            heat_map: of_kind(heat_map, plot::Format::kind_of)?,
        })
    }
}
