//! A configuration in TOML with all settings: every default is given as a comment.

use crate::configuration::catalogue::{Catalogue, Settable, SettableKind};
use crate::description::rows::choices;
use crate::description::rows::row;
use crate::description::{Causality, Description, StructureKind, StructureOption, Variable, VariableType};
use crate::text::number::number;

/// Returns the template of a component, which changes nothing as long as its lines are comments.
///
/// `component` is its name, or the path of its package relative to the template; `schema` is the path of the
/// [schema](crate::schema()) for editors, relative to the template, too.
pub fn template(catalogue: &Catalogue, component: &str, schema: Option<&str>) -> String {
    let default = &catalogue.default;
    let mut text = schema.map(|path| format!("#:schema {path}\n")).unwrap_or_default();
    text += &format!(
        "# {}: {}\n#\n# A line such as \"#name = value\" shows a default; remove the # to change it.\n\n\
         component = {}\n\
         # Name of the FMU, a C identifier with an upper-case first letter; by default that of this file\n\
         #name = {}\n\
         # Description of the FMU in one line\n\
         #description = {}\n",
        default.component,
        default.description,
        quoted(component),
        quoted(&default.name),
        quoted(&default.description),
    );
    if !default.structure.is_empty() {
        text += "\n# Structure options: they decide which variables exist\n[structure]\n";
    }
    text += &options(default);
    text += "\n[parameters]\n";
    text + &settings(catalogue)
}

/// Returns the template of a system: each type of part with its options, connectors and parameters. `component` is the
/// path of the package, if that defines parts.
pub fn system_template(types: &[Catalogue], component: Option<&str>, schema: Option<&str>) -> String {
    let mut text = schema.map(|path| format!("#:schema {path}\n")).unwrap_or_default();
    text += "# System: connected parts\n#\n\
             # Each part is a section with a name of its own. Below are the types of parts with their defaults: copy a section,\n\
             # and remove the # from what it needs. A connection is given at one of its ends. The type of a part may also be the\n\
             # file of another system, such as \"cylinder.toml\".\n\n";
    text += &component.map(|path| format!("component = {}\n", quoted(path))).unwrap_or_default();
    text += "# Name of the FMU, a C identifier with an upper-case first letter; by default that of this file\n\
             #name = \"System\"\n\
             # Description of the FMU in one line\n\
             #description = \"Connected parts\"\n\
             # The outputs; by default all that is computed\n\
             #outputs = [\"name.variable\"]\n";
    for catalogue in types {
        let Description { component, description, .. } = &catalogue.default;
        text += &format!("\n# {description}\n#[parts.name]\n#type = {}\n", quoted(component));
        text += &options(&catalogue.default);
        text += &settings(catalogue);
    }
    text
}

/// Returns the lines of the structure options.
fn options(default: &Description) -> String {
    let line = |option: &StructureOption| {
        let value = match &option.kind {
            StructureKind::Enumeration(_) | StructureKind::Initial(_) => quoted(&option.default),
            StructureKind::Connection(_) => quoted("name.connector"),
            _ => option.default.clone(),
        };
        format!("# {}: {}\n#{} = {value}\n", option.description, choices(&option.kind), option.name)
    };
    default.structure.iter().map(line).collect()
}

/// Returns the lines of parameters, those of other structures, and start values of inputs.
fn settings(catalogue: &Catalogue) -> String {
    let mut text = String::new();
    let (inputs, parameters): (Vec<_>, Vec<_>) =
        catalogue.defaults().into_iter().partition(|settable| settable.causality == Causality::Input);
    text.extend(parameters.iter().map(entry));
    let mut options: &[(String, String)] = &[];
    for settable in catalogue.others() {
        if settable.causality != Causality::Parameter {
            continue;
        }
        if settable.options != options {
            options = settable.options;
            text += &format!("\n# With {}\n", choice(&settable));
        }
        text += &entry(&settable);
    }
    if !inputs.is_empty() {
        text += "\n# Start values of inputs\n";
        text.extend(inputs.iter().map(entry));
    }
    text
}

/// Returns the comment and the line of a setting.
fn entry(settable: &Settable<'_>) -> String {
    let Settable { name, text, description, kind, .. } = settable;
    let mut facts = (*text).to_owned();
    if let Some(members) = kind.members() {
        let row = row(*description, name, &[], members.clone());
        if !row.unit.is_empty() && row.unit != "1" {
            facts += &format!(" [{}]", row.unit);
        }
        let admissible = row.admissible(*description);
        if !admissible.is_empty() {
            facts += &format!(": {admissible}");
        }
    }
    format!("# {facts}\n#{name} = {}\n", value(settable))
}

/// Returns the structure options that a setting needs, as they are written.
pub(crate) fn choice(settable: &Settable<'_>) -> String {
    let write = |(name, value): &(String, String)| {
        let option = settable.description.structure.iter().find(|option| option.name == *name);
        let words = option.is_some_and(|option| matches!(option.kind, StructureKind::Enumeration(_)));
        format!("{name} = {}", if words { quoted(value) } else { value.clone() })
    };
    settable.options.iter().map(write).collect::<Vec<_>>().join(" and ")
}

/// Returns the current value in TOML.
fn value(settable: &Settable<'_>) -> String {
    let (sizes, members) = match &settable.kind {
        SettableKind::Array(sizes, members) => (sizes.clone(), members.clone()),
        SettableKind::Table(columns, members) => (vec![members.len() / columns, *columns], members.clone()),
        SettableKind::Attachment => return quoted("file"),
    };
    let variables = &settable.description.variables[members];
    let mut values: Vec<String> = variables.iter().map(|variable| scalar(settable.description, variable)).collect();
    for size in sizes.iter().rev() {
        values = values.chunks((*size).max(1)).map(|part| format!("[{}]", part.join(", "))).collect();
    }
    values.concat()
}

fn scalar(description: &Description, variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { start, .. } => number(start.unwrap_or_default()),
        VariableType::Integer { start, .. } => start.unwrap_or_default().to_string(),
        VariableType::Boolean { start } => start.unwrap_or_default().to_string(),
        VariableType::String { start } => quoted(start.as_deref().unwrap_or_default()),
        VariableType::Enumeration { declared_type, start } => {
            let enumeration = description.enumerations.iter().find(|other| other.name == *declared_type);
            let item = enumeration.and_then(|enumeration| enumeration.item(start.unwrap_or(1)));
            quoted(item.map_or("", |item| &item.name))
        }
    }
}

/// Returns a text in quotation marks, which TOML reads as JSON does.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::settings::Settings;
    use crate::description::library::Describe;
    use crate::example::describe;

    fn spring() -> String {
        template(&Catalogue::new(&describe).unwrap(), "spring", None)
    }

    fn resolved(text: &str) -> Description {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("spring.toml");
        fs_err::write(&file, text).unwrap();
        Settings::from_toml(&file).unwrap().resolve(&describe).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn a_template_shows_every_key_with_its_choices() {
        let text = spring();
        for part in [
            "component = \"spring\"\n",
            "#name = \"Spring\"\n",
            "[structure]\n# Choice of useHeatPort: true, false\n#useHeatPort = false\n",
            "# Choice of form: soft, stiff\n#form = \"soft\"\n",
            "# Choice of order: 0 … 3\n#order = 0\n",
            "# Variable c[1] [N/m]: ≥ 0\n#c = [1000, 2000]\n",
            "#dir = \"all\"\n",
            "#table = [[0, 0], [1, 10]]\n",
            "\n# With useHeatPort = true\n# Variable T_start [K]: ≥ 0\n#T_start = 293.15\n",
            "\n# Start values of inputs\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("c_in"), "{text}");
    }

    #[test]
    fn unchanged_it_changes_nothing() {
        let expected = Settings::default().resolve(&describe).unwrap();
        assert_eq!(resolved(&spring()), expected);
    }

    #[test]
    fn every_line_is_a_value_when_it_is_no_comment() {
        let text = spring();
        let (with_defaults, others) = text.split_once("\n# With").unwrap();
        let without_marks = |text: &str| {
            let line = |line: &str| {
                let setting = line.strip_prefix('#').filter(|rest| !rest.starts_with([' ', ':']) && !rest.is_empty());
                setting.unwrap_or(line).to_owned() + "\n"
            };
            text.lines().map(line).collect::<String>()
        };
        let description = resolved(&without_marks(with_defaults));
        let default = describe.outline("").unwrap();
        assert_eq!(description.variables, default.variables);
        assert_eq!(description.structure, default.structure);
        let (heat, _) = others.split_once("\n\n").unwrap();
        let (condition, heat) = heat.split_once('\n').unwrap();
        let heated = format!("[structure]\n{condition}\n[parameters]\n{}", without_marks(heat));
        assert!(resolved(&heated).variables.iter().any(|variable| variable.name == "T_start"));
    }

    #[test]
    fn the_schema_stands_first() {
        let text = template(&Catalogue::new(&describe).unwrap(), "../spring", Some("./spring.schema.json"));
        assert!(text.starts_with("#:schema ./spring.schema.json\n# Spring: "), "{text}");
        assert!(text.contains("component = \"../spring\"\n"));
    }
}
