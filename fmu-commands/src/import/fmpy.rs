//! What FMPy finds in FMUs, in a Python that has it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use fmu_builder::console::say;

use super::verdict::Verdict;

/// The exit status without FMPy.
const NONE: i32 = 3;

/// Prints the problems that FMPy finds, as JSON or not. Whether there are none; nothing if this Python has no FMPy.
///
/// # Errors
///
/// When Python cannot be run, or fails.
pub fn validate(python: &Path, files: &[PathBuf], json: bool) -> Result<Option<bool>> {
    let mut command = Command::new(python);
    command.args(["-c", include_str!("fmpy.py")]).args(files).env("PYTHONIOENCODING", "utf-8");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", python.display()))?;
    match output.status.code() {
        Some(0) => {}
        Some(NONE) => return Ok(None),
        _ => bail!("FMPy failed in {}: {}", python.display(), output.status),
    }
    let mut passed = true;
    for line in String::from_utf8(output.stdout)?.lines() {
        let verdict: Verdict = serde_json::from_str(line).context("FMPy's answer")?;
        passed &= verdict.problems.is_empty();
        if json {
            verdict.say()?;
            continue;
        }
        let name = Path::new(&verdict.file).file_name().unwrap_or_default().display().to_string();
        for problem in &verdict.problems {
            say(format_args!("{name}: FMPy: {}", problem.text))?;
        }
        say(match verdict.problems.len() {
            0 => format!("{name}: {}: no problems", verdict.by),
            1 => format!("{name}: {}: 1 problem", verdict.by),
            count => format!("{name}: {}: {count} problems", verdict.by),
        })?;
    }
    Ok(Some(passed))
}
