//! Loads and heat flows with the sign with which they act on what is attached.

use std::collections::BTreeSet;

use fmu_builder::description::{Causality, Description};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance, components};

use crate::points::{Random, real_outputs, set_randomly};

/// Names of the outputs that are flow variables of connectors.
fn flow_outputs(description: &Description) -> BTreeSet<&str> {
    let members = description.terminals.iter().flat_map(|terminal| {
        terminal.members.iter().filter(|member| terminal.is_flow(member.name.split('[').next().unwrap()))
    });
    let variables = members.map(|member| &description.variables[member.index]);
    let outputs = variables.filter(|variable| variable.causality == Causality::Output);
    outputs.map(|variable| variable.name.as_str()).collect()
}

/// The structures in which a component has flow outputs.
fn options(component: &str) -> Vec<&'static str> {
    match component {
        "brake" => vec!["useHeatPort=true", "flange_a=motion_in", "useSupport=true"],
        "clutch" => vec!["useHeatPort=true", "flange_a=motion_in"],
        _ => Vec::new(),
    }
}

/// The same random point for both, at the end of the initialisation; `None` if it is not valid.
fn start(instance: &Instance<'_>, random: &Random, description: &Description) -> Option<()> {
    set_randomly(instance, &mut random.clone(), description)?;
    instance.try_initialise().ok()
}

#[test]
fn flows_out_of_a_component_are_those_into_it_with_the_opposite_sign() {
    for component in components() {
        let options = options(&component);
        let inward = Fmu::new(&component, &options);
        let outward = Fmu::new(&component, &[&options[..], &["flows=outflow"]].concat());
        let flows = flow_outputs(&inward.description);
        assert!(!flows.is_empty(), "{component}");
        for (variable, other) in inward.description.variables.iter().zip(&outward.description.variables) {
            let text = if flows.contains(variable.name.as_str()) {
                format!("{}, with the opposite sign (flows = outflow)", variable.description)
            } else {
                variable.description.clone()
            };
            assert_eq!((&variable.name, text), (&other.name, other.description.clone()));
        }
        let outputs: Vec<_> = real_outputs(&inward.description).collect();
        let references: Vec<u32> = outputs.iter().map(|variable| variable.value_reference).collect();
        let mut random = Random::new();
        let (mut points, mut loaded) = (0, BTreeSet::new());
        while points < 20 {
            random.between(0.0, 1.0);
            let pair = [inward.instance(), outward.instance()];
            if pair.iter().any(|instance| start(instance, &random, &inward.description).is_none()) {
                continue;
            }
            points += 1;
            let rates = pair.each_ref().map(|instance| {
                instance.step(0.0, 0.01);
                instance.output_rates(&references)
            });
            let values = pair.each_ref().map(|instance| {
                let (status, values) = instance.fmi.get_real(&references);
                assert_eq!(status, Status::Ok);
                values
            });
            for (i, variable) in outputs.iter().enumerate() {
                let sign = if flows.contains(variable.name.as_str()) { -1.0 } else { 1.0 };
                for pair in [&values, &rates] {
                    assert_eq!(pair[0][i], sign * pair[1][i], "{component}: {}", variable.name);
                }
                if sign < 0.0 && values[0][i] != 0.0 {
                    loaded.insert(variable.name.as_str());
                }
            }
        }
        assert!(!loaded.is_empty(), "{component}: no loads");
    }
}
