//! A function that the importer passes to an FMU, such as its logger.

use std::ffi::c_void;

/// A function of the importer with its environment.
pub(super) struct Callback<F> {
    pub function: F,
    pub environment: *mut c_void,
}

// SAFETY: FMI lets successive calls come from different threads; the environment is only handed
// back to the importer, on the thread of its own call.
unsafe impl<F> Send for Callback<F> {}
// SAFETY: as above; the calls of one instance never overlap.
unsafe impl<F> Sync for Callback<F> {}
