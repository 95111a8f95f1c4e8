//! The command `convert` with hysteresis loops: the FMU of the configuration goes through the loop that was measured.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use fmu_builder::Settings;
use fmu_importer::Simulation;
use fmu_runtime::Standard;
use fmu_tests::finished::{packed, resolve};

use crate::{refused_in, run_in};

/// Returns displacement in mm and force in N over three cycles of a hardening mount that rubs, by small steps along the
/// path.
fn loop_of_a_mount(headings: &str) -> String {
    let (stiffness, limit) = (1.5e6, 250.0);
    let (mut inner, mut last, mut text) = (0.0, 0.0, format!("{headings}\n"));
    for row in 0..=3000 {
        let x = 2e-3 * (TAU * f64::from(row) / 1000.0).sin();
        let steps = 100;
        for _ in 0..steps {
            // The friction follows Dahl's law, q' = |x'| (x - q) S / F.
            let step = (x - last) / f64::from(steps);
            inner += step.abs() * (last + step / 2.0 - inner) * stiffness / limit;
            last += step;
        }
        last = x;
        let force = 4e5 * x + 3e10 * x.powi(3) + stiffness * (x - inner);
        let _ = writeln!(text, "{:.6},{:.3}", 1e3 * x, force);
    }
    text
}

#[test]
fn a_loop_becomes_an_fmu_that_goes_through_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs_err::write(path("loop.csv"), loop_of_a_mount("displacement [mm],force [N]")).unwrap();
    let (success, printed, said) = run_in("convert", folder.path(), &["loop.csv", "mount.toml", "--axis", "z"]);
    assert!(success && !said.contains("warning"), "{said}");
    assert!(said.contains("loop.csv: axis z: friction of 1") && said.contains("3001 rows"), "{said}");
    assert_eq!(printed, "mount-curve.csv\nmount.toml\n");
    let settings = Settings::from_toml(&path("mount.toml")).unwrap();
    let description = resolve("bushing", &settings).unwrap();
    assert!(description.warnings.is_empty(), "{:?}", description.warnings);
    let fmu = packed("bushing", &description, Standard::Fmi2, folder.path());
    // The input is the second cycle, in a second.
    let mut input = "time,frame_b.r_0[3] [mm]\n".to_owned();
    let measured: Vec<[f64; 2]> = fs_err::read_to_string(path("loop.csv"))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').map(|(x, force)| [x, force].map(|text| text.parse().unwrap())).unwrap())
        .collect();
    for (row, [x, _]) in measured.iter().enumerate() {
        let _ = writeln!(input, "{:?},{x:?}", row as f64 * 1e-3);
    }
    fs_err::write(path("motion.csv"), input).unwrap();
    let mut simulation = Simulation::load(&fmu).unwrap();
    simulation.read_inputs(path("motion.csv")).unwrap();
    simulation.step = 1e-3;
    let trajectory = simulation.run().unwrap();
    let column = trajectory.names.iter().position(|name| name == "frame_b.f[3]").unwrap();
    let largest = measured.iter().fold(0.0_f64, |largest, [_, force]| largest.max(force.abs()));
    // The comparison begins after the first turn, since a mount that was not in use begins elsewhere.
    for (row, [x, force]) in measured.iter().enumerate().skip(1000) {
        let found = trajectory.columns[column][row];
        assert!((found - force).abs() < 0.01 * largest, "row {row} at {x} mm: {found} N instead of {force} N");
    }
}

#[test]
fn every_mistake_has_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    write("loop.csv", &loop_of_a_mount("displacement,force"));
    write("up.csv", "x [mm],F [N]\n-2,-200\n-1,-100\n0,0\n1,100\n2,200\n");
    write("time.csv", "x [s],F [N]\n-2,-200\n2,200\n");
    write("mount.bus", "[UNITS]\n");
    for (arguments, expected) in [
        (
            &["loop.csv", "a.toml"][..],
            "loop.csv gives no units: use headings such as \"displacement [mm]\" and \"force [N]\", or --units mm,N",
        ),
        (&["loop.csv", "a.toml", "--axis", "w"], "the axis is one of x, y, z, 1, 2, 3"),
        (
            &["up.csv", "a.toml"],
            "up.csv: this is no closed loop: no part of the rows goes all the way down between the smallest and the largest \
             displacement; choose the rows of one cycle, or of several of the same amplitude",
        ),
        (
            &["time.csv", "a.toml"],
            "the columns must be displacement and load, in this order: time.csv, column 1 is in s, which cannot be converted to m",
        ),
        (&["loop.csv", "a.txt", "--units", "mm,N"], "a.txt: a configuration is a .toml file"),
        (&["mount.bus", "a.toml", "--axis", "x"], "--axis is for tables, but mount.bus is a property file"),
        (&["mount.bus", "a.toml", "--range", "1:2"], "--range is for tables, but mount.bus is a property file"),
    ] {
        assert_eq!(refused_in("convert", folder.path(), arguments), expected);
    }
    assert!(!folder.path().join("a.toml").exists() && !folder.path().join("a-curve.csv").exists());
    // Existing files are not lost.
    write("b-curve.csv", "mine");
    let message = refused_in("convert", folder.path(), &["loop.csv", "b.toml", "--units", "mm,N"]);
    assert_eq!(message, "b-curve.csv: already exists; --force replaces it");
    assert!(!folder.path().join("b.toml").exists());
    let forced = ["loop.csv", "b.toml", "--units", "deg,N.m", "--force"];
    let refused = |file: &str, kind: &str| {
        let message = refused_in("convert", folder.path(), &forced);
        let expected = format!("the existing file is not {kind}; delete it or choose another name");
        assert_eq!(message, format!("{file}: cannot be written: {expected}"));
    };
    refused("b-curve.csv", "a table of this command, whose first column is theta [rad]");
    write("b.toml", "[package]\nname = \"mine\"\n");
    refused("b.toml", "a configuration");
    write("b.toml", "[parameters]\n");
    write("b-curve.csv", "theta [rad],M [N.m]\n0,0\n");
    let (success, _, said) = run_in("convert", folder.path(), &forced);
    assert!(success && said.contains("axis 1: friction of "), "{said}");
    let text = fs_err::read_to_string(folder.path().join("b.toml")).unwrap();
    assert!(text.contains("RS_curve_1 = { file = \"b-curve.csv\" }") && text.contains("RM_friction = ["), "{text}");
}
