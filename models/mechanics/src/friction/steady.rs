//! Stick and slip under a constant torque and normal force: the common case, in closed form.

use super::Mode;
use super::exponential::ExponentialMotion;
use super::slip::{LastChange, MAX_SEGMENTS, Slip, SlipState, TooManyEvents};

impl Slip<'_> {
    /// Advances the state over a step; returns when the mode changed last, if it did.
    #[inline]
    pub fn advance_steadily(&self, x: &mut SlipState, sa: f64, n: f64, h: f64) -> Result<Option<f64>, TooManyEvents> {
        let mut last = LastChange::new(x.mode);
        self.settle_steadily(x, sa, n);
        let mut s = 0.0;
        for _ in 0..MAX_SEGMENTS {
            last.note(x.mode, s);
            s = self.next_steadily(x, sa, n, s, h);
            if s >= h {
                last.note(x.mode, h);
                return Ok(last.time);
            }
        }
        Err(TooManyEvents)
    }

    /// Determines the mode at an event.
    #[inline]
    pub fn settle_steadily(&self, x: &mut SlipState, sa: f64, n: f64) {
        self.decide(x, n, |direction, limit| direction * sa - limit * n);
    }

    /// Advances the state from `s` to the next event, at most to `h`; returns the time reached.
    #[inline]
    pub fn next_steadily(&self, x: &mut SlipState, sa: f64, n: f64, s: f64, h: f64) -> f64 {
        let rest = h - s;
        let Some(direction) = x.mode.direction() else {
            if x.mode == Mode::Free {
                let a = sa / self.inertia;
                x.phi += (x.w + 0.5 * a * rest) * rest;
                x.w += a * rest;
            }
            return h;
        };
        let length = self.slide_steadily(x, direction, sa, n, rest);
        if x.w == 0.0 {
            x.mode = Mode::Stuck;
            self.settle_steadily(x, sa, n);
        }
        if length < rest { s + length } else { h }
    }

    /// Slides at most to the end of a segment of the table; returns the duration.
    #[inline]
    fn slide_steadily(&self, x: &mut SlipState, direction: f64, sa: f64, n: f64, h: f64) -> f64 {
        let u = direction * x.w;
        let position = self.coefficient.position(u);
        let a = (direction * sa - self.coefficient.mu_at(position, u) * n) / self.inertia;
        if u == 0.0 && a <= 0.0 {
            return 0.0;
        }
        let segment = self.coefficient.segment_at(position, u, a > 0.0);
        let motion = ExponentialMotion { a, b: -segment.slope * n / self.inertia };
        let border = if a > 0.0 { segment.hi } else { segment.lo };
        let (change, angle) = motion.after(h);
        // The speed is monotonic, so the time to the border is needed only near it.
        let is_near = change.abs() >= 0.999_999 * (border - u).abs();
        let time = if is_near { motion.time_to(border - u) } else { f64::INFINITY };
        let (length, end, angle) = if time <= h {
            (time, border, motion.after(time).1)
        } else {
            (h, (u + change).max(segment.lo).min(segment.hi), angle)
        };
        x.phi += direction * (u * length + angle);
        x.w = if end == 0.0 { 0.0 } else { direction * end };
        length
    }
}
