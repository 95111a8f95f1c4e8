//! The model of a component that brings its equations in Modelica: they call the law of its FMU.

use fmu_runtime::AcausalModel;

use super::levels::Levels;
use super::model::{PACKAGE, annotation, instance, statements};
use super::names::text;
use super::parameters::parameters;
use crate::description::Description;
use crate::description::icon::Icon;

/// The model around the law.
pub(super) fn model(description: &Description, law: &AcausalModel, icon: &Icon) -> String {
    let name = &description.name;
    let parameters = parameters(description, &law.without);
    let mut text = format!("within {PACKAGE};\nmodel {name} {}\n", text(&description.description));
    statements(&mut text, &parameters.declarations);
    text += "protected\n";
    let instance = instance(name, &description.guid, &parameters, &Levels::default());
    statements(&mut text, &[instance, "parameter Integer ready(fixed = false)".to_owned()]);
    text += "initial equation\n  ready = Internal.start(fmu, time, fill(0.0, 0));\n";
    text += &law.text;
    text += &annotation(description, &parameters, icon);
    text + &format!("end {name};\n")
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
        let text = model(&description, &law, &icon);
        let places = [
            "model TestAssembly ",
            "  parameter Real c[2]",
            "protected\n  Internal.Instance fmu = Internal.Instance(\n",
            "initial equation\n  ready = Internal.start(fmu, time, fill(0.0, 0));\npublic\n  Real law[2];\n  annotation (",
            "end TestAssembly;\n",
        ];
        let places: Vec<_> = places.map(|part| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"))).into();
        assert!(places.is_sorted(), "{text}");
        assert!(!text.contains("angle") && !text.contains("frame_a"), "{text}");
    }
}
