//! The multibody benchmark of the IFToMM beside its published solutions, in both interfaces.

use fmu_builder::Settings;
use fmu_importer::{Interface, Simulation};
use fmu_tests::finished::{Fmu, resolve, root};

use super::{fmu, run};

/// Runs an example in both interfaces; gives each trajectory to a check, with the values of outputs at multiples of `step`.
fn each(file: &str, [step, stop]: [f64; 2], names: &[&str], check: impl Fn(Interface, &[Vec<f64>])) {
    let fmu = fmu(&root().join("examples").join(file));
    for interface in [Interface::CoSimulation, Interface::ModelExchange] {
        let mut simulation = Simulation::load_as(&fmu.file, interface).unwrap();
        (simulation.step, simulation.stop, simulation.tolerance) = (step, stop, Some(1e-11));
        let trajectory = simulation.run().unwrap();
        let column = |name: &&str| trajectory.names.iter().position(|known| known == name).expect(name);
        let columns: Vec<_> = names.iter().map(|name| &trajectory.columns[column(name)]).collect();
        let rows: Vec<Vec<f64>> =
            (0..trajectory.time.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
        check(interface, &rows);
    }
}

/// Asserts that values are those that were published.
fn check(interface: Interface, found: &[f64], expected: &[f64], bound: f64) {
    let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < bound);
    assert!(found.len() == expected.len() && is_close, "{interface:?}: {found:?} {expected:?}");
}

#[test]
fn a_simple_pendulum_swings_as_solved() {
    let names = ["rod.frame_b.r_0[1]", "rod.frame_b.r_0[2]", "joint.w"];
    each("iftomm/a01-simple-pendulum.toml", [0.1, 10.0], &names, |interface, rows| {
        check(interface, &rows[10][..2], &[0.986_291_751_132, -0.165_010_853_126], 2e-7);
        check(interface, &rows[100][..2], &[-0.275_087_462_576, -0.961_419_205_099], 2e-7);
        for row in rows {
            let energy = 0.5 * row[2].powi(2) + 9.81 * row[1];
            assert!(energy.abs() < 5e-7, "{interface:?}: {energy}");
        }
    });
}

/// The reference is that of one ordinary differential equation.
#[test]
fn two_windows_go_through_singular_positions_as_published() {
    let names = ["bar0.frame_b.r_0[1]", "bar0.frame_b.r_0[2]"];
    each("iftomm/a02-four-bars.toml", [0.1, 10.0], &names, |interface, rows| {
        check(interface, &rows[100], &[0.328_458_111_539, 0.944_518_538_179], 5e-8);
    });
}

#[test]
#[ignore = "expensive: 20 s of 81 bars"]
fn forty_windows_go_through_singular_positions_as_published() {
    let mut settings = Settings::from_toml(&root().join("examples/iftomm/a02-four-bars.toml")).unwrap();
    settings.set("N=40").unwrap();
    let fmu = Fmu::of("systems", resolve("systems", &settings).unwrap());
    let names = [1, 2].map(|k| format!("bar0.frame_b.r_0[{k}]"));
    let rows = run(&fmu, &names, 20.0, 1, Some(1e-8));
    check(Interface::CoSimulation, &rows[2000], &[0.410_901_153_758, 0.911_679_900_974], 2e-5);
}

#[test]
fn a_squeezing_mechanism_moves_as_published() {
    let names = ["beta.phi", "gamma.angle", "delta.angle", "epsilon.angle"];
    each("iftomm/a03-andrews-squeezer.toml", [0.03, 0.03], &names, |interface, rows| {
        let quarter = std::f64::consts::FRAC_PI_2;
        let angles = |row: &[f64]| [row[0], row[1] + quarter, row[2], row[3] + quarter];
        let start = [-0.061_713_890_014_276_4, 0.455_279_819_163_07, 0.487_364_979_543_843, 1.230_547_444_549_821];
        check(interface, &angles(&rows[0]), &start, 1e-9);
        let end = [15.810_771_196_299_04, 0.040_822_240_130_73, 0.524_409_965_880_53, 1.048_080_741_042_26];
        check(interface, &angles(&rows[1]), &end, 1e-7);
    });
}

#[test]
fn bricards_mechanism_moves_as_published() {
    let names = [1, 2, 3].map(|k| format!("rod3.frame_b.r_0[{k}]"));
    each("bricard.toml", [1.0, 10.0], &names.each_ref().map(String::as_str), |interface, rows| {
        check(interface, &rows[1], &[0.510_501_46, -1.649_167_6, 0.140_123_11], 1e-6);
        check(interface, &rows[10], &[0.999_999_96, -1.000_269_01, 0.999_730_95], 1e-6);
    });
}

/// The digits that are published are also those to which Exudyn 1.13.6 converges, with a step of 0.05 ms to 7e-8 m.
#[test]
fn a_governor_lifts_its_slider_as_published() {
    each("iftomm/a05-flyball-governor.toml", [0.5, 10.0], &["guide.s"], |interface, rows| {
        let found = [1, 2, 10, 20].map(|row| rows[row][0]);
        check(interface, &found, &[0.743_249_425, 0.501_420_922, 0.535_563_104, 0.619_622_917], 1e-8);
    });
}
