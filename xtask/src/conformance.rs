//! `cargo xtask conformance`: the rules of FMI 2.0 with the tests that check them, as a page of `docs`.
//!
//! The rules are in `conformance/rules.txt`, the tests are found in the sources: a test's rules are
//! those that its name begins with, and those of the problems whose messages it asserts.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fmu_builder::Destination;

const RULES: &str = include_str!("conformance/rules.txt");
const PAGE: &str = "docs/conformance.md";
const INTRODUCTION: &str = "# Rules of FMI 2.0 and their tests

Made by `cargo xtask conformance` from the names of the tests; a test compares. The identifiers
belong to this project; the names of the tests begin with them: `d3_…` for D-3, `rule_7_2_…` for 7.2.
";

/// One rule.
struct Rule<'a> {
    id: &'a str,
    meaning: &'a str,
    /// Why it has no test of its own.
    instead: Option<Instead<'a>>,
}

enum Instead<'a> {
    /// A reason.
    Reason(&'a str),
    /// The rules that it consists of.
    Rules(Vec<&'a str>),
}

/// A test: its name and the file that it is in, relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Test {
    file: String,
    name: String,
}

type Tests = BTreeMap<String, Vec<Test>>;

/// Writes the page.
pub fn write() -> Result<()> {
    let page = page()?;
    Destination::new(&crate::root().join(PAGE))?.write(|writer| writer.write_all(page.as_bytes()))?;
    Ok(())
}

/// The rules by sections.
fn sections() -> Vec<(&'static str, Vec<Rule<'static>>)> {
    let mut sections: Vec<(_, Vec<Rule<'_>>)> = Vec::new();
    for line in RULES.lines().filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            sections.push((title, Vec::new()));
            continue;
        }
        let mut parts = line.split(" | ");
        let id = parts.next().unwrap_or_default();
        let meaning = parts.next().unwrap_or_default();
        let instead = parts.next().map(|text| match text.strip_prefix("= ") {
            Some(ids) => Instead::Rules(ids.split(' ').collect()),
            None => Instead::Reason(text),
        });
        sections.last_mut().expect("a title first").1.push(Rule { id, meaning, instead });
    }
    sections
}

fn page() -> Result<String> {
    let sections = sections();
    let rules = || sections.iter().flat_map(|(_, rules)| rules);
    let tests = tests(&rules().map(|rule| rule.id).collect::<Vec<_>>())?;
    let mut page = INTRODUCTION.to_owned();
    let mut missing = Vec::new();
    for (title, rules_here) in &sections {
        page += &format!("\n## {title}\n\n| rule | what it asks | tests |\n| --- | --- | --- |\n");
        for rule in rules_here {
            let found = tests.get(rule.id).map_or(&[][..], Vec::as_slice);
            let shown = match &rule.instead {
                _ if !found.is_empty() => found.iter().map(link).collect::<Vec<_>>().join(", "),
                Some(Instead::Reason(reason)) => format!("*{reason}*"),
                Some(Instead::Rules(ids)) => {
                    let unknown = ids.iter().find(|id| !rules().any(|rule| rule.id == **id));
                    if let Some(unknown) = unknown {
                        bail!("rule {} refers to {unknown}, which is none", rule.id);
                    }
                    format!("see {}", ids.join(", "))
                }
                None => {
                    missing.push(rule.id);
                    continue;
                }
            };
            page += &format!("| {} | {} | {shown} |\n", rule.id, rule.meaning);
        }
    }
    if !missing.is_empty() {
        bail!("no name of a test begins with these rules: {}", missing.join(", "));
    }
    Ok(page)
}

fn link(test: &Test) -> String {
    format!("[`{}`](../{})", test.name, test.file)
}

/// The tests of each rule.
fn tests(rules: &[&str]) -> Result<Tests> {
    let mut tests = Tests::new();
    let mut files = Vec::new();
    for folder in ["fmu-builder", "fmu-importer", "fmu-runtime", "models", "tests", "xtask"] {
        collect(&crate::root().join(folder), &mut files)?;
    }
    files.sort();
    for path in files {
        let text = fs_err::read_to_string(&path)?;
        let file = path.strip_prefix(crate::root())?.to_string_lossy().replace('\\', "/");
        for body in text.split("#[test]\n").skip(1) {
            let name = body.split_once("fn ").and_then(|(_, rest)| rest.split('(').next());
            let name = name.with_context(|| format!("{file}: a test without a name"))?;
            let mut found = rules_of_name(name, rules).with_context(|| format!("{file}: {name}"))?;
            if file.starts_with("fmu-builder/src/check") {
                found.extend(
                    rules.iter().filter(|rule| body.contains(&format!("({rule})\""))).map(|id| (*id).to_owned()),
                );
            }
            for id in found {
                let test = Test { file: file.clone(), name: name.to_owned() };
                let known = tests.entry(id).or_default();
                if !known.contains(&test) {
                    known.push(test);
                }
            }
        }
    }
    Ok(tests)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The rules that a name begins with; one that looks like a rule must be one.
fn rules_of_name(name: &str, rules: &[&str]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut words = name.split('_').peekable();
    while let Some(word) = words.next() {
        let id = if word == "rule" {
            let mut id = String::new();
            while let Some(digits) = words.next_if(|word| is_number(word)) {
                let longer = if id.is_empty() { digits.to_owned() } else { format!("{id}.{digits}") };
                // A part of a section that is no rule by itself.
                id = if id.contains('.') && !rules.contains(&longer.as_str()) { id } else { longer };
            }
            id
        } else {
            let letters = word.trim_end_matches(|character: char| character.is_ascii_digit());
            let is_rule =
                matches!(letters, "a" | "b" | "d" | "f" | "l" | "m" | "ms" | "n" | "p" | "s" | "u" | "v" | "x" | "z")
                    && letters.len() < word.len();
            if !is_rule {
                break;
            }
            let dash = if letters == "p" { "" } else { "-" };
            format!("{}{dash}{}", letters.to_uppercase(), &word[letters.len()..])
        };
        if !rules.contains(&id.as_str()) {
            bail!("\"{id}\" is no rule of xtask/src/conformance/rules.txt");
        }
        found.push(id);
    }
    Ok(found)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_has_a_test_and_the_page_tells_which() {
        let page = page().unwrap_or_else(|error| panic!("{error:#}"));
        let shown = fs_err::read_to_string(crate::root().join(PAGE)).unwrap();
        assert!(page == shown, "{PAGE} is not what the tests are; cargo xtask conformance writes it");
    }

    #[test]
    fn names_begin_with_their_rules() {
        let rules = ["D-3", "MS-4", "P12", "7.2", "5.4", "1.5.3"];
        let of = |name| rules_of_name(name, &rules).map_err(|error| error.to_string());
        assert_eq!(of("d3_p12_ms4_all_is_well"), Ok(["D-3", "P12", "MS-4"].map(String::from).to_vec()));
        assert_eq!(of("rule_7_2_sample"), Ok(vec!["7.2".to_owned()]));
        assert_eq!(of("rule_1_5_3_rule_7_2_sample"), Ok(vec!["1.5.3".to_owned(), "7.2".to_owned()]));
        assert_eq!(of("rule_5_4_6_sample"), Ok(vec!["5.4".to_owned()]));
        assert_eq!(of("a_name_of_d3_without_rule"), Ok(vec![]));
        assert!(of("d4_sample").unwrap_err().contains("\"D-4\" is no rule"));
        assert!(of("rule_9_sample").unwrap_err().contains("\"9\" is no rule"));
    }

    /// The checklist that the rules come from lies beside the project where that is developed.
    #[test]
    fn every_rule_of_the_checklist_is_here() {
        let path = crate::root().join("../shared/fmi2-conformance.md");
        let Ok(checklist) = fs_err::read_to_string(&path) else {
            assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "CI must have {}", path.display());
            println!("skipped: there is no {}", path.display());
            return;
        };
        let known: BTreeSet<&str> = sections().iter().flat_map(|(_, rules)| rules).map(|rule| rule.id).collect();
        let bold = checklist.split("**").skip(1).step_by(2).filter_map(|text| text.split([' ', ':']).next());
        let is_id = |text: &&str| {
            text.split_once('-').is_some_and(|(letters, digits)| {
                letters.len() <= 2 && letters.bytes().all(|byte| byte.is_ascii_uppercase()) && is_number(digits)
            })
        };
        let policies = checklist.lines().filter_map(|line| line.strip_prefix("| P")?.split(' ').next());
        let policies = policies.filter(|number| is_number(number)).map(|number| format!("P{number}"));
        let plan = checklist.split_once("\n## 13.").unwrap().1.split_once("\n## ").unwrap().0;
        let plan = plan.lines().filter_map(|line| line.split_once(". ")).filter(|(number, _)| is_number(number));
        let plan = plan.map(|(number, _)| format!("13.{number}"));
        let wanted: Vec<String> = bold.filter(is_id).map(str::to_owned).chain(policies).chain(plan).collect();
        assert!(wanted.len() > 120, "only {} rules", wanted.len());
        let missing: Vec<_> = wanted.iter().filter(|id| !known.contains(id.as_str())).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
