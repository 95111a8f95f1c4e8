//! The commands for maintainers of this project.

mod bench;
mod checklist;
mod checks;
mod conformance;
mod dask;
mod fuzz;
mod importers;
mod instructions;
mod libraries;
mod playground;
mod release;
mod robots;
mod sequences;
mod site;
mod size;
mod supply;
mod test;
mod users;
mod wheel;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use xtask::components::PROGRAM;
use xtask::programs::{MAINTAIN, exit_status, remove_drafts_at_interrupt};

/// Works on this project.
#[derive(Parser)]
#[command(bin_name = PROGRAM)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands of maintainers, described in [`MAINTAIN`].
#[derive(Subcommand)]
enum Command {
    Test(test::Arguments),
    Bench(bench::Arguments),
    Fuzz(fuzz::Arguments),
    Sequences(sequences::Arguments),
    Instructions(instructions::Arguments),
    Importers,
    Conformance,
    Size,
    Release(release::Arguments),
    Site,
    Wheel(wheel::Arguments),
    Playground(playground::Arguments),
}

impl Command {
    /// Runs the command.
    fn run(&self) -> Result<()> {
        match self {
            Self::Test(arguments) => test::test(arguments),
            Self::Bench(arguments) => bench::bench(arguments),
            Self::Fuzz(arguments) => fuzz::fuzz(arguments),
            Self::Sequences(arguments) => sequences::sequences(arguments),
            Self::Instructions(arguments) => instructions::instructions(arguments),
            Self::Importers => importers::write(),
            Self::Conformance => conformance::write(),
            Self::Size => size::write(),
            Self::Release(arguments) => release::release(arguments),
            Self::Site => site::write(playground::for_site(None)?.as_deref()),
            Self::Wheel(arguments) => wheel::wheel(arguments),
            Self::Playground(arguments) => playground::playground(arguments),
        }
    }
}

fn program() -> clap::Command {
    MAINTAIN.iter().fold(Arguments::command(), |program, (name, about)| {
        program.mut_subcommand(name, |command| command.about(*about))
    })
}

fn main() -> ExitCode {
    remove_drafts_at_interrupt();
    let arguments = Arguments::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit());
    exit_status(arguments.command.run())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_commands_are_in_the_help_of_cargo_xtask() {
        program().debug_assert();
        let program = program();
        let own: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(own, MAINTAIN.map(|(name, _)| name));
    }
}
