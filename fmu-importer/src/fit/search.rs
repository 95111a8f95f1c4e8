//! Least-squares search for the law that fits the measurements.

use std::f64::consts::TAU;

use anyhow::{Result, bail, ensure};
use rmpfit::{MPConfig, MPFitter, MPPar, MPResult, MPSide};

use super::law::{Friction, Law, Maxwell};
use super::measured::{Measured, Row};

/// The largest number of Maxwell elements of an axis.
pub const MAX_ELEMENTS: usize = 3;

/// Largest deviation that counts, so that a wrong row does not spoil the fit.
pub const MAX_DEVIATION: f64 = 0.3;

/// Deviation above which it counts linearly while the law is still far away.
const ROBUST_WIDTH: f64 = 0.1;

/// Factor from the middle stiffness above which stiffnesses are not used for the starting points.
const SPREAD: f64 = 10.0;

/// Part of the largest loss angle below which loss angles weigh like it: their errors do not become ever smaller.
const SMALL_ANGLE: f64 = 0.05;

/// Improvement of Schwarz's criterion that a law with more elements needs, which is very strong evidence.
const EVIDENCE: f64 = 10.0;

/// The step of differences, in the logarithms of the parameters.
const STEP: f64 = 1e-6;

/// Part by which the squares of laws may differ that count as the same.
const SAME: f64 = 1e-6;

/// Number of starting points in a row that lead to the same law, after which the search ends.
const AGREEING: usize = 2;

/// Smallest number of measured numbers beyond the number of parameters.
const MIN_DEGREES_OF_FREEDOM: usize = 2;

/// Relative error above which a parameter is not determined.
pub const MAX_STANDARD_ERROR: f64 = 0.2;

/// Options of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The number of Maxwell elements, or as many as the measurements show.
    pub maxwell: Option<usize>,
    /// True if there may be friction.
    pub friction: bool,
}

/// A fitted law with its errors.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The law.
    pub law: Law,
    /// The standard errors of its parameters, relative to them: stiffness; stiffness and relaxation time of each element;
    /// stiffness and limit of friction.
    pub errors: Vec<f64>,
    /// The root mean square of the relative deviations of stiffness and loss angle, in which none counts more than
    /// [`MAX_DEVIATION`].
    pub deviation: f64,
    /// The larger relative deviation of each row.
    pub of_rows: Vec<f64>,
}

impl Fit {
    /// Returns true if the measurements determine all Maxwell elements.
    fn has_known_elements(&self) -> bool {
        self.errors[1..=2 * self.law.maxwell.len()].iter().all(|error| *error <= MAX_STANDARD_ERROR)
    }
}

/// Finds the law from several starting points, since the fit has several local minima.
///
/// # Errors
///
/// When there are too few measurements for the parameters, or the search does not converge.
pub fn fit(measured: &Measured, wanted: FitOptions) -> Result<Fit> {
    let numbers = match wanted.maxwell {
        Some(number) => number..=number,
        None => 0..=MAX_ELEMENTS,
    };
    let may_rub = wanted.friction && measured.amplitudes().len() > 1;
    let points = 2 * measured.rows.len();
    let needed = |number: usize, rubs: bool| 1 + 2 * number + 2 * usize::from(rubs) + MIN_DEGREES_OF_FREEDOM;
    let fewest = needed(*numbers.start(), false);
    ensure!(
        fewest <= points,
        "too few measurements: the fit needs {fewest} numbers, but there are {points}; use fewer elements (--maxwell)"
    );
    let mut best: Option<(f64, Fit)> = None;
    for (number, rubs) in numbers.flat_map(|number| [(number, false), (number, true)]) {
        if rubs && !may_rub || needed(number, rubs) > points {
            continue;
        }
        let Some(fit) = nearest(measured, number, rubs) else { continue };
        if wanted.maxwell.is_none() && !fit.has_known_elements() {
            continue;
        }
        let size = points as f64;
        let criterion = 2.0 * size * fit.deviation.max(1e-12).ln()
            + (needed(number, rubs) - MIN_DEGREES_OF_FREEDOM) as f64 * size.ln();
        if best.as_ref().is_none_or(|(known, _)| criterion < known - EVIDENCE) {
            best = Some((criterion, fit));
        }
    }
    match best {
        Some((_, fit)) => Ok(fit),
        None => bail!("no law fits: the search for its parameters did not converge"),
    }
}

/// Returns the best fit with this number of elements.
fn nearest(measured: &Measured, number: usize, rubs: bool) -> Option<Fit> {
    let mut ordered_rows: Vec<_> = measured.rows.iter().collect();
    ordered_rows.sort_by(|one, other| one.stiffness.total_cmp(&other.stiffness));
    let middle_one = ordered_rows[ordered_rows.len() / 2].stiffness;
    let is_usual = |row: &&Row| row.stiffness < SPREAD * middle_one && row.stiffness > middle_one / SPREAD;
    let range = |of: fn(&Row) -> f64| {
        let values = || measured.rows.iter().filter(is_usual).map(of);
        [values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)]
    };
    let (frequency, amplitude, stiffness) =
        (range(|row| row.frequency), range(|row| row.amplitude), range(|row| row.stiffness));
    let [_, angle] = range(|row| row.angle);
    let times = frequency.map(|frequency| 1.0 / (TAU * frequency));
    let of_stiffness = [1e-4 * stiffness[0], 10.0 * stiffness[1]];
    let mut bounds = vec![of_stiffness];
    for _ in 0..number {
        bounds.extend([of_stiffness, [times[1] / 30.0, times[0] * 30.0]]);
    }
    if rubs {
        bounds.extend([of_stiffness, [1e-3 * amplitude[0] * of_stiffness[0], 10.0 * amplitude[1] * of_stiffness[1]]]);
    }
    let mut problem = Problem {
        rows: &measured.rows,
        // Without losses, angles weigh in radians.
        small: if angle > 0.0 { SMALL_ANGLE * angle } else { 1.0 },
        number,
        parameters: bounds.iter().map(parameter).collect(),
        is_near: false,
    };
    let middle = |[low, high]: [f64; 2], part: f64| (low.ln() * (1.0 - part) + high.ln() * part).exp();
    let mut best: Option<(f64, Vec<f64>, Vec<f64>)> = None;
    let mut agreeing = 0;
    for (shift, reach) in [-0.25, 0.0, 0.25].into_iter().flat_map(|shift| [0.1, 0.5, 0.9].map(|reach| (shift, reach))) {
        let beside = (0.5 * (stiffness[1] - stiffness[0])).max(0.05 * stiffness[0]);
        let mut begin = vec![0.9 * stiffness[0]];
        for element in 0..number {
            let part = (element as f64 + 0.5 + shift) / number as f64;
            begin.extend([beside / number as f64, middle([times[0], times[1]], part)]);
        }
        if rubs {
            begin.extend([beside, beside * middle(amplitude, reach)]);
        }
        let mut logarithms: Vec<f64> =
            begin.iter().zip(&bounds).map(|(value, [low, high])| value.clamp(*low, *high).ln()).collect();
        problem.is_near = false;
        if problem.mpfit(&mut logarithms).is_err() {
            continue;
        }
        problem.is_near = true;
        let Ok(status) = problem.mpfit(&mut logarithms) else { continue };
        let known = best.as_ref().map_or(f64::INFINITY, |(norm, ..)| *norm);
        agreeing = if (status.best_norm / known - 1.0).abs() < SAME { agreeing + 1 } else { 0 };
        if status.best_norm < known {
            best = Some((status.best_norm, logarithms, status.xerror));
        }
        if agreeing == AGREEING {
            break;
        }
    }
    let (norm, logarithms, errors) = best?;
    let points = 2 * measured.rows.len();
    // The deviations are not known beforehand: they are taken from the fit.
    let scale = (norm / (points - logarithms.len()) as f64).sqrt();
    let errors = errors.iter().map(|error| if *error > 0.0 { error * scale } else { f64::INFINITY }).collect();
    let law = law(&logarithms, number);
    let of_rows = measured.rows.iter().map(|row| {
        let [stiffness, angle] = problem.deviations(&law, row);
        stiffness.exp_m1().abs().max(angle.abs())
    });
    let (of_rows, deviation) = (of_rows.collect(), (norm / points as f64).sqrt());
    Some(ordered(Fit { law, errors, deviation, of_rows }))
}

/// Returns the fit with its elements from the slowest to the fastest.
fn ordered(mut fit: Fit) -> Fit {
    let mut order: Vec<usize> = (0..fit.law.maxwell.len()).collect();
    order.sort_by(|one, other| fit.law.maxwell[*other].tau.total_cmp(&fit.law.maxwell[*one].tau));
    let (maxwell, errors) = (fit.law.maxwell.clone(), fit.errors.clone());
    for (to, from) in order.into_iter().enumerate() {
        fit.law.maxwell[to] = maxwell[from];
        fit.errors[1 + 2 * to..3 + 2 * to].copy_from_slice(&errors[1 + 2 * from..3 + 2 * from]);
    }
    fit
}

fn parameter([low, high]: &[f64; 2]) -> MPPar {
    MPPar {
        limited_low: true,
        limited_up: true,
        limit_low: low.ln(),
        limit_up: high.ln(),
        step: STEP,
        side: MPSide::Both,
        ..MPPar::new()
    }
}

/// Returns the law of the logarithms of its parameters.
fn law(logarithms: &[f64], number: usize) -> Law {
    let values: Vec<f64> = logarithms.iter().map(|logarithm| logarithm.exp()).collect();
    let (of_maxwell, of_friction) = values[1..].split_at(2 * number);
    let maxwell = of_maxwell.chunks_exact(2).map(|pair| Maxwell { stiffness: pair[0], tau: pair[1] }).collect();
    let friction = match of_friction {
        [stiffness, limit] => Some(Friction { stiffness: *stiffness, limit: *limit }),
        _ => None,
    };
    Law { stiffness: values[0], maxwell, friction }
}

struct Problem<'a> {
    rows: &'a [Row],
    /// The smallest weight of a loss angle.
    small: f64,
    number: usize,
    parameters: Vec<MPPar>,
    /// True if the law is near, so that rows far from it are wrong ones.
    is_near: bool,
}

impl Problem<'_> {
    /// Returns the logarithm of the ratio of the stiffnesses, and the relative deviation of the loss angle.
    fn deviations(&self, law: &Law, row: &Row) -> [f64; 2] {
        let [stiffness, angle] = law.dynamic(row.frequency, row.amplitude);
        [(stiffness / row.stiffness).ln(), (angle - row.angle) / row.angle.max(self.small)]
    }

    /// Returns the deviation that counts: after Huber as long as the law may be far away, then after Welsch.
    fn robust_deviation(&self, deviation: f64) -> f64 {
        let size = if self.is_near {
            MAX_DEVIATION * (-(-(deviation / MAX_DEVIATION).powi(2)).exp_m1()).sqrt()
        } else {
            ROBUST_WIDTH * (2.0 * ((deviation / ROBUST_WIDTH).hypot(1.0) - 1.0)).sqrt()
        };
        size.copysign(deviation)
    }
}

impl MPFitter for Problem<'_> {
    fn eval(&mut self, logarithms: &[f64], deviations: &mut [f64]) -> MPResult<()> {
        let law = law(logarithms, self.number);
        for (row, deviation) in self.rows.iter().zip(deviations.chunks_exact_mut(2)) {
            deviation.copy_from_slice(&self.deviations(&law, row).map(|deviation| self.robust_deviation(deviation)));
        }
        Ok(())
    }

    fn config(&self) -> &MPConfig {
        static NEAR: MPConfig = MPConfig::new();
        static COARSE: MPConfig = MPConfig { ftol: 1e-3, xtol: 1e-3, gtol: 1e-3, ..MPConfig::new() };
        if self.is_near { &NEAR } else { &COARSE }
    }

    fn number_of_points(&self) -> usize {
        2 * self.rows.len()
    }

    fn parameters(&self) -> &[MPPar] {
        &self.parameters
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::Rng;
    use proptest::test_runner::{RngAlgorithm, TestRng};

    use super::*;

    /// Makes measurements with errors of 2 % of each number: 25 frequencies from 0.2 to 300 Hz at five amplitudes.
    fn report(law: &Law, seed: u64, noise: f64) -> Measured {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        // Box and Muller's normal distribution.
        let mut error = || 1.0 + noise * (-2.0 * (1.0 - uniform()).ln()).sqrt() * (TAU * uniform()).cos();
        let mut rows = Vec::new();
        for amplitude in [1e-5, 3e-5, 1e-4, 3e-4, 1e-3] {
            for k in 0..25 {
                let frequency = 0.2 * 1500.0_f64.powf(f64::from(k) / 24.0);
                let [stiffness, angle] = law.dynamic(frequency, amplitude);
                rows.push(Row { frequency, amplitude, stiffness: stiffness * error(), angle: angle * error() });
            }
        }
        Measured { positions: (1..).take(rows.len()).collect(), rows, found: String::new(), notes: Vec::new() }
    }

    fn rubber() -> Law {
        Law {
            stiffness: 3e6,
            maxwell: vec![Maxwell { stiffness: 6e5, tau: 0.05 }, Maxwell { stiffness: 8e5, tau: 0.002 }],
            friction: Some(Friction { stiffness: 1.2e6, limit: 60.0 }),
        }
    }

    fn values(law: &Law) -> Vec<f64> {
        let elements = law.maxwell.iter().flat_map(|element| [element.stiffness, element.tau]);
        let friction = law.friction.iter().flat_map(|friction| [friction.stiffness, friction.limit]);
        std::iter::once(law.stiffness).chain(elements).chain(friction).collect()
    }

    /// The number of elements is found, too; errors are as large as the fit says.
    #[test]
    fn parameters_of_data_with_two_percent_of_noise_are_found_within_five() {
        let expected = rubber();
        for seed in 0..20 {
            // The search for the number takes most of the time.
            let maxwell = (seed >= 2).then_some(2);
            let fit = fit(&report(&expected, seed, 0.02), FitOptions { maxwell, friction: true }).unwrap();
            assert_eq!((fit.law.maxwell.len(), fit.law.friction.is_some()), (2, true), "{seed}: {fit:?}");
            assert!((fit.deviation / 0.02 - 1.0).abs() < 0.15, "{seed}: {fit:?}");
            for ((found, expected), error) in values(&fit.law).iter().zip(values(&expected)).zip(&fit.errors) {
                let deviation = (found / expected - 1.0).abs();
                assert!(deviation < 0.05 && deviation < 4.5 * error, "{seed}: {found} {expected} {error}");
            }
        }
    }

    /// The wrong row has a slipped decimal sign, or is one of another quantity.
    #[test]
    fn a_wrong_row_does_not_spoil_the_fit() {
        let expected = rubber();
        for (seed, factor, maxwell) in [(0, 1000.0, None), (1, 1e-3, Some(2)), (2, 10.0, Some(2)), (3, 0.1, Some(2))] {
            let mut measured = report(&expected, seed, 0.02);
            let wrong = 31 * (seed as usize + 1);
            measured.rows[wrong].stiffness *= factor;
            let fit = fit(&measured, FitOptions { maxwell, friction: true }).unwrap();
            assert_eq!((fit.law.maxwell.len(), fit.law.friction.is_some()), (2, true), "{factor}: {fit:?}");
            for (found, expected) in values(&fit.law).iter().zip(values(&expected)) {
                assert!((found / expected - 1.0).abs() < 0.05, "{factor}: {found} {expected}");
            }
            let largest =
                (0..measured.rows.len()).max_by(|one, other| fit.of_rows[*one].total_cmp(&fit.of_rows[*other]));
            assert_eq!(largest, Some(wrong), "{factor}");
        }
    }

    #[test]
    fn exact_data_give_their_parameters() {
        let one = Law { maxwell: vec![Maxwell { stiffness: 5e5, tau: 0.01 }], ..rubber() };
        let none = Law { maxwell: Vec::new(), ..rubber() };
        let three = [(4e5, 0.2), (5e5, 0.01), (9e5, 0.001)].map(|(stiffness, tau)| Maxwell { stiffness, tau });
        let three = Law { maxwell: three.to_vec(), friction: None, ..rubber() };
        for expected in [rubber(), one, none, three] {
            let mut exact = report(&expected, 1, 0.0);
            exact.rows.retain(|row| [1e-5, 1e-3].contains(&row.amplitude));
            let fit = fit(&exact, FitOptions { maxwell: None, friction: true }).unwrap();
            assert_eq!(fit.law.maxwell.len(), expected.maxwell.len(), "{fit:?}");
            for (found, expected) in values(&fit.law).iter().zip(values(&expected)) {
                assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
            }
        }
    }

    /// A single amplitude does not tell friction from a loss factor; elements that are too fast for the data have large errors.
    #[test]
    fn what_the_data_do_not_show_is_not_claimed() {
        let mut one = report(&rubber(), 3, 0.02);
        one.rows.retain(|row| row.amplitude == 1e-3);
        let found = fit(&one, FitOptions { maxwell: None, friction: true }).unwrap();
        assert_eq!(found.law.friction, None);
        let mut slow = report(&rubber(), 3, 0.02);
        slow.rows.retain(|row| row.frequency < 5.0);
        let found = fit(&slow, FitOptions { maxwell: Some(2), friction: true }).unwrap();
        assert!(found.errors[3..5].iter().any(|error| *error > 0.2), "{found:?}");
        // Elements that are not asked for are known.
        for highest in [1.0, 5.0, 20.0] {
            let mut part = report(&rubber(), 3, 0.02);
            part.rows.retain(|row| row.frequency < highest);
            let found = fit(&part, FitOptions { maxwell: None, friction: true }).unwrap();
            assert!(found.has_known_elements(), "{highest}: {found:?}");
        }
    }

    #[test]
    fn more_elements_than_measurements_are_refused() {
        let mut few = report(&rubber(), 3, 0.02);
        few.rows.truncate(4);
        let message = fit(&few, FitOptions { maxwell: Some(3), friction: true }).unwrap_err().to_string();
        let expected = "too few measurements: the fit needs 9 numbers, but there are 8; use fewer elements (--maxwell)";
        assert_eq!(message, expected);
    }

    /// Without losses, an element is one that the measurements do not show: too fast for all frequencies, or without
    /// stiffness.
    #[test]
    fn springs_without_losses_have_their_stiffness() {
        let mut spring = report(&rubber(), 3, 0.0);
        for row in &mut spring.rows {
            (row.stiffness, row.angle) = (3e6, 0.0);
        }
        for maxwell in [None, Some(0), Some(1), Some(3)] {
            let fit = fit(&spring, FitOptions { maxwell, friction: true }).unwrap();
            assert_eq!(fit.law.maxwell.len(), maxwell.unwrap_or(0));
            assert!(fit.deviation < 1e-3 && (fit.law.stiffness / 3e6 - 1.0).abs() < 1e-3, "{fit:?}");
        }
    }

    #[test]
    fn searches_that_fail_are_refused() {
        let mut wrong = report(&rubber(), 3, 0.0);
        wrong.rows[0].stiffness = f64::NAN;
        let message = fit(&wrong, FitOptions { maxwell: None, friction: true }).unwrap_err().to_string();
        assert_eq!(message, "no law fits: the search for its parameters did not converge");
    }
}
