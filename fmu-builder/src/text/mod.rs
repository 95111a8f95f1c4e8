//! Output for users: numbers, suggestions, the console.

pub mod console;
pub(crate) mod number;
pub(crate) mod reserved;
pub(crate) mod suggestion;

/// The name under which the project signs what it writes.
pub const GENERATOR: &str = concat!("mechanical-fmus ", env!("CARGO_PKG_VERSION"));

/// Returns a text of at most so many characters; an ellipsis replaces the rest.
pub fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
