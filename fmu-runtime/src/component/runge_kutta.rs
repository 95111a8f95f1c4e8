//! An integrator for components without a better one for their states: the classical Runge-Kutta method.

use crate::declaration::scalar::Scalar;

/// The states `x` after a time `h` in s, in a number of equal steps. `slope` gives their derivatives at a time
/// after the start, in s, and at the states there.
///
/// Events inside are not located. Source: E. Hairer, S. Nørsett, G. Wanner, Solving Ordinary Differential
/// Equations I, II.1.
pub fn runge_kutta<T: Scalar, const N: usize>(
    mut x: [T; N],
    h: f64,
    steps: i32,
    slope: impl Fn(f64, [T; N]) -> [T; N],
) -> [T; N] {
    let steps = steps.max(1);
    let length = h / f64::from(steps);
    let [whole, half, sixth] = [length, length / 2.0, length / 6.0].map(nalgebra::convert::<f64, T>);
    let along = |x: [T; N], slope: [T; N], h: T| std::array::from_fn(|i| x[i] + slope[i] * h);
    for step in 0..steps {
        let at = |part: f64| (f64::from(step) + part) * length;
        let first = slope(at(0.0), x);
        let second = slope(at(0.5), along(x, first, half));
        let third = slope(at(0.5), along(x, second, half));
        let fourth = slope(at(1.0), along(x, third, whole));
        let two = T::one() + T::one();
        x = along(x, std::array::from_fn(|i| first[i] + (second[i] + third[i]) * two + fourth[i]), sixth);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x'' = -x from (1, 0), and the time along with it.
    fn error(steps: i32) -> f64 {
        let [x, v, t] = runge_kutta([1.0, 0.0, 0.0], 1.0, steps, |s, [x, v, t]: [f64; 3]| {
            assert!((t - s).abs() < 1e-12);
            [v, -x, 1.0]
        });
        assert!((t - 1.0).abs() < 1e-12);
        (x - 1.0_f64.cos()).hypot(v + 1.0_f64.sin())
    }

    #[test]
    fn twice_the_steps_leave_a_sixteenth_of_the_error() {
        let ratio = error(20) / error(40);
        assert!((ratio - 16.0).abs() < 1.0, "{ratio}");
        assert!(error(40) < 1e-8);
    }
}
