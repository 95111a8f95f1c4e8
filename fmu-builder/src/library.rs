//! A component's shared library, asked to describe itself.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

use fmu_runtime::description::{Description, INTERFACE_VERSION};

use crate::Error;

/// What can turn a configuration into a description.
pub trait Describe {
    /// The description of the component in this configuration; an empty one means the defaults.
    fn describe(&self, configuration: &str) -> Result<Description, Error>;
}

impl<F: Fn(&str) -> Result<Description, Error>> Describe for F {
    fn describe(&self, configuration: &str) -> Result<Description, Error> {
        self(configuration)
    }
}

/// A loaded component library.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    library: libloading::Library,
}

type Sink = extern "C" fn(*mut c_void, *const c_char, usize);
type DescribeFunction = unsafe extern "C" fn(u32, *const c_char, Sink, *mut c_void) -> c_int;

impl Library {
    /// Loads a library built for this computer, which runs its initialisers.
    pub fn load(path: &Path) -> Result<Library, Error> {
        // A bare file name would be looked for in the system's folders.
        let path = fs_err::canonicalize(path)?;
        // SAFETY: a component library has no initialisers with requirements of their own.
        let library = unsafe { libloading::Library::new(&path) }
            .map_err(|error| Error::Library { reason: format!("cannot be loaded: {error}"), path: path.clone() })?;
        Ok(Library { path, library })
    }

    /// The description of the component in this configuration; an empty one means the defaults.
    pub fn describe(&self, configuration: &str) -> Result<Description, Error> {
        let fail = |reason: String| Error::Library { path: self.path.clone(), reason };
        // SAFETY: the symbol has this signature in every version of the interface; the version is
        // its first argument so that both sides can refuse.
        let function = unsafe { self.library.get::<DescribeFunction>("mechanics_describe") }
            .map_err(|_| fail("is no component library: it has no function mechanics_describe".to_owned()))?;
        let configuration =
            CString::new(configuration).map_err(|_| fail("the configuration contains a NUL character".to_owned()))?;
        let mut answer = Vec::<u8>::new();
        // SAFETY: the configuration and the context outlive the call, and `collect` takes the
        // context for what it is.
        let code = unsafe { function(INTERFACE_VERSION, configuration.as_ptr(), collect, (&raw mut answer).cast()) };
        if code != 0 {
            let reason = String::from_utf8_lossy(&answer).into_owned();
            return Err(Error::Refused(if reason.is_empty() { format!("mechanics_describe returned {code}") } else { reason }));
        }
        postcard::from_bytes(&answer)
            .map_err(|error| fail(format!("its description does not suit this builder: {error}")))
    }
}

impl Describe for Library {
    fn describe(&self, configuration: &str) -> Result<Description, Error> {
        Library::describe(self, configuration)
    }
}

extern "C" fn collect(context: *mut c_void, text: *const c_char, length: usize) {
    if text.is_null() || length == 0 {
        return;
    }
    // SAFETY: the context is the vector that `describe` passed, and the library passes `length`
    // readable bytes.
    let (buffer, bytes) =
        unsafe { (&mut *context.cast::<Vec<u8>>(), std::slice::from_raw_parts(text.cast::<u8>(), length)) };
    buffer.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named() {
        let message = Library::load(Path::new("/nowhere/libspring.so")).unwrap_err().to_string();
        assert!(message.contains("/nowhere/libspring.so"), "{message}");
    }

    #[test]
    fn a_file_that_is_no_library_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libspring.so");
        fs_err::write(&path, "no library").unwrap();
        let message = Library::load(&path).unwrap_err().to_string();
        assert!(message.contains("libspring.so: cannot be loaded: "), "{message}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_library_of_another_kind_is_refused() {
        let maps = fs_err::read_to_string("/proc/self/maps").unwrap();
        let libc = maps.split_whitespace().find(|word| word.contains("/libc.so")).unwrap();
        let message = Library::load(Path::new(libc)).unwrap().describe("").unwrap_err().to_string();
        assert!(message.ends_with(": is no component library: it has no function mechanics_describe"), "{message}");
    }
}
