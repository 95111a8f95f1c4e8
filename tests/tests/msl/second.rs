//! Examples beside a second integration of their own: closed forms, and laws of friction that a steep line takes the place of, so
//! that there are no modes and no events.

use std::f64::consts::PI;

use super::{fmu, root, run};

/// Runs a file; returns the outputs at multiples of 10 ms.
fn outputs(file: &str, names: &[&str], stop: f64) -> Vec<Vec<f64>> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    run(&fmu(&root().join("examples/msl").join(file)), &names, stop, 1)
}

/// Compares outputs at multiples of 10 ms with what they are expected to be.
fn check(found: &[Vec<f64>], names: &[&str], allowed: f64, expected: impl Fn(usize) -> Vec<f64>) {
    for (row, found) in found.iter().enumerate() {
        for ((name, found), expected) in names.iter().zip(found).zip(expected(row)) {
            assert!((found - expected).abs() <= allowed, "{name} at {row}0 ms: {found} instead of {expected}");
        }
    }
}

/// Integrates by Runge and Kutta's method of order 4; returns the states at multiples of 10 ms.
fn integrate<const N: usize>(
    start: [f64; N],
    stop: f64,
    steps: usize,
    rates: impl Fn(f64, &[f64; N]) -> [f64; N],
) -> Vec<[f64; N]> {
    let (h, mut x, mut rows) = (0.01 / steps as f64, start, vec![start]);
    let moved = |x: &[f64; N], k: &[f64; N], h: f64| -> [f64; N] { std::array::from_fn(|i| x[i] + h * k[i]) };
    for step in 0..(stop * 100.0).round() as usize * steps {
        let t = step as f64 * h;
        let k1 = rates(t, &x);
        let k2 = rates(t + h / 2.0, &moved(&x, &k1, h / 2.0));
        let k3 = rates(t + h / 2.0, &moved(&x, &k2, h / 2.0));
        let k4 = rates(t + h, &moved(&x, &k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        if (step + 1).is_multiple_of(steps) {
            rows.push(x);
        }
    }
    rows
}

/// The shafts stop in 20 ms, by a torque of 1 N.m on 0.002 kg.m2, and stay where they are.
#[test]
fn a_lossy_gear_stops() {
    let names = ["Inertia1.phi", "Inertia2.w"];
    let found = outputs("rotational-lossy-gear-demo3.toml", &names, 1.0);
    check(&found, &names, 1e-6, |row| {
        let t = (0.01 * row as f64).min(0.02);
        vec![10.0 * t - 250.0 * t * t, 10.0 - 500.0 * t]
    });
}

/// Masses of 1 kg brake with 1 N from 0.1 s on.
#[test]
fn brakes_stop_masses() {
    let names = ["mass1.v", "mass2.v", "mass1.s", "mass2.s"];
    let found = outputs("translational-brake.toml", &names, 2.0);
    check(&found, &names, 1e-6, |row| {
        let t = 0.01 * row as f64;
        let braking = (t - 0.1).clamp(0.0, 1.0);
        let (v, s) = (1.0 - braking, t.min(0.1) + braking - 0.5 * braking * braking);
        vec![v, v, s, s]
    });
}

/// Both ends of the mass are half a metre from its middle, and all sensors agree about what a sine does to 1 kg.
#[test]
fn sensors_measure_what_a_sine_does() {
    let names = [
        "mass.s",
        "positionSensor1.s",
        "positionSensor2.s",
        "speedSensor1.v",
        "multiSensor.v",
        "accSensor1.a",
        "forceSensor.f",
        "multiSensor.f",
        "multiSensor.power",
    ];
    let found = outputs("translational-sensors.toml", &names, 1.0);
    check(&found, &names, 1e-5, |row| {
        let (t, omega) = (0.01 * row as f64, 8.0 * PI);
        let force = 10.0 * (omega * t).sin();
        let v = 10.0 / omega * (1.0 - (omega * t).cos());
        let s = 10.0 / omega * (t - (omega * t).sin() / omega);
        vec![s, s - 0.5, s + 0.5, v, v, force, force, force, force * v]
    });
}

/// An open free-wheel: the driven shaft slows down by the load while the driver is behind it.
#[test]
fn an_open_free_wheel_takes_along() {
    let names = ["inertiaIn.w", "inertiaOut.w"];
    let found = outputs("rotational-one-way-clutch-disengaged.toml", &names, 2.0);
    let rates = |t: f64, [w_in, w_out]: &[f64; 2]| {
        let tau = 1e5 * (w_out - w_in).min(0.0);
        [0.3 + 10.0 * (4.0 * PI * t).sin() + tau, -0.3 - tau]
    };
    let rows = integrate([-0.5, 0.0], 2.0, 2_000, rates);
    check(&found, &names, 1e-4, |row| rows[row].to_vec());
}
