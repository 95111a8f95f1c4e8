//! Connectors with one potential and one flow: shafts, rods, heat.

use super::part::{Part, find, state};
use crate::modelica::ports::Port;

/// The names of a connector's variables, and of additional variables of an FMU.
pub(super) struct Flange {
    potential: &'static str,
    flow: &'static str,
    /// Names and units of the potential's derivatives.
    derivatives: &'static [(&'static str, &'static str)],
}

pub(super) const ROTATIONAL: Flange =
    Flange { potential: "phi", flow: "tau", derivatives: &[("w", "rad/s"), ("a", "rad/s2")] };
pub(super) const TRANSLATIONAL: Flange =
    Flange { potential: "s", flow: "f", derivatives: &[("v", "m/s"), ("a", "m/s2")] };
pub(super) const HEAT: Flange = Flange { potential: "T", flow: "Q_flow", derivatives: &[] };

impl Flange {
    pub fn part(&self, name: &str, ports: &[Port<'_>]) -> Part {
        let mut part = Part::default();
        let potential = find(ports, self.potential);
        match potential {
            Some(port) if port.is_output() => self.given_by_block(&mut part, name, ports, port),
            Some(port) => self.given_by_connector(&mut part, name, ports, port),
            None => {}
        }
        let flow = format!("{name}.{}", self.flow);
        match find(ports, self.flow) {
            Some(port) if !port.is_output() => part.equation(port.whole(), flow),
            // If the block gives the motion, the flow is the constraint force or torque.
            _ if potential.is_some_and(Port::is_output) => {}
            Some(port) => part.equation(flow, port.inflow()),
            None => part.equation(flow, "0"),
        }
        part
    }

    fn given_by_block(&self, part: &mut Part, name: &str, ports: &[Port<'_>], potential: &Port<'_>) {
        let derivatives: Vec<String> = if potential.is_continuous() {
            self.derivatives.iter().map_while(|(name, _)| find(ports, name)).map(Port::whole).collect()
        } else {
            vec!["0".to_owned(); self.derivatives.len()]
        };
        part.equation(format!("{name}.{}", self.potential), state(&potential.whole(), &derivatives));
    }

    fn given_by_connector(&self, part: &mut Part, name: &str, ports: &[Port<'_>], potential: &Port<'_>) {
        let mut last = format!("{name}.{}", self.potential);
        part.equation(potential.whole(), &last);
        let needed = self.derivatives.iter().rposition(|(derivative, _)| find(ports, derivative).is_some());
        for (derivative, unit) in self.derivatives.iter().take(needed.map_or(0, |last| last + 1)) {
            let variable = format!("{name}_{derivative}");
            part.variables.push(format!("Real {variable}(unit = \"{unit}\")"));
            part.equation(&variable, format!("der({last})"));
            if let Some(port) = find(ports, derivative) {
                part.equation(port.whole(), &variable);
            }
            last = variable;
        }
    }
}
