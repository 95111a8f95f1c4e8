//! The programs of this workspace: `cargo xtask`, which is compiled first, and those that it compiles when they are needed.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use fmu_builder::Destination;
use fmu_builder::console::note;
use fmu_commands::import::ended;

use crate::cargo::cargo;
use crate::environment::Environment;

/// Names and descriptions of the commands of `cargo xtask` for maintainers of this project. A program of its own,
/// `xtask-maintain`, carries them out: the first FMU does not wait for it.
pub const MAINTAIN: [(&str, &str); 12] = [
    ("test", "Run the tests"),
    ("bench", "Measure calls, archives and exact events, compared with other tools"),
    ("fuzz", "Fuzz the C interface and the file readers"),
    ("sequences", "Call the finished libraries on many threads, under valgrind and the thread sanitizer"),
    ("instructions", "Count the instructions of calls and compare them with the saved counts"),
    ("importers", "Run the FMUs in other importers and update the table of docs/importers.md"),
    ("conformance", "Update docs/conformance.md, the rules of FMI and their tests"),
    ("size", "Update docs/size.md, the sizes of the parts of FMUs"),
    ("release", "Build the files of a release in target/release-files"),
    ("site", "Build the documentation as a website in target/site/html"),
    ("wheel", "Build the Python package, with the libraries of all components"),
    ("playground", "Build the page that makes and runs FMUs in a browser in target/playground"),
];

/// Exit status that a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Makes Ctrl-C remove the files that are not finished.
pub fn remove_drafts_at_interrupt() {
    // Without a handler, the next command removes them.
    let _ = ctrlc::set_handler(|| {
        Destination::remove_drafts();
        std::process::exit(INTERRUPTED);
    });
}

/// Returns the exit status of a program, and prints its error.
pub fn exit_status(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Never with a backtrace: these are errors of the user, not of the program.
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Arguments with which cargo reports the targets that it has built.
pub const FOR_PROGRAMS: [&str; 2] = ["--quiet", "--message-format=json-render-diagnostics"];

/// Compiles a program, a `bin` or `example`, with the features that all packages have together: those for which
/// tests are compiled. What contains the `fmi` crate needs the environment.
pub fn program(kind: &str, name: &str, environment: Option<&Environment>) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--workspace", &format!("--{kind}={name}")]).args(FOR_PROGRAMS);
    command.envs(environment.into_iter().flat_map(Environment::variables).map(|(name, value)| (name, value)));
    built(&mut command, name)
}

/// Returns the command of a program, to which the caller adds arguments.
pub fn compiled(name: &str, environment: Option<&Environment>) -> Result<Command> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // Cargo puts the program beside this one.
    if !std::env::current_exe().is_ok_and(|program| program.with_file_name(file).exists()) {
        note(format_args!("compiling {name} (only the first time)"));
    }
    Ok(Command::new(program("bin", name, environment)?))
}

/// Runs a program with the arguments of this one, which ends with its exit status unless all went well.
pub fn pass_on(mut command: Command) -> Result<()> {
    match ended(command.args(std::env::args_os().skip(1)))? {
        0 => Ok(()),
        code => std::process::exit(code),
    }
}

/// Returns the command `cargo xtask build`, to which the caller adds arguments.
pub fn build() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package=xtask", "--", "build"]).current_dir(crate::paths::root());
    command
}

/// Runs a cargo command; returns the program or the shared library of a target that it made.
pub fn built(command: &mut Command, name: &str) -> Result<PathBuf> {
    let output =
        command.current_dir(crate::paths::root()).stderr(Stdio::piped()).output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut built = None;
    for message in Message::parse_stream(&output.stdout[..]) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.name == name
        {
            let library = artifact.filenames.into_iter().find(|file| file.extension() == Some("so"));
            built = built.or(artifact.executable.or(library));
        }
    }
    Ok(built.with_context(|| format!("cargo built no {name}"))?.into())
}
