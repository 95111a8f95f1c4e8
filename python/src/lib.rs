//! The Python module `mechanical_fmus._native`: the commands, and the builder for scripts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::Parser;
use fmu_builder::console::note;
use fmu_builder::description::Causality;
use fmu_builder::{Destination, Settings, choices, modelica_model, modelica_package, rows};
use fmu_commands::build::{Parts, of_settings};
use fmu_commands::prebuilt::{Options, Prebuilt};
use fmu_commands::source::{Component as _, Source};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// Turns mechanical components into FMUs.
#[derive(Parser)]
#[command(name = "mechanical-fmus", version)]
struct Arguments {
    #[command(subcommand)]
    words: Words,
}

#[derive(clap::Subcommand)]
enum Words {
    #[command(flatten)]
    Source(fmu_commands::Command<Options>),
    /// Check FMUs and print every problem
    #[command(disable_help_flag = true)]
    Validate(Rest),
    /// Simulate an FMU; print, save or draw its outputs
    #[command(disable_help_flag = true)]
    Simulate(Rest),
    /// Run an FMU many times with different parameters
    #[command(disable_help_flag = true)]
    Sweep(Rest),
    /// Identify the rubber parameters of a bushing from measured dynamic stiffness and loss angle
    #[command(disable_help_flag = true)]
    Fit(Rest),
}

/// What the importer reads itself.
#[derive(clap::Args)]
struct Rest {
    /// Files and options; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Carries out a command line; returns the exit status.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>, folder: PathBuf) -> i32 {
    // Instead of Python's own handler, which waits for the end of the command.
    let _ = ctrlc::set_handler(|| {
        Destination::remove_drafts();
        std::process::exit(INTERRUPTED);
    });
    py.detach(|| {
        let program = OsString::from(Prebuilt::PROGRAM);
        let words = match Arguments::try_parse_from(std::iter::once(program).chain(arguments)) {
            Ok(Arguments { words }) => words,
            Err(error) => {
                let _ = error.print();
                return error.exit_code();
            }
        };
        let result = match words {
            Words::Source(command) => source(&folder).and_then(|source| command.run(&source)).map(|()| 0),
            Words::Validate(Rest { arguments }) => importer(&folder, "validate", arguments),
            Words::Simulate(Rest { arguments }) => importer(&folder, "simulate", arguments),
            Words::Sweep(Rest { arguments }) => importer(&folder, "sweep", arguments),
            Words::Fit(Rest { arguments }) => importer(&folder, "fit", arguments),
        };
        result.unwrap_or_else(|error| {
            note(format_args!("error: {error:#}"));
            Destination::remove_drafts();
            1
        })
    })
}

fn source(folder: &Path) -> Result<Prebuilt> {
    Prebuilt::open(&folder.join("libraries"))
}

/// Runs the importer, a program of its own, since the code of an FMU may end its process.
fn importer(folder: &Path, word: &str, arguments: Vec<OsString>) -> Result<i32> {
    let program = folder.join("bin").join(format!("fmu-importer{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&program);
    command.arg(word).args(arguments).env("FMU_IMPORTER_NAME", Prebuilt::PROGRAM);
    ended(&mut command).with_context(|| format!("cannot run {}", program.display()))
}

/// The exit status of a program, which takes the place of this process, so that whoever ends this one ends that one.
#[cfg(unix)]
fn ended(command: &mut Command) -> std::io::Result<i32> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// The exit status of a program.
#[cfg(not(unix))]
fn ended(command: &mut Command) -> std::io::Result<i32> {
    Ok(command.status()?.code().unwrap_or(1))
}

/// A component.
#[pyclass(frozen, get_all, module = "mechanical_fmus")]
struct Component {
    name: String,
    description: String,
}

/// A structure option or a variable.
#[pyclass(frozen, get_all, module = "mechanical_fmus")]
struct Variable {
    name: String,
    kind: &'static str,
    unit: String,
    value: String,
    admissible: String,
    description: String,
}

#[pymethods]
impl Component {
    fn __repr__(&self) -> String {
        format!("<Component {}: {}>", self.name, self.description)
    }
}

#[pymethods]
impl Variable {
    fn __repr__(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("<{} {} = {}{unit}>", self.kind, self.name, self.value)
    }
}

/// The components.
#[pyfunction]
fn components(folder: PathBuf) -> PyResult<Vec<Component>> {
    let all = source(&folder).and_then(|source| source.components()).map_err(exception)?;
    let component = |of: fmu_commands::prebuilt::Entry| Component {
        name: of.name().to_owned(),
        description: of.description().to_owned(),
    };
    Ok(all.into_iter().map(component).collect())
}

/// What is built, as Python passes it: a component, a file or a text in TOML, and assignments.
type What = (Option<String>, Option<PathBuf>, Option<String>, Vec<String>);

/// What is built.
struct Given {
    component: Option<String>,
    settings: Settings,
}

impl Given {
    fn new((component, file, text, assignments): What) -> Result<Self> {
        let mut settings = match (&file, text) {
            (Some(file), _) => {
                let mut settings = Settings::from_toml(file)?;
                settings.name_after(file);
                settings
            }
            (None, Some(text)) => Settings::from_text("dict".to_owned(), text)?,
            (None, None) => Settings::default(),
        };
        assignments.iter().try_for_each(|assignment| settings.set(assignment))?;
        Ok(Self { component, settings })
    }

    /// The libraries, which are read once.
    fn parts(&self, folder: &Path, target: Vec<String>) -> Result<Arc<Parts>> {
        type Key = (PathBuf, String, Vec<String>);
        static KNOWN: Mutex<BTreeMap<Key, Arc<Parts>>> = Mutex::new(BTreeMap::new());
        let source = source(folder)?;
        let component = match &self.component {
            Some(name) => source.named(name)?,
            None => of_settings(&source, &self.settings)?,
        };
        let key = (folder.to_owned(), component.name().to_owned(), target.clone());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(parts) = known.get(&key) {
            return Ok(parts.clone());
        }
        let libraries = source.libraries(&[&component], &Options { target })?.remove(0);
        let parts = Arc::new(Parts::new(libraries)?);
        known.insert(key, parts.clone());
        Ok(parts)
    }
}

/// Builds an FMU; returns its file, and warnings.
#[pyfunction]
fn build(
    py: Python<'_>,
    folder: PathBuf,
    what: What,
    out: PathBuf,
    target: Vec<String>,
    strict: bool,
    modelica: bool,
) -> PyResult<(PathBuf, Vec<String>)> {
    let build = || {
        let given = Given::new(what)?;
        let parts = given.parts(&folder, target)?;
        let description = parts.describe(&given.settings)?;
        if strict && !description.warnings.is_empty() {
            bail!("{}", description.warnings.join("\n"));
        }
        let mut warnings = description.warnings.clone();
        let file = parts.pack(&description, &out)?;
        if modelica {
            let reason = modelica_model(&description, &file)?;
            warnings.extend(reason.map(|reason| format!("no Modelica model: {reason}")));
            modelica_package(file.parent().unwrap_or(Path::new(".")))?;
        }
        Ok((file, warnings))
    };
    py.detach(build).map_err(exception)
}

/// The structure options and variables.
#[pyfunction]
fn info(py: Python<'_>, folder: PathBuf, what: What) -> PyResult<Vec<Variable>> {
    let info = || {
        let given = Given::new(what)?;
        let description = given.parts(&folder, Vec::new())?.describe(&given.settings)?;
        let mut variables: Vec<Variable> = description
            .structure
            .iter()
            .map(|option| Variable {
                name: option.name.clone(),
                kind: "structure",
                unit: String::new(),
                value: option.value.clone(),
                admissible: choices(&option.kind),
                description: option.description.clone(),
            })
            .collect();
        for (kind, causality) in
            [("parameter", Causality::Parameter), ("input", Causality::Input), ("output", Causality::Output)]
        {
            variables.extend(rows(&description, &[causality]).into_iter().map(|row| {
                let admissible = row.admissible(&description);
                let (name, unit, value, description) = (row.name, row.unit, row.start, row.description);
                Variable { name, kind, unit, value, admissible, description }
            }));
        }
        Ok(variables)
    };
    py.detach(info).map_err(exception)
}

pyo3::create_exception!(
    mechanical_fmus,
    SettingsError,
    PyValueError,
    "Errors of the settings, a line each: place, name, value, and what would be right."
);

/// The same message as that of the command.
fn exception(error: anyhow::Error) -> PyErr {
    let message = format!("{error:#}");
    use fmu_builder::Error;
    let is_of_files = match error.downcast_ref() {
        Some(Error::Io(_) | Error::Write { .. } | Error::Exists { .. }) => true,
        Some(_) => false,
        None => error.chain().any(|cause| cause.is::<std::io::Error>()),
    };
    if is_of_files { PyOSError::new_err(message) } else { SettingsError::new_err(message) }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SettingsError", module.py().get_type::<SettingsError>())?;
    module.add_class::<Component>()?;
    module.add_class::<Variable>()?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(components, module)?)?;
    module.add_function(wrap_pyfunction!(build, module)?)?;
    module.add_function(wrap_pyfunction!(info, module)?)
}
