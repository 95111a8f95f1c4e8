//! FMUs for several platforms, built once and unpacked.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use fmu_builder::{Archive, ModelDescription, Platform};
use xtask::paths::root;

/// An unpacked FMU.
pub struct Fmu {
    pub folder: PathBuf,
    pub model: ModelDescription,
    pub platforms: Vec<Platform>,
    /// True if it was made with `--small`.
    pub is_small: bool,
}

impl Fmu {
    /// Returns the library for a platform.
    pub fn library(&self, platform: Platform) -> PathBuf {
        let interface = self.model.co_simulation.as_ref().unwrap();
        self.folder.join(platform.entry(&interface.model_identifier))
    }

    pub fn name(&self) -> String {
        self.folder.file_name().unwrap().display().to_string()
    }
}

/// Names of the tested components: one with spreadsheet readers, and the largest joint assembly; the sample has events
/// and states.
const COMPONENTS: [&str; 2] = ["bushing", "joint-usr"];

/// Returns the components for Windows, as small as possible: the sample is built as usual.
pub fn components() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    let arguments = [&["--small"], COMPONENTS.as_slice()].concat();
    once(&FMUS, || built("components", &arguments, &[Platform::Win64]))
}

/// Returns the components for this computer.
pub fn components_here() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    once(&FMUS, || built("here", &COMPONENTS, &[]))
}

/// A drive train with stick and slip, a mechanism with an assembly, and one with a ring of joints.
const SYSTEMS: [&str; 3] =
    ["--config=examples/coupled-clutches.toml", "--config=examples/four-bar.toml", "--config=examples/bricard.toml"];

/// Returns systems for this computer, as small as possible: their equations are in dual numbers only.
pub fn small_systems() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    once(&FMUS, || built("small-systems", &[&["--small"], SYSTEMS.as_slice()].concat(), &[]))
}

/// Returns the same systems as usual.
pub fn systems_here() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    once(&FMUS, || built("systems-here", &SYSTEMS, &[]))
}

/// Returns the sample for all platforms that run here, in a configuration that differs from the default one.
pub fn sample() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    let platforms = [Platform::Linux64, Platform::Aarch64Linux, Platform::Win64];
    once(&FMUS, || built("sample", &["tests/components/sample", "--set", "m=3"], &platforms))
}

/// Returns the sample for macOS, which cannot run here.
pub fn darwin() -> &'static [Fmu] {
    static FMUS: OnceLock<Built> = OnceLock::new();
    once(&FMUS, || built("darwin", &["tests/components/sample"], &[Platform::Darwin64]))
}

/// FMUs, or the reason why they cannot be built.
type Built = Result<Vec<Fmu>, String>;

fn once(cell: &'static OnceLock<Built>, build: impl FnOnce() -> Built) -> &'static [Fmu] {
    cell.get_or_init(build).as_ref().unwrap_or_else(|message| panic!("{message}"))
}

/// Builds and unpacks FMUs; returns none if tools are missing.
fn built(name: &str, arguments: &[&str], platforms: &[Platform]) -> Built {
    let folder = root().join("target").join("platforms").join(name);
    if folder.exists() {
        fs_err::remove_dir_all(&folder).unwrap();
    }
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.arg("build").args(arguments).arg("--out").arg(&folder).current_dir(root());
    xtask.args(platforms.iter().flat_map(|platform| ["--target", platform.folder()]));
    let output = xtask.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if let Some((_, missing)) = said.split_once("tools for these platforms are missing:") {
        skip(&format!("{name} for other platforms"), &format!("it needs{missing}"));
        return Ok(Vec::new());
    }
    if !output.status.success() {
        return Err(said.into_owned());
    }
    print(&format!("{}\n", String::from_utf8_lossy(&output.stdout).trim_end()));
    let files = fs_err::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|extension| extension == "fmu")).collect();
    files.sort();
    let is_small = arguments.contains(&"--small");
    Ok(files.iter().map(|file| unpacked(file, platforms, is_small)).collect())
}

fn unpacked(file: &Path, platforms: &[Platform], is_small: bool) -> Fmu {
    let archive = Archive::open(file).unwrap();
    let folder = file.with_extension("");
    for entry in archive.entries() {
        let path = folder.join(&entry.name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, archive.read(&entry.name).unwrap()).unwrap();
    }
    Fmu { folder, model: archive.model().unwrap(), platforms: platforms.to_owned(), is_small }
}

/// Prints that a check is left out, with the reason.
pub fn skip(what: &str, why: &str) {
    let message = format!("skipped: {what}: {why}\n");
    print(&message);
}

/// Prints past the test runner, which shows only what failing tests print.
pub fn print(message: &str) {
    std::io::stderr().write_all(message.as_bytes()).unwrap();
}
