//! What compiles libraries for a platform: a Rust compiler with a standard library, and a linker.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::components::cargo;
use crate::targets::{GLIBC, Linker, Target};
use crate::venv;

/// A Rust compiler with its cargo.
#[derive(Clone, Debug)]
struct Compiler {
    rustc: OsString,
    cargo: OsString,
    host: String,
    /// The folder of its libraries.
    libraries: PathBuf,
}

impl Compiler {
    /// The compiler in use, and a distribution's that lies hidden behind it.
    fn all() -> Vec<Self> {
        let current = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let current = Self::ask(current, cargo().get_program().to_owned());
        let distribution = Self::ask("/usr/bin/rustc".into(), "/usr/bin/cargo".into());
        let mut all: Vec<_> = current.into_iter().chain(distribution).collect();
        all.dedup_by(|a, b| a.libraries == b.libraries);
        all
    }

    fn ask(rustc: OsString, cargo: OsString) -> Option<Self> {
        let answer = |arguments: &[&str]| {
            let output = venv::run(Command::new(&rustc).args(arguments)).ok()?;
            String::from_utf8(output.stdout).ok()
        };
        venv::run(Command::new(&cargo).arg("--version")).ok()?;
        let version = answer(&["--version", "--verbose"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "))?.to_owned();
        let libraries = Path::new(answer(&["--print", "sysroot"])?.trim_end()).join("lib").join("rustlib");
        Some(Self { rustc, cargo, host, libraries })
    }

    /// Whether the standard library of a target is installed.
    fn has_library(&self, triple: &str) -> bool {
        let files = fs_err::read_dir(self.libraries.join(triple).join("lib"));
        files.is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
        })
    }

    /// The folder of the standard library's sources.
    fn sources(&self) -> PathBuf {
        self.libraries.join("src").join("rust")
    }

    fn has_sources(&self) -> bool {
        self.sources().join("library").join("Cargo.lock").exists()
    }
}

/// How libraries are compiled for one Rust target, or for this computer.
#[derive(Clone, Debug, Default)]
pub struct Toolchain {
    /// Nothing for this computer, where cargo knows what to do.
    cross: Option<Cross>,
}

#[derive(Clone, Debug)]
struct Cross {
    compiler: Compiler,
    triple: &'static str,
    linker: Linker,
    /// Whether the standard library is compiled, too.
    build_std: bool,
}

impl Toolchain {
    /// What compiles for this computer.
    pub fn host() -> Self {
        Self::default()
    }

    /// The toolchains of targets, in order; the error names all that is missing, and how it is installed.
    pub fn find(targets: &[&Target]) -> Result<Vec<Vec<Self>>> {
        let compilers = Compiler::all();
        let mut missing = Vec::new();
        let mut found = Vec::new();
        for target in targets {
            let triples = target.triples.iter().map(|triple| cross(&compilers, triple, target.linker));
            let (toolchains, problems): (Vec<_>, Vec<_>) = triples.partition(Result::is_ok);
            found.push(toolchains.into_iter().flatten().map(|cross| Self { cross: Some(cross) }).collect());
            missing.extend(problems.into_iter().filter_map(Result::err));
            missing.extend(target.linker.missing());
        }
        missing.sort();
        missing.dedup();
        if !missing.is_empty() {
            bail!("what compiles for these platforms is missing:\n  {}", missing.join("\n  "));
        }
        if targets.iter().any(|target| target.linker == Linker::Zig) {
            let requirements = crate::root().join("xtask").join("zig-requirements.txt");
            venv::prepare(&zig_folder(), &requirements, "the linker of other platforms (90 MB to download)")?;
        }
        Ok(found)
    }

    /// Whether what it makes can be loaded here.
    pub fn runs_here(&self) -> bool {
        self.cross.as_ref().is_none_or(|cross| cross.compiler.host == cross.triple)
    }

    /// `cargo build`, to which the caller adds arguments.
    pub fn build(&self) -> Result<Command> {
        let Some(Cross { compiler, triple, linker, build_std }) = &self.cross else {
            let mut command = cargo();
            command.arg("build");
            return Ok(command);
        };
        let mut command = match linker {
            Linker::Zig => zigbuild()?,
            _ => Command::new(&compiler.cargo),
        };
        match linker {
            Linker::Zig if triple.ends_with("-linux-gnu") => {
                command.args(["zigbuild", &format!("--target={triple}.{GLIBC}")]);
            }
            Linker::Zig => {
                command.args(["zigbuild", "--target", triple]);
            }
            _ => {
                command.args(["build", "--target", triple]);
            }
        }
        if let Linker::Compiler(program, _) = linker {
            let variable = triple.to_uppercase().replace('-', "_");
            command.env(format!("CARGO_TARGET_{variable}_LINKER"), program);
        }
        if *build_std {
            // Backtraces, which nobody would see, are a third of the library.
            command.args(["-Zbuild-std=std", "-Zbuild-std-features=panic-unwind,optimize_for_size"]);
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command.env("RUSTC", &compiler.rustc).env("CARGO", &compiler.cargo);
        Ok(command)
    }

    /// Flags of the compiler.
    pub fn flags(&self) -> Vec<String> {
        let Some(Cross { compiler, triple, build_std, .. }) = &self.cross else {
            return vec!["-Cstrip=symbols".to_owned()];
        };
        let mut flags = Vec::new();
        if !triple.ends_with("-apple-darwin") {
            flags.push("-Cstrip=symbols".to_owned());
        }
        if *build_std {
            flags.push(format!("--remap-path-prefix={}=rust", compiler.sources().display()));
        }
        flags
    }
}

/// A compiler for a target: one that has its standard library, else one that can compile it.
fn cross(compilers: &[Compiler], triple: &'static str, linker: Linker) -> std::result::Result<Cross, String> {
    let installed = compilers.iter().find(|compiler| compiler.has_library(triple));
    let compiler = installed.or_else(|| compilers.iter().find(|compiler| compiler.has_sources()));
    let compiler = compiler.cloned().ok_or_else(|| {
        format!(
            "the standard library of {triple}: rustup target add {triple} \
             (Debian without rustup: apt-get install rustc-web cargo-web rust-web-src)"
        )
    })?;
    Ok(Cross { compiler, triple, linker, build_std: installed.is_none() })
}

impl Linker {
    /// What has to be installed.
    fn missing(self) -> Option<String> {
        match self {
            Linker::System => None,
            Linker::Compiler(program, install) => {
                let found = Command::new(program).arg("--version").output().is_ok();
                (!found).then(|| format!("the linker {program}: {install}"))
            }
            Linker::Zig => {
                let made = venv::program(&zig_folder(), "python").exists();
                let error = if made { None } else { venv::system_python().err() };
                error.map(|error| format!("Python, for the linker Zig: {error}"))
            }
        }
    }
}

fn zig_folder() -> PathBuf {
    crate::root().join("target").join("zig")
}

/// cargo-zigbuild with its Zig; what both write stays below `target/`.
fn zigbuild() -> Result<Command> {
    let folder = zig_folder();
    let packages = venv::packages(&venv::program(&folder, "python"))?;
    let zig = packages.join("ziglang").join(format!("zig{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(venv::program(&folder, "cargo-zigbuild"));
    command.env("CARGO_ZIGBUILD_ZIG_PATH", zig);
    for (variable, cache) in [("CARGO_ZIGBUILD_CACHE_DIR", "wrappers"), ("ZIG_GLOBAL_CACHE_DIR", "cache")] {
        command.env(variable, folder.join(cache));
    }
    Ok(command)
}
