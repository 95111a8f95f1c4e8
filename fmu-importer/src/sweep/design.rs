//! The points of a sweep: the values of each run.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::axis::{Axis, Values};
use super::plan::DesignKind;
use crate::values::value::Value;

/// Largest number of runs; more are a mistake.
const MAX_RUNS: usize = 10_000_000;

/// The axes, and how they are combined.
pub struct Design {
    /// Axes in the order of the file.
    pub axes: Vec<Axis>,
    runs: usize,
    combination: Combination,
}

/// How the values of the axes make points.
enum Combination {
    /// Each with each.
    Grid,
    /// The first values together, the second ones, and so on.
    Points,
    /// For a Latin hypercube, the probability of a value below that of a run, for each axis.
    Drawn(Vec<Vec<f64>>),
}

impl Design {
    /// Combines the axes.
    ///
    /// # Errors
    ///
    /// A sentence, when that makes too many runs, or lists of points differ in length.
    pub fn new(axes: Vec<Axis>, kind: DesignKind) -> Result<Self, String> {
        let (runs, combination) = match kind {
            DesignKind::Grid => (axes.iter().map(|axis| axis.values.len() as f64).product(), Combination::Grid),
            DesignKind::Points => (points(&axes)? as f64, Combination::Points),
            DesignKind::LatinHypercube { samples, .. } if samples > MAX_RUNS => (samples as f64, Combination::Grid),
            DesignKind::LatinHypercube { samples, seed } => {
                let parts = (0..axes.len()).map(|axis| latin_hypercube_column(samples, seed, axis as u64));
                (samples as f64, Combination::Drawn(parts.collect()))
            }
        };
        if runs > MAX_RUNS as f64 {
            return Err(format!(
                "these are {} runs; at most {MAX_RUNS} are allowed",
                crate::simulate::summary::short(runs)
            ));
        }
        Ok(Self { axes, runs: runs as usize, combination })
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Returns true if each value is combined with each.
    pub fn is_grid(&self) -> bool {
        matches!(self.combination, Combination::Grid)
    }

    /// Returns the values of a run, from 0 on: one for each column of each axis. In a grid, the last axis runs fastest.
    pub fn point(&self, run: usize) -> Vec<Value> {
        let mut slower = self.runs;
        let mut point = Vec::new();
        for (at, axis) in self.axes.iter().enumerate() {
            match (&self.combination, &axis.values) {
                (Combination::Drawn(parts), values) => point.extend(values.at(parts[at][run])),
                (Combination::Points, Values::List(list)) => point.extend_from_slice(&list[run]),
                (Combination::Grid, Values::List(list)) => {
                    slower /= list.len();
                    point.extend_from_slice(&list[run / slower % list.len()]);
                }
                (_, Values::Distribution(_)) => unreachable!("grids and points have lists only"),
            }
        }
        point
    }
}

/// Returns the number of points, as many as each list has values.
fn points(axes: &[Axis]) -> Result<usize, String> {
    let named = |axis: &Axis| format!("`{}` has {}", axis.columns[0].0, axis.values.len());
    let Some(first) = axes.first() else { return Ok(1) };
    match axes.iter().find(|axis| axis.values.len() != first.values.len()) {
        Some(other) => {
            Err(format!("points need lists of the same length, but {} and {} values", named(first), named(other)))
        }
        None => Ok(first.values.len()),
    }
}

impl Values {
    /// Returns the number of values in a list.
    pub fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Distribution(_) => 1,
        }
    }

    /// Returns the quantiles of a probability.
    fn at(&self, part: f64) -> Vec<Value> {
        match self {
            Self::List(list) => list[((part * list.len() as f64) as usize).min(list.len() - 1)].clone(),
            Self::Distribution(distribution) => vec![Value::Real(distribution.quantile(part))],
        }
    }
}

/// Returns random numbers from 0 to below 1, one in each of `count` equal intervals, in random order.
///
/// Each axis has a stream of its own, so that another axis leaves those before it as they are.
pub fn latin_hypercube_column(count: usize, seed: u64, axis: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(axis);
    let mut latin_hypercube_column: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        latin_hypercube_column.swap(last, below(&mut random, last as u64 + 1) as usize);
    }
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    latin_hypercube_column.into_iter().map(|stratum| inside(stratum, count, uniform())).collect()
}

/// Returns a place in an interval, which rounding does not carry into the next.
fn inside(stratum: usize, count: usize, part: f64) -> f64 {
    let end = (stratum + 1) as f64 / count as f64;
    ((stratum as f64 + part) / count as f64).min(end.next_down())
}

/// Returns an integer below a limit, each with the same probability.
fn below(random: &mut impl Rng, limit: u64) -> u64 {
    // Numbers above the last multiple of the limit would favour small numbers.
    let multiple = u64::MAX - u64::MAX % limit;
    loop {
        let number = random.next_u64();
        if number < multiple {
            return number % limit;
        }
    }
}
