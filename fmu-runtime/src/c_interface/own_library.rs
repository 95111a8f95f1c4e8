//! The path of this library.

#[cfg(not(target_family = "wasm"))]
use std::ffi::{c_int, c_void};
use std::path::PathBuf;
#[cfg(not(target_family = "wasm"))]
use std::ptr;

/// Returns the path of the library that this code is in.
#[cfg(unix)]
pub fn own_library() -> Option<PathBuf> {
    use std::ffi::{CStr, c_char};
    use std::os::unix::ffi::OsStrExt;

    #[repr(C)]
    struct DlInfo {
        file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }
    unsafe extern "C" {
        fn dladdr(address: *const c_void, info: *mut DlInfo) -> c_int;
    }
    let mut info = DlInfo { file: ptr::null(), base: ptr::null_mut(), symbol: ptr::null(), address: ptr::null_mut() };
    // SAFETY: dladdr fills in the structure for the address of a function; the name of a loaded library ends with a zero.
    let file = unsafe {
        if dladdr(own_library as *const c_void, &mut info) == 0 || info.file.is_null() {
            return None;
        }
        CStr::from_ptr(info.file)
    };
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(file.to_bytes())))
}

/// Returns the path of the library that this code is in.
#[cfg(windows)]
pub fn own_library() -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;

    const FROM_ADDRESS_UNCHANGED_COUNT: u32 = 4 | 2;
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> c_int;
        fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, size: u32) -> u32;
    }
    let mut module = ptr::null_mut();
    let mut name = vec![0_u16; 32_768];
    // SAFETY: fills in the handle of the module that contains the address of a function, then its name; the buffer has the
    // size given, the longest that a path can have.
    let length = unsafe {
        if GetModuleHandleExW(FROM_ADDRESS_UNCHANGED_COUNT, own_library as *const c_void, &mut module) == 0 {
            return None;
        }
        GetModuleFileNameW(module, name.as_mut_ptr(), name.len() as u32) as usize
    };
    (length > 0).then(|| PathBuf::from(std::ffi::OsString::from_wide(&name[..length])))
}

/// Returns none: a module of WebAssembly has no path.
#[cfg(target_family = "wasm")]
pub fn own_library() -> Option<PathBuf> {
    None
}
