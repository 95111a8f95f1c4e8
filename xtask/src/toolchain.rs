//! Toolchains for platforms: a Rust compiler with a standard library, and a linker.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use crate::cargo::cargo;
use crate::targets::{GLIBC, Linker, MACOS, Target};
use crate::venv;

/// A Rust compiler with its cargo.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program `rustc`.
    pub rustc: OsString,
    /// The program `cargo`.
    pub cargo: OsString,
    /// Target that the compiler runs on.
    pub host: String,
    /// Version of the compiler.
    pub release: String,
    /// Folder of the compiler's libraries.
    pub libraries: PathBuf,
}

impl Compiler {
    /// Returns the compiler in use, and a distribution's compiler that it hides.
    pub fn all() -> Vec<Self> {
        let current = Self::current();
        let distribution = Self::ask("/usr/bin/rustc".into(), "/usr/bin/cargo".into());
        let mut all: Vec<_> = current.into_iter().chain(distribution).collect();
        all.dedup_by(|a, b| a.libraries == b.libraries);
        all
    }

    /// Returns the compiler in use.
    pub fn current() -> Option<Self> {
        Self::ask(rustc(), cargo().get_program().to_owned())
    }

    fn ask(rustc: OsString, cargo: OsString) -> Option<Self> {
        venv::run(Command::new(&cargo).arg("--version")).ok()?;
        let [host, release] = version(&rustc)?;
        let root = answer(&rustc, &["--print", "sysroot"])?;
        let libraries = Path::new(root.trim_end()).join("lib").join("rustlib");
        Some(Self { rustc, cargo, host, release, libraries })
    }

    /// True if the standard library of a target is installed.
    fn has_library(&self, triple: &str) -> bool {
        let files = fs_err::read_dir(self.libraries.join(triple).join("lib"));
        files.is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
        })
    }

    /// Returns the file of the runtime of a sanitizer, `asan` or `tsan`.
    pub fn sanitizer(&self, name: &str) -> Option<PathBuf> {
        let folder = self.libraries.join(&self.host).join("lib");
        let ending = format!("_rt.{name}.a");
        let mut files = fs_err::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
        files.find(|file| file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&ending)))
    }

    /// Returns the folder of the standard library's sources.
    fn sources(&self) -> PathBuf {
        self.libraries.join("src").join("rust")
    }

    /// True if the compiler can compile the standard library.
    pub fn has_sources(&self) -> bool {
        self.sources().join("library").join("Cargo.lock").exists()
    }
}

/// Returns the program of the compiler in use.
fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn answer(rustc: &OsString, arguments: &[&str]) -> Option<String> {
    String::from_utf8(venv::run(Command::new(rustc).args(arguments)).ok()?.stdout).ok()
}

/// Returns the target that a compiler runs on, and its version.
fn version(rustc: &OsString) -> Option<[String; 2]> {
    let said = answer(rustc, &["--version", "--verbose"])?;
    let line = |key: &str| said.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
    Some([line("host: ")?, line("release: ")?])
}

/// Compiler and linker of libraries for one Rust target, or for this computer.
#[derive(Clone, Debug, Default)]
pub struct Toolchain {
    /// Compiler of another target; none for this computer, for which cargo needs no options.
    cross: Option<Cross>,
    /// True if the libraries keep their symbols.
    symbols: bool,
}

/// The first Rust whose panics can end a program at once.
const IMMEDIATE_ABORT: (u32, u32) = (1, 92);

#[derive(Clone, Debug)]
struct Cross {
    compiler: Compiler,
    triple: Cow<'static, str>,
    linker: Linker,
    /// True if the standard library is also compiled.
    build_std: bool,
    /// True if the library is for `--small`.
    small: bool,
    /// True if such a library declares its component all the same.
    declares: bool,
    /// Folder of `target` in which it compiles.
    folder: &'static str,
}

impl Toolchain {
    /// Returns the toolchain for this computer.
    pub fn host() -> Self {
        Self::default()
    }

    /// True if it is the one for this computer.
    pub fn is_host(&self) -> bool {
        self.cross.is_none() && !self.symbols
    }

    /// Returns the toolchain for this computer, for libraries that keep their symbols.
    pub fn with_symbols() -> Self {
        Self { symbols: true, ..Self::default() }
    }

    /// Returns the toolchain for this computer that also compiles the standard library; the error says how to install
    /// its sources.
    pub fn small_host() -> Result<Self> {
        let compilers = Compiler::all();
        let host = compilers.first().context("rustc does not print its version")?.host.clone();
        let cross = cross(&compilers, host.into(), Linker::System, true);
        Ok(Self { cross: Some(cross.map_err(missing)?), ..Self::default() })
    }

    /// Finds the toolchains of targets, in order; the error names everything that is missing, and how to install it.
    /// With `small`, the standard library is always compiled.
    pub fn find(targets: &[&Target], small: bool) -> Result<Vec<Vec<Self>>> {
        if targets.is_empty() {
            // Asking compilers takes a tenth of a second.
            return Ok(Vec::new());
        }
        let compilers = Compiler::all();
        let mut lacking = Vec::new();
        let mut found = Vec::new();
        for target in targets {
            let triples = target.triples.iter().map(|triple| cross(&compilers, (*triple).into(), target.linker, small));
            let (toolchains, problems): (Vec<_>, Vec<_>) = triples.partition(Result::is_ok);
            found.push(
                toolchains.into_iter().flatten().map(|cross| Self { cross: Some(cross), ..Self::default() }).collect(),
            );
            lacking.extend(problems.into_iter().filter_map(Result::err));
            lacking.extend(target.linker.missing());
        }
        lacking.sort();
        lacking.dedup();
        if !lacking.is_empty() {
            return Err(missing(lacking.join("\n  ")));
        }
        if targets.iter().any(|target| target.linker == Linker::Zig) {
            let requirements = crate::paths::root().join("xtask").join("zig-requirements.txt");
            venv::prepare(&zig_folder(), &requirements, "the linker of other platforms (90 MB to download)")?;
        }
        Ok(found)
    }

    /// Returns the same toolchain that compiles in another folder of `target`, unless it is the one for this computer.
    pub fn in_folder(mut self, folder: &'static str) -> Self {
        if let Some(cross) = &mut self.cross {
            cross.folder = folder;
        }
        self
    }

    /// True if the libraries can be loaded here.
    pub fn runs_here(&self) -> bool {
        self.cross.as_ref().is_none_or(|cross| cross.compiler.host == cross.triple)
    }

    /// True if the libraries are modules of WebAssembly, which become components.
    pub fn is_webassembly(&self) -> bool {
        self.cross.as_ref().is_some_and(|cross| cross.linker == Linker::WebAssembly)
    }

    /// True if a panic ends a module of WebAssembly without the code that makes its message, a fifteenth of a component's.
    pub fn aborts_silently(&self) -> bool {
        let is_new = |release: &str| {
            let mut numbers = release.split('.').map_while(|number| number.parse::<u32>().ok());
            numbers.next().zip(numbers.next()) >= Some(IMMEDIATE_ABORT)
        };
        let aborts = |cross: &Cross| cross.small && cross.build_std && is_new(&cross.compiler.release);
        self.is_webassembly() && self.cross.as_ref().is_some_and(aborts)
    }

    /// True if the libraries are for `--small`.
    pub fn is_small(&self) -> bool {
        self.cross.as_ref().is_some_and(|cross| cross.small)
    }

    /// Returns the same toolchain whose libraries declare their components, also with `--small`.
    pub fn declaring(mut self) -> Self {
        if let Some(cross) = &mut self.cross {
            cross.declares = true;
        }
        self
    }

    /// True if the libraries can declare their components, which no builder asks of WebAssembly.
    pub fn declares(&self) -> bool {
        let declares = |cross: &Cross| !cross.small || cross.declares;
        self.cross.as_ref().is_none_or(|cross| declares(cross) && cross.linker != Linker::WebAssembly)
    }

    /// Returns the target, if it is not this computer.
    pub fn triple(&self) -> Option<&str> {
        self.cross.as_ref().map(|cross| &*cross.triple)
    }

    /// Returns the version of the compiler.
    pub fn release(&self) -> Result<String> {
        let release = self.cross.as_ref().map(|cross| cross.compiler.release.clone());
        let release = release.or_else(|| version(&rustc()).map(|[_, release]| release));
        release.context("rustc does not print its version")
    }

    /// Returns the command `cargo build`, to which the caller adds arguments.
    pub fn build(&self) -> Result<Command> {
        let Some(cross @ Cross { compiler, triple, linker, build_std, .. }) = &self.cross else {
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
                command.args(["zigbuild", "--target", &**triple]);
            }
            _ => {
                command.args(["build", "--target", &**triple]);
            }
        }
        cross.prepare(&mut command);
        if *build_std {
            // One object for each of its functions, as in the compiler's own build, so that the linker omits the unused
            // ones.
            command.args(["--config", "profile.fmu-library.package.compiler_builtins.codegen-units=10000"]);
            // All crates are optimised together: less to unwind, and nothing unused, which linkers of macOS and Windows
            // keep: without it libraries are five times as large. It takes most of the time, so libraries for Linux are
            // made so only if they must be small.
            if cross.small || !triple.ends_with("-linux-gnu") {
                command.args(["--config", "profile.fmu-library.lto='fat'"]);
            }
        }
        Ok(command)
    }

    /// Adds the arguments of `maturin build`, which calls cargo itself.
    pub fn prepare_maturin(&self, maturin: &mut Command) -> Result<()> {
        let Some(cross) = &self.cross else { return Ok(()) };
        maturin.args(["--target", &*cross.triple]);
        if cross.linker == Linker::Zig {
            maturin.arg("--zig").envs(zig_variables()?);
            if cross.triple.ends_with("-apple-darwin") {
                maturin.env("SDKROOT", crate::paths::root().join("xtask").join("macos-sdk"));
            }
        }
        if cross.triple.ends_with("-linux-gnu") {
            maturin.args(["--compatibility", &format!("manylinux_{}", GLIBC.replace('.', "_"))]);
        }
        cross.prepare(maturin);
        Ok(())
    }

    /// Returns the flags of the compiler.
    pub fn flags(&self) -> Vec<String> {
        let Some(Cross { compiler, triple, linker: of_target, build_std, small, .. }) = &self.cross else {
            let strip = if self.symbols { "none" } else { "symbols" };
            return vec![format!("-Cstrip={strip}")];
        };
        let (strip, linker): (_, &[&str]) = if triple.ends_with("-apple-darwin") {
            // The linker strips, since the program that would do it afterwards exists on macOS only. Otherwise the
            // install name would be a path of this computer.
            ("none", &["-x", "-install_name,@rpath/library.dylib"])
        } else if triple.ends_with("-windows-gnu") {
            // Otherwise there would be other bytes each time.
            ("symbols", &["--no-insert-timestamp"])
        } else {
            ("symbols", &[])
        };
        let mut flags = vec![format!("-Cstrip={strip}")];
        flags.extend(linker.iter().map(|flag| format!("-Clink-arg=-Wl,{flag}")));
        if *build_std {
            flags.push(format!("--remap-path-prefix={}=rust", compiler.sources().display()));
        }
        if *small {
            flags.push("--cfg=fmu_small".to_owned());
        }
        if *small && triple.ends_with("-linux-gnu") {
            // Unwinding tables are a third shorter, and so is code that finds its variables by the frame pointer.
            flags.extend(["-Zunstable-options", "-Cforce-frame-pointers=non-leaf"].map(str::to_owned));
            // Equal functions are merged, and similar ones are neighbours, which compress better.
            if let Some(folder) = (*of_target == Linker::System).then(llvm_linker_folder).flatten() {
                let options = ["-fuse-ld=lld", "-Wl,--icf=all,--bp-compression-sort=both"].map(str::to_owned);
                let options = std::iter::once(format!("-B{}", folder.display())).chain(options);
                flags.extend(options.map(|option| format!("-Clink-arg={option}")));
            }
        }
        if *of_target == Linker::WebAssembly {
            // Otherwise indices have the length of the largest ones.
            flags.push("-Clink-arg=--compress-relocations".to_owned());
        }
        if *small || (*build_std && *of_target == Linker::WebAssembly) {
            // Files and lines of panics would be a twentieth of a library.
            flags.push("-Zlocation-detail=none".to_owned());
        }
        flags
    }
}

impl Cross {
    /// Adds cargo's arguments and variables for the target, with any linker.
    fn prepare(&self, command: &mut Command) {
        let Self { compiler, triple, linker, build_std, folder, .. } = self;
        if let Linker::Compiler(program, _) = linker {
            let variable = triple.to_uppercase().replace('-', "_");
            command.env(format!("CARGO_TARGET_{variable}_LINKER"), program);
        }
        if let Some(program) = (*linker == Linker::WebAssembly).then(webassembly_linker).flatten() {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", program);
        }
        if *build_std {
            // Backtraces, which users never see, make up two fifths of a library.
            let (crates, features) = match linker {
                Linker::WebAssembly => ("std,panic_abort", "optimize_for_size"),
                _ => ("std", "panic-unwind,optimize_for_size"),
            };
            command.args([format!("-Zbuild-std={crates}"), format!("-Zbuild-std-features={features}")]);
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        if triple.ends_with("-apple-darwin") {
            command.env("MACOSX_DEPLOYMENT_TARGET", MACOS);
        }
        // This is separate from the build for this computer: other compilers share nothing with it, and neither waits.
        command.arg("--target-dir").arg(crate::paths::root().join("target").join(folder));
        command.env("RUSTC", &compiler.rustc).env("CARGO", &compiler.cargo);
    }
}

fn missing(what: String) -> anyhow::Error {
    anyhow!("tools for these platforms are missing:\n  {what}")
}

/// Finds a compiler for a target: one with its standard library, unless it must be `small`, or one that can compile it.
fn cross(
    compilers: &[Compiler],
    triple: Cow<'static, str>,
    linker: Linker,
    small: bool,
) -> std::result::Result<Cross, String> {
    let installed = compilers.iter().find(|compiler| !small && compiler.has_library(&triple));
    let compiler = installed.or_else(|| compilers.iter().find(|compiler| compiler.has_sources()));
    let compiler = compiler.cloned().ok_or_else(|| {
        let lacking = if small {
            "the sources of the standard library, for --small: rustup component add rust-src".to_owned()
        } else {
            format!("the standard library of {triple}: rustup target add {triple}")
        };
        format!("{lacking} (Debian without rustup: apt-get install rustc-web cargo-web rust-web-src)")
    })?;
    Ok(Cross { compiler, triple, linker, build_std: installed.is_none(), small, declares: false, folder: "cross" })
}

impl Linker {
    /// Returns the command that installs the missing tools.
    fn missing(self) -> Option<String> {
        match self {
            Linker::System => None,
            Linker::Compiler(program, install) => {
                let found = Command::new(program).arg("--version").output().is_ok();
                (!found).then(|| format!("the linker {program}: {install}"))
            }
            Linker::WebAssembly => webassembly_linker().is_none().then(|| {
                "the linker of WebAssembly: rustup toolchain install stable (Debian without rustup: apt-get install lld)"
                    .to_owned()
            }),
            Linker::Zig => {
                let made = venv::program(&zig_folder(), "python").exists();
                let error = if made { None } else { venv::system_python().err() };
                error.map(|error| format!("Python, for the linker Zig: {error}"))
            }
        }
    }
}

/// Returns the linker of WebAssembly: that of a compiler, or one of the system.
pub fn webassembly_linker() -> Option<PathBuf> {
    let file = format!("rust-lld{}", std::env::consts::EXE_SUFFIX);
    let compilers = Compiler::all();
    let own = compilers.iter().map(|compiler| compiler.libraries.join(&compiler.host).join("bin").join(&file));
    let runs = |program: &PathBuf| Command::new(program).args(["-flavor", "wasm", "--version"]).output().is_ok();
    own.chain([PathBuf::from("wasm-ld")]).find(runs)
}

/// Returns the folder of a compiler that has LLVM's linker for Linux by the name that C compilers look for.
fn llvm_linker_folder() -> Option<PathBuf> {
    let folders = Compiler::all().into_iter();
    let mut folders = folders.map(|compiler| compiler.libraries.join(&compiler.host).join("bin").join("gcc-ld"));
    folders.find(|folder| Command::new(folder.join("ld.lld")).arg("--version").output().is_ok())
}

fn zig_folder() -> PathBuf {
    crate::paths::root().join("target").join("zig")
}

/// Returns the command of cargo-zigbuild with its Zig.
fn zigbuild() -> Result<Command> {
    let mut command = Command::new(venv::program(&zig_folder(), "cargo-zigbuild"));
    command.envs(zig_variables()?);
    Ok(command)
}

/// Returns the variables that say where Zig is; it and cargo-zigbuild write only below `target/`.
fn zig_variables() -> Result<[(&'static str, PathBuf); 3]> {
    let folder = zig_folder();
    let packages = venv::packages(&venv::program(&folder, "python"))?;
    let zig = packages.join("ziglang").join(format!("zig{}", std::env::consts::EXE_SUFFIX));
    let [wrappers, cache] = ["wrappers", "cache"].map(|name| folder.join(name));
    Ok([("CARGO_ZIGBUILD_ZIG_PATH", zig), ("CARGO_ZIGBUILD_CACHE_DIR", wrappers), ("ZIG_GLOBAL_CACHE_DIR", cache)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a compiler with libraries of its own target, and with sources or not.
    fn compiler(folder: &Path, sources: bool) -> Compiler {
        let libraries = folder.join("lib").join("rustlib");
        let library = libraries.join("x86_64-unknown-linux-gnu").join("lib");
        fs_err::create_dir_all(&library).unwrap();
        fs_err::write(library.join("libstd-0123.rlib"), "").unwrap();
        if sources {
            let folder = libraries.join("src").join("rust").join("library");
            fs_err::create_dir_all(&folder).unwrap();
            fs_err::write(folder.join("Cargo.lock"), "").unwrap();
        }
        let name = if sources { "with sources" } else { "without" };
        let host = "x86_64-unknown-linux-gnu".to_owned();
        Compiler { rustc: name.into(), cargo: "cargo".into(), host, release: "1.89.0".to_owned(), libraries }
    }

    #[test]
    fn an_installed_library_goes_before_one_to_be_compiled() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let compilers = [compiler(folders[0].path(), false), compiler(folders[1].path(), true)];
        let chosen = |triple: &'static str, small| {
            let cross = cross(&compilers, triple.into(), Linker::System, small).unwrap();
            (cross.compiler.rustc.into_string().unwrap(), cross.build_std)
        };
        assert_eq!(chosen("x86_64-unknown-linux-gnu", false), ("without".to_owned(), false));
        assert_eq!(chosen("x86_64-unknown-linux-gnu", true), ("with sources".to_owned(), true));
        assert_eq!(chosen("aarch64-apple-darwin", false), ("with sources".to_owned(), true));
        let refused = |small| cross(&compilers[..1], "aarch64-apple-darwin".into(), Linker::System, small).unwrap_err();
        let debian = "(Debian without rustup: apt-get install rustc-web cargo-web rust-web-src)";
        assert_eq!(
            refused(false),
            format!("the standard library of aarch64-apple-darwin: rustup target add aarch64-apple-darwin {debian}")
        );
        assert_eq!(
            refused(true),
            format!("the sources of the standard library, for --small: rustup component add rust-src {debian}")
        );
    }

    #[test]
    fn a_compiled_standard_library_has_neither_backtraces_nor_paths() {
        let folder = tempfile::tempdir().unwrap();
        let compilers = [compiler(folder.path(), true)];
        let toolchain = |small| {
            let linker = Linker::Compiler("gcc-of-windows", "");
            let cross = cross(&compilers, "x86_64-pc-windows-gnu".into(), linker, small).unwrap();
            Toolchain { cross: Some(cross), ..Toolchain::default() }
        };
        let sources = folder.path().join("lib/rustlib/src/rust");
        for small in [false, true] {
            let toolchain = toolchain(small);
            assert!(!toolchain.runs_here());
            assert!(toolchain.flags().contains(&format!("--remap-path-prefix={}=rust", sources.display())));
            for flag in ["--cfg=fmu_small", "-Zlocation-detail=none"] {
                assert_eq!(toolchain.flags().contains(&flag.to_owned()), small, "{flag}");
            }
            assert_eq!(toolchain.is_small(), small);
            assert_eq!(toolchain.declares(), !small);
            assert!(toolchain.clone().declaring().declares());
            let command = format!("{:?}", toolchain.build().unwrap());
            let parts = ["x86_64-pc-windows-gnu", "-Zbuild-std=std", "lto='fat'", "X86_64_PC_WINDOWS_GNU_LINKER"];
            for part in parts.into_iter().chain(["gcc-of-windows"]) {
                assert!(command.contains(part), "{command}");
            }
            assert!(!command.contains("backtrace"), "{command}");
        }
    }

    #[test]
    fn webassembly_declares_nothing_and_small_modules_abort_silently_where_the_compiler_can() {
        let folder = tempfile::tempdir().unwrap();
        for (release, can) in [("1.89.0", false), ("1.91.1", false), ("1.92.0", true), ("2.0.0-nightly", true)] {
            for small in [false, true] {
                let compiler = Compiler { release: release.to_owned(), ..compiler(folder.path(), true) };
                let cross = cross(&[compiler], "wasm32-unknown-unknown".into(), Linker::WebAssembly, small).unwrap();
                let toolchain = Toolchain { cross: Some(cross), ..Toolchain::default() };
                assert_eq!(toolchain.aborts_silently(), small && can, "{release}");
                assert!(!toolchain.clone().declaring().declares());
                assert!(toolchain.flags().contains(&"-Clink-arg=--compress-relocations".to_owned()));
            }
        }
    }
}
