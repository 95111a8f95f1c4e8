//! The parameters and the start values of inputs that the user gave.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::attachment::{Attached, TableOrigin, attached, plain};
use super::canonical::Configuration;
use super::entry::{Entry, Section, TOP_LEVEL_KEYS};
use super::form::TableFileOptions;
use super::start::{check_real, noun, with_start};
use super::value::{Data, Value};
use crate::description::arrays::{Group, group_arrays};
use crate::description::model_description::smallest_size;
use crate::description::{
    Attachment, Causality, Description, MAX_DESCRIPTION_BYTES, TableParameter, Variable, VariableType,
};
use crate::text::suggestion::did_you_mean;
use spreadsheet::table::foreign;

/// Returns the names of all parameters and inputs that can be set, each with its role: a parameter or an input.
pub(super) fn roles(description: &Description) -> BTreeMap<String, &'static str> {
    let role = |variable: &Variable| match variable.causality {
        Causality::Parameter => Some("a parameter"),
        Causality::Input => Some("an input"),
        _ if variable.has_start() => Some("a start value"),
        _ => None,
    };
    let groups = group_arrays(&description.variables).into_iter();
    let arrays = groups.map(|group| (group.name, role(&description.variables[group.members.start])));
    let scalars = description.variables.iter().map(|variable| (variable.name.as_str(), role(variable)));
    let attachments = description.attachments.iter().map(|attachment| (attachment.name.as_str(), Some("a parameter")));
    let named = arrays.chain(scalars).chain(attachments);
    named.filter_map(|(name, role)| Some((name.to_owned(), role?))).collect()
}

/// Variables of other structures: the meaning of each name, and the options with which it exists.
pub(super) type ConditionalVariables = BTreeMap<String, String>;

/// Adds the entries to a configuration.
pub(super) fn assign(
    entries: &[&Entry],
    configuration: &mut Configuration<'_>,
    conditional: &dyn Fn() -> ConditionalVariables,
) -> Result<(), Vec<String>> {
    let description = configuration.defaults;
    let conditional = LazyCell::new(conditional);
    let here = LazyCell::new(|| roles(description));
    let names = Names::new(description);
    let mut problems = Vec::new();
    let mut known = BTreeMap::new();
    let forms = file_forms(entries, description, &mut problems);
    for (index, entry) in entries.iter().enumerate() {
        if let Some((name, _)) = key_of(description, &entry.name) {
            let form = forms.get(name).filter(|(last, _)| *last == index && problems.is_empty());
            let result = find(description, &names, name)
                .zip(form)
                .map(|(target, (_, form))| configuration.read(target, entry, form));
            problems.extend(result.and_then(Result::err));
            continue;
        }
        if forms.contains_key(entry.name.as_str()) {
            continue;
        }
        let target = find(description, &names, &entry.name);
        let result = match target {
            Some(target) if target.settable(description) => once(entry, target.members(description), &mut known)
                .and_then(|()| configuration.assign(target, &entry.name, &entry.value)),
            _ => Err(refused(entry, target, description, &here, &conditional)),
        };
        problems.extend(result.err());
    }
    problems.extend(configuration.foreign());
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Returns the options of the files of tables, with the last entry for each table. Keys add to a path before them; a
/// value behind them takes their place.
fn file_forms<'a>(
    entries: &[&'a Entry],
    description: &Description,
    problems: &mut Vec<String>,
) -> BTreeMap<&'a str, (usize, TableFileOptions)> {
    let (mut forms, mut paths) = (BTreeMap::new(), BTreeMap::new());
    for (index, entry) in entries.iter().enumerate() {
        let Some((name, key)) = key_of(description, &entry.name) else {
            forms.remove(entry.name.as_str());
            paths.insert(entry.name.as_str(), &entry.value);
            continue;
        };
        let path = || paths.get(name).filter(|value| value.text().is_some()).map(|value| TableFileOptions::of(value));
        let (last, form) = forms.entry(name).or_insert_with(|| (index, path().unwrap_or_default()));
        *last = index;
        problems.extend(form.set(key, &entry.value).map_err(|right| entry.value.problem(&entry.name, &right)).err());
    }
    forms
}

/// Returns the table or attachment, and the key, of a name such as `TS_data.units`.
fn key_of<'a>(description: &Description, name: &'a str) -> Option<(&'a str, &'a str)> {
    let tables = description.tables.iter().map(|table| &table.name);
    let mut names = tables.chain(description.attachments.iter().map(|attachment| &attachment.name));
    names.find_map(|table| {
        let key = name.strip_prefix(table.as_str())?.strip_prefix('.')?;
        Some((&name[..table.len()], key))
    })
}

/// Refuses a value that is given a second time: users need not know which of `c = [1, 2]` and `"c[1]" = 5` would win.
/// The command line overrides a file, and itself; but an array must not undo earlier entries of its elements.
fn once<'a>(
    entry: &'a Entry,
    members: Range<usize>,
    known: &mut BTreeMap<(bool, usize), &'a Entry>,
) -> Result<(), String> {
    let commands = entry.section == Section::Command;
    let is_array = members.len() > 1;
    let others: Vec<_> = members.filter_map(|member| known.insert((commands, member), entry)).collect();
    match others.iter().find(|other| !commands || is_array && other.name != entry.name) {
        Some(other) => {
            let by = if commands { "by" } else { "at" };
            Err(format!("{}: \"{}\" is already set {by} {}", entry.location, entry.name, other.location))
        }
        None => Ok(()),
    }
}

/// Item that a name refers to.
#[derive(Clone, Copy)]
enum Target<'a> {
    Scalar(usize),
    Array(&'a Group<'a>),
    Table(&'a TableParameter),
    /// The element of a table, by its position from 0.
    Cell(&'a TableParameter, usize),
    Attachment(&'a Attachment),
}

impl Target<'_> {
    fn settable(self, description: &Description) -> bool {
        let is_one = matches!(self, Target::Scalar(_) | Target::Array(_));
        let has_start = || is_one && self.members(description).all(|member| description.variables[member].has_start());
        has_start() || matches!(self.causality(description), Causality::Parameter | Causality::Input)
    }

    /// Returns the positions of the items, attachments after the variables.
    fn members(self, description: &Description) -> Range<usize> {
        let of_table = |table: &TableParameter| {
            let first = format!("{}[1,1]", table.name);
            description.variables.iter().position(|variable| variable.name == first).unwrap_or_default()
        };
        let number = |one: &Attachment| description.attachments.iter().position(|other| other.name == one.name);
        match self {
            Target::Scalar(index) => index..index + 1,
            Target::Array(group) => group.members.clone(),
            Target::Table(table) => of_table(table)..of_table(table) + table.rows * table.columns,
            Target::Cell(table, position) => of_table(table) + position..of_table(table) + position + 1,
            Target::Attachment(attachment) => {
                let index = description.variables.len() + number(attachment).unwrap_or_default();
                index..index + 1
            }
        }
    }

    fn causality(self, description: &Description) -> Causality {
        match self {
            Target::Scalar(index) => description.variables[index].causality,
            Target::Array(group) => description.variables[group.members.start].causality,
            Target::Table(table) | Target::Cell(table, _) => column(description, table, 0).causality,
            Target::Attachment(_) => Causality::Parameter,
        }
    }
}

/// Arrays and variables by their names.
struct Names<'a> {
    groups: Vec<Group<'a>>,
    by_group: HashMap<&'a str, usize>,
    by_variable: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn new(description: &'a Description) -> Self {
        let groups = group_arrays(&description.variables);
        // Of equal names the first one counts.
        let by_group = groups.iter().enumerate().rev().map(|(number, group)| (group.name, number)).collect();
        let variables = description.variables.iter().enumerate().rev();
        let by_variable = variables.map(|(number, variable)| (variable.name.as_str(), number)).collect();
        Self { groups, by_group, by_variable }
    }
}

fn find<'a>(description: &'a Description, names: &'a Names<'a>, name: &str) -> Option<Target<'a>> {
    if let Some(table) = description.tables.iter().find(|table| table.name == name) {
        return Some(Target::Table(table));
    }
    if let Some(attachment) = description.attachments.iter().find(|attachment| attachment.name == name) {
        return Some(Target::Attachment(attachment));
    }
    let Names { groups, by_group, by_variable } = names;
    if let Some(group) = by_group.get(name).map(|number| &groups[*number]) {
        let scalar = group.dimensions.is_empty();
        return Some(if scalar { Target::Scalar(group.members.start) } else { Target::Array(group) });
    }
    let index = *by_variable.get(name)?;
    let group = &groups[groups.partition_point(|group| group.members.end <= index)];
    let table = description.tables.iter().find(|table| table.name == group.name);
    Some(table.map_or(Target::Scalar(index), |table| Target::Cell(table, index - group.members.start)))
}

/// Returns the variable in the first row, which has unit and bounds of the column.
fn column<'a>(description: &'a Description, table: &TableParameter, column: usize) -> &'a Variable {
    let name = format!("{}[1,{}]", table.name, column + 1);
    let found = description.variables.iter().find(|variable| variable.name == name);
    found.expect("the library lists the elements of its tables among the variables")
}

impl Configuration<'_> {
    fn assign(&mut self, target: Target<'_>, name: &str, value: &Value) -> Result<(), String> {
        let fail = |(value, right): (&Value, String)| value.problem(name, &right);
        match target {
            Target::Scalar(index) => self.start(index, value).map_err(|right| fail((value, right)))?,
            Target::Array(group) => {
                let description = self.defaults;
                let shape = || shape(&group.dimensions, noun(&description.variables[group.members.start].kind));
                let values = flatten(value, &group.dimensions, &shape).map_err(fail)?;
                for (index, value) in group.members.clone().zip(values) {
                    self.start(index, value)
                        .map_err(|right| value.problem(&description.variables[index].name, &right))?;
                }
            }
            Target::Attachment(attachment) => {
                let file = attached(value).map_err(|right| fail((value, right)))?;
                self.attachments.insert(attachment.name.clone(), file);
            }
            Target::Table(table) => {
                if value.text().is_some() {
                    return self.read_rows(table, name, value, &TableFileOptions::of(value));
                }
                let rows = match &value.data {
                    Data::Array(rows) if !rows.is_empty() => rows.len(),
                    _ => return Err(fail((value, table_shape(table)))),
                };
                self.check_size(table, rows).map_err(|right| fail((value, right)))?;
                let values = flatten(value, &[rows, table.columns], &|| table_shape(table)).map_err(fail)?;
                self.elements(table, &values)?;
            }
            Target::Cell(table, position) => {
                let element = self.element(table, position, value).map_err(|right| fail((value, right)))?;
                let description = self.defaults;
                let present = || present(description, table);
                let elements = self.tables.entry(table.name.clone()).or_insert_with(present);
                let rows = elements.len() / table.columns;
                let too_few = || fail((value, format!("{} ends with row {rows}", table.name)));
                *elements.get_mut(position).ok_or_else(too_few)? = element;
            }
        }
        Ok(())
    }

    /// Reads a table or an attachment from a file with keys.
    fn read(&mut self, target: Target<'_>, entry: &Entry, form: &TableFileOptions) -> Result<(), String> {
        let value = form.file().unwrap_or(&entry.value);
        let name = match (form.file(), &target) {
            (Some(_), Target::Table(TableParameter { name, .. }) | Target::Attachment(Attachment { name, .. })) => {
                &format!("{name}.file")
            }
            _ => &entry.name,
        };
        match target {
            Target::Table(table) => {
                match form.rows().map_err(|right| entry.value.problem(&format!("{}.rows", table.name), &right))? {
                    Some(rows) => {
                        let units: Vec<_> = table.units.iter().map(String::as_str).collect();
                        let fail = |right: String| entry.value.problem(&format!("{}.units", table.name), &right);
                        self.assign(target, &table.name, &form.in_si(rows, &units).map_err(fail)?)?;
                    }
                    None => self.read_rows(table, name, value, form)?,
                }
                if let Some(elements) = self.tables.get_mut(&table.name) {
                    let last = elements[elements.len() - table.columns..].to_vec();
                    elements.extend(std::iter::repeat_n(last, form.spare).flatten());
                }
                Ok(())
            }
            Target::Attachment(_) if form.spare > 0 => {
                Err(entry.value.problem(&entry.name, "has no spare rows: a file is read as it is"))
            }
            Target::Attachment(attachment) => {
                if attachment.units.is_empty() {
                    return Err(value.problem(name, "cannot be a table: only the path of the file can be given"));
                }
                let units: Vec<_> = attachment.units.iter().map(String::as_str).collect();
                let rows = form.read(&units, true).map_err(|right| value.problem(name, &right))?;
                let packed = plain(&attachment.name, value, &rows, units.len());
                self.given.push(TableOrigin {
                    called: packed.file.clone(),
                    origin: rows.origin,
                    rows: Vec::new(),
                    columns: rows.columns,
                });
                self.attachments.insert(attachment.name.clone(), packed);
                self.notes.push(rows.found);
                Ok(())
            }
            Target::Scalar(_) | Target::Array(_) | Target::Cell(..) => Ok(()),
        }
    }

    /// Reads the rows of a table from a file.
    fn read_rows(
        &mut self,
        table: &TableParameter,
        name: &str,
        value: &Value,
        form: &TableFileOptions,
    ) -> Result<(), String> {
        // Columns without a unit of their own have that of the file.
        let unit = |column: usize| table.units.get(column).map_or("", String::as_str);
        let units: Vec<_> = (0..table.columns).map(unit).collect();
        let rows = form.read(&units, false).map_err(|right| value.problem(name, &right))?;
        let count = rows.numbers.len() / table.columns;
        self.check_size(table, count).map_err(|right| value.problem(name, &right))?;
        let columns: Vec<_> = (0..table.columns).map(|number| column(self.defaults, table, number)).collect();
        for (position, number) in rows.numbers.iter().enumerate() {
            let refused = |right: String| value.problem(&element_name(table, position), &right);
            check_real(columns[position % table.columns], *number).map_err(refused)?;
        }
        self.tables.insert(table.name.clone(), rows.numbers);
        self.given.push(TableOrigin {
            called: table.name.clone(),
            origin: format!("{} of {}", table.name, rows.origin),
            rows: rows.positions,
            columns: rows.columns,
        });
        self.notes.push(rows.found);
        Ok(())
    }

    /// Refuses a table that alone makes `modelDescription.xml` too large, before anything is done with its numbers.
    fn check_size(&self, table: &TableParameter, rows: usize) -> Result<(), String> {
        let columns = (0..table.columns).map(|number| column(self.defaults, table, number));
        let size_of_row: usize = columns.map(smallest_size).sum();
        let most = MAX_DESCRIPTION_BYTES / size_of_row.max(1);
        if !self.elements_are_variables || rows <= most {
            return Ok(());
        }
        Err(format!(
            "has {rows} rows, but each number is a variable in FMI 2.0, where modelDescription.xml has room for at most {most} \
             rows of {} numbers; write the rows to a file and name it in a parameter for a file that the component reads, or \
             build the FMU for FMI 3.0, which has arrays",
            table.columns
        ))
    }

    /// Sets the elements of a table, row by row.
    fn elements(&mut self, table: &TableParameter, values: &[&Value]) -> Result<(), String> {
        let columns: Vec<_> = (0..table.columns).map(|number| column(self.defaults, table, number)).collect();
        let mut elements = Vec::with_capacity(values.len());
        for (position, value) in values.iter().enumerate() {
            let refused = |right: String| value.problem(&element_name(table, position), &right);
            let start = with_start(columns[position % table.columns], &[], value).map_err(refused)?;
            elements.push(real_start(&start));
        }
        self.tables.insert(table.name.clone(), elements);
        Ok(())
    }

    /// Refuses tables that are copied as they are although their units are not the FMU's.
    fn foreign(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for attachment in &self.defaults.attachments {
            let Attachment { name, units, sheet, .. } = attachment;
            let Some(Attached { value, file, content, .. }) = self.attachments.get(name) else { continue };
            let variables = &self.defaults.variables;
            let position = variables.iter().position(|variable| Some(&variable.name) == sheet.as_ref());
            let kind = position.map(|index| self.starts.get(&index).unwrap_or(&variables[index].kind));
            let sheet = match kind {
                Some(VariableType::String { start }) => start.as_deref(),
                _ => None,
            };
            let expected: Vec<_> = units.iter().map(String::as_str).collect();
            if let Some((column, unit)) = foreign(file, content, sheet.unwrap_or_default(), &expected) {
                let right = format!(
                    "column {column} is in {unit}, but a file that is copied as it is must be in {}; \
                     {name} = {{ file = {} }} converts it",
                    units[..2.min(units.len())].join(", "),
                    value.location.text()
                );
                problems.push(value.problem(name, &right));
            }
        }
        problems
    }

    /// Sets the start value of a variable.
    fn start(&mut self, index: usize, value: &Value) -> Result<(), String> {
        let Description { variables, enumerations, .. } = self.defaults;
        self.starts.insert(index, with_start(&variables[index], enumerations, value)?);
        Ok(())
    }

    /// Returns the element of a table that a value gives.
    fn element(&self, table: &TableParameter, position: usize, value: &Value) -> Result<f64, String> {
        let column = column(self.defaults, table, position % table.columns);
        Ok(real_start(&with_start(column, &[], value)?))
    }
}

/// Returns the name of an element of a table by its position.
fn element_name(table: &TableParameter, position: usize) -> String {
    format!("{}[{},{}]", table.name, position / table.columns + 1, position % table.columns + 1)
}

/// Returns the elements that a table has already.
fn present(description: &Description, table: &TableParameter) -> Vec<f64> {
    let groups = group_arrays(&description.variables);
    let group = groups.iter().find(|group| group.name == table.name);
    let variables = &description.variables[group.map_or(0..0, |group| group.members.clone())];
    variables.iter().map(|variable| real_start(&variable.kind)).collect()
}

fn real_start(kind: &VariableType) -> f64 {
    if let VariableType::Real { start: Some(start), .. } = kind { *start } else { 0.0 }
}

/// Returns the elements of nested arrays, row by row; the error is the wrong part and what is expected.
fn flatten<'v>(
    value: &'v Value,
    dimensions: &[usize],
    shape: &dyn Fn() -> String,
) -> Result<Vec<&'v Value>, (&'v Value, String)> {
    let Some((size, inner)) = dimensions.split_first() else {
        return Ok(vec![value]);
    };
    match &value.data {
        Data::Array(values) if values.len() == *size => {
            let mut all = Vec::new();
            for value in values {
                all.extend(flatten(value, inner, shape)?);
            }
            Ok(all)
        }
        Data::Array(values) => Err((value, format!("{}, but has {} instead of {size} entries", shape(), values.len()))),
        _ => Err((value, shape())),
    }
}

fn shape(dimensions: &[usize], (_, many): (&str, &str)) -> String {
    match dimensions {
        [size] => format!("must be an array of {size} {many}"),
        [rows, columns] => format!("must be an array of {rows} rows of {columns} {many}"),
        _ => format!("must be nested arrays of sizes {dimensions:?}"),
    }
}

fn table_shape(table: &TableParameter) -> String {
    format!("must be an array of one or more rows of {} numbers", table.columns)
}

fn refused(
    entry: &Entry,
    target: Option<Target<'_>>,
    description: &Description,
    here: &BTreeMap<String, &'static str>,
    conditional: &ConditionalVariables,
) -> String {
    let Entry { name, location, .. } = entry;
    if let Some(target) = target {
        let what = match target.causality(description) {
            Causality::Output => "an output",
            Causality::CalculatedParameter => "computed from parameters",
            Causality::Independent => "the time",
            _ => "a local variable",
        };
        return format!("{location}: \"{name}\" is {what}; only parameters and start values can be set");
    }
    if description.structure.iter().any(|option| option.name == *name) {
        return format!("{location}: \"{name}\" is a structure option; it belongs under [structure]");
    }
    if let Some(found) = conditional.get(name) {
        return format!("{location}: \"{name}\" is {found}");
    }
    // On the command line the type is not known.
    let (what, head) =
        if entry.section == Section::Command { ("name", &TOP_LEVEL_KEYS[..]) } else { ("parameter", &[][..]) };
    let options = description.structure.iter().map(|option| option.name.as_str());
    let known = here.keys().chain(conditional.keys()).map(String::as_str).chain(options).chain(head.iter().copied());
    format!("{location}: unknown {what} \"{name}\"{}", did_you_mean(name, known))
}
