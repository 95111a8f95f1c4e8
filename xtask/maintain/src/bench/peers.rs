//! Other tools that make FMUs: how to install each, and how to make the FMU of the same component.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, bail};

use super::archives::xtask_build;
use xtask::cargo::cargo;
use xtask::environment::Environment;
use xtask::venv;

/// A tool that makes FMUs. Its part of `tests/peers` is the folder of its name.
pub struct Peer {
    /// Title of the tool on the page.
    pub title: &'static str,
    /// Kind of the tool's FMUs.
    pub what: &'static str,
    /// Version of FMI of the tool's FMUs.
    pub fmi: u8,
    /// True if the smoke run includes the tool.
    pub in_smoke: bool,
    folder: &'static str,
    /// Source file of the FMU, if there is one.
    source: Option<&'static str>,
    make: fn(&Folders<'_>) -> Result<PathBuf>,
}

/// An FMU of the compared component, with the time that it took to make.
pub struct Built {
    /// Path of the archive.
    pub file: PathBuf,
    /// Time from a changed source to the archive, in s.
    pub from_source: f64,
    /// Time from a changed configuration to the archive, in s, without compiling anything.
    pub from_configuration: Option<f64>,
    /// Environment variables for the importer.
    pub variables: Vec<(&'static str, OsString)>,
}

/// The folders of a tool.
struct Folders<'a> {
    environment: &'a Environment,
    /// Folder of the tool in `tests/peers`.
    source: PathBuf,
    /// Folder of the tool in `target/peers`.
    folder: PathBuf,
    /// Version of FMI.
    fmi: u8,
}

const OURS: &str = "ours";

/// All tools, ours first.
pub const PEERS: [Peer; 8] = [
    Peer {
        title: OURS,
        what: "Rust",
        fmi: 2,
        in_smoke: true,
        folder: OURS,
        source: Some("component.rs"),
        make: |folders| ours(folders, &folders.folder, &[]),
    },
    Peer {
        title: "ours, FMI 3.0",
        what: "the same library",
        fmi: 3,
        in_smoke: true,
        folder: OURS,
        source: Some("component.rs"),
        make: |folders| ours(folders, &folders.folder, &[]),
    },
    Peer {
        title: "fmi-export 0.3.0",
        what: "Rust; crates.io, packed by cargo-fmi 0.3.0",
        fmi: 3,
        in_smoke: false,
        folder: "fmi-export",
        source: Some("src/lib.rs"),
        make: fmi_export,
    },
    Peer {
        title: "fmu_from_struct 0.3.0",
        what: "Rust; crates.io, packed by cargo-fmu-from-struct 0.1.0",
        fmi: 2,
        in_smoke: false,
        folder: "fmu_from_struct",
        source: Some("src/lib.rs"),
        make: fmu_from_struct,
    },
    Peer {
        title: "qfmu 0.2.9",
        what: "C for linear systems; PyPI",
        fmi: 2,
        in_smoke: false,
        folder: "qfmu",
        source: None,
        make: qfmu,
    },
    Peer {
        title: "PythonFMU 0.7.0",
        what: "Python in C++; PyPI",
        fmi: 2,
        in_smoke: true,
        folder: "pythonfmu",
        source: Some("oscillator.py"),
        make: |folders| python_fmu("pythonfmu", folders),
    },
    Peer {
        title: "PythonFMU3 0.3.4",
        what: "Python in C++; PyPI",
        fmi: 3,
        in_smoke: false,
        folder: "pythonfmu3",
        source: Some("oscillator.py"),
        make: |folders| python_fmu("pythonfmu3", folders),
    },
    Peer {
        title: "UniFMU 0.0.3",
        what: "Python in a process of its own behind a socket; PyPI",
        fmi: 2,
        in_smoke: false,
        folder: "unifmu",
        source: Some("model.py"),
        make: unifmu,
    },
];

impl Peer {
    /// True if the tool is this project.
    pub fn is_ours(&self) -> bool {
        self.folder == OURS
    }

    /// Makes the FMU twice, to time the second build.
    pub fn build(&self, environment: &Environment, smoke: bool) -> Result<Built> {
        let source = xtask::paths::root().join("tests").join("peers").join(self.folder);
        let folder = xtask::paths::root().join("target").join("peers").join(self.folder);
        fs_err::create_dir_all(&folder)?;
        let folders = Folders { environment, source, folder, fmi: self.fmi };
        if self.is_ours() && smoke {
            // All components are built, so that cargo compiles no dependency with other features.
            let components = xtask::components::own_components()?;
            let packages: Vec<_> = components.iter().map(|component| component.name.as_str()).collect();
            let file = ours(&folders, &folders.folder, &packages)?;
            return Ok(Built { file, from_source: 0.0, from_configuration: None, variables: Vec::new() });
        }
        let mut file = (self.make)(&folders)?;
        let mut from_source = 0.0;
        if !smoke {
            if let Some(source) = self.source {
                let source = File::options().append(true).open(folders.source.join(source))?;
                source.set_modified(SystemTime::now())?;
            }
            let start = Instant::now();
            file = (self.make)(&folders)?;
            from_source = start.elapsed().as_secs_f64();
        }
        let from_configuration = match self.is_ours() {
            true => {
                let start = Instant::now();
                ours(&folders, &folders.folder.join("changed"), &["--set", "c=999"])?;
                Some(start.elapsed().as_secs_f64())
            }
            false => None,
        };
        let variables = match self.folder {
            "pythonfmu" | "pythonfmu3" => vec![("LD_PRELOAD", shared_python(&folders)?)],
            "unifmu" => vec![("PATH", path_with(&folders.python_folder())?)],
            _ => Vec::new(),
        };
        Ok(Built { file, from_source, from_configuration, variables })
    }
}

impl Folders<'_> {
    fn python_folder(&self) -> PathBuf {
        self.folder.join("python")
    }

    /// Prepares a Python environment for the tool.
    fn python(&self) -> Result<PathBuf> {
        venv::prepare(&self.python_folder(), &self.source.join("requirements.txt"), "the comparison with other tools")
    }

    /// Returns a cargo command that builds the tool's package in its own target folder, with a subcommand that is
    /// fetched.
    fn cargo(&self, subcommand: &str, version: &str) -> Result<Command> {
        let tools = xtask::paths::root().join("target").join("peers").join("tools");
        let installed = fs_err::read_to_string(tools.join(".crates.toml")).unwrap_or_default();
        let variables = self.environment.variables();
        if !installed.contains(&format!("\"{subcommand} {version} ")) {
            let mut install = cargo();
            install.args(["install", "--quiet", "--locked", subcommand, "--version", &format!("={version}"), "--root"]);
            install.arg(&tools).env("CARGO_TARGET_DIR", self.folder.join("target")).envs(variables.iter().cloned());
            venv::run(&mut install)?;
        }
        let mut command = cargo();
        command.current_dir(&self.source).env("CARGO_TARGET_DIR", self.folder.join("target"));
        command.env("PATH", path_with(&tools)?).envs(variables.iter().cloned());
        Ok(command)
    }
}

fn ours(folders: &Folders<'_>, folder: &Path, options: &[&str]) -> Result<PathBuf> {
    let (source, out, fmi) =
        (folders.source.display().to_string(), folder.display().to_string(), folders.fmi.to_string());
    fs_err::create_dir_all(folder)?;
    xtask_build(&[&[source.as_str(), "--out", &out, "--fmi", &fmi], options].concat())?;
    let folder = if folders.fmi == 3 { &folder.join("fmi3") } else { folder };
    Ok(folder.join("Oscillator.fmu"))
}

fn fmu_from_struct(folders: &Folders<'_>) -> Result<PathBuf> {
    let file = folders.folder.join("Oscillator.fmu");
    let mut command = folders.cargo("cargo-fmu-from-struct", "0.1.0")?;
    venv::run(command.args(["fmu-from-struct", "--release", "--locked", "-o"]).arg(&file))?;
    Ok(file)
}

fn fmi_export(folders: &Folders<'_>) -> Result<PathBuf> {
    let mut command = folders.cargo("cargo-fmi", "0.3.0")?;
    venv::run(command.args(["fmi", "--package", "oscillator", "bundle", "--release"]))?;
    Ok(folders.folder.join("target").join("fmu").join("oscillator.fmu"))
}

fn python_fmu(module: &str, folders: &Folders<'_>) -> Result<PathBuf> {
    let mut command = Command::new(folders.python()?);
    command.args(["-m", module, "build", "--handle-state", "-f"]).arg(folders.source.join("oscillator.py"));
    venv::run(command.arg("-d").arg(&folders.folder))?;
    Ok(folders.folder.join("Oscillator.fmu"))
}

/// Makes the FMU of phi' = w, J w' = tau - c phi - d w, with the outputs phi, w and w'.
fn qfmu(folders: &Folders<'_>) -> Result<PathBuf> {
    folders.python()?;
    let file = folders.folder.join("oscillator.fmu");
    let mut command = Command::new(venv::program(&folders.python_folder(), "qfmu"));
    // The tool leaves a file in the folder in which it runs.
    command.current_dir(&folders.folder).args(["ss", "-A", "[[0,1],[-1000,-1.001]]", "-B", "[[0],[10]]"]);
    command.args(["-C", "[[1,0],[0,1],[-1000,-1.001]]", "-D", "[[0],[0],[10]]", "-u0", "[1]", "-dt", "0.001"]);
    venv::run(command.arg("-o").arg(&file))?;
    Ok(file)
}

fn unifmu(folders: &Folders<'_>) -> Result<PathBuf> {
    folders.python()?;
    let (folder, file) = (folders.folder.join("fmu"), folders.folder.join("Oscillator.fmu"));
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    venv::run(
        Command::new(venv::program(&folders.python_folder(), "unifmu")).args(["generate", "python"]).arg(&folder),
    )?;
    fs_err::copy(folders.source.join("model.py"), folder.join("resources").join("model.py"))?;
    fs_err::copy(folders.source.join("modelDescription.xml"), folder.join("modelDescription.xml"))?;
    // The alternative needs a library that no current Python has.
    let launch = folder.join("resources").join("launch.toml");
    let text = fs_err::read_to_string(&launch)?;
    fs_err::write(&launch, text.replace("backend = \"grpc\"", "backend = \"zmq\""))?;
    if file.exists() {
        fs_err::remove_file(&file)?;
    }
    let script = "import shutil, sys; shutil.move(shutil.make_archive(sys.argv[1], 'zip', sys.argv[1]), sys.argv[2])";
    venv::run(Command::new(folders.python()?).args(["-c", script]).args([&folder, &file]))?;
    Ok(file)
}

/// Returns the shared library of Python, which PythonFMU's FMUs expect to be loaded.
fn shared_python(folders: &Folders<'_>) -> Result<OsString> {
    let script = "import os, sysconfig; names = [sysconfig.get_config_var(key) for key in ('INSTSONAME', 'LDLIBRARY')]; \
        paths = [os.path.join(sysconfig.get_config_var('LIBDIR') or '', name or '') for name in names]; \
        print(next(filter(os.path.isfile, paths), paths[0]))";
    let path = venv::first_line(Command::new(folders.python()?).args(["-c", script]))?;
    if !Path::new(&path).is_file() || path.ends_with(".a") {
        bail!("this Python has no shared library ({path})");
    }
    Ok(path.into())
}

/// Returns the search path with the programs of a folder first.
fn path_with(folder: &Path) -> Result<OsString> {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let first = std::iter::once(folder.join("bin"));
    std::env::join_paths(first.chain(std::env::split_paths(&others))).context("PATH")
}
