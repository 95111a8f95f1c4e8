//! `ssp`: several FMUs become one system.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use fmu_builder::System;
use fmu_builder::console::{note, say};

/// Arguments of `ssp`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The package to write; the system is named after it
    #[arg(value_name = "FILE.ssp")]
    file: PathBuf,
    /// The FMUs, each with its component name in the system
    #[arg(required = true, value_name = "NAME=FILE.fmu")]
    fmus: Vec<String>,
    /// Connect two ports, or all variables of two connectors; may be repeated
    #[arg(long, value_name = "NAME.PORT=NAME.PORT")]
    connect: Vec<String>,
    /// Input of the system that is connected to these ports or connectors; may be repeated
    #[arg(long, value_name = "INPUT=NAME.PORT,…")]
    input: Vec<String>,
}

/// Writes the package.
pub fn ssp(arguments: &Arguments) -> anyhow::Result<()> {
    ensure!(
        arguments.file.extension().is_some_and(|extension| extension == "ssp"),
        "{}: a package of a system is an .ssp file, which comes before the FMUs",
        arguments.file.display()
    );
    let name = arguments.file.file_stem().and_then(|stem| stem.to_str()).context("the package needs a name")?;
    let mut system = System::new(name).with_context(|| format!("{} names the system", arguments.file.display()))?;
    for fmu in &arguments.fmus {
        let (name, path) = parts(fmu, "NAME=FILE.fmu")?;
        system.add(name, Path::new(path))?;
    }
    for connection in &arguments.connect {
        let (one, other) = parts(connection, "NAME.PORT=NAME.PORT")?;
        system.connect(one, other)?;
    }
    for input in &arguments.input {
        let (name, ports) = parts(input, "INPUT=NAME.PORT,…")?;
        system.input(name, &ports.split(',').collect::<Vec<_>>())?;
    }
    system.write(&arguments.file)?;
    for name in system.reversed() {
        note(format_args!(
            "loads of {name} are connected with the factor -1, which FMPy and OMSimulator's command line do not apply: \
             build {name} with --set flows=outflow"
        ));
    }
    Ok(say(arguments.file.display())?)
}

fn parts<'a>(text: &'a str, form: &str) -> anyhow::Result<(&'a str, &'a str)> {
    text.split_once('=').with_context(|| format!("\"{text}\" is not of the form {form}"))
}
