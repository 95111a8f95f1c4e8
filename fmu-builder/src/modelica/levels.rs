//! The ports of an FMU by level of motion, with the equations that connect them: the arguments and results of the
//! external functions of `files/MechanicalFMU.h`.
//!
//! | level | inputs | outputs |
//! | --- | --- | --- |
//! | 0 | positions | positions |
//! | 1 | velocities | velocities |
//! | 2 | accelerations | accelerations |
//! | 3 | loads, all others | loads, all others |
//!
//! An FMU with states or events, or one that depends on time, a *block*, has its equations at events in the tool. So all inputs on which
//! accelerations and loads depend stay together there:
//!
//! | level | inputs | outputs |
//! | --- | --- | --- |
//! | 0 | positions, and signals on which positions depend | positions |
//! | 1 | velocities, and signals on which velocities depend | velocities |
//! | 2 | all other signals | accelerations and loads, if it takes such |
//! | 3 | accelerations and loads | derivatives of the states, all others |
//!
//! Level 4 has no inputs of its own: its outputs are drawn or followed, and no equation of another component needs them.

use super::inner_frames::{InnerFrames, Size};
use super::names::{elements, identifier};
use crate::description::arrays::group_arrays;
use crate::description::{
    Causality, Connector, Description, Member, Terminal, Unknown, Variability, Variable, VariableType,
};

/// Number of levels: positions, velocities, accelerations, and loads with all others.
pub(super) const LEVELS: usize = 4;
/// Level of loads and of everything that is not a motion; for a block, of the accelerations and loads that it takes.
pub(super) const LOADS: usize = 3;

/// Variables of a frame at each level of motion.
const FRAME: [[&str; 2]; 3] = [["r_0", "R.T"], ["v_0", "R.w"], ["a_0", "z"]];
/// How many numbers that is, of positions, velocities and accelerations, and of nothing else that the FMU gives at a frame
/// that it moves. It takes as many loads as it gives accelerations.
const OF_FRAME: [usize; LEVELS] = [12, 6, 6, 0];
/// The functions that provide the derivatives of their result.
const ADAPTORS: &str = "Modelica.Blocks.Interfaces.Adaptors.Functions";

/// The sizes of the factors by which accelerations and loads follow from given ones.
pub(super) struct LinearSize {
    /// Of accelerations; of a block, of accelerations and loads.
    pub factors: [Size; 2],
    /// Of loads, which follow from accelerations and loads.
    pub others: Option<[Size; 2]>,
}

impl LinearSize {
    /// Number of accelerations and loads.
    pub fn rows(&self) -> Size {
        self.others.map_or(self.factors[0], |[rows, _]| self.factors[0] + rows)
    }
}

/// An input: its value reference and the expression for its value.
pub(super) type Input = (u32, String);

/// Kind of an FMU, by which its ports are sorted into levels.
#[derive(Clone, Copy, Default, PartialEq)]
enum FmuKind {
    /// The FMU is a function of its inputs.
    #[default]
    Function,
    /// The FMU has states or events, or depends on time.
    Block,
    /// Such an FMU that takes accelerations or loads.
    Coupled,
}

/// The ports of an FMU.
#[derive(Default)]
pub(super) struct Levels {
    kind: FmuKind,
    /// Value references of the states of a block.
    pub states: Vec<u32>,
    /// Value references of the Integer and of the Boolean outputs of a block.
    pub discrete: [Vec<u32>; 2],
    /// The Integer and the Boolean inputs of a block, which change at events.
    pub given: [Vec<Input>; 2],
    /// The inputs of each level.
    pub inputs: [Vec<Input>; LEVELS],
    /// Value references of the outputs of each level.
    pub outputs: [Vec<u32>; LEVELS],
    /// Value references of observed values: frames that are drawn, and rotations that the FMU remembers.
    pub drawn: Vec<u32>,
    /// Expressions for the rotations that the FMU remembers where the last step ended.
    pub remembered: Vec<String>,
    /// Number of frames among the inputs and the outputs.
    pub frames: [usize; 2],
    /// The frames among the outputs that the model can leave out; all or none.
    pub inner: InnerFrames,
    /// Returns true if the level of loads takes anything else, such as a temperature, in which outputs need not be
    /// affine.
    pub takes_others: bool,
    /// Names and declarations of velocities.
    pub variables: Vec<(String, String)>,
    /// Equations of the connectors and signals, without semicolon.
    pub equations: Vec<String>,
}

/// The ports of a connector or signal that belong together, in order.
struct Port<'a> {
    variables: Vec<&'a Variable>,
}

impl Port<'_> {
    fn is_output(&self) -> bool {
        self.variables[0].causality == Causality::Output
    }

    fn is_discrete(&self) -> bool {
        self.variables.iter().any(|variable| variable.variability == Variability::Discrete)
    }

    fn references(&self) -> impl Iterator<Item = u32> {
        self.variables.iter().map(|variable| variable.value_reference)
    }
}

impl Levels {
    /// Sorts the ports of an FMU; fails with the reason if there cannot be a model.
    pub fn new(description: &Description) -> Result<Self, String> {
        if let Some(Variable { name, .. }) = description.input_with_derivatives() {
            return Err(format!("{name} is given with its derivatives, which only Co-Simulation can take"));
        }
        let mut levels = Self { kind: FmuKind::of(description), ..Self::default() };
        levels.derivatives(description);
        let is_frame = |terminal: &&Terminal| matches!(terminal.connector, Connector::Frame_a | Connector::Frame_b);
        // A frame has either its motion or its load from outside.
        let is_simple = |terminal: &Terminal| {
            let is_given = |member| port(description, terminal, member).map(|port| port.is_output());
            is_given("r_0").is_some_and(|given| ["f", "t"].map(is_given) == [Some(!given); 2])
        };
        let are_optional = !levels.is_block() && description.terminals.iter().filter(is_frame).all(is_simple);
        for terminal in description.terminals.iter().filter(is_frame) {
            levels.frame(description, terminal, are_optional)?;
        }
        for terminal in description.terminals.iter().filter(|terminal| !is_frame(terminal)) {
            levels.flange(description, terminal)?;
        }
        levels.signals(description)?;
        levels.add_remembered(description);
        levels.check(description)?;
        Ok(levels)
    }

    /// Finds each rotation that the FMU remembers: the tool has an event before it has moved by half a turn.
    fn add_remembered(&mut self, description: &Description) {
        if !self.is_block() {
            return;
        }
        for variable in description.remembered() {
            let is_output = variable.causality == Causality::Output;
            let rotation =
                if is_output { identifier(&variable.name) } else { self.add_observed(variable.value_reference) };
            self.remembered.push(rotation);
        }
    }

    /// Appends a value that is only observed; returns it as an expression.
    pub fn add_observed(&mut self, reference: u32) -> String {
        self.drawn.push(reference);
        format!("drawn[{}]", self.drawn.len())
    }

    fn check(&self, description: &Description) -> Result<(), String> {
        if self.is_block() {
            return self.check_motion(description);
        }
        if self.outputs.iter().all(Vec::is_empty) {
            return Err("it has no outputs".to_owned());
        }
        // Derivatives of driven motions follow from those of driving motions.
        let [positions, velocities, accelerations, _] = self.inputs.each_ref().map(Vec::len);
        let needed = positions - 6 * self.frames[0];
        if self.moves() && (velocities != needed || accelerations != needed || needed == 0) {
            return Err(
                "it computes the motion of a connector, but has no velocities and accelerations as inputs".to_owned()
            );
        }
        Ok(())
    }

    /// Checks that motions only depend on inputs of lower levels: a tool finds accelerations by differentiating
    /// motions.
    fn check_motion(&self, description: &Description) -> Result<(), String> {
        for level in 0..2 {
            let known = || self.inputs[..=level].iter().flatten();
            for unknown in unknowns(description, &self.outputs[level]) {
                let later = knowns(description, unknown).find(|input| {
                    let is_known = known().any(|(reference, _)| *reference == input.value_reference);
                    input.causality == Causality::Input && !is_known
                });
                if let Some(input) = later {
                    let output = &description.variables[unknown.index].name;
                    return Err(format!("{output} depends on {}", input.name));
                }
            }
        }
        Ok(())
    }

    /// Returns true if the FMU has states or events, or depends on time.
    pub fn is_block(&self) -> bool {
        self.kind != FmuKind::Function
    }

    /// Returns the sizes of the factors by which accelerations and loads follow from given ones.
    pub fn linear_size(&self) -> Option<LinearSize> {
        let [rows, columns] = [self.output_size(2), self.load_size()];
        match self.kind {
            FmuKind::Function => {
                let accelerations = self.inner.size(self.inputs[2].len(), 0);
                let others = Some([self.output_size(LOADS), accelerations + columns]);
                self.moves().then_some(LinearSize { factors: [rows, accelerations], others })
            }
            FmuKind::Block => None,
            FmuKind::Coupled => Some(LinearSize { factors: [rows, columns], others: None }),
        }
    }

    /// The size of the array of outputs of a level.
    pub fn output_size(&self, level: usize) -> Size {
        self.inner.size(self.outputs[level].len(), OF_FRAME[level])
    }

    /// The size of the array of inputs of the last level.
    pub fn load_size(&self) -> Size {
        self.inner.size(self.inputs[LOADS].len(), OF_FRAME[2])
    }

    /// The equations of the array of inputs of the last level, where it depends on the inner frames in use, without those of
    /// these frames.
    pub fn load_equations(&self) -> Vec<String> {
        let count = OF_FRAME[2] * self.inner.0.len();
        let others = self.inputs[LOADS].iter().enumerate().skip(count).filter(|_| count > 0);
        others
            .map(|(i, (_, value))| format!("in3[{}] = {value}", self.inner.index(i + 1, OF_FRAME[2], false)))
            .collect()
    }

    /// A connector at which accelerations are given to a block.
    pub fn accelerated(description: &Description) -> Option<&Terminal> {
        let is_given = |member: &Member| {
            is_acceleration(member) && description.variables[member.index].causality == Causality::Input
        };
        description.terminals.iter().find(|terminal| terminal.members.iter().any(is_given))
    }

    /// Returns true if the FMU moves anything.
    pub fn moves(&self) -> bool {
        !self.outputs[0].is_empty()
    }

    /// Returns the level of accelerations that are given.
    fn accelerations(&self) -> usize {
        if self.is_block() { LOADS } else { 2 }
    }

    /// Returns the level of a signal that is an input.
    fn signal(&self, description: &Description, port: &Port<'_>) -> usize {
        if !self.is_block() {
            return LOADS;
        }
        let matters = |level: &usize| {
            let mut unknowns = unknowns(description, &self.outputs[*level]);
            unknowns.any(|unknown| {
                knowns(description, unknown).any(|known| port.references().any(|one| one == known.value_reference))
            })
        };
        (0..2).find(matters).unwrap_or(2)
    }

    fn add_inputs(&mut self, level: usize, port: &Port<'_>, values: Vec<String>) {
        self.inputs[level].extend(port.references().zip(values));
    }

    /// Appends outputs; returns their elements.
    fn add_outputs(&mut self, level: usize, port: &Port<'_>) -> Vec<String> {
        let begin = self.outputs[level].len();
        self.outputs[level].extend(port.references());
        // A flange has one number.
        let is_frame = port.variables.len() > 1;
        let index = |i| if level < LOADS { self.inner.index(i, OF_FRAME[level], is_frame) } else { i.to_string() };
        (begin + 1..=self.outputs[level].len()).map(|i| format!("out{level}[{}]", index(i))).collect()
    }

    fn equation(&mut self, left: &str, right: &str) {
        self.equations.push(format!("{left} = {right}"));
    }

    /// Collects the states of a block; their derivatives are its first outputs.
    fn derivatives(&mut self, description: &Description) {
        for unknown in &description.model_structure.derivatives {
            let rate = &description.variables[unknown.index];
            let Some(state) = rate.derivative_of() else { continue };
            self.states.push(description.variables[state].value_reference);
            self.outputs[LOADS].push(rate.value_reference);
        }
    }

    fn frame(&mut self, description: &Description, terminal: &Terminal, is_optional: bool) -> Result<(), String> {
        let name = &identifier(&terminal.name);
        let port = |member: &str| port(description, terminal, member);
        let Some(position) = port("r_0") else { return Err(format!("{name} has no position")) };
        if port("R.T").is_none() {
            return Err(format!("{name} does not give its orientation as a rotation matrix"));
        }
        let given = position.is_output();
        if given && self.is_block() {
            let reason = if description.has_states_or_events() { "has states or events" } else { "depends on time" };
            return Err(format!("it moves {name} and {reason}"));
        }
        self.frames[usize::from(given)] += 1;
        let mut motion = Vec::new();
        if given {
            self.inner.0.extend(is_optional.then(|| name.clone()));
            motion = self.output_frame(name, &port)?;
        } else {
            self.input_frame(name, &port);
        }
        let others = self.inputs[LOADS].len();
        for flow in ["f", "t"] {
            self.flow(description, terminal, flow, given);
        }
        if given && is_optional {
            let loads: Vec<_> = self.inputs[LOADS][others..].iter().map(|(_, value)| value.clone()).collect();
            let loads = self.inner.load_equations("in3", &loads);
            self.equations.push(self.inner.equations(&motion, &loads, "cat(1, in0, in1)"));
        } else {
            self.equations.extend(motion);
        }
        Ok(())
    }

    /// Adds a frame whose motion is given to the FMU.
    fn input_frame<'a>(&mut self, name: &str, port: &dyn Fn(&str) -> Option<Port<'a>>) {
        let velocity = format!("{name}_v_0");
        if port("v_0").is_some() || port("a_0").is_some() {
            let declaration = format!("Real {velocity}[3](each unit = \"m/s\") = der({name}.r_0)");
            self.variables.push((velocity.clone(), declaration));
        }
        for (level, members) in FRAME.iter().enumerate() {
            for member in members {
                let Some(port) = port(member) else { continue };
                let vector = |name: &str| elements(name, &[3]);
                let derivatives = |name: &str| vector(name).iter().map(|element| format!("der({element})")).collect();
                let values = match *member {
                    "R.T" => elements(&format!("{name}.R.T"), &[3, 3]),
                    "v_0" => vector(&velocity),
                    "a_0" => derivatives(&velocity),
                    "z" => derivatives(&format!("{name}.R.w")),
                    member => vector(&format!("{name}.{member}")),
                };
                self.add_inputs(if level == 2 { self.accelerations() } else { level }, &port, values);
            }
        }
    }

    /// The equations of a frame that the FMU moves: its orientation is the FMU's, whatever it is connected to.
    fn output_frame<'a>(&mut self, name: &str, port: &dyn Fn(&str) -> Option<Port<'a>>) -> Result<Vec<String>, String> {
        let mut outputs = [(); 3].map(|()| Vec::new());
        for (level, members) in FRAME.iter().enumerate() {
            for member in members {
                let Some(port) = port(member) else { return Err(no_rates(&format!("{name}.{member}"))) };
                outputs[level].push(self.add_outputs(level, &port));
            }
        }
        let [position, velocity, acceleration] = &outputs;
        self.equations.push(format!("Connections.root({name}.R)"));
        let moving = (0..3).map(|i| state(&[&position[0][i], &velocity[0][i], &acceleration[0][i]]));
        let turning = (0..3).map(|i| state(&[&velocity[1][i], &acceleration[1][i]]));
        Ok(vec![
            format!("{name}.r_0 = {}", super::names::list(moving)),
            format!("{name}.R.w = {}", super::names::list(turning)),
            format!("{name}.R.T = {}", super::names::array(&position[1], &[3, 3])),
        ])
    }

    fn flange(&mut self, description: &Description, terminal: &Terminal) -> Result<(), String> {
        let name = &identifier(&terminal.name);
        let members = match terminal.connector {
            Connector::Flange_a | Connector::Flange_b | Connector::Support => ["phi", "w", "a"],
            Connector::TranslationalFlange_a | Connector::TranslationalFlange_b => ["s", "v", "a"],
            _ => ["T", "", ""],
        };
        let port = |member: &str| port(description, terminal, member);
        let potential = port(members[0]);
        let given = potential.as_ref().is_some_and(Port::is_output);
        match potential {
            Some(potential) if !given => {
                // A temperature is not a motion.
                let is_signal = members[1].is_empty();
                self.takes_others |= is_signal;
                let level = if is_signal { self.signal(description, &potential) } else { 0 };
                self.add_inputs(level, &potential, vec![format!("{name}.{}", members[0])]);
                self.input_rates(name, &members, &port);
            }
            // A discrete motion is that of a bearing at rest.
            Some(potential) if potential.variables[0].variability == Variability::Discrete => {
                self.equation(&format!("{name}.{}", members[0]), "0");
            }
            Some(potential) => {
                let mut values = vec![self.add_outputs(0, &potential).concat()];
                for (level, member) in members.iter().enumerate().skip(1) {
                    let rate = port(member).ok_or_else(|| no_rates(&format!("{name}.{member}")))?;
                    values.push(self.add_outputs(level, &rate).concat());
                }
                if self.is_block() {
                    // Tools differentiate what they inline here. An acceleration jumps at events, all others do not.
                    for (value, order) in values.iter_mut().zip([1, 0]) {
                        *value = format!("smooth({order}, {value})");
                    }
                }
                self.equation(&format!("{name}.{}", members[0]), &state(&values.iter().collect::<Vec<_>>()));
            }
            None => {}
        }
        for flow in terminal.connector.flows() {
            self.flow(description, terminal, flow, given);
        }
        Ok(())
    }

    fn input_rates<'a>(&mut self, name: &str, members: &[&str; 3], port: &dyn Fn(&str) -> Option<Port<'a>>) {
        let [potential, first, second] = members;
        let (velocity, rates) = (format!("{name}_{first}"), [port(first), port(second)]);
        if rates.iter().any(Option::is_some) {
            self.variables.push((velocity.clone(), format!("Real {velocity} = der({name}.{potential})")));
        }
        let values = [velocity.clone(), format!("der({velocity})")];
        for ((rate, value), level) in rates.iter().zip(values).zip([1, self.accelerations()]) {
            if let Some(rate) = rate {
                self.add_inputs(level, rate, vec![value]);
            }
        }
    }

    /// Adds a load or heat flow. Where the FMU gives the motion, it is a load on the FMU or a constraint's.
    fn flow(&mut self, description: &Description, terminal: &Terminal, member: &str, given: bool) {
        let (name, port) = (format!("{}.{member}", identifier(&terminal.name)), port(description, terminal, member));
        let is_heat = matches!(terminal.connector, Connector::HeatPort_a | Connector::HeatPort_b);
        let level = if self.kind == FmuKind::Coupled && !is_heat { 2 } else { LOADS };
        let is_vector = matches!(terminal.connector, Connector::Frame_a | Connector::Frame_b);
        match port {
            Some(port) if !port.is_output() => {
                let dimensions: &[usize] = if is_vector { &[3] } else { &[] };
                self.add_inputs(LOADS, &port, elements(&name, dimensions));
            }
            _ if given => {}
            Some(port) => {
                let sign = if description.outflow { "-" } else { "" };
                let value = slice(&self.add_outputs(level, &port));
                self.equation(&name, &format!("{sign}{value}"));
            }
            None => self.equation(&name, if is_vector { "zeros(3)" } else { "0" }),
        }
    }

    /// Adds inputs and outputs that belong to no connector.
    fn signals(&mut self, description: &Description) -> Result<(), String> {
        let mut discrete = [(); 2].map(|()| Vec::new());
        for (name, dimensions, port) in signals(description) {
            let values = elements(&identifier(name), &dimensions);
            match (&port.variables[0].kind, port.is_output()) {
                (VariableType::Real { .. }, true) => {
                    for (left, right) in values.into_iter().zip(self.add_outputs(LOADS, &port)) {
                        self.equation(&left, &right);
                    }
                }
                (VariableType::Real { .. }, false) if !port.is_discrete() => {
                    self.takes_others = true;
                    self.add_inputs(self.signal(description, &port), &port, values);
                }
                (VariableType::Real { .. }, false) => return Err(format!("{name} changes at events only")),
                (VariableType::Integer { .. }, false) if self.is_block() => {
                    self.given[0].extend(port.references().zip(values));
                }
                (VariableType::Boolean { .. }, false) if self.is_block() => {
                    let numbers = values.into_iter().map(|value| format!("(if {value} then 1 else 0)"));
                    self.given[1].extend(port.references().zip(numbers));
                }
                (VariableType::Integer { .. }, true) => discrete[0].extend(port.references().zip(values)),
                (VariableType::Boolean { .. }, true) => discrete[1].extend(port.references().zip(values)),
                _ => return Err(format!("{name} is not a Real")),
            }
        }
        let [integers, booleans] = &discrete;
        let switches = integers.len() + 1;
        for (i, (_, name)) in (1..).zip(integers) {
            self.equation(name, &format!("discretes[{i}]"));
        }
        for (i, (_, name)) in (switches..).zip(booleans) {
            self.equation(name, &format!("discretes[{i}] > 0"));
        }
        self.discrete = discrete.map(|ports| ports.into_iter().map(|(reference, _)| reference).collect());
        Ok(())
    }
}

impl FmuKind {
    fn of(description: &Description) -> Self {
        // The models of components with connectors leave a memory as it is at the start.
        let remembers = description.terminals.is_empty() && description.remembered().next().is_some();
        let is_block = description.has_states_or_events()
            || remembers
            || description.follows_time
            || signals(description).iter().any(|(_, _, port)| !port.variables[0].is_real());
        let is_given = |index: usize| description.variables[index].causality == Causality::Input;
        let couples = |terminal: &Terminal| {
            let couples = |member: &Member| is_acceleration(member) || terminal.is_flow(bare(&member.name));
            terminal.members.iter().any(|member| is_given(member.index) && couples(member))
        };
        match is_block {
            false => Self::Function,
            true if description.terminals.iter().any(couples) => Self::Coupled,
            true => Self::Block,
        }
    }
}

/// Returns a name without indices.
fn bare(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

fn is_acceleration(member: &Member) -> bool {
    ["a", "a_0", "z"].contains(&bare(&member.name))
}

/// Returns the entries of outputs in the model structure.
fn unknowns<'a>(description: &'a Description, references: &'a [u32]) -> impl Iterator<Item = &'a Unknown> {
    let is_wanted = |unknown: &&Unknown| references.contains(&description.variables[unknown.index].value_reference);
    description.model_structure.outputs.iter().filter(is_wanted)
}

/// Returns the variables on which an output depends.
fn knowns<'a>(description: &'a Description, unknown: &'a Unknown) -> impl Iterator<Item = &'a Variable> {
    let all = unknown.dependencies.is_none().then_some(&description.variables);
    let listed = unknown.dependencies.iter().flatten().map(|index| &description.variables[*index]);
    all.into_iter().flatten().chain(listed)
}

/// Returns name, sizes and first variable of each signal.
pub(super) fn signal_names(description: &Description) -> Vec<(&str, Vec<usize>, &Variable)> {
    signals(description).into_iter().map(|(name, sizes, port)| (name, sizes, port.variables[0])).collect()
}

fn signals(description: &Description) -> Vec<(&str, Vec<usize>, Port<'_>)> {
    let belongs =
        |name: &str, terminal: &Terminal| name.strip_prefix(&terminal.name).is_some_and(|rest| rest.starts_with('.'));
    let groups = group_arrays(&description.variables).into_iter().flat_map(|group| {
        let variables: Vec<_> = description.variables[group.members].iter().collect();
        if variables.iter().all(|variable| variable.causality == variables[0].causality) {
            return vec![(group.name, group.dimensions, Port { variables })];
        }
        // Only some elements of an array are outputs.
        variables.into_iter().map(|variable| (&*variable.name, vec![], Port { variables: vec![variable] })).collect()
    });
    let is_signal = |(name, _, port): &(&str, Vec<usize>, Port<'_>)| {
        matches!(port.variables[0].causality, Causality::Input | Causality::Output)
            && !description.terminals.iter().any(|terminal| belongs(name, terminal))
    };
    groups.filter(is_signal).collect()
}

/// Returns a member of a connector, by its name without indices.
fn port<'a>(description: &'a Description, terminal: &Terminal, member: &str) -> Option<Port<'a>> {
    let members = terminal.members.iter().filter(|other| bare(&other.name) == member);
    let variables: Vec<_> = members.map(|member| &description.variables[member.index]).collect();
    (!variables.is_empty()).then_some(Port { variables })
}

/// Returns a motion with its derivatives as an expression.
fn state(values: &[&String]) -> String {
    let list = values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", ");
    format!("{ADAPTORS}.state{}({{{list}}}, time)", values.len() - 1)
}

/// Returns elements that follow each other in one array, as a part of it.
pub(super) fn slice(elements: &[String]) -> String {
    match elements {
        [first, .., last] => format!("{}:{}", first.trim_end_matches(']'), last.split('[').nth(1).unwrap_or_default()),
        _ => elements.concat(),
    }
}

fn no_rates(name: &str) -> String {
    format!("there is no {name}: what an FMU moves needs velocities and accelerations")
}
