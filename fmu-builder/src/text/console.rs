//! Writing to the console, whose reader may have gone: `… | head -1` is not a failure.
//!
//! Messages quote untrusted files. Control characters are shown as `\u{1b}`, so that no terminal interprets them, and so
//! are those that turn the direction of writing or have no width, with which a name could look like another one.

use std::fmt::Display;
use std::io::{Error, ErrorKind, Result, Write, stderr, stdout};

/// Prints a line on the standard output; it is dropped if the reader has closed the pipe.
///
/// # Errors
///
/// When it cannot be written for another reason, such as a full disk.
pub fn say(line: impl Display) -> Result<()> {
    match writeln!(stdout(), "{}", visible(line)) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Error::new(error.kind(), format!("cannot write to the standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Prints a line on the standard error; if that cannot be done, there is nowhere to say so.
pub fn note(line: impl Display) {
    let _ = writeln!(stderr(), "{}", visible(line));
}

/// Returns a number and the counted things: `1 run`, `2 runs`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the text without control characters other than line breaks and tabs, and without invisible ones.
fn visible(text: impl Display) -> String {
    let mut visible = String::new();
    for sign in text.to_string().chars() {
        let obeyed = sign.is_control() && !matches!(sign, '\n' | '\t');
        let is_hidden = matches!(sign, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
        match sign {
            _ if is_hidden => visible.extend(sign.escape_unicode()),
            _ if obeyed => visible.extend(sign.escape_debug()),
            _ => visible.push(sign),
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("a\tb\n\u{1b}[2J\u{9b}\rä"), "a\tb\n\\u{1b}[2J\\u{9b}\\rä");
        assert_eq!(visible("m\u{202e}ssa\0m\u{200b}"), "m\\u{202e}ssa\\0m\\u{200b}");
    }
}
