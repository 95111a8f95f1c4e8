//! Simulations by FMPy.

use std::path::Path;

use crate::finished::{printed, python, root};

/// Script that simulates an FMU; it reads the inputs itself, since FMPy's CSV reader does not support quoted names.
const SCRIPT: &str = "import csv, sys, numpy, fmpy\n\
    fmu, interface, cycle, interval, stop, *outputs = sys.argv[1:]\n\
    names, *rows = csv.reader(open(cycle))\n\
    value = lambda cell: cell == 'true' if cell in ('true', 'false') else float(cell)\n\
    rows = [tuple(map(value, row)) for row in rows]\n\
    signals = numpy.array(rows, dtype=[(name, type(cell)) for name, cell in zip(names, rows[0])])\n\
    result = fmpy.simulate_fmu(fmu, fmi_type=interface, input=signals, stop_time=float(stop),\n\
    \x20   output_interval=float(interval), validate=True)\n\
    for name in ['time'] + outputs: print(*result[name])";

/// Simulates an FMU whose inputs are a CSV file of the workspace, with outputs at an interval up to a time, in s;
/// returns the times, then the values of each output; `None`, with a message, if FMPy is missing.
pub fn simulate(
    fmu: &Path,
    interface: &str,
    cycle: &str,
    [interval, stop]: [f64; 2],
    outputs: &[String],
) -> Option<Vec<Vec<f64>>> {
    let mut python = python()?;
    python.args(["-c", SCRIPT]).arg(fmu).arg(interface).arg(root().join(cycle));
    let lines = printed(python.args([interval, stop].map(|number| number.to_string())).args(outputs));
    // FMPy warns of inputs that are not in the file.
    let lines = lines.lines().skip_while(|line| line.starts_with("Warning: missing input "));
    let number = |word: &str| word.parse().expect("a number");
    Some(lines.map(|line| line.split(' ').map(number).collect()).collect())
}

/// A run in Model Exchange.
pub struct Run<'a> {
    /// The FMU.
    pub fmu: &'a Path,
    /// The inputs as CSV, with a column `time`.
    pub inputs: String,
    /// Interval between outputs, and the end, in s.
    pub times: [f64; 2],
    /// Relative tolerance.
    pub tolerance: f64,
    /// Names of the outputs.
    pub outputs: Vec<String>,
}

/// Runs FMUs in Model Exchange with CVode, all in one process; returns for each the rows of
/// times and outputs; `None`, with a message, if FMPy is missing.
pub fn in_model_exchange(runs: &[Run<'_>]) -> Option<Vec<Vec<Vec<f64>>>> {
    let mut python = python()?;
    python.arg(root().join("tests/src/model_exchange.py"));
    let folder = tempfile::tempdir().expect("room for a folder");
    let file = |kind: &str, number: usize| folder.path().join(format!("{kind}-{number}.csv"));
    for (number, run) in runs.iter().enumerate() {
        fs_err::write(file("input", number), &run.inputs).expect("room for a file");
        python.arg(run.fmu).args(["input", "output"].map(|kind| file(kind, number)));
        python
            .args([run.times[0], run.times[1], run.tolerance].map(|number| number.to_string()))
            .arg(run.outputs.join("\n"));
    }
    printed(&mut python);
    let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    let table = |number| fs_err::read_to_string(file("output", number)).expect("a table").lines().map(row).collect();
    Some((0..runs.len()).map(table).collect())
}
