//! The program and the sample's library compiled with ThreadSanitizer.
//!
//! Sanitizers are unstable compiler options, which a stable compiler accepts with `RUSTC_BOOTSTRAP`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::unpacked::Unpacked;
use xtask::programs::{FOR_PROGRAMS, built};
use xtask::toolchain::Compiler;

/// A compiler with the sources of the standard library, and the runtime of ThreadSanitizer.
///
/// In the standard library as installed, the sanitizer would not see the locks, and report races.
pub struct ThreadSanitizer {
    pub compiler: Compiler,
    /// Runtime of the sanitizer, which is linked into the program, since the compiler may not know it.
    runtime: PathBuf,
}

impl ThreadSanitizer {
    /// Finds the first compiler and runtime here; the error names the missing one. They may come from two compilers.
    pub fn find() -> std::result::Result<Self, String> {
        let all = Compiler::all();
        let runtime = all.iter().find_map(|compiler| compiler.sanitizer("tsan"));
        let runtime = runtime.ok_or("no Rust compiler here has a runtime of it (rustup's have for Linux)")?;
        let compiler = all.into_iter().find(Compiler::has_sources);
        let compiler = compiler.ok_or(
            "the sources of the standard library are missing: rustup component add rust-src \
             (Debian without rustup: apt-get install rustc-web cargo-web rust-web-src)",
        )?;
        Ok(Self { compiler, runtime })
    }

    /// Compiles the program of the sequences and the sample, which has the code that threads share: components have
    /// no `unsafe`. Returns the program, and the sample's FMUs with the compiled library.
    pub fn build(&self, fmus: &[Unpacked]) -> Result<(PathBuf, Vec<Unpacked>)> {
        let mut library = self.cargo("build");
        library.args(["--package=test-components", "--example=sample-fmu"]);
        let library = built(&mut library, "sample-fmu")?;
        let mut program = self.cargo("rustc");
        program.args(["--package=sequences", "--bin=sequences", "--"]);
        for part in ["-Wl,--whole-archive", &self.runtime.display().to_string(), "-Wl,--no-whole-archive"] {
            program.arg(format!("-Zpre-link-arg={part}"));
        }
        let program = built(&mut program, "sequences")?;
        let sample = fmus.iter().filter(|fmu| fmu.package == "sample");
        Ok((program, sample.map(|fmu| Unpacked { library: library.clone(), ..fmu.clone() }).collect()))
    }

    fn cargo(&self, command: &str) -> Command {
        let compiler = &self.compiler;
        let mut cargo = Command::new(&compiler.cargo);
        cargo.arg(command).args(FOR_PROGRAMS).args(["--target", &compiler.host, "--profile=dev"]);
        // This level has the shortest total time for compiling and running.
        cargo.args(["--config=profile.dev.opt-level=1", "-Zbuild-std=std", "-Zbuild-std-features=panic-unwind"]);
        cargo.arg("--target-dir").arg(xtask::paths::root().join("target").join("sequences").join("thread"));
        let flags = ["-Zsanitizer=thread", "-Clink-arg=-rdynamic", "-Zexternal-clangrt"];
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTC", &compiler.rustc).env("CARGO", &compiler.cargo).env("CARGO_INCREMENTAL", "0");
        cargo
    }
}
