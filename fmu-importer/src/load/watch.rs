//! A time limit on each call into an FMU.
//!
//! A call that does not return cannot be stopped; only the process can. So the watch is set by programs that run
//! FMUs in a process of their own.

use std::cell::OnceCell;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The call that a thread is making.
#[derive(Default)]
struct Call {
    name: Option<&'static str>,
    /// Its number among the calls of the thread.
    number: u64,
    /// The number that the watch has seen last, and since when: asking for the time in each call would take longer than
    /// many calls.
    seen: Option<(u64, Instant)>,
}

type Slot = Mutex<Call>;

static SLOTS: Mutex<Vec<Weak<Slot>>> = Mutex::new(Vec::new());
/// True if calls return no more.
static HALTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static SLOT: OnceCell<Arc<Slot>> = const { OnceCell::new() };
}

/// Calls an FMU; the watch reports the call under this name until it returns. A call that the FMU lets the importer make
/// inside of another one is part of that.
pub(crate) fn watched<T>(name: &'static str, call: impl FnOnce() -> T) -> T {
    let is_outer = begin(name);
    let result = call();
    while HALTED.load(Ordering::SeqCst) {
        thread::park();
    }
    if is_outer {
        with_call(|call| call.name = None);
    }
    result
}

/// Calls the FMU when it is dropped; the watch reports that call under a name.
#[derive(Clone)]
pub(super) struct Watched<T>(&'static str, Option<T>);

impl<T> Watched<T> {
    pub fn new(name: &'static str, inner: T) -> Self {
        Self(name, Some(inner))
    }
}

impl<T> Deref for Watched<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.1.as_ref().expect("only drop takes it")
    }
}

impl<T> Drop for Watched<T> {
    fn drop(&mut self) {
        watched(self.0, || drop(self.1.take()));
    }
}

/// Notes the call that this thread begins; returns false if it is inside of another one.
fn begin(name: &'static str) -> bool {
    with_call(|call| {
        let is_outer = call.name.is_none();
        if is_outer {
            call.name = Some(name);
            call.number += 1;
        }
        is_outer
    })
}

fn with_call<T>(access: impl FnOnce(&mut Call) -> T) -> T {
    SLOT.with(|slot| {
        let slot = slot.get_or_init(|| {
            let slot = Arc::new(Slot::default());
            SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&slot));
            slot
        });
        access(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    })
}

impl Call {
    /// Returns the name of the call if it is seen for longer than a limit.
    fn expired(&mut self, limit: Duration) -> Option<&'static str> {
        let name = self.name?;
        match self.seen {
            Some((number, since)) if number == self.number => (since.elapsed() > limit).then_some(name),
            _ => {
                self.seen = Some((self.number, Instant::now()));
                None
            }
        }
    }
}

/// Keeps all calls from returning from now on: for a process that is about to end, so that their results are not used.
pub fn halt() {
    HALTED.store(true, Ordering::SeqCst);
}

/// Starts the watch: `expired` gets the name of a call that takes longer than the limit.
pub fn start(limit: Duration, expired: impl Fn(&str) + Send + 'static) {
    let (begun, begins) = mpsc::channel();
    thread::spawn(move || {
        let _ = begun.send(());
        loop {
            thread::sleep(limit.min(Duration::from_secs(1)) / 4);
            let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
            slots.retain(|slot| slot.strong_count() > 0);
            for slot in slots.iter().filter_map(Weak::upgrade) {
                let name = slot.lock().unwrap_or_else(PoisonError::into_inner).expired(limit);
                name.iter().for_each(|name| expired(name));
            }
        }
    });
    // While a library is loaded, threads may be unable to begin.
    let _ = begins.recv();
}
