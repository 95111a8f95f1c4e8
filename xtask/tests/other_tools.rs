//! FMUs of other tools in `validate` with all importers, and in `info`.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use fmu_tests::corpus::Corpus;
use fmu_tests::foreign_3::PLAIN;

/// Returns the exit status of a command and its lines.
fn told(command: &str, file: &Path, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg(command).arg(file).args(arguments).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), said.lines().map(|line| line.replace(&file.display().to_string(), "Corpus.fmu")).collect())
}

/// Checks that the limits of the `fmi` crate do not count as errors of the FMU.
#[test]
#[ignore = "expensive: compiles the `fmi` crate"]
fn validate_judges_the_fmu_and_not_the_fmi_crate() {
    let root = "<fmiModelDescription ";
    let namespace = format!("{root}xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ");
    let unreadable = Corpus::co_simulation("").replaced(root, &namespace);
    // The crate cannot stand a log category that is NULL.
    let crashing = Corpus::co_simulation("").with("LOGS=1").with("CATEGORY=0");
    for (corpus, note) in [(unreadable, "it cannot read the file: "), (crashing, "")] {
        let (_folder, file) = corpus.write();
        let (status, lines) = told("validate", &file, &[]);
        assert_eq!(status, Some(0), "{lines:?}");
        let begin = format!("Corpus.fmu: note: fmi crate: {note}");
        assert!(lines.iter().any(|line| line.starts_with(&begin)), "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("error: ") || line.contains("panicked")), "{lines:?}");
    }
}

#[test]
fn info_reads_what_other_tools_write() {
    let items = Corpus::co_simulation("").replaced("value=\"1\"", "value=\"0\"").replaced("value=\"2\"", "value=\"1\"");
    let corpus = items.replaced("name=\"u\"", "name=\"Größe\"").in_latin_1();
    let (_folder, file) = corpus.write();
    let (status, lines) = told("info", &file, &[]);
    assert_eq!(status, Some(0), "{lines:?}");
    let row = |name: &str| lines.iter().find(|line| line.trim_start().starts_with(name)).cloned().unwrap_or_default();
    assert!(row("Größe").contains("0.5"), "{lines:?}");
    // The start value 1 is that of the second item.
    let words = row("gear").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words, ["gear", "First", "Neutral,", "First"], "{lines:?}");
}

/// A text may be written from right to left, which a terminal would obey, and XML allows; it does not allow NUL.
#[test]
fn info_shows_characters_that_a_terminal_would_obey() {
    let with = |text: &str| {
        Corpus::co_simulation("")
            .replaced("modelName=\"Corpus\"", &format!("modelName=\"Corpus\" description=\"{text}\""))
            .replaced("name=\"u\"", &format!("name=\"u\" description=\"{text}\""))
    };
    let (_folder, file) = with("m\u{202e}ssam").write();
    let (status, lines) = told("info", &file, &[]);
    assert_eq!((status, lines[0].as_str()), (Some(0), "Corpus: m\\u{202e}ssam"));
    assert!(
        lines.iter().any(|line| line.trim_start().starts_with("u ") && line.ends_with("m\\u{202e}ssam")),
        "{lines:?}"
    );
    let (_folder, file) = with("ma\0s").write();
    let message = "error: Corpus.fmu: modelDescription.xml: line 2: description=\"ma\\0s\" has control characters";
    assert_eq!(told("info", &file, &[]), (Some(1), vec![message.to_owned()]));
}

#[test]
fn info_shows_arrays_and_types_of_fmi_3() {
    let (_folder, file) = PLAIN.packed();
    let (status, lines) = told("info", &file, &[]);
    assert_eq!(status, Some(0), "{lines:?}");
    let words = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
    for row in [
        "gain 1", "small[2] [1, -1]", "on true", "gear high low, high", "text \"start\"", "u[2] 0", "x[2] 0",
        "large 5000000000",
    ] {
        assert!(words.iter().any(|line| line == row), "{row}: {words:?}");
    }
    let (status, lines) = told("info", &file, &["--json"]);
    assert_eq!((status, lines.len()), (Some(0), 1), "{lines:?}");
    let told: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    let variable = |name: &str| told["variables"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(variable("small")["value"], serde_json::json!([1, -1]));
    assert_eq!(variable("large")["value"], serde_json::json!(5_000_000_000_i64));
    assert_eq!(variable("u")["shape"], serde_json::json!([2]));
    assert_eq!(variable("gear")["choices"], serde_json::json!(["low", "high"]));
    assert_eq!((&variable("gear")["type"], &variable("gear")["value"]), (&"Gear".into(), &"high".into()));
}

#[test]
fn fmi_1_is_one_sentence() {
    let (folder, file) = Corpus::co_simulation("").replaced("fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"").write();
    let message = "error: Corpus.fmu: is for FMI 1.0; only FMI 2.0 and FMI 3.0 can be imported".to_owned();
    assert_eq!(told("info", &file, &[]), (Some(1), vec![message.clone()]));
    let system = folder.path().join("system.ssp");
    assert_eq!(
        told("ssp", &system, &[&format!("a={}", file.display())]).1,
        [message.replace("Corpus.fmu", &file.display().to_string())]
    );
    assert!(!system.exists());
}

/// The FMUs that failed most, with all importers: namespaces, no states, an empty `dependenciesKind`, and FMI 3.0 without
/// `hasEventMode`.
#[test]
#[ignore = "expensive: compiles the `fmi` crate"]
fn correct_fmus_pass_all_importers() {
    let root = "<fmiModelDescription ";
    let namespace = format!("{root}xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ");
    let kinds = "dependencies=\"3\" dependenciesKind=\"constant\"";
    let stateless = Corpus::model_exchange("")
        .with("NO_STATES=1")
        .replaced("<Real derivative=\"1\"/>", "<Real/>")
        .replaced("<Derivatives><Unknown index=\"2\"/></Derivatives>\n", "")
        .replaced("<Unknown index=\"1\" dependencies=\"1\"/>", "<Unknown index=\"1\"/>")
        .replaced("<InitialUnknowns><Unknown index=\"2\"/>", "<InitialUnknowns>")
        .replaced("der(x)", "slope");
    let fmus = [
        Corpus::co_simulation("").replaced(root, &namespace).write(),
        stateless.write(),
        Corpus::co_simulation("").replaced(kinds, "dependencies=\"\" dependenciesKind=\"\"").write(),
        PLAIN.packed(),
    ];
    for (_folder, file) in &fmus {
        let (status, lines) = told("validate", file, &[]);
        assert_eq!(status, Some(0), "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("error: ")), "{lines:?}");
    }
}
