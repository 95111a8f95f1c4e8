//! Friction between two given motions.

use mechanics::friction::{Coefficient, Elastic, Extrapolation, GivenMotion, Mode, Polynomial, SpringState};
use proptest::prelude::*;

use crate::fixture::{cases, polynomial};

fn path(phi: f64, w: f64, a: f64, n: &[f64]) -> GivenMotion {
    GivenMotion { phi: polynomial(&[phi, w, 0.5 * a]), w: polynomial(&[w, a]), n: polynomial(n) }
}

#[test]
fn it_sticks_breaks_away_slides_and_sticks_without_a_jump_of_the_torque() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 0.0 };
    let mut x = SpringState { anchor: 0.0, mode: Mode::Stuck, breaks: false };
    // c phi reaches 5 N.m at phi = 5e-4, at a velocity of 1 rad/s.
    let out = path(0.0, 1.0, 0.0, &[10.0]);
    elastic.advance(&mut x, &out, 4.9e-4).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    elastic.advance(&mut x, &path(4.9e-4, 1.0, 0.0, &[10.0]), 0.02e-3).unwrap();
    assert_eq!(x.mode, Mode::Forward);
    // It decelerates, stops at s = 0.5 with phi = 0.25 and returns.
    elastic.advance(&mut x, &path(0.0, 1.0, -2.0, &[10.0]), 0.5001).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    assert!((x.anchor - (0.25 - 5e-4)).abs() < 1e-12, "{}", x.anchor);
    // Moving back by 1e-3 reverses the torque.
    elastic.advance(&mut x, &path(0.25, 0.0, -2.0, &[10.0]), 0.0316).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    elastic.advance(&mut x, &path(0.25, 0.0, -2.0, &[10.0]), 0.0317).unwrap();
    assert_eq!(x.mode, Mode::Backward);
}

#[test]
fn without_a_normal_force_it_is_free_and_engages_without_a_torque() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 10.0 };
    let mut x = SpringState { anchor: 0.0, mode: Mode::Stuck, breaks: false };
    elastic.advance(&mut x, &path(0.0, 0.0, 0.0, &[1.0, -2.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Free);
    elastic.advance(&mut x, &path(0.7, 0.0, 0.0, &[-1.0, 2.0]), 1.0).unwrap();
    assert_eq!((x.mode, x.anchor), (Mode::Stuck, 0.7));
    elastic.advance(&mut x, &path(0.7, 0.0, 0.0, &[-1.0]), 1.0).unwrap();
    elastic.advance(&mut x, &path(0.7, -0.1, 0.0, &[-1.0, 2.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Backward);
}

/// The normal force falls below what the spring torque needs, while the motion unloads it: the torque follows
/// the limit, and sticks again where the limit stops falling.
#[test]
fn what_breaks_away_against_the_motion_sticks_again() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 1.0 };
    let mut x = SpringState { anchor: -4.9e-4, mode: Mode::Stuck, breaks: false };
    elastic.advance(&mut x, &path(0.0, -1e-6, 0.0, &[10.0, -5.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Forward);
    let next = path(-1e-6, -1e-6, 0.0, &[5.0]);
    elastic.try_break_away(&mut x, &next);
    elastic.advance(&mut x, &next, 1.0).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    assert!((1e4 * (-1e-6 - x.anchor) - 1e-6 - 2.5).abs() < 1e-8);
}

/// It stops while the normal force falls, so that the torque follows the limit, until the motion back unloads
/// the spring faster.
#[test]
fn the_torque_follows_a_falling_limit_until_the_spring_gives_way_faster() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e5, d: 10.0 };
    let cases = [0.0, 0.1, 0.3, 1e-7].into_iter().flat_map(|begin| [0.0, 64.0, -1000.0].map(|phi| (begin, phi)));
    for ((begin, phi), direction) in cases.flat_map(|case| [(case, 1.0), (case, -1.0)]) {
        // w = 1 - 2 s and n = 1000 - 400 s from a time that makes rounding differ.
        let [phi, w, a] = [phi + begin * (1.0 - begin), 1.0 - 2.0 * begin, -2.0].map(|value| direction * value);
        let path = path(phi, w, a, &[1000.0 - 400.0 * begin, -400.0]);
        let end = |s: f64| {
            let mut x = SpringState { anchor: 0.0, mode: Mode::sliding(direction), breaks: false };
            elastic.advance(&mut x, &path, s - begin).unwrap();
            let spring = 1e5 * (path.phi.at(s - begin) - x.anchor) + 10.0 * path.w.at(s - begin);
            (x.mode, direction * spring)
        };
        assert_eq!(end(0.4999).0, Mode::sliding(direction));
        // c 2 s + d 2 = 0.5 * 400, s after it has come to rest.
        let rest = 0.5 + 180.0 / 2e5;
        assert_eq!(end(rest - 1e-6).0, Mode::sliding(direction));
        let (mode, torque) = end(rest + 1e-3);
        assert_eq!(mode, Mode::Stuck);
        let back = 1e5 * (1.9e-3_f64.powi(2) - 0.9e-3_f64.powi(2)) + 10.0 * 2e-3;
        assert!((torque - (500.0 - 200.0 * rest - back)).abs() < 1e-5, "{torque}");
        assert_eq!(end(1.0).0, Mode::sliding(-direction));
    }
}

/// A force that vanishes at a large angle, where rounding of the angle exceeds the last part of the spring torque.
#[test]
fn a_clutch_that_opens_at_any_angle_comes_to_its_end() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e5, d: 10.0 };
    for (i, phi) in [64.0, 1000.3, -77.7, 1e5].into_iter().enumerate() {
        for (w, a) in [(0.0, 0.0), (1e-7, -1e-6), (-1e-6, 0.0), (1.0, -2.0)] {
            let mut x = SpringState { anchor: phi - 1e-5, mode: Mode::Stuck, breaks: false };
            let path = path(phi, w, a, &[1.0, -0.7 - 0.1 * i as f64, -0.2]);
            elastic.advance(&mut x, &path, 2.0).unwrap();
            assert_eq!(x.mode, Mode::Free);
        }
    }
}

/// Random numbers, many of them 0, so that motions touch, stop and coincide.
fn number(reach: f64) -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(reach), Just(-reach), -reach..reach]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(3_000)) })]

    /// Each step terminates, and while stuck the torque does not exceed static friction.
    #[test]
    fn any_motion_comes_to_its_end(
        (mu, peak, c, d) in (
            prop_oneof![Just(0.0), Just(0.5), 0.0..1.0],
            prop_oneof![Just(1.0), 1.0..3.0],
            prop_oneof![Just(1e3), Just(1e5), 1e2..1e7],
            prop_oneof![Just(0.0), 0.0..20.0],
        ),
        phi in prop_oneof![Just(0.0), -1e3..1e3],
        steps in proptest::collection::vec((number(1.0), number(10.0), number(100.0), number(100.0), number(300.0)), 1..6),
    ) {
        let coefficient = Coefficient::new(&[[0.0, mu]], Extrapolation::Linear).unwrap();
        let elastic = Elastic { coefficient: &coefficient, peak, c, d };
        let mut x = SpringState { anchor: phi, mode: Mode::Stuck, breaks: false };
        let (mut phi, h) = (phi, 0.3);
        for (w, a, n, n1, n2) in steps {
            let mut path = path(phi, w, a, &[n, n1, n2]);
            elastic.settle(&mut x, &GivenMotion {
                phi: Polynomial::constant(phi), w: Polynomial::constant(w), n: Polynomial::constant(n),
            });
            prop_assert!(elastic.advance(&mut x, &path, h).is_ok());
            phi = path.phi.at(h);
            let at_end = |polynomial: &Polynomial| Polynomial::constant(polynomial.at(h));
            path = GivenMotion { phi: at_end(&path.phi), w: at_end(&path.w), n: at_end(&path.n) };
            elastic.try_break_away(&mut x, &path);
            let (torque, limit) = (c * (phi - x.anchor) + d * path.w.start(), peak * mu * path.n.start());
            let rounding = 1e-9 * (1.0 + limit.abs()) + 1e-14 * (c * phi.abs() + torque.abs());
            if x.mode == Mode::Stuck {
                prop_assert!(torque.abs() <= limit + rounding, "{torque} {limit}");
            }
            prop_assert!((x.mode == Mode::Free) == (path.n.start() <= 0.0) || path.n.start().abs() < 1e-9);
        }
    }
}
