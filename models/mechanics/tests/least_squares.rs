//! The least change against pseudo-inverses of the whole problem.

use mechanics::least_squares::{Condition, constrained_least_squares};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const COORDINATES: usize = 6;

fn condition(terms: &[(usize, f64)], change: f64, nominal: f64) -> Condition<f64> {
    Condition { terms: terms.to_vec(), change, size: change.abs(), nominal }
}

#[test]
fn without_conditions_nothing_changes() {
    assert_eq!(constrained_least_squares::<f64>(3, &[], &[]).change, [0.0; 3]);
}

#[test]
fn what_is_ignored_moves_least() {
    // The sum of two coordinates is to rise by 2.
    let found = constrained_least_squares(3, &[condition(&[(0, 1.0), (2, 1.0)], 2.0, 1.0)], &[]);
    found.change.iter().zip([1.0, 0.0, 1.0]).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-15));
}

/// Two guesses for one coordinate: the weighted mean, by the squares of the nominal values.
#[test]
fn guesses_count_by_their_nominal_values() {
    let found =
        constrained_least_squares(1, &[], &[condition(&[(0, 1.0)], 1.0, 1.0), condition(&[(0, 1.0)], 3.0, 0.5)]);
    assert!((found.change[0] - (1.0 + 4.0 * 3.0) / 5.0).abs() < 1e-14, "{:?}", found.change);
}

#[test]
fn a_contradiction_has_the_smallest_residual() {
    let enforced =
        [condition(&[(0, 1.0)], 1.0, 1.0), condition(&[(0, 2.0)], 4.0, 1.0), condition(&[(1, 1.0)], 7.0, 1.0)];
    let found = constrained_least_squares(2, &enforced, &[]);
    // (d - 1)^2 + (2 d - 4)^2 is least at 9/5.
    let expected = [0.8, -0.4, 0.0];
    found.residual.iter().zip(expected).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-14));
    assert_eq!(constrained_least_squares(0, &[condition(&[], 3.0, 1.0)], &[]).residual, [-3.0]);
}

/// Rows of a matrix, some of which are sums of others or zero, so that the ranks differ.
fn rows(count: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    let row = prop::collection::vec(prop_oneof![2 => Just(0.0), 3 => -2.0..2.0_f64], COORDINATES);
    (prop::collection::vec(row, 0..=count), any::<bool>()).prop_map(|(mut rows, repeats)| {
        if repeats && rows.len() > 2 {
            rows[2] = rows[0].iter().zip(&rows[1]).map(|(a, b)| 2.0 * a - b).collect();
        }
        rows
    })
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), COORDINATES, |i, j| rows[i][j])
}

/// The pseudo-inverse, by the eigenvectors of `A^T A`.
fn inverse(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let eigen = (matrix.transpose() * matrix).symmetric_eigen();
    let limit = 1e-12 * eigen.eigenvalues.amax().max(1e-3);
    let inverse = eigen.eigenvalues.map(|value| if value > limit { 1.0 / value } else { 0.0 });
    &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose() * matrix.transpose()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512, failure_persistence: None, rng_seed: RngSeed::Fixed(6), ..ProptestConfig::default()
    })]

    #[test]
    fn it_is_the_dense_solution(
        exact in rows(4),
        close in rows(6),
        solution in prop::collection::vec(-3.0..3.0_f64, COORDINATES),
        wanted in prop::collection::vec((-3.0..3.0_f64, 0.2..5.0_f64), 6),
    ) {
        let (e, solution) = (matrix(&exact), DVector::from_vec(solution));
        let values = &e * &solution;
        let terms = |row: &Vec<f64>| -> Vec<_> {
            row.iter().copied().enumerate().filter(|(_, coefficient)| *coefficient != 0.0).collect()
        };
        let enforced: Vec<_> = exact.iter().zip(values.iter()).map(|(row, v)| condition(&terms(row), *v, 1.0)).collect();
        let guessed: Vec<_> =
            close.iter().zip(&wanted).map(|(row, (g, nominal))| condition(&terms(row), *g, *nominal)).collect();
        let found = constrained_least_squares(COORDINATES, &enforced, &guessed);
        prop_assert!(found.residual.iter().all(|residual| *residual == 0.0), "{:?}", found.residual);

        let plus = inverse(&e);
        let first = &plus * &values;
        let null = DMatrix::identity(COORDINATES, COORDINATES) - &plus * &e;
        let mut expected = first.clone();
        if !close.is_empty() {
            let weights = DMatrix::from_diagonal(&DVector::from_fn(close.len(), |i, _| 1.0 / wanted[i].1));
            let (g, goal) = (matrix(&close), DVector::from_fn(close.len(), |i, _| wanted[i].0));
            expected += inverse(&(&weights * &g * null)) * (&weights * (goal - g * first));
        }
        for (found, expected) in found.change.iter().zip(expected.iter()) {
            prop_assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }
}
