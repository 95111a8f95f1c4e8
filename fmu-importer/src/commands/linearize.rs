//! The command `linearize`.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::animate::{self, Animation};
use crate::linearize::response::{Response, frequencies};
use crate::linearize::{Choice, Linearization, TrimChoice, files, linearize, motion};
use crate::plot::{self, bode};
use crate::{Event, Instance, Interface, Simulation};
use anyhow::{Context as _, Result, ensure};
use fmu_builder::console::{counted, note, say};
use fmu_builder::{Destination, FileKind};
use fmu_commands::import::{Linearize as Options, ProgressLines};

use super::destination::{destination, of_kind};
use super::driven;
use super::notes::Notes;

/// Heading of the first column of a table of responses.
const HEADING: &str = "frequency [Hz]";

pub fn run(options: &Options) -> Result<()> {
    // What cannot be written must not cost a run.
    for path in &options.output {
        files::Format::of(path)?;
    }
    if let Some(path) = &options.plot {
        plot::Format::of(path)?;
    }
    if let Some(path) = &options.animate {
        animate::check(path)?;
    }
    let mut simulation = Simulation::load_as(&options.file, Interface::ModelExchange)?;
    driven::set(&options.driven, &mut simulation)?;
    let destinations = Destinations::new(options, &simulation.named_files())?;
    driven::drive(&options.driven, &mut simulation)?;
    let instance = reach(&mut simulation, options.time)?;
    let trim = options.trim.then_some(TrimChoice {
        free: options.free.as_deref(),
        steady: options.steady.as_deref(),
        targets: &options.target,
    });
    let (inputs, outputs) = (options.inputs.as_deref(), options.outputs.as_deref());
    let choice = Choice { inputs, outputs, differences: options.differences, trim };
    let time = options.time.unwrap_or(simulation.start);
    let system = linearize(simulation.loaded(), &instance, time, &choice)?;
    say(system.report())?;
    for file in &destinations.output {
        files::save(&system, file)?;
        say(file.path().display())?;
    }
    write_response(&system, options, &destinations)?;
    if let (Some(file), Some(number)) = (&destinations.animate, options.mode) {
        animate(options, &mut simulation, &instance, &system, (number, file))?;
    }
    Ok(())
}

/// Simulates until a time, with messages on the standard error.
fn reach(simulation: &mut Simulation, time: Option<f64>) -> Result<Instance> {
    let (mut notes, mut progress) = (Notes::default(), ProgressLines::default());
    let start = simulation.start;
    let instance = simulation.reach(time, |event| match event {
        Event::Message(message) if notes.is_new(message) => note(message),
        Event::Time(now) => progress.part((now - start) / (time.unwrap_or(start) - start)),
        _ => {}
    });
    notes.finish();
    instance
}

fn write_response(system: &Linearization, options: &Options, destinations: &Destinations) -> Result<()> {
    if destinations.response.is_none() && destinations.plot.is_none() {
        return Ok(());
    }
    let frequencies = frequencies(&system.modes, options.from, options.to, options.points as usize)?;
    let response = Response::of(system, frequencies)?;
    if let Some(file) = &destinations.response {
        file.write(|writer| response.write_csv(HEADING, writer))?;
        say(format_args!("{}: {}", file.path().display(), counted(response.pairs.len(), "frequency response")))?;
    }
    if let Some(file) = &destinations.plot {
        let path = file.path().display();
        match bode::save(&response, &system.model, file)? {
            0 => say(path)?,
            more => {
                say(format_args!("{path} ({}: choose with --inputs and --outputs)", counted(more, "more response")))?
            }
        }
    }
    Ok(())
}

fn animate(
    options: &Options,
    simulation: &mut Simulation,
    instance: &Instance,
    system: &Linearization,
    (number, file): (usize, &Destination),
) -> Result<()> {
    let modes = &system.modes.modes;
    let mode = number.checked_sub(1).and_then(|at| modes.get(at));
    ensure!(!modes.is_empty(), "there is no mode {number}: the system has none");
    let mode = mode.with_context(|| format!("there is no mode {number}: the modes are 1 to {}", modes.len()))?;
    let animation = Animation::prepare(&options.file, simulation)?;
    let scene = motion::along(simulation, instance, &animation, (number, mode), options.scale)?;
    let title = format!("{}, mode {number}", simulation.name());
    let page = animate::render(&scene, &title, file.path(), None)?;
    file.write(|writer| writer.write_all(page.as_bytes()))?;
    Ok(say(file.path().display())?)
}

/// The files to be written.
struct Destinations {
    output: Vec<Destination>,
    response: Option<Destination>,
    plot: Option<Destination>,
    animate: Option<Destination>,
}

impl Destinations {
    /// Refuses files that cannot be written, or would overwrite another file of the command.
    fn new(options: &Options, read: &BTreeSet<PathBuf>) -> Result<Self> {
        let mut all: Vec<(&str, Option<&Path>)> = vec![
            ("the FMU", Some(&options.file)),
            ("--input", options.driven.input.as_deref()),
            ("--response", options.response.as_deref()),
            ("--plot", options.plot.as_deref()),
            ("--animate", options.animate.as_deref()),
        ];
        all.extend(options.output.iter().map(|path| ("--output", Some(path.as_path()))));
        let one = |position| destination(&all, position, read);
        let output = (5..all.len()).map(|at| of_kind(one(at)?, files::Format::kind_of));
        Ok(Self {
            output: output.filter_map(Result::transpose).collect::<Result<_>>()?,
            response: of_kind(one(2)?, |_| Ok(FileKind::Csv(HEADING)))?,
            plot: of_kind(one(3)?, plot::Format::kind_of)?,
            animate: of_kind(one(4)?, animate::kind_of)?,
        })
    }
}
