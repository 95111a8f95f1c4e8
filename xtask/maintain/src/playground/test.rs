//! The page in a browser, against the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use fmu_builder::console::note;
use fmu_commands::import::Validate;
use serde_json::Value;
use xtask::environment::Environment;
use xtask::importer::validate;
use xtask::paths::root;
use xtask::venv::run;

use super::{downloads, page};
use crate::checks::Check;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A configuration that a test drops on the page, the workbook that it needs, and the same table as text.
const BUSHING: [&str; 3] = [
    "models/bushing/reference/progressive.toml",
    "models/bushing/reference/measured_stiffness.xlsx",
    "models/bushing/reference/measured_stiffness.csv",
];

/// Script that simulates FMUs in FMPy.
const SIMULATE: &str = include_str!("simulate.py");

const NO_BROWSER: &str = "chromium is not installed";

/// Says why the page cannot be tested here, if it cannot.
pub fn skipped() -> Option<&'static str> {
    page::missing().or_else(|| browser().is_none().then_some(NO_BROWSER))
}

/// Opens the page in a folder, edits, runs and downloads, and runs what was downloaded in other importers.
pub fn check(folder: &Path) -> Result<Vec<Check>> {
    let browser = browser().context(NO_BROWSER)?;
    let place = page::prepare()?;
    let [built, out] = ["built", "out"].map(|name| place.join(name));
    for folder in [&built, &out] {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        fs_err::create_dir_all(folder)?;
    }
    let downloads = downloads::make(folder, &built)?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap", "test/page.test.mjs"]).current_dir(&place);
    node.env("CHROMIUM", browser).env("PAGE", folder).env("FMUS", &built).env("OUT", &out);
    node.env("DOWNLOADS", Value::from(downloads.clone()).to_string());
    node.env("BUSHING", BUSHING.map(|file| root().join(file).display().to_string()).join(","));
    let output = node.output().context("cannot run node")?;
    let mut checks = read(&String::from_utf8_lossy(&output.stdout));
    if checks.is_empty() {
        bail!("the tests of the page do not run: {}", String::from_utf8_lossy(&output.stderr));
    }
    note(format_args!("pictures of the page are in {}", out.display()));
    let files = downloads::running(&downloads, &out);
    if files.iter().all(|file| file.is_file()) {
        checks.push(Check::of("page: simulation in FMPy", simulate(&files)));
        checks.push(Check::of("page: validation", validate(&Validate { files, ..Validate::default() })));
    }
    Ok(checks)
}

/// Simulates FMUs in FMPy.
fn simulate(files: &[PathBuf]) -> Result<()> {
    let environment = Environment::prepare(root())?;
    run(Command::new(environment.python()).args(["-c", SIMULATE]).args(files)).map(drop)
}

/// Returns the path of a browser, if one is installed.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let all = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|program| program.is_file())
}

/// Returns the results in a report in the Test Anything Protocol, and passes on the figures in it.
fn read(report: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    for part in report.split("# Subtest: ").skip(1) {
        let (name, said) = part.split_once('\n').unwrap_or((part, ""));
        let name = format!("page: {name}");
        if said.starts_with("ok ") {
            for figure in said.lines().filter_map(|line| line.strip_prefix("# ")) {
                note(format_args!("{name}: {figure}"));
            }
            checks.push(Check::passed(name));
        } else {
            checks.push(Check::failed(name, said.trim_end()));
        }
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_from_the_report() {
        let report = "TAP version 13\n# Subtest: it moves\nok 1 - it moves\n  ---\n  ...\n# after 200 ms\n\
                      # Subtest: it stops\nnot ok 2 - it stops\n  ---\n  error: 'no'\n  ...\n1..2\n";
        let expected = [
            Check::passed("page: it moves"),
            Check::failed("page: it stops", "not ok 2 - it stops\n  ---\n  error: 'no'\n  ...\n1..2"),
        ];
        assert_eq!(read(report), expected);
        assert_eq!(read("TAP version 13\n1..0\n"), []);
    }
}
