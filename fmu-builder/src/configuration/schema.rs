//! A JSON schema of the configurations of a component: editors complete and check TOML by it.
//!
//! It contains types, bounds, sizes and names. It cannot express that some settings exist only with certain
//! structure options: their descriptions say so, and `build` rejects them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::configuration::catalogue::{Catalogue, Settable, SettableKind};
use crate::configuration::settings::FOR;
use crate::configuration::template::choice;
use crate::description::{Causality, Description, StructureKind, StructureOption, Variable, VariableType};

/// Pattern of String parameters, without control characters: the configuration inside the FMU is a text itself.
const PLAIN: &str = "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$";

/// Returns the schema (draft 7) of a component with the name of its package.
pub fn schema(catalogue: &Catalogue, package: &str) -> Value {
    let default = &catalogue.default;
    let structure: Map<_, _> =
        default.structure.iter().map(|option| (option.name.clone(), structure_option(option))).collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("Configuration of {}", default.component),
        "description": default.description,
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "component": {
                "description": "The component, by its name or by the folder of its package",
                "type": "string",
                "anyOf": [{ "enum": names(package, &default.component) }, { "pattern": "[/\\\\.]" }],
            },
            "name": name(),
            "description": summary(),
            "fmi": standards(),
            "constants": constants(),
            "structure": computed(json!({
                "description": "Structure options: they decide which variables exist",
                "type": "object",
                "additionalProperties": false,
                "properties": structure,
            })),
            "parameters": computed(parameters(catalogue)),
        },
        "definitions": { EXPRESSION: expression() },
    })
}

/// Returns the schema (draft 7) of systems with these types of parts.
pub fn system_schema(types: &[Catalogue]) -> Value {
    let parts = json!({
        "description": "Parts, each a section with a name of its own",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": { "$ref": format!("#/definitions/{PART}") },
    });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of a system",
        "description": "Connected parts",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "component": {
                "description": "The folder of a package with your own parts",
                "type": "string",
                "pattern": "[/\\\\.]",
            },
            "name": name(),
            "description": summary(),
            "fmi": standards(),
            "outputs": {
                "description": "The names of the outputs; by default all that is computed",
                "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "string" }],
            },
            "constants": constants(),
            "structure": { "description": "Options of the system as a whole", "type": "object" },
            "parameters": {
                "description": "Values that can be set where the file is a part, and must be if { required = true } is in the place of a default; start values of inputs that several parts share",
                "type": "object",
            },
            "parts": parts.clone(),
        },
        "definitions": {
            EXPRESSION: expression(),
            PART: { "anyOf": types.iter().map(part).chain([file_part(), chosen_part(), parts]).collect::<Vec<_>>() },
        },
    })
}

const EXPRESSION: &str = "expression";
const PART: &str = "part";

fn constants() -> Value {
    json!({ "description": "Names for values, which expressions such as \"=2*r\" have", "type": "object" })
}

fn expression() -> Value {
    json!({
        "description": "An expression of numbers, constants and parameters, such as \"=2*m*r^2\"",
        "type": "string",
        "pattern": "^=",
    })
}

/// Returns the schema of a part that is a system itself.
fn file_part() -> Value {
    json!({
        "description": "A system as a part: its parameters, and connections of its free connectors",
        "type": "object",
        "properties": { "type": { "type": "string", "pattern": "\\.toml$" }, FOR: repetition() },
        "required": ["type"],
    })
}

/// Returns the schema of a part whose type a parameter of the file chooses.
fn chosen_part() -> Value {
    json!({
        "description": "A part whose type follows from parameters",
        "type": "object",
        "properties": { "type": { "type": "string", "pattern": "^=" }, FOR: repetition() },
        "required": ["type"],
    })
}

fn repetition() -> Value {
    json!({
        "description": "Names in braces, {i}, each with its values for the parts of which this is one",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {
            "anyOf": [{ "type": "array" }, { "type": "string", "pattern": ":|^=" }],
        },
    })
}

/// Returns a schema in which expressions can stand for values.
fn computed(mut schema: Value) -> Value {
    for key in ["properties", "patternProperties"] {
        if let Some(values) = schema.get_mut(key).and_then(Value::as_object_mut) {
            values.values_mut().for_each(|value| *value = computed(value.take()));
        }
    }
    match schema.get_mut("items") {
        Some(Value::Array(items)) => items.iter_mut().for_each(|item| *item = computed(item.take())),
        Some(item) => *item = computed(item.take()),
        None => {}
    }
    let alternatives = schema.get_mut("anyOf").and_then(Value::as_array_mut);
    if let Some(alternatives) = alternatives {
        alternatives.iter_mut().for_each(|alternative| *alternative = inside(alternative.take()));
        alternatives.push(json!({ "$ref": format!("#/definitions/{EXPRESSION}") }));
        return schema;
    }
    if schema["type"] == "object" || schema["type"] == "string" {
        return schema;
    }
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    let mut either = json!({ "anyOf": [schema, { "$ref": format!("#/definitions/{EXPRESSION}") }] });
    if let Some(description) = description {
        either["description"] = description;
    }
    either
}

/// Returns an alternative of a schema in which expressions can stand for the values inside.
fn inside(schema: Value) -> Value {
    let computed = computed(schema.clone());
    let own = computed.pointer("/anyOf/0").filter(|_| schema.get("anyOf").is_none());
    own.cloned().unwrap_or(computed)
}

/// Returns the schema of the versions of FMI.
fn standards() -> Value {
    let one = json!({ "enum": [2, 3] });
    json!({
        "description": "Versions of FMI, each of which gives an FMU; by default 2",
        "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }],
    })
}

/// Returns the schema of a part of a type: name of the type, options, connectors, parameters and inputs.
fn part(catalogue: &Catalogue) -> Value {
    let default = &catalogue.default;
    let mut schema = parameters(catalogue);
    let mut properties = schema["properties"].as_object().cloned().unwrap_or_default();
    for settable in catalogue.defaults().iter().chain(&catalogue.others()) {
        if let (Causality::Input, Some(value)) = (settable.causality, properties.get_mut(settable.name)) {
            let name = "^[A-Za-z][^.]*(\\.[A-Za-z{][^.]*)+$";
            let text = "An input of the FMU, as input.pedal, or a signal of another part, as sine.y";
            let shared = json!({ "type": "string", "pattern": name, "description": text });
            *value = either(Some(value.clone()), shared);
        }
    }
    for option in &default.structure {
        let own = structure_option(option);
        match option.name.split_once('.') {
            // The option belongs to the start value of a variable.
            Some((variable, key)) => {
                let start = || start_value(default, variable);
                let of = properties.entry(variable).or_insert_with(|| {
                    let keys = json!({ "start": start() });
                    json!({ "anyOf": [start(), { "type": "object", "additionalProperties": false, "properties": keys }] })
                });
                // A user's own part may have another row of this name.
                if let Some(keys) = of.pointer_mut("/anyOf/1/properties") {
                    keys[key] = own;
                }
            }
            None => drop(properties.insert(option.name.clone(), own)),
        }
    }
    // Shafts and rods have parts of one name.
    let name = default.component.rsplit('.').next().unwrap_or_default();
    let pattern = format!("^([A-Za-z]+\\.)?{name}$");
    properties.insert("type".to_owned(), json!({ "type": "string", "pattern": pattern }));
    properties.insert(FOR.to_owned(), repetition());
    schema["properties"] = json!(properties);
    let mut schema = computed(schema);
    schema["required"] = json!(["type"]);
    schema["description"] = json!(default.description);
    schema
}

/// Returns the start value of a variable, or of each element of a vector.
fn start_value(description: &Description, variable: &str) -> Value {
    let is_element = |name: &str| name.strip_prefix(variable).is_some_and(|rest| rest.starts_with('['));
    let size = description.variables.iter().filter(|known| is_element(&known.name)).count();
    match size {
        0 => json!({ "type": "number", "description": "Start value" }),
        _ => json!({
            "type": "array", "items": { "type": "number" }, "minItems": size, "maxItems": size,
            "description": "Start values",
        }),
    }
}

fn name() -> Value {
    json!({
        "description": "Name of the FMU; by default that of the file",
        "type": "string",
        "pattern": "^[A-Z][A-Za-z0-9_]{0,54}$",
    })
}

fn summary() -> Value {
    json!({
        "description": "Description of the FMU in one line",
        "type": "string",
        "pattern": "^[^\"\\\\\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$",
    })
}

fn names(package: &str, component: &str) -> Vec<String> {
    let mut names = vec![package.to_owned()];
    names.extend(Some(component.to_owned()).filter(|component| component != package));
    names
}

fn structure_option(option: &StructureOption) -> Value {
    let (mut schema, default) = match &option.kind {
        StructureKind::Boolean => (json!({ "type": "boolean" }), json!(option.default == "true")),
        StructureKind::Integer { min, max } => {
            (json!({ "type": "integer", "minimum": min, "maximum": max }), json!(option.default.parse::<i32>().ok()))
        }
        StructureKind::Positive => {
            (json!({ "type": "number", "exclusiveMinimum": 0 }), json!(option.default.parse::<f64>().ok()))
        }
        StructureKind::Connection(_) | StructureKind::Outputs | StructureKind::Input => {
            (json!({ "type": "string" }), json!(option.default))
        }
        StructureKind::Enumeration(items) | StructureKind::Part(items) | StructureKind::Initial(items) => {
            let words = items.iter().chain(option.aliases.iter().map(|(alias, _)| alias));
            (json!({ "enum": words.collect::<Vec<_>>() }), json!(option.default))
        }
    };
    schema["description"] = json!(option.description);
    schema["default"] = default;
    schema
}

/// Returns the section with the parameters: names with dots are tables of tables to TOML, and one name in quotation
/// marks.
fn parameters(catalogue: &Catalogue) -> Value {
    let (mut tree, mut patterns) = (Tree::default(), Map::new());
    for settable in catalogue.defaults().iter().chain(&catalogue.others()) {
        let form = form(settable);
        let mut described = form.whole.clone();
        described["description"] = json!(description(settable));
        for name in settable.names() {
            tree.insert(name.split('.'), &described);
            if name.contains('.') {
                add(&mut patterns, format!("^{}$", literally(name)), described.clone());
            }
            if let Some((indices, element)) = &form.element {
                add(&mut patterns, format!("^{}\\[{indices}\\]$", literally(name)), element.clone());
            }
        }
    }
    let mut schema = tree.schema();
    schema["description"] = json!("Values of parameters, start values of inputs");
    schema["patternProperties"] = json!(patterns);
    schema
}

fn add(patterns: &mut Map<String, Value>, name: String, schema: Value) {
    let known = patterns.remove(&name);
    patterns.insert(name, either(known, schema));
}

/// Returns a schema that accepts either of two schemas for one name.
fn either(known: Option<Value>, schema: Value) -> Value {
    match known {
        None => schema,
        Some(known) if known == schema => known,
        Some(mut known) => match known.get_mut("anyOf").and_then(Value::as_array_mut) {
            Some(all) => {
                all.push(schema);
                known
            }
            None => json!({ "anyOf": [known, schema] }),
        },
    }
}

/// Names with dots as a tree, which TOML makes of them.
#[derive(Default)]
struct Tree {
    leaf: Option<Value>,
    branches: BTreeMap<String, Tree>,
}

impl Tree {
    fn insert<'a>(&mut self, mut path: impl Iterator<Item = &'a str>, schema: &Value) {
        match path.next() {
            Some(part) => self.branches.entry(part.to_owned()).or_default().insert(path, schema),
            None => self.leaf = Some(either(self.leaf.take(), schema.clone())),
        }
    }

    fn schema(self) -> Value {
        if self.branches.is_empty() {
            return self.leaf.unwrap_or_else(|| json!({ "type": "object", "additionalProperties": false }));
        }
        let properties: Map<_, _> = self.branches.into_iter().map(|(name, tree)| (name, tree.schema())).collect();
        json!({ "type": "object", "additionalProperties": false, "properties": properties })
    }
}

/// The schema of a value, and of a single element, with its indices as a pattern.
struct SettableSchema {
    whole: Value,
    element: Option<(String, Value)>,
}

fn form(settable: &Settable<'_>) -> SettableSchema {
    let of = |position: usize| scalar(settable.description, &settable.description.variables[position]);
    match &settable.kind {
        SettableKind::Array(sizes, members) => {
            let elements: Vec<_> = members.clone().map(of).collect();
            let indices: Vec<_> = sizes.iter().map(|size| numbers(*size)).collect();
            let element = (!sizes.is_empty()).then(|| (indices.join(","), elements[0].clone()));
            SettableSchema { whole: nested(sizes, elements), element }
        }
        SettableKind::Table(columns, members) => {
            let first: Vec<_> = members.clone().take(*columns).map(of).collect();
            let element = (format!("[1-9][0-9]*,{}", numbers(*columns)), first[0].clone());
            let rows = json!({ "type": "array", "minItems": 1, "items": nested(&[*columns], first) });
            let whole = json!({ "anyOf": [rows, { "type": "string" }, file_form()] });
            SettableSchema { whole, element: Some(element) }
        }
        SettableKind::Attachment => {
            let attachments = &settable.description.attachments;
            let is_table = attachments.iter().any(|one| one.name == settable.name && !one.units.is_empty());
            let file = json!({ "type": "string" });
            let whole = if is_table { json!({ "anyOf": [file, file_form()] }) } else { file };
            SettableSchema { whole, element: None }
        }
    }
}

/// Returns the schema of a file with a table, and of the keys for it.
fn file_form() -> Value {
    let text = |text: &str| json!({ "type": "string", "description": text });
    let list = |items: Value, text: &str| json!({ "anyOf": [{ "type": "array", "items": items }, { "type": "string" }], "description": text });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "rows": { "type": "array", "description": "The rows, in place of a file" },
            "spare": { "type": "integer", "minimum": 0, "description": "Rows that follow for an importer to fill" },
            "file": text("Path of the file"),
            "sheet": text("Sheet, if the file has several with data"),
            "range": text("Part of the sheet, such as B4:E60 or Sheet1!B4:E60"),
            "columns": list(json!({ "type": ["string", "integer"] }), "Headings or numbers of the columns, in order"),
            "units": list(json!({ "type": "string" }), "Units of the columns; the last one holds for all further ones"),
            "decimal": { "enum": [".", ","], "description": "Decimal sign" },
            "delimiter": text("What separates the cells of a text"),
            "encoding": text("Encoding of a text, such as windows-1252"),
        },
    })
}

/// Returns the schema of arrays of these sizes; the first element stands for all others if they are the same.
fn nested(sizes: &[usize], elements: Vec<Value>) -> Value {
    let Some((size, inner)) = sizes.split_first() else {
        return elements.into_iter().next().unwrap_or_default();
    };
    let parts: Vec<_> =
        elements.chunks((elements.len() / size).max(1)).map(|part| nested(inner, part.to_vec())).collect();
    let same = parts.iter().all(|part| *part == parts[0]);
    let items = if same { parts[0].clone() } else { json!(parts) };
    json!({ "type": "array", "minItems": size, "maxItems": size, "items": items })
}

fn scalar(description: &Description, variable: &Variable) -> Value {
    let with_bounds = |kind: &str, min: Option<Value>, max: Option<Value>| {
        let mut schema = json!({ "type": kind });
        for (key, bound) in [("minimum", min), ("maximum", max)] {
            if let Some(bound) = bound {
                schema[key] = bound;
            }
        }
        schema
    };
    match &variable.kind {
        VariableType::Real { .. } => {
            let [min, max] = [variable.attributes.min, variable.attributes.max].map(|bound| bound.map(Value::from));
            with_bounds("number", min, max)
        }
        VariableType::Integer { data_type, .. } => {
            let [min, max] = variable.attributes.integer_bounds();
            let (least, most) = data_type.limits();
            with_bounds("integer", Some(json!(min.unwrap_or(least))), Some(json!(max.unwrap_or(most))))
        }
        VariableType::Boolean { .. } => json!({ "type": "boolean" }),
        VariableType::String { .. } => json!({ "type": "string", "pattern": PLAIN }),
        VariableType::Enumeration { declared_type, .. } => {
            let enumeration = description.enumerations.iter().find(|other| other.name == *declared_type);
            json!({ "enum": enumeration.map(|enumeration| enumeration.names()).unwrap_or_default() })
        }
    }
}

/// Returns the description in one line, with the unit, and the structure that is needed.
fn description(settable: &Settable<'_>) -> String {
    let mut text = settable.text.to_owned();
    let kind = settable.kind.members().map(|members| &settable.description.variables[members.start].kind);
    if let Some(VariableType::Real { unit: Some(unit), .. }) = kind.filter(|_| !text.is_empty()) {
        text += &format!(" [{unit}]");
    }
    if !settable.options.is_empty() {
        text += &format!("; with {}", choice(settable));
    }
    text
}

/// Returns a pattern for the numbers from 1 on.
fn numbers(count: usize) -> String {
    let numbers: Vec<_> = (1..=count).map(|number| number.to_string()).collect();
    format!("({})", numbers.join("|"))
}

/// Returns a pattern for exactly this text.
fn literally(text: &str) -> String {
    text.replace('.', "\\.").replace('(', "\\(").replace(')', "\\)")
}
