//! The text of one model.

use super::block::{self, Block};
use super::calls::{self, forms, input_array, start};
use super::check::{check_names, check_text};
use super::inner_frames::Size;
use super::levels::{LEVELS, LOADS, Levels, LinearSize, signal_names};
use super::names::{identifier, integers, list, sizes, text};
use super::parameters::{Parameters, parameters};
use super::placement;
use super::visualizers::{self, Drawing};
use crate::description::documentation::article;
use crate::description::icon::Icon;
use crate::description::{Causality, Description, VariableType};

/// Name of the package of all models.
pub(super) const PACKAGE: &str = "MechanicalFMUs";

/// Writes the model of an FMU, or says why there is none; `icon` is the drawing among the package's resources.
pub(super) fn model(description: &Description, icon: &Icon) -> Result<String, String> {
    let name = &description.name;
    let shapes = visualizers::shapes(description)?;
    let parameters = parameters(description, &[], &shapes);
    let mut levels = Levels::new(description)?;
    let drawing = Drawing::new(description, &parameters.names, &mut levels, &shapes)?;
    let block = levels.is_block().then(|| Block::new(description, &levels)).transpose()?;
    let own = if block.is_some() { block::OWN } else { "" };
    let variables = levels.variables.iter().chain(&drawing.variables).map(|(name, _)| name.clone());
    let inside: Vec<_> = variables.chain(levels.inner.parameter_names()).collect();
    check_names(description, &parameters, &inside, &shapes, &(own.to_owned() + &description.modelica))?;

    let mut text = format!("within {PACKAGE};\nmodel {name} {}\n", self::text(&description.description));
    let mut declarations = parameters.declarations.clone();
    if !shapes.is_empty() {
        declarations.push(ANIMATION.to_owned());
    }
    if !shapes.is_empty() || description.formulas.values().any(|formula| formula.contains("world.")) {
        declarations.push("outer Modelica.Mechanics.MultiBody.World world".to_owned());
    }
    if levels.linear_size().is_some() {
        let is_linear = levels.is_block() || !levels.takes_others;
        declarations.push(format!("parameter Boolean linearForm = {is_linear} {LINEAR_FORM}"));
    }
    declarations.extend(levels.inner.parameters());
    declarations.extend(connectors(description));
    declarations.extend(signals(description));
    declarations.extend(drawing.shapes);
    statements(&mut text, &declarations);
    text += "protected\n";
    statements(&mut text, &levels.inner.counts());
    statements(&mut text, &[instance(name, &description.guid, &parameters, &levels)]);
    statements(&mut text, &["parameter Integer ready(fixed = false)".to_owned()]);
    let declared = |variables: &[(String, String)]| -> Vec<String> {
        variables.iter().map(|(_, declaration)| declaration.clone()).collect()
    };
    statements(&mut text, &declared(&levels.variables));
    statements(&mut text, &values(&levels));
    let [own, initial, equations]: [Vec<String>; 3] = match block {
        Some(block) => [block.declarations(), block.initial(), block.equations()],
        None => [Vec::new(), vec![start("", &input_array(&levels, 0..1))], equations(&levels)],
    };
    statements(&mut text, &own);
    statements(&mut text, &declared(&drawing.variables));
    text += "initial equation\n";
    statements(&mut text, &initial);
    statements(&mut text, &parameters.equations);
    statements(&mut text, &drawing.initial);
    text += "equation\n";
    statements(&mut text, &equations);
    statements(&mut text, &levels.equations);
    text += &description.modelica;
    text += &annotation(description, &parameters, icon);
    text += &format!("end {name};\n");
    check_text(&text)?;
    Ok(text)
}

const LINEAR_FORM: &str = "\"Accelerations and loads as linear equations, which tools solve faster; otherwise as functions\"\n    \
    annotation (Evaluate = true, Dialog(tab = \"Advanced\"), choices(checkBox = true))";

const ANIMATION: &str = "parameter Boolean animation = true \"= true, if animation shall be enabled\"\n    \
    annotation (Dialog(tab = \"Animation\"), choices(checkBox = true))";

pub(super) fn statements(text: &mut String, statements: &[String]) {
    for statement in statements {
        *text += &format!("  {statement};\n");
    }
}

fn connectors(description: &Description) -> Vec<String> {
    let places = placement::connectors(&description.terminals);
    let declaration = |(terminal, place): (&crate::description::Terminal, placement::Placement)| {
        let class = terminal.connector.class();
        let half = place.room.min(if class.contains(".MultiBody.") { 16.0 } else { 10.0 });
        let placed = placed(place.x, place.y, half);
        format!("{class} {} {}\n    {}", identifier(&terminal.name), text(&terminal.description), placed)
    };
    description.terminals.iter().zip(places).map(declaration).collect()
}

fn placed(x: f64, y: f64, half: f64) -> String {
    let extent = format!("{{{{{}, {}}}, {{{}, {}}}}}", x - half, y - half, x + half, y + half);
    format!("annotation (Placement(transformation(extent = {extent})))")
}

/// Returns the declarations of inputs and outputs that belong to no physical connector.
fn signals(description: &Description) -> Vec<String> {
    let (outputs, inputs): (Vec<_>, Vec<_>) =
        signal_names(description).into_iter().partition(|(_, _, first)| first.causality == Causality::Output);
    let mut declarations = Vec::new();
    for (ports, side, direction, half) in [(inputs, -1.0, "Input", 20.0_f64), (outputs, 1.0, "Output", 10.0)] {
        let count = ports.len();
        for (index, (name, dimensions, first)) in ports.into_iter().enumerate() {
            let (kind, unit) = match &first.kind {
                VariableType::Real { unit, .. } => ("Real", unit.as_deref()),
                VariableType::Boolean { .. } => ("Boolean", None),
                _ => ("Integer", None),
            };
            let (y, room) = placement::signal(index, count, !description.terminals.is_empty());
            let half = half.min(room);
            let each = if dimensions.is_empty() { "" } else { "each " };
            let unit = unit.map(|unit| format!("({each}unit = {})", text(unit))).unwrap_or_default();
            declarations.push(format!(
                "Modelica.Blocks.Interfaces.{kind}{direction} {}{}{unit} {}\n    {}",
                identifier(name),
                sizes(&dimensions),
                text(&first.description),
                placed(side * (100.0 + half), y, half)
            ));
        }
    }
    declarations
}

/// Returns the declaration of the external object.
pub(super) fn instance(name: &str, guid: &str, parameters: &Parameters, levels: &Levels) -> String {
    let folder = format!("Modelica.Utilities.Files.loadResource(\"modelica://{PACKAGE}/Resources/FMUs/{name}\")");
    let numbers =
        |references: Vec<&u32>, counts: Vec<usize>| [integers(references), list(counts.iter().map(usize::to_string))];
    let inputs = levels.inputs.iter().flatten().map(|(reference, _)| reference);
    let inputs = levels.states.iter().chain(inputs).collect();
    let outputs = levels.outputs.iter().chain([&levels.drawn]).flatten().collect();
    let counts = std::iter::once(levels.states.len()).chain(levels.inputs.iter().map(Vec::len));
    let mut arguments = vec![folder, text(name), text(guid)];
    arguments.extend(parameters.arguments());
    arguments.extend(numbers(inputs, counts.collect()));
    let output_counts = levels.outputs.iter().chain([&levels.drawn]).map(Vec::len);
    arguments.extend(numbers(outputs, output_counts.collect()));
    arguments.push(list(levels.frames.iter().map(usize::to_string).chain(levels.inner.numbers())));
    format!("Internal.Instance fmu = Internal.Instance(\n    {})", arguments.join(",\n    "))
}

/// Returns the declarations of the inputs and outputs of all levels as arrays.
fn values(levels: &Levels) -> Vec<String> {
    let mut values = Vec::new();
    for (level, inputs) in levels.inputs.iter().enumerate() {
        if level == LOADS && !levels.inner.0.is_empty() {
            values.push(format!("Real in{level}[{}]", levels.load_size()));
        } else if !inputs.is_empty() {
            let elements = list(inputs.iter().map(|(_, value)| value.clone()));
            values.push(format!("Real in{level}[{}] = {elements}", inputs.len()));
        }
    }
    for (level, outputs) in levels.outputs.iter().enumerate() {
        if !outputs.is_empty() {
            values.push(format!("Real out{level}[{}]", levels.output_size(level)));
        }
    }
    if !levels.drawn.is_empty() {
        values.push(format!("Real drawn[{}] \"What is drawn or followed inside of the FMU\"", levels.drawn.len()));
    }
    if let Some(size) = levels.linear_size() {
        let rows = size.rows();
        values.push(format!("Real factors{}", sizes(&size.factors)));
        values.extend(size.others.map(|others| format!("Real others{}", sizes(&others))));
        values.push(format!("Real rest[{rows}]"));
    }
    values
}

fn equations(levels: &Levels) -> Vec<String> {
    let loads =
        format!("out3 = Internal.loads(fmu, ready, {}, {})", levels.output_size(LOADS), input_array(levels, 0..LEVELS));
    let mut equations = match levels.linear_size() {
        Some(size) => motions(levels, &size, loads),
        None => vec![loads],
    };
    equations.extend(calls::drawn(levels, "0"));
    equations.extend(levels.load_equations());
    equations
}

/// Returns the equations of positions and velocities, then of accelerations and loads.
fn motions(levels: &Levels, size: &LinearSize, loads: String) -> Vec<String> {
    let [positions, velocities, moving, nf] = [0, 1, 2, LOADS].map(|level| levels.output_size(level));
    let (rows, nz, nl) = (size.rows(), levels.inputs[2].len(), levels.load_size());
    let behind = Size { rest: moving.rest + 1, ..moving };
    vec![
        format!("out0 = Internal.positions(fmu, ready, {positions}, in0)"),
        format!("out1 = Internal.velocities(fmu, ready, {velocities}, in0, in1)"),
        forms(
            size,
            &[
                format!(
                    "(factors, others, rest) = Internal.linear(fmu, ready, {moving}, {nz}, {nf}, {nl}, {})",
                    input_array(levels, 0..2)
                ),
                format!("out2 = factors*in2 + rest[1:{moving}]"),
                format!("out3 = others*{} + rest[{behind}:{rows}]", input_array(levels, 2..LEVELS)),
            ],
            &[format!("out2 = Internal.accelerations(fmu, ready, {moving}, in0, in1, in2)"), loads],
        ),
    ]
}

pub(super) fn annotation(description: &Description, parameters: &Parameters, icon: &Icon) -> String {
    let name = &description.name;
    let half = 100.0 * f64::from(icon.height) / f64::from(icon.width);
    let graphics = list([
        format!(
            "Bitmap(extent = {{{{-100, -{half}}}, {{100, {half}}}}}, fileName = \"{}\")",
            format_args!("modelica://{PACKAGE}/Resources/Images/{name}.png")
        ),
        "Text(extent = {{-150, 160}, {150, 120}}, textColor = {0, 0, 255}, textString = \"%name\")".to_owned(),
    ]);
    let mut info = format!("<html>\n{}", article(&description.documentation));
    if !parameters.fixed.is_empty() {
        info += &format!("<p>These are as they were when the FMU was built: {}.</p>\n", parameters.fixed.join(", "));
    }
    let info = text(&(info + "</html>"));
    format!("  annotation (\n    Icon(graphics = {graphics}),\n    Documentation(info = {info}));\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::description::{ModelStructure, Variability, Variable};
    use crate::example::{assembly, movable};

    /// Returns the model, or why there is none.
    pub(crate) fn written(description: &Description) -> Result<String, String> {
        model(description, &Icon { width: 80, height: 40, png: Vec::new() })
    }

    /// Checks that a model has these statements, each once.
    pub(crate) fn has(description: &Description, statements: &[&str]) {
        let text = written(description).unwrap();
        for statement in statements {
            assert_eq!(text.matches(statement).count(), 1, "{statement}\n{text}");
        }
    }

    #[test]
    fn levels_have_frames_first() {
        has(
            &movable(),
            &[
                "Real in0[13] = {frame_a.r_0[1], frame_a.r_0[2], frame_a.r_0[3], frame_a.R.T[1, 1], ",
                "frame_a.R.T[3, 3], flange_a.phi};",
                "Real frame_a_v_0[3](each unit = \"m/s\") = der(frame_a.r_0);",
                "Real in1[7] = {frame_a_v_0[1], frame_a_v_0[2], frame_a_v_0[3], frame_a.R.w[1], ",
                "Real flange_a_w = der(flange_a.phi);",
                "der(frame_a.R.w[3]), der(flange_a_w)};",
                "    in3[6] = frame_ia.t[3];\n  else\n",
                "  in3[6*innerFrames + 1] = flange_b.tau;",
                "  in3[6*innerFrames + 2] = axis.f;",
                "  in3[6*innerFrames + 3] = heatPort.T;",
                "  in3[6*innerFrames + 5] = level[2];",
                "{0, 13, 7, 7, 11}",
                "{14, 8, 8, 9, 0}",
                "{1, 1, (if use_frame_ia then 1 else 0)});",
                "ready = Internal.start(fmu, time, in0);",
                "out0 = Internal.positions(fmu, ready, 12*innerFrames + 2, in0);",
                "out1 = Internal.velocities(fmu, ready, 6*innerFrames + 2, in0, in1);",
                "Real factors[6*innerFrames + 2, 7];",
                "Real others[9, 6*innerFrames + 12];",
                "(factors, others, rest) = \
                 Internal.linear(fmu, ready, 6*innerFrames + 2, 7, 9, 6*innerFrames + 5, cat(1, in0, in1));",
                "out2 = factors*in2 + rest[1:6*innerFrames + 2];",
                "out3 = others*cat(1, in2, in3) + rest[6*innerFrames + 3:6*innerFrames + 11];",
                "out3 = Internal.loads(fmu, ready, 9, cat(1, in0, in1, in2, in3));",
                "frame_a.f = out3[1:3];",
                "heatPort.Q_flow = out3[8];",
                "Connections.root(frame_ia.R);",
                "flange_b.phi = Modelica.Blocks.Interfaces.Adaptors.Functions.state2({out0[12*innerFrames + 1], out1[6*innerFrames + 1], out2[6*innerFrames + 1]}, time);",
                "bearing.phi = 0;",
                "sensor_r = out3[9];",
            ],
        );
    }

    #[test]
    fn inner_frames_can_be_left_out() {
        has(
            &movable(),
            &[
                "  parameter Boolean use_frame_ia = true ",
                "  final parameter Integer innerFrames = (if use_frame_ia then 1 else 0) ",
                "  Real in3[6*innerFrames + 5];",
                "  Connections.root(frame_ia.R);\n  if use_frame_ia then\n    frame_ia.r_0 = {Modelica.Blocks.Interfaces.Adaptors.\
                 Functions.state2({out0[1], out1[1], out2[1]}, time), ",
                "  else\n    (frame_ia.r_0, frame_ia.R.T, frame_ia.R.w) = Internal.innerFrame(fmu, ready, 1, cat(1, in0, in1));\n    \
                 assert(frame_ia.f*frame_ia.f + frame_ia.t*frame_ia.t <= 0, \"frame_ia carries a load, but use_frame_ia = false says \
                 that nothing is connected to it\");\n  end if;",
            ],
        );
    }

    #[test]
    fn the_numbers_of_later_frames_follow_those_in_use() {
        let mut description = movable();
        let first = description.terminals.iter().position(|terminal| terminal.name == "frame_ia").unwrap();
        let mut second = description.terminals[first].clone();
        "frame_im".clone_into(&mut second.name);
        for member in &mut second.members {
            let variable = &description.variables[member.index];
            let name = variable.name.replace("frame_ia", "frame_im");
            let value_reference = 1000 + variable.value_reference;
            let variable = Variable { name, value_reference, ..variable.clone() };
            member.index = description.variables.len();
            description.variables.push(variable);
        }
        description.terminals.insert(first + 1, second);
        has(
            &description,
            &[
                "  final parameter Integer before_frame_im = (if use_frame_ia then 1 else 0) ",
                "  final parameter Integer innerFrames = (if use_frame_ia then 1 else 0) + (if use_frame_im then 1 else 0) ",
                "frame_im.r_0 = {Modelica.Blocks.Interfaces.Adaptors.Functions.state2({out0[12*before_frame_im + 1], \
                 out1[6*before_frame_im + 1], out2[6*before_frame_im + 1]}, time), ",
                "out0[12*before_frame_im + 12]}};",
                "    in3[6*before_frame_im + 6] = frame_im.t[3];",
                "Internal.innerFrame(fmu, ready, 2, cat(1, in0, in1));",
                "{1, 2, (if use_frame_ia then 1 else 0), (if use_frame_im then 1 else 0)});",
            ],
        );
    }

    #[test]
    fn flows_out_of_the_component_change_their_sign() {
        let outward = Description { outflow: true, ..movable() };
        has(&outward, &["frame_a.f = -out3[1:3];", "flange_a.tau = -out3[7];", "heatPort.Q_flow = -out3[8];"]);
    }

    #[test]
    fn the_linear_form_is_the_default_where_only_loads_are_taken() {
        has(&movable(), &["parameter Boolean linearForm = false "]);
        let mut loads = movable();
        let is_other = |name: &str| name.starts_with("level") || name.starts_with("heatPort.");
        loads.terminals.retain(|terminal| terminal.name != "heatPort");
        loads.variables.iter_mut().filter(|variable| is_other(&variable.name)).for_each(|variable| {
            variable.causality = Causality::Local;
        });
        has(&loads, &["parameter Boolean linearForm = true "]);
    }

    #[test]
    fn parameters_are_handed_on() {
        let mut description = movable();
        description.enumerations.clear();
        has(
            &description,
            &[
                "parameter Real c[2](each unit = \"N/m\", each min = 0.0) = {1000.0, 2000.0} \"Variable c[1]\"\n    \
                 annotation (Dialog(group = \"Parameters\"));",
                "parameter Real angle(unit = \"rad\", displayUnit = \"deg\", max = 1.0) = -0.5 ",
                "parameter Integer count(min = 1, max = 8) = 2 ",
                "parameter Boolean linear = true ",
                "parameter Real curve[2, 2](each unit = \"N\") = {{0.0, 1.0}, {2.5, 4.0}} ",
                "{c[1], c[2], angle, curve[1, 1], curve[1, 2], curve[2, 1], curve[2, 2]}",
                "{count, Integer(dir)}",
                "{(if linear then 1 else 0)}",
                "when the FMU was built: file.</p>",
            ],
        );
    }

    #[test]
    fn dialogs_have_the_groups_of_the_declaration() {
        let mut description = movable();
        let headings = [("angle", "shape of the rod"), ("linear", "stiffness"), ("curve", "stiffness")];
        description.headings = headings.map(|(name, heading)| (name.to_owned(), heading.to_owned())).into();
        has(
            &description,
            &[
                "annotation (Dialog(group = \"Shape of the rod\"));",
                "annotation (Dialog(group = \"Stiffness\"), choices(checkBox = true));",
                "annotation (Dialog(tab = \"Tables\", group = \"Stiffness\"));",
            ],
        );
    }

    #[test]
    fn what_the_component_brings_follows_the_equations() {
        let description = Description { modelica: "public\n  Real more;\n".to_owned(), ..movable() };
        has(&description, &["sensor_r = out3[9];\npublic\n  Real more;\n  annotation ("]);
    }

    #[test]
    fn rows_with_expressions_are_visible_and_follow_from_each_other() {
        let mut description = movable();
        let formula = |(name, formula): (&str, &str)| (name.to_owned(), formula.to_owned());
        description.formulas =
            [("angle", "2*world.g"), ("c", "resolve2(frame_a.R, {1, 2})"), ("linear", "true")].map(formula).into();
        for name in ["c[1]", "c[2]"] {
            let calculated = description.variables.iter_mut().find(|variable| variable.name == name).unwrap();
            calculated.causality = Causality::CalculatedParameter;
        }
        has(
            &description,
            &[
                "parameter Real angle(unit = \"rad\", displayUnit = \"deg\", max = 1.0) = 2*world.g \"Variable angle\"",
                "parameter Boolean linear = true ",
                "  outer Modelica.Mechanics.MultiBody.World world;",
                "  parameter Real c[2](each unit = \"N/m\", each min = 0.0, each fixed = false) \"Variable c[1]\"\n",
                "  ready = Internal.start(fmu, time, in0);\n  c = resolve2(frame_a.R, {1, 2});\nequation\n",
            ],
        );
        description.formulas.insert("c".to_owned(), "{angle, 1}".to_owned());
        has(
            &description,
            &["  final parameter Real c[2](each unit = \"N/m\", each min = 0.0) = {angle, 1} \"Variable c[1]\";"],
        );
    }

    #[test]
    fn shapes_are_bound_to_the_frames() {
        let shape = |entries: &[(&str, &str)]| -> Vec<(String, String)> {
            let all = [("width", "angle"), ("color", "count"), ("specularCoefficient", "angle")];
            entries.iter().chain(&all).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let mut description = movable();
        for i in 1..=3 {
            let c = description.variables.iter().find(|variable| variable.name == "c[1]").unwrap();
            description.variables.push(Variable { name: format!("n[{i}]"), ..c.clone() });
        }
        description.shapes = vec![
            shape(&[
                ("name", "pin"),
                ("type", "cylinder"),
                ("frame", "frame_a"),
                ("direction", "n"),
                ("length", "angle"),
            ]),
            shape(&[("name", "rod"), ("type", "cylinder"), ("frame", "frame_a"), ("to", "frame_ia")]),
            shape(&[("name", "ball"), ("type", "sphere"), ("frame", "frame_a"), ("to", "frame_ia"), ("if", "angle")]),
            shape(&[
                ("name", "slide"),
                ("type", "box"),
                ("frame", "frame_a"),
                ("to", "frame_ia"),
                ("widthDirection", "n"),
                ("height", "angle"),
            ]),
        ];
        has(
            &description,
            &[
                "  parameter Boolean animation = true ",
                "  outer Modelica.Mechanics.MultiBody.World world;",
                "annotation (Dialog(tab = \"Animation\", enable = animation, colorSelector = true))",
                "Shape pin(\n    shapeType = \"cylinder\", r = frame_a.r_0, R = frame_a.R, \
                 r_shape = -Modelica.Math.Vectors.normalize(n)*angle/2, lengthDirection = n, ",
                "Shape rod(\n    shapeType = \"cylinder\", r = frame_a.r_0, R = Modelica.Mechanics.MultiBody.Frames.nullRotation(), \
                 lengthDirection = frame_ia.r_0 - frame_a.r_0, widthDirection = {0, 1, 0}, ",
                "Shape ball(\n    shapeType = \"sphere\", r = (frame_a.r_0 + frame_ia.r_0)/2, R = frame_a.R, ",
                "if world.enableAnimation and animation and angle > 0;",
                "widthDirection = Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, n), ",
            ],
        );
    }

    #[test]
    fn where_there_is_no_model_the_reason_is_said() {
        let refused = |description: &Description| written(description).unwrap_err();
        let assembly = || Description { event_indicators: 0, model_structure: ModelStructure::default(), ..assembly() };
        assert_eq!(refused(&assembly()), "frame_b does not give its orientation as a rotation matrix");
        let mut other = movable();
        let frame = other.terminals.iter_mut().find(|terminal| terminal.name == "frame_ia").unwrap();
        frame.members.retain(|member| !member.name.starts_with("a_0"));
        assert_eq!(refused(&other), "there is no frame_ia.a_0: what an FMU moves needs velocities and accelerations");
        let mut other = movable();
        let frame = other.terminals.iter_mut().find(|terminal| terminal.name == "frame_a").unwrap();
        frame.members.retain(|member| !member.name.starts_with("z"));
        assert_eq!(
            refused(&other),
            "it computes the motion of a connector, but has no velocities and accelerations as inputs"
        );
        let mut other = movable();
        other.variables.iter_mut().find(|variable| variable.name == "level[2]").unwrap().variability =
            Variability::Discrete;
        assert_eq!(refused(&other), "level changes at events only");
        for (variable, name) in [
            ("count", "ready"),
            ("sensor.r", "in0"),
            ("linear", "frame_a"),
            ("angle", "flange_a_w"),
            ("angle", "use_frame_ia"),
        ] {
            let mut other = movable();
            name.clone_into(&mut other.variables.iter_mut().find(|other| other.name == variable).unwrap().name);
            assert_eq!(refused(&other), format!("its model has something else with the name {name}"));
        }
        let mut other = movable();
        other.variables.iter_mut().find(|other| other.name == "angle").unwrap().name = "in".to_owned();
        assert_eq!(refused(&other), "in is a reserved word of Modelica; call it in_");
        let mut other = movable();
        other.enumerations[0].items.to_mut()[0].name = "when".into();
        assert_eq!(refused(&other), "an enumeration has an item when, a reserved word of Modelica; call it when_");
        let other = Description { follows_time: true, event_indicators: 0, ..movable() };
        assert_eq!(refused(&other), "it moves frame_ia and depends on time");
        let other = Description { shapes: vec![vec![("type".to_owned(), "sphere".to_owned())]], ..movable() };
        assert_eq!(refused(&other), "its shapes cannot be drawn: a shape has no name: {\"type\":\"sphere\"}");
        let other = Description { modelica: "public\n  Real angle;\n".to_owned(), ..movable() };
        assert_eq!(refused(&other), "its model has something else with the name angle");
        let mut other = movable();
        "path".clone_into(&mut other.variables[0].name);
        Arc::make_mut(&mut other.variables[0].attributes).with_derivatives = true;
        assert_eq!(refused(&other), "path is given with its derivatives, which only Co-Simulation can take");
        let mut other = movable();
        (other.variables, other.terminals) = (vec![], vec![]);
        assert_eq!(refused(&other), "it has no outputs");
    }
}
