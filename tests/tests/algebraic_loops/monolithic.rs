//! The crank mechanism as one equation of motion, without frames, loads or FMUs.
//!
//! ```text
//! r(phi)                                          centre of the coupler, by intersecting two circles
//! (J + m r'.r') phi'' + m r'.r'' phi'^2 = -friction + m g.r'
//! ```

use nalgebra::{Vector2, vector};

use crate::crank::{CRANK, FRICTION, INERTIA, MASS, SHAFT, START};

const GRAVITY: Vector2<f64> = Vector2::new(0.0, -9.80665);
/// Pivot of the rocker; coupler and rocker are 1 m long.
const PIVOT: Vector2<f64> = Vector2::new(-1.0, 1.0);

fn centre(phi: f64) -> Vector2<f64> {
    let pin = SHAFT.xy() + CRANK * vector![phi.cos(), phi.sin()];
    let between = PIVOT - pin;
    let half = between / 2.0;
    let height = (1.0 - half.norm_squared()).sqrt();
    let across = vector![between.y, -between.x].normalize() * height;
    pin + (half + across) / 2.0
}

/// Returns first and second derivative by five points.
fn derivatives(phi: f64) -> [Vector2<f64>; 2] {
    let h = 1e-3;
    let [a, b, c, d, e] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|i| centre(phi + i * h));
    [((d - b) * 8.0 - (e - a)) / (12.0 * h), ((b + d) * 16.0 - (a + e) - c * 30.0) / (12.0 * h * h)]
}

fn acceleration([phi, w]: [f64; 2]) -> f64 {
    let [first, second] = derivatives(phi);
    let torque = MASS * (GRAVITY.dot(&first) - first.dot(&second) * w * w) - FRICTION * w.signum();
    torque / (INERTIA + MASS * first.norm_squared())
}

/// Returns angle and angular velocity after each of `steps` of `h`, the start before them, with Runge and Kutta's
/// method.
pub fn motions(h: f64, steps: usize) -> Vec<[f64; 2]> {
    let rate = |x: [f64; 2]| [x[1], acceleration(x)];
    let moved = |x: [f64; 2], k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
    let part = |x: [f64; 2], h: f64| {
        let a = rate(x);
        let b = rate(moved(x, a, h / 2.0));
        let c = rate(moved(x, b, h / 2.0));
        let d = rate(moved(x, c, h));
        moved(x, [0, 1].map(|i| a[i] + 2.0 * (b[i] + c[i]) + d[i]), h / 6.0)
    };
    let step = |x: &[f64; 2]| Some((0..PARTS).fold(*x, |x, _| part(x, h / PARTS as f64)));
    std::iter::successors(Some(START), step).take(steps + 1).collect()
}

/// Number of steps of the method in a step.
const PARTS: usize = 8;
