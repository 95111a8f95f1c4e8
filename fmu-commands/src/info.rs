//! `list` and `info`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use comfy_table::presets;
use comfy_table::{ContentArrangement, Table};
use console::Term;
use fmu_builder::console::say;
use fmu_builder::description::Causality;
use fmu_builder::{
    Archive, CONFIGURATION, Catalogue, Described, Description, Destination, FileKind, Library, choices, is_path, rows,
    schema, svg, system_schema, system_template, template,
};

use fmu_exchange::unit;
use spreadsheet::units::SYMBOLS;

use crate::about::About;
use crate::build::{of_settings, print_warnings, refuse_without_parts};
use crate::configurations::{ensure_configuration, is_configuration, settings};
use crate::paths::seen_from;
use crate::source::{Component, LibrarySource};
use crate::systems::Systems;

/// Arguments of `info`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Component name, package folder, configuration file or finished FMU
    #[arg(value_name = "COMPONENT|PATH|FILE.toml|FILE.fmu", default_value = "", hide_default_value = true)]
    component: String,
    /// Print the units that files with tables may have
    #[arg(long, conflicts_with_all = ["config", "set", "template", "schema", "plot", "json"])]
    units: bool,
    /// Configuration in TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Value of a structure option or parameter, such as sensor_T=true; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Write a configuration that shows all defaults as comments
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["config", "set"])]
    template: Option<PathBuf>,
    /// Write a JSON schema with which editors complete and check configurations
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["config", "set"])]
    schema: Option<PathBuf>,
    /// Plot the tables and curves as the FMU will interpolate them
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["template", "schema"])]
    plot: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print JSON instead of tables
    #[arg(long, conflicts_with_all = ["template", "schema", "plot"])]
    json: bool,
}

/// Arguments of `list`.
#[derive(clap::Args)]
pub struct List {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Prints the components.
pub fn list(source: &impl LibrarySource, arguments: &List) -> anyhow::Result<()> {
    if arguments.json {
        return Ok(say(serde_json::to_string(&About::of_components(source)?)?)?);
    }
    let mut table = table(["component", "description"]);
    for component in source.components()? {
        table.add_row([component.name(), component.description()]);
    }
    say(table.trim_fmt())?;
    Ok(())
}

/// Prints structure options and variables of a component.
pub fn info<S: LibrarySource>(source: &S, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.units {
        return Ok(units()?);
    }
    if arguments.component.is_empty() {
        bail!("no component is given: {} list shows the components", S::PROGRAM);
    }
    if arguments.component.to_ascii_lowercase().ends_with(".fmu") {
        return finished(arguments, S::PROGRAM);
    }
    let file = Path::new(&arguments.component);
    let is_configuration = is_configuration(file);
    if is_configuration && (arguments.config.is_some() || arguments.template.is_some() || arguments.schema.is_some()) {
        bail!("{}: is already a configuration: leave out --config, --template and --schema", file.display());
    }
    let config = if is_configuration { Some(file) } else { arguments.config.as_deref() };
    let settings = settings(config, &arguments.set)?;
    let component = if is_configuration {
        of_settings(source, &settings, || Systems::new(source, &Default::default()).of(&settings))?
    } else {
        source.named(&arguments.component)?
    };
    let library = || anyhow::Ok(Library::load(&source.host(&component, &Default::default())?)?);
    if arguments.template.is_some() || arguments.schema.is_some() {
        return write(arguments, &component, library);
    }
    let is_configured = config.is_some() || !arguments.set.is_empty() || arguments.plot.is_some();
    if component.needs_parts() && !is_configured {
        if arguments.json {
            return Ok(say(serde_json::to_string(&About::of_parts(&component, &library()?)?)?)?);
        }
        return part_types(&component, &library()?);
    }
    refuse_without_parts(&component, &settings)?;
    let description = settings.resolve(&library()?)?;
    print_warnings(&description);
    if let Some(file) = &arguments.plot {
        return plot(&description, file, arguments.force);
    }
    if arguments.json {
        return Ok(say(serde_json::to_string(&About::of(&description))?)?);
    }
    say(format_args!("{}: {}\n", description.name, description.description))?;
    print_structure(&description)?;
    print_variables(&description, "[parameters]")?;
    Ok(print_attachments(&description)?)
}

/// Prints the types of parts, each with its options, connectors, parameters, inputs and outputs.
fn part_types(component: &impl Component, library: &Library) -> anyhow::Result<()> {
    say(format_args!("{}: {}\n", component.name(), component.description()))?;
    for catalogue in Catalogue::of_parts(library)? {
        let description = catalogue.default();
        say(format_args!("type = \"{}\": {}\n", description.component, description.description))?;
        print_structure(description)?;
        print_variables(description, "parameters")?;
    }
    Ok(())
}

/// Prints the description of a finished FMU without running its code.
fn finished(arguments: &Arguments, program: &str) -> anyhow::Result<()> {
    let options = [
        ("--config", arguments.config.is_some()),
        ("--set", !arguments.set.is_empty()),
        ("--template", arguments.template.is_some()),
        ("--schema", arguments.schema.is_some()),
        ("--plot", arguments.plot.is_some()),
    ];
    if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
        bail!(
            "{option} is for components, but {} is a finished FMU ({program} list shows the components)",
            arguments.component
        );
    }
    let model = Archive::open(Path::new(&arguments.component))?.model()?;
    if arguments.json {
        return Ok(say(serde_json::to_string(&About::finished(&model))?)?);
    }
    say(format_args!("{}: {}\n", model.model_name, model.description.as_deref().unwrap_or_default()))?;
    Ok(print_variables(&model, "parameters")?)
}

/// Draws the tables and curves as the FMU will interpolate them.
fn plot(description: &Description, file: &Path, force: bool) -> anyhow::Result<()> {
    if file.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("svg")) {
        bail!("{}: the plot must be an .svg file", file.display());
    }
    let Some(drawing) = svg(&description.pictures) else {
        bail!(
            "nothing to draw: with these settings {} has no tables with several rows, or reads them when a simulation starts",
            description.name
        );
    };
    let destination = Destination::create(file, force)?.of_kind(FileKind::Svg)?;
    destination.write(|writer| writer.write_all(drawing.as_bytes()))?;
    Ok(say(file.display())?)
}

/// Writes the template and the schema, or neither if one cannot be written.
fn write(
    arguments: &Arguments,
    component: &impl Component,
    library: impl FnOnce() -> anyhow::Result<Library>,
) -> anyhow::Result<()> {
    if let Some(file) = &arguments.schema {
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        ensure!(is_json, "{}: a schema is a .json file", file.display());
        Destination::create(file, arguments.force)?.of_kind(FileKind::Schema)?;
    }
    if let Some(file) = &arguments.template {
        ensure_configuration(file)?;
        let apart = [("--schema", arguments.schema.as_deref())];
        Destination::create(file, arguments.force)?.apart_from("--template", apart)?.of_kind(CONFIGURATION)?;
    }
    let library = library()?;
    let replace = |file: &Path, text: String| {
        Destination::new(file)?.write(|writer| writer.write_all(text.as_bytes()))?;
        say(file.display())?;
        anyhow::Ok(())
    };
    let seen = |file: &Path| {
        let own = is_path(&arguments.component).then(|| seen_from(file, Path::new(&arguments.component)));
        let schema = arguments.schema.as_deref().map(|schema| seen_from(file, schema));
        anyhow::Ok((own.transpose()?, schema.transpose()?))
    };
    if component.needs_parts() {
        let types = Catalogue::of_parts(&library)?;
        if let Some(file) = &arguments.schema {
            replace(file, format!("{:#}\n", system_schema(&types)))?;
        }
        let Some(file) = &arguments.template else { return Ok(()) };
        let (own, schema) = seen(file)?;
        return replace(file, system_template(&types, own.as_deref(), schema.as_deref()));
    }
    let catalogue = Catalogue::new(&library)?;
    if let Some(file) = &arguments.schema {
        replace(file, format!("{:#}\n", schema(&catalogue, component.name())))?;
    }
    let Some(file) = &arguments.template else { return Ok(()) };
    let (own, schema) = seen(file)?;
    replace(file, template(&catalogue, own.as_deref().unwrap_or(component.name()), schema.as_deref()))
}

/// Prints the units that tables may be in.
fn units() -> std::io::Result<()> {
    let mut table = self::table(["quantity", "units", "1 of the first is"]);
    for symbol in SYMBOLS {
        let prefixes = if symbol.has_prefixes { " *" } else { "" };
        let begin = match symbol.unit.to_si(0.0) {
            0.0 => String::new(),
            begin => format!(" above {begin}"),
        };
        let size = symbol.unit.to_si(1.0) - symbol.unit.to_si(0.0);
        let names = symbol.names.join(", ");
        table.add_row([
            symbol.quantity.to_owned(),
            format!("{names}{prefixes}"),
            format!("{size} {}{begin}", symbol.si),
        ]);
    }
    say(format_args!("{}\n", table.trim_fmt()))?;
    say(
        "* also with n, µ, u, m, c, k, M, G before a symbol, or nano, micro, milli, centi, kilo, mega, giga before a word\n\
         Products and quotients: N/mm, kN.m/deg, N*s/mm, l/min, W/(m2.K), m/s², mm^2, s-1\n\
         An angular velocity in 1/min is one in revolutions per minute, an acceleration in g one in 9.80665 m/s2.\n",
    )?;
    let mut own = self::table(["constant in a component of your own", "unit", "quantity", "display"]);
    for (constant, unit) in unit::ALL {
        let display: Vec<_> = unit.display.iter().map(|display| display.name.as_ref()).collect();
        own.add_row([constant, unit.name.as_ref(), &unit.quantity, &display.join(", ")]);
    }
    say(own.trim_fmt())
}

fn print_structure(description: &Description) -> std::io::Result<()> {
    let mut table = table(["[structure]", "value", "takes", "description"]);
    for option in &description.structure {
        table.add_row([option.name.clone(), option.value.clone(), choices(&option.kind), option.description.clone()]);
    }
    say(format_args!("{}\n", table.trim_fmt()))
}

fn print_variables(of: &impl Described, parameters: &str) -> std::io::Result<()> {
    for (title, causality) in
        [(parameters, Causality::Parameter), ("inputs", Causality::Input), ("outputs", Causality::Output)]
    {
        let mut table = table([title, "unit", "start", "bounds", "description"]);
        for row in rows(of, &[causality]) {
            let admissible = row.admissible(of);
            table.add_row([row.name, row.unit, row.start, admissible, row.description].map(cut));
        }
        if !table.is_empty() {
            say(format_args!("{}\n", table.trim_fmt()))?;
        }
    }
    Ok(())
}

/// Returns a cell of a table, truncated; other tools' archives may have very long texts.
fn cut(text: String) -> String {
    const MAX_CHARACTERS: usize = 500;
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn print_attachments(description: &Description) -> std::io::Result<()> {
    let mut table = table(["attachments, under [parameters]", "file", "description"]);
    for attachment in &description.attachments {
        let file = attachment.file.clone().unwrap_or_default();
        table.add_row([attachment.name.clone(), file, attachment.description.clone()]);
    }
    if table.is_empty() { Ok(()) } else { say(format_args!("{}\n", table.trim_fmt())) }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    // By default, comfy-table would ask crossterm for the width.
    if let Some((_, columns)) = Term::stdout().size_checked() {
        table.set_width(columns);
    }
    table
}

#[cfg(test)]
mod tests {
    use spreadsheet::units::Unit;

    use super::*;

    /// Units of components are the same as those of tables.
    #[test]
    fn units_of_components_are_those_of_tables() {
        for (constant, unit) in unit::ALL {
            let known = Unit::parse(&unit.name).unwrap_or_else(|| panic!("{constant}: {}", unit.name));
            assert_eq!(known.dimension, unit.exponents, "{constant}");
            assert!((known.to_si(1.0) / unit.factor - 1.0).abs() < 1e-15, "{constant}");
            for display in &*unit.display {
                let shown = Unit::parse(&display.name).unwrap_or_else(|| panic!("{constant}: {}", display.name));
                let conversion = known.to(&shown).unwrap_or_else(|| panic!("{constant} to {}", display.name));
                for value in [0.0, 1.0, 300.0] {
                    let expected = value * display.factor + display.offset;
                    assert!(
                        (conversion.apply(value) - expected).abs() <= 1e-13 * expected.abs(),
                        "{constant}: {value}"
                    );
                }
            }
        }
    }

    #[test]
    fn cells_are_not_longer_than_anybody_reads() {
        assert_eq!(cut("ä".repeat(500)), "ä".repeat(500));
        assert_eq!(cut("ä".repeat(501)), "ä".repeat(500) + "…");
    }
}
