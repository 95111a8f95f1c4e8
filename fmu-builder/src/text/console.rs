//! Writing to the console, whose reader may have gone: `… | head -1` is no failure.

use std::fmt::Display;
use std::io::{Error, ErrorKind, Result, Write, stderr, stdout};

/// Prints a line on the standard output; it is dropped if nobody reads any more.
///
/// # Errors
///
/// When it cannot be written for another reason, such as a full disk.
pub fn say(line: impl Display) -> Result<()> {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Error::new(error.kind(), format!("cannot write to the standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Prints a line on the standard error; if that cannot be done, there is nowhere to say so.
pub fn note(line: impl Display) {
    let _ = writeln!(stderr(), "{line}");
}
