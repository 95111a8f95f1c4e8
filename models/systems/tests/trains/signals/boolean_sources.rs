//! Sources of true and false against their definitions, with changes between communication points.

use crate::fixture::{INTERFACES, train};

/// A signal that each source switches on is integrated exactly only if its changes are events.
#[test]
fn changes_are_met_exactly() {
    let pulse = |t: f64| {
        let s = (t - 0.1).max(0.0);
        (s / 0.3).floor() * 0.06 + s.rem_euclid(0.3).min(0.06)
    };
    type Case = (&'static str, fn(f64) -> bool, Box<dyn Fn(f64) -> f64>);
    let cases: [Case; 4] = [
        ("BooleanConstant", |_| true, Box::new(|t| t)),
        ("BooleanStep startTime=0.333", |t| t < 0.333, Box::new(|t| t.min(0.333))),
        (
            "BooleanPulse width=20 period=0.3 startTime=0.1",
            |t| t >= 0.1 && (t - 0.1).rem_euclid(0.3) < 0.06,
            Box::new(pulse),
        ),
        ("BooleanTable shiftTime=0.25", |t| (0.25..1.25).contains(&t), Box::new(|t: f64| (t - 0.25).clamp(0.0, 1.0))),
    ];
    for interface in INTERFACES {
        for (source, truth, integral) in &cases {
            let text = format!(
                "source {source}\non BooleanToReal realTrue=3 u=source.y\nmotor Torque tau=on.y flange=shaft.flange_a\nshaft Inertia J=1"
            );
            let mut train = train(interface, &text);
            if source.starts_with("BooleanStep") {
                train.set("source.startValue", true);
            }
            let mut t: f64 = 0.0;
            for _ in 0..13 {
                let (found, expected) = (train.real("shaft.w"), 3.0 * integral(t));
                assert!((found - expected).abs() < 1e-9, "{interface:?} {source} {t}: {found} {expected}");
                assert_eq!(train.boolean("source.y"), truth(t), "{interface:?} {source} {t}");
                train.step(0.117);
                t += 0.117;
            }
        }
    }
}

/// A pulse of the whole period never ends; one that begins before the run has begun.
#[test]
fn pulses_may_fill_their_period_and_begin_before() {
    for interface in INTERFACES {
        for (source, expected) in [
            ("BooleanPulse width=100 period=0.2", [true, true]),
            ("BooleanPulse width=25 period=1 startTime=-0.25", [false, true]),
        ] {
            let mut train = train(interface, &format!("source {source}\nshaft Inertia"));
            assert_eq!(train.boolean("source.y"), expected[0], "{source}");
            train.step(0.8);
            assert_eq!(train.boolean("source.y"), expected[1], "{source}");
        }
    }
}
