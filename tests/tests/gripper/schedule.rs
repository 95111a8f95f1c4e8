//! The expected states of the gripper for a schedule of its signal, in closed form.

/// The schedule of `active`.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Length of a ramp in s.
    pub ramp: f64,
    /// Signal at the start.
    pub active: bool,
    /// Ascending times at which the signal changes.
    pub changes: Vec<f64>,
}

/// A transition.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    /// Time at the start of the ramp.
    pub begin: f64,
    /// Time at the end of the ramp.
    pub end: f64,
    /// True if the ramp ends in ON.
    pub up: bool,
}

impl Schedule {
    /// Returns the signal from a time on.
    pub fn active_at(&self, time: f64) -> bool {
        let changes = self.changes.iter().filter(|change| **change <= time).count();
        self.active ^ (changes % 2 == 1)
    }

    /// Returns all ramps, each after the other.
    pub fn ramps(&self) -> Vec<Ramp> {
        let mut ramps = Vec::new();
        let (mut on, mut free) = (self.active, f64::NEG_INFINITY);
        loop {
            let candidates = std::iter::once(free).chain(self.changes.iter().copied().filter(|change| *change > free));
            let begins = candidates.into_iter().find(|time| self.active_at(*time) != on);
            let Some(begin) = begins else { return ramps };
            on = !on;
            free = begin + self.ramp;
            ramps.push(Ramp { begin, end: free, up: on });
        }
    }

    /// Returns `state` and `onoff` of a step that ends at a time.
    pub fn at(&self, time: f64) -> (f64, f64) {
        let near = 1e-9 * self.ramp;
        match self.ramps().into_iter().rfind(|ramp| ramp.begin < time - near) {
            None if self.active => (1.0, 1.0),
            None => (3.0, 0.0),
            Some(Ramp { begin, end, up }) => match (time >= end - near, up) {
                (true, true) => (1.0, 1.0),
                (true, false) => (3.0, 0.0),
                (false, true) => (4.0, (time - begin) / self.ramp),
                (false, false) => (2.0, 1.0 - (time - begin) / self.ramp),
            },
        }
    }

    /// Returns the time at which the offsets at the end of such a step were captured.
    pub fn captured_at(&self, time: f64) -> f64 {
        let up = self.ramps().into_iter().rfind(|ramp| ramp.up && ramp.begin < time - 1e-9 * self.ramp);
        up.map_or(0.0, |ramp| ramp.begin)
    }
}
