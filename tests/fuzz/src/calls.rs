//! Sequences of calls on several instances, compared with a model of the life cycle.
//!
//! The model tracks the state of each instance by the standard's table, the time, and the bytes of saved FMU states. It
//! decides whether each call must succeed, must fail, or may do either because the equations decide.

mod invoke;

use std::ffi::{CStr, CString, c_int};
use std::sync::OnceLock;

use crate::bytes::Bytes;
use crate::components::prepared;
use crate::instance::{Array, DISCARD, ERROR, Instance, Journal, Message, NAME, OK, callbacks, instantiate};
use crate::table::{Table, allows_beside};

/// Longer sequences find nothing new.
const LONGEST: usize = 80;
const INSTANCES: usize = 3;

/// The expected result of a legal call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Succeed.
    Good,
    /// Fail, because of its arguments.
    Bad,
    /// Either: the equations, or values that the model does not track, decide.
    Open,
    /// Return fmi2Discard, since the query exists for asynchronous steps only.
    Nothing,
}

/// An FMU state that was saved, and the model's part of it.
#[derive(Clone)]
struct Saved {
    handle: usize,
    state: &'static str,
    time: Option<f64>,
    bytes: Vec<u8>,
}

/// An instance and its state in the model.
struct Modelled {
    instance: Instance,
    /// A column of the table.
    state: &'static str,
    /// The time, unless a step failed.
    time: Option<f64>,
    /// Whether warnings, discarded calls and errors are logged.
    logged: [bool; 3],
    saved: Vec<Saved>,
}

/// The status functions; their order is that of the corpus.
const FUNCTIONS: [&str; 40] = [
    "SetDebugLogging",
    "SetupExperiment",
    "EnterInitializationMode",
    "ExitInitializationMode",
    "Terminate",
    "Reset",
    "GetReal",
    "GetInteger",
    "GetBoolean",
    "GetString",
    "SetReal",
    "SetInteger",
    "SetBoolean",
    "SetString",
    "GetFMUstate",
    "SetFMUstate",
    "FreeFMUstate",
    "SerializedFMUstateSize",
    "SerializeFMUstate",
    "DeSerializeFMUstate",
    "GetDirectionalDerivative",
    "SetRealInputDerivatives",
    "GetRealOutputDerivatives",
    "DoStep",
    "CancelStep",
    "GetStatus",
    "GetRealStatus",
    "GetIntegerStatus",
    "GetBooleanStatus",
    "GetStringStatus",
    "EnterEventMode",
    "NewDiscreteStates",
    "EnterContinuousTimeMode",
    "CompletedIntegratorStep",
    "SetTime",
    "SetContinuousStates",
    "GetDerivatives",
    "GetEventIndicators",
    "GetContinuousStates",
    "GetNominalsOfContinuousStates",
];

/// The functions beside FMI that take an instance.
const BESIDE: [&str; 2] = ["mechanics_linear", "mechanics_law"];

/// The name in C.
fn full_name(function: &str) -> String {
    if BESIDE.contains(&function) { function.to_owned() } else { format!("fmi2{function}") }
}

fn table(co_simulation: bool) -> &'static Table {
    static TABLES: OnceLock<[Table; 2]> = OnceLock::new();
    &TABLES.get_or_init(|| {
        let tables = [false, true].map(Table::of);
        assert!(tables.iter().flat_map(Table::functions).all(|function| FUNCTIONS.contains(&function)));
        tables
    })[usize::from(co_simulation)]
}

/// Makes the calls that the bytes encode.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    let mut instances = vec![create(&mut bytes)];
    for _ in 0..LONGEST {
        if bytes.is_empty() {
            break;
        }
        let code = bytes.byte();
        let chosen = usize::from(code >> 6) % instances.len();
        match code & 63 {
            code @ 0..40 => instances[chosen].call(FUNCTIONS[usize::from(code)], &mut bytes),
            code @ 40..42 => instances[chosen].call(BESIDE[usize::from(code - 40)], &mut bytes),
            42 => described(&mut bytes),
            43..50 => instances[chosen].advance(&mut bytes),
            50..53 if instances.len() < INSTANCES => instances.push(create(&mut bytes)),
            53 => instances[chosen] = create(&mut bytes),
            54 => refused(&mut bytes),
            55 => constants(),
            code => {
                // A call must not touch the other instances.
                let before: Vec<_> = instances.iter().map(Modelled::bytes).collect();
                instances[chosen].call(FUNCTIONS[usize::from(code - 50)], &mut bytes);
                for (number, before) in before.iter().enumerate().filter(|(number, _)| *number != chosen) {
                    assert!(instances[number].bytes() == *before, "a call changed another instance");
                }
            }
        }
    }
}

/// A new instance, or NULL.
fn create(bytes: &mut Bytes<'_>) -> Modelled {
    let code = bytes.byte();
    let prepared = prepared(usize::from(code & 31));
    let co_simulation = code & 32 == 0;
    let logging_on = code & 64 == 0;
    let instance = if code == 255 {
        Instance::null(prepared, co_simulation)
    } else {
        Instance::new(prepared, co_simulation, logging_on)
    };
    Modelled { instance, state: "inst", time: Some(0.0), logged: [logging_on, logging_on, true], saved: Vec::new() }
}

/// `fmi2Instantiate` with something missing or wrong.
fn refused(bytes: &mut Bytes<'_>) {
    let (number, wrong) = (bytes.byte().into(), bytes.byte() % 8);
    // The default configuration is made from the declaration, which is slow for all components except the sample.
    let prepared = prepared(if wrong == 7 { 0 } else { number });
    let journal = Journal::default();
    let functions = callbacks(&journal);
    let (mut name, mut kind, mut guid) = (Some(NAME), 1, Some(prepared.guid.as_c_str()));
    let (mut location, mut functions) = (Some(prepared.location.as_c_str()), Some(&functions));
    match wrong {
        0 => name = None,
        1 => name = Some(c" \t"),
        2 => kind = [2, -1, c_int::MAX, c_int::MIN][bytes.below(4)],
        3 => guid = None,
        4 => guid = Some(c"{00000000-0000-0000-0000-000000000000}"),
        5 => functions = None,
        6 => name = Some(c""),
        _ => location = [None, Some(c""), Some(c"file:///nowhere"), Some(c"http://localhost/")][bytes.below(4)],
    }
    let component = instantiate(prepared, name, kind, guid, location, functions, true);
    let messages = journal.take();
    if wrong == 7 && !component.is_null() {
        // SAFETY: it was made here.
        unsafe { fmu_runtime::ffi::fmi2_free_instance(component) };
        assert!(messages.iter().all(|message| message.status != ERROR), "{messages:?}");
        return;
    }
    assert!(component.is_null());
    let said = messages.iter().any(|message| message.status == ERROR && message.text.starts_with("fmi2Instantiate: "));
    assert_eq!(said, functions.is_some(), "{messages:?}");
}

/// `mechanics_describe` with a configuration in which something is changed. Outlines only: the others find dependencies, which
/// takes seconds here.
fn described(bytes: &mut Bytes<'_>) {
    let prepared = prepared(bytes.byte().into());
    let mut text = prepared.description.configuration.clone().into_bytes();
    let place = usize::from(bytes.word()) % (text.len() + 1);
    let end = (place + bytes.below(4)).min(text.len());
    text.splice(place..end, bytes.counted().iter().copied().filter(|byte| *byte != 0));
    let text = CString::new(text).expect("zeros are left out");
    let [version, missing] = [bytes.one_in(16), bytes.one_in(16)];
    let interface = if version { u32::from_le_bytes(bytes.array()) } else { fmu_runtime::INTERFACE_VERSION };
    let configuration = if missing { std::ptr::null() } else { text.as_ptr() };
    let mut answers: Vec<Vec<u8>> = Vec::new();
    unsafe extern "C" fn sink(answers: *mut std::ffi::c_void, answer: *const std::ffi::c_char, length: usize) {
        // SAFETY: the library passes bytes with their count, and back what it was given.
        let (answers, answer) =
            unsafe { (&mut *answers.cast::<Vec<Vec<u8>>>(), std::slice::from_raw_parts(answer.cast::<u8>(), length)) };
        answers.push(answer.to_vec());
    }
    let context = (&raw mut answers).cast();
    // SAFETY: the texts and the answers outlive the call.
    let code = unsafe {
        let resources = std::ptr::null();
        fmu_runtime::ffi::describe_to(prepared.model, interface, configuration, Some(sink), context, resources, 1)
    };
    let [answer] = answers.as_slice() else { panic!("{} answers", answers.len()) };
    if code == 0 {
        assert!(interface == fmu_runtime::INTERFACE_VERSION && !missing);
        fmu_runtime::Declaration::parse(answer).expect("a declaration that the builder reads");
        return;
    }
    let reason = std::str::from_utf8(answer).expect("a text");
    assert!(code == 1 && !reason.is_empty());
    let bug = reason.contains("internal error");
    assert!(!bug || prepared.panics && reason.contains("trouble is panic"), "{reason}");
}

// One component's library, for the two functions that take no instance.
fmu_runtime::export!(sample::Sample<f64>);

fn constants() {
    unsafe extern "C" {
        safe fn fmi2GetTypesPlatform() -> *const std::ffi::c_char;
        safe fn fmi2GetVersion() -> *const std::ffi::c_char;
    }
    // SAFETY: strings that live as long as the library.
    let [platform, version] = [fmi2GetTypesPlatform(), fmi2GetVersion()].map(|text| unsafe { CStr::from_ptr(text) });
    assert_eq!((platform, version), (c"default", c"2.0"));
}

impl Modelled {
    /// The serialised state, which saving does not change.
    fn bytes(&self) -> Vec<u8> {
        let mut handle = 0;
        if self.instance.get_fmu_state(Some(&mut handle)) != OK {
            assert!(self.instance.is_null());
            return Vec::new();
        }
        let bytes = self.serialized(handle);
        assert_eq!(self.instance.free_fmu_state(Some(&mut handle)), OK);
        bytes
    }

    fn serialized(&self, handle: usize) -> Vec<u8> {
        let mut size = usize::MAX;
        assert_eq!(self.instance.serialized_fmu_state_size(handle, Some(&mut size)), OK);
        let mut bytes = Array::filled(0, size);
        assert_eq!(self.instance.serialize_fmu_state(handle, &mut bytes, size), OK);
        bytes.slice().to_vec()
    }

    /// Advances in the life cycle like an importer, as far as the equations allow.
    fn advance(&mut self, bytes: &mut Bytes<'_>) {
        let way: &[&str] = if self.instance.co_simulation {
            &["SetupExperiment", "EnterInitializationMode", "ExitInitializationMode", "DoStep", "DoStep", "Terminate"]
        } else {
            &[
                "SetupExperiment",
                "EnterInitializationMode",
                "ExitInitializationMode",
                "NewDiscreteStates",
                "EnterContinuousTimeMode",
                "CompletedIntegratorStep",
                "Terminate",
            ]
        };
        for function in &way[..1 + bytes.below(way.len())] {
            // Zeros are valid arguments.
            self.call(function, &mut Bytes(&[]));
        }
    }

    /// Makes one call and compares with the model.
    fn call(&mut self, function: &'static str, bytes: &mut Bytes<'_>) {
        let allowed = if BESIDE.contains(&function) {
            Some(allows_beside(function, self.state))
        } else {
            table(self.instance.co_simulation).allows(function, self.state)
        };
        let before = self.state;
        let (status, expected) = self.invoke(function, bytes);
        let messages = self.instance.messages();
        let what = format!("{function} in {before}, expected {expected:?}, returned {status}: {messages:?}");
        if self.instance.is_null() {
            assert!(status == ERROR && messages.is_empty(), "{what}");
            return;
        }
        self.check_messages(function, status, &messages, &what);
        if allowed != Some(true) {
            assert_eq!(status, ERROR, "{what}");
            let reason = match (function, allowed) {
                ("CancelStep", _) => "no step is ever pending",
                (_, None) => "does not exist for",
                _ => "not allowed in state",
            };
            assert!(messages.iter().any(|message| message.text.contains(reason)) || !self.logged[2], "{what}");
            self.state = "err";
            return;
        }
        match expected {
            Expected::Good => assert_eq!(status, OK, "{what}"),
            Expected::Bad => assert_ne!(status, OK, "{what}"),
            Expected::Nothing => assert_eq!(status, DISCARD, "{what}"),
            Expected::Open => {}
        }
        match status {
            OK => self.state = after(function, self.instance.co_simulation, self.state),
            DISCARD => assert!(self.may_discard(function), "{what}"),
            ERROR => self.state = "err",
            _ => panic!("no such status: {what}"),
        }
    }

    /// Whether the standard allows the function to return fmi2Discard.
    fn may_discard(&self, function: &str) -> bool {
        let model_exchange = [
            "GetReal",
            "GetDerivatives",
            "GetContinuousStates",
            "GetEventIndicators",
            "SetContinuousStates",
            "mechanics_linear",
        ];
        let settable = ["SetReal", "SetInteger", "SetBoolean", "SetString"];
        settable.contains(&function)
            || function.ends_with("Status")
            || !self.instance.co_simulation && model_exchange.contains(&function)
    }

    /// Checks properties of all messages of a call.
    fn check_messages(&self, function: &str, status: c_int, messages: &[Message], what: &str) {
        let categories = ["logStatusWarning", "logStatusDiscard", "logStatusError"];
        for message in messages {
            let category = categories.iter().position(|name| *name == message.category).expect(what);
            assert!(self.logged[category], "a category that is off: {what}");
            assert_eq!(message.status, [OK, DISCARD, ERROR][category], "{what}");
            assert!(message.status == OK || message.status == status, "{what}");
            assert_eq!(message.name.as_bytes(), NAME.to_bytes(), "{what}");
            assert!(message.text.len() <= 900, "{what}");
            // A format without arguments, and without value references.
            for sign in ['%', '#'] {
                assert!(
                    message.text.replace([sign; 2].iter().collect::<String>().as_str(), "").find(sign).is_none(),
                    "{what}"
                );
            }
            let bug = message.text.contains("internal error");
            assert!(!bug || self.instance.prepared.panics && message.text.contains("trouble is panic"), "{what}");
        }
        let needed = match status {
            ERROR => self.logged[2],
            DISCARD => self.logged[1],
            _ => false,
        };
        if needed {
            let begin = format!("{}: ", full_name(function));
            let said = messages.iter().any(|message| message.status == status && message.text.starts_with(&begin));
            assert!(said, "without a reason: {what}");
        }
    }
}

/// The state after a call that succeeded.
fn after(function: &str, co_simulation: bool, state: &'static str) -> &'static str {
    match function {
        "EnterInitializationMode" => "init",
        "ExitInitializationMode" if co_simulation => "sC",
        "ExitInitializationMode" | "EnterEventMode" => "event",
        "EnterContinuousTimeMode" => "cont",
        "Terminate" => "term",
        "Reset" => "inst",
        _ => state,
    }
}
