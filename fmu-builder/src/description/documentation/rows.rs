//! The tables of the page: structure, variables, units and the rest.

use fmu_exchange::Item;

use super::table::{Cell, table};
use crate::description::rows::choices;
use crate::description::rows::{Row, rows};
use crate::description::{Attachment, Causality, Description};
use crate::text::number::number;

pub(super) fn structure(description: &Description) -> Option<String> {
    let rows: Vec<Vec<Cell>> = description
        .structure
        .iter()
        .map(|option| {
            let aliases = option.aliases.iter().map(|(alias, word)| format!(" ({alias} means {word})"));
            let values = choices(&option.kind) + &aliases.collect::<String>();
            vec![
                Cell::name(&option.name),
                Cell::text(&option.value),
                Cell::text(&option.default),
                Cell::text(&values),
                Cell::text(&option.description),
            ]
        })
        .collect();
    let note = "<p>Fixed when the FMU was built; these are not FMI variables.</p>\n";
    table(&["Option", "Value", "Default", "Possible values", "Description"], &rows)
        .map(|table| note.to_owned() + &table)
}

pub(super) fn attachments(description: &Description) -> Option<String> {
    let row = |attachment: &Attachment| {
        let file = attachment.file.as_deref().unwrap_or_default();
        vec![Cell::name(&attachment.name), Cell::text(file), Cell::text(&attachment.description)]
    };
    let rows: Vec<Vec<Cell>> = description.attachments.iter().map(row).collect();
    let note = "<p>Copied into the FMU's resources when it was built; these are not FMI variables.</p>\n";
    table(&["Parameter", "File", "Description"], &rows).map(|table| note.to_owned() + &table)
}

pub(super) fn variables(description: &Description, causalities: &[Causality]) -> Option<String> {
    let cells = |row: Row| {
        vec![
            Cell::name(&row.name),
            Cell::text(&row.type_name),
            Cell::text(&row.unit),
            Cell::number(&row.start),
            Cell::number(&row.min),
            Cell::number(&row.max),
            Cell::text(row.variability),
            Cell::text(&row.description),
        ]
    };
    let rows: Vec<Vec<Cell>> = rows(description, causalities).into_iter().map(cells).collect();
    table(&["Name", "Type", "Unit", "Start", "Min", "Max", "Variability", "Description"], &rows)
}

pub(super) fn enumerations(description: &Description) -> Option<String> {
    let mut rows = Vec::new();
    for enumeration in &description.enumerations {
        for (index, Item { name, description: text, .. }) in enumeration.items.iter().enumerate() {
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
            let powers: Vec<String> = unit
                .powers()
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
