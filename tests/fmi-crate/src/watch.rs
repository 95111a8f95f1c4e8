//! A time limit on each call into the FMU, as far as calls that return show.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// What returned last, and when.
static LAST: Mutex<Option<(String, Instant)>> = Mutex::new(None);

/// Notes that a call has returned; the time of the next one begins.
pub fn returned(call: &str) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((call.to_owned(), Instant::now()));
}

/// Starts the watch: `expired` gets a sentence when no call has returned for longer than the limit.
pub fn start(limit: Duration, expired: impl Fn(String) + Send + 'static) {
    let (begun, begins) = mpsc::channel();
    thread::spawn(move || {
        let _ = begun.send(());
        loop {
            thread::sleep(limit.min(Duration::from_secs(1)) / 4);
            let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((call, _)) = last.filter(|(_, since)| since.elapsed() > limit) {
                expired(format!("no call has returned for {} s after {call}", limit.as_secs_f64()));
            }
        }
    });
    // While a library is loaded, threads may be unable to begin.
    let _ = begins.recv();
}
