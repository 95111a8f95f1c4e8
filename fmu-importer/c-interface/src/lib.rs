//! The C interface of a shared library, with Rust slices for C's arrays: below the importer, and for tests.
//!
//! All `unsafe` for calling the functions is in this crate. It relies on the library to keep to FMI: to write inside
//! the arrays handed over only, and to keep no pointer to them. Messages of a library are collected under the
//! environment given to the instance, a number that stands in the place of a pointer.

mod booleans;
mod counted;
mod fmi2;
pub mod fmi3;
mod format;
mod functions;
mod instance;
mod log;
mod methods;
mod numbers;
mod standard;
mod updates;
mod variables;
mod variadic;

use std::ffi::{CStr, c_char, c_int, c_void};
#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{hint, ptr};

pub use counted::COUNTED;
use fmi2::Callbacks;
pub use fmi2::Fmi2;
pub use fmi2::{BESIDE, CO_SIMULATION_ONLY, EventInfo, MODEL_EXCHANGE_ONLY, OTHERS, STATUS_FUNCTIONS};
pub use fmi3::Fmi3;
pub use functions::Status;
pub use instance::{CInstance, Dependency, FmuState};
pub use log::{Message, messages_to, react, react_no_more};
pub use methods::StepEnd;
pub use numbers::IntegerType;
use standard::Functions;
pub use standard::Standard;
pub use updates::{Update, at_updates, at_updates_no_more};
pub use variables::Variables;

/// `fmi2ModelExchange`
pub const MODEL_EXCHANGE: i32 = 0;
/// `fmi2CoSimulation`
pub const CO_SIMULATION: i32 = 1;

/// The arguments of `fmi2Instantiate` or of the functions that make instances of FMI 3.0.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Name of the instance.
    pub name: Option<&'a [u8]>,
    /// `fmi2Type`
    pub kind: i32,
    /// The GUID, or the instantiation token.
    pub guid: Option<&'a [u8]>,
    /// Location of the resources, in FMI 3.0 a path.
    pub location: Option<&'a [u8]>,
    /// True if there are callback functions at all.
    pub callbacks: bool,
    /// True if there is a logger among them.
    pub logger: bool,
    /// The environment; without it, the instance gets one of its own.
    pub environment: Option<usize>,
    /// `loggingOn`
    pub logging_on: bool,
    /// True if the callback functions stay as long as the instance, with functions for memory among them. Many
    /// libraries count on both; ours do not, as tests without it show.
    pub lasting: bool,
    /// `eventModeUsed` of FMI 3.0
    pub event_mode: bool,
    /// `earlyReturnAllowed` of FMI 3.0
    pub early_return: bool,
    /// `requiredIntermediateVariables` of FMI 3.0; without them there are no intermediate updates.
    pub updates: Option<&'a [u32]>,
}

impl<'a> Setup<'a> {
    /// Returns the arguments that an importer passes usually.
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
            event_mode: false,
            early_return: false,
            updates: None,
        }
    }
}

/// The functions for memory that libraries get, those of C.
#[cfg(not(target_family = "wasm"))]
mod memory {
    use std::ffi::c_void;

    unsafe extern "C" {
        fn calloc(count: usize, size: usize) -> *mut c_void;
        fn free(memory: *mut c_void);
    }

    pub const ALLOCATE: crate::fmi2::Allocate = Some(calloc);
    pub const FREE: crate::fmi2::Free = Some(free);
}
/// The functions for memory that libraries get: WebAssembly has none.
#[cfg(target_family = "wasm")]
mod memory {
    pub const ALLOCATE: crate::fmi2::Allocate = None;
    pub const FREE: crate::fmi2::Free = None;
}

/// A loaded library.
#[derive(Clone)]
pub struct Api(Functions);

impl Api {
    /// Loads a library and finds its functions of FMI 2.0.
    ///
    /// # Errors
    ///
    /// When it cannot be loaded, or lacks one of the functions that return no status. Any other may be absent:
    /// an FMU with one interface need not have those of the other. Calling it gives [`Status::Missing`].
    #[cfg(not(target_family = "wasm"))]
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        Self::load_as(path, Standard::Fmi2)
    }

    /// Loads a library and finds its functions of a standard.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    #[cfg(not(target_family = "wasm"))]
    pub fn load_as(path: &Path, standard: Standard) -> Result<Self, libloading::Error> {
        Functions::load(path, standard).map(Self)
    }

    /// Takes functions of a standard that are linked into the program, which `find` returns by their names.
    ///
    /// # Errors
    ///
    /// The name of a function that returns no status, if it is missing.
    ///
    /// # Safety
    ///
    /// They have the types that FMI gives them.
    pub unsafe fn linked(standard: Standard, find: fn(&str) -> Option<*const ()>) -> Result<Self, String> {
        Functions::linked(standard, find).map(Self)
    }

    /// Returns the standard whose functions are called.
    pub fn standard(&self) -> Standard {
        self.0.standard()
    }

    /// Returns the functions of FMI 2.0, for calls with any arguments.
    ///
    /// # Panics
    ///
    /// When the library was loaded for FMI 3.0.
    pub fn fmi2(&self) -> &Fmi2 {
        let Functions::Fmi2(functions) = &self.0 else { panic!("the functions are those of FMI 3.0") };
        functions
    }

    /// Returns the functions of FMI 3.0, for calls with any arguments.
    ///
    /// # Panics
    ///
    /// When the library was loaded for FMI 2.0.
    pub fn fmi3(&self) -> &Fmi3 {
        let Functions::Fmi3(functions) = &self.0 else { panic!("the functions are those of FMI 2.0") };
        functions
    }

    /// Returns the functions that the library does not have.
    pub fn missing(&self) -> &[&'static str] {
        self.0.missing()
    }

    /// Returns the functions beside those of FMI that the library has, as FMUs of this project do.
    pub fn beside(&self) -> &[&'static str] {
        self.0.beside()
    }

    /// `fmi2GetTypesPlatform`, empty for NULL; FMI 3.0 has none.
    pub fn types_platform(&self) -> &CStr {
        match &self.0 {
            // SAFETY: NULL, or a string that lives as long as the library.
            Functions::Fmi2(functions) => unsafe {
                let platform = (functions.fmi2GetTypesPlatform)();
                if platform.is_null() { c"" } else { CStr::from_ptr(platform) }
            },
            Functions::Fmi3(_) => c"",
        }
    }

    /// `fmi2GetVersion` or `fmi3GetVersion`; empty for NULL.
    pub fn version(&self) -> &CStr {
        self.0.version()
    }

    /// Makes an instance; the messages tell why there is none.
    pub fn instantiate(&self, setup: Setup<'_>) -> Result<CInstance, Vec<Message>> {
        static NEXT: AtomicUsize = AtomicUsize::new(0x1000);
        let environment = setup.environment.unwrap_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed));
        let c_string = |text: Option<&[u8]>| text.map(|text| [text, b"\0"].concat());
        let mut strings = [setup.name, setup.guid, setup.location].map(c_string);
        let texts =
            strings.each_ref().map(|string| string.as_ref().map_or(ptr::null(), |string| string.as_ptr().cast()));
        let (component, callbacks) = match &self.0 {
            Functions::Fmi2(functions) => made_2(functions, &setup, texts, environment),
            Functions::Fmi3(functions) => (made_3(functions, &setup, texts, environment), None),
        };
        // A library that kept a pointer to an argument now reads something else.
        strings.iter_mut().flatten().for_each(|string| string.fill(b'!'));
        hint::black_box(&strings);
        if component.is_null() {
            Err(messages_to(environment))
        } else {
            Ok(CInstance { api: self.clone(), component, environment, _callbacks: callbacks })
        }
    }

    /// Calls a status function with NULL for each pointer, 0 for each number and `count` for each count.
    pub fn call_with_nulls(&self, function: &str, fmi: Option<&CInstance>, count: usize) -> Status {
        self.0.call_with_nulls(function, fmi.map_or(ptr::null_mut(), |fmi| fmi.component), count).into()
    }

    /// `fmi2FreeInstance` or `fmi3FreeInstance` with NULL
    pub fn free_null(&self) {
        // SAFETY: FMI demands that NULL is ignored.
        unsafe { (self.0.free())(ptr::null_mut()) }
    }
}

type CText = *const c_char;

/// `fmi2Instantiate`; the texts are name, GUID and location. The callbacks are returned if they last.
fn made_2(
    functions: &Fmi2,
    setup: &Setup<'_>,
    [name, guid, location]: [CText; 3],
    environment: usize,
) -> (*mut c_void, Option<Box<Callbacks>>) {
    let mut callbacks = Box::new(Callbacks {
        logger: setup.logger.then(variadic::logger),
        allocate_memory: memory::ALLOCATE.filter(|_| setup.lasting),
        free_memory: memory::FREE.filter(|_| setup.lasting),
        step_finished: None,
        environment: ptr::without_provenance_mut(environment),
    });
    let given = if setup.callbacks { ptr::from_ref(callbacks.as_ref()) } else { ptr::null() };
    // SAFETY: NULL, or valid during the call.
    let component = unsafe {
        (functions.fmi2Instantiate)(name, setup.kind, guid, location, given, 0, c_int::from(setup.logging_on))
    };
    if !setup.lasting {
        // A library that kept a pointer to them will notice this.
        *callbacks = Callbacks { logger: None, environment: ptr::null_mut(), ..*callbacks };
    }
    hint::black_box(&callbacks);
    (component, setup.lasting.then_some(callbacks))
}

/// Makes an instance of FMI 3.0: for Model Exchange, Co-Simulation, or Scheduled Execution for any other kind.
fn made_3(functions: &Fmi3, setup: &Setup<'_>, [name, guid, location]: [CText; 3], environment: usize) -> *mut c_void {
    let environment = ptr::without_provenance_mut(environment);
    let logger: Option<fmi3::Logger> = (setup.callbacks && setup.logger).then_some(log::log_3);
    let logging_on = u8::from(setup.logging_on);
    let required = setup.updates.unwrap_or_default();
    // SAFETY: NULL, or valid during the call.
    unsafe {
        match setup.kind {
            MODEL_EXCHANGE => {
                (functions.fmi3InstantiateModelExchange)(name, guid, location, 0, logging_on, environment, logger)
            }
            CO_SIMULATION => (functions.fmi3InstantiateCoSimulation)(
                name,
                guid,
                location,
                0,
                logging_on,
                setup.event_mode.into(),
                setup.early_return.into(),
                required.as_ptr(),
                required.len(),
                environment,
                logger,
                setup.updates.map(|_| updates::update as fmi3::IntermediateUpdate),
            ),
            _ => (functions.fmi3InstantiateScheduledExecution)(
                name,
                guid,
                location,
                0,
                logging_on,
                environment,
                logger,
                ptr::null(),
                ptr::null(),
                ptr::null(),
            ),
        }
    }
}
