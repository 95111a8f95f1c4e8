//! The commands.

mod convert;
mod destination;
mod driven;
mod fit;
mod isolation;
mod linearize;
mod notes;
mod simulate;
mod sweep;
mod table;
mod validate;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fmu_builder::console::note;
use fmu_commands::import::report::Report;
use fmu_commands::import::verdict::Verdict;
use fmu_commands::import::{Import, Simulate, Sweep, Validate};

use isolation::{Done, Termination};
pub(crate) use notes::Notes;
pub(crate) use table::input_table;

/// Carries out a command and returns the exit status: in a child process, the program `again` with the same
/// `arguments`, since the code of an FMU may end its process.
pub fn run(command: &Import, arguments: &[OsString], again: impl Fn() -> Command) -> u8 {
    let limit = match command {
        Import::Validate(Validate { limit, .. }) | Import::Simulate(Simulate { limit, .. }) => limit,
        Import::Sweep(Sweep { limit, .. }) => limit,
        Import::Linearize(options) => &options.limit,
        Import::Fit(options) if options.fit_file().is_some() => &options.limit,
        // These commands run no FMU.
        Import::Fit(_) | Import::Convert(_) => return status(carry_out(command).map(|_| 0)),
    };
    match isolation::scratch() {
        Some(folder) => isolation::child(folder, limit.timeout(), || carry_out(command)),
        None => status(supervise(command, arguments, again, limit.timeout())),
    }
}

/// Returns true if this process is the child in which a command is carried out.
pub fn is_child() -> bool {
    isolation::scratch().is_some()
}

/// Prints the error, if there is one, and returns the exit status.
fn status(status: anyhow::Result<u8>) -> u8 {
    status.unwrap_or_else(|error| {
        note(format_args!("error: {error:#}"));
        1
    })
}

/// Returns the verdict on one of the files of a validation, by a child process, the program `again`; nothing if the
/// user interrupted it.
pub fn verdict(options: &Validate, file: &Path, again: impl Fn() -> Command) -> Option<Verdict> {
    validate::verdict(options, file, again)
}

/// Runs the command, in the parent, in a child process, each file of a validation in one of its own.
fn supervise(
    command: &Import,
    arguments: &[OsString],
    again: impl Fn() -> Command,
    limit: Duration,
) -> anyhow::Result<u8> {
    let Import::Validate(options) = command else {
        let end = isolation::run(again().args(arguments), limit, false)?.end;
        if let Some(problem) = end.problem() {
            let of_fmu = command.file().filter(|_| matches!(end, Termination::ByFmu(_)));
            let place = of_fmu.map(|file| format!("{}: ", file.display())).unwrap_or_default();
            note(format_args!("error: {place}{problem}"));
        }
        return Ok(end.status());
    };
    let mut report = Report::new(options)?;
    for file in &options.files {
        match verdict(options, file, &again) {
            Some(verdict) => report.add(verdict)?,
            None => return Ok(Termination::Interrupted.status()),
        }
    }
    Ok(u8::from(!report.finish()?))
}

/// Carries out the command, in the child.
fn carry_out(command: &Import) -> anyhow::Result<Done> {
    let well = match command {
        Import::Validate(options) => return validate::run(&options.files[0]),
        Import::Simulate(options) => simulate::run(options).map(|()| true),
        Import::Sweep(options) => sweep::run(options),
        Import::Linearize(options) => linearize::run(options).map(|()| true),
        Import::Fit(options) => fit::run(options).map(|()| true),
        Import::Convert(options) => convert::run(options).map(|()| true),
    };
    Ok(Done { well: well?, text: None })
}
