//! The connectors that the rows of a declaration name, with the variables that belong to them.

use crate::connector::Connector;
use crate::declaration::Element;
use crate::description::{Causality, Member, Terminal, Variable};

/// The terminals in the order in which their connectors are named.
pub fn terminals(elements: &[Element<'_>], variables: &[Variable]) -> Result<Vec<Terminal>, String> {
    let mut terminals: Vec<Terminal> = Vec::new();
    for (name, text, connector) in elements.iter().flat_map(named) {
        match terminals.iter().find(|terminal| terminal.name == name) {
            None => {
                let members = members(&name, variables);
                terminals.push(Terminal { name, description: text.to_owned(), connector, members });
            }
            Some(known) if known.connector == connector => {}
            Some(known) => {
                return Err(format!("\"{name}\" is declared as {:?} and as {connector:?}", known.connector));
            }
        }
    }
    Ok(terminals)
}

/// Names, descriptions and types of the connectors that a row names.
fn named<'a>(element: &'a Element<'a>) -> Vec<(String, &'a str, Connector)> {
    let mut found = Vec::new();
    let mut prefix = String::new();
    for group in &element.groups {
        prefix += group.name;
        found.extend(group.connector.map(|connector| (prefix.clone(), group.text, connector)));
        prefix.push('.');
    }
    if let (Some(connector), Some((name, _))) = (element.connector, element.name.rsplit_once('.')) {
        found.push((prefix + name, element.text, connector));
    }
    found
}

/// FMI has only inputs and outputs in terminals, apart from parameters.
fn members(name: &str, variables: &[Variable]) -> Vec<Member> {
    let member = |(index, variable): (usize, &Variable)| {
        let name = variable.name.strip_prefix(name)?.strip_prefix('.')?;
        let port = matches!(variable.causality, Causality::Input | Causality::Output);
        port.then(|| Member { name: name.to_owned(), index })
    };
    variables.iter().enumerate().filter_map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::{Group, Start};
    use crate::description::{Initial, Kind, Variability};
    use crate::row::{Index, Kind as RowKind};

    fn element(group: Option<Group<'static>>, name: &'static str, connector: Option<Connector>) -> Element<'static> {
        Element {
            kind: RowKind::input,
            slot: 0,
            groups: group.into_iter().collect(),
            name,
            text: "Text",
            index: Index::None,
            unit: None,
            display: None,
            min: None,
            max: None,
            nominal: None,
            derivative: None,
            discrete: false,
            has_start: false,
            connector,
            start: Start::Boolean(false),
        }
    }

    fn variable(name: &str, causality: Causality) -> Variable {
        Variable {
            name: name.to_owned(),
            value_reference: 0,
            description: String::new(),
            causality,
            variability: Variability::Continuous,
            initial: Some(Initial::Calculated),
            kind: Kind::Boolean { start: None },
        }
    }

    #[test]
    fn variables_belong_to_the_connector_of_their_prefix_in_whichever_row() {
        let frame = Group { name: "frame_a", text: "Frame", connector: Some(Connector::Frame_a) };
        let elements = [
            element(Some(frame), "r_0", None),
            element(None, "heatPort.T", Some(Connector::HeatPort_a)),
            element(None, "lossPower", None),
        ];
        let variables = [
            variable("frame_a.r_0", Causality::Input),
            variable("frame_a.f", Causality::Output),
            variable("frame_a.c", Causality::Parameter),
            variable("frame_ab.f", Causality::Output),
            variable("heatPort.T", Causality::Input),
            variable("lossPower", Causality::Output),
        ];
        let found = terminals(&elements, &variables).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|terminal| {
                let members: Vec<_> = terminal.members.iter().map(|member| (&member.name[..], member.index)).collect();
                (&terminal.name[..], &terminal.description[..], terminal.connector, members)
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("frame_a", "Frame", Connector::Frame_a, vec![("r_0", 0), ("f", 1)]),
                ("heatPort", "Text", Connector::HeatPort_a, vec![("T", 4)]),
            ]
        );
    }

    #[test]
    fn two_connectors_of_one_name_are_refused() {
        let axis = |connector| Some(Group { name: "axis", text: "Axis", connector: Some(connector) });
        let elements =
            [element(axis(Connector::Flange_a), "phi", None), element(axis(Connector::Support), "tau", None)];
        assert_eq!(terminals(&elements, &[]).unwrap_err(), "\"axis\" is declared as Flange_a and as Support");
    }
}
