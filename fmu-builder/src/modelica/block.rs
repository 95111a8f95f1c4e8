//! The model of an FMU with states or events and without connectors, such as a system: a block whose states and events the
//! tool has, and whose discrete memory the FMU has.

use super::check::{check_names, check_time};
use super::levels::{LOADS, Levels, signal_names};
use super::model::{PACKAGE, annotation, instance, signals, statements};
use super::names::{elements, identifier, list, list_of, text};
use super::parameters::parameters;
use crate::description::icon::Icon;
use crate::description::{Causality, Description, VariableType};

/// What the model declares of its own, beside what all have.
const OWN: &str = "  Real x;\n  Real above;\n  Real indicators;\n  Real epoch;\n  Real nextTime;\n  Real jumped;\n  Real discretes;\n  \
    Real first;\n";

/// Whether an FMU can be such a block.
pub(super) fn is_block(description: &Description) -> bool {
    description.has_states_or_events() && description.terminals.is_empty()
}

/// Value references and names, element by element, of what connects the block.
#[derive(Default)]
struct Ports {
    /// Of Real inputs.
    inputs: Vec<(u32, String)>,
    /// Of Real outputs.
    outputs: Vec<(u32, String)>,
    /// Of Integer and Boolean outputs.
    discrete: [Vec<(u32, String)>; 2],
}

impl Ports {
    fn new(description: &Description) -> Result<Self, String> {
        let mut ports = Self::default();
        for (name, dimensions, first) in signal_names(description) {
            let is_input = first.causality == Causality::Input;
            let list = match (&first.kind, is_input) {
                (VariableType::Real { .. }, true) => &mut ports.inputs,
                (VariableType::Real { .. }, false) => &mut ports.outputs,
                (VariableType::Integer { .. }, false) => &mut ports.discrete[0],
                (VariableType::Boolean { .. }, false) => &mut ports.discrete[1],
                _ => return Err(format!("{name} is not a Real")),
            };
            let names = elements(&identifier(name), &dimensions);
            let begin =
                description.variables.iter().position(|variable| std::ptr::eq(variable, first)).unwrap_or_default();
            let references = description.variables[begin..].iter().map(|variable| variable.value_reference);
            list.extend(references.zip(names));
        }
        Ok(ports)
    }
}

/// The block, or why there is none.
pub(super) fn model(description: &Description, icon: &Icon) -> Result<String, String> {
    let name = &description.name;
    if !description.capabilities.completed_integrator_step_not_needed {
        return Err("it has a memory that follows the steps of the solver".to_owned());
    }
    let parameters = parameters(description, &[], &[]);
    let ports = Ports::new(description)?;
    check_time(description)?;
    check_names(description, &parameters, &Levels::default(), &[], OWN)?;

    let variable = |index: usize| &description.variables[index];
    let references = |ports: &[(u32, String)]| -> Vec<u32> { ports.iter().map(|(reference, _)| *reference).collect() };
    let mut levels = Levels::default();
    levels.inputs[0] = ports.inputs.clone();
    for unknown in &description.model_structure.derivatives {
        let rate = variable(unknown.index);
        let VariableType::Real { derivative: Some(state), .. } = rate.kind else { continue };
        levels.inputs[1].push((variable(state).value_reference, String::new()));
        levels.outputs[LOADS].push(rate.value_reference);
    }
    let nx = levels.outputs[LOADS].len();
    levels.outputs[LOADS].extend(references(&ports.outputs));
    let (ny, nz) = (ports.outputs.len(), description.event_indicators);
    let [integers, booleans] = ports.discrete.each_ref().map(|ports| references(ports));
    let discrete = integers.len() + booleans.len();
    let numbers = |references: &[u32]| list_of("0", &references.iter().map(u32::to_string).collect::<Vec<_>>());
    let memory = format!("{}, {}", numbers(&integers), numbers(&booleans));
    let values = ports.inputs.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();

    let mut model = format!("within {PACKAGE};\nmodel {name} {}\n", text(&description.description));
    statements(&mut model, &parameters.declarations);
    statements(&mut model, &signals(description));
    model += "protected\n";
    let instance = instance(name, &description.guid, &parameters, &levels);
    statements(
        &mut model,
        &[
            instance,
            "parameter Integer ready(fixed = false)".to_owned(),
            format!(
                "parameter Integer first[{discrete}](each fixed = false) \"Integer and Boolean outputs at the start\""
            ),
            "parameter Real firstTime(fixed = false) \"Time of the first event that is known\"".to_owned(),
            format!("Real in0[{}] = {}", values.len(), list_of("0.0", &values)),
            format!("Real x[{nx}] \"States\""),
            format!("Real out3[{}] \"Derivatives of the states, and outputs\"", nx + ny),
            format!("Real indicators[{nz}] \"Their signs change at events\""),
            format!("Boolean above[{nz}] \"Whether they are positive\""),
            "Integer epoch(start = 0, fixed = true) \"Number of events, for which the FMU has its memory\"".to_owned(),
            "discrete Real nextTime \"Time of the next event that is known\"".to_owned(),
            format!("discrete Real jumped[{nx}] \"States after an event\""),
            format!("Integer discretes[{discrete}] \"Integer and Boolean outputs\""),
        ],
    );
    model += "initial equation\n";
    statements(
        &mut model,
        &[
            "ready = Internal.start(fmu, time, in0)".to_owned(),
            format!("x = Internal.states(fmu, ready, {nx})"),
            format!("(firstTime, first) = Internal.memory(fmu, ready, {memory})"),
            "pre(nextTime) = firstTime".to_owned(),
            "pre(discretes) = first".to_owned(),
            "pre(jumped) = x".to_owned(),
        ],
    );
    model += "equation\n";
    let place = "fmu, ready, pre(epoch), time, in0, x";
    let events = (1..=nz).map(|i| format!("change(above[{i}])")).chain(["time >= pre(nextTime)".to_owned()]);
    let reinit: String = (1..=nx).map(|i| format!("    reinit(x[{i}], jumped[{i}]);\n")).collect();
    let mut equations = vec![
        format!("out3 = Internal.values({place}, {})", nx + ny),
        format!("der(x) = out3[1:{nx}]"),
        format!("indicators = Internal.indicators({place}, {nz})"),
        format!("above = {}", list_of("false", &(1..=nz).map(|i| format!("indicators[{i}] > 0")).collect::<Vec<_>>())),
        format!(
            "when {} then\n    epoch = pre(epoch) + 1;\n    \
             (nextTime, jumped, discretes) = Internal.event({place}, {memory});\n{reinit}  end when",
            list(events)
        ),
    ];
    let output = |(_, name): &(u32, String), value: String| format!("{name} = {value}");
    let [integers, booleans] = &ports.discrete;
    let n = integers.len();
    equations.extend((nx + 1..).zip(&ports.outputs).map(|(i, port)| output(port, format!("out3[{i}]"))));
    equations.extend((1..).zip(integers).map(|(i, port)| output(port, format!("discretes[{i}]"))));
    equations.extend((n + 1..).zip(booleans).map(|(i, port)| output(port, format!("discretes[{i}] > 0"))));
    statements(&mut model, &equations);
    model += &annotation(description, &parameters, icon);
    Ok(model + &format!("end {name};\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Variable;
    use crate::example::{description, movable};

    fn written(description: &Description) -> Result<String, String> {
        model(description, &Icon { width: 80, height: 40, png: Vec::new() })
    }

    #[test]
    fn states_and_events_are_those_of_the_tool() {
        let mut block = description();
        block.variables.push(Variable { value_reference: 9, ..block.variables[8].clone() });
        block.variables.push(Variable { value_reference: 7, ..block.variables[7].clone() });
        for (variable, name) in block.variables.iter_mut().rev().zip(["mode", "locked"]) {
            (variable.name, variable.causality) = (name.to_owned(), Causality::Output);
        }
        assert!(is_block(&block));
        let text = written(&block).unwrap();
        for statement in [
            "Modelica.Blocks.Interfaces.RealInput s(unit = \"m\") ",
            "Modelica.Blocks.Interfaces.IntegerOutput mode ",
            "Modelica.Blocks.Interfaces.BooleanOutput locked ",
            // Input and state; derivative and output.
            "    {3, 4},\n    {1, 1, 0, 0},\n    {6, 5},\n    {0, 0, 0, 2},\n    {0, 0});",
            "  x = Internal.states(fmu, ready, 1);",
            "  (firstTime, first) = Internal.memory(fmu, ready, {7}, {9});",
            "  out3 = Internal.values(fmu, ready, pre(epoch), time, in0, x, 2);\n  der(x) = out3[1:1];",
            "  above = {indicators[1] > 0, indicators[2] > 0};",
            "  when {change(above[1]), change(above[2]), time >= pre(nextTime)} then\n    epoch = pre(epoch) + 1;\n    \
             (nextTime, jumped, discretes) = Internal.event(fmu, ready, pre(epoch), time, in0, x, {7}, {9});\n    \
             reinit(x[1], jumped[1]);\n  end when;",
            "  f = out3[2];\n  mode = discretes[1];\n  locked = discretes[2] > 0;",
        ] {
            assert_eq!(text.matches(statement).count(), 1, "{statement}\n{text}");
        }
    }

    #[test]
    fn where_there_is_no_block_the_reason_is_said() {
        let refused = |change: &dyn Fn(&mut Description)| {
            let mut block = description();
            change(&mut block);
            written(&block).unwrap_err()
        };
        let steps = refused(&|block| block.capabilities.completed_integrator_step_not_needed = false);
        assert_eq!(steps, "it has a memory that follows the steps of the solver");
        let switch = refused(&|block| block.variables[8].causality = Causality::Input);
        assert_eq!(switch, "linear is not a Real");
        let own = refused(&|block| "above".clone_into(&mut block.variables[3].name));
        assert_eq!(own, "its model has something else with the name above");
        assert_eq!(
            refused(&|block| block.follows_time = true),
            "its outputs depend on time; give it an input for that"
        );
        assert!(!is_block(&movable()));
    }
}
