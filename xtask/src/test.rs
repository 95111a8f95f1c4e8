//! `cargo xtask test` and `cargo xtask bench`.

use std::process::Command;

use anyhow::bail;
use fmu_builder::console::say;

use crate::components::cargo;
use crate::environment::Environment;
use crate::importer::{run, validate};
use crate::{dask, fuzz, importers};

/// Runs all checks in turn; the first that fails ends the run.
pub fn test() -> anyhow::Result<()> {
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    step("format of the fuzz targets", cargo().args(["fmt", "--manifest-path=fuzz/Cargo.toml", "--check"]))?;
    step("build", cargo().args(["run", "--quiet", "--package=xtask", "--", "build"]))?;
    let environment = Environment::prepare(crate::root())?;
    let with_environment = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(arguments).envs(environment.variables().iter().cloned());
        command
    };
    let platforms = ["--package=xtask", "--test=platforms"];
    step("lints", &mut with_environment(&["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"]))?;
    step("lints of the platforms' tests", cargo().arg("clippy").args(platforms).args(["--", "-Dwarnings"]))?;
    step("tests", &mut with_environment(&["test", "--workspace"]))?;
    let mut doc = with_environment(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    step("documentation", doc.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    step("platforms", cargo().arg("test").args(platforms))?;
    say("== validation")?;
    let mut files = Vec::new();
    for folder in ["target/fmu", "target/platforms/components"] {
        // Without a compiler for other platforms there is only the first.
        let entries = fs_err::read_dir(crate::root().join(folder)).into_iter().flatten();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "fmu") {
                files.push(path);
            }
        }
    }
    files.sort();
    validate(&files)?;
    say("== Dask")?;
    dask::check(&environment)?;
    say("== importers")?;
    importers::check()?;
    say("== fuzzing")?;
    fuzz::check()?;
    Ok(say("== all passed")?)
}

/// Runs the benchmarks.
pub fn bench(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package=xtask", "--", "build"]);
    step("build", &mut command)?;
    let environment = Environment::prepare(crate::root())?;
    let mut command = cargo();
    command.args(["bench", "--package=fmu-tests", "--"]).args(arguments).envs(environment.variables().iter().cloned());
    step("benchmarks", &mut command)
}

fn step(name: &str, command: &mut Command) -> anyhow::Result<()> {
    say(format_args!("== {name}"))?;
    command.current_dir(crate::root());
    if !run(command)? {
        bail!("{name} failed");
    }
    Ok(())
}
