//! Co-Simulation of one FMU.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fmi::fmi2::binding::Fmi2Binding;
use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::description::{Causality, Enumeration, Kind, Variable};
use fmu_builder::{Archive, ModelDescription};
use log::Level;

use crate::load::messages::{self, Message};
use crate::load::platforms;
use crate::load::slave::{self, Slave};
use crate::simulate::drive::Drive;
use crate::simulate::input::Input;
use crate::simulate::recorder::Recorder;
use crate::simulate::summary::short;
use crate::simulate::trajectory::{Trajectory, number};
use crate::values::value::Value;
use crate::values::{assignment, variables};

/// Values that a run may record: they take 8 bytes each, all in memory.
const VALUES: usize = 100_000_000;

/// The shortest step as a part of the time, so that rounding changes it by a thousandth at most.
const FINEST: f64 = 1024.0 * f64::EPSILON;

/// An FMU with all that a run of it needs; each run is of a fresh instance.
pub struct Simulation {
    /// Time of initialisation in seconds.
    pub start: f64,
    /// Time of the last communication point in seconds.
    pub stop: f64,
    /// Communication step in seconds; the last one ends at `stop`.
    pub step: f64,
    /// Relative tolerance of the experiment.
    pub tolerance: Option<f64>,
    model: ModelDescription,
    /// Dropped before the folder that it was loaded from.
    binding: Fmi2Binding,
    import: Fmi2Import,
    /// Start values by the positions of their variables.
    starts: Vec<(usize, Value)>,
    input: Option<Input>,
    recorded: Vec<usize>,
    /// Whether a message with status OK is a warning.
    warns: bool,
}

/// What happens during a run.
pub enum Event<'a> {
    /// A communication point has been reached.
    Time(f64),
    /// The FMU has sent a message.
    Message(&'a Message),
}

impl Simulation {
    /// Unpacks an FMU, to be run as its default experiment says.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let archive = Archive::open(path)?;
        let model = archive.model()?;
        let name = path.display();
        ensure!(model.fmi_version == "2.0", "{name} is for FMI {}, only FMI 2.0 can be simulated", model.fmi_version);
        if model.co_simulation.is_none() {
            let only = if model.model_exchange.is_some() { "Model Exchange only" } else { "no interface" };
            bail!("{name} offers {only}, a simulation needs Co-Simulation");
        }
        platforms::require_own(&archive, &model).with_context(|| path.display().to_string())?;
        let import: Fmi2Import =
            fmi::import::new(archive.content()).with_context(|| format!("{} cannot be imported", path.display()))?;
        let binding = slave::load(&import)?;
        let experiment = model.default_experiment;
        let start = experiment.start_time.unwrap_or(0.0);
        let stop = experiment.stop_time.unwrap_or(start + 1.0);
        let recorded = (0..model.variables.len())
            .filter(|position| model.variables[*position].causality == Causality::Output)
            .collect();
        Ok(Self {
            start,
            stop,
            step: experiment.step_size.unwrap_or((stop - start) / 1000.0),
            tolerance: experiment.tolerance,
            model,
            warns: slave::warns(import.model_description()),
            binding,
            import,
            starts: Vec::new(),
            input: None,
            recorded,
        })
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.model.model_name
    }

    /// The variables of the model.
    pub fn variables(&self) -> &[Variable] {
        &self.model.variables
    }

    /// The enumerations of the model.
    pub fn enumerations(&self) -> &[Enumeration] {
        &self.model.enumerations
    }

    /// Whether the FMU cannot have several instances in one process.
    pub fn is_single(&self) -> bool {
        let cosimulation = self.import.model_description().co_simulation.as_ref();
        cosimulation.and_then(|slave| slave.can_be_instantiated_only_once_per_process) == Some(true)
    }

    /// Gives start values with `name=value`; an array takes `name=[1,2,3]`.
    pub fn set(&mut self, assignment: &str) -> Result<()> {
        let values = assignment::parse(assignment, self.variables(), &self.model.enumerations)?;
        self.set_at(values);
        Ok(())
    }

    /// Gives start values to the variables at these positions.
    pub(crate) fn set_at(&mut self, values: impl IntoIterator<Item = (usize, Value)>) {
        self.starts.extend(values);
    }

    /// The name of the first of these variables that the input drives, if there is one.
    pub(crate) fn driven(&self, positions: &[usize]) -> Option<&str> {
        let mut signals = self.input.iter().flat_map(|input| &input.signals);
        let driven = signals.find(|signal| positions.contains(&signal.position))?;
        Some(&self.model.variables[driven.position].name)
    }

    /// Records the variables at these positions, and no others.
    pub(crate) fn record_only(&mut self, positions: Vec<usize>) {
        self.recorded = positions;
    }

    /// Drives inputs with the signals of a CSV file, and runs until they end. A single row holds throughout.
    pub fn drive(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let input = Input::read(path.as_ref(), &self.model.variables, &self.model.enumerations)?;
        let (first, last) = (input.time[0], input.time[input.time.len() - 1]);
        if last > first {
            self.stop = last;
        }
        self.input = Some(input);
        Ok(())
    }

    /// Records, besides all outputs, the variables with this name or this beginning of a name.
    pub fn record(&mut self, name: &str) -> Result<()> {
        let names = self.model.variables.iter().map(|other| other.name.as_str());
        for position in variables::beginning(name, names)? {
            if let Kind::String { .. } = self.model.variables[position].kind {
                bail!("`{}` is a text, which has no curve", self.model.variables[position].name);
            }
            if !self.recorded.contains(&position) {
                self.recorded.push(position);
            }
        }
        Ok(())
    }

    /// What of the run the input signals do not cover, if there is any.
    pub fn uncovered(&self) -> Option<String> {
        self.input.as_ref()?.uncovered(self.start, self.stop)
    }

    /// Runs from `start` to `stop`.
    pub fn run(&self) -> Result<Trajectory> {
        self.run_with(|_| ())
    }

    /// Runs from `start` to `stop` and tells what happens.
    pub fn run_with(&self, observe: impl FnMut(Event)) -> Result<Trajectory> {
        self.run_from(&[], observe)
    }

    /// Runs with further start values of the variables at these positions. Threads may do that at the same time.
    pub(crate) fn run_from(&self, starts: &[(usize, Value)], mut observe: impl FnMut(Event)) -> Result<Trajectory> {
        messages::take();
        let trajectory = self.observed(starts, &mut observe);
        // What preceded a failure may explain it.
        self.tell(&mut observe);
        trajectory
    }

    fn observed(&self, starts: &[(usize, Value)], observe: &mut impl FnMut(Event)) -> Result<Trajectory> {
        let steps = self.steps()?;
        let slave = Slave::instantiate(&self.import, &self.binding)?;
        let drive = Drive::new(self.input.as_ref(), &self.model.variables, &self.import);
        let mut recorder = Recorder::new(&self.recorded, &self.model.variables, steps + 1);
        let starts = self.starts.iter().chain(starts);
        let starts = starts.map(|(position, value)| (self.model.variables[*position].value_reference, value));
        slave.initialise((self.start, self.stop), self.tolerance, starts)?;
        drive.apply(&slave, self.start)?;
        slave.exit_initialisation()?;
        recorder.record(&slave, self.start)?;
        let mut time = self.start;
        for step in 1..=steps {
            let next = if step == steps { self.stop } else { self.start + step as f64 * self.step };
            self.advance(&slave, &drive, &mut recorder, (time, next))
                .with_context(|| format!("the step from {} s to {} s failed", number(time), number(next)))?;
            time = next;
            observe(Event::Time(time));
            self.tell(observe);
        }
        slave.terminate()?;
        Ok(recorder.trajectory)
    }

    fn tell(&self, observe: &mut impl FnMut(Event)) {
        for mut message in messages::take() {
            if message.level == Level::Info && self.warns {
                message.level = Level::Warn;
            }
            observe(Event::Message(&message));
        }
    }

    fn advance(&self, slave: &Slave, drive: &Drive, recorder: &mut Recorder, (time, next): (f64, f64)) -> Result<()> {
        drive.slope(slave, time, next)?;
        slave.do_step(time, next - time)?;
        drive.apply(slave, next)?;
        recorder.record(slave, next)
    }

    /// The number of communication steps of a run, if there can be one.
    pub(crate) fn steps(&self) -> Result<usize> {
        let Self { start, stop, step, .. } = *self;
        for (name, time) in [("start", start), ("stop", stop)] {
            ensure!(time.is_finite(), "the {name} time must be a finite number, not {time}");
        }
        ensure!(step.is_finite() && step > 0.0, "the step must be a positive number, not {} s", number(step));
        let duration = stop - start;
        if duration <= 0.0 {
            let end = self.input.as_ref().and_then(|input| input.time.last());
            let whose = if end == Some(&stop) { ", where the input ends," } else { "" };
            bail!("the stop time {} s{whose} must come after the start time {} s", number(stop), number(start));
        }
        ensure!(duration.is_finite(), "from {} s to {} s is too long", number(start), number(stop));
        let late = start.abs().max(stop.abs());
        let finest = FINEST * late;
        if step < finest && step < duration {
            bail!(
                "steps of {} s are too fine at {} s, where they would be lost in rounding; {} s would do",
                number(step),
                number(late),
                number(round_up(finest)),
            );
        }
        let steps = duration / step;
        let columns = self.recorded.len() + 1;
        let most = VALUES / columns;
        if steps > most as f64 {
            bail!(
                "{} s in steps of {} s are {} steps, with {columns} values each too many to record; \
                 steps of {} s would do",
                number(duration),
                number(step),
                short(steps),
                number(round_up(duration / most as f64)),
            );
        }
        // A last step of rounding alone would be no step.
        Ok(((steps - 1e-9).ceil() as usize).max(1))
    }
}

/// The next number with one digit.
fn round_up(value: f64) -> f64 {
    let (digit, exponent) = format!("{value:e}")
        .split_once('e')
        .map(|(mantissa, exponent)| (mantissa.parse::<f64>().unwrap_or(1.0).ceil(), exponent.to_owned()))
        .unwrap_or_default();
    format!("{digit}e{exponent}").parse().unwrap_or(value)
}
