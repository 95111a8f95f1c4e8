//! Modelica's CoupledClutches, against closed forms between events and a trial of all modes at each event.

use std::f64::consts::PI;

use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

const CLUTCHES: &str = "torque Torque flange=J1.flange_a
    J1 Inertia w_start=10
    clutch1 Clutch peak=1.1 fn_max=20 flange_a=J1.flange_b flange_b=J2.flange_a
    J2 Inertia
    clutch2 Clutch peak=1.1 fn_max=20 flange_a=J2.flange_b flange_b=J3.flange_a
    J3 Inertia
    clutch3 Clutch peak=1.1 fn_max=20 flange_a=J3.flange_b flange_b=J4.flange_a
    J4 Inertia";

const END: f64 = 1.5;

/// Returns the derivatives of torque and normal forces, or their values (order 0).
fn inputs(t: f64, order: i32) -> [f64; 4] {
    let wave = |amplitude: f64, omega: f64, phase: f64| {
        amplitude * omega.powi(order) * (omega * t + phase + f64::from(order) * PI / 2.0).sin()
    };
    let jump = |at: f64| f64::from(u8::from(order == 0 && t >= at - 1e-9));
    [wave(10.0, 10.0 * PI, 0.0), wave(1.0, 0.4 * PI, PI / 2.0), jump(0.4), jump(0.9)]
}

/// Returns the integrals of torque and normal forces from one time to another, between which none of them jumps.
fn integrals(from: f64, to: f64) -> [f64; 4] {
    let wave = |amplitude: f64, omega: f64, phase: f64| {
        amplitude / omega * ((omega * from + phase).cos() - (omega * to + phase).cos())
    };
    let jump = |at: f64| if from >= at - 1e-9 { to - from } else { 0.0 };
    [wave(10.0, 10.0 * PI, 0.0), wave(1.0, 0.4 * PI, PI / 2.0), jump(0.4), jump(0.9)]
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Free,
    Stuck,
    Slides(f64),
}

/// Returns the changes of the four velocities, and the torques of the clutches, all by their integrals over some time,
/// or by time.
fn respond([torque, forces @ ..]: [f64; 4], modes: [Mode; 3]) -> ([f64; 4], [f64; 3]) {
    // 20 N times a coefficient of 0.5.
    let mut tau =
        [0, 1, 2].map(|k| if let Mode::Slides(direction) = modes[k] { 10.0 * direction * forces[k] } else { 0.0 });
    let driven = [torque, 0.0, 0.0, 0.0];
    let mut change = [0.0; 4];
    let mut first = 0;
    for last in 0..4 {
        if last < 3 && modes[last] == Mode::Stuck {
            continue;
        }
        let right = if last < 3 { tau[last] } else { 0.0 };
        let left = if first > 0 { tau[first - 1] } else { 0.0 };
        let load: f64 = driven[first..=last].iter().sum::<f64>() + right - left;
        change[first..=last].fill(load / (last - first + 1) as f64);
        for k in first..last {
            tau[k] = change[k] - driven[k] + if k > first { tau[k - 1] } else { left };
        }
        first = last + 1;
    }
    (change, tau)
}

/// Returns the modes at a point: of those that fit, the ones with most clutches stuck.
fn modes(t: f64, w: [f64; 4]) -> [Mode; 3] {
    let inputs = inputs(t, 0);
    let choices = [0, 1, 2].map(|k| match w[k + 1] - w[k] {
        _ if inputs[k + 1] <= 1e-12 => vec![Mode::Free],
        slip if slip.abs() > 1e-9 => vec![Mode::Slides(slip.signum())],
        _ => vec![Mode::Stuck, Mode::Slides(1.0), Mode::Slides(-1.0)],
    });
    let mut all = Vec::new();
    for one in &choices[0] {
        for two in &choices[1] {
            all.extend(choices[2].iter().map(|three| [*one, *two, *three]));
        }
    }
    all.sort_by_key(|modes| modes.iter().filter(|mode| **mode != Mode::Stuck).count());
    let fits = |modes: &[Mode; 3]| {
        let (a, tau) = respond(inputs, *modes);
        (0..3).all(|k| match modes[k] {
            Mode::Stuck => tau[k].abs() <= 11.0 * inputs[k + 1] * (1.0 + 1e-9),
            Mode::Slides(direction) => choices[k].len() == 1 || direction * (a[k + 1] - a[k]) > 0.0,
            Mode::Free => true,
        })
    };
    all.into_iter().find(fits).expect("modes that fit")
}

/// Number of equal steps of the reference.
const STEPS: usize = 1500;

/// Returns velocities and modes after each step of the reference.
fn reference() -> Vec<([f64; 4], [Mode; 3])> {
    let (mut t, mut w) = (0.0, [10.0, 0.0, 0.0, 0.0]);
    let mut now = modes(t, w);
    let mut found = Vec::new();
    for i in 1..=STEPS {
        let end = END * i as f64 / STEPS as f64;
        while t < end {
            let at = |next: f64| {
                let (change, _) = respond(integrals(t, next), now);
                [0, 1, 2, 3].map(|j| w[j] + change[j])
            };
            let is_over = |next: f64| {
                let (w, inputs) = (at(next), inputs(next, 0));
                let (_, tau) = respond(inputs, now);
                (0..3).any(|k| match now[k] {
                    Mode::Slides(direction) => inputs[k + 1] <= 0.0 || direction * (w[k + 1] - w[k]) < 0.0,
                    Mode::Stuck => tau[k].abs() > 11.0 * inputs[k + 1],
                    Mode::Free => inputs[k + 1] > 0.0,
                })
            };
            // The step is shorter than any time between two events.
            let mut next = (t + 5e-4).min(end);
            let is_event = is_over(next);
            if is_event {
                let mut low = t;
                while next - low > 1e-15 {
                    let middle = 0.5 * (low + next);
                    if middle <= low || middle >= next {
                        break;
                    }
                    if is_over(middle) { next = middle } else { low = middle }
                }
            }
            (t, w) = (next, at(next));
            if is_event || [0.4, 0.9].iter().any(|at| (t - at).abs() < 1e-9) {
                for k in 0..3 {
                    // Velocities that meet here are equal from here on.
                    if (w[k + 1] - w[k]).abs() < 1e-9 {
                        w[k + 1] = w[k];
                    }
                }
                now = modes(t, w);
            }
        }
        found.push((w, now));
    }
    found
}

/// Returns the largest deviation of a velocity after each step.
fn deviation(reference: &[([f64; 4], [Mode; 3])], interface: Interface, tolerance: f64, steps: usize) -> f64 {
    let mut train = train(interface, CLUTCHES);
    train.set_tolerance(tolerance);
    let names = ["torque.tau", "clutch1.f_normalized", "clutch2.f_normalized", "clutch3.f_normalized"];
    let h = END / steps as f64;
    let mut largest = 0.0_f64;
    let each = STEPS / steps;
    for (i, (w, modes)) in reference.iter().skip(each - 1).step_by(each).enumerate() {
        let t = i as f64 * h;
        match interface {
            Interface::CoSimulation => {
                for (k, name) in names.iter().enumerate() {
                    train.set(name, inputs(t, 0)[k]);
                    train.set_derivatives(name, &[1, 2, 3, 4, 5, 6, 7, 8].map(|order| inputs(t, order)[k]));
                }
                train.step(h);
            }
            // Inputs are constant inside a step.
            Interface::ModelExchange => {
                for (k, name) in names.iter().enumerate() {
                    train.set(name, inputs(t + 0.5 * h, 0)[k]);
                }
                train.step(h);
            }
        }
        for (k, w) in w.iter().enumerate() {
            largest = largest.max((train.real(&format!("J{}.w", k + 1)) - w).abs());
        }
        if interface == Interface::CoSimulation {
            for (k, mode) in modes.iter().enumerate() {
                let is_stuck = train.integer(&format!("clutch{}.mode", k + 1)) == 0;
                assert_eq!(is_stuck, *mode == Mode::Stuck, "clutch{} at {}: {mode:?}", k + 1, t + h);
            }
        }
    }
    largest
}

#[test]
fn coupled_clutches_move_as_closed_forms() {
    let reference = reference();
    for (interface, tolerance, steps, largest) in [
        (Interface::CoSimulation, 1e-6, 150, 1e-5),
        (Interface::CoSimulation, 1e-10, 150, 1e-7),
        (Interface::CoSimulation, 1e-10, 60, 1e-6),
        (Interface::ModelExchange, 1e-8, STEPS, 2e-4),
    ] {
        let found = deviation(&reference, interface, tolerance, steps);
        assert!(found < largest, "{interface:?}, {tolerance:e}, {steps} steps: {found:e}");
    }
}
