//! Motion with constant coefficients, in closed form: `u' = a + b (u - u_0)`, `u(0) = u_0`.

/// A speed whose rate is linear in the speed itself.
#[derive(Clone, Copy, Debug)]
pub struct ExponentialMotion {
    /// The rate at the beginning.
    pub a: f64,
    /// The slope of the rate.
    pub b: f64,
}

impl ExponentialMotion {
    /// Returns the changes of the speed and of its integral (that of `u - u_0`) after `t`.
    #[inline]
    pub fn after(self, t: f64) -> (f64, f64) {
        let (first, second) = exponentials(self.b * t);
        (self.a * t * first, self.a * t * t * second)
    }

    /// Returns the time after which the speed has changed by `difference`; infinity if never.
    #[inline]
    pub fn time_to(self, difference: f64) -> f64 {
        let ratio = difference / self.a;
        let x = self.b * ratio;
        if x <= -1.0 || !ratio.is_finite() {
            f64::INFINITY
        } else if x.abs() < 1e-300 {
            ratio
        } else {
            ratio * (x.ln_1p() / x)
        }
    }
}

/// Evaluates `(e^z - 1) / z` and `(e^z - 1 - z) / z^2`.
#[inline]
fn exponentials(z: f64) -> (f64, f64) {
    if z == 0.0 {
        return (1.0, 0.5);
    }
    if z.abs() > 0.5 {
        let first = z.exp_m1() / z;
        return (first, (first - 1.0) / z);
    }
    /// Coefficients 1 / 2!, 1 / 3!, … of the series.
    const TERMS: [f64; 14] = {
        let mut terms = [0.5; 14];
        let mut j = 1;
        while j < terms.len() {
            terms[j] = terms[j - 1] / (j + 2) as f64;
            j += 1;
        }
        terms
    };
    // Not Horner's scheme, whose operations depend on each other.
    let (z2, z4) = (z * z, z * z * (z * z));
    let pair = |j: usize| TERMS[j] + TERMS[j + 1] * z;
    let four = |j: usize| pair(j) + pair(j + 2) * z2;
    let second = four(0) + (four(4) + (four(8) + pair(12) * z4) * z4) * z4;
    (1.0 + z * second, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_and_the_exponential_meet() {
        for sign in [1.0, -1.0] {
            let (series, closed) = (exponentials(0.5 * sign), exponentials(0.500_000_000_000_01 * sign));
            assert!((series.0 - closed.0).abs() < 2e-14 && (series.1 - closed.1).abs() < 2e-14);
        }
    }

    #[test]
    fn the_time_to_a_speed_is_when_it_is_reached() {
        for (a, b, difference) in [(2.0, -0.7, 1.5), (-2.0, 3.0, -40.0), (5.0, 0.0, 1.0), (1.0, 1e-9, 3.0)] {
            let motion = ExponentialMotion { a, b };
            let (reached, _) = motion.after(motion.time_to(difference));
            assert!((reached / difference - 1.0).abs() < 4e-16, "{a} {b} {reached}");
        }
        assert_eq!(ExponentialMotion { a: 1.0, b: -2.0 }.time_to(0.5), f64::INFINITY);
        assert_eq!(ExponentialMotion { a: 0.0, b: -2.0 }.time_to(0.5), f64::INFINITY);
    }
}
