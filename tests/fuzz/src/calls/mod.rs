//! Sequences of calls on several instances of both standards, compared with a model of the life cycle.
//!
//! The model tracks the state of each instance by the standard's table, the time, and the bytes of saved FMU states. It
//! decides whether each call must succeed, must fail, or may do either because the equations decide.

mod beside;
mod invoke;

use std::ffi::{CString, c_int};
use std::sync::OnceLock;

use c_interface::{BESIDE, Message, STATUS_FUNCTIONS, Status};
use fmu_builder::Standard;

use crate::bytes::Bytes;
use crate::components::prepared;
use crate::instance::{DISCARD, ERROR, Instance, Kind, NAME, OK, setup};
use crate::table::{Table, allows_beside};

/// Length of the longest sequence; longer ones find nothing new.
const MAX_CALLS: usize = 80;
const INSTANCES: usize = 3;
/// The function beside FMI that exists in Model Exchange only.
const SENSITIVITY: &str = "mechanics_sensitivity";

/// The expected result of a legal call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The call must succeed.
    Good,
    /// The call must fail, because of its arguments.
    Bad,
    /// The call may succeed or fail: the equations, or values that the model does not track, decide.
    Open,
    /// The call must return fmi2Discard, since the query exists for asynchronous steps only.
    Nothing,
}

/// An FMU state that was saved, and the model's part of it.
#[derive(Clone)]
struct Saved {
    handle: usize,
    state: &'static str,
    time: Option<f64>,
    rows: Vec<u64>,
    bytes: Vec<u8>,
}

/// An instance and its state in the model.
struct Modelled {
    instance: Instance,
    /// State as a column of the table.
    state: &'static str,
    /// The time, unless a step failed.
    time: Option<f64>,
    /// The numbers of rows of tables.
    rows: Vec<u64>,
    /// Value reference and number of the dependencies that were last counted.
    counted: Option<(u32, usize)>,
    /// True for each kind of message that is logged: warnings, discarded calls and errors.
    logged: [bool; 3],
    saved: Vec<Saved>,
}

/// The status functions of FMI 2.0; their order is that of the corpus.
fn functions_of_fmi_2() -> impl Iterator<Item = &'static str> {
    STATUS_FUNCTIONS.iter().filter_map(|function| function.strip_prefix("fmi2"))
}

/// Returns the functions of FMI 3.0 for types of which there are no variables.
fn without_variables() -> Vec<&'static str> {
    let types = ["Float32", "Int8", "Int16", "UInt32", "Binary", "Clock", "Interval", "Shift"];
    let functions = c_interface::fmi3::STATUS_FUNCTIONS.iter().filter_map(|function| function.strip_prefix("fmi3"));
    functions.filter(|function| types.iter().any(|kind| function.contains(kind))).collect()
}

/// Returns the status functions of FMI 3.0, those for types of which there are no variables as one.
fn functions_of_fmi_3() -> &'static [&'static str] {
    static ALL: OnceLock<Vec<&str>> = OnceLock::new();
    ALL.get_or_init(|| {
        let [one, other] = [false, true].map(|co_simulation| table(Standard::Fmi3, co_simulation).functions());
        let mut all = [one, other, vec!["ActivateModelPartition", OTHERS]].concat();
        let absent = without_variables();
        all.retain(|function| !absent.contains(function));
        all.sort_unstable();
        all.dedup();
        all
    })
}

/// Name in place of the functions for types without variables.
const OTHERS: &str = "Others";

/// Returns the name in C.
fn full_name(function: &str, standard: Standard) -> String {
    let prefix = match standard {
        _ if BESIDE.contains(&function) => "",
        Standard::Fmi2 => "fmi2",
        Standard::Fmi3 => "fmi3",
    };
    format!("{prefix}{function}")
}

fn table(standard: Standard, co_simulation: bool) -> &'static Table {
    static TABLES: OnceLock<[Table; 4]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let [first, second] = [false, true].map(Table::of);
        assert!(
            [&first, &second]
                .into_iter()
                .flat_map(Table::functions)
                .all(|name| functions_of_fmi_2().any(|it| it == name))
        );
        [first, second, Table::of_fmi_3(false), Table::of_fmi_3(true)]
    });
    &tables[2 * usize::from(standard == Standard::Fmi3) + usize::from(co_simulation)]
}

/// Makes the calls that the bytes encode.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    let mut instances = vec![create(&mut bytes)];
    for _ in 0..MAX_CALLS {
        if bytes.is_empty() {
            break;
        }
        let code = bytes.byte();
        let chosen = usize::from(code >> 6) % instances.len();
        match code & 63 {
            code @ 0..40 => instances[chosen].call_own(code, &mut bytes),
            code @ 40..42 => instances[chosen].call(BESIDE[usize::from(code - 40)], &mut bytes),
            42 => described(&mut bytes),
            43..48 => instances[chosen].advance(&mut bytes),
            48 => instances[chosen].call(SENSITIVITY, &mut bytes),
            49 => instances[chosen].call_foreign(&mut bytes),
            50..53 if instances.len() < INSTANCES => instances.push(create(&mut bytes)),
            53 => instances[chosen] = create(&mut bytes),
            54 => refused(&mut bytes),
            55 => constants(),
            code => {
                // A call must not touch the other instances.
                let before: Vec<_> = instances.iter().map(Modelled::bytes).collect();
                instances[chosen].call_own(code - 50, &mut bytes);
                for (number, before) in before.iter().enumerate().filter(|(number, _)| *number != chosen) {
                    assert!(instances[number].bytes() == *before, "a call changed another instance");
                }
            }
        }
    }
}

/// Makes a new instance, or NULL.
fn create(bytes: &mut Bytes<'_>) -> Modelled {
    let code = bytes.byte();
    let prepared = prepared(usize::from(code & 31));
    let mut kind = Kind::from(code);
    let logging_on = code & 64 == 0;
    if kind.standard == Standard::Fmi3 && kind.co_simulation {
        kind.events = [bytes.one_in(2), bytes.one_in(2)];
    }
    let instance = if code == 255 { Instance::null(prepared, kind) } else { Instance::new(prepared, kind, logging_on) };
    Modelled {
        instance,
        state: "inst",
        time: Some(0.0),
        rows: prepared.variables[1].rows.clone(),
        counted: None,
        logged: [logging_on, logging_on, true],
        saved: Vec::new(),
    }
}

/// Calls a function that makes instances, with something missing or wrong.
fn refused(bytes: &mut Bytes<'_>) {
    let (number, wrong) = (bytes.byte(), bytes.byte() % 8);
    // The default configuration is made from the declaration, which is slow for all components except the sample.
    let prepared = prepared(if wrong == 7 { 0 } else { number.into() });
    let standard = Kind::from(number).standard;
    let mut request = setup(prepared, Kind { standard, co_simulation: true, events: [false; 2] });
    match wrong {
        0 => request.name = None,
        1 => request.name = Some(b" \t"),
        2 => request.kind = [2, -1, c_int::MAX, c_int::MIN][bytes.below(4)],
        3 => request.guid = None,
        4 => request.guid = Some(b"{00000000-0000-0000-0000-000000000000}"),
        5 if standard == Standard::Fmi2 => request.callbacks = false,
        5 => (request.callbacks, request.guid) = (false, None),
        6 => request.name = Some(b""),
        _ => {
            let locations: [Option<&[u8]>; 4] = [None, Some(b""), Some(b"file:///nowhere"), Some(b"http://localhost/")];
            request.location = locations[bytes.below(4)];
        }
    }
    let says = request.callbacks;
    let messages = match prepared.api(standard).instantiate(request) {
        Ok(made) => {
            let messages = made.messages();
            assert!(wrong == 7 && messages.iter().all(|message| message.status != Status::Error), "{messages:?}");
            return;
        }
        Err(messages) => messages,
    };
    let begin = full_name("Instantiate", standard);
    let said = messages.iter().any(|message| message.status == Status::Error && message.text.starts_with(&begin));
    assert_eq!(said, says, "{messages:?}");
}

/// Calls `mechanics_declare` with a changed configuration. It asks for outlines only: complete declarations need a
/// search for dependencies, which takes seconds here.
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
        fmu_runtime::ffi::declare_to(prepared.model, interface, configuration, Some(sink), context, resources, 1)
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

fn constants() {
    let [two, three] = &prepared(0).apis;
    assert_eq!([two.types_platform(), two.version(), three.version()], [c"default", c"2.0", c"3.0"]);
}

impl Modelled {
    /// Returns the serialised state, which saving does not change.
    fn bytes(&self) -> Vec<u8> {
        let mut handle = 0;
        if self.instance.get_fmu_state(Some(&mut handle)) != OK {
            assert!(self.instance.is_null());
            return Vec::new();
        }
        let bytes = self.instance.bytes_of(handle);
        assert_eq!(self.instance.free_fmu_state(Some(&mut handle)), OK);
        bytes
    }

    /// Advances in the life cycle like an importer, as far as the equations allow.
    fn advance(&mut self, bytes: &mut Bytes<'_>) {
        let Kind { standard, co_simulation, events } = self.instance.kind;
        let way = match (standard, co_simulation) {
            (Standard::Fmi2, true) => {
                "SetupExperiment EnterInitializationMode ExitInitializationMode DoStep DoStep Terminate"
            }
            (Standard::Fmi2, false) => {
                "SetupExperiment EnterInitializationMode ExitInitializationMode NewDiscreteStates EnterContinuousTimeMode \
                 CompletedIntegratorStep Terminate"
            }
            (Standard::Fmi3, true) if events[0] => {
                "EnterInitializationMode ExitInitializationMode UpdateDiscreteStates EnterStepMode DoStep DoStep \
                 EnterEventMode UpdateDiscreteStates EnterStepMode DoStep Terminate"
            }
            (Standard::Fmi3, true) => "EnterInitializationMode ExitInitializationMode DoStep DoStep Terminate",
            (Standard::Fmi3, false) => {
                "EnterInitializationMode ExitInitializationMode UpdateDiscreteStates EnterContinuousTimeMode \
                 CompletedIntegratorStep EnterEventMode UpdateDiscreteStates Terminate"
            }
        };
        let way: Vec<_> = way.split_whitespace().collect();
        for function in &way[..1 + bytes.below(way.len())] {
            // Zeros are valid arguments.
            self.call(function, &mut Bytes(&[]));
        }
    }

    /// Calls a function of the instance's standard.
    fn call_own(&mut self, code: u8, bytes: &mut Bytes<'_>) {
        let function = chosen(self.instance.kind.standard, code, bytes);
        self.call(function, bytes);
    }

    /// Calls a function of the other standard, which the instance refuses.
    fn call_foreign(&mut self, bytes: &mut Bytes<'_>) {
        let own = self.instance.kind.standard;
        let other = if own == Standard::Fmi2 { Standard::Fmi3 } else { Standard::Fmi2 };
        let code = bytes.below(STATUS_FUNCTIONS.len()) as u8;
        let function = chosen(other, code, bytes);
        self.instance.called = other;
        let (status, _) = self.invoke(function, bytes);
        self.instance.called = own;
        let messages = self.instance.messages();
        let name = full_name(function, other);
        assert_eq!(status, ERROR, "{name}: {messages:?}");
        if self.instance.is_null() {
            return;
        }
        let made_for = if own == Standard::Fmi2 { "2.0" } else { "3.0" };
        let reason = format!("{name} does not exist in FMI {made_for}, for which this instance was made");
        assert!(messages.iter().any(|message| message.text.contains(&reason)) || !self.logged[2], "{messages:?}");
        self.state = "err";
    }

    /// Makes one call and compares with the model.
    fn call(&mut self, function: &'static str, bytes: &mut Bytes<'_>) {
        let Kind { standard, co_simulation, .. } = self.instance.kind;
        let allowed = match standard {
            Standard::Fmi2 if function == SENSITIVITY && co_simulation => None,
            Standard::Fmi2 if BESIDE.contains(&function) => Some(allows_beside(function, self.state)),
            _ => table(standard, co_simulation).allows(function, self.state),
        };
        let before = self.state;
        let (status, expected) = self.invoke(function, bytes);
        let messages = self.instance.messages();
        let what =
            format!("{standard:?} {function} in {before}, expected {expected:?}, returned {status}: {messages:?}");
        if self.instance.is_null() {
            assert!(status == ERROR && messages.is_empty(), "{what}");
            return;
        }
        self.check_messages(function, status, &messages, &what);
        if allowed != Some(true) {
            assert_eq!(status, ERROR, "{what}");
            let reason = match (function, allowed) {
                ("CancelStep", _) => "no step is ever pending",
                (_, None) => "does not exist",
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
            OK => self.state = after(function, self.instance.kind, self.state),
            DISCARD => assert!(self.may_discard(function), "{what}"),
            ERROR => self.state = "err",
            _ => panic!("no such status: {what}"),
        }
    }

    /// Returns true if the standard allows the function to return fmi2Discard.
    fn may_discard(&self, function: &str) -> bool {
        let model_exchange = [
            "GetReal", "GetFloat64", "GetDerivatives", "GetContinuousStateDerivatives", "GetContinuousStates",
            "GetEventIndicators", "SetContinuousStates", SENSITIVITY,
        ];
        // The linear form sets its inputs to zero.
        let settable = [
            "mechanics_linear", "SetReal", "SetInteger", "SetFloat64", "SetInt32", "SetInt64", "SetBoolean",
            "SetString",
        ];
        settable.contains(&function)
            || function.ends_with("Status")
            || !self.instance.kind.co_simulation && model_exchange.contains(&function)
    }

    /// Checks properties of all messages of a call.
    fn check_messages(&self, function: &str, status: c_int, messages: &[Message], what: &str) {
        let categories = ["logStatusWarning", "logStatusDiscard", "logStatusError"];
        for message in messages {
            let category = categories.iter().position(|name| message.category.as_deref() == Some(name)).expect(what);
            assert!(self.logged[category], "a category that is off: {what}");
            assert_eq!(message.status, [Status::Ok, Status::Discard, Status::Error][category], "{what}");
            assert!(message.status == Status::Ok || message.status as c_int == status, "{what}");
            // FMI 3.0 does not tell it.
            let name = if self.instance.kind.standard == Standard::Fmi2 { NAME } else { "" };
            assert_eq!(message.name, name, "{what}");
            assert!(message.text.len() <= 900, "{what}");
            // In FMI 2.0, the message is a format without arguments, and without value references.
            for sign in ['%', '#'].into_iter().filter(|_| self.instance.kind.standard == Standard::Fmi2) {
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
            let begin = format!("{}: ", full_name(function, self.instance.kind.standard));
            let said =
                messages.iter().any(|message| message.status as c_int == status && message.text.starts_with(&begin));
            assert!(said, "without a reason: {what}");
        }
    }
}

/// Returns a function of a standard; the code alone decides in FMI 2.0.
fn chosen(standard: Standard, code: u8, bytes: &mut Bytes<'_>) -> &'static str {
    if standard == Standard::Fmi2 {
        return functions_of_fmi_2().nth(usize::from(code)).expect("a code of a function");
    }
    let all = functions_of_fmi_3();
    match all[bytes.below(all.len())] {
        OTHERS => {
            let absent = without_variables();
            absent[bytes.below(absent.len())]
        }
        function => function,
    }
}

/// Returns the state after a call that succeeded.
fn after(function: &str, kind: Kind, state: &'static str) -> &'static str {
    match function {
        "EnterInitializationMode" => "init",
        "ExitInitializationMode" if kind.co_simulation && !kind.events[0] => "sC",
        "ExitInitializationMode" | "EnterEventMode" => "event",
        "EnterContinuousTimeMode" => "cont",
        "EnterStepMode" => "sC",
        "EnterConfigurationMode" if state == "inst" => "conf",
        "EnterConfigurationMode" => "reconf",
        "ExitConfigurationMode" if state == "reconf" && kind.co_simulation => "sC",
        "ExitConfigurationMode" if state == "reconf" => "event",
        "Terminate" => "term",
        "Reset" | "ExitConfigurationMode" => "inst",
        _ => state,
    }
}
