//! The command `simulate`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::animate::{self, Animation};
use crate::{Event, Interface, Simulation, Trajectory, plot, summary};
use anyhow::{Result, bail};
use fmu_builder::console::{counted, note, say};
use fmu_builder::description::{Causality, Variable};
use fmu_builder::{Destination, FileKind};
use fmu_commands::import::{By, Simulate as Options};
use indicatif::{ProgressBar, ProgressStyle};

use super::destination::{destination, of_kind};
use super::driven;
use super::notes::Notes;

pub fn run(options: &Options) -> Result<()> {
    // A plot that cannot be written must not cost a whole run.
    if let Some(path) = &options.plot {
        plot::Format::of(path)?;
    }
    if let Some(path) = &options.animate {
        animate::check(path)?;
    }
    let mut simulation = match options.interface {
        Some(By::CoSimulation) => Simulation::load_as(&options.file, Interface::CoSimulation)?,
        Some(By::ModelExchange) => Simulation::load_as(&options.file, Interface::ModelExchange)?,
        None => Simulation::load(&options.file)?,
    };
    if options.event_mode {
        simulation.use_event_mode()?;
    }
    driven::set(&options.driven, &mut simulation)?;
    let destinations = Destinations::new(options, &simulation.named_files())?;
    driven::drive(&options.driven, &mut simulation)?;
    for name in &options.show {
        simulation.record(name)?;
    }
    if options.plot.is_some() && options.show.is_empty() && !simulation.variables().iter().any(is_curve) {
        bail!("nothing to plot: the FMU has no continuous output; choose others with --show");
    }
    // Variables that only the animation needs are drawn, not listed.
    let shown = simulation.recorded();
    let animation = options.animate.as_ref().map(|_| Animation::prepare(&options.file, &mut simulation)).transpose();
    // Shapes that cannot be drawn must not cost the other results.
    let (animation, failure) = match animation {
        Err(error) if options.output.is_none() && options.plot.is_none() => return Err(error),
        Err(error) => (None, Some(error)),
        Ok(animation) => (animation, None),
    };
    simulation.stop = options.stop.unwrap_or(simulation.stop);
    simulation.step = options.step.unwrap_or(simulation.step);
    for text in simulation.notes() {
        note(format_args!("note: {text}"));
    }
    let drawn = watched(&simulation)?;
    let trajectory = drawn.first(shown);
    match &destinations.output {
        Some(file) => {
            file.write(|writer| trajectory.write_csv(writer))?;
            if !file.is_device() {
                say(format_args!("{}: {}", file.path().display(), counted(trajectory.time.len(), "row")))?;
            }
        }
        None => say(summary::table(&trajectory))?,
    }
    if let Some(file) = &destinations.plot {
        let path = file.path().display();
        match plot::save(&simulation.displayed(&trajectory), simulation.name(), &options.show, file)? {
            0 => say(path)?,
            more => say(format_args!("{path} ({}: choose with --show)", counted(more, "more panel")))?,
        }
    }
    if let (Some(file), Some(animation)) = (&destinations.animate, &animation) {
        let page = animate::render(&animation.scene(&drawn)?, simulation.name(), file.path(), options.at)?;
        file.write(|writer| writer.write_all(page.as_bytes()))?;
        say(file.path().display())?;
    }
    failure.map_or(Ok(()), Err)
}

/// The files to be written.
struct Destinations {
    output: Option<Destination>,
    plot: Option<Destination>,
    animate: Option<Destination>,
}

impl Destinations {
    /// Refuses files that cannot be written, or would overwrite another file of the command.
    fn new(options: &Options, read: &BTreeSet<PathBuf>) -> Result<Self> {
        let files = [
            ("the FMU", Some(options.file.as_path())),
            ("--input", options.driven.input.as_deref()),
            ("--output", options.output.as_deref()),
            ("--plot", options.plot.as_deref()),
            ("--animate", options.animate.as_deref()),
        ];
        let destination = |position| destination(&files, position, read);
        let [output, plot, animate] = [destination(2)?, destination(3)?, destination(4)?];
        Ok(Self {
            output: of_kind(output, |_| Ok(FileKind::Csv("time")))?,
            plot: of_kind(plot, plot::Format::kind_of)?,
            animate: of_kind(animate, animate::kind_of)?,
        })
    }
}

fn is_curve(variable: &Variable) -> bool {
    variable.causality == Causality::Output && variable.is_real()
}

/// Runs the simulation with messages and, if it takes long, a progress bar on the standard error.
fn watched(simulation: &Simulation) -> Result<Trajectory> {
    let begin = Instant::now();
    let bar = ProgressBar::hidden();
    let mut notes = Notes::default();
    let trajectory = simulation.run_with(|event| match event {
        Event::Time(time) => {
            if bar.length().is_none() && begin.elapsed() > Duration::from_secs(1) {
                show(&bar);
            }
            let done = (time - simulation.start) / (simulation.stop - simulation.start);
            bar.set_position((1000.0 * done) as u64);
        }
        Event::Message(message) => {
            if notes.is_new(message) {
                bar.suspend(|| note(message));
            }
        }
        Event::Ended(time) => {
            bar.suspend(|| note(format_args!("note: the FMU ended the simulation at {time} s")));
        }
    });
    bar.finish_and_clear();
    notes.finish();
    trajectory
}

fn show(bar: &ProgressBar) {
    bar.set_length(1000);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left") {
        bar.set_style(style);
    }
    bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
}
