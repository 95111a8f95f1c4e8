//! The standards, and the functions of a library for one of them.

use std::ffi::{CStr, c_char, c_int, c_void};
#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::Arc;

use crate::{fmi2, fmi3};

/// The version of the standard whose functions are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// FMI 2.0
    Fmi2,
    /// FMI 3.0
    Fmi3,
}

impl Standard {
    /// Returns the functions that take an instance and return a status, also those beside FMI's.
    pub fn status_functions(self) -> impl Iterator<Item = &'static str> {
        let (functions, beside) = match self {
            Self::Fmi2 => (fmi2::STATUS_FUNCTIONS, fmi2::BESIDE),
            Self::Fmi3 => (fmi3::STATUS_FUNCTIONS, fmi3::BESIDE),
        };
        functions.iter().chain(beside).copied()
    }
}

/// The functions of a library.
#[derive(Clone)]
pub(crate) enum Functions {
    Fmi2(Arc<fmi2::Fmi2>),
    Fmi3(Arc<fmi3::Fmi3>),
}

/// The library that functions lie in; none if they are linked into the program.
#[cfg(not(target_family = "wasm"))]
pub(crate) type Library = Option<Arc<libloading::Library>>;
/// The library that functions lie in: WebAssembly loads none.
#[cfg(target_family = "wasm")]
pub(crate) type Library = ();

impl Functions {
    #[cfg(not(target_family = "wasm"))]
    pub fn load(path: &Path, standard: Standard) -> Result<Self, libloading::Error> {
        // SAFETY: the library of a component has no initialisers with requirements of their own.
        let library = Arc::new(unsafe { libloading::Library::new(path) }?);
        // SAFETY: the address of a function may be read as a pointer.
        let find = |name: &str| unsafe { library.get::<*const ()>(name) }.map(|function| *function);
        Self::find(Some(library.clone()), standard, find)
    }

    /// Returns the functions that a function finds by their names; the error is the name of one that there must be.
    pub fn linked(standard: Standard, find: fn(&str) -> Option<*const ()>) -> Result<Self, String> {
        Self::find(Library::default(), standard, |name| find(name).ok_or_else(|| name.to_owned()))
    }

    fn find<E>(library: Library, standard: Standard, find: impl Fn(&str) -> Result<*const (), E>) -> Result<Self, E> {
        Ok(match standard {
            Standard::Fmi2 => Self::Fmi2(fmi2::Fmi2::resolve(library, find)?.into()),
            Standard::Fmi3 => Self::Fmi3(fmi3::Fmi3::resolve(library, find)?.into()),
        })
    }

    pub fn standard(&self) -> Standard {
        match self {
            Self::Fmi2(_) => Standard::Fmi2,
            Self::Fmi3(_) => Standard::Fmi3,
        }
    }

    pub fn missing(&self) -> &[&'static str] {
        match self {
            Self::Fmi2(functions) => &functions.missing,
            Self::Fmi3(functions) => &functions.missing,
        }
    }

    pub fn beside(&self) -> &[&'static str] {
        match self {
            Self::Fmi2(functions) => &functions.beside,
            Self::Fmi3(functions) => &functions.beside,
        }
    }

    /// Returns the version that the library tells; empty for NULL.
    pub fn version(&self) -> &CStr {
        let version: unsafe extern "C" fn() -> *const c_char = match self {
            Self::Fmi2(functions) => functions.fmi2GetVersion,
            Self::Fmi3(functions) => functions.fmi3GetVersion,
        };
        // SAFETY: NULL, or a string that lives as long as the library.
        unsafe {
            let version = version();
            if version.is_null() { c"" } else { CStr::from_ptr(version) }
        }
    }

    /// Returns the function that frees an instance.
    pub fn free(&self) -> unsafe extern "C" fn(*mut c_void) {
        match self {
            Self::Fmi2(functions) => functions.fmi2FreeInstance,
            Self::Fmi3(functions) => functions.fmi3FreeInstance,
        }
    }

    pub fn call_with_nulls(&self, function: &str, component: *mut c_void, count: usize) -> c_int {
        match self {
            Self::Fmi2(functions) => functions.call_with_nulls(function, component, count),
            Self::Fmi3(functions) => functions.call_with_nulls(function, component, count),
        }
    }
}
