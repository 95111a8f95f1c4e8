//! Detection of likely mistakes in a table of coefficients: loads in place of coefficients, or other units.

use fmu_runtime::Number;

use crate::varying::Coefficients;

/// Describes arguments in a column that look like those of another unit.
pub(crate) fn warn_if_wrong_units<const N: usize>(
    of: &Coefficients,
    column: usize,
    rows: &[[f64; N]],
) -> Option<String> {
    let largest = rows.iter().fold(0.0_f64, |largest, row| largest.max(row[0].abs()));
    let (unit, instead) = (&of.columns[0].name, of.instead);
    (largest > of.largest).then(|| {
        format!(
            "column {column} reaches {} {unit}, which looks like {instead}: {{ file = …, units = [\"{instead}\", …] }} \
             converts it",
            Number(largest)
        )
    })
}

/// Describes coefficients that look like loads.
pub(crate) fn warn_if_loads(of: &Coefficients, rows: &[[f64; 4]]) -> Option<String> {
    let column = (1..4).find(|column| looks_like_load(rows, *column))?;
    Some(format!(
        "column {} is 0 or changes its sign where column 1 does, or is proportional to it: a load looks like that, not \
         {}; law_{} = curve takes loads",
        column + 1,
        of.quantity().to_ascii_lowercase(),
        of.name,
    ))
}

/// True if a first argument below 0 looks like an offset of the measurement, so that 0 is meant.
pub(crate) fn is_zero_offset<const N: usize>(rows: &[[f64; N]]) -> bool {
    let (first, last) = (rows[0][0], rows[rows.len() - 1][0]);
    first < -ROUNDING * last && -first < OFFSET * last
}

/// True if a column behaves as loads do, whose quotient by the argument is the coefficient.
fn looks_like_load(rows: &[[f64; 4]], column: usize) -> bool {
    let points = || rows.iter().map(|row| (row[0], row[column]));
    let largest = points().fold(0.0_f64, |largest, (_, value)| largest.max(value.abs()));
    if rows.len() < 3 || largest == 0.0 {
        return false;
    }
    let small = |value: f64| value.abs() <= SMALL * largest;
    let follows = |(argument, value): (f64, f64)| argument == 0.0 || small(value) || (argument > 0.0) == (value > 0.0);
    if points().all(follows) && points().any(|(argument, value)| argument < 0.0 && !small(value)) {
        return true;
    }
    // A stop has no stiffness at 0 and a little beyond.
    if let Some(zero) = points().position(|(argument, _)| argument == 0.0) {
        let beside = [zero.checked_sub(1), Some(zero + 1)].into_iter().flatten().filter_map(|row| rows.get(row));
        return small(rows[zero][column]) && beside.map(|row| row[column]).all(|value| !small(value));
    }
    let quotients = points().map(|(argument, value)| value / argument);
    let (low, high) = quotients.fold((f64::MAX, f64::MIN), |(low, high), one| (low.min(one), high.max(one)));
    let (first, last) = (rows[0][0].abs(), rows[rows.len() - 1][0].abs());
    low > 0.0 && high < 1.2 * low && first.max(last) > 3.0 * first.min(last)
}

/// Fraction of the largest value below which others count as 0.
const SMALL: f64 = 1e-6;

/// Fraction of the largest load or argument below which others are a spreadsheet's zero.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Fraction of the last argument below which a negative first one is an offset of the measurement.
const OFFSET: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::varying::{RD, RS, TD, TS};

    /// Makes rows with these coefficients in all directions.
    fn rows(points: &[(f64, f64)]) -> Vec<[f64; 4]> {
        points.iter().map(|(argument, value)| [*argument, *value, *value, *value]).collect()
    }

    #[test]
    fn loads_in_place_of_coefficients_are_noticed() {
        for points in [
            &[(0.0, 0.0), (0.002, 9e3), (0.004, 24e3), (0.006, 50e3)][..],
            &[(-0.002, -9e3), (0.0, 0.0), (0.002, 9e3)],
            &[(-0.002, -9e3), (-0.001, -4e3), (0.001, 5e3), (0.002, 9e3)],
            &[(0.001, 4.5e3), (0.002, 9e3), (0.004, 19e3)],
        ] {
            assert_eq!(
                warn_if_loads(TS, &rows(points)).unwrap_or_else(|| panic!("{points:?}")),
                "column 2 is 0 or changes its sign where column 1 does, or is proportional to it: a load looks like that, \
                 not translational stiffness; law_TS = curve takes loads"
            );
        }
    }

    #[test]
    fn coefficients_are_not_suspected() {
        for points in [
            &[(0.0, 4.5e6)][..],
            &[(0.0, 4.5e6), (0.002, 4.6e6), (0.004, 6e6)],
            &[(-0.002, 5e6), (0.0, 4.5e6), (0.002, 5e6)],
            // A stop with play, on one side or on both.
            &[(0.0, 0.0), (0.002, 0.0), (0.004, 6e6)],
            &[(-0.004, 6e6), (-0.002, 0.0), (0.0, 0.0), (0.002, 0.0), (0.004, 6e6)],
            &[(-0.004, 0.0), (0.0, 0.0), (0.002, 1e5)],
            &[(0.001, 4e6), (0.002, 5e6), (0.004, 6e6)],
            &[(0.0, 0.0), (0.1, 0.0)],
        ] {
            assert_eq!(warn_if_loads(TS, &rows(points)), None, "{points:?}");
        }
    }

    #[test]
    fn other_units_are_noticed() {
        let found = |of, last| warn_if_wrong_units(of, 1, &rows(&[(0.0, 1.0), (last, 2.0)]));
        assert_eq!(
            found(TS, 25.0).unwrap(),
            "column 1 reaches 25.0 m, which looks like mm: { file = …, units = [\"mm\", …] } converts it"
        );
        for (of, usual, large, right) in
            [(TS, 0.08, 0.8, "mm"), (TD, 20.0, 500.0, "mm/s"), (RS, 3.2, 30.0, "deg"), (RD, 600.0, 2000.0, "deg/s")]
        {
            assert_eq!(found(of, usual), None);
            assert!(found(of, large).unwrap().contains(&format!("looks like {right}: ")));
        }
    }
}
