//! The search for the parameters: Levenberg and Marquardt's method with bounds, from several starting points.

use anyhow::{Result, anyhow, bail};
use rmpfit::{MPConfig, MPError, MPFitter, MPPar, MPResult, MPSide, MPSuccess};

use super::runs::Runs;
use crate::sweep::latin_hypercube_column;

/// Relative change of the sum of squares below which a search ends: of a thousand measured values, the parameters then
/// are within a thousandth of their standard errors.
pub const MIN_REDUCTION: f64 = 1e-10;

/// The change at which a search by rough runs ends.
pub const MIN_ROUGH_REDUCTION: f64 = 1e-5;

/// The change at which a search among several starts ends, whose result is refined.
const MIN_FIRST_REDUCTION: f64 = 1e-3;

/// Relative change of the parameters, each by its effect, and cosine of the angle between deviations and derivatives,
/// below which the search ends.
const MIN_STEP: f64 = 1e-8;

/// Number of iterations after which half of a search is taken for done.
const USUAL: usize = 4;

/// Deviation that counts where a run fails: the search goes back.
const FAR: f64 = 1e9;

/// Relative difference of sums of squares that count as the same, where searches are rough.
const SAME: f64 = 1e-2;

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The quantities that were searched for.
    pub inner: Vec<f64>,
    /// Sum of squares of the weighted deviations.
    pub squares: f64,
    /// Number of iterations of all starts.
    pub iterations: usize,
    /// True if the iterations ended since nothing changed any more.
    pub converged: bool,
    /// Number of starts that led here.
    pub agreeing: usize,
}

/// Searches roughly from the start values, and from other points within the bounds; the best result counts.
///
/// # Errors
///
/// When a run with the start values fails, the bounds are missing for several starts, or no search ends.
pub fn search(runs: &Runs, starts: usize, seed: u64, told: &mut dyn FnMut(f64)) -> Result<Found> {
    let points = points(runs, starts, seed)?;
    let mut best: Option<Found> = None;
    let mut iterations = 0;
    for (number, point) in points.iter().enumerate() {
        runs.forget();
        let found = refine(runs, point, MIN_FIRST_REDUCTION, &mut |part| told((number as f64 + part) / starts as f64))?;
        iterations += found.iterations;
        best = Some(match best {
            None => found,
            Some(best) => {
                let is_same = (found.squares - best.squares).abs() <= SAME * best.squares;
                let agreeing = if is_same { best.agreeing + 1 } else { 1 };
                if found.squares < best.squares {
                    Found { agreeing, ..found }
                } else if is_same {
                    Found { agreeing, ..best }
                } else {
                    best
                }
            }
        });
    }
    let best = best.ok_or_else(|| anyhow!("there is no starting point"))?;
    Ok(Found { iterations, ..best })
}

/// Searches from one point until the sum of squares changes by a smaller part, and tells after each iteration how much of the
/// work may be done.
pub fn refine(runs: &Runs, begin: &[f64], min_reduction: f64, told: &mut dyn FnMut(f64)) -> Result<Found> {
    // A failure at the beginning is that of the file.
    runs.compute(begin)?;
    let mut problem = Problem {
        runs,
        bounds: runs.parameters.iter().map(|parameter| bounded(parameter.inner_bounds())).collect(),
        config: MPConfig { ftol: min_reduction, xtol: MIN_STEP, gtol: MIN_STEP, max_iter: 100, ..MPConfig::new() },
        failure: None,
        told,
        iterations: 0,
    };
    let mut inner = begin.to_vec();
    let status = problem.mpfit(&mut inner);
    if let Some(failure) = problem.failure {
        return Err(failure);
    }
    match status {
        Ok(status) => Ok(Found {
            inner,
            squares: status.best_norm,
            iterations: status.n_iter,
            converged: !(status.success == MPSuccess::MaxIter || status.success == MPSuccess::NotDone),
            agreeing: 1,
        }),
        Err(error) => bail!("the search for the parameters has failed: {}", reason(&error)),
    }
}

fn reason(error: &MPError) -> &'static str {
    match error {
        MPError::Nan => "an output is not a finite number",
        MPError::DoF => "there are fewer measured values than parameters",
        MPError::InitBounds | MPError::Bounds => "the start values are not within the bounds",
        _ => "it cannot begin",
    }
}

/// Returns the start values, and other points spread evenly within the bounds.
fn points(runs: &Runs, starts: usize, seed: u64) -> Result<Vec<Vec<f64>>> {
    let mut points = vec![runs.parameters.iter().map(|parameter| parameter.inner(parameter.start)).collect::<Vec<_>>()];
    let more = starts - 1;
    if more == 0 {
        return Ok(points);
    }
    let columns = runs.parameters.iter().enumerate().map(|(axis, parameter)| {
        let [low, high] = parameter.inner_bounds();
        if !(low.is_finite() && high.is_finite()) {
            bail!("`{}` needs min and max, since there are {starts} starts", parameter.name);
        }
        let parts = latin_hypercube_column(more, seed, axis as u64);
        Ok(parts.into_iter().map(|part| low + part * (high - low)).collect())
    });
    let columns: Vec<Vec<f64>> = columns.collect::<Result<_>>()?;
    points.extend((0..more).map(|point| columns.iter().map(|column| column[point]).collect()));
    Ok(points)
}

fn bounded([low, high]: [f64; 2]) -> MPPar {
    MPPar {
        limited_low: low.is_finite(),
        limited_up: high.is_finite(),
        limit_low: low,
        limit_up: high,
        side: MPSide::User,
        ..MPPar::new()
    }
}

struct Problem<'a> {
    runs: &'a Runs,
    bounds: Vec<MPPar>,
    config: MPConfig,
    failure: Option<anyhow::Error>,
    told: &'a mut dyn FnMut(f64),
    iterations: usize,
}

impl MPFitter for Problem<'_> {
    fn eval(&mut self, inner: &[f64], deviations: &mut [f64]) -> MPResult<()> {
        match self.runs.compute(inner) {
            Ok(computed) => deviations.copy_from_slice(&self.runs.deviations(&computed, inner)),
            Err(_) => deviations.fill(FAR),
        }
        Ok(())
    }

    fn number_of_points(&self) -> usize {
        self.runs.count()
    }

    fn config(&self) -> &MPConfig {
        &self.config
    }

    fn parameters(&self) -> &[MPPar] {
        &self.bounds
    }

    fn jacobian(&mut self, inner: &[f64], _: &mut [f64], derivatives: &mut [Option<Vec<f64>>]) -> MPResult<()> {
        self.iterations += 1;
        (self.told)(self.iterations as f64 / (self.iterations + USUAL) as f64);
        let found = self.runs.jacobian(inner).map(|columns| {
            for (wanted, column) in derivatives.iter_mut().zip(columns) {
                if let Some(wanted) = wanted {
                    *wanted = column;
                }
            }
        });
        found.map_err(|failure| {
            self.failure = Some(failure);
            MPError::Eval
        })
    }
}
