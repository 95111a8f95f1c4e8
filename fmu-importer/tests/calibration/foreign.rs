//! FMUs of other tools, which may end a run, and have no derivatives by parameters.

#![cfg(unix)]

use fmu_tests::corpus::Corpus;
use fmu_tests::finished::archive as archive_of;
use fmu_tests::foreign::{EXCHANGE, VARIABLE, archive};

use tempfile::TempDir;

use super::Case;

const FILE: &str = "fmu = \"Foreign.fmu\"
[parameters]
u = { min = -0.5, max = 2.0 }
[[experiments]]
data = \"data.csv\"
outputs = { x = \"x\" }
";

/// Data of x' = 1 + u with u = 0.25, up to 0.7 s.
fn case(interfaces: &[&str]) -> Case {
    let (folder, _) = archive(interfaces);
    let case = Case { folder };
    let rows: String = (0..8).map(|row| format!("{},{}\n", 0.1 * f64::from(row), 0.125 * f64::from(row))).collect();
    fs_err::write(case.path("data.csv"), format!("time,x\n{rows}")).unwrap();
    fs_err::write(case.path("fit.toml"), FILE).unwrap();
    case
}

#[test]
fn runs_of_other_tools_are_fitted_by_differences() {
    for interfaces in [&[VARIABLE][..], &[EXCHANGE]] {
        let case = case(interfaces);
        let (success, printed, said) = case.run(&["--output", "found.toml"]);
        assert!(success, "{said}");
        assert!(printed.contains("(differences of runs for derivatives)\n"), "{printed}");
        let text = fs_err::read_to_string(case.path("found.toml")).unwrap();
        assert_eq!(text, "# Fitted to fit.toml.\n[parameters]\n\"u\" = 0.25\n");
    }
}

#[test]
fn runs_that_fail_are_told() {
    let case = case(&[VARIABLE]);
    for (behaviour, expected) in [
        (4, "experiment 1: the FMU ended the simulation at 0.5 s, before the end of the data"),
        (7, "the search for the parameters has failed: an output is not a finite number"),
    ] {
        fs_err::write(case.path("fit.toml"), format!("values = {{ behaviour = {behaviour} }}\n{FILE}")).unwrap();
        assert_eq!(case.refusal(), expected);
    }
    fs_err::write(case.path("fit.toml"), format!("values = {{ behaviour = 1 }}\n{FILE}")).unwrap();
    let (success, _, said) = case.run(&["--output", "found.toml"]);
    assert!(!success && said.contains("error: fit.toml: the FMU terminated the process (exit status: 0"), "{said}");
    let over_frequency = FILE.replace("data =", "frequency = \"f\"\ninput = \"u\"\ndata =");
    fs_err::write(case.path("fit.toml"), over_frequency.replace("\"x\" }", "{ magnitude = \"x\" } }")).unwrap();
    assert_eq!(case.refusal(), "Foreign.fmu does not offer Model Exchange");
}

#[test]
fn frequency_responses_that_do_not_exist_are_told() {
    let refusal = |folder: TempDir, fmu: &str, variables: [&str; 3]| {
        let case = Case { folder };
        let [parameter, input, output] = variables;
        let text = format!(
            "fmu = \"{fmu}\"\nparameters = {{ \"{parameter}\" = {{}} }}\n[[experiments]]\ndata = \"data.csv\"\n\
             frequency = \"f\"\ninput = \"{input}\"\noutputs = {{ \"{output}\" = {{ magnitude = \"x\" }} }}\n"
        );
        fs_err::write(case.path("data.csv"), "f,x\n1,1\n2,0.5\n3,0.2\n").unwrap();
        fs_err::write(case.path("fit.toml"), text).unwrap();
        case.refusal()
    };
    let (folder, _) = Corpus::model_exchange("").with("ENDS_AT_START=1").write();
    let ended = refusal(folder, "Corpus.fmu", ["u", "u", "x"]);
    assert_eq!(ended, "experiment 1: the FMU ends the simulation at its start");
    let folder = tempfile::tempdir().unwrap();
    fs_err::copy(archive_of("bushing"), folder.path().join("Bushing.fmu")).unwrap();
    let several = refusal(folder, "Bushing.fmu", ["TS[1]", "frame_b.r_0", "frame_b.f[1]"]);
    let expected =
        "experiment 1: `frame_b.r_0` names 3 inputs, but a response is that to one of them and its derivatives";
    assert_eq!(several, expected);
}
