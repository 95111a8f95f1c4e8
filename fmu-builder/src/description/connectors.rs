//! The connectors that the rows of a declaration name, with the variables that belong to them.

use std::collections::HashMap;

use fmu_exchange::NamedConnector;

use super::types::{Causality, Member, Terminal, Variable};

/// Returns the terminals that have variables, in the order in which their connectors are named.
pub fn terminals(connectors: &[NamedConnector], variables: &[Variable]) -> Result<Vec<Terminal>, String> {
    let mut terminals: Vec<Terminal> = Vec::new();
    // Large systems have as many connectors as variables.
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for NamedConnector { path, connector } in connectors {
        let (name, description, connector) =
            (name(path), path.last().map_or("", |(_, text)| text.as_str()), *connector);
        match by_name.get(&name).map(|index| terminals[*index].connector) {
            None => {
                by_name.insert(name.clone(), terminals.len());
                terminals.push(Terminal { name, description: description.to_owned(), connector, members: Vec::new() });
            }
            Some(known) if known == connector => {}
            Some(known) => return Err(format!("\"{name}\" is declared as {known:?} and as {connector:?}")),
        }
    }
    for (index, variable) in variables.iter().enumerate() {
        // Apart from parameters, FMI has only inputs and outputs in terminals.
        if !matches!(variable.causality, Causality::Input | Causality::Output) {
            continue;
        }
        for (dot, _) in variable.name.match_indices('.') {
            if let Some(terminal) = by_name.get(&variable.name[..dot]) {
                let name = variable.name[dot + 1..].to_owned();
                terminals[*terminal].members.push(Member { name, index });
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
