//! A synthetic component with every connector in every direction.

use std::sync::Arc;

use super::{count, description, parameter, quantity};
use crate::description::{
    Causality, Connector, DataType, Description, Initial, Member, ModelStructure, TableParameter, Terminal,
    Variability, Variable, VariableType,
};

/// Returns the assembly, with parameters of each type.
pub(crate) fn assembly() -> Description {
    let mut assembly = description();
    assembly.component = "Assembly".to_owned();
    assembly.name = "TestAssembly".to_owned();
    assembly.description = "One of \"each\" connector".to_owned();
    assembly.tables = vec![TableParameter { name: "curve".to_owned(), number: 0, rows: 2, columns: 2, units: vec![] }];
    assembly.variables = parameters();
    let directions: [(&str, Connector, &str, &str); 8] = [
        ("frame_a", Connector::Frame_a, "r_0[3] R.T[3,3] v_0[3] R.w[3] a_0[3] z[3]", "f[3] t[3]"),
        ("frame_b", Connector::Frame_b, "Q[4] r_0[3] v_0[3] R.w[3]", "f[3] t[3]"),
        ("frame_ia", Connector::Frame_a, "f[3] t[3]", "r_0[3] R.T[3,3] v_0[3] R.w[3] a_0[3] z[3]"),
        ("frame_ib", Connector::Frame_b, "f[3] t[3]", "r_0[3] phi[3] v_0[3] R.w[3]"),
        ("flange_a", Connector::Flange_a, "phi w a", "tau"),
        ("flange_b", Connector::Flange_b, "tau", "phi w a"),
        ("axis", Connector::TranslationalFlange_a, "f", "s v a"),
        ("heatPort", Connector::HeatPort_a, "T", "Q_flow"),
    ];
    for (name, connector, inputs, outputs) in directions {
        add(&mut assembly, name, connector, inputs, Causality::Input);
        add(&mut assembly, name, connector, outputs, Causality::Output);
    }
    add(&mut assembly, "bearing", Connector::Support, "phi tau", Causality::Output);
    for variable in assembly.variables.iter_mut().filter(|variable| variable.name == "bearing.phi") {
        variable.variability = Variability::Discrete;
    }
    assembly.variables.extend(signals());
    assembly
}

/// Returns the assembly without features that a Modelica model cannot have: events, and frames without a rotation
/// matrix or accelerations.
pub(crate) fn movable() -> Description {
    let mut movable = assembly();
    movable.event_indicators = 0;
    movable.model_structure = ModelStructure::default();
    let is_there = |name: &str| {
        !["frame_b", "frame_ib", "active", "state"].iter().any(|other| name.split('.').next() == Some(other))
    };
    let all = std::mem::take(&mut movable.variables);
    movable.variables = all.iter().filter(|variable| is_there(&variable.name)).cloned().collect();
    movable.terminals.retain(|terminal| is_there(&terminal.name));
    for member in movable.terminals.iter_mut().flat_map(|terminal| &mut terminal.members) {
        let name = &all[member.index].name;
        member.index = movable.variables.iter().position(|variable| variable.name == *name).unwrap();
    }
    movable
}

fn parameters() -> Vec<Variable> {
    let unit = |unit: &str, value| quantity("", unit, Some(value)).kind;
    let mut parameters = vec![
        parameter("c[1]", Some(0.0), unit("N/m", 1e3)),
        parameter("c[2]", Some(0.0), unit("N/m", 2e3)),
        parameter("angle", None, unit("rad", -0.5)),
        count(),
        parameter("linear", None, VariableType::Boolean { start: Some(true) }),
        parameter("file", None, VariableType::String { start: Some("a \"b\"\\\n.csv".to_owned()) }),
        parameter("dir", None, VariableType::Enumeration { declared_type: "TransDir".to_owned(), start: Some(2) }),
    ];
    let angle = Arc::make_mut(&mut parameters[2].attributes);
    (angle.display, angle.max) = (Some("deg".to_owned()), Some(1.0));
    for (i, value) in [0.0, 1.0, 2.5, 4.0].into_iter().enumerate() {
        parameters.push(parameter(&format!("curve[{},{}]", i / 2 + 1, i % 2 + 1), None, unit("N", value)));
    }
    parameters
}

/// Returns ports that belong to no connector.
fn signals() -> Vec<Variable> {
    let port = |name: &str, causality, kind| Variable { causality, kind, ..quantity(name, "1", None) };
    vec![
        port("active", Causality::Input, VariableType::Boolean { start: Some(false) }),
        port("level[1]", Causality::Input, quantity("", "m", Some(0.0)).kind),
        port("level[2]", Causality::Input, quantity("", "m", Some(0.0)).kind),
        port("state", Causality::Output, VariableType::Integer { data_type: DataType::Int32, start: None }),
        port("sensor.r", Causality::Output, quantity("", "m", None).kind),
    ]
}

/// Adds ports such as `r_0[3]` to a connector.
fn add(description: &mut Description, name: &str, connector: Connector, ports: &str, causality: Causality) {
    let terminals = &mut description.terminals;
    let position = terminals.iter().position(|terminal| terminal.name == name).unwrap_or_else(|| {
        let text = format!("About {name}");
        terminals.push(Terminal { name: name.to_owned(), description: text, connector, members: vec![] });
        terminals.len() - 1
    });
    for member in ports.split(' ').flat_map(elements) {
        let initial = (causality == Causality::Output).then_some(Initial::Calculated);
        let full_name = format!("{name}.{member}");
        let port = Variable { causality, initial, ..quantity(&full_name, "1", Some(0.0)) };
        let index = description.variables.len();
        description.terminals[position].members.push(Member { name: member, index });
        description.variables.push(port);
    }
}

/// Returns the elements of a port: `R.w[3]` → `R.w[1]`, `R.w[2]`, `R.w[3]`.
fn elements(port: &str) -> Vec<String> {
    let Some((name, size)) = port.trim_end_matches(']').split_once('[') else { return vec![port.to_owned()] };
    let of_row = |prefix: String, size: &str| -> Vec<String> {
        (1..=size.parse::<usize>().unwrap()).map(|i| format!("{prefix}{i}")).collect()
    };
    match size.split_once(',') {
        None => of_row(format!("{name}["), size).into_iter().map(|element| element + "]").collect(),
        Some((rows, columns)) => of_row(format!("{name}["), rows)
            .into_iter()
            .flat_map(|row| of_row(row + ",", columns))
            .map(|element| element + "]")
            .collect(),
    }
}
