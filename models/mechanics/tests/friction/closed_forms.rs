//! Motions with a closed-form solution.

use mechanics::friction::{Coefficient, Extrapolation, Mode, Slip, SlipState};

use crate::fixture::{AT_REST, drive, pair, step, trace};

#[track_caller]
fn assert_close(computed: f64, expected: f64) {
    assert!((computed - expected).abs() <= 1e-12 * expected.abs(), "{computed} is not {expected}");
}

fn constant(mu: f64) -> Coefficient {
    Coefficient::new(&[[0.0, mu]], Extrapolation::Linear).unwrap()
}

#[test]
fn spin_down_under_constant_friction() {
    let (coefficient, n, j, w) = (constant(0.3), 7.0, 1.7, 40.0);
    let slip = Slip { coefficient: &coefficient, peak: 1.2, inertia: j };
    let mut x = SlipState { w, ..AT_REST };
    let modes = trace(&slip, &mut x, &drive(&[0.0], &[n]), 100.0);
    let stop = j * w / (0.3 * n);
    assert_eq!(modes.iter().map(|(_, mode)| *mode).collect::<Vec<_>>(), [Mode::Forward, Mode::Stuck]);
    assert_close(modes[1].0, stop);
    assert_close(x.phi, 0.5 * w * stop);
    assert_eq!(x.w, 0.0);
}

/// A motion backward, over the rows of a table with falling, rising and constant friction.
#[test]
fn spin_down_over_a_table() {
    let rows = [[0.0, 0.6], [2.0, 0.4], [5.0, 0.7], [9.0, 0.7]];
    let coefficient = Coefficient::new(&rows, Extrapolation::Linear).unwrap();
    let (n, j) = (5.0, 2.0);
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: j };
    let mut x = SlipState { w: -12.0, ..AT_REST };
    let modes = trace(&slip, &mut x, &drive(&[0.0], &[n]), 100.0);
    // J du/dt = -n mu(u): the motion over a segment is an exponential or a line.
    let segment = |[u, mu]: [f64; 2], [v, nu]: [f64; 2]| {
        let slope = (nu - mu) / (v - u);
        if slope == 0.0 { j * (v - u) / (n * mu) } else { j / (n * slope) * (nu / mu).ln() }
    };
    let time: f64 = rows.windows(2).map(|pair| segment(pair[0], pair[1])).sum::<f64>() + j * 3.0 / (n * 0.7);
    assert_close(modes[1].0, time);
    assert_eq!((x.w, x.mode), (0.0, Mode::Stuck));
}

#[test]
fn two_inertias_meet_at_the_common_velocity() {
    let coefficient = constant(0.5);
    let (j, w, n) = ([0.8, 2.5], [100.0, -20.0], 30.0);
    let mut element = pair(&coefficient, 1.0, j, [0.0, w[0], 0.0, w[1]]);
    let time = (w[0] - w[1]) / (0.5 * n) * (j[0] * j[1] / (j[0] + j[1]));
    step(&mut element, [0.0; 2], n, time * (1.0 - 1e-10));
    assert_eq!(element.x.mode, Mode::Backward);
    step(&mut element, [0.0; 2], n, time * 2e-10);
    assert_eq!((element.x.mode, element.x.w_rel), (Mode::Stuck, 0.0));
    assert_close(element.x.w, (j[0] * w[0] + j[1] * w[1]) / (j[0] + j[1]));
    assert_close(element.x.phi_rel, 0.5 * (w[1] - w[0]) * time);
    // While locked, both are one inertia; the friction torque accelerates side 1.
    element.load.sides = [1.0, 5.6];
    let computed = element.evaluate();
    assert_close(computed.sides[0].a, 6.6 / 3.3);
    assert_eq!(computed.sides[0].a, computed.sides[1].a);
    assert_close(computed.tau, 0.8 * 2.0 - 1.0);
}

/// Torque c t: breaks away at peak tau0 and slides with J w' = c t - tau0. Then the torque falls
/// again at the same rate, and the motion ends where the areas are equal.
#[test]
fn stick_and_slip_under_a_ramp() {
    let (mu, n, peak, j, c) = (0.4, 10.0, 1.5, 3.0, 2.0);
    let coefficient = constant(mu);
    let slip = Slip { coefficient: &coefficient, peak, inertia: j };
    let (tau0, mut x) = (mu * n, AT_REST);
    let top = 8.0 / c;
    let up = trace(&slip, &mut x, &drive(&[0.0, c], &[n]), top);
    assert_eq!(up.len(), 2);
    let breakaway = peak * tau0 / c;
    assert_close(up[1].0, breakaway);
    let w = |t: f64| (0.5 * c * (t * t - breakaway * breakaway) - tau0 * (t - breakaway)) / j;
    assert_close(x.w, w(top));
    let down = trace(&slip, &mut x, &drive(&[8.0, -c], &[n]), 20.0);
    // J w + (8 - tau0) s - c s^2 / 2 = 0
    let (b, momentum) = (8.0 - tau0, j * w(top));
    let landing = (b + (b * b + 2.0 * c * momentum).sqrt()) / c;
    assert_close(down[1].0, landing);
    // At -peak tau0 it breaks away backward.
    let modes: Vec<_> = down.iter().map(|(_, mode)| *mode).collect();
    assert_eq!(modes, [Mode::Forward, Mode::Stuck, Mode::Backward]);
    assert_close(down[2].0, (8.0 + peak * tau0) / c);
}

/// Stribeck friction under a ramp of the normal force, which has no elementary form: with constant
/// mu it is the integral of the ramp.
#[test]
fn a_growing_normal_force_brakes_with_its_integral() {
    let coefficient = constant(0.5);
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: 1.0 };
    let mut x = SlipState { w: 1.0, ..AT_REST };
    let modes = trace(&slip, &mut x, &drive(&[0.0], &[0.0, 4.0]), 5.0);
    assert_eq!(modes.len(), 2, "{modes:?}");
    assert_close(modes[1].0, 1.0);
    assert_close(x.phi, 1.0 - 1.0 / 3.0);
}

#[test]
fn the_limits_of_sticking_are_exact() {
    let coefficient = constant(0.5);
    let slip = Slip { coefficient: &coefficient, peak: 1.25, inertia: 1.0 };
    let limit = 1.25 * 0.5 * 8.0;
    for (torque, mode) in [(limit, Mode::Stuck), (limit * (1.0 + 1e-15), Mode::Forward), (-limit, Mode::Stuck)] {
        let mut x = AT_REST;
        slip.advance(&mut x, &drive(&[torque], &[8.0]), 1.0).unwrap();
        assert_eq!(x.mode, mode, "{torque}");
        assert_eq!(x.phi != 0.0, mode != Mode::Stuck, "nothing creeps");
    }
}

#[test]
fn a_normal_force_that_goes_and_comes_frees_and_engages() {
    let coefficient = constant(0.5);
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: 2.0 };
    // n = 4 (s - 1) (s - 2): negative in between, where a torque of 1 accelerates the side freely.
    let mut x = AT_REST;
    let drive = drive(&[1.0], &[8.0, -12.0, 4.0]);
    let modes = trace(&slip, &mut x, &drive, 3.0);
    let kinds: Vec<_> = modes.iter().map(|(_, mode)| *mode).collect();
    assert_eq!(kinds[..4], [Mode::Stuck, Mode::Forward, Mode::Free, Mode::Forward]);
    assert_close(modes[2].0, 1.0);
    assert_close(modes[3].0, 2.0);
    // 2 (s - 1) (s - 2) = 1
    assert_close(modes[1].0, 1.5 - 0.75_f64.sqrt());
    // Without a torque it is free at the same time, and does not move at all.
    let mut x = AT_REST;
    let modes = trace(&slip, &mut x, &super::fixture::drive(&[0.0], &[8.0, -12.0, 4.0]), 3.0);
    assert_eq!(modes.iter().map(|(_, mode)| *mode).collect::<Vec<_>>(), [Mode::Stuck, Mode::Free, Mode::Stuck]);
    assert_eq!((x.phi, x.w), (0.0, 0.0));
}

#[test]
fn a_strong_torque_reverses_without_sticking() {
    let coefficient = constant(0.5);
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: 1.0 };
    let mut x = SlipState { w: 3.0, ..AT_REST };
    let modes = trace(&slip, &mut x, &drive(&[-5.0], &[2.0]), 2.0);
    assert_eq!(modes.iter().map(|(_, mode)| *mode).collect::<Vec<_>>(), [Mode::Forward, Mode::Backward]);
    assert_close(modes[1].0, 0.5);
    assert_close(x.w, -4.0 * 1.5);
}

/// `J w' = sa - S w` on a steep segment of the table, where w is a polynomial as soon as it has settled.
#[test]
fn a_steep_table_takes_few_pieces_under_a_torque_that_varies() {
    let coefficient = Coefficient::new(&[[0.0, 0.0], [1e-3, 0.5], [100.0, 0.5]], Extrapolation::Linear).unwrap();
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: 0.1 };
    let (load, steep) = (drive(&[10.0, 20.0, 3.0], &[720.0]), 500.0 * 720.0);
    let p2 = 3.0 / steep;
    let p1 = (20.0 - 0.1 * 2.0 * p2) / steep;
    let p0 = (10.0 - 0.1 * p1) / steep;
    for h in [1e-7, 1e-6, 1e-5, 1e-3, 1.0, 3.0] {
        let mut x = AT_REST;
        slip.settle(&mut x, &load);
        let (mut s, mut pieces) = (0.0, 0);
        while s < h {
            s = slip.next(&mut x, &load, s, h);
            pieces += 1;
        }
        assert!(pieces < 100, "{pieces}");
        let decayed = (-h * steep / 0.1).exp_m1();
        let w = p0 * -decayed + (p1 + p2 * h) * h;
        let phi = (p0 + (p1 / 2.0 + p2 / 3.0 * h) * h) * h + p0 * 0.1 / steep * decayed;
        assert!((x.w - w).abs() < 1e-14 * w && (x.phi - phi).abs() < 1e-12 * phi, "{x:?} {w} {phi}");
    }
}
