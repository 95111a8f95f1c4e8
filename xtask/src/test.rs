//! `cargo xtask test`.

use std::process::Command;

use anyhow::bail;
use fmu_builder::console::say;

use crate::components::cargo;
use crate::environment::Environment;
use crate::importer::{run, validate};
use crate::{bench, dask, importers, instructions, sequences, supply};

/// Runs all checks in turn; the first that fails ends the run.
pub fn test() -> anyhow::Result<()> {
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    step("format of the fuzz targets", cargo().args(["fmt", "--manifest-path=fuzz/Cargo.toml", "--check"]))?;
    say("== dependencies")?;
    supply::check()?;
    step("build", cargo().args(["run", "--locked", "--quiet", "--package=xtask", "--", "build"]))?;
    let environment = Environment::prepare(crate::root())?;
    let with_environment = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(arguments).envs(environment.variables().iter().cloned());
        command
    };
    // As members of the workspace, with whose features the packages are already compiled.
    let platforms = ["--locked", "--workspace", "--test=platforms"];
    step("lints", &mut with_environment(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-Dwarnings"]))?;
    step("lints of the platforms' tests", cargo().arg("clippy").args(platforms).args(["--", "-Dwarnings"]))?;
    step("tests", &mut with_environment(&["test", "--locked", "--workspace"]))?;
    let mut doc = with_environment(&["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"]);
    step("documentation", doc.env("RUSTDOCFLAGS", "-Dwarnings"))?;
    step("platforms", cargo().arg("test").args(platforms))?;
    say("== sequences")?;
    sequences::check()?;
    say("== instructions")?;
    instructions::check()?;
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
    say("== what the benchmarks measure")?;
    bench::smoke()?;
    Ok(say("== all passed")?)
}

fn step(name: &str, command: &mut Command) -> anyhow::Result<()> {
    say(format_args!("== {name}"))?;
    command.current_dir(crate::root());
    if !run(command)? {
        bail!("{name} failed");
    }
    Ok(())
}
