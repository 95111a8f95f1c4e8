//! The grammar of `modelDescription.xml` of FMI 3.0.

use crate::check::report::Report;
use crate::check::schema::{MANY, Rule, check_by, leaf, list};
use crate::read::element::Element;

/// The optional attributes of all variables.
const COMMON: &[&str] = &[
    "description", "causality", "variability", "canHandleMultipleSetPerTimeInstant", "clocks", "intermediateUpdate",
    "previous", "declaredType",
];
const FLOAT: &[&str] = &[
    "initial", "quantity", "unit", "displayUnit", "relativeQuantity", "unbounded", "min", "max", "nominal", "start",
    "derivative", "reinit",
];
const WHOLE: &[&str] = &["initial", "quantity", "min", "max", "start"];
const BOOLEAN: &[&str] = &["initial", "start"];
const STRING: &[&str] = &["initial"];
const BINARY: &[&str] = &["initial", "mimeType", "maxSize"];
const CLOCK: &[&str] = &[
    "canBeDeactivated", "priority", "intervalVariability", "intervalDecimal", "shiftDecimal", "supportsFraction",
    "resolution", "intervalCounter", "shiftCounter",
];

/// Returns the attributes of a type of variables, besides those of all.
fn attributes(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "Float32" | "Float64" => FLOAT,
        "Int8" | "UInt8" | "Int16" | "UInt16" | "Int32" | "UInt32" | "Int64" | "UInt64" | "Enumeration" => WHOLE,
        "Boolean" => BOOLEAN,
        "String" => STRING,
        "Binary" => BINARY,
        "Clock" => CLOCK,
        _ => return None,
    })
}

const RULES: &[Rule] = &[
    Rule {
        path: "/fmiModelDescription",
        required: &["fmiVersion", "modelName", "instantiationToken"],
        optional: &[
            "description", "author", "version", "copyright", "license", "generationTool", "generationDateAndTime",
            "variableNamingConvention",
        ],
        children: &[
            ("ModelExchange", 0, 0, 1),
            ("CoSimulation", 1, 0, 1),
            ("ScheduledExecution", 2, 0, 1),
            ("UnitDefinitions", 3, 0, 1),
            ("TypeDefinitions", 4, 0, 1),
            ("LogCategories", 5, 0, 1),
            ("DefaultExperiment", 6, 0, 1),
            ("ModelVariables", 7, 1, 1),
            ("ModelStructure", 8, 1, 1),
            ("Annotations", 9, 0, 1),
        ],
    },
    Rule {
        path: "fmiModelDescription/ModelExchange",
        required: &["modelIdentifier"],
        optional: &[
            "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState",
            "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives",
            "providesPerElementDependencies", "needsCompletedIntegratorStep", "providesEvaluateDiscreteStates",
        ],
        children: ANNOTATIONS,
    },
    Rule {
        path: "fmiModelDescription/CoSimulation",
        required: &["modelIdentifier"],
        optional: &[
            "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState",
            "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives",
            "providesPerElementDependencies", "canHandleVariableCommunicationStepSize", "fixedInternalStepSize",
            "maxOutputDerivativeOrder", "recommendedIntermediateInputSmoothness", "providesIntermediateUpdate",
            "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate", "hasEventMode",
            "providesEvaluateDiscreteStates",
        ],
        children: ANNOTATIONS,
    },
    Rule {
        path: "UnitDefinitions/Unit",
        required: &["name"],
        optional: &[],
        children: &[("BaseUnit", 0, 0, 1), ("DisplayUnit", 1, 0, MANY), ("Annotations", 2, 0, 1)],
    },
    leaf("Unit/BaseUnit", &[], &["kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"]),
    Rule {
        path: "Unit/DisplayUnit",
        required: &["name"],
        optional: &["factor", "offset", "inverse"],
        children: ANNOTATIONS,
    },
    list("fmiModelDescription/UnitDefinitions", &[("Unit", 0, 1, MANY)]),
    Rule {
        path: "TypeDefinitions/EnumerationType",
        required: &["name"],
        optional: &["description", "quantity"],
        children: &[("Item", 0, 1, MANY), ("Annotations", 0, 0, 1)],
    },
    Rule {
        path: "EnumerationType/Item",
        required: &["name", "value"],
        optional: &["description"],
        children: ANNOTATIONS,
    },
    list("fmiModelDescription/LogCategories", &[("Category", 0, 1, MANY)]),
    Rule { path: "LogCategories/Category", required: &["name"], optional: &["description"], children: ANNOTATIONS },
    Rule {
        path: "fmiModelDescription/DefaultExperiment",
        required: &[],
        optional: &["startTime", "stopTime", "tolerance", "stepSize"],
        children: ANNOTATIONS,
    },
    leaf("Dimension", &[], &["start", "valueReference"]),
    leaf("Start", &["value"], &[]),
    Rule { path: "Alias", required: &["name"], optional: &["description", "displayUnit"], children: ANNOTATIONS },
    list(
        "fmiModelDescription/ModelStructure",
        &[
            ("Output", 0, 0, MANY),
            ("ContinuousStateDerivative", 1, 0, MANY),
            ("ClockedState", 2, 0, MANY),
            ("InitialUnknown", 3, 0, MANY),
            ("EventIndicator", 4, 0, MANY),
        ],
    ),
    unknown("ModelStructure/Output"),
    unknown("ModelStructure/ContinuousStateDerivative"),
    unknown("ModelStructure/ClockedState"),
    unknown("ModelStructure/InitialUnknown"),
    unknown("ModelStructure/EventIndicator"),
];

const ANNOTATIONS: &[(&str, usize, usize, usize)] = &[("Annotations", 0, 0, 1)];

const fn unknown(path: &'static str) -> Rule {
    Rule { path, required: &["valueReference"], optional: &["dependencies", "dependenciesKind"], children: ANNOTATIONS }
}

/// Checks the whole document.
pub(super) fn check(root: &Element, report: &mut Report) {
    check_by(RULES, root, report);
    let has = |name: &str| root.child(name).is_some();
    report.expect(has("ModelExchange") || has("CoSimulation") || has("ScheduledExecution"), "X-4", || {
        "there is neither ModelExchange nor CoSimulation nor ScheduledExecution".to_owned()
    });
    for variable in root.list("ModelVariables") {
        let at = format!("modelDescription.xml, line {}: <{}>", variable.line, variable.name);
        // An unknown type is found where it is read.
        let Some(own) = attributes(&variable.name) else { continue };
        for name in ["name", "valueReference"] {
            report.expect(variable.attribute(name).is_some(), "4", || format!("{at} lacks the attribute {name}"));
        }
        for (name, _) in &variable.attributes {
            let name = name.as_str();
            let is_known = name.contains(':') || matches!(name, "name" | "valueReference");
            report.expect(is_known || COMMON.contains(&name) || own.contains(&name), "4", || {
                format!("{at} must not have an attribute {name}")
            });
        }
        for child in &variable.children {
            let is_known = match child.name.as_str() {
                "Dimension" => variable.name != "Clock",
                "Start" => matches!(variable.name.as_str(), "String" | "Binary"),
                "Alias" | "Annotations" => true,
                _ => false,
            };
            report.expect(is_known, "X-4", || format!("{at} must not have an element <{}>", child.name));
        }
    }
}
