//! `cargo xtask validate`, `simulate`, `sweep` and `fit`: the commands that import FMUs or draw curves.
//!
//! The importer is a program of its own, which is compiled when it is needed: its libraries for plots and tables would
//! double the time until the first FMU is built.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use fmu_builder::console::note;
use fmu_commands::import::{Import, Validate, ended, fmpy};

use crate::compile::programs::program;
use crate::environment::Environment;

/// Runs a command of the importer with the arguments of this program, which are the same.
pub fn import(command: &Import) -> anyhow::Result<()> {
    if let Some(file) = command.file() {
        expect_file(file)?;
    }
    if let Import::Validate(arguments) = command {
        return validate(arguments);
    }
    match ended(importer()?.args(std::env::args_os().skip(1)))? {
        0 => Ok(()),
        code => std::process::exit(code),
    }
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
        let json = arguments.json.then_some("--json");
        passed &= run(by_fmi(&environment)?.args(json).args(&safe))?;
        passed &= fmpy::validate(environment.python(), &safe, arguments.json)?.context("there is no FMPy")?;
    }
    if !passed {
        bail!("there are problems, see above");
    }
    Ok(())
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

/// Whether a command succeeded; an error if it crashed, since then it has not printed one.
pub fn run(command: &mut Command) -> anyhow::Result<bool> {
    Ok(ended(command)? == 0)
}
