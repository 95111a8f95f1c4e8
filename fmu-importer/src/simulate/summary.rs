//! A trajectory as a short table.

#[cfg(feature = "commands")]
use comfy_table::{CellAlignment, Table, presets::NOTHING};

#[cfg(feature = "commands")]
use crate::Trajectory;

#[cfg(feature = "commands")]
/// Fraction of the largest value below which a value counts as rounding.
const ROUNDING: f64 = 1e-12;

#[cfg(feature = "commands")]
/// Returns smallest, largest and last value of every variable, with its unit; 0 for mere rounding errors.
pub fn table(trajectory: &Trajectory) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["variable", "min", "max", "final", "unit"]);
    for (position, column) in trajectory.columns.iter().enumerate() {
        let min = column.iter().copied().fold(f64::NAN, f64::min);
        let max = column.iter().copied().fold(f64::NAN, f64::max);
        let last = column.last().copied().unwrap_or(f64::NAN);
        let rounding = ROUNDING * largest(trajectory, &trajectory.units[position]);
        let shown = |value: f64| if value.abs() < rounding { short(0.0) } else { short(value) };
        table.add_row([
            trajectory.names[position].clone(),
            shown(min),
            shown(max),
            shown(last),
            trajectory.units[position].clone().unwrap_or_default(),
        ]);
    }
    for column in 1..=3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

#[cfg(feature = "commands")]
/// Returns the largest magnitude of all columns of a unit.
fn largest(trajectory: &Trajectory, unit: &Option<String>) -> f64 {
    let columns = trajectory.columns.iter().zip(&trajectory.units).filter(|(_, other)| *other == unit);
    columns.flat_map(|(column, _)| column).fold(0.0, |largest, value| largest.max(value.abs()))
}

/// Returns a number to six digits.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.abs().to_string();
    }
    let exponential = format!("{value:.5e}");
    let (mantissa, exponent) = exponential.split_once('e').unwrap_or((&exponential, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=5) => trimmed(&format!("{value:.*}", (5 - exponent) as usize)),
        _ => format!("{}e{exponent}", trimmed(mantissa)),
    }
}

fn trimmed(number: &str) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_at_most() {
        let shown = [0.0, -0.0, 1.0, 4000.0, 123_456.7, 1_234_567.0, -2.5e-7, 0.001_234_567];
        let expected = ["0", "0", "1", "4000", "123457", "1.23457e6", "-2.5e-7", "0.00123457"];
        assert_eq!(shown.map(short), expected);
        assert_eq!(short(f64::INFINITY), "inf");
    }

    #[test]
    fn rounding_is_shown_as_zero() {
        let mut trajectory = Trajectory::default();
        trajectory.add("f[1]", Some("N".to_owned()), false);
        trajectory.add("f[2]", Some("N".to_owned()), false);
        trajectory.add("s", Some("m".to_owned()), false);
        trajectory.columns = vec![vec![4000.0, -1e-9], vec![-3e-13, 2e-9], vec![1e-13, -2e-13]];
        let table = table(&trajectory);
        let rows: Vec<Vec<_>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["f[1]", "0", "4000", "0", "N"]);
        assert_eq!(rows[1], ["f[2]", "0", "0", "0", "N"]);
        assert_eq!(rows[2], ["s", "-2e-13", "1e-13", "-2e-13", "m"]);
    }

    #[test]
    fn what_is_no_number_is_shown_so() {
        let mut trajectory = Trajectory::default();
        trajectory.add("x", None, false);
        trajectory.columns[0] = vec![f64::NAN, f64::NAN];
        let table = table(&trajectory);
        assert_eq!(table.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>(), ["x", "NaN", "NaN", "NaN"]);
    }

    #[test]
    fn table_has_a_line_for_each_variable() {
        let mut trajectory = Trajectory::default();
        trajectory.add("frame_b.f[1]", Some("N".to_owned()), false);
        trajectory.columns[0] = vec![1.0, -2.0, 0.5];
        let table = table(&trajectory);
        let cells: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
        let expected: [Vec<&str>; 2] =
            [vec!["variable", "min", "max", "final", "unit"], vec!["frame_b.f[1]", "-2", "1", "0.5", "N"]];
        assert_eq!(cells, expected);
    }
}
