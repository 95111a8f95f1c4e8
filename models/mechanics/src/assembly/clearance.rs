//! Distance of a loop from its dead centre, where its two configurations meet.
//!
//! ```text
//! k = 1 where the configurations are farthest apart, 0 at a dead centre
//! prismatic joint: k^2 = 1 - |u - e (e.u)|^2/L^2,   revolute joint: k = |sin(angle between the rods across its axis)|
//! JointUPS: k = length/length at the start
//! ```
//!
//! A motion through a dead centre takes `k^2` to zero and back, so its root has a sign that changes there: that of the
//! configuration. No function of the outer frames' motion has this sign. So [`Clearance::indicator`] changes its own twice: where
//! `k` falls below [`NEAR`], or else turns from falling to rising, and where it rises above `FAR` again.

use std::f64::consts::PI;

use crate::{Scalar, constant, value};

/// Below this distance, the rest of the way to a dead centre is predicted: rounding errors of its derivatives grow as `1/k^3`.
pub const NEAR: f64 = 2e-4;
/// Distance beyond which no indicator changes where a loop turns back.
pub const FAR: f64 = 0.3;
/// Largest curvature `k k''/k'^2` with which the passage of a dead centre is predicted.
const MAX_CURVATURE: f64 = 0.1;
/// Part of the largest distance at which a constant deceleration has less curvature.
const STRAIGHT: f64 = 0.125;
/// Distance beyond which an indicator shows that a loop turns back.
const SEEN: f64 = 2.5 * NEAR;
/// Distance below which a loop that turns back counts as being at its dead centre.
const AT_REST: f64 = 1e-5;

/// The distance of a loop from its dead centre, and two derivatives by time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance<T> {
    /// Distance, 1 where the configurations are farthest apart.
    pub k: T,
    /// Derivative of the distance, in 1/s.
    pub rate: T,
    /// Second derivative of the distance, in 1/s2.
    pub acceleration: T,
}

/// Prediction for a loop that comes near its dead centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outlook {
    /// The loop stays in its configuration.
    Stays,
    /// Only nearer to the dead centre, or farther from it, after this time in s, can more be said.
    Open(f64),
    /// The loop reaches its dead centre after this time in s, at a speed that takes it through.
    Passes(f64),
    /// After this time in s the loop comes to rest at its dead centre, or cannot be closed any more.
    Ends(f64),
}

impl<T: Scalar> Clearance<T> {
    /// Makes the distance from its square and the derivatives of the square.
    pub fn from_square([square, rate, acceleration]: [T; 3]) -> Self {
        let two = constant::<T>(2.0);
        if value(square) <= 0.0 || value(square).is_nan() {
            return Self { k: T::zero(), rate: T::zero(), acceleration: T::zero() };
        }
        let k = square.sqrt();
        let k_1 = rate / (two * k);
        Self { k, rate: k_1, acceleration: (acceleration - two * k_1 * k_1) / (two * k) }
    }

    /// Evaluates the event indicator: not positive while the loop is at its dead centre or moves away from it, up to
    /// the distance `FAR`.
    pub fn indicator(&self) -> T {
        let approach = (self.k - constant(NEAR)).min(-self.rate);
        approach.max(self.k - constant(FAR))
    }

    /// Returns the time in s after which a change of the indicator may be missed: steps end before a dead centre until one
    /// goes from near it through it, and behind it they grow slowly, as the loop may turn back. A telescope that gets longer
    /// comes to no dead centre.
    pub fn time_beyond(&self, is_telescope: bool) -> f64 {
        let [k, rate, acceleration] = [self.k, self.rate, self.acceleration].map(value);
        if is_telescope {
            return if rate < 0.0 { (k + 0.5 * FAR) / -rate } else { f64::INFINITY };
        }
        let beta = k.min(1.0).asin();
        let mut speed = rate.abs() / beta.cos().max(0.1);
        if k > 0.9 {
            // Where k is largest, only its curvature tells how fast the angle turns.
            speed = speed.max(acceleration.abs().sqrt());
        }
        if speed == 0.0 && acceleration >= 0.0 {
            return f64::INFINITY;
        }
        if rate < 0.0 {
            let way = if k > 10.0 * NEAR { 0.9 * beta } else { 2.0 * k };
            // It may turn back right behind the dead centre.
            let turns = acceleration > 0.0 && rate * rate > acceleration * k;
            let turn = if turns { 0.7 * -rate / acceleration } else { f64::INFINITY };
            // The angle whose sine is k turns faster and faster.
            let toward = -(acceleration + k * speed * speed) / beta.cos().max(0.1);
            return turn.min(time_for(way, speed, toward.max(0.0)));
        }
        let mut limit = (PI - beta) / speed;
        if k < FAR && rate > 0.0 {
            limit = limit.min(3.0 * k.max(NEAR) / rate);
        }
        if acceleration < 0.0 {
            // The indicator changes while the loop comes back.
            limit = limit.min((rate + 0.5 * (rate * rate - 2.0 * acceleration * k).sqrt()) / -acceleration);
        }
        limit
    }

    /// True if the loop is so near its dead centre that its way there is to be predicted.
    pub fn is_near(&self) -> bool {
        value(self.k) <= 1.5 * NEAR
    }

    /// True if the loop moves away from its dead centre, which it left some time in s before, by a factor about as fast as
    /// then.
    pub fn is_behind(&self, since: f64, factor: f64) -> bool {
        let by = value(self.k) / (value(self.rate) * since);
        value(self.rate) > 0.0 && by < factor && by * factor > 1.0
    }

    /// Predicts the motion of a loop that [is near](Self::is_near) its dead centre, and `has_passed` it or not. If it `turns`
    /// joints, these do not determine its motion.
    pub fn outlook(&self, has_passed: bool, turns: bool) -> Outlook {
        let [k, rate, acceleration] = [self.k, self.rate, self.acceleration].map(value);
        if rate >= 0.0 {
            return if k < AT_REST && !has_passed { Outlook::Ends(0.0) } else { self.departure() };
        }
        let curvature = k * acceleration / (rate * rate);
        if curvature.abs() > MAX_CURVATURE && k < AT_REST {
            return Outlook::Ends(-0.5 * k / rate);
        }
        if curvature > MAX_CURVATURE {
            // A narrow miss, or a passage behind which the loop turns back: nearer to the dead centre its way is straight.
            Outlook::Open((-0.5 * k / rate).min(-1.05 * rate / acceleration))
        } else if curvature < -MAX_CURVATURE {
            let near = STRAIGHT * (k - 0.5 * rate * rate / acceleration);
            if turns || near < AT_REST {
                // The square of k vanishes, with its slope.
                return Outlook::Ends(-0.5 * k / rate);
            }
            // The loop has just turned back.
            Outlook::Open(time_for(k - near, -rate, -acceleration))
        } else {
            Outlook::Passes(-2.0 * k / (rate - (rate * rate - 2.0 * k * acceleration).sqrt()))
        }
    }
}

impl<T: Scalar> Clearance<T> {
    /// Predicts whether a loop that moves away from its dead centre may turn back before its indicator shows that.
    fn departure(&self) -> Outlook {
        let [k, rate, acceleration] = [self.k, self.rate, self.acceleration].map(value);
        let after = time_for(SEEN - k, rate, acceleration);
        if after.is_nan() {
            // It turns back, and then has come half of its way.
            Outlook::Open((rate + (rate * rate - acceleration * k).sqrt()) / -acceleration)
        } else if k < 0.9 * NEAR {
            Outlook::Open(after)
        } else {
            Outlook::Stays
        }
    }
}

/// Returns the time in s for a way at a velocity and an acceleration; it is NaN if the motion turns back before.
fn time_for(way: f64, velocity: f64, acceleration: f64) -> f64 {
    2.0 * way / (velocity + (velocity * velocity + 2.0 * acceleration * way).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop moves by `way - t^2/2` behind its dead centre and back.
    #[test]
    fn a_step_ends_before_a_loop_has_turned_back_unseen() {
        for way in [1e-3, 1e-2, 0.1_f64] {
            let [centre, back] = [-1.0, 1.0].map(|sign| sign * (2.0 * way).sqrt());
            let at = |t: f64| {
                let k = way - 0.5 * t * t;
                Clearance { k: k.abs(), rate: -t * k.signum(), acceleration: -k.signum() }
            };
            let mut t = -1.0;
            let mut signs = Vec::new();
            while t < 1.0 {
                let new = at(t).indicator() > 0.0;
                if signs.last() != Some(&new) {
                    signs.push(new);
                }
                t += at(t).time_beyond(false).min(1.0);
            }
            assert_eq!(signs[..4], [true, false, true, false], "{way}: {centre} {back}");
        }
    }

    #[test]
    fn a_step_does_not_hop_over_a_dead_centre() {
        // The angle to the dead centre turns at 2 rad/s.
        for beta in [3.0, 2.0, 1.58, 1.56, 1.0, 0.1_f64] {
            let (sin, cos) = beta.sin_cos();
            let square = [sin * sin, -4.0 * sin * cos, 8.0 * (cos * cos - sin * sin)];
            let time = Clearance::from_square(square).time_beyond(false);
            let range = if beta < 0.5 * PI { 0.85..0.95 } else { 0.1..0.99 };
            assert!(range.contains(&(2.0 * time / beta)), "{beta}: {time}");
        }
        let telescope = |rate: f64| Clearance { k: 0.4, rate, acceleration: 0.0 }.time_beyond(true);
        assert_eq!(telescope(0.1), f64::INFINITY);
        assert!((telescope(-0.1) - 5.5).abs() < 1e-12);
    }

    /// Returns the distance whose square is `least + speed^2 t^2 + bend t^3`.
    fn at(t: f64, [least, speed, bend]: [f64; 3]) -> Clearance<f64> {
        let square = least + speed * speed * t * t + bend * t * t * t;
        let rate = 2.0 * speed * speed * t + 3.0 * bend * t * t;
        Clearance::from_square([square, rate, 2.0 * speed * speed + 6.0 * bend * t])
    }

    #[test]
    fn the_indicator_changes_at_a_dead_centre_and_far_behind_it() {
        let through = [0.0, 2.0, 0.0];
        let signs = [-0.4, -0.1, -1e-3, -1e-5, 1e-5, 0.1, 0.14, 0.2].map(|t| at(t, through).indicator() > 0.0);
        assert_eq!(signs, [true, true, true, false, false, false, false, true]);
    }

    #[test]
    fn a_passage_is_predicted_and_a_narrow_miss_is_not_one() {
        let outlook = |clearance: Clearance<f64>| clearance.outlook(false, false);
        let Outlook::Passes(after) = outlook(at(-5e-5, [0.0, 2.0, 0.3])) else { panic!("it passes") };
        assert!((after - 5e-5).abs() < 1e-9, "{after}");
        // The loop comes as near as 5e-5.
        assert!(matches!(outlook(at(-4e-5, [25e-10, 2.0, 0.0])), Outlook::Open(_)));
        assert_eq!(outlook(at(1e-4, [25e-10, 2.0, 0.0])), Outlook::Stays);
        // At a constant speed the loop moves beyond the reach of the rods.
        let Outlook::Ends(after) = Clearance::from_square([1e-8, -1.0, 0.0]).outlook(false, true) else {
            panic!("it ends")
        };
        assert!((after - 1e-8).abs() < 1e-15, "{after}");
        assert_eq!(outlook(Clearance::from_square([0.0, -1.0, 0.0])), Outlook::Ends(0.0));
    }
}
