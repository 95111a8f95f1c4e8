//! `cargo xtask sequences`: calls in many orders, watched by valgrind and ThreadSanitizer.
//!
//! The program `tests/sequences` makes the calls and compares the results. Here it is run on the
//! finished libraries, and compiled with ThreadSanitizer together with the sample's library.

pub mod thread_sanitizer;
pub mod unpacked;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use fmu_builder::console::say;
use rayon::prelude::*;

use crate::checks::{Check, conclude};
use thread_sanitizer::ThreadSanitizer;
use unpacked::Unpacked;
use xtask::programs::program;

/// Arguments of `cargo xtask sequences`.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// The checks to run; all of them if none is given
    #[arg(value_name = "CHECK")]
    checks: Vec<SequenceCheck>,
}

/// The checks.
#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum SequenceCheck {
    /// ThreadSanitizer: data races of 8 threads with 100 instances each
    Thread,
    /// Memory growth of the process over 100 000 instances of each component
    Memory,
    /// valgrind's memcheck: invalid access, undefined values and leaks in the finished libraries
    Valgrind,
    /// No invalid operation, division by zero or overflow in components and examples, even if its result is not used
    Traps,
    /// Same results from 8 threads with 100 instances each as from one thread, and from FMI 3.0 as from FMI 2.0
    Results,
}

/// Name of a deliberate error of `tests/sequences/src/flaws.rs`, and a part of the expected report.
type Flaw = (&'static str, &'static str);

/// Runs the requested checks and prints a summary.
pub fn sequences(arguments: &Arguments) -> Result<()> {
    conclude(check(arguments)?)
}

/// Runs the requested checks, the longest first.
pub fn check(arguments: &Arguments) -> Result<Vec<Check>> {
    let checks = if arguments.checks.is_empty() { SequenceCheck::value_variants() } else { &arguments.checks };
    let fmus = unpacked::all()?;
    let program = program("bin", "sequences", None)?;
    let outcomes: Vec<(SequenceCheck, f64, Result<Outcome>)> = checks
        .par_iter()
        .with_max_len(1)
        .map(|check| {
            let start = Instant::now();
            let outcome = check.run(&program, &fmus);
            (*check, start.elapsed().as_secs_f64(), outcome)
        })
        .collect();
    let check = |(check, seconds, outcome): (SequenceCheck, f64, Result<Outcome>)| {
        let value = check.to_possible_value().expect("a name");
        let name = value.get_name();
        Ok(match outcome {
            Ok(Outcome::Passed(what)) => {
                say(format_args!("{name}: {what} ({seconds:.0} s)"))?;
                Check::passed(name)
            }
            Ok(Outcome::Skipped(why)) => Check::skipped(name, why),
            Err(error) => Check::failed(name, format_args!("{error:#}")),
        })
    };
    outcomes.into_iter().map(check).collect()
}

/// Outcome of a check, with a description.
enum Outcome {
    Passed(String),
    /// The check cannot be run here, for this reason.
    Skipped(String),
}

impl SequenceCheck {
    fn run(self, program: &Path, fmus: &[Unpacked]) -> Result<Outcome> {
        let plain = || {
            let mut command = Command::new(program);
            command.env("RUST_BACKTRACE", "0");
            command
        };
        match self {
            Self::Results => {
                expect_success(plain().args(["threads", "8", "100"]).args(arguments(fmus)))?;
                expect_success(plain().arg("standards").args(arguments(fmus)))?;
                Ok(Outcome::Passed(format!(
                    "8 threads x 100 instances of {} FMUs give the results of one thread, both standards the same",
                    fmus.len()
                )))
            }
            Self::Traps if !cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) => {
                Ok(Outcome::Skipped("traps are enabled with the C library of GNU on x86-64 only".to_owned()))
            }
            Self::Traps => {
                let all = [fmus, &unpacked::examples()?].concat();
                expect_success(plain().arg("traps").args(arguments(&all)))?;
                // The process ends without a message.
                expect_reports(&plain, &[("division", "")], fmus)?;
                Ok(Outcome::Passed(format!("no floating-point exception in {} FMUs", all.len())))
            }
            Self::Memory if !cfg!(target_os = "linux") => {
                Ok(Outcome::Skipped("the memory of a process can be measured on Linux only".to_owned()))
            }
            Self::Memory => {
                // Others read files at each initialisation. With FMI 3.0 only the runtime differs.
                let is_cheap = |fmu: &&Unpacked| fmu.is_default && (!fmu.is_fmi_3() || is_covering(fmu));
                let fmus: Vec<_> = fmus.iter().filter(is_cheap).cloned().collect();
                expect_success(plain().args(["instances", "100000"]).args(arguments(&fmus)))?;
                Ok(Outcome::Passed(format!("100 000 instances of each of {} FMUs leave no memory behind", fmus.len())))
            }
            Self::Valgrind => {
                if let Some(why) = valgrind_missing() {
                    return Ok(Outcome::Skipped(why));
                }
                let memcheck = || {
                    let mut command = Command::new("valgrind");
                    command.args(["--quiet", "--leak-check=full", "--error-exitcode=9"]);
                    command.args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]);
                    command.arg(program).env("RUST_BACKTRACE", "0");
                    command
                };
                // Reading files at each initialisation takes longer than all other FMUs of FMI 3.0.
                let is_cheap = |fmu: &&Unpacked| fmu.is_default || !fmu.is_fmi_3();
                let fmus: Vec<_> = fmus.iter().filter(is_cheap).cloned().collect();
                expect_success(memcheck().arg("run").args(arguments(&fmus)))?;
                let flaws = [("leak", "lost in loss record"), ("use-after-free", "Invalid read")];
                expect_reports(&memcheck, &flaws, &fmus)?;
                Ok(Outcome::Passed(format!("no problem in the finished libraries of {} FMUs", fmus.len())))
            }
            Self::Thread => {
                let sanitizer = match ThreadSanitizer::find() {
                    Ok(sanitizer) => sanitizer,
                    Err(why) => return Ok(Outcome::Skipped(why)),
                };
                let (program, fmus) = sanitizer.build(fmus)?;
                let instrumented = || {
                    let mut command = Command::new(&program);
                    command.env("RUST_BACKTRACE", "0");
                    command
                };
                expect_success(instrumented().args(["threads", "8", "100"]).args(arguments(&fmus)))?;
                expect_reports(&instrumented, &[("race", "ThreadSanitizer: data race")], &fmus)?;
                Ok(Outcome::Passed(format!(
                    "no problem in {} FMUs, with rustc {}",
                    fmus.len(),
                    sanitizer.compiler.release
                )))
            }
        }
    }
}

/// True if an FMU is of one of the packages that cover the runtime, states and events.
fn is_covering(fmu: &Unpacked) -> bool {
    ["clutch", "sample"].contains(&fmu.package.as_str())
}

/// Returns the reason why valgrind cannot be used: it is missing, or the C library's debug symbols are.
pub fn valgrind_missing() -> Option<String> {
    let install = "Debian: apt-get install valgrind libc6-dbg";
    match Command::new("valgrind").args(["--quiet", "true"]).output() {
        Err(_) => Some(format!("valgrind is missing ({install})")),
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Some(format!("valgrind does not work here ({install}): {}", said.lines().last().unwrap_or_default()))
        }
    }
}

fn arguments(fmus: &[Unpacked]) -> impl Iterator<Item = String> + '_ {
    fmus.iter().map(Unpacked::argument)
}

/// Runs a command that must succeed.
fn expect_success(command: &mut Command) -> Result<()> {
    let (success, said) = run(command)?;
    if !success {
        bail!("{} failed:\n{said}", shown(command));
    }
    Ok(())
}

/// Makes deliberate errors, and fails unless they are reported.
fn expect_reports(command: &dyn Fn() -> Command, flaws: &[Flaw], fmus: &[Unpacked]) -> Result<()> {
    let sample = fmus.iter().find(|fmu| fmu.name == "Sample").context("the sample is missing")?;
    for (flaw, report) in flaws {
        let mut command = command();
        let (success, said) = run(command.args(["flaw", flaw]).arg(sample.argument()))?;
        if success || !said.contains(report) {
            bail!("{} must report \"{report}\", but says:\n{said}", shown(&command));
        }
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<(bool, String)> {
    let output = command.output().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let said = [output.stdout, output.stderr].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
