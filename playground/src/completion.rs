//! Completions at a position of a configuration, from what the component says about its parts.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result};
use fmu_builder::description::{Causality, StructureKind, StructureOption};
use fmu_builder::{Describe, Description, TOP_LEVEL_KEYS, structure_lines};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::{Libraries, systems};

/// Name of a part that is described alone.
const ALONE: &str = "part";

/// The argument of `complete`.
#[derive(Deserialize)]
pub struct Request {
    text: String,
    /// Position in units of UTF-16.
    offset: usize,
}

/// A section of a file, by its heading and its lines.
struct Section<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

/// Returns the candidates in the form of CodeMirror's `CompletionResult`.
pub fn complete(libraries: &Libraries, request: &Request) -> Result<Value> {
    let Request { text, offset } = request;
    let at = byte_of(text, *offset);
    let before = &text[..at];
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let line = &before[begin..];
    let sections = sections(text);
    let number = before.matches("\n[").count() + usize::from(before.starts_with('['));
    let section = sections.get(number).context("each position is in a section")?;
    let part = section.name.strip_prefix("parts.");
    let (word, options) = match line.split_once('=') {
        _ if line.trim_start().starts_with(['#', '[']) => ("", Vec::new()),
        Some((key, value)) => {
            let word = value.rsplit([' ', '[', ',']).next().unwrap_or_default();
            let options = match part {
                Some(part) => values(libraries, &sections, part, key.trim())?,
                None => Vec::new(),
            };
            (word, options)
        }
        None => (line.trim_start(), keys(libraries, section, part)?),
    };
    let from = offset - word.encode_utf16().count();
    Ok(json!({ "from": from, "to": offset, "options": options }))
}

/// Returns the position in bytes of one in units of UTF-16.
fn byte_of(text: &str, offset: usize) -> usize {
    let mut units = 0;
    let mut places = text.char_indices();
    let place = places.find(|(_, character)| {
        let is_there = units >= offset;
        units += character.len_utf16();
        is_there
    });
    place.map_or(text.len(), |(at, _)| at)
}

/// Returns the sections of a file, the lines before the first heading first.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section { name: "", lines: Vec::new() }];
    for line in text.lines() {
        match line.strip_prefix('[') {
            Some(heading) => {
                let name = heading.split(']').next().unwrap_or_default().trim();
                sections.push(Section { name, lines: Vec::new() });
            }
            None => sections.iter_mut().next_back().into_iter().for_each(|section| section.lines.push(line)),
        }
    }
    sections
}

impl Section<'_> {
    /// Returns the type of the part that this is.
    fn kind(&self) -> Option<&str> {
        self.entries().find(|(key, _)| *key == "type").and_then(|(_, value)| value.split('"').nth(1))
    }

    fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().filter_map(|line| line.split_once('=')).map(|(key, value)| (key.trim(), value))
    }
}

/// Returns the keys that a section does not have yet.
fn keys(libraries: &Libraries, section: &Section<'_>, part: Option<&str>) -> Result<Vec<Value>> {
    let given: BTreeSet<_> = section.entries().map(|(key, _)| key).collect();
    let mut options = Vec::new();
    let mut add = |name: &str, apply: String, detail: &str, info: &str| {
        if !given.contains(name) {
            options.push(json!({ "label": name, "type": "property", "detail": detail, "info": info, "apply": apply }));
        }
    };
    let assigned = |name: &str| format!("{name} = ");
    if section.name.is_empty() {
        TOP_LEVEL_KEYS.iter().for_each(|key| add(key, assigned(key), "", ""));
    }
    if part.is_none() {
        return Ok(options);
    }
    let Some(kind) = section.kind() else {
        add("type", "type = \"".to_owned(), "", "Type of the part");
        return Ok(options);
    };
    let description = described(libraries, kind)?;
    let own = |name: &str| Some(name.strip_prefix(ALONE)?.strip_prefix('.')?.to_owned());
    for StructureOption { name, kind, description: text, .. } in &description.structure {
        let Some(name) = own(name).filter(|name| name != "type") else { continue };
        let detail = if matches!(kind, StructureKind::Connection(_)) { "connector" } else { "option" };
        add(&name, assigned(&name), detail, text);
    }
    let mut known = BTreeSet::new();
    for variable in &description.variables {
        let is_given = matches!(variable.causality, Causality::Parameter | Causality::Input) || variable.has_start();
        let Some(name) = own(&variable.name).filter(|_| is_given) else { continue };
        let name = name.split('[').next().unwrap_or_default().to_owned();
        if known.insert(name.clone()) {
            add(&name, assigned(&name), variable.unit().unwrap_or_default(), &variable.description);
        }
    }
    Ok(options)
}

/// Returns the values that a key of a part can have, as far as they are words.
fn values(libraries: &Libraries, sections: &[Section<'_>], part: &str, key: &str) -> Result<Vec<Value>> {
    let word = |word: &str, detail: &str| json!({ "label": word, "type": "text", "detail": detail, "apply": format!("\"{word}\"") });
    if key == "type" {
        let none = libraries.of(systems()?)?.outline("")?;
        let types = none.structure.iter().find_map(|option| match &option.kind {
            StructureKind::Part(types) => Some(types.iter().map(|kind| word(kind, "")).collect()),
            _ => None,
        });
        return Ok(types.unwrap_or_default());
    }
    let own = sections.iter().find(|section| section.name.strip_prefix("parts.") == Some(part));
    let Some(kind) = own.and_then(Section::kind) else { return Ok(Vec::new()) };
    let description = described(libraries, kind)?;
    let name = format!("{ALONE}.{key}");
    let Some(option) = description.structure.iter().find(|option| option.name == name) else { return Ok(Vec::new()) };
    Ok(match &option.kind {
        StructureKind::Boolean => ["true", "false"].map(|word| json!({ "label": word, "type": "keyword" })).into(),
        StructureKind::Enumeration(items) | StructureKind::Initial(items) | StructureKind::Part(items) => {
            items.iter().map(|item| word(item, "")).collect()
        }
        StructureKind::Connection(own) => {
            let mut found = Vec::new();
            for section in sections {
                let Some(other) = section.name.strip_prefix("parts.").filter(|other| *other != part) else { continue };
                let Some(kind) = section.kind() else { continue };
                // A type that is a file, or not complete yet, has no connectors here.
                let Ok(description) = described(libraries, kind) else { continue };
                for option in &description.structure {
                    let fits = matches!(&option.kind, StructureKind::Connection(connector) if connector.domain() == own.domain());
                    if let (true, Some((_, connector))) = (fits, option.name.split_once('.')) {
                        found.push(word(&format!("{other}.{connector}"), kind));
                    }
                }
            }
            found
        }
        StructureKind::Integer { .. } | StructureKind::Positive | StructureKind::Outputs | StructureKind::Input => {
            Vec::new()
        }
    })
}

/// Returns a part of this type as the component describes it.
fn described(libraries: &Libraries, kind: &str) -> Result<Arc<Description>> {
    let option = (format!("{ALONE}.type"), kind.to_owned());
    Ok(libraries.of(systems()?)?.outline(&structure_lines(&[option]))?)
}
