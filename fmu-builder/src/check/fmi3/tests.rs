use crate::check::check_text;
use crate::check::report::Report;
use crate::description::model_description_3::model_description_3;
use crate::example::description_3 as example;

fn report(text: &str) -> Report {
    let mut report = Report::default();
    check_text(text, &mut report);
    report
}

/// Asserts that replacements in the text of the example, which must occur there, lead to a problem.
fn found(from: &str, to: &str, problem: &str) {
    let text = model_description_3(&example(), None).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    let found = report(&text.replacen(from, to, 1)).problems;
    assert!(found.iter().any(|found| found.ends_with(problem)), "{problem} is not among {found:#?}");
}

#[test]
fn t17_t21_the_example_has_no_problems() {
    let report = report(&model_description_3(&example(), None).unwrap());
    assert_eq!(report.problems, Vec::<String>::new());
    assert!(report.checked > 300, "{}", report.checked);
}

#[test]
fn t17_the_grammar_is_that_of_fmi_3() {
    found(" instantiationToken=", " guid=", "<fmiModelDescription> must not have an attribute guid (4)");
    found(" instantiationToken=", " guid=", "instantiationToken is empty (T-17)");
    found(
        "<ModelVariables>",
        "<ModelVariables><Real name=\"q\" valueReference=\"7777\"/>",
        "has the unknown type <Real>",
    );
    found(" hasEventMode=\"true\"", " hasEventMode=\"maybe\"", "hasEventMode=\"maybe\" is neither true nor false");
    found(
        " hasEventMode=",
        " canInterpolateInputs=",
        "<CoSimulation> must not have an attribute canInterpolateInputs (4)",
    );
    found(
        " providesIntermediateUpdate=\"true\"",
        "",
        "CoSimulation: canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate (4.3)",
    );
}

#[test]
fn t18_value_references_are_those_of_one_variable() {
    let text = model_description_3(&example(), None).unwrap();
    let reference = text.split_once("name=\"c\" valueReference=\"").unwrap().1.split_once('"').unwrap().0;
    let twice = format!("<ModelVariables><Binary name=\"b\" valueReference=\"{reference}\"/>");
    let problem = format!("variables \"b\" and \"c\" share the value reference {reference} (T-18)");
    found("<ModelVariables>", &twice, &problem);
}

#[test]
fn t19_dimensions_have_sizes() {
    let either = "variable \"c\": a dimension needs either start or valueReference (T-19)";
    found("<Dimension start=\"2\"/>", "<Dimension start=\"2\" valueReference=\"2500000000\"/>", either);
    found(
        "causality=\"structuralParameter\"",
        "causality=\"parameter\"",
        "variable \"table\": a dimension refers to 2500000000, which is neither a structural parameter nor a constant of the \
         type UInt64 (T-19)",
    );
    found(
        "start=\"1000.0 2000.0\"",
        "start=\"1 2 3\"",
        "start=\"1 2 3\" of \"c\" has 3 values, but the variable has 2",
    );
    found(
        "<Dimension start=\"2\"/>",
        "<Dimension start=\"4000000\"/>",
        "there are more than 1000000 elements of arrays",
    );
}

#[test]
fn t20_clocks_have_intervals() {
    let clock = "<ModelVariables><Clock name=\"k\" valueReference=\"7777\" intervalVariability=\"often\"/>";
    let problem = "clock \"k\": intervalVariability \"often\" is not one of constant, fixed, tunable, changing, countdown, \
                   triggered (T-20)";
    found("<ModelVariables>", clock, problem);
    let clocked =
        "<ModelVariables><Float64 name=\"k\" valueReference=\"7777\" variability=\"discrete\" clocks=\"7778\"/>";
    found("<ModelVariables>", clocked, "variable \"k\" belongs to the clock 7778, which does not exist (T-20)");
}

#[test]
fn t17_whole_numbers_are_those_of_their_type() {
    let variable = |kind: &str, attributes: &str| {
        format!("<ModelVariables><{kind} name=\"n\" valueReference=\"7777\" causality=\"parameter\" {attributes}/>")
    };
    for (kind, wrong, least, most) in [
        ("Int8", "128", "-128", "127"),
        ("UInt8", "-1", "0", "255"),
        ("Int16", "-32769", "-32768", "32767"),
        ("UInt16", "65536", "0", "65535"),
        ("Int32", "2147483648", "-2147483648", "2147483647"),
        ("UInt32", "4294967296", "0", "4294967295"),
        ("Int64", "9223372036854775808", "-9223372036854775808", "9223372036854775807"),
        ("UInt64", "18446744073709551616", "0", "18446744073709551615"),
    ] {
        let problem =
            format!("variable \"n\": start {wrong} is not a number of the type {kind}, {least} to {most} (T-17)");
        found("<ModelVariables>", &variable(kind, &format!("start=\"{wrong}\"")), &problem);
        let text = model_description_3(&example(), None).unwrap();
        for right in [least, most] {
            let text = text.replacen("<ModelVariables>", &variable(kind, &format!("start=\"{right}\"")), 1);
            assert_eq!(report(&text).problems, Vec::<String>::new());
        }
    }
    let bound = variable("UInt8", "start=\"7\" max=\"300\"");
    found("<ModelVariables>", &bound, "variable \"n\": max 300 is not a number of the type UInt8, 0 to 255 (T-17)");
}

#[test]
fn t20_clocked_states_have_clocks_and_previous_values() {
    let text = model_description_3(&example(), None).unwrap();
    let with = |state: &str, listed: &str| {
        let variables = format!(
            "<ModelVariables><Clock name=\"k\" valueReference=\"7770\" intervalVariability=\"triggered\"/>\
             <Float64 name=\"before\" valueReference=\"7771\" variability=\"discrete\"/>\
             <Float64 name=\"held\" valueReference=\"7772\" {state}/>"
        );
        let structure = format!("<ClockedState valueReference=\"{listed}\"/><InitialUnknown");
        report(&text.replacen("<ModelVariables>", &variables, 1).replacen("<InitialUnknown", &structure, 1)).problems
    };
    let right = "variability=\"discrete\" clocks=\"7770\" previous=\"7771\"";
    assert_eq!(with(right, "7772"), Vec::<String>::new());
    #[rustfmt::skip]
    let cases = [
        (
            right,
            "7771",
            &[
                "variable \"before\" has no previous value, and no place among the elements <ClockedState> (T-21)",
                "variable \"held\" is missing among the elements <ClockedState> (T-21)",
            ][..],
        ),
        ("variability=\"discrete\" previous=\"7771\"", "7772",
         &["variable \"held\" has a previous value, but belongs to no clock (T-20)"]),
        ("clocks=\"7770\" previous=\"7771\"", "7772",
         &["variable \"held\" has a previous value, but its variability is continuous, not discrete (T-20)"]),
        ("variability=\"discrete\" clocks=\"7770\" previous=\"7770\"", "7772",
         &["variable \"held\": its previous value 7770 is not another variable of the type Float64 (T-20)"]),
    ];
    for (state, listed, problems) in cases {
        assert_eq!(with(state, listed), problems);
    }
}

#[test]
fn t21_the_structure_is_complete() {
    let text = model_description_3(&example(), None).unwrap();
    let line = |tag: &str| {
        let begin = text.find(&format!("<{tag} valueReference=")).unwrap_or_else(|| panic!("{tag}: {text}"));
        text[begin..].split_once("/>").unwrap().0.to_owned() + "/>"
    };
    let [output, derivative, initial] = ["Output", "ContinuousStateDerivative", "InitialUnknown"].map(line);
    found(&output, "", "is missing among the elements <Output> (T-21)");
    found(&initial, "", "is missing among the elements <InitialUnknown> (T-21)");
    found(&derivative, &derivative.repeat(2), "twice (T-21)");
    let unknown = "<Output valueReference=\"7777\" dependencies=\"7778\" dependenciesKind=\"fixed tunable\"/>";
    found(&output, &format!("{output}{unknown}"), "has the value reference 7777, which no variable has (T-21)");
    found(&output, &format!("{output}{unknown}"), "depends on 7778, which no variable has as value reference (T-21)");
    found(&output, &format!("{output}{unknown}"), "dependenciesKind does not match dependencies (T-21)");
    let input = text.split_once("name=\"s\" valueReference=\"").unwrap().1.split_once('"').unwrap().0;
    let derived = format!("{derivative}<ContinuousStateDerivative valueReference=\"{input}\"/>");
    found(&derivative, &derived, "variable \"s\" is a <ContinuousStateDerivative> but no continuous derivative (T-21)");
}

#[test]
fn t22_the_folders_are_those_of_fmi_3() {
    use crate::archive::writer::ArchiveWriter;
    use crate::read::Archive;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Spring.fmu");
    let mut writer = ArchiveWriter::new(None);
    writer.add("modelDescription.xml", model_description_3(&example(), None).unwrap()).unwrap();
    for name in ["binaries/linux64/FrontSpring.so", "documentation/page.html", "sources/all.c"] {
        writer.add(name, "x").unwrap();
    }
    writer.write(&path, crate::FileKind::Fmu, []).unwrap();
    let archive = Archive::open(&path).unwrap();
    let mut report = Report::default();
    super::check_files(&archive, &archive.model().unwrap(), &mut report);
    assert_eq!(
        report.problems,
        [
            "documentation/ has no documentation/index.html (T-22)",
            "sources/ has no sources/buildDescription.xml (T-22)",
            "binaries/linux64 is a folder of FMI 2.0; in FMI 3.0 it is binaries/x86_64-linux (T-22)",
        ]
    );
}

#[test]
fn rule_4_2_the_root_is_of_fmi_3() {
    let with = |version: &str| {
        let text = model_description_3(&example(), None).unwrap();
        report(&text.replacen("fmiVersion=\"3.0\"", &format!("fmiVersion=\"{version}\""), 1)).problems
    };
    for version in ["3.0", "3.1", "3.0.2", "3.0-beta.2"] {
        assert_eq!(with(version), Vec::<String>::new());
    }
    for version in ["3.", "3.x", "3.00", "3.0.1.2", "3.0-"] {
        let problem = format!("fmiVersion is \"{version}\", not \"3.0\" or a later one such as \"3.1\" (4.2)");
        assert_eq!(with(version), [problem]);
    }
    let root = "<fmiModelDescription ";
    found(
        root,
        &format!("{root}generationDateAndTime=\"tomorrow\" "),
        "generationDateAndTime \"tomorrow\" is not of the form YYYY-MM-DDThh:mm:ssZ (4.2)",
    );
    found(
        "variableNamingConvention=\"structured\"",
        "variableNamingConvention=\"nested\"",
        "variableNamingConvention is \"nested\" (4.2)",
    );
}

#[test]
fn rule_4_5_types_and_items_are_unique() {
    let with = |types: &str| {
        let types = format!("<TypeDefinitions>{types}");
        let text = model_description_3(&example(), None).unwrap();
        report(&text.replacen("<TypeDefinitions>", &types, 1)).problems
    };
    let kind = |name: &str, items: &str| format!("<EnumerationType name=\"{name}\">{items}</EnumerationType>");
    let items = "<Item name=\"low\" value=\"-3\"/><Item name=\"high\" value=\"7\"/>";
    #[rustfmt::skip]
    let cases = [
        (kind("Gear", items) + "<Float64Type name=\"Gear\"/>", "type \"Gear\" is defined twice (4.5)"),
        ("<Float64Type name=\"c\"/>".to_owned(), "type \"c\" has the name of a variable (4.5)"),
        (kind("Gear", &items.replace("high", "low")), "type \"Gear\" has two items \"low\" (4.5)"),
        (kind("Gear", &items.replace('7', "-3")), "type \"Gear\": items \"low\" and \"high\" have the same value -3 (4.5)"),
    ];
    for (types, problem) in cases {
        assert_eq!(with(&types), [problem]);
    }
}

#[test]
fn n5_the_name_of_a_library_is_short() {
    let text = model_description_3(&example(), None).unwrap();
    let name = text.split_once("modelIdentifier=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    let long = "A".repeat(56);
    let warnings = report(&text.replace(&format!("\"{name}\""), &format!("\"{long}\""))).warnings;
    let problem = format!("modelIdentifier \"{long}\" has more than 55 characters (N-5)");
    assert_eq!(warnings.iter().filter(|warning| warning.ends_with(&problem)).count(), 2, "{warnings:?}");
}

/// States x and v, whose derivatives are v and a, and other variables.
const VARIABLES: &str = "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>\
     <Float64 name=\"x\" valueReference=\"1\" causality=\"output\" initial=\"exact\" start=\"0\"/>\
     <Float64 name=\"v\" valueReference=\"2\" initial=\"exact\" start=\"0\" derivative=\"1\"/>\
     <Float64 name=\"a\" valueReference=\"3\" derivative=\"2\"/>\
     <Float64 name=\"f\" valueReference=\"4\" causality=\"input\" start=\"0\"/>\
     <Float64 name=\"m\" valueReference=\"5\" causality=\"parameter\" start=\"1\"/>\
     <Float64 name=\"w\" valueReference=\"6\" causality=\"calculatedParameter\"/>\
     <Int32 name=\"count\" valueReference=\"7\"/>\
     <Float64 name=\"y\" valueReference=\"8\" causality=\"output\"/>";

/// Returns the problems of a description with these variables and this structure.
fn problems(variables: &str, structure: &str) -> Vec<String> {
    let text = model_description_3(&example(), None).unwrap();
    let (head, _) = text.split_once("<ModelVariables>").unwrap();
    let variables = format!("<ModelVariables>{variables}</ModelVariables>");
    let structure = format!("<ModelStructure>{structure}</ModelStructure></fmiModelDescription>");
    report(&format!("{head}{variables}{structure}")).problems
}

/// The structure that goes with these variables; the dependencies of the output y, of a, and of the unknown w.
fn structure(y: &str, a: &str, w: &str) -> String {
    format!(
        "<Output valueReference=\"1\"/><Output valueReference=\"8\" dependencies=\"{y}\"/>\
         <ContinuousStateDerivative valueReference=\"2\" dependencies=\"2\"/>\
         <ContinuousStateDerivative valueReference=\"3\" dependencies=\"{a}\"/>\
         <InitialUnknown valueReference=\"3\"/><InitialUnknown valueReference=\"6\" dependencies=\"{w}\"/>\
         <InitialUnknown valueReference=\"8\"/>"
    )
}

#[test]
fn ms4_ms7_dependencies_are_on_knowns() {
    // In any order, on states, inputs, parameters, time, and what may be a discrete state.
    assert_eq!(problems(VARIABLES, &structure("2 1 7", "4 2 1 0 5", "5 1 4")), Vec::<String>::new());
    let other = |list: &str, unknown: &str, known: &str| {
        format!("<{list}>: \"{unknown}\" depends on \"{known}\", which is not a known of these elements (MS-4)")
    };
    let itself = |list: &str, unknown: &str| format!("<{list}>: \"{unknown}\" depends on itself (MS-7)");
    let derivative = "ContinuousStateDerivative";
    for (y, a, w, problem) in [
        ("3", "4", "5", other("Output", "y", "a")),
        ("6", "4", "5", other("Output", "y", "w")),
        ("8", "4", "5", itself("Output", "y")),
        ("1", "8", "5", other(derivative, "a", "y")),
        ("1", "3", "5", itself(derivative, "a")),
        ("1", "4", "8", other("InitialUnknown", "w", "y")),
        ("1", "4", "6", itself("InitialUnknown", "w")),
    ] {
        assert_eq!(problems(VARIABLES, &structure(y, a, w)), [problem]);
    }
    // The standard defines no knowns of event indicators.
    let indicator = "<EventIndicator valueReference=\"8\" dependencies=\"3 8\"/>";
    assert_eq!(problems(VARIABLES, &(structure("1", "4", "5") + indicator)), Vec::<String>::new());
}

#[test]
fn v6_states_are_continuous_and_local_or_outputs() {
    let structure = structure("1", "4", "5");
    let state = "state \"x\" must be a continuous Float32 or Float64 that is local or an output (V-6)";
    let written = "causality=\"output\" initial=\"exact\"";
    let without_x = structure.replacen("<Output valueReference=\"1\"/>", "", 1);
    let input = VARIABLES.replacen(written, "causality=\"input\"", 1);
    assert_eq!(problems(&input, &without_x)[0], state);
    assert_eq!(problems(&VARIABLES.replacen(written, "initial=\"exact\"", 1), &without_x), Vec::<String>::new());
    let discrete = VARIABLES.replacen(written, &format!("{written} variability=\"discrete\""), 1);
    assert_eq!(problems(&discrete, &structure), [state]);
}

#[test]
fn rule_4_6_names_of_aliases_are_unique() {
    let structure = structure("1", "4", "5");
    let y = "<Float64 name=\"y\" valueReference=\"8\" causality=\"output\"/>";
    let with = |name: &str| {
        let alias = y.replace("/>", &format!("><Alias name=\"{name}\"/></Float64>"));
        let binary = format!("<Binary name=\"blob\" valueReference=\"9\"><Alias name=\"{name}2\"/></Binary>");
        problems(&(VARIABLES.replacen(y, &alias, 1) + &binary), &structure)
    };
    assert_eq!(with("z"), Vec::<String>::new());
    for name in ["x", "y", "blob"] {
        assert_eq!(with(name), [format!("variable \"{name}\" exists twice (4.6)")]);
    }
}

#[test]
fn a_start_value_that_cannot_be_read_has_one_message() {
    let structure = structure("1", "4", "5");
    let with = |start: &str| {
        let parameter = "causality=\"parameter\" start=\"1\"";
        problems(&VARIABLES.replacen(parameter, &format!("causality=\"parameter\" start=\"{start}\""), 1), &structure)
    };
    for (start, reason) in [("1 2", "has 2 values, but the variable has 1"), ("one", "is not a valid number")] {
        let found = with(start);
        assert!(found.len() == 1 && found[0].ends_with(reason), "{found:?}");
    }
    let out_of_bounds = with("1\" min=\"2");
    assert!(out_of_bounds.len() == 1 && out_of_bounds[0].ends_with("(V-9)"), "{out_of_bounds:?}");
    assert_eq!(with(" "), ["variable \"m\" lacks a start value (V-4)"]);
}
