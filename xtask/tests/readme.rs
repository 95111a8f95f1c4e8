//! The README's commands give the output that stands there; `…` stands for any text within a line.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The commands of the `console` blocks with their output.
fn commands(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.strip_prefix("$ cargo xtask ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => commands.push((command.to_owned(), Vec::new())),
            _ if inside => commands.last_mut().expect("a command first").1.push(line.trim_end().to_owned()),
            _ => {}
        }
    }
    commands
}

/// Whether a line is what the pattern says. Blanks count as one, since columns move with what is in them.
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

#[test]
fn the_commands_give_the_output_shown() {
    let readme = fs_err::read_to_string(root().join("README.md")).unwrap();
    let commands = commands(&readme);
    assert!(commands.len() >= 4, "found {} commands", commands.len());
    for (command, expected) in commands {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = xtask.args(command.split(' ')).current_dir(root()).output().unwrap();
        let text = if output.status.success() { output.stdout } else { output.stderr };
        let text = String::from_utf8(text).unwrap();
        let of_cargo =
            |line: &&str| ["Compiling", "Finished", "Blocking"].iter().any(|word| line.trim_start().starts_with(word));
        let shown: Vec<_> = text.lines().filter(|line| !of_cargo(line)).collect();
        assert_eq!(shown.len(), expected.len(), "{command}\n{text}");
        for (line, pattern) in shown.iter().zip(&expected) {
            assert!(matches(line, pattern), "{command}\nshown:  {line}\nREADME: {pattern}");
        }
    }
}

/// The TOML examples of the README and of the component pages make FMUs.
#[test]
fn the_configurations_shown_can_be_built() {
    let folder = tempfile::tempdir().unwrap();
    // What they attach lies beside them.
    let data = "measured_stiffness.xlsx";
    fs_err::copy(root().join("models/bushing/reference").join(data), folder.path().join(data)).unwrap();
    let mut built = 0;
    let folders = fs_err::read_dir(root().join("models")).unwrap();
    let pages = folders.map(|folder| folder.unwrap().path().join("README.md")).filter(|page| page.exists());
    for page in std::iter::once(root().join("README.md")).chain(pages) {
        let text = fs_err::read_to_string(&page).unwrap();
        for block in text.split("```toml\n").skip(1) {
            let toml = block.split("```").next().unwrap();
            let file = folder.path().join("example.toml");
            fs_err::write(&file, toml).unwrap();
            let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
            let output =
                xtask.arg("build").arg("--config").arg(&file).arg("--out").arg(folder.path()).output().unwrap();
            assert!(output.status.success(), "{}: {}", page.display(), String::from_utf8_lossy(&output.stderr));
            built += 1;
        }
    }
    assert!(built >= 8, "found {built} configurations");
}
