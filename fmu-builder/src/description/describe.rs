//! The complete description of an FMU, made from the declaration of a library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fmu_exchange::configuration::{Configuration, fingerprint, guid, unescape};
use fmu_exchange::unit::Unit;
use fmu_exchange::{
    Base, Category, Declaration, DeclarationRequest, Dependencies, Element, InitialValue, Number, RowKind, Start,
    StructureKind, StructureOption, write_element_name,
};

use super::connectors::terminals;
use super::data_type::DataType;
use super::types::{
    Attachment, Capabilities, Causality, Description, Initial, LogCategory, ModelStructure, TableParameter, Terminal,
    Unknown, Variability, Variable, VariableType,
};

/// Errors of a library or its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DescribeError {
    /// The configuration is rejected.
    Refused(String),
    /// The library's response is invalid.
    Incompatible(String),
}

/// Describes a component with a configuration, by one call of `declare`, which calls its library.
///
/// The text of the configuration becomes the FMU's: it should be canonical.
pub fn describe(
    declare: impl Fn(DeclarationRequest<'_>) -> Result<Vec<u8>, String>,
    request: DeclarationRequest<'_>,
) -> Result<Description, DescribeError> {
    let given = Configuration::parse(request.configuration).map_err(DescribeError::Refused)?;
    let answer = declare(request).map_err(DescribeError::Refused)?;
    let mut declaration = Declaration::parse(&answer).map_err(DescribeError::Incompatible)?;
    complete_quantities(&mut declaration);
    check_starts(&declaration).map_err(DescribeError::Refused)?;
    let mut variables = Variables::new(&declaration);
    variables.check_rates(&declaration.units).map_err(DescribeError::Refused)?;
    let terminals = terminals(&declaration.connectors, &variables.list).map_err(DescribeError::Incompatible)?;
    if declaration.outflow {
        describe_outflows(&terminals, &mut variables.list);
    }
    // The text of a finished FMU already has one.
    let lines = request.configuration.lines().filter(|line| !line.starts_with("fingerprint "));
    let mut configuration: String = lines.map(|line| format!("{line}\n")).collect();
    configuration += &format!("fingerprint {}\n", fingerprint(&answer));
    Ok(Description {
        component: declaration.component.to_owned(),
        name: given.name.unwrap_or(declaration.component).to_owned(),
        description: given.description.map_or_else(|| declaration.summary.to_owned(), unescape),
        documentation: documentation(&declaration),
        icon: declaration.icon.to_owned(),
        warnings: declaration.warnings.clone(),
        notes: Vec::new(),
        versions: owned(&declaration.packages),
        guid: guid(&configuration),
        configuration,
        structure: std::mem::take(&mut declaration.structure).into_iter().map(legible).collect(),
        units: declaration.units.clone(),
        enumerations: declaration.enumerations.clone(),
        terminals,
        outflow: declaration.outflow,
        model_structure: variables.model_structure(&declaration),
        tables: variables.tables,
        attachments: attachments(&declaration, &given),
        resources: BTreeMap::new(),
        variables: variables.list,
        signature: declaration.signature,
        event_indicators: declaration.event_indicators,
        changes_at_events: declaration.has_events,
        acausal: declaration.acausal.clone(),
        formulas: formulas(&declaration, &given),
        aliases: aliases(&declaration),
        headings: headings(&declaration),
        modelica: declaration.modelica.to_owned(),
        follows_time: declaration.follows_time,
        shapes: declaration.shapes.iter().map(|shape| owned(&shape.0)).collect(),
        pictures: declaration.pictures.clone(),
        log_categories: log_categories(),
        default_experiment: declaration.experiment,
        capabilities: Capabilities {
            completed_integrator_step_not_needed: !declaration.has_memory,
            might_return_early_from_do_step: declaration.has_events,
            can_get_and_set_fmu_state: true,
            can_serialize_fmu_state: true,
            provides_directional_derivative: true,
            can_interpolate_inputs: true,
            max_output_derivative_order: fmu_exchange::MAX_OUTPUT_DERIVATIVE_ORDER.unsigned_abs(),
        },
    })
}

/// Gives each element the quantity that follows from its unit, unless its row names another one or none.
fn complete_quantities(declaration: &mut Declaration<'_>) {
    for element in &mut declaration.elements {
        let of_unit = element.unit.map(|unit| &*declaration.units[unit].quantity);
        let quantity = element.row.quantity.take().or_else(|| of_unit.map(str::to_owned));
        element.row.quantity = quantity.filter(|quantity| !quantity.is_empty());
    }
}

/// Refuses the start value of a continuous variable that is not a state, which would have no effect: most likely its
/// derivative was forgotten. Groups may be used for states and for other variables.
fn check_starts(declaration: &Declaration<'_>) -> Result<(), String> {
    let is_useless = |element: &&Element<'_>| {
        let is_continuous = matches!(element.start, Start::Real(_)) && !element.row.discrete;
        let is_computed = matches!(element.kind, RowKind::output | RowKind::local);
        is_continuous
            && is_computed
            && element.row.has_start
            && element.derivative().is_none()
            && element.groups.is_empty()
    };
    match declaration.elements.iter().find(is_useless) {
        Some(Element { name, .. }) => Err(format!(
            "\"{name}\" has a start value, but no derivative: add der = … to its row, or remove the start value"
        )),
        None => Ok(()),
    }
}

/// Rewrites descriptions for flows out of the component, since the rows describe flows into it.
fn describe_outflows(terminals: &[Terminal], variables: &mut [Variable]) {
    for terminal in terminals {
        for member in &terminal.members {
            let variable = &mut variables[member.index];
            let name = member.name.split('[').next().unwrap_or_default();
            if terminal.is_flow(name) && variable.causality == Causality::Output {
                variable.description += ", with the opposite sign (flows = outflow)";
            }
        }
    }
}

fn attachments(declaration: &Declaration<'_>, configuration: &Configuration<'_>) -> Vec<Attachment> {
    let attachment = |element: &Element<'_>| {
        let name = element_name(element, element.name);
        Attachment {
            description: element.text.to_owned(),
            units: columns(declaration, element),
            sheet: element.row.sheet.as_ref().map(|sheet| element_name(element, sheet)),
            file: configuration.attachment(&name).map(|given| given.file.to_owned()),
            name,
        }
    };
    let declared = declaration.elements.iter().filter(|element| matches!(element.start, Start::Attachment));
    declared.map(attachment).collect()
}

/// Returns a name without indices.
fn base(name: &str) -> String {
    name.split('[').next().unwrap_or_default().to_owned()
}

/// Returns the headings of the groups without a name, by their parameters.
fn headings(declaration: &Declaration<'_>) -> BTreeMap<String, String> {
    let has_heading = |element: &&Element<'_>| matches!(element.kind, RowKind::parameter | RowKind::tunable);
    let named =
        |element: &Element<'_>| Some((base(&element_name(element, element.name)), element.row.heading.clone()?));
    declaration.elements.iter().filter(has_heading).filter_map(named).collect()
}

/// Returns other names of rows, with their names.
fn aliases(declaration: &Declaration<'_>) -> BTreeMap<String, String> {
    let named = |element: &Element<'_>| {
        Some((base(&element_name(element, element.row.alias.as_ref()?)), base(&element_name(element, element.name))))
    };
    declaration.elements.iter().filter_map(named).collect()
}

/// Returns the expressions of rows, which name variables outside of groups, without those that were given start values.
fn formulas(declaration: &Declaration<'_>, configuration: &Configuration<'_>) -> BTreeMap<String, String> {
    let given: BTreeSet<_> = configuration.starts.iter().map(|(name, _)| base(name)).collect();
    let formula = |element: &Element<'_>| {
        let expression = element.row.modelica.as_ref().filter(|_| element.groups.is_empty())?;
        let name = base(&element_name(element, element.name));
        (!given.contains(&name)).then(|| (name, expression.clone()))
    };
    declaration.elements.iter().filter_map(formula).collect()
}

/// Returns the units of the columns of a table.
fn columns(declaration: &Declaration<'_>, element: &Element<'_>) -> Vec<String> {
    element.columns.iter().map(|unit| declaration.units[*unit].name.to_string()).collect()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

fn log_categories() -> Vec<LogCategory> {
    let category = |(_, name, text): (_, &std::ffi::CStr, &str)| LogCategory {
        name: name.to_string_lossy().into_owned(),
        description: text.to_owned(),
    };
    Category::ALL.into_iter().map(category).collect()
}

/// Returns the documentation: the equations come from a doc comment, whose lines start with a blank.
fn documentation(declaration: &Declaration<'_>) -> String {
    let lines = declaration.equations.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the option with decimal numbers in place of bits.
fn legible(mut option: StructureOption) -> StructureOption {
    for word in [&mut option.value, &mut option.default] {
        if let (StructureKind::Positive, Some(value)) = (&option.kind, fmu_exchange::real(word)) {
            *word = Number(value).to_string();
        }
    }
    option
}

/// The variables, with a map from value references to positions.
struct Variables {
    list: Vec<Variable>,
    tables: Vec<TableParameter>,
    /// Position by base type and value reference.
    positions: BTreeMap<(Base, u32), usize>,
    /// Positions of the states and of their derivatives, in the order of the states.
    states: Vec<(usize, usize)>,
    has_tunable: bool,
}

impl Variables {
    fn new(declaration: &Declaration<'_>) -> Self {
        let mut variables = Self {
            list: Vec::new(),
            tables: Vec::new(),
            positions: BTreeMap::new(),
            states: Vec::new(),
            has_tunable: declaration.elements.iter().any(|element| element.kind == RowKind::tunable),
        };
        let (tables, scalars): (Vec<_>, Vec<_>) =
            declaration.elements.iter().partition(|element| matches!(element.start, Start::Table(..)));
        let mut pending: Vec<(String, usize)> = Vec::new();
        for element in scalars {
            variables.add_scalar(declaration, element, &mut pending);
        }
        let mut offset = declaration.reals as u32;
        for element in tables {
            variables.add_table(declaration, element, &mut offset);
        }
        variables
    }

    fn add_scalar(&mut self, declaration: &Declaration<'_>, element: &Element<'_>, pending: &mut Vec<(String, usize)>) {
        let (base, continuous) = match element.start {
            Start::Real(_) => (Base::Real, !element.row.discrete),
            Start::Integer(_) | Start::Enumeration(..) => (Base::Integer, false),
            Start::Boolean(_) => (Base::Boolean, false),
            Start::String(_) | Start::Table(..) | Start::Attachment => (Base::String, false),
        };
        let name = element_name(element, element.name);
        let position = self.list.len();
        let derivative = pending.iter().position(|(derivative, _)| *derivative == name).map(|found| {
            let (_, state) = pending.swap_remove(found);
            self.states.push((state, position));
            state
        });
        if let Some(next) = element.derivative() {
            pending.push((element_name(element, next), position));
        }
        let kind = match &element.start {
            Start::Real(start) => real(declaration, element, with_start(element, *start), derivative),
            Start::Integer(start) => {
                VariableType::Integer { data_type: DataType::Int32, start: with_start(element, i128::from(*start)) }
            }
            Start::Enumeration(kind, start) => VariableType::Enumeration {
                declared_type: declaration.enumerations[*kind].name.to_string(),
                start: with_start(element, *start),
            },
            Start::Boolean(start) => VariableType::Boolean { start: with_start(element, *start) },
            Start::String(start) => VariableType::String { start: with_start(element, (*start).to_owned()) },
            Start::Table(..) | Start::Attachment => return,
        };
        self.positions.insert((base, element.reference), self.list.len());
        let (causality, variability, initial) = fmi_attributes(element, continuous, self.has_tunable);
        self.list.push(Variable {
            name,
            value_reference: element.reference,
            description: description(element),
            causality,
            variability,
            initial,
            attributes: Arc::new(element.row.clone()),
            kind,
        });
    }

    fn add_table(&mut self, declaration: &Declaration<'_>, element: &Element<'_>, offset: &mut u32) {
        let Start::Table(columns, elements) = &element.start else { return };
        self.tables.push(TableParameter {
            name: element_name(element, element.name),
            number: element.reference,
            rows: elements.len() / columns,
            columns: *columns,
            units: self::columns(declaration, element),
        });
        let (causality, variability, initial) = fmi_attributes(element, false, self.has_tunable);
        let (name, description) = (element_name(element, element.name), description(element));
        let attributes = Arc::new(element.row.clone());
        // Hundreds of thousands of elements have all but name and value in common. They are no knowns.
        for (i, value) in elements.iter().enumerate() {
            self.list.push(Variable {
                name: format!("{name}[{},{}]", i / columns + 1, i % columns + 1),
                value_reference: *offset,
                description: description.clone(),
                causality,
                variability,
                initial,
                attributes: Arc::clone(&attributes),
                kind: real(declaration, element, Some(*value), None),
            });
            *offset += 1;
        }
    }

    /// Refuses a derivative whose unit is not that of its state per second.
    fn check_rates(&self, units: &[Unit]) -> Result<(), String> {
        for (state, derivative) in &self.states {
            let [state, derivative] = [state, derivative].map(|position| &self.list[*position]);
            if let (Some(of), Some(rate)) = (unit(state, units), unit(derivative, units))
                && !rate.is_per_second(of)
            {
                return Err(format!(
                    "\"{}\" [{}] is declared as the derivative of \"{}\" [{}], but its unit is not {} per second",
                    derivative.name, rate.name, state.name, of.name, of.name
                ));
            }
        }
        Ok(())
    }

    fn model_structure(&self, declaration: &Declaration<'_>) -> ModelStructure {
        let [running, starting] = &declaration.dependencies;
        let indices = 0..self.list.len();
        let outputs: Vec<_> =
            indices.clone().filter(|index| self.list[*index].causality == Causality::Output).collect();
        let derivatives: Vec<_> = self.states.iter().map(|(_, derivative)| *derivative).collect();
        let moving: BTreeSet<_> = self.states.iter().flat_map(|(state, derivative)| [*state, *derivative]).collect();
        let is_initial = |index: &usize| {
            let variable = &self.list[*index];
            let listed = matches!(variable.causality, Causality::Output | Causality::CalculatedParameter)
                || moving.contains(index);
            listed && variable.initial != Some(Initial::Exact)
        };
        let initial: Vec<_> = indices.filter(is_initial).collect();
        ModelStructure {
            outputs: self.unknowns(&outputs, running, false),
            derivatives: self.unknowns(&derivatives, running, false),
            initial_unknowns: self.unknowns(&initial, starting, true),
        }
    }

    fn unknowns(&self, indices: &[usize], dependencies: &Dependencies, initial: bool) -> Vec<Unknown> {
        let mut knowns: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (known, dependents) in dependencies.iter().flatten() {
            for dependent in dependents {
                knowns.entry(*dependent).or_default().extend(self.positions.get(known));
            }
        }
        let of_all: Vec<_> = (0..self.list.len()).filter(|known| self.counts_for_all(*known, initial)).collect();
        let states: BTreeSet<_> = self.states.iter().filter(|_| !initial).map(|(state, _)| *state).collect();
        let unknown = |&index: &usize| {
            let is_known = dependencies.is_some() && self.list[index].is_real();
            let found = is_known.then(|| {
                let mut found = knowns.get(&self.list[index].value_reference).cloned().unwrap_or_default();
                found.extend(&of_all);
                // A state is a known, so it depends on itself.
                found.extend(states.get(&index));
                found.sort_unstable();
                found
            });
            Unknown { index, dependencies: found }
        };
        indices.iter().map(unknown).collect()
    }

    /// Returns true if everything is assumed to depend on a variable: on Strings, and on inputs that are not Real.
    fn counts_for_all(&self, index: usize, initial: bool) -> bool {
        let variable = &self.list[index];
        let text = initial
            && variable.causality == Causality::Parameter
            && matches!(variable.kind, VariableType::String { .. });
        let discrete = variable.causality == Causality::Input && !variable.is_real();
        text || discrete
    }
}

fn unit<'u>(variable: &Variable, units: &'u [Unit]) -> Option<&'u Unit> {
    let unit = variable.unit()?;
    units.iter().find(|other| other.name == unit)
}

/// Returns the description of an element, behind those of the groups around it.
fn description(element: &Element<'_>) -> String {
    let groups = element.groups.iter().filter(|_| !element.name.is_empty());
    groups.map(|(_, text)| format!("{text}: ")).collect::<String>() + element.text
}

/// Returns the name of an element, or of another one in its group.
fn element_name(element: &Element<'_>, name: &str) -> String {
    let mut text = element.groups.iter().map(|(group, _)| group.as_str()).collect::<Vec<_>>().join(".");
    if !text.is_empty() && !name.is_empty() {
        text.push('.');
    }
    let _ = write_element_name(&mut text, name, element.index);
    text
}

fn real(
    declaration: &Declaration<'_>,
    element: &Element<'_>,
    start: Option<f64>,
    derivative: Option<usize>,
) -> VariableType {
    VariableType::Real { unit: element.unit.map(|unit| declaration.units[unit].name.to_string()), start, derivative }
}

/// Calculated parameters may depend on a tunable parameter, if there is one.
fn fmi_attributes(element: &Element<'_>, continuous: bool, tunable: bool) -> (Causality, Variability, Option<Initial>) {
    let changing = if continuous { Variability::Continuous } else { Variability::Discrete };
    let computed = match element.initial() {
        InitialValue::enforce => Initial::Exact,
        InitialValue::guess => Initial::Approx,
        InitialValue::ignore => Initial::Calculated,
    };
    match element.kind {
        RowKind::parameter => (Causality::Parameter, Variability::Fixed, Some(Initial::Exact)),
        RowKind::tunable => (Causality::Parameter, Variability::Tunable, Some(Initial::Exact)),
        RowKind::calculated if tunable => (Causality::CalculatedParameter, Variability::Tunable, Some(computed)),
        RowKind::calculated => (Causality::CalculatedParameter, Variability::Fixed, Some(computed)),
        RowKind::input => (Causality::Input, changing, None),
        RowKind::output => (Causality::Output, changing, Some(computed)),
        RowKind::local | RowKind::memory | RowKind::internal => (Causality::Local, changing, Some(computed)),
    }
}

/// Returns the start value if FMI requires one.
fn with_start<V>(element: &Element<'_>, start: V) -> Option<V> {
    let given = matches!(element.kind, RowKind::parameter | RowKind::tunable | RowKind::input);
    (given || element.initial() != InitialValue::ignore).then_some(start)
}
