//! The content of `modelDescription.xml`, with FMI's defaults filled in.

use std::ops::Range;

use crate::description::rows::Described;
use crate::description::{DataType, Enumeration, LogCategory, ModelStructure, Unit, Variable};

/// The content of `modelDescription.xml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelDescription {
    /// Version of FMI.
    pub fmi_version: String,
    /// Name of the model.
    pub model_name: String,
    /// Fingerprint, compared when the FMU is instantiated.
    pub guid: String,
    /// Description in one line.
    pub description: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Licence in short.
    pub license: Option<String>,
    /// The tool that wrote the FMU.
    pub generation_tool: Option<String>,
    /// Date and time at which the FMU was written.
    pub generation_date_and_time: Option<String>,
    /// `flat` or `structured`.
    pub variable_naming_convention: String,
    /// The Model Exchange interface, if there is one.
    pub model_exchange: Option<Interface>,
    /// The Co-Simulation interface, if there is one.
    pub co_simulation: Option<Interface>,
    /// The units with their display units.
    pub units: Vec<Unit>,
    /// The enumeration types.
    pub enumerations: Vec<Enumeration>,
    /// The categories of the log.
    pub log_categories: Vec<LogCategory>,
    /// The default experiment.
    pub default_experiment: Experiment,
    /// The variables in their order; `initial` is there only if it is written.
    pub variables: Vec<Variable>,
    /// The variables of FMI 3.0, whose elements are `variables`, in the same order; none in FMI 2.0.
    pub arrays: Vec<ArrayVariable>,
    /// Features of FMI 3.0 that this reader leaves out, each as a sentence.
    pub left_out: Vec<String>,
    /// The lists of unknowns, with positions from 0.
    pub model_structure: ModelStructure,
    /// Number of event indicators for Model Exchange.
    pub number_of_event_indicators: usize,
}

impl ModelDescription {
    /// Returns the sentence about a variable that this reader leaves out.
    pub fn left_out(&self, name: &str) -> Option<&str> {
        let quoted = format!("`{name}` ");
        self.left_out.iter().find(|note| note.starts_with(&quoted)).map(String::as_str)
    }
}

impl Described for ModelDescription {
    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn enumerations(&self) -> &[Enumeration] {
        &self.enumerations
    }
}

/// A variable of FMI 3.0. Its elements are scalar variables of the description, whose value references are their positions
/// there; only the value reference here is that of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayVariable {
    /// Name of the variable.
    pub name: String,
    /// The value reference in the library.
    pub value_reference: u32,
    /// Type of the values.
    pub data_type: DataType,
    /// The number of elements along each index, for the start values of structural parameters; none of a scalar.
    pub sizes: Vec<usize>,
    /// Positions of the elements among the scalar variables, the last index fastest.
    pub elements: Range<usize>,
    /// The start values as they are written; none, or as many as elements.
    pub start: Vec<String>,
    /// True if it may be got or set inside of steps.
    pub intermediate_update: bool,
}

/// The element `ModelExchange` or `CoSimulation`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// Name of the binary, without extension.
    pub model_identifier: String,
    /// The capability flags that are true, by FMI's names.
    pub flags: Vec<String>,
    /// True if it needs no call after the importer's steps (Model Exchange).
    pub completed_integrator_step_not_needed: bool,
    /// Highest order of output derivatives (Co-Simulation).
    pub max_output_derivative_order: u32,
}

/// FMI's `DefaultExperiment`, in seconds; all fields are optional.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Experiment {
    /// Start time.
    pub start_time: Option<f64>,
    /// Stop time.
    pub stop_time: Option<f64>,
    /// Communication step.
    pub step_size: Option<f64>,
    /// Relative tolerance.
    pub tolerance: Option<f64>,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::description::VariableType;
    use crate::description::model_description::model_description;
    use crate::description::model_description_3::model_description_3;
    use crate::example::{description, description_3};
    use crate::read::element::parse;
    use crate::read::interpret::interpret;
    use proptest::prelude::*;

    fn round_trip(description: &crate::description::Description) -> ModelDescription {
        let root = parse(&model_description(description, None).unwrap()).unwrap();
        let (model, problems) = interpret(&root);
        assert_eq!(problems, Vec::<String>::new());
        model
    }

    #[test]
    fn what_is_written_is_read() {
        let written = description();
        let read = round_trip(&written);
        assert_eq!(read.fmi_version, "2.0");
        assert_eq!(read.model_name, written.name);
        assert_eq!(read.guid, written.guid);
        assert_eq!(read.version.as_deref(), Some("1.2.3"));
        assert_eq!(read.units, written.units);
        // Other words for items are for configurations only.
        let items =
            |all: &[Enumeration]| all.iter().map(|one| (one.name.clone(), one.items.clone())).collect::<Vec<_>>();
        assert_eq!(items(&read.enumerations), items(&written.enumerations));
        assert_eq!(read.log_categories, written.log_categories);
        assert_eq!(read.variables, written.variables);
        assert_eq!(read.model_structure, written.model_structure);
        assert_eq!(read.number_of_event_indicators, 2);
        assert_eq!(read.default_experiment.step_size, Some(1e-3));
        let co_simulation = read.co_simulation.unwrap();
        assert_eq!(co_simulation.model_identifier, "FrontSpring");
        assert_eq!(co_simulation.max_output_derivative_order, 1);
        assert!(co_simulation.flags.contains(&"canInterpolateInputs".to_owned()));
        assert!(read.model_exchange.unwrap().flags.contains(&"completedIntegratorStepNotNeeded".to_owned()));
    }

    #[test]
    fn attributes_that_a_variable_lacks_are_those_of_its_type() {
        let attributes = "quantity=\"Stiffness\" max=\"5.0\" nominal=\"7.0\"";
        let simple = format!("<SimpleType name=\"Stiffness\"><Real {attributes}/></SimpleType>");
        let type_3 = format!("<Float64Type name=\"Stiffness\" {attributes}/>");
        for (text, simple) in
            [(model_description(&description(), None), simple), (model_description_3(&description_3(), None), type_3)]
        {
            let text = text.unwrap().replace("<TypeDefinitions>", &format!("<TypeDefinitions>{simple}"));
            let text = text.replace("unit=\"N/m\"", "declaredType=\"Stiffness\" unit=\"N/m\" nominal=\"8.0\"");
            let (model, problems) = interpret(&parse(&text).unwrap());
            assert_eq!(problems, Vec::<String>::new());
            let found = &model.variables.iter().find(|variable| variable.name == "c[2]").unwrap().attributes;
            assert_eq!((found.min, found.max, found.nominal), (Some(0.0), Some(5.0), Some(8.0)));
            assert_eq!(found.quantity.as_deref(), Some("Stiffness"));
        }
    }

    #[test]
    fn what_is_unreadable_is_listed() {
        let text = model_description(&description(), None)
            .unwrap()
            .replace("start=\"1000.0\"", "start=\"1,5\"")
            .replace("causality=\"input\"", "causality=\"inlet\"")
            .replace("dependencies=\"4 5\"", "dependencies=\"4  500\"")
            .replace("derivative=\"5\"", "derivative=\"0\"")
            .replace("declaredType=\"TransDir\"", "declaredType=\"Transdir\"")
            .replace("numberOfEventIndicators=\"2\"", "numberOfEventIndicators=\"4000000000\"");
        let (_, problems) = interpret(&parse(&text).unwrap());
        for expected in [
            "start=\"1,5\" is not a valid number",
            "causality=\"inlet\" of \"s\" is unknown",
            "dependencies=\"\" is not the position of a variable",
            "dependencies=\"500\" is not the position of a variable",
            "derivative=\"0\" is not the position of a variable",
            "declaredType=\"Transdir\" is not a type of this kind",
            "numberOfEventIndicators=\"4000000000\" is more than 1000000",
        ] {
            assert!(problems.iter().any(|problem| problem.ends_with(expected)), "{expected}: {problems:?}");
        }
    }

    proptest! {
        #[test]
        fn x2_x3_every_text_and_number_survives(
            text in "[ -~äß€\u{1F600}\t\n<>&\"']{0,40}",
            start in any::<f64>().prop_filter("finite", |value| value.is_finite()),
            whole in any::<i32>(),
            bound in proptest::option::of(any::<f64>().prop_filter("finite", |value| value.is_finite())),
        ) {
            let (mut written, mut written_3) = (description(), description_3());
            written.description.clone_from(&text);
            written.variables[3].description.clone_from(&text);
            for variable in written.variables.iter_mut().chain(&mut written_3.variables) {
                if variable.is_real() {
                    let attributes = Arc::make_mut(&mut variable.attributes);
                    (attributes.min, attributes.max, attributes.nominal) = (bound, Some(start), bound);
                    (attributes.quantity, attributes.display) = (Some(text.clone()), bound.map(|_| text.clone()));
                }
                match &mut variable.kind {
                    VariableType::Real { start: Some(value), .. } => *value = start,
                    VariableType::Integer { start: Some(value), .. } => *value = whole.into(),
                    VariableType::String { start: Some(value) } => value.clone_from(&text),
                    _ => {}
                }
            }
            let read = round_trip(&written);
            prop_assert_eq!(&read.variables, &written.variables);
            prop_assert_eq!(read.description, Some(text));
            // Both standards write and read the same attributes.
            let (read, _) = interpret(&parse(&model_description_3(&written_3, None).unwrap()).unwrap());
            for expected in written_3.variables {
                let found = read.variables.iter().find(|variable| variable.name == expected.name).unwrap();
                prop_assert_eq!(&found.attributes, &expected.attributes, "{}", expected.name);
            }
        }
    }
}
