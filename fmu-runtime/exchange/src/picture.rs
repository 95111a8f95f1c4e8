//! Diagrams of tables and curves, for the page of an FMU.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A diagram of curves over one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Title above the diagram.
    pub title: Cow<'static, str>,
    /// The quantity of the argument and its unit, which is 1 for a number.
    pub argument: [Cow<'static, str>; 2],
    /// The quantity that is looked up and its unit.
    pub value: [Cow<'static, str>; 2],
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name that tells the curve from the others of the picture.
    pub name: Cow<'static, str>,
    /// The points that are given, with increasing arguments.
    pub points: Vec<[f64; 2]>,
    /// The interpolated values, closely enough to be joined by straight lines, and beyond the points on both sides.
    pub line: Vec<[f64; 2]>,
}

/// Number of points of a line that suffice for a picture.
const MAX_POINTS: usize = 480;

/// Extent of a line beyond the points, as a fraction of theirs.
const BEYOND: f64 = 0.15;

impl Curve {
    /// Makes the curve of `value`, which interpolates `points`, for arguments from `lowest` on.
    // Not inlined into the components, which are compiled for speed.
    #[inline(never)]
    pub fn of(name: &'static str, points: Vec<[f64; 2]>, lowest: f64, value: &dyn Fn(f64) -> f64) -> Self {
        let (Some([first, _]), Some([last, _])) = (points.first(), points.last()) else {
            return Self { name: name.into(), points, line: Vec::new() };
        };
        let extent = if last > first { last - first } else { last.abs().max(1.0) };
        let (begin, end) = ((first - BEYOND * extent).max(lowest), last + BEYOND * extent);
        // Single rows cannot be seen in a picture of more rows than that.
        let rows = if points.len() <= MAX_POINTS { &points[..] } else { &[] };
        let arguments = rows.iter().map(|[argument, _]| *argument).filter(|argument| *argument > begin);
        let nodes: Vec<_> = [begin].into_iter().chain(arguments).chain([end]).collect();
        let parts = (MAX_POINTS / (nodes.len() - 1)).max(1);
        let mut line = Vec::with_capacity(parts * nodes.len());
        for pair in nodes.windows(2) {
            let argument = |part: usize| pair[0] + (pair[1] - pair[0]) * (part as f64 / parts as f64);
            line.extend((0..parts).map(argument).map(|argument| [argument, value(argument)]));
        }
        line.push([end, value(end)]);
        Self { name: name.into(), points, line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_passes_all_points_and_goes_on_beyond_them() {
        let points = vec![[-1.0, 1.0], [0.5, 0.25], [3.0, 9.0]];
        let curve = Curve::of("x", points.clone(), f64::NEG_INFINITY, &|x| x * x);
        assert!(points.iter().all(|point| curve.line.contains(point)));
        assert!((curve.line[0][0] + 1.6).abs() < 1e-12 && (curve.line[curve.line.len() - 1][0] - 3.6).abs() < 1e-12);
        assert!(curve.line.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        assert!((300..=MAX_POINTS + 1).contains(&curve.line.len()), "{}", curve.line.len());
    }

    #[test]
    fn one_point_many_points_and_a_lowest_argument() {
        let line = |points: Vec<[f64; 2]>, lowest| Curve::of("", points, lowest, &|x| x).line;
        let ends = |line: Vec<[f64; 2]>| (line[0][0], line[line.len() - 1][0]);
        assert_eq!(ends(line(vec![[0.0, 5.0]], f64::NEG_INFINITY)), (-BEYOND, BEYOND));
        assert_eq!(ends(line(vec![[0.0, 5.0]], 0.0)), (0.0, BEYOND));
        assert_eq!(ends(line(vec![[2.0, 5.0]], 0.0)), (2.0 - 2.0 * BEYOND, 2.0 + 2.0 * BEYOND));
        let many = line((0..10_000).map(|row| [f64::from(row), 0.0]).collect(), f64::NEG_INFINITY);
        assert_eq!(many.len(), MAX_POINTS + 1);
        assert!(line(Vec::new(), 0.0).is_empty());
    }
}
