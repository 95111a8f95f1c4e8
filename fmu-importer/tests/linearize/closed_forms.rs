//! Eigenvalues and derivatives against closed forms.

use std::f64::consts::{PI, TAU};

use fmu_builder::Standard;
use fmu_tests::finished::root;

use crate::{Made, chain, close};

/// Relative error of derivatives and frequencies.
const EXACT: f64 = 1e-10;

/// Equal masses m between walls have the frequencies 2 sqrt(c/m) sin(k π / (2 (n + 1))), and with dampers proportional to
/// the springs the damping ratio d/c ω/2.
#[test]
fn a_chain_between_walls_has_its_frequencies_and_damping_ratios() {
    for (masses, standard) in [(1, Standard::Fmi2), (2, Standard::Fmi3), (7, Standard::Fmi2)] {
        let (c, d): (f64, f64) = (8e4, 3.0);
        let linear = Made::of(&chain(masses, true, c, d), standard).linear(&[]);
        let [frequencies, ratios, times] =
            ["frequency", "damping_ratio", "time_constant"].map(|key| linear.numbers(key));
        assert_eq!(frequencies.len(), masses);
        for k in 1..=masses {
            let omega = 2.0 * (c / 2.0).sqrt() * (k as f64 * PI / (2.0 * (masses as f64 + 1.0))).sin();
            let ratio = d / c * omega / 2.0;
            assert!(close(frequencies[k - 1], omega / TAU, EXACT), "{k}: {}", frequencies[k - 1]);
            assert!(close(ratios[k - 1], ratio, EXACT), "{k}: {}", ratios[k - 1]);
            assert!(close(times[k - 1], 1.0 / (ratio * omega), EXACT), "{k}: {}", times[k - 1]);
        }
    }
}

#[test]
fn a_train_that_is_free_at_both_ends_moves_as_a_rigid_body() {
    let (masses, c) = (5, 8e4_f64);
    let linear = Made::system(&chain(masses, false, c, 0.0)).linear(&[]);
    let kinds = linear.modes("kind");
    assert!(kinds[0] == "rigid body" && kinds[1..].iter().all(|kind| kind == "oscillation"), "{kinds:?}");
    let shape: Vec<[f64; 2]> = serde_json::from_value(linear.modes("shape")[0].clone()).unwrap();
    let names: Vec<_> = linear.json["states"].as_array().unwrap().iter().map(|state| state["name"].clone()).collect();
    for (name, [re, im]) in names.iter().zip(shape) {
        let moves = name.as_str().unwrap().ends_with(".s");
        assert!((re - f64::from(u8::from(moves))).abs() < 1e-12 && im == 0.0, "{name}: {re}");
    }
    for (k, frequency) in (1..).zip(&linear.numbers("frequency")[1..]) {
        let omega = 2.0 * (c / 2.0).sqrt() * (f64::from(k) * PI / (2.0 * masses as f64)).sin();
        assert!(close(*frequency, omega / TAU, EXACT), "{k}: {frequency}");
    }
    assert!(linear.said.contains("rigid body: "), "{}", linear.said);
}

/// A wheel in two massless gimbals nods with the frequency I_11 w / I_22 when its axis is horizontal.
#[test]
fn a_gyroscope_nods() {
    let text = r#"
name = "Gyroscope"
outputs = ["spin.w"]
[parts.world]
type = "World"
gravityType = "NoGravity"
[parts.precession]
type = "Revolute"
n = [0, 1, 0]
frame_a = "world.frame_b"
[parts.nutation]
type = "Revolute"
n = [0, 0, 1]
frame_a = "precession.frame_b"
[parts.spin]
type = "Revolute"
n = [1, 0, 0]
w = { start = 200, initial = "enforce" }
frame_a = "nutation.frame_b"
[parts.wheel]
type = "Body"
m = 1.0
I_11 = 0.005
I_22 = 0.003
I_33 = 0.003
frame_a = "spin.frame_b"
"#;
    let linear = Made::system(text).linear(&[]);
    let frequency = 0.005 * 200.0 / 0.003 / TAU;
    let frequencies: Vec<f64> = linear.numbers("frequency").into_iter().filter(|frequency| *frequency > 0.0).collect();
    assert!(frequencies.len() == 1 && close(frequencies[0], frequency, EXACT), "{frequencies:?} {frequency}");
    assert!(linear.numbers("damping_ratio").last().unwrap().abs() < 1e-12, "{}", linear.said);
}

/// The complex numbers of a plane.
type Plane = nalgebra::Complex<f64>;

/// A crank-rocker at rest under its weight: φ'' = -V'(φ) / M(φ), from the closed loop and its derivatives.
fn four_bar(phi: f64) -> f64 {
    let (crank, coupler, rocker, ground) = (0.1, 0.35, 0.3, 0.4);
    let e = |angle: f64| Plane::from_polar(1.0, angle);
    let i = Plane::new(0.0, 1.0);
    // crank + coupler = ground + rocker; the rocker points upwards.
    let diagonal = Plane::from(ground) - e(phi) * crank;
    let length = diagonal.norm();
    let angle = ((length * length + coupler * coupler - rocker * rocker) / (2.0 * length * coupler)).acos();
    let beta = diagonal.arg() + angle;
    let gamma = (e(phi) * crank + e(beta) * coupler - ground).arg();
    // Solves x coupler i e(beta) - y rocker i e(gamma) = right for x and y.
    let solved = |right: Plane| {
        let (one, two) = (i * e(beta) * coupler, -i * e(gamma) * rocker);
        let determinant = one.re * two.im - one.im * two.re;
        [(right.re * two.im - right.im * two.re) / determinant, (one.re * right.im - one.im * right.re) / determinant]
    };
    let [beta_1, gamma_1] = solved(-i * e(phi) * crank);
    let right = e(phi) * crank + e(beta) * coupler * beta_1.powi(2) - e(gamma) * rocker * gamma_1.powi(2);
    let [beta_2, gamma_2] = solved(right);
    // A point at `arm` of a body that turns by an angle: its first and second derivative.
    let turned = |arm: Plane, angle: f64, [first, second]: [f64; 2]| {
        let arm = arm * e(angle);
        [i * arm * first, i * arm * second - arm * first.powi(2)]
    };
    let crank_end = turned(Plane::from(crank), phi, [1.0, 0.0]);
    let of_coupler = turned(Plane::new(0.175, 0.05), beta, [beta_1, beta_2]);
    let bodies = [
        (0.5, 0.002, turned(Plane::from(0.05), phi, [1.0, 0.0]), [1.0, 0.0]),
        (1.0, 0.01, [crank_end[0] + of_coupler[0], crank_end[1] + of_coupler[1]], [beta_1, beta_2]),
        (0.8, 0.008, turned(Plane::from(0.15), gamma, [gamma_1, gamma_2]), [gamma_1, gamma_2]),
    ];
    let g = 9.80665;
    let (mut mass, mut mass_1, mut load, mut load_1) = (0.0, 0.0, 0.0, 0.0);
    for (m, inertia, [r_1, r_2], [a_1, a_2]) in bodies {
        mass += m * r_1.norm_sqr() + inertia * a_1 * a_1;
        mass_1 += 2.0 * (m * (r_1.re * r_2.re + r_1.im * r_2.im) + inertia * a_1 * a_2);
        load += m * g * r_1.im;
        load_1 += m * g * r_2.im;
    }
    (load * mass_1 / mass - load_1) / mass
}

#[test]
fn a_four_bar_linkage_swings_as_its_potential_says() {
    let example = fs_err::read_to_string(root().join("examples/four-bar.toml")).unwrap();
    let (before, rest) = example.split_once("[parts.motor]").unwrap();
    let (_, after) = rest.split_once("[parts.crank]").unwrap();
    // Some of its outputs are those of the motor.
    let outputs = before.lines().find(|line| line.starts_with("outputs = ")).unwrap();
    for phi in [0.3, -1.1, 2.5] {
        let joint =
            format!("phi = {{ start = {phi}, initial = \"enforce\" }}\nw = {{ start = 0, initial = \"enforce\" }}\n");
        let crank = format!("{joint}[parts.crank]\nI_33 = 0.002\n");
        let text = format!("{before}{crank}{after}").replace(outputs, "outputs = [\"rods.angle\"]");
        let linear = Made::system(&text).linear(&[]);
        let a = linear.matrix("A");
        let expected = four_bar(phi);
        assert!(close(a[1][0], expected, EXACT), "{phi}: {} instead of {expected}", a[1][0]);
        assert!(a[0] == [0.0, 1.0] && a[1][1].abs() < 1e-10, "{a:?}");
        let [re, im]: [f64; 2] = serde_json::from_value(linear.modes("eigenvalue")[0].clone()).unwrap();
        assert!(close(re * re + im * im, expected.abs(), EXACT), "{phi}");
    }
}
