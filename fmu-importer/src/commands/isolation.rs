//! FMUs in a process of their own, since their code may end it, crash it, or never return.
//!
//! The command runs in a child process of the same program. The last thing that it does is to write its outcome
//! into a file, which the parent reports; a child that ends without that was ended by the FMU. One that does not end
//! after that, or is stopped by the FMU, is killed. Its temporary files are in a folder that the parent removes in any case. A child whose
//! parent was killed ends as well: the parent holds the lock of a file, which the child waits for.

use std::env;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, abort, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::watch;
use anyhow::{Context, Result};
use fmu_builder::Destination;
use fmu_commands::import::stopped::{self, PAUSE, StoppedTime};
use serde::{Deserialize, Serialize};

/// The environment variable that gives a child the folder.
const SCRATCH: &str = "FMU_IMPORTER_SCRATCH";
/// The file in which a child writes its outcome.
const OUTCOME: &str = "outcome";
/// The file of the messages of a child before its outcome, line by line.
const LINES: &str = "lines";
/// The file that names what a child is trying.
const TRYING: &str = "trying";
/// The file that is locked as long as the parent lives.
const PARENT: &str = "parent";
/// The exit status that a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: u8 = 130;
/// Number of pauses after which a child that was told to end, and has not, is killed.
const MAX_PAUSES: usize = 1_000;
/// The outcome of a command, or the error.
type Outcome = Result<Done, String>;

/// A command that has finished.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// True if the command succeeded.
    pub well: bool,
    /// Text for the parent, separate from the output of the FMU.
    pub text: Option<String>,
}

/// The end of a child.
pub enum Termination {
    /// The child has finished.
    Regular(Done),
    /// The child has failed, for this reason.
    Failed(String),
    /// The FMU has ended or stopped the child, as a sentence says.
    ByFmu(String),
    /// The user has interrupted the child.
    Interrupted,
}

/// A child that has ended.
pub struct Ended {
    /// The way in which the child ended.
    pub end: Termination,
    /// Messages of the child before that.
    pub lines: Vec<String>,
}

impl Termination {
    /// Returns the exit status of the command.
    pub fn status(&self) -> u8 {
        match self {
            Self::Regular(Done { well, .. }) => u8::from(!well),
            Self::Failed(_) | Self::ByFmu(_) => 1,
            Self::Interrupted => INTERRUPTED,
        }
    }

    /// Returns the problem that the child could not report itself, as a sentence.
    pub fn problem(&self) -> Option<String> {
        match self {
            Self::Failed(reason) | Self::ByFmu(reason) => Some(reason.clone()),
            Self::Regular(_) | Self::Interrupted => None,
        }
    }
}

/// Returns the folder that the parent gave, in a child.
pub fn scratch() -> Option<PathBuf> {
    env::var_os(SCRATCH).map(PathBuf::from)
}

/// Writes a line, in a child, that the parent gets even if the FMU ends the process.
pub fn line(text: &str) {
    let file = scratch().map(|folder| fs_err::OpenOptions::new().create(true).append(true).open(folder.join(LINES)));
    // Without the file, the parent gets no line.
    let _ = file.map(|file| file.and_then(|mut file| file.write_all(format!("{text}\n").as_bytes())));
}

/// Notes, in a child, what it tries next, in case the FMU ends the process; empty for nothing in particular.
pub fn trying(what: &str) {
    let _ = scratch().map(|folder| fs_err::write(folder.join(TRYING), what));
}

/// Runs this program once more and waits for its end, after its outcome no longer than the limit, nor while it is
/// stopped. With `apart`, the output of the FMU goes to the standard error.
pub fn run(command: &mut Command, limit: Duration, apart: bool) -> Result<Ended> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Only the first child of several sets the handler.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let folder = tempfile::Builder::new().prefix("importer-").tempdir().context("cannot make a temporary folder")?;
    let alive = File::create(folder.path().join(PARENT)).context("cannot make a temporary file")?;
    // Where files cannot be locked, a child would take its parent for dead.
    let locks = alive.lock().is_ok();
    // Programs find the folder of temporary files by these variables.
    let temporary = ["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path()));
    command.env(SCRATCH, folder.path()).envs(temporary);
    if !locks {
        fs_err::remove_file(folder.path().join(PARENT))?;
    }
    if apart {
        command.stdout(std::io::stderr());
    }
    let child = command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let outcome = folder.path().join(OUTCOME);
    let how = wait(child, alive, &interrupted, &outcome, limit)?;
    let read = |name: &str| fs_err::read_to_string(folder.path().join(name)).unwrap_or_default();
    let lines = read(LINES).lines().map(str::to_owned).collect();
    let outcome = fs_err::read(outcome).ok();
    let outcome = outcome.and_then(|outcome| serde_json::from_slice::<Outcome>(&outcome).ok());
    let end = match (how, outcome) {
        (ProcessEnd::Interrupted, _) => Termination::Interrupted,
        (_, Some(Ok(done))) => Termination::Regular(done),
        (_, Some(Err(reason))) => Termination::Failed(reason),
        (how, None) => {
            let how = match how {
                ProcessEnd::Status(status) => format!("the FMU terminated the process ({status})"),
                _ => stopped::problem(limit),
            };
            let tried = Some(read(TRYING)).filter(|tried| !tried.is_empty());
            Termination::ByFmu(how + &tried.map(|tried| format!(" when {tried} was tried")).unwrap_or_default())
        }
    };
    Ok(Ended { end, lines })
}

/// The end of the process of a child.
enum ProcessEnd {
    Status(ExitStatus),
    /// The child was stopped for too long, and killed.
    Stopped,
    Interrupted,
}

fn wait(
    mut child: Child,
    alive: File,
    interrupted: &AtomicBool,
    outcome: &Path,
    limit: Duration,
) -> Result<ProcessEnd> {
    let mut told = None;
    let mut stopped = StoppedTime::default();
    while !interrupted.load(Ordering::Relaxed) {
        if let Some(status) = child.try_wait()? {
            return Ok(ProcessEnd::Status(status));
        }
        if stopped.exceeds(&child, limit) {
            child.kill()?;
            child.wait()?;
            return Ok(ProcessEnd::Stopped);
        }
        // Code of the FMU may run when the process exits.
        if told.is_none() && outcome.exists() {
            told = Some(Instant::now());
        }
        if told.is_some_and(|told| told.elapsed() > limit) {
            child.kill()?;
            return Ok(ProcessEnd::Status(child.wait()?));
        }
        sleep(PAUSE);
    }
    // The child takes the dropped lock for the parent's end, and cleans up.
    drop(alive);
    for _ in 0..MAX_PAUSES {
        if child.try_wait()?.is_some() {
            return Ok(ProcessEnd::Interrupted);
        }
        sleep(PAUSE);
    }
    let _ = child.kill();
    child.wait()?;
    Ok(ProcessEnd::Interrupted)
}

/// Runs the command in a child, with a limit on each call into the FMU, and writes its outcome for the parent.
pub fn child(folder: PathBuf, limit: Duration, command: impl FnOnce() -> Result<Done>) -> u8 {
    let orphaned = folder.clone();
    thread::spawn(move || {
        if let Ok(parent) = File::open(orphaned.join(PARENT))
            && parent.lock().is_ok()
        {
            leave(&orphaned);
        }
    });
    let place = folder.clone();
    // Ctrl-C in a terminal reaches both processes.
    let _ = ctrlc::set_handler(move || leave(&place));
    let place = folder.clone();
    watch::start(limit, move |call| {
        write_outcome(&place, &Err(format!("{call} has not returned after {} s", limit.as_secs_f64())));
        abort();
    });
    let outcome = command().map_err(|error| format!("{error:#}"));
    write_outcome(&folder, &outcome);
    u8::from(!outcome.is_ok_and(|done| done.well))
}

/// Removes all temporary files and ends the process.
fn leave(folder: &Path) {
    // An instance whose resources go would fail, or go on without them, and a sweep would keep its results.
    watch::halt();
    Destination::remove_drafts();
    // Files that cannot be removed stay.
    let _ = fs_err::remove_dir_all(folder);
    exit(i32::from(INTERRUPTED));
}

/// Writes the outcome for the parent. The FMU may have closed open files; then the parent finds no outcome.
fn write_outcome(folder: &Path, outcome: &Outcome) {
    let _ = std::io::stdout().flush();
    let _ = serde_json::to_vec(outcome).map(|outcome| fs_err::write(folder.join(OUTCOME), outcome));
}
