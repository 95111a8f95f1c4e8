//! `cargo xtask importers`: results of other importers with the FMUs, as the table of docs/importers.md.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use fmu_commands::import::Limit;
use serde_json::Value;

use crate::checks::Check;
use xtask::cargo::cargo;
use xtask::environment::Environment;
use xtask::importer;

const PAGE: &str = "docs/importers.md";
const BEGIN: &str = "<!-- importers -->\n";
const END: &str = "<!-- end of importers -->";

/// Runs the importers and writes the table into the page.
pub fn write() -> Result<()> {
    let (table, skipped) = table()?;
    if !skipped.is_empty() {
        bail!("the table needs all importers, but these are absent:\n  {}", skipped.join("\n  "));
    }
    let path = xtask::paths::root().join(PAGE);
    let page = fs_err::read_to_string(&path)?;
    let (before, _, after) = split(&page)?;
    let columns = table.into_iter().map(|row| format!("| {} |\n", row.join(" | ")));
    fs_err::write(&path, format!("{before}{BEGIN}{}{END}{after}", columns.collect::<String>()))?;
    Ok(())
}

/// Runs the importers and compares with the page, apart from importers that are absent here.
pub fn check() -> Result<Vec<Check>> {
    let (table, skipped) = table()?;
    let page = fs_err::read_to_string(xtask::paths::root().join(PAGE))?;
    let (_, shown, _) = split(&page)?;
    let shown: Vec<Vec<_>> = shown.lines().map(cells).collect();
    let same = table.len() == shown.len() && columns(&table).iter().all(|column| columns(&shown).contains(column));
    if !same {
        bail!("{PAGE} does not show what the importers did; cargo xtask importers updates it");
    }
    let mut checks = vec![Check::passed(PAGE)];
    checks.extend(skipped.iter().map(|reason| Check::skipped("importer", reason)));
    Ok(checks)
}

/// Splits the page: the text up to the table, the table, and the rest.
fn split(page: &str) -> Result<(&str, &str, &str)> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| {
        let (table, after) = rest.split_once(END)?;
        Some((before, table, after))
    });
    parts.with_context(|| format!("{PAGE} has no lines {} and {END}", BEGIN.trim()))
}

fn cells(line: &str) -> Vec<String> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn columns(rows: &[Vec<String>]) -> Vec<Vec<&str>> {
    let count = rows.first().map_or(0, Vec::len);
    (0..count).map(|i| rows.iter().map(|row| row.get(i).map_or("", String::as_str)).collect()).collect()
}

/// Makes the rows of the table, and the list of importers that are absent; fails if an importer has a problem.
fn table() -> Result<(Vec<Vec<String>>, Vec<String>)> {
    let environment = Environment::prepare(xtask::paths::root())?;
    let files = build()?;
    let mut script = Command::new(environment.python());
    script.arg(xtask::paths::root().join("tests/importers.py")).args(&files).stderr(Stdio::inherit());
    let output = script.output().context("cannot run Python")?;
    let found: Value = serde_json::from_slice(&output.stdout).context("tests/importers.py failed")?;
    let problems: Vec<_> = strings(&found["problems"]);
    if !problems.is_empty() {
        bail!("importers have problems:\n  {}", problems.join("\n  "));
    }
    let absent = found["absent"].as_object().into_iter().flatten();
    let absent = absent.map(|(importer, install)| format!("{importer}: {}", install.as_str().unwrap_or_default()));
    let mut importers: Vec<(String, String)> = Vec::new();
    for importer in found["importers"].as_array().into_iter().flatten() {
        let name = importer[0].as_str().unwrap_or_default().to_owned();
        if !importers.iter().any(|(known, _)| *known == name) {
            let title = importer[1].as_str().map_or(name.clone(), |version| format!("{name} {version}"));
            importers.push((name, title));
        }
    }
    let mut titles = vec!["FMU".to_owned(), format!("`fmi` {}", fmi_version()?)];
    titles.extend(importers.iter().map(|(_, title)| title.clone()));
    let line = vec!["---".to_owned(); titles.len()];
    let mut rows = vec![titles, line];
    for file in &files {
        let mut name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if file.parent().is_some_and(|folder| folder.ends_with("fmi3")) {
            name += ", FMI 3.0";
        }
        let mut row = vec![name.clone(), fmi_crate(&environment, file)?];
        for (importer, _) in &importers {
            let done = strings(&found["done"][&name][importer]);
            if done.is_empty() {
                bail!("{name}: {importer} has done nothing, and tests/importers.py does not say why");
            }
            row.push(done.join(", "));
        }
        rows.push(row);
    }
    Ok((rows, absent.collect()))
}

/// Names of the systems whose Jacobians CasADi computes; all components have arrays in FMI 3.0, which it does not know.
const SYSTEMS: [&str; 5] = ["double-wishbone", "four-bar", "gear-shift", "gyroscope", "quarter-car"];

/// Builds all components with their default configurations, in a folder of their own: those of FMI 2.0, then those of
/// FMI 3.0; then some examples.
fn build() -> Result<Vec<PathBuf>> {
    let folder = xtask::paths::root().join("target").join("importers");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    let systems = folder.join("systems");
    built(&[], &folder)?;
    let examples = SYSTEMS.map(|name| format!("examples/{name}.toml"));
    built(&[&["--config"], &examples.each_ref().map(String::as_str)[..]].concat(), &systems)?;
    let mut files = Vec::new();
    for folder in [&folder, &systems] {
        files.extend(xtask::paths::files(folder, "fmu")?);
        files.extend(xtask::paths::files(&folder.join("fmi3"), "fmu")?);
    }
    Ok(files)
}

/// Builds FMUs for both standards.
fn built(arguments: &[&str], folder: &Path) -> Result<()> {
    // Run by cargo, not from this program's own file, which cargo may have replaced.
    let mut xtask = cargo();
    xtask.args(["run", "--quiet", "--package=xtask", "--", "build", "--fmi=2,3"]).args(arguments);
    xtask.arg("--out").arg(folder).current_dir(xtask::paths::root()).stdout(Stdio::null());
    if !xtask.status().context("cannot run cargo")?.success() {
        bail!("cargo xtask build failed");
    }
    Ok(())
}

/// Runs the `fmi` crate on a file and returns its cell of the table.
fn fmi_crate(environment: &Environment, file: &Path) -> Result<String> {
    let verdict = importer::verdict(importer::fmi_crate(environment)?, Limit::default().timeout(), file)?;
    if let Some(problem) = verdict.problems.first() {
        bail!("{}: fmi crate: {}", verdict.file, problem.text);
    }
    Ok(verdict.ran.join(", ").replace("Co-Simulation", "CS").replace("Model Exchange", "ME"))
}

/// Returns the version of the `fmi` crate in use.
fn fmi_version() -> Result<String> {
    let lock = fs_err::read_to_string(xtask::paths::root().join("Cargo.lock"))?;
    let version = lock.split_once("name = \"fmi\"\nversion = \"").and_then(|(_, rest)| rest.split_once('"'));
    Ok(version.context("Cargo.lock does not list fmi")?.0.to_owned())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
