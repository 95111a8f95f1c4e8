//! The contents of the descriptions.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::sync::Arc;

use fmu_builder::description::{Unknown, VariableType};
use fmu_builder::{Archive, Describe, Library, Standard};
use fmu_runtime::DeclarationRequest;
use fmu_tests::api::Status;
use fmu_tests::finished::{components, describe, library, packed};

use crate::points::{for_each_structure, takes_all_structures};

#[test]
fn n5_names_are_short() {
    for_each_structure(|fmu| {
        for variable in &fmu.description.variables {
            assert!(variable.name.len() <= 55, "{}", variable.name);
        }
    });
}

/// Some importers look variables up by their references alone.
#[test]
fn rule_3_4_value_references_are_unique_over_all_types() {
    for_each_structure(|fmu| {
        let mut seen = BTreeSet::new();
        for variable in &fmu.description.variables {
            assert!(seen.insert(variable.value_reference), "{}", variable.name);
            // Some importers take them for signed numbers.
            assert!(i32::try_from(variable.value_reference).is_ok(), "{}", variable.name);
        }
    });
}

#[test]
fn u3_display_units_are_the_unit_times_their_factor_plus_their_offset() {
    // The numbers are a value of the unit, and the value that a viewer shows.
    let known = [("deg", PI, 180.0), ("rpm", TAU, 60.0), ("degC", 273.15, 0.0)];
    let seen = RefCell::new(BTreeSet::new());
    for_each_structure(|fmu| {
        for display in fmu.description.units.iter().flat_map(|unit| unit.display.iter()) {
            let wanted = known.iter().find(|(name, ..)| *name == display.name);
            let (name, value, shown) = wanted.unwrap_or_else(|| panic!("{}", display.name));
            assert!((display.factor * value + display.offset - shown).abs() < 1e-12, "{name}");
            seen.borrow_mut().insert(*name);
        }
    });
    // Degrees Celsius are those of heat ports, which default structures do not have.
    assert_eq!(seen.into_inner().len(), if takes_all_structures() { known.len() } else { known.len() - 1 });
}

/// The quantities of `Modelica.Units.SI` and `Modelica.Units.NonSI`, with the units of their types.
const QUANTITIES: [(&str, &[&str]); 20] = [
    ("Acceleration", &["m/s2"]),
    ("Angle", &["rad", "deg"]),
    ("AngularAcceleration", &["rad/s2"]),
    ("AngularVelocity", &["rad/s"]),
    ("DampingCoefficient", &["1/s"]),
    ("Density", &["kg/m3"]),
    ("Force", &["N"]),
    ("Length", &["m"]),
    ("Mass", &["kg"]),
    ("MomentOfInertia", &["kg.m2"]),
    ("Power", &["W"]),
    ("Pressure", &["Pa"]),
    ("RotationalDampingConstant", &["N.m.s/rad"]),
    ("RotationalSpringConstant", &["N.m/rad"]),
    ("ThermodynamicTemperature", &["K"]),
    ("Time", &["s"]),
    ("Torque", &["N.m"]),
    ("TranslationalDampingConstant", &["N.s/m"]),
    ("TranslationalSpringConstant", &["N/m"]),
    ("Velocity", &["m/s"]),
];

/// Each Real whose unit has one quantity has it in the XML of both standards, and no other variable but by a key of its row.
#[test]
fn quantities_follow_from_units_in_both_standards() {
    for_each_structure(|fmu| assert_quantities(&fmu.file));
    let folder = tempfile::tempdir().unwrap();
    for component in components() {
        assert_quantities(&packed(&component, &describe(&component, &[]).unwrap(), Standard::Fmi3, folder.path()));
    }
}

fn assert_quantities(file: &Path) {
    for variable in Archive::open(file).unwrap().model().unwrap().variables {
        let VariableType::Real { unit, .. } = &variable.kind else {
            assert_eq!(variable.attributes.quantity, None, "{}", variable.name);
            continue;
        };
        let unit = unit.as_deref().unwrap_or_default();
        let of_unit = QUANTITIES.iter().find(|(_, units)| units.contains(&unit)).map(|(quantity, _)| *quantity);
        // The derivatives of quaternions have this unit, too.
        let expected = of_unit.filter(|_| unit != "1/s" || variable.name.ends_with("K_locked"));
        assert_eq!(variable.attributes.quantity.as_deref(), expected, "{} [{unit}]", variable.name);
    }
}

/// The builder looks through all structures by means of outlines.
#[test]
fn an_outline_lacks_the_dependencies_and_nothing_else() {
    for component in components() {
        let library = Library::load(&library(&component)).unwrap();
        let full = library.describe(DeclarationRequest::new("")).unwrap();
        let mut outline = Arc::unwrap_or_clone(library.outline("").unwrap());
        let known = [&full, &outline].map(|description| {
            description.model_structure.outputs.iter().any(|unknown| unknown.dependencies.is_some())
        });
        assert_eq!(known, [true, false], "{component}");
        // Both fields take many evaluations, so outlines lack them.
        outline.model_structure = full.model_structure.clone();
        outline.follows_time = full.follows_time;
        assert_eq!((full.signature, outline.signature.take().is_some()), (None, true), "{component}");
        // Both are hashes over the declaration, or contain one.
        (outline.guid, outline.configuration) = (full.guid.clone(), full.configuration.clone());
        assert_eq!(outline, full);
    }
}

#[test]
fn m4_nominals_are_positive_and_those_of_the_description() {
    for_each_structure(|fmu| {
        let (variables, structure) = (&fmu.description.variables, &fmu.description.model_structure);
        let nominal = |unknown: &Unknown| {
            let VariableType::Real { derivative: Some(state), .. } = variables[unknown.index].kind else {
                panic!("no derivative")
            };
            assert!(variables[state].is_real());
            variables[state].attributes.nominal.unwrap_or(1.0)
        };
        let expected: Vec<f64> = structure.derivatives.iter().map(nominal).collect();
        assert!(expected.iter().all(|nominal| *nominal > 0.0), "{expected:?}");
        assert_eq!(fmu.model_exchange().fmi.get_nominals(expected.len()), (Status::Ok, expected));
    });
}

/// Each FMU has all of the capabilities for importers.
#[test]
fn rule_4_3_capabilities_are_all_there_and_say_so() {
    for_each_structure(|fmu| {
        let model = Archive::open(&fmu.file).unwrap().model().unwrap();
        let both = [
            "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate",
            "providesDirectionalDerivative",
        ];
        let co_simulation = model.co_simulation.unwrap();
        let of_steps = ["canHandleVariableCommunicationStepSize", "canInterpolateInputs"];
        let expected: BTreeSet<&str> = both.into_iter().chain(of_steps).collect();
        assert_eq!(co_simulation.flags.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
        assert_eq!(co_simulation.max_output_derivative_order, 1);
        let flags = model.model_exchange.unwrap().flags;
        let mut flags: BTreeSet<&str> = flags.iter().map(String::as_str).collect();
        // Each component has memory that follows the motion, or warnings, so a call is needed after a step of the solver.
        assert!(!flags.remove("completedIntegratorStepNotNeeded"), "{}", fmu.description.component);
        assert_eq!(flags, BTreeSet::from(both));
    });
}
