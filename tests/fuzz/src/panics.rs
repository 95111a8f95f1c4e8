//! Distinguishes panics that are caught on purpose from findings.

use std::sync::Once;

use crate::components::{is_told, prepared};
use crate::instance::{Instance, Kind};

/// Lets panics unwind: the fuzzer would end at each of them, also where the library catches it, and an instance makes
/// them silent. A panic of a check ends the fuzzer where it leaves the target.
pub(crate) fn unwind() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The first instance replaces the process's panic hook.
        drop(Instance::new(prepared(0), Kind::from(0), true));
        std::panic::set_hook(Box::new(|panic| {
            if !is_told(panic.payload()) {
                eprintln!("{panic}");
            }
        }));
    });
}
