//! Many runs of one FMU with different parameters, from a TOML file.

mod axis;
mod cell;
mod design;
mod distribution;
mod family;
mod journal;
mod parquet;
mod plan;
mod reduction;
mod results;
mod spread;
mod table;
mod word;

use std::collections::BTreeSet;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

use crate::load::messages::Message;
use crate::simulate::trajectory::number;
use crate::values::file;
use crate::values::toml_file::TomlFile;
use crate::values::value::Value;
use crate::{Event, Simulation};
use axis::{Axis, Reader, Setting, Values};
use design::Design;
use plan::Plan;
use results::Results;

pub(crate) use axis::bound_broken;
pub use design::latin_hypercube_column;
pub use journal::{Identity, Journal, Outcome};
pub use table::{Format, POINTS};

/// Size of the largest file of data that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// A sweep file, read against its FMU.
pub struct Sweep {
    /// Path of the FMU.
    pub fmu: PathBuf,
    /// File with the signals of the inputs, if there are any.
    pub input: Option<PathBuf>,
    /// Other files that the FMU reads: String parameters name them.
    pub files: BTreeSet<PathBuf>,
    simulation: Simulation,
    design: Design,
    /// Values that are the same in all runs.
    constants: Vec<(usize, Value)>,
    results: Results,
    identity: Identity,
}

/// An event during a sweep.
pub enum Progress<'a> {
    /// A run, from 0 on, has ended.
    Run(usize, &'a Outcome),
    /// The FMU has sent a message in a run that did not fail of it.
    Message(usize, &'a Message),
}

impl Sweep {
    /// Reads a sweep file and checks all values in it.
    ///
    /// # Errors
    ///
    /// With line and column where the file is wrong.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let source = TomlFile::read(path.as_ref())?;
        let plan = Plan::read(&source)?;
        let fmu = source.beside(&plan.fmu);
        let input = plan.input.as_ref().map(|input| source.beside(input));
        let mut simulation = Simulation::load(&fmu)?;
        if let Some(input) = &input {
            simulation.drive_by(input, &plan.table)?;
        }
        simulation.start = plan.start.unwrap_or(simulation.start);
        simulation.stop = plan.stop.unwrap_or(simulation.stop);
        simulation.step = plan.step.unwrap_or(simulation.step);
        let results = Results::read(&plan, &simulation)?;
        simulation.record_only(results.recorded.clone());
        simulation.steps()?;
        let (design, constants) = design(&plan, &mut simulation)?;
        let mut identity = identity(&source, &fmu, input.as_deref())?;
        let files = files(&simulation, &design, &constants);
        for file in &files {
            let content = file::read(file, MAX_BYTES)?;
            identity.push((format!("the file {}", file.display()), fmu_runtime::fingerprint(&content)));
        }
        Ok(Self { fmu, input, files, simulation, design, constants, results, identity })
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        self.design.runs()
    }

    /// Returns the largest number of simultaneous runs: one for an FMU that says so.
    pub fn most_jobs(&self) -> Option<NonZero<usize>> {
        self.simulation.is_single().then_some(NonZero::<usize>::MIN)
    }

    /// Returns notes to show before the runs.
    pub fn notes(&self) -> Vec<String> {
        self.simulation.notes()
    }

    /// Opens the journal beside an output, or begins one.
    pub fn journal(&self, output: &Path) -> Result<Journal> {
        Journal::open(&Journal::beside(output), &self.identity, self.runs())
    }

    /// Makes the runs that a journal lacks, several at the same time, and reports progress.
    ///
    /// A run that fails is kept as such. Only what keeps the journal from being written ends the sweep.
    pub fn run(&self, journal: &mut Journal, jobs: NonZero<usize>, observe: impl FnMut(Progress) + Send) -> Result<()> {
        let lacking: Vec<_> = (0..self.runs()).filter(|run| !journal.has(*run)).collect();
        let jobs = self.most_jobs().unwrap_or(jobs).get().min(lacking.len());
        let next = AtomicUsize::new(0);
        let written = Mutex::new((journal, observe));
        let work = || {
            while let Some(run) = lacking.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (outcome, messages) = self.one(*run);
                // A run is in the journal before the next begins, whose code may end the process.
                let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                let (journal, observe) = &mut *written;
                messages.iter().for_each(|message| observe(Progress::Message(*run, message)));
                journal.append(*run, &outcome).inspect_err(|_| next.store(lacking.len(), Ordering::Relaxed))?;
                observe(Progress::Run(*run, &outcome));
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn one(&self, run: usize) -> (Outcome, Vec<Message>) {
        let (mut messages, mut end) = (Vec::new(), None);
        let trajectory = self.simulation.run_from(&self.starts(run), |event| match event {
            Event::Message(message) => messages.push(message.clone()),
            Event::Ended(time) => end = Some(time),
            Event::Time(_) => {}
        });
        let failed = |reason| Outcome { failure: Some(reason), ..Outcome::default() };
        let outcome = match (trajectory, end) {
            (Ok(_), Some(end)) => failed(format!("the FMU ended the simulation at {} s", number(end))),
            (Ok(trajectory), None) => self.results.of(&trajectory),
            (Err(error), _) => failed(format!("{error:#}")),
        };
        (outcome, messages)
    }

    /// Returns the values of a run by the positions of the variables.
    fn starts(&self, run: usize) -> Vec<(usize, Value)> {
        let columns = self.design.axes.iter().flat_map(|axis| &axis.columns);
        let values = columns.zip(self.design.point(run));
        values.flat_map(|((_, positions), value)| positions.iter().map(move |at| (*at, value.clone()))).collect()
    }

    /// Returns the file of the series: `out.series.csv` beside `out.csv`; none if there are no series.
    pub fn series_beside(&self, output: &Path) -> Option<PathBuf> {
        if self.results.series.is_empty() {
            return None;
        }
        let extension = output.extension()?.to_str()?;
        Some(output.with_extension(format!("series.{extension}")))
    }
}

/// Makes the axes, with checked values; constants are set at once.
fn design(plan: &Plan, simulation: &mut Simulation) -> Result<(Design, Vec<(usize, Value)>)> {
    let mut axes: Vec<Axis> = Vec::new();
    let mut constants = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    for entry in &plan.parameters {
        let reader = Reader {
            source: plan.source,
            variables: simulation.variables(),
            enumerations: simulation.enumerations(),
            design: plan.design,
        };
        let (positions, setting): (Vec<usize>, _) = match reader.read(entry)? {
            Setting::Constant(values) => (values.iter().map(|(at, _)| *at).collect(), Err(values)),
            Setting::Axis(axis) => (axis.columns.iter().flat_map(|(_, at)| at).copied().collect(), Ok(axis)),
        };
        let name = |at: usize| &simulation.variables()[at].name;
        if let Some(twice) = positions.iter().find(|at| taken.contains(at)) {
            let message = format!("`{}` is set twice", name(*twice));
            return Err(plan.source.error(entry.span.clone(), message));
        }
        if let Some(driven) = simulation.driven(&positions) {
            let message = format!("`{driven}` cannot be a constant, since the input has a column for it");
            return Err(plan.source.error(entry.span.clone(), message));
        }
        taken.extend(positions);
        match setting {
            Ok(axis) => axes.push(axis),
            Err(values) => constants.extend(values),
        }
    }
    simulation.set_at(constants.clone());
    let span = plan.parameters.first().map_or(0..0, |entry| entry.span.clone());
    let design = Design::new(axes, plan.design).map_err(|reason| plan.source.error(span, reason))?;
    within_bounds(plan.source, &design, simulation)?;
    Ok((design, constants))
}

/// Refuses values that were drawn outside of the bounds; those in the file have been checked.
fn within_bounds(source: &TomlFile, design: &Design, simulation: &Simulation) -> Result<()> {
    let mut column = 0;
    for axis in &design.axes {
        if let Values::Distribution(_) = axis.values {
            let variable = &simulation.variables()[axis.columns[0].1[0]];
            for run in 0..design.runs() {
                let value = design.point(run)[column].number().unwrap_or_default();
                let infinite = || format!("`{}` cannot be {value}, it must be finite", variable.name);
                let broken = (!value.is_finite()).then(infinite).or_else(|| bound_broken(variable, value));
                if let Some(broken) = broken {
                    let message = format!("run {}: {broken}; `from` and `to` cut a distribution", run + 1);
                    return Err(source.error(axis.span.clone(), message));
                }
            }
        }
        column += axis.columns.len();
    }
    Ok(())
}

/// Returns the files outside the FMU that String parameters name: at the start, or in the sweep.
fn files(simulation: &Simulation, design: &Design, constants: &[(usize, Value)]) -> BTreeSet<PathBuf> {
    let lists = design.axes.iter().filter_map(|axis| match &axis.values {
        Values::List(list) => Some(list.iter().flatten()),
        Values::Distribution(_) => None,
    });
    let mut files = simulation.named_files();
    files.extend(constants.iter().map(|(_, value)| value).chain(lists.flatten()).filter_map(Value::file));
    files
}

/// Returns hashes of everything that the results depend on, but for files outside the FMU.
fn identity(source: &TomlFile, fmu: &Path, input: Option<&Path>) -> Result<Identity> {
    let hash = |bytes: &[u8]| fmu_runtime::fingerprint(bytes);
    let mut identity = vec![
        ("the program".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("the sweep file".to_owned(), hash(source.text().as_bytes())),
        ("the FMU".to_owned(), hash(&fs_err::read(fmu)?)),
    ];
    if let Some(input) = input {
        identity.push(("the input".to_owned(), hash(&fs_err::read(input)?)));
    }
    Ok(identity)
}
