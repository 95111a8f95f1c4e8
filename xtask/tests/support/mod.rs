//! Pages whose commands, changes and programs are run as they are shown.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::components::UNOPTIMISED;
use xtask::paths::root;

/// Splits a page into its blocks, with their languages.
pub fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (None, Some((_, text))) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// Splits a `console` block into its commands, with their output.
pub fn commands(block: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command.to_owned(), Vec::new())),
            None => commands.last_mut().expect("a command first").1.push(line.trim_end().to_owned()),
        }
    }
    commands
}

/// Runs `cargo xtask …` and compares its output with the page.
pub fn run_xtask(folder: &Path, command: &str, expected: &[String]) {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let arguments = command.strip_prefix("cargo xtask ").unwrap_or_else(|| panic!("{command}")).split(' ');
    // Reuses what is already compiled.
    xtask.env("CARGO_TARGET_DIR", root().join("target")).env(UNOPTIMISED, "true");
    let output = xtask.args(arguments).current_dir(folder).output().unwrap();
    let text = if output.status.success() { &output.stdout } else { &output.stderr };
    let text = String::from_utf8_lossy(text).replace(&format!("{}/", root().display()), "");
    let of_cargo =
        |line: &&str| ["Compiling", "Finished", "Blocking"].iter().any(|word| line.trim_start().starts_with(word));
    let shown: Vec<_> = text.lines().filter(|line| !of_cargo(line)).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(shown.len(), expected.len(), "{command}\n{text}\n{said}");
    for (line, pattern) in shown.iter().zip(expected) {
        assert!(matches(line, pattern), "{command}\nshown: {line}\npage:  {pattern}");
    }
}

/// True if a line matches a pattern: `…` is any text. Consecutive blanks count as one, since column widths vary.
fn matches(line: &str, pattern: &str) -> bool {
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (line, pattern) = (fold(line), fold(pattern));
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    for part in parts {
        match rest.find(part) {
            Some(found) if !part.is_empty() => rest = &rest[found + part.len()..],
            Some(_) => return true,
            None => return false,
        }
    }
    rest.is_empty()
}

/// A folder that looks like this project to the commands, inside a temporary folder.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    #[cfg(unix)]
    pub fn new() -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap() };
        fs_err::create_dir(sandbox.folder()).unwrap();
        fs_err::os::unix::fs::symlink(root().join("target"), sandbox.folder().join("target")).unwrap();
        sandbox
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("mechanical-fmus")
    }

    /// Runs the blocks of a page; returns the number of each kind: commands, changes, programs.
    pub fn carry_out(&self, page: &str) -> [usize; 3] {
        let mut counts = [0; 3];
        for (language, text) in blocks(page) {
            match language.as_str() {
                "console" => {
                    commands(&text).iter().for_each(|(command, expected)| self.run(command, expected));
                    counts[0] += 1;
                }
                "diff" => {
                    self.change(&text);
                    counts[1] += 1;
                }
                "python" => {
                    self.python(&text);
                    counts[2] += 1;
                }
                _ => {}
            }
        }
        counts
    }

    fn run(&self, command: &str, expected: &[String]) {
        let Some(arguments) = command.strip_prefix("cargo test ") else {
            return run_xtask(&self.folder(), command, expected);
        };
        let (_, manifest) = arguments.split_once("--manifest-path ").expect("a package outside this workspace");
        let manifest = self.folder().join(manifest);
        // With the versions and features of this workspace, dependencies are compiled already.
        fs_err::copy(root().join("Cargo.lock"), manifest.with_file_name("Cargo.lock")).unwrap();
        let own = fs_err::read_to_string(&manifest).unwrap();
        let features = root().join("tests/workspace-hack");
        let shared = format!("{own}\n[dev-dependencies.tests-workspace-hack]\npath = {features:?}\n");
        fs_err::write(&manifest, shared).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.arg("test").args(arguments.split(' ')).env("CARGO_TARGET_DIR", root().join("target"));
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "none");
        let output = cargo.current_dir(self.folder()).output().unwrap();
        fs_err::write(&manifest, own).unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let mut lines = said.lines();
        for pattern in expected {
            let found = lines.any(|line| matches(line, pattern));
            assert!(found, "{command}\npage: {pattern}\n{said}{}", String::from_utf8_lossy(&output.stderr));
        }
        // There must be no warnings, either.
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Applies a change to a file in which the lines with `-` and those without a sign occur exactly once.
    fn change(&self, diff: &str) {
        let (head, lines) = diff.split_once('\n').unwrap();
        let file = self.folder().join(head.strip_prefix("--- ").unwrap());
        let side = |other: char| -> String {
            lines
                .lines()
                .filter(|line| !line.starts_with(other))
                .map(|line| format!("{}\n", line.get(1..).unwrap_or_default()))
                .collect()
        };
        let text = fs_err::read_to_string(&file).unwrap();
        assert_eq!(text.matches(&side('+')).count(), 1, "{}\n{diff}", file.display());
        fs_err::write(file, text.replace(&side('+'), &side('-'))).unwrap();
    }

    fn python(&self, program: &str) {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        let python = root().join("target/python").join(folder).join("python");
        let output = Command::new(python).args(["-c", program]).current_dir(self.folder()).output().unwrap();
        assert!(output.status.success(), "{program}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
