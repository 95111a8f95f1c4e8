//! Accelerations of mechanisms with assemblies by articulated bodies: those of the mass matrix, whose entries are those of the
//! kinetic energy.

use mechanics::drivetrain::{Drivetrain, Factors, Preference, Relation};

use super::*;

/// Generates an arm of joints with branches and assemblies between them, some of which are at the links of others.
fn arm() -> impl Strategy<Value = (Vec<Limb>, Gravity<f64>, Vec<[f64; 3]>)> {
    let joints = |count: std::ops::Range<usize>| prop::collection::vec(limb(0..2), count);
    let assemblies = || prop::collection::vec(limb(2..8), 1..3);
    let gravity = vector().prop_map(|g| Gravity::Uniform(g * 10.0));
    (joints(8..14), assemblies(), joints(1..3), assemblies(), joints(1..3), gravity).prop_flat_map(
        |(mut limbs, one, between, two, last, gravity)| {
            let first = limbs.len();
            // Each joint is at one of the last frames, so that ways are long.
            for (k, limb) in limbs.iter_mut().enumerate() {
                limb.at[0] = k - limb.at[0] % 3_usize.min(k + 1);
            }
            limbs.extend(one.into_iter().chain(between).chain(two).chain(last));
            for limb in &mut limbs[first..] {
                limb.at = limb.at.map(|at| first - 3 + at % 8);
            }
            let count = limbs.iter().filter(|limb| limb.kind < 2).count();
            let motion = prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), count);
            (Just(limbs), Just(gravity), motion)
        },
    )
}

/// Returns a drive train of the joints, followed by the axes of assemblies, of which the first has an inertia, and of which
/// the others drive a rotor: alone, or in a differential with a joint.
fn drive_train(mechanism: &Mechanism, joints: usize, ties: [usize; 2]) -> Option<Drivetrain<f64>> {
    let axes = mechanism.tree.assemblies().count();
    let mut preferences = vec![Preference::Preferred; joints];
    preferences.extend(vec![Preference::Given; axes]);
    let mut inertias: Vec<_> = (0..joints).map(|k| 0.1 * (k % 3) as f64).collect();
    inertias.extend((0..axes).map(|axis| if axis == 0 { 0.3 } else { 0.0 }));
    let mut relations = Vec::new();
    for axis in 1..axes {
        let mut terms = vec![(joints + axis, 2.0), (inertias.len(), -1.0)];
        if axis == 1 {
            terms.push((ties[0] % joints, 1.0));
        }
        relations.push(Relation { terms, constant: 0.0 });
        preferences.push(Preference::Inertia);
        inertias.push(0.2);
    }
    let [one, other] = ties.map(|tie| tie % joints);
    if ties[0].is_multiple_of(3) && one != other {
        relations.push(Relation { terms: vec![(one, 1.0), (other, -1.5)], constant: 0.0 });
    }
    Drivetrain::new(&preferences, &relations, inertias, &mechanism.tree.couplings()).ok()
}

/// Prepares a drive train in the mechanism's position.
fn prepare(mechanism: &mut Mechanism, train: &Drivetrain<f64>) -> Factors<f64> {
    let Mechanism { tree, workspace, elements, .. } = mechanism;
    let axis = |element: usize| match &elements[element] {
        Element::Assembly { position, .. } => *position,
        _ => unreachable!(),
    };
    let axes: Vec<_> = tree.assemblies().map(axis).collect();
    let mut factors = train.factors();
    train.begin(&mut factors);
    let is_articulated = factors.solver().is_some();
    if is_articulated {
        tree.resolve(workspace);
    } else {
        tree.masses(workspace, |positions, mass| train.couple(&mut factors, positions, mass));
    }
    for (i, position, slope) in workspace.slopes() {
        let k = train.coordinates().iter().position(|own| *own == axes[*i]).expect("it is given");
        train.follow(&mut factors, k, *position, *slope);
    }
    if is_articulated {
        train.couple_following(&mut factors);
        factors.solver().expect("it is").prepare(workspace).expect("all have mass");
    } else {
        train.finish(&mut factors).expect("all have mass");
    }
    factors
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("TEST_ALL").is_some() { 512 } else { 32 },
        failure_persistence: None, rng_seed: RngSeed::Fixed(54), max_global_rejects: 100_000, ..ProptestConfig::default()
    })]

    #[test]
    fn joints_with_assemblies_accelerate_as_the_mass_matrix_says((limbs, gravity, motion) in arm(), ties in prop::array::uniform2(0..1000_usize)) {
        let Some((mut mechanism, [q, v, a])) = regular(&limbs, gravity, &motion) else { return Err(TestCaseError::reject("singular")) };
        let joints = q.len();
        let Some(by_blocks) = drive_train(&mechanism, joints, ties) else { return Err(TestCaseError::reject("locked")) };
        let mut by_bodies = by_blocks.clone();
        let Some(bodies) = by_blocks.articulated_bodies(&mechanism.tree) else { return Err(TestCaseError::reject("large clusters")) };
        by_bodies.set_mass_solver(Box::new(bodies));
        mechanism.move_to([&q, &v, &a]).expect("regular");
        let [mut bodies, mut blocks] = [&by_bodies, &by_blocks].map(|train| prepare(&mut mechanism, train));
        let count = by_bodies.count();
        let accelerations = |train: &Drivetrain<f64>, factors: &mut Factors<f64>, tau: &[f64], given: f64| {
            let mut rates: Vec<_> = (0..train.coordinates().len()).map(|k| given * (k as f64).cos()).collect();
            train.accelerations(factors, tau, &mut rates);
            let mut all = vec![0.0; count];
            train.rates(&rates, &mut all);
            all
        };
        let tau: Vec<_> = (0..count).map(|k| 10.0 * (1.3 * k as f64).sin()).collect();
        let [found, expected] = [(&by_bodies, &mut bodies), (&by_blocks, &mut blocks)].map(|(train, factors)| accelerations(train, factors, &tau, 1.0));
        let size = expected.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
        prop_assert!(found.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-10 * size), "{found:?}\n{expected:?}");

        // Loads between two positions, as those of friction, accelerate each other, also at axes of assemblies.
        let pairs: Vec<_> = (0..count).map(|i| [i, (7 * i + 3) % count]).filter(|[one, other]| one != other).collect();
        let mut columns = DMatrix::zeros(by_bodies.free(), pairs.len());
        for ([first, second], mut column) in pairs.iter().zip(columns.column_iter_mut()) {
            by_bodies.add_load(&bodies, *first, -1.0, column.as_mut_slice());
            by_bodies.add_load(&bodies, *second, 1.0, column.as_mut_slice());
        }
        let mut mobility = DMatrix::zeros(pairs.len(), pairs.len());
        by_bodies.mobility(&mut bodies, &mut columns, pairs.len(), |row, column, by| mobility[(row, column)] = by);
        for (k, [first, second]) in pairs.iter().enumerate() {
            let mut load = vec![0.0; count];
            load[*first] -= 1.0;
            load[*second] += 1.0;
            let a = accelerations(&by_blocks, &mut blocks, &load, 0.0);
            let size = a.iter().fold(mobility.amax(), |size, a| size.max(a.abs()));
            for (i, [first, second]) in pairs.iter().enumerate().skip(k) {
                let expected = a[*second] - a[*first];
                prop_assert!((mobility[(i, k)] - expected).abs() <= 1e-10 * size, "{i} {k}: {} {expected}", mobility[(i, k)]);
            }
        }
    }
}

/// A free platform on six telescopes with masses, and an arm on it: each telescope has two links that six velocities move.
#[test]
fn few_joints_beside_many_links_of_assemblies_take_the_mass_matrix() {
    let body = |frame| {
        let body = Body { m: 1.0, r_CM: Vector3::zeros(), I: Matrix3::identity() };
        Element::Body { frame, body }
    };
    for (arm, is_taken) in [(8, false), (9, true)] {
        let free = Joint { kind: JointKind::Free, e: Vector3::zeros(), position: 0 };
        let mut elements = vec![WORLD, Element::Joint { frames: [0, 1], joint: free }, body(1)];
        for k in 0..arm {
            elements.extend([revolute([k + 1, k + 2], k + 6), body(k + 2)]);
        }
        let assembly = Assembly::Ups(UniversalPrismatic { universal: Universal::new(&Vector3::z(), &Vector3::x()) });
        for leg in 0..6 {
            let ia = arm + 2 + 2 * leg;
            let frames = AssemblyFrames { outer: [0, 1], ia: Some(ia), ib: ia + 1, im: None };
            elements.push(Element::Assembly { frames, assembly, guess: 1.0, position: arm + 6 + leg });
            elements.extend([body(ia), body(ia + 1)]);
        }
        let tree = Tree::new(arm + 14, &elements).expect("a mechanism");
        let mut preferences = vec![Preference::Preferred; arm + 6];
        preferences.extend([Preference::Given; 6]);
        let train = Drivetrain::new(&preferences, &[], vec![0.0; arm + 12], &tree.couplings()).expect("they are free");
        assert_eq!(train.articulated_bodies(&tree).is_some(), is_taken, "{arm}");
    }
}
