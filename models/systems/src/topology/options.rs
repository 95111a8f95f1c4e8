//! Structure options of a system: types of parts, their connections and options, outputs.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use fmu_runtime::model::{FlowOutputs, Flows};
use fmu_runtime::structure::is_identifier;
use fmu_runtime::{SEPARATOR, Structure, StructureKind, StructureOption};

use super::found::FIND;
use super::shared::is_reference;
use super::wiring::NamedPart;
use super::{ANIMATION, SystemStructure, Topology};

/// Suffix of a part's name in the option for its type.
const TYPE: &str = "type";

/// Largest number of parts.
const MAX_PARTS: usize = 10_000;

/// Name of the option with the names of the outputs.
const OUTPUTS: &str = "outputs";

impl Topology {
    /// Sets a structure option: the type of a part, a connection, or an option of its type.
    pub fn set(&mut self, option: &str, word: &str) -> Result<(), String> {
        if option == OUTPUTS {
            self.outputs = Some(word.split(SEPARATOR).map(str::to_owned).collect());
            return Ok(());
        }
        self.wiring = OnceLock::new();
        self.completed = OnceLock::new();
        let mut is_of_system = false;
        self.system.visit(&mut |name, _, _| is_of_system |= name == option);
        if is_of_system {
            return fmu_runtime::structure::set(&mut |visit| self.system.visit(visit), option, word);
        }
        let (name, key) = self
            .part_and_key(option)
            .ok_or_else(|| format!("unknown structure option \"{option}\"; those of a part are written part.option"))?;
        if key == TYPE {
            if let Some(problem) = &self.problem {
                return Err(problem.clone());
            }
            let part = self.types.iter().find(|part| part.properties().type_name == word).ok_or_else(|| {
                format!("part \"{name}\" has the unknown type \"{word}\"; available: {}", self.type_names().join(", "))
            })?;
            if self.numbers.contains_key(name) {
                return Err(format!("part \"{name}\" has two types"));
            }
            if self.parts.len() == MAX_PARTS {
                return Err(format!("part \"{name}\" is one too many: a system has at most {MAX_PARTS} parts"));
            }
            let part = part.new_default();
            self.numbers.insert(name.to_owned(), self.parts.len());
            self.parts.push(NamedPart { name: name.to_owned(), part, connections: Vec::new() });
            return Ok(());
        }
        let named = self.numbers.get(name).map(|number| &mut self.parts[*number]);
        let named = named.ok_or_else(|| format!("\"{option} = {word}\": there is no part \"{name}\""))?;
        if named.part.connectors().iter().any(|(connector, _)| *connector == key) {
            named.connections.retain(|(connector, _)| connector != key);
            named.connections.push((key.to_owned(), word.to_owned()));
            return Ok(());
        }
        let mut is_option = false;
        named.part.visit(&mut |option, _, _| is_option |= option == key);
        if let (false, FIND, Some(variable)) = (is_option, word, key.strip_suffix(".initial")) {
            let name = name.to_owned();
            self.find(&name, variable);
            return Ok(());
        }
        if !is_option && is_reference(word) {
            self.shared.set(name, key, word);
            return Ok(());
        }
        fmu_runtime::structure::set(&mut |visit| named.part.visit(visit), key, word)
            .map_err(|error| format!("part \"{name}\": {error}"))
    }

    /// Splits the name of an option. Names of parts may have dots, but none begins with another one and a dot.
    fn part_and_key<'a>(&self, option: &'a str) -> Option<(&'a str, &'a str)> {
        let mut ends = option.match_indices('.').map(|(end, _)| (&option[..end], &option[end + 1..]));
        ends.find(|(name, key)| *key == TYPE || self.numbers.contains_key(*name)).or_else(|| option.split_once('.'))
    }

    fn type_names(&self) -> Vec<String> {
        self.types.iter().map(|part| part.properties().type_name.to_owned()).collect()
    }

    /// Describes why the types cannot have their names.
    pub(super) fn name_problem(&self) -> Option<String> {
        let mut known: BTreeSet<String> = self.full_names().into_iter().map(|(full, _)| full).collect();
        self.type_names().into_iter().find_map(|name| {
            if !name.split('.').all(is_identifier) {
                return Some(format!(
                    "a type of parts cannot be named \"{name}\": use letters, digits and underscores, starting with a letter"
                ));
            }
            let problem = format!("two types of parts are named \"{name}\": give your own another NAME");
            (!known.insert(name)).then_some(problem)
        })
    }

    /// Returns names of types with the package of Modelica's library that they are from, where the names do not say it.
    fn full_names(&self) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for part in &self.types {
            let name = part.properties().type_name;
            if let (false, Some((_, connector))) = (name.contains('.'), part.connectors().first()) {
                names.push((format!("{}.{name}", connector.domain()), name.to_owned()));
            }
        }
        names
    }

    /// Returns the options of all parts, with their values.
    pub fn options(&mut self) -> Vec<StructureOption> {
        let option = |name: String, description: &str, kind, value: String| StructureOption {
            name,
            description: description.to_owned(),
            kind,
            aliases: Vec::new(),
            default: String::new(),
            value,
        };
        let separator = SEPARATOR.to_string();
        let outputs = self.outputs.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(&separator);
        let mut options = vec![option(OUTPUTS.to_owned(), "Outputs", StructureKind::Outputs, outputs)];
        if self.parts.is_empty() {
            // The types that a part can have are the values of this option.
            let kind = StructureKind::Part(self.type_names());
            let aliases = self.full_names();
            options.push(StructureOption { aliases, ..option(TYPE.to_owned(), "Type of a part", kind, String::new()) });
        }
        let found: Vec<_> = self.parts.iter().map(|named| self.found_options(&named.name)).collect();
        for (NamedPart { name, part, connections }, found) in self.parts.iter_mut().zip(found) {
            let own = part.properties().type_name.to_owned();
            options.push(option(
                format!("{name}.{TYPE}"),
                part.properties().text,
                StructureKind::Part(vec![own.clone()]),
                own,
            ));
            let mut fresh = part.new_default();
            let own = fmu_runtime::structure::options(&mut |visit| part.visit(visit), &mut |visit| fresh.visit(visit));
            options.extend(own.into_iter().map(|own| StructureOption { name: format!("{name}.{}", own.name), ..own }));
            options.extend(found);
            for (connector, kind) in part.connectors() {
                let to = connections.iter().find(|(own, _)| own == connector).map(|(_, to)| to.clone());
                let kind = StructureKind::Connection(kind);
                options.push(option(format!("{name}.{connector}"), "Connection", kind, to.unwrap_or_default()));
            }
            options.extend(self.shared.of(name).map(|(variable, from)| {
                let text = "Input or signal that gives it its value";
                option(format!("{name}.{variable}"), text, StructureKind::Input, from.to_owned())
            }));
        }
        let (mut own, mut default) = (self.system, SystemStructure::default());
        let own = fmu_runtime::structure::options(&mut |visit| own.visit(visit), &mut |visit| default.visit(visit));
        options.extend(own.into_iter().filter(|option| match option.name.as_str() {
            ANIMATION => self.parts.iter().any(|named| named.part.properties().is_multibody),
            Flows::NAME => self.flow_outputs().can_exist,
            _ => !self.parts.is_empty(),
        }));
        options
    }

    pub(super) fn flow_outputs(&self) -> FlowOutputs {
        let mut outputs = FlowOutputs::default();
        for NamedPart { name, part, .. } in &self.parts {
            part.declare(name, false, &mut outputs);
        }
        outputs
    }
}
