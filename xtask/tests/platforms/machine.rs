//! A C program that loads and calls the library of a platform, run on that platform or an emulator.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use fmu_builder::Platform;
use xtask::paths::root;

use crate::fixture::skip;

/// A computer of a platform, or its emulator.
pub struct Machine {
    platform: Platform,
    /// Emulator with its arguments.
    runner: &'static [&'static str],
    program: PathBuf,
}

impl Machine {
    /// Returns the computer of a platform, if there is an emulator.
    pub fn of(platform: Platform) -> Option<Self> {
        let (runner, triple): (&[&str], _) = match platform {
            Platform::Linux64 => (&[], "x86_64-linux-gnu.2.17"),
            Platform::Aarch64Linux => (&["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"], "aarch64-linux-gnu.2.17"),
            Platform::Win64 => (&["wine"], ""),
            _ => return None,
        };
        let install = match platform {
            Platform::Win64 => "apt-get install wine wine64",
            _ => "apt-get install qemu-user libc6-arm64-cross",
        };
        let found = |program: &str| Command::new(program).arg("--version").env("WINEPREFIX", prefix()).output().is_ok();
        if !runner.first().is_none_or(|runner| found(runner)) {
            skip(
                &format!("running the libraries for {}", platform.folder()),
                &format!("{} is absent: {install}", runner[0]),
            );
            return None;
        }
        Some(Self { platform, runner, program: compile(platform, triple) })
    }

    /// Returns a path as this computer writes it.
    pub fn path(&self, path: &Path) -> String {
        let path = path.to_str().unwrap();
        if self.platform == Platform::Win64 { format!("Z:{}", path.replace('/', "\\")) } else { path.to_owned() }
    }

    /// Returns the location of a folder as importers on this computer write it.
    pub fn location(&self, path: &Path) -> String {
        let drive = if self.platform == Platform::Win64 { "/Z:" } else { "" };
        format!("file://{drive}{}", path.to_str().unwrap())
    }

    /// Runs calls on a library; returns their results, one line each, and the log of the library.
    pub fn run(&self, library: &Path, calls: impl AsRef<[u8]>) -> Vec<String> {
        // If two start at the same time, one may find the other's server half started or half stopped.
        static WINE: Mutex<()> = Mutex::new(());
        let _alone = (self.platform == Platform::Win64).then(|| WINE.lock().unwrap_or_else(PoisonError::into_inner));
        let words = self.runner.iter().map(Path::new).chain([self.program.as_path()]);
        let words: Vec<_> = words.collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(self.path(library)).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env("WINEPREFIX", prefix()).env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        // Wine is independent of the user's settings and the working directory.
        let mut child = command.stderr(Stdio::piped()).current_dir("/").spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let calls = calls.as_ref().to_owned();
        let writer = std::thread::spawn(move || input.write_all(&calls));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {}: {said}", self.platform.folder(), library.display());
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }
}

/// Returns Wine's folder of drives.
fn prefix() -> PathBuf {
    root().join("target").join("wine")
}

/// Compiles the program for a platform from `harness.c`, once.
fn compile(platform: Platform, triple: &str) -> PathBuf {
    static PROGRAMS: Mutex<BTreeMap<Platform, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut programs = PROGRAMS.lock().unwrap();
    if let Some(program) = programs.get(&platform) {
        return program.clone();
    }
    let folder = root().join("target").join("platforms").join(platform.folder());
    fs_err::create_dir_all(&folder).unwrap();
    let program = folder.join(if platform == Platform::Win64 { "harness.exe" } else { "harness" });
    let source = root().join("xtask/tests/platforms/harness.c");
    let mut compiler = if platform == Platform::Win64 {
        Command::new("x86_64-w64-mingw32-gcc")
    } else {
        let zig = root().join("target/zig");
        let mut compiler = Command::new(zig.join("bin/python"));
        compiler
            .args(["-m", "ziglang", "cc", "-target", triple, "-ldl"])
            .env("ZIG_GLOBAL_CACHE_DIR", zig.join("cache"));
        compiler
    };
    compiler.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(&source);
    assert!(compiler.status().unwrap().success());
    if platform == Platform::Win64 {
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-o"]).arg(folder.join("bcryptprimitives.dll"));
        compiler.arg(root().join("xtask/tests/platforms/bcryptprimitives.c"));
        assert!(compiler.status().unwrap().success());
    }
    programs.insert(platform, program.clone());
    program
}
