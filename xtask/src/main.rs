//! `cargo xtask`: builds, describes, checks and simulates FMUs.

mod commands;

use std::fmt::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use fmu_builder::Destination;
use fmu_builder::console::note;
use fmu_commands::examples::with_examples;
use xtask_compile::components::PROGRAM;

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Turns mechanical components into FMUs.
#[derive(Parser)]
#[command(bin_name = PROGRAM)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    User(Box<commands::Command>),
    #[command(flatten)]
    Maintainer(xtask_maintain::Command),
}

/// The program, whose help has a list of commands for each kind of reader.
fn program() -> clap::Command {
    let mut lists = String::new();
    for (heading, commands) in [
        ("Commands", commands::Command::augment_subcommands(clap::Command::new(""))),
        ("Commands for maintainers", xtask_maintain::Command::augment_subcommands(clap::Command::new(""))),
    ] {
        let _ = writeln!(lists, "{heading}:");
        for command in commands.get_subcommands() {
            let about = command.get_about().cloned().unwrap_or_default();
            let _ = writeln!(lists, "  {:13} {about}", command.get_name());
        }
        lists.push('\n');
    }
    let command = with_examples(Arguments::command(), PROGRAM);
    let template = format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{lists}{{options}}");
    command.help_template(template)
}

fn main() -> ExitCode {
    // Without a handler, the next command removes the files left by Ctrl-C.
    let _ = ctrlc::set_handler(|| {
        Destination::remove_drafts();
        std::process::exit(INTERRUPTED);
    });
    let arguments = Arguments::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit());
    let result = match arguments.command {
        Command::User(command) => command.run(),
        Command::Maintainer(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Never with a backtrace: these are errors of the user, not of the program.
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
