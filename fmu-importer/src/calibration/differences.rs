//! Differences of runs in place of their derivatives.

use anyhow::Result;

use super::computed::{Computed, add};

/// Change for central differences, of the quantities that are searched for.
const CHANGE: f64 = 1e-4;

/// Change for differences to one side, of runs that may have larger errors.
const ROUGH_CHANGE: f64 = 3e-4;

/// Returns the change of one quantity for a central difference, among those of all.
pub fn change(inner: &[f64], column: usize) -> Vec<f64> {
    let mut changes = vec![0.0; inner.len()];
    changes[column] = CHANGE * inner[column].abs().max(1.0);
    changes
}

/// Returns a point that is moved by a multiple of changes, as far as the bounds are.
pub fn moved(inner: &[f64], changes: &[f64], side: f64, bounds: &[[f64; 2]]) -> Vec<f64> {
    let moved = |((inner, change), [low, high]): ((&f64, &f64), &[f64; 2])| (inner + side * change).clamp(*low, *high);
    inner.iter().zip(changes).zip(bounds).map(moved).collect()
}

/// Returns the derivatives at a point whose runs have the values `base`, by differences to the side where there is room within
/// the bounds; `run` makes the runs at several points, `divide` divides a difference of them by the change.
pub fn to_one_side(
    inner: &[f64],
    bounds: &[[f64; 2]],
    base: &Computed,
    run: impl FnOnce(&[Vec<f64>]) -> Result<Vec<Computed>>,
    divide: impl Fn(&mut Computed, f64),
) -> Result<Vec<Computed>> {
    let change = |(inner, [low, high]): (&f64, &[f64; 2])| {
        let change = ROUGH_CHANGE * inner.abs().max(1.0);
        let [up, down] = [1.0, -1.0].map(|side| (inner + side * change).clamp(*low, *high) - inner);
        if up >= -down { up } else { down }
    };
    let changes: Vec<f64> = inner.iter().zip(bounds).map(change).collect();
    let moved = |column: usize| {
        let mut moved = inner.to_vec();
        moved[column] += changes[column];
        moved
    };
    let mut derivatives = run(&(0..inner.len()).map(moved).collect::<Vec<_>>())?;
    for (derivative, change) in derivatives.iter_mut().zip(changes) {
        add(derivative, base, -1.0);
        divide(derivative, change);
    }
    Ok(derivatives)
}

#[cfg(test)]
mod tests {
    use anyhow::ensure;

    use super::*;
    use crate::calibration::computed::scale;

    /// Runs whose derivatives are known in closed form, and which do not go beyond the bounds.
    fn runs(points: &[Vec<f64>]) -> Result<Vec<Computed>> {
        let run = |inner: &Vec<f64>| {
            let [a, b] = inner[..] else { panic!("there are two quantities") };
            ensure!((-1.0..=2.0).contains(&a) && b <= 50.0, "the run fails");
            Ok(vec![vec![vec![a.exp(), a * b]], vec![vec![b * b, 1.0, (0.02 * b).sin()]]])
        };
        points.iter().map(run).collect()
    }

    fn divide(difference: &mut Computed, change: f64) {
        scale(difference, 1.0 / change);
    }

    #[test]
    fn differences_are_to_the_side_where_there_is_room() {
        let bounds = [[-1.0, 2.0], [f64::NEG_INFINITY, 50.0]];
        for [a, b] in [[0.5, 3.0], [2.0, 50.0], [-1.0, -40.0], [1.9999, 49.99]] {
            let base = runs(&[vec![a, b]]).unwrap().remove(0);
            let found = to_one_side(&[a, b], &bounds, &base, runs, divide).unwrap();
            let by_a: Computed = vec![vec![vec![a.exp(), b]], vec![vec![0.0; 3]]];
            let by_b = vec![vec![vec![0.0, a]], vec![vec![2.0 * b, 0.0, 0.02 * (0.02 * b).cos()]]];
            for (found, expected) in found.iter().zip([by_a, by_b]) {
                for (found, expected) in found.iter().flatten().flatten().zip(expected.iter().flatten().flatten()) {
                    assert!((found - expected).abs() <= 6e-4 * expected.abs().max(1.0), "{a} {b}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn a_moved_run_that_fails_is_told() {
        let base = runs(&[vec![2.0, 1.0]]).unwrap().remove(0);
        let found = to_one_side(&[2.0, 1.0], &[[f64::NEG_INFINITY, f64::INFINITY]; 2], &base, runs, divide);
        assert_eq!(found.unwrap_err().to_string(), "the run fails");
    }

    #[test]
    fn points_move_within_the_bounds() {
        let bounds = [[-1.0, 2.0], [f64::NEG_INFINITY, f64::INFINITY]];
        let changes = [change(&[2.0, -300.0], 0), change(&[2.0, -300.0], 1)];
        assert_eq!(moved(&[2.0, -300.0], &changes[0], 1.0, &bounds), [2.0, -300.0]);
        assert_eq!(moved(&[2.0, -300.0], &changes[0], -1.0, &bounds), [1.9998, -300.0]);
        assert_eq!(moved(&[2.0, -300.0], &changes[1], 1.0, &bounds), [2.0, -299.97]);
    }
}
