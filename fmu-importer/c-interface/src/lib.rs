//! The C interface of a shared library, with Rust slices for C's arrays: below the importer, and for tests.
//!
//! What is `unsafe` about calling the functions is in this crate. It relies on the library to keep to FMI 2.0: to write inside the
//! arrays handed over only, and to keep no pointer to them. What a library logs is collected under
//! the environment given to the instance, a number that stands in the place of a pointer.

mod functions;
mod log;
mod slave;

use std::ffi::{CStr, c_int, c_void};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{hint, mem, ptr};

pub use functions::{BESIDE, CO_SIMULATION_ONLY, EventInfo, MODEL_EXCHANGE_ONLY, OTHERS, STATUS_FUNCTIONS, Status};
use functions::{Callbacks, Functions, Plain, Variadic};
pub use log::{Message, messages_to, react, react_no_more};
pub use slave::{FmuState, Slave};

/// `fmi2ModelExchange`
pub const MODEL_EXCHANGE: i32 = 0;
/// `fmi2CoSimulation`
pub const CO_SIMULATION: i32 = 1;

/// The arguments of `fmi2Instantiate`.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Name of the instance.
    pub name: Option<&'a [u8]>,
    /// `fmi2Type`
    pub kind: i32,
    /// The GUID.
    pub guid: Option<&'a [u8]>,
    /// Location of the resources.
    pub location: Option<&'a [u8]>,
    /// Whether there are callback functions at all.
    pub callbacks: bool,
    /// Whether there is a logger among them.
    pub logger: bool,
    /// The environment; one of its own without it.
    pub environment: Option<usize>,
    /// `loggingOn`
    pub logging_on: bool,
    /// Whether the callback functions stay as long as the instance, with functions for memory among them. Many
    /// libraries count on both; ours do not, as tests find out without.
    pub lasting: bool,
}

impl<'a> Setup<'a> {
    /// What an importer passes usually.
    pub fn new(kind: i32, guid: &'a str) -> Self {
        let (name, guid) = (Some(b"instance".as_slice()), Some(guid.as_bytes()));
        Self {
            name,
            kind,
            guid,
            location: None,
            callbacks: true,
            logger: true,
            environment: None,
            logging_on: false,
            lasting: false,
        }
    }
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// A loaded library.
#[derive(Clone)]
pub struct Api(Arc<Functions>);

impl Api {
    /// Loads a library and finds its functions.
    ///
    /// # Errors
    ///
    /// When it cannot be loaded, or lacks one of the functions that return no status. Any other may be absent:
    /// an FMU with one interface need not have those of the other. Calling it gives [`Status::Missing`].
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the library of a component has no initialisers with requirements of their own.
        let library = unsafe { libloading::Library::new(path) }?;
        Functions::resolve(library).map(|functions| Self(Arc::new(functions)))
    }

    /// The functions that the library does not have.
    pub fn missing(&self) -> &[&'static str] {
        &self.0.missing
    }

    /// `fmi2GetTypesPlatform`
    pub fn types_platform(&self) -> &CStr {
        // SAFETY: a string that lives as long as the library.
        unsafe { CStr::from_ptr((self.0.fmi2GetTypesPlatform)()) }
    }

    /// `fmi2GetVersion`; empty for NULL.
    pub fn version(&self) -> &CStr {
        // SAFETY: NULL, or a string that lives as long as the library.
        unsafe {
            let version = (self.0.fmi2GetVersion)();
            if version.is_null() { c"" } else { CStr::from_ptr(version) }
        }
    }

    /// `fmi2Instantiate`; the messages tell why there is no instance.
    pub fn instantiate(&self, setup: Setup<'_>) -> Result<Slave, Vec<Message>> {
        static NEXT: AtomicUsize = AtomicUsize::new(0x1000);
        let environment = setup.environment.unwrap_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed));
        let c_string = |text: Option<&[u8]>| text.map(|text| [text, b"\0"].concat());
        let mut strings = [setup.name, setup.guid, setup.location].map(c_string);
        let [name, guid, location] =
            strings.each_ref().map(|string| string.as_ref().map_or(ptr::null(), |string| string.as_ptr().cast()));
        // SAFETY: definitions of variadic functions are not stable in Rust. On the ABIs in use a call of a variadic
        // function without further arguments passes the named ones just as for a plain function.
        let logger = unsafe { mem::transmute::<Plain, Variadic>(log::log) };
        let mut callbacks = Box::new(Callbacks {
            logger: setup.logger.then_some(logger),
            allocate_memory: setup.lasting.then_some(calloc),
            free_memory: setup.lasting.then_some(free),
            step_finished: None,
            environment: ptr::without_provenance_mut(environment),
        });
        let functions = if setup.callbacks { ptr::from_ref(callbacks.as_ref()) } else { ptr::null() };
        // SAFETY: NULL, or valid during the call.
        let component = unsafe {
            (self.0.fmi2Instantiate)(name, setup.kind, guid, location, functions, 0, c_int::from(setup.logging_on))
        };
        // Who kept a pointer to an argument will notice.
        strings.iter_mut().flatten().for_each(|string| string.fill(b'!'));
        if !setup.lasting {
            *callbacks = Callbacks { logger: None, environment: ptr::null_mut(), ..*callbacks };
        }
        hint::black_box((&strings, &callbacks));
        if component.is_null() {
            Err(messages_to(environment))
        } else {
            let callbacks = setup.lasting.then_some(callbacks);
            Ok(Slave { api: self.clone(), component, environment, _callbacks: callbacks })
        }
    }

    /// Calls a status function with NULL for each pointer, 0 for each number and `count` for each count.
    pub fn call_with_nulls(&self, function: &str, slave: Option<&Slave>, count: usize) -> Status {
        self.0.call_with_nulls(function, slave.map_or(ptr::null_mut(), |slave| slave.component), count).into()
    }

    /// `fmi2FreeInstance` with NULL
    pub fn free_null(&self) {
        // SAFETY: FMI demands that NULL is ignored.
        unsafe { (self.0.fmi2FreeInstance)(ptr::null_mut()) }
    }
}
