//! The messages of an FMU that are shown.

use std::collections::HashSet;

use crate::messages::{Level, Message};
use fmu_builder::console::note;

/// Largest number of different messages; more would bury the rest.
const MAX_MESSAGES: usize = 10;

/// The messages that have been shown.
#[derive(Default)]
pub struct Notes {
    seen: HashSet<String>,
    suppressed: HashSet<String>,
}

impl Notes {
    /// Returns true if a message is worth showing, was not shown before, and there is room for it.
    pub fn is_new(&mut self, message: &Message) -> bool {
        let what = timeless(&message.text);
        if message.level == Level::Note || self.seen.contains(what) {
            return false;
        }
        let has_room = self.seen.len() < MAX_MESSAGES;
        let messages = if has_room { &mut self.seen } else { &mut self.suppressed };
        messages.insert(what.to_owned());
        has_room
    }

    /// Returns the number of messages for which there was no room as a sentence, if there were some.
    pub fn suppressed(&self) -> Option<String> {
        (!self.suppressed.is_empty()).then(|| format!("{} more messages from the FMU", self.suppressed.len()))
    }

    /// Prints the number of messages for which there was no room.
    pub fn finish(self) {
        self.suppressed().iter().for_each(note);
    }
}

/// Returns a message without the time, which is new each time.
fn timeless(text: &str) -> &str {
    text.split(" (time = ").next().unwrap_or(text)
}
