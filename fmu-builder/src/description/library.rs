//! A component's shared library and its description.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::path::PathBuf;
use std::ptr::null;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fmu_exchange::{DeclarationRequest, Detail, INTERFACE_VERSION};

use super::describe::{DescribeError, describe};
use super::types::Description;
use crate::error::Error;

/// A source of descriptions for configurations.
pub trait Describe {
    /// Returns the description of the component in this configuration.
    fn describe(&self, request: DeclarationRequest<'_>) -> Result<Description, Error>;

    /// Returns the description of a structure with the defaults, without dependencies.
    fn outline(&self, structure: &str) -> Result<Arc<Description>, Error> {
        self.describe(DeclarationRequest { configuration: structure, resources: None, detail: Detail::Outline })
            .map(Arc::new)
    }
}

impl<F: Fn(DeclarationRequest<'_>) -> Result<Description, Error>> Describe for F {
    fn describe(&self, request: DeclarationRequest<'_>) -> Result<Description, Error> {
        self(request)
    }
}

/// A library with cached outlines, since all FMUs of a component need the same ones.
#[derive(Debug)]
pub struct Cached<D> {
    inner: D,
    known: Mutex<BTreeMap<String, Arc<Description>>>,
}

impl<D> Cached<D> {
    /// Makes a source that asks `inner` once for each outline.
    pub fn new(inner: D) -> Self {
        Self { inner, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Description>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Describe> Describe for Cached<D> {
    fn describe(&self, request: DeclarationRequest<'_>) -> Result<Description, Error> {
        self.inner.describe(request)
    }

    // There are only a few of these, unlike complete configurations.
    fn outline(&self, structure: &str) -> Result<Arc<Description>, Error> {
        if let Some(description) = self.known().get(structure) {
            return Ok(description.clone());
        }
        let description = self.inner.outline(structure)?;
        self.known().insert(structure.to_owned(), description.clone());
        Ok(description)
    }
}

/// A component library: loaded, or linked into this program.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    declare: Option<DeclareFunction>,
    /// Dropped after its functions.
    #[cfg(not(target_family = "wasm"))]
    _loaded: Option<libloading::Library>,
}

/// Receives the result of `mechanics_declare`.
pub type DescribeCallback = unsafe extern "C" fn(*mut c_void, *const c_char, usize);
/// `mechanics_declare`
pub type DeclareFunction =
    unsafe extern "C" fn(u32, *const c_char, Option<DescribeCallback>, *mut c_void, *const c_char, c_int) -> c_int;

impl Library {
    /// Takes a component that is linked into this program; messages give it this name.
    ///
    /// # Safety
    ///
    /// The function is one that `fmu-runtime` makes.
    pub unsafe fn linked(name: &str, declare: DeclareFunction) -> Library {
        Library {
            path: name.into(),
            declare: Some(declare),
            #[cfg(not(target_family = "wasm"))]
            _loaded: None,
        }
    }

    /// Loads a library built for this computer, which runs its initialisers.
    #[cfg(not(target_family = "wasm"))]
    pub fn load(path: &Path) -> Result<Library, Error> {
        // A bare file name would be looked for in the system's folders.
        let path = fs_err::canonicalize(path)?;
        // SAFETY: a component library has no initialisers with special requirements.
        let library = unsafe { libloading::Library::new(&path) }
            .map_err(|error| Error::Library { reason: load_failure(&error), path: path.clone() })?;
        // SAFETY: the symbol has this signature in every version of the interface; the version is
        // its first argument so that both sides can reject it. It is not used after the library.
        let declare = unsafe { library.get::<DeclareFunction>("mechanics_declare") }.map(|symbol| *symbol).ok();
        Ok(Library { path, declare, _loaded: Some(library) })
    }

    fn function(&self) -> Result<DeclareFunction, Error> {
        let missing = || self.fail("is not a component library: it has no function mechanics_declare".to_owned());
        self.declare.ok_or_else(missing)
    }

    fn fail(&self, reason: String) -> Error {
        Error::Library { path: self.path.clone(), reason }
    }
}

/// Returns the reason why a library cannot be loaded, with a remedy where the system loads none from the folder for
/// temporary files.
pub fn load_failure(error: &dyn std::error::Error) -> String {
    let mut reason = format!("cannot be loaded: {error}");
    let mut source = error.source();
    while let Some(cause) = source {
        reason += &format!(": {cause}");
        source = cause.source();
    }
    if reason.contains("failed to map segment from shared object") {
        reason += "; the folder for temporary files is probably mounted with `noexec`: set TMPDIR to one that is not";
    }
    reason
}

/// Returns the declaration of the library with a configuration, or the reason why it is rejected.
fn ask(function: DeclareFunction, request: DeclarationRequest<'_>) -> Result<Vec<u8>, String> {
    let text = |text: &str| CString::new(text).map_err(|_| "the configuration contains a NUL character".to_owned());
    let configuration = text(request.configuration)?;
    let resources = request.resources.map(text).transpose()?;
    let resources = resources.as_ref().map_or(null(), |folder| folder.as_ptr());
    let mut answer = Vec::<u8>::new();
    let context = (&raw mut answer).cast();
    let detail = request.detail as c_int;
    // SAFETY: the texts and the context outlive the call, and `collect` uses the context with its real type.
    let code =
        unsafe { function(INTERFACE_VERSION, configuration.as_ptr(), Some(collect), context, resources, detail) };
    match code {
        0 => Ok(answer),
        _ if answer.is_empty() => Err(format!("mechanics_declare returned {code}")),
        _ => Err(String::from_utf8_lossy(&answer).into_owned()),
    }
}

impl Describe for Library {
    fn describe(&self, request: DeclarationRequest<'_>) -> Result<Description, Error> {
        let function = self.function()?;
        describe(|request| ask(function, request), request).map_err(|error| match error {
            DescribeError::Refused(reason) => Error::Refused(reason),
            DescribeError::Incompatible(reason) => {
                self.fail(format!("its description is incompatible with this builder: {reason}"))
            }
        })
    }
}

unsafe extern "C" fn collect(context: *mut c_void, text: *const c_char, length: usize) {
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
        let library = Cached::new(|request: DeclarationRequest<'_>| {
            count.set(count.get() + 1);
            crate::example::describe(request)
        });
        for (structure, asked) in [("", 1), ("structure form stiff\n", 2)] {
            for _ in 0..2 {
                let request = DeclarationRequest { configuration: structure, resources: None, detail: Detail::Outline };
                assert_eq!(*library.outline(structure).unwrap(), crate::example::describe(request).unwrap());
            }
            assert_eq!(count.get(), asked, "{structure}");
        }
        for asked in [3, 4] {
            library.describe(DeclarationRequest::new("")).unwrap();
            assert_eq!(count.get(), asked);
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
        let message = Library::load(Path::new(libc)).unwrap().outline("").unwrap_err().to_string();
        assert!(message.ends_with(": is not a component library: it has no function mechanics_declare"), "{message}");
    }
}
