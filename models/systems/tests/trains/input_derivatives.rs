//! Given motions whose speed and acceleration are derivatives of an input that an importer gives.

use std::f64::consts::{FRAC_PI_2, TAU};

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};

const COSIMULATION: Interface = INTERFACES[0];

/// Gives the input `path` the motion `3 t + 2 t^2` until the next step.
fn give(train: &mut Trial, t: f64) {
    train.set("path", 3.0 * t + 2.0 * t * t);
    train.set_derivatives("path", &[3.0 + 4.0 * t, 4.0]);
}

/// An inertia of 2 on the motion `3 t + 2 t^2` needs the load `2 * 4`.
#[test]
fn speed_and_acceleration_are_derivatives_of_the_input() {
    for (drive, mass, [x, v, load]) in [
        ("Position phi=input.path", "Inertia J=2", ["phi", "w", "tau"]),
        ("Position exact=yes phi_ref=input.path", "Inertia J=2", ["phi", "w", "tau"]),
        ("Translational.Position s=input.path", "Mass m=2", ["s", "v", "f"]),
        ("Translational.Position exact=yes s_ref=input.path", "Mass m=2", ["s", "v", "f"]),
    ] {
        let text = format!("drive {drive}\nbody {mass} flange_a=drive.flange");
        let mut train = train(COSIMULATION, &text);
        give(&mut train, 0.0);
        let names = [x, v, "a"].map(|name| format!("body.{name}"));
        let load = format!("drive.{load}");
        let at = |train: &mut Trial, t: f64| {
            let values = [3.0 * t + 2.0 * t * t, 3.0 + 4.0 * t, 4.0];
            names.iter().zip(values).for_each(|(name, value)| check(train, &[(name, value)]));
            check(train, &[(&load, 8.0)]);
        };
        at(&mut train, 0.0);
        for i in 0..10 {
            let t = 0.1 * f64::from(i);
            // The order of the calls means nothing.
            if i % 2 == 1 {
                train.set_derivatives("path", &[3.0 + 4.0 * t, 4.0]);
                train.set("path", 3.0 * t + 2.0 * t * t);
            } else {
                give(&mut train, t);
            }
            at(&mut train, t);
            // A step repeated from a saved state, with the derivatives in it.
            let state = train.save();
            train.step(0.1);
            let end = names.each_ref().map(|name| train.real(name).to_bits());
            train.set_derivatives("path", &[7.0]);
            train.restore(&state);
            train.step(0.1);
            assert_eq!(names.each_ref().map(|name| train.real(name).to_bits()), end);
            at(&mut train, t + 0.1);
        }
        assert!(train.warnings().is_empty(), "{:?}", train.warnings());
    }
}

/// With derivatives of all orders, the motion inside long steps is `sin(2 pi t)`.
#[test]
fn higher_derivatives_count() {
    let sine = |t: f64, order: i32| TAU.powi(order) * (TAU * t + f64::from(order) * FRAC_PI_2).sin();
    for (drive, first) in [("Position phi=input.path", 0), ("Speed w=input.path", 1)] {
        let text = format!("drive {drive}\nbody Inertia J=2 flange_a=drive.flange");
        let mut train = train(COSIMULATION, &text);
        train.set_tolerance(1e-11);
        for i in 0..100 {
            let t = 0.01 * f64::from(i);
            train.set("path", sine(t, first));
            train.set_derivatives("path", &[1, 2, 3, 4, 5, 6, 7, 8].map(|order| sine(t, first + order)));
            train.step(0.01);
            for (order, name) in (0..).zip(["body.phi", "body.w", "body.a"]) {
                let (found, expected) = (train.real(name), sine(t + 0.01, order));
                assert!((found - expected).abs() < 1e-9, "{drive}: {name} after {t}: {found} {expected}");
            }
        }
    }
}

/// Derivatives hold for one step, as those of any input.
#[test]
fn without_derivatives_the_motion_stands_still() {
    let mut train = train(COSIMULATION, "drive Position phi=input.path\nbody Inertia J=2 flange_a=drive.flange");
    give(&mut train, 0.0);
    train.step(0.5);
    check(&mut train, &[("body.phi", 2.0), ("body.w", 5.0), ("drive.tau", 8.0)]);
    train.step(0.5);
    check(&mut train, &[("body.phi", 2.0), ("body.w", 0.0), ("drive.tau", 0.0)]);
    train.set_derivatives("path", &[1.0]);
    check(&mut train, &[("body.w", 1.0), ("drive.tau", 0.0)]);
    train.set_derivatives("path", &[0.0, 6.0]);
    train.step(0.5);
    check(&mut train, &[("body.phi", 2.75), ("body.w", 3.0), ("drive.tau", 12.0)]);
}

/// A motor on the input drives a load by a spring and a damper as one whose three inputs are set.
#[test]
fn elastic_loads_move_as_by_three_inputs() {
    let text = "drive Position $\nspring SpringDamper c=80 d=0.5 flange_a=drive.flange flange_b=load.flange_a
        load Inertia J=0.3\nbrake Brake flange_a=load.flange_b fn_max=2 f_normalized=0.5";
    let mut one = train(COSIMULATION, &text.replace('$', "phi=input.path"));
    let mut three = train(COSIMULATION, &text.replace('$', ""));
    for i in 0..40 {
        let t = 0.05 * f64::from(i);
        let motion = [(2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()];
        one.set("path", motion[0]);
        one.set_derivatives("path", &motion[1..]);
        ["phi", "w", "a"].iter().zip(motion).for_each(|(name, value)| three.set(&format!("drive.{name}"), value));
        one.step(0.05);
        three.step(0.05);
        for name in ["load.phi", "load.w", "load.a", "drive.tau", "brake.tau"] {
            let (found, expected) = (one.real(name), three.real(name));
            assert!((found - expected).abs() < 1e-9, "{name} after {t}: {found} {expected}");
        }
    }
}

/// Two motions and a torque behind them, each with derivatives of its own; one set to 0 again.
#[test]
fn several_inputs_have_their_own_derivatives() {
    let text = "first Position phi=input.one\na Inertia J=2 flange_a=first.flange
        second Speed w=input.two\nb Inertia J=3 flange_a=second.flange
        push Torque tau=input.three flange=free.flange_a\nfree Inertia J=1";
    let mut train = train(COSIMULATION, text);
    train.set_derivatives("two", &[7.0]);
    train.set_derivatives("one", &[1.0, 9.0]);
    train.set_derivatives("three", &[6.0]);
    train.set_derivatives("one", &[1.0, 0.0]);
    train.step(1.0);
    check(&mut train, &[("a.phi", 1.0), ("a.w", 1.0), ("first.tau", 0.0)]);
    check(&mut train, &[("b.phi", 3.5), ("b.w", 7.0), ("second.tau", 21.0)]);
    check(&mut train, &[("push.tau", 6.0), ("free.w", 3.0), ("free.a", 6.0)]);
}

/// One input moves two shafts, and is a signal besides.
#[test]
fn one_input_gives_several_motions_and_signals() {
    let text = "gain Gain k=5 u=input.path\npush Torque tau=gain.y flange=free.flange_a\nfree Inertia J=1
        first Position phi=input.path\na Inertia J=2 flange_a=first.flange
        second Position exact=yes phi_ref=input.path\nb Inertia J=3 flange_a=second.flange";
    let mut train = train(COSIMULATION, text);
    give(&mut train, 0.0);
    train.step(0.1);
    check(&mut train, &[("a.phi", 0.32), ("b.w", 3.4), ("first.tau", 8.0), ("second.tau", 12.0), ("gain.y", 1.6)]);
    // The signal is the polynomial, integrated once.
    let w = 5.0 * (1.5 * 0.01 + 2.0 / 3.0 * 0.001);
    assert!((train.real("free.w") - w).abs() < 1e-9, "{} {w}", train.real("free.w"));
}

/// A body on an arm of 0.5 m turns about a vertical axis: its inertia there is 0.1 + 2 * 0.5^2.
#[test]
fn a_joint_in_space_is_driven() {
    let text = "world World g=0
        joint Revolute frame_a=world.frame_b n[1]=0 n[2]=0 n[3]=1
        drive Position phi=input.path flange=joint.axis\nbody Body frame_a=joint.frame_b r_CM[1]=0.5 m=2 I_11=0.1 I_22=0.1 I_33=0.1";
    let mut train = train(COSIMULATION, text);
    for i in 0..10 {
        give(&mut train, 0.1 * f64::from(i));
        train.step(0.1);
        let w = 3.0 + 0.4 * f64::from(i + 1);
        for (name, expected) in [("joint.w", w), ("joint.a", 4.0), ("drive.tau", 2.4), ("joint.frame_b.f[1]", w * w)] {
            let found = train.real(name).abs();
            assert!((found - expected).abs() < 1e-9, "{name}: {found} {expected}");
        }
    }
}

/// Masters that send slopes only make the speed jump.
#[test]
fn slopes_alone_are_reported_once() {
    let mut train = train(COSIMULATION, "drive Position phi=input.path\nbody Inertia J=2 flange_a=drive.flange");
    for i in 0..10 {
        let t = 0.1 * f64::from(i);
        train.set("path", t * t);
        train.set_derivatives("path", &[2.0 * t + 0.1]);
        train.step(0.1);
    }
    let found = train.warnings();
    let expected = "drive: the given velocity has changed in 3 steps in a row, at last from 0.5";
    assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
}
