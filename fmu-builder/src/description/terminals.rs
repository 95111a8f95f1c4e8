//! `terminalsAndIcons.xml` as defined by FMI 3.0: the variables of each connector, and the icon.

use fmu_exchange::Standard;

use crate::description::arrays::Group;
use crate::description::icon::Icon;
use crate::description::model_description_3::variables_3;
use crate::description::xml::{Element, Xml};
use crate::description::{Causality, Description, Terminal};
use crate::error::Error;

/// Half the width of the coordinate system, FMI's and Modelica's default.
const HALF: f64 = 100.0;

/// Writes `terminalsAndIcons/terminalsAndIcons.xml`; `icon` is a file in the same folder.
///
/// # Errors
///
/// Those of writing XML, which do not occur with our own descriptions.
pub fn terminals_and_icons(description: &Description, standard: Standard, icon: &Icon) -> Result<String, Error> {
    let arrays = match standard {
        Standard::Fmi2 => Vec::new(),
        Standard::Fmi3 => variables_3(description),
    };
    let mut xml = Xml::new()?;
    xml.open(Element::new("fmiTerminalsAndIcons").attribute("fmiVersion", "3.0"))?;
    xml.open(Element::new("GraphicalRepresentation"))?;
    xml.empty(area("CoordinateSystem", HALF)?.attribute("suggestedScalingFactorTo_mm", "0.1"))?;
    xml.empty(area("Icon", HALF * f64::from(icon.height) / f64::from(icon.width))?)?;
    xml.close("GraphicalRepresentation")?;
    if !description.terminals.is_empty() {
        xml.open(Element::new("Terminals"))?;
        for of_terminal in &description.terminals {
            terminal(&mut xml, description, &arrays, of_terminal)?;
        }
        xml.close("Terminals")?;
    }
    xml.close("fmiTerminalsAndIcons")?;
    Ok(xml.into_text())
}

/// Makes an element with the corners of a rectangle about the origin.
fn area(name: &'static str, half_height: f64) -> Result<Element, Error> {
    let owner = || name.to_owned();
    Element::new(name)
        .real("x1", -HALF, owner)?
        .real("y1", -half_height, owner)?
        .real("x2", HALF, owner)?
        .real("y2", half_height, owner)
}

/// Writes a terminal; the members of the `arrays` are not listed one by one.
fn terminal(xml: &mut Xml, description: &Description, arrays: &[Group<'_>], terminal: &Terminal) -> Result<(), Error> {
    xml.open(
        Element::new("Terminal")
            .attribute("name", &terminal.name)
            .attribute("matchingRule", "plug")
            .attribute("terminalKind", terminal.connector.class())
            .text("description", &terminal.description),
    )?;
    for member in &terminal.members {
        let variable = &description.variables[member.index];
        let array = arrays.iter().find(|array| !array.dimensions.is_empty() && array.members.contains(&member.index));
        let (variable_name, member_name) = match array {
            None => (variable.name.as_str(), member.name.as_str()),
            Some(array) if array.members.start == member.index => {
                (array.name, member.name.rsplit_once('[').map_or(&*member.name, |(name, _)| name))
            }
            Some(_) => continue,
        };
        let is_out = description.outflow && variable.causality == Causality::Output;
        let kind = match terminal.is_flow(member.name.split('[').next().unwrap_or_default()) {
            true if is_out => "outflow",
            true => "inflow",
            false => "signal",
        };
        xml.empty(
            Element::new("TerminalMemberVariable")
                .attribute("variableName", variable_name)
                .attribute("memberName", member_name)
                .attribute("variableKind", kind),
        )?;
    }
    xml.close("Terminal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{assembly, description};

    fn icon() -> Icon {
        Icon { width: 80, height: 40, png: Vec::new() }
    }

    #[test]
    fn variables_are_grouped_by_connector() {
        let text = terminals_and_icons(&assembly(), Standard::Fmi2, &icon()).unwrap();
        let frame = "<Terminal name=\"frame_a\" matchingRule=\"plug\" \
                     terminalKind=\"Modelica.Mechanics.MultiBody.Interfaces.Frame_a\" description=\"About frame_a\">";
        assert!(text.contains(frame), "{text}");
        for (variable, member, kind) in [
            ("frame_a.R.T[1,2]", "R.T[1,2]", "signal"),
            ("frame_a.f[3]", "f[3]", "inflow"),
            ("flange_b.tau", "tau", "inflow"),
            ("heatPort.Q_flow", "Q_flow", "inflow"),
            ("axis.s", "s", "signal"),
        ] {
            let line = format!(
                "<TerminalMemberVariable variableName=\"{variable}\" memberName=\"{member}\" variableKind=\"{kind}\"/>"
            );
            assert_eq!(text.matches(&line).count(), 1, "{line}\n{text}");
        }
        assert!(!text.contains("lossPower"), "{text}");
    }

    #[test]
    fn outputs_may_be_flows_out_of_the_component() {
        let mut reversed = assembly();
        reversed.outflow = true;
        let text = terminals_and_icons(&reversed, Standard::Fmi2, &icon()).unwrap();
        for (variable, kind) in [("frame_a.f[3]", "outflow"), ("axis.f", "inflow"), ("frame_a.R.T[1,2]", "signal")] {
            let line = text.lines().find(|line| line.contains(&format!("\"{variable}\""))).expect(variable);
            assert!(line.contains(&format!("variableKind=\"{kind}\"")), "{line}");
        }
    }

    #[test]
    fn the_icon_keeps_its_proportions() {
        let text = terminals_and_icons(&description(), Standard::Fmi2, &icon()).unwrap();
        assert_eq!(
            text,
            r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
  <GraphicalRepresentation>
    <CoordinateSystem x1="-100.0" y1="-100.0" x2="100.0" y2="100.0" suggestedScalingFactorTo_mm="0.1"/>
    <Icon x1="-100.0" y1="-50.0" x2="100.0" y2="50.0"/>
  </GraphicalRepresentation>
</fmiTerminalsAndIcons>
"#
        );
    }
}
