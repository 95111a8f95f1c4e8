//! Motions that signals give: velocity and acceleration are the derivatives of the signal.

use std::f64::consts::TAU;

use crate::fixture::{INTERFACES, check, train};

#[test]
fn velocity_and_acceleration_are_those_of_the_signal() {
    for interface in INTERFACES {
        let text = "one Sine amplitude=0.5 f=0.7 phase=0.2 startTime=-1
            two ExpSine amplitude=2 f=0.3 damping=0.4 startTime=-1
            half Gain k=0.5 u=two.y
            sum Add u1=one.y u2=half.y
            path Product u1=sum.y u2=one.y
            drive Position phi=path.y flange=shaft.flange_a
            shaft Inertia J=2";
        let mut train = train(interface, text);
        let phi = |t: f64| {
            let s = t + 1.0;
            let one = 0.5 * (0.7 * TAU * s + 0.2).sin();
            (one + (-0.4 * s).exp() * (0.3 * TAU * s).sin()) * one
        };
        for i in 0..10 {
            let t = 0.13 * f64::from(i);
            let h = 1e-4;
            let [before, here, after] = [-h, 0.0, h].map(|dt| phi(t + dt));
            let (w, a) = ((after - before) / (2.0 * h), (after - 2.0 * here + before) / (h * h));
            for (name, expected, error) in [
                ("shaft.phi", here, 1e-12),
                ("drive.phi", here, 1e-12),
                ("shaft.w", w, 1e-6),
                ("drive.w", w, 1e-6),
                ("shaft.a", a, 1e-5),
                ("drive.tau", 2.0 * a, 1e-5),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < error, "{interface:?} {name} {t}: {found} {expected}");
            }
            train.step(0.13);
        }
    }
}

/// A KinematicPTP2 motion, with a cruise or without one, ends in time at its end.
#[test]
fn a_motion_from_one_place_to_another_keeps_its_limits() {
    for interface in INTERFACES {
        // Accelerates until the largest speed; or turns before it.
        for (limits, accelerates, total) in
            [("qd_max=1 qdd_max=2", 0.5, 3.5), ("qd_max=9 qdd_max=2", 1.5_f64.sqrt(), 6.0_f64.sqrt())]
        {
            for direction in [1.0, -1.0] {
                let text = format!(
                    "path KinematicPTP2 q_begin=1 q_end={} {limits} startTime=0.25
                    drive Position phi=path.q flange=shaft.flange_a\nshaft Inertia J=1",
                    1.0 + 3.0 * direction
                );
                let mut train = train(interface, &text);
                let mut t: f64 = 0.0;
                for _ in 0..50 {
                    let s = t - 0.25;
                    let (fast, rest) = (2.0 * accelerates, total - s);
                    let [q, qd, qdd] = if s < 0.0 {
                        [0.0; 3]
                    } else if s < accelerates {
                        [s * s, 2.0 * s, 2.0]
                    } else if s < total - accelerates {
                        [fast * (s - 0.5 * accelerates), fast, 0.0]
                    } else if s < total {
                        [3.0 - rest * rest, 2.0 * rest, -2.0]
                    } else {
                        [3.0, 0.0, 0.0]
                    };
                    for (name, expected) in [
                        ("path.q", 1.0 + direction * q),
                        ("path.qd", direction * qd),
                        ("path.qdd", direction * qdd),
                        ("shaft.phi", 1.0 + direction * q),
                        ("shaft.w", direction * qd),
                        ("drive.tau", direction * qdd),
                    ] {
                        let found = train.real(name);
                        assert!(
                            (found - expected).abs() < 1e-12,
                            "{interface:?} {limits} {name} {t}: {found} {expected}"
                        );
                    }
                    assert_eq!(train.boolean("path.moving"), (0.0..total).contains(&s), "{t}");
                    train.step(0.083);
                    t += 0.083;
                }
            }
        }
    }
}

/// A speed that jumps: the angle is its integral, and a clutch that it drives slides from there on.
#[test]
fn a_speed_follows_a_signal() {
    for interface in INTERFACES {
        let text = "speed Trapezoid amplitude=6 rising=0.2 width=0.3 falling=0.1 period=2 startTime=0.137
            drive Speed w=speed.y flange=shaft.flange_a
            shaft Inertia J=2
            other Inertia J=1
            spring SpringDamper c=100 d=1 flange_a=shaft.flange_b flange_b=other.flange_a";
        let mut train = train(interface, text);
        train.set_tolerance(1e-9);
        for _ in 0..7 {
            train.step(0.1);
        }
        let rest = 0.7 - 0.637;
        assert!((train.real("shaft.w") - 6.0 * (1.0 - rest / 0.1)).abs() < 1e-9);
        assert!((train.real("shaft.a") + 60.0).abs() < 1e-9);
        let phi = 6.0 * (0.1 + 0.3 + rest - rest * rest / 0.2);
        assert!((train.real("drive.phi") - phi).abs() < 1e-8, "{}", train.real("drive.phi"));
        assert!((train.real("shaft.phi") - phi).abs() < 1e-8);
    }
}

/// A reference through a filter: that of the second order is a SecondOrder block, that of the first one a FirstOrder.
#[test]
fn a_filter_follows_a_reference() {
    let omega = 2.0 * TAU;
    let text = format!(
        "step Step height=2 startTime=0.123 offset=1
        drive Position exact=no f_crit=2 phi_ref=step.y flange=shaft.flange_a
        shaft Inertia J=3
        same SecondOrder w={} D={} initType=SteadyState u=step.y
        turn Speed exact=no f_crit=2 w_ref=step.y phi_start=0.5 flange=wheel.flange_a
        wheel Inertia J=2
        late FirstOrder T={} initType=SteadyState u=step.y
        sum Integrator y_start=0.5 u=late.y
        slide Translational.Position exact=no f_crit=2 s_ref=step.y flange=mass.flange_a
        mass Mass m=3",
        omega / 0.6180_f64.sqrt(),
        1.3617 / (2.0 * 0.6180_f64.sqrt()),
        1.0 / omega
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for i in 0..12 {
            for (one, other, factor) in [
                ("shaft.phi", "same.y", 1.0),
                ("shaft.w", "same.yd", 1.0),
                ("drive.a", "same.der_yd", 1.0),
                ("drive.tau", "same.der_yd", 3.0),
                ("mass.s", "same.y", 1.0),
                ("slide.f", "same.der_yd", 3.0),
                ("wheel.w", "late.y", 1.0),
                ("turn.tau", "late.der_y", 2.0),
                ("turn.phi", "sum.y", 1.0),
            ] {
                let (found, expected) = (train.real(one), factor * train.real(other));
                assert!((found - expected).abs() < 1e-5, "{interface:?} {one} {i}: {found} {expected}");
            }
            train.step(0.05);
        }
    }
}

/// An input of the FMU gives a filtered motion, without any rates; a sensor may, too.
#[test]
fn a_filter_follows_an_input_or_what_is_measured() {
    for interface in INTERFACES {
        let text = "drive Position exact=no f_crit=5 flange=shaft.flange_a
            shaft Inertia J=3
            angle AngleSensor flange=shaft.flange_b
            follow Position exact=no f_crit=5 phi_ref=angle.phi flange=other.flange_a
            other Inertia";
        let mut train = train(interface, text);
        train.set("drive.phi_ref", 0.7);
        assert_eq!(train.real("shaft.phi"), 0.7);
        for _ in 0..20 {
            train.step(0.1);
        }
        for name in ["shaft.phi", "other.phi"] {
            assert!((train.real(name) - 0.7).abs() < 1e-5, "{interface:?} {name}");
        }
        let omega = 10.0 * std::f64::consts::PI;
        let found = train.directional_derivative("drive.tau", "drive.phi_ref");
        assert!((found - 3.0 * omega * omega / 0.6180).abs() < 1e-8, "{found}");
    }
}

#[test]
fn a_reference_may_be_followed_exactly() {
    for interface in INTERFACES {
        let text = "sine Sine amplitude=0.5 f=0.7 phase=0.2 startTime=-1
            drive Position exact=yes phi_ref=sine.y flange=shaft.flange_a
            shaft Inertia J=2
            turn Speed exact=yes w_ref=sine.y flange=wheel.flange_a
            wheel Inertia J=3";
        let mut train = train(interface, text);
        train.step(0.4);
        let (omega, at) = (0.7 * TAU, 0.7 * TAU * 1.4 + 0.2);
        for (name, expected) in [
            ("shaft.phi", 0.5 * at.sin()),
            ("shaft.w", 0.5 * omega * at.cos()),
            ("drive.tau", -omega * omega * at.sin()),
            ("wheel.w", 0.5 * at.sin()),
            ("turn.tau", 1.5 * omega * at.cos()),
        ] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-9, "{interface:?} {name}: {found} {expected}");
        }
    }
}

/// An acceleration that is constant between jumps is integrated in closed form, from start values.
#[test]
fn an_acceleration_may_be_given() {
    for (drive, mass, names) in [
        ("Accelerate phi_start=0.5 w_start=-2", "Inertia J=3", ["phi", "w", "a", "tau"]),
        ("Translational.Accelerate s_start=0.5 v_start=-2", "Mass m=3", ["s", "v", "a", "f"]),
    ] {
        for interface in INTERFACES {
            let text = format!(
                "pulse Step height=4 offset=1 startTime=0.25\ndrive {drive} a_ref=pulse.y\nmass {mass} flange_a=drive.flange"
            );
            let mut train = train(interface, &text);
            for i in 0..10 {
                let t = 0.1 * f64::from(i);
                let late = (t - 0.25_f64).max(0.0);
                let a = if late > 0.0 { 5.0 } else { 1.0 };
                let expected = [0.5 - 2.0 * t + 0.5 * t * t + 2.0 * late * late, -2.0 + t + 4.0 * late, a, 3.0 * a];
                for (name, expected) in names.iter().zip(expected) {
                    let found = train.real(&format!("drive.{name}"));
                    assert!((found - expected).abs() < 1e-9, "{interface:?} drive.{name} at {t}: {found} {expected}");
                }
                assert_eq!(train.real(&format!("mass.{}", names[1])), train.real(&format!("drive.{}", names[1])));
                train.step(0.1);
            }
        }
    }
    // Without a connection it is an input.
    let mut train = train(
        INTERFACES[0],
        "drive Accelerate useSupport=true support=wall.flange\nwall Fixed phi0=1\nmass Inertia J=3 flange_a=drive.flange",
    );
    train.set("drive.a_ref", 2.0);
    train.step(0.5);
    check(&mut train, &[("mass.phi", 1.25), ("drive.phi", 0.25), ("mass.w", 1.0), ("drive.tau", 6.0)]);
}
