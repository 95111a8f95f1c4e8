//! Discrete states at an operating point: modes of friction, and motions that elements hold.

use std::collections::BTreeMap;

use anyhow::Result;
use fmu_builder::description::{Causality, Variability, Variable, VariableType};
use nalgebra::RowDVector;

use super::plant::{Known, Plant};

/// Names of Booleans that are true while an element holds.
const HOLDS: [&str; 2] = ["locked", "stuck"];
/// Names of the relative motion that an element holds, in the order of preference.
const MOTIONS: [&str; 4] = ["phi_rel", "s_rel", "phi", "s"];

/// A discrete variable with its value.
pub struct Discrete {
    /// Name of the variable.
    pub name: String,
    /// The value as a number, a Boolean as 0 or 1.
    pub value: f64,
    /// The value as a person reads it.
    pub text: String,
}

/// An element that holds.
pub struct Held {
    /// Name of the element.
    pub name: String,
    /// Derivatives of its relative motion with respect to the states.
    pub motion: RowDVector<f64>,
}

/// Returns the values of all discrete variables that the FMU computes, without Strings.
pub fn discrete(plant: &Plant<'_>) -> Result<Vec<Discrete>> {
    let is_discrete = |variable: &&Variable| {
        matches!(variable.causality, Causality::Output | Causality::Local)
            && variable.variability == Variability::Discrete
            && !matches!(variable.kind, VariableType::String { .. })
    };
    let value = |variable: &Variable| {
        let value = plant.instance.number(variable)?;
        Ok(Discrete { name: variable.name.clone(), value, text: text(plant, variable, value) })
    };
    plant.variables().iter().filter(is_discrete).map(value).collect()
}

fn text(plant: &Plant<'_>, variable: &Variable, value: f64) -> String {
    match &variable.kind {
        VariableType::Boolean { .. } => (value != 0.0).to_string(),
        VariableType::Enumeration { declared_type, .. } => {
            let enumerations = &plant.instance.model().enumerations;
            let declared = enumerations.iter().find(|enumeration| &enumeration.name == declared_type);
            let mut items = declared.into_iter().flat_map(|declared| declared.items.iter().zip(declared.values()));
            let item = items.find(|(_, number)| f64::from(*number) == value);
            item.map_or_else(|| value.to_string(), |(item, _)| item.name.to_string())
        }
        // Numbers whose meaning the description lists, such as "-1 Backward, 0 Stuck, 1 Forward, 2 Free".
        VariableType::Integer { .. } => {
            let mut meanings =
                variable.description.split([',', ':', ';']).filter_map(|part| part.trim().split_once(' '));
            let meaning = meanings.find(|(number, _)| number.parse() == Ok(value));
            meaning.map_or_else(|| value.to_string(), |(_, meaning)| format!("{value} ({meaning})"))
        }
        _ => value.to_string(),
    }
}

/// Returns the elements that hold, with the motions that they prevent.
pub fn held(plant: &Plant<'_>, discrete: &[Discrete]) -> Result<Vec<Held>> {
    let positions: BTreeMap<&str, usize> = (plant.variables().iter().enumerate())
        .filter(|(_, variable)| variable.is_real())
        .map(|(position, variable)| (variable.name.as_str(), position))
        .collect();
    let states: Vec<Known> = (0..plant.states.len()).map(Known::State).collect();
    let mut held = Vec::new();
    for variable in discrete.iter().filter(|variable| variable.value == 1.0) {
        let begin = variable.name.rfind('.').map_or(0, |dot| dot + 1);
        let (group, leaf) = variable.name.split_at(begin);
        if !HOLDS.contains(&leaf) {
            continue;
        }
        let motion = MOTIONS.iter().find_map(|name| positions.get(format!("{group}{name}").as_str()));
        if let Some(motion) = motion {
            let jacobian = plant.jacobian(&states, &[*motion])?;
            let name =
                if group.is_empty() { plant.instance.model().model_name.as_str() } else { group.trim_end_matches('.') };
            held.push(Held { name: name.to_owned(), motion: jacobian.row(states.len()).into_owned() });
        }
    }
    Ok(held)
}
