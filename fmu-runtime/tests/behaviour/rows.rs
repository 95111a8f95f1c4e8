//! The page of rows lists all kinds, keys and units.

use fmu_runtime::unit;

const PAGE: &str = include_str!("../../src/rows/rows.md");

/// The names of the items of an enumeration in a source file.
fn items<'a>(source: &'a str, enumeration: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(&format!("pub enum {enumeration} {{\n")).unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let names = body.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let names: Vec<_> = names.map(|line| line.split(['(', ',']).next().unwrap()).collect();
    assert!(names.len() > 5, "{names:?}");
    names
}

/// A section, from its heading to the next one.
fn section(heading: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

#[test]
fn all_kinds_are_listed() {
    let kinds = items(include_str!("../../exchange/src/row.rs"), "RowKind");
    for kind in kinds.into_iter().chain(["state", "group"]) {
        assert!(section("Kinds").contains(&format!("\n| `{kind}` | ")), "{kind}");
    }
}

#[test]
fn all_keys_are_listed() {
    let (_, keys) = include_str!("../../src/rows/row.rs").split_once("\nkeys! {").unwrap();
    let keys = keys.split("\n}").next().unwrap().lines();
    let keys: Vec<_> = keys.filter_map(|line| line.strip_prefix("    ")?.split_once('(')).collect();
    for (key, _) in keys.iter().filter(|(key, _)| !key.starts_with("//")) {
        assert!(section("Keys").contains(&format!("`{key} = ")), "{key}");
    }
    assert!(keys.len() > 10);
}

#[test]
fn all_units_are_listed() {
    let listed = section("Units").lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    let listed: Vec<_> = listed.flat_map(|(_, units)| units.trim_end_matches('.').split(", ")).collect();
    let mut all: Vec<_> = unit::ALL.iter().map(|(constant, unit)| format!("`{constant}` {}", unit.name)).collect();
    all.sort_by_key(|unit| listed.iter().position(|listed| listed == unit));
    assert_eq!(listed, all);
}
