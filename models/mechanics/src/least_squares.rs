//! The least change of coordinates that fulfils conditions: some exactly, others as well as possible.
//!
//! ```text
//! E d = e                     enforced
//! |W (G d - g)| -> min        among these d: guessed; W: one by the nominal values
//! |d| -> min                  among these d
//! ```
//!
//! For conditions that are not linear this is a step of Newton's method. Coordinates that no condition ties together are
//! solved separately, so the work grows with their number where most are independent.

use std::collections::BTreeMap;

use nalgebra::DVector;

use crate::disjoint_sets::DisjointSets;
use crate::{Scalar, constant, value};

/// A sum of changes of coordinates with coefficients has a value.
#[derive(Clone, Debug)]
pub struct Condition<T> {
    /// Coordinates with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// The value.
    pub change: T,
    /// The size of the numbers whose difference the value is, for the judgement of rounding errors.
    pub size: f64,
    /// The deviation that counts as 1.
    pub nominal: f64,
}

/// The least change.
#[derive(Clone, Debug)]
pub struct LeastSquares<T> {
    /// Of each coordinate.
    pub change: Vec<T>,
    /// For each enforced condition, by how much it is missed where they contradict each other: the smallest residual, in
    /// the sense of least squares by the nominal values. Otherwise 0.
    pub residual: Vec<f64>,
}

/// Directions below this fraction of a condition's length follow from other conditions.
const DEPENDENT: f64 = 1e-10;

/// Deviations below this fraction of the terms they are the difference of are rounding.
const ROUNDING: f64 = 1e-9;

/// The least change of `count` coordinates.
pub fn constrained_least_squares<T: Scalar>(
    count: usize,
    enforced: &[Condition<T>],
    guessed: &[Condition<T>],
) -> LeastSquares<T> {
    let mut solution = LeastSquares { change: vec![T::zero(); count], residual: vec![0.0; enforced.len()] };
    for block in blocks(count, enforced, guessed) {
        let place: BTreeMap<_, _> = block.coordinates.iter().enumerate().map(|(place, k)| (*k, place)).collect();
        let row = |condition: &Condition<T>| {
            let mut row = DVector::zeros(place.len());
            condition.terms.iter().for_each(|(k, coefficient)| row[place[k]] += *coefficient);
            row
        };
        let rows = |of: &[Condition<T>], which: &[usize]| which.iter().map(|i| row(&of[*i])).collect::<Vec<_>>();
        let (exact, close) = (rows(enforced, &block.enforced), rows(guessed, &block.guessed));

        // In the directions of the enforced conditions the change is given.
        let basis = basis(&exact, &exact);
        let mut along: Vec<T> = Vec::new();
        let mut change = DVector::zeros(place.len());
        for (pivot, direction) in &basis {
            let known = basis.iter().zip(&along).fold(T::zero(), |sum, ((_, b), c)| sum + exact[*pivot].dot(b) * *c);
            let rest = enforced[block.enforced[*pivot]].change - known;
            let part = rest / exact[*pivot].dot(direction);
            change.axpy(part, direction, T::one());
            along.push(part);
        }
        let residual = |(row, i): (&DVector<T>, &usize)| {
            let Condition { change: wanted, size, .. } = &enforced[*i];
            let terms: f64 = row.iter().zip(change.iter()).map(|(n, d)| value(*n * *d).abs()).sum();
            value(row.dot(&change) - *wanted).abs() > ROUNDING * (size + terms + value(*wanted).abs())
        };
        if exact.iter().zip(&block.enforced).any(residual) {
            contradiction(&exact, &block.enforced, enforced, &mut solution.residual);
        }

        // The others count for the guessed ones.
        let weight = |i: &usize| constant::<T>(1.0 / guessed[*i].nominal);
        let free = |row: &DVector<T>| {
            let mut row = row.clone();
            // Twice, since the first time leaves rounding errors.
            for (_, direction) in basis.iter().chain(&basis) {
                row.axpy(-row.dot(direction), direction, T::one());
            }
            row
        };
        let weighted: Vec<_> = close.iter().zip(&block.guessed).map(|(row, i)| free(row) * weight(i)).collect();
        let whole: Vec<_> = close.iter().zip(&block.guessed).map(|(row, i)| row * weight(i)).collect();
        let directions = self::basis(&weighted, &whole);
        if !directions.is_empty() {
            let effect = |(_, direction): &(usize, DVector<T>)| {
                DVector::from_iterator(weighted.len(), weighted.iter().map(|row| row.dot(direction)))
            };
            let wanted = |(row, i): (&DVector<T>, &usize)| (guessed[*i].change - row.dot(&change)) * weight(i);
            let wanted = DVector::from_iterator(close.len(), close.iter().zip(&block.guessed).map(wanted));
            let parts = least_squares(directions.iter().map(effect).collect(), wanted);
            for ((_, direction), part) in directions.iter().zip(parts) {
                change.axpy(part, direction, T::one());
            }
        }
        for (k, change) in block.coordinates.iter().zip(change.iter()) {
            solution.change[*k] = *change;
        }
    }
    solution
}

/// Orthonormal directions that span the rows, each with the row that adds it. A row adds none if what the others leave of
/// it is small compared with the whole row.
fn basis<T: Scalar>(rows: &[DVector<T>], whole: &[DVector<T>]) -> Vec<(usize, DVector<T>)> {
    let mut rest = rows.to_vec();
    let length = |row: &DVector<T>| value(row.norm_squared()).sqrt();
    let mut basis: Vec<(usize, DVector<T>)> = Vec::new();
    loop {
        // Nothing of it is left where the whole has no length.
        let share = |i: usize| length(&rest[i]) / length(&whole[i]).max(f64::MIN_POSITIVE);
        let Some(pivot) = (0..rows.len()).max_by(|i, j| share(*i).total_cmp(&share(*j))) else { return basis };
        if share(pivot) < DEPENDENT {
            return basis;
        }
        let mut direction = rest[pivot].clone();
        for (_, other) in &basis {
            direction.axpy(-direction.dot(other), other, T::one());
        }
        let direction = direction.normalize();
        for row in &mut rest {
            row.axpy(-row.dot(&direction), &direction, T::one());
        }
        rest[pivot].fill(T::zero());
        basis.push((pivot, direction));
    }
}

/// The factors of independent columns whose sum comes closest to what is wanted, by the modified Gram-Schmidt method.
fn least_squares<T: Scalar>(mut columns: Vec<DVector<T>>, mut wanted: DVector<T>) -> Vec<T> {
    let count = columns.len();
    let mut factors = vec![vec![T::zero(); count]; count];
    let mut parts = vec![T::zero(); count];
    for j in 0..count {
        factors[j][j] = columns[j].norm();
        let direction = &columns[j] / factors[j][j];
        for k in j + 1..count {
            factors[j][k] = direction.dot(&columns[k]);
            columns[k].axpy(-factors[j][k], &direction, T::one());
        }
        parts[j] = direction.dot(&wanted);
        wanted.axpy(-parts[j], &direction, T::one());
    }
    for j in (0..count).rev() {
        let later = (j + 1..count).fold(T::zero(), |sum, k| sum + factors[j][k] * parts[k]);
        parts[j] = (parts[j] - later) / factors[j][j];
    }
    parts
}

/// By how much conditions that contradict each other are missed at least: by what their changes have beyond all that the
/// coordinates can reach.
fn contradiction<T: Scalar>(rows: &[DVector<T>], which: &[usize], enforced: &[Condition<T>], residual: &mut [f64]) {
    let nominal = |i: usize| enforced[which[i]].nominal;
    let mut rest = DVector::from_fn(rows.len(), |i, _| value(enforced[which[i]].change) / nominal(i));
    let effect = |k: usize| DVector::from_fn(rows.len(), |i, _| value(rows[i][k]) / nominal(i));
    let effects: Vec<_> = (0..rows.first().map_or(0, DVector::len)).map(effect).collect();
    for (_, direction) in basis(&effects, &effects) {
        rest.axpy(-rest.dot(&direction), &direction, 1.0);
    }
    let largest = rest.amax();
    for (i, number) in which.iter().enumerate() {
        residual[*number] = if rest[i].abs() > ROUNDING * largest { -rest[i] * nominal(i) } else { 0.0 };
    }
}

/// Coordinates that conditions tie together, with these.
#[derive(Default)]
struct Block {
    coordinates: Vec<usize>,
    enforced: Vec<usize>,
    guessed: Vec<usize>,
}

fn blocks<T>(count: usize, enforced: &[Condition<T>], guessed: &[Condition<T>]) -> Vec<Block> {
    let mut sets = DisjointSets::new(count);
    for condition in enforced.iter().chain(guessed) {
        for pair in condition.terms.windows(2) {
            sets.join(pair[0].0, pair[1].0);
        }
    }
    // Conditions without coordinates, which may be contradictions, come last.
    let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
    let mut of = |condition: &Condition<T>| condition.terms.first().map_or(count, |(k, _)| sets.of(*k));
    for (i, condition) in enforced.iter().enumerate() {
        blocks.entry(of(condition)).or_default().enforced.push(i);
    }
    for (i, condition) in guessed.iter().enumerate() {
        blocks.entry(of(condition)).or_default().guessed.push(i);
    }
    for k in 0..count {
        if let Some(block) = blocks.get_mut(&sets.of(k)) {
            block.coordinates.push(k);
        }
    }
    blocks.into_values().collect()
}
