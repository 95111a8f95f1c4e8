//! Elements at rest together, against all combinations of reactions.

use mechanics::friction::{AtRest, NotFinite, StickState};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use crate::fixture::cases;

/// Elements between inertias, under torques.
#[derive(Clone, Debug)]
struct Problem {
    a: DMatrix<f64>,
    b: DVector<f64>,
    limits: Vec<f64>,
}

/// Up to `most` elements. The rows of `between` say which inertias each is between: half of the problems have whole
/// numbers, and therefore redundant elements.
fn problem(most: usize) -> impl Strategy<Value = Problem> {
    (1..=most, 1..=most + 2, any::<bool>()).prop_flat_map(|(elements, inertias, whole)| {
        let entry = move |x: f64| if whole { (1.5 * x).round() } else { x };
        let between = prop::collection::vec((-1.0..1.0_f64).prop_map(entry), elements * inertias);
        let decades = |low: f64, high: f64| (low..high).prop_map(|power| 10_f64.powf(power));
        let inverse = prop::collection::vec(decades(-2.0, 2.0), inertias);
        let limits = prop::collection::vec(decades(-1.0, 1.0), elements);
        let torques = prop::collection::vec(-3.0..3.0_f64, inertias);
        (between, inverse, limits, torques).prop_map(move |(between, inverse, limits, torques)| {
            let between = DMatrix::from_row_slice(elements, inertias, &between);
            let inverse = DMatrix::from_diagonal(&inverse.into());
            let a = &between * &inverse * between.transpose();
            let b = &between * &inverse * DVector::from(torques);
            Problem { a, b, limits }
        })
    })
}

/// Torques, accelerations and reactions.
type Solution = (DVector<f64>, DVector<f64>, Vec<f64>);

impl Problem {
    fn solved(&self) -> AtRest<f64> {
        let mut at_rest = AtRest::new(self.a.clone());
        at_rest.reactions.fill(StickState::Holds);
        at_rest.solve(&self.b, &self.limits).unwrap();
        at_rest
    }

    fn accelerations(&self, lambda: &DVector<f64>) -> DVector<f64> {
        &self.a * lambda + &self.b
    }

    /// The size of the terms of which accelerations are the sums.
    fn scale(&self) -> f64 {
        (self.a.abs() * DVector::from(self.limits.clone())).amax() + self.b.amax()
    }

    /// The solution with the least sum of lambda^2 / limit under given signs: 0 holds, 1 and -1 at the limit.
    fn with(&self, signs: &[f64]) -> Option<Solution> {
        let mut lambda = DVector::from_iterator(signs.len(), signs.iter().zip(&self.limits).map(|(s, l)| s * l));
        let held: Vec<_> = (0..signs.len()).filter(|i| signs[*i] == 0.0).collect();
        if !held.is_empty() {
            let roots = DVector::from_iterator(held.len(), held.iter().map(|i| self.limits[*i].sqrt()));
            let left = self.a.select_rows(&held).select_columns(&held) * DMatrix::from_diagonal(&roots);
            let right = -self.accelerations(&lambda).select_rows(&held);
            let svd = left.svd(true, true);
            let solution = svd.solve(&right, 1e-10 * svd.singular_values.max()).ok()?.component_mul(&roots);
            held.iter().zip(&solution).for_each(|(i, torque)| lambda[*i] = *torque);
        }
        let a = self.accelerations(&lambda);
        let tolerance = 1e-8 * self.scale();
        let fits = |i: usize| {
            let within = lambda[i].abs() <= self.limits[i] * (1.0 + 1e-8);
            within && if signs[i] == 0.0 { a[i].abs() <= tolerance } else { signs[i] * a[i] <= tolerance }
        };
        (0..signs.len()).all(fits).then(|| (lambda, a, signs.to_vec()))
    }

    /// Of all solutions that with the least sum of lambda^2 / limit.
    fn by_all_reactions(&self) -> Solution {
        let count = self.limits.len();
        let combinations = (0..3_usize.pow(count as u32))
            .map(|number| (0..count).map(|i| [0.0, 1.0, -1.0][number / 3_usize.pow(i as u32) % 3]).collect::<Vec<_>>());
        let cost = |lambda: &DVector<f64>| lambda.iter().zip(&self.limits).map(|(x, l)| x * x / l).sum::<f64>();
        let solutions = combinations.filter_map(|signs| self.with(&signs));
        solutions.min_by(|one, other| cost(&one.0).total_cmp(&cost(&other.0))).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(2_000) / 4) })]

    #[test]
    fn the_solution_is_that_of_all_combinations(problem in problem(6)) {
        let at_rest = problem.solved();
        let (lambda, a, _) = problem.by_all_reactions();
        let found = problem.accelerations(&at_rest.lambda);
        prop_assert!((&found - &a).amax() <= 1e-9 * problem.scale(), "{found} {a}");
        let highest = problem.limits.iter().copied().fold(0.0, f64::max);
        prop_assert!((&at_rest.lambda - &lambda).amax() <= 1e-8 * highest, "{} {lambda}", at_rest.lambda);
    }

    /// Too many for all combinations: the conditions themselves, from any reactions to begin with.
    #[test]
    fn many_elements_fulfil_the_conditions(problem in problem(16), begin in prop::collection::vec(0..3_usize, 16)) {
        let mut at_rest = AtRest::new(problem.a.clone());
        for (reaction, begin) in at_rest.reactions.iter_mut().zip(begin) {
            *reaction = [StickState::Holds, StickState::Forward, StickState::Backward][begin];
        }
        at_rest.solve(&problem.b, &problem.limits).unwrap();
        let a = problem.accelerations(&at_rest.lambda);
        let tolerance = 1e-9 * problem.scale();
        for (i, reaction) in at_rest.reactions.iter().enumerate() {
            let (torque, limit) = (at_rest.lambda[i], problem.limits[i]);
            prop_assert!(torque.abs() <= limit * (1.0 + 1e-6));
            match reaction {
                StickState::Absent => prop_assert!(false, "it takes part"),
                StickState::Holds => prop_assert!(a[i].abs() <= tolerance, "{}", a[i]),
                StickState::Forward => prop_assert!(torque == -limit && a[i] >= -tolerance, "{}", a[i]),
                StickState::Backward => prop_assert!(torque == limit && a[i] <= tolerance, "{}", a[i]),
            }
        }
    }
}

/// Two brakes hold one shaft: each takes a part as large as its limit, and both give way together.
#[test]
fn redundant_elements_share_by_their_limits() {
    let problem =
        |torque: f64| Problem { a: DMatrix::repeat(2, 2, 1.0), b: DVector::repeat(2, torque), limits: vec![1.0, 3.0] };
    let held = problem(-2.0).solved();
    assert!((held.lambda[0] - 0.5).abs() < 1e-14 && (held.lambda[1] - 1.5).abs() < 1e-14, "{}", held.lambda);
    assert_eq!(held.reactions, [StickState::Holds; 2]);
    // Right below the limit, rounding decides which of the two is at its own; they hold.
    let near = problem(-4.0 * (1.0 - 1e-9));
    assert!(near.accelerations(&near.solved().lambda).amax() < 1e-12);
    assert_eq!(problem(-4.1).solved().reactions, [StickState::Backward; 2]);
    assert_eq!(problem(4.1).solved().lambda.as_slice(), [-1.0, -3.0]);
}

proptest! {
    /// Several elements in parallel between shafts in a row: what they share is known, and has no noise.
    #[test]
    fn parallel_elements_share_to_rounding(
        groups in prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 1..4), 1..4),
        torques in prop::collection::vec(-1.0..1.0_f64, 4),
        inverse in prop::collection::vec(0.1..10.0_f64, 4),
        order in any::<u64>(),
    ) {
        // Between which shafts, and the limit.
        let mut elements: Vec<_> = groups
            .iter()
            .enumerate()
            .flat_map(|(i, limits)| limits.iter().map(move |power| (i, 100.0 * 10_f64.powf(*power))))
            .collect();
        elements.sort_by_key(|(i, limit)| (limit.to_bits() ^ order).wrapping_mul(0x9e37_79b9_7f4a_7c15 + *i as u64));
        let count = elements.len();
        let mut between = DMatrix::zeros(count, groups.len() + 1);
        for (row, (i, _)) in elements.iter().enumerate() {
            (between[(row, *i)], between[(row, *i + 1)]) = (-1.0, 1.0);
        }
        let shafts = groups.len() + 1;
        let inverse = DMatrix::from_diagonal(&DVector::from_column_slice(&inverse[..shafts]));
        let torques = DVector::from_column_slice(&torques[..shafts]);
        let (a, b) = (&between * &inverse * between.transpose(), &between * &inverse * &torques);
        let problem = Problem { a, b, limits: elements.iter().map(|(_, limit)| *limit).collect() };
        let solved = problem.solved();
        // All turn as one, so each group bears what the shafts before it have too much.
        let inertias = inverse.diagonal().map(|inverse| 1.0 / inverse);
        let together = torques.sum() / inertias.sum();
        for (found, (i, limit)) in solved.lambda.iter().zip(&elements) {
            let whole: f64 = (0..=*i).map(|k| torques[k] - inertias[k] * together).sum();
            let of_group: f64 = elements.iter().filter(|(other, _)| other == i).map(|(_, limit)| limit).sum();
            let expected = whole * limit / of_group;
            prop_assert!((found - expected).abs() <= 1e-13 * torques.amax().max(1.0) * count as f64, "{found} {expected}");
        }
    }
}

#[test]
fn absent_elements_take_no_part() {
    let mut at_rest = AtRest::new(DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 2.0]));
    at_rest.reactions[1] = StickState::Holds;
    at_rest.solve(&DVector::from(vec![5.0, 1.0]), &[1.0, 1.0]).unwrap();
    assert_eq!(at_rest.reactions, [StickState::Absent, StickState::Holds]);
    assert!(at_rest.lambda[0] == 0.0 && (at_rest.lambda[1] + 0.5).abs() < 1e-12, "{}", at_rest.lambda);
}

/// Nothing that the elements load can move.
#[test]
fn elements_between_fixed_parts_have_no_torque() {
    let problem = Problem { a: DMatrix::zeros(2, 2), b: DVector::zeros(2), limits: vec![1.0; 2] };
    assert_eq!(problem.solved().lambda.as_slice(), [0.0; 2]);
}

#[test]
fn what_is_not_finite_is_refused() {
    for (a, b) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (2.0, f64::NAN)] {
        let mut at_rest = AtRest::new(DMatrix::repeat(1, 1, a));
        let mut solve = |b: f64| {
            at_rest.reactions[0] = StickState::Holds;
            at_rest.solve(&DVector::repeat(1, b), &[1.0]).map(|()| at_rest.lambda[0])
        };
        assert_eq!(solve(b), Err(NotFinite));
        // The same element goes on with numbers that are finite.
        assert_eq!(solve(1.0).is_ok_and(|torque| (torque + 0.5).abs() < 1e-12), a == 2.0);
    }
}
