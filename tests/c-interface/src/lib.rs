//! The C interface of a shared library, with Rust slices for C's arrays.
//!
//! All `unsafe` is in this file. It relies on the library to keep to FMI 2.0: to write inside the
//! arrays handed over only, and to keep no pointer to them. What a library logs is collected under
//! the environment given to the instance, a number that stands in the place of a pointer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{hint, mem, ptr};

/// `fmi2ModelExchange`
pub const MODEL_EXCHANGE: i32 = 0;
/// `fmi2CoSimulation`
pub const CO_SIMULATION: i32 = 1;

/// `fmi2Status`
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    Warning,
    Discard,
    Error,
    Fatal,
    Pending,
}

impl From<c_int> for Status {
    fn from(status: c_int) -> Self {
        let all = [Self::Ok, Self::Warning, Self::Discard, Self::Error, Self::Fatal, Self::Pending];
        all[usize::try_from(status).expect("a status is not negative")]
    }
}

/// `fmi2EventInfo`
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventInfo {
    pub new_discrete_states_needed: c_int,
    pub terminate_simulation: c_int,
    pub nominals_of_continuous_states_changed: c_int,
    pub values_of_continuous_states_changed: c_int,
    pub next_event_time_defined: c_int,
    pub next_event_time: f64,
}

/// `fmi2CallbackFunctions`
#[repr(C)]
struct Callbacks {
    logger: Option<Variadic>,
    allocate_memory: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    free_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    environment: *mut c_void,
}

type Variadic = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
type Plain = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);

/// An argument that says nothing: NULL, zero, or a count of its own.
trait Null {
    fn null(count: usize) -> Self;
}

impl<T> Null for *const T {
    fn null(_: usize) -> Self {
        ptr::null()
    }
}

impl<T> Null for *mut T {
    fn null(_: usize) -> Self {
        ptr::null_mut()
    }
}

impl Null for usize {
    fn null(count: usize) -> Self {
        count
    }
}

impl Null for c_int {
    fn null(_: usize) -> Self {
        0
    }
}

impl Null for f64 {
    fn null(_: usize) -> Self {
        0.0
    }
}

macro_rules! functions {
    (
        others { $($other:ident($($other_type:ty),*) $(-> $result:ty)?;)* }
        status { $($name:ident($($type:ty),*);)* }
    ) => {
        #[allow(non_snake_case)]
        struct Functions {
            $($other: unsafe extern "C" fn($($other_type),*) $(-> $result)?,)*
            $($name: unsafe extern "C" fn(*mut c_void $(, $type)*) -> c_int,)*
            // Dropped after the functions, which are in it.
            _library: libloading::Library,
        }

        /// The functions that return no status.
        pub const OTHERS: &[&str] = &[$(stringify!($other)),*];
        /// The functions that take an instance and return a status.
        pub const STATUS_FUNCTIONS: &[&str] = &[$(stringify!($name)),*];

        impl Functions {
            fn resolve(library: libloading::Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of the headers of FMI 2.0.
                unsafe {
                    Ok(Self {
                        $($other: *library.get(stringify!($other))?,)*
                        $($name: *library.get(stringify!($name))?,)*
                        _library: library,
                    })
                }
            }

            fn call_with_nulls(&self, function: &str, component: *mut c_void, count: usize) -> c_int {
                // SAFETY: FMI lets an importer pass NULL; it must be refused and not be followed.
                unsafe {
                    match function {
                        $(stringify!($name) => (self.$name)(component $(, <$type>::null(count))*),)*
                        _ => panic!("{function} is no function that returns a status"),
                    }
                }
            }
        }
    };
}

functions! {
    others {
        fmi2GetTypesPlatform() -> *const c_char;
        fmi2GetVersion() -> *const c_char;
        fmi2Instantiate(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> *mut c_void;
        fmi2FreeInstance(*mut c_void);
    }
    status {
        fmi2SetDebugLogging(c_int, usize, *const *const c_char);
        fmi2SetupExperiment(c_int, f64, f64, c_int, f64);
        fmi2EnterInitializationMode();
        fmi2ExitInitializationMode();
        fmi2Terminate();
        fmi2Reset();
        fmi2GetReal(*const c_uint, usize, *mut f64);
        fmi2GetInteger(*const c_uint, usize, *mut c_int);
        fmi2GetBoolean(*const c_uint, usize, *mut c_int);
        fmi2GetString(*const c_uint, usize, *mut *const c_char);
        fmi2SetReal(*const c_uint, usize, *const f64);
        fmi2SetInteger(*const c_uint, usize, *const c_int);
        fmi2SetBoolean(*const c_uint, usize, *const c_int);
        fmi2SetString(*const c_uint, usize, *const *const c_char);
        fmi2GetFMUstate(*mut *mut c_void);
        fmi2SetFMUstate(*mut c_void);
        fmi2FreeFMUstate(*mut *mut c_void);
        fmi2SerializedFMUstateSize(*mut c_void, *mut usize);
        fmi2SerializeFMUstate(*mut c_void, *mut c_char, usize);
        fmi2DeSerializeFMUstate(*const c_char, usize, *mut *mut c_void);
        fmi2GetDirectionalDerivative(*const c_uint, usize, *const c_uint, usize, *const f64, *mut f64);
        fmi2SetRealInputDerivatives(*const c_uint, usize, *const c_int, *const f64);
        fmi2GetRealOutputDerivatives(*const c_uint, usize, *const c_int, *mut f64);
        fmi2DoStep(f64, f64, c_int);
        fmi2CancelStep();
        fmi2GetStatus(c_int, *mut c_int);
        fmi2GetRealStatus(c_int, *mut f64);
        fmi2GetIntegerStatus(c_int, *mut c_int);
        fmi2GetBooleanStatus(c_int, *mut c_int);
        fmi2GetStringStatus(c_int, *mut *const c_char);
        fmi2EnterEventMode();
        fmi2NewDiscreteStates(*mut EventInfo);
        fmi2EnterContinuousTimeMode();
        fmi2CompletedIntegratorStep(c_int, *mut c_int, *mut c_int);
        fmi2SetTime(f64);
        fmi2SetContinuousStates(*const f64, usize);
        fmi2GetDerivatives(*mut f64, usize);
        fmi2GetEventIndicators(*mut f64, usize);
        fmi2GetContinuousStates(*mut f64, usize);
        fmi2GetNominalsOfContinuousStates(*mut f64, usize);
    }
}

/// What a library told the logger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Name of the instance.
    pub name: String,
    /// Where the library keeps that name.
    pub name_address: usize,
    /// The status.
    pub status: Status,
    /// The category, if it was not NULL.
    pub category: Option<String>,
    /// The message, a format of printf.
    pub text: String,
    /// Number of bytes of the message.
    pub length: usize,
}

static MESSAGES: Mutex<BTreeMap<usize, Vec<Message>>> = Mutex::new(BTreeMap::new());

/// Takes the messages that came with an environment.
pub fn messages_to(environment: usize) -> Vec<Message> {
    MESSAGES.lock().unwrap_or_else(PoisonError::into_inner).remove(&environment).unwrap_or_default()
}

unsafe extern "C" fn log(
    environment: *mut c_void,
    name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the library passes NULL or strings that end with a zero.
    let text = |pointer: *const c_char| (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) });
    let lossy = |text: Option<&CStr>| text.map(|text| text.to_string_lossy().into_owned());
    let message = Message {
        name: lossy(text(name)).unwrap_or_default(),
        name_address: name as usize,
        status: status.into(),
        category: lossy(text(category)),
        text: lossy(text(message)).unwrap_or_default(),
        length: text(message).map_or(0, CStr::count_bytes),
    };
    let mut messages = MESSAGES.lock().unwrap_or_else(PoisonError::into_inner);
    messages.entry(environment as usize).or_default().push(message.clone());
    drop(messages);
    let reaction = REACTION.with_borrow(Clone::clone);
    if let Some(reaction) = reaction {
        reaction(&message);
    }
}

type Reaction = Rc<dyn Fn(&Message)>;

thread_local! {
    static REACTION: RefCell<Option<Reaction>> = const { RefCell::new(None) };
}

/// Lets the logger do something with each message on this thread, while the library waits for it.
pub fn react(reaction: impl Fn(&Message) + 'static) {
    REACTION.set(Some(Rc::new(reaction)));
}

/// Lets the logger only collect again.
pub fn react_no_more() {
    REACTION.set(None);
}

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
}

impl<'a> Setup<'a> {
    /// What an importer passes usually.
    pub fn new(kind: i32, guid: &'a str) -> Self {
        let (name, guid) = (Some(b"instance".as_slice()), Some(guid.as_bytes()));
        Self { name, kind, guid, location: None, callbacks: true, logger: true, environment: None, logging_on: false }
    }
}

/// A loaded library.
#[derive(Clone)]
pub struct Api(Arc<Functions>);

impl Api {
    /// Loads a library and finds its 44 functions.
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the library of a component has no initialisers with requirements of their own.
        let library = unsafe { libloading::Library::new(path) }?;
        Functions::resolve(library).map(|functions| Self(Arc::new(functions)))
    }

    /// `fmi2GetTypesPlatform`
    pub fn types_platform(&self) -> &CStr {
        // SAFETY: a string that lives as long as the library.
        unsafe { CStr::from_ptr((self.0.fmi2GetTypesPlatform)()) }
    }

    /// `fmi2GetVersion`
    pub fn version(&self) -> &CStr {
        // SAFETY: a string that lives as long as the library.
        unsafe { CStr::from_ptr((self.0.fmi2GetVersion)()) }
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
        let logger = unsafe { mem::transmute::<Plain, Variadic>(log) };
        let mut callbacks = Box::new(Callbacks {
            logger: setup.logger.then_some(logger),
            allocate_memory: None,
            free_memory: None,
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
        *callbacks = Callbacks { logger: None, environment: ptr::null_mut(), ..*callbacks };
        hint::black_box((&strings, &callbacks));
        if component.is_null() {
            Err(messages_to(environment))
        } else {
            Ok(Slave { api: self.clone(), component, environment })
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

/// Handle of an FMU state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuState(*mut c_void);

impl FmuState {
    /// No state.
    pub const NULL: Self = Self(ptr::null_mut());

    /// A handle that no library gave.
    pub fn invented(address: usize) -> Self {
        Self(ptr::without_provenance_mut(address))
    }
}

/// An instance, freed when it is dropped.
pub struct Slave {
    api: Api,
    component: *mut c_void,
    environment: usize,
}

// SAFETY: FMI lets successive calls on an instance come from different threads.
unsafe impl Send for Slave {}

impl Drop for Slave {
    fn drop(&mut self) {
        // SAFETY: it comes from `fmi2Instantiate` and is freed once.
        unsafe { (self.api.0.fmi2FreeInstance)(self.component) };
        messages_to(self.environment);
    }
}

/// Methods of [`Slave`] that call a function with pointers to its arguments.
macro_rules! methods {
    ($(
        $method:ident($($argument:ident: $type:ty),*) $($result:ident: $result_type:ty = $start:expr)?,
        $function:ident($($value:expr),*);
    )*) => {
        impl Slave {$(
            #[doc = concat!("`", stringify!($function), "`")]
            #[allow(clippy::wrong_self_convention)]
            pub fn $method(&self $(, $argument: $type)*) -> methods!(@type $($result_type)?) {
                $(let mut $result: $result_type = $start;)?
                // SAFETY: the instance lives, and the arrays have the length given.
                let status = unsafe { (self.api.0.$function)(self.component $(, $value)*) };
                methods!(@value status $(, $result)?)
            }
        )*}
    };
    (@type) => { Status };
    (@type $result:ty) => { (Status, $result) };
    (@value $status:ident) => { Status::from($status) };
    (@value $status:ident, $result:ident) => { (Status::from($status), $result) };
}

type Vr<'a> = &'a [u32];

methods! {
    setup_experiment(tolerance: Option<f64>, start: f64, stop: Option<f64>), fmi2SetupExperiment(
        c_int::from(tolerance.is_some()), tolerance.unwrap_or(f64::NAN), start,
        c_int::from(stop.is_some()), stop.unwrap_or(f64::NAN)
    );
    enter_initialization_mode(), fmi2EnterInitializationMode();
    exit_initialization_mode(), fmi2ExitInitializationMode();
    terminate(), fmi2Terminate();
    reset(), fmi2Reset();
    get_real(vr: Vr) values: Vec<f64> = vec![f64::NAN; vr.len()],
        fmi2GetReal(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_real_into(vr: Vr, values: &mut [f64]), fmi2GetReal(vr.as_ptr(), same(vr, values), values.as_mut_ptr());
    get_integer(vr: Vr) values: Vec<i32> = vec![i32::MIN; vr.len()],
        fmi2GetInteger(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_boolean(vr: Vr) values: Vec<i32> = vec![i32::MIN; vr.len()],
        fmi2GetBoolean(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_c_strings(vr: Vr) values: Vec<*const c_char> = vec![ptr::null(); vr.len()],
        fmi2GetString(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    set_real(vr: Vr, values: &[f64]), fmi2SetReal(vr.as_ptr(), same(vr, values), values.as_ptr());
    set_integer(vr: Vr, values: &[i32]), fmi2SetInteger(vr.as_ptr(), same(vr, values), values.as_ptr());
    set_boolean(vr: Vr, values: &[i32]), fmi2SetBoolean(vr.as_ptr(), same(vr, values), values.as_ptr());
    get_state(state: &mut FmuState), fmi2GetFMUstate(&mut state.0);
    set_state(state: FmuState), fmi2SetFMUstate(state.0);
    free_state(state: &mut FmuState), fmi2FreeFMUstate(&mut state.0);
    serialized_size(state: FmuState) size: usize = usize::MAX, fmi2SerializedFMUstateSize(state.0, &mut size);
    serialize(state: FmuState, bytes: &mut [u8]), fmi2SerializeFMUstate(state.0, bytes.as_mut_ptr().cast(), bytes.len());
    deserialize(bytes: &[u8], state: &mut FmuState),
        fmi2DeSerializeFMUstate(bytes.as_ptr().cast(), bytes.len(), &mut state.0);
    directional_derivative(unknowns: Vr, knowns: Vr, seeds: &[f64]) values: Vec<f64> = vec![f64::NAN; unknowns.len()],
        fmi2GetDirectionalDerivative(
            unknowns.as_ptr(), unknowns.len(), knowns.as_ptr(), same(knowns, seeds), seeds.as_ptr(), values.as_mut_ptr()
        );
    set_real_input_derivatives(vr: Vr, orders: &[i32], values: &[f64]),
        fmi2SetRealInputDerivatives(vr.as_ptr(), same(vr, orders).min(same(vr, values)), orders.as_ptr(), values.as_ptr());
    get_real_output_derivatives(vr: Vr, orders: &[i32]) values: Vec<f64> = vec![f64::NAN; vr.len()],
        fmi2GetRealOutputDerivatives(vr.as_ptr(), same(vr, orders), orders.as_ptr(), values.as_mut_ptr());
    do_step(point: f64, h: f64), fmi2DoStep(point, h, 1);
    do_step_and_maybe_return(point: f64, h: f64), fmi2DoStep(point, h, 0);
    cancel_step(), fmi2CancelStep();
    get_status(kind: i32) value: i32 = i32::MIN, fmi2GetStatus(kind, &mut value);
    get_real_status(kind: i32) value: f64 = f64::NAN, fmi2GetRealStatus(kind, &mut value);
    get_integer_status(kind: i32) value: i32 = i32::MIN, fmi2GetIntegerStatus(kind, &mut value);
    get_boolean_status(kind: i32) value: i32 = i32::MIN, fmi2GetBooleanStatus(kind, &mut value);
    get_string_status(kind: i32) value: *const c_char = ptr::null(), fmi2GetStringStatus(kind, &mut value);
    enter_event_mode(), fmi2EnterEventMode();
    new_discrete_states() info: EventInfo = UNWRITTEN, fmi2NewDiscreteStates(&mut info);
    enter_continuous_time_mode(), fmi2EnterContinuousTimeMode();
    completed_integrator_step() answers: [i32; 2] = [i32::MIN; 2],
        fmi2CompletedIntegratorStep(1, &raw mut answers[0], &raw mut answers[1]);
    set_time(time: f64), fmi2SetTime(time);
    set_continuous_states(states: &[f64]), fmi2SetContinuousStates(states.as_ptr(), states.len());
    get_derivatives(count: usize) values: Vec<f64> = vec![f64::NAN; count], fmi2GetDerivatives(values.as_mut_ptr(), count);
    get_event_indicators(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetEventIndicators(values.as_mut_ptr(), count);
    get_continuous_states(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetContinuousStates(values.as_mut_ptr(), count);
    get_nominals(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetNominalsOfContinuousStates(values.as_mut_ptr(), count);
}

/// What no library writes into all six fields.
const UNWRITTEN: EventInfo = EventInfo {
    new_discrete_states_needed: i32::MIN,
    terminate_simulation: i32::MIN,
    nominals_of_continuous_states_changed: i32::MIN,
    values_of_continuous_states_changed: i32::MIN,
    next_event_time_defined: i32::MIN,
    next_event_time: f64::NAN,
};

/// The common length of two arrays of a call.
fn same<A, B>(one: &[A], other: &[B]) -> usize {
    assert_eq!(one.len(), other.len(), "arrays of one call have one length");
    one.len()
}

impl Slave {
    /// Takes the messages logged so far.
    pub fn messages(&self) -> Vec<Message> {
        messages_to(self.environment)
    }

    /// `fmi2SetDebugLogging`
    pub fn set_debug_logging(&self, on: bool, categories: &[&str]) -> Status {
        let categories: Vec<_> = categories.iter().map(|name| CString::new(*name).expect("no zero inside")).collect();
        let pointers: Vec<_> = categories.iter().map(|name| name.as_ptr()).collect();
        let function = self.api.0.fmi2SetDebugLogging;
        // SAFETY: the instance lives, and the strings live during the call.
        unsafe { function(self.component, c_int::from(on), pointers.len(), pointers.as_ptr()) }.into()
    }

    /// `fmi2GetString`
    pub fn get_string(&self, vr: Vr) -> (Status, Vec<Option<String>>) {
        self.get_string_read_after(vr, || ())
    }

    /// `fmi2GetString`, where the strings are not read before something else was done, which must not
    /// get strings.
    pub fn get_string_read_after(&self, vr: Vr, something: impl FnOnce()) -> (Status, Vec<Option<String>>) {
        let (status, pointers) = self.get_c_strings(vr);
        something();
        // SAFETY: not written, or strings that live until this is called on this instance again.
        let text = |pointer: *const c_char| (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) });
        let owned = |pointer| text(pointer).map(|text| text.to_string_lossy().into_owned());
        (status, pointers.into_iter().map(owned).collect())
    }

    /// `fmi2FreeInstance`, and what was logged then.
    pub fn free(self) -> Vec<Message> {
        let slave = ManuallyDrop::new(self);
        slave.messages();
        // SAFETY: it comes from `fmi2Instantiate` and is not used again; nor is what is taken out of it.
        let api = unsafe {
            (slave.api.0.fmi2FreeInstance)(slave.component);
            ptr::read(&slave.api)
        };
        drop(api);
        messages_to(slave.environment)
    }

    /// Gives the library back without freeing the instance.
    pub fn abandon(self) {
        let slave = ManuallyDrop::new(self);
        // SAFETY: it is not used again.
        drop(unsafe { ptr::read(&slave.api) });
    }

    /// `fmi2SetString`; `None` stands for NULL.
    pub fn set_string(&self, vr: Vr, values: &[Option<&[u8]>]) -> Status {
        let mut values: Vec<_> = values.iter().map(|value| value.map(|value| [value, b"\0"].concat())).collect();
        let pointers: Vec<_> =
            values.iter().map(|value| value.as_ref().map_or(ptr::null(), |v| v.as_ptr().cast())).collect();
        // SAFETY: the instance lives, and the strings live during the call.
        let status =
            unsafe { (self.api.0.fmi2SetString)(self.component, vr.as_ptr(), same(vr, &pointers), pointers.as_ptr()) };
        // Who kept a pointer to a value will notice.
        values.iter_mut().flatten().for_each(|value| value.fill(b'!'));
        hint::black_box(&values);
        status.into()
    }
}
