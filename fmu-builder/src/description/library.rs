//! A component's shared library, asked to describe itself.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fmu_runtime::INTERFACE_VERSION;

use super::describe::{DescribeError, describe};
use super::types::Description;
use crate::error::Error;

/// What can turn a configuration into a description.
pub trait Describe {
    /// The description of the component in this configuration; an empty one means the defaults.
    fn describe(&self, configuration: &str) -> Result<Description, Error>;

    /// The description of a structure without what depends on what, which takes most of the time.
    fn outline(&self, structure: &str) -> Result<Description, Error> {
        self.describe(&format!("{structure}outline\n"))
    }
}

impl<F: Fn(&str) -> Result<Description, Error>> Describe for F {
    fn describe(&self, configuration: &str) -> Result<Description, Error> {
        self(configuration)
    }
}

/// Remembers the descriptions of structures, which all FMUs of a component ask for.
#[derive(Debug)]
pub struct Remembering<D> {
    inner: D,
    known: Mutex<BTreeMap<String, Description>>,
}

impl<D> Remembering<D> {
    /// Asks `inner` once for each structure.
    pub fn new(inner: D) -> Self {
        Self { inner, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Description>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Describe> Describe for Remembering<D> {
    fn describe(&self, configuration: &str) -> Result<Description, Error> {
        // There are few of these; with names and start values there is no end to them.
        if !configuration.lines().all(|line| line.starts_with("structure ") || line == "outline") {
            return self.inner.describe(configuration);
        }
        if let Some(description) = self.known().get(configuration) {
            return Ok(description.clone());
        }
        let description = self.inner.describe(configuration)?;
        self.known().insert(configuration.to_owned(), description.clone());
        Ok(description)
    }
}

/// A loaded component library.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    library: libloading::Library,
}

type DescribeCallback = extern "C" fn(*mut c_void, *const c_char, usize);
type DescribeFunction = unsafe extern "C" fn(u32, *const c_char, DescribeCallback, *mut c_void) -> c_int;

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

    fn function(&self) -> Result<DescribeFunction, Error> {
        // SAFETY: the symbol has this signature in every version of the interface; the version is
        // its first argument so that both sides can refuse. It is not used after the library.
        unsafe { self.library.get::<DescribeFunction>("mechanics_describe") }
            .map(|symbol| *symbol)
            .map_err(|_| self.fail("is no component library: it has no function mechanics_describe".to_owned()))
    }

    fn fail(&self, reason: String) -> Error {
        Error::Library { path: self.path.clone(), reason }
    }
}

/// What the library declares under a configuration, or why it refuses it.
fn ask(function: DescribeFunction, configuration: &str) -> Result<Vec<u8>, String> {
    let configuration =
        CString::new(configuration).map_err(|_| "the configuration contains a NUL character".to_owned())?;
    let mut answer = Vec::<u8>::new();
    // SAFETY: the configuration and the context outlive the call, and `collect` takes the context
    // for what it is.
    let code = unsafe { function(INTERFACE_VERSION, configuration.as_ptr(), collect, (&raw mut answer).cast()) };
    match code {
        0 => Ok(answer),
        _ if answer.is_empty() => Err(format!("mechanics_describe returned {code}")),
        _ => Err(String::from_utf8_lossy(&answer).into_owned()),
    }
}

impl Describe for Library {
    fn describe(&self, configuration: &str) -> Result<Description, Error> {
        let function = self.function()?;
        describe(|text| ask(function, text), configuration).map_err(|error| match error {
            DescribeError::Refused(reason) => Error::Refused(reason),
            DescribeError::Foreign(reason) => {
                self.fail(format!("its description does not suit this builder: {reason}"))
            }
        })
    }
}

extern "C" fn collect(context: *mut c_void, text: *const c_char, length: usize) {
    if text.is_null() || length == 0 {
        return;
    }
    // SAFETY: the context is the vector that `ask` passed, and the library passes `length`
    // readable bytes.
    let (buffer, bytes) =
        unsafe { (&mut *context.cast::<Vec<u8>>(), std::slice::from_raw_parts(text.cast::<u8>(), length)) };
    buffer.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_asked_for_once() {
        let count = std::cell::Cell::new(0);
        let library = Remembering::new(|configuration: &str| {
            count.set(count.get() + 1);
            crate::example::describe(configuration)
        });
        for (configuration, asked) in [("", 1), ("outline\n", 2), ("structure form stiff\n", 3), ("name A\n", 5)] {
            for _ in 0..2 {
                let expected = crate::example::describe(configuration).unwrap();
                assert_eq!(library.describe(configuration).unwrap(), expected);
            }
            assert_eq!(count.get(), asked, "{configuration}");
        }
    }

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
