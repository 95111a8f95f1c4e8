//! Coordinate systems of MultiBody.

use super::part::{Part, find, state};
use crate::modelica::names::list;
use crate::modelica::ports::Port;

const MATRICES: &str = "Modelica.Mechanics.MultiBody.Frames.TransformationMatrices";
const ORIENTATIONS: [&str; 3] = ["R.T", "Q", "phi"];

pub(super) fn part(name: &str, ports: &[Port<'_>]) -> Part {
    let mut part = Part::default();
    let given_by_block = find(ports, "r_0").is_some_and(Port::is_output);
    if given_by_block {
        motion_of_block(&mut part, name, ports);
    } else {
        motion_of_connector(&mut part, name, ports);
    }
    for flow in ["f", "t"] {
        let cut = format!("{name}.{flow}");
        match find(ports, flow) {
            Some(port) if !port.is_output() => part.equation(port.whole(), cut),
            _ if given_by_block => {}
            Some(port) => part.equation(cut, port.inflow()),
            None => part.equation(cut, "zeros(3)"),
        }
    }
    part
}

/// The block gives the orientation, whatever the frame is connected to.
fn motion_of_block(part: &mut Part, name: &str, ports: &[Port<'_>]) {
    part.equations.push(format!("Connections.root({name}.R)"));
    for (vector, derivatives) in [("r_0", ["v_0", "a_0"]), ("R.w", ["z", ""])] {
        let Some(port) = find(ports, vector) else { continue };
        let rates: Vec<Vec<String>> =
            derivatives.into_iter().map_while(|rate| find(ports, rate)).map(Port::elements).collect();
        let element = |(i, value): (usize, &String)| {
            let rates: Vec<String> = rates.iter().map(|rate| rate[i].clone()).collect();
            state(value, &rates)
        };
        part.equation(format!("{name}.{vector}"), list(port.elements().iter().enumerate().map(element)));
    }
    if let Some(port) = ORIENTATIONS.into_iter().find_map(|orientation| find(ports, orientation)) {
        let given = port.whole();
        let matrix = match port.name {
            "Q" => format!("{MATRICES}.from_Q({given})"),
            "phi" => format!("{MATRICES}.axesRotations({{1, 2, 3}}, {given})"),
            _ => given,
        };
        part.equation(format!("{name}.R.T"), matrix);
    }
}

fn motion_of_connector(part: &mut Part, name: &str, ports: &[Port<'_>]) {
    let has = |port: &str| find(ports, port).is_some();
    let velocity = format!("{name}_v_0");
    if has("v_0") || has("a_0") {
        part.variables.push(format!("Real {velocity}[3](each unit = \"m/s\")"));
        part.equation(&velocity, format!("der({name}.r_0)"));
    }
    for port in ports.iter().filter(|port| !port.is_output()) {
        let value = match port.name {
            "r_0" => format!("{name}.r_0"),
            "R.T" => format!("{name}.R.T"),
            "Q" => format!("{MATRICES}.to_Q({name}.R.T)"),
            "phi" => format!("{MATRICES}.axesRotationsAngles({name}.R.T, {{1, 2, 3}})"),
            "R.w" => format!("{name}.R.w"),
            "v_0" => velocity.clone(),
            "a_0" => format!("der({velocity})"),
            "z" => format!("der({name}.R.w)"),
            _ => continue,
        };
        part.equation(port.whole(), value);
    }
}
