use super::*;
use crate::archive::file_kind::FileKind;
use crate::archive::origin::Origin;
use crate::archive::package::pack;
use crate::archive::platform::Platform;
use crate::archive::platform::tests::binary;
use crate::description::Description;
use crate::description::model_description::model_description;
use crate::example::description;

fn report(text: &str) -> Report {
    let mut report = Report::default();
    check_text(text, &mut report);
    report
}

/// Returns the problems after a replacement in the text of the example, which must occur there.
fn after(from: &str, to: &str) -> Vec<String> {
    let text = model_description(&description(), None).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    let report = report(&text.replacen(from, to, 1));
    [report.problems, report.warnings, report.style].concat()
}

fn found(from: &str, to: &str, problem: &str) {
    let problems: Vec<String> = after(from, to).iter().map(|problem| without_line(problem)).collect();
    assert!(problems.iter().any(|found| found == problem), "{problem} is not among {problems:#?}");
}

/// Returns the problem without its line number.
fn without_line(problem: &str) -> String {
    let digits = problem.find("line ").map_or(problem.len(), |start| start + 5);
    let (before, after) = problem.split_at(digits);
    format!("{before}{}", after.trim_start_matches(|character: char| character.is_ascii_digit()))
}

#[test]
fn the_example_has_no_problems() {
    let report = report(&model_description(&description(), None).unwrap());
    assert_eq!([&report.problems[..], &report.warnings, &report.style].concat(), Vec::<String>::new());
    assert!(report.checked > 300);
    assert!(report.passed());
    assert!(!Report::default().passed());
}

#[test]
fn problems_of_the_document_are_found() {
    found(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "",
        "modelDescription.xml does not begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?> (X-1)",
    );
    found(
        "</ModelVariables>",
        "",
        "modelDescription.xml: line : ill-formed document: expected `</ModelVariables>`, but `</fmiModelDescription>` was found (X-1)",
    );
    found(
        "numberOfEventIndicators",
        "numberOfContinuousStates",
        "modelDescription.xml, line : <fmiModelDescription> must not have an attribute numberOfContinuousStates (4)",
    );
    found(
        "modelName=\"FrontSpring\" ",
        "",
        "modelDescription.xml, line : <fmiModelDescription> lacks the attribute modelName (4)",
    );
    found(
        "<DefaultExperiment ",
        "<UnitDefinitions ",
        "modelDescription.xml, line : <UnitDefinitions> is out of order (X-4)",
    );
    found("fmiVersion=\"2.0\"", "fmiVersion=\"2.0.5\"", "fmiVersion is \"2.0.5\", not \"2.0\" (4.2)");
    found(
        "guid=\"{",
        "guid=\"",
        &format!("guid \"{}\" is not of the form {{8-4-4-4-12 hexadecimal digits}} (4.2)", &description().guid[1..]),
    );
    found(
        "ModelExchange modelIdentifier=\"FrontSpring\"",
        "ModelExchange modelIdentifier=\"front-spring\"",
        "ModelExchange: modelIdentifier \"front-spring\" is not a C identifier (4.3)",
    );
    found(
        "description=\"Spring with a filter\"",
        "description=\"a \\ b\"",
        "the description of the model contains a quotation mark or a backslash (9)",
    );
    found("<BaseUnit rad=\"1\"/>", "<BaseUnit rad=\"1\" factor=\"0\"/>", "unit \"rad\" has the factor 0 (U-2)");
    found("<Unit name=\"m\">", "<Unit name=\"s\">", "unit \"s\" is defined twice (U-1)");
    found(
        "Item name=\"onlyX\" value=\"2\"",
        "Item name=\"all\" value=\"1\"",
        "type \"TransDir\": items \"all\" and \"all\" have the same value 1 (4.5)",
    );
    found("stopTime=\"1.0\"", "stopTime=\"-1.0\"", "DefaultExperiment: stopTime -1 is not after startTime 0 (4.9)");
    found("stepSize=\"0.001\"", "stepSize=\"0\"", "DefaultExperiment: stepSize 0 is not positive (4.9)");
}

#[test]
fn what_the_standard_recommends_only_is_no_problem() {
    let text = model_description(&description(), None).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        let report = report(&text.replacen(from, to, 1));
        (report.problems, report.warnings)
    };
    let date = |date: &str| with(" guid=", &format!(" generationDateAndTime=\"{date}\" guid="));
    let form =
        |date: &str| vec![format!("generationDateAndTime \"{date}\" is not of the form YYYY-MM-DDThh:mm:ssZ (4.2)")];
    assert_eq!(date("2026-11-25T12:00:00Z"), (vec![], vec![]));
    for other in ["2026-11-25T12:00:00", "2026-11-25T12:00:00.5Z", "2026-11-25T12:00:00+01:00"] {
        assert_eq!(date(other), (vec![], form(other)));
    }
    assert_eq!(date("yesterday"), (form("yesterday"), vec![]));
    assert_eq!(with("stepSize=\"0.001\"", "stepSize=\"1.0\""), (vec![], vec![]));
    let long = "DefaultExperiment: stepSize 2 is longer than the experiment (4.9)".to_owned();
    assert_eq!(with("stepSize=\"0.001\"", "stepSize=\"2.0\""), (vec![], vec![long]));
}

#[test]
fn problems_of_variables_are_found() {
    found("name=\"f\"", "name=\"x\"", "variable \"x\" exists twice (4.6)");
    found("name=\"f\"", "name=\"X\"", "variables \"x\" and \"X\" differ only in upper and lower case (N-6)");
    found("name=\"f\"", "name=\"f[1, 2]\"", "variable \"f[1, 2]\" has an illegal name (4.7)");
    found("name=\"c[2]\"", "name=\"c[1]\"", "variable \"c[1]\" is out of order in its array (N-3)");
    found(
        "causality=\"input\" variability=\"continuous\"",
        "causality=\"input\" variability=\"fixed\"",
        "variable \"s\": causality Input does not go with variability Fixed (3.1)",
    );
    found(
        "causality=\"input\" variability=\"continuous\"",
        "causality=\"input\" variability=\"continuous\" initial=\"exact\"",
        "variable \"s\": initial Exact does not go with Input and Continuous (3.1)",
    );
    found(
        "name=\"count\" valueReference=\"0\" description=\"Variable count\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
        "name=\"count\" valueReference=\"0\" causality=\"local\"",
        "variable \"count\" is continuous but not Real (V-2)",
    );
    found("<Real unit=\"N\"/>", "<Real unit=\"N\" start=\"1\"/>", "variable \"f\" must not have a start value (V-4)");
    found(" min=\"0.0\" start=\"1000.0\"", "", "variable \"c[1]\" lacks a start value (V-4)");
    found("start=\"1000.0\"", "start=\"-1000.0\"", "variable \"c[1]\": start -1000.0 is less than min 0.0 (V-9)");
    found("start=\"1000.0\"", "start=\"NaN\"", "variable \"c[1]\": start is NaN (X-2)");
    found("min=\"1\" max=\"8\"", "min=\"9\" max=\"8\"", "variable \"count\": min 9 is greater than max 8 (V-9)");
    found(
        "declaredType=\"TransDir\" start=\"1\"",
        "declaredType=\"TransDir\" start=\"3\"",
        "variable \"dir\": start 3 is not the value of an item of \"TransDir\" (V-9)",
    );
    found("<Real unit=\"N\"/>", "<Real unit=\"kN\"/>", "variable \"f\": unit \"kN\" is not defined (U-1)");
    found(
        "displayUnit=\"deg\"",
        "displayUnit=\"grad\"",
        "variable \"angle\": displayUnit \"grad\" is not defined (U-4)",
    );
    found("unit=\"rad\" displayUnit", "displayUnit", "variable \"angle\" has a displayUnit but no unit (U-4)");
    found(
        "name=\"f\" valueReference=\"5\"",
        "name=\"f\" valueReference=\"4\"",
        "variables \"x\" and \"f\" share the value reference 4 (3.4)",
    );
    found(
        "<Real unit=\"m/s\" derivative=\"5\"/>",
        "<Real unit=\"m/s\"/>",
        "variable \"der(x)\" is not declared as a derivative (N-2)",
    );
    let dummy = "name=\"der(f)\" valueReference=\"5\"";
    assert_eq!(
        after("name=\"f\" valueReference=\"5\"", dummy),
        ["variable \"der(f)\" is not declared as a derivative (N-2)"]
    );
    found(
        "name=\"count\" valueReference=\"0\"",
        "name=\"der(count)\" valueReference=\"0\"",
        "variable \"der(count)\" is a derivative but not Real (N-2)",
    );
    found(
        "description=\"Variable f\"",
        "description=\"Variable &quot;f&quot;\"",
        "variable \"f\": the description contains a quotation mark or a backslash (9)",
    );
}

#[test]
fn problems_of_the_model_structure_are_found() {
    found("causality=\"output\"", "causality=\"local\"", "variable \"f\" has no place in Outputs (MS-1)");
    found(
        "<Unknown index=\"6\" dependencies=\"4 5\"/>",
        "<Unknown index=\"4\"/>",
        "variable \"f\" is missing in Outputs (MS-1)",
    );
    found(
        "dependencies=\"4 5\"",
        "dependencies=\"5 4\"",
        "Outputs: the dependencies of \"f\" are not in ascending order (MS-4)",
    );
    found(
        "dependencies=\"4 5\"",
        "dependencies=\"4  5\"",
        "modelDescription.xml: line : dependencies=\"\" is not the position of a variable",
    );
    found(
        "dependencies=\"4 5\"",
        "dependencies=\"2 4\"",
        "Outputs: \"f\" depends on \"c[1]\", which is not a known of that list (MS-4)",
    );
    found("dependencies=\"4 5\"", "dependencies=\"4 6\"", "Outputs: \"f\" depends on itself (MS-7)");
    found(
        "dependencies=\"4 5\"",
        "dependencies=\"4 5\" dependenciesKind=\"fixed\"",
        "modelDescription.xml, line : dependenciesKind does not match dependencies (MS-5)",
    );
    let without = after(
        "<Unknown index=\"6\" dependencies=\"4 5\"/>",
        "<Unknown index=\"6\" dependencies=\"\" dependenciesKind=\"\"/>",
    );
    assert_eq!(without, Vec::<String>::new());
    found("<Unknown index=\"6\"/>", "", "variable \"f\" is missing in InitialUnknowns (MS-3)");
    found(
        "<Unknown index=\"6\"/>",
        "<Unknown index=\"6\"/><Unknown index=\"2\"/>",
        "InitialUnknowns are not in ascending order (MS-3)",
    );
    found(
        "<Unknown index=\"6\"/>",
        "<Unknown index=\"6\"/><Unknown index=\"6\"/>",
        "InitialUnknowns: variable \"f\" is listed twice (MS-7)",
    );
    found(
        "derivative=\"5\"",
        "derivative=\"4\"",
        "state \"s\" must be a continuous Real that is local or an output (V-6)",
    );
}

/// Returns the problems that the comparison with the library finds in this text.
fn compared(text: &str, library: &Description) -> Vec<String> {
    let mut report = Report::default();
    library::compare(&element::parse(text).unwrap(), library, fmu_exchange::Standard::Fmi2, &mut report).unwrap();
    report.problems
}

#[test]
fn a_library_that_says_something_else_is_found() {
    let mut other = description();
    let text = model_description(&other, None).unwrap();
    assert_eq!(compared(&text, &other), Vec::<String>::new());
    let guid = std::mem::replace(&mut other.guid, "{0}".to_owned());
    other.variables[3].value_reference = 77;
    other.event_indicators = 3;
    let crate::description::VariableType::Real { start, .. } = &mut other.variables[1].kind else { panic!() };
    *start = Some(5.0);
    assert_eq!(
        compared(&text, &other),
        [
            format!("modelDescription.xml: guid is \"{guid}\" in the XML, but \"{{0}}\" in the library (8.5)"),
            "modelDescription.xml: numberOfEventIndicators is \"2\" in the XML, but \"3\" in the library (M-1)"
                .to_owned(),
            "variable \"c[1]\": start is \"1000.0\" in the XML, but \"5.0\" in the library (V-7)".to_owned(),
            "variable \"s\": valueReference is \"3\" in the XML, but \"77\" in the library (8.5)".to_owned(),
        ]
    );
    let fewer = other.variables.pop().unwrap().name;
    let found = compared(&text, &other);
    let elements = format!("ModelVariables: <ModelVariables> has {} elements", other.variables.len() + 1);
    assert!(found.iter().any(|problem| problem.starts_with(&elements)), "{fewer}: {found:?}");
}

#[test]
fn an_edited_description_is_found_by_its_library() {
    let library = description();
    let text = model_description(&library, None).unwrap();
    #[rustfmt::skip]
    let cases = [
        ("unit=\"m\"", "unit=\"rad\"", "variable \"s\": unit is \"rad\" in the XML, but \"m\" in the library (8.5)"),
        (" canInterpolateInputs=\"true\"", "",
         "CoSimulation: canInterpolateInputs is nothing in the XML, but \"true\" in the library (4.3)"),
        (" providesDirectionalDerivative=\"true\"",
         " needsExecutionTool=\"true\" providesDirectionalDerivative=\"true\"",
         "ModelExchange: needsExecutionTool is \"true\" in the XML, but nothing in the library (4.3)"),
        (" providesDirectionalDerivative=\"true\"", "",
         "ModelExchange: providesDirectionalDerivative is nothing in the XML, but \"true\" in the library (4.3)"),
        ("min=\"0.0\"", "min=\"-1.0\"",
         "variable \"c[1]\": min is \"-1.0\" in the XML, but \"0.0\" in the library (8.5)"),
        ("maxOutputDerivativeOrder=\"1\"", "maxOutputDerivativeOrder=\"2\"",
         "CoSimulation: maxOutputDerivativeOrder is \"2\" in the XML, but \"1\" in the library (4.3)"),
        ("<BaseUnit rad=\"1\"", "<BaseUnit rad=\"1\" offset=\"2.0\"",
         "unit \"rad\": offset is \"2.0\" in the XML, but nothing in the library (8.5)"),
        ("<ScalarVariable name=\"s\"", "<ScalarVariable name=\"S\"",
         "variable \"S\" is variable \"s\" in the library (8.5)"),
        ("<DefaultExperiment", "<VendorAnnotations/><DefaultExperiment",
         "modelDescription.xml: <fmiModelDescription> has 9 elements in the XML, but 8 in the library (8.5)"),
    ];
    for (from, to, problem) in cases {
        assert!(text.contains(from), "{from} is not in {text}");
        let found = compared(&text.replacen(from, to, 1), &library);
        assert_eq!(found.first().map(String::as_str), Some(problem), "{from}: {found:?}");
    }
    // A missing start value is not false, and texts are not numbers.
    let mut numbered = library.clone();
    let linear = numbered.variables.iter_mut().find(|variable| variable.name == "linear").unwrap();
    linear.kind = crate::description::VariableType::Boolean { start: Some(false) };
    linear.description = "1".to_owned();
    let text_of_it = model_description(&numbered, None).unwrap();
    for (from, to, problem) in [
        (" start=\"false\"", "", "start is nothing in the XML, but \"false\" in the library (V-7)"),
        (
            "description=\"1\"",
            "description=\"1.0\"",
            "description is \"1.0\" in the XML, but \"1\" in the library (8.5)",
        ),
    ] {
        assert!(text_of_it.contains(from), "{from} is not in {text_of_it}");
        let found = compared(&text_of_it.replacen(from, to, 1), &numbered);
        assert_eq!(found, [format!("variable \"linear\": {problem}")]);
    }
    let found = compared(&text.replacen(" dependencies=", " dependenciesKind=\"constant\" dependencies=", 1), &library);
    let kind = "dependenciesKind is \"constant\" in the XML, but nothing in the library (MS-4)";
    assert!(found[0].starts_with("Outputs: variable \"") && found[0].ends_with(kind), "{found:?}");
    for same in ["license=\"MIT\" guid=", "needsExecutionTool=\"false\" guid="] {
        assert_eq!(compared(&text.replacen("guid=", same, 1), &library), Vec::<String>::new());
    }
}

#[test]
fn names_of_namespaces_are_legal() {
    let found =
        after("<fmiModelDescription", "<fmiModelDescription xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn problems_of_the_archive_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = Platform::ALL.into_iter().find(|platform| Some(*platform) != Platform::host().ok()).unwrap();
    let library = folder.path().join("library");
    fs_err::write(&library, binary(foreign)).unwrap();
    let path = pack(&description(), &Origin::default(), &[(foreign, library.clone())], folder.path()).unwrap();
    assert_eq!(check(&path).unwrap().problems, Vec::<String>::new());

    let mut archive = crate::archive::writer::ArchiveWriter::new(None);
    archive.add("modelDescription.xml", model_description(&description(), None).unwrap()).unwrap();
    archive.add("binaries/win64/FrontSpring.dll", binary(Platform::Linux64)).unwrap();
    archive.add("binaries/linux64/Spring.so", binary(Platform::Linux64)).unwrap();
    archive.add("resources/configuration.txt", "").unwrap();
    let path = folder.path().join("bad.zip");
    archive.write(&path, FileKind::Fmu, []).unwrap();
    let shown = path.display();
    assert_eq!(
        check(&path).unwrap().problems,
        [
            format!("{shown} does not end with .fmu (Z-1)"),
            format!("{shown}: has no binaries/linux64/FrontSpring.so (B-1)"),
            "binaries/win64/FrontSpring.dll is a library for linux64, not for win64 (8.5)".to_owned(),
        ]
    );
    let empty = folder.path().join("empty.fmu");
    crate::archive::writer::ArchiveWriter::new(None).write(&empty, FileKind::Fmu, []).unwrap();
    assert!(!check(&empty).unwrap().passed());
}
