//! A component as the integrator sees it over a communication step.

use crate::component::capabilities::settle;
use crate::component::component_model::{ComponentModel, Data, Integrate, Step};
use crate::component::equations::Diagnostics;
use crate::component::integration::dense;
use crate::component::integration::integrator::{Integrator, TOLERANCE};
use crate::component::integration::kept::{self, Knowledge};
use crate::component::integration::system::{Solver, System};
use crate::component::layout::{ContinuousState, Layout};
use crate::component::model_error::ModelError;
use crate::component::polynomial::Polynomials;
use crate::component::watched::{Change, Watched};
use crate::rows::scalar::Dual64;
use crate::rows::values::Values;

/// Bounds of the tolerances that an importer can ask for.
const TOLERANCES: (f64, f64) = (1e-12, 1e-2);
/// Largest tolerance where there are [bounding](ComponentModel::bounding_indicators) indicators: the times of their events
/// differ by some times the error of the motion before, and are those of all tolerances and steps to 1e-6 s.
const MAX_BOUNDING_TOLERANCE: f64 = 1e-7;

/// Number of communication steps without changes after which the integrator goes beyond their ends.
const CALM: f64 = 2.0;
/// Rounding of times as a part of a communication step, above which its length counts and not its end.
const ROUNDING: f64 = 1e-6;

/// The integrator of one instance, with its buffers.
pub struct Integration {
    integrator: Integrator,
    states: Vec<ContinuousState>,
    watched: Watched,
    /// Indices of the Reals that are kept between steps, and of the watched values among these.
    places: [usize; 2],
    x: Vec<f64>,
    /// The values at the point that is being evaluated.
    here: Values,
    duals: Vec<Dual64>,
    indicators: Vec<Dual64>,
}

/// Returns the number of Reals that an instance keeps for the integration of its states, with this number of indicators.
pub fn kept(layout: &Layout, indicators: usize) -> usize {
    kept::sizes(layout.states.len(), indicators, Watched::new(layout).count())[1]
}

/// Returns the tolerance with which a model is integrated that has this number of bounding indicators.
pub fn bounded_tolerance(tolerance: f64, bounding: usize) -> f64 {
    if bounding > 0 && tolerance > MAX_BOUNDING_TOLERANCE { MAX_BOUNDING_TOLERANCE } else { tolerance }
}

impl Integration {
    /// Makes the integration for a component with this number of indicators, with these numbers of
    /// [lasting](ComponentModel::lasting_indicators) and [bounding](ComponentModel::bounding_indicators) ones among them, and this
    /// layout of values.
    pub fn new(solver: Solver, [indicators, lasting, bounding]: [usize; 3], layout: &Layout) -> Self {
        let nominals: Vec<_> = layout.states.iter().map(|state| state.nominal).collect();
        let watched = Watched::new(layout);
        let [before_watched, _] = kept::sizes(nominals.len(), indicators, watched.count());
        let place = layout.reals.len() - layout.kept;
        Self {
            x: vec![0.0; nominals.len()],
            integrator: Integrator::new(nominals, indicators, solver).with_lasting_indicators(lasting, bounding),
            states: layout.states.clone(),
            places: [place, place + before_watched],
            watched,
            here: layout.start.clone(),
            duals: Vec::new(),
            indicators: vec![Dual64::from_re(0.0); indicators],
        }
    }
}

impl Integrate for Integration {
    // Compiled with the component, for speed.
    #[inline]
    fn interpolate(&self, values: &mut Values, inputs: &Polynomials, step: &Step) -> bool {
        let [place, watched] = self.places;
        let kept = &values.reals[place..];
        let is_inside = Knowledge::of(kept) == Knowledge::Motion && step.end < kept[kept::END];
        if !is_inside || inputs.order() > 0 || !self.watched.are(&values.reals[watched..], values) {
            return false;
        }
        let (variables, kept) = values.reals.split_at_mut(place);
        let theta = (step.end - kept[kept::BEGIN]) / kept[kept::LENGTH];
        let count = self.states.len();
        let of_states = &kept[kept::SCALARS..];
        let array = |i: usize| &of_states[i * count..][..count];
        let [begin, end, c0, c1, c2] = [0, 2, 3, 4, 5].map(array);
        for (i, state) in self.states.iter().enumerate() {
            variables[state.state] = dense::state([begin[i], end[i]], [c0[i], c1[i], c2[i]], theta);
        }
        true
    }

    #[inline]
    fn advance(
        &mut self,
        model: &dyn ComponentModel,
        data: &Data,
        values: &mut Values,
        inputs: &Polynomials,
        step: &mut Step,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        let [place, place_of_watched] = self.places;
        let is_fed = inputs.order() > 0;
        let change = self.watched.change(&values.reals[place_of_watched..], values);
        self.watched.keep(place_of_watched, values);
        let kept = &mut values.reals[place..];
        let knowledge = if change == Change::Discrete { Knowledge::States } else { Knowledge::of(kept) };
        let is_calm = change == Change::None && !is_fed && knowledge != Knowledge::States;
        kept[kept::CALM] = if is_calm { (kept[kept::CALM] + 1.0).min(CALM) } else { 0.0 };
        let may_exceed = kept[kept::CALM] == CALM && step.h * ROUNDING > f64::EPSILON * step.end.abs();
        // After a change only the signs of the indicators count.
        let needed = if change != Change::None || is_fed { Knowledge::Signs.min(knowledge) } else { knowledge };
        self.integrator.load(kept, needed);
        // Unless the step succeeds.
        kept[kept::KNOWLEDGE] = 0.0;
        let (smallest, largest) = TOLERANCES;
        let asked = kept[kept::TOLERANCE];
        self.here.copy_from(values);
        let Self { integrator, states, x, here, duals, indicators, .. } = self;
        let tolerance = if asked > 0.0 { asked.clamp(smallest, largest) } else { TOLERANCE };
        integrator.tolerance = bounded_tolerance(tolerance, integrator.bounding_indicators());
        for (x, state) in x.iter_mut().zip(&*states) {
            *x = values.reals[state.state];
        }
        let (begin, end) = (step.begin, step.end);
        let mut motion =
            CommunicationStep { model, data, begin, values, inputs, diagnostics, states, here, duals, indicators };
        integrator.stops_at_event = step.stops_at_event;
        integrator.length = Some(step.h);
        integrator.reach = may_exceed.then_some(step.limit);
        let is_event = match needed {
            Knowledge::States => true,
            Knowledge::Signs => integrator.restart_at(&mut motion, x, begin)?,
            Knowledge::Slopes | Knowledge::Motion => false,
        };
        let (reached, known) = if is_event {
            (integrator.advance(&mut motion, x, begin, end)?, Knowledge::Slopes)
        } else {
            integrator.go_on(&mut motion, x, begin, end)?
        };
        let known = if model.has_memory() || reached.is_event {
            Knowledge::States
        } else if integrator.is_open() {
            Knowledge::Motion
        } else {
            known
        };
        if reached.t < end {
            (step.end, step.h) = (reached.t, reached.t - begin);
        }
        step.is_event = reached.is_event;
        for (x, state) in x.iter().zip(&*states) {
            values.reals[state.state] = *x;
        }
        let kept = &mut values.reals[place..];
        integrator.store(kept, known);
        Ok(())
    }
}

/// A component between the beginning and the end of a communication step.
struct CommunicationStep<'a> {
    model: &'a dyn ComponentModel,
    data: &'a Data,
    /// Time at the beginning, in s.
    begin: f64,
    /// The values with the memory of the last event, and the inputs at the beginning.
    values: &'a mut Values,
    inputs: &'a Polynomials,
    diagnostics: &'a mut Diagnostics,
    states: &'a [ContinuousState],
    here: &'a mut Values,
    duals: &'a mut Vec<Dual64>,
    indicators: &'a mut [Dual64],
}

impl CommunicationStep<'_> {
    /// Sets the inputs of a time and these states.
    #[inline]
    fn set_point(&mut self, t: f64, x: &[f64]) {
        if self.inputs.order() > 0 {
            self.inputs.restore(&mut self.here.reals, &self.values.reals);
            self.inputs.add(&mut self.here.reals, t - self.begin);
        }
        for (x, state) in x.iter().zip(self.states) {
            self.here.reals[state.state] = *x;
        }
    }

    /// Copies the derivatives of the states that were computed.
    #[inline]
    fn copy_derivatives(&mut self, t: f64, dx: &mut [f64]) -> Result<(), ModelError> {
        for (dx, state) in dx.iter_mut().zip(self.states) {
            *dx = self.here.reals[state.derivative];
        }
        if dx.iter().all(|dx| dx.is_finite()) {
            return Ok(());
        }
        // The evaluation names the value that is too large.
        self.model.evaluate(self.here, self.data, t)
    }

    /// Sets the inputs of a time and the states in dual numbers, along a direction.
    fn set_dual_point(&mut self, t: f64, x: &[f64], along_t: f64, along_x: &[f64]) {
        self.set_point(t, x);
        self.duals.clear();
        self.duals.extend(self.here.reals.iter().map(|value| Dual64::from_re(*value)));
        self.inputs.differentiate(self.duals, t - self.begin, along_t);
        for (along, state) in along_x.iter().zip(self.states) {
            self.duals[state.state].eps = *along;
        }
    }

    /// Keeps the memory of the present point.
    fn keep(&mut self) {
        self.inputs.restore(&mut self.here.reals, &self.values.reals);
        self.values.copy_from(self.here);
    }

    #[inline]
    fn finite<'v>(&self, mut values: impl Iterator<Item = &'v f64>, t: f64) -> Result<(), ModelError> {
        if values.all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(ModelError::invalid(format!("derivatives of states are not finite at {t} s: a value is too large")))
    }
}

impl System for CommunicationStep<'_> {
    #[inline]
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.set_point(t, x);
        self.model.derivatives(self.here, self.data, t)?;
        self.copy_derivatives(t, dx)
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        self.set_dual_point(t, x, along_t, along_x);
        self.model.differentiate(self.duals, self.here, self.data, Dual64::new(t, along_t), false)?;
        for (ddx, state) in ddx.iter_mut().zip(self.states) {
            *ddx = self.duals[state.derivative].eps;
        }
        self.finite(ddx.iter(), t)
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        self.set_point(t, x);
        self.model.indicators_only(self.here, self.data, t, z)?;
        self.finite(z.iter(), t)
    }

    #[inline]
    fn derivatives_and_indicators(
        &mut self,
        t: f64,
        x: &[f64],
        dx: &mut [f64],
        z: &mut [f64],
    ) -> Result<(), ModelError> {
        if z.is_empty() {
            return self.derivatives(t, x, dx);
        }
        self.set_point(t, x);
        self.model.evaluate_indicators(self.here, self.data, t, z)?;
        self.copy_derivatives(t, dx)?;
        self.finite(z.iter(), t)
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        self.set_dual_point(t, x, 1.0, dx);
        let time = Dual64::new(t, 1.0);
        self.model.differentiate_indicators_afresh(self.duals, self.here, self.data, time, self.indicators)?;
        for (rate, z) in rates.iter_mut().zip(&*self.indicators) {
            *rate = z.eps;
        }
        self.finite(rates.iter(), t)
    }

    fn step_limit(&mut self, t: f64, x: &[f64]) -> f64 {
        self.set_point(t, x);
        self.model.step_limit(self.here, self.data, t)
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        self.set_point(t, x);
        let due = settle(|| self.model.event(self.here, self.data, t))?;
        for (x, state) in x.iter_mut().zip(self.states) {
            *x = self.here.reals[state.state];
        }
        self.keep();
        Ok(due)
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError> {
        if !self.model.has_memory() {
            return Ok(false);
        }
        self.set_point(t, x);
        self.diagnostics.event = false;
        self.model.complete(self.here, self.data, t, self.diagnostics)?;
        self.keep();
        Ok(self.diagnostics.event)
    }
}
