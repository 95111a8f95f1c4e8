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

use crate::{Scalar, constant, value};

/// Below this distance, the rest of the way to a dead centre is predicted: rounding errors of its derivatives grow as `1/k^3`.
pub const NEAR: f64 = 2e-4;
/// Distance beyond which no indicator changes where a loop turns back.
pub const FAR: f64 = 0.3;
/// Largest curvature `k k''/k'^2` with which the passage of a dead centre is predicted.
const CURVATURE: f64 = 0.1;
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

    /// Returns the time in s after which the loop can have passed its next dead centre by about half of `FAR`, at its
    /// present speed. A telescope that gets longer comes to none.
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
        let way = if rate < 0.0 { beta } else { std::f64::consts::PI - beta };
        if speed > 0.0 { (way + 0.5 * FAR) / speed } else { f64::INFINITY }
    }

    /// True if the loop is so near its dead centre that its way there is to be predicted.
    pub fn is_near(&self) -> bool {
        value(self.k) <= 1.5 * NEAR
    }

    /// True if the loop moves away from its dead centre, from about the distance at which its way there was predicted.
    pub fn is_behind(&self, factor: f64) -> bool {
        let by = value(self.k) / NEAR;
        value(self.rate) > 0.0 && by < factor && by * factor > 1.0
    }

    /// Predicts the motion of a loop that [is near](Self::is_near) its dead centre.
    pub fn outlook(&self) -> Outlook {
        let [k, rate, acceleration] = [self.k, self.rate, self.acceleration].map(value);
        if rate >= 0.0 {
            return if k < AT_REST { Outlook::Ends(0.0) } else { Outlook::Stays };
        }
        let curvature = k * acceleration / (rate * rate);
        if curvature > CURVATURE {
            Outlook::Stays
        } else if curvature < -CURVATURE {
            // The square of k vanishes, with its slope.
            Outlook::Ends(-0.5 * k / rate)
        } else {
            Outlook::Passes(-2.0 * k / (rate - (rate * rate - 2.0 * k * acceleration).sqrt()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_does_not_hop_over_a_dead_centre() {
        // The angle to the dead centre turns at 2 rad/s.
        for beta in [3.0, 2.0, 1.58, 1.56, 1.0, 0.1_f64] {
            let (sin, cos) = beta.sin_cos();
            let square = [sin * sin, -4.0 * sin * cos, 8.0 * (cos * cos - sin * sin)];
            let time = Clearance::from_square(square).time_beyond(false);
            assert!((2.0 * time - beta - 0.5 * FAR).abs() < 0.05, "{beta}: {time}");
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
        let Outlook::Passes(after) = at(-5e-5, [0.0, 2.0, 0.3]).outlook() else { panic!("it passes") };
        assert!((after - 5e-5).abs() < 1e-9, "{after}");
        // The loop comes as near as 5e-5.
        assert_eq!(at(-4e-5, [25e-10, 2.0, 0.0]).outlook(), Outlook::Stays);
        // At a constant speed the loop moves beyond the reach of the rods.
        let Outlook::Ends(after) = Clearance::from_square([1e-8, -1.0, 0.0]).outlook() else { panic!("it ends") };
        assert!((after - 1e-8).abs() < 1e-15, "{after}");
        assert_eq!(Clearance::from_square([0.0, -1.0, 0.0]).outlook(), Outlook::Ends(0.0));
    }
}
