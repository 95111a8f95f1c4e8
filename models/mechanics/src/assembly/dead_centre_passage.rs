//! Detection of a loop's passage through its dead centre, between two points at which its outer frames' motion is
//! known.
//!
//! With `k = sin(beta)`, see [`Clearance`](super::Clearance), and `beta` negative beyond the dead centre, `beta` has turned by
//! the sum of its sizes if the loop has passed, and by their difference if it has turned back. Its mean rate tells which;
//! the time follows from the way of frame_a and its mean speed, since importers differ in when they set inputs.

use crate::assembly::{DrivenJoint, Singular};
use crate::motion::RelativePosition;
use crate::{Scalar, value};

/// Above this square of `k`, at 72 deg, a loop is far from its dead centre.
const FAR: f64 = 0.9;
/// Fraction by which the mean rate may be too slow for a passage, at small angles.
const RATE_TOLERANCE: f64 = 0.02;
/// Additional fraction by which the mean rate may be too slow at an angle of 1 rad: it is less exact over a longer way.
const RATE_TOLERANCE_PER_ANGLE: f64 = 0.1;
/// A line between two ends that passes its own middle at less than this fraction of their lengths passes through zero.
const ZERO_PASSAGE_FRACTION: f64 = 0.01;

/// Tells whether a loop has passed its dead centre from one position of frame_a relative to frame_b to another, with
/// rod 1 of length `length`.
pub fn has_passed<T: Scalar>(joint: &impl DrivenJoint<T>, length: T, [before, now]: [&RelativePosition<T>; 2]) -> bool {
    // The size of beta and its rate, if this has a sign.
    let phase = |p: &RelativePosition<T>, sign: f64| {
        let [square, rate, _] = joint.clearance_square(p, length).map(value);
        let is_near = rate * sign > 0.0 && 0.0 < square && square < FAR;
        is_near.then(|| (square.sqrt().asin(), 0.5 * rate / (square * (1.0 - square)).sqrt()))
    };
    let Some((beta, rate)) = phase(now, 1.0) else { return false };
    let Some((beta_before, rate_before)) = phase(before, -1.0) else { return false };
    let time = 2.0 * value((now.r - before.r).norm()) / value(now.v.norm() + before.v.norm());
    let angle = beta + beta_before;
    0.5 * time * (rate - rate_before) >= angle * (1.0 - RATE_TOLERANCE - RATE_TOLERANCE_PER_ANGLE * angle * angle)
}

/// Rejects two relative positions of a telescope's ends between which these have met.
pub fn has_met<T: Scalar>([before, now]: [&RelativePosition<T>; 2]) -> Result<(), Singular> {
    if value(before.r.dot(&now.r)) >= 0.0 {
        return Ok(());
    }
    let distance = value(before.r.cross(&now.r).norm() / (now.r - before.r).norm());
    if distance <= ZERO_PASSAGE_FRACTION * value(before.r.norm() + now.r.norm()) {
        return Err(Singular::Coincident { distance });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::assembly::{Prismatic, Revolute};

    /// Puts frame_a on a circle of radius `r` about frame_b.
    fn on_circle(r: f64, phi: f64) -> RelativePosition<f64> {
        let (sin, cos) = phi.sin_cos();
        let [r, v] = [Vector3::new(cos, sin, 0.0) * r, Vector3::new(-sin, cos, 0.0) * (3.0 * r)];
        RelativePosition { r, v, a: Vector3::zeros() }
    }

    #[test]
    fn a_rod_as_long_as_the_crank_passes_and_a_longer_one_does_not() {
        let slide = Prismatic { e: Vector3::x(), q: Vector3::zeros() };
        for way in [0.01, 0.1, 0.3, 0.9] {
            for part in [0.2, 0.5, 0.9] {
                let phi = std::f64::consts::FRAC_PI_2 - part * way;
                let points = [on_circle(0.1, phi), on_circle(0.1, phi + way)];
                assert!(has_passed(&slide, 0.1, [&points[0], &points[1]]), "{way} {part}");
                assert!(!has_passed(&slide, 0.1, [&points[1], &points[0]]), "backwards in time");
                // The distance from the dead centre is as large as the distance by which the loop moves.
                let length = 0.1 * (1.0 + way * way);
                assert!(!has_passed(&slide, length, [&points[0], &points[1]]), "{way} {part}");
            }
        }
        // Far from its dead centre no loop passes it.
        let points = [on_circle(0.1, 1.0), on_circle(0.1, 2.0)];
        assert!(!has_passed(&slide, 0.3, [&points[0], &points[1]]));
    }

    #[test]
    fn a_parallelogram_passes() {
        let rocker = Revolute { e: Vector3::z(), q: Vector3::new(0.2, 0.0, 0.0) };
        // A crank of 0.2 m, 0.5 m before the rocker's bearing.
        let at = |phi: f64| {
            let mut point = on_circle(0.2, phi);
            point.r.x -= 0.5;
            point
        };
        for way in [0.01, 0.3, 0.9] {
            for centre in [0.0, std::f64::consts::PI] {
                let points = [at(centre - 0.4 * way), at(centre + 0.6 * way)];
                assert!(has_passed(&rocker, 0.5, [&points[0], &points[1]]), "{way} {centre}");
                assert!(!has_passed(&rocker, 0.5, [&points[0], &points[0]]));
            }
        }
    }

    #[test]
    fn rods_of_equal_length_fold_through_the_axis() {
        let rocker = Revolute { e: Vector3::z(), q: Vector3::new(0.3, 0.0, 0.0) };
        // The end of rod 1 moves on a line at a distance from the axis.
        let at = |x: f64, y: f64| RelativePosition { r: Vector3::new(x, y, 0.0), v: Vector3::x(), a: Vector3::zeros() };
        for way in [0.01, 0.1, 0.3] {
            assert!(has_passed(&rocker, 0.3, [&at(-0.4 * way, 0.0), &at(0.6 * way, 0.0)]), "{way}");
            // Farther from the axis, the rods turn over at a finite speed.
            assert!(!has_passed(&rocker, 0.3, [&at(-0.4 * way, way), &at(0.6 * way, way)]), "{way}");
        }
    }

    #[test]
    fn ends_meet_where_the_line_between_them_turns_over() {
        let at = |x: f64, y: f64| RelativePosition { r: Vector3::new(x, y, 0.0), v: Vector3::x(), a: Vector3::zeros() };
        assert!(has_met([&at(-0.2, 0.0), &at(0.5, 0.0)]).is_err());
        assert!(has_met([&at(-0.2, 0.1), &at(0.5, 0.1)]).is_ok());
        assert!(has_met([&at(0.2, 0.0), &at(0.5, 0.0)]).is_ok());
    }
}
