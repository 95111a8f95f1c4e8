//! Values by their probability, the same bits on every computer, so without the system's `pow`.

use std::f64::consts::SQRT_2;

/// Distribution of the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Uniform distribution between two values.
    Uniform {
        /// The smallest value.
        from: f64,
        /// The largest value.
        to: f64,
    },
    /// Uniform distribution of the logarithm; both ends have the same sign.
    LogUniform {
        /// The smallest value.
        from: f64,
        /// The largest value.
        to: f64,
    },
    /// Gaussian distribution, cut off at the ends if there are any.
    Normal {
        /// Mean, before it is cut.
        mean: f64,
        /// Standard deviation, before it is cut.
        deviation: f64,
        /// The smallest value; minus infinity for none.
        from: f64,
        /// The largest value; infinity for none.
        to: f64,
    },
}

impl Distribution {
    /// Makes a normal distribution; `None` if hardly any of it lies between the ends.
    pub fn normal(mean: f64, deviation: f64, from: Option<f64>, to: Option<f64>) -> Option<Self> {
        let (from, to) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
        let (low, high) = (below((from - mean) / deviation), below((to - mean) / deviation));
        (high - low > 1e-6).then_some(Self::Normal { mean, deviation, from, to })
    }

    /// Returns the quantile of a probability from 0 to below 1.
    pub fn quantile(&self, part: f64) -> f64 {
        match *self {
            Self::Uniform { from, to } => (from * (1.0 - part) + to * part).clamp(from, to),
            Self::LogUniform { from, to } => (from * libm::pow(to / from, part)).clamp(from, to),
            Self::Normal { mean, deviation, from, to } => {
                let (low, high) = (below((from - mean) / deviation), below((to - mean) / deviation));
                (mean + deviation * standard(low + (high - low) * part)).clamp(from, to)
            }
        }
    }

    /// Returns the smallest and the largest value, if there are.
    pub fn ends(&self) -> impl Iterator<Item = f64> {
        let (Self::Uniform { from, to } | Self::LogUniform { from, to } | Self::Normal { from, to, .. }) = *self;
        [from, to].into_iter().filter(|end| end.is_finite())
    }
}

/// Returns the part of the standard normal distribution below a value.
fn below(value: f64) -> f64 {
    0.5 * libm::erfc(-value / SQRT_2)
}

/// Returns the quantile of the standard normal distribution: the interval that holds it is halved until it ends at
/// neighbouring numbers. A part of 0 gives the smallest value that is not lost in rounding.
fn standard(part: f64) -> f64 {
    let (mut low, mut high) = (-39.0_f64, 39.0_f64);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if below(middle) < part { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are percentage points of tables (Abramowitz and Stegun, table 26.1 read backwards).
    #[test]
    fn normal_quantiles_are_those_of_tables() {
        let normal = Distribution::normal(0.0, 1.0, None, None).unwrap();
        for (part, value) in [
            (0.5, 0.0),
            (0.841_344_746_068_542_9, 1.0),
            (0.977_249_868_051_820_8, 2.0),
            (0.025, -1.959_963_984_540_054),
            (1e-6, -4.753_424_308_822_899),
        ] {
            assert!((normal.quantile(part) - value).abs() < 1e-13, "{part}: {}", normal.quantile(part));
        }
    }

    #[test]
    fn a_cut_distribution_stays_inside() {
        let cut = Distribution::normal(1.0, 2.0, Some(0.0), Some(1.5)).unwrap();
        let values = [0.0, 0.25, 0.5, 0.75, 1.0 - f64::EPSILON].map(|part| cut.quantile(part));
        assert!(values.is_sorted() && values[0] >= 0.0 && values[4] <= 1.5, "{values:?}");
        // Half of what lies between is below the value for 0.5.
        let mass = |from: f64, to: f64| below((to - 1.0) / 2.0) - below((from - 1.0) / 2.0);
        assert!((mass(0.0, values[2]) - mass(values[2], 1.5)).abs() < 1e-14);
        assert_eq!(Distribution::normal(0.0, 1.0, Some(6.0), None), None);
    }

    #[test]
    fn uniform_ones_are_even() {
        assert_eq!(Distribution::Uniform { from: -1.0, to: 3.0 }.quantile(0.25), 0.0);
        let log = Distribution::LogUniform { from: 1.0, to: 1e4 };
        assert!((log.quantile(0.5) / 100.0 - 1.0).abs() < 1e-14);
        let negative = Distribution::LogUniform { from: -1e4, to: -1.0 };
        assert!((negative.quantile(0.25) / -1e3 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_part_of_zero_is_finite() {
        assert!(Distribution::normal(0.0, 1.0, None, None).unwrap().quantile(0.0).is_finite());
    }
}
