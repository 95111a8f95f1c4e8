//! A synthetic component library for the tests: a spring with most kinds of variables.

mod assembly;

use crate::description::{
    Attachment, Capabilities, Causality, DataType, DefaultExperiment, Description, DisplayUnit, Enumeration, Initial,
    LogCategory, ModelStructure, RowAttributes, StructureKind, StructureOption, TableParameter, Unit, Unknown,
    Variability, Variable, VariableType,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use fmu_exchange::{DeclarationRequest, Item};

use crate::error::Error;
pub(crate) use assembly::{assembly, movable};

/// Returns the spring as `FrontSpring`, otherwise with its defaults.
pub(crate) fn description() -> Description {
    describe(DeclarationRequest::new("name FrontSpring\n")).unwrap()
}

/// Returns the example in the form of FMI 3.0: without its variable for time, and with value references that are unique
/// among all types.
pub(crate) fn description_3() -> Description {
    let mut description = description();
    assert_eq!(description.variables[0].causality, Causality::Independent);
    description.variables.remove(0);
    for (index, variable) in description.variables.iter_mut().enumerate() {
        // In FMI 2.0 each type has references of its own.
        variable.value_reference = index as u32;
        if let VariableType::Real { derivative: Some(index), .. } = &mut variable.kind {
            *index -= 1;
        }
    }
    let structure = &mut description.model_structure;
    let lists = [&mut structure.outputs, &mut structure.derivatives, &mut structure.initial_unknowns];
    for unknown in lists.into_iter().flatten() {
        unknown.index -= 1;
        if let Some(dependencies) = &mut unknown.dependencies {
            dependencies.retain(|index| *index > 0);
            dependencies.iter_mut().for_each(|index| *index -= 1);
        }
    }
    description
}

/// Makes a Real output without a unit.
pub(crate) fn real(name: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        value_reference: 0,
        description: format!("Variable {name}"),
        causality: Causality::Output,
        variability: Variability::Continuous,
        initial: Some(Initial::Calculated),
        attributes: Arc::default(),
        kind: VariableType::Real { unit: None, start: None, derivative: None },
    }
}

/// Returns the response of the library of the spring.
pub(crate) fn describe(request: DeclarationRequest<'_>) -> Result<Description, Error> {
    let configuration = request.configuration;
    let mut spring = Spring::default();
    for line in configuration.lines() {
        spring.line(line).map_err(Error::Refused)?;
    }
    let folder = Path::new(request.resources.unwrap_or_default());
    if let Some((_, file)) = spring.attached.iter().find(|(_, file)| !folder.join(file).is_file()) {
        return Err(Error::Refused(format!("{file} is not in the resources")));
    }
    let mut description = spring.description(configuration);
    for (name, value) in &spring.starts {
        let variable = description.variables.iter_mut().find(|variable| variable.name == *name).unwrap();
        start(&mut variable.kind, value);
    }
    Ok(description)
}

#[derive(Default)]
struct Spring {
    name: Option<String>,
    description: Option<String>,
    heat: bool,
    form: Option<String>,
    signal: bool,
    states: i32,
    table: Option<Vec<f64>>,
    attached: Vec<(String, String)>,
    starts: Vec<(String, String)>,
}

impl Spring {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (keyword, rest) = line.split_once(' ').ok_or_else(|| format!("no keyword in \"{line}\""))?;
        let pair = || rest.split_once(' ').ok_or_else(|| format!("no value in \"{line}\""));
        match keyword {
            "component" if rest == "Spring" => {}
            "name" => self.name = Some(rest.to_owned()),
            "description" => self.description = Some(rest.replace("\\n", "\n").replace("\\\\", "\\")),
            "structure" => match pair()? {
                ("useHeatPort", value) => self.heat = value == "true",
                ("form", "stiff") if self.heat => {
                    return Err("a stiff spring has no heat port".to_owned());
                }
                ("source", value) => self.signal = value == "signal",
                ("form", value) => self.form = Some(value.to_owned()),
                ("order", value) => self.states = value.parse().unwrap(),
                (option, _) => return Err(format!("unknown structure option {option}")),
            },
            "start" => self.starts.push(pair().map(|(name, value)| (name.to_owned(), value.to_owned()))?),
            "table" => {
                let words: Vec<&str> = rest.split(' ').collect();
                assert_eq!((words[0], words[2]), ("table", "2"));
                self.table = Some(words[3..].iter().map(|word| fmu_exchange::real(word).unwrap()).collect());
            }
            "attachment" => {
                let [name, hash, file] = rest.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
                assert_eq!(hash.len(), 64);
                self.attached.push((name.to_owned(), file.to_owned()));
            }
            "version" => {}
            _ => return Err(format!("unknown line \"{line}\"")),
        }
        Ok(())
    }

    fn description(&self, configuration: &str) -> Description {
        let table = self.table.clone().unwrap_or_else(|| vec![0.0, 0.0, 1.0, 10.0]);
        Description {
            component: "Spring".to_owned(),
            name: self.name.clone().unwrap_or_else(|| "Spring".to_owned()),
            description: self.description.clone().unwrap_or_else(|| "Spring with a filter".to_owned()),
            documentation: "# Spring\n\n    f = c s\n\n| sign | meaning |\n|---|---|\n| f | force <b>on</b> a |\n"
                .to_owned(),
            icon:
                "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><path d='M0 5h20' stroke='#123'/></svg>"
                    .to_owned(),
            versions: vec![("fmu-runtime".to_owned(), "0.1.0".to_owned()), ("spring".to_owned(), "1.2.3".to_owned())],
            guid: format!(
                "{{{:08x}-0000-0000-0000-000000000000}}",
                configuration.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
            ),
            configuration: configuration.to_owned(),
            structure: self.structure(),
            units: vec![
                unit("s", [0, 0, 1, 0, 0, 0, 0, 0]),
                unit("m", [0, 1, 0, 0, 0, 0, 0, 0]),
                unit("m/s", [0, 1, -1, 0, 0, 0, 0, 0]),
                unit("N", [1, 1, -2, 0, 0, 0, 0, 0]),
                unit("N/m", [1, 0, -2, 0, 0, 0, 0, 0]),
                Unit {
                    display: vec![DisplayUnit {
                        name: "deg".into(),
                        factor: 180.0 / std::f64::consts::PI,
                        offset: 0.0,
                    }]
                    .into(),
                    ..unit("rad", [0, 0, 0, 0, 0, 0, 0, 1])
                },
                Unit {
                    display: vec![DisplayUnit { name: "degC".into(), factor: 1.0, offset: -273.15 }].into(),
                    ..unit("K", [0, 0, 0, 0, 1, 0, 0, 0])
                },
            ],
            enumerations: vec![Enumeration {
                name: "TransDir".into(),
                description: "Directions".into(),
                items: vec![Item::new("all", "all of them"), Item::new("onlyX", "onlyX of them")].into(),
                aliases: vec![("along the axis".into(), "onlyX".into())].into(),
            }],
            tables: vec![TableParameter {
                name: "table".to_owned(),
                number: 0,
                rows: table.len() / 2,
                columns: 2,
                units: vec!["m".to_owned(), "N".to_owned()],
            }],
            attachments: self.attachments(),
            resources: Default::default(),
            variables: variables(self.heat, self.signal, &table),
            terminals: vec![],
            outflow: false,
            model_structure: ModelStructure {
                outputs: vec![Unknown { index: 5, dependencies: Some(vec![3, 4]) }],
                derivatives: vec![Unknown { index: 6, dependencies: Some(vec![3, 4]) }],
                initial_unknowns: vec![
                    Unknown { index: 5, dependencies: None },
                    Unknown { index: 6, dependencies: Some(vec![]) },
                ],
            },
            warnings: vec![],
            notes: vec![],
            signature: Some(u64::from(self.form.is_some())),
            event_indicators: 2,
            changes_at_events: true,
            acausal: None,
            formulas: BTreeMap::new(),
            aliases: BTreeMap::new(),
            headings: BTreeMap::new(),
            modelica: String::new(),
            follows_time: false,
            shapes: Vec::new(),
            pictures: Vec::new(),
            log_categories: ["logStatusError", "logStatusWarning"]
                .map(|name| LogCategory { name: name.to_owned(), description: format!("Messages of {name}") })
                .into(),
            default_experiment: DefaultExperiment { start_time: 0.0, stop_time: 1.0, step_size: 1e-3, tolerance: 1e-6 },
            capabilities: Capabilities {
                completed_integrator_step_not_needed: true,
                might_return_early_from_do_step: false,
                can_get_and_set_fmu_state: true,
                can_serialize_fmu_state: true,
                provides_directional_derivative: true,
                can_interpolate_inputs: true,
                max_output_derivative_order: 1,
            },
        }
    }

    /// Returns two files, in a spring of order 3.
    fn attachments(&self) -> Vec<Attachment> {
        let attachment = |name: &str| Attachment {
            name: name.to_owned(),
            description: "Measured data".to_owned(),
            units: vec!["m".to_owned(), "N".to_owned()],
            sheet: Some(format!("{name}_sheet")),
            file: self.attached.iter().rfind(|(given, _)| given == name).map(|(_, file)| file.clone()),
        };
        if self.states == 3 { ["data", "more"].map(attachment).into() } else { vec![] }
    }

    fn structure(&self) -> Vec<StructureOption> {
        let option = |name: &str, kind, default: &str, value: String| StructureOption {
            name: name.to_owned(),
            description: format!("Choice of {name}"),
            kind,
            aliases: if name == "form" { vec![("rigid".to_owned(), "stiff".to_owned())] } else { vec![] },
            default: default.to_owned(),
            value,
        };
        let forms = ["soft", "stiff"].map(str::to_owned).into();
        let sources = ["parameter", "signal"].map(str::to_owned).into();
        vec![
            option("useHeatPort", StructureKind::Boolean, "false", self.heat.to_string()),
            option(
                "form",
                StructureKind::Enumeration(forms),
                "soft",
                self.form.clone().unwrap_or_else(|| "soft".to_owned()),
            ),
            option(
                "source",
                StructureKind::Enumeration(sources),
                "parameter",
                if self.signal { "signal" } else { "parameter" }.to_owned(),
            ),
            option("order", StructureKind::Integer { min: 0, max: 3 }, "0", self.states.to_string()),
        ]
    }
}

fn unit(name: &str, exponents: [i32; 8]) -> Unit {
    Unit { name: name.to_owned().into(), exponents, factor: 1.0, quantity: "".into(), display: vec![].into() }
}

fn variables(heat: bool, signal: bool, table: &[f64]) -> Vec<Variable> {
    let mut variables = vec![
        Variable { causality: Causality::Independent, initial: None, ..quantity("time", "s", None) },
        parameter("c[1]", Some(0.0), quantity("", "N/m", Some(1e3)).kind),
        parameter("c[2]", Some(0.0), quantity("", "N/m", Some(2e3)).kind),
        Variable { causality: Causality::Input, initial: None, ..quantity("s", "m", Some(0.0)) },
        Variable { causality: Causality::Local, initial: Some(Initial::Exact), ..quantity("x", "m", Some(0.0)) },
        quantity("f", "N", None),
        Variable { causality: Causality::Local, ..quantity("der(x)", "m/s", None) },
        count(),
        parameter("linear", None, VariableType::Boolean { start: Some(true) }),
        parameter("file", None, VariableType::String { start: Some("data.csv".to_owned()) }),
        parameter("dir", None, VariableType::Enumeration { declared_type: "TransDir".to_owned(), start: Some(1) }),
        parameter("angle", Some(-1.0), quantity("", "rad", Some(0.5)).kind),
    ];
    let angle = Arc::make_mut(&mut variables.last_mut().unwrap().attributes);
    (angle.display, angle.max) = (Some("deg".to_owned()), Some(1.0));
    if let VariableType::Real { derivative, .. } = &mut variables[6].kind {
        *derivative = Some(4);
    }
    if heat {
        variables.push(parameter("T_start", Some(0.0), quantity("", "K", Some(293.15)).kind));
    }
    if heat && signal {
        variables.push(Variable { causality: Causality::Input, initial: None, ..quantity("c_in", "N/m", Some(1e3)) });
    }
    for (index, value) in table.iter().enumerate() {
        let name = format!("table[{},{}]", index / 2 + 1, index % 2 + 1);
        variables.push(parameter(&name, None, quantity("", "N", Some(*value)).kind));
    }
    let mut references = [0; 4];
    for variable in &mut variables {
        let counter = match variable.kind {
            VariableType::Real { .. } => &mut references[0],
            VariableType::Integer { .. } | VariableType::Enumeration { .. } => &mut references[1],
            VariableType::Boolean { .. } => &mut references[2],
            VariableType::String { .. } => &mut references[3],
        };
        variable.value_reference = *counter;
        *counter += 1;
    }
    variables
}

fn quantity(name: &str, of: &str, value: Option<f64>) -> Variable {
    let mut variable = real(name);
    if let VariableType::Real { unit, start, .. } = &mut variable.kind {
        (*unit, *start) = (Some(of.to_owned()), value);
    }
    variable
}

/// A whole number from 1 to 8.
fn count() -> Variable {
    let mut count = parameter("count", Some(1.0), VariableType::Integer { data_type: DataType::Int32, start: Some(2) });
    Arc::make_mut(&mut count.attributes).max = Some(8.0);
    count
}

fn parameter(name: &str, min: Option<f64>, kind: VariableType) -> Variable {
    Variable {
        attributes: Arc::new(RowAttributes { min, ..RowAttributes::default() }),
        causality: Causality::Parameter,
        variability: Variability::Fixed,
        initial: Some(Initial::Exact),
        kind,
        ..real(name)
    }
}

fn start(kind: &mut VariableType, value: &str) {
    match kind {
        VariableType::Real { start, .. } => *start = fmu_exchange::real(value),
        VariableType::Integer { start, .. } => *start = Some(value.parse().unwrap()),
        VariableType::Boolean { start } => *start = Some(value.parse().unwrap()),
        VariableType::String { start } => *start = Some(value.replace("\\n", "\n").replace("\\\\", "\\")),
        VariableType::Enumeration { start, .. } => *start = Some(if value == "all" { 1 } else { 2 }),
    }
}
