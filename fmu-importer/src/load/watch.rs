//! A time limit on each call into an FMU.
//!
//! A call that does not return cannot be stopped; only the process can. So the watch is set by programs that run
//! FMUs in a process of their own.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// What a thread is calling, and since when.
type Slot = Mutex<Option<(&'static str, Instant)>>;

static SLOTS: Mutex<Vec<Weak<Slot>>> = Mutex::new(Vec::new());
/// Whether calls return no more.
static HALTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static SLOT: OnceCell<Arc<Slot>> = const { OnceCell::new() };
}

/// Calls an FMU; the watch knows the call by this name until it returns.
pub(super) fn watched<T>(name: &'static str, call: impl FnOnce() -> T) -> T {
    note(Some((name, Instant::now())));
    let result = call();
    while HALTED.load(Ordering::SeqCst) {
        thread::park();
    }
    note(None);
    result
}

fn note(call: Option<(&'static str, Instant)>) {
    SLOT.with(|slot| {
        let slot = slot.get_or_init(|| {
            let slot = Arc::new(Mutex::new(None));
            SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&slot));
            slot
        });
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = call;
    });
}

/// From now on no call returns: for a process that is about to end, so that nothing is made of what its calls give.
pub fn halt() {
    HALTED.store(true, Ordering::SeqCst);
}

/// Starts the watch: `expired` gets the name of a call that takes longer than the limit.
pub fn start(limit: Duration, expired: impl Fn(&str) + Send + 'static) {
    thread::spawn(move || {
        loop {
            thread::sleep(limit.min(Duration::from_secs(1)) / 4);
            let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
            slots.retain(|slot| slot.strong_count() > 0);
            for slot in slots.iter().filter_map(Weak::upgrade) {
                let call = *slot.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((name, _)) = call.filter(|(_, since)| since.elapsed() > limit) {
                    expired(name);
                }
            }
        }
    });
}
