//! Other programs of this workspace.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

use crate::cargo::cargo;
use crate::environment::Environment;

/// The arguments with which cargo reports what it has built.
pub const FOR_PROGRAMS: [&str; 2] = ["--quiet", "--message-format=json-render-diagnostics"];

/// Compiles a program, a `bin` or `example`, with the features that all packages have together: those for which
/// tests are compiled. What contains the `fmi` crate needs the environment.
pub fn program(kind: &str, name: &str, environment: Option<&Environment>) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--workspace", &format!("--{kind}={name}")]).args(FOR_PROGRAMS);
    command.envs(environment.into_iter().flat_map(Environment::variables).map(|(name, value)| (name, value)));
    let built = built(&mut command)?.into_iter().find(|(built, _)| built == name);
    built.map(|(_, path)| path).with_context(|| format!("cargo built no {kind} {name}"))
}

/// Runs a cargo command; returns the programs and shared libraries that it made, by the names of targets.
pub fn built(command: &mut Command) -> Result<Vec<(String, PathBuf)>> {
    let output =
        command.current_dir(crate::paths::root()).stderr(Stdio::piped()).output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut built = Vec::new();
    for message in Message::parse_stream(&output.stdout[..]) {
        if let Message::CompilerArtifact(artifact) = message? {
            let library = artifact.filenames.into_iter().find(|file| file.extension() == Some("so"));
            if let Some(file) = artifact.executable.or(library) {
                built.push((artifact.target.name, file.into()));
            }
        }
    }
    Ok(built)
}
