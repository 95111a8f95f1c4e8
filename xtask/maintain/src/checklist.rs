//! `cargo xtask release --check`: what is to be done by hand before a release.

use anyhow::{Result, bail};
use fmu_builder::console::say;
use xtask::origin::PLACEHOLDER;
use xtask::paths::root;

/// The texts that say what a release is.
struct Texts {
    /// `Cargo.toml`
    manifest: toml::Table,
    /// `CHANGELOG.md`
    changelog: String,
    /// `CITATION.cff`
    citation: String,
}

/// Prints that all is done, or fails with what is not.
pub fn check() -> Result<()> {
    let read = |name: &str| fs_err::read_to_string(root().join(name));
    let manifest = read("Cargo.toml")?.parse()?;
    let texts = Texts { manifest, changelog: read("CHANGELOG.md")?, citation: read("CITATION.cff")? };
    let problems = problems(&texts);
    if !problems.is_empty() {
        bail!("this is not ready to be released:\n  {}", problems.join("\n  "));
    }
    Ok(say("version, date and addresses are those of a release")?)
}

fn problems(texts: &Texts) -> Vec<String> {
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
        }
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
