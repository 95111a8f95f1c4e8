//! Friction between two given motions: while stuck, a damped spring supplies the torque, which motion
//! alone does not determine.

use super::coefficient::Coefficient;
use super::crossing::first_below_zero;
use super::polynomial::Polynomial;
use super::slip::{LastChange, MAX_VARYING_PIECES, TooManyEvents};
use super::{AT_REST, Mode};

/// The element `tau = c (phi - anchor) + d w` while stuck.
#[derive(Clone, Copy, Debug)]
pub struct Elastic<'a> {
    /// The coefficient of sliding friction.
    pub coefficient: &'a Coefficient,
    /// Ratio of static friction to sliding friction at w = 0.
    pub peak: f64,
    /// Stiffness, in N.m/rad.
    pub c: f64,
    /// Damping, in N.m.s/rad.
    pub d: f64,
}

/// Margin, as a fraction, by which a spring that has yielded holds with less than the sliding torque, so that rounding
/// does not make it yield again.
const STICK_MARGIN: f64 = -1e-9;

/// Margin by which a yielding spring is kept above the sliding torque, so that rounding does not make it hold.
const YIELD_MARGIN: f64 = 1e-6;

/// The given relative motion and normal force, as polynomials in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenMotion {
    /// Relative angle.
    pub phi: Polynomial,
    /// Relative velocity.
    pub w: Polynomial,
    /// Normal force times geometry, in N.m.
    pub n: Polynomial,
}

/// The state of the spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringState {
    /// Rest position of the spring.
    pub anchor: f64,
    /// Mode of the element.
    pub mode: Mode,
    /// True if static friction was exceeded and w does not yet have the direction of sliding.
    pub breaks: bool,
}

/// Event that ends a segment of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// Static friction was exceeded, in a direction.
    Breakaway(f64),
    /// After a breakaway against the motion, the motion has reached the direction of sliding.
    Arrival,
    /// After a breakaway against the motion, the spring unloads faster than the sliding torque falls.
    Rest,
    /// w = 0 was reached.
    Sticking,
    /// The normal force has vanished.
    Release,
    /// The normal force has appeared.
    Engagement,
}

impl GivenMotion {
    fn shifted(&self, s: f64) -> Self {
        Self { phi: self.phi.shifted(s), w: self.w.shifted(s), n: self.n.shifted(s) }
    }
}

impl Elastic<'_> {
    /// Advances the memory over a step; returns when the mode changed last, if it did.
    pub fn advance(&self, x: &mut SpringState, path: &GivenMotion, h: f64) -> Result<Option<f64>, TooManyEvents> {
        self.advance_or_stop(x, path, h, false)
    }

    /// Advances the memory over a step or, if it `stops`, only to the first change of the mode after the beginning.
    pub(super) fn advance_or_stop(
        &self,
        x: &mut SpringState,
        path: &GivenMotion,
        h: f64,
        stops: bool,
    ) -> Result<Option<f64>, TooManyEvents> {
        let mut last = LastChange::new(x.mode);
        self.settle(x, path);
        let (mut here, mut rest) = (*path, h);
        for _ in 0..MAX_VARYING_PIECES {
            last.note(x.mode, h - rest);
            if stops && last.time.is_some_and(|s| s > 0.0) {
                return Ok(last.time);
            }
            let Some((at, event)) = self.next(x, &here, rest) else { return Ok(last.time) };
            (here, rest) = (here.shifted(at), rest - at);
            // The event determines the side of zero, where rounding might give the other one.
            match event {
                Event::Breakaway(direction) => {
                    self.break_away(x, &here, direction);
                    continue;
                }
                Event::Arrival => {
                    here.w.set_start(0.0);
                    x.breaks = false;
                    continue;
                }
                Event::Rest => {
                    self.stick(x, &here, STICK_MARGIN);
                    continue;
                }
                Event::Sticking => here.w.set_start(0.0),
                Event::Release => here.n.set_start(here.n.start().min(0.0)),
                Event::Engagement => here.n.set_start(here.n.start().max(0.0)),
            }
            self.settle(x, &here);
        }
        Err(TooManyEvents)
    }

    /// Finds the next event within `h`, and its time.
    fn next(&self, x: &SpringState, path: &GivenMotion, h: f64) -> Option<(f64, Event)> {
        // An event that has just occurred is at zero, where rounding might give another value.
        let when = |mut p: Polynomial, event| {
            p.set_start(p.start().max(0.0));
            first_below_zero(p.scaled(h).coefficients()).map(|at| (at * h, event))
        };
        let n = path.n;
        let release = || when(n, Event::Release);
        let slide = |direction: f64| {
            let u = path.w.combined(direction, &path.w, 0.0);
            if u.sign_after() > 0.0 {
                return [when(u, Event::Sticking), release(), None];
            }
            let spring = u.combined(self.c, &u.rate(), self.d);
            let faster = spring.combined(1.0, &n.rate(), -self.coefficient.at_rest());
            let gives_way =
                if faster.sign_after() <= 0.0 { Some((0.0, Event::Rest)) } else { when(faster, Event::Rest) };
            [when(u.combined(-1.0, &u, 0.0), Event::Arrival), gives_way, release()]
        };
        let events = match x.mode {
            Mode::Free => [when(n.combined(-1.0, &n, 0.0), Event::Engagement), None, None],
            Mode::Stuck => {
                let torque = self.torque(x, path);
                let reserve = |direction: f64| n.combined(self.limit(), &torque, -direction);
                [when(reserve(1.0), Event::Breakaway(1.0)), when(reserve(-1.0), Event::Breakaway(-1.0)), release()]
            }
            Mode::Forward => slide(1.0),
            Mode::Backward => slide(-1.0),
        };
        events.into_iter().flatten().reduce(|first, next| if next.0 < first.0 { next } else { first })
    }

    /// Computes the torque of the damped spring.
    fn torque(&self, x: &SpringState, path: &GivenMotion) -> Polynomial {
        let mut spring = path.phi;
        spring.set_start(spring.start() - x.anchor);
        spring.combined(self.c, &path.w, self.d)
    }

    /// Moves the anchor so that the damped spring has the sliding torque with a margin.
    fn load(&self, x: &mut SpringState, path: &GivenMotion, margin: f64) {
        let direction = x.mode.direction().unwrap_or(0.0);
        let torque = direction * path.n.start() * self.coefficient.at_rest() * (1.0 + margin);
        let rounding = if margin == 0.0 { 0.0 } else { (8.0 * f64::EPSILON * path.phi.start()).abs().copysign(margin) };
        x.anchor = path.phi.start() - (torque - self.d * path.w.start()) / self.c - direction * rounding;
    }

    fn stick(&self, x: &mut SpringState, path: &GivenMotion, margin: f64) {
        self.load(x, path, margin);
        (x.mode, x.breaks) = (Mode::Stuck, false);
    }

    fn break_away(&self, x: &mut SpringState, path: &GivenMotion, direction: f64) {
        x.mode = Mode::sliding(direction);
        x.breaks = direction * path.w.sign_after() <= 0.0;
        if x.breaks {
            self.load(x, path, YIELD_MARGIN);
        }
    }

    /// Ends a step in which the spring may yield: it relaxes to the sliding torque if that has fallen. Returns true if
    /// that has not fallen, so that an event must make the spring hold.
    pub fn try_break_away(&self, x: &mut SpringState, path: &GivenMotion) -> bool {
        let Some(direction) = x.mode.direction().filter(|_| x.breaks) else { return false };
        if direction * path.w.start() > 0.0 {
            x.breaks = false;
            return false;
        }
        let mut lower = |margin: f64| {
            let mut loaded = *x;
            self.load(&mut loaded, path, margin);
            let had_more = direction * (loaded.anchor - x.anchor) > 0.0;
            if had_more {
                *x = loaded;
            }
            had_more
        };
        if lower(YIELD_MARGIN) {
            return false;
        }
        lower(STICK_MARGIN);
        true
    }

    /// Returns static friction divided by the normal force.
    fn limit(&self) -> f64 {
        self.peak * self.coefficient.at_rest()
    }

    /// Returns the torque in excess of static friction, with the margin for rounding.
    fn excess(&self, x: &SpringState, path: &GivenMotion, direction: f64) -> f64 {
        let limit = self.limit();
        let [phi, w, n] = [path.phi, path.w, path.n].map(|path| path.start());
        let size = self.c * (phi.abs() + x.anchor.abs()) + self.d * w.abs() + limit * n.abs();
        direction * self.torque(x, path).start() - limit * n - 4.0 * f64::EPSILON * size
    }

    /// Evaluates an event indicator that is negative while stuck or breaking away, and positive where that ends.
    pub fn indicator(&self, x: &SpringState, path: &GivenMotion) -> f64 {
        match x.mode.direction() {
            None => self.excess(x, path, 1.0).max(self.excess(x, path, -1.0)),
            Some(direction) => self.coefficient.at_rest() * path.n.start() - direction * self.torque(x, path).start(),
        }
    }

    /// Determines the mode at an event.
    pub fn settle(&self, x: &mut SpringState, path: &GivenMotion) {
        if path.n.sign_after() <= 0.0 {
            (x.mode, x.breaks) = (Mode::Free, false);
            return;
        }
        let w = path.w.start();
        match x.mode.direction() {
            Some(direction) if direction * path.w.sign_after() > 0.0 => {
                x.breaks = false;
                return;
            }
            Some(_) if x.breaks && self.indicator(x, path) < 0.0 => return,
            Some(_) if x.breaks => (x.mode, x.breaks) = (Mode::Stuck, false),
            Some(_) => self.stick(x, path, 0.0),
            None if x.mode == Mode::Free && w.abs() > AT_REST => {
                x.mode = Mode::sliding(w);
                return;
            }
            None if x.mode == Mode::Free => (x.anchor, x.mode) = (path.phi.start(), Mode::Stuck),
            None => {}
        }
        for direction in [1.0, -1.0] {
            let mut excess = self.torque(x, path).combined(direction, &path.n, -self.limit());
            // If sticking starts with the sliding torque, rounding must not cause a breakaway.
            let above = self.excess(x, path, direction);
            excess.set_start(if above > 0.0 { above } else { excess.start().min(0.0) });
            if excess.sign_after() > 0.0 {
                self.break_away(x, path, direction);
                return;
            }
        }
    }
}
