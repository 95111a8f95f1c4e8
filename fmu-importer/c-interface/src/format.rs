//! Formats of `printf` with their arguments.

use std::ffi::{CStr, c_void};
#[cfg(not(target_family = "wasm"))]
use std::ffi::{c_char, c_int};

/// Length of the longest message in bytes.
#[cfg(not(target_family = "wasm"))]
pub(crate) const MAX_LENGTH: usize = 16 << 10;

/// Returns nothing: in WebAssembly arguments are not found.
///
/// # Safety
///
/// There is nothing to keep to.
#[cfg(target_family = "wasm")]
pub(crate) unsafe fn formatted(_: &CStr, _: *mut c_void) -> Option<String> {
    None
}

/// Formats arguments as text; returns nothing where it cannot be done, or would write elsewhere than into the text.
///
/// # Safety
///
/// The format ends with a zero; the arguments are NULL or a `va_list` with what the format asks for.
#[cfg(not(target_family = "wasm"))]
pub(crate) unsafe fn formatted(format: &CStr, arguments: *mut c_void) -> Option<String> {
    #[cfg_attr(all(windows, target_env = "msvc"), link(name = "legacy_stdio_definitions"))]
    unsafe extern "C" {
        // A `va_list` is a pointer on each of the platforms, or is passed as one.
        fn vsnprintf(buffer: *mut c_char, size: usize, format: *const c_char, arguments: *mut c_void) -> c_int;
    }
    if arguments.is_null() || writes_count(format.to_bytes()) {
        return None;
    }
    let mut buffer = vec![0_u8; MAX_LENGTH];
    // SAFETY: as for this function; the buffer has the length that is given.
    let length = unsafe { vsnprintf(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr(), arguments) };
    let text = CStr::from_bytes_until_nul(&buffer).ok().filter(|_| length >= 0)?;
    Some(text.to_string_lossy().into_owned())
}

/// Returns true if a format has a `%n`, which writes through a pointer.
#[cfg(not(target_family = "wasm"))]
fn writes_count(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.any(|byte| *byte == b'%') {
        // Flags, width, precision and length come before the letter.
        if rest.find(|byte| byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(byte) || **byte == b'%') == Some(&b'n') {
            return true;
        }
    }
    false
}
