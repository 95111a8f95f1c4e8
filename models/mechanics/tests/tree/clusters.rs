//! Coordinates that are eliminated together, of gears, differentials, rotors and rings: accelerations are those of the mass
//! matrix.

use mechanics::drivetrain::{Drivetrain, Factors, Preference, Relation};
use mechanics::tree::Closing;

use super::*;

/// Where joints are tied to each other, by numbers that stand for joints, and which rows close a ring.
#[derive(Clone, Debug)]
struct Ties {
    gears: Vec<(usize, usize, f64)>,
    differential: Option<(usize, usize)>,
    rotors: Vec<(usize, usize, Vector3<f64>)>,
    rings: Vec<(usize, usize, usize, JointKind)>,
}

fn ties() -> impl Strategy<Value = Ties> {
    let joint = || 0..1000_usize;
    let kind = prop::sample::select(&[JointKind::Revolute, JointKind::Prismatic, JointKind::Spherical][..]);
    let gears = prop::collection::vec((joint(), joint(), prop_oneof![-3.0..-0.3_f64, 0.3..3.0_f64]), 0..3);
    let differential = prop::option::weighted(0.3, (joint(), joint()));
    let rotors = prop::collection::vec((joint(), joint(), vector()), 0..3);
    let rings = prop::collection::vec((joint(), joint(), 1..4_usize, kind), 0..3);
    (gears, differential, rotors, rings).prop_map(|(gears, differential, rotors, rings)| Ties {
        gears,
        differential,
        rotors,
        rings,
    })
}

/// A tree with rings, and a drive train without and with articulated bodies.
struct Tied {
    tree: Tree<f64>,
    trains: [Drivetrain<f64>; 2],
}

impl Tied {
    /// Makes the mechanism, none if its clusters are large.
    fn new(limbs: &[Limb], gravity: Gravity<f64>, ties: &Ties) -> Option<Self> {
        let (firsts, joints) = positions(limbs);
        let mut elements = elements(limbs, gravity);
        let mut preferences = vec![Preference::Preferred; joints];
        let mut inertias: Vec<_> = (0..joints).map(|k| 0.1 * (k % 3) as f64).collect();
        let mut relations = Vec::new();
        for (one, other, ratio) in &ties.gears {
            let [one, other] = [one % joints, other % joints];
            if one != other {
                relations.push(Relation { terms: vec![(one, 1.0), (other, -ratio)], constant: 0.0 });
            }
        }
        if let Some((one, other)) = ties.differential.filter(|(one, other)| one % joints != other % joints) {
            relations.push(Relation {
                terms: vec![(one % joints, 1.0), (other % joints, 1.0), (inertias.len(), -2.0)],
                constant: 0.0,
            });
            preferences.push(Preference::Inertia);
            inertias.push(0.4);
        }
        for (limb, joint, e) in &ties.rotors {
            let rotor = Rotor { J: 0.05, e: (e + Vector3::new(0.0, 0.0, 2.0)).normalize(), position: inertias.len() };
            elements.push(Element::Rotor { frame: 2 * (limb % limbs.len()) + 2, rotor });
            relations.push(Relation { terms: vec![(joint % joints, 5.0), (inertias.len(), -1.0)], constant: 0.0 });
            preferences.push(Preference::Inertia);
            inertias.push(0.05);
        }
        for (one, other, rows, kind) in &ties.rings {
            let frames = [one, other].map(|limb| 2 * (limb % limbs.len()) + 2);
            if frames[0] == frames[1] {
                continue;
            }
            let joint = Joint { kind: *kind, e: Vector3::x(), position: inertias.len() };
            let mut closing = Closing::of(joint);
            closing.rows[*rows..].fill(None);
            elements.push(Element::Ring { frames, closing });
            preferences.extend(vec![Preference::Given; kind.count()]);
            inertias.extend(vec![0.3; kind.count()]);
        }
        assert_eq!(firsts.len(), limbs.len());
        let tree = Tree::new(2 * limbs.len() + 1, &elements).expect("a tree");
        let by_blocks = Drivetrain::new(&preferences, &relations, inertias, &tree.couplings()).ok()?;
        let mut by_bodies = by_blocks.clone();
        by_bodies.set_mass_solver(Box::new(by_blocks.articulated_bodies(&tree)?));
        Some(Self { tree, trains: [by_bodies, by_blocks] })
    }

    /// Prepares a drive train, with conditions and drifts of the rings.
    fn factors(&self, workspace: &mut Workspace<f64>, train: &Drivetrain<f64>) -> Option<Factors<f64>> {
        let mut factors = train.factors();
        train.begin(&mut factors);
        let is_articulated = factors.solver().is_some();
        if is_articulated {
            self.tree.resolve(workspace);
        } else {
            self.tree.masses(workspace, |positions, mass| train.couple(&mut factors, positions, mass));
        }
        let mut blocks: Vec<(usize, Vec<usize>, usize)> = Vec::new();
        let mut places = Vec::new();
        for ring in self.tree.rings() {
            let (block, coordinates) =
                self.tree.in_ring(ring).find_map(|position| train.block_at(position)).expect("joints move it");
            if !blocks.iter().any(|known| known.0 == block) {
                blocks.push((block, coordinates, 0));
            }
            let known = blocks.iter().position(|known| known.0 == block).expect("it is there");
            places.push((known, blocks[known].2));
            blocks[known].2 += ring.rows();
        }
        for (block, coordinates, rows) in &blocks {
            if *rows >= coordinates.len() {
                return None;
            }
            factors.hold(*block, *rows, *rows);
        }
        for (ring, (known, first)) in self.tree.rings().iter().zip(&places) {
            let (block, coordinates, _) = &blocks[*known];
            let mut slopes = Vec::new();
            self.tree.ring_slopes(workspace, ring, |row, position, slope| slopes.push((row, position, slope)));
            for (row, position, slope) in slopes {
                let (begin, count) = ring.following().unwrap_or_default();
                if row < ring.rows() {
                    let space = factors.null_space(*block).expect("it has conditions");
                    train.condition(space, coordinates, first + row, position, slope);
                } else if row - ring.rows() < count {
                    let position_of = begin + row - ring.rows();
                    let k = train.coordinates().iter().position(|own| *own == position_of).expect("it is given");
                    train.follow(&mut factors, k, position, slope);
                }
            }
        }
        for (block, coordinates, rows) in &blocks {
            let space = factors.null_space(*block).expect("it has conditions");
            space.decompose();
            // Redundant conditions have no solution that both find.
            if space.regularity(*rows) < 1e-4 {
                return None;
            }
            let of_ring = |(i, (known, _)): (usize, &(usize, usize))| {
                let rows = if blocks[*known].0 == *block { self.tree.rings()[i].rows() } else { 0 };
                (0..rows).map(move |row| ((3 * i + row) as f64 + 1.0).sin())
            };
            let conditions: Vec<_> = places.iter().enumerate().flat_map(of_ring).collect();
            let mut drift = vec![0.0; coordinates.len()];
            space.correct(&conditions, &mut drift);
            space.drift.copy_from_slice(&drift);
        }
        if is_articulated {
            train.couple_following(&mut factors);
            factors.solver().expect("it is").prepare(workspace).expect("all have mass");
        } else {
            train.finish(&mut factors).expect("all have mass");
        }
        Some(factors)
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("TEST_ALL").is_some() { 1024 } else { 48 },
        max_global_rejects: 100_000,
        failure_persistence: None, rng_seed: RngSeed::Fixed(53), ..ProptestConfig::default()
    })]

    #[test]
    fn tied_joints_accelerate_as_the_mass_matrix_says((limbs, gravity, motion) in mechanism_of(8..20, ALL), ties in ties()) {
        let Some(tied) = Tied::new(&limbs, gravity, &ties) else { return Err(TestCaseError::reject("large clusters")) };
        let [by_bodies, by_blocks] = &tied.trains;
        let count = by_bodies.count();
        let [q, v, a] = [0, 1, 2].map(|order| {
            let mut column = column(&motion, order);
            column.resize(count, 0.0);
            column
        });
        let mut workspace = tied.tree.workspace();
        tied.tree.set_motion(&mut workspace, [&q, &v, &a]).expect("a tree");
        let [Some(mut bodies), Some(mut blocks)] = [by_bodies, by_blocks].map(|train| tied.factors(&mut workspace, train)) else {
            return Err(TestCaseError::reject("redundant conditions"));
        };
        let tau: Vec<_> = (0..count).map(|k| 10.0 * (1.3 * k as f64).sin()).collect();
        let accelerations = |train: &Drivetrain<f64>, factors: &mut Factors<f64>, tau: &[f64], drifts: bool| {
            let mut rates: Vec<_> = (0..train.coordinates().len()).map(|k| f64::from(u8::from(drifts)) * (k as f64).cos()).collect();
            if drifts { train.accelerations(factors, tau, &mut rates) } else { train.responses(factors, tau, &mut rates) }
            let mut all = vec![0.0; count];
            train.rates(&rates, &mut all);
            all
        };
        let compare = |found: &[f64], expected: &[f64]| {
            let size = expected.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-10 * size)
        };
        let [found, expected] = [
            accelerations(by_bodies, &mut bodies, &tau, true),
            accelerations(by_blocks, &mut blocks, &tau, true),
        ];
        prop_assert!(compare(&found, &expected), "{found:?}\n{expected:?}");

        // Loads between two positions accelerate each other, also at the joints that close rings.
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
            let a = accelerations(by_blocks, &mut blocks, &load, false);
            let size = a.iter().fold(mobility.amax(), |size, a| size.max(a.abs()));
            for (i, [first, second]) in pairs.iter().enumerate().skip(k) {
                let expected = a[*second] - a[*first];
                prop_assert!((mobility[(i, k)] - expected).abs() <= 1e-10 * size, "{i} {k}: {} {expected}", mobility[(i, k)]);
            }
        }
    }
}
