//! Friction between two given motions.

use mechanics::friction::{Coefficient, Elastic, ElasticMemory, Mode, Path};

use crate::fixture::polynomial;

fn path(phi: f64, w: f64, a: f64, n: &[f64]) -> Path {
    Path { phi: polynomial(&[phi, w, 0.5 * a]), w: polynomial(&[w, a]), n: polynomial(n) }
}

#[test]
fn it_sticks_breaks_away_slides_and_sticks_without_a_jump_of_the_torque() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]]).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 0.0 };
    let mut x = ElasticMemory { anchor: 0.0, mode: Mode::Stuck };
    // c phi reaches 5 N.m at phi = 5e-4, at a velocity of 1 rad/s.
    let out = path(0.0, 1.0, 0.0, &[10.0]);
    elastic.advance(&mut x, &out, 4.9e-4).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    elastic.advance(&mut x, &path(4.9e-4, 1.0, 0.0, &[10.0]), 0.02e-3).unwrap();
    assert_eq!(x.mode, Mode::Forward);
    // Decelerated, it stops at s = 0.5 with phi = 0.25 and comes back.
    elastic.advance(&mut x, &path(0.0, 1.0, -2.0, &[10.0]), 0.5001).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    assert!((x.anchor - (0.25 - 5e-4)).abs() < 1e-12, "{}", x.anchor);
    // The way back of 1e-3 reverses the torque.
    elastic.advance(&mut x, &path(0.25, 0.0, -2.0, &[10.0]), 0.0316).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    elastic.advance(&mut x, &path(0.25, 0.0, -2.0, &[10.0]), 0.0317).unwrap();
    assert_eq!(x.mode, Mode::Backward);
}

#[test]
fn without_a_normal_force_it_is_free_and_engages_without_a_torque() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]]).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 10.0 };
    let mut x = ElasticMemory { anchor: 0.0, mode: Mode::Stuck };
    elastic.advance(&mut x, &path(0.0, 0.0, 0.0, &[1.0, -2.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Free);
    elastic.advance(&mut x, &path(0.7, 0.0, 0.0, &[-1.0, 2.0]), 1.0).unwrap();
    assert_eq!((x.mode, x.anchor), (Mode::Stuck, 0.7));
    elastic.advance(&mut x, &path(0.7, 0.0, 0.0, &[-1.0]), 1.0).unwrap();
    elastic.advance(&mut x, &path(0.7, -0.1, 0.0, &[-1.0, 2.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Backward);
}

/// The normal force falls under what the spring holds, while the motion unloads it: the torque follows
/// the limit, and sticks again where the next step begins.
#[test]
fn what_breaks_away_against_the_motion_sticks_again() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]]).unwrap();
    let elastic = Elastic { coefficient: &coefficient, peak: 1.0, c: 1e4, d: 1.0 };
    let mut x = ElasticMemory { anchor: -4.9e-4, mode: Mode::Stuck };
    elastic.advance(&mut x, &path(0.0, -1e-6, 0.0, &[10.0, -5.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Forward);
    elastic.advance(&mut x, &path(-1e-6, -1e-6, 0.0, &[5.0]), 1.0).unwrap();
    assert_eq!(x.mode, Mode::Stuck);
    assert!((1e4 * (-1e-6 - x.anchor) - 2.5).abs() < 1e-12);
}
