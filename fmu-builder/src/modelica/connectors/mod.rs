//! The equations between a physical connector and the ports of the imported block.
//!
//! Flow variables are cut forces, torques and heat flows into the component on both sides, so they
//! are equal. A motion given from outside is differentiated here. A tool cannot differentiate a motion
//! given by the block; the Standard Library's functions `state1` and `state2` provide its derivatives.

mod flange;
mod frame;
mod part;

use super::ports::of_terminal;
use crate::description::{Connector, Description, Terminal};
use part::Part;

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
