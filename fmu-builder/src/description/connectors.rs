//! The connectors that the rows of a declaration name, with the variables that belong to them.

use fmu_exchange::NamedConnector;

use super::types::{Causality, Member, Terminal, Variable};

/// Returns the terminals that have variables, in the order in which their connectors are named.
pub fn terminals(connectors: &[NamedConnector], variables: &[Variable]) -> Result<Vec<Terminal>, String> {
    let mut terminals: Vec<Terminal> = Vec::new();
    for NamedConnector { path, connector } in connectors {
        let (name, description, connector) =
            (name(path), path.last().map_or("", |(_, text)| text.as_str()), *connector);
        match terminals.iter().find(|terminal| terminal.name == name) {
            None => {
                let members = members(&name, variables);
                terminals.push(Terminal { name, description: description.to_owned(), connector, members });
            }
            Some(known) if known.connector == connector => {}
            Some(known) => {
                return Err(format!("\"{name}\" is declared as {:?} and as {connector:?}", known.connector));
            }
        }
    }
    terminals.retain(|terminal| !terminal.members.is_empty());
    Ok(terminals)
}

/// Returns the name of a path; groups without a name add nothing.
fn name(path: &[(String, String)]) -> String {
    path.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".")
}

/// Returns the variables of a terminal: FMI has only inputs and outputs there, apart from parameters.
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
    use std::sync::Arc;

    use fmu_exchange::Connector;

    use super::*;
    use crate::description::{Initial, Variability, VariableType};

    fn named(path: &[(&str, &str)], connector: Connector) -> NamedConnector {
        let path = path.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        NamedConnector { path, connector }
    }

    fn variable(name: &str, causality: Causality) -> Variable {
        Variable {
            name: name.to_owned(),
            value_reference: 0,
            description: String::new(),
            causality,
            variability: Variability::Continuous,
            initial: Some(Initial::Calculated),
            attributes: Arc::default(),
            kind: VariableType::Boolean { start: None },
        }
    }

    #[test]
    fn variables_belong_to_the_connector_of_their_prefix_in_whichever_row() {
        let connectors = [
            named(&[("frame_a", "Frame")], Connector::Frame_a),
            named(&[("axle", "Axle"), ("", "Ports"), ("heatPort", "Heat")], Connector::HeatPort_a),
            named(&[("support", "Housing")], Connector::Support),
        ];
        let variables = [
            variable("frame_a.r_0", Causality::Input),
            variable("frame_a.f", Causality::Output),
            variable("frame_a.c", Causality::Parameter),
            variable("frame_ab.f", Causality::Output),
            variable("axle.heatPort.T", Causality::Input),
            variable("lossPower", Causality::Output),
        ];
        let found = terminals(&connectors, &variables).unwrap();
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
                ("axle.heatPort", "Heat", Connector::HeatPort_a, vec![("T", 4)]),
            ]
        );
    }

    #[test]
    fn two_connectors_of_one_name_are_refused() {
        let connectors =
            [Connector::Flange_a, Connector::Support].map(|connector| named(&[("axis", "Axis")], connector));
        assert_eq!(terminals(&connectors, &[]).unwrap_err(), "\"axis\" is declared as Flange_a and as Support");
    }
}
