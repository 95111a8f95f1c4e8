//! Mechanisms whose loops assemblies close: energies, Lagrange's equations from differences, cuts.

mod articulated;

use mechanics::assembly::{PointMass, Prismatic, Revolute, SphericalSpherical, Universal, UniversalPrismatic};
use mechanics::assembly::{Singular, UniversalSpherical};
use mechanics::motion::Motion;
use mechanics::rotation::from_cardan;
use mechanics::tree::{
    Assembly, AssemblyFrames, Body, Element, Gravity, Joint, JointKind, Pose, PositionError, Tree, TreeError, Workspace,
};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn vector() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from)
}

fn body() -> impl Strategy<Value = Body<f64>> {
    (0.1..3.0_f64, vector(), prop::array::uniform3(0.1..1.0_f64)).prop_map(|(m, center, moments)| Body {
        m,
        r_CM: center,
        I: Matrix3::from_diagonal(&Vector3::from(moments)),
    })
}

/// A limb: a joint at one of the frames so far, with a body behind it; or an assembly between two of them.
#[derive(Clone, Debug)]
struct Limb {
    at: [usize; 2],
    kind: usize,
    vectors: [Vector3<f64>; 4],
    body: Body<f64>,
    mass: f64,
}

fn limb(kinds: std::ops::Range<usize>) -> impl Strategy<Value = Limb> {
    let at = prop::array::uniform2(0..100_usize);
    (at, kinds, prop::array::uniform4(vector()), body(), 0.1..2.0_f64)
        .prop_map(|(at, kind, vectors, body, mass)| Limb { at, kind, vectors, body, mass })
}

/// Generates limbs: joints, then assemblies each with a joint behind one of its frames, then a second row of both.
fn limbs() -> impl Strategy<Value = Vec<Limb>> {
    let row = || {
        (prop::collection::vec(limb(0..2), 2..4), prop::collection::vec(limb(2..8), 1..3), limb(0..2)).prop_map(
            |(mut joints, assemblies, last)| {
                joints.extend(assemblies);
                joints.push(last);
                joints
            },
        )
    };
    (row(), row()).prop_map(|(mut one, other)| {
        one.extend(other);
        one
    })
}

fn direction(vector: &Vector3<f64>) -> Vector3<f64> {
    (vector + Vector3::new(0.0, 0.0, 1.5)).normalize()
}

/// Returns the assembly of a limb, with a rod 1 that closes the loop of these frames.
fn assembly(limb: &Limb, [a, b]: [&Motion<f64>; 2]) -> Assembly<f64> {
    let [axis, rod1, rod2, turn] = &limb.vectors;
    let (e, q) = (direction(axis), rod2 + Vector3::x());
    let n1 = direction(turn);
    let along = rod1 + Vector3::new(2.0, 0.0, 0.0);
    let p = b.T * (a.r_0 - b.r_0);
    let at_rest = if limb.kind == 2 { a.rotation_to(b) * n1 } else { e };
    let length = match limb.kind {
        2 | 3 | 5 => {
            // The distance is between the nearest and the farthest point that rod 2 reaches.
            let distance = |angle: f64| {
                let turned = nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(at_rest), angle) * q;
                (turned - p).norm()
            };
            let all = || (0..24).map(|k| distance(f64::from(k) * 0.2618));
            0.5 * (all().fold(f64::MAX, f64::min) + all().fold(0.0, f64::max))
        }
        _ => {
            let u = q - p;
            (u - e * e.dot(&u)).norm() + 0.7
        }
    };
    let universal = Universal::new(&n1, &along);
    let mass = PointMass { m: limb.mass, g: Vector3::zeros(), neglected: false };
    let (revolute, prismatic) = (Revolute { e, q }, Prismatic { e, q });
    match limb.kind {
        2 => Assembly::Rrr(UniversalSpherical { universal, length, joint: revolute }),
        3 => Assembly::Usr(UniversalSpherical { universal, length, joint: revolute }),
        4 => Assembly::Usp(UniversalSpherical { universal, length, joint: prismatic }),
        5 => Assembly::Ssr(SphericalSpherical { length, mass, joint: revolute }),
        6 => Assembly::Ssp(SphericalSpherical { length, mass, joint: prismatic }),
        _ => Assembly::Ups(UniversalPrismatic { universal }),
    }
}

struct Mechanism {
    tree: Tree<f64>,
    workspace: Workspace<f64>,
    elements: Vec<Element<f64>>,
    gravity: Gravity<f64>,
    count: usize,
}

impl Mechanism {
    /// Builds the mechanism of limbs at a position, in which its loops can be closed; none if a loop is singular or a
    /// frame moves with the other one.
    fn new(limbs: &[Limb], gravity: Gravity<f64>, q: &[f64]) -> Option<Self> {
        let mut elements = vec![Element::World { frame: 0, gravity }];
        let (mut frames, mut count) = (vec![0], 0);
        let mut axes = limbs.iter().filter(|limb| limb.kind < 2).count()..;
        let next = std::cell::Cell::new(1);
        let add = || next.replace(next.get() + 1);
        for limb in limbs {
            let [one, other] = limb.at.map(|at| frames[at % frames.len()]);
            if limb.kind < 2 {
                let (near, far) = (add(), add());
                let pose = Pose { r: limb.vectors[0], T: from_cardan(&limb.vectors[1]) };
                elements.push(Element::Rigid { frames: [one, near], pose });
                let kind = [JointKind::Revolute, JointKind::Prismatic][limb.kind];
                let joint = Joint { kind, e: direction(&limb.vectors[2]), position: count };
                elements.push(Element::Joint { frames: [near, far], joint });
                elements.push(Element::Body { frame: far, body: limb.body });
                frames.push(far);
                count += 1;
                continue;
            }
            let (near, far) = (add(), add());
            for (from, to, vector) in [(one, near, 0), (other, far, 1)] {
                let pose = Pose::translation(limb.vectors[vector] * 2.0);
                elements.push(Element::Rigid { frames: [from, to], pose });
            }
            let mut known = Self::of(&elements, next.get(), gravity, count)?;
            known.choose(q).ok()?;
            let [a, b] = [near, far].map(|frame| known.tree.frame(&known.workspace, frame));
            let assembly = assembly(limb, [&a, &b]);
            let has_ia = !matches!(assembly, Assembly::Ssr(_) | Assembly::Ssp(_));
            let ia = has_ia.then(&add);
            let ib = add();
            let im = (!matches!(assembly, Assembly::Ups(_))).then(&add);
            let inner = AssemblyFrames { outer: [near, far], ia, ib, im };
            let position = axes.next()?;
            elements.push(Element::Assembly { frames: inner, assembly, guess: limb.mass - 1.0, position });
            for frame in [ia, Some(ib), im].into_iter().flatten() {
                elements.push(Element::Body { frame, body: limb.body });
                frames.push(frame);
            }
        }
        let mut all = Self::of(&elements, next.get(), gravity, count)?;
        all.choose(q).ok()?;
        Some(all)
    }

    fn of(elements: &[Element<f64>], frames: usize, gravity: Gravity<f64>, count: usize) -> Option<Self> {
        let mut elements = elements.to_vec();
        elements.rotate_left(1);
        match Tree::new(frames, &elements) {
            Ok(tree) => Some(Self { workspace: tree.workspace(), tree, elements, gravity, count }),
            Err(TreeError::Still(_)) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn choose(&mut self, q: &[f64]) -> Result<(), PositionError> {
        let zeros = vec![0.0; q.len()];
        self.tree.choose(&mut self.workspace, [q, &zeros, &zeros])
    }

    fn move_to(&mut self, motion: [&[f64]; 3]) -> Option<()> {
        self.tree.set_motion(&mut self.workspace, motion).ok()
    }

    /// Returns kinetic and potential energy, from the motion of the bodies' frames, with the masses of rods 1.
    fn energies(&mut self, q: &[f64], v: &[f64]) -> Option<[f64; 2]> {
        self.move_to([q, v, &vec![0.0; q.len()]])?;
        let mut sums = [0.0; 2];
        let mut add = |m: f64, r: Vector3<f64>, v: Vector3<f64>| {
            sums[0] += 0.5 * m * v.norm_squared();
            sums[1] -= match self.gravity {
                Gravity::Uniform(g) => m * g.dot(&r),
                Gravity::Point(mue) => m * mue / r.norm(),
            };
        };
        let mut turning = 0.0;
        for element in &self.elements {
            let frame = |frame: usize| self.tree.frame(&self.workspace, frame);
            match element {
                Element::Body { frame: at, body: Body { m, r_CM, I } } => {
                    let motion = frame(*at);
                    let center = motion.translated(r_CM);
                    add(*m, center.r_0, center.v_0);
                    turning += 0.5 * motion.w.dot(&(I * motion.w));
                }
                Element::Assembly { frames, assembly: Assembly::Ssr(_) | Assembly::Ssp(_), .. } => {
                    let mass = match element {
                        Element::Assembly { assembly: Assembly::Ssr(own), .. } => own.mass.m,
                        Element::Assembly { assembly: Assembly::Ssp(own), .. } => own.mass.m,
                        _ => unreachable!(),
                    };
                    let (a, im) = (frame(frames.outer[0]), frame(frames.im?));
                    add(mass, (a.r_0 + im.r_0) * 0.5, (a.v_0 + im.v_0) * 0.5);
                }
                _ => {}
            }
        }
        Some([sums[0] + turning, sums[1]])
    }

    fn loads(&mut self, motion: [&[f64]; 3]) -> Option<Vec<f64>> {
        let mut loads = vec![0.0; self.count];
        self.move_to(motion)?;
        self.tree.loads(&mut self.workspace, |position, load| loads[position] += load).ok()?;
        Some(loads)
    }

    fn masses(&mut self, q: &[f64]) -> Option<DMatrix<f64>> {
        let zeros = vec![0.0; q.len()];
        self.move_to([q, &zeros, &zeros])?;
        let mut masses = DMatrix::zeros(q.len(), q.len());
        self.tree.masses(&mut self.workspace, |[j, k], mass| {
            masses[(j, k)] += mass;
            masses[(k, j)] = masses[(j, k)];
        });
        Some(masses)
    }
}

fn mechanism() -> impl Strategy<Value = (Vec<Limb>, Gravity<f64>, Vec<[f64; 3]>)> {
    let gravity =
        prop_oneof![vector().prop_map(|g| Gravity::Uniform(g * 10.0)), (1.0..20.0_f64).prop_map(Gravity::Point)];
    (limbs(), gravity).prop_flat_map(|(limbs, gravity)| {
        let count = limbs.iter().filter(|limb| limb.kind < 2).count();
        let motion = prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), count);
        (Just(limbs), Just(gravity), motion)
    })
}

fn column(motion: &[[f64; 3]], order: usize) -> Vec<f64> {
    motion.iter().map(|motion| motion[order]).collect()
}

/// Builds a mechanism not too near to a singular position, where differences say little.
fn regular(limbs: &[Limb], gravity: Gravity<f64>, motion: &[[f64; 3]]) -> Option<(Mechanism, [Vec<f64>; 3])> {
    let all = [0, 1, 2].map(|order| column(motion, order));
    let mut mechanism = Mechanism::new(limbs, gravity, &all[0])?;
    let masses = mechanism.masses(&all[0])?;
    let bias = mechanism.loads([&all[0], &all[1], &vec![0.0; all[0].len()]])?;
    let is_moderate = masses.amax() < 1e3 && bias.iter().all(|load| load.abs() < 1e4);
    is_moderate.then_some((mechanism, all))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("TEST_ALL").is_some() { 48 } else { 16 },
        failure_persistence: None, rng_seed: RngSeed::Fixed(27), max_global_rejects: 20_000, ..ProptestConfig::default()
    })]

    /// `tau = d/dt dT/dq' - d(T - V)/dq`: M by second differences of T, which are exact for a square, the rest by differences
    /// along the motion.
    #[test]
    fn loads_are_those_of_lagrange((limbs, gravity, motion) in mechanism()) {
        let Some((mut mechanism, [mut q, v, a])) = regular(&limbs, gravity, &motion) else { return Err(TestCaseError::reject("singular")) };
        let count = q.len();
        let masses = mechanism.masses(&q).expect("regular");
        let mut kinetic = |v: &[f64]| mechanism.energies(&q, v).expect("regular")[0];
        let unit = |j: usize, k: usize| (0..count).map(|i| f64::from(u8::from(i == j)) + f64::from(u8::from(i == k))).collect::<Vec<_>>();
        for j in 0..count {
            let single = kinetic(&unit(j, count));
            prop_assert!((masses[(j, j)] - 2.0 * single).abs() < 1e-10 * (1.0 + masses.amax()), "{j}: {} {}", masses[(j, j)], 2.0 * single);
            for k in 0..j {
                let mixed = kinetic(&unit(j, k)) - single - kinetic(&unit(k, count));
                prop_assert!((masses[(j, k)] - mixed).abs() < 1e-10 * (1.0 + masses.amax()), "{j} {k}: {} {mixed}", masses[(j, k)]);
                prop_assert!((masses[(k, j)] - mixed).abs() < 1e-10 * (1.0 + masses.amax()), "{k} {j}: {} {mixed}", masses[(k, j)]);
            }
        }
        let loads = mechanism.loads([&q, &v, &a]).expect("regular");
        // Differences of fourth order.
        let h = 1e-3;
        let rate = |at: &mut dyn FnMut(f64) -> Option<f64>| -> Option<f64> {
            Some((8.0 * (at(h)? - at(-h)?) - at(2.0 * h)? + at(-2.0 * h)?) / (12.0 * h))
        };
        let size = 1.0 + masses.amax() + loads.iter().fold(0.0_f64, |size, load| size.max(load.abs()));
        for k in 0..count {
            let mut momentum = |s: f64| -> Option<f64> {
                let at = |i: usize| [q[i] + v[i] * s + 0.5 * a[i] * s * s, v[i] + a[i] * s];
                let [q, v] = [0, 1].map(|order| (0..count).map(|i| at(i)[order]).collect::<Vec<_>>());
                Some((mechanism.masses(&q)? * DVector::from_vec(v))[k])
            };
            let change = rate(&mut momentum);
            let here = q[k];
            let mut lagrangian = |shift: f64| -> Option<f64> {
                q[k] = here + shift;
                let [kinetic, potential] = mechanism.energies(&q, &v)?;
                Some(kinetic - potential)
            };
            let slope = rate(&mut lagrangian);
            q[k] = here;
            let (Some(change), Some(slope)) = (change, slope) else { return Err(TestCaseError::reject("singular")) };
            prop_assert!((change - slope - loads[k]).abs() < 1e-4 * size, "{k}: {} {}", change - slope, loads[k]);
        }
    }

    /// Compares with `tau = M a + h`; the load that drives an assembly takes its part from the joints by the slopes.
    #[test]
    fn masses_are_what_accelerations_need((limbs, gravity, motion) in mechanism()) {
        let Some((mut mechanism, [q, v, a])) = regular(&limbs, gravity, &motion) else { return Err(TestCaseError::reject("singular")) };
        let bias = mechanism.loads([&q, &v, &vec![0.0; q.len()]]).expect("regular");
        let loads = mechanism.loads([&q, &v, &a]).expect("regular");
        mechanism.tree.set_drives(&mut mechanism.workspace, |i| 1.0 + i as f64);
        let driven = mechanism.loads([&q, &v, &a]).expect("regular");
        let masses = mechanism.masses(&q).expect("regular");
        let mut by_drives = vec![0.0; q.len()];
        for (i, position, slope) in mechanism.workspace.slopes() {
            by_drives[*position] += slope * (1.0 + *i as f64);
        }
        let by_masses = &masses * DVector::from_column_slice(&a);
        for k in 0..q.len() {
            let size = 1.0 + loads[k].abs() + bias[k].abs() + masses.amax();
            prop_assert!((loads[k] - bias[k] - by_masses[k]).abs() < 1e-9 * size, "{k}");
            prop_assert!((loads[k] - driven[k] - by_drives[k]).abs() < 1e-9 * (size + by_drives[k].abs()), "{k}: {} {}", loads[k] - driven[k], by_drives[k]);
        }
        // The slopes are those of the coordinate.
        let assemblies: Vec<usize> = mechanism.tree.assemblies().collect();
        for (i, element) in assemblies.into_iter().enumerate() {
            mechanism.move_to([&q, &v, &a]).expect("regular");
            let (x, _, _) = mechanism.tree.closed(&mechanism.workspace, element).expect("an assembly");
            let by_slopes: f64 = mechanism.workspace.slopes().iter().filter(|slope| slope.0 == i).map(|(_, k, slope)| slope * v[*k]).sum();
            prop_assert!((x.v - by_slopes).abs() < 1e-9 * (1.0 + x.v.abs()));
        }
    }
}

const WORLD: Element<f64> = Element::World { frame: 0, gravity: Gravity::Uniform(Vector3::new(0.0, 0.0, 0.0)) };

fn revolute(frames: [usize; 2], position: usize) -> Element<f64> {
    Element::Joint { frames, joint: Joint { kind: JointKind::Revolute, e: Vector3::z(), position } }
}

fn rrp(outer: [usize; 2], inner: [usize; 3]) -> Element<f64> {
    let joint = Prismatic { e: Vector3::x(), q: Vector3::zeros() };
    let assembly = Assembly::Usp(UniversalSpherical::new(&Vector3::z(), &Vector3::new(0.5, 0.0, 0.0), joint));
    let [ia, ib, im] = inner;
    let frames = AssemblyFrames { outer, ia: Some(ia), ib, im: Some(im) };
    Element::Assembly { frames, assembly, guess: 1.0, position: usize::MAX }
}

#[test]
fn what_closes_no_loop_is_named() {
    let bar = |frames, length: f64| Element::Rigid { frames, pose: Pose::translation(Vector3::new(length, 0.0, 0.0)) };
    let refused = |elements: &[Element<f64>]| Tree::new(8, elements).unwrap_err();
    let alone = [WORLD, revolute([0, 1], 0), rrp([2, 0], [3, 4, 5])];
    assert_eq!(refused(&alone), TreeError::OneEnd(2, 1));
    assert_eq!(refused(&[WORLD, rrp([2, 1], [3, 4, 5])]), TreeError::Apart(1));
    let still = [WORLD, bar([0, 1], 0.2), rrp([1, 0], [3, 4, 5])];
    assert_eq!(refused(&still), TreeError::Still(2));
    // frame_im is held by the world, too.
    let held = [WORLD, revolute([0, 1], 0), bar([1, 2], 0.2), rrp([2, 0], [3, 4, 5]), bar([5, 0], 1.0)];
    let TreeError::Loop(through) = refused(&held) else { panic!("a loop") };
    assert!(through.contains(&3) && through.contains(&4), "{through:?}");
}

/// A crank of 0.2 m and a rod of 0.5 m: positions that they can take, and those that they cannot.
#[test]
fn a_slider_crank_is_where_its_triangle_says() {
    let arm = Element::Rigid { frames: [1, 2], pose: Pose::translation(Vector3::new(0.2, 0.0, 0.0)) };
    let elements = [WORLD, revolute([0, 1], 0), arm, rrp([2, 0], [3, 4, 5])];
    let tree = Tree::new(6, &elements).expect("a mechanism");
    let mut workspace = tree.workspace();
    let zero: &[f64] = &[0.0];
    tree.choose(&mut workspace, [&[0.3], zero, zero]).expect("a position");
    for phi in [0.3_f64, 1.5, 2.7, 4.0] {
        tree.set_motion(&mut workspace, [&[phi], zero, zero]).expect("a position");
        let expected = 0.2 * phi.cos() + (0.25 - 0.04 * phi.sin() * phi.sin()).sqrt();
        assert!((tree.frame(&workspace, 5).r_0 - Vector3::new(expected, 0.0, 0.0)).norm() < 1e-14);
    }
    let far = Element::Rigid { frames: [1, 2], pose: Pose::translation(Vector3::new(0.7, 0.0, 0.0)) };
    let tree = Tree::new(6, &[WORLD, revolute([0, 1], 0), far, rrp([2, 0], [3, 4, 5])]).expect("a mechanism");
    let mut workspace = tree.workspace();
    let half = [std::f64::consts::FRAC_PI_2];
    let reason = tree.choose(&mut workspace, [&half, zero, zero]).unwrap_err();
    assert_eq!(reason.element, 3);
    assert!(matches!(reason.singular, Some(Singular::Reach { length: 0.5, .. })), "{reason:?}");
    // For an analysis the assembly gets another rod.
    workspace.stretches = true;
    tree.choose(&mut workspace, [&half, zero, zero]).expect("a longer rod");
    assert!(tree.frame(&workspace, 5).r_0.x.is_finite());
}
