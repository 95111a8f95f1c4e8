//! What resists a sine: storage and loss stiffness, the first harmonic of the load divided by the amplitude of the deflection.

use std::f64::consts::PI;

/// Storage and loss stiffness of a Maxwell element of `stiffness`, at `omega` in rad/s with the relaxation time `tau` in s:
/// `S i omega tau / (1 + i omega tau)`.
pub fn maxwell_stiffness(stiffness: f64, tau: f64, omega: f64) -> [f64; 2] {
    let x = omega * tau;
    // For x near 0 and for large x alike.
    let loss = stiffness / (x + 1.0 / x);
    [loss * x, loss]
}

/// Storage and loss stiffness of friction of `stiffness` with its `reach`, at this amplitude, after many periods.
///
/// On the way up the deflection of the spring is `z = reach - (reach + z_0) exp(-(x + A) / reach)` with
/// `z_0 = reach tanh(a)`, `a = A / reach`; its first harmonic has the Bessel function I1.
pub fn friction_stiffness(stiffness: f64, reach: f64, amplitude: f64) -> [f64; 2] {
    let a = amplitude / reach;
    // I1(a) / cosh(a) = 2 exp(-a) I1(a) / (1 + exp(-2 a))
    let storage = 4.0 * scaled_i1(a) / (a * (1.0 + (-2.0 * a).exp()));
    // The difference loses digits where a is small: there its series serves.
    let rest = if a < 0.02 { a * a * (1.0 / 3.0 - a * a * 2.0 / 15.0) } else { 1.0 - a.tanh() / a.max(0.02) };
    [stiffness * storage, stiffness * 4.0 / (PI * a) * rest]
}

/// The modified Bessel function `exp(-a) I1(a)`: its series, or for large numbers its asymptotic one.
fn scaled_i1(a: f64) -> f64 {
    const LARGE: f64 = 30.0;
    let mut sum = 0.0;
    if a < LARGE {
        let mut term = 0.5 * a * (-a).exp();
        let mut k = 0.0;
        while term > sum * f64::EPSILON {
            sum += term;
            k += 1.0;
            term *= 0.25 * a * a / (k * (k + 1.0));
        }
        return sum;
    }
    let mut term = 1.0 / (2.0 * PI * a).sqrt();
    let mut k = 1.0;
    while term.abs() > f64::EPSILON * sum.abs() && k < LARGE {
        sum += term;
        let odd = 2.0 * k - 1.0;
        term *= -(4.0 - odd * odd) / (k * 8.0 * a);
        k += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::super::{relax, walk};
    use super::*;

    /// The first harmonic of a load that `after` gives along one period of a sine, sampled often.
    fn harmonic(amplitude: f64, mut load: impl FnMut(f64) -> f64) -> [f64; 2] {
        const STEPS: usize = 100_000;
        let mut sums = [0.0; 2];
        for step in 0..STEPS {
            let angle = TAU * step as f64 / STEPS as f64;
            let load = load(amplitude * angle.sin());
            sums[0] += load * angle.sin() * 2.0 / STEPS as f64;
            sums[1] += load * angle.cos() * 2.0 / STEPS as f64;
        }
        sums.map(|sum| sum / amplitude)
    }

    /// By walking the path itself, from a beginning that is forgotten.
    #[test]
    fn friction_is_that_of_a_closed_loop() {
        let (stiffness, reach) = (9e5, 1e-4);
        for a in [1e-3, 0.019, 0.021, 0.3, 1.0, 4.0, 29.0, 31.0, 400.0] {
            let amplitude = a * reach;
            // The beginning is forgotten from one turning point to the next.
            let mut z = 0.0;
            for _ in 0..2 + (10.0 / a) as usize {
                z = walk(z, 2.0 * amplitude, reach, 0.0);
                z = walk(z, -2.0 * amplitude, reach, 0.0);
            }
            let mut x = -amplitude;
            let mut load = |next: f64| {
                z = walk(z, next - x, reach, 0.0);
                x = next;
                stiffness * z
            };
            compare(a, harmonic(amplitude, &mut load), friction_stiffness(stiffness, reach, amplitude));
        }
    }

    fn compare(a: f64, found: [f64; 2], expected: [f64; 2]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-4, "{a}: {found} {expected}");
        }
    }

    #[test]
    fn friction_is_a_spring_at_first_and_at_last_a_square_wave() {
        let [storage, loss] = friction_stiffness(2.0, 1.0, 1e-6);
        assert!(
            (storage - 2.0).abs() < 1e-6 && (loss / (8.0 * 1e-6 / (3.0 * PI)) - 1.0).abs() < 1e-9,
            "{storage} {loss}"
        );
        let [storage, loss] = friction_stiffness(2.0, 1.0, 1e6);
        assert!(storage < 1e-8 && (loss / (8.0 / PI * 1e-6) - 1.0).abs() < 1e-5, "{storage} {loss}");
    }

    #[test]
    fn a_maxwell_element_is_that_of_small_steps() {
        let (stiffness, tau, omega) = (9e5, 0.01, 30.0);
        let (mut q, mut last) = (0.0, 0.0);
        let h = TAU / omega / 100_000.0;
        let mut load = |x: f64| {
            q = relax(q, 0.5 * (x + last), h, tau);
            last = x;
            stiffness * (x - q)
        };
        for _ in 0..5 {
            harmonic(1e-3, &mut load);
        }
        compare(0.0, harmonic(1e-3, &mut load), maxwell_stiffness(stiffness, tau, omega));
        assert_eq!(maxwell_stiffness(2.0, 1.0, 1.0), [1.0, 1.0]);
    }
}
