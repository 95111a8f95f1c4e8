//! Kinks of characteristics and comparisons: the integral of a signal behind them is exact if its events are.

use std::f64::consts::PI;

use crate::fixture::{INTERFACES, train};

/// The integral of `signal` up to `t`, by many small steps of Simpson's rule; the kinks are at multiples of none of them, but
/// as close as that.
fn integral(signal: &dyn Fn(f64) -> f64, t: f64) -> f64 {
    let steps = 200_000;
    let h = t / f64::from(steps);
    (0..steps).map(|i| h * signal((f64::from(i) + 0.5) * h)).sum()
}

/// Blocks behind `u` = 3 sin(2 pi t + 0.2), each with its output as a function of `u` and of what it was.
#[test]
fn kinks_and_comparisons_are_events() {
    let u = |t: f64| 3.0 * (2.0 * PI * t + 0.2).sin();
    let limited = move |t: f64| u(t).clamp(-1.0, 2.0);
    let dead = move |t: f64| u(t) - u(t).clamp(-1.5, 1.5);
    let greater = move |t: f64| if u(t) > 0.7 { 5.0 } else { -2.0 };
    let two = move |t: f64| if u(t) < 1.0 + t { 1.0 } else { 0.0 };
    let switched = move |t: f64| if u(t) > 1.0 + t { u(t) } else { 1.0 + t };
    let inside = move |t: f64| if u(t) > -1.0 && u(t) <= 0.7 { 1.0 } else { 0.0 };
    let outside = move |t: f64| 1.0 - inside(t);
    let cases: [(&str, &dyn Fn(f64) -> f64); 11] = [
        ("end Limiter symmetric=false uMax=2 uMin=-1 u=sine.y", &limited),
        ("end DeadZone uMax=1.5 u=sine.y", &dead),
        (
            "above GreaterThreshold threshold=0.7 u=sine.y\nend BooleanToReal realTrue=5 realFalse=-2 u=above.y",
            &greater,
        ),
        (
            "above GreaterEqualThreshold threshold=0.7 u=sine.y\nend BooleanToReal realTrue=5 realFalse=-2 u=above.y",
            &greater,
        ),
        ("below LessEqual u1=sine.y u2=ramp.y\nend BooleanToReal u=below.y", &two),
        ("above GreaterEqual u1=sine.y u2=ramp.y\nend Switch u1=sine.y u2=above.y u3=ramp.y", &switched),
        (
            "one LessEqualThreshold threshold=-1 u=sine.y\ntwo GreaterThreshold threshold=0.7 u=sine.y
             any Or u1=one.y u2=two.y\nend BooleanToReal u=any.y",
            &outside,
        ),
        ("below Less u1=sine.y u2=ramp.y\nend BooleanToReal u=below.y", &two),
        ("above Greater u1=sine.y u2=ramp.y\nend Switch u1=sine.y u2=above.y u3=ramp.y", &switched),
        (
            "one GreaterThreshold threshold=-1 u=sine.y\ntwo GreaterThreshold threshold=0.7 u=sine.y\nnone Not u=two.y
             both And u1=one.y u2=none.y\nend BooleanToReal u=both.y",
            &inside,
        ),
        (
            "one LessThreshold threshold=-1 u=sine.y\ntwo GreaterThreshold threshold=0.7 u=sine.y
             any Or u1=one.y u2=two.y\nend BooleanToReal u=any.y",
            &outside,
        ),
    ];
    for interface in INTERFACES {
        for (block, signal) in &cases {
            let text = format!(
                "sine Sine amplitude=3 f=1 phase=0.2 offset=0\nramp Ramp height=10 duration=10 offset=1\n{block}
                motor Torque tau=end.y flange=shaft.flange_a\nshaft Inertia J=1"
            );
            let mut train = train(interface, &text);
            train.set_tolerance(1e-10);
            for i in 0..4 {
                let t = 0.43 * f64::from(i);
                let (found, expected) = (train.real("shaft.w"), integral(*signal, t));
                assert!((found - expected).abs() < 1e-4, "{interface:?} {block} {t}: {found} {expected}");
                let (found, expected) = (train.real("motor.tau"), signal(t));
                assert!((found - expected).abs() < 1e-9, "{interface:?} {block} {t}: {found} {expected}");
                train.step(0.43);
            }
        }
    }
}

/// Equal numbers, for which only four of the comparisons hold.
#[test]
fn equal_numbers_are_neither_greater_nor_less() {
    for kind in ["Greater", "Less", "GreaterEqual", "LessEqual"] {
        let text = format!(
            "one Constant k=0.7\nother Constant k=0.7\ntwo {kind} u1=one.y u2=other.y\nfixed {kind}Threshold threshold=0.7 u=one.y\n\
             shaft Inertia"
        );
        let mut train = train(INTERFACES[0], &text);
        for _ in 0..2 {
            for name in ["two.y", "fixed.y"] {
                assert_eq!(train.boolean(name), kind.ends_with("Equal"), "{kind}: {name}");
            }
            train.step(0.1);
        }
    }
}

/// A thermostat: a heater that goes on and off. Its period follows from exponential functions.
#[test]
fn hysteresis_switches_at_both_of_its_values() {
    for interface in INTERFACES {
        let text = "switch Hysteresis uLow=0.4 uHigh=0.6 u=room.y
            heats Not u=switch.y
            heater BooleanToReal u=heats.y
            room FirstOrder T=1 u=heater.y
            shaft Inertia";
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        // Up to 0.6, then down to 0.4 and up again.
        let (first, down, up) = (2.5_f64.ln(), 1.5_f64.ln(), 1.5_f64.ln());
        let room = |t: f64| {
            if t < first {
                return 1.0 - (-t).exp();
            }
            let s = (t - first).rem_euclid(down + up);
            if s < down { 0.6 * (-s).exp() } else { 1.0 - 0.6 * (down - s).exp() }
        };
        let mut t = 0.0;
        for _ in 0..40 {
            train.step(0.1);
            t += 0.1;
            let (found, expected) = (train.real("room.y"), room(t));
            assert!((found - expected).abs() < 1e-7, "{interface:?} {t}: {found} {expected}");
        }
    }
}

/// As `pre(y)` of the library, the value before the start decides between both.
#[test]
fn what_was_before_the_start_decides() {
    for (before, expected) in [(false, 0.0), (true, 1.0)] {
        for interface in INTERFACES {
            let mut train = train(
                interface,
                "level Constant k=0.5\non Hysteresis u=level.y\nvalue BooleanToReal u=on.y\nshaft Inertia",
            );
            train.set("on.pre_y_start", before);
            assert_eq!(train.real("value.y"), expected, "{interface:?}");
        }
    }
}

#[test]
fn a_table_jumps_and_goes_on() {
    for interface in INTERFACES {
        let text = "table TimeTable offset=1 startTime=0.25\nmotor Torque tau=table.y flange=shaft.flange_a\nshaft Inertia J=1";
        let mut train = train(interface, text);
        // The default: a line from 0 to 1, which goes on.
        for (h, w) in [(0.2, 0.2), (0.3, 0.5 + 0.5 * 0.25 * 0.25), (1.5, 2.0 + 0.5 * 1.75 * 1.75)] {
            train.step(h);
            let found = train.real("shaft.w");
            assert!((found - w).abs() < 1e-9, "{interface:?}: {found} {w}");
        }
    }
}
