//! Accelerations by articulated bodies: those of the mass matrix, what inverse dynamics takes back, derivatives.

use mechanics::Dual64;
use mechanics::drivetrain::{Drivetrain, Preference, Relation};

use super::*;

/// How a velocity of a joint moves.
#[derive(Clone, Copy, Debug)]
enum Tie {
    /// By itself, with an inertia at its axis.
    Own(f64),
    /// With a motor: moment of inertia, ratio.
    Geared(f64, f64),
    Given,
}

fn tie() -> impl Strategy<Value = Tie> {
    let inertia = prop_oneof![Just(0.0), 0.01..1.0_f64];
    prop_oneof![
        4 => inertia.prop_map(Tie::Own),
        2 => (0.01..1.0_f64, prop_oneof![-3.0..-0.3_f64, 0.3..3.0_f64]).prop_map(|(inertia, ratio)| Tie::Geared(inertia, ratio)),
        1 => Just(Tie::Given),
    ]
}

/// Returns a drive train of which positions are velocities of joints, followed by those of motors.
fn train(tree: &Tree<f64>, ties: &[Tie]) -> Drivetrain<f64> {
    let (mut preferences, mut inertias) = (Vec::new(), Vec::new());
    for tie in ties {
        preferences.push(match tie {
            Tie::Given => Preference::Given,
            Tie::Own(_) | Tie::Geared(..) => Preference::Inertia,
        });
        inertias.push(if let Tie::Own(inertia) = tie { *inertia } else { 0.0 });
    }
    let mut relations = Vec::new();
    for (position, tie) in ties.iter().enumerate() {
        if let Tie::Geared(inertia, ratio) = tie {
            relations.push(Relation { terms: vec![(position, 1.0), (inertias.len(), -ratio)], constant: 0.0 });
            preferences.push(Preference::Preferred);
            inertias.push(*inertia);
        }
    }
    Drivetrain::new(&preferences, &relations, inertias, &tree.couplings()).expect("nothing contradicts")
}

/// Takes articulated bodies where a drive train can.
fn take<T: mechanics::Scalar>(tree: &Tree<T>, train: &mut Drivetrain<T>) {
    if let Some(bodies) = train.articulated_bodies(tree) {
        train.set_mass_solver(Box::new(bodies));
    }
}

/// A mechanism with its motion, the ties of its velocities, and loads.
type Tied = ((Vec<Limb>, Gravity<f64>, Vec<[f64; 3]>), Vec<(Tie, f64)>);

fn tied(counts: std::ops::Range<usize>, kinds: &'static [JointKind]) -> impl Strategy<Value = Tied> {
    mechanism_of(counts, kinds).prop_flat_map(|mechanism| {
        let count = mechanism.2.len();
        (Just(mechanism), prop::collection::vec((tie(), -20.0..20.0_f64), count))
    })
}

/// Returns the loads at all positions less those that joints need without accelerations of free coordinates, and the
/// accelerations of all coordinates with those of the given ones.
fn loads<T: mechanics::Scalar>(
    tree: &Tree<T>,
    workspace: &mut Workspace<T>,
    train: &Drivetrain<T>,
    [q, v, a, tau]: [&[T]; 4],
) -> [Vec<T>; 2] {
    let count = train.coordinates().len();
    let mut rates = vec![T::zero(); count];
    for k in train.free()..count {
        rates[k] = a[train.coordinates()[k]];
    }
    let mut accelerations = vec![T::zero(); train.count()];
    train.rates(&rates, &mut accelerations);
    tree.set_motion(workspace, [q, v, &accelerations]).expect("a tree");
    let mut rest = tau.to_vec();
    tree.loads(workspace, |position, load| rest[position] -= load).expect("no body in the center");
    [rest, rates]
}

/// Returns the accelerations of all positions by articulated bodies.
fn accelerations<T: mechanics::Scalar>(
    tree: &Tree<T>,
    workspace: &mut Workspace<T>,
    train: &Drivetrain<T>,
    motion: [&[T]; 4],
) -> Vec<T> {
    let [rest, mut rates] = loads(tree, workspace, train, motion);
    let mut factors = train.factors();
    tree.resolve(workspace);
    factors.solver().expect("they are taken").prepare(workspace).expect("all have mass");
    train.accelerations(&mut factors, &rest, &mut rates);
    let mut all = vec![T::zero(); train.count()];
    train.rates(&rates, &mut all);
    all
}

/// Returns the accelerations of all positions by articulated bodies; they and those of one load by another are those of the
/// mass matrix.
fn as_by_the_mass_matrix(
    tree: &Tree<f64>,
    workspace: &mut Workspace<f64>,
    [train, by_blocks]: [&Drivetrain<f64>; 2],
    motion: [&[f64]; 4],
) -> Vec<f64> {
    let found = accelerations(tree, workspace, train, motion);

    let [rest, mut rates] = loads(tree, workspace, train, motion);
    let mut factors = by_blocks.factors();
    assert!(factors.solver().is_none());
    by_blocks.begin(&mut factors);
    tree.masses(workspace, |positions, mass| by_blocks.couple(&mut factors, positions, mass));
    by_blocks.finish(&mut factors).expect("all have mass");
    by_blocks.accelerations(&mut factors, &rest, &mut rates);
    let mut expected = vec![0.0; train.count()];
    train.rates(&rates, &mut expected);
    let size = expected.iter().fold(1.0_f64, |size, a| size.max(a.abs()));
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-10 * size, "{found} {expected}");
    }

    // Loads between two positions accelerate each other as with the mass matrix.
    let pairs: Vec<_> = (0..train.count()).map(|i| [i, (7 * i + 3) % train.count()]).collect();
    let mut columns = DMatrix::zeros(train.free(), pairs.len());
    for ([first, second], mut column) in pairs.iter().zip(columns.column_iter_mut()) {
        train.add_load(&factors, *first, -1.0, column.as_mut_slice());
        train.add_load(&factors, *second, 1.0, column.as_mut_slice());
    }
    let mut mobility = DMatrix::zeros(pairs.len(), pairs.len());
    let mut own = train.factors();
    tree.resolve(workspace);
    own.solver().expect("they are taken").prepare(workspace).expect("all have mass");
    train.mobility(&mut own, &mut columns, pairs.len(), |row, column, by| mobility[(row, column)] = by);
    for (k, [first, second]) in pairs.iter().enumerate() {
        let (mut load, mut rates, mut a) =
            (vec![0.0; train.count()], vec![0.0; train.coordinates().len()], vec![0.0; train.count()]);
        load[*first] -= 1.0;
        load[*second] += 1.0;
        by_blocks.responses(&mut factors, &load, &mut rates);
        by_blocks.rates(&rates, &mut a);
        let size = a.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
        for (i, [first, second]) in pairs.iter().enumerate().skip(k) {
            let expected = a[*second] - a[*first];
            assert!((mobility[(i, k)] - expected).abs() <= 1e-10 * size, "{i} {k}: {} {expected}", mobility[(i, k)]);
        }
    }
    found
}

/// Returns a motion with as many numbers as a train has positions: those of motors, which no equation needs, are 0.
fn extended(motion: &[[f64; 3]], train: &Drivetrain<f64>) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|order| {
        let mut column = column(motion, order);
        column.resize(train.count(), 0.0);
        column
    })
}

fn is_far(mechanism: &Mechanism) -> bool {
    let Gravity::Point(_) = mechanism.gravity else { return true };
    mechanism.limbs.iter().enumerate().all(|(k, limb)| mechanism.frame(k).translated(&limb.body.r_CM).r_0.norm() > 0.3)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("TEST_ALL").is_some() { 256 } else { 24 },
        failure_persistence: None, rng_seed: RngSeed::Fixed(52), ..ProptestConfig::default()
    })]

    /// They are those of the mass matrix, and lead back to the loads.
    #[test]
    fn bodies_accelerate_as_the_mass_matrix_says(((limbs, gravity, motion), ties) in tied(8..16, ALL)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let (ties, tau): (Vec<Tie>, Vec<f64>) = ties.into_iter().unzip();
        let by_blocks = train(&mechanism.tree, &ties);
        let mut train = by_blocks.clone();
        take(&mechanism.tree, &mut train);
        // Limbs at the world may all be small ones.
        prop_assume!(train.factors().solver().is_some());
        let [q, v, a] = extended(&motion, &train);
        let mut tau = tau;
        tau.resize(train.count(), 3.0);
        let Mechanism { tree, workspace, .. } = &mut mechanism;
        let found = as_by_the_mass_matrix(tree, workspace, [&train, &by_blocks], [&q, &v, &a, &tau]);

        tree.set_motion(workspace, [&q, &v, &found]).expect("a tree");
        let (mut left, mut size) = (tau.clone(), tau.iter().fold(1.0_f64, |size, load| size.max(load.abs())));
        tree.loads(workspace, |position, load| {
            left[position] -= load;
            size = size.max(load.abs());
        }).expect("no body in the center");
        let mut reactions = vec![0.0; train.coordinates().len()];
        train.reactions(&left, &found, &mut reactions);
        for reaction in &reactions[..train.free()] {
            prop_assert!(reaction.abs() < 1e-10 * size, "{reaction} of {size}");
        }
    }

    /// Their derivatives in dual numbers are those of differences.
    #[test]
    fn derivatives_are_those_of_differences(((limbs, gravity, motion), ties) in tied(14..24, SIMPLE), along in prop::array::uniform3(-1.0..1.0_f64)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let (ties, tau): (Vec<Tie>, Vec<f64>) = ties.into_iter().unzip();
        let mut train = train(&mechanism.tree, &ties);
        take(&mechanism.tree, &mut train);
        // Limbs at the world may all be small ones.
        prop_assume!(train.factors().solver().is_some());
        let [q, v, a] = extended(&motion, &train);
        let mut tau = tau;
        tau.resize(train.count(), 3.0);
        mechanism.loads(&q, &v, &a);
        prop_assume!(is_far(&mechanism));
        let direction = |k: usize, order: usize| (along[order] + 0.6 * k as f64).sin();
        let moved = |s: f64, of: &[f64], order: usize| -> Vec<f64> {
            of.iter().enumerate().map(|(k, x)| x + s * direction(k, order)).collect()
        };
        let Mechanism { tree, workspace, .. } = &mut mechanism;
        let mut at = |s: f64| {
            let [q, v, tau] = [moved(s, &q, 0), moved(s, &v, 1), moved(s, &tau, 2)];
            accelerations(tree, workspace, &train, [&q, &v, &a, &tau])
        };
        let h = 1e-4;
        let [two_before, before, after, two_after] = [-2.0, -1.0, 1.0, 2.0].map(|steps| at(steps * h));
        let dual = |of: &[f64], order: usize| -> Vec<Dual64> {
            of.iter().enumerate().map(|(k, x)| Dual64::new(*x, direction(k, order))).collect()
        };
        let (tree, mut train) = (mechanism.tree.map(Dual64::from_re), train.map(Dual64::from_re));
        take(&tree, &mut train);
        let given: Vec<_> = a.iter().map(|a| Dual64::from_re(*a)).collect();
        let found = accelerations(&tree, &mut tree.workspace(), &train, [&dual(&q, 0), &dual(&v, 1), &given, &dual(&tau, 2)]);
        let rate = |k: usize| (8.0 * (after[k] - before[k]) - (two_after[k] - two_before[k])) / (12.0 * h);
        let size = found.iter().fold(1.0_f64, |size, a| size.max(a.eps.abs()).max(a.re.abs()));
        for (k, a) in found.iter().enumerate() {
            prop_assert!((a.eps - rate(k)).abs() < 1e-6 * size, "{k}: {} {}", a.eps, rate(k));
        }
    }
}

/// A chain whose joint number `k` carries a body of this mass.
fn chain(mass: impl Fn(usize) -> f64, more: Vec<Element<f64>>) -> Tree<f64> {
    let mut elements = vec![Element::World { frame: 0, gravity: Gravity::Uniform(Vector3::zeros()) }];
    for k in 0..10 {
        elements.extend([joint([2 * k, 2 * k + 1], k), rigid([2 * k + 1, 2 * k + 2])]);
        let body = Body { m: mass(k), r_CM: Vector3::zeros(), I: Matrix3::identity() * mass(k) };
        elements.push(Element::Body { frame: 2 * k + 2, body });
    }
    elements.extend(more);
    Tree::new(21, &elements).expect("a tree")
}

#[test]
fn what_moves_no_inertia_is_named() {
    let zeros = [0.0; 10];
    for (first, named) in [(9, None), (7, Some(9)), (0, Some(9))] {
        let tree = chain(|k| if k > first { 0.0 } else { 1.0 }, Vec::new());
        let mut train = train(&tree, &[Tie::Own(0.0); 10]);
        take(&tree, &mut train);
        let (mut workspace, mut factors) = (tree.workspace(), train.factors());
        tree.set_motion(&mut workspace, [&zeros; 3]).expect("a tree");
        tree.resolve(&mut workspace);
        let found = factors.solver().expect("they are taken").prepare(&workspace);
        assert_eq!(found.err(), named);
    }
}

/// About other axes it has 1e12 times as much.
#[test]
fn a_body_far_along_the_axis_of_its_joint_has_inertia() {
    let mut elements = vec![Element::World { frame: 0, gravity: Gravity::Uniform(Vector3::zeros()) }];
    for k in 0..4 {
        let e = Vector3::ith(k % 3, 1.0);
        elements
            .push(Element::Joint { frames: [k, k + 1], joint: Joint { kind: JointKind::Revolute, e, position: k } });
        let center = if k == 3 { e * 1e6 } else { Vector3::zeros() };
        elements.push(Element::Body { frame: k + 1, body: Body { m: 1.0, r_CM: center, I: Matrix3::identity() } });
    }
    let tree = Tree::new(5, &elements).expect("a tree");
    let mut train = train(&tree, &[Tie::Own(0.0); 4]);
    take(&tree, &mut train);
    let (mut workspace, mut factors) = (tree.workspace(), train.factors());
    tree.set_motion(&mut workspace, [&[0.0; 4]; 3]).expect("a tree");
    tree.resolve(&mut workspace);
    let solver = factors.solver().expect("they are taken");
    assert_eq!(solver.prepare(&workspace), Ok(()));
    let mut loads = [0.0, 0.0, 0.0, 2.0];
    solver.solve(&mut loads, false);
    // The first joint has the same axis: y_0 + y_3 = 2, and what it carries besides takes -2 = 3 y_0.
    for (found, expected) in loads.into_iter().zip([-2.0 / 3.0, 0.0, 0.0, 8.0 / 3.0]) {
        assert!((found - expected).abs() < 1e-14, "{loads:?}");
    }
}

#[test]
fn bodies_are_taken_where_each_coordinate_moves_a_joint() {
    let is_taken = |tree: &Tree<f64>, train: &mut Drivetrain<f64>| {
        take(tree, train);
        train.factors().solver().is_some()
    };
    let tree = chain(|_| 1.0, Vec::new());
    assert!(is_taken(&tree, &mut train(&tree, &[Tie::Own(0.0); 10])));
    // Few are left.
    let mut ties = [Tie::Given; 10];
    ties[2..5].fill(Tie::Own(1.0));
    assert!(!is_taken(&tree, &mut train(&tree, &ties)));
    // A gear between two joints, and a differential: few coordinates are eliminated together.
    let preferences = [Preference::Inertia; 11];
    let couplings = tree.couplings();
    for terms in [vec![(3, 1.0), (5, -2.0)], vec![(3, 1.0), (5, 1.0), (10, -2.0)]] {
        let relation = Relation { terms, constant: 0.0 };
        let made = Drivetrain::new(&preferences, &[relation], vec![1.0; 11], &couplings);
        assert!(is_taken(&tree, &mut made.expect("nothing contradicts")));
    }
    // A shaft that moves no joint and no rotor.
    let mut preferred = [Preference::Inertia; 12];
    [3, 10].into_iter().for_each(|position: usize| preferred[position] = Preference::Preferred);
    let relation = Relation { terms: vec![(3, 1.0), (10, 1.0), (11, -2.0)], constant: 0.0 };
    let made = Drivetrain::new(&preferred, &[relation], vec![1.0; 12], &couplings);
    assert!(!is_taken(&tree, &mut made.expect("nothing contradicts")));
    // A rotor on a link, alone, and with a joint.
    let rotor = Element::Rotor { frame: 4, rotor: Rotor { J: 0.1, e: Vector3::x(), position: 10 } };
    let tree = chain(|_| 1.0, vec![rotor]);
    let made = |relations: &[Relation<f64>]| Drivetrain::new(&preferences, relations, vec![0.1; 11], &tree.couplings());
    assert!(is_taken(&tree, &mut made(&[]).expect("nothing contradicts")));
    let gear = Relation { terms: vec![(1, 1.0), (10, -0.2)], constant: 0.0 };
    assert!(is_taken(&tree, &mut made(&[gear]).expect("nothing contradicts")));
}

/// Rotors by themselves, and geared with another one on the same link.
#[test]
fn rotors_on_links_accelerate_as_the_mass_matrix_says() {
    let rotor = |link: usize, e: [f64; 3], position| {
        let (frame, e) = (2 * link + 2, Vector3::from(e).normalize());
        Element::Rotor { frame, rotor: Rotor { J: 0.1 + 0.01 * link as f64, e, position } }
    };
    let rotors = vec![
        rotor(1, [1.0, 2.0, 3.0], 10),
        rotor(1, [0.0, -1.0, 0.5], 11),
        rotor(4, [0.3, 0.0, 1.0], 12),
        rotor(9, [0.0, 1.0, 0.4], 13),
    ];
    let tree = chain(|_| 1.0, rotors);
    let gear = Relation { terms: vec![(10, 1.0), (11, 2.0)], constant: 0.0 };
    let inertias = (0..14).map(|i| if i < 10 { 0.02 } else { 0.11 }).collect();
    let made = Drivetrain::new(&[Preference::Inertia; 14], &[gear], inertias, &tree.couplings());
    let by_blocks = made.expect("nothing contradicts");
    let mut train = by_blocks.clone();
    take(&tree, &mut train);
    let wave = |by: f64| (0..14).map(|i| (by * (i as f64 + 1.0)).sin()).collect::<Vec<_>>();
    let [q, v, a, tau] = [1.3, 0.7, 2.1, 0.4].map(wave);
    as_by_the_mass_matrix(&tree, &mut tree.workspace(), [&train, &by_blocks], [&q, &v, &a, &tau]);
}
