//! What an FMU says through its logger callback.
//!
//! The `fmi` crate hands these messages to the `log` facade and drops their category, so that the
//! level is what remains to tell them apart. A warning whose call returned fmi2OK has the level of
//! an event; that is why a simulation switches events off.

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

/// Takes the reasons that the FMU gave for a call's failure, for the end of a sentence.
pub(crate) fn said(call: &str) -> String {
    let reason = |message: &mut Message| !matches!(message.level, Level::Warn | Level::Info | Level::Debug);
    let said: Vec<_> = MESSAGES.with_borrow_mut(|messages| messages.extract_if(.., reason).collect());
    let said: Vec<_> = said.iter().map(|message| without(call, &message.text)).collect();
    if said.is_empty() { "the FMU gave no reason".to_owned() } else { said.join("; ") }
}

/// A text that does not begin with the name of the call, since the sentence does.
fn without<'a>(call: &str, text: &'a str) -> &'a str {
    text.strip_prefix(call).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(text)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn push(level: Level, text: &str) {
        let message = Message { level, instance: "Spring".to_owned(), text: text.to_owned() };
        MESSAGES.with_borrow_mut(|messages| messages.push(message));
    }

    #[test]
    fn a_reason_does_not_repeat_the_call() {
        push(Level::Trace, "fmi2SetReal: \"c\" cannot be -3");
        assert_eq!(said("fmi2SetReal"), "\"c\" cannot be -3");
        push(Level::Error, "fmi2SetReal2 is unknown");
        assert_eq!(said("fmi2SetReal"), "fmi2SetReal2 is unknown");
        assert_eq!(said("fmi2SetReal"), "the FMU gave no reason");
    }

    #[test]
    fn warnings_are_no_reasons_and_stay() {
        push(Level::Info, "c is large");
        push(Level::Error, "fmi2DoStep: no solution");
        assert_eq!(said("fmi2DoStep"), "no solution");
        assert_eq!(take().len(), 1);
    }
}
