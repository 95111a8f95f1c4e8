//! Messages about mistakes, and FMUs as other tools make them.

#![cfg(unix)]

use fmu_tests::corpus::Corpus;
use fmu_tests::finished::archive;

use crate::{Linear, Made, chain, linearize, printed, refused};

const DERIVATIVES: &str = "providesDirectionalDerivative=\"true\"";

/// The corpus has x' = u - 2 x, y = 3 u.
#[test]
fn derivatives_of_other_tools_are_used_or_replaced_by_differences() {
    for (attributes, origin) in [(DERIVATIVES, "directional derivatives of the FMU"), ("", "central differences")] {
        let (folder, file) = Corpus::model_exchange(attributes).write();
        let json = folder.path().join("corpus.json").display().to_string();
        let linear = Linear::of(&file, &json, &[]);
        assert!(linear.said.contains(&format!("\nfrom {origin}\n")), "{}", linear.said);
        let expected = [("A", vec![-2.0]), ("B", vec![1.0]), ("C", vec![1.0, 0.0]), ("D", vec![0.0, 3.0])];
        for (name, expected) in expected {
            let found: Vec<f64> = linear.matrix(name).into_iter().flatten().collect();
            let are_close = found.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-10);
            assert!(found.len() == expected.len() && are_close, "{name}: {found:?}");
        }
    }
}

#[test]
fn an_fmu_without_states_has_a_gain_only() {
    let corpus = Corpus::model_exchange("")
        .with("NO_STATES=1")
        .replaced("<Real derivative=\"1\"/>", "<Real/>")
        .replaced("<Derivatives><Unknown index=\"2\"/></Derivatives>\n", "")
        .replaced("<InitialUnknowns><Unknown index=\"2\"/>", "<InitialUnknowns>");
    let (folder, file) = corpus.write();
    let linear = Linear::of(&file, &folder.path().join("corpus.json").display().to_string(), &["--outputs", "y"]);
    let head = "Corpus at 0 s: 0 states, 1 input, 1 output\nno continuous states, so A, B and C are empty\n";
    assert!(linear.said.starts_with(head), "{}", linear.said);
    assert!((linear.matrix("D")[0][0] - 3.0).abs() < 1e-10 && linear.matrix("A").is_empty());
}

#[test]
fn a_value_that_an_fmu_refuses_for_differences_is_told() {
    let (_folder, file) = Corpus::model_exchange("").with("LARGEST_INPUT=0.5").write();
    let message = refused(&file, &[]);
    let begin =
        "`u` cannot be changed from 0.5 by ±0.0002, for derivatives by differences: fmi2SetReal returned fmi2Error";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn names_are_corrected() {
    let made = Made::system(&chain(2, true, 1e4, 1.0));
    let message = |arguments: &[&str]| refused(&made.file, arguments);
    let outputs = "outputs of a linear system are continuous variables: ";
    assert_eq!(
        message(&["--outputs", "m1.s,m1.x"]),
        format!("{outputs}there is no variable `m1.x`; did you mean `m1.s`?")
    );
    assert_eq!(message(&["--outputs", "m1.s,m1.s"]), format!("{outputs}`m1.s` is named twice"));
    assert_eq!(
        message(&["--outputs", "m1.s,c1.s_rel[1"]),
        format!("{outputs}the brackets in `m1.s,c1.s_rel[1` do not match")
    );
    let inputs = "inputs of a linear system are continuous inputs: ";
    assert_eq!(message(&["--inputs", "m1.s"]), format!("{inputs}`m1.s` is an output"));
    assert_eq!(
        message(&["--trim", "--free", "m1.m"]),
        "--free names continuous states and inputs: `m1.m` is a parameter"
    );
    assert_eq!(
        message(&["--trim", "--steady", "m3.s"]),
        "--steady names continuous states: there is no variable `m3.s`; did you mean `m1.s`?"
    );
    assert_eq!(message(&["--trim", "--target", "m1.s"]), "--target m1.s: it is not of the form name=value");
    assert_eq!(message(&["--trim", "--target", "m1.s=far"]), "--target m1.s=far: `far` is not a number");
    assert_eq!(message(&["--trim", "--target", "m1.s=inf"]), "--target m1.s=inf: `inf` is not a finite number");
    let animate = made.path("mode.svg");
    assert_eq!(message(&["--mode", "3", "--animate", &animate]), "there is no mode 3: the modes are 1 to 2");
    assert_eq!(
        message(&["--mode", "1", "--animate", &animate, "--scale", "2"]),
        format!("{} has no shapes to draw: no resources/shapes.json", made.file.display())
    );
}

#[test]
fn inputs_and_their_derivatives_have_the_same_sizes() {
    let message = refused(&archive("bushing"), &["--inputs", "frame_b.r_0+frame_b.v_0[1]"]);
    let inputs = "inputs of a linear system are continuous inputs: ";
    assert_eq!(message, format!("{inputs}`frame_b.v_0[1]` has 1 elements, but `frame_b.r_0` has 3"));
    let message = refused(&archive("bushing"), &["--plot", "a.svg"]);
    let many =
        "36 inputs and 13 outputs make 468 frequency responses, more than 64: choose with --inputs and --outputs";
    assert_eq!(message, many);
}

#[test]
fn files_of_other_kinds_are_refused_before_the_run() {
    let made = Made::system(&chain(2, true, 1e4, 1.0));
    let [text, kept] = ["linear.txt", "kept.json"].map(|name| made.path(name));
    assert_eq!(
        refused(&made.file, &["--output", &text]),
        format!("{text}: a linear system is a .json, a .mat or an .npz file")
    );
    fs_err::write(&kept, "{\"other\": 1}").unwrap();
    let reason =
        "cannot be written: the existing file is not a linear system of this command; delete it or choose another name";
    assert_eq!(refused(&made.file, &["--output", &kept]), format!("{kept}: {reason}"));
    let file = made.path("a.mat");
    let message = refused(&made.file, &["--output", &file, "--output", &file]);
    assert_eq!(message, format!("--output would overwrite --output, {file}"));
}

#[test]
fn frequencies_and_times_that_cannot_be_are_refused() {
    let made = Made::system(&(chain(2, true, 1e4, 1.0) + "[parts.push]\ntype = \"Force\"\nflange = \"m1.flange_a\"\n"));
    let csv = made.path("response.csv");
    let message = |arguments: &[&str]| refused(&made.file, &[&["--response", &csv], arguments].concat());
    assert_eq!(message(&["--from", "0"]), "--from must be a positive frequency in Hz, not 0");
    assert_eq!(
        message(&["--from", "50", "--to", "20"]),
        "the response would end at 20 Hz, before it begins at 50 Hz: --from must be below --to"
    );
    assert_eq!(message(&["--inputs", ""]), "there is no frequency response without an input and an output");
    assert_eq!(refused(&made.file, &["--time", "-1"]), "the time -1 s must not come before the start time 0 s");
}

#[test]
fn an_fmu_without_model_exchange_is_refused() {
    let (_folder, file) = Corpus::co_simulation("").write();
    assert_eq!(refused(&file, &[]), format!("{} does not offer Model Exchange", file.display()));
}

#[test]
fn an_fmu_that_ends_or_refuses_is_told() {
    let (_folder, file) = Corpus::model_exchange("").with("ENDS=1").write();
    let message = refused(&file, &["--time", "0.8"]);
    assert!(message.starts_with("the FMU ends the simulation at 0.5"), "{message}");
    let (_folder, file) = Corpus::model_exchange("").with("NEUTRAL_ONLY=1").write();
    let message = refused(&file, &["--set", "gear=First"]);
    assert!(message.starts_with("fmi2ExitInitializationMode returned fmi2Error"), "{message}");
}

#[test]
fn a_steady_state_that_does_not_exist_is_told_with_what_remains() {
    let text = "name = \"Falling\"\noutputs = [\"m.v\"]\n[parts.m]\ntype = \"Mass\"\nm = 2\n\
                [parts.push]\ntype = \"Force\"\nf = 6\nflange = \"m.flange_a\"\n";
    let made = Made::system(text);
    let message = refused(&made.file, &["--trim"]);
    assert!(message.starts_with("there is no steady state nearby: after "), "{message}");
    let end = "`der(m.v)` is 3 m/s2; free other states or inputs with --free, or name the states that shall be steady with \
               --steady";
    assert!(message.ends_with(end), "{message}");
    // With the force free there is one.
    assert!(printed(&made.file, &["--trim", "--free", "push.f,m.v"]).contains("steady state"));
}

#[test]
fn arguments_that_need_others_are_refused() {
    let made = Made::system(&chain(1, true, 1e4, 1.0));
    for (arguments, missing) in [(["--free", "m1.s"], "--trim"), (["--mode", "1"], "--animate <FILE.html|.svg>")] {
        let output = linearize(&made.file, &arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(missing), "{said}");
    }
}
