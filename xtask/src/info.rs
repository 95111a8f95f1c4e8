//! `cargo xtask list` and `cargo xtask info`.

use std::path::PathBuf;

use comfy_table::presets;
use comfy_table::{ContentArrangement, Table};
use fmu_builder::{Description, Library};
use fmu_runtime::description::{Causality, Kind, StructureKind};

use crate::components::{compile, find, own_components};

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
    println!("{}", table.trim_fmt());
    Ok(())
}

/// Prints structure options and variables of a component.
pub fn info(arguments: &Arguments) -> anyhow::Result<()> {
    let all = own_components()?;
    let component = find(&all, &arguments.component)?;
    let settings = crate::build::settings(arguments.config.as_deref(), &arguments.set)?;
    let path = compile(&[component])?.remove(0);
    let description = settings.resolve(&Library::load(&path)?)?;
    crate::build::print_warnings(&description);
    println!("{}: {}\n", description.name, description.description);
    print_structure(&description);
    for (title, causality) in
        [("[parameters]", Causality::Parameter), ("inputs", Causality::Input), ("outputs", Causality::Output)]
    {
        print_variables(&description, title, causality);
    }
    Ok(())
}

fn print_structure(description: &Description) {
    let mut table = table(["[structure]", "value", "takes", "description"]);
    for option in &description.structure {
        let takes = match &option.kind {
            StructureKind::Boolean => "true, false".to_owned(),
            StructureKind::Integer { min, max } => format!("{min} … {max}"),
            StructureKind::Enumeration(items) => items.join(", "),
        };
        table.add_row([option.name.clone(), option.value.clone(), takes, option.description.clone()]);
    }
    println!("{}\n", table.trim_fmt());
}

fn print_variables(description: &Description, title: &str, causality: Causality) {
    let mut table = table([title, "unit", "start", "bounds", "description"]);
    for variable in description.variables.iter().filter(|variable| variable.causality == causality) {
        let (unit, start, bounds) = facts(description, &variable.kind);
        table.add_row([variable.name.clone(), unit, start, bounds, variable.description.clone()]);
    }
    if !table.is_empty() {
        println!("{}\n", table.trim_fmt());
    }
}

/// Unit, start value and bounds as text.
fn facts(description: &Description, kind: &Kind) -> (String, String, String) {
    fn text<V: std::fmt::Debug>(value: &Option<V>) -> String {
        value.as_ref().map(|value| format!("{value:?}")).unwrap_or_default()
    }
    fn bounds<V: std::fmt::Debug>(min: &Option<V>, max: &Option<V>) -> String {
        match (min, max) {
            (None, None) => String::new(),
            (Some(min), None) => format!("≥ {min:?}"),
            (None, Some(max)) => format!("≤ {max:?}"),
            (Some(min), Some(max)) => format!("{min:?} … {max:?}"),
        }
    }
    match kind {
        Kind::Real { unit, start, min, max, .. } => (unit.clone().unwrap_or_default(), text(start), bounds(min, max)),
        Kind::Integer { start, min, max } => (String::new(), text(start), bounds(min, max)),
        Kind::Boolean { start } => (String::new(), text(start), String::new()),
        Kind::String { start } => (String::new(), text(start), String::new()),
        Kind::Enumeration { declared_type, start } => {
            let kind = description.enumerations.iter().find(|kind| kind.name == *declared_type);
            let names: Vec<_> = kind.map(|kind| kind.names()).unwrap_or_default();
            let start = start.and_then(|start| names.get(start as usize - 1).cloned()).unwrap_or_default();
            (String::new(), start, names.join(", "))
        }
    }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    table
}
