//! Commands whose messages are shown while they run and kept for the report.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// Runs a command that must succeed; returns its standard output. The standard error is passed on at once, and its last
/// lines are in the error.
pub fn run(command: &mut Command) -> Result<Vec<u8>> {
    let program = command.get_program().to_owned();
    command.current_dir(xtask::paths::root()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
    let (mut out, mut err) = (child.stdout.take().context("a pipe")?, child.stderr.take().context("a pipe")?);
    let (said, noted) = thread::scope(|scope| {
        let noted = scope.spawn(|| pass_on(&mut err));
        let mut said = Vec::new();
        out.read_to_end(&mut said).map(|_| (said, noted.join().expect("a thread that does not panic")))
    })?;
    let status = child.wait()?;
    if !status.success() {
        bail!("{status}\n{}", last_lines(&(String::from_utf8_lossy(&said).into_owned() + &noted)));
    }
    Ok(said)
}

/// Copies to the standard error until the end; returns all of it.
fn pass_on(from: &mut impl Read) -> String {
    let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let _ = std::io::stderr().write_all(&buffer[..count]);
        all.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// Returns the end of a text, enough to see what went wrong.
pub fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}
