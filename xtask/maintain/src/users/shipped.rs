//! The files of a clone that the Python package brings as its examples.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xtask::paths::{files, files_below, root};

use super::SETTINGS;

/// Folder of the examples, in a clone and in the package.
const EXAMPLES: &str = "examples";

/// Extensions of the files that are examples.
const EXTENSIONS: [&str; 7] = ["bus", "csv", "gbs", "py", "toml", "urdf", "xlsx"];

/// Folders of a clone for FMUs and pictures, the longest of each kind first: the command of the package writes into the
/// current one.
const WRITTEN: [&str; 4] = ["target/fmu/systems/", "target/fmu/", "target/", "docs/gallery/"];

/// Folders of a clone of which users have nothing but examples.
const FOLDERS_OF_A_CLONE: [&str; 10] = [
    "docs", EXAMPLES, "fmu-builder", "fmu-commands", "fmu-importer", "fmu-runtime", "models", "python", "tests",
    "xtask",
];

/// The examples: where a clone has them, and where users.
pub struct Shipped(BTreeMap<String, String>);

impl Shipped {
    /// Finds the files.
    pub fn new() -> Result<Self> {
        let mut shipped = Self(BTreeMap::new());
        shipped.add(&files_below(&root().join(EXAMPLES))?, EXAMPLES, "")?;
        shipped.add(&files_below(&root().join("docs/fit"))?, "docs/fit", "fit/")?;
        for (folder, extension) in [("python/examples", "py"), ("docs", "py"), ("docs", "toml")] {
            shipped.add(&files(&root().join(folder), extension)?, folder, "")?;
        }
        shipped.0.remove(SETTINGS);
        for folder in fs_err::read_dir(root().join("models"))? {
            let folder = folder?;
            let (data, name) = (folder.path().join("reference"), folder.file_name().display().to_string());
            if data.exists() {
                shipped.add(&files_below(&data)?, &format!("models/{name}/reference"), &format!("{name}/"))?;
            }
        }
        Ok(shipped)
    }

    /// Adds files of a folder, which users have in another one.
    fn add(&mut self, files: &[PathBuf], from: &str, to: &str) -> Result<()> {
        let is_example = |file: &&PathBuf| {
            file.extension().and_then(OsStr::to_str).is_some_and(|extension| EXTENSIONS.contains(&extension))
        };
        for file in files.iter().filter(is_example) {
            let name = file.strip_prefix(root().join(from))?.to_str().context("a name in UTF-8")?.replace('\\', "/");
            self.0.insert(format!("{from}/{name}"), format!("{EXAMPLES}/{to}{name}"));
        }
        Ok(())
    }

    /// Copies the files into a folder, with the commands of users in their comments.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for (file, name) in &self.0 {
            let place = folder.join(name);
            fs_err::create_dir_all(place.parent().context("in a folder")?)?;
            let content = fs_err::read(root().join(file))?;
            match String::from_utf8(content) {
                Ok(text) if file.ends_with(".toml") || file.ends_with(".py") => {
                    let lines: String = text.split_inclusive('\n').map(|line| self.translate(line)).collect();
                    fs_err::write(place, lines)?;
                }
                _ => drop(fs_err::copy(root().join(file), place)?),
            }
        }
        Ok(())
    }

    /// Returns a line of code with the command of the package, and with the files where users have them.
    pub fn translate(&self, line: &str) -> String {
        let commands = line.replace(" --out target/fmu/systems", "").replace("cargo xtask", super::COMMAND);
        let mut short = of_paths(&commands, |path| self.place(path));
        if line.starts_with(" target/fmu/") {
            // A row of a printed table keeps its columns.
            let end = short[1..].find(' ').map_or(short.len(), |end| 1 + end);
            short.insert_str(end, &" ".repeat(commands.len() - short.len()));
        }
        short
    }

    /// Returns where users have a file.
    fn place(&self, path: &str) -> String {
        let own = path.trim_start_matches("../");
        let up = &path[..path.len() - own.len()];
        if let Some(place) = self.0.get(own) {
            return format!("{up}{place}");
        }
        if let Some(name) = WRITTEN.iter().find_map(|folder| own.strip_prefix(folder)) {
            return format!("{up}{name}");
        }
        match own.strip_prefix("docs/") {
            Some(picture) if picture.ends_with(".svg") => picture.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// Returns the first path in a translated line that users do not have.
    pub fn missing<'a>(&self, line: &'a str) -> Option<&'a str> {
        let is_missing = |path: &&str| {
            let path = path.trim_start_matches("../");
            let own = path.split('*').next().unwrap_or_default();
            let folder = own.split_once('/').map(|(folder, _)| folder);
            folder.is_some_and(|folder| FOLDERS_OF_A_CLONE.contains(&folder))
                && !self.0.values().any(|place| {
                    let rest = place.strip_prefix(own);
                    rest.is_some_and(|rest| {
                        own != path || rest.is_empty() || own.ends_with('/') || rest.starts_with('/')
                    })
                })
        };
        line.split(|letter| !is_of_path(letter)).find(is_missing)
    }
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || "_-./*".contains(letter)
}

/// Replaces the paths of a line.
fn of_paths(line: &str, place: impl Fn(&str) -> String) -> String {
    let (mut replaced, mut rest) = (String::new(), line);
    while let Some(start) = rest.find(is_of_path) {
        let path = &rest[start..];
        let end = path.find(|letter| !is_of_path(letter)).unwrap_or(path.len());
        replaced += &rest[..start];
        replaced += &place(&path[..end]);
        rest = &path[end..];
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_where_pages_and_other_copies_look_for_them() {
        let folder = tempfile::tempdir().unwrap();
        Shipped::new().unwrap().write(folder.path()).unwrap();
        let examples = folder.path().join(EXAMPLES);
        for name in ["bench-arm.urdf", "msl/rotational-first.toml", "iftomm/a02-four-bars.toml", "fit/train.toml"] {
            assert!(examples.join(name).exists(), "{name}");
        }
        let sweep = fs_err::read_to_string(examples.join("bushing-sweep.toml")).unwrap();
        let input = sweep.lines().find_map(|line| line.strip_prefix("input = ")).unwrap().trim_matches('"');
        assert!(examples.join(input).exists(), "{input}");
        let script = fs_err::read_to_string(examples.join("many_runs_dask.py")).unwrap();
        assert!(script.contains("\n    mechanical-fmus sweep ") && !script.contains("cargo"), "{script}");
    }
}
