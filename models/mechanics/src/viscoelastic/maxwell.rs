//! The Maxwell element: its inner point after a motion that is a polynomial in time.

use super::path::{COEFFICIENTS, Path};

/// Terms until the backward recurrence no longer depends on its start.
const TERMS: usize = 54;

/// What a relaxation time makes of a step.
#[derive(Clone, Copy, Debug)]
pub struct Relaxation {
    /// Duration by relaxation time.
    ratio: f64,
    /// The integrals over u from 0 to 1 of `exp(-ratio (1 - u)) u^j`.
    moments: [f64; COEFFICIENTS],
}

impl Relaxation {
    /// Over `h` in s with the relaxation time `tau` in s.
    pub fn new(h: f64, tau: f64) -> Self {
        let ratio = h / tau;
        let mut moments = [0.0; COEFFICIENTS];
        // Each direction of the recurrence is stable on its side of j = ratio.
        let up = ratio.min(COEFFICIENTS as f64) as usize;
        if up > 0 {
            moments[0] = -(-ratio).exp_m1() / ratio;
            for j in 1..up {
                moments[j] = (1.0 - j as f64 * moments[j - 1]) / ratio;
            }
        }
        if up < COEFFICIENTS {
            let mut moment = 1.0 / TERMS as f64;
            for j in (up + 1..TERMS).rev() {
                moment = (1.0 - ratio * moment) / j as f64;
                if j <= COEFFICIENTS {
                    moments[j - 1] = moment;
                }
            }
        }
        Self { ratio, moments }
    }

    /// The inner point after the step, in which the deflection is `path`.
    pub fn after(&self, q: f64, path: &Path) -> f64 {
        let [constant, varying @ ..] = path.coefficients() else { return q };
        let sum: f64 = varying.iter().zip(&self.moments[1..]).map(|(c, moment)| c * moment).sum();
        q + self.ratio * ((constant - q) * self.moments[0] + sum)
    }
}

/// The inner point after `h` in s with the deflection `x`.
pub fn relax(q: f64, x: f64, h: f64, tau: f64) -> f64 {
    q - (x - q) * (-h / tau).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q = p + (q_0 - p(0)) exp(-s/tau)` with the polynomial that solves `p' = (x - p) / tau`.
    #[test]
    fn polynomials_are_followed_exactly() {
        for (h, tau) in [(1e-3, 1e-3), (0.02, 0.003), (0.1, 0.009), (1.0, 0.01), (0.3, 0.031)] {
            let ratio: f64 = h / tau;
            for degree in 0..COEFFICIENTS {
                let mut c = [0.0; COEFFICIENTS];
                c[degree] = 1.0;
                let mut p = [0.0; COEFFICIENTS + 1];
                for j in (0..=degree).rev() {
                    p[j] = c[j] - (j + 1) as f64 * p[j + 1] / ratio;
                }
                let expected = p.iter().sum::<f64>() + (0.7 - p[0]) * (-ratio).exp();
                // The polynomial loses digits where the step is short.
                let digits = p.iter().fold(1.0_f64, |largest, p| largest.max(p.abs()));
                let found = Relaxation::new(h, tau).after(0.7, &Path::new(&c));
                assert!((found - expected).abs() < 4e-15 * digits, "{h} {tau} {degree}: {found} {expected}");
            }
        }
    }

    #[test]
    fn a_short_step_is_a_small_change() {
        let mut c = [0.0; COEFFICIENTS];
        c[8] = 1.0;
        // The integral of ratio u^8.
        let found = Relaxation::new(1e-9, 1.0).after(0.0, &Path::new(&c));
        assert!((found / (1e-9 / 9.0) - 1.0).abs() < 1e-8, "{found}");
    }

    #[test]
    fn half_of_a_step_twice_is_the_step() {
        let x = 0.3;
        let once = relax(1.0, x, 0.4, 0.7);
        assert!((relax(relax(1.0, x, 0.2, 0.7), x, 0.2, 0.7) - once).abs() < 1e-16);
        assert!((Relaxation::new(0.4, 0.7).after(1.0, &Path::new(&[x])) - once).abs() < 4e-16);
    }
}
