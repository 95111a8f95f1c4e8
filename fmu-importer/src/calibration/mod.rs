//! Finds parameters of any FMU from measurements: a fit file names experiments, parameters and what is known of them.
//!
//! `plan` reads the file, `experiment` the data, `harmonic` those over frequency, `parameter` what is searched for; `runs`
//! computes deviations and their derivatives, as `differentiation` says, by `differences` or corrected ones (`broyden`);
//! `search` minimises their squares, `statistics` says how sure the result is; `report` tells it, `results` has it for
//! programs, and `configuration` writes it. Below `runs` are `computed` and `recent`.

mod broyden;
mod computed;
mod configuration;
mod differences;
mod differentiation;
mod experiment;
mod harmonic;
mod parameter;
mod plan;
mod recent;
mod report;
mod results;
mod runs;
mod search;
mod statistics;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Result, ensure};

use crate::plot::fitted::Output;
use crate::values::toml_file::TomlFile;
use crate::{Fmu, Interface, Simulation};
use computed::Computed;
use differentiation::Differentiation;
use experiment::{Experiment, assign};
use parameter::Parameter;
use plan::{ExperimentPlan, Plan};
use runs::Runs;
use search::Found;
use statistics::Certainty;

/// Relative tolerance of runs, if the file gives none: derivatives need more than a curve.
const TOLERANCE: f64 = 1e-9;

/// Smallest number of measured values beyond the number of parameters.
const MIN_DEGREES_OF_FREEDOM: usize = 2;

/// Number of searches, behind the rough one, in which the errors of outputs are estimated, where the file does not give
/// them.
const ESTIMATES: usize = 3;

/// Part of the work that the first search is taken for.
const SEARCH: f64 = 0.7;

/// A fit file, read against its FMU.
pub struct Calibration {
    /// Path of the FMU.
    pub fmu: PathBuf,
    /// Files with measurements.
    pub data: Vec<PathBuf>,
    /// The configuration from which the FMU was built, if it is given.
    pub model: Option<PathBuf>,
    starts: usize,
    seed: u64,
    runs: Runs,
}

/// Parameters that fit, and how sure they are.
pub struct Fitted {
    /// Values of the parameters.
    pub values: Vec<f64>,
    /// Ends of their 95 % intervals; infinite if the data do not determine the parameter.
    pub intervals: Vec<[f64; 2]>,
    /// True for the parameters that are at their bounds.
    pub at_bounds: Vec<bool>,
    /// Correlations of the errors and indeterminate groups.
    pub certainty: Certainty,
    /// True if all deviations of measurement were given.
    pub has_deviations: bool,
    /// Estimated or given standard deviations of the outputs of each experiment.
    pub deviations: Vec<Vec<f64>>,
    /// Mean square of the weighted deviations per degree of freedom.
    pub variance: f64,
    before: Rc<Computed>,
    after: Rc<Computed>,
    found: Found,
}

impl Calibration {
    /// Reads a fit file, its data, and its FMU.
    ///
    /// # Errors
    ///
    /// With line and column where the file is wrong.
    pub fn load(path: &Path) -> Result<Self> {
        let source = TomlFile::read(path)?;
        let plan = Plan::read(&source)?;
        let path = source.beside(&plan.fmu);
        let fmu = Fmu::open(&path)?;
        let interface = plan.interface.map_or_else(|| own_interface(&fmu), Ok)?;
        let loaded = fmu.load(interface)?;
        let simulation = |of_file: &ExperimentPlan<'_>| -> Result<Simulation> {
            let loaded = if of_file.response.is_some() { fmu.load(Interface::ModelExchange)? } else { loaded.clone() };
            let mut simulation = Simulation::of(loaded)?;
            simulation.tolerance = Some(plan.tolerance.unwrap_or(TOLERANCE));
            assign(&source, &plan.values, &mut simulation)?;
            Ok(simulation)
        };
        let read = |plan| Parameter::read(&source, plan, &loaded.model().variables);
        let parameters: Vec<Parameter> = plan.parameters.iter().map(read).collect::<Result<_>>()?;
        let mut experiments = Vec::new();
        for (at, of_file) in plan.experiments.iter().enumerate() {
            let experiment = Experiment::read(&source, of_file, at + 1, simulation(of_file)?)?;
            let given = experiment.simulation.positions();
            for (parameter, of_file) in parameters.iter().zip(&plan.parameters) {
                if parameter.positions.iter().any(|position| given.contains(position)) {
                    let message =
                        format!("`{}` is to be found, but {} gives its value", parameter.name, experiment.name);
                    return Err(source.error(of_file.entry.span.clone(), message));
                }
            }
            experiments.push(experiment);
        }
        let data = plan.experiments.iter().map(|plan| source.beside(&plan.data)).collect();
        let model = plan.model.as_ref().map(|model| source.beside(model));
        let differentiation = Differentiation::of(&fmu, &experiments)?;
        let runs = Runs::new(experiments, parameters, differentiation);
        let (count, needed) = (runs.count(), runs.parameters.len() + MIN_DEGREES_OF_FREEDOM);
        ensure!(count >= needed, "too few measured values: {needed} are needed, but there are {count}");
        Ok(Self { fmu: path, data, model, starts: plan.starts, seed: plan.seed, runs })
    }

    /// Returns how the data were read, a line for each file.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.runs.experiments.iter().map(|experiment| experiment.found.as_str())
    }

    /// Finds the parameters, and tells the part of the work that is done: an estimate, since nobody knows the number of
    /// iterations beforehand.
    ///
    /// # Errors
    ///
    /// When a run with the start values fails, or no search ends.
    pub fn fit(&mut self, told: &mut dyn FnMut(f64)) -> Result<Fitted> {
        let runs = &mut self.runs;
        let begin: Vec<f64> = runs.parameters.iter().map(|parameter| parameter.inner(parameter.start)).collect();
        let before = runs.compute(&begin)?;
        runs.set_rough(true);
        let mut found = search::search(runs, self.starts, self.seed, &mut |part| told(SEARCH * part))?;
        let outputs = || runs.experiments.iter().flat_map(|experiment| &experiment.outputs);
        let has_deviations = outputs().all(|output| output.deviation.is_some());
        let is_estimated = outputs().count() > 1 && !has_deviations;
        let rounds = if is_estimated { ESTIMATES } else { 1 };
        let mut refine = |runs: &Runs, found: &Found, min_reduction: f64, round: usize| -> Result<Found> {
            let part = (1.0 - SEARCH) / (rounds + 1) as f64;
            let mut told = |done| told(SEARCH + part * (round as f64 + done));
            let refined = search::refine(runs, &found.inner, min_reduction, &mut told)?;
            Ok(Found { iterations: found.iterations + refined.iterations, agreeing: found.agreeing, ..refined })
        };
        for round in 0..rounds {
            let computed = runs.compute(&found.inner)?;
            let is_same = is_estimated && runs.estimate_weights(&computed);
            if is_same && round > 0 {
                break;
            }
            found = refine(runs, &found, search::MIN_ROUGH_REDUCTION, round)?;
        }
        runs.set_rough(false);
        if is_estimated {
            // The deviations of rough runs have errors of their own.
            let computed = runs.compute(&found.inner)?;
            runs.estimate_weights(&computed);
        }
        found = refine(runs, &found, search::MIN_REDUCTION, rounds)?;
        let after = runs.compute(&found.inner)?;
        runs.estimate_weights(&after);
        self.judged(before, after, found, has_deviations)
    }

    /// Says how sure the parameters are that were found.
    fn judged(&self, before: Rc<Computed>, after: Rc<Computed>, found: Found, has_deviations: bool) -> Result<Fitted> {
        let Self { runs, .. } = self;
        let (deviations, columns) = (runs.deviations(&after, &found.inner), runs.jacobian(&found.inner)?);
        let parameters = runs.parameters.iter().zip(&found.inner);
        let at_bounds: Vec<bool> =
            parameters.clone().map(|(parameter, inner)| parameter.inner_bounds().contains(inner)).collect();
        let free = at_bounds.iter().filter(|is_at| !**is_at).count();
        let degrees = deviations.len() - free;
        let variance = deviations.iter().map(|value| value * value).sum::<f64>() / degrees as f64;
        // What is known beforehand is not estimated from the deviations.
        let (scale, quantile) = match has_deviations {
            true => (1.0, statistics::quantile(usize::MAX)),
            false => (variance, statistics::quantile(degrees)),
        };
        let certainty = Certainty::of(&columns, &at_bounds, scale);
        let interval = |((parameter, inner), error): ((&Parameter, &f64), &f64)| {
            // What the data do not determine has no bounds from them.
            if error.is_infinite() {
                return [f64::NEG_INFINITY, f64::INFINITY];
            }
            [-1.0, 1.0].map(|side| {
                if *error == 0.0 { parameter.value(*inner) } else { parameter.value(inner + side * quantile * error) }
            })
        };
        Ok(Fitted {
            values: parameters.clone().map(|(parameter, inner)| parameter.value(*inner)).collect(),
            intervals: parameters.zip(&certainty.errors).map(interval).collect(),
            at_bounds,
            certainty,
            has_deviations,
            deviations: runs.weights.iter().map(|own| own.iter().map(|weight| 1.0 / weight).collect()).collect(),
            variance,
            before,
            after,
            found,
        })
    }

    /// Returns the curves of all outputs, before and after the fit.
    pub fn curves<'f>(&'f self, fitted: &'f Fitted) -> Vec<Output<'f>> {
        let several = self.runs.experiments.len() > 1;
        let mut curves = Vec::new();
        for (number, experiment) in self.runs.experiments.iter().enumerate() {
            for (at, output) in experiment.outputs.iter().enumerate() {
                let name = &output.name;
                curves.push(Output {
                    name: if several { format!("{}: {name}", experiment.name) } else { name.clone() },
                    unit: output.unit.as_deref(),
                    along: experiment.along(),
                    places: &experiment.places,
                    measured: &output.measured,
                    before: &fitted.before[number][at],
                    after: &fitted.after[number][at],
                });
            }
        }
        curves
    }
}

/// Returns Co-Simulation where it follows the inputs between the measured points, and otherwise Model Exchange if the FMU
/// offers it: there we integrate.
fn own_interface(fmu: &Fmu) -> Result<Interface> {
    let follows = |offered: &fmu_builder::Interface| offered.flags.iter().any(|flag| flag == "canInterpolateInputs");
    let has_exchange = Interface::ModelExchange.of(fmu.model()).is_some();
    match Interface::CoSimulation.of(fmu.model()) {
        Some(offered) if follows(offered) || !has_exchange => Ok(Interface::CoSimulation),
        _ if has_exchange => Ok(Interface::ModelExchange),
        _ => fmu.interface(),
    }
}
