//! The description of a configured component, made from its declaration.

use crate::catalogue::Catalogue;
use crate::configuration::{Configuration, escape, fingerprint, guid, unescape};
use crate::dependencies::model_structure;
use crate::description::*;
use crate::enumeration::EnumerationType;
use crate::layout::Layout;
use crate::log::Category;
use crate::machine::Machine;

/// Describes a component under a configuration; its structure options are set by that.
pub fn describe(machine: &mut dyn Machine, text: &str) -> Result<Description, String> {
    let configuration = Configuration::parse(text)?;
    let info = machine.info();
    configure(machine, &configuration)?;
    let elements = |name: &str| configuration.table(name).map(|table| table.elements.clone());
    let mut catalogue = Catalogue::new(|sink| machine.declare(sink), elements);
    check_tables(&catalogue, &configuration)?;
    let changed = set_starts(&mut catalogue, &configuration)?;
    let name = configuration.name.unwrap_or(info.name);
    let summary = configuration.description.map_or_else(|| info.description.to_owned(), unescape);
    let canonical = canonical(machine, &catalogue, &configuration, name, &summary, &changed);
    let layout = Layout::new(|sink| machine.declare(sink), &Configuration::parse(&canonical)?)?;

    let warnings = machine.review(&layout.start).map_err(|fault| fault.to_string())?;

    let variables: Vec<_> = catalogue.variables.iter().map(|(_, variable)| variable.clone()).collect();
    let mut description = Description {
        component: info.name.to_owned(),
        name: name.to_owned(),
        description: summary,
        documentation: documentation(machine),
        icon: info.icon.to_owned(),
        warnings,
        versions: packages(machine).map(|(name, version)| (name.to_owned(), version.to_owned())).collect(),
        guid: String::new(),
        configuration: canonical,
        structure: machine.structure(),
        units: catalogue.units.iter().map(|unit| describe_unit(unit)).collect(),
        enumerations: catalogue.enumerations.iter().map(|kind| describe_enumeration(kind)).collect(),
        tables: catalogue.tables.iter().zip(&layout.tables).filter(|(table, _)| table.exists).map(|(table, shape)| Table {
            name: table.name.to_owned(),
            rows: shape.rows,
            columns: shape.columns,
        }).collect(),
        model_structure: model_structure(machine, &layout, &catalogue),
        variables,
        event_indicators: machine.indicator_count(),
        log_categories: Category::ALL.iter().map(|(_, name, text)| LogCategory {
            name: name.to_string_lossy().into_owned(),
            description: (*text).to_owned(),
        }).collect(),
        default_experiment: info.experiment,
        capabilities: Capabilities {
            completed_integrator_step_not_needed: !machine.has_memory(),
            can_get_and_set_fmu_state: true,
            can_serialize_fmu_state: true,
            provides_directional_derivative: true,
            can_interpolate_inputs: true,
            max_output_derivative_order: crate::co_simulation::MAX_OUTPUT_DERIVATIVE_ORDER.unsigned_abs(),
        },
    };
    let complete = postcard::to_allocvec(&description).map_err(|error| error.to_string())?;
    description.configuration.push_str(&format!("fingerprint {}\n", fingerprint(&complete)));
    description.guid = guid(&description.configuration);
    Ok(description)
}

/// Sets the structure options, and refuses the configuration of another component or version.
pub fn configure(machine: &mut dyn Machine, configuration: &Configuration<'_>) -> Result<(), String> {
    let own = machine.info().name;
    if let Some(component) = configuration.component.filter(|component| *component != own) {
        return Err(format!("the configuration is for the component \"{component}\", but this library is \"{own}\""));
    }
    for (name, version) in &configuration.versions {
        let own = packages(machine).find(|(package, _)| package == name).map_or("none", |(_, version)| version);
        if own != *version {
            return Err(format!("the configuration was made for version {version} of {name}, but this library has {own}"));
        }
    }
    for (option, word) in &configuration.structure {
        machine.set_structure(option, word)?;
    }
    Ok(())
}

fn packages(machine: &dyn Machine) -> impl Iterator<Item = (&'static str, &'static str)> {
    let runtime = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    std::iter::once(runtime).chain(machine.info().packages.iter().copied())
}

fn documentation(machine: &dyn Machine) -> String {
    let equations = machine.equations().lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
    let mut text: String = equations.map(|line| format!("{line}\n")).collect();
    text.push('\n');
    text.push_str(machine.info().page);
    text
}

fn check_tables(catalogue: &Catalogue, configuration: &Configuration<'_>) -> Result<(), String> {
    for given in &configuration.tables {
        let name = given.name;
        let table = catalogue.tables.iter().find(|table| table.name == name && table.exists);
        let table = table.ok_or_else(|| format!("\"{name}\" is not a table here"))?;
        if table.columns != given.columns {
            return Err(format!("table \"{name}\" has {} columns, but takes {}", given.columns, table.columns));
        }
    }
    Ok(())
}

/// Puts the configured start values into the catalogue; returns the lines of those that differ from
/// the declared ones, in the order of the declaration.
fn set_starts(catalogue: &mut Catalogue, configuration: &Configuration<'_>) -> Result<Vec<String>, String> {
    let known = |name: &str| catalogue.variables.iter().any(|(_, variable)| variable.name == name);
    if let Some((name, _)) = configuration.starts.iter().find(|(name, _)| !known(name)) {
        return Err(format!("there is no variable \"{name}\""));
    }
    let mut changed = Vec::new();
    for (_, variable) in &mut catalogue.variables {
        let given = configuration.starts.iter().rfind(|(name, _)| *name == variable.name);
        if let Some((name, text)) = given
            && let Some(word) = set_start(name, &mut variable.kind, text, &catalogue.enumerations)?
        {
            changed.push(format!("start {name} {word}\n"));
        }
    }
    Ok(changed)
}

/// Sets the start value of a variable from a text; returns its canonical text if it has changed.
fn set_start(
    name: &str,
    kind: &mut Kind,
    text: &str,
    enumerations: &[&'static EnumerationType],
) -> Result<Option<String>, String> {
    let refused = |what: &str| format!("start value of \"{name}\" is \"{text}\", but must be {what}");
    Ok(match kind {
        Kind::Real { start: Some(start), min, max, .. } => {
            let value: f64 = text.parse().ok().filter(|v: &f64| v.is_finite()).ok_or_else(|| refused("a finite number"))?;
            let (min, max) = (min.unwrap_or(f64::MIN), max.unwrap_or(f64::MAX));
            if !(min..=max).contains(&value) {
                return Err(refused(&format!("from {min:?} to {max:?}")));
            }
            (std::mem::replace(start, value).to_bits() != value.to_bits()).then(|| format!("{value:?}"))
        }
        Kind::Integer { start: Some(start), min, max } => {
            let value = text.parse().map_err(|_| refused("a whole number"))?;
            let (min, max) = (min.unwrap_or(i32::MIN), max.unwrap_or(i32::MAX));
            if !(min..=max).contains(&value) {
                return Err(refused(&format!("from {min} to {max}")));
            }
            (std::mem::replace(start, value) != value).then(|| value.to_string())
        }
        Kind::Boolean { start: Some(start) } => {
            let value = text.parse().map_err(|_| refused("true or false"))?;
            (std::mem::replace(start, value) != value).then(|| value.to_string())
        }
        Kind::String { start: Some(start) } => {
            let value = unescape(text);
            let word = escape(&value);
            (std::mem::replace(start, value.clone()) != value).then_some(word)
        }
        Kind::Enumeration { declared_type, start: Some(start) } => {
            let kind = enumerations.iter().find(|kind| kind.name == declared_type);
            let items = kind.map_or(&[][..], |kind| kind.items);
            let item = items.iter().position(|(item, _)| *item == text).ok_or_else(|| {
                refused(&format!("one of {}", items.iter().map(|(item, _)| *item).collect::<Vec<_>>().join(", ")))
            })?;
            let value = item as i32 + 1;
            (std::mem::replace(start, value) != value).then(|| text.to_owned())
        }
        _ => return Err(format!("\"{name}\" takes no start value, since it is computed")),
    })
}

fn canonical(
    machine: &dyn Machine,
    catalogue: &Catalogue,
    configuration: &Configuration<'_>,
    name: &str,
    description: &str,
    starts: &[String],
) -> String {
    let mut text = format!("component {}\nname {name}\ndescription {}\n", machine.info().name, escape(description));
    for option in machine.structure().iter().filter(|option| option.value != option.default) {
        text.push_str(&format!("structure {} {}\n", option.name, option.value));
    }
    text.extend(starts.iter().map(String::as_str));
    for table in catalogue.tables.iter().filter_map(|table| configuration.table(table.name)) {
        text.push_str(&format!("table {} {} {}", table.name, table.elements.len() / table.columns, table.columns));
        text.extend(table.elements.iter().map(|element| format!(" {element:?}")));
        text.push('\n');
    }
    for (package, version) in packages(machine) {
        text.push_str(&format!("version {package} {version}\n"));
    }
    text
}

fn describe_unit(unit: &crate::unit::Unit) -> Unit {
    Unit {
        name: unit.name.to_owned(),
        exponents: unit.exponents,
        factor: unit.factor,
        display: unit.display.iter().map(|display| DisplayUnit {
            name: display.name.to_owned(),
            factor: display.factor,
            offset: display.offset,
        }).collect(),
    }
}

fn describe_enumeration(kind: &EnumerationType) -> Enumeration {
    Enumeration {
        name: kind.name.to_owned(),
        description: kind.text.to_owned(),
        items: kind.items.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
    }
}
