//! The components of a workspace, and their libraries compiled.

use std::collections::BTreeMap;
use std::io::{BufReader, IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::{CrateType, Message, MetadataCommand, Package, Target};
use fmu_commands::progress;
use fmu_commands::source::{self, SYSTEMS};

use crate::cargo::metadata;
use crate::toolchain::Toolchain;

/// A component: an example target that is a shared library.
#[derive(Clone, Debug)]
pub struct Component {
    /// Name of the package; if it has several such targets, that of the target without `-fmu`.
    pub name: String,
    /// Description of the package in one line.
    pub description: String,
    /// Name of the package.
    pub package: String,
    /// Name of the example target.
    target: String,
    /// Manifest of the package.
    manifest: PathBuf,
    /// Folder with the source of the library.
    source: PathBuf,
    /// True if the package is compiled with its default features.
    default_features: bool,
    /// True if it is a component only with the parts that a configuration gives.
    needs_parts: bool,
    /// True if its equations are optimised for size with `--small`.
    small_for_size: bool,
}

impl Component {
    /// Returns the manifest of the component's package.
    pub fn manifest(&self) -> &Path {
        &self.manifest
    }

    fn is_in_models(&self) -> bool {
        self.manifest.starts_with(crate::paths::root().join("models"))
    }
}

/// True if two paths lead to one file or folder. Windows has several names for each.
fn is_same(one: &Path, other: &Path) -> bool {
    fs_err::canonicalize(one).is_ok_and(|one| fs_err::canonicalize(other).is_ok_and(|other| other == one))
}

impl source::Component for Component {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn needs_parts(&self) -> bool {
        self.needs_parts
    }

    fn is(&self, other: &Self) -> bool {
        self.target == other.target && is_same(&self.manifest, &other.manifest)
    }
}

/// Measures for how long anything is compiled.
struct Stopwatch {
    /// Number of commands that compile.
    running: usize,
    since: Duration,
    total: Duration,
}

impl Stopwatch {
    const fn new() -> Self {
        Self { running: 0, since: Duration::ZERO, total: Duration::ZERO }
    }

    fn begin(&mut self, now: Duration) {
        if self.running == 0 {
            self.since = now;
        }
        self.running += 1;
    }

    fn end(&mut self, now: Duration) {
        self.running -= 1;
        if self.running == 0 {
            self.total += now - self.since;
        }
    }
}

static STOPWATCH: Mutex<Stopwatch> = Mutex::new(Stopwatch::new());

/// When the stopwatch is at 0.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Name by which this program is called.
pub const PROGRAM: &str = "cargo xtask";

/// The profile of the libraries inside the FMUs, for packages of any workspace: optimised for size, except
/// the equations, which are optimised for speed. Panics unwind, since the runtime catches them. Crates are optimised
/// one by one: together they make libraries a fifth smaller and no faster, in three times the time.
const PROFILE: [&str; 6] = [
    "profile.fmu-library.inherits='release'",
    "profile.fmu-library.opt-level='z'",
    "profile.fmu-library.codegen-units=1",
    "profile.fmu-library.panic='unwind'",
    "profile.fmu-library.package.nalgebra.opt-level=3",
    "profile.fmu-library.package.fmu-tape.opt-level=3",
];

/// Settings in place of those where nothing is optimised for speed: for WebAssembly, whose modules are to be loaded quickly, and
/// for some components with `--small`.
const FOR_SIZE: [&str; 2] =
    ["profile.fmu-library.package.nalgebra.opt-level='z'", "profile.fmu-library.package.fmu-tape.opt-level='z'"];

/// Settings for WebAssembly: a panic ends the module, and with `--small` says nothing.
const ABORT: &str = "profile.fmu-library.panic='abort'";
const ABORT_SILENTLY: &str = "profile.fmu-library.panic='immediate-abort'";

/// Variable by which tests leave systems unoptimised in the libraries of packages outside this workspace, for which cargo
/// compiles them again.
pub const UNOPTIMISED: &str = "FMU_LIBRARY_UNOPTIMISED";

/// Returns folders of this computer with their replacements in a library, so that the same sources give the same bytes
/// everywhere.
fn renamed_folders() -> [(PathBuf, &'static str); 2] {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    [(crate::paths::root().to_owned(), "project"), (home, "cargo")]
}

/// Returns the compiler flags in addition to the toolchain's own: the smaller of two equivalent hash sections, and no
/// path of this computer.
pub fn flags(toolchain: &Toolchain) -> String {
    let mut flags = toolchain.flags();
    flags.extend(["sha2_backend=\"soft\"", "sha2_backend_soft=\"compact\""].map(|cfg| format!("--cfg={cfg}")));
    for (from, to) in renamed_folders() {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    }
    flags.join("\x1f")
}

/// Rewrites a diagnostic of the compiler about the package of a source file, with the paths of this computer.
fn with_real_paths(diagnostic: &str, source: &Path) -> String {
    diagnostic.split_inclusive('\n').map(|line| with_real_path(line, source)).collect()
}

fn with_real_path(line: &str, source: &Path) -> String {
    let Some(at) = ["--> ", "::: "].iter().find_map(|arrow| Some(line.find(arrow)? + arrow.len())) else {
        return line.to_owned();
    };
    // The name may end with a colour.
    let colour = line[at..].strip_prefix('\u{1b}').and_then(|colour| colour.find('m'));
    let (arrow, file) = line.split_at(colour.map_or(at, |end| at + end + 2));
    let renamed = renamed_folders()
        .into_iter()
        .find_map(|(folder, name)| Some(folder.join(file.strip_prefix(name)?.strip_prefix('/')?)));
    // Other files are named as seen from the folder of the workspace.
    let name = file.split(':').next().unwrap_or(file);
    let own = || source.ancestors().find(|folder| folder.join(name).is_file()).map(|folder| folder.join(file));
    renamed.or_else(own).map_or_else(|| line.to_owned(), |file| format!("{arrow}{}", file.display()))
}

/// Returns the components of this project.
pub fn own_components() -> anyhow::Result<Vec<Component>> {
    let mut all = components(&crate::paths::root().join("Cargo.toml"))?;
    all.retain(|component| component.is_in_models() && !component.needs_parts);
    Ok(all)
}

/// Returns the components that consist of the parts that a configuration gives; the last one knows all types of parts.
pub fn systems() -> anyhow::Result<Vec<Component>> {
    let mut all = components(&crate::paths::root().join("Cargo.toml"))?;
    all.retain(|component| component.is_in_models() && component.needs_parts);
    all.sort_by_key(|component| component.name == SYSTEMS);
    Ok(all)
}

/// Returns the components of the workspace that `manifest` belongs to, by name.
pub fn components(manifest: &Path) -> anyhow::Result<Vec<Component>> {
    let packages = metadata(MetadataCommand::new().no_deps(), manifest)?.packages;
    let mut components: Vec<_> = packages.iter().flat_map(of_package).collect();
    components.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(components)
}

fn of_package(package: &Package) -> Vec<Component> {
    let is_library = |target: &&Target| target.is_example() && target.crate_types.contains(&CrateType::CDyLib);
    let libraries: Vec<_> = package.targets.iter().filter(is_library).collect();
    let component = |target: &&Target| {
        let metadata = &package.metadata["fmu"];
        let own_name = if libraries.len() > 1 { target.name.trim_end_matches("-fmu") } else { package.name.as_str() };
        Component {
            name: own_name.to_owned(),
            description: package.description.clone().unwrap_or_default(),
            package: package.name.to_string(),
            target: target.name.clone(),
            manifest: package.manifest_path.clone().into(),
            source: target.src_path.parent().map(Into::into).unwrap_or_default(),
            default_features: metadata[&target.name]["default-features"] != false,
            needs_parts: metadata["needs-parts"] == true,
            small_for_size: metadata[&target.name]["small-for-size"] == true,
        }
    };
    libraries.iter().map(component).collect()
}

/// Finds the component of this name among `components`, ignoring case.
pub fn find<'a>(components: &'a [Component], name: &str) -> anyhow::Result<&'a Component> {
    source::find(components, name, PROGRAM)
}

/// Returns the component with its package in a folder, or with its source there if the package has several.
pub fn at(folder: &Path) -> anyhow::Result<Component> {
    // This is not the canonical path, whose form on Windows cargo does not accept.
    let folder = std::path::absolute(folder)?;
    let manifest = folder.join("Cargo.toml");
    if let Err(error) = fs_err::metadata(&manifest) {
        let above = folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|manifest| manifest.exists());
        let all = above.map_or_else(|| Ok(Vec::new()), |manifest| components(&manifest))?;
        let found = all.into_iter().find(|component| is_same(&component.source, &folder));
        return found.ok_or(error).context("a path must lead to the folder of a package");
    }
    let mut own = components(&manifest)?;
    own.retain(|component| is_same(&component.manifest, &manifest));
    let found = own.iter().find(|component| component.name == component.package).cloned();
    found.with_context(|| match own.as_slice() {
        [] => format!("{} has no example target with crate-type = [\"cdylib\"]", manifest.display()),
        _ => format!("{} has several libraries: name the folder of the source of one", manifest.display()),
    })
}

/// Groups components whose libraries cargo compiles with one command, with the manifest for it.
pub fn compiled_at_once<'a>(components: &[&'a Component]) -> impl Iterator<Item = (PathBuf, Vec<&'a Component>)> {
    let mut groups: BTreeMap<(PathBuf, Option<&str>), Vec<&Component>> = BTreeMap::new();
    for component in components {
        // Libraries of systems differ in features, which cargo would give all of them.
        let alone = component.needs_parts.then_some(component.name.as_str());
        groups.entry((workspace_of(component), alone)).or_default().push(component);
    }
    groups.into_iter().map(|((manifest, _), members)| (manifest, members))
}

/// Returns the time for which this program has compiled libraries, without its waiting for others that compile.
pub fn compile_time() -> Duration {
    STOPWATCH.lock().unwrap_or_else(PoisonError::into_inner).total
}

/// Compiles the libraries of components for this computer, each once in this program, since cargo takes a fifth of a second to
/// find that nothing has changed; returns their paths in the same order.
pub fn compile_once(components: &[&Component]) -> anyhow::Result<Vec<PathBuf>> {
    static COMPILED: Mutex<BTreeMap<(PathBuf, String), PathBuf>> = Mutex::new(BTreeMap::new());
    let mut known = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = |component: &Component| (component.manifest.clone(), component.target.clone());
    let new: Vec<_> = components.iter().copied().filter(|component| !known.contains_key(&key(component))).collect();
    if !new.is_empty() {
        let paths = compile(&new, &Toolchain::host())?;
        known.extend(new.into_iter().map(key).zip(paths));
    }
    Ok(components.iter().map(|component| known[&key(component)].clone()).collect())
}

/// Compiles the libraries of components; returns their paths in the same order.
pub fn compile(components: &[&Component], toolchain: &Toolchain) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths: BTreeMap<_, PathBuf> = BTreeMap::new();
    for (manifest, members) in compiled_at_once(components) {
        let mut command = toolchain.build()?;
        let is_terminal = stderr().is_terminal();
        // On a terminal, cargo shows a bar, but not for several platforms at once.
        let has_bar = is_terminal && toolchain.is_host();
        let format = if is_terminal { "json-diagnostic-rendered-ansi" } else { "json" };
        command.args(["--profile=fmu-library", "--message-format", format]);
        command.arg("--manifest-path").arg(&manifest);
        let by_members = toolchain.is_small() && members.iter().all(|member| member.small_for_size);
        let for_size = by_members || toolchain.is_webassembly();
        let settings = PROFILE.into_iter().chain(FOR_SIZE.into_iter().filter(|_| for_size));
        let abort = if toolchain.aborts_silently() { ABORT_SILENTLY } else { ABORT };
        let settings = settings.chain(toolchain.is_webassembly().then_some(abort));
        command.args(settings.flat_map(|setting| ["--config", setting]));
        command.args(toolchain.aborts_silently().then_some("-Zpanic-immediate-abort"));
        // This variable overrides all other sources of flags.
        let mut flags = flags(toolchain);
        if toolchain.is_small() {
            // Not in the module of the playground, which is as fast as other libraries.
            flags += "\x1f--cfg=fmu_duals_only";
        }
        if !toolchain.declares() {
            flags += "\x1f--cfg=fmu_no_declaration";
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags);
        let is_own = manifest.starts_with(crate::paths::root());
        let level = match !is_own && std::env::var_os(UNOPTIMISED).is_some() {
            true => "0",
            false if for_size => "'z'",
            false => "3",
        };
        for member in &members {
            let mut packages = vec![member.package.as_str()];
            // A package with own parts has the systems from another one.
            packages.extend((member.needs_parts && member.package != SYSTEMS).then_some(SYSTEMS));
            for package in packages {
                command.arg("--config").arg(format!("profile.fmu-library.package.{package}.opt-level={level}"));
            }
            command.args(["--package", &member.package, "--example", &member.target]);
            command.args((!member.default_features).then_some("--no-default-features"));
        }
        if progress::is_hidden() {
            command.arg("--quiet");
        }
        if !has_bar {
            command.env("CARGO_TERM_PROGRESS_WHEN", "never");
        }
        let mut cargo = command.stdout(Stdio::piped()).spawn().context("cannot run cargo")?;
        let messages = Message::parse_stream(BufReader::new(cargo.stdout.take().context("a pipe")?));
        measure(messages, &STOPWATCH, &|| START.elapsed(), |message| {
            match message? {
                Message::CompilerArtifact(artifact) => {
                    if let Some(file) = artifact.filenames.into_iter().find(is_library) {
                        let target = artifact.target.name;
                        paths.insert((manifest.clone(), target.clone()), file.into());
                        if !artifact.fresh && !has_bar {
                            let triple = toolchain.triple().map(|triple| format!(" for {triple}")).unwrap_or_default();
                            progress::tell(format_args!("    Compiled {target}{triple}"));
                        }
                    }
                }
                Message::CompilerMessage(found) => {
                    let real = |text| with_real_paths(text, found.target.src_path.as_std_path());
                    let text = found.message.rendered.as_deref().map(real).unwrap_or_default();
                    // In place of the bar, and in colours.
                    let start = if is_terminal { "\r\x1b[K" } else { "" };
                    let _ = write!(stderr(), "{start}{text}");
                }
                _ => {}
            }
            anyhow::Ok(())
        })?;
        if !cargo.wait()?.success() {
            bail!("the library was not built, see the messages above");
        }
    }
    let path = |component: &&Component| {
        let path = paths.get(&(workspace_of(component), component.target.clone())).cloned();
        path.with_context(|| format!("cargo built no shared library of {}", component.name))
    };
    components.iter().map(path).collect()
}

/// Measures the time from the first of cargo's messages to the end: before that, cargo waits for others that compile.
fn measure<M>(
    messages: impl IntoIterator<Item = M>,
    stopwatch: &Mutex<Stopwatch>,
    now: &dyn Fn() -> Duration,
    mut each: impl FnMut(M) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let stopwatch = || stopwatch.lock().unwrap_or_else(PoisonError::into_inner);
    let mut has_begun = false;
    let done = messages.into_iter().try_for_each(|message| {
        if !has_begun {
            stopwatch().begin(now());
            has_begun = true;
        }
        each(message)
    });
    if has_begun {
        stopwatch().end(now());
    }
    done
}

/// The manifest with which a component is compiled: one for all components of this workspace, its own for others.
fn workspace_of(component: &Component) -> PathBuf {
    let own = crate::paths::root();
    if component.manifest.starts_with(own) { own.join("Cargo.toml") } else { component.manifest.clone() }
}

fn is_library(file: &Utf8PathBuf) -> bool {
    file.extension().is_some_and(|extension| ["so", "dll", "dylib", "wasm"].contains(&extension))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn waiting_for_the_lock_is_no_compile_time() {
        let clock = Cell::new(Duration::ZERO);
        let now = || clock.get();
        let wait = |seconds| clock.set(clock.get() + Duration::from_secs(seconds));
        let stopwatch = Mutex::new(Stopwatch::new());
        let total = || stopwatch.lock().unwrap().total.as_secs();
        // The lock for 100 s, then two messages, and the end.
        let messages = || [100, 3, 4].into_iter().inspect(|seconds| wait(*seconds));
        measure(messages(), &stopwatch, &now, |_| Ok(())).unwrap();
        assert_eq!(total(), 7);
        measure(std::iter::empty::<()>(), &stopwatch, &now, |()| Ok(())).unwrap();
        assert_eq!(total(), 7);
        assert!(measure(std::iter::once(()), &stopwatch, &now, |()| anyhow::bail!("no message")).is_err());
        // Two at once count once.
        stopwatch.lock().unwrap().begin(now());
        measure(messages(), &stopwatch, &now, |_| Ok(())).unwrap();
        stopwatch.lock().unwrap().end(now());
        assert_eq!(total(), 114);
    }

    #[test]
    fn diagnostics_cite_paths_that_exist() {
        let root = crate::paths::root().display();
        let diagnostic =
            "error: no\n  \u{1b}[94m--> \u{1b}[0mproject/xtask/src/main.rs:1:1\n1 | let a = \"project/\";\n";
        let expected =
            format!("error: no\n  \u{1b}[94m--> \u{1b}[0m{root}/xtask/src/main.rs:1:1\n1 | let a = \"project/\";\n");
        let source = crate::paths::root().join("tests/components/faulty-component/component.rs");
        assert_eq!(with_real_paths(diagnostic, &source), expected);
        // A component elsewhere, in a workspace or on its own; the standard library has no sources here.
        let real = [
            (
                "tests/components/faulty-component/component.rs:3:4",
                format!("{root}/tests/components/faulty-component/component.rs:3:4"),
            ),
            ("component.rs:3:4", format!("{root}/tests/components/faulty-component/component.rs:3:4")),
            ("/rustc/1/library/core/src/macros/mod.rs:5:6", "/rustc/1/library/core/src/macros/mod.rs:5:6".to_owned()),
        ];
        for (called, expected) in real {
            assert_eq!(with_real_paths(&format!("  ::: {called}\n"), &source), format!("  ::: {expected}\n"));
        }
    }
}
