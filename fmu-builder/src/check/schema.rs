//! The grammar of `modelDescription.xml`: its elements and attributes, their numbers and order.

use super::report::Report;
use crate::read::element::Element;

pub(super) struct Rule {
    /// Name of the element, preceded by that of its parent where the parent matters.
    pub path: &'static str,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
    /// Name, rank in the order, least number, largest number.
    pub children: &'static [(&'static str, usize, usize, usize)],
}

pub(super) const MANY: usize = usize::MAX;

/// Lists the child elements for the type of a variable, then further elements.
macro_rules! types {
    ($($next:expr)?) => {
        &[
            ("Real", 0, 0, 1),
            ("Integer", 0, 0, 1),
            ("Boolean", 0, 0, 1),
            ("String", 0, 0, 1),
            ("Enumeration", 0, 0, 1),
            $($next)?
        ]
    };
}

const RULES: &[Rule] = &[
    Rule {
        path: "/fmiModelDescription",
        required: &["fmiVersion", "modelName", "guid"],
        optional: &[
            "description", "author", "version", "copyright", "license", "generationTool", "generationDateAndTime",
            "variableNamingConvention", "numberOfEventIndicators",
        ],
        children: &[
            ("ModelExchange", 0, 0, 1),
            ("CoSimulation", 0, 0, 1),
            ("UnitDefinitions", 1, 0, 1),
            ("TypeDefinitions", 2, 0, 1),
            ("LogCategories", 3, 0, 1),
            ("DefaultExperiment", 4, 0, 1),
            ("VendorAnnotations", 5, 0, 1),
            ("ModelVariables", 6, 1, 1),
            ("ModelStructure", 7, 1, 1),
        ],
    },
    Rule {
        path: "fmiModelDescription/ModelExchange",
        required: &["modelIdentifier"],
        optional: &[
            "needsExecutionTool", "completedIntegratorStepNotNeeded", "canBeInstantiatedOnlyOncePerProcess",
            "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate",
            "providesDirectionalDerivative",
        ],
        children: &[("SourceFiles", 0, 0, 1)],
    },
    Rule {
        path: "fmiModelDescription/CoSimulation",
        required: &["modelIdentifier"],
        optional: &[
            "needsExecutionTool", "canHandleVariableCommunicationStepSize", "canInterpolateInputs",
            "maxOutputDerivativeOrder", "canRunAsynchronuously", "canBeInstantiatedOnlyOncePerProcess",
            "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate",
            "providesDirectionalDerivative",
        ],
        children: &[("SourceFiles", 0, 0, 1)],
    },
    list("SourceFiles", &[("File", 0, 1, MANY)]),
    leaf("SourceFiles/File", &["name"], &[]),
    list("fmiModelDescription/UnitDefinitions", &[("Unit", 0, 1, MANY)]),
    Rule {
        path: "UnitDefinitions/Unit",
        required: &["name"],
        optional: &[],
        children: &[("BaseUnit", 0, 0, 1), ("DisplayUnit", 1, 0, MANY)],
    },
    leaf("Unit/BaseUnit", &[], &["kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"]),
    leaf("Unit/DisplayUnit", &["name"], &["factor", "offset"]),
    list("fmiModelDescription/TypeDefinitions", &[("SimpleType", 0, 1, MANY)]),
    Rule { path: "TypeDefinitions/SimpleType", required: &["name"], optional: &["description"], children: types!() },
    leaf(
        "SimpleType/Real",
        &[],
        &["quantity", "unit", "displayUnit", "relativeQuantity", "min", "max", "nominal", "unbounded"],
    ),
    leaf("SimpleType/Integer", &[], &["quantity", "min", "max"]),
    leaf("SimpleType/Boolean", &[], &[]),
    leaf("SimpleType/String", &[], &[]),
    Rule { path: "SimpleType/Enumeration", required: &[], optional: &["quantity"], children: &[("Item", 0, 1, MANY)] },
    leaf("Enumeration/Item", &["name", "value"], &["description"]),
    list("fmiModelDescription/LogCategories", &[("Category", 0, 1, MANY)]),
    leaf("LogCategories/Category", &["name"], &["description"]),
    leaf("fmiModelDescription/DefaultExperiment", &[], &["startTime", "stopTime", "tolerance", "stepSize"]),
    list("fmiModelDescription/ModelVariables", &[("ScalarVariable", 0, 1, MANY)]),
    Rule {
        path: "ModelVariables/ScalarVariable",
        required: &["name", "valueReference"],
        optional: &["description", "causality", "variability", "initial", "canHandleMultipleSetPerTimeInstant"],
        children: types!(("Annotations", 1, 0, 1)),
    },
    leaf(
        "ScalarVariable/Real",
        &[],
        &[
            "declaredType", "quantity", "unit", "displayUnit", "relativeQuantity", "min", "max", "nominal",
            "unbounded", "start", "derivative", "reinit",
        ],
    ),
    leaf("ScalarVariable/Integer", &[], &["declaredType", "quantity", "min", "max", "start"]),
    leaf("ScalarVariable/Boolean", &[], &["declaredType", "start"]),
    leaf("ScalarVariable/String", &[], &["declaredType", "start"]),
    leaf("ScalarVariable/Enumeration", &["declaredType"], &["quantity", "min", "max", "start"]),
    list(
        "fmiModelDescription/ModelStructure",
        &[("Outputs", 0, 0, 1), ("Derivatives", 1, 0, 1), ("InitialUnknowns", 2, 0, 1)],
    ),
    list("ModelStructure/Outputs", &[("Unknown", 0, 1, MANY)]),
    list("ModelStructure/Derivatives", &[("Unknown", 0, 1, MANY)]),
    list("ModelStructure/InitialUnknowns", &[("Unknown", 0, 1, MANY)]),
    leaf("Unknown", &["index"], &["dependencies", "dependenciesKind"]),
];

pub(super) const fn leaf(
    path: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Rule {
    Rule { path, required, optional, children: &[] }
}

pub(super) const fn list(path: &'static str, children: &'static [(&'static str, usize, usize, usize)]) -> Rule {
    Rule { path, required: &[], optional: &[], children }
}

/// Checks the whole document.
pub(super) fn check(root: &Element, report: &mut Report) {
    check_by(RULES, root, report);
}

/// Checks the whole document by a grammar. Elements that it does not know are left alone.
pub(super) fn check_by(rules: &[Rule], root: &Element, report: &mut Report) {
    check_element(rules, root, "", report);
}

fn check_element(rules: &[Rule], element: &Element, parent: &str, report: &mut Report) {
    let path = format!("{parent}/{}", element.name);
    let Some(rule) = rules.iter().find(|rule| rule.path == path || rule.path == element.name) else {
        return;
    };
    let at = format!("modelDescription.xml, line {}: <{}>", element.line, element.name);
    for (name, _) in &element.attributes {
        // Namespaces belong to XML, and their contents are not part of FMI.
        let foreign = name == "xmlns" || name.contains(':');
        let known = foreign || rule.required.contains(&name.as_str()) || rule.optional.contains(&name.as_str());
        report.expect(known, "4", || format!("{at} must not have an attribute {name}"));
    }
    for name in rule.required {
        report.expect(element.attribute(name).is_some(), "4", || format!("{at} lacks the attribute {name}"));
    }
    let mut reached = 0;
    for child in &element.children {
        let place = rule.children.iter().find(|(name, ..)| *name == child.name);
        report.expect(place.is_some(), "X-4", || {
            format!("modelDescription.xml, line {}: <{}> is not allowed in <{}>", child.line, child.name, element.name)
        });
        if let Some((_, rank, ..)) = place {
            report.expect(*rank >= reached, "X-4", || {
                format!("modelDescription.xml, line {}: <{}> is out of order", child.line, child.name)
            });
            reached = *rank;
        }
        check_element(rules, child, &element.name, report);
    }
    for (name, _, least, most) in rule.children {
        let count = element.children.iter().filter(|child| child.name == *name).count();
        report.expect((*least..=*most).contains(&count), "X-4", || format!("{at} has {count} elements <{name}>"));
    }
}
