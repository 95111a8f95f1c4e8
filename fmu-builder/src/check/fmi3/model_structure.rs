//! `ModelStructure` of FMI 3.0, whose entries refer to variables by value references.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::report::Report;
use crate::read::element::Element;

type Variables<'e> = BTreeMap<&'e str, &'e Element>;

const KINDS: [&str; 5] = ["dependent", "constant", "fixed", "tunable", "discrete"];

pub(super) fn check(root: &Element, report: &mut Report) {
    let variables: Variables<'_> = (root.list("ModelVariables").iter())
        .filter_map(|variable| Some((variable.attribute("valueReference")?.trim(), variable)))
        .collect();
    let unknowns = root.list("ModelStructure");
    let listed = |list: &str| -> BTreeSet<&str> {
        let of_list = unknowns.iter().filter(|unknown| unknown.name == list);
        of_list.map(|unknown| unknown.attribute("valueReference").unwrap_or_default().trim()).collect()
    };
    let (outputs, derivatives) = (listed("Output"), listed("ContinuousStateDerivative"));
    for (reference, variable) in &variables {
        let is_output = attribute(variable, "causality") == "output" && variable.name != "Clock";
        report.expect(outputs.contains(reference) == is_output || variable.name == "Clock", "T-21", || {
            let right = if is_output { "is missing among" } else { "has no place among" };
            format!("variable \"{}\" {right} the elements <Output>", name(variable))
        });
    }
    let mut states = BTreeSet::new();
    for reference in &derivatives {
        let Some(variable) = variables.get(reference) else { continue };
        let state = variable.attribute("derivative").map(str::trim).filter(|state| variables.contains_key(state));
        report.expect(state.is_some() && is_continuous(variable), "T-21", || {
            format!("variable \"{}\" is a <ContinuousStateDerivative> but no continuous derivative", name(variable))
        });
        if let Some(state) = state {
            report.expect(states.insert(state), "T-21", || {
                format!("two elements <ContinuousStateDerivative> belong to the state \"{}\"", name(variables[state]))
            });
            let state = variables[state];
            report.expect(is_continuous(state) && is_local_or_output(state), "V-6", || {
                format!("state \"{}\" must be a continuous Float32 or Float64 that is local or an output", name(state))
            });
        }
    }
    let clocked = listed("ClockedState");
    for (reference, variable) in &variables {
        let is_state = variable.attribute("previous").is_some();
        report.expect(clocked.contains(reference) == is_state, "T-21", || {
            let right = if is_state { "is missing among" } else { "has no previous value, and no place among" };
            format!("variable \"{}\" {right} the elements <ClockedState>", name(variable))
        });
    }
    for reference in &listed("EventIndicator") {
        let Some(variable) = variables.get(reference) else { continue };
        report.expect(is_continuous(variable), "T-21", || {
            format!("event indicator \"{}\" is not continuous", name(variable))
        });
    }
    initial_unknowns(&variables, &listed("InitialUnknown"), (&states, &derivatives), report);
    let mut seen = BTreeSet::new();
    // Co-Simulation alone need not tell which variables are states.
    let tells_states = root.child("ModelExchange").is_some();
    let is_known = |list: &str, reference: &str, variable: &Element| match list {
        "InitialUnknown" => is_known_before(variable),
        "Output" | "ContinuousStateDerivative" => {
            is_known_during(variable) || is_continuous(variable) && (states.contains(reference) || !tells_states)
        }
        // The standard defines no knowns of the others.
        _ => true,
    };
    for unknown in unknowns {
        dependencies(unknown, &variables, &is_known, report);
        entry(unknown, &variables, &mut seen, report);
    }
}

fn initial_unknowns(
    variables: &Variables<'_>,
    listed: &BTreeSet<&str>,
    (states, derivatives): (&BTreeSet<&str>, &BTreeSet<&str>),
    report: &mut Report,
) {
    for (reference, variable) in variables {
        let (causality, initial) = (attribute(variable, "causality"), variable.attribute("initial"));
        let is_constant = attribute(variable, "variability") == "constant";
        let is_computed = !is_constant && matches!(initial, None | Some("approx" | "calculated"));
        let is_candidate = causality == "output" || states.contains(reference) || derivatives.contains(reference);
        let is_clocked = is_clocked(variable);
        let is_unknown = causality == "calculatedParameter" || (is_candidate && is_computed && !is_clocked);
        report.expect(listed.contains(reference) == is_unknown || is_clocked, "T-21", || {
            let right = if is_unknown { "is missing among" } else { "has no place among" };
            format!("variable \"{}\" {right} the elements <InitialUnknown>", name(variable))
        });
    }
}

/// Checks that an unknown depends on knowns: in FMI 3.0 they stand in any order.
fn dependencies(
    unknown: &Element,
    variables: &Variables<'_>,
    is_known: &dyn Fn(&str, &str, &Element) -> bool,
    report: &mut Report,
) {
    let (list, reference) = (unknown.name.as_str(), attribute(unknown, "valueReference").trim());
    let Some(itself) = variables.get(reference).map(|variable| name(variable)) else { return };
    for dependency in attribute(unknown, "dependencies").split_whitespace() {
        let Some(variable) = variables.get(dependency) else { continue };
        let is_known = is_known(list, dependency, variable);
        report.expect(is_known || dependency != reference, "MS-7", || {
            format!("<{list}>: \"{itself}\" depends on itself")
        });
        report.expect(is_known || dependency == reference, "MS-4", || {
            format!("<{list}>: \"{itself}\" depends on \"{}\", which is not a known of these elements", name(variable))
        });
    }
}

/// Returns true for a known of the initialisation.
fn is_known_before(variable: &Element) -> bool {
    let by_default =
        matches!(attribute(variable, "causality"), "input" | "independent" | "parameter" | "structuralParameter")
            || attribute(variable, "variability") == "constant";
    by_default || attribute(variable, "initial") == "exact" || is_clocked(variable)
}

/// Returns true for a known after the initialisation that is not a continuous state; what changes at events may be a
/// discrete state.
fn is_known_during(variable: &Element) -> bool {
    match attribute(variable, "causality") {
        "input" | "independent" | "parameter" | "structuralParameter" => true,
        "calculatedParameter" => false,
        _ => {
            !is_continuous(variable) && !matches!(attribute(variable, "variability"), "constant" | "fixed" | "tunable")
        }
    }
}

/// Returns true for a variable of clocks, which is computed when these tick.
fn is_clocked(variable: &Element) -> bool {
    variable.attribute("clocks").is_some() || variable.name == "Clock"
}

/// Returns true for a variable that is local, or an output.
fn is_local_or_output(variable: &Element) -> bool {
    matches!(variable.attribute("causality"), None | Some("local" | "output"))
}

/// Checks one entry: its variable exists, is listed once, and depends on variables that exist.
fn entry<'e>(
    unknown: &'e Element,
    variables: &Variables<'_>,
    seen: &mut BTreeSet<(&'e str, &'e str)>,
    report: &mut Report,
) {
    let at = format!("modelDescription.xml, line {}: <{}>", unknown.line, unknown.name);
    let reference = unknown.attribute("valueReference").unwrap_or_default().trim();
    report.expect(variables.contains_key(reference), "T-21", || {
        format!("{at} has the value reference {reference}, which no variable has")
    });
    report.expect(seen.insert((&unknown.name, reference)), "T-21", || format!("{at} lists {reference} twice"));
    let dependencies = unknown.attribute("dependencies");
    for dependency in dependencies.unwrap_or_default().split_whitespace() {
        report.expect(variables.contains_key(dependency), "T-21", || {
            format!("{at} depends on {dependency}, which no variable has as value reference")
        });
    }
    let Some(kinds) = unknown.attribute("dependenciesKind") else { return };
    let count = dependencies.map(|list| list.split_whitespace().count());
    report.expect(count == Some(kinds.split_whitespace().count()), "T-21", || {
        format!("{at}: dependenciesKind does not match dependencies")
    });
    for kind in kinds.split_whitespace() {
        let is_allowed =
            KINDS.contains(&kind) && (unknown.name != "InitialUnknown" || matches!(kind, "dependent" | "constant"));
        report.expect(is_allowed, "T-21", || format!("{at}: dependenciesKind has \"{kind}\""));
    }
}

fn attribute<'e>(element: &'e Element, name: &str) -> &'e str {
    element.attribute(name).unwrap_or_default()
}

fn name(variable: &Element) -> &str {
    attribute(variable, "name")
}

/// Returns true if a variable is continuous: only numbers with a fraction are, unless they say otherwise.
fn is_continuous(variable: &Element) -> bool {
    let is_constant =
        matches!(attribute(variable, "causality"), "parameter" | "calculatedParameter" | "structuralParameter");
    matches!(variable.name.as_str(), "Float32" | "Float64")
        && !is_constant
        && matches!(variable.attribute("variability"), None | Some("continuous"))
}
