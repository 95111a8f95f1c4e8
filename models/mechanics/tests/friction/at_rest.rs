//! Elements at rest together, against all combinations of reactions.

use mechanics::Dual64;
use mechanics::friction::{AtRest, Limits, StickState, Unsolved};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use crate::fixture::cases;

/// A problem: elements between inertias, under torques.
#[derive(Clone, Debug)]
struct Problem {
    a: DMatrix<f64>,
    b: DVector<f64>,
    limits: Vec<Limits<f64>>,
}

/// Generates the limits of an element: of a clutch, of one that holds better in one direction, of a free-wheel with a clutch
/// or without, and of a stop.
fn limits() -> impl Strategy<Value = Limits<f64>> {
    let limit = || (-1.0..1.0_f64).prop_map(|power| 10_f64.powf(power));
    prop_oneof![
        3 => limit().prop_map(|limit| [limit; 2]),
        1 => (limit(), limit()).prop_map(|(one, other)| [one, other]),
        1 => limit().prop_map(|limit| [limit, f64::INFINITY]),
        1 => Just([0.0, f64::INFINITY]),
        1 => Just([f64::INFINITY, 0.0]),
    ]
}

/// Generates problems with up to `most` elements. The rows of `between` say which inertias each is between: half of the
/// problems have whole numbers, and therefore redundant elements.
fn problem(most: usize) -> impl Strategy<Value = Problem> {
    (1..=most, 1..=most + 2, any::<bool>()).prop_flat_map(|(elements, inertias, whole)| {
        let entry = move |x: f64| if whole { (1.5 * x).round() } else { x };
        let between = prop::collection::vec((-1.0..1.0_f64).prop_map(entry), elements * inertias);
        let decades = |low: f64, high: f64| (low..high).prop_map(|power| 10_f64.powf(power));
        let inverse = prop::collection::vec(decades(-2.0, 2.0), inertias);
        let limits = prop::collection::vec(limits(), elements);
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

    /// Returns the larger limit of each element; for infinite ones the largest that is finite.
    fn bounds(&self) -> Vec<f64> {
        let finite = self.limits.iter().flatten().copied().filter(|limit| limit.is_finite()).fold(0.0, f64::max);
        let bound = if finite > 0.0 { finite } else { 1.0 };
        let larger = |limits: &Limits<f64>| limits[0].max(limits[1]);
        self.limits
            .iter()
            .map(larger)
            .map(|limit| if limit.is_finite() && limit > 0.0 { limit } else { bound })
            .collect()
    }

    /// Returns the size of the terms of which accelerations are the sums.
    fn scale(&self) -> f64 {
        (self.a.abs() * DVector::from(self.bounds())).amax() + self.b.amax()
    }

    /// Returns the solution with the least sum of lambda^2 / limit under given signs, if they fit: 0 holds, 1 and -1 at the
    /// limit.
    ///
    /// # Errors
    ///
    /// If the elements that hold are so close to redundant ones that rounding decides.
    fn with(&self, signs: &[f64]) -> Result<Option<Solution>, TestCaseError> {
        let at_limit = |(sign, limits): (&f64, &Limits<f64>)| match *sign {
            0.0 => 0.0,
            sign if sign > 0.0 => limits[1],
            _ => -limits[0],
        };
        let mut lambda = DVector::from_iterator(signs.len(), signs.iter().zip(&self.limits).map(at_limit));
        if lambda.iter().any(|torque| torque.is_infinite()) {
            return Ok(None);
        }
        let held: Vec<_> = (0..signs.len()).filter(|i| signs[*i] == 0.0).collect();
        if !held.is_empty() {
            let bounds = self.bounds();
            let roots = DVector::from_iterator(held.len(), held.iter().map(|i| bounds[*i].sqrt()));
            let scaled = DMatrix::from_diagonal(&roots);
            let left = &scaled * self.a.select_rows(&held).select_columns(&held) * &scaled;
            let right = -&scaled * self.accelerations(&lambda).select_rows(&held);
            let eigen = left.symmetric_eigen();
            let largest = eigen.eigenvalues.amax();
            if eigen.eigenvalues.iter().any(|size| (1e-12 * largest..1e-7 * largest).contains(size)) {
                return Err(TestCaseError::reject("almost redundant"));
            }
            let inverse = eigen.eigenvalues.map(|size| if size > 1e-10 * largest { 1.0 / size } else { 0.0 });
            let parts = inverse.component_mul(&(eigen.eigenvectors.transpose() * right));
            let solution = (&eigen.eigenvectors * parts).component_mul(&roots);
            held.iter().zip(&solution).for_each(|(i, torque)| lambda[*i] = *torque);
        }
        let a = self.accelerations(&lambda);
        let tolerance = 1e-11 * (self.scale() + (self.a.abs() * lambda.abs()).amax());
        let fits = |i: usize| {
            let [forward, backward] = self.limits[i].map(|limit| limit + 1e-8 * self.bounds()[i]);
            let within = lambda[i] >= -forward && lambda[i] <= backward;
            within && if signs[i] == 0.0 { a[i].abs() <= tolerance } else { signs[i] * a[i] <= tolerance }
        };
        Ok((0..signs.len()).all(fits).then(|| (lambda, a, signs.to_vec())))
    }

    /// Returns of all solutions that with the least sum of lambda^2 / limit.
    ///
    /// # Errors
    ///
    /// Those of [`with`](Self::with).
    fn by_all_reactions(&self) -> Result<Solution, TestCaseError> {
        let count = self.limits.len();
        let combinations = (0..3_usize.pow(count as u32))
            .map(|number| (0..count).map(|i| [0.0, 1.0, -1.0][number / 3_usize.pow(i as u32) % 3]).collect::<Vec<_>>());
        let bounds = self.bounds();
        let cost = |lambda: &DVector<f64>| lambda.iter().zip(&bounds).map(|(x, l)| x * x / l).sum::<f64>();
        let solutions = combinations.map(|signs| self.with(&signs)).collect::<Result<Vec<_>, _>>()?;
        let least = solutions.into_iter().flatten().min_by(|one, other| cost(&one.0).total_cmp(&cost(&other.0)));
        Ok(least.unwrap())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(2_000) / 4) })]

    #[test]
    fn the_solution_is_that_of_all_combinations(problem in problem(6)) {
        let at_rest = problem.solved();
        let (lambda, a, _) = problem.by_all_reactions()?;
        let found = problem.accelerations(&at_rest.lambda);
        prop_assert!((&found - &a).amax() <= 1e-9 * problem.scale(), "{found} {a}");
        let highest = lambda.amax().max(problem.bounds().into_iter().fold(0.0, f64::max));
        // Where elements hold each other almost redundantly, torques are known up to rounding times the condition.
        let sizes = problem.a.clone().symmetric_eigenvalues();
        let least = sizes.iter().copied().filter(|size| *size > 1e-10 * sizes.max()).fold(sizes.max(), f64::min);
        // Of elements that nothing can move, all sizes are 0.
        let condition = if least > 0.0 { sizes.max() / least } else { 1.0 };
        let tolerance = 1e-8 + 1e-10 * condition;
        prop_assert!((&at_rest.lambda - &lambda).amax() <= tolerance * highest, "{} {lambda}", at_rest.lambda);
    }

    /// Checks the conditions themselves, since there are too many elements for all combinations, from any reactions to
    /// begin with.
    #[test]
    fn many_elements_fulfil_the_conditions(problem in problem(16), begin in prop::collection::vec(0..3_usize, 16)) {
        let mut at_rest = AtRest::new(problem.a.clone());
        for ((reaction, begin), limits) in at_rest.reactions.iter_mut().zip(begin).zip(&problem.limits) {
            *reaction = match begin {
                1 if limits[0].is_finite() => StickState::Forward,
                2 if limits[1].is_finite() => StickState::Backward,
                _ => StickState::Holds,
            };
        }
        at_rest.solve(&problem.b, &problem.limits).unwrap();
        let a = problem.accelerations(&at_rest.lambda);
        let tolerance = 1e-9 * problem.scale();
        for (i, reaction) in at_rest.reactions.iter().enumerate() {
            let (torque, [forward, backward]) = (at_rest.lambda[i], problem.limits[i]);
            let rounding = 1e-6 * problem.bounds()[i];
            prop_assert!(torque >= -forward - rounding && torque <= backward + rounding, "{torque}");
            match reaction {
                StickState::Absent => prop_assert!(false, "it takes part"),
                StickState::Holds => prop_assert!(a[i].abs() <= tolerance, "{}", a[i]),
                StickState::Forward => prop_assert!(torque == -forward && a[i] >= -tolerance, "{}", a[i]),
                StickState::Backward => prop_assert!(torque == backward && a[i] <= tolerance, "{}", a[i]),
            }
        }
    }
}

/// Two brakes hold one shaft: each takes a part as large as its limit, and both give way together.
#[test]
fn redundant_elements_share_by_their_limits() {
    let problem = |torque: f64| Problem {
        a: DMatrix::repeat(2, 2, 1.0),
        b: DVector::repeat(2, torque),
        limits: vec![[1.0; 2], [3.0; 2]],
    };
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
    /// Several elements in parallel between shafts in a row: their shares are known, and have no noise.
    #[test]
    fn parallel_elements_share_to_rounding(
        groups in prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 1..4), 1..4),
        torques in prop::collection::vec(-1.0..1.0_f64, 4),
        inverse in prop::collection::vec(0.1..10.0_f64, 4),
        order in any::<u64>(),
    ) {
        // Shafts of each element, and its limit.
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
        let problem = Problem { a, b, limits: elements.iter().map(|(_, limit)| [*limit; 2]).collect() };
        let solved = problem.solved();
        // All shafts turn as one, so each group bears the excess torque of the shafts before it.
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
    at_rest.solve(&DVector::from(vec![5.0, 1.0]), &[[1.0; 2]; 2]).unwrap();
    assert_eq!(at_rest.reactions, [StickState::Absent, StickState::Holds]);
    assert!(at_rest.lambda[0] == 0.0 && (at_rest.lambda[1] + 0.5).abs() < 1e-12, "{}", at_rest.lambda);
}

/// Nothing that the elements load can move.
#[test]
fn elements_between_fixed_parts_have_no_torque() {
    let problem = Problem { a: DMatrix::zeros(2, 2), b: DVector::zeros(2), limits: vec![[1.0; 2]; 2] };
    assert_eq!(problem.solved().lambda.as_slice(), [0.0; 2]);
}

#[test]
fn what_is_not_finite_is_refused() {
    for (a, b) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (2.0, f64::NAN)] {
        let mut at_rest = AtRest::new(DMatrix::repeat(1, 1, a));
        let mut solve = |b: f64| {
            at_rest.reactions[0] = StickState::Holds;
            at_rest.solve(&DVector::repeat(1, b), &[[1.0; 2]]).map(|()| at_rest.lambda[0])
        };
        assert_eq!(solve(b), Err(Unsolved::NotFinite));
        // After an error, the element continues with numbers that are finite.
        assert_eq!(solve(1.0).is_ok_and(|torque| (torque + 0.5).abs() < 1e-12), a == 2.0);
    }
}

/// Balls in a row hit a wall one behind the other: the impulse of each ends the motion of all before it.
#[test]
fn an_impact_ends_all_motions_into_the_wall() {
    // Masses 1, 2 and 4 between the wall and each other; w > 0 where a gap opens.
    let inverse = DMatrix::from_diagonal(&DVector::from(vec![1.0, 0.5, 0.25]));
    let between = DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, -1.0, 1.0]);
    let velocities = DVector::from(vec![-3.0, -2.0, 5.0]);
    let a = &between * &inverse * between.transpose();
    let problem = Problem { a, b: &between * velocities, limits: vec![[0.0, f64::INFINITY]; 3] };
    let solved = problem.solved();
    // The first two come to rest, the third one flies on.
    let expected = [3.0 + 4.0, 4.0, 0.0];
    assert!((0..3).all(|i| (solved.lambda[i] - expected[i]).abs() < 1e-12), "{}", solved.lambda);
}

/// A clutch between an inertia of 1 kg.m2 and a light disc that a strong brake holds: the clutch holds 9 N.m, and slips by what is
/// beyond its 10 N.m, also where the disc is a billion times lighter.
#[test]
fn a_clutch_holds_against_a_much_lighter_disc() {
    for power in 0..=9 {
        let disc = 10_f64.powi(-power);
        let a = DMatrix::from_row_slice(2, 2, &[1.0 + 1.0 / disc, -1.0 / disc, -1.0 / disc, 1.0 / disc]);
        let limits = vec![[10.0; 2], [1e6; 2]];
        for (torque, expected) in [(9.0, 0.0), (-9.0, 0.0), (11.0, 1.0), (-12.0, -2.0)] {
            let problem = Problem { a: a.clone(), b: DVector::from_vec(vec![torque, 0.0]), limits: limits.clone() };
            let lambda = problem.solved().lambda;
            // Torques are balanced to rounding of the disc's accelerations.
            let rounding = 1e-10_f64.max(1e-13 / disc);
            assert!((torque + lambda[0] - expected).abs() < 10.0 * rounding, "{disc}, {torque}: {lambda}");
            assert!((lambda[1] - lambda[0]).abs() < 1e-12 * torque.abs(), "{disc}, {torque}: {lambda}");
        }
    }
}

/// Two brakes on a ship's shaft share its torque, whatever a brake on a watch's shaft does beside.
#[test]
fn elements_that_do_not_load_each_other_may_differ_by_any_factor() {
    for (ship, watch) in [(1e8, 1e-15), (1e4, 1e-6), (1.0, 1.0), (1e-6, 1e9)] {
        let mut a = DMatrix::zeros(3, 3);
        a.view_mut((0, 0), (2, 2)).fill(1.0 / ship);
        a[(2, 2)] = 1.0 / watch;
        let limits = vec![[ship; 2], [ship; 2], [1.0; 2]];
        let problem = Problem { a, b: DVector::from_vec(vec![1.5, 1.5, 0.5 / watch]), limits };
        let lambda = problem.solved().lambda;
        for (found, expected) in lambda.iter().zip([-0.75 * ship, -0.75 * ship, -0.5]) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{ship} beside {watch}: {lambda}");
        }
    }
}

/// Torques of a clutch and of the disc behind it follow a torque that begins, at once.
#[test]
fn torques_that_begin_have_derivatives_beside_a_much_lighter_disc() {
    for power in 0..=7 {
        let disc = 10_f64.powi(-power);
        let a = DMatrix::from_row_slice(2, 2, &[1.0 + 1.0 / disc, -1.0 / disc, -1.0 / disc, 1.0 / disc]);
        let mut at_rest = AtRest::new(a.map(Dual64::from_re));
        at_rest.reactions.fill(StickState::Holds);
        let b = DVector::from_vec(vec![Dual64::new(0.0, 1.0), Dual64::from_re(0.0)]);
        at_rest.solve(&b, &[[Dual64::from_re(10.0); 2], [Dual64::from_re(1e6); 2]]).unwrap();
        for torque in &at_rest.lambda {
            assert!(torque.re == 0.0 && (torque.eps + 1.0).abs() < 1e-3_f64.min(1e-11 / disc), "{disc}: {torque}");
        }
    }
}
