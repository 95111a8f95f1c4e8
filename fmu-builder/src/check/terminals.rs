//! `terminalsAndIcons.xml`, if there is one: its variables must exist.

use std::collections::{BTreeMap, BTreeSet};

use super::report::Report;
use crate::description::Causality;
use crate::read::element::{Element, parse};
use crate::read::{Archive, ModelDescription};

const FOLDER: &str = "terminalsAndIcons/";

pub(super) fn check(archive: &Archive, model: &ModelDescription, report: &mut Report) {
    let has = |name: &str| archive.entries().iter().any(|entry| entry.name.strip_prefix(FOLDER) == Some(name));
    report
        .expect(has("icon.png") || !has("icon.svg"), "5.5", || format!("{FOLDER}icon.svg has no icon.png next to it"));
    if !has("terminalsAndIcons.xml") {
        return;
    }
    let text = archive.read("terminalsAndIcons/terminalsAndIcons.xml");
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| error.to_string());
    match text.and_then(|text| parse(&text)) {
        Ok(root) => check_root(&root, model, report),
        Err(reason) => report.expect(false, "5.5", || format!("terminalsAndIcons.xml: {reason}")),
    }
}

fn check_root(root: &Element, model: &ModelDescription, report: &mut Report) {
    let version = root.attribute("fmiVersion").unwrap_or_default();
    report.expect(root.name == "fmiTerminalsAndIcons" && version.starts_with("3."), "5.5", || {
        format!(
            "the root of terminalsAndIcons.xml is not <fmiTerminalsAndIcons fmiVersion=\"3.…\">, but <{} … \"{version}\">",
            root.name
        )
    });
    let known: BTreeMap<&str, Causality> =
        model.variables.iter().map(|variable| (variable.name.as_str(), variable.causality)).collect();
    let mut names = BTreeSet::new();
    for terminal in root.list("Terminals") {
        let name = terminal.attribute("name").unwrap_or_default();
        report.expect(names.insert(name), "5.5", || format!("terminal \"{name}\" exists twice"));
        let mut members = BTreeSet::new();
        for member in terminal.children.iter().filter(|child| child.name == "TerminalMemberVariable") {
            let variable = member.attribute("variableName").unwrap_or_default();
            let problem = match known.get(variable) {
                None => Some("there is no variable"),
                Some(Causality::Local | Causality::Independent) => Some("this variable cannot be connected:"),
                Some(_) => None,
            };
            report.expect(problem.is_none(), "5.5", || {
                format!("terminal \"{name}\": {} \"{variable}\"", problem.unwrap_or_default())
            });
            let member = member.attribute("memberName").unwrap_or_default();
            report
                .expect(members.insert(member), "5.5", || format!("terminal \"{name}\" has two members \"{member}\""));
        }
    }
}

#[cfg(test)]
mod tests {
    use fmu_exchange::Standard;

    use super::*;
    use crate::description::icon::Icon;
    use crate::description::model_description::model_description;
    use crate::description::terminals::terminals_and_icons;
    use crate::example::assembly;
    use crate::read::interpret::interpret;

    /// Returns the report on the terminals of the example after a change of their text.
    fn report(from: &str, to: &str) -> Report {
        let model = interpret(&parse(&model_description(&assembly(), None).unwrap()).unwrap()).0;
        let icon = Icon { width: 1, height: 1, png: Vec::new() };
        let text = terminals_and_icons(&assembly(), Standard::Fmi2, &icon).unwrap();
        assert!(text.contains(from), "{text}");
        let mut report = Report::default();
        check_root(&parse(&text.replacen(from, to, 1)).unwrap(), &model, &mut report);
        report
    }

    #[test]
    fn our_own_are_right() {
        let report = report("", "");
        assert_eq!(report.problems, Vec::<String>::new());
        assert!(report.checked > 100, "{}", report.checked);
    }

    #[test]
    fn what_is_wrong_is_found() {
        for (from, to, problem) in [
            ("fmiVersion=\"3.0\"", "fmiVersion=\"2.0\"", "<fmiTerminalsAndIcons … \"2.0\"> (5.5)"),
            ("name=\"flange_b\"", "name=\"flange_a\"", "terminal \"flange_a\" exists twice (5.5)"),
            ("=\"axis.s\"", "=\"axis.x\"", "terminal \"axis\": there is no variable \"axis.x\" (5.5)"),
            ("memberName=\"s\"", "memberName=\"v\"", "terminal \"axis\" has two members \"v\" (5.5)"),
        ] {
            let problems = report(from, to).problems;
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].ends_with(problem), "{problems:?}");
        }
    }
}
