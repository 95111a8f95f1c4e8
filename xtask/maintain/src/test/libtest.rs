//! Rust's test programs: compiled by cargo, run side by side, their output read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::Message;

use super::process::{self, last_lines};
use crate::checks::Check;

/// Beginning of the reason for which tests are ignored that are run by `cargo xtask test --all` and `--rest` only.
const EXPENSIVE: &str = "expensive: ";

/// Name of the variable by which tests take all structures and all of their random cases.
const ALL: &str = "TEST_ALL";

/// Selection of the tests to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cases {
    /// Tests that are not expensive, in the ordinary number of cases.
    Usual,
    /// All tests, in all cases.
    All,
    /// The tests and cases that `All` adds to `Usual`.
    Rest,
}

/// A compiled test program.
pub struct Program {
    /// Names of the package and of the target.
    name: String,
    path: PathBuf,
    /// Folder of the package, where tests expect to run.
    folder: PathBuf,
}

/// Compiles the test programs that a command of cargo names.
pub fn compile(command: &mut Command) -> Result<Vec<Program>> {
    let output = process::run(command.args(["--no-run", "--message-format=json-render-diagnostics"]))?;
    let mut programs = Vec::new();
    for message in Message::parse_stream(&output[..]) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        if let Some(path) = artifact.executable.filter(|_| artifact.profile.test) {
            let folder = artifact.manifest_path.parent().context("a manifest lies in a folder")?;
            let package = folder.file_name().unwrap_or_default();
            let target = artifact.target.name;
            let name = if package.replace('-', "_") == target { target } else { format!("{package}::{target}") };
            programs.push(Program { name, path: path.into(), folder: folder.into() });
        }
    }
    // Test programs of xtask, which compile for other platforms, take longest.
    programs.sort_by(|one, other| other.name.cmp(&one.name));
    Ok(programs)
}

impl Program {
    /// True if the number of cases follows from the variable, whose name is then in the program.
    fn asks_for_all(&self) -> Result<bool> {
        let content = fs_err::read(&self.path)?;
        Ok(String::from_utf8_lossy(&content).contains(ALL))
    }

    /// Returns the names of the package and of the target.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the tests.
    pub fn run(&self, cases: Cases, variables: &[(&str, OsString)]) -> Result<Vec<Check>> {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).envs(variables.iter().map(|(name, value)| (name, value)));
        if cases == Cases::Rest && !self.asks_for_all()? {
            command.arg("--ignored");
        } else if cases != Cases::Usual {
            command.arg("--include-ignored").env(ALL, "true");
        }
        let output = command.output().with_context(|| format!("cannot run {}", self.path.display()))?;
        let [said, noted] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let mut checks = read(&self.name, &said);
        checks.extend(skips(&self.name, &noted));
        let has_failure = checks.iter().any(Check::has_failed);
        if !output.status.success() && !has_failure {
            let message = format!("{}\n{}", output.status, last_lines(&(said + &noted)));
            checks.push(Check::failed(&self.name, message));
        }
        Ok(checks)
    }
}

/// Reads the outcomes of the tests that a program reports.
pub fn read(program: &str, said: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    for line in said.lines() {
        let Some((test, outcome)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) else {
            continue;
        };
        let name = format!("{program}::{test}");
        if outcome.starts_with("ok") {
            checks.push(Check::passed(name));
        } else if outcome.starts_with("FAILED") {
            checks.push(Check::failed(name, message_of(test, said)));
        } else if let Some(reason) = outcome.strip_prefix("ignored, ").filter(|reason| !reason.starts_with(EXPENSIVE)) {
            checks.push(Check::skipped(name, reason));
        }
    }
    checks
}

/// Returns the output of a failing test.
fn message_of<'a>(test: &str, said: &'a str) -> &'a str {
    let begin = format!("\n---- {test} stdout ----\n");
    let Some((_, rest)) = said.split_once(&begin) else { return "no message" };
    let end = rest.find("\n---- ").into_iter().chain(rest.find("\nfailures:\n")).min();
    rest[..end.unwrap_or(rest.len())].trim()
}

/// Returns the reasons of tests that leave something out, which they print past the test runner, on the standard error.
fn skips(program: &str, noted: &str) -> Vec<Check> {
    let reasons = noted.lines().filter_map(|line| line.strip_prefix("skipped: "));
    let mut checks: Vec<_> = reasons.map(|reason| Check::skipped(program, reason)).collect();
    checks.dedup();
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::Outcome;

    #[test]
    fn what_a_test_program_prints_is_read() {
        let said = "\nrunning 5 tests\n\
            test one ... ok\n\
            test throws - should panic ... ok\n\
            test parts::two ... FAILED\n\
            test three ... ignored, expensive: all structures\n\
            test four ... ignored, needs a printer\n\n\
            failures:\n\n\
            ---- parts::two stdout ----\n\
            \nthread 'parts::two' panicked at src/lib.rs:1:1:\nthree is not four\n\n\n\
            failures:\n    parts::two\n\n\
            test result: FAILED. 2 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out\n";
        let expected = [
            Check::passed("program::one"),
            Check::passed("program::throws - should panic"),
            Check::failed("program::parts::two", "thread 'parts::two' panicked at src/lib.rs:1:1:\nthree is not four"),
            Check::skipped("program::four", "needs a printer"),
        ];
        assert_eq!(read("program", said), expected);
    }

    #[test]
    fn programs_whose_cases_follow_from_the_variable_are_known() {
        let asks = |path: PathBuf| {
            Program { name: "program".to_owned(), path, folder: PathBuf::new() }.asks_for_all().unwrap()
        };
        assert!(asks(std::env::current_exe().unwrap()));
        assert!(!asks(xtask::paths::root().join("Cargo.toml")));
    }

    #[test]
    fn a_skipped_test_tells_its_reason_once() {
        let noted = "skipped: FMPy is not set up\nskipped: FMPy is not set up\nsomething else\n";
        let checks = skips("program", noted);
        assert_eq!(checks, [Check::skipped("program", "FMPy is not set up")]);
        assert!(matches!(&checks[0].outcome, Outcome::Skipped(_)));
    }
}
