//! Events and steps of a friction element.

use super::Mode;
use super::elastic::{Elastic, GivenMotion, SpringState};
use super::element::{Computed, ElementLoad, FrictionElement, InertiaSplit};
use super::law::{INDICATOR_OFFSET, INDICATORS, LawBranch, Transition};
use super::polynomial::{MAX_ORDER, Polynomial};
use super::slip::{MAX_SEGMENTS, Slip, SlipLoad, SlipState, TooManyEvents};
use crate::Scalar;

/// The changes made by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventChanges {
    /// True if states have changed.
    pub states: bool,
    /// True if the mode has changed.
    pub mode: bool,
}

impl<T: Scalar> FrictionElement<'_, T> {
    /// Evaluates the event indicators of the law, all that there are unless the element is elastic.
    pub fn law_indicators(&self, computed: &Computed<T>) -> [T; INDICATORS] {
        self.law.indicators(self.branch(), self.x.w_rel, self.load.n, computed.tau)
    }

    fn branch(&self) -> LawBranch {
        LawBranch { mode: self.x.mode, breaks: self.x.breaks }
    }
}

impl FrictionElement<'_, f64> {
    /// Evaluates the event indicators: those of the law. Between two given motions static friction is that of the
    /// spring, and its first indicator rises also where the spring has yielded against w_rel.
    pub fn indicators(&self, computed: &Computed<f64>) -> [f64; INDICATORS] {
        let indicators = self.law_indicators(computed);
        if !self.is_elastic() {
            return indicators;
        }
        let holds = self.x.mode == Mode::Stuck || self.x.breaks;
        let static_friction =
            if holds { self.elastic().indicator(&self.spring(), &self.here()) - INDICATOR_OFFSET } else { -1.0 };
        [indicators[0], static_friction, indicators[2], 1.0]
    }

    /// Returns the memory of the spring between two given motions.
    fn spring(&self) -> SpringState {
        SpringState { anchor: self.x.anchor, mode: self.x.mode, breaks: self.x.breaks }
    }

    fn remember_spring(&mut self, spring: SpringState) {
        (self.x.anchor, self.x.mode, self.x.breaks) = (spring.anchor, spring.mode, spring.breaks);
    }

    /// Returns the relative motion and the normal force at this point, as constants.
    fn here(&self) -> GivenMotion {
        let [phi, w, n] = [self.x.phi_rel, self.x.w_rel, self.load.n].map(Polynomial::constant);
        GivenMotion { phi, w, n }
    }

    /// Ends a step, in Model Exchange one of the solver, in which an element that broke away has begun to move, or the
    /// spring between two given motions may yield. Returns true if an event must make it hold.
    pub fn try_break_away(&mut self) -> bool {
        self.follow();
        if !self.is_elastic() {
            self.x.breaks &= self.x.mode.direction().is_some_and(|direction| direction * self.x.w_rel <= 0.0);
            return false;
        }
        let mut spring = self.spring();
        let holds = self.elastic().try_break_away(&mut spring, &self.here());
        self.remember_spring(spring);
        holds
    }

    /// Handles an event of Model Exchange: determines the mode from the current values, and sets w_rel to zero where
    /// the sides begin to stick. To be repeated with the loads that then follow as long as the mode changes.
    #[inline]
    pub fn settle(&mut self) -> EventChanges {
        self.follow();
        let before = self.x;
        if self.is_elastic() {
            self.settle_spring();
        } else {
            let n = self.load.n;
            let sa = self.locking_torque(&self.split(), self.load.sides);
            // Curve parameter at w = 0.
            let curve = |direction| sa + direction * (self.law.tau0_max(n) - self.law.tau0(n));
            let curve = self.x.mode.direction().map_or(sa, curve);
            let Transition { branch, stops } = self.law.next(self.branch(), self.x.w_rel, n, curve);
            if stops {
                self.stop();
            }
            (self.x.mode, self.x.breaks) = (branch.mode, branch.breaks);
            self.remember();
        }
        EventChanges {
            states: !self.is_elastic()
                && (self.x.w_rel, self.x.phi_rel, self.x.w) != (before.w_rel, before.phi_rel, before.w),
            mode: self.x.mode != before.mode,
        }
    }

    fn is_spring_settled(&mut self) -> bool {
        let before = self.x.mode;
        self.settle_spring();
        self.x.mode == before
    }

    fn settle_spring(&mut self) {
        let mut spring = self.spring();
        self.elastic().settle(&mut spring, &self.here());
        self.remember_spring(spring);
    }

    /// Moves states and memory over a step, events at its beginning included; returns when the mode changed last, if it
    /// did. `load` gives the coefficients of the loads from power 1 to `order`, or to [`MAX_ORDER`] if that is less.
    #[inline]
    pub fn advance(
        &mut self,
        order: u32,
        load: impl Fn(u32) -> ElementLoad<f64>,
        h: f64,
    ) -> Result<Option<f64>, TooManyEvents> {
        if order > 0 || self.is_elastic() {
            // Works on a copy, so that the common case is computed in registers.
            let mut element = *self;
            let event = element.advance_along(order, &load, h, false)?;
            self.x = element.x;
            return Ok(event);
        }
        self.follow();
        self.stick();
        let split = self.split();
        let mut state = self.state();
        let [mut phi, mut w] = self.centre(&split);
        let sa = self.locking_torque(&split, self.load.sides);
        let event = self.slip(&split).advance_steadily(&mut state, sa, self.load.n, h)?;
        let a = self.common_acceleration(&split, self.load.sides);
        phi += (w + 0.5 * a * h) * h;
        w += a * h;
        self.arrive(&split, state, [phi, w]);
        Ok(event)
    }

    /// Moves states and memory up to the first change of the mode after the beginning, at most over a step; returns
    /// when that is. Where an inertia comes to rest, the change is still to be made by [`settle`](Self::settle).
    pub fn advance_to_event(
        &mut self,
        order: u32,
        load: impl Fn(u32) -> ElementLoad<f64>,
        h: f64,
    ) -> Result<Option<f64>, TooManyEvents> {
        let event = self.advance_along(order, &load, h, true)?;
        Ok(event.filter(|s| *s > 0.0))
    }

    // Not inlined into the common case, which would become slower.
    #[inline(never)]
    fn advance_along(
        &mut self,
        order: u32,
        load: &dyn Fn(u32) -> ElementLoad<f64>,
        h: f64,
        stops: bool,
    ) -> Result<Option<f64>, TooManyEvents> {
        let mode = self.x.mode;
        self.follow();
        if self.is_elastic() {
            (0..MAX_SEGMENTS).find(|_| self.is_spring_settled()).ok_or(TooManyEvents)?;
        } else {
            self.stick();
        }
        let split = self.split();
        let mut n = Polynomial::constant(self.load.n);
        let mut sa = Polynomial::constant(self.locking_torque(&split, self.load.sides));
        let mut common = Polynomial::constant(self.common_acceleration(&split, self.load.sides));
        let mut relative = Polynomial::constant(self.load.sides[1] - self.load.sides[0]);
        for (power, load) in (1..=MAX_ORDER).zip((1..=order).map(load)) {
            n.set(power, load.n);
            sa.set(power, self.locking_torque(&split, load.sides));
            common.set(power, self.common_acceleration(&split, load.sides));
            relative.set(power, load.sides[1] - load.sides[0]);
        }
        if self.is_elastic() {
            let w = relative.integral(self.x.w_rel);
            let path = GivenMotion { phi: w.integral(self.x.phi_rel), w, n };
            let mut spring = self.spring();
            let settled = (spring.mode != mode).then_some(0.0);
            let event = self.elastic().advance_or_stop(&mut spring, &path, h, stops)?;
            self.remember_spring(spring);
            return Ok(event.or(settled));
        }
        let mut state = self.state();
        let [phi, w] = self.centre(&split);
        let (slip, loads) = (self.slip(&split), SlipLoad { sa, n });
        let (event, h) = if stops {
            let event = slip.advance_to_event(&mut state, &loads, h)?;
            (event, event.unwrap_or(h))
        } else {
            (slip.advance(&mut state, &loads, h)?, h)
        };
        let velocity = common.integral(w);
        self.arrive(&split, state, [velocity.integral(phi).at(h), velocity.at(h)]);
        Ok(event)
    }

    /// Returns angle and angular velocity of the centre of both inertias, which moves as without friction; those of the
    /// given side if there is one.
    #[inline]
    fn centre(&self, split: &InertiaSplit<f64>) -> [f64; 2] {
        let share = self.lever(split);
        let [phi, w] = self.reference_motion();
        [phi + share * self.x.phi_rel, w + share * self.x.w_rel]
    }

    /// Stores the relative motion and that of the centre.
    #[inline]
    fn arrive(&mut self, split: &InertiaSplit<f64>, state: SlipState, centre: [f64; 2]) {
        self.x.mode = state.mode;
        (self.x.phi_rel, self.x.w_rel) = (state.phi, state.w);
        if self.is_driven() {
            self.given[self.reference] = centre;
            self.remember();
        } else {
            let share = self.lever(split);
            [self.x.phi, self.x.w] = [centre[0] - share * state.phi, centre[1] - share * state.w];
        }
    }

    /// Stops the relative motion where a solver has passed zero, or while stuck.
    #[inline]
    fn stick(&mut self) {
        let overshoot = self.x.mode.direction().is_some_and(|direction| direction * self.x.w_rel < 0.0)
            && self.x.w_rel.abs() <= self.law.parameters.w_small
            && !self.x.keeps_opposite;
        if self.load.n > 0.0 && (overshoot || (self.x.mode == Mode::Stuck && self.x.w_rel != 0.0)) {
            self.stop();
        }
    }

    /// Makes the relative velocity zero without a change of momentum.
    #[inline]
    fn stop(&mut self) {
        self.x.w += self.lever(&self.split()) * self.x.w_rel;
        self.x.w_rel = 0.0;
    }

    #[inline]
    fn state(&self) -> SlipState {
        SlipState { phi: self.x.phi_rel, w: self.x.w_rel, mode: self.x.mode }
    }

    #[inline]
    fn slip(&self, split: &InertiaSplit<f64>) -> Slip<'_> {
        Slip { coefficient: self.law.coefficient, peak: self.law.parameters.peak, inertia: split.relative }
    }

    fn elastic(&self) -> Elastic<'_> {
        Elastic { coefficient: self.law.coefficient, peak: self.law.parameters.peak, c: self.c_stuck, d: self.d_stuck }
    }
}
