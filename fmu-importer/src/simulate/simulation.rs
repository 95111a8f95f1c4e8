//! Runs of an FMU, one after the other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use fmu_builder::description::{Causality, Enumeration, Variable, VariableType};
use fmu_builder::{ModelDescription, shortened};

use super::input::{Input, InputTable};
use super::summary::short;
use super::trajectory::{Trajectory, number};
use crate::load::messages::Message;
use crate::load::{Fmu, Interface, Loaded};
use crate::values::value::Value;
use crate::values::{assignment, file, variables};

/// Largest number of values that a run may record: they take 8 bytes each, all in memory.
const MAX_VALUES: usize = 100_000_000;

/// The shortest step as a fraction of the time, so that rounding changes it by a thousandth at most.
const MIN_RELATIVE_STEP: f64 = 1024.0 * f64::EPSILON;

/// An FMU with all settings of its runs; each run has a fresh instance.
pub struct Simulation {
    /// Time of initialisation in seconds.
    pub start: f64,
    /// Time of the last communication point in seconds.
    pub stop: f64,
    /// Communication step in seconds; the last one ends at `stop`.
    pub step: f64,
    /// Relative tolerance of the experiment.
    pub tolerance: Option<f64>,
    /// True if the FMU is not told the stop time, so that a run can go on from its end.
    pub(crate) open_end: bool,
    pub(super) event_mode: bool,
    pub(super) loaded: Loaded,
    /// Start values by the positions of their variables.
    pub(super) starts: Vec<(usize, Value)>,
    pub(super) input: Option<Input>,
    pub(super) recorded: Vec<usize>,
}

/// An event during a run.
pub enum Event<'a> {
    /// A communication point has been reached.
    Time(f64),
    /// The FMU has sent a message.
    Message(&'a Message),
    /// The FMU has ended the run at this time, before the stop time.
    Ended(f64),
}

impl Simulation {
    /// Unpacks an FMU, to be run as its default experiment says: in Co-Simulation if it offers that, else in Model
    /// Exchange.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let fmu = Fmu::open(path.as_ref())?;
        Self::of(fmu.load(fmu.interface()?)?)
    }

    /// Unpacks an FMU, to be run by one of the interfaces as its default experiment says.
    pub fn load_as(path: impl AsRef<Path>, interface: Interface) -> Result<Self> {
        Self::of(Fmu::open(path.as_ref())?.load(interface)?)
    }

    /// Makes the runs of a library that is in memory.
    ///
    /// # Errors
    ///
    /// None so far.
    pub fn of(loaded: Loaded) -> Result<Self> {
        let model = loaded.model();
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
            open_end: false,
            event_mode: false,
            loaded,
            starts: Vec::new(),
            input: None,
            recorded,
        })
    }

    /// Returns the same runs through another interface of the FMU.
    pub(crate) fn through(&self, loaded: &Loaded) -> Self {
        let Self { starts, input, recorded, .. } = self;
        let (starts, input, recorded) = (starts.clone(), input.clone(), recorded.clone());
        Self { loaded: loaded.clone(), starts, input, recorded, ..*self }
    }

    /// Returns the same runs with the tolerance that follows from theirs.
    pub(crate) fn with_tolerance(&self, change: impl FnOnce(f64) -> f64) -> Self {
        Self { tolerance: self.tolerance.map(change), ..self.through(&self.loaded) }
    }

    /// Returns the model's name.
    pub fn name(&self) -> &str {
        &self.loaded.model().model_name
    }

    /// Returns a trajectory of this FMU in the display units of its variables.
    pub fn displayed(&self, trajectory: &Trajectory) -> Trajectory {
        let mut displayed = trajectory.clone();
        for variable in self.variables() {
            let (VariableType::Real { unit, .. }, Some(wanted)) = (&variable.kind, &variable.attributes.display) else {
                continue;
            };
            let Some(column) = displayed.names.iter().position(|name| *name == variable.name) else { continue };
            let known = self.loaded.model().units.iter().find(|known| Some(&*known.name) == unit.as_deref());
            let display = known.and_then(|unit| unit.display.iter().find(|display| display.name == *wanted));
            if let Some(display) = display {
                displayed.units[column] = Some(wanted.clone());
                displayed.columns[column]
                    .iter_mut()
                    .for_each(|value| *value = *value * display.factor + display.offset);
            }
        }
        displayed
    }

    /// Returns the library of the interface in use.
    pub(crate) fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Returns the content of the model description.
    pub(crate) fn model(&self) -> &ModelDescription {
        self.loaded.model()
    }

    /// Returns the variables of the model.
    pub fn variables(&self) -> &[Variable] {
        &self.loaded.model().variables
    }

    /// Returns the enumerations of the model.
    pub fn enumerations(&self) -> &[Enumeration] {
        &self.loaded.model().enumerations
    }

    /// Stops at the events inside of steps of Co-Simulation, and handles them there.
    ///
    /// # Errors
    ///
    /// When the FMU does not have the event mode of FMI 3.0.
    pub fn use_event_mode(&mut self) -> Result<()> {
        let name = self.loaded.interface().name();
        ensure!(self.loaded.flag("hasEventMode"), "the FMU has no event mode (hasEventMode) in {name}");
        self.event_mode = true;
        Ok(())
    }

    /// Returns true if the FMU cannot have several instances in one process.
    pub fn is_single(&self) -> bool {
        self.loaded.flag("canBeInstantiatedOnlyOncePerProcess")
    }

    /// Gives start values with `name=value`; an array takes `name=[1,2,3]`.
    pub fn set(&mut self, assignment: &str) -> Result<()> {
        let name = assignment.split_once('=').map_or("", |(name, _)| name.trim());
        if let Some(reason) = self.loaded.model().left_out(name) {
            bail!("cannot set `{}`: {reason}", shortened(assignment, assignment::MAX_SHOWN));
        }
        let values = assignment::parse(assignment, self.variables(), self.enumerations())?;
        let positions: Vec<_> = values.iter().map(|(position, _)| *position).collect();
        if let Some(twice) = positions.iter().find(|position| self.starts.iter().any(|(other, _)| other == *position)) {
            bail!("`{}` is set twice", self.variables()[*twice].name);
        }
        self.refuse_driven(&positions)?;
        self.set_at(values);
        Ok(())
    }

    /// Gives start values to the variables at these positions.
    pub(crate) fn set_at(&mut self, values: impl IntoIterator<Item = (usize, Value)>) {
        self.starts.extend(values);
    }

    /// Returns the name of the first of these variables that the input drives, if there is one.
    pub(crate) fn driven(&self, positions: &[usize]) -> Option<&str> {
        let mut signals = self.input.iter().flat_map(|input| &input.signals);
        let driven = signals.find(|signal| positions.contains(&signal.position))?;
        Some(&self.loaded.model().variables[driven.position].name)
    }

    /// Returns the start values by the positions of their variables.
    pub(crate) fn starts(&self) -> &[(usize, Value)] {
        &self.starts
    }

    /// Returns the positions of the variables that a start value or the input gives values.
    pub(crate) fn positions(&self) -> BTreeSet<usize> {
        let driven = self.input.iter().flat_map(|input| &input.signals).map(|signal| signal.position);
        self.starts.iter().map(|(position, _)| *position).chain(driven).collect()
    }

    /// Records the variables at these positions, and no others.
    pub(crate) fn record_only(&mut self, positions: Vec<usize>) {
        self.recorded = positions;
    }

    /// Drives inputs with the signals of a text or of the only sheet of a workbook, and runs until they end. A single row
    /// holds throughout.
    pub fn read_inputs(&mut self, path: impl AsRef<Path>) -> Result<()> {
        self.drive_by(path, &InputTable::default())
    }

    /// Drives inputs with the signals of a part of a file.
    pub fn drive_by(&mut self, path: impl AsRef<Path>, table: &InputTable) -> Result<()> {
        self.drive(Input::read(path.as_ref(), table, self.loaded.model())?)
    }

    /// Drives inputs with signals, and runs until they end. A single row holds throughout.
    pub(crate) fn drive(&mut self, input: Input) -> Result<()> {
        let (first, last) = (input.time[0], input.time[input.time.len() - 1]);
        if last > first {
            self.stop = last;
        }
        self.input = Some(input);
        let set: Vec<_> = self.starts.iter().map(|(position, _)| *position).collect();
        self.refuse_driven(&set)
    }

    fn refuse_driven(&self, positions: &[usize]) -> Result<()> {
        match self.driven(positions) {
            Some(name) => bail!("`{name}` cannot be set, since the input has a column for it"),
            None => Ok(()),
        }
    }

    /// Records, besides all outputs, the variables with this name or this beginning of a name.
    pub fn record(&mut self, name: &str) -> Result<()> {
        let names = self.loaded.model().variables.iter().map(|other| other.name.as_str());
        for position in variables::beginning(name, names)? {
            if let VariableType::String { .. } = self.loaded.model().variables[position].kind {
                bail!("`{}` is a String and cannot be recorded", self.loaded.model().variables[position].name);
            }
            if !self.recorded.contains(&position) {
                self.recorded.push(position);
            }
        }
        Ok(())
    }

    /// Returns the number of columns that a run will have so far.
    pub fn recorded(&self) -> usize {
        let has_curve = |position: &&usize| !matches!(self.variables()[**position].kind, VariableType::String { .. });
        self.recorded.iter().filter(has_curve).count()
    }

    /// Returns the files outside the FMU that its String parameters name, which it may read in a run.
    pub fn named_files(&self) -> BTreeSet<PathBuf> {
        let at_start = self.variables().iter().filter_map(|variable| match &variable.kind {
            VariableType::String { start: Some(text) } => file::named(text),
            _ => None,
        });
        at_start.chain(self.starts.iter().filter_map(|(_, value)| value.file())).collect()
    }

    /// Returns notes to show before the run.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<_> = self.input.iter().flat_map(|input| input.notes.iter().cloned()).collect();
        notes.extend(self.input.iter().filter_map(|input| input.uncovered(self.start, self.stop)));
        notes.extend(self.loaded.model().left_out.iter().cloned());
        let is_held = self.loaded.interface() == Interface::CoSimulation && !self.loaded.flag("canInterpolateInputs");
        if is_held && self.loaded.is_of_fmi_3() && self.input.as_ref().is_some_and(Input::has_ramps) {
            notes.push(
                "FMI 3.0 holds continuous inputs during a communication step; a shorter step follows them more closely"
                    .to_owned(),
            );
        }
        if self.has_fixed_step() {
            let between = if self.input.is_some() { "; inputs between communication points are not seen" } else { "" };
            let end = self.steps().map_or(self.stop, |steps| self.point(steps, steps));
            if end != self.stop || !between.is_empty() {
                notes.push(format!("the FMU has a fixed step size: the run ends at {} s{between}", number(end)));
            }
        }
        notes
    }

    /// Returns true if all steps must have the same size.
    pub(super) fn has_fixed_step(&self) -> bool {
        self.loaded.interface() == Interface::CoSimulation
            && !self.loaded.flag("canHandleVariableCommunicationStepSize")
    }

    /// Returns the time of a communication point.
    pub(super) fn point(&self, step: usize, steps: usize) -> f64 {
        if step == steps && !self.has_fixed_step() { self.stop } else { self.start + step as f64 * self.step }
    }

    /// Returns the number of communication steps of a run, if there can be one.
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
        let min_step = MIN_RELATIVE_STEP * late;
        if step < min_step && step < duration {
            bail!(
                "steps of {} s are too small at {} s, where they would be lost in rounding; {} s would be large enough",
                number(step),
                number(late),
                number(round_up(min_step)),
            );
        }
        let steps = duration / step;
        let columns = self.recorded.len() + 1;
        let most = MAX_VALUES / columns;
        if steps > most as f64 {
            let right = match self.input.as_ref().map(|input| input.time[0]).filter(|first| *first > start) {
                Some(first) => format!("the input begins at {} s: so should the run, with --start", number(first)),
                None => format!("steps of {} s would be large enough", number(round_up(duration / most as f64))),
            };
            bail!(
                "{} s in steps of {} s are {} steps of {columns} values each, too many to record; {right}",
                number(duration),
                number(step),
                short(steps),
            );
        }
        if self.has_fixed_step() {
            ensure!(
                steps + 1e-9 >= 1.0,
                "the FMU has a fixed step size, which is longer than the run of {} s",
                number(duration)
            );
            return Ok((steps + 1e-9) as usize);
        }
        // Without the tolerance, rounding could add a last step of almost no length.
        Ok(((steps - 1e-9).ceil() as usize).max(1))
    }
}

/// Rounds up to the next number with one digit.
fn round_up(value: f64) -> f64 {
    let (digit, exponent) = format!("{value:e}")
        .split_once('e')
        .map(|(mantissa, exponent)| (mantissa.parse::<f64>().unwrap_or(1.0).ceil(), exponent.to_owned()))
        .unwrap_or_default();
    format!("{digit}e{exponent}").parse().unwrap_or(value)
}
