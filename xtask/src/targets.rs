//! The platforms of `--target`.

use anyhow::{Result, bail};
use fmu_builder::{Platform, suggestion};

/// A platform, with the linker for it on this system.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    /// The platform.
    pub platform: Platform,
    /// The Rust targets; libraries of several become one.
    pub triples: &'static [&'static str],
    /// The linker.
    pub linker: Linker,
}

/// The linker of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linker {
    /// Rust's default linker on this system.
    System,
    /// A C compiler, and the command that installs it.
    Compiler(&'static str, &'static str),
    /// Zig, which brings the C libraries of all platforms.
    Zig,
    /// The linker of LLVM for WebAssembly.
    WebAssembly,
}

/// Oldest glibc that the libraries for Linux run with, from 2012; they run with all newer ones, too.
pub const GLIBC: &str = "2.17";

/// Oldest macOS that the libraries run with, the first one for both processors.
pub const MACOS: &str = "11.0";

/// WebAssembly, a draft: `all` does not mean it.
pub static WEBASSEMBLY: Target =
    Target { platform: Platform::Wasm32, triples: &["wasm32-unknown-unknown"], linker: Linker::WebAssembly };

/// All platforms that the standards name.
pub static TARGETS: [Target; 4] = [
    Target { platform: Platform::Linux64, triples: &["x86_64-unknown-linux-gnu"], linker: Linker::Zig },
    Target { platform: Platform::Aarch64Linux, triples: &["aarch64-unknown-linux-gnu"], linker: Linker::Zig },
    WINDOWS,
    Target {
        platform: Platform::Darwin64,
        triples: &["x86_64-apple-darwin", "aarch64-apple-darwin"],
        linker: if cfg!(target_os = "macos") { Linker::System } else { Linker::Zig },
    },
];

#[cfg(windows)]
const WINDOWS: Target =
    Target { platform: Platform::Win64, triples: &["x86_64-pc-windows-msvc"], linker: Linker::System };
#[cfg(not(windows))]
const WINDOWS: Target = Target {
    platform: Platform::Win64,
    triples: &["x86_64-pc-windows-gnu"],
    linker: Linker::Compiler(
        "x86_64-w64-mingw32-gcc",
        if cfg!(target_os = "macos") { "brew install mingw-w64" } else { "apt-get install gcc-mingw-w64-x86-64" },
    ),
};

/// Returns the targets of these names, each once: folders of FMI, Rust's names, or `all`.
pub fn choose(names: &[String]) -> Result<Vec<&'static Target>> {
    choose_for("--target", names)
}

/// Returns the targets of these names, each once, for another option than `--target`.
pub fn choose_for(option: &str, names: &[String]) -> Result<Vec<&'static Target>> {
    choose_of(&TARGETS.each_ref(), option, names)
}

/// Returns the targets of these names, each once, for FMUs, which may also have WebAssembly.
pub fn choose_for_fmus(names: &[String]) -> Result<Vec<&'static Target>> {
    let all: Vec<_> = TARGETS.iter().chain([&WEBASSEMBLY]).collect();
    choose_of(&all, "--target", names)
}

fn choose_of(all: &[&'static Target], option: &str, names: &[String]) -> Result<Vec<&'static Target>> {
    let mut chosen = Vec::new();
    for name in names {
        let before = chosen.len();
        let is_meant = |target: &&Target| is_named(target, name) || (name == "all" && **target != WEBASSEMBLY);
        chosen.extend(all.iter().copied().filter(is_meant));
        if chosen.len() == before {
            let known = || all.iter().map(|target| target.platform.folder());
            let hint = suggestion(name, known()).map(|hint| format!("; did you mean \"{hint}\"?")).unwrap_or_default();
            let known: Vec<_> = known().collect();
            bail!("{option} {name}: unknown platform{hint} ({} or all; or Rust's names of them)", known.join(", "));
        }
    }
    chosen.sort_by_key(|target| target.platform);
    chosen.dedup();
    Ok(chosen)
}

fn is_named(target: &Target, name: &str) -> bool {
    name == target.platform.folder() || target.triples.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> Result<Vec<&'static str>> {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(choose_for_fmus(&names)?.into_iter().map(|target| target.platform.folder()).collect())
    }

    #[test]
    fn names_of_fmi_and_of_rust_are_known() {
        assert_eq!(chosen(&["win64", "x86_64-unknown-linux-gnu", "linux64"]).unwrap(), ["linux64", "win64"]);
        assert_eq!(chosen(&["aarch64-apple-darwin", "x86_64-apple-darwin"]).unwrap(), ["darwin64"]);
        assert_eq!(chosen(&["win64", "all"]).unwrap().len(), TARGETS.len());
        assert_eq!(chosen(&["all", "wasm32"]).unwrap().last(), Some(&"wasm32"));
        assert_eq!(chosen(&["wasm32-unknown-unknown"]).unwrap(), ["wasm32"]);
    }

    #[test]
    fn an_unknown_name_is_told_the_nearest() {
        assert_eq!(
            chosen(&["win46"]).unwrap_err().to_string(),
            "--target win46: unknown platform; did you mean \"win64\"? \
             (linux64, aarch64-linux, win64, darwin64, wasm32 or all; or Rust's names of them)"
        );
        assert_eq!(
            choose(&["wasm32".to_owned()]).unwrap_err().to_string(),
            "--target wasm32: unknown platform \
             (linux64, aarch64-linux, win64, darwin64 or all; or Rust's names of them)"
        );
    }
}
