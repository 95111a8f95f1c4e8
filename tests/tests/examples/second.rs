//! Examples beside a second integration of their own: closed forms, and laws of friction that a steep line takes the place of, so
//! that there are no modes and no events.

use std::f64::consts::PI;

use super::{fmu, root, run};

/// Runs a file; returns the outputs at multiples of 10 ms.
fn outputs(file: &str, names: &[&str], stop: f64) -> Vec<Vec<f64>> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    run(&fmu(&root().join("examples/msl").join(file)), &names, stop, 1, None)
}

/// Compares outputs at multiples of 10 ms with what they are expected to be.
fn check(found: &[Vec<f64>], names: &[&str], allowed: f64, expected: impl Fn(usize) -> Vec<f64>) {
    for (row, found) in found.iter().enumerate() {
        for ((name, found), expected) in names.iter().zip(found).zip(expected(row)) {
            assert!((found - expected).abs() <= allowed, "{name} at {row}0 ms: {found} instead of {expected}");
        }
    }
}

/// Friction between -1 and 1, in the limit of steep lines.
fn steep(speed: f64, width: f64) -> f64 {
    (speed / width).clamp(-1.0, 1.0)
}

/// Integrates by Runge and Kutta's method of order 4; returns the states at multiples of 10 ms.
fn integrate<const N: usize>(
    start: [f64; N],
    stop: f64,
    steps: usize,
    rates: impl Fn(f64, &[f64; N]) -> [f64; N],
    limit: impl Fn(&mut [f64; N]),
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
        limit(&mut x);
        if (step + 1).is_multiple_of(steps) {
            rows.push(x);
        }
    }
    rows
}

/// Integrates with steep lines in place of friction, of a width and of its half; their errors are in proportion to it.
fn narrowed<const N: usize>(
    start: [f64; N],
    (stop, width): (f64, f64),
    steps: usize,
    rates: impl Fn(f64, f64, &[f64; N]) -> [f64; N],
    limit: impl Fn(&mut [f64; N]),
) -> Vec<[f64; N]> {
    let [wide, narrow] =
        [1, 2].map(|by| integrate(start, stop, by * steps, |t, x| rates(width / by as f64, t, x), &limit));
    wide.iter().zip(narrow).map(|(wide, narrow)| std::array::from_fn(|i| 2.0 * narrow[i] - wide[i])).collect()
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
        "mass.s", "positionSensor1.s", "positionSensor2.s", "speedSensor1.v", "multiSensor.v", "accSensor1.a",
        "forceSensor.f", "multiSensor.f", "multiSensor.power",
    ];
    let found = outputs("translational-sensors.toml", &names, 1.0);
    // The power has ten times the error of the velocity.
    check(&found, &names, 5e-5, |row| {
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
    let rows = integrate([-0.5, 0.0], 2.0, 2_000, rates, |_| ());
    check(&found, &names, 1e-4, |row| rows[row].to_vec());
}

/// Six shafts with a damper, backlash, a bearing, a gear with losses, a clutch, a free-wheel and a brake.
#[test]
fn shafts_lose_what_an_independent_integration_loses() {
    let names = ["1", "2", "3", "4", "5", "6"].map(|number| format!("inertia{number}.w"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = outputs("rotational-heat-losses.toml", &names, 1.0);
    let rates = |width: f64, t: f64, x: &[f64; 12]| {
        let (phi, w) = x.split_at(6);
        let coil = 1e4 * (phi[1] - phi[0]) + 20.0 * (w[1] - w[0]);
        let gap = phi[2] - phi[1];
        let contact = 1e5 * (gap - gap.clamp(-5e-4, 5e-4));
        let backlash = contact + (100.0 * (w[2] - w[1])).clamp(-contact.abs(), contact.abs());
        let spring = 1e4 * (phi[3] - phi[2]);
        let press = (0.4 * PI * t).sin();
        let clutch = 5.0 * press * steep(w[4] - 0.5 * w[3], width);
        // What one side of the gear bears for the other, by the direction of the motion and of the power.
        let speed = w[3].abs();
        let (eta, tau) = (0.8 - 0.1 * speed, 1.0 + speed);
        let forward = |torque: f64| ((torque + tau) / eta).max(eta * (torque + tau));
        let [ahead, back] = [forward(-0.5 * clutch), -forward(0.5 * clutch)];
        let side = steep(w[3], width);
        let gear = 0.5 * (1.0 + side) * ahead + 0.5 * (1.0 - side) * back;
        let turning = w[5] - w[4];
        let wheel = if turning > 0.0 { 0.5 * press * steep(turning, width) } else { 1e5 * turning };
        let loads = [
            20.0 * (10.0 * PI * t).sin() - 10.0 * w[0] + coil,
            backlash - coil,
            spring - backlash - steep(w[2], width),
            -spring - gear,
            wheel - clutch,
            -wheel - press * steep(w[5], width),
        ];
        std::array::from_fn(|i| if i < 6 { w[i] } else { 0.5 * loads[i - 6] })
    };
    let rows = narrowed([0.0; 12], (1.0, 1e-5), 2_000, rates, |_| ());
    check(&found, &names, 1e-4, |row| rows[row][6..].to_vec());
}

/// Four masses with a contact, friction in a guide, a brake and stops.
#[test]
fn rods_lose_what_an_independent_integration_loses() {
    let names = ["mass1", "mass2", "mass3", "massWithStopAndFriction"];
    let names = ["s", "v"].map(|value| names.map(|name| format!("{name}.{value}"))).concat();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Behind an impact at the stop, the velocity of mass3 changes by much within a millisecond.
    names.remove(6);
    let found = outputs("translational-heat-losses.toml", &names, 2.0);
    let rates = |width: f64, t: f64, x: &[f64; 8]| {
        let (s, v) = x.split_at(4);
        let between = |i: usize| (s[i + 1] - s[i] - 0.1, v[i + 1] - v[i]);
        let [first, second, third] = [0, 1, 2].map(between);
        let coil = 100.0 * first.0 + 10.0 * first.1;
        let spring = 100.0 * second.0;
        let rod = 1e4 * third.0 + 1e3 * third.1;
        let depth = (s[0] - 0.05 + 0.02).min(0.0);
        let contact = 100.0 * depth + (20.0 * v[0]).clamp(100.0 * depth, -100.0 * depth);
        let brake = 50.0 * (4.0 * PI * t).sin().max(0.0);
        let guide = 0.5 * v[3] + steep(v[3], width) * (1.0 + 2.0 * (-2.0 * v[3].abs()).exp());
        let loads = [
            20.0 * (2.0 * PI * t).sin() - 10.0 * v[0] - contact + coil,
            spring - coil - steep(v[1], width),
            rod - spring - brake * steep(v[2], width),
            -rod - guide,
        ];
        std::array::from_fn(|i| if i < 4 { v[i] } else { loads[i - 4] })
    };
    // The stops.
    let limit = |x: &mut [f64; 8]| {
        let [s, v] = [3, 7];
        if (x[s] - 0.2).abs() > 0.15 {
            x[v] = if x[s] > 0.2 { x[v].min(0.0) } else { x[v].max(0.0) };
            x[s] = x[s].clamp(0.05, 0.35);
        }
    };
    let start = [0.0, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 0.0];
    let rows = narrowed(start, (2.0, 1e-4), 2_500, rates, limit);
    check(&found, &names, 1e-4, |row| [&rows[row][..6], &rows[row][7..]].concat());
}
