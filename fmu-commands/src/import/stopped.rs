//! Child processes that stop, as those in which the code of an FMU sends itself SIGSTOP: no call returns, and no thread of
//! theirs can tell it.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

/// Interval at which a child is polled.
pub const PAUSE: Duration = Duration::from_millis(2);

/// Time for which a child has been stopped, while this process itself is not: Ctrl-Z stops both.
#[derive(Default)]
pub struct StoppedTime(Duration);

impl StoppedTime {
    /// Returns true if the child has been stopped for longer than a limit; to be called after each pause.
    pub fn exceeds(&mut self, child: &Child, limit: Duration) -> bool {
        self.0 = if is_stopped(child) { self.0 + PAUSE } else { Duration::ZERO };
        self.0 > limit
    }
}

/// Returns the problem of a child that was stopped for longer than the limit.
pub fn problem(limit: Duration) -> String {
    format!("the FMU stopped the process, and nothing has continued it for {} s", limit.as_secs_f64())
}

/// Waits for the end of a child; nothing if it was stopped for longer than the limit, and was killed.
///
/// # Errors
///
/// When it cannot be waited for.
pub fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut stopped = StoppedTime::default();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if stopped.exceeds(child, limit) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(PAUSE);
    }
}

#[cfg(unix)]
fn is_stopped(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    // The state is left for the next question, and the end of the process to `Child`.
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(Some(_)))
}

#[cfg(not(unix))]
fn is_stopped(_: &Child) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_stops_itself_is_killed_and_others_are_not() {
        let shell = |script: &str| Command::new("sh").args(["-c", script]).spawn().unwrap();
        let limit = Duration::from_millis(50);
        assert!(wait(&mut shell("kill -STOP $$"), limit).unwrap().is_none());
        assert_eq!(wait(&mut shell("exit 3"), limit).unwrap().unwrap().code(), Some(3));
        assert_eq!(wait(&mut shell("sleep 0.3; exit 4"), limit).unwrap().unwrap().code(), Some(4));
        let continued = "(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 5";
        assert_eq!(wait(&mut shell(continued), Duration::from_secs(60)).unwrap().unwrap().code(), Some(5));
    }
}
