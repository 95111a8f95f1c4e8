//! Reductions of a variable over time to one number.

use crate::Trajectory;

/// One number for a curve. Between two communication points a continuous variable is a straight line, another one
/// keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The last value.
    Final,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The largest magnitude.
    Peak,
    /// The mean over time.
    Mean,
    /// The root of the mean square over time.
    Rms,
}

/// All reductions with their names in a sweep file.
pub const REDUCTIONS: [(&str, Reduction); 6] = [
    ("final", Reduction::Final),
    ("min", Reduction::Min),
    ("max", Reduction::Max),
    ("peak", Reduction::Peak),
    ("mean", Reduction::Mean),
    ("rms", Reduction::Rms),
];

impl Reduction {
    /// Returns the number for a column of a trajectory; not a number as soon as one of the values is none.
    pub fn of(self, trajectory: &Trajectory, column: usize) -> f64 {
        let values = &trajectory.columns[column];
        let held = trajectory.discrete[column];
        let extreme = |better: fn(f64, f64) -> bool, of: fn(f64) -> f64| {
            let values = values.iter().map(|value| of(*value));
            let keeps = |best: f64, value: f64| best.is_nan() || !(value.is_nan() || better(value, best));
            let pick = |best, value| if keeps(best, value) { best } else { value };
            values.reduce(pick).unwrap_or(f64::NAN)
        };
        match self {
            Self::Final => values.last().copied().unwrap_or(f64::NAN),
            Self::Min => extreme(|value, best| value < best, |value| value),
            Self::Max => extreme(|value, best| value > best, |value| value),
            Self::Peak => extreme(|value, best| value > best, f64::abs),
            Self::Mean => mean(&trajectory.time, values, |a, b| if held { a } else { 0.5 * (a + b) }),
            Self::Rms => {
                mean(&trajectory.time, values, |a, b| if held { a * a } else { (a * a + a * b + b * b) / 3.0 }).sqrt()
            }
        }
    }
}

/// Returns the mean over time of the values that `between` returns for the two ends of each step.
fn mean(time: &[f64], values: &[f64], between: impl Fn(f64, f64) -> f64) -> f64 {
    let steps = time.windows(2).zip(values.windows(2));
    let sum: f64 = steps.map(|(time, values)| (time[1] - time[0]) * between(values[0], values[1])).sum();
    sum / (time[time.len() - 1] - time[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(discrete: bool, time: &[f64], values: &[f64]) -> [f64; 6] {
        let mut trajectory = Trajectory { time: time.to_vec(), ..Trajectory::default() };
        trajectory.add("x", None, discrete);
        trajectory.columns[0] = values.to_vec();
        REDUCTIONS.map(|(_, reduction)| reduction.of(&trajectory, 0))
    }

    #[test]
    fn a_line_and_a_staircase_have_their_integrals() {
        // From -3 to 1 in 2 s, then constant for 2 s; the integral of its square is 14/3 + 2.
        let (time, values) = ([0.0, 2.0, 4.0], [-3.0, 1.0, 1.0]);
        assert_eq!(reduced(false, &time, &values), [1.0, -3.0, 1.0, 3.0, 0.0, (20.0_f64 / 12.0).sqrt()]);
        // -3 for 2 s, then 1 for 2 s.
        assert_eq!(reduced(true, &time, &values), [1.0, -3.0, 1.0, 3.0, -1.0, 5.0_f64.sqrt()]);
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0]] {
            let found = reduced(false, &[0.0, 1.0, 2.0], &values);
            assert_eq!(found[0], 2.0);
            assert!(found[4].is_nan() && found[5].is_nan(), "{found:?}");
            assert!(found[1..4].iter().all(|extreme| extreme.is_nan()), "{found:?}");
        }
    }
}
