//! Stick and slip of an inertia under friction, from event to event.

use super::Mode;
use super::coefficient::Coefficient;
use super::crossing::first_below_zero;
use super::polynomial::Polynomial;
use super::series::Series;

/// The relative motion `J w' = sa - tau` of two sides with friction between them.
#[derive(Clone, Copy, Debug)]
pub struct Slip<'a> {
    /// The coefficient of sliding friction.
    pub coefficient: &'a Coefficient,
    /// Ratio of static friction to sliding friction at w = 0.
    pub peak: f64,
    /// Inertia of the relative motion, in kg.m2.
    pub inertia: f64,
}

/// Torque and normal force, as polynomials in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipLoad {
    /// The torque that would hold w constant, in N.m.
    pub sa: Polynomial,
    /// Normal force times geometry, in N.m.
    pub n: Polynomial,
}

/// State of the relative motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipState {
    /// Relative angle.
    pub phi: f64,
    /// Relative velocity, exactly 0 while stuck.
    pub w: f64,
    /// Mode of the friction.
    pub mode: Mode,
}

/// The error of a step that has more friction events than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEvents;

/// Largest number of segments of the motion in one step.
pub const MAX_SEGMENTS: usize = 1_000_000;

/// Largest number of segments where loads vary: each then takes up to 50 µs, and an error should not take a minute.
pub const MAX_VARYING_PIECES: usize = 50_000;

/// Mode, and time of its last change in a step.
pub(super) struct LastChange {
    mode: Mode,
    pub time: Option<f64>,
}

impl LastChange {
    #[inline]
    pub fn new(mode: Mode) -> Self {
        Self { mode, time: None }
    }

    /// Notes the mode at a time after the begin of the step.
    #[inline]
    pub fn note(&mut self, mode: Mode, s: f64) {
        if mode != self.mode {
            (self.mode, self.time) = (mode, Some(s));
        }
    }
}

/// Event that ends a segment of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// None: the motion continues in the same mode.
    Smooth,
    /// Static friction was exceeded.
    Breakaway,
    /// w = 0 was reached.
    Sticking,
    /// The normal force has vanished.
    Release,
    /// The normal force has appeared.
    Engagement,
}

impl SlipLoad {
    /// True if torque and normal force are constant.
    pub fn is_constant(&self) -> bool {
        self.sa.degree() == 0 && self.n.degree() == 0
    }

    /// Returns the load as a function of the time since `s`.
    pub fn shifted(&self, s: f64) -> Self {
        Self { sa: self.sa.shifted(s), n: self.n.shifted(s) }
    }

    /// Returns the load with a normal force that is not negative at the start, even by rounding.
    fn pressed(&self) -> Self {
        let mut pressed = *self;
        pressed.n.set_start(self.n.start().max(0.0));
        pressed
    }
}

impl Slip<'_> {
    /// Advances the state over a step; returns when the mode changed last, if it did.
    pub fn advance(&self, x: &mut SlipState, drive: &SlipLoad, h: f64) -> Result<Option<f64>, TooManyEvents> {
        if drive.is_constant() {
            return self.advance_steadily(x, drive.sa.start(), drive.n.start(), h);
        }
        let mut last = LastChange::new(x.mode);
        self.settle(x, drive);
        let mut s = 0.0;
        for _ in 0..MAX_VARYING_PIECES {
            last.note(x.mode, s);
            s = self.next(x, drive, s, h);
            if s >= h {
                last.note(x.mode, h);
                return Ok(last.time);
            }
        }
        Err(TooManyEvents)
    }

    /// Advances the state to the first change of the mode after the beginning, which is still to be made where w is 0;
    /// returns when that is.
    pub(super) fn advance_to_event(
        &self,
        x: &mut SlipState,
        drive: &SlipLoad,
        h: f64,
    ) -> Result<Option<f64>, TooManyEvents> {
        self.settle(x, drive);
        let mut s = 0.0;
        for _ in 0..MAX_SEGMENTS {
            let before = x.mode;
            s = self.next(x, drive, s, h);
            if x.mode != before && s > 0.0 {
                if x.w == 0.0 && before.direction().is_some() {
                    x.mode = before;
                }
                return Ok(Some(s));
            }
            if s >= h {
                return Ok(None);
            }
        }
        Err(TooManyEvents)
    }

    /// Advances the state from `s` to the next event, at most to `h`; returns the time reached.
    pub fn next(&self, x: &mut SlipState, drive: &SlipLoad, s: f64, h: f64) -> f64 {
        if drive.is_constant() {
            return self.next_steadily(x, drive.sa.start(), drive.n.start(), s, h);
        }
        let local = &drive.shifted(s);
        let rest = h - s;
        let (length, ending) = match x.mode.direction() {
            Some(direction) => self.slide(x, direction, local, rest),
            None if x.mode == Mode::Stuck => self.hold(x, local, rest),
            None => self.coast(x, local, rest),
        };
        let end = if length < rest { s + length } else { h };
        if matches!(ending, Ending::Smooth | Ending::Breakaway) {
            return end;
        }
        let mut there = drive.shifted(end);
        // The event determines the side of zero, where rounding might give the other one.
        match ending {
            Ending::Release => there.n.set_start(there.n.start().min(0.0)),
            Ending::Engagement => there.n.set_start(there.n.start().max(0.0)),
            _ => {}
        }
        self.settle(x, &there);
        end
    }

    /// Determines the mode at an event: by the sign of w, and at w = 0 by the motion right after.
    pub fn settle(&self, x: &mut SlipState, drive: &SlipLoad) {
        let excess = |direction, limit: f64| drive.sa.combined(direction, &drive.n, -limit).sign_after();
        self.decide(x, drive.n.sign_after(), excess);
    }

    /// Determines the mode at an event by the signs of the normal force and of `direction sa - limit n`.
    #[inline]
    pub(super) fn decide(&self, x: &mut SlipState, pressed: f64, excess: impl Fn(f64, f64) -> f64) {
        if pressed <= 0.0 {
            x.mode = Mode::Free;
            return;
        }
        if x.w != 0.0 {
            x.mode = Mode::sliding(x.w);
            return;
        }
        let sliding = self.coefficient.at_rest();
        if x.mode.direction().is_some_and(|direction| excess(direction, sliding) > 0.0) {
            return;
        }
        let exceeded = [1.0, -1.0].into_iter().find(|direction| excess(*direction, self.peak * sliding) > 0.0);
        x.mode = exceeded.map_or(Mode::Stuck, Mode::sliding);
    }

    fn hold(&self, x: &mut SlipState, drive: &SlipLoad, h: f64) -> (f64, Ending) {
        let drive = &drive.pressed();
        let mut first = (h, Ending::Smooth);
        if let Some(at) = first_below_zero(drive.n.scaled(h).coefficients()) {
            first = (at * h, Ending::Release);
        }
        let limit = self.peak * self.coefficient.at_rest();
        for direction in [1.0, -1.0] {
            let reserve = drive.n.combined(limit, &drive.sa, -direction).scaled(h);
            let at = first_below_zero(reserve.coefficients()).map(|at| at * h);
            // Without a torque there is no breakaway, although the holding torque vanishes with the normal force.
            if let Some(at) = at.filter(|at| *at < first.0 && direction * drive.sa.at(*at) > 0.0) {
                first = (at, Ending::Breakaway);
                x.mode = Mode::sliding(direction);
            }
        }
        first
    }

    fn coast(&self, x: &mut SlipState, drive: &SlipLoad, h: f64) -> (f64, Ending) {
        let (mut length, mut ending) = (h, Ending::Smooth);
        let gap = drive.n.combined(-1.0, &drive.n, 0.0);
        if let Some(at) = gap.first_below_zero(h) {
            (length, ending) = (at, Ending::Engagement);
        }
        let w = drive.sa.combined(1.0 / self.inertia, &drive.n, 0.0).integral(x.w);
        x.phi = w.integral(x.phi).at(length);
        x.w = w.at(length);
        (length, ending)
    }

    /// Slides at most to the end of a segment of the table.
    fn slide(&self, x: &mut SlipState, direction: f64, drive: &SlipLoad, h: f64) -> (f64, Ending) {
        let u = direction * x.w;
        let drive = &drive.pressed();
        let mut a = drive.sa.combined(direction / self.inertia, &drive.n, -self.coefficient.mu(u) / self.inertia);
        if u == 0.0 {
            // At rest in a sliding mode it starts to slide, whatever rounding gives.
            a.set_start(a.start().max(0.0));
        }
        let tendency = a.sign_after();
        if u == 0.0 && tendency <= 0.0 {
            x.mode = Mode::Stuck;
            return (0.0, Ending::Sticking);
        }
        let segment = self.coefficient.segment(u, tendency > 0.0);
        let slope = -segment.slope / self.inertia;
        let b = drive.n.combined(slope, &drive.n, 0.0);
        // Rounding error of a speed at which the torques are in balance.
        let nothing = 4.0 * f64::EPSILON * (u + self.coefficient.mu(u) / segment.slope.abs());
        let series = Series::new(&a, &b, h, nothing);
        let (mut first, mut border, mut ending) = (1.0, None, Ending::Smooth);
        if let Some(at) = first_below_zero(drive.n.scaled(series.length).coefficients()) {
            (first, ending) = (at, Ending::Release);
        }
        let borders = [(u - segment.lo, 1.0, segment.lo), (segment.hi - u, -1.0, segment.hi)];
        for (start, sign, speed) in borders.into_iter().filter(|(start, ..)| start.is_finite()) {
            let at = first_below_zero(series.offset(start, sign).coefficients());
            if let Some(at) = at.filter(|at| *at < first) {
                (first, border, ending) = (at, Some(speed), Ending::Smooth);
            }
        }
        let (change, angle) = series.at(first);
        let length = first * series.length;
        let end = border.unwrap_or((u + change).max(segment.lo).min(segment.hi));
        x.phi += direction * (u * length + angle);
        x.w = direction * end;
        if end == 0.0 && ending == Ending::Smooth {
            x.w = 0.0;
            x.mode = Mode::Stuck;
            return (length, Ending::Sticking);
        }
        (length, ending)
    }
}
