//! Derivatives of variables at a point: exact ones where the FMU has them, else by differences.

use anyhow::{Result, bail, ensure};
use fmu_builder::ModelDescription;
use fmu_builder::description::Causality;

use super::frame::{Frame, packed};
use super::model::OpenModel;
use super::request::{Column, Reply};
use crate::linearize::plant::{Known, Plant};
use crate::load::Interface;
use crate::values::variables;

/// Variables that may be changed: the states of Model Exchange, in the order of these, and continuous inputs.
struct Knowns {
    states: Vec<usize>,
    inputs: Vec<usize>,
}

impl OpenModel {
    /// Tells the derivatives of variables, by default of all continuous outputs and derivatives of states, by continuous
    /// inputs and states; or the sums of them along a direction.
    pub fn derivatives(
        &mut self,
        of: Option<&[String]>,
        by: Option<&[String]>,
        along: Option<&[f64]>,
    ) -> Result<Frame> {
        let loaded = self.loaded.clone();
        let model = loaded.model();
        let is_exchange = loaded.interface() == Interface::ModelExchange;
        let known = Knowns::of(model, is_exchange);
        let knowns = match by {
            None => [&known.states[..], &known.inputs].concat(),
            Some(names) => known.named(names, model)?,
        };
        let unknowns = match of {
            None => default_unknowns(model, is_exchange),
            Some(names) => named_unknowns(names, model)?,
        };
        if let Some(along) = along {
            let (given, needed) = (along.len(), knowns.len());
            ensure!(
                given == needed,
                "the direction has {given} instead of {needed} numbers, one for each of {}",
                listed(&knowns, model)
            );
        }
        let point = self.point()?;
        let plant = Plant::new(&loaded, &point.instance, false);
        let exact = plant.has_directional();
        let references: Vec<_> = unknowns.iter().map(|position| model.variables[*position].value_reference).collect();
        let directional = |positions: &[usize], seeds: &[f64]| -> Result<Vec<f64>> {
            if references.is_empty() || positions.is_empty() {
                return Ok(vec![0.0; references.len()]);
            }
            let knowns: Vec<_> = positions.iter().map(|position| model.variables[*position].value_reference).collect();
            if exact {
                return Ok(point.instance.directional_derivative(&references, &knowns, seeds)?);
            }
            let mut sums = vec![0.0; references.len()];
            for (position, seed) in positions.iter().zip(seeds) {
                let state = plant.states.iter().position(|state| is_exchange && *state == Some(*position));
                let known = state.map_or(Known::Input(*position), Known::State);
                let column = plant.difference_of(known, || point.instance.get_reals(&references))?;
                sums.iter_mut().zip(column).for_each(|(sum, derivative)| *sum += seed * derivative);
            }
            Ok(sums)
        };
        let columns = match along {
            Some(along) => vec![directional(&knowns, along)?],
            None => knowns.iter().map(|position| directional(&[*position], &[1.0])).collect::<Result<_, _>>()?,
        };
        let matrix: Vec<f64> =
            (0..unknowns.len()).flat_map(|row| columns.iter().map(move |column: &Vec<f64>| column[row])).collect();
        let header =
            Reply::Derivatives { of: named(&unknowns, model), by: named(&knowns, model), exact, time: point.time };
        Ok(Frame::of(&header, packed(std::iter::once(&matrix[..]))))
    }
}

impl Knowns {
    fn of(model: &ModelDescription, is_exchange: bool) -> Self {
        let state = |position: usize| model.variables[position].derivative_of();
        let derivatives = model.model_structure.derivatives.iter();
        let states = derivatives.filter(|_| is_exchange).filter_map(|unknown| state(unknown.index)).collect();
        let is_input = |position: &usize| {
            let variable = &model.variables[*position];
            variable.causality == Causality::Input && variable.is_continuous()
        };
        Self { states, inputs: (0..model.variables.len()).filter(is_input).collect() }
    }

    fn named(&self, names: &[String], model: &ModelDescription) -> Result<Vec<usize>> {
        let mut positions = Vec::new();
        for name in names {
            let found = variables::find(name, &model.variables, |_| true)?;
            if let Some(wrong) =
                found.positions.iter().find(|it| !self.states.contains(it) && !self.inputs.contains(it))
            {
                let variable = &model.variables[*wrong];
                let states = if self.states.is_empty() { "" } else { ", and to continuous states" };
                bail!(
                    "there are no derivatives with respect to `{}`, which is {}: there are with respect to continuous inputs{states}",
                    variable.name,
                    variables::role(variable.causality)
                );
            }
            positions.extend(found.positions);
        }
        Ok(positions)
    }
}

fn default_unknowns(model: &ModelDescription, is_exchange: bool) -> Vec<usize> {
    let derivatives = model.model_structure.derivatives.iter().filter(|_| is_exchange).map(|unknown| unknown.index);
    let is_output = |position: &usize| {
        let variable = &model.variables[*position];
        variable.causality == Causality::Output && variable.is_continuous()
    };
    derivatives.chain((0..model.variables.len()).filter(is_output)).collect()
}

fn named_unknowns(names: &[String], model: &ModelDescription) -> Result<Vec<usize>> {
    let mut positions = Vec::new();
    for name in names {
        let found = variables::find(name, &model.variables, |_| true)?;
        if let Some(wrong) = found.positions.iter().find(|position| !model.variables[**position].is_continuous()) {
            bail!("`{}` has no derivatives: it is not continuous", model.variables[*wrong].name);
        }
        positions.extend(found.positions);
    }
    Ok(positions)
}

/// Returns names for the end of a sentence.
fn listed(positions: &[usize], model: &ModelDescription) -> String {
    let names: Vec<_> = positions.iter().map(|position| model.variables[*position].name.as_str()).collect();
    names.join(", ")
}

fn named(positions: &[usize], model: &ModelDescription) -> Vec<Column> {
    let column = |position: &usize| {
        let variable = &model.variables[*position];
        Column { name: variable.name.clone(), unit: variable.unit().map(str::to_owned) }
    };
    positions.iter().map(column).collect()
}
