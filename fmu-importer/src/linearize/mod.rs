//! Linear systems x' = A x + B u, y = C x + D u of an FMU at an operating point.
//!
//! `plant` has the derivatives, `trim` finds steady states, `point` tells what is discrete or held; `spectrum` has eigenvalues
//! and vectors, `modes` what they mean, `response` the answer to harmonic inputs; `report` and `files` write results, `motion`
//! moves shapes along a mode.

pub mod files;
pub mod modes;
pub mod motion;
pub(crate) mod plant;
mod point;
mod report;
pub mod response;
mod spectrum;
mod trim;

use anyhow::{Context, Result, bail, ensure};
use fmu_builder::description::{Causality, Variable, VariableType};
use nalgebra::DMatrix;

use crate::load::{Instance, Loaded};
use crate::values::{assignment, variables};

use modes::Modes;
use plant::{Known, Plant};
use point::{Discrete, Held};
use trim::Trim;

/// Part of the largest element to which derivatives are known: those of the FMU, and differences.
const ROUNDING: [f64; 2] = [1e-12, 1e-9];

/// The variables and conditions that a user chooses; without names, those that the FMU offers.
#[derive(Default)]
pub struct Choice<'a> {
    /// Names of inputs; `s+v+a` is an input with its first and second time derivative.
    pub inputs: Option<&'a str>,
    /// Names of outputs.
    pub outputs: Option<&'a str>,
    /// True if all derivatives are to be differences.
    pub differences: bool,
    /// The steady state to move to, if there is one.
    pub trim: Option<TrimChoice<'a>>,
}

/// The conditions of a steady state.
#[derive(Default)]
pub struct TrimChoice<'a> {
    /// Names of states and inputs that may change.
    pub free: Option<&'a str>,
    /// Names of states whose derivatives are to be zero.
    pub steady: Option<&'a str>,
    /// Outputs with values, `name=value`.
    pub targets: &'a [String],
}

/// A state, an input or an output of a linear system.
pub struct Channel {
    /// Name of the variable.
    pub name: String,
    /// Its unit.
    pub unit: Option<String>,
    /// Its value at the operating point.
    pub value: f64,
    /// Name of the variable of which it is the time derivative, if it is an input.
    pub derivative_of: Option<String>,
}

/// A linear system.
pub struct Linearization {
    /// Name of the FMU's model.
    pub model: String,
    /// Time of the operating point in s.
    pub time: f64,
    /// The states.
    pub states: Vec<Channel>,
    /// The inputs.
    pub inputs: Vec<Channel>,
    /// The outputs.
    pub outputs: Vec<Channel>,
    /// Derivatives of the states at the operating point.
    pub derivatives: Vec<f64>,
    /// Origin of the derivatives, as a sentence says.
    pub origin: String,
    /// Values of discrete variables.
    pub discrete: Vec<Discrete>,
    /// Names of the variables that the conditions of the steady state leave open; `None` without a steady state.
    pub undetermined: Option<Vec<String>>,
    /// Derivatives of the states' derivatives with respect to the states.
    pub a: DMatrix<f64>,
    /// Derivatives of the states' derivatives with respect to the inputs.
    pub b: DMatrix<f64>,
    /// Derivatives of the outputs with respect to the states.
    pub c: DMatrix<f64>,
    /// Derivatives of the outputs with respect to the inputs.
    pub d: DMatrix<f64>,
    /// The modes.
    pub modes: Modes,
}

/// Linearizes an instance in Continuous-Time Mode at a time in s, or at a steady state near it.
///
/// # Errors
///
/// When a name is not that of a suitable variable, the FMU fails, or there is no such steady state.
pub fn linearize(loaded: &Loaded, instance: &Instance, time: f64, choice: &Choice<'_>) -> Result<Linearization> {
    let plant = Plant::new(loaded, instance, choice.differences);
    let all = plant.variables();
    let Driven { positions: inputs, derivatives: chosen } = match choice.inputs {
        Some(names) => driven(names, all).context("inputs of a linear system are continuous inputs")?,
        None => Driven {
            positions: (0..all.len()).filter(|position| is_input(&all[*position])).collect(),
            ..Driven::default()
        },
    };
    let is_output = |variable: &Variable| variable.causality == Causality::Output && variable.is_continuous();
    let outputs = match choice.outputs {
        Some(names) => {
            named(names, all, Variable::is_continuous).context("outputs of a linear system are continuous variables")?
        }
        None => (0..all.len()).filter(|position| is_output(&all[*position])).collect(),
    };
    let undetermined = choice.trim.as_ref().map(|choice| steady(&plant, time, choice)).transpose()?;
    let knowns: Vec<Known> = (0..plant.states.len())
        .map(Known::State)
        .chain(inputs.iter().map(|position| Known::Input(*position)))
        .collect();
    let jacobian = plant.jacobian(&knowns, &outputs)?;
    let [n, m, p] = [plant.states.len(), inputs.len(), outputs.len()];
    let part = |rows, columns| jacobian.view(rows, columns).into_owned();
    let a = part((0, 0), (n, n));
    ensure!(
        jacobian.iter().all(|value| value.is_finite()),
        "the derivatives are not finite numbers, so there is no linear system"
    );
    let discrete = point::discrete(&plant)?;
    let held: Vec<Held> = point::held(&plant, &discrete)?;
    let is_exact = plant.has_directional() && plant.states.iter().all(Option::is_some);
    let modes = Modes::of(&a, &held, ROUNDING[usize::from(!is_exact)])?;
    let channel = |position: &usize| channel(all, *position);
    let mut inputs: Vec<Channel> = inputs.iter().map(channel).collect();
    let mut outputs: Vec<Channel> = outputs.iter().map(channel).collect();
    let values = |channels: &mut [Channel]| -> Result<()> {
        for channel in channels {
            let position = all.iter().position(|variable| variable.name == channel.name);
            channel.value = plant.values(&position.into_iter().collect::<Vec<_>>())?[0];
        }
        Ok(())
    };
    values(&mut inputs)?;
    values(&mut outputs)?;
    for (input, of) in chosen {
        inputs[input].derivative_of = Some(inputs[of].name.clone());
    }
    let states = instance.continuous_states()?.into_iter().enumerate().map(|(state, value)| Channel {
        value,
        ..match plant.states[state] {
            Some(position) => self::channel(all, position),
            None => Channel { name: plant.state_name(state), unit: None, value, derivative_of: None },
        }
    });
    Ok(Linearization {
        model: instance.model().model_name.clone(),
        time,
        states: states.collect(),
        origin: origin(&plant, &outputs),
        inputs,
        derivatives: instance.derivatives()?,
        discrete,
        undetermined,
        b: part((0, n), (n, m)),
        c: part((n, 0), (p, n)),
        d: part((n, n), (p, m)),
        a,
        outputs,
        modes,
    })
}

impl Linearization {
    /// Returns the states that move although the operating point should be one of rest, the fastest first.
    pub fn moving(&self) -> Vec<usize> {
        // The distance that a state goes within the fastest time constant.
        let rate = self.a.norm().max(1.0);
        let size = |state: usize| self.derivatives[state].abs() / self.states[state].value.abs().max(1.0) / rate;
        let mut moving: Vec<usize> = (0..self.states.len()).filter(|state| size(*state) > 1e-6).collect();
        moving.sort_by(|one, other| size(*other).total_cmp(&size(*one)));
        moving
    }
}

fn channel(variables: &[Variable], position: usize) -> Channel {
    let variable = &variables[position];
    let (unit, derivative) = match &variable.kind {
        VariableType::Real { unit, derivative, .. } => (unit.clone(), *derivative),
        _ => (None, None),
    };
    let derivative_of = derivative.and_then(|of| variables.get(of)).map(|of| of.name.clone());
    let derivative_of = derivative_of.filter(|_| variable.causality == Causality::Input);
    Channel { name: variable.name.clone(), unit, value: 0.0, derivative_of }
}

fn origin(plant: &Plant<'_>, outputs: &[Channel]) -> String {
    let all = plant.variables();
    let differences: Vec<&str> = outputs
        .iter()
        .filter(|output| {
            all.iter().position(|variable| variable.name == output.name).is_some_and(|at| !plant.is_exact(at))
        })
        .map(|output| output.name.as_str())
        .collect();
    match (plant.has_directional(), &differences[..]) {
        (false, _) => "central differences".to_owned(),
        (true, []) => "directional derivatives of the FMU".to_owned(),
        (true, [first, more @ ..]) => {
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            format!(
                "directional derivatives of the FMU; central differences of `{first}`{more}, which the FMU does not list as an output"
            )
        }
    }
}

fn is_input(variable: &Variable) -> bool {
    variable.causality == Causality::Input && variable.is_continuous()
}

/// Inputs that a user has named.
#[derive(Default)]
struct Driven {
    positions: Vec<usize>,
    /// Pairs by their order among them: one that is the derivative of the other, since it follows it after a plus sign.
    derivatives: Vec<(usize, usize)>,
}

/// Returns the inputs in a list of names with commas.
fn driven(names: &str, all: &[Variable]) -> Result<Driven> {
    let Driven { mut positions, mut derivatives } = Driven::default();
    for group in listed(names)? {
        let is_name = all.iter().any(|variable| variable.name == group);
        let members: Vec<&str> = if is_name { vec![group] } else { group.split('+').map(str::trim).collect() };
        let (begin, size) = (positions.len(), named(members[0], all, is_input)?.len());
        for (order, member) in members.iter().enumerate() {
            let found = named(member, all, is_input)?;
            let sizes = (found.len(), members[0], size);
            ensure!(found.len() == size, "`{member}` has {} elements, but `{}` has {}", sizes.0, sizes.1, sizes.2);
            for (element, position) in found.into_iter().enumerate() {
                ensure!(!positions.contains(&position), "`{}` is named twice", all[position].name);
                if order > 0 {
                    derivatives.push((positions.len(), begin + (order - 1) * size + element));
                }
                positions.push(position);
            }
        }
    }
    Ok(Driven { positions, derivatives })
}

/// Returns the names in a list with commas.
fn listed(names: &str) -> Result<Vec<&str>> {
    let names = assignment::split(names).with_context(|| format!("the brackets in `{names}` do not match"))?;
    Ok(names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect())
}

/// Returns the positions of variables, or arrays of them, in a list of names with commas.
fn named(names: &str, all: &[Variable], eligible: impl Fn(&Variable) -> bool) -> Result<Vec<usize>> {
    let mut positions = Vec::new();
    for name in listed(names)? {
        for position in variables::find(name, all, &eligible)?.positions {
            ensure!(!positions.contains(&position), "`{}` is named twice", all[position].name);
            positions.push(position);
        }
    }
    Ok(positions)
}

/// Moves to a steady state; returns the names of the variables that its conditions leave open.
fn steady(plant: &Plant<'_>, time: f64, choice: &TrimChoice<'_>) -> Result<Vec<String>> {
    let all = plant.variables();
    let state = |position: usize| plant.states.iter().position(|state| *state == Some(position));
    let is_state =
        |variable: &Variable| plant.states.iter().flatten().any(|position| all[*position].name == variable.name);
    let free = match choice.free {
        None => (0..plant.states.len()).map(Known::State).collect(),
        Some(names) => {
            let positions = named(names, all, |variable| is_state(variable) || is_input(variable))
                .context("--free names continuous states and inputs")?;
            positions.into_iter().map(|at| state(at).map_or(Known::Input(at), Known::State)).collect()
        }
    };
    let steady = match choice.steady {
        None => (0..plant.states.len()).collect(),
        Some(names) => {
            let positions = named(names, all, is_state).context("--steady names continuous states")?;
            positions.into_iter().filter_map(state).collect()
        }
    };
    let mut targets = Vec::new();
    for text in choice.targets {
        let read = || -> Result<(usize, f64)> {
            let (name, value) = text.split_once('=').context("it is not of the form name=value")?;
            let [position] = variables::find(name.trim(), all, Variable::is_continuous)?.positions[..] else {
                bail!("`{}` is an array; name one element", name.trim());
            };
            let value = value.trim();
            let number: f64 = value.parse().ok().with_context(|| format!("`{value}` is not a number"))?;
            ensure!(number.is_finite(), "`{value}` is not a finite number");
            Ok((position, number))
        };
        targets.push(read().with_context(|| format!("--target {text}"))?);
    }
    let conditions = Trim { free, steady, targets };
    // Events may change modes, and with them the steady state.
    for _ in 0..EVENTS {
        let undetermined = trim::trim(plant, &conditions)?;
        let before = plant.instance.derivatives()?;
        settle(plant.instance, time)?;
        let rest: f64 =
            before.iter().zip(plant.instance.derivatives()?).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if rest <= 1e-12 * before.iter().fold(1.0, |most: f64, value| most.max(value.abs())) {
            return Ok(undetermined);
        }
    }
    bail!("there is no steady state nearby: each one that is found causes an event that leads to another one")
}

/// Number of steady states after which events are taken not to end.
const EVENTS: usize = 10;

/// Handles events at the present states.
fn settle(instance: &Instance, time: f64) -> Result<()> {
    instance.enter_event_mode()?;
    let settled = crate::simulate::model_exchange::settle(instance, time)?;
    ensure!(settled.is_some(), "the FMU ends the simulation in the steady state");
    Ok(())
}
