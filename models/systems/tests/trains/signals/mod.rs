//! Signals: sources against closed forms, with kinks and jumps between communication points, and how blocks are connected.

mod blocks;
mod boolean_sources;
mod controllers;
mod events;
mod filters;
mod motions;
mod refused;
mod sensors;
mod states;
mod steady;
mod tables;
mod tables_2d;

use std::f64::consts::{PI, TAU};

use crate::fixture::{INTERFACES, train};

/// A shaft on which a source acts: its speed is the integral of the signal.
fn driven(source: &str) -> String {
    format!("source {source}\nmotor Torque tau=source.y flange=shaft.flange_a\nshaft Inertia J=1")
}

/// Signals with their integrals from time 0.
#[allow(clippy::type_complexity, reason = "a list of cases")]
fn sources() -> Vec<(&'static str, fn(f64) -> f64, fn(f64) -> f64)> {
    fn ramp(t: f64) -> f64 {
        (2.0 * (t - 0.123) / 0.456).clamp(0.0, 2.0) - 0.5
    }
    fn of_ramp(t: f64) -> f64 {
        let s = (t - 0.123).clamp(0.0, 0.456);
        s * s / 0.456 + 2.0 * (t - 0.579).max(0.0) - 0.5 * t
    }
    fn pulse(t: f64) -> f64 {
        let s = t - 0.05;
        if (0.0..0.9).contains(&s) && s.rem_euclid(0.3) < 0.09 { 3.0 } else { 0.0 }
    }
    fn of_pulse(t: f64) -> f64 {
        let s = (t - 0.05).clamp(0.0, 0.9);
        3.0 * (0.09 * (s / 0.3).floor() + (s.rem_euclid(0.3)).min(0.09))
    }
    fn trapezoid(t: f64) -> f64 {
        let s = (t - 0.1).max(0.0).rem_euclid(0.4);
        let up = (s / 0.1).min(1.0);
        4.0 * up.min(1.0 - ((s - 0.25) / 0.05).clamp(0.0, 1.0))
    }
    fn of_trapezoid(t: f64) -> f64 {
        let (s, each) = ((t - 0.1).max(0.0), 4.0 * (0.05 + 0.15 + 0.025));
        let (whole, s) = ((s / 0.4).floor(), s.rem_euclid(0.4));
        let (up, top, down) = (s.min(0.1), (s - 0.1).clamp(0.0, 0.15), (s - 0.25).clamp(0.0, 0.05));
        whole * each + 4.0 * (up * up / 0.2 + top + down - down * down / 0.1)
    }
    vec![
        ("Constant k=1.5", |_| 1.5, |t| 1.5 * t),
        ("Step height=3 startTime=0.333", |t| if t >= 0.333 { 3.0 } else { 0.0 }, |t| 3.0 * (t - 0.333).max(0.0)),
        ("Ramp height=2 duration=0.456 startTime=0.123 offset=-0.5", ramp, of_ramp),
        (
            "Sine amplitude=2 f=1.5 phase=0.3 startTime=0.217 offset=1",
            |t| 1.0 + if t < 0.217 { 0.0 } else { 2.0 * (3.0 * PI * (t - 0.217) + 0.3).sin() },
            |t| {
                let s = (t - 0.217).max(0.0);
                t + 2.0 / (3.0 * PI) * (0.3_f64.cos() - (3.0 * PI * s + 0.3).cos())
            },
        ),
        (
            "ExpSine amplitude=2 f=1.5 damping=2 phase=0.3 startTime=0.217",
            |t| {
                let s = t - 0.217;
                if s < 0.0 { 0.0 } else { 2.0 * (-2.0 * s).exp() * (3.0 * PI * s + 0.3).sin() }
            },
            |t| {
                let (s, omega) = ((t - 0.217).max(0.0), 3.0 * PI);
                let at = |s: f64| {
                    let phi = omega * s + 0.3;
                    -(-2.0 * s).exp() * (2.0 * phi.sin() + omega * phi.cos()) / (4.0 + omega * omega)
                };
                2.0 * (at(s) - at(0.0))
            },
        ),
        ("Pulse amplitude=3 width=30 period=0.3 startTime=0.05", pulse, of_pulse),
        ("Trapezoid amplitude=4 rising=0.1 width=0.15 falling=0.05 period=0.4 startTime=0.1", trapezoid, of_trapezoid),
    ]
}

/// A jump or kink that is not met exactly would leave an error of the order of the tolerance.
#[test]
fn sources_are_integrated_exactly_between_their_events() {
    for interface in INTERFACES {
        for (source, signal, integral) in sources() {
            for h in [0.0707, 0.311] {
                let mut train = train(interface, &driven(source));
                train.set_tolerance(1e-11);
                if source.starts_with("Pulse") {
                    train.set("source.nperiod", 3);
                }
                let mut t: f64 = 0.0;
                while t < 1.5 {
                    train.step(h);
                    t += h;
                    let (found, expected) = (train.real("shaft.w"), integral(t));
                    assert!((found - expected).abs() < 3e-9, "{interface:?} {source} {t}: {found} {expected}");
                    for name in ["source.y", "motor.tau", "shaft.a"] {
                        let (found, expected) = (train.real(name), signal(t));
                        assert!(
                            (found - expected).abs() < 1e-9,
                            "{interface:?} {source} {name} {t}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

/// Without an event at the jump, one step over it would be wrong by far more at this tolerance.
#[test]
fn a_jump_is_met_at_any_tolerance() {
    for interface in INTERFACES {
        let mut train = train(interface, &driven("Step height=3 startTime=0.333"));
        train.set_tolerance(1e-2);
        train.step(1.0);
        let found = train.real("shaft.w");
        assert!((found - 2.001).abs() < 1e-12, "{interface:?}: {found}");
    }
}

/// A run that begins later begins within the signal.
#[test]
fn a_signal_has_begun_where_a_run_begins_behind_its_start() {
    for interface in INTERFACES {
        let mut train =
            train(interface, &driven("Trapezoid amplitude=1 rising=1 width=1 falling=1 period=4 startTime=-2.5"));
        assert_eq!(train.real("source.y"), 0.5);
        train.step(1.0);
        assert_eq!(train.real("source.y"), 0.0);
        train.step(0.75);
        assert_eq!(train.real("source.y"), 0.25);
    }
}

#[test]
fn a_clutch_closes_at_the_time_of_a_step() {
    for interface in INTERFACES {
        let text = "close Step height=0.5 startTime=0.4321
            left Inertia J=1 w_start=10
            clutch Clutch cgeo=2 fn_max=20 f_normalized=close.y flange_a=left.flange_b flange_b=right.flange_a
            right Inertia J=3";
        let mut train = train(interface, text);
        // 0.5 times 2 times 20 N times 0.5: 10 N.m until both have the same speed.
        for (h, left) in [(0.4, 10.0), (0.2, 10.0 - 10.0 * (0.6 - 0.4321)), (1.0, 2.5)] {
            train.step(h);
            let found = train.real("left.w");
            assert!((found - left).abs() < 1e-9, "{interface:?} {h}: {found} {left}");
        }
        assert_eq!(train.integer("clutch.mode"), 0);
        assert!((train.real("right.w") - 2.5).abs() < 1e-9);
    }
}

/// CoupledClutches of the library with its sources inside, against the same inputs from outside.
#[test]
fn sources_inside_are_those_from_outside() {
    let clutches = |signals: [&str; 4], sources: &str| {
        format!(
            "{sources}
            torque Torque {} flange=J1.flange_a
            J1 Inertia w_start=10
            clutch1 Clutch peak=1.1 fn_max=20 {} flange_a=J1.flange_b flange_b=J2.flange_a
            J2 Inertia
            clutch2 Clutch peak=1.1 fn_max=20 {} flange_a=J2.flange_b flange_b=J3.flange_a
            J3 Inertia
            clutch3 Clutch peak=1.1 fn_max=20 {} flange_a=J3.flange_b flange_b=J4.flange_a
            J4 Inertia",
            signals[0], signals[1], signals[2], signals[3]
        )
    };
    let inside = clutches(
        ["tau=sin1.y", "f_normalized=sin2.y", "f_normalized=step1.y", "f_normalized=step2.y"],
        "sin1 Sine amplitude=10 f=5\nsin2 Sine amplitude=1 f=0.2 phase=1.570796326794896558
         step1 Step startTime=0.4\nstep2 Step startTime=0.9",
    );
    for interface in INTERFACES {
        let mut inner = train(interface, &inside);
        let mut outer = train(INTERFACES[0], &clutches([""; 4], ""));
        inner.set_tolerance(1e-9);
        outer.set_tolerance(1e-9);
        for i in 0..60 {
            let t = 0.025 * f64::from(i);
            for (name, amplitude, omega, phase) in
                [("torque.tau", 10.0, 5.0 * TAU, 0.0), ("clutch1.f_normalized", 1.0, 0.2 * TAU, PI / 2.0)]
            {
                let order =
                    |k: i32| amplitude * f64::powi(omega, k) * (omega * t + phase + f64::from(k) * PI / 2.0).sin();
                outer.set(name, order(0));
                outer.set_derivatives(name, &[1, 2, 3, 4, 5, 6, 7, 8].map(order));
            }
            outer.set("clutch2.f_normalized", f64::from(u8::from(i >= 16)));
            outer.set("clutch3.f_normalized", f64::from(u8::from(i >= 36)));
            inner.step(0.025);
            outer.step(0.025);
            for name in ["J1.w", "J2.w", "J3.w", "J4.w"] {
                let (found, expected) = (inner.real(name), outer.real(name));
                assert!((found - expected).abs() < 3e-6, "{interface:?} {name} {t}: {found} {expected}");
            }
        }
    }
}
