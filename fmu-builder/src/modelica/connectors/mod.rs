//! The equations between a physical connector and the ports of the imported block.
//!
//! Flow variables are cut forces, torques and heat flows into the component on both sides, so they
//! are equal. A motion given from outside is differentiated here. A tool cannot differentiate a motion
//! given by the block; the Standard Library's functions `state1` and `state2` provide its derivatives.

mod flange;
mod frame;

use super::ports::{Port, of_terminal};
use crate::description::{Connector, Description, Terminal};

/// The declarations and equations of a connector.
#[derive(Default)]
pub(super) struct Part {
    /// Declarations of protected variables.
    pub variables: Vec<String>,
    /// Equations, without semicolon.
    pub equations: Vec<String>,
}

impl Part {
    fn equation(&mut self, left: impl AsRef<str>, right: impl AsRef<str>) {
        self.equations.push(format!("{} = {}", left.as_ref(), right.as_ref()));
    }
}

/// The equations of a connector.
pub(super) fn part(description: &Description, terminal: &Terminal) -> Part {
    let ports = of_terminal(description, terminal);
    let name = &terminal.name[..];
    match terminal.connector {
        Connector::Frame_a | Connector::Frame_b => frame::part(name, &ports),
        Connector::Flange_a | Connector::Flange_b | Connector::Support => flange::ROTATIONAL.part(name, &ports),
        Connector::TranslationalFlange_a | Connector::TranslationalFlange_b => flange::TRANSLATIONAL.part(name, &ports),
        Connector::HeatPort_a | Connector::HeatPort_b => flange::HEAT.part(name, &ports),
    }
}

/// The functions that provide the derivatives of their result.
const ADAPTORS: &str = "Modelica.Blocks.Interfaces.Adaptors.Functions";

/// A motion of which the first or the first two derivatives are known.
fn state(value: &str, derivatives: &[String]) -> String {
    match derivatives {
        [] => value.to_owned(),
        [first, ..] => {
            let known = derivatives.len().min(2);
            let second = derivatives.get(1).map(|second| format!(", {second}")).unwrap_or_default();
            format!("{ADAPTORS}.state{known}({{{value}, {first}{second}}}, time)")
        }
    }
}

fn find<'a, 'b>(ports: &'a [Port<'b>], name: &str) -> Option<&'a Port<'b>> {
    ports.iter().find(|port| port.name == name)
}
