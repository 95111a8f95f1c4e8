//! The computer and the tools used for the measurements.

use std::process::Command;

use anyhow::Result;

use xtask::environment::Environment;
use xtask::venv::first_line;

/// Name of the version of this project that was measured, on the pages with measurements.
pub const THIS_PROJECT: &str = "this project";

/// Returns the version and the commit of this project.
pub fn version() -> String {
    let commit =
        Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(xtask::paths::root()).output();
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    format!("{} ({commit})", env!("CARGO_PKG_VERSION"))
}

/// Returns properties of the computer and versions of the tools, each with its name.
pub fn describe(environment: &Environment) -> Result<Vec<(&'static str, String)>> {
    let script = "import datetime, platform; print(datetime.datetime.now(datetime.timezone.utc).date(), \
        platform.system(), platform.release(), platform.python_version(), sep='|')";
    let answer = first_line(Command::new(environment.python()).args(["-c", script]))?;
    let mut words = answer.split('|').map(str::to_owned);
    let date = words.next().unwrap_or_default();
    let system = words.by_ref().take(2).collect::<Vec<_>>().join(" ");
    let python = words.next().unwrap_or_default();
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    Ok(vec![
        ("date", date),
        ("processor", processor()),
        ("system", system),
        ("load of the last minute, before the run", load()),
        (THIS_PROJECT, version()),
        ("Rust", first_line(Command::new("rustc").arg("--version"))?),
        ("C compiler, with -O2", first_line(Command::new(compiler).arg("--version"))?),
        ("Python", python),
    ])
}

fn processor() -> String {
    let text = fs_err::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name);
    match std::thread::available_parallelism() {
        Ok(cores) => format!("{name}, {cores} cores"),
        Err(_) => name.to_owned(),
    }
}

fn load() -> String {
    let text = fs_err::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
