//! The description for the page.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use fmu_builder::description::{Causality, DisplayUnit, Variability, Variable, VariableType};
use fmu_builder::{Description, Standard, output_path};
use fmu_exchange::{MAX_DATA_BYTES, read_limited};
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use crate::model::Model;
use crate::problems::placed;

/// Returns the reply of `build` for what was built of a file.
pub fn reply(model: &Model, main: Option<&str>) -> Value {
    let Model { description, standards, .. } = model;
    let experiment = &description.default_experiment;
    let number = |standard: &Standard| match standard {
        Standard::Fmi2 => 2,
        Standard::Fmi3 => 3,
    };
    let file = |standard| output_path(description, standard, Path::new("")).file_name().map(|name| name.to_owned());
    let file = |standard| file(standard).unwrap_or_default().to_string_lossy().into_owned();
    let (parts, lines) = main.map(places).unwrap_or_default();
    json!({
        "name": description.name,
        "component": description.component,
        "description": description.description,
        "experiment": {
            "start": experiment.start_time,
            "stop": experiment.stop_time,
            "step": experiment.step_size,
            "tolerance": experiment.tolerance,
        },
        "variables": description.variables.iter().map(|it| variable(description, &lines, it)).collect::<Vec<_>>(),
        "parts": parts,
        "shapes": description.shapes.len(),
        "warnings": description.warnings.iter().map(|warning| placed(warning)).collect::<Vec<_>>(),
        "notes": description.notes,
        "standards": standards.iter().map(number).collect::<Vec<_>>(),
        "fmu": { "2": file(Standard::Fmi2), "3": file(Standard::Fmi3) },
    })
}

fn variable(description: &Description, lines: &BTreeMap<String, usize>, variable: &Variable) -> Value {
    let Variable { name, description: text, causality, variability, attributes, kind, .. } = variable;
    let mut entry = Map::new();
    let mut add = |key: &str, value: Value| drop(entry.insert(key.to_owned(), value));
    add("name", json!(name));
    add("description", json!(text));
    add("causality", json!(causality_name(*causality)));
    add("variability", json!(variability_name(*variability)));
    add("quantity", json!(attributes.quantity));
    add("min", json!(attributes.min));
    add("max", json!(attributes.max));
    add("line", json!(name.split('[').next().and_then(|name| lines.get(name))));
    let (type_name, start) = match kind {
        VariableType::Real { start, .. } => ("Real", json!(start)),
        VariableType::Integer { start, .. } => ("Integer", json!(start)),
        VariableType::Boolean { start } => ("Boolean", json!(start)),
        VariableType::String { start } => ("String", json!(start)),
        VariableType::Enumeration { declared_type, start } => {
            let declared = description.enumerations.iter().find(|other| other.name == *declared_type);
            add("items", json!(declared.map(|it| it.names()).unwrap_or_default()));
            ("Enumeration", json!(start))
        }
    };
    add("type", json!(type_name));
    add("start", start);
    if let VariableType::Real { unit: Some(name), .. } = kind {
        add("unit", json!(name));
        let unit = description.units.iter().find(|unit| unit.name == *name);
        let shown = |display: &&DisplayUnit| Some(&*display.name) == attributes.display.as_deref();
        if let Some(display) = unit.and_then(|unit| unit.display.iter().find(shown)) {
            add("displayUnit", json!(display.name));
            add("displayFactor", json!(display.factor));
            add("displayOffset", json!(display.offset));
        }
    }
    entry.into()
}

fn causality_name(causality: Causality) -> &'static str {
    match causality {
        Causality::StructuralParameter => "structuralParameter",
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "independent",
    }
}

fn variability_name(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

/// Returns the parts in a file with the lines of their sections, and the lines of names with a value.
fn places(file: &str) -> (Vec<Value>, BTreeMap<String, usize>) {
    let text = read_limited(Path::new(file), MAX_DATA_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.unwrap_or_default();
    let Ok(document) = DeTable::parse(&text) else { return Default::default() };
    let section = |name: &str| document.get_ref().get(name).and_then(|section| section.get_ref().as_table());
    let line = |offset: usize| text[..offset].matches('\n').count() + 1;
    let (mut found, mut lines) = (BTreeMap::new(), BTreeMap::new());
    if let Some(parts) = section("parts") {
        add_parts("", parts, &mut found);
    }
    for section in ["parts", "parameters"].into_iter().filter_map(section) {
        add_lines("", section, &line, &mut lines);
    }
    let part = |(begin, (name, kind, end)): (usize, (String, String, usize))| json!({ "name": name, "type": kind, "file": file, "line": line(begin), "endLine": line(end) });
    (found.into_iter().map(part).collect(), lines)
}

/// Adds the lines of the names in a table.
fn add_lines(prefix: &str, table: &DeTable<'_>, line: &impl Fn(usize) -> usize, lines: &mut BTreeMap<String, usize>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        if let Some(inner) = value.get_ref().as_table() {
            add_lines(&format!("{name}."), inner, line, lines);
        }
        lines.insert(name, line(key.span().start));
    }
}

/// Adds the parts in a table by their places; a table without a type has parts inside.
fn add_parts(prefix: &str, table: &DeTable<'_>, found: &mut BTreeMap<usize, (String, String, usize)>) {
    for (key, value) in table {
        let Some(inner) = value.get_ref().as_table() else { continue };
        let name = format!("{prefix}{}", key.get_ref());
        match inner.get("type").map(|kind| kind.get_ref()) {
            Some(DeValue::String(kind)) => {
                let Range { start, end } = key.span();
                drop(found.insert(start, (name, kind.to_string(), last(inner, end))));
            }
            _ => add_parts(&format!("{name}."), inner, found),
        }
    }
}

/// Returns the end of the last value in a table.
fn last(table: &DeTable<'_>, end: usize) -> usize {
    let ends = table.values().map(|value| match value.get_ref() {
        DeValue::Table(inner) => last(inner, 0),
        _ => value.span().end,
    });
    ends.fold(end, usize::max)
}
