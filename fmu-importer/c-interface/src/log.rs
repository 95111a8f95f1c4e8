//! Messages of a library, collected under the environment of its instance.

use std::cell::RefCell;
use std::collections::BTreeMap;
#[cfg(not(target_family = "wasm"))]
use std::ffi::CString;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use crate::Status;
use crate::format::formatted;

/// A message that a library passed to the logger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Name of the instance; empty in FMI 3.0, which does not tell it.
    pub name: String,
    /// Address at which the library keeps that name.
    pub name_address: usize,
    /// The status.
    pub status: Status,
    /// The category, if it was not NULL.
    pub category: Option<String>,
    /// The message, a format of printf.
    pub text: String,
    /// The message with the arguments of its format, as `printf` writes it; the format where that is not possible.
    pub formatted: String,
    /// Number of bytes of the message.
    pub length: usize,
}

impl Message {
    #[cfg(not(target_family = "wasm"))]
    /// Returns the text that an importer in C prints that hands the message to `printf` with a buffer of 1000 bytes,
    /// and no arguments.
    pub fn printed(&self) -> String {
        unsafe extern "C" {
            fn snprintf(buffer: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
        }
        let format = CString::new(self.text.as_bytes()).expect("no zero inside");
        let mut buffer = [0_u8; 1000];
        // SAFETY: snprintf writes up to 1000 bytes with a zero. What the format asks for beyond its text is garbage.
        unsafe { snprintf(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr()) };
        let printed = CStr::from_bytes_until_nul(&buffer).expect("a zero");
        printed.to_string_lossy().into_owned()
    }
}

static MESSAGES: Mutex<BTreeMap<usize, Vec<Message>>> = Mutex::new(BTreeMap::new());

/// Takes the messages that came with an environment.
pub fn messages_to(environment: usize) -> Vec<Message> {
    MESSAGES.lock().unwrap_or_else(PoisonError::into_inner).remove(&environment).unwrap_or_default()
}

pub(crate) unsafe extern "C" fn log(
    environment: *mut c_void,
    name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
    arguments: *mut c_void,
) {
    // SAFETY: the library passes NULL or strings that end with a zero.
    let text = |pointer: *const c_char| (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) });
    let lossy = |text: Option<&CStr>| text.map(|text| text.to_string_lossy().into_owned());
    // SAFETY: the library passes what its format asks for.
    let formatted = text(message).and_then(|format| unsafe { formatted(format, arguments) });
    let message = Message {
        formatted: formatted.or_else(|| lossy(text(message))).unwrap_or_default(),
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

/// The logger of FMI 3.0, which gets no name.
pub(crate) unsafe extern "C" fn log_3(
    environment: *mut c_void,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: all is passed on; in FMI 3.0 the message is no format.
    unsafe { log(environment, ptr::null(), status, category, message, ptr::null_mut()) };
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
