//! The model of a component that brings its equations in Modelica: they call the law of its FMU.

use fmu_exchange::AcausalModel;

use super::check::{check_names, check_text};
use super::levels::Levels;
use super::model::{PACKAGE, annotation, instance, statements};
use super::names::text;
use super::parameters::parameters;
use super::visualizers;
use crate::description::Description;
use crate::description::icon::Icon;

/// Writes the model around the law.
pub(super) fn model(description: &Description, law: &AcausalModel, icon: &Icon) -> Result<String, String> {
    let name = &description.name;
    let shapes = visualizers::shapes(description)?;
    let (parameters, levels) = (parameters(description, &law.without, &shapes), Levels::default());
    check_names(description, &parameters, &[], &[], &law.text)?;
    let mut text = format!("within {PACKAGE};\nmodel {name} {}\n", text(&description.description));
    statements(&mut text, &parameters.declarations);
    text += "protected\n";
    let instance = instance(name, &description.guid, &parameters, &levels);
    statements(&mut text, &[instance, "parameter Integer ready(fixed = false)".to_owned()]);
    text += "initial equation\n  ready = Internal.start(fmu, time, fill(0.0, 0));\n";
    text += &law.text;
    text += &annotation(description, &parameters, icon);
    text += &format!("end {name};\n");
    check_text(&text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::icon::draw;
    use crate::example::movable;

    #[test]
    fn the_component_s_equations_follow_its_parameters() {
        let description = movable();
        let icon = draw(&description, 80).unwrap();
        let law = AcausalModel { text: "public\n  Real law[2];\n".to_owned(), without: vec!["angle".to_owned()] };
        let text = model(&description, &law, &icon).unwrap();
        let places = [
            "model TestAssembly ",
            "  parameter Real c[2]",
            "protected\n  Internal.Instance fmu = Internal.Instance(\n",
            "initial equation\n  ready = Internal.start(fmu, time, fill(0.0, 0));\npublic\n  Real law[2];\n  annotation (",
            "end TestAssembly;\n",
        ];
        let places: Vec<_> = places.map(|part| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"))).into();
        assert!(places.is_sorted(), "{text}");
        let clash = AcausalModel { text: "public\n  Real angle[2];\n".to_owned(), without: Vec::new() };
        let reason = model(&description, &clash, &icon).unwrap_err();
        assert_eq!(reason, "its model has something else with the name angle");
        assert!(!text.contains("angle") && !text.contains("frame_a"), "{text}");
    }
}
