//! What an FMU says through its logger callback.
//!
//! The `fmi` crate hands these messages to the `log` facade and drops their category, so that the
//! level is what remains to tell a warning from an error.

use std::cell::RefCell;
use std::fmt;
use std::sync::Once;

use log::Level;

/// One message of an FMU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How serious the FMU says it is.
    pub level: Level,
    /// Name of the instance that sent it.
    pub instance: String,
    /// The text.
    pub text: String,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = match self.level {
            Level::Error => "error",
            Level::Warn => "warning",
            // The `fmi` crate files discards here.
            Level::Trace => "discard",
            Level::Info | Level::Debug => "note",
        };
        write!(f, "{kind}: {}: {}", self.instance, self.text)
    }
}

/// Starts to collect the messages of all FMUs, on the thread that calls them.
///
/// # Panics
///
/// When the process has another logger, for the messages would be lost in it.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Collector).expect("no other logger is set in this process");
    });
}

/// The messages since the last call, oldest first.
pub fn take() -> Vec<Message> {
    MESSAGES.take()
}

/// The messages since the last call as one text, for the end of a sentence.
pub(crate) fn said() -> String {
    let said: Vec<_> = take()
        .into_iter()
        .filter(|message| !matches!(message.level, Level::Info | Level::Debug))
        .map(|message| message.text)
        .collect();
    if said.is_empty() { "the FMU gave no reason".to_owned() } else { said.join("; ") }
}

thread_local! {
    static MESSAGES: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        // Other records are the importer's own.
        if record.module_path() == Some("logger") {
            MESSAGES.with_borrow_mut(|messages| {
                messages.push(Message {
                    level: record.level(),
                    instance: record.target().to_owned(),
                    text: record.args().to_string(),
                });
            });
        }
    }

    fn flush(&self) {}
}
