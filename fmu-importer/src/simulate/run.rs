//! A run on an instance: initialisation, communication points, end.

use std::borrow::Borrow;

use anyhow::{Context, Result, ensure};
use fmu_builder::description::{Causality, Variable};
use fmu_runtime::Solver;
use fmu_runtime::integration::TOLERANCE;

use super::co_simulation::Steps;
use super::model_exchange::{Advance, Integration};
use super::recorder::Recorder;
use super::run_inputs::{Inputs, RunInputs};
use super::sensitivities::{Direction, Sensitivities};
use super::simulation::{Event, Simulation};
use super::trajectory::{Trajectory, number};
use crate::load::{Failure, Instance, Interface};
use crate::values::value::Value;
use crate::values::variables;

/// State of an interface between communication points.
enum Progress {
    Steps(Steps),
    Integration(Box<Integration>),
}

/// The point at which a run begins.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Beginning<'d> {
    /// The instance is fresh.
    Start,
    /// The instance is fresh, for Model Exchange, and the run is differentiated along directions.
    Along(&'d [Direction]),
    /// The instance has been initialised, and is at the start time.
    Restored,
}

/// The results of a run, whose instance is still at its end.
pub(crate) struct Ran {
    pub trajectory: Trajectory,
    /// Derivatives of the recorded values, for each point along each direction of the run.
    pub sensitivities: Vec<Vec<Vec<f64>>>,
    /// True if the FMU ended the run.
    pub ended: bool,
}

impl Simulation {
    /// Runs from `start` to `stop`.
    pub fn run(&self) -> Result<Trajectory> {
        self.run_with(|_| ())
    }

    /// Runs from `start` to `stop` and reports events.
    pub fn run_with(&self, observe: impl FnMut(Event)) -> Result<Trajectory> {
        self.run_from(&[], observe)
    }

    /// Begins a run that goes on in slices, with an instance of its own, and reports events.
    ///
    /// # Errors
    ///
    /// When the settings are wrong, or the FMU cannot be initialised with them.
    pub fn start(&self, observe: &mut impl FnMut(Event)) -> Result<Run<'_, Instance>> {
        let points = self.points()?;
        self.begin_run(self.instance()?, Beginning::Start, &[], points, observe)
    }

    /// Returns the number of communication steps of a run.
    ///
    /// # Errors
    ///
    /// When the settings are wrong.
    pub fn number_of_steps(&self) -> Result<usize> {
        self.steps()
    }

    /// Runs in Model Exchange, and derives the recorded values by Real parameters: for each parameter the derivatives of each
    /// column at all points. A change of a parameter by 1 must not move an event by more than a thousand runs.
    ///
    /// # Errors
    ///
    /// Also when there is no variable of such a name, the FMU does not have the derivatives, or an event has none.
    pub fn run_and_derive(&self, parameters: &[&str]) -> Result<(Trajectory, Vec<Vec<Vec<f64>>>)> {
        ensure!(self.loaded.interface() == Interface::ModelExchange, "derivatives are those of runs in Model Exchange");
        let direction = |name: &&str| -> Result<Direction> {
            let may_vary = |variable: &Variable| {
                variable.is_real() && matches!(variable.causality, Causality::Parameter | Causality::Input)
            };
            let found = variables::find(name, self.variables(), may_vary)?;
            Ok(found.positions.into_iter().map(|position| (position, 1.0)).collect())
        };
        let directions = parameters.iter().map(direction).collect::<Result<Vec<_>>>()?;
        let ran = self.run_instance(&self.instance()?, Beginning::Along(&directions), &[], &mut |_| ())?;
        ensure!(!ran.ended, "the FMU ends the simulation: its derivatives are not complete");
        let columns = ran.trajectory.columns.len();
        let of =
            |direction: usize, column: usize| ran.sensitivities.iter().map(move |at| at[direction][column]).collect();
        let derivatives =
            (0..directions.len()).map(|direction| (0..columns).map(|column| of(direction, column)).collect());
        let derivatives = derivatives.collect();
        Ok((ran.trajectory, derivatives))
    }

    /// Runs with further start values of the variables at these positions. Threads may do that at the same time.
    pub(crate) fn run_from(&self, starts: &[(usize, Value)], mut observe: impl FnMut(Event)) -> Result<Trajectory> {
        // Settings that are wrong need no instance.
        self.steps()?;
        let instance = self.instance()?;
        let ran = self.run_instance(&instance, Beginning::Start, starts, &mut observe);
        let finished = ran.and_then(|ran| {
            if !ran.ended {
                instance.terminate()?;
            }
            Ok(ran.trajectory)
        });
        // Messages before a failure may explain it.
        tell(&instance, &mut observe);
        finished
    }

    /// Makes an instance.
    pub(crate) fn instance(&self) -> Result<Instance> {
        Ok(match self.event_mode {
            true => Instance::with_event_mode(&self.loaded)?,
            false => Instance::new(&self.loaded)?,
        })
    }

    /// Initialises a fresh instance at the start time, with further start values; returns false if the FMU ends the run there.
    pub(crate) fn initialise(&self, instance: &Instance, starts: &[(usize, Value)]) -> Result<bool> {
        let inputs = RunInputs::new(self.input.as_ref(), self.variables());
        Ok(self.begin(instance, &inputs, Beginning::Start, starts)?.is_some())
    }

    /// Gives values to variables of an instance that is at a time; returns false if the FMU ends the run there.
    pub(crate) fn change(&self, instance: &Instance, time: f64, values: &[(usize, Value)]) -> Result<bool> {
        let inputs = RunInputs::new(None, self.variables());
        let at = Self { start: time, ..Self::of(self.loaded.clone())? };
        Ok(at.begin(instance, &inputs, Beginning::Restored, values)?.is_some())
    }

    /// Runs on an instance, which is then at the end of the run.
    pub(crate) fn run_instance(
        &self,
        instance: &Instance,
        beginning: Beginning<'_>,
        starts: &[(usize, Value)],
        observe: &mut impl FnMut(Event),
    ) -> Result<Ran> {
        self.run_over(instance, beginning, starts, self.points()?, observe)
    }

    /// Runs on an instance over these communication points, in s, behind the start time.
    pub(crate) fn run_over(
        &self,
        instance: &Instance,
        beginning: Beginning<'_>,
        starts: &[(usize, Value)],
        points: Vec<f64>,
        observe: &mut impl FnMut(Event),
    ) -> Result<Ran> {
        let mut run = self.begin_run(instance, beginning, starts, points, observe)?;
        run.advance(usize::MAX, observe)?;
        Ok(Ran { trajectory: run.recorder.trajectory, sensitivities: run.sensitivities, ended: run.ended.is_some() })
    }

    /// Returns the communication points behind the start time.
    fn points(&self) -> Result<Vec<f64>> {
        let steps = self.steps()?;
        Ok((0..steps).map(|step| self.point(step + 1, steps)).collect())
    }

    /// Begins a run on an instance, which goes on by [`Run::advance`].
    fn begin_run<I: Borrow<Instance>>(
        &self,
        instance: I,
        beginning: Beginning<'_>,
        starts: &[(usize, Value)],
        points: Vec<f64>,
        observe: &mut impl FnMut(Event),
    ) -> Result<Run<'_, I>> {
        let inputs = RunInputs::new(self.input.as_ref(), self.variables());
        let mut recorder = Recorder::new(&self.recorded, self.variables(), points.len() + 1);
        let progress = self.begin(instance.borrow(), &inputs, beginning, starts)?;
        recorder.record(instance.borrow(), self.start)?;
        let ended = progress.is_none().then_some(self.start);
        ended.iter().for_each(|time| observe(Event::Ended(*time)));
        let time = self.start;
        let mut sensitivities = Vec::new();
        record_sensitivities(instance.borrow(), progress.as_ref(), &mut sensitivities)?;
        Ok(Run { simulation: self, instance, inputs, recorder, sensitivities, progress, step: 0, points, time, ended })
    }

    /// Returns an instance that is at a time, by default at the start; a step could go on from there.
    pub(crate) fn reach(&mut self, time: Option<f64>, mut observe: impl FnMut(Event)) -> Result<Instance> {
        let time = time.filter(|time| *time != self.start);
        if let Some(time) = time {
            let (time_shown, start) = (number(time), number(self.start));
            ensure!(time > self.start, "the time {time_shown} s must not come before the start time {start} s");
            self.stop = time;
            self.recorded.clear();
            self.steps()?;
        }
        let instance = Instance::new(&self.loaded)?;
        let mut last = self.start;
        let reached = match time {
            Some(_) => self.run_instance(&instance, Beginning::Start, &[], &mut observe).map(|ran| {
                last = ran.trajectory.time.last().copied().unwrap_or(last);
                !ran.ended
            }),
            None => self.initialise(&instance, &[]),
        };
        tell(&instance, &mut observe);
        ensure!(reached?, "the FMU ends the simulation at {} s", number(last));
        Ok(instance)
    }

    /// Records an instance in Continuous-Time Mode at given continuous states, each with a time in s.
    pub(crate) fn sample(
        &self,
        instance: &Instance,
        places: impl ExactSizeIterator<Item = (f64, Vec<f64>)>,
    ) -> Result<Trajectory> {
        let mut recorder = Recorder::new(&self.recorded, self.variables(), places.len());
        for (time, states) in places {
            instance.set_continuous_states(&states)?;
            recorder.record(instance, time)?;
        }
        Ok(recorder.trajectory)
    }

    /// Brings an instance to the start time, ready to proceed; nothing if the FMU ends the run.
    fn begin(
        &self,
        instance: &Instance,
        inputs: &RunInputs,
        beginning: Beginning<'_>,
        starts: &[(usize, Value)],
    ) -> Result<Option<Progress>> {
        let starts = self.starts.iter().chain(starts);
        let starts = starts.map(|(position, value)| (self.variables()[*position].value_reference, value));
        let starts: Vec<_> = starts.collect();
        let interface = self.loaded.interface();
        let mut sensitivities = None;
        if beginning != Beginning::Restored {
            let stop = (!self.open_end).then_some(self.stop);
            instance.setup_experiment(self.tolerance, (self.start, stop))?;
            instance.set_all(&starts)?;
            instance.enter_initialization_mode()?;
            inputs.apply(instance, self.start)?;
            if let Beginning::Along(directions) = beginning {
                let length = self.stop - self.start;
                let tolerance = self.tolerance.unwrap_or(TOLERANCE);
                let begun = Sensitivities::begin(instance, directions, &self.recorded, length, tolerance);
                sensitivities = Some(begun.context("the derivatives by parameters are not known")?);
            }
            instance.exit_initialization_mode()?;
        } else {
            if interface == Interface::ModelExchange || instance.has_event_mode() {
                instance.enter_event_mode()?;
            }
            instance.set_all(&starts)?;
            inputs.apply(instance, self.start)?;
        }
        match interface {
            Interface::CoSimulation => {
                let interpolates = self.loaded.flag("canInterpolateInputs");
                Ok(Steps::begin(instance, inputs, self.start, interpolates)?.map(Progress::Steps))
            }
            Interface::ModelExchange => {
                let begun =
                    Integration::begin(instance, inputs, self.start, self.tolerance, Solver::Auto, sensitivities)?;
                Ok(begun.map(|integration| Progress::Integration(Box::new(integration))))
            }
        }
    }

    /// Moves the FMU from one communication point to the next, in parts if an input bends or jumps between them.
    fn advance(
        &self,
        instance: &Instance,
        inputs: &RunInputs,
        progress: &mut Progress,
        (mut time, end): (f64, f64),
    ) -> Result<Advance> {
        let stops = if self.has_fixed_step() { &[] } else { inputs.stops(time, end) };
        for next in stops.iter().copied().chain([end]) {
            let advance = match progress {
                Progress::Integration(integration) => integration.advance(instance, inputs, (time, next))?,
                Progress::Steps(steps) => steps.advance(instance, inputs, (time, next))?,
            };
            if let Advance::Until(_) = advance {
                return Ok(advance);
            }
            time = next;
        }
        Ok(Advance::Completed)
    }
}

/// A run between two communication points.
pub struct Run<'s, I> {
    simulation: &'s Simulation,
    instance: I,
    inputs: RunInputs<'s>,
    recorder: Recorder,
    sensitivities: Vec<Vec<Vec<f64>>>,
    progress: Option<Progress>,
    /// Number of steps that were made or tried.
    step: usize,
    points: Vec<f64>,
    time: f64,
    ended: Option<f64>,
}

impl<I: Borrow<Instance>> Run<'_, I> {
    /// Goes on by a number of communication steps, or to the end if that comes before.
    pub(crate) fn advance(&mut self, steps: usize, observe: &mut impl FnMut(Event)) -> Result<()> {
        let Self { simulation, inputs, .. } = self;
        let instance = self.instance.borrow();
        let last = self.step.saturating_add(steps).min(self.points.len());
        while let (Some(progress), None, true) = (&mut self.progress, self.ended, self.step < last) {
            let (time, next) = (self.time, self.points[self.step]);
            self.step += 1;
            let advance = simulation
                .advance(instance, inputs, progress, (time, next))
                .with_context(|| format!("the step from {} s to {} s failed", number(time), number(next)))?;
            if let Advance::Until(end) = advance {
                if end > time {
                    self.recorder.record(instance, end)?;
                }
                self.ended = Some(end);
                observe(Event::Ended(end));
                return Ok(());
            }
            self.recorder.record(instance, next)?;
            record_sensitivities(instance, self.progress.as_ref(), &mut self.sensitivities)?;
            self.time = next;
            observe(Event::Time(next));
            tell(instance, observe);
        }
        Ok(())
    }

    /// Returns the results so far.
    pub fn trajectory(&self) -> &Trajectory {
        &self.recorder.trajectory
    }

    /// Returns the time at which the FMU ended the run, if it did.
    pub fn ended(&self) -> Option<f64> {
        self.ended
    }

    /// Returns true if there are no more steps.
    pub fn is_done(&self) -> bool {
        self.ended.is_some() || self.step >= self.points.len()
    }
}

impl Run<'_, Instance> {
    /// Goes on by a number of communication steps, or to the end if that comes before, where the instance is terminated.
    ///
    /// # Errors
    ///
    /// Those of the FMU.
    pub fn proceed(&mut self, steps: usize, observe: &mut impl FnMut(Event)) -> Result<()> {
        let was_done = self.is_done();
        let advanced = self.advance(steps, observe);
        let terminated = match advanced {
            Ok(()) if self.ended.is_none() && self.is_done() && !was_done => {
                self.instance.terminate().map_err(anyhow::Error::from)
            }
            other => other,
        };
        // Messages before a failure may explain it.
        tell(&self.instance, observe);
        terminated
    }
}

fn record_sensitivities(
    instance: &Instance,
    progress: Option<&Progress>,
    all: &mut Vec<Vec<Vec<f64>>>,
) -> Result<(), Failure> {
    if let Some(Progress::Integration(integration)) = progress {
        all.push(integration.sensitivities(instance)?);
    }
    Ok(())
}

fn tell(instance: &Instance, observe: &mut impl FnMut(Event)) {
    instance.messages().iter().for_each(|message| observe(Event::Message(message)));
}
