//! Descriptions of parameters, beside the sentences of the documentation that the joints were made from.

use std::io::Write;

use fmu_tests::finished::{components, describe, root};

/// Parameters with other words, since several joints share them, or a joint describes them more exactly.
const OTHERWISE: [&str; 11] = [
    "sphereDiameter", "rod1Diameter", "rod2Diameter", "rodDiameter", "rod1Length", "s_offset", "phi_offset",
    "boxWidthDirection", "n_b", "e_im", "e_b",
];

/// Returns the part of a sentence that is compared.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}

/// Returns name and description of a parameter in a statement of Modelica.
fn parameter(statement: &str) -> Option<(&str, &str)> {
    let (_, text) = statement.split_once("parameter ")?;
    let name = text.split_whitespace().nth(1)?.split(['[', '(', '=']).next()?;
    Some((name, text.rsplit('"').nth(1)?))
}

#[test]
fn descriptions_are_the_sentences_of_the_documentation() {
    let path = root().join("../shared/seeds/joint-assemblies.txt");
    let Ok(text) = fs_err::read_to_string(&path) else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}", path.display());
        return;
    };
    let mut found = 0;
    for component in components().iter().filter(|name| name.starts_with("joint-")) {
        let description = describe(component, &[]).unwrap();
        let name = &description.component;
        let [_, rest] = text.split(&format!("\nmodel {name} ")).collect::<Vec<_>>()[..] else { panic!("no {name}") };
        let definition = rest.split(&format!("\nend {name};")).next().unwrap();
        for (parameter, sentence) in definition.split(';').filter_map(parameter) {
            let is_it = |variable: &str| variable.split('[').next() == Some(parameter);
            let Some(variable) = description.variables.iter().find(|variable| is_it(&variable.name)) else { continue };
            if !OTHERWISE.contains(&parameter) {
                assert_eq!(words(&variable.description), words(sentence), "{name}: {parameter}");
                found += 1;
            }
        }
    }
    assert!(found > 50, "only {found} parameters");
}
