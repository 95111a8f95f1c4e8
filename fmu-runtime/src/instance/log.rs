//! Log messages for the importer.

use std::ffi::{CStr, CString};
use std::sync::{Arc, Weak};

use fmu_exchange::{Category, Standard};

/// The importer's logger: gets the instance's name, the status, the category and the message, which has no further
/// arguments.
pub type Logger = Arc<dyn Fn(&CStr, Status, &CStr, &CStr) + Send + Sync>;

/// The status of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum Status {
    /// `fmi2OK`
    Ok = 0,
    /// `fmi2Discard`
    Discard = 2,
    /// `fmi2Error`
    Error = 3,
}

/// Largest message in bytes: importers have buffers of a thousand bytes and more.
const MAX_BYTES: usize = 900;

/// The log of one instance. It keeps the messages of a call until the end of the call, since the
/// importer's logger may call functions of the same instance.
pub struct Log {
    standard: Standard,
    logger: Option<Logger>,
    name: Arc<CStr>,
    enabled: [bool; 3],
    lines: Vec<Line>,
}

/// The arguments of one call of the logger.
struct Line {
    status: Status,
    category: Category,
    text: CString,
}

/// Pending messages; delivery ends when the logger frees the instance.
pub struct Delivery {
    logger: Option<Logger>,
    name: Weak<CStr>,
    lines: Vec<Line>,
}

/// Returns a text of C, in which zeros are no part of it.
pub fn c_string(text: &str) -> CString {
    CString::new(text.bytes().filter(|byte| *byte != 0).collect::<Vec<u8>>()).unwrap_or_default()
}

impl Log {
    /// Makes a log under the instance's name, silent without a logger; errors are logged also with `logging_on` false.
    pub fn new(standard: Standard, logger: Option<Logger>, name: &str, logging_on: bool) -> Self {
        let name = c_string(name).into();
        let enabled = [logging_on, logging_on, true];
        Self { standard, logger, name, enabled, lines: Vec::new() }
    }

    /// Switches categories; all of them but errors when none is named. Returns the names that are unknown.
    pub fn switch<'a>(&mut self, on: bool, categories: &[&'a str]) -> Vec<&'a str> {
        if categories.is_empty() {
            // Errors are silenced by their name only.
            self.enabled = [on, on, true];
        }
        let mut unknown = Vec::new();
        for &category in categories {
            let known = Category::ALL.iter().position(|(_, name, _)| name.to_bytes() == category.as_bytes());
            match known {
                Some(position) => self.enabled[position] = on,
                None => unknown.push(category),
            }
        }
        unknown
    }

    /// Logs a message, split into several if it is long.
    pub fn send(&mut self, status: Status, category: Category, message: &str) {
        if !self.enabled[category as usize] || self.logger.is_none() {
            return;
        }
        let mut send = |line: &str| {
            let text = CString::new(line).unwrap_or_default();
            self.lines.push(Line { status, category, text });
        };
        // In FMI 2.0 the importer treats the message as a printf format in which #…# are value references.
        let is_format = self.standard == Standard::Fmi2;
        let mut line = String::with_capacity(message.len().min(MAX_BYTES));
        for character in message.chars().filter(|character| *character != '\0') {
            let copies = if is_format && matches!(character, '%' | '#') { 2 } else { 1 };
            if line.len() + copies * character.len_utf8() > MAX_BYTES {
                send(&line);
                line.clear();
            }
            (0..copies).for_each(|_| line.push(character));
        }
        send(&line);
    }

    /// Returns true if there are messages to deliver.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Takes the messages, to be delivered when the instance is not borrowed.
    pub fn take(&mut self) -> Delivery {
        Delivery {
            logger: self.logger.clone(),
            name: Arc::downgrade(&self.name),
            lines: std::mem::take(&mut self.lines),
        }
    }
}

impl Delivery {
    /// Calls the importer's logger.
    pub fn deliver(self) {
        let Some(logger) = &self.logger else { return };
        for Line { status, category, text } in &self.lines {
            let Some(name) = self.name.upgrade() else { return };
            logger(&name, *status, category.name(), text);
        }
    }
}
