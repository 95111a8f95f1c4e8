//! Gears with losses: chains against bisection over the acceleration, and chains with brakes and clutches against all
//! combinations of states.

use mechanics::friction::{AtRest, Limits, LossTable, Losses, StickState};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use crate::fixture::cases;

/// A gear from one shaft to the next one of a chain.
#[derive(Clone, Copy, Debug)]
struct Mesh {
    ratio: f64,
    losses: Losses<f64>,
}

/// Shafts in a row with gears between them, all at rest.
#[derive(Clone, Debug)]
struct Chain {
    inertias: Vec<f64>,
    torques: Vec<f64>,
    meshes: Vec<Mesh>,
}

/// Generates gears, some without losses of the mesh, with torques of bearings or without.
fn mesh() -> impl Strategy<Value = Mesh> {
    let ratio = (0.3..3.0_f64, any::<bool>()).prop_map(|(size, sign)| if sign { size } else { -size });
    let eta = || prop_oneof![4 => 0.05..1.0_f64, 1 => Just(1.0)];
    let tau = || prop_oneof![1 => Just(0.0), 2 => 0.0..1.0_f64];
    (ratio, [eta(), eta()], [tau(), tau()]).prop_map(|(ratio, eta, tau)| {
        let tau = if eta == [1.0; 2] { [tau[0]; 2] } else { tau };
        Mesh { ratio, losses: Losses { eta, tau } }
    })
}

fn chain(most: usize) -> impl Strategy<Value = Chain> {
    prop::collection::vec(mesh(), 1..=most).prop_flat_map(|meshes| {
        let shafts = meshes.len() + 1;
        (prop::collection::vec(0.1..5.0_f64, shafts), prop::collection::vec(-4.0..4.0_f64, shafts), Just(meshes))
            .prop_map(|(inertias, torques, meshes)| Chain { inertias, torques, meshes })
    })
}

impl Chain {
    /// Returns the speed of each shaft by that of the first one.
    fn speeds(&self) -> Vec<f64> {
        let next = |speed: &mut f64, mesh: &Mesh| {
            *speed /= mesh.ratio;
            Some(*speed)
        };
        [1.0].into_iter().chain(self.meshes.iter().scan(1.0, next)).collect()
    }

    /// Follows the torque from the first shaft to the last one in a direction of the motion; returns what accelerates the last
    /// one, by the first, and the lost torques.
    fn residual(&self, direction: f64, a: f64) -> (f64, Vec<f64>) {
        let speeds = self.speeds();
        let mut torque = self.torques[0] - self.inertias[0] * a;
        let mut lost = Vec::new();
        for (k, Mesh { ratio, losses: Losses { eta, tau } }) in self.meshes.iter().enumerate() {
            let sign = direction * speeds[k].signum();
            let u = sign * torque;
            let loss = sign * ((1.0 - eta[0]) * u + tau[0]).max((1.0 - 1.0 / eta[1]) * u + tau[1]);
            lost.push(loss);
            torque = ratio * (torque - loss) + self.torques[k + 1] - self.inertias[k + 1] * speeds[k + 1] * a;
        }
        (torque * speeds[speeds.len() - 1], lost)
    }

    /// Returns the acceleration of the first shaft, and the lost torques if it moves.
    fn by_bisection(&self) -> (f64, Option<Vec<f64>>) {
        for direction in [1.0, -1.0] {
            if direction * self.residual(direction, 0.0).0 <= 0.0 {
                continue;
            }
            let (mut low, mut high) = (0.0, 1.0);
            while direction * self.residual(direction, direction * high).0 > 0.0 {
                high *= 2.0;
            }
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if direction * self.residual(direction, direction * middle).0 > 0.0 {
                    low = middle
                } else {
                    high = middle
                }
            }
            return (direction * low, Some(self.residual(direction, direction * low).1));
        }
        (0.0, None)
    }
}

/// Chains with friction elements between their shafts, and between these and the housing.
struct Problem {
    /// Coefficients of each element by the shafts.
    rows: DMatrix<f64>,
    limits: Vec<Limits<f64>>,
    gears: Vec<(usize, Losses<f64>)>,
    a: DMatrix<f64>,
    b: DVector<f64>,
    m: DVector<f64>,
    k: DMatrix<f64>,
    scale: f64,
}

impl Problem {
    /// Makes the problem; a clutch is between two shafts of all chains, in a row, or between a shaft and the housing.
    fn new(chains: &[&Chain], clutches: &[(Option<usize>, usize, Limits<f64>)]) -> Self {
        let count: usize = chains.iter().map(|chain| chain.inertias.len()).sum();
        let elements = count - chains.len() + clutches.len();
        let mut rows = DMatrix::zeros(elements, count);
        let mut speeds = DMatrix::zeros(count, chains.len());
        let mut displacements: Vec<DVector<f64>> = Vec::new();
        let (mut limits, mut gears, mut first) = (Vec::new(), Vec::new(), 0);
        let all = |of: &dyn Fn(&Chain) -> Vec<f64>| {
            DVector::from(chains.iter().flat_map(|chain| of(chain)).collect::<Vec<_>>())
        };
        let (inertias, torques) = (all(&|chain| chain.inertias.clone()), all(&|chain| chain.torques.clone()));
        for (number, chain) in chains.iter().enumerate() {
            let own = chain.speeds();
            own.iter().enumerate().for_each(|(k, speed)| speeds[(first + k, number)] = *speed);
            for (k, mesh) in chain.meshes.iter().enumerate() {
                rows[(limits.len(), first + k)] = 1.0;
                gears.push((limits.len(), mesh.losses));
                limits.push([1.0; 2]);
                // All shafts before the gear turn, those behind it do not.
                let mut displacement = DVector::zeros(count);
                (0..=k).for_each(|j| displacement[first + j] = own[j] / own[k]);
                displacements.push(displacement);
            }
            first += own.len();
        }
        for (from, to, of_clutch) in clutches {
            from.iter().for_each(|from| rows[(limits.len(), *from)] = -1.0);
            rows[(limits.len(), *to)] = 1.0;
            limits.push(*of_clutch);
        }
        let mass = speeds.transpose() * DMatrix::from_diagonal(&inertias) * &speeds;
        let mobility = &speeds * mass.try_inverse().unwrap() * speeds.transpose();
        let held = DMatrix::identity(count, count) - DMatrix::from_diagonal(&inertias) * &mobility;
        let (mut m, mut k) = (DVector::zeros(gears.len()), DMatrix::zeros(gears.len(), elements));
        for (g, displacement) in displacements.iter().enumerate() {
            m[g] = displacement.dot(&(&held * &torques));
            k.set_row(g, &(displacement.transpose() * &held * rows.transpose()));
            k[(g, gears[g].0)] -= 1.0;
        }
        let a = &rows * &mobility * rows.transpose();
        let b = &rows * &mobility * &torques;
        let scale = torques.amax() + 1.0;
        Self { rows, limits, gears, a, b, m, k, scale }
    }

    fn solved(&self) -> AtRest<f64> {
        let mut at_rest = AtRest::new(self.a.clone()).with_gears(self.gears.iter().map(|(element, _)| *element));
        at_rest.set_mobility(&self.a, &self.k);
        for (gear, (own, (_, losses))) in at_rest.gears.iter_mut().zip(self.m.iter().zip(&self.gears)) {
            (gear.torque, gear.losses) = (*own, *losses);
        }
        at_rest.reactions.fill(StickState::Holds);
        at_rest.solve(&self.b, &self.limits).unwrap();
        at_rest
    }

    fn limits_at(&self, lambda: &DVector<f64>) -> Vec<Limits<f64>> {
        let mut limits = self.limits.clone();
        let torques = &self.m + &self.k * lambda;
        for (g, (element, Losses { eta, tau })) in self.gears.iter().enumerate() {
            let loss = |u: f64| ((1.0 - eta[0]) * u + tau[0]).max((1.0 - 1.0 / eta[1]) * u + tau[1]);
            limits[*element] = [loss(torques[g]), loss(-torques[g])];
        }
        limits
    }

    /// Returns the largest violation of a condition.
    fn error(&self, lambda: &DVector<f64>) -> f64 {
        let a = &self.a * lambda + &self.b;
        let limits = self.limits_at(lambda);
        (0..a.len())
            .map(|i| {
                let [forward, backward] = limits[i];
                let outside = (lambda[i] - backward).max(-forward - lambda[i]).max(0.0);
                // What moves has the torque of its limit.
                let distance = if a[i] > 0.0 { lambda[i] + forward } else { lambda[i] - backward };
                outside.max(a[i].abs().min(distance.abs()))
            })
            .fold(0.0, f64::max)
    }

    /// Returns the accelerations of all combinations of states that fulfil the conditions.
    fn by_all_states(&self) -> Vec<DVector<f64>> {
        let count = self.limits.len();
        let is_gear = |i: usize| self.gears.iter().position(|(element, _)| *element == i);
        let mut found: Vec<DVector<f64>> = Vec::new();
        let states: Vec<usize> = (0..count).map(|i| if is_gear(i).is_some() { 5 } else { 3 }).collect();
        for mut number in 0..states.iter().product::<usize>() {
            let (mut left, mut right) = (self.a.clone(), -&self.b);
            for (i, states) in states.iter().enumerate() {
                let state = number % states;
                number /= states;
                if state == 0 {
                    continue;
                }
                let mut unit = DMatrix::zeros(1, count);
                unit[(0, i)] = 1.0;
                let direction = if state % 2 == 1 { 1.0 } else { -1.0 };
                let (row, value) = match is_gear(i) {
                    None => (unit, if direction > 0.0 { -self.limits[i][0] } else { self.limits[i][1] }),
                    Some(g) => {
                        let Losses { eta, tau } = self.gears[g].1;
                        let (slope, own) =
                            if state <= 2 { (1.0 - eta[0], tau[0]) } else { (1.0 - 1.0 / eta[1], tau[1]) };
                        // -lambda = slope (m + K lambda) + direction own
                        (unit + self.k.rows(g, 1) * slope, -slope * self.m[g] - direction * own)
                    }
                };
                if value.is_infinite() {
                    left.fill(f64::NAN);
                    continue;
                }
                left.set_row(i, &row.row(0));
                right[i] = value;
            }
            if left.iter().any(|entry| entry.is_nan()) {
                continue;
            }
            let svd = left.clone().svd(true, true);
            let Ok(lambda) = svd.solve(&right, 1e-11 * svd.singular_values.max()) else { continue };
            if (&left * &lambda - &right).amax() < 1e-8 * self.scale && self.error(&lambda) < 1e-7 * self.scale {
                found.push(&self.a * lambda + &self.b);
            }
        }
        found
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(4_000)) })]

    #[test]
    fn a_chain_moves_as_bisection_says(chain in chain(5)) {
        let problem = Problem::new(&[&chain], &[]);
        let solved = problem.solved();
        let (expected, lost) = chain.by_bisection();
        let a = (&problem.a * &solved.lambda + &problem.b)[0];
        prop_assert!((a - expected).abs() < 1e-8 * (1.0 + problem.b.amax()), "{a} {expected}");
        if let Some(lost) = lost {
            for (found, loss) in solved.lambda.iter().zip(lost) {
                prop_assert!((found + loss).abs() < 1e-7 * (1.0 + loss.abs()), "{found} {loss}");
            }
        }
        let error = problem.error(&solved.lambda);
        prop_assert!(error < 1e-7 * problem.scale, "{error} {:?} {}", solved.reactions, solved.lambda);
    }
}

/// Generates limits of clutches and free-wheels.
fn limits() -> impl Strategy<Value = Limits<f64>> {
    prop_oneof![
        2 => (0.0..3.0_f64).prop_map(|limit| [limit; 2]),
        1 => (0.0..3.0_f64).prop_map(|limit| [limit, f64::INFINITY]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(400) / 4) })]

    /// Two chains with a clutch between them, and a brake: no circle, so there is one motion.
    #[test]
    fn chains_move_as_one_of_all_states_says(
        one in chain(2),
        other in chain(2),
        clutch in limits(),
        brake in limits(),
        [from, to, at] in [0..3_usize, 0..3_usize, 0..6_usize],
    ) {
        let shafts = one.inertias.len();
        let from = from.min(shafts - 1);
        let to = shafts + to.min(other.inertias.len() - 1);
        let at = at.min(shafts + other.inertias.len() - 1);
        let problem = Problem::new(&[&one, &other], &[(Some(from), to, clutch), (None, at, brake)]);
        let solved = problem.solved();
        prop_assert!(problem.error(&solved.lambda) < 1e-7 * problem.scale, "{}", problem.error(&solved.lambda));
        let a = &problem.a * &solved.lambda + &problem.b;
        let all = problem.by_all_states();
        prop_assert!(!all.is_empty(), "no combination of states fits {a}");
        for expected in all {
            prop_assert!((&a - &expected).amax() < 1e-6 * (1.0 + expected.amax()), "{a} {expected}");
        }
        prop_assert!(problem.rows.nrows() <= 6);
    }
}

/// Three shafts of inertia 1, referred to the first one, and gears that lose 20 and 50 percent both ways.
#[test]
fn a_chain_moves_as_calculated_by_hand() {
    let mesh = |eta: f64| Mesh { ratio: 1.0, losses: Losses { eta: [eta; 2], tau: [0.0; 2] } };
    let solved = |torque: f64| {
        let chain =
            Chain { inertias: vec![1.0; 3], torques: vec![torque, 0.0, -1.0], meshes: vec![mesh(0.8), mesh(0.5)] };
        let problem = Problem::new(&[&chain], &[]);
        let solved = problem.solved();
        let a = (&problem.a * &solved.lambda + &problem.b)[0];
        (a, solved.flange_torque(0), -solved.lambda[0], solved.flange_torque(1), -solved.lambda[1])
    };
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-5, "{found} instead of {expected}");
    let (a, tau1, loss1, tau2, loss2) = solved(3.0);
    [(a, 0.10526), (tau1, 2.8947), (loss1, 0.5789), (tau2, 2.2105), (loss2, 1.1053)]
        .into_iter()
        .for_each(|(found, expected)| close(found, expected));
    [(2.0, 0.0), (0.41, 0.0), (2.49, 0.0), (0.3, -0.25 / 5.5)]
        .into_iter()
        .for_each(|(torque, a)| close(solved(torque).0, a));
}

/// A gear that locks itself: flange_b never starts it, and where b drives flange_a has no torque.
#[test]
fn a_gear_that_locks_itself_holds_any_load() {
    let locking = Mesh { ratio: 2.0, losses: Losses { eta: [0.4, 0.0], tau: [0.1, 0.0] } };
    let a = |first: f64, last: f64| {
        let chain = Chain { inertias: vec![1.0, 2.0], torques: vec![first, last], meshes: vec![locking] };
        let problem = Problem::new(&[&chain], &[]);
        (&problem.a * &problem.solved().lambda + &problem.b)[0]
    };
    assert!(a(0.0, 1e6).abs() < 1e-9 && a(0.0, -1e6).abs() < 1e-9);
    // a drives: 2 (0.4 (3 - a) - 0.1) - 1 = 2 a / 2
    assert!((a(3.0, -1.0) - 1.2 / 1.8).abs() < 1e-9, "{}", a(3.0, -1.0));
    assert!((a(-3.0, 1.0) + 1.2 / 1.8).abs() < 1e-9, "{}", a(-3.0, 1.0));
}

#[test]
fn losses_over_the_speed_stay_within_their_bounds() {
    let table = LossTable::new(&[[1.0, 0.9, 0.8, 0.1, 0.2], [3.0, 0.7, 0.9, 0.3, 0.1]]).unwrap();
    for (speed, expected) in [
        (0.0, [1.0, 0.75, 0.0, 0.25]),
        (1.0, [0.9, 0.8, 0.1, 0.2]),
        (2.0, [0.8, 0.85, 0.2, 0.15]),
        (4.0, [0.6, 0.95, 0.4, 0.05]),
        (6.0, [0.4, 1.0, 0.6, 0.0]),
        (20.0, [0.0, 1.0, 2.0, 0.0]),
    ] {
        let Losses { eta, tau } = table.at(speed);
        for (found, expected) in [eta[0], eta[1], tau[0], tau[1]].into_iter().zip(expected) {
            assert!(f64::abs(found - expected) < 1e-12, "{speed}: {found} instead of {expected}");
        }
    }
    assert_eq!(table.clamped_from(), Some(5.0));
    // The slopes change at 5 and 10.
    let signs: Vec<_> = [0.5, 3.0, 6.0, 20.0].map(|speed| table.kinks(speed) > 0.0).to_vec();
    assert_eq!(signs, [true, true, false, true]);
    assert!(LossTable::new(&[[0.0, 1.0, 1.0, 0.0, 0.0]]).unwrap().is_ideal());
    assert_eq!(LossTable::new(&[[0.0, 0.5, 0.5, 0.0, 0.0]]).unwrap().clamped_from(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(1_000)) })]

    /// Also of a mesh without losses, where the corner is at no torque.
    #[test]
    fn the_larger_loss_counts(
        eta in [prop_oneof![Just(1.0), 0.3..1.0], prop_oneof![Just(1.0), 0.3..1.0]],
        tau in [0.0..2.0, 0.0..2.0],
        u in -10.0..10.0,
    ) {
        let [driving, driven] = [(1.0 - eta[0]) * u + tau[0], (1.0 - 1.0 / eta[1]) * u + tau[1]];
        let found = Losses { eta, tau }.loss(u);
        prop_assert!((found - f64::max(driving, driven)).abs() < 1e-9, "{found}: {driving} {driven}");
    }
}
