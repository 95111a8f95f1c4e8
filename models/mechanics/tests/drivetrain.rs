//! Drive trains of related positions, against Lagrange's multipliers.

use mechanics::Dual64;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Preference, Relation, RelationError};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// Number of positions of a train.
const COUNT: usize = 10;

fn relation(terms: &[(usize, f64)], constant: f64) -> Relation<f64> {
    Relation { terms: terms.to_vec(), constant }
}

/// Generates relations between two or three positions, with coefficients as gears have them.
fn relations() -> impl Strategy<Value = Vec<Relation<f64>>> {
    let coefficient = prop_oneof![Just(1.0), Just(-1.0), 0.2..5.0_f64, -5.0..-0.2_f64];
    let terms = prop::collection::btree_map(0..COUNT, coefficient, 2..=3);
    let relation = terms.prop_map(|terms| Relation { terms: terms.into_iter().collect(), constant: 0.0 });
    prop::collection::vec(relation, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// `C a = 0`, and `J a - tau` does no work in any motion that the relations allow: d'Alembert's principle.
    #[test]
    fn accelerations_balance_the_loads(
        relations in relations(),
        inertias in prop::collection::vec(0.1..10.0_f64, COUNT),
        tau in prop::collection::vec(-5.0..5.0_f64, COUNT),
        given in prop::option::of(-3.0..3.0_f64),
    ) {
        let mut preferences = [Preference::Inertia; COUNT];
        if given.is_some() {
            preferences[COUNT - 1] = Preference::Given;
        }
        let train = match Drivetrain::new(&preferences, &relations, inertias.clone(), &[]) {
            Ok(train) => train,
            // Relations may hold the given position.
            Err(DrivetrainError::Relation(RelationError::Overdetermined { .. })) if given.is_some() => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
        };
        let count = train.coordinates().len();
        let mut c = DMatrix::zeros(COUNT, COUNT);
        for (row, relation) in relations.iter().enumerate() {
            relation.terms.iter().for_each(|(position, coefficient)| c[(row, *position)] = *coefficient);
        }
        // The coordinates make all motions that the relations allow.
        let pivots = c.clone().full_piv_lu().u().diagonal();
        prop_assert_eq!(count, COUNT - pivots.iter().filter(|pivot| pivot.abs() > 1e-9).count());
        let mut motions = DMatrix::zeros(COUNT, count);
        for (k, mut motion) in motions.column_iter_mut().enumerate() {
            let mut q = vec![0.0; count];
            q[k] = 1.0;
            let mut x = [0.0; COUNT];
            train.rates(&q, &mut x);
            motion.copy_from_slice(&x);
        }
        let size = motions.amax().max(1.0);
        prop_assert!((&c * &motions).iter().all(|entry| entry.abs() < 1e-9 * size));

        let mut q = vec![0.0; count];
        q[train.free()..].fill(given.unwrap_or_default());
        let mut same = q.clone();
        train.accelerations(&mut train.factors(), &tau, &mut q);
        // So moves a train that was made with other inertias.
        let other = Drivetrain::new(&preferences, &relations, vec![1.0; COUNT], &[]).unwrap();
        prop_assert!(other.has_inertias_as(&inertias, &preferences));
        let other = other.with_inertias(inertias.clone(), &[]).unwrap();
        other.accelerations(&mut other.factors(), &tau, &mut same);
        prop_assert_eq!(&same, &q);
        let mut a = vec![0.0; COUNT];
        train.rates(&q, &mut a);
        let missing = DVector::from_fn(COUNT, |i, _| inertias[i] * a[i] - tau[i]);
        let work = motions.transpose() * missing;
        let scale = size * a.iter().fold(10.0_f64, |most, a| most.max(10.0 * a.abs()));
        prop_assert!(work.iter().take(train.free()).all(|work| work.abs() < 1e-9 * scale * size), "{work}");
        if let Some(given) = given {
            prop_assert!((a[COUNT - 1] - given).abs() < 1e-12);
        }
        let mut reactions = vec![0.0; count];
        train.reactions(&tau, &a, &mut reactions);
        prop_assert!((DVector::from(reactions) - work).amax() < 1e-9 * scale * size);

        // Positions that are always the same count once, with the same motion.
        let mut merged = train.clone();
        let numbers = merged.merge(&[]);
        let mut loads = vec![0.0; merged.count()];
        numbers.iter().zip(&tau).for_each(|(number, tau)| loads[*number] += tau);
        let mut q = vec![0.0; count];
        q[train.free()..].fill(given.unwrap_or_default());
        merged.accelerations(&mut merged.factors(), &loads, &mut q);
        let mut motion = vec![0.0; merged.count()];
        merged.rates(&q, &mut motion);
        prop_assert!(numbers.iter().zip(&a).all(|(number, a)| (motion[*number] - a).abs() < 1e-9 * scale));
    }
}

/// Positions that are the same for some parameters only have derivatives of their own.
#[test]
fn positions_that_are_always_the_same_count_once() {
    let gear =
        |ratio: Dual64| Relation { terms: vec![(0, Dual64::from_re(1.0)), (1, -ratio)], ..Relation::equal(0, 1) };
    let merged = |ratio: Dual64| {
        let preferences = [Preference::Inertia, Preference::Any, Preference::Any];
        let relations = [gear(ratio), Relation::equal(2, 0)];
        let mut train = Drivetrain::new(&preferences, &relations, vec![Dual64::from_re(1.0); 3], &[]).unwrap();
        train.merge(&[])
    };
    assert_eq!(merged(Dual64::from_re(1.0)), [0, 0, 0]);
    assert_eq!(merged(Dual64::from_re(2.0)), [0, 1, 2]);
    assert_eq!(merged(Dual64::new(1.0, 1.0)), [0, 1, 2]);
}

/// A planetary gear whose ring is driven: (1 + r) carrier = sun + r ring.
#[test]
fn a_planetary_gear_has_two_coordinates() {
    let ratio = Dual64::new(2.0, 1.0);
    let one = Dual64::from_re(1.0);
    let zero = Dual64::from_re(0.0);
    let gear = Relation { terms: vec![(0, -one), (1, one + ratio), (2, -ratio)], constant: zero };
    let preferences = [Preference::Inertia, Preference::Any, Preference::Given];
    let train = Drivetrain::new(&preferences, &[gear], vec![one, zero, zero], &[]).unwrap();
    assert_eq!((train.coordinates(), train.free()), (&[0, 2][..], 1));
    // carrier = sun / (1 + r) + ring r / (1 + r), with the derivatives by r.
    let mut x = [zero; 3];
    for (q, value, derivative) in [([one, zero], 1.0 / 3.0, -1.0 / 9.0), ([zero, one], 2.0 / 3.0, 1.0 / 9.0)] {
        train.positions(&q, &mut x);
        assert!((x[1].re - value).abs() < 1e-15 && (x[1].eps - derivative).abs() < 1e-15, "{}", x[1]);
    }
}

#[test]
fn lengths_of_rigid_parts_add_up() {
    // Two masses of lengths 0.2 and 0.3 in a row: their ends are half of that from their centres.
    let ends = [relation(&[(1, 1.0), (0, -1.0)], 0.1), relation(&[(2, 1.0), (1, -1.0)], 0.15)];
    let preferences = [Preference::Inertia, Preference::Any, Preference::Any];
    let train = Drivetrain::new(&preferences, &ends, vec![1.0, 0.0, 0.0], &[]).unwrap();
    let mut x = [0.0; 3];
    train.positions(&[1.0], &mut x);
    assert!((x[2] - 1.25).abs() < 1e-15);
}

#[test]
fn what_no_motion_fulfils_and_what_has_no_inertia_is_named() {
    let refused = |preferences: &[Preference], relations: &[Relation<f64>], inertias: &[f64]| {
        Drivetrain::new(preferences, relations, inertias.to_vec(), &[]).unwrap_err()
    };
    let tied = [relation(&[(0, 1.0), (1, -1.0)], 0.0)];
    let error = refused(&[Preference::Given; 2], &tied, &[0.0; 2]);
    assert_eq!(
        error,
        DrivetrainError::Relation(RelationError::Overdetermined { relation: 0, given: [0, 1], locked: None })
    );
    let apart = [tied[0].clone(), relation(&[(0, 1.0), (1, -1.0)], 1.0)];
    let error = refused(&[Preference::Any; 2], &apart, &[1.0; 2]);
    assert_eq!(error, DrivetrainError::Relation(RelationError::Contradiction(1)));
    assert_eq!(refused(&[Preference::Any; 3], &tied, &[0.0, 2.0, 0.0]), DrivetrainError::Massless(vec![2]));
}

/// Along a chain the work grows with its length: a hundred thousand rigid parts would take hours otherwise.
#[test]
fn long_chains_are_reduced() {
    let count = 100_000;
    let relations: Vec<_> = (1..count).map(|n| relation(&[(n - 1, 1.0), (n, -1.0)], 0.0)).collect();
    let mut preferences = vec![Preference::Any; count];
    preferences[count / 2] = Preference::Inertia;
    let train = Drivetrain::new(&preferences, &relations, vec![1.0; count], &[]).unwrap();
    assert_eq!(train.coordinates(), [count / 2]);
    let mut a = [0.0];
    train.accelerations(&mut train.factors(), &vec![2.0; count], &mut a);
    assert!((a[0] - 2.0).abs() < 1e-12);
}

/// The product of the ratios is beyond the rounding of 1; one shaft more would make the circle's product another one.
#[test]
fn long_chains_of_gears_move_as_one() {
    for ratio in [1.01, 2.0, 0.25, -3.0_f64] {
        let gears: Vec<_> = (0..99).map(|i| relation(&[(i, 1.0), (i + 1, -ratio)], 0.0)).collect();
        let preferences = [Preference::Inertia; 100];
        let train = Drivetrain::new(&preferences, &gears, vec![0.1; 100], &[]).unwrap();
        assert_eq!(train.coordinates().len(), 1, "{ratio}");
        let mut x = [0.0; 100];
        train.rates(&[1.0], &mut x);
        for pair in x.windows(2) {
            assert!((pair[0] - ratio * pair[1]).abs() < 1e-12 * pair[0].abs(), "{ratio}: {pair:?}");
        }
        // Around a circle the ratios agree, to rounding.
        let close = |ratio: f64| relation(&[(99, 1.0), (0, -ratio)], 0.0);
        for (closing, free) in [(ratio.powi(-99), 1), (1.001 * ratio.powi(-99), 0)] {
            let circle: Vec<_> = gears.iter().cloned().chain([close(closing)]).collect();
            let train = Drivetrain::new(&preferences, &circle, vec![0.1; 100], &[]).unwrap();
            assert_eq!(train.coordinates().len(), free, "{ratio}");
        }
    }
}

/// A bound on the rounding of a coefficient would grow by a factor with each planetary gear.
#[test]
fn long_rows_of_planetary_gears_have_two_coordinates() {
    const COUNT: usize = 200;
    for ratio in [1.0, 1.5, 2.0, 3.0] {
        let gear = |i: usize| relation(&[(i, 1.0), (i + 1, -1.0 - ratio), (i + 2, ratio)], 0.0);
        let gears: Vec<_> = (0..COUNT).map(gear).collect();
        let preferences = [Preference::Inertia; COUNT + 2];
        let train = Drivetrain::new(&preferences, &gears, vec![0.1; COUNT + 2], &[]).unwrap();
        assert_eq!((train.coordinates().len(), train.locked()), (2, None), "{ratio}");
        for q in [[1.0, 0.0], [0.0, 1.0]] {
            let mut x = [0.0; COUNT + 2];
            train.rates(&q, &mut x);
            for gear in &gears {
                let terms = gear.terms.iter().map(|(i, c)| c * x[*i]);
                let largest = terms.clone().fold(0.0, |largest: f64, term| largest.max(term.abs()));
                assert!(terms.sum::<f64>().abs() <= 1e-9 * largest, "{ratio}: {gear:?}");
            }
        }
    }
}

/// Two gears with a common housing that may move, of which the second one gives back what the first one makes of the speed, to
/// as many digits as people write.
#[test]
fn gears_that_agree_to_twelve_digits_let_their_housing_move() {
    for ratio in [1.02, 1.003, 1.007, 1.000001, 2.5, -3.0_f64] {
        let back: f64 = format!("{:.12}", 1.0 / ratio).parse().unwrap();
        let gear = |a, b, ratio: f64| relation(&[(a, 1.0), (b, -ratio), (2, ratio), (2, -1.0)], 0.0);
        let train =
            Drivetrain::new(&[Preference::Inertia; 3], &[gear(0, 1, ratio), gear(1, 0, back)], vec![0.1; 3], &[]);
        let train = train.unwrap();
        assert_eq!((train.coordinates().len(), train.locked()), (2, None), "{ratio}");
    }
}

/// The reciprocal of a product of ratios is squared in no bound.
#[test]
fn products_of_ratios_beyond_half_the_range_of_numbers_are_no_lock() {
    let mut gears: Vec<_> = (0..98).map(|i| relation(&[(i, 1.0), (i + 1, -50.0)], 0.0)).collect();
    gears.push(relation(&[(50, 1.0), (99, -2.0)], 0.0));
    let mut preferences = [Preference::Inertia; 100];
    preferences[98] = Preference::Given;
    let train = Drivetrain::new(&preferences, &gears, vec![0.1; 100], &[]).unwrap();
    assert_eq!((train.coordinates(), train.locked()), (&[98][..], None));
}
