//! `cargo xtask validate`, `simulate`, `sweep`, `linearize`, `fit` and `convert`: the commands that import FMUs or draw curves.
//!
//! The importer is a program of its own, which is compiled when it is needed: its libraries for plots and tables would
//! double the time until the first FMU is built.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use fmu_commands::import::report::Report;
use fmu_commands::import::verdict::{FMI_CRATE, NOTE, Verdict};
use fmu_commands::import::{Import, Validate, ended, fmpy, stopped};

use crate::environment::Environment;
use crate::programs::{compiled, pass_on};

/// Runs a command of the importer with the arguments of this program.
pub fn import(command: &Import) -> anyhow::Result<()> {
    if let Some(file) = command.file() {
        // Checked before the importer is compiled, which takes long.
        fs_err::File::open(file)?;
    }
    if let Import::Validate(arguments) = command {
        return validate(arguments);
    }
    pass_on(importer()?)
}

/// Checks FMUs by our own rules, with the `fmi` crate and with FMPy.
pub fn validate(arguments: &Validate) -> anyhow::Result<()> {
    let mut report = Report::new(arguments)?;
    let importer = importer()?;
    // A file that cannot be opened or read is given to no importer of others.
    let safe = arguments.safe_files();
    // These are compiled after the first verdict of ours, since it takes long.
    let mut others = None;
    for file in &arguments.files {
        report.add(own_verdict(&importer, arguments, file)?)?;
        if safe.contains(file) {
            let others = match &mut others {
                Some(others) => others,
                none => none.insert(Others::prepare(&safe)?),
            };
            let mut fmi_crate = verdict(Command::new(&others.fmi_crate), arguments.limit.timeout(), file)?;
            // An FMU that ran in our importer and not at all in the crate is limited by the crate.
            if fmi_crate.ran.is_empty() {
                fmi_crate.problems.iter_mut().for_each(|problem| problem.severity = NOTE.to_owned());
            }
            report.add(fmi_crate)?;
            let name = file.display().to_string();
            others
                .fmpy
                .iter()
                .filter(|verdict| verdict.file == name)
                .try_for_each(|verdict| report.add(verdict.clone()))?;
        }
    }
    if !report.finish()? {
        bail!("there are problems, see above");
    }
    Ok(())
}

/// The importers of others: the `fmi` crate and FMPy.
struct Others {
    fmi_crate: OsString,
    /// The verdicts of FMPy, which does not run FMUs.
    fmpy: Vec<Verdict>,
}

impl Others {
    fn prepare(files: &[PathBuf]) -> anyhow::Result<Self> {
        let environment = Environment::prepare(crate::paths::root())?;
        let fmi_crate = fmi_crate(&environment)?.get_program().to_owned();
        let fmpy = fmpy::validate(environment.python(), files)?.context("there is no FMPy")?;
        Ok(Self { fmi_crate, fmpy })
    }
}

/// Returns the verdict of our own importer, which prints it.
fn own_verdict(importer: &Command, arguments: &Validate, file: &Path) -> anyhow::Result<Verdict> {
    let mut importer = Command::new(importer.get_program());
    let output = importer.args(arguments.of_file(file)).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", importer.get_program().display()))?;
    match output.status.code() {
        Some(0 | 1) => serde_json::from_slice(&output.stdout).context("the importer has given no verdict"),
        Some(interrupted) => std::process::exit(interrupted),
        None => bail!("{} ended by {}", importer.get_program().display(), output.status),
    }
}

/// Validates a file by the `fmi` crate, in a process of its own, which the FMU may end; output of the FMU goes to the
/// standard error.
pub fn verdict(mut fmi_crate: Command, limit: Duration, file: &Path) -> anyhow::Result<Verdict> {
    let folder = tempfile::tempdir()?;
    let told = folder.path().join("verdict");
    // Unpacked files are removed with the folder, however the process ends.
    fmi_crate.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path()))).arg(limit.as_secs_f64().to_string());
    let child = fmi_crate.arg(&told).arg(file).stdout(std::io::stderr()).spawn();
    let mut child = child.with_context(|| format!("cannot run {}", fmi_crate.get_program().display()))?;
    let status = stopped::wait(&mut child, limit)?;
    let verdict = fs_err::read(told).ok().and_then(|verdict| serde_json::from_slice(&verdict).ok());
    Ok(verdict.unwrap_or_else(|| {
        let terminated = status.map(|status| format!("the FMU terminated the process ({status})"));
        Verdict::of_errors(file, FMI_CRATE, [terminated.unwrap_or_else(|| stopped::problem(limit))])
    }))
}

/// Returns the importer, to which the caller adds arguments.
pub fn importer() -> anyhow::Result<Command> {
    compiled("fmu-importer", None)
}

/// Returns the program that runs FMUs by the `fmi` crate, to which the caller adds files.
pub fn fmi_crate(environment: &Environment) -> anyhow::Result<Command> {
    compiled("fmi-crate", Some(environment))
}

/// Runs a command and returns true if it succeeded; an error if it crashed, since then it has not printed one.
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
