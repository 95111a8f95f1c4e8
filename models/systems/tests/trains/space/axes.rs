//! One-dimensional parts at the axes of joints: friction, gears, given motions.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};

const G: f64 = 9.80665;

/// A brake holds an arm until gravity is more than it can bear.
#[test]
fn a_brake_at_an_axis_holds_its_arm() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World
             shoulder Revolute frame_a=world.frame_b
             elbow Revolute frame_a=upper.frame_b
             upper BodyShape frame_a=shoulder.frame_b r[1]=1 r_CM[1]=0.5 m=2 I_11=0.1 I_22=0.1 I_33=0.1
             lower Body frame_a=elbow.frame_b r_CM[1]=0.4 m=1 I_11=0.1 I_22=0.1 I_33=0.1
             one Brake flange_a=shoulder.axis fn_max=100 f_normalized=1
             other Brake flange_a=elbow.axis fn_max=10 f_normalized=1",
        );
        train.step(0.5);
        assert_eq!([train.integer("one.mode"), train.integer("other.mode")], [0, 0]);
        // Sliding torques are half of the normal forces.
        let [at_elbow, at_shoulder] = [0.4 * G, (2.0 * 0.5 + 1.4) * G];
        assert!((train.real("other.tau") + at_elbow).abs() < 1e-9, "{}", train.real("other.tau"));
        assert!((train.real("one.tau") + at_shoulder).abs() < 1e-9, "{}", train.real("one.tau"));
        assert!((train.real("elbow.tau") - at_elbow).abs() < 1e-9, "{}", train.real("elbow.tau"));
        assert!((train.real("shoulder.frame_a.f[2]") - 3.0 * G).abs() < 1e-9);
        assert!((train.real("shoulder.frame_a.t[3]") - at_shoulder).abs() < 1e-9);
        assert!((train.real("shoulder.frame_b.t[3]") + at_shoulder).abs() < 1e-9);
        // The elbow slips, and pulls the shoulder, which its brake still holds.
        train.set("other.f_normalized", 0.4);
        train.step(0.1);
        assert_eq!([train.integer("one.mode"), train.integer("other.mode")], [0, -1]);
        assert!((train.real("other.tau") + 2.0).abs() < 1e-9, "{}", train.real("other.tau"));
        assert!(train.real("shoulder.w").abs() < 1e-9, "{}", train.real("shoulder.w"));
        let (phi, w, a) = (train.real("elbow.phi"), train.real("elbow.w"), train.real("elbow.a"));
        // The arm falls about the elbow alone.
        let expected = (2.0 - 0.4 * G * phi.cos()) / (0.1 + 0.16);
        assert!((a - expected).abs() < 1e-7 && w < -0.5, "{a} {expected}");
        // The elbow comes to rest again, and the shoulder still bears it.
        train.set("other.f_normalized", 3.0);
        train.step(0.5);
        assert_eq!([train.integer("one.mode"), train.integer("other.mode")], [0, 0]);
        assert!(train.real("elbow.w").abs() < 1e-9);
    }
}

/// A clutch between the axes of two joints: both fall at one speed, as one body.
#[test]
fn a_clutch_couples_two_mechanisms() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World
             one Revolute frame_a=world.frame_b
             other Revolute frame_a=world.frame_b
             heavy Body frame_a=one.frame_b r_CM[1]=0.5 m=2 I_11=0.1 I_22=0.1 I_33=0.1
             light Body frame_a=other.frame_b r_CM[1]=-0.3 m=1 I_11=0.2 I_22=0.2 I_33=0.2
             clutch Clutch flange_a=one.axis flange_b=other.axis fn_max=100 f_normalized=1",
        );
        train.step(0.2);
        assert_eq!(train.integer("clutch.mode"), 0);
        let phi = train.real("one.phi");
        let expected = -(2.0 * 0.5 - 0.3) * G * phi.cos() / (0.1 + 2.0 * 0.25 + 0.2 + 0.09);
        let [a, b] = ["one.a", "other.a"].map(|name| train.real(name));
        assert!((a - expected).abs() < 1e-8 && (b - expected).abs() < 1e-8, "{a} {b} {expected}");
        assert!(phi < -0.1);
    }
}

/// An arm on wheels without gravity that strikes a brake: what sticks takes the momentum of all that moves with it.
#[test]
fn sticking_keeps_the_momentum_about_the_other_joint() {
    let mut train = train(
        Interface::CoSimulation,
        "world World gravityType=NoGravity
         shoulder Revolute frame_a=world.frame_b w_start=2
         rod FixedTranslation frame_a=shoulder.frame_b r[1]=1
         elbow Revolute frame_a=rod.frame_b w_start=-1
         hand Body frame_a=elbow.frame_b r_CM[1]=0.5 m=1 I_11=0 I_22=0 I_33=0.1
         lock Brake flange_a=elbow.axis fn_max=5 f_normalized=1",
    );
    train.set_tolerance(1e-10);
    let momentum = |train: &mut Trial| {
        let (angle, w, w_rel) = (train.real("elbow.phi"), train.real("shoulder.w"), train.real("elbow.w"));
        // About the shoulder, of a point at (1 + 0.5 cos, 0.5 sin), turning with the sum of the speeds.
        let across = 1.0 + 0.25 + angle.cos();
        across * w + (0.25 + 0.5 * angle.cos()) * w_rel + 0.1 * (w + w_rel)
    };
    let begin = momentum(&mut train);
    for _ in 0..10 {
        train.step(0.1);
        assert!((momentum(&mut train) - begin).abs() < 1e-8, "{} {begin}", momentum(&mut train));
    }
    assert_eq!(train.integer("lock.mode"), 0);
}

/// With a motion given at its axis, a joint needs the torque that a pendulum of this motion does.
#[test]
fn a_given_motion_of_an_axis_takes_the_torque_of_the_mechanism() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World
             drive Position flange=crank.axis
             crank Revolute frame_a=world.frame_b
             rod BodyShape frame_a=crank.frame_b r[1]=0.6 r_CM[1]=0.2 m=2 I_11=0 I_22=0 I_33=0.05
             swing Revolute frame_a=rod.frame_b phi_start=0.3 w_start=-1
             bob Body frame_a=swing.frame_b r_CM[2]=-0.4 m=1.5 I_11=0 I_22=0 I_33=0.02",
        );
        let (phi, w, a) = (0.4, 1.7, -2.3);
        for (name, value) in [("drive.phi", phi), ("drive.w", w), ("drive.a", a)] {
            train.set(name, value);
        }
        let (phi_2, w_2, a_2) = (train.real("swing.phi"), train.real("swing.w"), train.real("swing.a"));
        // Planar, with complex numbers: motion of the two centers of mass.
        let turn = |angle: f64| (angle.cos(), angle.sin());
        let point = |length: f64, angle: f64, w: f64, a: f64| {
            let (cos, sin) = turn(angle);
            [length * (-a * sin - w * w * cos), length * (a * cos - w * w * sin)]
        };
        let end = point(0.6, phi, w, a);
        // The bob hangs at a right angle behind the swing.
        let angle = phi + phi_2 - std::f64::consts::FRAC_PI_2;
        let from_swing = point(0.4, angle, w + w_2, a + a_2);
        let force = [1.5 * (end[0] + from_swing[0]), 1.5 * (end[1] + from_swing[1] + G)];
        let cross = |length: f64, angle: f64, f: [f64; 2]| {
            let (cos, sin) = turn(angle);
            length * (cos * f[1] - sin * f[0])
        };
        let about_swing = 0.02 * (a + a_2) + cross(0.4, angle, force);
        assert!(about_swing.abs() < 1e-9, "the swing is free: {about_swing}");
        let about_crank =
            0.05 * a + 0.2 * 2.0 * 0.2 * a + 2.0 * G * 0.2 * phi.cos() + cross(0.6, phi, force) + about_swing;
        let found = train.real("drive.tau");
        assert!((found - about_crank).abs() < 1e-9, "{found} {about_crank}");
        assert!((train.real("crank.tau") - found).abs() < 1e-12);
    }
}

/// A gear ties two joints: one coordinate, with the inertia of a flywheel on the faster side.
#[test]
fn a_gear_ties_two_joints() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "world World
             slow Revolute frame_a=world.frame_b
             fast Revolute frame_a=world.frame_b
             arm Body frame_a=slow.frame_b r_CM[1]=0.5 m=2 I_11=0 I_22=0 I_33=0.1
             wheel Body frame_a=fast.frame_b m=1 I_11=0 I_22=0 I_33=0.02
             rotor Inertia J=0.03 flange_a=fast.axis
             gear IdealGear ratio=-5 flange_a=fast.axis flange_b=slow.axis",
        );
        train.step(0.1);
        let expected = -2.0 * 0.5 * G * train.real("slow.phi").cos() / (0.1 + 0.5 + 25.0 * 0.05);
        assert!((train.real("slow.a") - expected).abs() < 1e-8, "{}", train.real("slow.a"));
        assert!((train.real("rotor.w") + 5.0 * train.real("slow.w")).abs() < 1e-12);
        assert!(train.real("slow.w") < -0.1);
    }
}
