//! Friction between two given motions: while stuck, a damped spring stands for what is not
//! determined by motion alone.

use super::Mode;
use super::coefficient::Coefficient;
use super::crossing::first_below_zero;
use super::polynomial::Polynomial;
use super::slip::{PIECES, Restless};

/// The element `tau = c (phi - anchor) + d w` while stuck.
#[derive(Clone, Copy, Debug)]
pub struct Elastic<'a> {
    /// The coefficient of sliding friction.
    pub coefficient: &'a Coefficient,
    /// Static friction is so many times the sliding friction at w = 0.
    pub peak: f64,
    /// Stiffness, in N.m/rad.
    pub c: f64,
    /// Damping, in N.m.s/rad.
    pub d: f64,
}

/// What is given, as polynomials of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Relative angle.
    pub phi: Polynomial,
    /// Relative velocity.
    pub w: Polynomial,
    /// Normal force times geometry, in N.m.
    pub n: Polynomial,
}

/// What the element remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Where the spring is at rest.
    pub anchor: f64,
    /// The mode.
    pub mode: Mode,
}

/// What ends a piece of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// Static friction was exceeded, in a direction.
    Breakaway(f64),
    /// After a breakaway against the motion, the motion has come to the direction of sliding.
    Arrival,
    /// w = 0 was reached.
    Landing,
    /// The normal force has gone.
    Release,
    /// The normal force has come.
    Engagement,
}

impl Path {
    fn shifted(&self, s: f64) -> Self {
        Self { phi: self.phi.shifted(s), w: self.w.shifted(s), n: self.n.shifted(s) }
    }
}

impl Elastic<'_> {
    /// Moves the memory over a step.
    pub fn advance(&self, x: &mut Memory, path: &Path, h: f64) -> Result<(), Restless> {
        self.settle(x, path);
        let mut s = 0.0;
        for _ in 0..PIECES {
            let Some((at, event)) = self.next(x, &path.shifted(s), h - s) else { return Ok(()) };
            s += at;
            let mut there = path.shifted(s);
            // The event says on which side of zero it is, where rounding might say something else.
            match event {
                Event::Breakaway(direction) => {
                    x.mode = Mode::sliding(direction);
                    continue;
                }
                Event::Arrival => continue,
                Event::Landing => there.w.set_start(0.0),
                Event::Release => there.n.set_start(there.n.start().min(0.0)),
                Event::Engagement => there.n.set_start(there.n.start().max(0.0)),
            }
            self.settle(x, &there);
        }
        Err(Restless)
    }

    /// The next event within `h` and when it is.
    fn next(&self, x: &Memory, path: &Path, h: f64) -> Option<(f64, Event)> {
        // An event that has just been is at zero, where rounding might say something else.
        let when = |mut p: Polynomial, event| {
            p.set_start(p.start().max(0.0));
            first_below_zero(p.scaled(h).coefficients()).map(|at| (at * h, event))
        };
        let n = path.n;
        let release = || when(n, Event::Release);
        let limit = self.peak * self.coefficient.at_rest();
        let end = |u: Polynomial| match u.start() < 0.0 {
            true => when(u.combined(-1.0, &u, 0.0), Event::Arrival),
            false => when(u, Event::Landing),
        };
        let events = match x.mode {
            Mode::Free => [when(n.combined(-1.0, &n, 0.0), Event::Engagement), None, None],
            Mode::Stuck => {
                let torque = self.torque(x, path);
                let reserve = |direction: f64| n.combined(limit, &torque, -direction);
                [when(reserve(1.0), Event::Breakaway(1.0)), when(reserve(-1.0), Event::Breakaway(-1.0)), release()]
            }
            Mode::Forward => [end(path.w), release(), None],
            Mode::Backward => [end(path.w.combined(-1.0, &path.w, 0.0)), release(), None],
        };
        events.into_iter().flatten().reduce(|first, next| if next.0 < first.0 { next } else { first })
    }

    /// The torque of the damped spring.
    fn torque(&self, x: &Memory, path: &Path) -> Polynomial {
        let mut spring = path.phi;
        spring.set_start(spring.start() - x.anchor);
        spring.combined(self.c, &path.w, self.d)
    }

    /// The anchor with which the spring has the torque of sliding.
    fn loaded(&self, path: &Path, direction: f64) -> f64 {
        path.phi.start() - direction * path.n.start() * self.coefficient.at_rest() / self.c
    }

    /// Decides the mode at an event.
    pub fn settle(&self, x: &mut Memory, path: &Path) {
        if path.n.sign_after() <= 0.0 {
            x.mode = Mode::Free;
            return;
        }
        let w = path.w.start();
        let slid = x.mode.direction();
        match x.mode {
            Mode::Free if w != 0.0 => x.mode = Mode::sliding(w),
            Mode::Free => *x = Memory { anchor: path.phi.start(), mode: Mode::Stuck },
            Mode::Forward if path.w.sign_after() <= 0.0 => {
                *x = Memory { anchor: self.loaded(path, 1.0), mode: Mode::Stuck };
            }
            Mode::Backward if path.w.sign_after() >= 0.0 => {
                *x = Memory { anchor: self.loaded(path, -1.0), mode: Mode::Stuck };
            }
            _ => {}
        }
        let limit = self.peak * self.coefficient.at_rest();
        for direction in [1.0, -1.0] {
            let mut excess = self.torque(x, path).combined(direction, &path.n, -limit);
            if slid == Some(direction) {
                // It has just come to stick with no more than that.
                excess.set_start(excess.start().min(0.0));
            }
            if x.mode == Mode::Stuck && excess.sign_after() > 0.0 {
                x.mode = Mode::sliding(direction);
            }
        }
    }
}
