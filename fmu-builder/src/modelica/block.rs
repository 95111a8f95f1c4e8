//! The declarations and equations of an FMU with states or events besides those of its connectors and signals: the tool
//! has states and events, the FMU has the discrete memory.
//!
//! A motion that the FMU gives at a flange follows from states. Its derivatives are outputs of their own, so whatever is fixed
//! to the flange has no states: the tool differentiates its motion twice, and the loads in between are linear equations. A
//! motion that is given to the FMU has its derivatives from the tool.

use super::calls::{drawn, forms, input_array, start};
use super::levels::{LEVELS, LOADS, Levels};
use super::names::{integers, list, list_of};
use crate::description::Description;

/// Angle in rad by which a rotation may go on until the FMU remembers it anew: less than half a turn, with which it
/// would lose count.
const FOLLOWED: f64 = 2.0;

/// Declarations that only models of FMUs with states or events have.
pub(super) const OWN: &str = "  Real x;\n  Real above;\n  Real indicators;\n  Real epoch;\n  Real nextTime;\n  Real jumped;\n  \
    Real discretes;\n  Real first;\n  Real begin;\n  Real remembered;\n  \
    Real given;\n";

/// States and events of a model.
pub(super) struct Block<'a> {
    levels: &'a Levels,
    /// Number of event indicators.
    nz: usize,
}

impl<'a> Block<'a> {
    /// Takes the states and events of an FMU; fails with the reason if its model cannot have them.
    pub fn new(description: &Description, levels: &'a Levels) -> Result<Self, String> {
        let nz = description.event_indicators;
        // Sticking would be decided for the acceleration before the event, and slip again after it.
        match Levels::accelerated(description) {
            Some(terminal) if nz > 0 => {
                let name = &terminal.name;
                Err(format!("it has events and takes accelerations at {name}; it needs to take the load there"))
            }
            _ => Ok(Self { levels, nz }),
        }
    }

    fn discrete(&self) -> usize {
        self.levels.discrete.iter().map(Vec::len).sum()
    }

    /// Returns true if inputs of the FMU follow from accelerations and loads, so that they are unknown at the start.
    fn is_coupled(&self) -> bool {
        self.levels.linear_size().is_some()
    }

    pub fn declarations(&self) -> Vec<String> {
        let (nx, nz, discrete) = (self.levels.states.len(), self.nz, self.discrete());
        let mut declarations = vec![
            format!("Real x[{nx}] \"States\""),
            "Integer epoch(start = 0, fixed = true) \"Number of events, for which the FMU has its memory\"".to_owned(),
            "parameter Real firstTime(fixed = false) \"Time of the first event that is known\"".to_owned(),
            "discrete Real nextTime \"Time of the next event that is known\"".to_owned(),
            format!("discrete Real jumped[{nx}] \"States after an event\""),
        ];
        if self.is_coupled() {
            declarations.push("parameter Real begin(fixed = false) \"Time of the start\"".to_owned());
        }
        let given: Vec<_> = self.levels.given.iter().flatten().map(|(_, value)| value.clone()).collect();
        if !given.is_empty() {
            let (count, values) = (given.len(), list(given));
            declarations.push(format!("Integer given[{count}] = {values} \"Integer and Boolean inputs\""));
        }
        if nz > 0 {
            declarations.push(format!("Real indicators[{nz}] \"Their signs change at events\""));
            declarations.push(format!("Boolean above[{nz}] \"Whether they are positive\""));
        }
        if !self.levels.remembered.is_empty() {
            let count = self.levels.remembered.len();
            declarations.push(format!("discrete Real remembered[{count}] \"Angles that the FMU remembers\""));
        }
        if discrete > 0 {
            declarations.push(format!(
                "parameter Integer first[{discrete}](each fixed = false) \"Integer and Boolean outputs at the start\""
            ));
            declarations.push(format!("Integer discretes[{discrete}] \"Integer and Boolean outputs\""));
        }
        declarations
    }

    /// Returns the end of a function's name and its further arguments, if there are Integer and Boolean inputs.
    fn given(&self) -> (&'static str, String) {
        if self.levels.given.iter().all(Vec::is_empty) {
            return ("", String::new());
        }
        let references =
            self.levels.given.each_ref().map(|inputs| integers(inputs.iter().map(|(reference, _)| reference)));
        ("With", format!(", {}, given", references.join(", ")))
    }

    /// Returns the references of Integer and Boolean outputs.
    fn memory(&self) -> String {
        self.levels.discrete.each_ref().map(integers).join(", ")
    }

    pub fn initial(&self) -> Vec<String> {
        let known = input_array(self.levels, 0..LOADS);
        let (with, given) = self.given();
        let mut initial = vec![start(with, &(known + &given))];
        if !self.levels.states.is_empty() {
            initial.push(format!("x = Internal.states(fmu, ready, {})", self.levels.states.len()));
            initial.push("pre(jumped) = x".to_owned());
        }
        let memory = format!("Internal.memory(fmu, ready, {})", self.memory());
        if self.discrete() > 0 {
            initial.push(format!("(firstTime, first) = {memory}"));
            initial.push("pre(discretes) = first".to_owned());
        } else {
            initial.push(format!("firstTime = {memory}"));
        }
        initial.push("pre(nextTime) = firstTime".to_owned());
        if !self.levels.remembered.is_empty() {
            initial.push(format!("pre(remembered) = {}", list(self.levels.remembered.iter().cloned())));
        }
        if self.is_coupled() {
            initial.push("begin = time".to_owned());
        }
        initial
    }

    pub fn equations(&self) -> Vec<String> {
        let mut equations = self.levels_of_motion();
        let (nx, place) = (self.levels.states.len(), self.place(LEVELS));
        if !self.levels.outputs[LOADS].is_empty() {
            equations.push(self.values(LOADS));
        }
        if nx > 0 {
            equations.push(format!("der(x) = out3[1:{nx}]"));
        }
        if self.nz > 0 {
            let signs: Vec<_> = (1..=self.nz).map(|i| format!("indicators[{i}] > 0")).collect();
            equations.push(format!("indicators = Internal.indicators({place}, {})", self.nz));
            equations.push(format!("above = {}", list_of("false", &signs)));
        }
        let changes = (1..=self.nz).map(|i| format!("change(above[{i}])"));
        let given_count: usize = self.levels.given.iter().map(Vec::len).sum();
        let given_changes = (1..=given_count).map(|i| format!("change(given[{i}])"));
        // The FMU was started without accelerations and loads.
        let loads_are_known = self.is_coupled().then(|| "time > begin".to_owned());
        let followed = || self.levels.remembered.iter().zip(1..);
        let turns = followed().map(|(rotation, i)| format!("abs({rotation} - pre(remembered[{i}])) > {FOLLOWED}"));
        let last = ["time >= pre(nextTime)".to_owned()];
        let events: Vec<_> = changes.chain(given_changes).chain(loads_are_known).chain(turns).chain(last).collect();
        let remember: String = followed().map(|(rotation, i)| format!("    remembered[{i}] = {rotation};\n")).collect();
        let results = if self.discrete() > 0 { "nextTime, jumped, discretes" } else { "nextTime, jumped" };
        let reinit: String = (1..=nx).map(|i| format!("    reinit(x[{i}], jumped[{i}]);\n")).collect();
        let (with, given) = self.given();
        equations.push(format!(
            "when {} then\n    epoch = pre(epoch) + 1;\n    ({results}) = Internal.event{with}({place}{given}, {});\n{remember}{reinit}  end when",
            list_of("false", &events),
            self.memory()
        ));
        equations.extend(drawn(self.levels, "pre(epoch)"));
        equations
    }

    /// Returns the equations of motions at flanges, then of accelerations and loads.
    fn levels_of_motion(&self) -> Vec<String> {
        let motions = (0..2).filter(|level| !self.levels.outputs[*level].is_empty());
        let mut equations: Vec<_> = motions.map(|level| self.values(level)).collect();
        if let Some(size) = self.levels.linear_size() {
            let [rows, columns] = size.factors;
            let linear = [
                format!("(factors, rest) = Internal.coefficients({}, {rows}, {columns})", self.place(LOADS)),
                "out2 = factors*in3 + rest".to_owned(),
            ];
            equations.push(forms(&size, &linear, &[self.values(2)]));
        }
        equations
    }

    /// Returns the equation of the outputs of a level from the inputs on which they depend.
    fn values(&self, level: usize) -> String {
        let inputs = if level < 2 { level + 1 } else { LEVELS };
        format!("out{level} = Internal.values({}, {level}, {})", self.place(inputs), self.levels.outputs[level].len())
    }

    /// Returns the first arguments of functions: inputs of the levels below one.
    fn place(&self, level: usize) -> String {
        let states = if self.levels.states.is_empty() { "fill(0.0, 0)" } else { "x" };
        format!("fmu, ready, pre(epoch), time, {}, {states}", input_array(self.levels, 0..level))
    }
}

#[cfg(test)]
mod tests {
    use crate::description::{
        Causality, Connector, Description, Member, Terminal, Unknown, Variability, Variable, VariableType,
    };
    use crate::example::{description, movable, real};
    use crate::modelica::model::tests::{has, written};

    #[test]
    fn states_and_events_are_those_of_the_tool() {
        let mut block = description();
        block.variables.push(Variable { value_reference: 9, ..block.variables[8].clone() });
        block.variables.push(Variable { value_reference: 7, ..block.variables[7].clone() });
        for (variable, name) in block.variables.iter_mut().rev().zip(["mode", "locked"]) {
            (variable.name, variable.causality) = (name.to_owned(), Causality::Output);
        }
        has(
            &block,
            &[
                "Modelica.Blocks.Interfaces.RealInput s(unit = \"m\") ",
                "Modelica.Blocks.Interfaces.IntegerOutput mode ",
                "Modelica.Blocks.Interfaces.BooleanOutput locked ",
                // The rows are state and input, then derivative and output.
                "    {4, 3},\n    {1, 0, 0, 1, 0},\n    {6, 5},\n    {0, 0, 0, 2, 0},\n    {0, 0});",
                "  ready = Internal.start(fmu, time, in2);\n  x = Internal.states(fmu, ready, 1);",
                "  (firstTime, first) = Internal.memory(fmu, ready, {7}, {9});",
                "  out3 = Internal.values(fmu, ready, pre(epoch), time, in2, x, 3, 2);\n  der(x) = out3[1:1];",
                "  above = {indicators[1] > 0, indicators[2] > 0};",
                "  when {change(above[1]), change(above[2]), time >= pre(nextTime)} then\n    epoch = pre(epoch) + 1;\n    \
                 (nextTime, jumped, discretes) = Internal.event(fmu, ready, pre(epoch), time, in2, x, {7}, {9});\n    \
                 reinit(x[1], jumped[1]);\n  end when;",
                "  f = out3[2];\n  mode = discretes[1];\n  locked = discretes[2] > 0;",
            ],
        );
        let text = written(&block).unwrap();
        assert!(!text.contains("linearForm") && !text.contains("begin"), "{text}");
    }

    #[test]
    fn an_fmu_that_depends_on_time_alone_is_a_block() {
        let mut source = description();
        let rate = source.variables.iter().position(|variable| variable.derivative_of().is_some()).unwrap();
        (source.event_indicators, source.follows_time) = (0, true);
        source.model_structure.derivatives.clear();
        source.variables[rate].causality = Causality::Local;
        let text = written(&source).unwrap();
        assert!(
            text.contains("  out3 = Internal.values(fmu, ready, pre(epoch), time, in2, fill(0.0, 0), 3, "),
            "{text}"
        );
        assert!(text.contains("  when {time >= pre(nextTime)} then"), "{text}");
    }

    #[test]
    fn integer_and_boolean_inputs_change_at_events() {
        let mut block = description();
        block.variables.push(Variable { value_reference: 9, ..block.variables[8].clone() });
        block.variables.push(Variable { value_reference: 7, ..block.variables[7].clone() });
        for (variable, name) in block.variables.iter_mut().rev().zip(["gear", "active"]) {
            (variable.name, variable.causality) = (name.to_owned(), Causality::Input);
        }
        has(
            &block,
            &[
                "Modelica.Blocks.Interfaces.IntegerInput gear ",
                "Modelica.Blocks.Interfaces.BooleanInput active ",
                "  Integer given[2] = {gear, (if active then 1 else 0)} ",
                "  ready = Internal.startWith(fmu, time, in2, {7}, {9}, given);",
                "  when {change(above[1]), change(above[2]), change(given[1]), change(given[2]), time >= pre(nextTime)} then\n",
                "(nextTime, jumped) = Internal.eventWith(fmu, ready, pre(epoch), time, in2, x, {7}, {9}, given, fill(0, 0), fill(0, 0));",
            ],
        );
    }

    /// Returns the block with a flange, of which one of the numbers is given.
    fn with_flange(given: &str) -> Description {
        let mut block = description();
        let connector = Connector::TranslationalFlange_b;
        let mut members = Vec::new();
        for (name, reference) in ["s", "v", "a", "f"].into_iter().zip(20..) {
            let is_given = given.contains(name);
            let causality = if is_given { Causality::Input } else { Causality::Output };
            members.push(Member { name: name.to_owned(), index: block.variables.len() });
            if !is_given {
                let dependencies = Some(if name == "s" { vec![4] } else { vec![3, 4] });
                block.model_structure.outputs.push(Unknown { index: block.variables.len(), dependencies });
            }
            let variable = Variable { value_reference: reference, causality, ..real(&format!("rod.end.{name}")) };
            block.variables.push(variable);
        }
        block.terminals.push(Terminal { name: "rod.end".to_owned(), description: String::new(), connector, members });
        block
    }

    #[test]
    fn what_a_block_moves_follows_from_its_states() {
        // The signal s changes the velocity.
        has(
            &with_flange("f"),
            &[
                "Modelica.Mechanics.Translational.Interfaces.Flange_b rod_end ",
                "    {4, 3, 23},\n    {1, 0, 1, 0, 1},\n    {20, 21, 22, 6, 5},\n    {1, 1, 1, 2, 0},\n",
                "Real in1[1] = {s};",
                "Real in3[1] = {rod_end.f};",
                "parameter Boolean linearForm = true ",
                "  ready = Internal.start(fmu, time, in1);",
                "  begin = time;",
                "  out0 = Internal.values(fmu, ready, pre(epoch), time, fill(0.0, 0), x, 0, 1);",
                "  out1 = Internal.values(fmu, ready, pre(epoch), time, in1, x, 1, 1);",
                "    (factors, rest) = Internal.coefficients(fmu, ready, pre(epoch), time, in1, x, 1, 1);\n    \
                 out2 = factors*in3 + rest;\n  else\n    factors = zeros(1, 1);\n    rest = zeros(1);\n    \
                 out2 = Internal.values(fmu, ready, pre(epoch), time, cat(1, in1, in3), x, 2, 1);\n  end if;",
                "  when {change(above[1]), change(above[2]), time > begin, time >= pre(nextTime)} then",
                "  rod_end.s = Modelica.Blocks.Interfaces.Adaptors.Functions.state2({smooth(1, out0[1]), smooth(0, out1[1]), out2[1]}, time);",
            ],
        );
    }

    #[test]
    fn what_moves_a_block_has_its_derivatives_from_the_tool() {
        let block = Description { event_indicators: 0, ..with_flange("sva") };
        has(
            &block,
            &[
                "    {4, 20, 21, 3, 22},\n    {1, 1, 1, 1, 1},\n    {23, 6, 5},\n    {0, 0, 1, 2, 0},\n",
                "Real rod_end_v = der(rod_end.s);",
                "Real in0[1] = {rod_end.s};",
                "Real in1[1] = {rod_end_v};",
                "Real in3[1] = {der(rod_end_v)};",
                "  ready = Internal.start(fmu, time, cat(1, in0, in1, in2));",
                "  rod_end.f = out2[1];",
            ],
        );
    }

    #[test]
    fn where_there_is_no_block_the_reason_is_said() {
        let refused = |change: &dyn Fn(&mut Description)| {
            let mut block = with_flange("f");
            change(&mut block);
            written(&block).unwrap_err()
        };
        let text = refused(&|block| {
            block.variables[8].causality = Causality::Input;
            block.variables[8].kind = VariableType::String { start: None };
        });
        assert_eq!(text, "linear is not a Real");
        let own = refused(&|block| "above".clone_into(&mut block.variables[3].name));
        assert_eq!(own, "its model has something else with the name above");
        let last = |block: &mut Description, change: &dyn Fn(&mut Unknown)| {
            block.model_structure.outputs.iter_mut().for_each(change);
        };
        let all = refused(&|block| last(block, &|unknown| unknown.dependencies = None));
        assert_eq!(all, "rod.end.s depends on rod.end.f");
        let discrete = refused(&|block| block.variables[3].variability = Variability::Discrete);
        assert_eq!(discrete, "s changes at events only");
        let given = written(&with_flange("sva")).unwrap_err();
        assert_eq!(given, "it has events and takes accelerations at rod.end; it needs to take the load there");
        let moves = Description { event_indicators: 1, ..movable() };
        assert_eq!(written(&moves).unwrap_err(), "it moves frame_ia and has states or events");
    }

    #[test]
    fn a_block_without_indicators_has_no_relations() {
        let block = Description { event_indicators: 0, ..description() };
        has(
            &block,
            &[
                "  firstTime = Internal.memory(fmu, ready, fill(0, 0), fill(0, 0));",
                "  when {time >= pre(nextTime)} then\n    epoch = pre(epoch) + 1;\n    (nextTime, jumped) = Internal.event(",
            ],
        );
        let text = written(&block).unwrap();
        assert!(!text.contains("indicators") && !text.contains("discretes"), "{text}");
    }
}
