//! Sweeps must give the same numbers with `cargo xtask sweep` and on Dask: those of the documentation (the first two
//! seconds of the longer one), and one with a pulse inside a communication step.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::checks::Check;
use xtask::environment::Environment;
use xtask::importer::{self, run};
use xtask::venv;

/// Sweep files, with the settings that override theirs.
const SWEEPS: [(&str, &str); 3] =
    [("docs/bushing-sweep.toml", "stop = 2"), ("docs/clutch-sweep.toml", ""), ("tests/pulse-sweep.toml", "")];

/// Makes the runs both ways, on Dask with two worker processes, and compares them; PyArrow reads the output of our
/// program.
pub fn check(environment: &Environment) -> Result<Vec<Check>> {
    if let Some(why) = environment.too_old() {
        return Ok(vec![Check::skipped("Dask", why)]);
    }
    environment.add("docs/dask-requirements.txt", "Dask")?;
    let (docs, folder) = (xtask::paths::root().join("docs"), xtask::paths::root().join("target").join("dask"));
    fs_err::create_dir_all(&folder)?;
    for (file, more) in SWEEPS {
        let original = xtask::paths::root().join(file);
        let name = original.file_stem().unwrap_or_default().display().to_string();
        let [sweep, points, ours, dask] =
            ["toml", "points.csv", "parquet", "dask.csv"].map(|ending| folder.join(format!("{name}.{ending}")));
        let text = fs_err::read_to_string(&original)?;
        let text = text.replace("../", &format!("{}/", xtask::paths::root().display()));
        fs_err::write(&sweep, format!("{more}\n{text}"))?;
        let mut command = importer::importer()?;
        command.arg("sweep").arg(&sweep).arg("--points").arg(&points).arg("--output").arg(&ours);
        if !run(&mut command)? {
            bail!("cargo xtask sweep failed");
        }
        let mut script = Command::new(environment.python());
        script.arg(docs.join("many_runs_dask.py")).args([&sweep, &points, &dask]).args(["--workers", "2"]);
        venv::run(&mut script)?;
        let mut compare = Command::new(environment.python());
        if !run(compare.arg(xtask::paths::root().join("tests").join("compare_sweeps.py")).args([&ours, &dask]))? {
            bail!("{name}: the numbers of Dask differ");
        }
    }
    refuses(environment, &docs, &folder)?;
    Ok(vec![Check::passed("Dask")])
}

/// Checks that the script reports unsupported results beforehand; `folder` has the sweeps.
fn refuses(environment: &Environment, docs: &Path, folder: &Path) -> Result<()> {
    let [sweep, series, points, other, output, nowhere] = [
        "clutch-sweep.toml", "series.toml", "clutch-sweep.points.csv", "clutch-sweep.dask.csv", "refused.csv",
        "no/r.csv",
    ]
    .map(|name| folder.join(name));
    fs_err::write(&series, fs_err::read_to_string(&sweep)?.replace("\"final\"", "\"series\""))?;
    let no_variable =
        format!("{}: {}/target/fmu/Clutch.fmu has no variable ", other.display(), xtask::paths::root().display());
    for ([sweep, points, output], expected) in [
        ([&series, &points, &output], "series of w_rel: this script knows final, min, max, peak, mean, rms"),
        ([&sweep, &other, &output], &no_variable),
        ([&sweep, &sweep, &output], &format!("{}: this is not a file of points; ", sweep.display())),
        ([&sweep, &points, &points], &format!("the results would overwrite {}", points.display())),
        ([&sweep, &points, &nowhere], &format!("{}: cannot be written: there is no folder ", nowhere.display())),
        ([&nowhere, &points, &output], &format!("{}: No such file or directory", nowhere.display())),
    ] {
        let mut script = Command::new(environment.python());
        let output = script.arg(docs.join("many_runs_dask.py")).args([sweep, points, output]).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() || said.trim().lines().count() != 1 || !said.starts_with(expected) {
            bail!("many_runs_dask.py must say: {expected}\nbut said: {said}");
        }
    }
    Ok(())
}
