//! Finished FMUs for tests, and instances of them that know their variables by name.
//!
//! The library is that of the archive made by `cargo xtask build`. It is configured, packed and
//! unpacked again, so that every test can have its own structure. Errors panic.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, Once, PoisonError};

use fmu_builder::description::{Description, Variable, VariableType};
use fmu_builder::{
    Archive, Cached, Compression, Destination, Error, Library, Origin, Packer, Platform, Settings, Standard,
};
use fmu_runtime::fingerprint;
use tempfile::TempDir;

use crate::api::{Api, CInstance, CO_SIMULATION, FmuState, MODEL_EXCHANGE, Message, Setup, Status};

/// Returns the folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in the workspace")
}

/// Returns the files of the examples that others have published, in the folders of `examples`: all but parts of other systems.
pub fn published_examples() -> Vec<PathBuf> {
    let entries =
        |folder: PathBuf| fs_err::read_dir(folder).expect("examples").map(|entry| entry.expect("a file").path());
    let folders = entries(root().join("examples")).filter(|path| path.is_dir() && !path.ends_with("parts"));
    let files = folders.flat_map(entries).filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

/// Returns the packages in `models` that are built as FMUs.
pub fn components() -> Vec<String> {
    let folders = fs_err::read_dir(root().join("models")).expect("components");
    let folders = folders.map(|entry| entry.expect("a folder").path());
    let components = folders.filter(|folder| folder.join("src/fmu.rs").exists());
    let name = |folder: PathBuf| folder.file_name().expect("a name").to_string_lossy().into_owned();
    let mut names: Vec<_> = components.map(name).collect();
    names.sort();
    assert!(!names.is_empty(), "models has no components");
    names
}

/// Returns the archives of the components in their default configurations, of the sources as they are.
pub fn archives() -> Vec<PathBuf> {
    components().iter().map(|component| archive(component)).collect()
}

/// Returns the archive of a component in its default configuration, of the sources as they are; of `systems` and
/// `trains` an example, whose library is that of all such systems.
pub fn archive(component: &str) -> PathBuf {
    static BUILT: [Once; 2] = [const { Once::new() }; 2];
    match component {
        "systems" => system(&BUILT[0], component, "double-pendulum", "DoublePendulum"),
        "trains" => system(&BUILT[1], component, "gear-shift", "GearShift"),
        _ => {
            build();
            found(component).unwrap_or_else(|| panic!("target/fmu has no FMU of {component}"))
        }
    }
}

fn system(built: &Once, folder: &str, example: &str, name: &str) -> PathBuf {
    let folder = root().join("target/tmp/finished").join(folder);
    built.call_once(|| {
        let _alone = alone();
        let example = format!("examples/{example}.toml");
        let build = ["xtask", "build", "--config", &example, "--out"];
        printed(Command::new(env!("CARGO")).args(build).arg(&folder).current_dir(root()));
    });
    folder.join(name).with_extension("fmu")
}

/// Returns the archive of a component, if there is one.
fn found(component: &str) -> Option<PathBuf> {
    let wanted = component.replace('-', "");
    let is_wanted = |file: &PathBuf| {
        let is_fmu = file.extension().is_some_and(|extension| extension == "fmu");
        is_fmu && file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(&wanted))
    };
    let files = fs_err::read_dir(root().join("target/fmu")).into_iter().flatten().flatten().map(|entry| entry.path());
    files.into_iter().find(is_wanted)
}

/// Lets one test program build at a time, until the result is dropped: two would remove each other's files.
fn alone() -> std::fs::File {
    let folder = root().join("target/tmp/finished");
    fs_err::create_dir_all(&folder).expect("room for a folder");
    let file = std::fs::File::create(folder.join("lock")).expect("room for a file");
    file.lock().expect("a lock");
    file
}

/// Builds all FMUs unless they are of the sources as they are, so that no test loads others.
fn build() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let _alone = alone();
        let stamp = root().join("target/tmp/finished/stamp");
        let (sources, fmus) = (sources(), || contents(components().iter().filter_map(|name| found(name)).collect()));
        if fs_err::read_to_string(&stamp).is_ok_and(|known| known == sources.clone() + &fmus()) {
            return;
        }
        printed(Command::new(env!("CARGO")).args(["xtask", "build"]).current_dir(root()));
        fs_err::write(stamp, sources + &fmus()).expect("room for a file");
    });
}

/// The folders from which FMUs are made, beside the files of the workspace itself.
pub const SOURCES: [&str; 6] = [".cargo", "fmu-builder", "fmu-commands", "fmu-runtime", "models", "xtask"];

/// Returns a fingerprint of everything that FMUs are made from.
fn sources() -> String {
    let entries = fs_err::read_dir(root()).expect("the workspace").map(|entry| entry.expect("an entry").path());
    let folders = SOURCES.map(|name| root().join(name));
    contents(entries.filter(|path| path.is_file()).chain(folders).collect())
}

/// Returns a fingerprint of files and of all files in folders.
fn contents(mut paths: Vec<PathBuf>) -> String {
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs_err::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if let Ok(content) = fs_err::read(&path) {
            files.push(format!("{} {}\n", path.display(), fingerprint(&content)));
        }
    }
    files.sort();
    fingerprint(files.concat().as_bytes())
}

/// Returns the Python with FMPy, in the workspace; `None`, with a message, if it is missing.
pub fn python() -> Option<Command> {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python =
        root().join("target/python").join(folder).join("python").with_extension(std::env::consts::EXE_EXTENSION);
    if python.exists() {
        let mut command = Command::new(python);
        command.current_dir(root());
        return Some(command);
    }
    // This bypasses the test runner, which shows the output of failing tests only.
    let _ = writeln!(std::io::stderr(), "skipped: FMPy is not set up; cargo xtask test does that");
    None
}

/// Returns the output of a program, which must succeed.
pub fn printed(program: &mut Command) -> String {
    let done = program.output().expect("a program that runs");
    assert!(done.status.success(), "{program:?} failed:\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// Returns the library from a component's archive. It is kept, so that it is compressed once for all tests.
pub fn library(component: &str) -> PathBuf {
    let archive = Archive::open(&archive(component)).expect("an archive");
    let name = archive.model().expect("a description").model_name;
    let entry = Platform::host().expect("a known platform").entry(&name);
    let content = archive.read(&entry).expect("a library for this platform");
    let folder = root().join("target/tmp/finished").join(fingerprint(&content));
    let path = folder.join(Path::new(&entry).file_name().expect("a file"));
    if !path.exists() {
        fs_err::create_dir_all(&folder).expect("room for a folder");
        let file = Destination::new(&path).expect("room for a file");
        file.write(|writer| writer.write_all(&content)).expect("room for a file");
    }
    path
}

/// The data that a process has loaded from a component's archive.
struct Loaded {
    path: PathBuf,
    library: Cached<Library>,
}

/// Loads a component's library once, for the whole process.
fn loaded(component: &str) -> &'static Loaded {
    static LOADED: Mutex<BTreeMap<String, &'static Loaded>> = Mutex::new(BTreeMap::new());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.entry(component.to_owned()).or_insert_with(|| {
        let path = library(component);
        let library = Library::load(&path).expect("a library of ours");
        Box::leak(Box::new(Loaded { path, library: Cached::new(library) }))
    })
}

/// Returns the description of a component with these settings, or why there is none.
pub fn resolve(component: &str, settings: &Settings) -> Result<Description, Error> {
    settings.resolve(&loaded(component).library)
}

/// Returns the description of a component with the settings `name=value`, or why there is none.
pub fn describe(component: &str, assignments: &[&str]) -> Result<Description, Error> {
    let mut settings = Settings::default();
    assignments.iter().try_for_each(|assignment| settings.set(assignment))?;
    resolve(component, &settings)
}

/// Packs a component with a given description into a folder.
pub fn packed(component: &str, description: &Description, standard: Standard, folder: &Path) -> PathBuf {
    let platform = Platform::host().expect("a known platform");
    let packer = Packer::read(&[(platform, loaded(component).path.clone())], Origin::default(), Compression::Usual);
    packer.and_then(|packer| packer.pack(description, standard, folder)).unwrap_or_else(|error| panic!("{error}"))
}

/// An FMU of one configuration, packed and unpacked.
pub struct Fmu {
    /// Description of the FMU.
    pub description: Description,
    /// Path of the archive.
    pub file: PathBuf,
    api: Api,
    folder: TempDir,
    /// Positions of the variables by name, those of an array also by its name.
    positions: HashMap<String, Vec<usize>>,
}

impl Fmu {
    /// Makes the FMU of a component with the settings `name=value`.
    pub fn new(component: &str, assignments: &[&str]) -> Self {
        Self::of(component, describe(component, assignments).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Makes the FMU of a component with a given description.
    pub fn of(component: &str, description: Description) -> Self {
        let folder = tempfile::tempdir().expect("room for a folder");
        let platform = Platform::host().expect("a known platform");
        let file = packed(component, &description, Standard::Fmi2, folder.path());
        let archive = Archive::open(&file).expect("an archive");
        let unpacked = folder.path().join("unpacked");
        for entry in archive.entries() {
            let path = unpacked.join(&entry.name);
            fs_err::create_dir_all(path.parent().expect("a folder")).expect("room for a folder");
            fs_err::write(path, archive.read(&entry.name).expect("an entry")).expect("room for a file");
        }
        let api = Api::load(&unpacked.join(platform.entry(&description.name))).expect("a library");
        assert_eq!(api.missing(), [""; 0], "functions are missing");
        let mut positions: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, variable) in description.variables.iter().enumerate() {
            let array = variable.name.split_once('[').map(|(array, _)| array);
            for name in array.into_iter().chain([variable.name.as_str()]) {
                positions.entry(name.to_owned()).or_default().push(position);
            }
        }
        Self { description, file, api, folder, positions }
    }

    /// Returns the folder of the resources.
    pub fn resources(&self) -> PathBuf {
        self.folder.path().join("unpacked/resources")
    }

    /// Makes an instance for Co-Simulation that logs everything.
    pub fn instance(&self) -> Instance<'_> {
        self.instantiate(CO_SIMULATION).unwrap_or_else(|message| panic!("{message}"))
    }

    /// Makes an instance for Model Exchange that logs everything.
    pub fn model_exchange(&self) -> Instance<'_> {
        self.instantiate(MODEL_EXCHANGE).unwrap_or_else(|message| panic!("{message}"))
    }

    /// Makes an instance that logs everything, or says why there is none.
    pub fn instantiate(&self, kind: i32) -> Result<Instance<'_>, String> {
        let location = format!("file://{}", self.resources().display());
        let location = Some(location.as_bytes());
        let setup = Setup { location, logging_on: true, ..Setup::new(kind, &self.description.guid) };
        let last = |messages: Vec<Message>| messages.last().expect("a reason").text.clone();
        let fmi = self.api.instantiate(setup).map_err(last)?;
        Ok(Instance { fmi, fmu: self, kind })
    }
}

/// An instance that knows its variables by name.
pub struct Instance<'a> {
    /// The instance.
    pub fmi: CInstance,
    fmu: &'a Fmu,
    kind: i32,
}

impl Instance<'_> {
    /// Returns the interface, Co-Simulation or Model Exchange.
    pub fn kind(&self) -> i32 {
        self.kind
    }

    fn variables(&self, name: &str) -> Vec<&Variable> {
        let positions = self.fmu.positions.get(name).unwrap_or_else(|| panic!("no {name}"));
        positions.iter().map(|position| &self.fmu.description.variables[*position]).collect()
    }

    /// Returns the value reference of a variable, or those of all elements of an array.
    pub fn references(&self, name: &str) -> Vec<u32> {
        self.variables(name).iter().map(|variable| variable.value_reference).collect()
    }

    /// Sets a number, or all elements of an array; Booleans are 0 or 1, items of enumerations their numbers.
    pub fn set(&self, name: &str, values: &[f64]) -> Status {
        let references = self.references(name);
        let whole = || values.iter().map(|value| *value as i32).collect::<Vec<_>>();
        match self.variables(name)[0].kind {
            VariableType::Real { .. } => self.fmi.set_real(&references, values),
            VariableType::Boolean { .. } => self.fmi.set_boolean(&references, &whole()),
            _ => self.fmi.set_integer(&references, &whole()),
        }
    }

    /// Sets a String.
    pub fn set_text(&self, name: &str, text: &str) {
        assert_eq!(self.fmi.set_string(&self.references(name), &[Some(text.as_bytes())]), Status::Ok);
    }

    /// Gives Real inputs their first derivatives for the next step.
    pub fn set_rates(&self, name: &str, rates: &[f64]) -> Status {
        let references = self.references(name);
        self.fmi.set_real_input_derivatives(&references, &vec![1; references.len()], rates)
    }

    /// Returns first derivatives of Real outputs.
    pub fn output_rates(&self, references: &[u32]) -> Vec<f64> {
        let (status, rates) = self.fmi.get_real_output_derivatives(references, &vec![1; references.len()]);
        assert_eq!(status, Status::Ok, "{:?}", self.fmi.messages());
        rates
    }

    /// Returns a number, or all elements of an array, of any type but String.
    pub fn get(&self, name: &str) -> Vec<f64> {
        let references = self.references(name);
        let real = |(status, values): (Status, Vec<i32>)| (status, values.into_iter().map(f64::from).collect());
        let (status, values) = match self.variables(name)[0].kind {
            VariableType::Real { .. } => self.fmi.get_real(&references),
            VariableType::Boolean { .. } => real(self.fmi.get_boolean(&references)),
            _ => real(self.fmi.get_integer(&references)),
        };
        assert_eq!(status, Status::Ok, "{name}: {:?}", self.fmi.messages());
        values
    }

    /// Initialises at time 0.
    pub fn initialise(&self) {
        self.initialise_at(0.0);
    }

    /// Initialises at a time.
    pub fn initialise_at(&self, start: f64) {
        self.try_initialise_from(None, start).unwrap_or_else(|message| panic!("{message}"));
    }

    /// Initialises at time 0 with a relative tolerance.
    pub fn initialise_with(&self, tolerance: Option<f64>) {
        self.try_initialise_from(tolerance, 0.0).unwrap_or_else(|message| panic!("{message}"));
    }

    /// Initialises at time 0; the error is the last message.
    pub fn try_initialise(&self) -> Result<(), String> {
        self.try_initialise_from(None, 0.0)
    }

    fn try_initialise_from(&self, tolerance: Option<f64>, start: f64) -> Result<(), String> {
        assert_eq!(self.fmi.setup_experiment(tolerance, start, None), Status::Ok);
        assert_eq!(self.fmi.enter_initialization_mode(), Status::Ok);
        match self.fmi.exit_initialization_mode() {
            Status::Ok => Ok(()),
            _ => Err(self.last_message().text),
        }
    }

    /// Makes a Co-Simulation step.
    pub fn step(&self, point: f64, h: f64) {
        assert_eq!(self.fmi.do_step(point, h), Status::Ok, "{:?}", self.fmi.messages());
    }

    /// Iterates the current event (Model Exchange), which must converge.
    pub fn settle(&self) {
        for _ in 0..100 {
            let (status, info) = self.fmi.new_discrete_states();
            assert_eq!(status, Status::Ok, "{:?}", self.fmi.messages());
            if info.new_discrete_states_needed == 0 {
                return;
            }
        }
        panic!("the event does not settle");
    }

    /// Returns the bits of all Reals, Integers and Booleans.
    pub fn bits(&self) -> Vec<u64> {
        let references = |wanted: fn(&Variable) -> bool| -> Vec<u32> {
            let variables = self.fmu.description.variables.iter().filter(|variable| wanted(variable));
            variables.map(|variable| variable.value_reference).collect()
        };
        let reals = references(Variable::is_real);
        let integers = references(|variable| {
            matches!(variable.kind, VariableType::Integer { .. } | VariableType::Enumeration { .. })
        });
        let booleans = references(|variable| matches!(variable.kind, VariableType::Boolean { .. }));
        let (status, reals) = self.fmi.get_real(&reals);
        assert_eq!(status, Status::Ok, "{:?}", self.fmi.messages());
        let whole = [self.fmi.get_integer(&integers), self.fmi.get_boolean(&booleans)];
        assert!(whole.iter().all(|(status, _)| *status == Status::Ok), "{:?}", self.fmi.messages());
        let whole = whole.into_iter().flat_map(|(_, values)| values).map(f64::from);
        reals.into_iter().chain(whole).map(f64::to_bits).collect()
    }

    /// Saves the FMU state.
    pub fn save(&self) -> FmuState {
        let mut state = FmuState::NULL;
        assert_eq!(self.fmi.get_state(&mut state), Status::Ok);
        state
    }

    /// Returns the bytes of a saved FMU state.
    pub fn serialise(&self, state: FmuState) -> Vec<u8> {
        let (status, size) = self.fmi.serialized_size(state);
        assert_eq!(status, Status::Ok);
        let mut bytes = vec![0; size];
        assert_eq!(self.fmi.serialize(state, &mut bytes), Status::Ok);
        bytes
    }

    /// Makes the FMU state of such bytes.
    pub fn deserialise(&self, bytes: &[u8]) -> FmuState {
        let mut state = FmuState::NULL;
        assert_eq!(self.fmi.deserialize(bytes, &mut state), Status::Ok, "{:?}", self.fmi.messages());
        state
    }

    /// Takes the last message; there must be one.
    pub fn last_message(&self) -> Message {
        self.fmi.messages().pop().expect("a message")
    }
}
