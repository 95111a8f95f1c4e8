//! Positions against forward assembly, in all sizes, and positions without a solution.

use std::f64::consts::TAU;

use mechanics::assembly::{Branch, Prismatic, Revolute, Singular, Universal, UniversalPrismatic, UniversalSpherical};
use mechanics::motion::Motion;
use proptest::prelude::*;

use crate::mechanism::{Kind, V, for_all};

#[test]
fn the_loop_closes_to_rounding_from_1_mm_to_100_m() {
    for scale in [1e-3, 1.0, 100.0] {
        for_all(1_000, scale, |mechanism| {
            let solution = mechanism.solve().unwrap();
            if let Some(im) = solution.im {
                let length = (im.r_0 - mechanism.a.r_0).norm();
                // Rounding of the positions counts where a rod is short compared to the mechanism.
                let reach = 1.0 + mechanism.q.norm() / mechanism.length() + scale / mechanism.length();
                let error = (length / mechanism.length() - 1.0).abs();
                let size = mechanism.length().max(mechanism.q.norm()).max(scale);
                prop_assert!((length - mechanism.length()).abs() <= 1e-14 * size, "{error:e} of {length}");
                prop_assert!(error < 1e-15 * reach * reach, "{error:e}, reach {reach}");
                let arm = (im.r_0 - solution.ib.r_0).norm();
                prop_assert!((arm / mechanism.q.norm() - 1.0).abs() < 1e-14);
            }
            for frame in [solution.ia, Some(solution.ib), solution.im].into_iter().flatten() {
                let deviation = (frame.T * frame.T.transpose() - nalgebra::Matrix3::identity()).amax();
                prop_assert!(deviation < 1e-14, "{deviation:e}");
            }
            Ok(())
        });
    }
}

#[test]
fn coordinate_and_frames_are_those_of_the_forward_assembly() {
    for_all(2_000, 1.0, |mechanism| {
        let solution = mechanism.solve().unwrap();
        let mut difference = solution.x.x - mechanism.x;
        if matches!(mechanism.kind, Kind::Usr | Kind::Ssr) {
            difference -= (difference / TAU).round() * TAU;
        }
        prop_assert!(difference.abs() < 1e-12, "{difference:e}");
        if let Some(ia) = solution.ia {
            // The rod lies along the line to the spherical joint, and axis 2 is perpendicular to both.
            let sphere = solution.im.map_or(mechanism.b.r_0, |im| im.r_0);
            let rod = ia.T * (sphere - mechanism.a.r_0);
            prop_assert!((rod.normalize() - mechanism.rod1.normalize()).norm() < 1e-13);
            let e2 = mechanism.n1.cross(&mechanism.rod1).normalize();
            let e2_a = mechanism.a.T * ia.T.transpose() * e2;
            prop_assert!(e2_a.dot(&mechanism.n1).abs() < 1e-13);
            prop_assert_eq!(ia.r_0, mechanism.a.r_0);
        }
        Ok(())
    });
}

fn ends(b: V) -> [Motion<f64>; 2] {
    [Motion::at_rest(V::zeros()), Motion::at_rest(b)]
}

fn usr() -> UniversalSpherical<f64, Revolute<f64>> {
    UniversalSpherical::new(&V::z(), &V::x(), Revolute { e: V::z(), q: -V::x() })
}

#[test]
fn a_dead_centre_and_a_distance_out_of_reach_are_told_with_their_numbers() {
    let [a, b] = ends(V::new(2.0, 0.0, 0.0));
    let dead = usr().pose(&a, &b, Branch::Positive).unwrap_err();
    assert_eq!(dead, Singular::Reach { length: 1.0, nearest: 1.0, farthest: 3.0 });
    assert!(!dead.is_unreachable());
    let [a, b] = ends(V::new(2.5, 0.0, 0.0));
    let far = usr().pose(&a, &b, Branch::Positive).unwrap_err();
    assert_eq!(far, Singular::Reach { length: 1.0, nearest: 1.5, farthest: 3.5 });
    assert!(far.is_unreachable());
    let slide = UniversalSpherical::new(&V::z(), &V::x(), Prismatic { e: -V::x(), q: -V::x() });
    let [a, b] = ends(V::new(1.0, 2.0, 0.0));
    let far = slide.pose(&a, &b, Branch::Positive).unwrap_err();
    assert_eq!(far, Singular::Reach { length: 1.0, nearest: 2.0, farthest: f64::INFINITY });
}

/// The limits scale with the mechanism: just beside a dead centre it works in every size.
#[test]
fn dead_centres_are_judged_relative_to_the_size() {
    for scale in [1e-3, 1.0, 100.0] {
        let assembly = UniversalSpherical::new(&V::z(), &(V::x() * scale), Revolute { e: V::z(), q: -V::x() * scale });
        let at = |x: f64| {
            let [a, b] = ends(V::new(x * scale, 0.0, 0.0));
            assembly.pose(&a, &b, Branch::Positive).is_ok()
        };
        assert!(at(2.0 - 1e-10) && !at(2.0 - 1e-14), "{scale}");
    }
}

#[test]
fn a_rod_along_axis_1_is_told_with_the_angle() {
    let universal = Universal::new(&V::z(), &V::x());
    let assembly = UniversalPrismatic { universal };
    for (b, angle) in [(V::new(1e-6, 0.0, 1.0), 1e-6), (V::new(0.0, 0.0, -1.0), std::f64::consts::PI)] {
        let [a, b] = ends(b);
        let Singular::Parallel { angle: found } = assembly.pose(&a, &b).unwrap_err() else { panic!("another error") };
        assert!((found - angle).abs() < 1e-12, "{found}");
    }
    let [a, b] = ends(V::new(1e-13, 0.0, 0.0));
    assert_eq!(assembly.pose(&a, &b).unwrap_err(), Singular::Coincident { distance: 1e-13 });
    let [a, b] = ends(V::new(2e-12, 0.0, 0.0));
    assert!(assembly.pose(&a, &b).is_ok());
    assert!(Universal::check(&V::x(), &(V::x() * 2.0)).is_err());
}

#[test]
fn what_is_not_a_number_is_refused() {
    let [a, b] = ends(V::new(f64::NAN, 0.0, 0.0));
    assert!(usr().pose(&a, &b, Branch::Positive).is_err());
    let assembly = UniversalPrismatic { universal: Universal::new(&V::z(), &V::x()) };
    assert!(assembly.pose(&a, &b).is_err());
}
