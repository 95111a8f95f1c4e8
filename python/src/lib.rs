//! The Python module `mechanical_fmus._native`: the commands, and the builder for scripts.

mod docs;
mod session;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;
use fmu_builder::console::{note, say};
use fmu_builder::{Archive, Destination, Library, Settings, Standard, modelica_package, output_path};
use fmu_commands::about::About;
use fmu_commands::build::{
    LoadedComponent, Package, check_files, of_settings, refuse_problems, refuse_without_parts, with_file,
};
use fmu_commands::examples::with_examples;
use fmu_commands::import::report::Report;
use fmu_commands::import::{Import, Validate, fmpy};
use fmu_commands::source::{Component as _, LibrarySource};
use fmu_commands::systems::smallest;
use prebuilt::{Entry, Options, Prebuilt};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

/// Turns mechanical components into FMUs.
#[derive(Parser)]
#[command(name = Prebuilt::PROGRAM, version)]
struct Arguments {
    #[command(subcommand)]
    words: Words,
}

#[derive(clap::Subcommand)]
enum Words {
    #[command(flatten)]
    Source(fmu_commands::Command<Options>),
    #[command(flatten)]
    Import(Box<Import>),
    /// Print a script with which a shell completes commands and options
    Completion {
        /// The shell
        shell: Shell,
    },
    /// Print a page of the documentation, or without a name the list of all pages
    Docs {
        /// The page, such as systems or bushing
        page: Option<String>,
    },
    /// Copy the examples of the documentation into a folder
    Examples {
        /// The folder, which is made if it does not exist
        #[arg(default_value = "examples")]
        folder: PathBuf,
    },
}

/// Exit status that a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

fn program() -> clap::Command {
    with_examples(Arguments::command(), Prebuilt::PROGRAM)
        .mut_subcommand("completion", |word| {
            let bash = format!("Examples:\n  source <({} completion bash)", Prebuilt::PROGRAM);
            word.after_help(bash)
        })
        .mut_subcommand("docs", |word| {
            word.after_help(format!("Examples:\n  {0} docs\n  {0} docs systems", Prebuilt::PROGRAM))
        })
        .mut_subcommand("examples", |word| word.after_help(format!("Examples:\n  {} examples", Prebuilt::PROGRAM)))
}

/// Runs a command line and returns the exit status. `again` is the program and the arguments that run this command once
/// more: the interpreter is the first.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>, folder: PathBuf, again: Vec<OsString>) -> i32 {
    py.detach(|| {
        let line = std::iter::once(Prebuilt::PROGRAM.into()).chain(arguments.iter().cloned());
        let matches = program().try_get_matches_from(line);
        let words = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
            Ok(Arguments { words }) => words,
            Err(error) => {
                let _ = error.print();
                return error.exit_code();
            }
        };
        match words {
            Words::Source(command) => made(&command, &folder),
            Words::Import(command) => imported(&command, &arguments, &again),
            Words::Completion { shell } => {
                // A shell that reads no more needs no message.
                clap_complete::generate(shell, &mut program(), Prebuilt::PROGRAM, &mut std::io::stdout());
                0
            }
            Words::Docs { page } => status(docs::print(&folder, page.as_deref())),
            Words::Examples { folder } => status(examples(&folder)),
        }
    })
}

/// Copies the examples, as the function for scripts does.
fn examples(to: &Path) -> Result<()> {
    let copied = Python::attach(|py| {
        let copied = py.import("mechanical_fmus").and_then(|package| package.getattr("examples")?.call1((to,))?.len());
        copied.map_err(|error| anyhow!("{}", error.value(py)))
    })?;
    Ok(say(format_args!("{}: {copied} files", to.display()))?)
}

/// Returns the exit status of a command, after printing its error.
fn status(result: Result<()>) -> i32 {
    let Err(error) = result else { return 0 };
    note(format_args!("error: {error:#}"));
    Destination::remove_drafts();
    1
}

/// Replaces Python's own handler of Ctrl-C, which waits for the end of the command.
fn end_when_interrupted() {
    let _ = ctrlc::set_handler(|| {
        Destination::remove_drafts();
        std::process::exit(INTERRUPTED);
    });
}

/// Runs a command that makes FMUs, or describes components; returns the exit status.
fn made(command: &fmu_commands::Command<Options>, folder: &Path) -> i32 {
    end_when_interrupted();
    status(source(folder).and_then(|source| command.run(&*source)))
}

/// Runs a command that imports FMUs; returns the exit status.
fn imported(command: &Import, arguments: &[OsString], again: &[OsString]) -> i32 {
    let Some((python, options)) = again.split_first() else { return 1 };
    let again = || {
        let mut command = Command::new(python);
        command.args(options);
        command
    };
    match command {
        Import::Validate(of) if !fmu_importer::is_child() => {
            validated(of, Path::new(python), again).unwrap_or_else(|error| {
                note(format_args!("error: {error:#}"));
                1
            })
        }
        _ => {
            if matches!(command, Import::Fit(options) if options.fit_file().is_none()) {
                end_when_interrupted();
            }
            fmu_importer::run(command, arguments, again).into()
        }
    }
}

/// Validates files by our own rules and by FMPy, where it is installed; returns the exit status.
fn validated(of: &Validate, python: &Path, again: impl Fn() -> Command) -> Result<i32> {
    let mut report = Report::new(of)?;
    // A file that cannot be opened or read is given to no importer of others.
    let others = fmpy::validate(python, &of.safe_files())?;
    for file in &of.files {
        match fmu_importer::verdict(of, file, &again) {
            Some(verdict) => report.add(verdict)?,
            None => return Ok(INTERRUPTED),
        }
        let name = file.display().to_string();
        let of_file = others.iter().flatten().filter(|verdict| verdict.file == name);
        of_file.cloned().try_for_each(|verdict| report.add(verdict))?;
    }
    if others.is_none() {
        note("note: FMPy is not installed; if it is, validate also checks the FMUs with it: pip install fmpy");
    }
    Ok(i32::from(!report.finish()?))
}

/// Returns the libraries in the package, whose list is read once.
fn source(folder: &Path) -> Result<Arc<Prebuilt>> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Prebuilt>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(source) = known.get(folder) {
        return Ok(source.clone());
    }
    let source = Arc::new(Prebuilt::open(&folder.join("libraries"))?);
    known.insert(folder.to_owned(), source.clone());
    Ok(source)
}

/// Returns the components, as JSON.
#[pyfunction]
fn components(folder: PathBuf) -> PyResult<String> {
    let all = source(&folder).and_then(|source| About::of_components(&*source));
    all.and_then(json).map_err(exception)
}

/// Interval at which a long call checks for an interrupt, and time for which an interrupted one is waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const FAREWELL: Duration = Duration::from_millis(200);

/// Runs a long call on another thread; Ctrl-C ends it within fractions of a second. The work looks at its argument
/// between two files. An interrupted file is abandoned, with nothing half written in its place.
fn interruptible<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<R> + Send + 'static,
) -> PyResult<R> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = mpsc::sync_channel(1);
    let seen = interrupted.clone();
    let worker = std::thread::spawn(move || {
        // No receiver is left for a call that was interrupted.
        let _ = sender.send(work(&seen));
    });
    loop {
        // Whoever owns it may use it without the interpreter's lock.
        let results = &mut receiver;
        match py.detach(move || results.recv_timeout(POLL_INTERVAL)) {
            Ok(result) => return result.map_err(exception),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let reason = worker.join().err().and_then(|panic| panic.downcast::<String>().ok());
                let reason = reason.map_or_else(|| "the builder has failed".to_owned(), |reason| *reason);
                return Err(PyRuntimeError::new_err(reason));
            }
        }
        if let Err(signal) = py.check_signals() {
            interrupted.store(true, Ordering::Relaxed);
            let results = &mut receiver;
            if py.detach(move || results.recv_timeout(FAREWELL)).is_err() {
                Destination::remove_drafts();
            }
            return Err(signal);
        }
    }
}

fn stop_if(interrupted: &AtomicBool) -> Result<()> {
    if interrupted.load(Ordering::Relaxed) { bail!("interrupted") } else { Ok(()) }
}

/// Returns the types of parts of systems, as JSON.
#[pyfunction]
fn parts(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    let types = move |_: &AtomicBool| {
        let source = source(&folder)?;
        let system = source.system()?;
        json(About::of_parts(&system, &Library::load(&source.host(&system, &Default::default())?)?)?.parts)
    };
    interruptible(py, types)
}

fn json(data: impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string(&data)?)
}

/// Configuration to build, as Python passes it: a component, a file or a text in TOML, and assignments.
type BuildArguments = (Option<String>, Option<PathBuf>, Option<String>, Vec<String>);

/// Configuration to build: its component and its settings.
struct BuildRequest {
    component: Option<String>,
    settings: Settings,
}

impl BuildRequest {
    /// Reads a configuration; messages call the text `name`.
    fn new((component, file, text, assignments): BuildArguments, name: String) -> Result<Self> {
        let mut settings = match (&file, text) {
            (Some(file), _) => {
                let mut settings = Settings::from_toml(file)?;
                settings.name_after(file);
                settings
            }
            (None, Some(text)) => Settings::from_text(name, text)?,
            (None, None) => Settings::default(),
        };
        assignments.iter().try_for_each(|assignment| settings.set_keyword(assignment))?;
        Ok(Self { component, settings })
    }

    /// Loads the component with its libraries, which are read once.
    fn load(&self, folder: &Path, target: Vec<String>) -> Result<Arc<LoadedComponent>> {
        type Key = (PathBuf, String, Vec<String>);
        static KNOWN: Mutex<BTreeMap<Key, Arc<LoadedComponent>>> = Mutex::new(BTreeMap::new());
        let source = source(folder)?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut of_component = |component: &Entry| {
            let key = (folder.to_owned(), component.name().to_owned(), target.clone());
            if let Some(loaded) = known.get(&key) {
                return Ok(loaded.clone());
            }
            let libraries = source.libraries(&[component], &Options { target: target.clone() })?.remove(0);
            let loaded = Arc::new(LoadedComponent::new(libraries)?);
            known.insert(key, loaded.clone());
            anyhow::Ok(loaded)
        };
        let component = match &self.component {
            Some(name) => source.named(name)?,
            None => of_settings(&*source, &self.settings, || {
                let has_types = |system: &mut Entry| of_component(system)?.has_types_of(&self.settings);
                smallest(&mut source.systems()?, has_types).cloned()
            })?,
        };
        refuse_without_parts(&component, &self.settings)?;
        of_component(&component)
    }
}

/// A finished FMU: its file, descriptions of how files were read, and warnings.
type Built = (PathBuf, Vec<String>, Vec<String>);

/// Builds FMUs at the same time; none of them if a configuration has errors.
#[pyfunction]
fn build(
    py: Python<'_>,
    folder: PathBuf,
    whats: Vec<BuildArguments>,
    out: PathBuf,
    target: Vec<String>,
    strict: bool,
    modelica: bool,
) -> PyResult<Vec<Built>> {
    let build = move |interrupted: &AtomicBool| {
        let files: Vec<_> = whats.iter().map(|(_, file, ..)| file.clone()).collect();
        let count = whats.len();
        let resolve = |(number, what): (usize, BuildArguments)| {
            stop_if(interrupted)?;
            let place = if count == 1 { "dict".to_owned() } else { format!("dict {}", number + 1) };
            let given = BuildRequest::new(what, place)?;
            let component = given.load(&folder, target.clone())?;
            let description = component.describe(&given.settings)?;
            if strict && !description.warnings.is_empty() {
                bail!("{}", description.warnings.join("\n"));
            }
            // A call has one result for each configuration.
            let [standard] = given.settings.standards()?[..] else { bail!("fmi: give one version at a time") };
            Ok((component, description, standard))
        };
        let mut problems = Vec::new();
        let mut resolved = Vec::new();
        let results: Vec<Result<_>> = whats.into_par_iter().enumerate().map(resolve).collect();
        for (number, (result, file)) in results.into_iter().zip(&files).enumerate() {
            match result {
                Ok(one) => resolved.push(one),
                Err(error) => {
                    let error = with_file(file.as_deref(), error);
                    // The type of a single error decides on the exception.
                    if count == 1 {
                        return Err(error);
                    }
                    problems.push((number, format!("{error:#}")));
                }
            }
        }
        refuse_problems(&mut problems, count)?;
        let mut packages = Vec::new();
        for ((component, description, standard), source) in resolved.iter().zip(files) {
            let (standard, description) = (*standard, description.clone());
            packages.push(Package {
                component,
                standard,
                file: output_path(&description, standard, &out),
                description,
                source,
            });
        }
        check_files(&packages)?;
        let pack = |Package { component, standard, description, file, .. }: &Package<'_>| {
            stop_if(interrupted)?;
            let mut warnings = description.warnings.clone();
            if modelica && *standard == Standard::Fmi2 {
                let reason = component.pack_with_model(description, file)?;
                warnings.extend(reason.map(|reason| format!("no Modelica model: {reason}")));
            } else {
                component.pack(description, *standard, file)?;
            }
            Ok((file.clone(), description.notes.clone(), warnings))
        };
        let built: Vec<Built> = packages.par_iter().map(pack).collect::<Result<_>>()?;
        let has_model = |package: &&Package<'_>| modelica && package.standard == Standard::Fmi2;
        if let Some(Package { file, .. }) = packages.iter().find(has_model) {
            modelica_package(file.parent().unwrap_or(Path::new(".")))?;
        }
        Ok(built)
    };
    interruptible(py, build)
}

/// Describes a component with settings, or a finished FMU, as JSON.
#[pyfunction]
fn info(py: Python<'_>, folder: PathBuf, what: BuildArguments) -> PyResult<String> {
    let info = move |_: &AtomicBool| {
        if let (_, Some(file), _, assignments) = &what
            && file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fmu"))
        {
            if !assignments.is_empty() {
                bail!("settings are for components, but {} is a finished FMU", file.display());
            }
            return json(About::finished(&Archive::open(file)?.model()?));
        }
        let given = BuildRequest::new(what, "dict".to_owned())?;
        json(About::of(&given.load(&folder, Vec::new())?.describe(&given.settings)?))
    };
    interruptible(py, info)
}

pyo3::create_exception!(
    mechanical_fmus,
    SettingsError,
    PyValueError,
    "Errors of the settings, a line each: location, name, value, and what would be right."
);

/// Rewrites a message of the command for a function whose keyword arguments have the names of options.
#[pyfunction]
fn in_keywords(message: &str) -> String {
    let message =
        message.replace("--config FILE.toml", "give a dict, or the path of a .toml file").replace("--set ", "");
    let message = message.replace("--skip-column", "skip");
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_option = !text.ends_with(char::is_alphanumeric) && part.starts_with(|c: char| c.is_ascii_lowercase());
        text += if is_option { "" } else { "--" };
        text += part;
    }
    text
}

/// Makes the exception of an error, with its message in terms of keyword arguments.
fn exception(error: anyhow::Error) -> PyErr {
    let message = in_keywords(&format!("{error:#}"));
    use fmu_builder::Error;
    let is_of_files = match error.downcast_ref() {
        Some(Error::Io(_) | Error::Write { .. } | Error::Exists { .. } | Error::Archive { .. }) => true,
        Some(_) => false,
        None => error.chain().any(|cause| cause.is::<std::io::Error>()),
    };
    if is_of_files { PyOSError::new_err(message) } else { SettingsError::new_err(message) }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SettingsError", module.py().get_type::<SettingsError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(in_keywords, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(session::serve, module)?)?;
    module.add_function(wrap_pyfunction!(components, module)?)?;
    module.add_function(wrap_pyfunction!(parts, module)?)?;
    module.add_function(wrap_pyfunction!(build, module)?)?;
    module.add_function(wrap_pyfunction!(info, module)?)
}
