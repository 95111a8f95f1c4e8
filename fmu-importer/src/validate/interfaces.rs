//! Comparison of the two interfaces: the same inputs in Co-Simulation and, tightly integrated, in Model Exchange.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, Variable, VariableType};
use fmu_runtime::Solver;

use super::excitation::{self, Excitation, PIECES};
use super::reading::{Experiment, experiment};
use crate::load::{Failure, Fmu, Instance, Interface, Loaded, StepEnd};
use crate::simulate::model_exchange::{Advance, Integration};
use crate::simulate::run_inputs::Inputs;
use crate::simulate::trajectory::number;
use crate::values::value::Value;

/// Communication points within a piece of the run, as fractions of it, so that fast motions after a jump are seen as well.
/// None of them is a multiple of another, so that events with round times are not met by rounding only.
const POINTS: [f64; 8] = [0.0091, 0.031, 0.083, 0.197, 0.373, 0.571, 0.789, 1.0];
/// The fraction of the proposed duration that is compared, for the same reason.
const DURATION: f64 = 0.9137;
/// Relative tolerance of both integrations.
const TOLERANCE: f64 = 1e-9;
/// Relative tolerance of a second run in Co-Simulation, which shows how much the motion amplifies errors.
const LOOSE_TOLERANCE: f64 = 1e-8;
/// Factor by which the errors of methods of integration may differ.
const METHODS: f64 = 10.0;
/// Differences of our own FMUs, relative to the largest value of the variable: a hundred times what errors of
/// `TOLERANCE` in each step amount to in hundred steps.
const OWN_FMU_TOLERANCE: f64 = 1e-5;
/// Differences of other tools' FMUs, relative to the largest value of the variable: Co-Simulation may have steps of one
/// size and any method.
const FOREIGN_FMU_TOLERANCE: f64 = 0.02;
/// Fraction of the nominal value below which differences are rounding, whatever the largest value is.
const ROUNDING: f64 = 1e-6;
/// Largest number of evaluations of the FMU in a run; the values up to there are compared.
const MAX_EVALUATIONS: usize = 500_000;
/// Largest number of evaluations times variables, since large systems take longer: about a second.
const MAX_WORK: usize = 20_000_000;
/// Largest number of attempts to find the start values that can change together. Where a system has no solution, one
/// takes long.
const MAX_TRIES: usize = 60;
/// Inputs as fractions of their ordinary size, tried until the FMU accepts them.
const SCALES: [f64; 3] = [1.0, 0.1, 0.01];

/// Result of the comparison.
pub enum Comparison {
    /// This number of values were the same, if not to the end, then until this time in s: a run has a budget of
    /// evaluations.
    Same { values: usize, until: Option<f64> },
    /// Values differ, as a sentence says.
    Different(String),
    /// Nothing could be compared, for this reason.
    Impossible(String),
}

/// Compares the interfaces of an FMU that offers both. `ours` says that it was made by this project: then
/// parameters are varied as well, and differences must be small.
pub fn compare(fmu: &Arc<Fmu>, ours: bool) -> Result<Comparison> {
    let model = fmu.model();
    let inputs = excitation::inputs(model);
    // The lengths change to both sides: one may be right by chance on one of them.
    let inputs = if ours { accepted(fmu, &inputs, SCALES[1], &[Some(1.0), Some(-1.0)])? } else { inputs };
    let mut reason = String::new();
    for scale in SCALES {
        let comparison = match run(fmu, &inputs, &[], scale, ours) {
            Ok(comparison) => comparison,
            Err(error) => {
                reason = format!("{error:#}");
                continue;
            }
        };
        if let (Comparison::Same { values, until }, true) = (&comparison, ours) {
            let parameters = accepted(fmu, &excitation::parameters(model), 1.0, &[None])?;
            return Ok(match run(fmu, &inputs, &parameters, scale, ours) {
                Ok(Comparison::Different(text)) => {
                    Comparison::Different(format!("{text} (with other parameters than the start values)"))
                }
                Ok(Comparison::Same { until: other, .. }) => {
                    Comparison::Same { values: *values, until: [*until, other].into_iter().flatten().reduce(f64::min) }
                }
                // Where these parameters have no solution, there is nothing to compare.
                _ => comparison,
            });
        }
        return Ok(comparison);
    }
    Ok(Comparison::Impossible(reason))
}

/// Returns the positions of variables whose start values can change together, to each of the `parts`.
fn accepted(fmu: &Arc<Fmu>, positions: &[usize], scale: f64, parts: &[Option<f64>]) -> Result<Vec<usize>> {
    let loaded = fmu.load(Interface::CoSimulation)?;
    let mut kept = Vec::new();
    let mut groups = vec![positions.to_vec()];
    for _ in 0..MAX_TRIES {
        let Some(group) = groups.pop() else { break };
        let all: Vec<_> = kept.iter().chain(&group).copied().collect();
        if parts.iter().all(|part| starts(&loaded, &all, scale, *part)) {
            kept = all;
        } else if group.len() > 1 {
            let (first, last) = group.split_at(group.len() / 2);
            groups.extend([last.to_vec(), first.to_vec()]);
        }
    }
    kept.sort_unstable();
    Ok(kept)
}

/// Returns true if the FMU initialises with other values of these variables.
fn starts(loaded: &Loaded, positions: &[usize], scale: f64, part: Option<f64>) -> bool {
    let model = loaded.model();
    let Ok(instance) = Instance::new(loaded) else { return false };
    let is_real = |position: &&usize| model.variables[**position].is_real();
    let values = positions.iter().filter(is_real).map(|position| excitation::varied(model, *position, scale, part));
    let values: Vec<_> = values.collect();
    let Experiment { start, stop, .. } = experiment(model);
    let initialised = (instance.setup_experiment(None, (start, stop)))
        .and_then(|()| set_all(&instance, &values))
        .and_then(|()| instance.enter_initialization_mode())
        .and_then(|()| instance.exit_initialization_mode());
    initialised.is_ok()
}

fn set_all(instance: &Instance, values: &[(u32, Value)]) -> Result<(), Failure> {
    instance.set_all(&values.iter().map(|(reference, value)| (*reference, value)).collect::<Vec<_>>())
}

/// The times and values of one run.
struct Run {
    /// The communication point that was reached.
    end: f64,
    times: Vec<f64>,
    /// Values of the compared variables, for each time.
    rows: Vec<Vec<f64>>,
}

/// Runs both interfaces and compares their results.
fn run(fmu: &Arc<Fmu>, inputs: &[usize], parameters: &[usize], scale: f64, ours: bool) -> Result<Comparison> {
    let model = fmu.model();
    let experiment = experiment(model);
    let [co_simulation, exchange] = [Interface::CoSimulation, Interface::ModelExchange];
    let loaded = fmu.load(co_simulation)?;
    let (piece, points) = match loaded.flag("canHandleVariableCommunicationStepSize") {
        true => (DURATION * (experiment.stop - experiment.start) / PIECES as f64, POINTS.to_vec()),
        false => {
            let count = ((experiment.stop - experiment.start) / (experiment.step * PIECES as f64)).floor().max(1.0);
            let count = (count as usize).min(100);
            (count as f64 * experiment.step, (1..=count).map(|i| i as f64 / count as f64).collect())
        }
    };
    let interpolates = loaded.flag("canInterpolateInputs");
    let excitation = Excitation::new(model, inputs, (experiment.start, piece), interpolates, scale);
    let starts: Vec<_> = parameters.iter().map(|position| excitation::varied(model, *position, 1.0, None)).collect();
    let plan = Plan { excitation, starts, points, columns: compared(model) };
    let me = plan.in_model_exchange(&Instance::new(&fmu.load(exchange)?)?)?;
    if me.times.is_empty() {
        return Ok(Comparison::Impossible("the default experiment has too few communication steps".to_owned()));
    }
    let cs = plan.in_co_simulation(&Instance::new(&loaded)?, TOLERANCE, me.end)?;
    let mut difference =
        cs.first_difference(&me, &plan.columns, if ours { OWN_FMU_TOLERANCE } else { FOREIGN_FMU_TOLERANCE }, None);
    if difference.is_some() && ours {
        // In chaotic motion small errors grow without either interface being wrong.
        let looser = plan.in_co_simulation(&Instance::new(&loaded)?, LOOSE_TOLERANCE, me.end)?;
        difference = cs.first_difference(&me, &plan.columns, OWN_FMU_TOLERANCE, Some(&looser));
    }
    let values = cs.times.len() * plan.columns.len();
    let until = (me.end < plan.excitation.end()).then_some(me.end);
    Ok(difference.map_or(Comparison::Same { values, until }, Comparison::Different))
}

/// Returns outputs and states.
pub fn compared(model: &ModelDescription) -> Vec<&Variable> {
    let is_state = |position: usize| {
        let mut unknowns = model.model_structure.derivatives.iter();
        unknowns.any(|unknown| model.variables[unknown.index].derivative_of() == Some(position))
    };
    let variables = model.variables.iter().enumerate();
    let outputs = variables.filter(|(i, variable)| variable.causality == Causality::Output || is_state(*i));
    outputs
        .map(|(_, variable)| variable)
        .filter(|variable| !matches!(variable.kind, VariableType::String { .. }))
        .collect()
}

/// The experiment of both interfaces.
struct Plan<'a> {
    excitation: Excitation,
    /// Start values other than the declared ones.
    starts: Vec<(u32, Value)>,
    /// Communication points within a piece, as parts of it.
    points: Vec<f64>,
    /// The variables that are compared.
    columns: Vec<&'a Variable>,
}

impl Plan<'_> {
    fn initialise(&self, instance: &Instance, tolerance: f64) -> Result<()> {
        let begin = self.excitation.knot(0);
        instance.setup_experiment(Some(tolerance), (begin, self.excitation.end()))?;
        set_all(instance, &self.starts)?;
        instance.enter_initialization_mode()?;
        self.excitation.apply(instance, begin)?;
        Ok(instance.exit_initialization_mode()?)
    }

    /// Returns the communication points: the time, and true if inputs jump there.
    fn steps(&self) -> impl Iterator<Item = (f64, bool)> {
        (0..PIECES).flat_map(move |piece| {
            let [begin, end] = [piece, piece + 1].map(|piece| self.excitation.knot(piece));
            let point =
                move |part: &f64| if *part == 1.0 { (end, true) } else { (begin + part * (end - begin), false) };
            self.points.iter().map(point)
        })
    }

    /// Records the values that `advance` reaches, from one communication point to the next, until it returns `false`;
    /// where inputs jump, nothing.
    fn run(&self, instance: &Instance, mut advance: impl FnMut(f64, f64, bool) -> Result<bool>) -> Result<Run> {
        let mut run = Run { end: self.excitation.knot(0), times: Vec::new(), rows: Vec::new() };
        for (next, is_knot) in self.steps() {
            if !advance(run.end, next, is_knot)? {
                break;
            }
            run.end = next;
            if !is_knot {
                run.record(instance, next, &self.columns)?;
            }
        }
        Ok(run)
    }

    /// Runs Co-Simulation to the last communication point that is not after `end`.
    fn in_co_simulation(&self, instance: &Instance, tolerance: f64, end: f64) -> Result<Run> {
        self.initialise(instance, tolerance)?;
        let inputs = &self.excitation;
        self.run(instance, |time, next, is_knot| {
            if next > end {
                return Ok(false);
            }
            inputs.set_derivatives(instance, time)?;
            if let StepEnd::Ended(end) = instance.do_step(time, next - time)? {
                bail!("the FMU ends the simulation at {} s", number(end));
            }
            if is_knot { inputs.apply(instance, next) } else { inputs.approach(instance, next) }?;
            Ok(true)
        })
    }

    /// Runs Model Exchange as far as the budget lasts, at least to the first communication point.
    fn in_model_exchange(&self, instance: &Instance) -> Result<Run> {
        self.initialise(instance, TOLERANCE)?;
        let (inputs, begin) = (&self.excitation, self.excitation.knot(0));
        // The method differs from that of most Co-Simulations, as does the Jacobian: otherwise an error in these would
        // not show.
        let integration = Integration::begin(instance, inputs, begin, Some(TOLERANCE), Solver::Implicit, None)?;
        let mut integration = integration.context("the FMU ends the simulation at the start")?;
        integration.budget = MAX_EVALUATIONS.min(MAX_WORK / instance.model().variables.len().max(1));
        self.run(instance, |time, next, _| match integration.advance(instance, inputs, (time, next)) {
            Ok(Advance::Completed) => Ok(true),
            Ok(Advance::Until(end)) => bail!("the FMU ends the simulation at {} s", number(end)),
            Err(_) if integration.budget == 0 && time > begin => Ok(false),
            Err(error) => Err(error),
        })
    }
}

impl Run {
    fn record(&mut self, instance: &Instance, time: f64, columns: &[&Variable]) -> Result<()> {
        self.times.push(time);
        let row: Result<_, _> = columns.iter().map(|variable| instance.number(variable)).collect();
        self.rows.push(row?);
        Ok(())
    }

    /// Returns a sentence about a variable that differs for longer than an instant, since an event at a communication
    /// point may come before or after it, and by more than from a run with a larger tolerance.
    fn first_difference(
        &self,
        exchange: &Self,
        columns: &[&Variable],
        tolerance: f64,
        looser: Option<&Self>,
    ) -> Option<String> {
        let differs: Vec<_> = (0..columns.len())
            .map(|column| self.differences(exchange, (column, columns[column]), tolerance, looser))
            .collect();
        let lasts = |column: &usize, row: usize| {
            let parts = &differs[*column];
            parts[row] > 1.0 && parts.get(row + 1).is_none_or(|next| *next > 1.0)
        };
        let all = 0..columns.len();
        let first = (0..self.times.len()).find(|row| all.clone().any(|column| lasts(&column, *row)));
        let first = first?;
        let at_first = all.clone().filter(|column| lasts(column, first));
        let worst = at_first.max_by(|a, b| differs[*a][first].total_cmp(&differs[*b][first]))?;
        let others = all.filter(|column| *column != worst && (0..self.times.len()).any(|row| lasts(column, row)));
        let away = |row: &usize| (self.rows[*row][worst] - exchange.rows[*row][worst]).abs();
        let largest = (0..self.times.len()).max_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(first);
        let others = match others.count() {
            0 => String::new(),
            1 => ", and another variable differs".to_owned(),
            count => format!(", and {count} other variables differ"),
        };
        Some(format!(
            "`{}` is {} in Co-Simulation and {} in Model Exchange at {} s; the largest difference is {} at {} s{others}",
            columns[worst].name,
            short(self.rows[first][worst]),
            short(exchange.rows[first][worst]),
            short(self.times[first]),
            short(away(&largest)),
            short(self.times[largest]),
        ))
    }

    /// Returns the differences of a variable, relative to the tolerance.
    fn differences(
        &self,
        exchange: &Self,
        (column, variable): (usize, &Variable),
        tolerance: f64,
        looser: Option<&Self>,
    ) -> Vec<f64> {
        let pairs = self.rows.iter().zip(&exchange.rows).map(|(one, other)| (one[column], other[column]));
        let largest = pairs.clone().fold(0.0, |largest: f64, (one, other)| largest.max(one.abs()).max(other.abs()));
        let tolerated = match variable.kind {
            VariableType::Real { .. } => {
                tolerance * largest + ROUNDING * variable.attributes.nominal.unwrap_or(1.0).abs()
            }
            _ => 0.5,
        };
        let mut amplified = 0.0_f64;
        let parts = pairs.enumerate().map(|(row, (one, other))| {
            amplified = looser.map_or(0.0, |looser| amplified.max((one - looser.rows[row][column]).abs()));
            // A value that is not a number differs from everything.
            if one == other { 0.0 } else { (one - other).abs() / (tolerated + METHODS * amplified) }
        });
        parts.collect()
    }
}

/// Returns a number with six digits.
fn short(value: f64) -> String {
    format!("{value:.5e}").parse().map_or_else(|_| value.to_string(), number)
}
