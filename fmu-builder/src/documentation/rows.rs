//! The tables of the page: structure, variables, units and the rest.

use fmu_runtime::Item;
use fmu_runtime::description::{Causality, Description, Kind, StructureKind, Variable};

use super::table::{Cell, number, table};
use crate::fold::{Group, fold};
use crate::words::variability;

/// More elements than these are not spelt out.
const MOST_ELEMENTS: usize = 16;

pub(super) fn structure(description: &Description) -> Option<String> {
    let rows: Vec<Vec<Cell>> = description
        .structure
        .iter()
        .map(|option| {
            let values = match &option.kind {
                StructureKind::Boolean => "true, false".to_owned(),
                StructureKind::Integer { min, max } => format!("{min} to {max}"),
                StructureKind::Enumeration(items) => items.join(", "),
            };
            let aliases = option.aliases.iter().map(|(alias, word)| format!(" ({alias} means {word})"));
            let values = values + &aliases.collect::<String>();
            vec![
                Cell::name(&option.name),
                Cell::text(&option.value),
                Cell::text(&option.default),
                Cell::text(&values),
                Cell::text(&option.description),
            ]
        })
        .collect();
    let note = "<p>Fixed when the FMU was built; these are no FMI variables.</p>\n";
    table(&["Option", "Value", "Default", "Possible values", "Description"], &rows)
        .map(|table| note.to_owned() + &table)
}

pub(super) fn variables(description: &Description, causalities: &[Causality]) -> Option<String> {
    let rows: Vec<Vec<Cell>> = fold(&description.variables)
        .into_iter()
        .filter_map(|group| {
            let members = &description.variables[group.members.clone()];
            let first = members.first().filter(|variable| causalities.contains(&variable.causality))?;
            let (unit, low, high) = limits(first);
            Some(vec![
                Cell::name(&full_name(&group)),
                Cell::text(&type_name(first)),
                Cell::text(&unit),
                Cell::number(&starts(description, &group, members)),
                Cell::number(&low),
                Cell::number(&high),
                Cell::text(variability(first.variability)),
                Cell::text(&first.description),
            ])
        })
        .collect();
    table(&["Name", "Type", "Unit", "Start", "Min", "Max", "Variability", "Description"], &rows)
}

/// `frame_a.R.T[3,3]`
fn full_name(group: &Group<'_>) -> String {
    if group.dimensions.is_empty() {
        return group.name.to_owned();
    }
    let sizes: Vec<String> = group.dimensions.iter().map(usize::to_string).collect();
    format!("{}[{}]", group.name, sizes.join(","))
}

fn type_name(variable: &Variable) -> String {
    match &variable.kind {
        Kind::Real { .. } => "Real",
        Kind::Integer { .. } => "Integer",
        Kind::Boolean { .. } => "Boolean",
        Kind::String { .. } => "String",
        Kind::Enumeration { declared_type, .. } => declared_type,
    }
    .to_owned()
}

/// Unit, smallest and largest value.
fn limits(variable: &Variable) -> (String, String, String) {
    let real = |value: &Option<f64>| value.map(number).unwrap_or_default();
    let whole = |value: &Option<i32>| value.map(|value| value.to_string()).unwrap_or_default();
    match &variable.kind {
        Kind::Real { unit, min, max, .. } => (unit.clone().unwrap_or_default(), real(min), real(max)),
        Kind::Integer { min, max, .. } => (String::new(), whole(min), whole(max)),
        _ => Default::default(),
    }
}

/// The start value, once where all elements have the same.
fn starts(description: &Description, group: &Group<'_>, members: &[Variable]) -> String {
    let values: Vec<String> = members.iter().map(|variable| start(description, variable)).collect();
    let same = values.iter().all(|value| *value == values[0]);
    match group.dimensions.last() {
        _ if same => values[0].clone(),
        Some(_) if values.len() > MOST_ELEMENTS => format!("{} values", values.len()),
        Some(columns) if group.dimensions.len() > 1 => {
            let rows: Vec<String> = values.chunks(*columns).map(|row| format!("[{}]", row.join(", "))).collect();
            format!("[{}]", rows.join(", "))
        }
        _ => format!("[{}]", values.join(", ")),
    }
}

fn start(description: &Description, variable: &Variable) -> String {
    match &variable.kind {
        Kind::Real { start, .. } => start.map(number),
        Kind::Integer { start, .. } => start.map(|value| value.to_string()),
        Kind::Boolean { start } => start.map(|value| value.to_string()),
        Kind::String { start } => start.as_ref().map(|value| format!("\"{value}\"")),
        Kind::Enumeration { declared_type, start } => start.and_then(|value| {
            let enumeration = description.enumerations.iter().find(|other| other.name == *declared_type)?;
            let position = usize::try_from(value).ok()?.checked_sub(1)?;
            enumeration.items.get(position).map(|item| item.name.to_string())
        }),
    }
    .unwrap_or_default()
}

pub(super) fn enumerations(description: &Description) -> Option<String> {
    let mut rows = Vec::new();
    for enumeration in &description.enumerations {
        for (index, Item { name, description: text }) in enumeration.items.iter().enumerate() {
            let value = (index + 1).to_string();
            rows.push(vec![Cell::name(&enumeration.name), Cell::number(&value), Cell::name(name), Cell::text(text)]);
        }
    }
    table(&["Type", "Value", "Item", "Description"], &rows)
}

pub(super) fn units(description: &Description) -> Option<String> {
    let rows: Vec<Vec<Cell>> = description
        .units
        .iter()
        .map(|unit| {
            let powers: Vec<String> = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"]
                .into_iter()
                .zip(unit.exponents)
                .filter(|(_, exponent)| *exponent != 0)
                .map(|(base, exponent)| if exponent == 1 { base.to_owned() } else { format!("{base}^{exponent}") })
                .collect();
            let base = if powers.is_empty() { "1".to_owned() } else { powers.join(" ") };
            let base = if unit.factor == 1.0 { base } else { format!("{} {base}", number(unit.factor)) };
            let display: Vec<&str> = unit.display.iter().map(|display| display.name.as_ref()).collect();
            vec![Cell::name(&unit.name), Cell::text(&base), Cell::text(&display.join(", "))]
        })
        .collect();
    table(&["Unit", "SI base units", "Display units"], &rows)
}

pub(super) fn experiment(description: &Description) -> Option<String> {
    let experiment = description.default_experiment;
    let row =
        |name: &str, value: f64, unit: &str| vec![Cell::text(name), Cell::number(&number(value)), Cell::text(unit)];
    let rows = [
        row("Start time", experiment.start_time, "s"),
        row("Stop time", experiment.stop_time, "s"),
        row("Communication step", experiment.step_size, "s"),
        row("Relative tolerance", experiment.tolerance, ""),
    ];
    table(&["Quantity", "Value", "Unit"], &rows)
}

pub(super) fn log_categories(description: &Description) -> Option<String> {
    let row = |name: &str, text: &str| vec![Cell::name(name), Cell::text(text)];
    let rows: Vec<Vec<Cell>> =
        description.log_categories.iter().map(|category| row(&category.name, &category.description)).collect();
    table(&["Category", "Description"], &rows)
}
