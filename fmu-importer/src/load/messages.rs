//! Messages that an FMU sends to its logger.

use std::fmt;

use c_interface::Status;

/// The category of warnings whose call succeeds.
const WARNING: &str = "logStatusWarning";

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A note without consequences.
    Note,
    /// The results may be of less use.
    Warning,
    /// A call was not carried out.
    Discard,
    /// A call failed.
    Error,
}

/// One message of an FMU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Severity that the FMU gives it.
    pub level: Level,
    /// Name of the instance that sent it.
    pub instance: String,
    /// The text.
    pub text: String,
}

impl From<c_interface::Message> for Message {
    fn from(message: c_interface::Message) -> Self {
        let level = match message.status {
            Status::Ok if message.category.as_deref() == Some(WARNING) => Level::Warning,
            Status::Ok | Status::Pending => Level::Note,
            Status::Warning => Level::Warning,
            Status::Discard => Level::Discard,
            Status::Error | Status::Fatal | Status::Unknown | Status::Missing => Level::Error,
        };
        Self { level, instance: message.name, text: message.formatted }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Discard => "discard",
            Level::Note => "note",
        };
        write!(f, "{kind}: {}: {}", self.instance, self.text)
    }
}

/// Takes the reasons that the FMU gave for a call's failure, for the end of a sentence; other messages stay.
pub(super) fn reason(call: &str, messages: &mut Vec<Message>) -> String {
    let reasons = messages.extract_if(.., |message| matches!(message.level, Level::Discard | Level::Error));
    let reasons: Vec<_> = reasons.map(|message| without(call, &message.text).to_owned()).collect();
    if reasons.is_empty() { "the FMU gave no reason".to_owned() } else { reasons.join("; ") }
}

/// Returns a text without the name of the call at its beginning, since the sentence begins with it.
fn without<'a>(call: &str, text: &'a str) -> &'a str {
    text.strip_prefix(call).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(level: Level, text: &str) -> Message {
        Message { level, instance: "Spring".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_reason_does_not_repeat_the_call() {
        let mut messages = vec![message(Level::Discard, "fmi2SetReal: \"c\" cannot be -3")];
        assert_eq!(reason("fmi2SetReal", &mut messages), "\"c\" cannot be -3");
        messages.push(message(Level::Error, "fmi2SetReal2 is unknown"));
        assert_eq!(reason("fmi2SetReal", &mut messages), "fmi2SetReal2 is unknown");
        assert_eq!(reason("fmi2SetReal", &mut messages), "the FMU gave no reason");
    }

    #[test]
    fn warnings_are_no_reasons_and_stay() {
        let mut messages = vec![message(Level::Note, "c is large"), message(Level::Error, "fmi2DoStep: no solution")];
        assert_eq!(reason("fmi2DoStep", &mut messages), "no solution");
        assert_eq!(messages.len(), 1);
    }
}
