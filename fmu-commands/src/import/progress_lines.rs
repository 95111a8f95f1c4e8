//! Progress as lines on the standard error, for a program that shows it itself.

use std::env;
use std::time::{Duration, Instant};

use fmu_builder::console::note;

/// The environment variable that asks for it.
const PROGRESS: &str = "FMU_IMPORTER_PROGRESS";
/// No line follows another sooner.
const INTERVAL: Duration = Duration::from_millis(100);

/// The part of a command that is done, told from time to time.
pub struct ProgressLines {
    last: Option<Instant>,
}

impl Default for ProgressLines {
    fn default() -> Self {
        Self { last: env::var_os(PROGRESS).map(|_| Instant::now()) }
    }
}

impl ProgressLines {
    /// Tells a part from 0 to 1.
    pub fn part(&mut self, part: f64) {
        if let Some(last) = &mut self.last
            && last.elapsed() > INTERVAL
        {
            *last = Instant::now();
            note(format_args!("progress {part}"));
        }
    }
}
