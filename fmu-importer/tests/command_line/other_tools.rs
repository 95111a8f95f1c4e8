//! FMUs as other tools make them: each freedom of FMI is accepted, and each claim that is not true is found.

#![cfg(unix)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use fmu_commands::import::verdict::{ERROR, Verdict};
use fmu_tests::corpus::{Corpus, interface};

/// All capabilities that an interface can have.
const ALL: &str = "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"";
const STATES: &str = "canGetAndSetFMUstate=\"true\"";
const BYTES: &str = "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"";
const DERIVATIVES: &str = "providesDirectionalDerivative=\"true\"";
const SIZES: &str = "canHandleVariableCommunicationStepSize=\"true\"";
const SLOPES: &str = "canInterpolateInputs=\"true\"";
const ORDER: &str = "maxOutputDerivativeOrder=\"1\"";
const ORDER_2: &str = "maxOutputDerivativeOrder=\"2\"";
const NO_COMPLETED_STEPS: &str = "completedIntegratorStepNotNeeded=\"true\"";
const ONCE: &str = "canBeInstantiatedOnlyOncePerProcess=\"true\"";
/// A sweep, and a fit file for measurements in `rows.csv`.
const SWEEP: &str = "fmu = 'Corpus.fmu'\n[parameters]\nu = [1.0]\n[results]\nx = 'final'\n";
const FIT: &str = "fmu = 'Corpus.fmu'\n[parameters]\nu = { min = 0, max = 1 }\n[[experiments]]\ndata = 'rows.csv'\noutputs = { x = 'x' }\n";

fn run(command: &str, file: &Path, arguments: &[&str]) -> Output {
    let importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer")).arg(command).arg(file).args(arguments).output();
    importer.unwrap()
}

/// Returns the exit status and the lines of a command.
fn told(corpus: &Corpus, command: &str, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let (_folder, file) = corpus.write();
    let Output { status, stdout, stderr } = run(command, &file, arguments);
    let said = String::from_utf8([stdout, stderr].concat()).unwrap();
    (status.code(), said.lines().map(|line| line.replace(&file.display().to_string(), "Corpus.fmu")).collect())
}

/// Returns the problems that `validate` finds, and the last line, without the number of facts.
fn validated(corpus: &Corpus) -> (Option<i32>, Vec<String>) {
    let (status, mut lines) = told(corpus, "validate", &["--timeout", "20"]);
    for line in &mut lines {
        if let (Some(begin), Some(end)) = (line.find(" ("), line.find("; ran ")) {
            line.replace_range(begin + 2..end + 2, "");
        }
    }
    (status, lines)
}

fn both(attributes: &str) -> Corpus {
    Corpus::new(&[interface("ModelExchange", attributes), interface("CoSimulation", attributes)])
}

/// Makes an FMU without states, event indicators and derivatives.
fn stateless() -> Corpus {
    Corpus::model_exchange("")
        .with("NO_STATES=1")
        .replaced("<Real derivative=\"1\"/>", "<Real/>")
        .replaced("<Derivatives><Unknown index=\"2\"/></Derivatives>\n", "")
        .replaced("<Unknown index=\"1\" dependencies=\"1\"/>", "<Unknown index=\"1\"/>")
        .replaced("<InitialUnknowns><Unknown index=\"2\"/>", "<InitialUnknowns>")
        .replaced("der(x)", "slope")
}

fn from_0() -> Corpus {
    items_from_0(Corpus::co_simulation(""))
}

fn items_from_0(corpus: Corpus) -> Corpus {
    corpus
        .replaced("value=\"1\"", "value=\"0\"")
        .replaced("value=\"2\"", "value=\"7\"")
        .replaced("declaredType=\"Gear\" start=\"1\"", "declaredType=\"Gear\" start=\"0\"")
}

#[test]
fn what_fmi_allows_has_no_problem() {
    let cs = || Corpus::co_simulation("");
    let root = "<fmiModelDescription ";
    let [co_simulation, exchange, together] = ["Co-Simulation", "Model Exchange", "Co-Simulation and Model Exchange"];
    let cases = [
        ("plain", cs(), co_simulation),
        ("all capabilities", Corpus::co_simulation(&[ALL, SIZES, SLOPES, ORDER].join(" ")), co_simulation),
        ("second derivatives of outputs", Corpus::co_simulation(ORDER_2), co_simulation),
        ("both interfaces", both(ALL), together),
        (
            "namespaces",
            cs().replaced(root, &format!("{root}xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"fmi2.xsd\" ")),
            co_simulation,
        ),
        ("no states", stateless(), exchange),
        ("no dependencies", cs().replaced("dependencies=\"3\" dependenciesKind=\"constant\"", "dependencies=\"\" dependenciesKind=\"\""), co_simulation),
        ("items from 0", from_0(), co_simulation),
        ("varied items", items_from_0(both("")).with("ITEMS_ONLY=1"), together),
        ("ends itself", both("").with("ENDS=1"), together),
        ("ends itself at the start", Corpus::model_exchange(ALL).with("ENDS_AT_START=1"), exchange),
        ("no category", cs().with("LOGS=1").with("CATEGORY=0"), co_simulation),
        ("one instance", both(&[ALL, ONCE].join(" ")).with("STARTS_ONCE=1"), together),
        ("no completed steps", Corpus::model_exchange(NO_COMPLETED_STEPS), exchange),
        ("events", Corpus::model_exchange(ALL).with("NEXT_EVENT=0.05"), exchange),
    ];
    for (name, corpus, ran) in cases {
        let expected = (Some(0), vec![format!("Corpus.fmu: no problems (ran {ran})")]);
        assert_eq!(validated(&corpus), expected, "{name}");
    }
}

/// Variables that Modelica tools name so are no states of the FMU.
#[test]
fn derivatives_of_dummy_states_are_a_matter_of_style() {
    let corpus = Corpus::co_simulation("").replaced("name=\"y\"", "name=\"der(y)\"");
    let (status, lines) = validated(&corpus);
    assert_eq!(status, Some(0));
    assert_eq!(lines[0], "Corpus.fmu: style: variable \"der(y)\" is not declared as a derivative (N-2)");
}

#[test]
fn another_encoding_is_a_problem_of_validate_only() {
    let corpus = || Corpus::co_simulation("").replaced("modelName=\"Corpus\"", "modelName=\"Größe\"").in_latin_1();
    let (status, lines) = validated(&corpus());
    let problem = "Corpus.fmu: error: modelDescription.xml is in ISO-8859-1, not in UTF-8 (X-1)";
    assert_eq!((status, lines), (Some(1), vec![problem.to_owned()]));
    let (status, lines) = told(&corpus().with("LOGS=1"), "simulate", &[]);
    assert_eq!(status, Some(0), "{lines:?}");
    assert!(lines.contains(&"warning: Größe: body: mass is 2.5 kg, 7 %".to_owned()), "{lines:?}");
}

#[test]
fn log_messages_are_formatted() {
    let (status, lines) = told(&Corpus::co_simulation("").with("LOGS=1"), "simulate", &[]);
    assert_eq!(status, Some(0));
    assert_eq!(lines.last().unwrap(), "warning: Corpus: body: mass is 2.5 kg, 7 %");
}

#[test]
fn items_are_set_by_name_or_value() {
    let only = |value: i32| from_0().with(&format!("NEUTRAL_ONLY={value}"));
    for (value, texts) in [(0, ["gear=Neutral", "gear=0"]), (7, ["gear=First", "gear=7"])] {
        for text in texts {
            assert_eq!(told(&only(value), "simulate", &["--set", text]).0, Some(0), "{text}");
            assert_eq!(told(&only(5), "simulate", &["--set", text]).0, Some(1), "{text}");
        }
    }
    let (status, lines) = told(&from_0(), "simulate", &["--set", "gear=1"]);
    let message = "error: cannot set `gear`: `1` is not one of Neutral, First";
    assert_eq!((status, lines), (Some(1), vec![message.to_owned()]));
}

#[test]
fn a_run_that_the_fmu_ends_is_no_error_unless_its_time_cannot_be() {
    let ends = |last: &str| Corpus::co_simulation("").with("ENDS=1").with(&format!("LAST_TIME={last}"));
    for (last, end) in [("0.5", "0.5"), ("0.55", "0.55"), ("(0.5 - 1e-12)", "0.5")] {
        let (status, lines) = told(&ends(last), "simulate", &[]);
        let note = format!("note: the FMU ended the simulation at {end} s");
        assert_eq!((status, lines.last().unwrap()), (Some(0), &note), "{lines:?}");
    }
    let (status, lines) = told(&Corpus::model_exchange("").with("ENDS_AT_START=1"), "simulate", &[]);
    assert_eq!((status, lines.last().unwrap().as_str()), (Some(0), "note: the FMU ended the simulation at 0 s"));
    for (last, shown) in [("1e9", "1000000000"), ("NAN", "NaN"), ("-1.0", "-1"), ("0.4", "0.4"), ("0.7", "0.7")] {
        let reason = format!(
            "fmi2DoStep returned fmi2Discard: the FMU ends the simulation, and its last successful time is {shown} s, \
             which is not between 0.5 s and 0.6"
        );
        let (status, lines) = told(&ends(last), "simulate", &[]);
        let line = lines.last().unwrap();
        assert!(
            status == Some(1) && line.starts_with("error: the step from 0.5 s to 0.6") && line.contains(&reason),
            "{line}"
        );
        let (status, lines) = validated(&ends(last));
        let line = lines.last().unwrap();
        assert!(
            status == Some(1)
                && line.starts_with("Corpus.fmu: error: Co-Simulation: from 0.5 s")
                && line.contains(&reason),
            "{line}"
        );

        let (folder, file) = ends(last).write();
        let sweep = folder.path().join("sweep.toml");
        fs_err::write(&sweep, SWEEP).unwrap();
        let rows = file.with_extension("csv");
        assert_eq!(run("sweep", &sweep, &["--output", rows.to_str().unwrap()]).status.code(), Some(1));
        let rows = fs_err::read_to_string(rows).unwrap();
        assert!(rows.contains(&reason), "{rows}");
    }
}

#[test]
fn a_discarded_step_is_told_with_its_status() {
    let corpus = Corpus::co_simulation("").with("DISCARDS=1");
    let reason = "fmi2DoStep returned fmi2Discard: the FMU gave no reason";
    for (command, begin) in [
        ("simulate", "error: the step from 0.5 s to "),
        ("validate", "Corpus.fmu: error: Co-Simulation: from 0.5 s to "),
    ] {
        let (status, lines) = told(&corpus, command, &[]);
        let line = lines.last().unwrap();
        assert!(status == Some(1) && line.starts_with(begin) && line.ends_with(reason), "{line}");
    }
}

#[test]
fn a_process_that_the_fmu_stops_ends_at_the_limit() {
    let (folder, file) = both("").with("STOPS=1").write();
    let problem = "the FMU stopped the process, and nothing has continued it for 0.3 s\n";
    let [sweep, fit, rows] = ["sweep.toml", "fit.toml", "rows.csv"].map(|name| folder.path().join(name));
    fs_err::write(&sweep, SWEEP).unwrap();
    fs_err::write(&fit, FIT).unwrap();
    fs_err::write(rows, "time,x\n0,1\n0.5,0.7\n1,0.5\n").unwrap();
    let [csv, toml] = ["out.csv", "out.toml"].map(|name| folder.path().join(name).display().to_string());
    for (command, file, arguments) in [
        ("simulate", &file, vec![]),
        ("validate", &file, vec![]),
        ("sweep", &sweep, vec!["--output", &csv]),
        ("linearize", &file, vec![]),
        ("fit", &fit, vec!["--output", &toml]),
    ] {
        let output = run(command, file, &[&arguments[..], &["--timeout", "0.3"]].concat());
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.code() == Some(1) && said.ends_with(problem), "{command}: {said}");
    }
}

#[test]
fn fmi_1_is_one_sentence() {
    let corpus = Corpus::co_simulation("").replaced("fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"");
    let line = |text: &str| (Some(1), vec![text.to_owned()]);
    let message = "error: Corpus.fmu is for FMI 1.0; only FMI 2.0 and FMI 3.0 can be imported";
    for command in ["simulate", "linearize"] {
        assert_eq!(told(&corpus, command, &[]), line(message), "{command}");
    }
    assert_eq!(
        told(&corpus, "validate", &[]),
        line("Corpus.fmu: error: it is for FMI 1.0; only FMI 2.0 and FMI 3.0 are checked")
    );
    // These read the FMU's name in a file of their own.
    let (folder, file) = corpus.write();
    let rows = folder.path().join("rows.csv");
    fs_err::write(&rows, "time,x\n0,1\n1,0.5\n").unwrap();
    for (command, text) in [("sweep", SWEEP), ("fit", FIT)] {
        let task = folder.path().join(command).with_extension("toml");
        fs_err::write(&task, text).unwrap();
        let result = folder.path().join(command).with_extension(if command == "sweep" { "csv" } else { "out.toml" });
        let output = run(command, &task, &["--output", result.to_str().unwrap()]);
        assert!(!result.exists());
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let said = said.replace(&file.display().to_string(), "Corpus.fmu");
        assert_eq!((output.status.code(), said.trim_end()), (Some(1), message), "{command}");
    }
}

/// The list has each claim that is not true, with the message about it.
#[test]
fn claims_that_are_not_true_are_found() {
    let cs = Corpus::co_simulation;
    let me = Corpus::model_exchange;
    let crash = "error: the FMU terminated the process (signal: 11 (SIGSEGV)";
    let refused =
        "error: Co-Simulation: canGetAndSetFMUstate: fmi2GetFMUstate returned fmi2Error: the FMU gave no reason";
    #[rustfmt::skip]
    let cases = [
        (cs(STATES).with("CRASHES_AT_SAVE=1"), crash),
        (me(STATES).with("CRASHES_AT_SAVE=1"), crash),
        (cs(STATES).with("REFUSES_TO_SAVE=1"), refused),
        (cs(STATES).with("FORGETS_STATE=1"),
         "error: Co-Simulation: canGetAndSetFMUstate: after fmi2SetFMUstate `x` is "),
        (me(STATES).with("FORGETS_STATE=1"),
         "error: Model Exchange: canGetAndSetFMUstate: after fmi2SetFMUstate `x` is "),
        (cs(STATES).with("FORGETS_INPUT=1"),
         "error: Co-Simulation: canGetAndSetFMUstate: after fmi2SetFMUstate `y` is 21 instead of 1.5"),
        (cs(BYTES).with("LOSES_BYTES=1"),
         "error: Co-Simulation: canSerializeFMUstate: from its bytes, after fmi2SetFMUstate `x` is 0 instead of "),
        (cs(BYTES).with("OWN_BYTES_ONLY=1"),
         "error: Co-Simulation: canSerializeFMUstate: fmi2DeSerializeFMUstate returned fmi2Error: "),
        (me(DERIVATIVES).with("DERIVATIVE=2.0"),
         "error: Model Exchange: providesDirectionalDerivative: the derivative of `der(x)` with respect to `x` is 2, but a difference gives -2"),
        (cs(DERIVATIVES).with("GAIN=2.9"),
         "error: Co-Simulation: providesDirectionalDerivative: the derivative of `y` with respect to `u` is 2.9, but a difference gives 3"),
        (me(DERIVATIVES).with("GAIN=NAN"),
         "error: Model Exchange: providesDirectionalDerivative: the derivative of `y` with respect to `u` is NaN, but a difference gives 3"),
        (
            cs(DERIVATIVES)
                .replaced("<Unknown index=\"4\"/></Initial", "<Unknown index=\"4\" dependencies=\"\"/></Initial"),
            "error: Co-Simulation: providesDirectionalDerivative: the derivative of `y` with respect to `u` is 3, but the ModelStructure does not list `u` among the dependencies of `y`",
        ),
        (
            me(DERIVATIVES).replaced(
                "<Unknown index=\"2\"/></Derivatives>",
                "<Unknown index=\"2\" dependencies=\"1\"/></Derivatives>",
            ),
            "error: Model Exchange: providesDirectionalDerivative: the derivative of `der(x)` with respect to `u` is 1, but the ModelStructure does not list `u` among the dependencies of `der(x)`",
        ),
        (cs("").with("PLATFORM=\"standard32\""),
         "error: Co-Simulation: fmi2GetTypesPlatform returns \"standard32\" instead of \"default\""),
        (me("").with("NOMINAL=0.0"),
         "error: Model Exchange: fmi2GetNominalsOfContinuousStates: `x` has the nominal value 0, which is not positive"),
        (me("").with("NOMINAL=5.0").replaced("<Real start=\"1\"/>", "<Real start=\"1\" nominal=\"2\"/>"),
         "warning: Model Exchange: fmi2GetNominalsOfContinuousStates: `x` has the nominal value 5, but 2 in the description"),
        (me(NO_COMPLETED_STEPS).with("NEEDS_COMPLETED_STEPS=1"),
         "error: Model Exchange: completedIntegratorStepNotNeeded: without fmi2CompletedIntegratorStep `x` is "),
        (me("").with("NEXT_EVENT=-1.0"),
         "error: Model Exchange: fmi2NewDiscreteStates at 0 s gives the next event at -1 s, which is not later"),
        (me("").with("NEXT_EVENT=NAN"),
         "error: Model Exchange: fmi2NewDiscreteStates at 0 s gives the next event at NaN s, which is not later"),
        (cs(SIZES).with("REFUSES_SIZES=1"),
         "error: Co-Simulation: canHandleVariableCommunicationStepSize: fmi2DoStep returned fmi2Error: the FMU gave no reason"),
        (cs(SIZES).with("ONE_STEP=1"),
         "warning: Co-Simulation: canHandleVariableCommunicationStepSize: after steps of several sizes `x` is "),
        (cs(SLOPES).with("REFUSES_SLOPES=1"),
         "error: Co-Simulation: canInterpolateInputs: fmi2SetRealInputDerivatives returned fmi2Error: the FMU gave no reason"),
        (cs(SLOPES).with("ADDS_SLOPES=1"), "error: Co-Simulation: canInterpolateInputs: with derivatives of 0 `x` is "),
        (cs(ORDER).with("OUTPUT_DERIVATIVE=NAN"),
         "error: Co-Simulation: maxOutputDerivativeOrder: the derivative of `x` is NaN"),
        (cs(ORDER).with("OUTPUT_DERIVATIVE=5.0"),
         "warning: Co-Simulation: maxOutputDerivativeOrder: the derivative of `x` is 5, but its slope is -1.1"),
        (cs(&[ORDER, SIZES].join(" ")).with("OUTPUT_DERIVATIVE=0.0"),
         "warning: Co-Simulation: maxOutputDerivativeOrder: the derivative of `x` is 0, but its slope is -1.2"),
        (cs(ORDER_2).with("SECOND_DERIVATIVE=-2.0"),
         "warning: Co-Simulation: maxOutputDerivativeOrder: the derivative of order 2 of `x` is -2, but its slope is 2.2"),
        (cs("").with("SHARES=1"), "error: Co-Simulation: two instances at the same time: `x` is "),
        (cs("").with("STARTS_ONCE=1"),
         "error: Co-Simulation: two instances at the same time: the second instance: fmi2Instantiate returned no instance: the FMU gave no reason"),
    ];
    for (corpus, problem) in cases {
        let (status, lines) = validated(&corpus);
        let found: Vec<_> = lines.iter().filter(|line| line.starts_with(&format!("Corpus.fmu: {problem}"))).collect();
        assert_eq!((found.len(), status), (1, Some(i32::from(problem.starts_with("error")))), "{problem}: {lines:?}");
    }
}

#[test]
fn a_simulation_names_an_event_in_the_past() {
    let (status, lines) = told(&Corpus::model_exchange("").with("NEXT_EVENT=-1.0"), "simulate", &[]);
    let message = "error: fmi2NewDiscreteStates at 0 s gives the next event at -1 s, which is not later";
    assert_eq!((status, lines), (Some(1), vec![message.to_owned()]));
}

#[test]
fn several_files_have_a_line_for_all_and_a_report() {
    let (folder, good) = Corpus::co_simulation("").write();
    let (_other, bad) = Corpus::co_simulation("").with("PLATFORM=\"standard32\"").write();
    let report = folder.path().join("report.xml");
    let output = run("validate", &good, &[bad.to_str().unwrap(), "--junit", report.to_str().unwrap()]);
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(output.status.code(), Some(1));
    assert!(lines[0].starts_with("Corpus.fmu: no problems ("), "{said}");
    let problem = "Co-Simulation: fmi2GetTypesPlatform returns \"standard32\" instead of \"default\"";
    assert_eq!(
        lines[1..],
        [format!("Corpus.fmu: error: {problem}"), format!("2 FMUs: 1 accepted, 1 not: {}", bad.display())]
    );
    let report = fs_err::read_to_string(report).unwrap();
    for text in [
        format!("<testsuite name=\"{}\" tests=\"1\" failures=\"0\" skipped=\"0\">", good.display()),
        format!("<testsuite name=\"{}\" tests=\"1\" failures=\"1\" skipped=\"0\">", bad.display()),
        "name=\"own rules\"".to_owned(),
        "<failure>error: Co-Simulation: fmi2GetTypesPlatform returns ".to_owned(),
    ] {
        assert!(report.contains(&text), "{text} is not in {report}");
    }
    let output = run("validate", &good, &["--junit", good.to_str().unwrap()]);
    let message = format!("error: --junit would overwrite an FMU, {}\n", good.display());
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), message));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_from_which_nothing_is_loaded_is_told_with_what_helps() {
    // In a namespace of its own anybody may mount a file system.
    let mounted = "mount -t tmpfs -o noexec tmpfs \"$1\" && TMPDIR=\"$1\" exec \"$2\" simulate \"$3\"";
    let namespace = || {
        let mut unshare = Command::new("unshare");
        unshare.args(["--map-root-user", "--mount", "sh", "-c"]);
        unshare
    };
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    if !namespace().args(["mount -t tmpfs tmpfs \"$1\"", "sh", folder]).status().is_ok_and(|status| status.success()) {
        let _ = writeln!(std::io::stderr(), "skipped: nothing can be mounted here");
        return;
    }
    let (_corpus, file) = Corpus::co_simulation("").write();
    let output =
        namespace().args([mounted, "sh", folder, env!("CARGO_BIN_EXE_fmu-importer")]).arg(&file).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let hint = "; the folder for temporary files is probably mounted with `noexec`: set TMPDIR to one that is not\n";
    assert!(output.status.code() == Some(1) && said.ends_with(hint), "{said}");
}

/// All findings before the end of the process are kept.
#[test]
fn findings_outlive_the_process() {
    let corpus = Corpus::co_simulation(STATES).with("CRASHES_AT_SAVE=1").replaced("name=\"y\"", "name=\"der(y)\"");
    let (_folder, file) = corpus.write();
    let verdict: Verdict = serde_json::from_slice(&run("validate", &file, &["--json"]).stdout).unwrap();
    let severities: Vec<_> = verdict.problems.iter().map(|problem| problem.severity.as_str()).collect();
    assert_eq!(severities, ["style", ERROR]);
    let problem = &verdict.problems[1].text;
    assert!(problem.ends_with(" when canGetAndSetFMUstate of Co-Simulation was tried"), "{problem}");
}
