//! FMI versions and their log categories, and limits of our FMUs.

use std::ffi::CStr;

/// The version of the standard for which an instance was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// FMI 2.0.
    Fmi2,
    /// FMI 3.0.
    Fmi3,
}

/// The log categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Warnings.
    Warning,
    /// Calls that were discarded.
    Discard,
    /// Calls that failed.
    Error,
}

impl Category {
    /// All categories with their descriptions, in the order of `LogCategories`.
    pub const ALL: [(Self, &CStr, &str); 3] = [
        (Self::Warning, c"logStatusWarning", "What is questionable while the call returns fmi2OK"),
        (Self::Discard, c"logStatusDiscard", "Why a call returned fmi2Discard"),
        (Self::Error, c"logStatusError", "Why a call returned fmi2Error"),
    ];

    /// Returns the name of the category.
    pub fn name(self) -> &'static CStr {
        Self::ALL[self as usize].1
    }
}

/// The highest order of `fmi2GetRealOutputDerivatives`.
pub const MAX_OUTPUT_DERIVATIVE_ORDER: i32 = 1;

/// The largest number of rows of a table.
pub const MAX_ROWS: u64 = 1_000_000;
