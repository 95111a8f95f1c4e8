//! `cargo xtask validate`, `simulate`, `sweep` and `fit`: the commands that import FMUs or draw curves.
//!
//! The importer is a program of its own, which is compiled when it is needed: its libraries for plots and tables would
//! double the time until the first FMU is built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use fmu_builder::Archive;
use fmu_builder::console::{note, say};

use crate::compile::programs::program;
use crate::environment::Environment;

/// The options of `validate`, which the importer reads.
#[derive(clap::Args, Default)]
pub struct ValidateOptions {
    /// Fail at warnings and matters of style, too
    #[arg(long)]
    strict: bool,
    /// Longest time that a single call into the FMU may take, in s; 60 by default
    #[arg(long, value_name = "T")]
    timeout: Option<String>,
}

/// Checks FMUs by our own rules, with the `fmi` crate and with FMPy.
pub fn validate(files: &[PathBuf], options: &ValidateOptions) -> anyhow::Result<()> {
    if let [file] = files {
        expect_file(file)?;
    }
    let mut command = importer()?;
    command.arg("validate").args(options.strict.then_some("--strict"));
    command.args(options.timeout.iter().map(|timeout| format!("--timeout={timeout}")));
    let mut passed = match ended(command.arg("--").args(files))? {
        0 => true,
        1 => false,
        usage => std::process::exit(usage),
    };
    // What cannot be opened or read has been said by now, and is given to no importer of others.
    let safe = |file: &&PathBuf| Archive::open(file).is_ok_and(|archive| archive.has_safe_description());
    let safe: Vec<_> = files.iter().filter(safe).collect();
    if !safe.is_empty() {
        let environment = Environment::prepare(crate::paths::root())?;
        passed &= run(by_fmi(&environment)?.args(&safe))?;
        for file in safe {
            passed &= fmpy(&environment, file)?;
        }
    }
    if !passed {
        bail!("there are problems, see above");
    }
    Ok(())
}

/// Runs a command of the importer on a file, which reads the arguments itself.
pub fn hand_over(command: &str, arguments: &[String]) -> anyhow::Result<()> {
    if let Some(file) = arguments.first().filter(|argument| !argument.starts_with('-')) {
        expect_file(Path::new(file))?;
    }
    pass_on(command, arguments)
}

/// Runs a command of the importer.
pub fn pass_on(command: &str, arguments: &[String]) -> anyhow::Result<()> {
    match ended(importer()?.arg(command).args(arguments))? {
        0 => Ok(()),
        code => std::process::exit(code),
    }
}

/// The importer, to which the caller adds arguments.
pub fn importer() -> anyhow::Result<Command> {
    compiled("fmu-importer", None)
}

/// The program that runs FMUs by the `fmi` crate, to which the caller adds files.
pub fn by_fmi(environment: &Environment) -> anyhow::Result<Command> {
    compiled("by-fmi", Some(environment))
}

fn compiled(name: &str, environment: Option<&Environment>) -> anyhow::Result<Command> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // Cargo puts it beside this program.
    if !std::env::current_exe().is_ok_and(|program| program.with_file_name(file).exists()) {
        note(format_args!("compiling {name} (only the first time)"));
    }
    Ok(Command::new(program("bin", name, environment)?))
}

/// An error if a file cannot be opened, before the importer is compiled, which takes long.
fn expect_file(file: &Path) -> anyhow::Result<()> {
    fs_err::File::open(file)?;
    Ok(())
}

/// Prints the problems that FMPy finds.
fn fmpy(environment: &Environment, file: &Path) -> anyhow::Result<bool> {
    let script = "import sys, fmpy.validation\n\
        try: problems = fmpy.validation.validate_fmu(sys.argv[1])\n\
        except Exception as error: problems = [f'cannot read it: {error}']\n\
        name = sys.argv[1].replace('\\\\', '/').split('/')[-1]\n\
        [print(f'{name}: FMPy: {problem}') for problem in problems]\n\
        print(f'{name}: FMPy {fmpy.__version__}: {len(problems) or \"no\"} problem' + 's' * (len(problems) != 1))\n\
        sys.exit(len(problems) > 0)";
    let mut command = Command::new(environment.python());
    let output = command.args(["-c", script]).arg(file).stderr(Stdio::inherit()).output();
    let output = output.context("cannot run Python")?;
    say(String::from_utf8_lossy(&output.stdout).trim_end())?;
    Ok(output.status.success())
}

/// Whether a command succeeded; an error if it crashed, since then it has not printed one.
pub fn run(command: &mut Command) -> anyhow::Result<bool> {
    Ok(ended(command)? == 0)
}

/// The exit status of a command; an error if it crashed.
fn ended(command: &mut Command) -> anyhow::Result<i32> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    status.code().with_context(|| format!("{} ended by {status}", command.get_program().display()))
}
