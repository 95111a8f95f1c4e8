//! A step of the integrator: its length within the tolerance, and the first event inside.

use crate::component::integration::crossing::Span;
use crate::component::integration::integrator::Integrator;
use crate::component::integration::open_step::OpenStep;
use crate::component::integration::system::{Solver, System};
use crate::component::integration::{explicit, rosenbrock, step_size};
use crate::component::model_error::ModelError;

/// Largest number of steps inside a communication step.
const MAX_STEPS: usize = 100_000;
/// The weight of a step that the equations refuse, relative to an accepted one, and the total at which the integration gives
/// up: after some hundred steps of which every fourth one is refused.
const REFUSED: usize = 4;
const MAX_REFUSED_STEPS: usize = 300;
/// A step in which equations have changed after less than this part of it, without an event, is exact enough up to there.
const MAX_NEGLECTED_FRACTION: f64 = 1e-2;
/// The tolerance of a step inside which states are interpolated, as a part of that of others: the dense output is of order 4, the
/// end of a step of order 5.
const INTERPOLATED: f64 = 0.5;

impl Integrator {
    /// Makes one step within the tolerance, not beyond `stop`, which is `rest` away, up to the first event. It need not go
    /// beyond `end`, the end of a communication step of the length `longest`.
    pub(super) fn step(
        &mut self,
        system: &mut dyn System,
        t: f64,
        (mut stop, mut rest): (f64, f64),
        (end, longest): (f64, f64),
    ) -> Result<OpenStep, ModelError> {
        let is_implicit = self.is_implicit();
        if is_implicit && !self.is_linearised {
            self.rosenbrock.linearise(system, t, &self.x)?;
            self.is_linearised = true;
        }
        if self.progress.h == 0.0 {
            let [near, slope] = [&mut self.dense.end, &mut self.error];
            let limits = (self.tolerance, longest);
            self.progress.h = step_size::first(system, t, (&self.x, &self.dx), &self.nominals, limits, [near, slope]);
        }
        let mut proposed = self.limited(system, t, self.progress.h.min(rest));
        if proposed == rest {
            proposed = proposed.max(self.progress.h);
        }
        let [mut is_repeated, mut is_cut] = [false; 2];
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(ModelError::singular(format!(
                    "the communication step needs more than {MAX_STEPS} steps of the integrator; the last one was \
                     {proposed} s long"
                )));
            }
            let is_last = proposed >= 0.999 * rest;
            let h = if is_last { rest } else { proposed.min(if is_cut { rest } else { 0.5 * rest }) };
            let (at, from) = ((t, h), (&*self.x, &*self.dx));
            // Within a communication step, it is the importer who says how far apart events may be seen.
            let is_beyond = stop > end && t + h > end;
            let looks_inside = is_beyond && self.indicators.has_turning();
            let (inside, at_end) = self.indicators.of_step();
            let result = if is_implicit {
                self.rosenbrock.step(system, at, from, &mut self.dense, &mut self.error, at_end)
            } else {
                let indicators = (looks_inside.then_some(inside), at_end);
                self.explicit.step(system, at, from, &mut self.dense, &mut self.error, indicators)
            };
            let error = if result.is_ok() {
                let tolerance = if is_beyond { INTERPOLATED * self.tolerance } else { self.tolerance };
                step_size::relative_error(&self.error, &self.x, &self.dense.end, &self.nominals, tolerance)
            } else {
                f64::INFINITY
            };
            if error <= 1.0 {
                let uncertainty = if looks_inside { self.uncertainty(system, is_implicit, (t, h))? } else { 0.0 };
                if uncertainty > 1.0 {
                    is_repeated = true;
                    proposed = 0.5 * h;
                    if proposed <= end - t {
                        (stop, rest) = (end, end - t);
                        proposed = rest;
                    }
                    continue;
                }
                let change = self.first_change(system, is_implicit, (t, h))?;
                let is_within =
                    |theta: &f64| (MAX_NEGLECTED_FRACTION..1.0).contains(theta) && self.indicators.is_bounding_change();
                if let Some(theta) = change.filter(|theta| !is_cut && is_within(theta)) {
                    // Behind such an event, equations are not those of the motion: the step must not go there.
                    (is_cut, proposed) = (true, theta * h);
                    self.indicators.begin(system, t, &self.x, &mut self.dx)?;
                    continue;
                }
                self.refused = self.refused.saturating_sub(1);
                let before = if self.progress.error == 0.0 { 1e-4 } else { self.progress.error };
                let largest = if is_repeated { 1.0 } else { 10.0 };
                let next = h * step_size::growth(error, before, largest).min(step_size::certain_growth(uncertainty));
                // A step that something else has cut short says less than the one proposed before.
                self.progress.h = if h < proposed { next.max(proposed) } else { next };
                self.progress.error = error.max(1e-4);
                self.compare_costs(is_implicit, h, longest.max(rest));
                return Ok(self.accept(is_implicit, (t, h), if is_last { stop } else { t + h }, change));
            }
            is_repeated = true;
            if result.is_err() && stop > end {
                // Beyond the end of the communication step, nobody asks for anything.
                (stop, rest) = (end, end - t);
                proposed = proposed.min(rest);
                continue;
            }
            proposed = h * step_size::reduction(error);
            self.refused += if result.is_err() { REFUSED } else { 0 };
            if t + proposed <= t || self.refused > MAX_REFUSED_STEPS {
                return Err(result.err().unwrap_or_else(|| {
                    ModelError::singular(format!("the states change too fast at {t} s: no step is small enough"))
                }));
            }
        }
    }

    /// Returns how [uncertain](crate::component::integration::crossing::Indicators::uncertainty) the indicators are inside a step.
    fn uncertainty(
        &mut self,
        system: &mut dyn System,
        is_implicit: bool,
        (t, h): (f64, f64),
    ) -> Result<f64, ModelError> {
        let slopes = if is_implicit { self.rosenbrock.end() } else { self.explicit.end() };
        let span = Span { t, h, begin: &self.x, dense: &self.dense, slopes: [&self.dx, slopes] };
        if is_implicit {
            self.indicators.look_inside(system, &span)?;
        }
        self.indicators.uncertainty(system, &span)
    }

    /// Returns the part of a step after which an indicator has changed.
    fn first_change(
        &mut self,
        system: &mut dyn System,
        is_implicit: bool,
        (t, h): (f64, f64),
    ) -> Result<Option<f64>, ModelError> {
        let slopes = if is_implicit { self.rosenbrock.end() } else { self.explicit.end() };
        let span = Span { t, h, begin: &self.x, dense: &self.dense, slopes: [&self.dx, slopes] };
        self.indicators.first_change(system, &span)
    }

    /// Opens a step, up to its end or to the first change inside.
    fn accept(&mut self, is_implicit: bool, (t, h): (f64, f64), end: f64, change: Option<f64>) -> OpenStep {
        self.slopes.copy_from_slice(if is_implicit { self.rosenbrock.end() } else { self.explicit.end() });
        self.is_linearised = false;
        let part = change.filter(|part| *part < 1.0);
        let open = OpenStep {
            begin: t,
            h,
            part: part.unwrap_or(1.0),
            end: part.map_or(end, |part| t + part * h),
            is_event: change.is_some(),
        };
        self.open = Some(open);
        open
    }

    /// Moves the states to the end of a step.
    pub(super) fn close(&mut self, open: &OpenStep) {
        self.open = None;
        if open.part < 1.0 {
            // The coefficients are not needed any more once the states are known.
            self.dense.states(&self.x, open.part, &mut self.error);
            self.x.copy_from_slice(&self.error);
            return;
        }
        self.x.copy_from_slice(&self.dense.end);
        self.dx.copy_from_slice(&self.slopes);
    }

    /// Judges by a step of `h` whether the other method would cost less. An implicit step is compared with explicit ones that are
    /// stable, up to the same end; an explicit step that stability limits, with an implicit one of `longest`, the longest there
    /// can be.
    fn compare_costs(&mut self, is_implicit: bool, h: f64, longest: f64) {
        let implicit = rosenbrock::evaluations(self.nominals.len());
        let other_costs_less = if is_implicit {
            explicit::evaluations(h, self.rosenbrock.spectral_bound(&self.nominals)) < implicit
        } else {
            explicit::EVALUATIONS * longest / h > implicit
                && self.explicit.is_limited_by_stability(h, &self.dense, &self.nominals)
        };
        self.progress.count_step(other_costs_less);
    }

    /// Returns a step that is not too long to see a change of lasting indicators.
    #[inline]
    pub(super) fn limited(&mut self, system: &mut dyn System, t: f64, h: f64) -> f64 {
        let is_known = |(asked, until): (f64, f64)| asked <= t && t + h <= until;
        if self.indicators.lasting == 0 || self.limit_known.is_some_and(is_known) {
            return h;
        }
        let limit = system.step_limit(t, &self.x);
        // Speeds may change before. An infinite limit may only hold where it was asked for.
        self.limit_known = limit.is_finite().then_some((t, t + 0.5 * limit));
        h.min(limit)
    }

    /// Returns true if steps are made by the method for stiff equations.
    #[inline]
    pub(super) fn is_implicit(&self) -> bool {
        match self.solver {
            Solver::Auto => self.progress.is_implicit,
            Solver::Explicit => false,
            Solver::Implicit => true,
        }
    }
}
