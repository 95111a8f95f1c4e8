//! Tables over time and over signals, against the lines and splines between their rows.

use std::f64::consts::TAU;

use crate::fixture::{INTERFACES, check, train};

/// A shaft on which the first output of a table acts: its speed is the integral.
fn driven(table: &str) -> String {
    format!("table {table}\nmotor Torque tau=table.y[1] flange=shaft.flange_a\nshaft Inertia J=1")
}

/// Kinks and jumps are met exactly, in every period and beyond the rows.
#[test]
fn columns_over_time_are_integrated_exactly() {
    // Over 1 s: up to 2, a jump to -1, and up to 0.
    let rows = "table=0,0;0.4,2;0.4,-1;1,0";
    let value = |s: f64| if s < 0.4 { 5.0 * s } else { -1.0 + (s - 0.4) / 0.6 };
    let integral = |s: f64| if s < 0.4 { 2.5 * s * s } else { 0.4 - (s - 0.4) + (s - 0.4) * (s - 0.4) / 1.2 };
    let step = |s: f64| if s < 0.4 { 0.0 } else { -1.0 };
    type Case<'a> = (&'a str, Box<dyn Fn(f64) -> f64>, Box<dyn Fn(f64) -> f64>);
    let whole = integral(1.0);
    #[rustfmt::skip]
    let cases: [Case<'_>; 5] = [
        ("LastTwoPoints", Box::new(value), Box::new(integral)),
        ("HoldLastPoint", Box::new(move |s| value(s.min(1.0))), Box::new(move |s| integral(s.min(1.0)))),
        ("Periodic", Box::new(move |s| value(s.rem_euclid(1.0))),
         Box::new(move |s| s.floor() * whole + integral(s.rem_euclid(1.0)))),
        ("LastTwoPoints smoothness=ConstantSegments",
         Box::new(move |s| if s < 1.0 { step(s) } else { (s - 1.0) / 0.6 }),
         Box::new(|s| -(s.clamp(0.4, 1.0) - 0.4) + (s - 1.0).max(0.0).powi(2) / 1.2)),
        ("HoldLastPoint smoothness=ConstantSegments", Box::new(move |s| if s < 1.0 { step(s) } else { 0.0 }),
         Box::new(|s| -(s.clamp(0.4, 1.0) - 0.4))),
    ];
    for interface in INTERFACES {
        for (options, value, integral) in &cases {
            let text = driven(&format!("CombiTimeTable {rows} startTime=0.217 offset[1]=0.5 extrapolation={options}"));
            let mut train = train(interface, &text);
            train.set_tolerance(1e-10);
            let mut t: f64 = 0.0;
            for _ in 0..17 {
                let s = t - 0.217;
                let expected = if s < 0.0 { [0.5, 0.5 * t] } else { [0.5 + value(s), 0.5 * t + integral(s)] };
                for (name, expected) in ["table.y[1]", "shaft.w"].into_iter().zip(expected) {
                    let found = train.real(name);
                    assert!((found - expected).abs() < 1e-9, "{interface:?} {options} {name} {t}: {found} {expected}");
                }
                train.step(0.149);
                t += 0.149;
            }
        }
    }
}

/// The table begins at one time, and the outputs follow it from another one on, before or behind that.
#[test]
fn a_table_can_be_shifted_apart_from_its_start() {
    let value = |s: f64| if s < 0.4 { 5.0 * s } else { -1.0 + (s - 0.4) / 0.6 };
    let integral = |s: f64| if s < 0.4 { 2.5 * s * s } else { 0.4 - (s - 0.4) + (s - 0.4) * (s - 0.4) / 1.2 };
    for interface in INTERFACES {
        for ((start, shift), is_combined) in
            [(0.5, 0.217), (0.1, 0.317), (0.7, -0.1)].into_iter().flat_map(|times| [(times, true), (times, false)])
        {
            let rows = format!("table=0,0;0.4,2;0.4,-1;1,0 startTime={start} shiftTime={shift} useShiftTime=true");
            let (text, output) = if is_combined {
                (driven(&format!("CombiTimeTable {rows} offset[1]=0.5")), "table.y[1]")
            } else {
                (driven(&format!("TimeTable {rows} offset=0.5")).replace("table.y[1]", "table.y"), "table.y")
            };
            let mut train = train(interface, &text);
            train.set_tolerance(1e-10);
            let mut t: f64 = 0.0;
            for _ in 0..11 {
                let has_begun = t >= start;
                let table = if has_begun { value(t - shift) } else { 0.0 };
                let area = if has_begun { integral(t - shift) - integral(start - shift) } else { 0.0 };
                for (name, expected) in [(output, 0.5 + table), ("shaft.w", 0.5 * t + area)] {
                    let found = train.real(name);
                    assert!((found - expected).abs() < 1e-9, "{interface:?} {start} {name} {t}: {found} {expected}");
                }
                train.step(0.149);
                t += 0.149;
            }
        }
    }
}

/// A spline gives a motion with its derivatives: those of differences.
#[test]
fn splines_over_time_give_motions() {
    for smoothness in [
        "ContinuousDerivative", "MonotoneContinuousDerivative1", "MonotoneContinuousDerivative2",
        "ModifiedContinuousDerivative",
    ] {
        let text = format!(
            "path CombiTimeTable nout=2 smoothness={smoothness} table=0,1,0;0.5,2,1;0.8,2.5,1;1.5,4,0;2,4,-1
            drive Position phi=path.y[1] flange=shaft.flange_a\nshaft Inertia"
        );
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            train.set_tolerance(1e-8);
            let (mut before, mut last): (Option<[f64; 3]>, f64) = (None, 1.0);
            for i in 0..250 {
                let [phi, w, other] = ["shaft.phi", "shaft.w", "path.y[2]"].map(|name| train.real(name));
                let a = train.real("shaft.a");
                if let Some([phi_before, w_before, a_before]) = before {
                    let (middle, change): (f64, f64) = (0.5 * (w + w_before), (phi - phi_before) / 0.01);
                    assert!((middle - change).abs() < 2e-3, "{smoothness} {i}: {middle} {change}");
                    // At a row the second derivative jumps, the first one does not.
                    let (middle, change): (f64, f64) = (0.5 * (a + a_before), (w - w_before) / 0.01);
                    assert!((middle - change).abs() < 20.0, "{smoothness} {i}: {middle} {change}");
                    assert!((w - w_before).abs() < 0.4, "{smoothness} {i}");
                }
                for (row, expected) in
                    [(0, [1.0, 0.0]), (50, [2.0, 1.0]), (80, [2.5, 1.0]), (150, [4.0, 0.0]), (200, [4.0, -1.0])]
                {
                    if i == row {
                        assert!(
                            (phi - expected[0]).abs() < 1e-9 && (other - expected[1]).abs() < 1e-9,
                            "{smoothness} {i}"
                        );
                    }
                }
                if smoothness.starts_with("Monotone") {
                    assert!(phi >= last - 1e-12, "{smoothness} {i}");
                    // Three slopes of the other column are 2, 0 and below 0: there it neither overshoots nor oscillates.
                    assert!(other <= 1.0 + 1e-12, "{smoothness} {i}");
                }
                (before, last) = (Some([phi, w, a]), phi);
                train.step(0.01);
            }
        }
    }
}

/// Through points of a straight line or parabola of equal steps each spline that can be is exact.
#[test]
fn splines_are_those_of_their_definitions() {
    let parabola: Vec<_> = (0..6).map(|i| format!("{i},{}", i * i)).collect();
    // By hand at the row 2, where the slopes beside it are 3 and 5: their mean, harmonic mean, and limited mean.
    for (smoothness, slope) in [
        ("ContinuousDerivative", 4.0),
        ("ModifiedContinuousDerivative", (8.0 * 3.0 + 4.0 * 5.0) / 12.0),
        ("MonotoneContinuousDerivative1", 2.0 * 15.0 / 8.0),
        ("MonotoneContinuousDerivative2", 4.0),
    ] {
        let text = format!(
            "ramp Ramp height=5 duration=5\npath CombiTable1Ds smoothness={smoothness} table={} u=ramp.y
            slope Derivative k=1 T=0.01 u=path.y[1] initType=SteadyState\ndrive Speed w=path.y[1] flange=shaft.flange_a\nshaft Inertia",
            parabola.join(";")
        );
        let mut train = train(INTERFACES[0], &text);
        train.step(2.0);
        check(&mut train, &[("path.y[1]", 4.0), ("shaft.w", 4.0)]);
        let found = train.real("shaft.a");
        // The weights of the modified spline: |s3 - s2| + |s3 + s2| / 2 on the one side, the same on the other.
        let expected = if smoothness.starts_with("Modified") {
            let [a, left, right, b] = [1.0, 3.0, 5.0, 7.0_f64];
            let weights = [(b - right).abs() + (b + right).abs() / 2.0, (left - a).abs() + (left + a).abs() / 2.0];
            (weights[0] * left + weights[1] * right) / (weights[0] + weights[1])
        } else {
            slope
        };
        assert!((found - expected).abs() < 1e-9, "{smoothness}: {found} {expected}");
    }
}

/// A characteristic over a speed: each kink is an event, and beyond the rows it goes on as it is asked to.
#[test]
fn a_characteristic_acts_on_a_shaft() {
    // The torque of a motor falls with its speed: 4 up to 2 rad/s, then to 0 at 4 rad/s, and on.
    for (extrapolation, end) in [("LastTwoPoints", 4.0), ("HoldLastPoint", 4.0)] {
        for interface in INTERFACES {
            let text = format!(
                "speed SpeedSensor flange=shaft.flange_b
                law CombiTable1Ds table=0,4;2,4;4,0 extrapolation={extrapolation} u=speed.w
                motor Torque tau=law.y[1] flange=shaft.flange_a\nshaft Inertia J=1"
            );
            let mut train = train(interface, &text);
            train.set_tolerance(1e-10);
            for i in 0..20 {
                let t = 0.13 * f64::from(i);
                let expected = if t < 0.5 { 4.0 * t } else { end - 2.0 * (-2.0 * (t - 0.5)).exp() };
                let found = train.real("shaft.w");
                assert!((found - expected).abs() < 1e-8, "{interface:?} {t}: {found} {expected}");
                train.step(0.13);
            }
            assert_eq!(train.directional_derivative("shaft.a", "shaft.w"), -2.0);
        }
    }
}

#[test]
fn a_periodic_characteristic_follows_its_argument_both_ways() {
    for interface in INTERFACES {
        let text = "wave Sine amplitude=3 f=1 startTime=-1
            law CombiTable1Ds table=0,0;0.5,1;1,0 extrapolation=Periodic u=wave.y
            motor Torque tau=law.y[1] flange=shaft.flange_a\nshaft Inertia J=1";
        let mut train = train(interface, text);
        train.set_tolerance(1e-9);
        for i in 0..40 {
            let t = 0.037 * f64::from(i);
            let u = 3.0 * (TAU * t).sin();
            let s = u.rem_euclid(1.0);
            let expected = 2.0 * s.min(1.0 - s);
            let found = train.real("law.y[1]");
            assert!((found - expected).abs() < 1e-8, "{interface:?} {t}: {found} {expected}");
            train.step(0.037);
        }
    }
}
