//! Checks that are left out where what they need is absent.

use std::fmt::Display;

use anyhow::{Result, bail};
use fmu_builder::console::say;

/// Says why a check is left out; in CI, which has everything, that is an error.
pub fn skip(reason: impl Display) -> Result<()> {
    if in_ci() {
        bail!("left out in CI: {reason}");
    }
    Ok(say(format_args!("skipped: {reason}"))?)
}

/// Whether `CI` is "true".
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
