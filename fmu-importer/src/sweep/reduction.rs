//! Reductions of a variable over time to one number.

use crate::Trajectory;

/// One number for a curve. Between two communication points a continuous variable is a straight line, another one
/// keeps its value.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The integral over time.
    Integral,
    /// How often the value changes, of a variable that is not continuous.
    Changes,
    /// The time from the start after which the value stays near the last one: within this distance, or within 2 % of
    /// the difference between the first and the last value.
    Settling(Option<f64>),
    /// The first time at which a condition holds; not a number if it never does.
    When(Relation, f64),
}

/// How a value compares with a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// It is larger.
    Above,
    /// It is smaller.
    Below,
    /// It is the same.
    Equal,
}

/// The reductions of one word in a sweep file.
pub const REDUCTIONS: [(&str, Reduction); 9] = [
    ("final", Reduction::Final),
    ("min", Reduction::Min),
    ("max", Reduction::Max),
    ("peak", Reduction::Peak),
    ("mean", Reduction::Mean),
    ("rms", Reduction::Rms),
    ("integral", Reduction::Integral),
    ("changes", Reduction::Changes),
    ("settling", Reduction::Settling(None)),
];

/// The band around the last value, as a part of the whole change.
const BAND: f64 = 0.02;

impl Reduction {
    /// Returns the number for a column of a trajectory; not a number as soon as one of the values is none.
    pub fn of(self, trajectory: &Trajectory, column: usize) -> f64 {
        let (time, values) = (&trajectory.time, &trajectory.columns[column]);
        let held = trajectory.discrete[column];
        let extreme = |better: fn(f64, f64) -> bool, of: fn(f64) -> f64| {
            let values = values.iter().map(|value| of(*value));
            let keeps = |best: f64, value: f64| best.is_nan() || !(value.is_nan() || better(value, best));
            let pick = |best, value| if keeps(best, value) { best } else { value };
            values.reduce(pick).unwrap_or(f64::NAN)
        };
        let line = |a: f64, b: f64| if held { a } else { 0.5 * (a + b) };
        let duration = || time[time.len() - 1] - time[0];
        match self {
            Self::Final => values.last().copied().unwrap_or(f64::NAN),
            Self::Min => extreme(|value, best| value < best, |value| value),
            Self::Max => extreme(|value, best| value > best, |value| value),
            Self::Peak => extreme(|value, best| value > best, f64::abs),
            Self::Mean => integral(time, values, line) / duration(),
            Self::Rms => {
                let square = |a: f64, b: f64| if held { a * a } else { (a * a + a * b + b * b) / 3.0 };
                (integral(time, values, square) / duration()).sqrt()
            }
            Self::Integral => integral(time, values, line),
            Self::Changes => values.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64,
            Self::Settling(band) => settling(time, values, held, band),
            Self::When(relation, limit) => when(time, values, held, (relation, limit)).unwrap_or(f64::NAN),
        }
    }

    /// Returns the unit of the number for a variable's unit.
    pub fn unit(self, unit: Option<&str>) -> Option<String> {
        match self {
            Self::Changes => None,
            Self::Settling(_) | Self::When(..) => Some("s".to_owned()),
            Self::Integral => Some(times_second(unit.unwrap_or("1"))),
            _ => unit.map(str::to_owned),
        }
    }
}

/// Returns the integral over time of the values that `between` returns for the two ends of each step.
fn integral(time: &[f64], values: &[f64], between: impl Fn(f64, f64) -> f64) -> f64 {
    let steps = time.windows(2).zip(values.windows(2));
    steps.map(|(time, values)| (time[1] - time[0]) * between(values[0], values[1])).sum()
}

fn settling(time: &[f64], values: &[f64], held: bool, band: Option<f64>) -> f64 {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return f64::NAN };
    let band = band.unwrap_or(BAND * (last - first).abs());
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let Some(outside) = values.iter().rposition(|value| (value - last).abs() > band) else { return 0.0 };
    let ([from, to], [a, b]) = ([time[outside], time[outside + 1]], [values[outside], values[outside + 1]]);
    let edge = last + band.copysign(a - last);
    let part = if held { 1.0 } else { (edge - a) / (b - a) };
    from + part * (to - from) - time[0]
}

/// Returns the first time at which a value is beyond a limit, or has it.
fn when(time: &[f64], values: &[f64], held: bool, (relation, limit): (Relation, f64)) -> Option<f64> {
    let holds = |value: f64| match relation {
        Relation::Above => value > limit,
        Relation::Below => value < limit,
        Relation::Equal => value == limit,
    };
    let at = values.iter().position(|value| holds(*value))?;
    if at == 0 || held {
        return Some(time[at]);
    }
    let (from, part) = (time[at - 1], (limit - values[at - 1]) / (values[at] - values[at - 1]));
    Some(from + part * (time[at] - from))
}

/// Returns the unit of an integral over time, as short as it can be.
fn times_second(unit: &str) -> String {
    match (unit.strip_suffix("/s"), unit.strip_suffix("/s2"), unit.split_once('/')) {
        (Some(rest), _, _) => rest.to_owned(),
        (_, Some(rest), _) => format!("{rest}/s"),
        (_, _, Some((numerator, denominator))) => format!("{numerator}.s/{denominator}"),
        _ if unit == "1" => "s".to_owned(),
        _ => format!("{unit}.s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(discrete: bool, values: &[f64], reduction: Reduction) -> f64 {
        let mut trajectory = Trajectory { time: vec![0.0, 2.0, 4.0], ..Trajectory::default() };
        trajectory.add("x", None, discrete);
        trajectory.columns[0] = values.to_vec();
        reduction.of(&trajectory, 0)
    }

    fn all(discrete: bool, values: &[f64]) -> [f64; 9] {
        REDUCTIONS.map(|(_, reduction)| reduced(discrete, values, reduction))
    }

    #[test]
    fn a_line_and_a_staircase_have_their_integrals() {
        // From -3 to 1 in 2 s, then constant for 2 s; the integral of its square is 14/3 + 2. The last 2 % of the
        // change of 4 take 0.04 s.
        let values = [-3.0, 1.0, 1.0];
        assert_eq!(all(false, &values), [1.0, -3.0, 1.0, 3.0, 0.0, (20.0_f64 / 12.0).sqrt(), 0.0, 1.0, 1.96]);
        // -3 for 2 s, then 1 for 2 s.
        assert_eq!(all(true, &values), [1.0, -3.0, 1.0, 3.0, -1.0, 5.0_f64.sqrt(), -4.0, 1.0, 2.0]);
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0]] {
            let found = all(false, &values);
            assert_eq!(found[0], 2.0);
            assert!([1, 2, 3, 4, 5, 6, 8].iter().all(|at| found[*at].is_nan()), "{found:?}");
        }
    }

    #[test]
    fn a_band_is_left_for_the_last_time() {
        // Out of the band downwards and back in: at 0.5 from the end of the second line.
        let settles = |held, band| reduced(held, &[5.0, 1.0, 2.0], Reduction::Settling(Some(band)));
        assert_eq!(
            [settles(false, 0.5), settles(true, 0.5), settles(false, 1.0), settles(false, 9.0)],
            [3.0, 4.0, 1.0, 0.0]
        );
        assert_eq!(reduced(false, &[3.0; 3], Reduction::Settling(None)), 0.0);
    }

    #[test]
    fn conditions_hold_from_a_first_time_on() {
        let values = [-3.0, 1.0, 2.0];
        let when = |held, relation, limit| reduced(held, &values, Reduction::When(relation, limit));
        assert_eq!(when(false, Relation::Above, 0.0), 1.5);
        assert_eq!(when(false, Relation::Above, 1.5), 3.0);
        assert_eq!(when(true, Relation::Above, 0.0), 2.0);
        assert_eq!(when(false, Relation::Below, 0.0), 0.0);
        assert_eq!(when(true, Relation::Equal, 2.0), 4.0);
        assert!(when(false, Relation::Above, 2.0).is_nan() && when(false, Relation::Below, -3.0).is_nan());
    }

    #[test]
    fn integrals_have_units() {
        let pairs = [("W", "W.s"), ("rad/s", "rad"), ("m/s2", "m/s"), ("N/m", "N.s/m"), ("1", "s")];
        for (unit, integral) in pairs {
            assert_eq!(Reduction::Integral.unit(Some(unit)).as_deref(), Some(integral));
        }
        assert_eq!(Reduction::Changes.unit(Some("1")), None);
        assert_eq!(Reduction::When(Relation::Above, 1.0).unit(Some("N")).as_deref(), Some("s"));
        assert_eq!(Reduction::Rms.unit(Some("N")).as_deref(), Some("N"));
    }
}
