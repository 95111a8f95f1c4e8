//! `cargo xtask validate`, `simulate`, `sweep`, `fit` and `convert`: the commands that import FMUs or draw curves.
//!
//! The importer is a program of its own, which is compiled when it is needed: its libraries for plots and tables would
//! double the time until the first FMU is built.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use fmu_commands::import::verdict::Verdict;
use fmu_commands::import::{Import, Validate, ended, fmpy};

use crate::environment::Environment;
use crate::programs::{compiled, pass_on};

/// Runs a command of the importer with the arguments of this program, which are the same.
pub fn import(command: &Import) -> anyhow::Result<()> {
    if let Some(file) = command.file() {
        // Before the importer is compiled, which takes long.
        fs_err::File::open(file)?;
    }
    if let Import::Validate(arguments) = command {
        return validate(arguments);
    }
    pass_on(importer()?)
}

/// Checks FMUs by our own rules, with the `fmi` crate and with FMPy.
pub fn validate(arguments: &Validate) -> anyhow::Result<()> {
    let mut passed = match ended(importer()?.args(arguments.of_files(&arguments.files)))? {
        0 => true,
        1 => false,
        usage => std::process::exit(usage),
    };
    // What cannot be opened or read has been said by now, and is given to no importer of others.
    let safe = arguments.safe_files();
    if !safe.is_empty() {
        let environment = Environment::prepare(crate::paths::root())?;
        let by_fmi = by_fmi(&environment)?;
        for file in &safe {
            let verdict = verdict(Command::new(by_fmi.get_program()), arguments.limit.timeout(), file)?;
            let ran = (!verdict.ran.is_empty()).then(|| format!("the fmi crate ran {}", verdict.ran.join(" and ")));
            verdict.tell(arguments.json, "fmi crate", ran)?;
            passed &= verdict.problems.is_empty();
        }
        passed &= fmpy::validate(environment.python(), &safe, arguments.json)?.context("there is no FMPy")?;
    }
    if !passed {
        bail!("there are problems, see above");
    }
    Ok(())
}

/// What the `fmi` crate finds, in a process of its own, which the FMU may end; what the FMU prints goes to the standard error.
pub fn verdict(mut by_fmi: Command, limit: Duration, file: &Path) -> anyhow::Result<Verdict> {
    let folder = tempfile::tempdir()?;
    let told = folder.path().join("verdict");
    // What is unpacked goes with it, however the process ends.
    by_fmi.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path()))).arg(limit.as_secs_f64().to_string());
    let status = by_fmi.arg(&told).arg(file).stdout(std::io::stderr()).status();
    let status = status.with_context(|| format!("cannot run {}", by_fmi.get_program().display()))?;
    let verdict = fs_err::read(told).ok().and_then(|verdict| serde_json::from_slice(&verdict).ok());
    Ok(verdict.unwrap_or_else(|| {
        Verdict::of_errors(file, "fmi crate", [format!("the FMU terminated the process ({status})")])
    }))
}

/// The importer, to which the caller adds arguments.
pub fn importer() -> anyhow::Result<Command> {
    compiled("fmu-importer", None)
}

/// The program that runs FMUs by the `fmi` crate, to which the caller adds files.
pub fn by_fmi(environment: &Environment) -> anyhow::Result<Command> {
    compiled("by-fmi", Some(environment))
}

/// Whether a command succeeded; an error if it crashed, since then it has not printed one.
pub fn run(command: &mut Command) -> anyhow::Result<bool> {
    Ok(ended(command)? == 0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_verdict_where_the_program_crashes_or_prints_something() {
        let found = |script: &str| {
            let mut shell = Command::new("sh");
            // Then the arguments are $0, $1 and $2.
            shell.args(["-c", script]);
            let verdict = verdict(shell, Duration::from_secs(1), Path::new("a.fmu")).unwrap();
            let texts: Vec<_> = verdict.problems.into_iter().map(|problem| problem.text).collect();
            (verdict.file, verdict.by, texts)
        };
        let expected = |texts: &[&str]| {
            (
                "a.fmu".to_owned(),
                "fmi crate".to_owned(),
                texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(),
            )
        };
        for (script, how) in [("echo begun; kill -9 $$", "signal: 9 (SIGKILL)"), ("exit 0", "exit status: 0")] {
            assert_eq!(found(script), expected(&[&format!("the FMU terminated the process ({how})")]));
        }
        let line = r#"{\"file\":\"$2\",\"by\":\"fmi crate\",\"problems\":[]}"#;
        assert_eq!(found(&format!("printf '{{'; echo \"{line}\" > $1")), expected(&[]));
    }
}
