//! Frequency responses against closed forms.

use std::f64::consts::TAU;

use fmu_tests::finished::archive;
use nalgebra::Complex;

use crate::{Made, close, printed};

/// Returns the heading and the rows of a table.
fn table(file: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let heading = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|row| row.unwrap().iter().map(|cell| cell.parse().unwrap()).collect());
    (heading, rows.collect())
}

/// A mass on a spring and a damper, driven by a force.
const MOUNT: &str = r#"
name = "Mount"
outputs = ["mass.s", "mass.v"]
[parts.push]
type = "Force"
flange = "mass.flange_a"
[parts.mass]
type = "Mass"
m = 20.0
[parts.mount]
type = "Translational.SpringDamper"
c = 5e5
d = 150.0
flange_a = "mass.flange_b"
flange_b = "seat.flange"
[parts.seat]
type = "Translational.Fixed"
"#;

#[test]
fn the_dynamic_stiffness_of_a_mass_on_a_mount_is_the_textbooks() {
    let made = Made::system(MOUNT);
    let csv = made.path("response.csv");
    let arguments = ["--response", &csv, "--from", "2", "--to", "200", "--points", "21"];
    let said = printed(&made.file, &arguments);
    assert!(said.ends_with(&format!("{csv}: 2 frequency responses\n")), "{said}");
    let (heading, rows) = table(&csv);
    let between = "push.f to mass";
    assert_eq!(
        heading,
        [
            "frequency [Hz]".to_owned(),
            format!("dynamic stiffness {between}.s [N/m]"),
            format!("loss angle {between}.s [deg]"),
            format!("magnitude {between}.v [m/s/N]"),
            format!("phase {between}.v [deg]"),
        ]
    );
    assert!(rows.len() == 21 && rows[0][0] == 2.0 && close(rows[10][0], 20.0, 1e-14) && rows[20][0] == 200.0);
    for row in rows {
        let omega = TAU * row[0];
        let stiffness = Complex::new(5e5 - 20.0 * omega * omega, 150.0 * omega);
        assert!(close(row[1], stiffness.norm(), 1e-12), "{row:?}");
        assert!((row[2] - stiffness.arg().to_degrees()).abs() < 1e-9, "{row:?}");
        let mobility = Complex::new(0.0, omega) / stiffness;
        assert!(close(row[3], mobility.norm(), 1e-12), "{row:?}");
        assert!((row[4] - mobility.arg().to_degrees()).abs() < 1e-9, "{row:?}");
    }
}

/// Without states, velocity and position are inputs, and both act.
#[test]
fn the_dynamic_stiffness_of_a_bushing_follows_from_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("stiffness.csv").display().to_string();
    let input = "frame_b.r_0[2]+frame_b.v_0[2]";
    let arguments = ["--inputs", input, "--outputs", "frame_b.f[2]", "--response", &csv, "--to", "500"];
    let said = printed(&archive("bushing"), &[&arguments[..], &["--set", "TS[2]=3e6", "--set", "TD[2]=2000"]].concat());
    assert!(said.contains("no continuous states, so A, B and C are empty"), "{said}");
    let (heading, rows) = table(&csv);
    assert_eq!(heading[1], "dynamic stiffness frame_b.r_0[2] to frame_b.f[2] [N/m]");
    assert_eq!((rows.len(), rows[0][0]), (400, 0.1));
    for row in rows {
        let stiffness = Complex::new(3e6, 2000.0 * TAU * row[0]);
        assert!(close(row[1], stiffness.norm(), 1e-12) && close(row[2], stiffness.arg().to_degrees(), 1e-9), "{row:?}");
    }
}

#[test]
fn a_response_is_drawn() {
    let made = Made::system(MOUNT);
    for name in ["bode.svg", "bode.png"] {
        let file = made.path(name);
        assert!(printed(&made.file, &["--plot", &file]).ends_with(&format!("{file}\n")));
        let drawn = fs_err::read(file).unwrap();
        assert!(drawn.starts_with(if name.ends_with("svg") { b"<svg" } else { b"\x89PNG" }));
    }
    let svg = fs_err::read_to_string(made.path("bode.svg")).unwrap();
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
}
