//! Distinguishes panics that are caught on purpose from findings.

use std::any::Any;
use std::sync::Once;

/// Whether the sample was told to panic.
pub(crate) fn is_told(payload: &dyn Any) -> bool {
    payload.downcast_ref::<&str>().is_some_and(|text| text.starts_with("trouble is panic"))
}

/// Lets panics unwind: the fuzzer would end at each of them, also where the library catches it, and an instance makes
/// them silent. A panic of a check ends the fuzzer where it leaves the target.
pub(crate) fn unwind() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        crate::components::silence();
        std::panic::set_hook(Box::new(|panic| {
            if !is_told(panic.payload()) {
                eprintln!("{panic}");
            }
        }));
    });
}
