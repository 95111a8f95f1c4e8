//! Panics become messages that name file and line, except in libraries of `--small` and for WebAssembly.
//!
//! The hook belongs to this library's own copy of the standard library; the importer and other FMUs have theirs.

use std::any::Any;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::panic::PanicHookInfo;
use std::sync::Once;

thread_local! {
    /// File and line of the last panic. It has no destructor, which would keep the library from being unloaded.
    static LOCATION: Cell<ManuallyDrop<Option<String>>> = const { Cell::new(ManuallyDrop::new(None)) };
}

/// Remembers where panics occur in place of printing them.
pub fn watch() {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| std::panic::set_hook(Box::new(remember)));
}

fn remember(info: &PanicHookInfo<'_>) {
    if cfg!(any(fmu_small, target_family = "wasm")) {
        return;
    }
    drop(replace(info.location().map(|location| format!(" ({}:{})", location.file(), location.line()))));
}

fn replace(location: Option<String>) -> Option<String> {
    ManuallyDrop::into_inner(LOCATION.replace(ManuallyDrop::new(location)))
}

/// Returns the message of a panic that was caught on this thread.
pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown reason");
    format!("internal error, please report it: {text}{}", replace(None).unwrap_or_default())
}
