//! A measured hysteresis loop becomes a spring and friction: the mean curve, and Dahl's law for the width.
//!
//! On a closed loop between the displacements -a and a around its middle, friction with the stiffness S and the limit F
//! has the loads ±w + m, where the upper sign is that of the rising branch:
//!
//! ```text
//! w(x) = F (1 - cosh(S x / F) / cosh(S a / F))      half of the width
//! m(x) = F sinh(S x / F) / cosh(S a / F)            what friction adds to the mean of both branches
//! ```
//!
//! So S and F follow from the width by least squares, and the spring is the mean without m.

use std::f64::consts::PI;

use anyhow::{Result, anyhow, bail, ensure};
use rmpfit::{MPFitter, MPResult};

/// Number of points of a curve on each side of 0.
const POINTS: usize = 20;

/// Number of intervals in which the width is measured; they are narrow near the turning points, where friction sets in.
const WIDTHS: usize = 40;

/// Part of the range below which reversals are noise.
const NOISE: f64 = 0.1;

/// Part of the range that a whole branch spans at least.
const WHOLE: f64 = 0.95;

/// Parts of the width of a loop at its ends, and of the range of loads, below which their difference means a closed
/// loop.
const CLOSED: [f64; 2] = [0.15, 0.01];

/// Part of the range of the loads below which the width of a loop means no friction worth mentioning.
const NARROW: f64 = 0.005;

/// Part of the largest load below which the load at displacement 0 is an offset of the load cell.
const OFFSET: f64 = 0.02;

/// The spring and the friction of a loop.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    /// Displacement and load of the spring, in m and N or rad and N.m.
    pub curve: Vec<[f64; 2]>,
    /// Stiffness and limit of friction, if there is any.
    pub friction: Option<[f64; 2]>,
    /// Root mean square of the deviations from the width, relative to the largest half width.
    pub deviation: f64,
    /// Root mean square of the deviations from the width of an ellipse, as of a damper, relative to the largest half
    /// width.
    pub of_ellipse: f64,
    /// The load at displacement 0 that was taken for an offset and subtracted.
    pub offset: f64,
}

/// A part of the path in one direction, as displacement and load.
struct Branch {
    rises: bool,
    points: Vec<[f64; 2]>,
}

/// Finds the spring and the friction of a loop, whose points are in the order in which they were measured.
///
/// # Errors
///
/// When the path is not a closed loop around 0, or its loads do not resist.
pub fn hysteresis(path: &[[f64; 2]]) -> Result<Hysteresis> {
    let (low, high) = range(path.iter().map(|point| point[0]));
    ensure!(
        low < 0.0 && high > 0.0,
        "a loop must have displacements on both sides of 0, but they lie between {low} and {high}: count them from the state \
         without load"
    );
    let branches = whole_branches(path, high - low)?;
    let load = |rises: bool, x: f64, window: f64| {
        let of = branches.iter().filter(|branch| branch.rises == rises);
        let values: Vec<_> = of.map(|branch| smoothed(&branch.points, x, window)).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let side = |end: f64| (1..=POINTS).map(move |point| end * point as f64 / POINTS as f64);
    let nodes: Vec<f64> = side(low).rev().chain([0.0]).chain(side(high)).collect();
    let window = (high - low) / (4.0 * POINTS as f64);
    let mean: Vec<f64> = nodes.iter().map(|x| (load(true, *x, window) + load(false, *x, window)) / 2.0).collect();
    let (middle, reach) = ((low + high) / 2.0, (high - low) / 2.0);
    let angle = |at: usize| PI * at as f64 / WIDTHS as f64;
    // The places are relative to the amplitude; the ends are exact.
    let places: Vec<f64> = (0..=WIDTHS).map(|at| -angle(at).cos()).collect();
    let widths: Vec<f64> = (0..=WIDTHS)
        .map(|at| {
            let x = if at == 0 {
                low
            } else if at == WIDTHS {
                high
            } else {
                middle + reach * places[at]
            };
            let window = reach * angle(at).sin() * PI / WIDTHS as f64 / 4.0;
            (load(true, x, window) - load(false, x, window)) / 2.0
        })
        .collect();
    let last = nodes.len() - 1;
    ensure!(
        mean[last] > mean[0],
        "the load falls as the displacement rises: it must be the one that resists, positive at a positive displacement"
    );
    let area: f64 = (1..=WIDTHS).map(|at| (widths[at] + widths[at - 1]) * (places[at] - places[at - 1])).sum();
    let (_, widest) = range(widths.iter().copied());
    let (smallest, largest) = range(mean.iter().copied());
    let narrow = NARROW * (largest - smallest);
    ensure!(
        area > -narrow,
        "the loop runs the wrong way round: the load is smaller on the way up than on the way down, so it would create energy"
    );
    let mut found = Hysteresis { curve: Vec::new(), friction: None, deviation: 0.0, of_ellipse: 0.0, offset: 0.0 };
    let mut friction_mean = vec![0.0; nodes.len()];
    if widest > narrow {
        let dahl =
            Dahl::fitted(&places, &widths, widest).ok_or_else(|| anyhow!("no friction fits the width of the loop"))?;
        let relative = |model: &dyn Fn(f64) -> f64| {
            let squares = places.iter().zip(&widths).map(|(x, width)| ((model(*x) - width) / widest).powi(2));
            (squares.sum::<f64>() / places.len() as f64).sqrt()
        };
        found.deviation = relative(&|x| dahl.half_width(x));
        found.of_ellipse = relative(&|x| widest * (1.0 - x * x).max(0.0).sqrt());
        found.friction = Some([dahl.ratio * dahl.limit / reach, dahl.limit]);
        friction_mean = nodes.iter().map(|x| dahl.mean((x - middle) / reach)).collect();
    }
    let spring: Vec<f64> = mean.iter().zip(&friction_mean).map(|(mean, friction)| mean - friction).collect();
    let (smallest, largest) = range(spring.iter().copied());
    let at_zero = spring[POINTS];
    found.offset = if at_zero.abs() < OFFSET * largest.max(-smallest) { at_zero } else { 0.0 };
    found.curve = nodes.iter().zip(&spring).map(|(x, load)| [*x, load - found.offset]).collect();
    found.curve[POINTS][1] = at_zero - found.offset;
    Ok(found)
}

/// Friction after Dahl, with displacements relative to the amplitude.
struct Dahl {
    /// Amplitude divided by F / S.
    ratio: f64,
    limit: f64,
}

impl Dahl {
    fn half_width(&self, x: f64) -> f64 {
        let a = self.ratio;
        let fraction = (((x.abs() - 1.0) * a).exp() + ((-x.abs() - 1.0) * a).exp()) / (1.0 + (-2.0 * a).exp());
        self.limit * (1.0 - fraction)
    }

    fn mean(&self, x: f64) -> f64 {
        let a = self.ratio;
        let fraction = (((x.abs() - 1.0) * a).exp() - ((-x.abs() - 1.0) * a).exp()) / (1.0 + (-2.0 * a).exp());
        self.limit * fraction * x.signum()
    }

    /// Fits the friction to half of the widths by least squares.
    fn fitted(nodes: &[f64], widths: &[f64], widest: f64) -> Option<Self> {
        let mut problem = Problem { nodes, widths, widest };
        let mut best: Option<(f64, Self)> = None;
        for start in [0.5_f64, 2.0, 8.0, 30.0] {
            let mut logarithms = [start.ln(), 0.0];
            let Ok(status) = problem.mpfit(&mut logarithms) else { continue };
            if status.best_norm.is_finite() && best.as_ref().is_none_or(|(norm, _)| status.best_norm < *norm) {
                best = Some((status.best_norm, problem.law(&logarithms)));
            }
        }
        best.map(|(_, law)| law)
    }
}

struct Problem<'a> {
    nodes: &'a [f64],
    widths: &'a [f64],
    widest: f64,
}

impl Problem<'_> {
    fn law(&self, logarithms: &[f64]) -> Dahl {
        Dahl {
            ratio: logarithms[0].clamp(-10.0, 10.0).exp(),
            limit: self.widest * logarithms[1].clamp(-20.0, 40.0).exp(),
        }
    }
}

impl MPFitter for Problem<'_> {
    fn eval(&mut self, logarithms: &[f64], deviations: &mut [f64]) -> MPResult<()> {
        let law = self.law(logarithms);
        for ((x, width), deviation) in self.nodes.iter().zip(self.widths).zip(deviations) {
            *deviation = (law.half_width(*x) - width) / self.widest;
        }
        Ok(())
    }

    fn number_of_points(&self) -> usize {
        self.nodes.len()
    }
}

/// Returns the whole branches of the path; its beginning and its end are one, if the path is closed there.
fn whole_branches(path: &[[f64; 2]], range_of_x: f64) -> Result<Vec<Branch>> {
    let mut branches = branches(path, NOISE * range_of_x);
    let is_whole = |branch: &Branch| {
        let (low, high) = range(branch.points.iter().map(|point| point[0]));
        high - low >= WHOLE * range_of_x
    };
    join_ends(&mut branches, path, range_of_x, &is_whole);
    branches.retain(is_whole);
    // A mount that was not in use has another load on its first way.
    if branches.len() > 2 {
        branches.remove(0);
    }
    for rises in [true, false] {
        if !branches.iter().any(|branch| branch.rises == rises) {
            let way = if rises { "up" } else { "down" };
            bail!(
                "this is no closed loop: no part of the rows goes all the way {way} between the smallest and the largest \
                 displacement; choose the rows of one cycle, or of several of the same amplitude"
            );
        }
    }
    Ok(branches)
}

/// Joins the first and the last branch, if the path ends where it began.
fn join_ends(branches: &mut Vec<Branch>, path: &[[f64; 2]], range_of_x: f64, is_whole: &dyn Fn(&Branch) -> bool) {
    let ([.., last], [x_end, f_end]) = (&branches[..], path[path.len() - 1]) else { return };
    let (rises, [x_begin, f_begin]) = (branches[0].rises, path[0]);
    let opposite = branches.iter().rfind(|branch| branch.rises != rises && is_whole(branch));
    let Some(opposite) = opposite.filter(|_| branches.len() > 2 && last.rises == rises) else { return };
    let (low, high) = range(path.iter().map(|point| point[1]));
    let width = (f_end - smoothed(&opposite.points, x_begin, range_of_x / (4.0 * POINTS as f64))).abs();
    let is_closed = (x_begin - x_end).abs() < NOISE / 2.0 * range_of_x
        && (f_begin - f_end).abs() <= CLOSED[0] * width + CLOSED[1] * (high - low);
    if is_closed && let Some(mut end) = branches.pop() {
        end.points.append(&mut branches[0].points);
        branches[0].points = end.points;
    }
}

/// Divides a path where it turns back by more than the noise.
fn branches(path: &[[f64; 2]], noise: f64) -> Vec<Branch> {
    let mut turns = vec![0];
    // The branch that goes on has a direction, once it is known, and its end so far. Before that, both ends are kept.
    let (mut rises, mut extreme) = (None::<bool>, 0);
    let (mut lowest, mut highest) = (0, 0);
    for (at, [x, _]) in path.iter().enumerate() {
        if let Some(up) = rises {
            let ahead = x - path[extreme][0];
            if ahead == 0.0 || (ahead > 0.0) == up {
                extreme = at;
            } else if ahead.abs() > noise {
                turns.push(extreme);
                (rises, extreme) = (Some(!up), at);
            }
            continue;
        }
        lowest = if *x < path[lowest][0] { at } else { lowest };
        highest = if *x > path[highest][0] { at } else { highest };
        for (up, from) in [(true, lowest), (false, highest)] {
            if (x - path[from][0]).abs() > noise {
                turns.extend(Some(from).filter(|from| *from > 0));
                (rises, extreme) = (Some(up), at);
            }
        }
    }
    turns.extend([extreme, path.len() - 1]);
    turns.dedup();
    let branch = |ends: &[usize]| {
        let points = path[ends[0]..=ends[1]].to_vec();
        Branch { rises: points[points.len() - 1][0] > points[0][0], points }
    };
    turns.windows(2).map(branch).collect()
}

/// Returns the load of a branch at a displacement: by a straight line through the points near it, or between its
/// neighbours.
fn smoothed(points: &[[f64; 2]], x: f64, window: f64) -> f64 {
    let near: Vec<_> = points.iter().filter(|point| (point[0] - x).abs() <= window).collect();
    let (mut below, mut above) = (None::<&[f64; 2]>, None::<&[f64; 2]>);
    for point in points {
        if point[0] <= x && below.is_none_or(|known| point[0] > known[0]) {
            below = Some(point);
        }
        if point[0] >= x && above.is_none_or(|known| point[0] < known[0]) {
            above = Some(point);
        }
    }
    let (Some(below), Some(above)) = (below, above) else {
        return below.or(above).map_or(0.0, |point| point[1]);
    };
    let is_inside = near.iter().any(|point| point[0] < x) && near.iter().any(|point| point[0] > x);
    if near.len() >= 5 && is_inside {
        let count = near.len() as f64;
        let [mx, mf] = [0, 1].map(|of| near.iter().map(|point| point[of]).sum::<f64>() / count);
        let slope = near.iter().map(|point| (point[0] - mx) * (point[1] - mf)).sum::<f64>()
            / near.iter().map(|point| (point[0] - mx).powi(2)).sum::<f64>();
        return mf + slope * (x - mx);
    }
    let step = above[0] - below[0];
    if step == 0.0 { below[1] } else { below[1] + (above[1] - below[1]) * (x - below[0]) / step }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the loads of a hardening spring with an asymmetry, beside friction of these stiffness and limit, along
    /// displacements.
    fn measured(path: &[f64], [stiffness, limit]: [f64; 2]) -> Vec<[f64; 2]> {
        let (mut inner, mut last) = (path[0], path[0]);
        let mut points = Vec::new();
        for x in path {
            // The friction follows q' = |x'| (x - q) / reach, on a straight path in closed form.
            let reach = limit / stiffness;
            let direction = (x - last).signum();
            let z = direction * reach - (direction * reach - (last - inner)) * (-(x - last).abs() / reach).exp();
            (inner, last) = (x - z, *x);
            points.push([*x, spring(*x) + stiffness * z]);
        }
        points
    }

    fn spring(x: f64) -> f64 {
        4e5 * x + 3e9 * x.powi(3) + 2e7 * x * x
    }

    /// Returns the displacements of so many cycles of sine, beginning at a phase.
    fn cycles(count: f64, phase: f64, rows: usize, amplitude: f64) -> Vec<f64> {
        let at = |row: usize| amplitude * (std::f64::consts::TAU * (phase + count * row as f64 / rows as f64)).sin();
        (0..=rows).map(at).collect()
    }

    #[test]
    fn made_loops_give_their_spring_and_friction() {
        for truth in [[1.5e6, 250.0], [8e5, 400.0], [6e6, 150.0]] {
            for (count, phase) in [(3.0, 0.0), (2.5, 0.25), (4.0, 0.1)] {
                let found = hysteresis(&measured(&cycles(count, phase, 4000, 2e-3), truth)).unwrap();
                let [stiffness, limit] = found.friction.unwrap();
                assert!((stiffness / truth[0] - 1.0).abs() < 0.02, "{truth:?}: {stiffness}");
                assert!((limit / truth[1] - 1.0).abs() < 0.01, "{truth:?}: {limit}");
                assert!(found.deviation < 0.01 && found.of_ellipse > 5.0 * found.deviation, "{found:?}");
                assert_eq!(found.curve.len(), 2 * POINTS + 1);
                for [x, load] in &found.curve {
                    assert!((load - spring(*x)).abs() < 0.01 * spring(2e-3), "{truth:?}: {load} at {x}");
                }
                assert_eq!(found.curve[POINTS], [0.0, 0.0]);
            }
        }
    }

    /// The last cycle alone begins and ends in the middle of a branch.
    #[test]
    fn one_cycle_may_begin_anywhere() {
        let truth = [1.5e6, 250.0];
        let path = measured(&cycles(3.0, 0.0, 3000, 2e-3), truth);
        for begin in [1700, 1850, 1999] {
            let found = hysteresis(&path[begin..=begin + 1000]).unwrap();
            let [stiffness, limit] = found.friction.unwrap();
            assert!((stiffness / truth[0] - 1.0).abs() < 0.01 && (limit / truth[1] - 1.0).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn noise_and_offsets_are_smoothed() {
        let truth = [1.5e6, 250.0];
        let mut path = measured(&cycles(5.0, 0.0, 5000, 2e-3), truth);
        for (at, [x, load]) in path.iter_mut().enumerate() {
            let noise = ((at * 7919) % 1000) as f64 / 500.0 - 1.0;
            (*x, *load) = (*x + 2e-6 * noise, *load + 15.0 * noise + 10.0);
        }
        let found = hysteresis(&path).unwrap();
        let [stiffness, limit] = found.friction.unwrap();
        assert!((stiffness / truth[0] - 1.0).abs() < 0.1 && (limit / truth[1] - 1.0).abs() < 0.05, "{found:?}");
        assert!((found.offset - 10.0).abs() < 10.0, "{}", found.offset);
    }

    #[test]
    fn dampers_and_springs_are_told_from_friction() {
        let sine = cycles(2.0, 0.0, 2000, 2e-3);
        let elastic: Vec<_> = sine.iter().map(|x| [*x, spring(*x)]).collect();
        let found = hysteresis(&elastic).unwrap();
        assert_eq!(found.friction, None);
        let velocity = cycles(2.0, 0.25, 2000, 1.0);
        let damped: Vec<_> = sine.iter().zip(velocity).map(|(x, v)| [*x, spring(*x) + 300.0 * v]).collect();
        let found = hysteresis(&damped).unwrap();
        assert!(found.of_ellipse < 0.5 * found.deviation, "{found:?}");
    }

    #[test]
    fn what_is_no_loop_is_refused() {
        let refused = |path: &[[f64; 2]]| hysteresis(path).unwrap_err().to_string();
        let truth = [1.5e6, 250.0];
        let up: Vec<f64> = (-100..=100).map(|x| f64::from(x) * 1e-5).collect();
        assert!(
            refused(&measured(&up, truth))
                .starts_with("this is no closed loop: no part of the rows goes all the way down")
        );
        let turned: Vec<_> = measured(&cycles(3.0, 0.0, 3000, 2e-3), truth).iter().map(|[x, f]| [*x, -f]).collect();
        assert!(refused(&turned).starts_with("the load falls as the displacement rises"));
        let mut backwards = measured(&cycles(3.0, 0.0, 3000, 2e-3), truth);
        backwards.reverse();
        assert!(refused(&backwards).starts_with("the loop runs the wrong way round"));
        let aside: Vec<_> =
            measured(&cycles(3.0, 0.0, 3000, 2e-3), truth).iter().map(|[x, f]| [x + 0.003, *f]).collect();
        assert!(
            refused(&aside).starts_with("a loop must have displacements on both sides of 0, but they lie between 0.00")
        );
    }
}
