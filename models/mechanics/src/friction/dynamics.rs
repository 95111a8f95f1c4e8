//! Events and steps of a friction element.

use super::Mode;
use super::elastic::{Elastic, GivenMotion, SpringState};
use super::element::{Computed, ElementLoad, FrictionElement, InertiaSplit};
use super::polynomial::{ORDER, Polynomial};
use super::slip::{PIECES, Slip, SlipLoad, SlipState, TooManyEvents};

/// The changes made by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Whether states have changed.
    pub states: bool,
    /// Whether the mode has changed.
    pub mode: bool,
}

/// Number of event indicators.
pub const INDICATORS: usize = 4;

impl FrictionElement<'_, f64> {
    /// Event indicators. The mode ends when one of the first three rises above zero (for the third: or
    /// falls to it; for the first also where a spring has yielded against w_rel). The fourth changes
    /// its sign where the slope of mu changes. None is zero right after an event that it has caused.
    pub fn indicators(&self, computed: &Computed<f64>) -> [f64; INDICATORS] {
        /// A value that no mode can reach: a solver that stops exactly at zero must not miss the next event.
        const GAP: f64 = f64::MIN_POSITIVE;
        let mut indicators = [-1.0, -1.0, self.load.n, 1.0];
        match self.x.mode {
            Mode::Free => indicators[2] -= GAP,
            Mode::Stuck if self.is_elastic() => {}
            Mode::Stuck => {
                let limit = self.peak * self.coefficient.at_rest() * self.load.n;
                indicators[1] = computed.tau.abs() - limit * (1.0 + 4.0 * f64::EPSILON) - GAP;
            }
            Mode::Forward => indicators[0] = -self.x.w_rel - GAP,
            Mode::Backward => indicators[0] = self.x.w_rel - GAP,
        }
        if self.is_elastic() {
            if self.x.mode == Mode::Stuck || self.x.breaks {
                indicators[1] = self.elastic().indicator(&self.spring(), &self.here()) - GAP;
            }
        } else if self.x.mode.direction().is_some() {
            let kinks = self.coefficient.kinks(self.x.w_rel.abs());
            indicators[3] = if kinks == 0.0 { -GAP } else { kinks };
        }
        indicators
    }

    /// The memory of the spring between two given motions.
    fn spring(&self) -> SpringState {
        SpringState { anchor: self.x.anchor, mode: self.x.mode, breaks: self.x.breaks }
    }

    fn remember_spring(&mut self, spring: SpringState) {
        (self.x.anchor, self.x.mode, self.x.breaks) = (spring.anchor, spring.mode, spring.breaks);
    }

    /// The relative motion and the normal force at this point.
    fn here(&self) -> GivenMotion {
        let [phi, w, n] = [self.x.phi_rel, self.x.w_rel, self.load.n].map(Polynomial::constant);
        GivenMotion { phi, w, n }
    }

    /// Ends a step, in Model Exchange one of the solver, in which the spring between two given motions may give
    /// way. Returns whether an event must make it hold.
    pub fn give_way(&mut self) -> bool {
        self.follow();
        let mut spring = self.spring();
        let holds = self.elastic().give_way(&mut spring, &self.here());
        self.remember_spring(spring);
        holds
    }

    /// Determines the mode from the current values, and sets w_rel to zero where the sides begin to stick.
    #[inline]
    pub fn settle(&mut self) -> Settled {
        self.follow();
        let before = self.x;
        if self.is_elastic() {
            let mut spring = self.spring();
            self.elastic().settle(&mut spring, &self.here());
            self.remember_spring(spring);
        } else {
            self.arrest();
            let split = self.split();
            let sa = self.locking_torque(&split, self.load.sides);
            let mut state = self.state();
            self.slip(&split).settle_steadily(&mut state, sa, self.load.n);
            self.x.mode = state.mode;
            self.remember();
        }
        Settled {
            states: !self.is_elastic()
                && (self.x.w_rel, self.x.phi_rel, self.x.w) != (before.w_rel, before.phi_rel, before.w),
            mode: self.x.mode != before.mode,
        }
    }

    /// Moves states and memory over a step, events at its beginning included. `load` gives the
    /// coefficients of the loads from power 1 to `order`, or to [`ORDER`] if that is less.
    #[inline]
    pub fn advance(&mut self, order: u32, load: impl Fn(u32) -> ElementLoad<f64>, h: f64) -> Result<(), TooManyEvents> {
        if order > 0 || self.is_elastic() {
            // On a copy, so that the common case is computed in registers.
            let mut element = *self;
            element.advance_along(order, &load, h)?;
            self.x = element.x;
            return Ok(());
        }
        self.follow();
        self.arrest();
        let split = self.split();
        let mut state = self.state();
        let [mut phi, mut w] = self.centre(&split);
        let sa = self.locking_torque(&split, self.load.sides);
        self.slip(&split).advance_steadily(&mut state, sa, self.load.n, h)?;
        let a = self.common_acceleration(&split, self.load.sides);
        phi += (w + 0.5 * a * h) * h;
        w += a * h;
        self.arrive(&split, state, [phi, w]);
        Ok(())
    }

    /// Iterates until the mode is consistent.
    fn settle_for_good(&mut self) -> Result<(), TooManyEvents> {
        (0..PIECES).any(|_| !self.settle().mode).then_some(()).ok_or(TooManyEvents)
    }

    // Not inlined into the common case, which would become slower.
    #[inline(never)]
    fn advance_along(
        &mut self,
        order: u32,
        load: &dyn Fn(u32) -> ElementLoad<f64>,
        h: f64,
    ) -> Result<(), TooManyEvents> {
        self.settle_for_good()?;
        self.follow();
        let split = self.split();
        let mut n = Polynomial::constant(self.load.n);
        let mut sa = Polynomial::constant(self.locking_torque(&split, self.load.sides));
        let mut common = Polynomial::constant(self.common_acceleration(&split, self.load.sides));
        let mut relative = Polynomial::constant(self.load.sides[1] - self.load.sides[0]);
        for (power, load) in (1..=ORDER).zip((1..=order).map(load)) {
            n.set(power, load.n);
            sa.set(power, self.locking_torque(&split, load.sides));
            common.set(power, self.common_acceleration(&split, load.sides));
            relative.set(power, load.sides[1] - load.sides[0]);
        }
        if self.is_elastic() {
            let w = relative.integral(self.x.w_rel);
            let path = GivenMotion { phi: w.integral(self.x.phi_rel), w, n };
            let mut spring = self.spring();
            self.elastic().advance(&mut spring, &path, h)?;
            self.remember_spring(spring);
            return Ok(());
        }
        let mut state = self.state();
        let [phi, w] = self.centre(&split);
        self.slip(&split).advance(&mut state, &SlipLoad { sa, n }, h)?;
        let velocity = common.integral(w);
        self.arrive(&split, state, [velocity.integral(phi).at(h), velocity.at(h)]);
        Ok(())
    }

    /// Angle and angular velocity of the centre of both inertias, which moves as without friction; those
    /// of the given side if there is one.
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
    fn arrest(&mut self) {
        let overshoot = self.x.mode.direction().is_some_and(|direction| direction * self.x.w_rel < 0.0)
            && self.x.w_rel.abs() <= self.w_small
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
        Slip { coefficient: self.coefficient, peak: self.peak, inertia: split.relative }
    }

    fn elastic(&self) -> Elastic<'_> {
        Elastic { coefficient: self.coefficient, peak: self.peak, c: self.c_stuck, d: self.d_stuck }
    }
}
