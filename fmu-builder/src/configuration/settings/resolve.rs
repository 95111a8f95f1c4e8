//! The steps from settings to a description: structure first, since all other settings depend on it.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use fmu_exchange::structure::is_identifier;
use fmu_exchange::{DeclarationRequest, Standard};

use super::attachment::{TableOrigin, collect};
use super::canonical::Configuration;
use super::entry::{Entry, SECTIONS, Section, Settings, TOP_LEVEL_KEYS, is_path};
use super::initial::with_initial;
use super::parameters::ConditionalVariables;
use super::part_names::PartNames;
use super::structure::lines;
use super::value::has_controls;
use super::{found, free_connectors, outputs, parameters, parts, shared, structure, unused_option};
use crate::description::library::Describe;
use crate::description::{Description, Variable};
use crate::error::Error;
use crate::folder::TemporaryFolder;
use crate::text::reserved::reserved;
use crate::text::suggestion::did_you_mean;

/// Returns the description of a component with settings, which have been expanded.
pub(super) fn resolve(mut settings: Settings, library: &impl Describe) -> Result<Description, Error> {
    let Typed { types, without_parts, default } = typed(&mut settings, library)?;
    let settings = &settings;
    let mut problems = Vec::new();
    let (name, summary) = head(settings, &default, &mut problems);
    let mut given = with_initial(&settings.entries, &default);
    given.iter_mut().for_each(|entry| entry.name_without_alias(&default.aliases));
    let mut entries = given.clone();
    let standards = settings.standards()?;
    let mut shared = shared::take(&mut entries, &default, &standards, &mut problems);
    shared.extend(found::take(&mut entries, &default, &mut problems));
    let [options, values] = options_and_values(&entries, &default, &mut problems);
    let is_typed: HashSet<_> = types.iter().map(|(option, _)| option.as_str()).collect();
    let others: Vec<_> = options.iter().copied().filter(|entry| !is_typed.contains(entry.name.as_str())).collect();
    let mut structure = [types, structure::chosen(&others, &default, &mut problems)].concat();
    structure.extend(shared);
    structure.extend(outputs::option(settings, &default, &mut problems));
    parts::check_connections(&options, &without_parts, &default, &mut problems);
    refuse(&mut problems)?;
    let structured = library.outline(&lines(&structure)).map_err(|error| located(&given, error))?;
    outputs::check(settings, &structured, &mut problems);
    refuse(&mut problems)?;
    let unused = unused_option::warnings(&structure, &structured, |structure| library.outline(&lines(structure)));
    let conditional = || conditional_variables(settings, &structure, &structured, library);
    let mut configuration = Configuration { name, description: summary, ..Configuration::new(&structured) };
    configuration.elements_are_variables = standards.contains(&Standard::Fmi2);
    parameters::assign(&values, &mut configuration, &conditional).map_err(Error::Settings)?;
    let mut description = describe(configuration, library).map_err(|error| located(&given, error))?;
    let at_part = |warning: String| match parts::location_of(&given, &warning) {
        Some(location) => format!("{location}: {warning}"),
        None => warning,
    };
    description.warnings = description.warnings.into_iter().map(at_part).chain(unused).collect();
    Ok(description)
}

/// The types of the parts as structure options, with the outlines of the component without parts and with them.
struct Typed {
    types: Vec<(String, String)>,
    without_parts: Arc<Description>,
    default: Arc<Description>,
}

/// Finds the types of the parts, and sets the connectors that the settings leave free.
fn typed(settings: &mut Settings, library: &impl Describe) -> Result<Typed, Error> {
    if let Some(entry) = settings.head("component").filter(|_| settings.has_parts())
        && !is_path(entry.value.plain())
    {
        let right = "[parts] make a system, which has no component: remove this line, or give the folder of a package with \
                     parts of your own, such as \"../flywheel\"";
        return Err(Error::Settings(vec![entry.value.problem("component", right)]));
    }
    let mut problems = Vec::new();
    let without_parts = library.outline("")?;
    let mut types = parts::types(settings, &without_parts, &mut problems);
    refuse(&mut problems)?;
    let mut default = library.outline(&lines(&types))?;
    // The options of parts decide which connectors they have.
    let own = parts::own_options(settings, &default);
    if !own.is_empty() {
        default = library.outline(&lines(&[&types[..], &own].concat()))?;
    }
    free_connectors::find(settings, &default, &mut problems);
    refuse(&mut problems)?;
    if parts::choose_domains(settings, &mut types, &without_parts, &default) {
        default = library.outline(&lines(&[&types[..], &own].concat()))?;
    }
    if let Some(entry) = settings.head("component")
        && !is_path(entry.value.plain())
        && simple(entry.value.plain()) != simple(&default.component)
    {
        let right = format!("the library is that of \"{}\"", default.component);
        return Err(Error::Settings(vec![entry.value.problem("component", &right)]));
    }
    Ok(Typed { types, without_parts, default })
}

/// Fails if there are problems.
fn refuse(problems: &mut Vec<String>) -> Result<(), Error> {
    if problems.is_empty() { Ok(()) } else { Err(Error::Settings(std::mem::take(problems))) }
}

/// Returns the entries that choose structure options, and those that give values to variables.
fn options_and_values<'a>(
    entries: &'a [Entry],
    default: &Description,
    problems: &mut Vec<String>,
) -> [Vec<&'a Entry>; 2] {
    let known: HashSet<_> = default.structure.iter().map(|option| option.name.as_str()).collect();
    let (mut options, mut values) = (Vec::new(), Vec::new());
    for entry in entries {
        let is_option = known.contains(entry.name.as_str());
        let is_head =
            matches!(entry.section, Section::Top | Section::Command) && TOP_LEVEL_KEYS.contains(&entry.name.as_str());
        match entry.section {
            _ if is_head => {}
            Section::Top => problems.push(misplaced(entry, default)),
            Section::Structure => options.push(entry),
            Section::Command | Section::Parts if is_option => options.push(entry),
            Section::Constants | Section::Parameters | Section::Command | Section::Parts => values.push(entry),
        }
    }
    [options, values]
}

/// Adds the place in the settings to what the library says of a part.
fn located(given: &[Entry], error: Error) -> Error {
    match error {
        Error::Refused(reason) => match parts::location_of(given, &reason) {
            Some(location) => Error::Settings(vec![format!("{location}: {reason}")]),
            None => Error::Refused(reason),
        },
        other => other,
    }
}

/// Returns the variables that exist with other values of one or two structure options.
fn conditional_variables(
    settings: &Settings,
    structure: &[(String, String)],
    structured: &Description,
    library: &impl Describe,
) -> ConditionalVariables {
    let parts = PartNames::of_options(&structured.structure);
    let mut found = ConditionalVariables::new();
    for changes in structure::alternatives(structured) {
        let mut other = structure.to_vec();
        other.retain(|(chosen, _)| changes.iter().all(|(option, _)| option != chosen));
        other.extend_from_slice(&changes);
        let Ok(description) = library.outline(&lines(&other)) else { continue };
        let options = if changes.len() > 1 { "structure options" } else { "structure option" };
        let own = changes.first().map(|(option, _)| parts.of(option).to_owned());
        let changes: Vec<_> = changes.iter().map(|(option, value)| format!("{option} = {value}")).collect();
        for (name, role) in parameters::roles(&description) {
            // The variables of a part depend on its own options; others only change which of several tied motions
            // is a state.
            if settings.has_parts() && own.as_deref() != Some(parts.of(&name)) {
                continue;
            }
            let text = || format!("{role} that exists only with {options} {}", changes.join(" and "));
            found.entry(name).or_insert_with(text);
        }
    }
    found
}

/// Returns the complete description of a configuration, whose files the library checks in a temporary folder.
fn describe(mut configuration: Configuration<'_>, library: &impl Describe) -> Result<Description, Error> {
    let text = configuration.text();
    let mut notes = std::mem::take(&mut configuration.notes);
    let given = std::mem::take(&mut configuration.given);
    let as_given = |message: String| TableOrigin::rewrite_message(&given, &message);
    let resources = collect(configuration.attachments).map_err(Error::Settings)?;
    let folder = TemporaryFolder::new("resources-")?;
    for (name, content) in &resources {
        folder.write(name, content)?;
    }
    let folder = folder.path().to_str();
    let described =
        library.describe(DeclarationRequest { configuration: &text, resources: folder, ..Default::default() });
    let mut description = described.map_err(|error| match error {
        Error::Refused(reason) => Error::Refused(as_given(reason)),
        other => other,
    })?;
    description.warnings = description.warnings.into_iter().map(as_given).collect();
    let without = |Variable { name, .. }: &Variable| {
        format!(
            "{name} gives a motion with its derivatives, so the FMU is for Co-Simulation alone, without Model Exchange"
        )
    };
    notes.extend(description.input_with_derivatives().map(without));
    Ok(Description { resources, notes, ..description })
}

/// Returns the name and the description of the FMU, if the settings give them.
fn head(settings: &Settings, default: &Description, problems: &mut Vec<String>) -> (Option<String>, Option<String>) {
    let (mut chosen, mut description) = (None, None);
    if let Some(entry) = settings.head("name") {
        let name = entry.value.text().unwrap_or_default();
        if !is_model_name(&name) {
            problems.push(entry.value.problem("name", &format!("must be {MODEL_NAME}")));
        } else if let Some(why) = reserved(&name) {
            problems.push(entry.value.problem("name", why));
        } else {
            chosen = Some(name);
        }
    } else if let Some(file) = &settings.file {
        let name = name_after(file);
        if !is_model_name(&name) {
            let file = file.display();
            problems
                .push(format!("{file}: an FMU cannot be named \"{name}\" after this file; set name to {MODEL_NAME}"));
        } else if let Some(why) = reserved(&name) {
            let file = file.display();
            problems
                .push(format!("{file}: an FMU cannot be named \"{name}\" after this file, since that {why}; set name"));
        } else if simple(&name) != simple(&default.component) {
            chosen = Some(name);
        }
    }
    if let Some(entry) = settings.head("description") {
        match entry.value.text() {
            Some(text) if !text.contains(['"', '\\']) && !has_controls(&text) => {
                description = Some(text);
            }
            _ => problems.push(entry.value.problem(
                "description",
                "must be a string without quotation marks, backslashes and control characters",
            )),
        }
    }
    (chosen, description)
}

const MODEL_NAME: &str = "a C identifier of at most 55 characters that begins with an upper-case letter";

fn is_model_name(name: &str) -> bool {
    is_identifier(name) && name.len() <= 55 && name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Returns the name of an FMU for a file, `front-lower.toml` → `FrontLower`.
fn name_after(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let words = stem.split(['-', ' ', '.']);
    let capital = |word: &str| {
        let first = word.chars().next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(word.chars().skip(1)).collect::<String>()
    };
    words.map(capital).collect()
}

/// Returns a component's name without the differences between a crate name and a type name.
fn simple(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

fn misplaced(entry: &Entry, default: &Description) -> String {
    let Entry { name, location, .. } = entry;
    if default.structure.iter().any(|option| option.name == *name) {
        format!("{location}: \"{name}\" is a structure option; it belongs under [structure]")
    } else if let Some(role) = parameters::roles(default).get(name) {
        format!("{location}: \"{name}\" is {role}; it belongs under [parameters]")
    } else {
        let known = TOP_LEVEL_KEYS.into_iter().chain(SECTIONS);
        format!("{location}: unknown entry \"{name}\"{}", did_you_mean(name, known))
    }
}
