//! Maxwell elements and friction: closed forms, solutions by small steps, balances of power.

use std::f64::consts::TAU;

use fmu_importer::validate;
use fmu_tests::api::Status;
use mechanics::viscoelastic::{friction_stiffness, maxwell_stiffness};
use nalgebra::{Complex, Rotation3, Vector3};
use proptest::prelude::*;

use crate::fixture::{Fmu, Instance, describe};

/// All elements, and neither springs nor dampers beside them.
const ALL: [&str; 10] = [
    "maxwell_T=3", "maxwell_R=3", "friction_T=true", "friction_R=true", "orientation=cardan", "TS=[0,0,0]",
    "TD=[0,0,0]", "RS=[0,0,0]", "RD=[0,0,0]", "momentLaw=gimbal",
];

const STIFFNESS: f64 = 9e5;
const TIMES: [f64; 3] = [0.1, 0.01, 0.001];
const REACH: f64 = 1e-4;

#[test]
#[ignore = "expensive: validates several structures"]
fn fmus_with_all_elements_are_valid() {
    let sensors = ["sensor_T=true", "sensor_R=true"];
    for options in [
        &["maxwell_T=2"][..],
        &["friction_R=true", "momentLaw=gimbal"],
        &["maxwell_T=3", "maxwell_R=1", "friction_T=true", "orientation=quaternion", "law_TS=curve", sensors[0]],
        &[&ALL[..], &sensors].concat(),
    ] {
        let fmu = Fmu::new(options);
        let mut findings = Vec::new();
        validate::file(&fmu.file, |finding| findings.push(finding.to_string()));
        assert_eq!(findings, [""; 0], "{options:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |assignments: &[&str]| describe(assignments).unwrap_err().to_string();
    assert_eq!(refused(&["maxwell_T=4"]), "--set maxwell_T=4: must be a whole number from 0 to 3");
    assert_eq!(
        refused(&["maxwell_T=1", "Ttau_maxwell_1=[0,1,1]"]),
        "--set Ttau_maxwell_1=[0,1,1]: Ttau_maxwell_1[1] must be at least 1.0e-9 s"
    );
    assert_eq!(
        refused(&["Ttau_maxwell_1=[1,1,1]"]),
        "--set Ttau_maxwell_1=[1,1,1]: \"Ttau_maxwell_1\" is a parameter that exists only with structure option maxwell_T = 3"
    );
}

/// A motion of frame_b along x and about x: coefficients of powers of time.
type Piece = [Vec<f64>; 2];

fn derivative(c: &[f64], order: usize, t: f64) -> f64 {
    let mut value = 0.0;
    for j in (order..c.len()).rev() {
        value = value * t + (j + 1 - order..=j).fold(c[j], |product, factor| product * factor as f64);
    }
    value
}

/// Sets the motion at a time of a piece, and its derivatives for a step.
fn give(instance: &Instance<'_>, piece: &Piece, t: f64, with_derivatives: bool) {
    for (name, rate, c) in
        [("frame_b.r_0[1]", "frame_b.v_0[1]", &piece[0]), ("frame_b.phi[1]", "frame_b.R.w[1]", &piece[1])]
    {
        for (name, first) in [(name, 0), (rate, 1)] {
            instance.set(name, &[derivative(c, first, t)]);
            let reference = instance.references(name)[0];
            for order in (1..c.len().saturating_sub(first)).filter(|_| with_derivatives) {
                let value = derivative(c, first + order, t);
                let status = instance.fmi.set_real_input_derivatives(&[reference], &[order as i32], &[value]);
                assert_eq!(status, Status::Ok);
            }
        }
    }
}

/// Returns force and moment about x, and the inner points, at the end of each piece of 20 ms, each in equal steps.
fn run(fmu: &Fmu, pieces: &[Piece], steps: usize) -> Vec<Vec<f64>> {
    let instance = fmu.instance();
    give(&instance, &pieces[0], 0.0, false);
    instance.initialise();
    let h = LENGTH / steps as f64;
    let mut rows = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        for step in 0..steps {
            give(&instance, piece, step as f64 * h, true);
            instance.step(number as f64 * LENGTH + step as f64 * h, h);
        }
        let names =
            ["frame_a.f[1]", "frame_a.t[1]", "s_friction[1]", "th_friction[1]", "s_maxwell_1[1]", "th_maxwell_3[1]"];
        rows.push(names.into_iter().flat_map(|name| instance.get(name)).collect());
    }
    rows
}

const LENGTH: f64 = 0.02;

/// Returns pieces of up to 2 mm and 20 mrad, some of which jump.
fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop::collection::vec(-1.0..1.0_f64, 1..6).prop_map(|c| {
        [2e-3, 2e-2].map(|size| c.iter().enumerate().map(|(j, c)| size * c / LENGTH.powi(j as i32)).collect())
    });
    prop::collection::vec(piece, 1..4)
}

/// Solution of the elements of an axis by small steps of Heun's method.
struct SmallSteps {
    inner: [f64; 4],
    x: f64,
}

impl SmallSteps {
    fn go(&mut self, to: f64, h: f64, reach: f64) {
        let dx = to - self.x;
        for (inner, tau) in self.inner.iter_mut().zip(TIMES) {
            // The deflection is straight in a small step.
            let (first, decay, fraction) = (self.x - *inner, (-h / tau).exp(), -(-h / tau).exp_m1() * tau / h);
            *inner = to - (first * decay + dx * fraction);
        }
        let z = self.x - self.inner[3];
        let rate = |z: f64| dx - dx.abs() * z / reach;
        let predicted = z + rate(z);
        self.inner[3] = to - (z + 0.5 * (rate(z) + rate(predicted)));
        self.x = to;
    }

    fn load(&self, stiffness: f64) -> f64 {
        stiffness * self.inner.iter().map(|inner| self.x - inner).sum::<f64>()
    }
}

fn by_small_steps(pieces: &[Piece]) -> Vec<[f64; 2]> {
    const STEPS: usize = 20_000;
    let mut axes = [0, 1].map(|kind| {
        let x = derivative(&pieces[0][kind], 0, 0.0);
        SmallSteps { inner: [x; 4], x }
    });
    let mut rows = Vec::new();
    for piece in pieces {
        for ((axis, c), reach) in axes.iter_mut().zip(piece).zip([REACH, 1e-3]) {
            // A jump is a path that takes no time.
            let (from, to) = (axis.x, derivative(c, 0, 0.0));
            for step in 1..=STEPS {
                axis.go(from + (to - from) * step as f64 / STEPS as f64, 1e-30, reach);
            }
            for step in 1..=STEPS {
                axis.go(derivative(c, 0, LENGTH * step as f64 / STEPS as f64), LENGTH / STEPS as f64, reach);
            }
        }
        rows.push([axes[0].load(STIFFNESS), axes[1].load(520.0)]);
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn polynomial_motion_is_followed_exactly_whatever_the_communication_step(pieces in pieces()) {
        let fmu = Fmu::new(&ALL);
        let once = run(&fmu, &pieces, 1);
        for steps in [3, 8] {
            for (row, expected) in run(&fmu, &pieces, steps).iter().zip(&once) {
                for ((found, expected), size) in row.iter().zip(expected).zip([1e4, 1e2, 1e-2, 1e-1, 1e-2, 1e-1]) {
                    prop_assert!((found - expected).abs() < 1e-10 * size, "{steps}: {found} {expected}");
                }
            }
        }
        for (row, expected) in once.iter().zip(by_small_steps(&pieces)) {
            prop_assert!((row[0] + expected[0]).abs() < 1e-2, "{} {}", row[0], expected[0]);
            prop_assert!((row[1] + expected[1]).abs() < 1e-4, "{} {}", row[1], expected[1]);
        }
    }

    /// The energy that enters through the frames is stored or lost, and none is gained.
    #[test]
    fn power_is_stored_or_lost(
        motion in prop::collection::vec(-1.0..1.0_f64, 12),
        states in prop::collection::vec(-1.0..1.0_f64, 24),
    ) {
        let fmu = Fmu::new(&[&ALL[..5], &ALL[9..], &["sensor_T=true", "sensor_R=true", "TD=[0,0,0]", "RD=[0,0,0]"]].concat());
        let instance = fmu.model_exchange();
        instance.initialise();
        instance.settle();
        prop_assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
        let states: Vec<f64> = states.iter().enumerate().map(|(i, s)| s * if i < 12 { 2e-4 } else { 1e-3 }).collect();
        let states = ordered(&fmu, &states);
        // Both frames turn and move; the matrix of cardan angles turns into the frame.
        let vector = |from: usize, size: f64| Vector3::from_column_slice(&motion[from..from + 3]) * size;
        let place = |frame: &str, t: f64| {
            let (at, angles) = if frame == "frame_a" { (vector(0, 1.0), vector(3, 0.5)) } else { (vector(0, 1.0) + vector(6, 0.05), vector(9, 0.2)) };
            let swing = |v: Vector3<f64>, phase: f64| v.map(|v| v * (7.0 * t + phase + v).sin());
            (swing(at, 0.3), swing(angles, 1.1))
        };
        let turn = |angles: Vector3<f64>| {
            (Rotation3::from_axis_angle(&Vector3::x_axis(), angles.x)
                * Rotation3::from_axis_angle(&Vector3::y_axis(), angles.y)
                * Rotation3::from_axis_angle(&Vector3::z_axis(), angles.z)).inverse()
        };
        let put = |t: f64| {
            let mut powers = Vec::new();
            for frame in ["frame_a", "frame_b"] {
                let (r, angles) = place(frame, t);
                let d = 1e-6;
                let ((before, turned_before), (after, turned_after)) = (place(frame, t - d), place(frame, t + d));
                let (v, spin) = ((after - before) / (2.0 * d), turn(turned_after) * turn(turned_before).inverse());
                let w = -spin.scaled_axis() / (2.0 * d);
                instance.set(&format!("{frame}.r_0"), r.as_slice());
                instance.set(&format!("{frame}.v_0"), v.as_slice());
                instance.set(&format!("{frame}.phi"), angles.as_slice());
                instance.set(&format!("{frame}.R.w"), w.as_slice());
                powers.push((frame, turn(angles) * v, w));
            }
            powers
        };
        let stored = |states: &[f64]| {
            prop_assert_eq!(instance.fmi.set_continuous_states(states), Status::Ok);
            let deflections = [instance.get("r_out"), instance.get("th_out")].concat();
            let mut energy = 0.0;
            for (axis, x) in deflections.iter().enumerate() {
                let kind = if axis < 3 { "T" } else { "R" };
                energy += 0.5 * instance.get(&format!("{kind}S"))[axis % 3] * x * x;
                let inner = if axis < 3 { "s" } else { "th" };
                for element in ["maxwell_1", "maxwell_2", "maxwell_3", "friction"] {
                    let gap = x - instance.get(&format!("{inner}_{element}"))[axis % 3];
                    energy += 0.5 * instance.get(&format!("{kind}S_{element}"))[axis % 3] * gap * gap;
                }
            }
            Ok(energy)
        };
        let powers = put(0.2);
        prop_assert_eq!(instance.fmi.set_continuous_states(&states), Status::Ok);
        let mut power = 0.0;
        for (frame, v, w) in powers {
            let load = |name: &str| Vector3::from_column_slice(&instance.get(&format!("{frame}.{name}")));
            power += load("f").dot(&v) + load("t").dot(&w);
        }
        let loss = instance.get("lossPower")[0];
        prop_assert!(loss >= 0.0);
        let (_, rates) = instance.fmi.get_derivatives(states.len());
        let h = 1e-5;
        let later = |h: f64| states.iter().zip(&rates).map(|(state, rate)| state + h * rate).collect::<Vec<_>>();
        put(0.2 + h);
        let after = stored(&later(h))?;
        put(0.2 - h);
        let rate = (after - stored(&later(-h))?) / (2.0 * h);
        prop_assert!((power - rate - loss).abs() < 1e-4 * (rate.abs() + loss + 1.0), "{power} {rate} {loss}");
    }
}

/// Returns states in the order of the FMU, given translation before rotation.
fn ordered(fmu: &Fmu, values: &[f64]) -> Vec<f64> {
    let (mut translation, mut rotation) = (values[..12].iter(), values[12..].iter());
    let states = &fmu.description.model_structure.derivatives;
    let name = |unknown: usize| fmu.description.variables[unknown].name.clone();
    let next = |name: String| if name.starts_with('v') { translation.next() } else { rotation.next() };
    states.iter().map(|unknown| name(unknown.index)).map(next).map(|value| *value.expect("a state")).collect()
}

/// Returns the response of the elements of x to a sine in Model Exchange, by the classical Runge-Kutta method: the
/// first harmonic of the force by the amplitude.
fn dynamic_stiffness(fmu: &Fmu, frequency: f64, amplitude: f64, periods: usize, steps: usize) -> Complex<f64> {
    let instance = fmu.model_exchange();
    instance.initialise();
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let (_, mut x) = instance.fmi.get_continuous_states(fmu.description.model_structure.derivatives.len());
    let count = x.len();
    let h = 1.0 / (frequency * steps as f64);
    let put = |step: f64| {
        let angle = TAU * step / steps as f64;
        assert_eq!(instance.fmi.set_time(step * h), Status::Ok);
        instance.set("frame_b.r_0[1]", &[amplitude * angle.sin()]);
        instance.set("frame_b.v_0[1]", &[amplitude * TAU * frequency * angle.cos()]);
    };
    let slope = |step: f64, x: &[f64]| {
        put(step);
        assert_eq!(instance.fmi.set_continuous_states(x), Status::Ok);
        instance.fmi.get_derivatives(count).1
    };
    let moved = |x: &[f64], k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
    let mut harmonic = Complex::new(0.0, 0.0);
    for step in 0..periods * steps {
        let at = step as f64;
        let k1 = slope(at, &x);
        if step >= (periods - 1) * steps {
            let angle = TAU * at / steps as f64;
            let force = -instance.get("frame_a.f[1]")[0];
            harmonic += Complex::new(angle.sin(), angle.cos()) * force * 2.0 / steps as f64;
        }
        let k2 = slope(at + 0.5, &moved(&x, &k1, 0.5 * h));
        let k3 = slope(at + 0.5, &moved(&x, &k2, 0.5 * h));
        let k4 = slope(at + 1.0, &moved(&x, &k3, h));
        for i in 0..count {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    harmonic / amplitude
}

fn maxwell(frequency: f64, times: &[f64]) -> Complex<f64> {
    times.iter().map(|tau| complex(maxwell_stiffness(STIFFNESS, *tau, TAU * frequency))).sum()
}

fn complex([storage, loss]: [f64; 2]) -> Complex<f64> {
    Complex::new(storage, loss)
}

/// The expected values are the frequency response of the equations linearised by the FMU, from 0.1 to 300 Hz.
#[test]
fn maxwell_elements_have_their_complex_stiffness() {
    let fmu = Fmu::new(&["maxwell_T=3", "TS=[0,0,0]", "TD=[0,0,0]"]);
    let instance = fmu.model_exchange();
    instance.initialise();
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let (r, force) = (instance.references("frame_b.r_0[1]")[0], instance.references("frame_a.f[1]")[0]);
    let derivative = |unknown: u32, known: u32| {
        let (status, value) = instance.fmi.directional_derivative(&[unknown], &[known], &[1.0]);
        assert_eq!(status, Status::Ok);
        value[0]
    };
    let states = [1, 2, 3].map(|k| ["s", "v"].map(|name| instance.references(&format!("{name}_maxwell_{k}[1]"))[0]));
    for k in 0..=70 {
        let frequency = 0.1 * 3000.0_f64.powf(f64::from(k) / 70.0);
        let i_omega = Complex::new(0.0, TAU * frequency);
        let mut stiffness = Complex::new(-derivative(force, r), 0.0);
        for [state, rate] in states {
            stiffness -= derivative(force, state) * derivative(rate, r) / (i_omega - derivative(rate, state));
        }
        let expected = maxwell(frequency, &TIMES);
        assert!((stiffness - expected).norm() < 1e-6 * expected.norm(), "{frequency} Hz: {stiffness} {expected}");
    }
}

#[test]
fn a_solver_finds_the_complex_stiffness_of_maxwell_elements() {
    let fmu = Fmu::new(&["maxwell_T=1", "Ttau_maxwell_1=[0.01,1,1]", "TS=[0,0,0]", "TD=[0,0,0]"]);
    for frequency in [0.1_f64, 1.0, 10.0, 100.0, 300.0] {
        let steps = (3000.0 / frequency).clamp(200.0, 4000.0) as usize;
        let periods = (0.01 * 18.0 * frequency) as usize + 2;
        let found = dynamic_stiffness(&fmu, frequency, 1e-3, periods, steps);
        let expected = maxwell(frequency, &[0.01]);
        assert!((found - expected).norm() < 1e-6 * expected.norm(), "{frequency} Hz: {found} {expected}");
    }
}

#[test]
fn friction_has_its_describing_function() {
    let fmu = Fmu::new(&["friction_T=true", "TS=[0,0,0]", "TD=[0,0,0]"]);
    for frequency in [0.1, 300.0] {
        for (amplitude, steps) in [(1e-5, 200), (1e-4, 800), (1e-3, 2000)] {
            // The beginning is forgotten after a path of 20 reaches.
            let periods = 2 + (5.0 * REACH / amplitude) as usize;
            let found = dynamic_stiffness(&fmu, frequency, amplitude, periods, steps);
            let expected = complex(friction_stiffness(STIFFNESS, REACH, amplitude));
            assert!((found - expected).norm() < 1e-6 * expected.norm(), "{amplitude} m: {found} {expected}");
        }
    }
}

/// Without derivatives of the inputs each communication point is a jump, over which friction stays within its limit.
#[test]
fn held_inputs_do_not_exceed_the_limit_of_friction() {
    let fmu = Fmu::new(&["friction_T=true", "TS=[0,0,0]", "TD=[0,0,0]"]);
    let instance = fmu.instance();
    instance.initialise();
    for (step, x) in [0.0, 1e-3, 2e-3, -3e-3, -3.05e-3, 5e-3].into_iter().enumerate() {
        instance.set("frame_b.r_0[1]", &[x]);
        let before = instance.get("frame_a.f[1]")[0];
        assert!(before.abs() <= 90.0, "{before}");
        instance.step(0.1 * step as f64, 0.1);
        assert!((instance.get("frame_a.f[1]")[0] - before).abs() < 1e-9);
    }
    assert!((instance.get("frame_a.f[1]")[0] + 90.0).abs() < 1e-9);
}

#[test]
fn a_state_restores_the_elements() {
    let fmu = Fmu::new(&ALL);
    let instance = fmu.instance();
    instance.initialise();
    let motion: Piece = [vec![0.0, 0.3, -9.0], vec![0.0, 2.0, -60.0]];
    let go = |from: usize| {
        for step in from..from + 3 {
            give(&instance, &motion, step as f64 * 0.01, true);
            instance.step(step as f64 * 0.01, 0.01);
        }
        instance.bits()
    };
    go(0);
    let saved = instance.save();
    let bytes = instance.serialise(saved);
    let expected = go(3);
    assert_eq!(instance.fmi.set_state(saved), Status::Ok);
    assert_eq!(go(3), expected);
    assert_eq!(instance.fmi.set_state(instance.deserialise(&bytes)), Status::Ok);
    assert_eq!(go(3), expected);
}

/// Where a path may turn back, directional derivatives are those of a path that goes on in the direction of the velocity,
/// and at rest the mean of both sides: so they are linear, and a common motion of both frames changes no load.
#[test]
fn at_the_end_of_a_path_derivatives_are_those_of_the_path_that_goes_on() {
    let fmu = Fmu::new(&["friction_T=true", "orientation=cardan", "TS=[0,0,0]", "TD=[0,0,0]"]);
    for (v, sign) in [(0.02, 1.0), (-0.02, -1.0), (0.0, 0.0)] {
        let instance = fmu.instance();
        instance.initialise();
        give(&instance, &[vec![0.0, 0.005], vec![0.0]], 0.0, true);
        instance.step(0.0, 0.01);
        let end = 0.005 * 0.01;
        instance.set("frame_b.r_0[1]", &[end]);
        instance.set("frame_b.v_0[1]", &[v]);
        let [a, b, force] =
            ["frame_a.r_0[1]", "frame_b.r_0[1]", "frame_b.f[1]"].map(|name| instance.references(name)[0]);
        let along = |knowns: &[u32], direction: &[f64]| {
            let (status, values) = instance.fmi.directional_derivative(&[force], knowns, direction);
            assert_eq!(status, Status::Ok);
            values[0]
        };
        let stiffness = along(&[b], &[1.0]);
        assert_eq!(along(&[b], &[-2.0]), -2.0 * stiffness);
        assert!(along(&[a, b], &[1.0, 1.0]).abs() < 1e-9 * stiffness.abs());
        let here = instance.get("frame_b.f[1]")[0];
        let slope = |d: f64| {
            instance.set("frame_b.r_0[1]", &[end + d]);
            (instance.get("frame_b.f[1]")[0] - here) / d
        };
        let sides = [-1e-9, 1e-9].map(slope);
        assert!(sides[0] / sides[1] > 1.5, "{sides:?}");
        let expected = match sign {
            0.0 => 0.5 * (sides[0] + sides[1]),
            sign => sides[usize::from(sign > 0.0)],
        };
        assert!((stiffness - expected).abs() < 1e-4 * expected.abs(), "{v}: {stiffness} {sides:?}");
    }
}

/// The derivatives are those from the left, along the inputs of the last step: by differences of two ends.
#[test]
fn derivatives_of_outputs_follow_the_path() {
    let fmu = Fmu::new(&ALL);
    let motion: Piece = [vec![1e-4, 0.05, -0.7], vec![0.0, 0.5, 4.0]];
    let at = |end: f64, rates: bool| {
        let instance = fmu.instance();
        give(&instance, &motion, 0.0, false);
        instance.initialise();
        give(&instance, &motion, 0.0, true);
        instance.step(0.0, end);
        let names = ["frame_a.f", "frame_b.t", "lossPower"];
        let references = names.map(|name| instance.references(name)).concat();
        if rates { instance.output_rates(&references) } else { instance.fmi.get_real(&references).1 }
    };
    for end in [0.01, 0.05] {
        let d = 1e-6;
        for ((before, after), rate) in at(end - d, false).iter().zip(at(end + d, false)).zip(at(end, true)) {
            let expected = (after - before) / (2.0 * d);
            assert!((rate - expected).abs() < 1e-5 * (expected.abs() + 1.0), "{rate} {expected}");
        }
    }
}
