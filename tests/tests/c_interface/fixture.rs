//! Finished FMUs, and instances of them that know the variables by name.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use fmu_builder::description::{Description, Variable, VariableType};
use fmu_builder::{Archive, Library, Origin, Platform, Settings, pack};
use fmu_tests::api::{Api, CInstance, CO_SIMULATION, FmuState, MODEL_EXCHANGE, Message, Setup, Status};
use fmu_tests::finished;
use serde_json::Value;

/// Both interfaces.
pub const INTERFACES: [i32; 2] = [CO_SIMULATION, MODEL_EXCHANGE];

/// A state of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Instantiated,
    Initialization,
    StepComplete,
    Event,
    Continuous,
    Terminated,
    Error,
}

/// Returns the states of an interface.
pub fn states(kind: i32) -> &'static [State] {
    use State::*;
    match kind {
        CO_SIMULATION => &[Instantiated, Initialization, StepComplete, Terminated, Error],
        _ => &[Instantiated, Initialization, Event, Continuous, Terminated, Error],
    }
}

/// Returns the shared library of a component: that of the finished FMU, or the sample's, compiled once in a process.
pub fn library(name: &str) -> &'static Path {
    static LIBRARIES: [OnceLock<PathBuf>; 2] = [const { OnceLock::new() }; 2];
    LIBRARIES[usize::from(name == "sample")].get_or_init(|| match name {
        "sample" => compile(name),
        _ => finished::library("Bushing"),
    })
}

/// Compiles the library of a component among the tests.
pub fn compile(name: &str) -> PathBuf {
    let target = format!("{name}-fmu");
    let mut cargo = Command::new(env!("CARGO"));
    // The package has the features with which all packages are already compiled.
    cargo.args(["build", "--message-format=json-render-diagnostics", "--workspace", "--example", &target]);
    // Without debug symbols, packing the library takes a fraction of the time.
    cargo.args(["--config", "profile.dev.package.test-components.strip='symbols'"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = cargo.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "cargo cannot compile {target}");
    let messages = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let of_target: Vec<Value> = messages.filter(|message: &Value| message["target"]["name"] == *target).collect();
    let mut files = of_target.iter().flat_map(|message| message["filenames"].as_array().into_iter().flatten());
    let is_library = |file: &&str| [".so", ".dll", ".dylib"].iter().any(|ending| file.ends_with(ending));
    files.find_map(|file| file.as_str().filter(is_library)).expect("a library").into()
}

/// Returns a folder that no other process uses; it need not be cleaned up.
fn own_folder() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, File)> = OnceLock::new();
    let folder = |number: u32| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c_interface-{number}"));
        fs_err::create_dir_all(&folder).unwrap();
        // The lock is held as long as this process lives.
        let lock = File::create(folder.join("lock")).unwrap();
        lock.try_lock().is_ok().then_some((folder, lock))
    };
    &FOLDER.get_or_init(|| (0..).find_map(folder).expect("there are many numbers")).0
}

/// An unpacked FMU with its library.
pub struct Fmu {
    pub api: Api,
    pub description: Description,
    pub binary: PathBuf,
    location: String,
}

/// Returns the FMU of a component, packed and unpacked once in a process.
pub fn fmu(name: &str) -> &'static Fmu {
    static FMUS: [OnceLock<Fmu>; 2] = [const { OnceLock::new() }; 2];
    FMUS[usize::from(name == "sample")].get_or_init(|| Fmu::unpack(name))
}

impl Fmu {
    fn unpack(name: &str) -> Self {
        let path = library(name);
        let description = Settings::default().resolve(&Library::load(path).unwrap()).unwrap();
        let folder = own_folder().join(name);
        let platform = Platform::host().unwrap();
        let file =
            pack(&description, &Origin::default(), &[(platform, path.to_owned())], &folder.with_extension("fmu"))
                .unwrap();
        let archive = Archive::open(&file).unwrap();
        if folder.exists() {
            fs_err::remove_dir_all(&folder).unwrap();
        }
        for entry in archive.entries() {
            let path = folder.join(&entry.name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, archive.read(&entry.name).unwrap()).unwrap();
        }
        let binary = folder.join(platform.entry(&description.name));
        let location = format!("file://{}", folder.join("resources").display());
        Self { api: Api::load(&binary).unwrap(), description, binary, location }
    }

    /// Returns the default arguments of `fmi2Instantiate`.
    pub fn setup(&self, kind: i32) -> Setup<'_> {
        Setup { location: Some(self.location.as_bytes()), ..Setup::new(kind, &self.description.guid) }
    }

    /// Makes a new instance.
    pub fn instance(&'static self, kind: i32) -> Instance {
        let fmi = self.api.instantiate(self.setup(kind)).unwrap_or_else(|messages| panic!("{messages:?}"));
        Instance { fmi, fmu: self, kind }
    }

    /// Makes a new instance in a state, with start time 0.
    pub fn instance_in(&'static self, kind: i32, state: State) -> Instance {
        let instance = self.instance(kind);
        instance.advance_to(state);
        instance
    }

    /// Returns a variable by its name.
    pub fn variable(&self, name: &str) -> &Variable {
        self.description.variables.iter().find(|variable| variable.name == name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Returns the value reference of a variable.
    pub fn vr(&self, name: &str) -> u32 {
        self.variable(name).value_reference
    }
}

/// An instance of an FMU.
pub struct Instance {
    pub fmi: CInstance,
    pub fmu: &'static Fmu,
    pub kind: i32,
}

impl Deref for Instance {
    type Target = CInstance;

    fn deref(&self) -> &CInstance {
        &self.fmi
    }
}

impl Instance {
    /// Brings a freshly instantiated instance into a state.
    pub fn advance_to(&self, state: State) {
        let ok = |status| assert_eq!(status, Status::Ok, "{:?}", self.messages());
        if state == State::Instantiated {
            return;
        }
        ok(self.setup_experiment(None, 0.0, None));
        ok(self.enter_initialization_mode());
        if state == State::Initialization {
            return;
        }
        ok(self.exit_initialization_mode());
        if self.kind == MODEL_EXCHANGE && state != State::Event {
            ok(self.new_discrete_states().0);
            ok(self.enter_continuous_time_mode());
        }
        match state {
            State::Terminated => ok(self.terminate()),
            State::Error => {
                assert_eq!(self.call_that_fails(), Status::Error);
                self.messages();
            }
            _ => {}
        }
    }

    /// Makes a call that is an error in every state.
    pub fn call_that_fails(&self) -> Status {
        self.get_real(&[u32::MAX]).0
    }

    /// Returns true if the instance is in the state "error"; puts it into that state otherwise.
    pub fn is_in_error(&self) -> bool {
        let status = self.exit_initialization_mode();
        status == Status::Error && self.last_message().text.contains("not allowed in state \"error\"")
    }

    /// Returns the last of the messages so far, which are taken.
    pub fn last_message(&self) -> Message {
        self.messages().pop().expect("a message")
    }

    /// Returns a number of any type except String, which must be readable now.
    pub fn value(&self, name: &str) -> f64 {
        let vr = [self.fmu.vr(name)];
        let (status, value) = match self.fmu.variable(name).kind {
            VariableType::Real { .. } => first(self.get_real(&vr)),
            VariableType::Boolean { .. } => first(self.get_boolean(&vr)),
            _ => first(self.get_integer(&vr)),
        };
        assert_eq!(status, Status::Ok, "{name}: {:?}", self.messages());
        value
    }

    /// Sets a number of any type except String.
    pub fn try_set(&self, name: &str, value: f64) -> Status {
        let vr = [self.fmu.vr(name)];
        match self.fmu.variable(name).kind {
            VariableType::Real { .. } => self.set_real(&vr, &[value]),
            VariableType::Boolean { .. } => self.set_boolean(&vr, &[value as i32]),
            _ => self.set_integer(&vr, &[value as i32]),
        }
    }

    /// Sets numbers; that must succeed.
    pub fn set(&self, values: &[(&str, f64)]) {
        for (name, value) in values {
            assert_eq!(self.try_set(name, *value), Status::Ok, "{name}: {:?}", self.messages());
        }
    }

    /// Returns the bits of all Reals.
    pub fn real_bits(&self) -> Vec<u64> {
        let reals = self.fmu.description.variables.iter().filter(|variable| variable.is_real());
        let vr: Vec<u32> = reals.map(|variable| variable.value_reference).collect();
        let (status, values) = self.get_real(&vr);
        assert_eq!(status, Status::Ok, "{:?}", self.messages());
        values.into_iter().map(f64::to_bits).collect()
    }

    /// Makes a new FMU state.
    pub fn snapshot(&self) -> FmuState {
        let mut state = FmuState::NULL;
        assert_eq!(self.get_state(&mut state), Status::Ok);
        state
    }
}

fn first<V: Copy + Into<f64>>((status, values): (Status, Vec<V>)) -> (Status, f64) {
    (status, values[0].into())
}
