//! `cargo xtask test`.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use anyhow::bail;
use fmu_builder::console::{note, say};

use crate::components::cargo;
use crate::environment::Environment;
use crate::importer::{run, validate};
use crate::{bench, dask, fuzz, importers, instructions, sequences, supply};

/// Runs all checks, many of them side by side; the first that fails ends the run.
pub fn test() -> anyhow::Result<()> {
    // As members of the workspace, with whose features the packages are already compiled.
    let platforms = ["--locked", "--workspace", "--test=platforms"];
    let lints = ["--", "-Dwarnings"];
    let build = ["run", "--locked", "--quiet", "--package=xtask", "--", "build"];

    Step::cargo("format", cargo().args(["fmt", "--all", "--check"])).run()?;
    Step::cargo(
        "format of the fuzz targets",
        cargo().args(["fmt", "--manifest-path=tests/fuzz/Cargo.toml", "--check"]),
    )
    .run()?;
    Step::new("dependencies", supply::check).run()?;
    side_by_side(
        vec![Step::cargo("build", cargo().args(build))],
        vec![Step::new("Python", || Environment::prepare(crate::root()).map(drop))],
    )?;
    let environment = Environment::prepare(crate::root())?;
    let with_environment = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(arguments).envs(environment.variables().iter().cloned());
        command
    };
    let doc = ["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"];
    side_by_side(
        vec![
            Step::cargo("lints", with_environment(&["clippy", "--locked", "--workspace", "--all-targets"]).args(lints)),
            Step::cargo("lints of the platforms' tests", cargo().arg("clippy").args(platforms).args(lints)),
            // Without what tests do not need: the lints have compiled the examples.
            Step::cargo(
                "tests",
                &mut with_environment(&["test", "--locked", "--workspace", "--lib", "--bins", "--tests"]),
            ),
            Step::cargo("tests in documentation", &mut with_environment(&["test", "--locked", "--workspace", "--doc"])),
            Step::cargo("documentation", with_environment(&doc).env("RUSTDOCFLAGS", "-Dwarnings")),
            Step::new("instructions", instructions::check),
            Step::new("Dask", || dask::check(&environment)),
            Step::new("importers", importers::check),
            Step::new("what the benchmarks measure", bench::smoke),
        ],
        // These compile in folders of their own, so that cargo lets neither list wait for the other.
        vec![
            Step::new("fuzzing", fuzz::check),
            Step::new("sequences", || sequences::sequences(&Default::default())),
            Step::cargo("platforms", cargo().arg("test").args(platforms)),
        ],
    )?;
    Step::new("validation", || validate(&archives()?)).run()?;
    Ok(say("== all passed")?)
}

/// The FMUs for this computer and those for several platforms; without a compiler for other platforms there are only the first.
fn archives() -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["target/fmu", "target/platforms/components"] {
        for entry in fs_err::read_dir(crate::root().join(folder)).into_iter().flatten() {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "fmu") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A check.
struct Step<'a> {
    name: &'static str,
    check: Box<dyn FnOnce() -> anyhow::Result<()> + Send + 'a>,
}

impl<'a> Step<'a> {
    fn new(name: &'static str, check: impl FnOnce() -> anyhow::Result<()> + Send + 'a) -> Self {
        Self { name, check: Box::new(check) }
    }

    /// A command of cargo that must succeed.
    fn cargo(name: &'static str, command: &'a mut Command) -> Self {
        command.current_dir(crate::root());
        Self::new(name, move || if run(command)? { Ok(()) } else { bail!("{name} failed") })
    }

    /// Runs the check and tells how long it took.
    fn run(self) -> anyhow::Result<()> {
        say(format_args!("== {}", self.name))?;
        let start = Instant::now();
        (self.check)()?;
        Ok(say(format_args!("{}: {:.0} s", self.name, start.elapsed().as_secs_f64()))?)
    }
}

/// Runs two lists of checks side by side; after one that fails, neither begins another.
fn side_by_side(one: Vec<Step>, other: Vec<Step>) -> anyhow::Result<()> {
    let failed = AtomicBool::new(false);
    let run_all = |steps: Vec<Step>| {
        for step in steps {
            if failed.load(Relaxed) {
                break;
            }
            let name = step.name;
            step.run().inspect_err(|_| {
                failed.store(true, Relaxed);
                note(format_args!("{name}: failed; what runs beside it comes to its end"));
            })?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let beside = scope.spawn(|| run_all(other));
        let outcome = run_all(one);
        outcome.and(beside.join().expect("a check that does not panic"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failure_of_either_list_is_told_and_ends_it() {
        let last = AtomicBool::new(false);
        let good = || Step::new("a check that passes", || Ok(()));
        let bad = || Step::new("a check that fails", || bail!("three is not four"));
        let after = || {
            Step::new("a check after it", || {
                last.store(true, Relaxed);
                Ok(())
            })
        };
        for (one, other) in [(vec![good()], vec![bad(), after()]), (vec![bad(), after()], vec![good()])] {
            assert_eq!(side_by_side(one, other).unwrap_err().to_string(), "three is not four");
            assert!(!last.load(Relaxed));
        }
        side_by_side(vec![good()], vec![good(), after()]).unwrap();
        assert!(last.load(Relaxed));
    }
}
