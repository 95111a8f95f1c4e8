//! The FMU in memory, and its instance, which one run after another uses.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum as _;
use fmu_builder::description::{Causality, Variability};
use fmu_commands::import::By;

use super::frame::{Frame, numbers, packed};
use super::request::{Column, Open, Reply, Signals, Simulate};
use crate::commands::{Notes, input_table};
use crate::input::{Input, NumberColumns};
use crate::load::{Fmu, Instance, Interface, Loaded};
use crate::simulate::run::{Beginning, Ran};
use crate::simulate::trajectory::Trajectory;
use crate::values::value::Value;
use crate::{Event, Simulation};

/// An open model.
pub(super) struct OpenModel {
    pub loaded: Loaded,
    event_mode: bool,
    new_instances: bool,
    /// The values of `open`, by positions.
    opened_with: BTreeMap<usize, Value>,
    /// The values that later runs begin with.
    values: BTreeMap<usize, Value>,
    point: Option<Point>,
    /// An instance to be reset.
    used: Option<Instance>,
}

/// The point at which the model is.
pub(super) struct Point {
    pub instance: Instance,
    pub time: f64,
    /// True at the start, before any run.
    is_start: bool,
}

impl OpenModel {
    /// Loads an FMU.
    pub fn open(open: &Open) -> Result<Self> {
        let fmu = Fmu::open(&open.file)?;
        let interface = match &open.interface {
            None => fmu.interface()?,
            Some(text) => match By::from_str(text, false) {
                Ok(By::CoSimulation) => Interface::CoSimulation,
                Ok(By::ModelExchange) => Interface::ModelExchange,
                Err(_) => bail!("interface: `{text}` is neither co-simulation nor model-exchange"),
            },
        };
        let loaded = fmu.load(interface)?;
        let (opened_with, values) = Default::default();
        let mut model = Self {
            loaded,
            event_mode: open.event_mode,
            new_instances: open.new_instances,
            opened_with,
            values,
            point: None,
            used: None,
        };
        model.opened_with = model.parsed(&open.values)?;
        model.values = model.opened_with.clone();
        Ok(model)
    }

    /// Returns the settings of a run, before its own values.
    fn run(&self) -> Result<Simulation> {
        let mut run = Simulation::of(self.loaded.clone())?;
        if self.event_mode {
            run.use_event_mode()?;
        }
        Ok(run)
    }

    fn parsed(&self, assignments: &[String]) -> Result<BTreeMap<usize, Value>> {
        let mut run = self.run()?;
        assignments.iter().try_for_each(|assignment| run.set(assignment))?;
        Ok(run.starts().iter().cloned().collect())
    }

    /// Returns an instance as good as new, and leaves the point.
    fn fresh(&mut self, run: &Simulation) -> Result<Instance> {
        let used = self.used.take().or_else(|| self.point.take().map(|point| point.instance));
        self.point = None;
        if let Some(instance) = used.filter(|_| !self.new_instances) {
            // An FMU that ended the run is not to be terminated, and some cannot be reset.
            let _ = instance.terminate();
            if instance.reset().is_ok() {
                instance.messages();
                return Ok(instance);
            }
        }
        run.instance()
    }

    /// Returns the point at which the model is; at the beginning, the start.
    pub fn point(&mut self) -> Result<&Point> {
        let point = match self.point.take() {
            Some(point) => point,
            None => {
                let mut run = self.run()?;
                run.set_at(self.values.clone());
                // Runs may go on from its state.
                run.open_end = true;
                let instance = self.fresh(&run)?;
                run.initialise(&instance, &[])?;
                Point { instance, time: run.start, is_start: true }
            }
        };
        Ok(self.point.insert(point))
    }

    /// Runs from the start, or from an FMU state.
    pub fn simulate(&mut self, settings: &Simulate, data: &[u8], progress: &mut dyn FnMut(f64)) -> Result<Frame> {
        let mut run = self.run()?;
        settings.values.iter().try_for_each(|assignment| run.set(assignment))?;
        let state = self.drive(&mut run, settings, data)?;
        settings.show.iter().try_for_each(|name| run.record(name))?;
        if state.is_none() {
            // Values of this run come before those of the model, and so does its input.
            let own = run.positions();
            let rest = self.values.iter().filter(|(position, _)| !own.contains(position));
            run.set_at(rest.map(|(position, value)| (*position, value.clone())).collect::<Vec<_>>());
        }
        run.start = settings.start.or(settings.state).unwrap_or(run.start);
        run.stop = settings.stop.unwrap_or(run.stop);
        run.step = settings.step.unwrap_or(run.step);
        run.open_end = settings.open_end;
        run.steps()?;
        let mut notes: Vec<_> = run.notes().into_iter().map(|text| format!("note: {text}")).collect();
        let begin = Instant::now();
        let instance = self.fresh(&run)?;
        let beginning = match state {
            None => Beginning::Start,
            Some(bytes) => {
                instance.deserialize(bytes)?.restore()?;
                Beginning::Restored
            }
        };
        let mut seen = Notes::default();
        let (start, stop) = (run.start, run.stop);
        let mut end = stop;
        let mut observe = |event: Event| match event {
            Event::Time(time) => {
                end = time;
                progress((time - start) / (stop - start));
            }
            Event::Message(message) => {
                if seen.is_new(message) {
                    notes.push(message.to_string());
                }
            }
            Event::Ended(time) => {
                end = time;
                notes.push(format!("note: the FMU ended the simulation at {time} s"));
            }
        };
        let ran = run.run_instance(&instance, beginning, &[], &mut observe);
        // Messages before a failure may explain it.
        instance.messages().iter().for_each(|message| observe(Event::Message(message)));
        notes.extend(seen.suppressed());
        let Ran { trajectory, .. } = ran?;
        self.point = Some(Point { instance, time: end, is_start: false });
        let seconds = begin.elapsed().as_secs_f64();
        Ok(reply(&trajectory, seconds, notes, settings.describe))
    }

    /// Reads the input of a run; returns the FMU state behind it.
    fn drive<'d>(&self, run: &mut Simulation, settings: &Simulate, data: &'d [u8]) -> Result<Option<&'d [u8]>> {
        let mut rest = data;
        match &settings.input {
            None => {}
            Some(Signals::File { path, table, skip }) => run.drive_by(path, &input_table(table, skip)?)?,
            Some(Signals::Columns { rows, columns, skip }) => {
                let count = columns.iter().filter(|(_, texts)| texts.is_none()).count() * rows * 8;
                ensure!(count <= data.len(), "the input is incomplete");
                let (own, behind) = data.split_at(count);
                rest = behind;
                let table = NumberColumns { rows: *rows, columns, numbers: &numbers(own) };
                run.drive(Input::of_columns(&table, skip, run.model())?)?;
            }
        }
        Ok(settings.state.map(|_| rest))
    }

    /// Gives values to variables: from now on, and at the point at which the model is.
    pub fn set(&mut self, assignments: &[String]) -> Result<Frame> {
        let values = self.parsed(assignments)?;
        let variables = &self.loaded.model().variables;
        let may_change = |position: &usize| {
            let variable = &variables[*position];
            variable.causality == Causality::Input || variable.variability == Variability::Tunable
        };
        let later = self.point.as_ref().filter(|point| !point.is_start);
        match later.filter(|_| values.keys().all(may_change)) {
            Some(point) => {
                let list: Vec<_> = values.iter().map(|(position, value)| (*position, value.clone())).collect();
                self.run()?.change(&point.instance, point.time, &list)?;
            }
            // The start depends on the values.
            None => self.leave(),
        }
        self.values.extend(values);
        Ok(done())
    }

    /// Goes back to the start, with the values of `open`.
    pub fn reset(&mut self) -> Frame {
        self.leave();
        self.values = self.opened_with.clone();
        done()
    }

    fn leave(&mut self) {
        self.used = self.point.take().map(|point| point.instance).or(self.used.take());
    }

    /// Tells the FMU state.
    pub fn save(&mut self) -> Result<Frame> {
        self.require_states()?;
        let Point { instance, time, .. } = self.point()?;
        let bytes = instance.save()?.serialize()?;
        Ok(Frame::of(&Reply::State { time: *time }, bytes))
    }

    /// Restores an FMU state.
    pub fn restore(&mut self, time: f64, bytes: &[u8]) -> Result<Frame> {
        self.require_states()?;
        let run = self.run()?;
        let instance = self.fresh(&run)?;
        instance.deserialize(bytes)?.restore()?;
        self.point = Some(Point { instance, time, is_start: false });
        Ok(done())
    }

    fn require_states(&self) -> Result<()> {
        let has = ["canSerializeFMUstate", "canSerializeFMUState"].iter().any(|name| self.loaded.flag(name));
        let (file, name) = (self.loaded.path().display(), self.loaded.interface().name());
        ensure!(has, "{file} cannot serialize its state (canSerializeFMUState) in {name}");
        Ok(())
    }
}

fn done() -> Frame {
    Frame::of(&Reply::Done { notes: Vec::new() }, Vec::new())
}

fn reply(trajectory: &Trajectory, seconds: f64, notes: Vec<String>, describe: bool) -> Frame {
    let columns = || {
        let named = trajectory.names.iter().zip(&trajectory.units);
        named.map(|(name, unit)| Column { name: name.clone(), unit: unit.clone() }).collect()
    };
    let columns = describe.then(columns);
    let header = Reply::Trajectory { rows: trajectory.time.len(), seconds, notes, columns };
    let all = std::iter::once(&trajectory.time).chain(&trajectory.columns);
    Frame::of(&header, packed(all.map(Vec::as_slice)))
}
