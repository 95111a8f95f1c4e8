//! How the C library keeps memory.

/// Lets the process keep memory that it has freed: arrays of large tables are made and freed many times, and to get their
/// pages from the system each time takes a third of the time of a build.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep() {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;
    // The largest threshold that the library takes.
    for (parameter, bytes) in [(M_TRIM_THRESHOLD, 1 << 30), (M_MMAP_THRESHOLD, 32 << 20)] {
        // SAFETY: the function may be called at any time; a value that it refuses changes nothing.
        unsafe { mallopt(parameter, bytes) };
    }
}

/// Does nothing: only the library of GNU asks the system so often.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep() {}
