//! The text of one model.

use super::connectors::part;
use super::names::{block, elements, identifier, list, sizes, text};
use super::parameters::{Parameters, parameters};
use super::placement;
use super::ports::{Port, signals};
use crate::description::documentation::article;
use crate::description::icon::Icon;
use crate::description::{Description, VariableType};

/// Name of the package of all models.
pub(super) const PACKAGE: &str = "MechanicalFMUs";

/// The model of an FMU; `icon` is the drawing among the package's resources.
pub(super) fn wrapper(description: &Description, icon: &Icon) -> String {
    let name = &description.name;
    let block = block(name);
    let parameters = parameters(description);
    let signals = Signals::new(description);
    let parts: Vec<_> = description.terminals.iter().map(|terminal| part(description, terminal)).collect();

    let mut text = format!("within {PACKAGE};\nmodel {name} {}\n", self::text(&description.description));
    statement(
        &mut text,
        &format!(
            "replaceable model FMU = .{block}\n    {}\n    annotation (choicesAllMatching = true)",
            self::text("Block that the tool made of the FMU")
        ),
    );
    for declaration in parameters.declarations.iter().chain(&connectors(description)).chain(&signals.declarations) {
        statement(&mut text, declaration);
    }
    statement(&mut text, &instance(&parameters));
    let derivatives: Vec<_> = parts.iter().flat_map(|part| &part.variables).collect();
    if !derivatives.is_empty() {
        text += "protected\n";
        derivatives.into_iter().for_each(|variable| statement(&mut text, variable));
    }
    text += "equation\n";
    for equation in parts.iter().flat_map(|part| &part.equations).chain(&signals.equations) {
        statement(&mut text, equation);
    }
    text += &annotation(description, &parameters, icon);
    text + &format!("end {name};\n")
}

fn statement(text: &mut String, statement: &str) {
    *text += &format!("  {statement};\n");
}

fn connectors(description: &Description) -> Vec<String> {
    let places = placement::connectors(&description.terminals);
    let declaration = |(terminal, (x, y)): (&crate::description::Terminal, (f64, f64))| {
        let class = terminal.connector.class();
        let half = if class.contains(".MultiBody.") { 16.0 } else { 10.0 };
        format!("{class} {} {}\n    {}", terminal.name, text(&terminal.description), placed(x, y, half))
    };
    description.terminals.iter().zip(places).map(declaration).collect()
}

fn placed(x: f64, y: f64, half: f64) -> String {
    let extent = format!("{{{{{}, {}}}, {{{}, {}}}}}", x - half, y - half, x + half, y + half);
    format!("annotation (Placement(transformation(extent = {extent})))")
}

/// The imported block with its parameters.
fn instance(parameters: &Parameters) -> String {
    let placed = placed(0.0, 0.0, 40.0);
    if parameters.modifications.is_empty() {
        return format!("FMU fmu\n    {placed}");
    }
    format!("FMU fmu(\n    {})\n    {placed}", parameters.modifications.join(",\n    "))
}

/// Inputs and outputs that belong to no physical connector.
#[derive(Default)]
struct Signals {
    declarations: Vec<String>,
    equations: Vec<String>,
}

impl Signals {
    fn new(description: &Description) -> Self {
        let mut signals = Self::default();
        let (outputs, inputs): (Vec<_>, Vec<_>) =
            self::signals(description).into_iter().partition(|port| port.is_output());
        for (ports, x) in [(inputs, -120.0), (outputs, 110.0)] {
            let count = ports.len();
            for (index, port) in ports.iter().enumerate() {
                signals.add(port, x, placement::signal(index, count));
            }
        }
        signals
    }

    fn add(&mut self, port: &Port<'_>, x: f64, y: f64) {
        let first = &port.variables[0];
        let (kind, unit) = match &first.kind {
            VariableType::Real { unit, .. } => ("Real", unit.as_deref()),
            VariableType::Integer { .. } => ("Integer", None),
            VariableType::Boolean { .. } => ("Boolean", None),
            // The Standard Library has no connectors for these.
            VariableType::String { .. } | VariableType::Enumeration { .. } => return,
        };
        let name = identifier(port.name);
        let each = if port.dimensions.is_empty() { "" } else { "each " };
        let unit = unit.map(|unit| format!("({each}unit = {})", text(unit))).unwrap_or_default();
        let (direction, half) = if port.is_output() { ("Output", 10.0) } else { ("Input", 20.0) };
        self.declarations.push(format!(
            "Modelica.Blocks.Interfaces.{kind}{direction} {name}{}{unit} {}\n    {}",
            sizes(&port.dimensions),
            text(&first.description),
            placed(x, y, half)
        ));
        for (element, of_block) in elements(&name, &port.dimensions).into_iter().zip(port.elements()) {
            let (left, right) = if port.is_output() { (element, of_block) } else { (of_block, element) };
            self.equations.push(format!("{left} = {right}"));
        }
    }
}

fn annotation(description: &Description, parameters: &Parameters, icon: &Icon) -> String {
    let name = &description.name;
    let half = 100.0 * f64::from(icon.height) / f64::from(icon.width);
    let graphics = list([
        format!(
            "Bitmap(extent = {{{{-100, -{half}}}, {{100, {half}}}}}, fileName = \"{}\")",
            format_args!("modelica://{PACKAGE}/Resources/Images/{name}.png")
        ),
        "Text(extent = {{-150, 160}, {150, 120}}, textColor = {0, 0, 255}, textString = \"%name\")".to_owned(),
    ]);
    let info = text(&info(description, parameters));
    format!("  annotation (\n    Icon(graphics = {graphics}),\n    Documentation(info = {info}));\n")
}

/// The documentation of the model.
fn info(description: &Description, parameters: &Parameters) -> String {
    let name = &description.name;
    let mut info = format!(
        "<html>\n{}<p>The model holds the block {block} that OpenModelica makes of {name}.fmu: import the FMU first \
         (File, Import, FMU, with both kinds of connector pins).</p>\n",
        article(&description.documentation),
        block = block(name),
    );
    if !parameters.fixed.is_empty() {
        info += &format!(
            "<p>OpenModelica hands no enumerations to an FMU, so these are as they were when the FMU was built: {}.</p>\n",
            parameters.fixed.join(", ")
        );
    }
    info + "</html>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{assembly, description};

    fn icon() -> Icon {
        Icon { width: 80, height: 40, png: Vec::new() }
    }

    fn model() -> String {
        wrapper(&assembly(), &icon())
    }

    /// Checks that a model has these statements, each once.
    fn has(statements: &[&str]) {
        let text = model();
        for statement in statements {
            assert_eq!(text.matches(statement).count(), 1, "{statement}\n{text}");
        }
    }

    #[test]
    fn motion_from_outside_is_differentiated() {
        has(&[
            "{fmu.frame_a_r_0_1_, fmu.frame_a_r_0_2_, fmu.frame_a_r_0_3_} = frame_a.r_0;",
            "{{fmu.frame_a_R_T_1_1_, fmu.frame_a_R_T_1_2_, fmu.frame_a_R_T_1_3_}, \
             {fmu.frame_a_R_T_2_1_, fmu.frame_a_R_T_2_2_, fmu.frame_a_R_T_2_3_}, \
             {fmu.frame_a_R_T_3_1_, fmu.frame_a_R_T_3_2_, fmu.frame_a_R_T_3_3_}} = frame_a.R.T;",
            "frame_a_v_0 = der(frame_a.r_0);",
            "{fmu.frame_a_a_0_1_, fmu.frame_a_a_0_2_, fmu.frame_a_a_0_3_} = der(frame_a_v_0);",
            "{fmu.frame_a_z_1_, fmu.frame_a_z_2_, fmu.frame_a_z_3_} = der(frame_a.R.w);",
            "frame_a.f = {fmu.frame_a_f_1_, fmu.frame_a_f_2_, fmu.frame_a_f_3_};",
            "fmu.flange_a_phi = flange_a.phi;",
            "flange_a_w = der(flange_a.phi);",
            "fmu.flange_a_a = flange_a_a;",
            "flange_a.tau = fmu.flange_a_tau;",
            "fmu.heatPort_T = heatPort.T;",
            "heatPort.Q_flow = fmu.heatPort_Q_flow;",
        ]);
    }

    #[test]
    fn motion_of_the_block_has_known_derivatives() {
        const STATE2: &str = "Modelica.Blocks.Interfaces.Adaptors.Functions.state2";
        const STATE1: &str = "Modelica.Blocks.Interfaces.Adaptors.Functions.state1";
        has(&[
            &format!(
                "frame_ia.r_0 = {{{STATE2}({{fmu.frame_ia_r_0_1_, fmu.frame_ia_v_0_1_, fmu.frame_ia_a_0_1_}}, time), "
            ),
            &format!("frame_ia.R.w = {{{STATE1}({{fmu.frame_ia_R_w_1_, fmu.frame_ia_z_1_}}, time), "),
            &format!("frame_ib.r_0 = {{{STATE1}({{fmu.frame_ib_r_0_1_, fmu.frame_ib_v_0_1_}}, time), "),
            "frame_ib.R.w = {fmu.frame_ib_R_w_1_, fmu.frame_ib_R_w_2_, fmu.frame_ib_R_w_3_};",
            "Connections.root(frame_ia.R);",
            "{fmu.frame_ia_t_1_, fmu.frame_ia_t_2_, fmu.frame_ia_t_3_} = frame_ia.t;",
            &format!("flange_b.phi = {STATE2}({{fmu.flange_b_phi, fmu.flange_b_w, fmu.flange_b_a}}, time);"),
            "fmu.flange_b_tau = flange_b.tau;",
            &format!("axis.s = {STATE2}({{fmu.axis_s, fmu.axis_v, fmu.axis_a}}, time);"),
            "fmu.axis_f = axis.f;",
        ]);
    }

    #[test]
    fn flows_out_of_the_block_change_their_sign() {
        let mut outward = assembly();
        outward.outflow = true;
        let text = wrapper(&outward, &icon());
        for statement in [
            "frame_a.f = -{fmu.frame_a_f_1_, fmu.frame_a_f_2_, fmu.frame_a_f_3_};",
            "flange_a.tau = -fmu.flange_a_tau;",
            "heatPort.Q_flow = -fmu.heatPort_Q_flow;",
            "fmu.flange_b_tau = flange_b.tau;",
        ] {
            assert_eq!(text.matches(statement).count(), 1, "{statement}\n{text}");
        }
    }

    #[test]
    fn what_holds_a_given_motion_is_not_determined() {
        has(&["bearing.phi = Modelica.Blocks.Interfaces.Adaptors.Functions.state2({fmu.bearing_phi, 0, 0}, time);"]);
        assert!(!model().contains("bearing.tau"));
    }

    #[test]
    fn orientations_are_converted() {
        has(&[
            "{fmu.frame_b_Q_1_, fmu.frame_b_Q_2_, fmu.frame_b_Q_3_, fmu.frame_b_Q_4_} = \
             Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.to_Q(frame_b.R.T);",
            "frame_ib.R.T = Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axesRotations({1, 2, 3}, \
             {fmu.frame_ib_phi_1_, fmu.frame_ib_phi_2_, fmu.frame_ib_phi_3_});",
        ]);
    }

    #[test]
    fn parameters_are_handed_on() {
        has(&[
            "parameter Real c[2](each unit = \"N/m\", each min = 0.0) = {1000.0, 2000.0} \"Variable c[1]\"\n    \
             annotation (Dialog(group = \"Parameters\"));",
            "parameter Real angle(unit = \"rad\", displayUnit = \"deg\", max = 1.0) = -0.5 ",
            "parameter Integer count(min = 1, max = 8) = 2 ",
            "parameter Boolean linear = true ",
            "parameter String file = \"a \\\"b\\\"\\\\\\n.csv\" ",
            "parameter Real curve[2, 2](each unit = \"N\") = {{0.0, 1.0}, {2.5, 4.0}} ",
            "c_2_ = c[2]",
            "curve_2_1_ = curve[2, 1]",
        ]);
        assert!(!model().contains("dir ="));
        assert!(model().contains("when the FMU was built: dir.</p>"));
    }

    #[test]
    fn signals_are_connectors_of_blocks() {
        has(&[
            "Modelica.Blocks.Interfaces.BooleanInput active \"Variable active\"",
            "Modelica.Blocks.Interfaces.RealInput level[2](each unit = \"m\")",
            "Modelica.Blocks.Interfaces.IntegerOutput state ",
            "Modelica.Blocks.Interfaces.RealOutput sensor_r(unit = \"m\")",
            "fmu.level_2_ = level[2];",
            "sensor_r = fmu.sensor_r;",
        ]);
    }

    #[test]
    fn a_tunable_parameter_stays_fixed() {
        let mut tunable = description();
        tunable.variables[1].variability = crate::description::Variability::Tunable;
        let text = wrapper(&tunable, &icon());
        assert!(text.contains("c_1_(fixed = true) = c[1]") && text.contains("c_2_ = c[2]"), "{text}");
    }
}
