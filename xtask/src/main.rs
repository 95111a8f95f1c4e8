//! `cargo xtask`: builds, describes, checks and simulates FMUs.

mod commands;

use std::fmt::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use fmu_commands::examples::with_examples;
use xtask::components::PROGRAM;
use xtask::programs::{MAINTAIN, compiled, exit_status, pass_on, remove_drafts_at_interrupt};

/// Turns mechanical components into FMUs.
#[derive(Parser)]
#[command(bin_name = PROGRAM)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

/// Returns the program, whose help has a list of commands for each kind of reader.
fn program() -> clap::Command {
    let command = Arguments::command();
    let mut lists = "Commands:\n".to_owned();
    for own in command.get_subcommands() {
        let _ = writeln!(lists, "  {:13} {}", own.get_name(), own.get_about().cloned().unwrap_or_default());
    }
    lists += "\nCommands for maintainers:\n";
    for (name, about) in MAINTAIN {
        let _ = writeln!(lists, "  {name:13} {about}");
    }
    let template = format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{lists}\n{{options}}");
    // A misspelt name of these is corrected like the others.
    let maintain = MAINTAIN.map(|(name, _)| clap::Command::new(name));
    with_examples(command, PROGRAM).subcommands(maintain).help_template(template)
}

/// True if the command is one for maintainers, or asks for the help of one.
fn is_for_maintainers() -> bool {
    let mut words = std::env::args_os().skip(1).skip_while(|word| word == "help");
    words.next().is_some_and(|word| MAINTAIN.iter().any(|(name, _)| word == *name))
}

fn main() -> ExitCode {
    remove_drafts_at_interrupt();
    exit_status(if is_for_maintainers() {
        compiled("xtask-maintain", None).and_then(pass_on)
    } else {
        let arguments = Arguments::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit());
        arguments.command.run()
    })
}
