//! `cargo xtask fuzz`: the fuzz targets of `tests/fuzz/`, compiled for libFuzzer and run in turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use fmu_builder::console::say;
use rayon::prelude::*;

use crate::checks::{Check, conclude};
use xtask::cargo::cargo;
use xtask::importer::run;
use xtask::toolchain::Compiler;

/// Names of the targets, each with its number of runs in a check: enough for a few seconds.
const TARGETS: [(&str, u32); 6] =
    [("archive", 3000), ("calls", 1500), ("configuration", 150), ("state", 1000), ("tables", 1500), ("uri", 3000)];

/// Options for the maximum length of inputs, and memory limits in MB: for the process and for one allocation.
const LIMITS: [&str; 4] = ["-len_control=10", "-max_len=16384", "-rss_limit_mb=2048", "-malloc_limit_mb=512"];
/// Option for the time limit of one input in seconds; in a check only endless runs exceed it, whatever else the
/// computer does.
const TIME: &str = "-timeout=60";
const TIME_IN_CHECK: &str = "-timeout=900";

/// The only platform of the targets.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Flags of the compiler, those of cargo-fuzz 0.13.2: the coverage that libFuzzer reads, where no two branches are made one, and the address sanitizer.
/// With the assertions come checks of overflows.
const FLAGS: [&str; 11] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-sanitizer-coverage-stack-depth",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
    "-Zsanitizer=address",
    "-Cdebug-assertions",
    "-Ccodegen-units=16",
];

#[derive(Args)]
pub struct Arguments {
    /// One of the targets; all of them if none is given
    target: Option<String>,
    /// Run time of each target; starts from tests/fuzz/corpus and target/fuzz/corpus, and adds new inputs to the latter
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run each target a fixed number of times from tests/fuzz/corpus, with a fixed seed
    #[arg(long, conflicts_with_all = ["target", "seconds"])]
    check: bool,
}

/// Runs each target for some time.
pub fn fuzz(arguments: &Arguments) -> Result<()> {
    if arguments.check {
        return conclude(check()?);
    }
    let chosen: Vec<_> = TARGETS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| arguments.target.as_ref().is_none_or(|target| target == name))
        .collect();
    if chosen.is_empty() {
        let known = TARGETS.map(|(name, _)| name).join(", ");
        bail!("unknown target \"{}\"; available: {known}", arguments.target.as_deref().unwrap_or_default());
    }
    if let Some(missing) = missing() {
        bail!("fuzzing needs {missing}");
    }
    let programs = build()?;
    let time = format!("-max_total_time={}", arguments.seconds);
    let mut table = table();
    for name in chosen {
        let grown = folder("corpus").join(name);
        fs_err::create_dir_all(&grown)?;
        table.add_row(target(&programs, name, &grown, &[TIME, &time])?);
    }
    Ok(say(table)?)
}

/// Runs each target a fixed number of times, with a fixed seed.
pub fn check() -> Result<Vec<Check>> {
    if let Some(missing) = missing() {
        return Ok(vec![Check::skipped("fuzzing", format_args!("it needs {missing}"))]);
    }
    let programs = build()?;
    // New inputs go to a temporary folder.
    let run = |(name, runs): &(&str, u32)| {
        let new = folder("new").join(name);
        if new.exists() {
            fs_err::remove_dir_all(&new)?;
        }
        fs_err::create_dir_all(&new)?;
        target(&programs, name, &new, &[TIME_IN_CHECK, "-seed=1", &format!("-runs={runs}")]).map(drop)
    };
    Ok(TARGETS.par_iter().map(|each| Check::of(each.0, run(each))).collect())
}

fn folder(name: &str) -> PathBuf {
    xtask::paths::root().join("target").join("fuzz").join(name)
}

/// Returns the command that installs the missing tools.
fn missing() -> Option<String> {
    let answers = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        Some("Linux on x86_64 with glibc".to_owned())
    } else if !answers(Command::new(compiler).arg("--version")) {
        Some("a C++ compiler, or its name in CXX (Debian: apt-get install g++)".to_owned())
    } else if Compiler::current().and_then(|compiler| compiler.sanitizer("asan")).is_none() {
        Some(
            "the address sanitizer: the Rust compiler in use has no runtime of it (rustup's have for Linux)".to_owned(),
        )
    } else {
        None
    }
}

/// Compiles all targets with the address sanitizer; returns the folder of the programs.
fn build() -> Result<PathBuf> {
    say("compiling the fuzz targets")?;
    let mut command = cargo();
    command.args(["build", "--locked", "--release", "--manifest-path=tests/fuzz/Cargo.toml", "--target", TRIPLE]);
    command.arg("--target-dir").arg(folder("")).current_dir(xtask::paths::root());
    // The sanitizer flags are unstable.
    command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"));
    if !run(&mut command)? {
        bail!("the fuzz targets were not compiled, see above");
    }
    Ok(folder(TRIPLE).join("release"))
}

fn table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["target", "runs", "coverage", "inputs in the corpus", "runs per second"]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

/// Runs a target; returns its row of the table.
fn target(programs: &Path, name: &str, grown: &Path, options: &[&str]) -> Result<Vec<String>> {
    let (found, fuzz) = (folder("artifacts").join(name), xtask::paths::root().join("tests").join("fuzz"));
    fs_err::create_dir_all(&found)?;
    let mut command = Command::new(programs.join(name));
    command.arg(grown).arg(fuzz.join("corpus").join(name)).args(LIMITS).args(options);
    command.arg(format!("-artifact_prefix={}/", found.display()));
    let words = fuzz.join("dictionaries").join(name);
    if words.exists() {
        command.arg(format!("-dict={}", words.display()));
    }
    // Freed memory is kept for a while to detect its use; the process must not seem to grow.
    command.env("ASAN_OPTIONS", "quarantine_size_mb=16");
    let output = command.output().with_context(|| format!("cannot run {name}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let shown = said.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        bail!("{name} found something:\n{shown}");
    }
    row(name, &said).with_context(|| format!("{name} printed no statistics, or covers nothing:\n{said}"))
}

/// Reads the numbers of the last line of progress, such as
/// `#4096 DONE cov: 2605 ft: 2997 corp: 88/333b exec/s: 131 rss: 90Mb`.
fn row(name: &str, said: &str) -> Option<Vec<String>> {
    let line = said.lines().rfind(|line| line.starts_with('#') && line.contains("DONE"))?;
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |key: &str| words.windows(2).find(|pair| pair[0] == key).map(|pair| pair[1]);
    let inputs = after("corp:")?.split('/').next()?;
    // A program that is not instrumented covers nothing.
    let covered = after("cov:").filter(|covered| *covered != "0")?;
    let row = [name, words[0].trim_start_matches('#'), covered, inputs, after("exec/s:")?];
    Some(row.map(str::to_owned).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_progress_is_read() {
        let said = "#2\tINITED cov: 3 ft: 3 corp: 1/1b exec/s: 0 rss: 30Mb\n\
            #4096\tDONE   cov: 2605 ft: 2997 corp: 88/333b lim: 6 exec/s: 131 rss: 90Mb\nDone 4096 runs in 31 second(s)\n";
        assert_eq!(row("uri", said).unwrap(), ["uri", "4096", "2605", "88", "131"]);
        assert_eq!(row("uri", "#2\tINITED cov: 3 ft: 3 corp: 1/1b exec/s: 0 rss: 30Mb\n"), None);
    }

    #[test]
    fn the_targets_are_those_of_the_package() {
        let manifest =
            fs_err::read_to_string(xtask::paths::root().join("tests").join("fuzz").join("Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&manifest).unwrap();
        let programs = manifest["bin"].as_array().unwrap().iter().map(|program| program["name"].as_str().unwrap());
        assert!(programs.eq(TARGETS.map(|(name, _)| name)));
    }

    /// Compares versions: the targets are compiled from the same crates as the FMUs.
    #[test]
    fn both_lock_files_have_the_same_versions() {
        let packages = |path: PathBuf| {
            let lock: toml::Table = toml::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
            let text = |package: &toml::Value, key: &str| package[key].as_str().unwrap().to_owned();
            let package = |package: &toml::Value| (text(package, "name"), text(package, "version"));
            lock["package"].as_array().unwrap().iter().map(package).collect::<Vec<_>>()
        };
        let all = packages(xtask::paths::root().join("Cargo.lock"));
        let own = ["arbitrary", "fuzz", "libfuzzer-sys"];
        let of_fuzz = packages(xtask::paths::root().join("tests").join("fuzz").join("Cargo.lock"));
        let others: Vec<_> = of_fuzz.iter().filter(|package| !all.contains(package)).map(|(name, _)| name).collect();
        assert_eq!(
            others, own,
            "cp Cargo.lock tests/fuzz/Cargo.lock, then cargo metadata in tests/fuzz/, brings them together"
        );
    }
}
