//! The sign of loads and heat flows at connectors.

use fmu_exchange::{Connector, Enumeration, Index};

use crate::enumeration;
use crate::rows::row::{Attributes, ElementVisitor};

enumeration! {
    /// The sign of the loads and heat flows that are outputs of connectors
    pub enum Flows {
        inflow = "into the component, as in Modelica: the cut load that acts on it",
        outflow = "out of the component: the load that acts on what is attached, so that it can be connected as it is",
    }
}

impl Flows {
    /// The name of the structure option, which each component with such outputs has.
    pub const NAME: &'static str = fmu_exchange::structure::FLOWS;
    /// Description of the structure option.
    pub const TEXT: &'static str = "Sign of loads and heat flows that are outputs of connectors";
}

/// The flow variables of the connectors of a declaration.
#[derive(Default)]
pub struct FlowOutputs {
    /// True if some structure has flow variables, also as inputs.
    pub can_exist: bool,
    /// Positions of the outputs that exist.
    pub slots: Vec<usize>,
    next: usize,
}

impl ElementVisitor for FlowOutputs {
    fn real(&mut self, attributes: &Attributes<'_>, _: Index, _: f64) {
        let connector: Option<Connector> = attributes.prefix.and_then(|prefix| prefix.connector);
        if connector.is_some_and(|connector| connector.flows().contains(&attributes.name)) {
            self.can_exist = true;
            if attributes.exists && attributes.kind.is_computed() {
                self.slots.push(self.next);
            }
        }
        self.next += 1;
    }
    fn integer(&mut self, _: &Attributes<'_>, _: Index, _: i32) {}
    fn enumeration(&mut self, _: &Attributes<'_>, _: &'static Enumeration, _: i32) {}
    fn boolean(&mut self, _: &Attributes<'_>, _: bool) {}
    fn string(&mut self, _: &Attributes<'_>, _: &'static str) {}
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {}
}
