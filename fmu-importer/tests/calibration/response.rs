//! Parameters from measurements over frequency, whose truth has a closed form.

use std::f64::consts::TAU;

use fmu_builder::Settings;
use fmu_importer::calibration::Calibration;
use fmu_tests::finished::{Fmu, resolve};

use super::{Case, page};

const FILE: &str = "fmu = \"Model.fmu\"
[parameters]
\"motor.J\" = { min = 0.01, max = 1.0, scale = \"log\" }
\"load.J\" = { min = 0.01, max = 5.0, scale = \"log\" }
\"shaft.c\" = { min = 100.0, max = 1e5, scale = \"log\" }
\"shaft.d\" = { min = 0.01, max = 100.0, scale = \"log\" }
\"bearing.d\" = { min = 0.001, max = 10.0, scale = \"log\" }
[[experiments]]
data = \"bode.csv\"
frequency = \"f\"
input = \"drive.tau\"
outputs = { \"motor.w\" = { magnitude = \"gain\", phase = \"phase\" } }
";

/// Returns real and imaginary part of the speed of the motor of the train by its torque, at s = i omega:
/// (J1 s + z) w1 - z w2 = tau, -z w1 + (J2 s + z + d2) w2 = 0, z = d + c / s.
fn response(f: f64) -> [f64; 2] {
    let [j1, j2, c, d, d2] = [0.12, 0.6, 1200.0, 1.5, 0.25];
    let omega = TAU * f;
    // Complex numbers as pairs.
    let z = [d, -c / omega];
    let load = [z[0] + d2, j2 * omega + z[1]];
    let norm = load[0] * load[0] + load[1] * load[1];
    let square = [z[0] * z[0] - z[1] * z[1], 2.0 * z[0] * z[1]];
    let feedback =
        [(square[0] * load[0] + square[1] * load[1]) / norm, (square[1] * load[0] - square[0] * load[1]) / norm];
    let motor = [z[0] - feedback[0], j1 * omega + z[1] - feedback[1]];
    let norm = motor[0] * motor[0] + motor[1] * motor[1];
    [motor[0] / norm, -motor[1] / norm]
}

fn case() -> Case {
    let case = Case { folder: tempfile::tempdir().unwrap() };
    let settings = Settings::from_toml(&page("train.toml")).unwrap();
    let fmu = Fmu::of("trains", resolve("trains", &settings).unwrap());
    fs_err::copy(&fmu.file, case.path("Model.fmu")).unwrap();
    let mut text = "f [Hz],gain,phase [deg]\n".to_owned();
    for row in 0..60 {
        let f = 0.5 * 1.08_f64.powi(row);
        let [re, im] = response(f);
        // Some instruments have phases from 0 to 360.
        let phase = im.atan2(re).to_degrees().rem_euclid(360.0);
        text += &format!("{f},{},{phase}\n", re.hypot(im));
    }
    fs_err::write(case.path("bode.csv"), text).unwrap();
    fs_err::write(case.path("fit.toml"), FILE).unwrap();
    case
}

#[test]
fn a_frequency_response_gives_its_parameters() {
    let case = case();
    let mut calibration = Calibration::load(&case.path("fit.toml")).unwrap();
    let found = calibration.fit(&mut |_| ()).unwrap();
    for (value, expected) in found.values.iter().zip([0.12, 0.6, 1200.0, 1.5, 0.25]) {
        assert!((value / expected - 1.0).abs() < 1e-6, "{value}, not {expected}");
    }
    let report = calibration.report(&found);
    assert!(
        report.contains("motor.w magnitude") && report.contains("dB") && report.contains("motor.w phase"),
        "{report}"
    );
}

#[test]
fn mistakes_are_named() {
    let case = case();
    for (from, to, expected) in [
        (
            "frequency = \"f\"\n",
            "",
            "fit.toml:10:9: an experiment with one input is over frequency: add a line such as frequency = \"f\"",
        ),
        (
            "input = \"drive.tau\"\n",
            "",
            "fit.toml:10:13: an experiment over frequency has one input: add a line such as input = \
             \"frame_b.r_0[1]+frame_b.v_0[1]\"",
        ),
        (
            "data =",
            "time = \"t\"\ndata =",
            "fit.toml:9:8: `time` is for time series, but the experiment is over frequency",
        ),
        (
            "{ magnitude = \"gain\", phase = \"phase\" }",
            "\"gain\"",
            "fit.toml:12:25: `motor.w` must be a table such as { magnitude = \"K\", phase = \"delta\" }, since the \
             experiment is over frequency",
        ),
        (
            "magnitude = \"gain\"",
            "magnitud = \"gain\"",
            "fit.toml:12:27: unknown key `magnitud`; did you mean `magnitude`?",
        ),
        (
            "input = \"drive.tau\"",
            "input = \"motor.J\"",
            "experiment 1: inputs of a linear system are continuous inputs: `motor.J` is a parameter",
        ),
    ] {
        fs_err::write(case.path("fit.toml"), FILE.replacen(from, to, 1)).unwrap();
        assert_eq!(case.refusal(), expected);
    }
    fs_err::write(case.path("fit.toml"), FILE).unwrap();
    for (text, expected) in [
        (
            "f [Hz],gain,phase [deg]\n2,1,0\n1,1,0\n",
            "bode.csv, row 3: frequency 1 Hz comes after 2 Hz; frequencies must increase",
        ),
        ("f [Hz],gain,phase [deg]\n0,1,0\n2,1,0\n", "bode.csv, row 2: the frequency is 0 Hz, but must be above 0"),
        (
            "f [Hz],gain,phase [deg]\n1,1,0\n2,0,0\n",
            "bode.csv, row 3, column 2: the magnitude of `motor.w` is 0, but must be above 0",
        ),
    ] {
        fs_err::write(case.path("bode.csv"), text).unwrap();
        assert_eq!(case.refusal(), expected);
    }
}
