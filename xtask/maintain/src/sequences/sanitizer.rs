//! Programs and libraries compiled with a sanitizer.
//!
//! Sanitizers are unstable compiler options, which a stable compiler accepts with `RUSTC_BOOTSTRAP`.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::unpacked::Unpacked;
use xtask_compile::programs::{FOR_PROGRAMS, built};
use xtask_compile::toolchain::Compiler;

/// A sanitizer and its compiler.
pub struct Sanitizer {
    name: &'static str,
    /// The packages of the FMUs that are compiled with it, which takes long.
    packages: &'static [&'static str],
    /// The level with the shortest total time for compiling and running.
    opt_level: u8,
    compiler: Compiler,
    /// Its runtime, linked into the program, if the compiler does not know it; then the standard
    /// library is compiled as well.
    runtime: Option<PathBuf>,
}

impl fmt::Display for Sanitizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rustc {}", self.compiler.release)
    }
}

impl Sanitizer {
    /// AddressSanitizer, with the standard library as installed; or what is missing.
    pub fn address() -> std::result::Result<Self, String> {
        let compiler = Compiler::current().filter(|compiler| runtime(compiler, "asan").is_some());
        let compiler = compiler.ok_or("the Rust compiler in use has no runtime of it (rustup's have for Linux)")?;
        Ok(Self { name: "address", packages: &COVERING, opt_level: 0, compiler, runtime: None })
    }

    /// ThreadSanitizer with a compiled standard library, since it would report locks that it does not see as
    /// races; or what is missing. Sources and runtime may come from two compilers.
    pub fn thread() -> std::result::Result<Self, String> {
        let all = Compiler::all();
        let runtime = all.iter().find_map(|compiler| runtime(compiler, "tsan"));
        let runtime = runtime.ok_or("no Rust compiler here has a runtime of it (rustup's have for Linux)")?;
        let compiler = all.into_iter().find(Compiler::has_sources);
        let compiler = compiler.ok_or(
            "the sources of the standard library are missing: rustup component add rust-src \
             (Debian without rustup: apt-get install rustc-web cargo-web rust-web-src)",
        )?;
        // What threads share is the runtime's, and components have no `unsafe`.
        Ok(Self { name: "thread", packages: &["sample"], opt_level: 1, compiler, runtime: Some(runtime) })
    }

    /// The FMUs that are compiled with it.
    pub fn chosen(&self, fmus: &[Unpacked]) -> Vec<Unpacked> {
        fmus.iter().filter(|fmu| self.packages.contains(&fmu.package.as_str())).cloned().collect()
    }

    /// Compiles the program of the sequences and the libraries of FMUs.
    pub fn build(&self, fmus: &[Unpacked]) -> Result<(PathBuf, Vec<Unpacked>)> {
        let mut packages: Vec<_> = fmus.iter().map(|fmu| fmu.package.as_str()).collect();
        packages.dedup();
        let mut libraries = self.cargo("build");
        for package in packages {
            libraries.args(["--package", package, "--example", &format!("{package}-fmu")]);
        }
        let libraries = built(&mut libraries)?;
        let mut program = self.cargo("rustc");
        program.args(["--package=sequences", "--bin=sequences", "--"]);
        if let Some(runtime) = &self.runtime {
            for part in ["-Wl,--whole-archive", &runtime.display().to_string(), "-Wl,--no-whole-archive"] {
                program.arg(format!("-Zpre-link-arg={part}"));
            }
        }
        let program = built(&mut program)?;
        let (_, program) = program.into_iter().find(|(name, _)| name == "sequences").context("no program")?;
        let instrumented = |fmu: &Unpacked| {
            let name = format!("{}-fmu", fmu.package);
            let (_, library) = libraries.iter().find(|(built, _)| *built == name).context("no library")?;
            Ok(Unpacked { library: library.clone(), ..fmu.clone() })
        };
        Ok((program, fmus.iter().map(instrumented).collect::<Result<_>>()?))
    }

    fn cargo(&self, command: &str) -> Command {
        let Self { name, opt_level, compiler, runtime, .. } = self;
        let mut cargo = Command::new(&compiler.cargo);
        cargo.arg(command).args(FOR_PROGRAMS).args(["--target", &compiler.host, "--profile=dev"]);
        cargo.arg(format!("--config=profile.dev.opt-level={opt_level}"));
        cargo.arg("--target-dir").arg(xtask_compile::paths::root().join("target").join("sequences").join(name));
        let mut flags = vec![format!("-Zsanitizer={name}"), "-Clink-arg=-rdynamic".to_owned()];
        if runtime.is_some() {
            flags.push("-Zexternal-clangrt".to_owned());
            cargo.args(["-Zbuild-std=std", "-Zbuild-std-features=panic-unwind"]);
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTC", &compiler.rustc).env("CARGO", &compiler.cargo).env("CARGO_INCREMENTAL", "0");
        cargo
    }
}

/// Packages that cover the runtime, states and events.
const COVERING: [&str; 2] = ["clutch", "sample"];

/// Whether an FMU is of one of the packages that cover the runtime, states and events.
pub fn is_covering(fmu: &Unpacked) -> bool {
    COVERING.contains(&fmu.package.as_str())
}

/// The sanitizer's runtime of a compiler.
fn runtime(compiler: &Compiler, name: &str) -> Option<PathBuf> {
    let folder = compiler.libraries.join(&compiler.host).join("lib");
    let ending = format!("_rt.{name}.a");
    let mut files = fs_err::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.find(|file| file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&ending)))
}
