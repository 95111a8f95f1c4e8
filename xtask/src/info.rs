//! `cargo xtask list` and `cargo xtask info`.

use std::path::PathBuf;

use anyhow::bail;
use comfy_table::presets;
use comfy_table::{ContentArrangement, Table};
use fmu_builder::console::say;
use fmu_builder::{Description, Library, Row, rows};
use fmu_runtime::description::{Causality, StructureKind};

use crate::components::{compile, find, own_components};
use crate::toolchain::Toolchain;

/// Arguments of `cargo xtask info`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The component
    component: String,
    /// Configuration in TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Value of a structure option or parameter
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Prints the components.
pub fn list() -> anyhow::Result<()> {
    let mut table = table(["component", "description"]);
    for component in own_components()? {
        table.add_row([component.package, component.description]);
    }
    say(table.trim_fmt())?;
    Ok(())
}

/// Prints structure options and variables of a component.
pub fn info(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.component.to_ascii_lowercase().ends_with(".fmu") {
        bail!(
            "{} is no component: validate and simulate take finished FMUs, info takes a name (cargo xtask list shows all)",
            arguments.component
        );
    }
    let all = own_components()?;
    let component = find(&all, &arguments.component)?;
    let settings = crate::build::settings(arguments.config.as_deref(), &arguments.set)?;
    let path = compile(&[component], &Toolchain::host())?.remove(0);
    let description = settings.resolve(&Library::load(&path)?)?;
    crate::build::print_warnings(&description);
    say(format_args!("{}: {}\n", description.name, description.description))?;
    print_structure(&description)?;
    for (title, causality) in
        [("[parameters]", Causality::Parameter), ("inputs", Causality::Input), ("outputs", Causality::Output)]
    {
        print_variables(&description, title, causality)?;
    }
    Ok(print_attachments(&description)?)
}

fn print_structure(description: &Description) -> std::io::Result<()> {
    let mut table = table(["[structure]", "value", "takes", "description"]);
    for option in &description.structure {
        let takes = match &option.kind {
            StructureKind::Boolean => "true, false".to_owned(),
            StructureKind::Integer { min, max } => format!("{min} … {max}"),
            StructureKind::Positive => "> 0".to_owned(),
            StructureKind::Enumeration(items) => items.join(", "),
        };
        table.add_row([option.name.clone(), option.value.clone(), takes, option.description.clone()]);
    }
    say(format_args!("{}\n", table.trim_fmt()))
}

fn print_variables(description: &Description, title: &str, causality: Causality) -> std::io::Result<()> {
    let mut table = table([title, "unit", "start", "bounds", "description"]);
    for row in rows(description, &[causality]) {
        let bounds = bounds(description, &row);
        table.add_row([row.name, row.unit, row.start, bounds, row.description]);
    }
    if table.is_empty() { Ok(()) } else { say(format_args!("{}\n", table.trim_fmt())) }
}

fn print_attachments(description: &Description) -> std::io::Result<()> {
    let mut table = table(["attachments, under [parameters]", "file", "description"]);
    for attachment in &description.attachments {
        let file = attachment.file.clone().unwrap_or_default();
        table.add_row([attachment.name.clone(), file, attachment.description.clone()]);
    }
    if table.is_empty() { Ok(()) } else { say(format_args!("{}\n", table.trim_fmt())) }
}

/// What values there may be: the items of an enumeration, or an interval.
fn bounds(description: &Description, row: &Row) -> String {
    let enumeration = description.enumerations.iter().find(|enumeration| enumeration.name == row.kind);
    if let Some(enumeration) = enumeration {
        return enumeration.names().join(", ");
    }
    match (&row.min[..], &row.max[..]) {
        ("", "") => String::new(),
        (min, "") => format!("≥ {min}"),
        ("", max) => format!("≤ {max}"),
        (min, max) => format!("{min} … {max}"),
    }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    table
}
