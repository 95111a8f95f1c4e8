//! Look-up in tables against closed forms, finite differences and SciPy.

use mechanics::Dual64;
use mechanics::lookup_table::{Extrapolation, LookupTable, Smoothness, TableError};
use proptest::prelude::*;

const ALL: [Smoothness; 3] = [Smoothness::Linear, Smoothness::Spline, Smoothness::Akima];

fn table<const N: usize>(rows: &[[f64; N]], smoothness: Smoothness, extrapolation: Extrapolation) -> LookupTable {
    LookupTable::new(rows, smoothness, extrapolation).unwrap()
}

fn hold<const N: usize>(rows: &[[f64; N]], smoothness: Smoothness) -> LookupTable {
    table(rows, smoothness, Extrapolation::Hold)
}

/// Returns value and slope at an argument.
fn slope(table: &LookupTable, argument: f64) -> (f64, f64) {
    let dual = table.value(0, Dual64::new(argument, 1.0));
    (dual.re, dual.eps)
}

/// Generates a direction in which the elements of a table with four columns move.
fn direction() -> impl Strategy<Value = Vec<[f64; 4]>> {
    proptest::collection::vec([-1.0..1.0_f64, -1.0..1.0, -1.0..1.0, -1.0..1.0], 40)
}

/// Generates rows with increasing arguments from `first` and three ordinates.
fn rows(first: std::ops::Range<f64>) -> impl Strategy<Value = Vec<[f64; 4]>> {
    let row = (1e-3..2.0_f64, [-10.0..10.0_f64, 0.0..100.0, -1.0..1.0]);
    (first, proptest::collection::vec(row, 1..40)).prop_map(|(mut argument, rows)| {
        let row = |(step, [a, b, c]): (f64, [f64; 3])| {
            argument += step;
            [argument, a, b, c]
        };
        rows.into_iter().map(row).collect()
    })
}

#[test]
fn the_splines_are_those_of_scipy() {
    compare(Smoothness::Spline, include_str!("reference/spline.txt"));
    compare(Smoothness::Akima, include_str!("reference/akima.txt"));
}

fn compare(smoothness: Smoothness, text: &str) {
    let mut compared = 0;
    for block in text.split("table\n").skip(1) {
        let numbers = |kind: &str| -> Vec<Vec<f64>> {
            let lines = block.lines().filter_map(|line| line.strip_prefix(kind));
            lines.map(|line| line.split_whitespace().map(|number| number.parse().unwrap()).collect()).collect()
        };
        let knots: Vec<[f64; 2]> = numbers("knot").into_iter().map(|knot| [knot[0], knot[1]]).collect();
        let table = hold(&knots, smoothness);
        let sizes = [1, 2, 3].map(|i| numbers("value").iter().fold(0.0_f64, |size, line| size.max(line[i].abs())));
        for line in numbers("value") {
            let (value, rate) = slope(&table, line[0]);
            assert!((value - line[1]).abs() <= 1e-12 * sizes[0], "{line:?}: {value}");
            assert!((rate - line[2]).abs() <= 1e-12 * sizes[1], "{line:?}: {rate}");
            compared += 1;
        }
    }
    assert!(compared > 200, "compared {compared}");
}

#[test]
fn a_table_is_a_line_between_two_rows_and_constant_with_one() {
    for smoothness in ALL {
        let two = hold(&[[-1.0, 2.0, 5.0], [3.0, 10.0, 1.0]], smoothness);
        assert_eq!([two.value(0, 0.0), two.value(1, 1.0)], [4.0, 3.0]);
        assert_eq!(slope(&two, 1.0), (6.0, 2.0));
        for extrapolation in [Extrapolation::Hold, Extrapolation::Linear] {
            let one = table(&[[0.5, 7.0]], smoothness, extrapolation);
            assert_eq!([-9.0, 0.0, 0.5, 1e9].map(|argument| one.value(0, argument)), [7.0; 4]);
            assert_eq!(slope(&one, 0.7), (7.0, 0.0));
        }
    }
}

#[test]
fn outside_the_ordinate_or_the_slope_is_kept() {
    let rows = [[-1.0, 2.0], [0.0, 1.0], [2.0, 5.0]];
    let linear = table(&rows, Smoothness::Linear, Extrapolation::Linear);
    assert_eq!([-3.0, 4.0].map(|argument| slope(&linear, argument)), [(4.0, -1.0), (9.0, 2.0)]);
    for smoothness in ALL {
        let held = hold(&rows, smoothness);
        assert_eq!([-3.0, 4.0].map(|argument| slope(&held, argument)), [(2.0, 0.0), (5.0, 0.0)]);
        let along = table(&rows, smoothness, Extrapolation::Linear);
        for (end, outside) in [(-1.0, -4.0), (2.0, 5.0)] {
            let inwards = if end < 0.0 { 1e-9 } else { -1e-9 };
            let (value, rate) = (slope(&along, end).0, slope(&along, end + inwards).1);
            let (far, outer) = slope(&along, outside);
            assert!((outer - rate).abs() < 1e-8, "{smoothness:?}: {outer} is not {rate}");
            assert!((far - (value + outer * (outside - end))).abs() < 1e-12);
        }
    }
}

#[test]
fn a_table_from_zero_or_more_is_even() {
    for smoothness in ALL {
        let even = table(&[[0.0, 1.0], [1.0, 3.0], [2.0, 4.0]], smoothness, Extrapolation::Linear);
        let other = table(&[[-0.1, 1.0], [1.0, 3.0], [2.0, 4.0]], smoothness, Extrapolation::Linear);
        assert!(even.is_even() && !other.is_even());
        for argument in [0.0, 0.3, 1.0, 1.9, 5.0] {
            let (here, there) = (slope(&even, argument), slope(&even, -argument));
            assert_eq!(here.0, there.0);
            assert!(argument == 0.0 || here.1 == -there.1);
        }
        assert_ne!(other.value(0, 1.0), other.value(0, -1.0));
    }
}

#[test]
fn a_zero_with_the_rounding_of_a_spreadsheet_is_zero() {
    for first in [-1e-17, 0.0, 1e-17] {
        let table = hold(&[[first, 2e6], [2e-3, 4e6]], Smoothness::Linear);
        assert_eq!(table.value(0, -2e-3), 4e6, "{first}");
    }
    assert_eq!(hold(&[[-1e-9, 2e6], [2e-3, 4e6]], Smoothness::Linear).value(0, -2e-3), 2e6);
}

#[test]
fn what_is_no_table_is_refused() {
    let refused = |rows: &[[f64; 2]]| LookupTable::new(rows, Smoothness::Linear, Extrapolation::Hold).unwrap_err();
    assert_eq!(refused(&[]), TableError::Empty);
    assert_eq!(refused(&[[0.0, 1.0], [1.0, 1.0], [1.0, 2.0]]), TableError::NotIncreasing { row: 2 });
    assert_eq!(refused(&[[0.0, 1.0], [-1.0, 1.0]]), TableError::NotIncreasing { row: 1 });
    assert_eq!(refused(&[[-1.0, 0.0], [0.0, 0.0], [1e-300, 1e300]]), TableError::TooSteep { row: 1, column: 1 });
}

#[test]
fn a_spline_that_swings_out_is_found() {
    let gap = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0], [3.0, 6.0, 1.0]];
    assert_eq!(hold(&gap, Smoothness::Linear).undershoot(), None);
    let spline = hold(&gap, Smoothness::Spline);
    let (row, column, lowest) = spline.undershoot().unwrap();
    assert_eq!((row, column), (1, 0));
    let sampled = (0..=1000).map(|i| spline.value(0, 1.0 + f64::from(i) / 1000.0)).fold(f64::INFINITY, f64::min);
    assert!(lowest <= sampled && lowest > sampled - 1e-6, "{lowest} {sampled}");
}

#[test]
fn what_does_not_resist_is_found() {
    let against = |rows: &[[f64; 2]], smoothness, base| hold(rows, smoothness).opposite_sign_point(base);
    let linear = Smoothness::Linear;
    assert_eq!(against(&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]], linear, 0.0), None);
    assert_eq!(against(&[[0.0, 0.0], [1.0, 2.0], [2.0, -1.0], [3.0, 1.0]], linear, 0.0), Some((2, 2.0, -1.0)));
    assert_eq!(against(&[[-1.0, -2.0], [1.0, 2.0]], linear, 0.0), None);
    assert_eq!(against(&[[-1.0, -1.0], [1.0, 3.0]], linear, 0.0), Some((0, 0.0, 1.0)));
    assert_eq!(against(&[[-1.0, -1.0], [1.0, 3.0]], linear, 1.0), None);
    assert_eq!(against(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 3.0]], linear, 0.0), Some((0, -1.0, 1.0)));
    // The spline of the rows above that overshoots.
    let gap = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 6.0]];
    assert_eq!(against(&gap, linear, 0.0), None);
    let (row, argument, ordinate) = against(&gap, Smoothness::Spline, 0.0).unwrap();
    assert!(row == 1 && argument > 1.0 && argument < 2.0 && ordinate < -0.1);

    let turns_back = |rows: &[[f64; 2]], extrapolation| table(rows, linear, extrapolation).turns_back();
    for (rows, expected) in [
        (&[[0.0, 0.0], [1.0, 2.0]][..], false),
        (&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]], true),
        (&[[-2.0, -1.0], [-1.0, -2.0], [0.0, 0.0], [1.0, 1.0]], true),
        (&[[-1.0, -2.0], [0.0, 0.0], [1.0, 1.0]], false),
    ] {
        assert_eq!(turns_back(rows, Extrapolation::Linear), expected, "{rows:?}");
        assert!(!turns_back(rows, Extrapolation::Hold));
    }
}

proptest! {
    #[test]
    fn tables_pass_through_their_points(rows in rows(-20.0..20.0)) {
        for smoothness in ALL {
            let table = hold(&rows, smoothness);
            for row in &rows {
                for column in 0..3 {
                    prop_assert_eq!(table.value(column, row[0]), row[column + 1]);
                }
            }
        }
    }

    #[test]
    fn lines_mix_two_rows(rows in rows(-20.0..20.0), share in 0.0..1.0_f64) {
        let table = hold(&rows, Smoothness::Linear);
        for pair in rows.windows(2) {
            let argument = pair[0][0] + share * (pair[1][0] - pair[0][0]);
            let share = (argument - pair[0][0]) / (pair[1][0] - pair[0][0]);
            let expected = pair[0][2] * (1.0 - share) + pair[1][2] * share;
            prop_assert!((table.value(1, argument) - expected).abs() < 1e-9);
        }
    }

    /// Value, slope and curvature from both sides, the curvature by differences of exact slopes.
    #[test]
    fn splines_are_smooth_twice(rows in rows(-20.0..20.0)) {
        let table = hold(&rows, Smoothness::Spline);
        for row in &rows[1..rows.len().max(2) - 1] {
            let near = |h: f64| slope(&table, row[0] + h);
            let (e, at) = (1e-7, near(0.0));
            // The curvature of a cubic is linear, so that the limit follows from two mean values, at 3/2 h and 5/2 h.
            let mean = |from: f64, to: f64| (near(to).1 - near(from).1) / (to - from);
            let curvature = |h: f64| 2.5 * mean(h, 2.0 * h) - 1.5 * mean(2.0 * h, 3.0 * h);
            let size = curvature(e).abs().max(curvature(-e).abs()).max(at.1.abs()).max(1.0);
            prop_assert!((near(-1e-12).0 - at.0).abs() <= 1e-10 * at.1.abs().max(1.0));
            prop_assert!((near(-1e-12).1 - at.1).abs() <= 1e-10 * size);
            prop_assert!((curvature(e) - curvature(-e)).abs() <= 1e-2 * size, "{} {}", curvature(e), curvature(-e));
        }
    }

    #[test]
    fn slopes_are_those_of_differences(rows in rows(-20.0..20.0), at in -25.0..100.0_f64) {
        for smoothness in ALL {
            let table = table(&rows, smoothness, Extrapolation::Linear);
            let e = 1e-6;
            let [below, above] = [-e, e].map(|h| slope(&table, at + h));
            let difference = (above.0 - below.0) / (2.0 * e);
            let between = below.1.min(above.1)..=below.1.max(above.1);
            let margin = 1e-4 * (1.0 + below.1.abs().max(above.1.abs()));
            prop_assert!(
                between.contains(&difference) || (difference - slope(&table, at).1).abs() < margin,
                "{difference} is not in {between:?}"
            );
        }
    }

    /// Finds the piece where the arguments are dense, and at the arguments themselves.
    #[test]
    fn the_right_piece_is_found(
        mut arguments in proptest::collection::vec(prop_oneof![-1.0..1.0_f64, -1e-9..1e-9_f64, -1e9..1e9_f64], 1..60),
        others in proptest::collection::vec(prop_oneof![-1.0..1.0_f64, -1e-9..1e-9_f64, -2e9..2e9_f64], 1..60),
    ) {
        arguments.push(-2e9);
        arguments.sort_by(f64::total_cmp);
        arguments.dedup();
        let rows: Vec<[f64; 2]> = arguments.iter().enumerate().map(|(row, argument)| [*argument, row as f64]).collect();
        let table = hold(&rows, Smoothness::Linear);
        for other in arguments.iter().chain(&others) {
            let before = arguments.iter().filter(|argument| *argument <= other).count() as f64 - 1.0;
            let found = table.value(0, *other);
            prop_assert!(before <= found && found <= before + 1.0, "{} at {}", found, other);
        }
    }

    #[test]
    fn derivatives_by_the_elements_are_limits_of_differences(
        mut rows in rows(-20.0..20.0), direction in direction(), place in -0.2..1.2_f64,
    ) {
        // Differences across closely spaced rows are inaccurate.
        for (place, row) in (0..).map(f64::from).zip(&mut rows) {
            row[0] += 0.1 * place;
        }
        let (first, last) = (rows[0][0], rows[rows.len() - 1][0]);
        let argument = first + place * (last - first);
        let h = 1e-5;
        // A row that crosses the argument, or zero, would be a kink.
        prop_assume!(rows.iter().all(|row| (row[0] - argument).abs() > 2.0 * h && row[0].abs() > 2.0 * h));
        for smoothness in ALL {
            for extrapolation in [Extrapolation::Hold, Extrapolation::Linear] {
                let at = |by: f64| {
                    let moved = |(row, direction): (&[f64; 4], &[f64; 4])| -> [f64; 4] {
                        std::array::from_fn(|column| row[column] + by * direction[column])
                    };
                    let rows: Vec<_> = rows.iter().zip(&direction).map(moved).collect();
                    table(&rows, smoothness, extrapolation)
                };
                let moving = at(0.0).along(&rows, &direction[..rows.len()], smoothness, extrapolation);
                for column in 0..3 {
                    let value = |by: f64| at(by).value(column, argument);
                    let (wide, narrow) = ((value(h) - value(-h)) / (2.0 * h), (value(0.5 * h) - value(-0.5 * h)) / h);
                    let exact = moving.value(column, Dual64::from_re(argument));
                    prop_assert_eq!(exact.re, value(0.0));
                    prop_assert_eq!(moving.value(column, argument), value(0.0));
                    let error = (exact.eps - (4.0 * narrow - wide) / 3.0).abs();
                    // Ordinates up to 100 with slopes up to 1000, rounded, over the width of the difference.
                    prop_assert!(error <= 1e-7 * (1e3 + exact.eps.abs()), "{error} {}", exact.eps);
                }
            }
        }
    }
}
