//! The coefficient of sliding friction over speed and temperature, or in the place of that the load of a bearing.

use super::coefficient::Coefficient;
use super::law::Sliding;
use crate::{Scalar, constant, value};

/// Coefficients over the speed, each at a temperature: linear between two temperatures, and held beyond the first and last.
#[derive(Clone, Debug, PartialEq)]
pub struct CoefficientsByTemperature {
    /// Temperatures, which rise, in K.
    temperatures: Vec<f64>,
    coefficients: Vec<Coefficient>,
    /// The speeds at which the slope of any of them changes.
    speeds: Vec<f64>,
}

/// The coefficient of sliding friction at one temperature, or one that does not depend on the temperature.
#[derive(Clone, Copy, Debug)]
pub struct CoefficientAt<'a, T> {
    lower: &'a Coefficient,
    upper: Option<Upper<'a, T>>,
}

/// The coefficient at the next temperature.
#[derive(Clone, Copy, Debug)]
struct Upper<'a, T> {
    coefficient: &'a Coefficient,
    weight: T,
    speeds: &'a [f64],
    /// Indicator that changes its sign at each temperature of the table.
    kinks: T,
}

impl CoefficientsByTemperature {
    /// Makes it of coefficients at temperatures that rise, of which there must be one at least.
    pub fn new(coefficients: Vec<(f64, Coefficient)>) -> Self {
        let (temperatures, coefficients): (_, Vec<Coefficient>) = coefficients.into_iter().unzip();
        let mut speeds: Vec<f64> = coefficients.iter().flat_map(Coefficient::kink_speeds).collect();
        speeds.sort_by(f64::total_cmp);
        speeds.dedup();
        Self { temperatures, coefficients, speeds }
    }

    /// Returns the coefficient at a temperature.
    pub fn at<T: Scalar>(&self, temperature: T) -> CoefficientAt<'_, T> {
        let node = |i: usize| constant::<T>(self.temperatures[i]);
        let above = self.temperatures.partition_point(|at| *at <= value(temperature));
        let last = self.temperatures.len() - 1;
        let (lower, upper) = (above.saturating_sub(1), above.min(last));
        let weight = if lower == upper { T::zero() } else { (temperature - node(lower)) / (node(upper) - node(lower)) };
        let kinks = alternating(above, |i| self.temperatures.get(i).copied(), temperature);
        let upper = Upper { coefficient: &self.coefficients[upper], weight, speeds: &self.speeds, kinks };
        CoefficientAt { lower: &self.coefficients[lower], upper: Some(upper) }
    }
}

/// Evaluates an indicator, of size 1 at most, that changes its sign continuously at each node; `above` of them are not above x.
fn alternating<T: Scalar>(above: usize, node: impl Fn(usize) -> Option<f64>, x: T) -> T {
    let below = above.checked_sub(1).and_then(&node).map(|node| x - constant(node));
    let beyond = node(above).map(|node| constant::<T>(node) - x);
    let distance = [below, beyond].into_iter().flatten().fold(T::one(), |least, distance| least.min(distance));
    if above.is_multiple_of(2) { distance } else { -distance }
}

impl<'a, T> CoefficientAt<'a, T> {
    /// Returns a coefficient that does not depend on the temperature.
    #[inline]
    pub fn any(coefficient: &'a Coefficient) -> Self {
        Self { lower: coefficient, upper: None }
    }
}

impl<T: Scalar> CoefficientAt<'_, T> {
    /// Evaluates both coefficients by a function.
    #[inline]
    fn of(self, mu: impl Fn(&Coefficient) -> T) -> T {
        let lower = mu(self.lower);
        match self.upper {
            None => lower,
            Some(upper) => lower + upper.weight * (mu(upper.coefficient) - lower),
        }
    }
}

impl<T: Scalar> Sliding<T> for CoefficientAt<'_, T> {
    #[inline]
    fn at_rest(self) -> T {
        self.of(|coefficient| Sliding::<T>::at_rest(coefficient))
    }

    #[inline]
    fn directional(self, u: T, time_derivative: T) -> T {
        self.of(|coefficient| coefficient.mu_directional(u, time_derivative))
    }

    fn kinks(self, u: T) -> T {
        let Some(Upper { speeds, kinks, .. }) = self.upper else { return self.lower.kinks(u) };
        let above = speeds.partition_point(|speed| *speed <= value(u));
        kinks * alternating(above, |i| speeds.get(i).copied(), u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual64;
    use crate::friction::Extrapolation;

    fn falling() -> CoefficientsByTemperature {
        let coefficient = |rows: &[[f64; 2]]| Coefficient::new(rows, Extrapolation::Linear).unwrap();
        CoefficientsByTemperature::new(vec![
            (300.0, coefficient(&[[0.0, 0.5], [10.0, 0.4], [20.0, 0.35]])),
            (400.0, coefficient(&[[0.0, 0.3], [5.0, 0.2], [10.0, 0.2]])),
            (450.0, coefficient(&[[0.0, 0.1]])),
        ])
    }

    #[test]
    fn between_two_temperatures_it_is_linear_and_beyond_it_is_held() {
        let falling = falling();
        let cases = [
            (200.0, 10.0, 0.4),
            (300.0, 0.0, 0.5),
            (350.0, 10.0, 0.3),
            (350.0, 2.5, 0.3625),
            (425.0, 7.0, 0.15),
            (900.0, 3.0, 0.1),
        ];
        for (temperature, u, mu) in cases {
            let found: f64 = falling.at(temperature).directional(u, 0.0);
            assert!((found - mu).abs() < 1e-15, "{temperature} {u}: {found}");
        }
        assert!((Sliding::<f64>::at_rest(falling.at(350.0)) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn derivatives_are_limits_of_differences() {
        let falling = falling();
        for temperature in [250.0, 333.0, 410.0, 500.0] {
            let at = |temperature: f64| falling.at(temperature).directional(3.0, 0.0);
            let exact =
                falling.at(Dual64::new(temperature, 1.0)).directional(Dual64::from_re(3.0), Dual64::from_re(0.0));
            let difference = (at(temperature + 1e-4) - at(temperature - 1e-4)) / 2e-4;
            assert!((exact.eps - difference).abs() < 1e-9, "{temperature}: {} {difference}", exact.eps);
        }
    }

    #[test]
    fn the_sign_changes_at_each_temperature_and_each_speed_of_the_table() {
        let falling = falling();
        let sign = |temperature: f64, u: f64| falling.at(temperature).kinks(u) > 0.0;
        for [before, behind] in [[299.0, 301.0], [399.0, 401.0], [449.0, 451.0]] {
            assert_ne!(sign(before, 1.0), sign(behind, 1.0), "{before}");
        }
        // A speed of two temperatures, and one of one.
        for [before, behind] in [[9.0, 11.0], [4.0, 6.0]] {
            assert_ne!(sign(350.0, before), sign(350.0, behind), "{before}");
        }
        assert_eq!(falling.at(400.0).kinks(1.0), 0.0);
    }
}
