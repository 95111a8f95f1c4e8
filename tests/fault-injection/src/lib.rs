//! Lets the file operations of a program fail one after the other, to check the files that it leaves behind.
//!
//! A tracer in C stops the program at each system call on a file below a folder. So it sees the calls of all
//! libraries, whether they go through the C library or not. It works on Linux on x86-64 only.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// What happens at a file operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Only this operation fails, with an input/output error.
    Once,
    /// The disk is full from this operation on: everything that writes fails.
    Full,
    /// The program is killed.
    Killed,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Once, Self::Full, Self::Killed];

    fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Full => "full",
            Self::Killed => "kill",
        }
    }
}

/// The result of a run.
pub struct Run {
    /// The system call with its path at which the fault was injected; none if there were fewer.
    pub place: Option<String>,
    /// Its exit status.
    pub output: Output,
}

/// The compiled tracer.
pub struct Tracer {
    folder: TempDir,
}

impl Tracer {
    /// Compiles the tracer; without a C compiler or the right to trace programs, says so and gives none.
    pub fn new() -> Option<Self> {
        match Self::compile() {
            Ok(tracer) => Some(tracer),
            Err(reason) => {
                // Past the test runner, which shows only what failing tests print.
                let _ = writeln!(std::io::stderr(), "skipped: {reason}");
                None
            }
        }
    }

    fn compile() -> Result<Self, String> {
        if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
            return Err("file operations are made to fail on Linux on x86-64 only".to_owned());
        }
        let tracer = Self { folder: tempfile::tempdir().map_err(|error| error.to_string())? };
        let source = tracer.folder.path().join("tracer.c");
        fs_err::write(&source, include_str!("tracer.c")).map_err(|error| error.to_string())?;
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut compile = Command::new(&compiler);
        compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-o"]).arg(tracer.program()).arg(source);
        let compiled = compile.output().map_err(|error| format!("{} cannot be run: {error}", compiler.display()))?;
        if !compiled.status.success() {
            return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
        }
        let tried = tracer.run(Path::new("/nowhere"), 1, Fault::Once, &Command::new("true"));
        if !tried.output.status.success() {
            return Err(format!("programs cannot be traced here: {:?}", tried.output.status));
        }
        Ok(tracer)
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("tracer")
    }

    /// Runs a program with a fault at an operation below a folder, counted from 1.
    ///
    /// # Panics
    ///
    /// When the tracer cannot be run.
    pub fn run(&self, folder: &Path, number: usize, fault: Fault, program: &Command) -> Run {
        let report = self.folder.path().join("report");
        let folder = fs_err::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let mut command = Command::new(self.program());
        command.arg(folder).arg(number.to_string()).arg(fault.word()).arg(&report);
        command.arg(program.get_program()).args(program.get_args());
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = program.get_current_dir() {
            command.current_dir(folder);
        }
        let output = command.output().expect("the tracer can be run");
        let place = fs_err::read_to_string(report).expect("the tracer writes a report");
        Run { place: (!place.is_empty()).then_some(place), output }
    }

    /// Runs a program with a fault at its first operation below a folder, then at its second, and so on until
    /// there are no more. `program` prepares each run, `look` checks it; returns the number of faults.
    pub fn everywhere(
        &self,
        folder: &Path,
        fault: Fault,
        mut program: impl FnMut() -> Command,
        mut look: impl FnMut(&Run),
    ) -> usize {
        for number in 1.. {
            let run = self.run(folder, number, fault, &program());
            look(&run);
            if run.place.is_none() {
                return number - 1;
            }
        }
        unreachable!()
    }
}

/// The files below a folder with their contents, by their paths relative to it; folders by their paths, with a slash.
///
/// # Panics
///
/// When they cannot be read.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs_err::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below it").display().to_string();
            if path.is_dir() {
                found.insert(name + "/", Vec::new());
                folders.push(path);
            } else {
                found.insert(name, fs_err::read(&path).expect("a file"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_fails_once() {
        let Some(tracer) = Tracer::new() else { return };
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs_err::write(&from, "content").unwrap();
        let copy = || {
            let mut copy = Command::new("cp");
            copy.arg(&from).arg(&to);
            copy
        };
        for fault in Fault::ALL {
            let mut failures = 0;
            let mut places = Vec::new();
            let faults = tracer.everywhere(folder.path(), fault, copy, |run| {
                failures += usize::from(!run.output.status.success());
                places.extend(run.place.clone());
                if run.place.is_none() {
                    assert!(run.output.status.success());
                    assert_eq!(fs_err::read(&to).unwrap(), b"content");
                } else if fault == Fault::Killed {
                    assert_eq!(run.output.status.code(), Some(128 + 9));
                }
                let _ = fs_err::remove_file(&to);
            });
            assert!(faults >= 4 && failures >= 2, "{fault:?}: {failures} failures of {places:?}");
            assert!(places.iter().any(|place| place == &format!("openat {}", to.display())), "{places:?}");
        }
        assert!(!to.exists());
        let elsewhere = tempfile::tempdir().unwrap();
        assert_eq!(tracer.everywhere(elsewhere.path(), Fault::Once, copy, |_| ()), 0);
        assert_eq!(contents(folder.path()).keys().collect::<Vec<_>>(), ["from", "to"]);
    }
}
