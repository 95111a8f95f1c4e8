//! The program that times calls, and its results for one FMU.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use xtask::environment::Environment;
use xtask::venv;

/// Communication step in s.
const STEP: &str = "0.001";

/// The compiled program.
pub struct Harness {
    program: PathBuf,
}

/// An FMU and its measurements.
pub struct Measured {
    /// The input of the harness.
    description: Value,
    /// Number of variables.
    pub variables: u64,
    /// Size of the archive in bytes.
    pub archive: u64,
    /// Size of the library in bytes.
    pub library: u64,
    /// Nanoseconds of a call, by row; the least of the medians of all rounds.
    pub rows: BTreeMap<String, f64>,
    /// Nanoseconds of a call in the quickest batches, by row.
    pub least: BTreeMap<String, f64>,
    /// Bytes of a serialised FMU state.
    pub bytes: Option<f64>,
    /// The outputs after a thousand steps.
    pub result: Vec<f64>,
}

/// Returns the C compiler.
pub fn compiler() -> OsString {
    std::env::var_os("CC").unwrap_or_else(|| "cc".into())
}

/// Compiles a program of `tests/bench` for speed.
pub fn compile(name: &str, folder: &Path) -> Result<PathBuf> {
    let program = folder.join(name);
    let source = xtask::paths::root().join("tests").join("bench").join(name).with_extension("c");
    let mut command = Command::new(compiler());
    command.args(["-O2", "-Wall", "-Wextra", "-o"]).args([&program, &source]).args(["-ldl", "-lm"]);
    venv::run(&mut command)?;
    Ok(program)
}

/// Unpacks FMUs into a folder and returns the descriptions that `describe.py` makes of them.
pub fn unpack(environment: &Environment, files: &[&PathBuf], folder: &Path) -> Result<Vec<Value>> {
    if folder.exists() {
        fs_err::remove_dir_all(folder)?;
    }
    let mut command = Command::new(environment.python());
    command.arg(xtask::paths::root().join("tests").join("bench").join("describe.py")).arg(folder).args(files);
    Ok(serde_json::from_slice(&venv::run(&mut command)?.stdout)?)
}

impl Measured {
    /// Returns the FMU, not measured yet, with inputs and outputs in the order of their names, and start values of
    /// inputs by name.
    pub fn started_at(&self, start: impl Fn(&str) -> Option<f64>) -> Self {
        let mut description = self.description.clone();
        let references = self.description["references"].as_object();
        let list = |key: &str| self.description[key].as_array().map_or(&[][..], Vec::as_slice);
        // A map is used, so they are sorted.
        let places = |key| {
            let place = move |(name, reference)| Some((name, list(key).iter().position(|other| other == reference)?));
            references.into_iter().flatten().filter_map(place).collect::<BTreeMap<_, _>>()
        };
        let (inputs, outputs) = (places("inputs"), places("outputs"));
        let value =
            |(name, at): (&&String, &usize)| start(name).map_or_else(|| list("starts")[*at].clone(), Value::from);
        description["starts"] = inputs.iter().map(value).collect();
        description["inputs"] = inputs.values().map(|at| list("inputs")[*at].clone()).collect();
        description["outputs"] = outputs.values().map(|at| list("outputs")[*at].clone()).collect();
        description["saves"] = 0.into();
        let (rows, least, result) = Default::default();
        Self { description, rows, least, result, ..*self }
    }

    /// Returns the FMU, not measured yet, with another library, whose value references count inputs, then outputs.
    pub fn numbered_through(&self, library: &Path) -> Self {
        let (rows, least, result) = Default::default();
        let mut unit = Self { description: self.description.clone(), rows, least, result, ..*self };
        let count = |key: &str| self.description[key].as_array().map_or(0, Vec::len);
        let (inputs, outputs) = (count("inputs"), count("outputs"));
        unit.description["library"] = library.display().to_string().into();
        unit.description["inputs"] = (0..inputs).collect();
        unit.description["outputs"] = (inputs..inputs + outputs).collect();
        unit
    }
}

impl Harness {
    /// Compiles the program into a folder.
    pub fn compile(folder: &Path) -> Result<Self> {
        Ok(Self { program: compile("harness", folder)? })
    }

    /// Unpacks FMUs below a folder, and reads their descriptions.
    pub fn describe(&self, environment: &Environment, files: &[&PathBuf], folder: &Path) -> Result<Vec<Measured>> {
        let descriptions = unpack(environment, files, &folder.join("unpacked"))?;
        let unit = |(description, file): (Value, &&PathBuf)| {
            let library = description["library"].as_str().context("a library")?;
            Ok(Measured {
                variables: description["variables"].as_u64().context("a number of variables")?,
                archive: fs_err::metadata(file)?.len(),
                library: fs_err::metadata(library)?.len(),
                rows: BTreeMap::new(),
                least: BTreeMap::new(),
                bytes: None,
                result: Vec::new(),
                description,
            })
        };
        descriptions.into_iter().zip(files).map(unit).collect()
    }

    /// Measures all rows for `budget` seconds each; keeps the best of all rounds.
    ///
    /// Every other set adds `delta` to the inputs. `variables` are those of the environment.
    pub fn measure(&self, unit: &mut Measured, budget: f64, delta: f64, variables: &[(&str, OsString)]) -> Result<()> {
        let text = |key: &str| match &unit.description[key] {
            Value::String(text) => text.clone(),
            Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        };
        let mut command = Command::new(&self.program);
        command.args(["library", "version", "token", "resources", "saves"].map(text));
        command.args([STEP, &budget.to_string(), &delta.to_string()]);
        command.args(["inputs", "starts", "outputs"].map(text)).envs(variables.iter().cloned());
        let output = venv::run(&mut command)?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default();
            match name {
                "result" => unit.result = words.filter_map(bits).collect(),
                "bytes" => unit.bytes = words.next().and_then(|word| word.parse().ok()),
                _ => {
                    for rows in [&mut unit.rows, &mut unit.least] {
                        let Some(time) = words.next().and_then(|word| word.parse::<f64>().ok()) else { break };
                        let row = rows.entry(name.to_owned()).or_insert(time);
                        *row = row.min(time);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Reads a number from its sixteen hexadecimal digits.
fn bits(word: &str) -> Option<f64> {
    u64::from_str_radix(word, 16).ok().map(f64::from_bits)
}
