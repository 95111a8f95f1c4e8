//! Calls that fail, with the FMU's own messages.

use std::fmt;

use c_interface::Status;

/// A call that the FMU did not carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Name of the C function.
    pub call: &'static str,
    /// Status that it returned.
    pub status: Status,
    /// Reason that the FMU gave.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { call, status, reason } = self;
        let standard = if call.starts_with("fmi3") { "fmi3" } else { "fmi2" };
        match status {
            Status::Ok if call.contains("Instantiate") => write!(f, "{call} returned no instance: {reason}"),
            Status::Ok | Status::Warning => write!(f, "{call}: {reason}"),
            Status::Discard => write!(f, "{call} returned {standard}Discard: {reason}"),
            Status::Error => write!(f, "{call} returned {standard}Error: {reason}"),
            Status::Fatal => write!(f, "{call} returned {standard}Fatal: {reason}"),
            Status::Pending => write!(f, "{call} returned fmi2Pending, although steps are synchronous: {reason}"),
            Status::Unknown => write!(f, "{call} returned an unknown status: {reason}"),
            Status::Missing => write!(f, "the library has no {call}"),
        }
    }
}

impl std::error::Error for Failure {}

pub(super) type Done<T = ()> = Result<T, Failure>;

/// Names of a function, in FMI 2.0 and in FMI 3.0.
pub(super) type Names = [&'static str; 2];
