//! Mechanisms in space: energies, Lagrange's equations from differences, Kane's equations, cuts.

mod articulated;
mod clusters;

use mechanics::motion::Motion;
use mechanics::rotation::from_cardan;
use mechanics::tree::{Body, Element, Gravity, Joint, JointKind, Pose, Rotor, Tree, TreeError, Workspace};
use nalgebra::{DMatrix, Matrix3, Rotation3, Vector3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A limb: a joint to one of the links so far, from either side, and the body behind it.
#[derive(Clone, Debug)]
struct Limb {
    parent: usize,
    is_reversed: bool,
    kind: JointKind,
    e: Vector3<f64>,
    pose: Pose<f64>,
    /// Pose of the second frame of a spherical or free joint.
    given: Pose<f64>,
    body: Body<f64>,
}

impl Limb {
    /// Returns the pose of the joint after a while, if velocities and their rates are these.
    fn given(&self, [v, a]: [&[f64]; 2], s: f64) -> Pose<f64> {
        let shift = |first: usize| Vector3::from_fn(|i, _| v[first + i] * s + 0.5 * a[first + i] * s * s);
        let turned = |first: usize| Rotation3::from_scaled_axis(-shift(first)).matrix() * self.given.T;
        match self.kind {
            JointKind::Spherical => Pose { r: Vector3::zeros(), T: turned(0) },
            JointKind::Free => Pose { r: self.given.r + shift(0), T: turned(3) },
            JointKind::Revolute | JointKind::Prismatic => self.given,
            JointKind::Wheel | JointKind::WheelSet => unreachable!("wheels have tests of their own"),
        }
    }
}

fn vector() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from)
}

const SIMPLE: &[JointKind] = &[JointKind::Revolute, JointKind::Prismatic];
const ALL: &[JointKind] = &[JointKind::Revolute, JointKind::Prismatic, JointKind::Spherical, JointKind::Free];

fn limb(kinds: &'static [JointKind]) -> impl Strategy<Value = Limb> {
    let kind = prop::sample::select(kinds);
    let axis = vector().prop_map(|axis| (axis + Vector3::new(0.0, 0.0, 2.0)).normalize());
    let pose = || (vector(), vector()).prop_map(|(r, angles)| Pose { r, T: from_cardan(&(angles * 3.0)) });
    let body = (0.1..3.0_f64, vector(), prop::array::uniform3(0.1..1.0_f64), vector()).prop_map(
        |(m, center, moments, angles)| {
            let turn = from_cardan(&angles);
            Body { m, r_CM: center, I: turn.transpose() * Matrix3::from_diagonal(&Vector3::from(moments)) * turn }
        },
    );
    (0..100_usize, any::<bool>(), kind, axis, [pose(), pose()], body).prop_map(
        |(parent, is_reversed, kind, e, [pose, given], body)| Limb { parent, is_reversed, kind, e, pose, given, body },
    )
}

/// Returns the first position of each limb, and the number of positions.
fn positions(limbs: &[Limb]) -> (Vec<usize>, usize) {
    let mut count = 0;
    let firsts = limbs.iter().map(|limb| {
        count += limb.kind.count();
        count - limb.kind.count()
    });
    (firsts.collect(), count)
}

/// Returns the elements of the limbs, in an order that says nothing. Frame 0 is the world; limb k has the frames 2 k +
/// 1, behind its rigid part, and 2 k + 2, behind its joint.
fn elements(limbs: &[Limb], gravity: Gravity<f64>) -> Vec<Element<f64>> {
    let mut elements = Vec::new();
    let (firsts, _) = positions(limbs);
    for (k, limb) in limbs.iter().enumerate() {
        let (root, near, far) = (2 * (limb.parent % (k + 1)), 2 * k + 1, 2 * k + 2);
        let frames = if limb.is_reversed { [far, near] } else { [near, far] };
        elements.push(Element::Body { frame: far, body: limb.body });
        elements.push(Element::Joint { frames, joint: Joint { kind: limb.kind, e: limb.e, position: firsts[k] } });
        elements.push(match limb.is_reversed {
            true => Element::Rigid { frames: [near, root], pose: limb.pose.inverse() },
            false => Element::Rigid { frames: [root, near], pose: limb.pose },
        });
    }
    elements.push(Element::World { frame: 0, gravity });
    elements.rotate_left(limbs.len());
    elements
}

struct Mechanism {
    tree: Tree<f64>,
    workspace: Workspace<f64>,
    limbs: Vec<Limb>,
    gravity: Gravity<f64>,
}

impl Mechanism {
    fn new(limbs: &[Limb], gravity: Gravity<f64>) -> Self {
        let tree = Tree::new(2 * limbs.len() + 1, &elements(limbs, gravity)).expect("a tree");
        let mut mechanism = Self { workspace: tree.workspace(), tree, limbs: limbs.to_vec(), gravity };
        let zeros = vec![0.0; positions(limbs).1];
        mechanism.set_poses([&zeros, &zeros], 0.0);
        mechanism
    }

    /// Sets the poses of joints after a while, if velocities and their rates are these.
    fn set_poses(&mut self, [v, a]: [&[f64]; 2], s: f64) {
        let Self { tree, workspace, limbs, gravity } = self;
        let (firsts, _) = positions(limbs);
        let elements = elements(limbs, *gravity);
        let posed = tree.posed().to_vec();
        tree.set_poses(workspace, |i| {
            let Element::Joint { joint, .. } = elements[posed[i]] else { panic!("a joint") };
            let k = firsts.iter().position(|first| *first == joint.position).expect("its limb");
            limbs[k].given([&v[firsts[k]..], &a[firsts[k]..]], s)
        });
    }

    fn frame(&self, k: usize) -> Motion<f64> {
        self.tree.frame(&self.workspace, 2 * k + 2)
    }

    /// Returns kinetic and potential energy, from the motion of the bodies' frames.
    fn energies(&mut self, q: &[f64], v: &[f64]) -> [f64; 2] {
        self.tree.set_motion(&mut self.workspace, [q, v, &vec![0.0; q.len()]]).expect("a tree");
        let mut sums = [0.0; 2];
        for (k, limb) in self.limbs.iter().enumerate() {
            let Body { m, r_CM, I } = limb.body;
            let motion = self.frame(k);
            let at = |vector: Vector3<f64>| motion.T.transpose() * vector;
            let velocity = motion.v_0 + at(motion.w.cross(&r_CM));
            let r = motion.r_0 + at(r_CM);
            sums[0] += 0.5 * m * velocity.norm_squared() + 0.5 * motion.w.dot(&(I * motion.w));
            sums[1] -= match self.gravity {
                Gravity::Uniform(g) => m * g.dot(&r),
                Gravity::Point(mue) => m * mue / r.norm(),
            };
        }
        sums
    }

    fn loads(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let mut loads = vec![0.0; q.len()];
        self.tree.set_motion(&mut self.workspace, [q, v, a]).expect("a tree");
        self.tree.loads(&mut self.workspace, |position, load| loads[position] = load).expect("no body in the center");
        loads
    }

    fn masses(&mut self, q: &[f64]) -> DMatrix<f64> {
        let zeros = vec![0.0; q.len()];
        self.tree.set_motion(&mut self.workspace, [q, &zeros, &zeros]).expect("a tree");
        let mut masses = DMatrix::zeros(q.len(), q.len());
        self.tree.masses(&mut self.workspace, |[j, k], mass| {
            masses[(j, k)] += mass;
            masses[(k, j)] = masses[(j, k)];
        });
        masses
    }
}

fn mechanism(kinds: &'static [JointKind]) -> impl Strategy<Value = (Vec<Limb>, Gravity<f64>, Vec<[f64; 3]>)> {
    mechanism_of(1..12, kinds)
}

fn mechanism_of(
    counts: std::ops::Range<usize>,
    kinds: &'static [JointKind],
) -> impl Strategy<Value = (Vec<Limb>, Gravity<f64>, Vec<[f64; 3]>)> {
    let gravity =
        prop_oneof![vector().prop_map(|g| Gravity::Uniform(g * 10.0)), (1.0..20.0_f64).prop_map(Gravity::Point),];
    counts.prop_flat_map(move |count| {
        (prop::collection::vec(limb(kinds), count), gravity.clone()).prop_flat_map(|(limbs, gravity)| {
            let motion = prop::collection::vec(prop::array::uniform3(-1.5..1.5_f64), positions(&limbs).1);
            (Just(limbs), Just(gravity), motion)
        })
    })
}

fn column(motion: &[[f64; 3]], order: usize) -> Vec<f64> {
    motion.iter().map(|motion| motion[order]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if std::env::var_os("TEST_ALL").is_some() { 64 } else { 6 },
        failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default()
    })]

    /// `tau = d/dt dT/dq' - d(T - V)/dq`, with T and V from the bodies' motion: M by second differences of T, which are exact
    /// for a square, the rest by differences along the motion.
    #[test]
    fn loads_are_those_of_lagrange((limbs, gravity, motion) in mechanism(SIMPLE)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        // The bodies are far from the center of gravity.
        let [mut q, v, a] = [0, 1, 2].map(|order| column(&motion, order));
        if let Gravity::Point(_) = gravity {
            mechanism.energies(&q, &v);
            for (k, limb) in limbs.iter().enumerate() {
                prop_assume!((mechanism.frame(k).r_0 + mechanism.frame(k).T.transpose() * limb.body.r_CM).norm() > 0.3);
            }
        }
        let count = q.len();
        let masses = mechanism.masses(&q);
        let mut kinetic = |q: &[f64], v: &[f64]| mechanism.energies(q, v)[0];
        let unit = |j: usize, k: usize| (0..count).map(|i| f64::from(u8::from(i == j)) + f64::from(u8::from(i == k))).collect::<Vec<_>>();
        for j in 0..count {
            let single = kinetic(&q, &unit(j, count));
            prop_assert!((masses[(j, j)] - 2.0 * single).abs() < 1e-11 * (1.0 + masses.amax()));
            for k in 0..j {
                let mixed = kinetic(&q, &unit(j, k)) - single - kinetic(&q, &unit(k, count));
                prop_assert!((masses[(j, k)] - mixed).abs() < 1e-11 * (1.0 + masses.amax()), "{j} {k}: {} {mixed}", masses[(j, k)]);
            }
        }
        prop_assert!(masses.clone().cholesky().is_some());
        let loads = mechanism.loads(&q, &v, &a);
        let h = 1e-4;
        // Along the motion: momenta p = M v before and after.
        let along = |s: f64| -> [Vec<f64>; 2] {
            let at = |i: usize| [q[i] + v[i] * s + 0.5 * a[i] * s * s, v[i] + a[i] * s];
            [0, 1].map(|order| (0..count).map(|i| at(i)[order]).collect())
        };
        let mut momenta = |s: f64| {
            let [q, v] = along(s);
            mechanism.masses(&q) * nalgebra::DVector::from_vec(v)
        };
        let change = (momenta(h) - momenta(-h)) / (2.0 * h);
        let size = 1.0 + loads.iter().fold(0.0_f64, |size, load| size.max(load.abs()));
        for k in 0..count {
            let here = q[k];
            let mut lagrangian = |shift: f64| {
                q[k] = here + shift;
                let [kinetic, potential] = mechanism.energies(&q, &v);
                kinetic - potential
            };
            let slope = (lagrangian(h) - lagrangian(-h)) / (2.0 * h);
            q[k] = here;
            prop_assert!((change[k] - slope - loads[k]).abs() < 2e-5 * size, "{k}: {} {}", change[k] - slope, loads[k]);
        }
    }

    /// Kane's equations: `tau_k` is the sum over all bodies of the loads that move them times their velocities if only
    /// v_k is not 0.
    #[test]
    fn loads_are_those_of_kane((limbs, gravity, motion) in mechanism(ALL)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let [q, v, a] = [0, 1, 2].map(|order| column(&motion, order));
        let mut motions = |v: &[f64], a: &[f64]| {
            mechanism.tree.set_motion(&mut mechanism.workspace, [&q, v, a]).expect("a tree");
            (0..limbs.len()).map(|k| mechanism.frame(k)).collect::<Vec<_>>()
        };
        let zeros = vec![0.0; q.len()];
        let moved = motions(&v, &a);
        let mut expected = Vec::new();
        for k in 0..q.len() {
            let unit: Vec<_> = (0..q.len()).map(|i| f64::from(u8::from(i == k))).collect();
            let mut sum = 0.0;
            for ((limb, here), virtual_motion) in limbs.iter().zip(&moved).zip(motions(&unit, &zeros)) {
                let Body { m, r_CM, I } = limb.body;
                let center = here.translated(&r_CM);
                if let Gravity::Point(_) = gravity {
                    prop_assume!(center.r_0.norm() > 0.3);
                }
                let f = (center.a_0 - gravity.at(&center.r_0)) * m;
                let t = I * here.z + here.w.cross(&(I * here.w));
                sum += f.dot(&virtual_motion.translated(&r_CM).v_0) + t.dot(&virtual_motion.w);
            }
            expected.push(sum);
        }
        let loads = mechanism.loads(&q, &v, &a);
        let size = 1.0 + loads.iter().fold(0.0_f64, |size, load| size.max(load.abs()));
        for (found, expected) in loads.iter().zip(&expected) {
            prop_assert!((found - expected).abs() < 1e-11 * size, "{found} {expected}");
        }
        // M by second differences of the kinetic energy, which are exact for a square.
        let masses = mechanism.masses(&q);
        let unit = |j: usize, k: usize| (0..q.len()).map(|i| f64::from(u8::from(i == j)) + f64::from(u8::from(i == k))).collect::<Vec<_>>();
        for j in 0..q.len() {
            for k in 0..q.len() {
                let [both, one, other] = [unit(j, k), unit(j, q.len()), unit(k, q.len())].map(|v| mechanism.energies(&q, &v)[0]);
                let mixed = both - one - other;
                prop_assert!((masses[(j, k)] - mixed).abs() < 1e-11 * (1.0 + masses.amax()), "{j} {k}: {} {mixed}", masses[(j, k)]);
            }
        }
        prop_assert!(masses.cholesky().is_some());
    }

    /// `tau = M a + h`: what joints need is affine in the accelerations.
    #[test]
    fn masses_are_what_accelerations_need((limbs, gravity, motion) in mechanism(ALL)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let [q, v, a] = [0, 1, 2].map(|order| column(&motion, order));
        let bias = mechanism.loads(&q, &v, &vec![0.0; q.len()]);
        let loads = mechanism.loads(&q, &v, &a);
        let masses = mechanism.masses(&q);
        let by_masses = &masses * nalgebra::DVector::from_column_slice(&a);
        for k in 0..q.len() {
            let size = loads[k].abs() + bias[k].abs() + by_masses.amax();
            prop_assert!((loads[k] - bias[k] - by_masses[k]).abs() < 1e-10 * (1.0 + size));
        }
    }

    /// The frames move as their velocities and accelerations say.
    #[test]
    fn velocities_are_rates_of_positions((limbs, gravity, motion) in mechanism(ALL)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let [q, v, a] = [0, 1, 2].map(|order| column(&motion, order));
        let last = limbs.len() - 1;
        let mut at = |s: f64| {
            mechanism.set_poses([&v, &a], s);
            let [q, v]: [Vec<f64>; 2] = [0, 1].map(|order| (0..q.len()).map(|i| match order {
                0 => q[i] + v[i] * s + 0.5 * a[i] * s * s,
                _ => v[i] + a[i] * s,
            }).collect());
            mechanism.tree.set_motion(&mut mechanism.workspace, [&q, &v, &a]).expect("a tree");
            mechanism.frame(last)
        };
        let h = 1e-5;
        let (before, here, after) = (at(-h), at(0.0), at(h));
        let rate = |after: Vector3<f64>, before: Vector3<f64>| (after - before) / (2.0 * h);
        let size = 1.0 + here.a_0.norm() + here.z.norm();
        prop_assert!((rate(after.r_0, before.r_0) - here.v_0).norm() < 1e-6 * size);
        prop_assert!((rate(after.v_0, before.v_0) - here.a_0).norm() < 1e-6 * size);
        prop_assert!((rate(after.w, before.w) - here.z).norm() < 1e-6 * size);
        let turn = -(after.T - before.T) / (2.0 * h) * here.T.transpose();
        prop_assert!((turn - here.w.cross_matrix()).amax() < 1e-6 * size);
    }

    /// The cut loads of a joint balance each other about its origin, and the one behind it balances the bodies that it
    /// carries; its load along the axis drives it.
    #[test]
    fn cuts_balance((limbs, gravity, motion) in mechanism(ALL)) {
        let mut mechanism = Mechanism::new(&limbs, gravity);
        let [q, v, a] = [0, 1, 2].map(|order| column(&motion, order));
        let loads = mechanism.loads(&q, &v, &a);
        for (k, limb) in limbs.iter().enumerate() {
            let element = elements(&limbs, gravity).iter().position(|element| {
                matches!(element, Element::Joint { joint, .. } if joint.position == positions(&limbs).0[k])
            }).expect("its joint");
            let [one, other] = mechanism.tree.cut_loads(&mechanism.workspace, element);
            let (near_load, far_load) = if limb.is_reversed { (other, one) } else { (one, other) };
            let frame = |frame: usize| mechanism.tree.frame(&mechanism.workspace, frame);
            let (near, far) = (frame(2 * k + 1), frame(2 * k + 2));
            let to_world = |motion: &Motion<f64>, vector: Vector3<f64>| motion.T.transpose() * vector;
            let (f, g) = (to_world(&near, near_load.f), to_world(&far, far_load.f));
            let moment = to_world(&near, near_load.t) + to_world(&far, far_load.t) + (far.r_0 - near.r_0).cross(&g);
            let size = 1.0 + f.norm() + near_load.t.norm() + far_load.t.norm();
            prop_assert!((f + g).norm() < 1e-11 * size && moment.norm() < 1e-10 * size);
            let along = match limb.kind {
                JointKind::Revolute => vec![-limb.e.dot(&other.t)],
                JointKind::Prismatic => vec![-limb.e.dot(&other.f)],
                JointKind::Spherical => (-other.t).iter().copied().collect(),
                JointKind::Free => one.f.iter().copied().chain((-other.t).iter().copied()).collect(),
                JointKind::Wheel | JointKind::WheelSet => unreachable!("wheels have tests of their own"),
            };
            let loads = &loads[positions(&limbs).0[k]..];
            for (along, load) in along.iter().zip(loads) {
                prop_assert!((along - load).abs() < 1e-11 * size, "{k}: {along} {load}");
            }
            prop_assert_eq!(mechanism.tree.driving_load(&mechanism.workspace, element), loads[0]);
        }
    }
}

fn joint(frames: [usize; 2], position: usize) -> Element<f64> {
    Element::Joint { frames, joint: Joint { kind: JointKind::Revolute, e: Vector3::z(), position } }
}

fn rigid(frames: [usize; 2]) -> Element<f64> {
    Element::Rigid { frames, pose: Pose::translation(Vector3::x()) }
}

#[test]
fn what_is_no_tree_is_named() {
    let world = Element::World { frame: 0, gravity: Gravity::Uniform(Vector3::zeros()) };
    let fixed = |frame| Element::Fixed { frame, pose: Pose::translation(Vector3::y()) };
    let refused = |elements: &[Element<f64>]| Tree::new(6, elements).unwrap_err();
    assert_eq!(refused(&[joint([0, 1], 0)]), TreeError::NoWorld);
    assert_eq!(refused(&[world, joint([0, 1], 0), world]), TreeError::Worlds(2));
    assert_eq!(refused(&[world, joint([0, 1], 0), joint([2, 3], 1)]), TreeError::Apart(2));
    // Four bars: world, 1, 2, 3 and a fixed frame, then with the fixed frame as a part of the world.
    let bars = [world, joint([0, 1], 0), rigid([1, 2]), joint([2, 3], 1), joint([3, 4], 2), fixed(4)];
    let TreeError::Loop(mut through) = refused(&bars) else { panic!("a loop") };
    through.sort_unstable();
    assert_eq!(through, [1, 2, 3, 4]);
    // A branch does not belong to the loop.
    let triangle = [world, joint([0, 1], 0), rigid([1, 2]), rigid([2, 3]), rigid([3, 1]), joint([3, 4], 1)];
    let TreeError::Loop(mut through) = refused(&triangle) else { panic!("a loop") };
    through.sort_unstable();
    assert_eq!(through, [2, 3, 4]);
    assert_eq!(refused(&[world, fixed(0)]), TreeError::Loop(vec![1]));
}
