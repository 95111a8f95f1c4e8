//! `cargo xtask release --check`: what is to be done by hand before a release.

use std::process::Command;

use anyhow::{Result, bail};
use fmu_builder::console::say;
use xtask::origin::PLACEHOLDER;
use xtask::paths::root;

use crate::bench::machine::THIS_PROJECT;

/// Pages with measurements, and the command that makes each.
const MEASURED: [(&str, &str); 2] =
    [("docs/measurements.md", "cargo xtask bench --save"), ("docs/size.md", "cargo xtask size")];

/// Folders with the code of libraries, which is measured.
const CODE: [&str; 4] = ["fmu-runtime", "models", ":(exclude)*.md", ":(exclude)*/tests/*"];

/// The texts that say what a release is.
struct Texts {
    /// `Cargo.toml`
    manifest: toml::Table,
    /// `CHANGELOG.md`
    changelog: String,
    /// `CITATION.cff`
    citation: String,
    /// [`MEASURED`]
    measured: [String; 2],
}

/// Prints that all is done, or fails with what is not.
pub fn check() -> Result<()> {
    let read = |name: &str| fs_err::read_to_string(root().join(name));
    let manifest = read("Cargo.toml")?.parse()?;
    let measured = [read(MEASURED[0].0)?, read(MEASURED[1].0)?];
    let texts = Texts { manifest, changelog: read("CHANGELOG.md")?, citation: read("CITATION.cff")?, measured };
    let problems = problems(&texts, changes_since);
    if !problems.is_empty() {
        bail!("this is not ready to be released:\n  {}", problems.join("\n  "));
    }
    Ok(say("version, date, addresses and measurements are those of a release")?)
}

/// Returns the number of commits after another one that changed the code of libraries, if there is such a commit.
fn changes_since(commit: &str) -> Option<u32> {
    if commit.is_empty() {
        return None;
    }
    let mut git = Command::new("git");
    git.args(["rev-list", "--count", &format!("{commit}..HEAD"), "--"]).args(CODE).current_dir(root());
    String::from_utf8(git.output().ok()?.stdout).ok()?.trim().parse().ok()
}

fn problems(texts: &Texts, changes_since: impl Fn(&str) -> Option<u32>) -> Vec<String> {
    let mut problems = Vec::new();
    let workspace = &texts.manifest["workspace"];
    let text = |key: &str| workspace["package"].get(key).and_then(toml::Value::as_str).unwrap_or_default();
    let version = text("version");
    let address = text("repository");
    if !address.starts_with("https://") || address.starts_with(PLACEHOLDER) {
        problems.push(format!("Cargo.toml: repository is \"{address}\", which is not the address of the sources"));
    }
    let dependencies = workspace.get("dependencies").and_then(toml::Value::as_table).into_iter().flatten();
    for (name, dependency) in dependencies {
        let own = dependency.get("path").and_then(|_| dependency.get("version")?.as_str());
        if let Some(own) = own.filter(|own| *own != version) {
            problems.push(format!("Cargo.toml: {name} has the version {own}, not {version}"));
        }
    }
    let section = texts.changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
    let date = section.strip_prefix(version).and_then(|rest| rest.strip_prefix(", ")).filter(|date| is_date(date));
    if date.is_none() {
        problems.push(format!(
            "CHANGELOG.md: its first section is \"{section}\", which should be \"{version}, \" and a date such as 2026-11-28"
        ));
    }
    let cited = |key: &str| {
        let value = texts.citation.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        value.map_or("", |value| value.trim().trim_matches('"'))
    };
    let wanted = [("version", Some(version)), ("date-released", date)];
    for (key, wanted) in wanted.into_iter().filter_map(|(key, wanted)| Some((key, wanted?))) {
        if cited(key) != wanted {
            problems.push(format!("CITATION.cff: {key} is \"{}\", not {wanted}", cited(key)));
        }
    }
    for ((page, command), text) in MEASURED.iter().zip(&texts.measured) {
        let own = text
            .split_once(THIS_PROJECT)
            .and_then(|(_, rest)| rest.trim_start_matches([':', ' ', '|']).split_once(')'));
        let (of, commit) = own.and_then(|(own, _)| own.split_once(" (")).unwrap_or_default();
        let problem = match changes_since(commit) {
            _ if of != version => format!("was made with version \"{of}\", not {version}"),
            Some(0) => continue,
            Some(changes) => {
                format!("was made at {commit}, since when {changes} commits changed the code of libraries")
            }
            None => format!("was made at \"{commit}\", which is no commit here"),
        };
        problems.push(format!("{page}: {problem}; {command} makes it"));
    }
    problems
}

/// True for a date in the form of ISO 8601.
fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(i, byte)| match i {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(address: &str, section: &str, citation: &str) -> Texts {
        let manifest = format!(
            "[workspace.package]\nversion = \"0.2.0\"\nrepository = \"{address}\"\n\
             [workspace.dependencies]\nfmu-runtime = {{ path = \"fmu-runtime\", version = \"0.2.0\" }}\nlibm = \"0.2\"\n"
        );
        Texts {
            manifest: manifest.parse().unwrap(),
            changelog: format!("# Changelog\n\n## {section}\n\n## 0.1.0, 2025-01-01\n"),
            citation: citation.to_owned(),
            measured: ["| this project | 0.2.0 (abc) |", "this project: 0.2.0 (abc).\n"].map(str::to_owned),
        }
    }

    fn problems(texts: &Texts) -> Vec<String> {
        super::problems(texts, |commit| (commit == "abc").then_some(0))
    }

    #[test]
    fn measurements_are_those_of_the_release() {
        let mut old =
            texts("https://git.test/fmus", "0.2.0, 2026-11-28", "version: 0.2.0\ndate-released: 2026-11-28\n");
        assert!(problems(&old).is_empty());
        let changed = super::problems(&old, |_| Some(3));
        let expected = "docs/size.md: was made at abc, since when 3 commits changed the code of libraries; cargo xtask size \
                        makes it";
        assert_eq!(changed[1], expected);
        old.measured = ["| this project | 0.1.0 (abc) |", "this project: 0.2.0 (abc-dirty)."].map(str::to_owned);
        assert_eq!(
            problems(&old),
            [
                "docs/measurements.md: was made with version \"0.1.0\", not 0.2.0; cargo xtask bench --save makes it",
                "docs/size.md: was made at \"abc-dirty\", which is no commit here; cargo xtask size makes it",
            ]
        );
    }

    #[test]
    fn commits_are_counted() {
        assert_eq!((changes_since("HEAD"), changes_since("no-commit")), (Some(0), None));
        assert_eq!(changes_since(""), None);
    }

    #[test]
    fn a_release_has_a_date_and_an_address() {
        let citation = "version: 0.2.0\ndate-released: \"2026-11-28\"\n";
        assert!(problems(&texts("https://git.test/fmus", "0.2.0, 2026-11-28", citation)).is_empty());
        assert_eq!(
            problems(&texts("https://example.org/fmus", "0.2.0, not yet released", "version: 0.1.0\n")),
            [
                "Cargo.toml: repository is \"https://example.org/fmus\", which is not the address of the sources",
                "CHANGELOG.md: its first section is \"0.2.0, not yet released\", which should be \"0.2.0, \" and a date \
                 such as 2026-11-28",
                "CITATION.cff: version is \"0.1.0\", not 0.2.0",
            ]
        );
        let mut old = texts("https://git.test/fmus", "0.2.0, 2026-11-28", "version: 0.2.0\n");
        old.manifest["workspace"]["dependencies"]["fmu-runtime"]["version"] = "0.1.0".into();
        assert_eq!(
            problems(&old),
            [
                "Cargo.toml: fmu-runtime has the version 0.1.0, not 0.2.0",
                "CITATION.cff: date-released is \"\", not 2026-11-28",
            ]
        );
    }

    #[test]
    fn the_version_is_cited() {
        let citation = fs_err::read_to_string(root().join("CITATION.cff")).unwrap();
        assert!(citation.contains(&format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"))), "{citation}");
    }
}
