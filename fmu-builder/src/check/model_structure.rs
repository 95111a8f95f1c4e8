//! `ModelStructure`: the lists of unknowns and their dependencies.

use std::collections::BTreeSet;

use super::report::Report;
use super::variables::effective_initial;
use crate::description::{Causality, Initial, Unknown, Variability};
use crate::read::ModelDescription;
use crate::read::element::Element;

pub(super) fn check(model: &ModelDescription, root: &Element, report: &mut Report) {
    let structure = &model.model_structure;
    let state_of = |unknown: &Unknown| model.variables[unknown.index].derivative_of();
    let is_there = |index: &usize| *index < model.variables.len();
    let states: BTreeSet<usize> = structure.derivatives.iter().filter_map(state_of).filter(is_there).collect();
    outputs(model, report);
    derivatives(model, &states, report);
    initial_unknowns(model, &states, report);
    let time = |index: usize| model.variables[index].causality == Causality::Independent;
    let input = |index: usize| model.variables[index].causality == Causality::Input;
    let exact = |index: usize| effective_initial(&model.variables[index]) == Some(Initial::Exact);
    let during = |index: usize| input(index) || time(index) || states.contains(&index);
    let before = |index: usize| input(index) || time(index) || exact(index);
    dependencies("Outputs", &structure.outputs, &during, model, report);
    dependencies("Derivatives", &structure.derivatives, &during, model, report);
    dependencies("InitialUnknowns", &structure.initial_unknowns, &before, model, report);
    kinds(root, report);
}

fn outputs(model: &ModelDescription, report: &mut Report) {
    let listed: BTreeSet<usize> = model.model_structure.outputs.iter().map(|unknown| unknown.index).collect();
    for (index, variable) in model.variables.iter().enumerate() {
        let output = variable.causality == Causality::Output;
        report.expect(listed.contains(&index) == output, "MS-1", || {
            let right = if output { "is missing in" } else { "has no place in" };
            format!("variable \"{}\" {right} Outputs", variable.name)
        });
    }
}

fn derivatives(model: &ModelDescription, states: &BTreeSet<usize>, report: &mut Report) {
    for unknown in &model.model_structure.derivatives {
        let variable = &model.variables[unknown.index];
        report.expect(
            variable.derivative_of().is_some() && variable.variability == Variability::Continuous,
            "MS-2",
            || format!("variable \"{}\" is in Derivatives but is not a continuous derivative", variable.name),
        );
    }
    report.expect(states.len() == model.model_structure.derivatives.len(), "MS-2", || {
        "two entries of Derivatives belong to the same state, or one belongs to no state".to_owned()
    });
    for state in states {
        let state = &model.variables[*state];
        let proper = state.is_real()
            && state.variability == Variability::Continuous
            && matches!(state.causality, Causality::Local | Causality::Output);
        report.expect(proper, "V-6", || {
            format!("state \"{}\" must be a continuous Real that is local or an output", state.name)
        });
    }
}

fn initial_unknowns(model: &ModelDescription, states: &BTreeSet<usize>, report: &mut Report) {
    let structure = &model.model_structure;
    let listed: BTreeSet<usize> = structure.initial_unknowns.iter().map(|unknown| unknown.index).collect();
    let derivatives: BTreeSet<usize> = structure.derivatives.iter().map(|unknown| unknown.index).collect();
    for (index, variable) in model.variables.iter().enumerate() {
        let computed = matches!(effective_initial(variable), Some(Initial::Approx | Initial::Calculated));
        let candidate =
            variable.causality == Causality::Output || states.contains(&index) || derivatives.contains(&index);
        let unknown = variable.causality == Causality::CalculatedParameter || (candidate && computed);
        report.expect(listed.contains(&index) == unknown, "MS-3", || {
            let right = if unknown { "is missing in" } else { "has no place in" };
            format!("variable \"{}\" {right} InitialUnknowns", variable.name)
        });
    }
    report.expect(structure.initial_unknowns.is_sorted_by(|a, b| a.index < b.index), "MS-3", || {
        "InitialUnknowns are not in ascending order".to_owned()
    });
}

fn dependencies(
    list: &str,
    unknowns: &[Unknown],
    known: &dyn Fn(usize) -> bool,
    model: &ModelDescription,
    report: &mut Report,
) {
    let mut seen = BTreeSet::new();
    for unknown in unknowns {
        let name = &model.variables[unknown.index].name;
        report.expect(seen.insert(unknown.index), "MS-7", || format!("{list}: variable \"{name}\" is listed twice"));
        let Some(dependencies) = &unknown.dependencies else {
            continue;
        };
        report.expect(dependencies.is_sorted_by(|a, b| a < b), "MS-4", || {
            format!("{list}: the dependencies of \"{name}\" are not in ascending order")
        });
        for index in dependencies {
            let other = &model.variables[*index].name;
            let is_itself = *index == unknown.index;
            report.expect(!is_itself || known(*index), "MS-7", || format!("{list}: \"{name}\" depends on itself"));
            report.expect(is_itself || known(*index), "MS-4", || {
                format!("{list}: \"{name}\" depends on \"{other}\", which is not a known of that list")
            });
        }
    }
}

fn kinds(root: &Element, report: &mut Report) {
    for list in root.child("ModelStructure").map_or(&[][..], |structure| &structure.children) {
        for unknown in &list.children {
            let Some(kinds) = unknown.attribute("dependenciesKind") else {
                continue;
            };
            let at = format!("modelDescription.xml, line {}: dependenciesKind", unknown.line);
            let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).count();
            let count = unknown.attribute("dependencies").map(words);
            report.expect(count == Some(words(kinds)), "MS-5", || format!("{at} does not match dependencies"));
            for kind in kinds.split(' ').filter(|kind| !kind.is_empty()) {
                let allowed = match kind {
                    "dependent" | "constant" => true,
                    "fixed" | "tunable" | "discrete" => list.name != "InitialUnknowns",
                    _ => false,
                };
                report.expect(allowed, "MS-5", || format!("{at} has \"{kind}\" in {}", list.name));
            }
        }
    }
}
