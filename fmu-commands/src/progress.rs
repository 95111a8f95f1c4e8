//! Progress bars.

use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fmu_builder::console::note;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether nobody wants to see progress.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on shows no progress.
pub fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// Whether progress is not shown.
pub fn is_hidden() -> bool {
    HIDDEN.load(Ordering::Relaxed)
}

/// A line about progress on standard error.
pub fn tell(line: impl Display) {
    if !is_hidden() {
        note(line);
    }
}

/// Faster work gets no progress bar.
const DELAY: Duration = Duration::from_secs(1);

/// Progress through a number of items, on any threads, shown on standard error after a second.
pub struct Progress {
    bar: ProgressBar,
    begin: Instant,
}

impl Progress {
    /// Starts; the bar is shown only if there is more than one item.
    pub fn new(count: usize) -> Self {
        let bar = ProgressBar::with_draw_target((count > 1).then_some(count as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, begin: Instant::now() }
    }

    /// One item is done.
    pub fn done(&self, what: Option<&Path>) {
        let name = what.and_then(Path::file_name).unwrap_or_default();
        self.bar.set_message(name.display().to_string());
        self.bar.inc(1);
        if self.bar.length().is_some() && self.bar.is_hidden() && !is_hidden() && self.begin.elapsed() > DELAY {
            // Shows nothing if it is not a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "SHOWS_PROGRESS";

    #[test]
    fn nothing_is_shown_without_a_terminal() {
        if std::env::var_os(CHILD).is_some() {
            let progress = Progress::new(2);
            std::thread::sleep(DELAY + Duration::from_millis(100));
            progress.done(None);
            progress.done(Some(Path::new("second.fmu")));
            return;
        }
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "progress::tests::nothing_is_shown_without_a_terminal", "--nocapture"]).env(CHILD, "1");
        let output = child.output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
