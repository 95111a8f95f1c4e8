//! `cargo xtask test`.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::bail;
use fmu_builder::console::say;

use crate::components::cargo;
use crate::environment::Environment;
use crate::importer::{run, validate};
use crate::{bench, dask, fuzz, importers, instructions, sequences, supply};

/// Runs all checks in turn; the first that fails ends the run.
pub fn test() -> anyhow::Result<()> {
    // As members of the workspace, with whose features the packages are already compiled.
    let platforms = ["--locked", "--workspace", "--test=platforms"];
    let lints = ["--", "-Dwarnings"];

    command("format", cargo().args(["fmt", "--all", "--check"]))?;
    command("format of the fuzz targets", cargo().args(["fmt", "--manifest-path=fuzz/Cargo.toml", "--check"]))?;
    step("dependencies", supply::check)?;
    command("build", cargo().args(["run", "--locked", "--quiet", "--package=xtask", "--", "build"]))?;
    let environment = Environment::prepare(crate::root())?;
    let with_environment = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(arguments).envs(environment.variables().iter().cloned());
        command
    };
    command("lints", with_environment(&["clippy", "--locked", "--workspace", "--all-targets"]).args(lints))?;
    command("lints of the platforms' tests", cargo().arg("clippy").args(platforms).args(lints))?;
    command("tests", &mut with_environment(&["test", "--locked", "--workspace"]))?;
    let mut doc = with_environment(&["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"]);
    command("documentation", doc.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    command("platforms", cargo().arg("test").args(platforms))?;
    step("sequences", || sequences::sequences(&Default::default()))?;
    step("fuzzing", fuzz::check)?;
    step("instructions", instructions::check)?;
    step("validation", || validate(&archives()?))?;
    step("Dask", || dask::check(&environment))?;
    step("importers", importers::check)?;
    step("what the benchmarks measure", bench::smoke)?;
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

/// Runs a check and tells how long it took.
fn step(name: &str, check: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    say(format_args!("== {name}"))?;
    let start = Instant::now();
    check()?;
    Ok(say(format_args!("{name}: {:.0} s", start.elapsed().as_secs_f64()))?)
}

fn command(name: &str, command: &mut Command) -> anyhow::Result<()> {
    command.current_dir(crate::root());
    step(name, || if run(command)? { Ok(()) } else { bail!("{name} failed") })
}
