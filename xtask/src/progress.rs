//! A bar for work that takes its time.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is quicker is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress through a number of things, shown on the standard error once it has taken a second.
pub struct Progress {
    bar: ProgressBar,
    begin: Instant,
}

impl Progress {
    /// Begins; the bar shows only where there is more than one thing.
    pub fn new(count: usize) -> Self {
        let bar = ProgressBar::with_draw_target((count > 1).then_some(count as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, begin: Instant::now() }
    }

    /// Says what is being done now.
    pub fn doing(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        if self.bar.length().is_some() && self.bar.is_hidden() && self.begin.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// One thing is done.
    pub fn done(&self) {
        self.bar.inc(1);
    }

    /// Does something that prints, with the bar out of the way.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
