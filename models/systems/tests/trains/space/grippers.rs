//! Grippers between frames of a mechanism.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use gripper::Gripper;

use super::derivatives::{by_inputs, by_parameters};
use crate::fixture::{INTERFACES, train};

const ON: i32 = 1;
const ON2OFF: i32 = 2;
const OFF: i32 = 3;
const OFF2ON: i32 = 4;

/// Makes a body of 2 kg on a slide, which a gripper without damping can hold at the world.
fn slide(interface: Interface, start: &str, options: &str) -> Trial {
    let text = format!(
        "world World gravityType=NoGravity
         slide Prismatic frame_a=world.frame_b {start}
         body Body m=2 frame_a=slide.frame_b
         grip Gripper frame_a=world.frame_b frame_b=body.frame_a cT=800 dT=0 {options}"
    );
    let mut train = train(interface, &text);
    train.set_tolerance(1e-10);
    train
}

/// Angular frequency sqrt(cT / m), in rad/s.
const OMEGA: f64 = 20.0;

#[test]
fn what_is_held_swings_and_what_is_let_go_flies_on() {
    for interface in INTERFACES {
        let mut train = slide(interface, "s_start=0.1", "T=0");
        train.set("grip.active", true);
        for k in 1..=10 {
            train.step(0.05);
            let t = 0.05 * f64::from(k);
            let expected = 0.1 * (OMEGA * t).cos();
            assert!((train.real("slide.s") - expected).abs() < 1e-7, "{interface:?} {t}");
            assert!((train.real("grip.frame_a.f[1]") + 800.0 * train.real("slide.s")).abs() < 1e-9);
            assert_eq!(train.integer("grip.state"), ON);
        }
        let (s, v) = (train.real("slide.s"), train.real("slide.v"));
        train.set("grip.active", false);
        train.step(0.2);
        assert_eq!(train.integer("grip.state"), OFF);
        assert!((train.real("slide.s") - (s + 0.2 * v)).abs() < 1e-9, "{interface:?}");
        assert!(train.real("slide.v") == v && train.real("grip.frame_b.f[1]") == 0.0);
    }
}

/// The gripper closes where the body is then, at once and between communication points: the level of its signal rises.
#[test]
fn a_level_closes_the_gripper_inside_a_step() {
    let mut train = slide(Interface::CoSimulation, "v_start=0.4", "T=0 useActiveLevel=true activeLevel=0.2");
    train.set("grip.useInPlace", true);
    train.set_derivatives("grip.activeLevel", &[1.0]);
    train.step(0.5);
    let expected = 0.4 * 0.3 + 0.4 / OMEGA * (OMEGA * 0.2).sin();
    assert!((train.real("slide.s") - expected).abs() < 1e-7, "{} {expected}", train.real("slide.s"));
    assert_eq!(train.integer("grip.state"), ON);
}

/// A heavy body hardly moves while the gripper opens and closes: half of its force acts in the mean.
#[test]
fn a_ramp_gives_half_of_the_impulse() {
    for interface in INTERFACES {
        let mut train = slide(interface, "s_start=0.1", "T=0.04");
        train.set("body.m", 1e6);
        train.set("grip.active", true);
        train.step(0.1);
        let (force, mass) = (800.0 * 0.1, 1e6);
        let expect = |train: &mut Trial, time: f64| {
            let v = train.real("slide.v");
            assert!((v + force * time / mass).abs() < 1e-5 * force / mass, "{interface:?}: {v} {time}");
        };
        expect(&mut train, 0.1);
        train.set("grip.active", false);
        train.step(0.03);
        // A quarter of the force is left.
        assert_eq!(train.integer("grip.state"), ON2OFF);
        assert!((train.real("grip.onoff") - 0.25).abs() < 1e-12);
        expect(&mut train, 0.1 + 0.03 * (1.0 + 0.25) / 2.0);
        // A request inside a ramp takes effect when the ramp ends.
        train.set("grip.active", true);
        train.step(0.03);
        assert_eq!(train.integer("grip.state"), OFF2ON);
        assert!((train.real("grip.onoff") - 0.5).abs() < 1e-12);
        expect(&mut train, 0.1 + 0.02 + 0.02 * 0.5 / 2.0);
        train.step(0.1);
        assert_eq!(train.integer("grip.state"), ON);
        expect(&mut train, 0.1 + 0.02 + 0.02 + 0.08);
    }
}

/// An arm with a gripper that picks a free body up from the air.
const PICK: &str = "world World g=9.81
    post Revolute frame_a=world.frame_b n[2]=1 w_start=0.5
    arm BodyShape frame_a=post.frame_b r[1]=0.6 r_CM[1]=0.3 m=2 I_11=0.1 I_22=0.2 I_33=0.2
    body Body m=1 r_CM[1]=0.05 I_11=0.01 I_22=0.02 I_33=0.015 r_0_start[1]=0.65 r_0_start[2]=0.02 angles_start[1]=0.2 \
        w_0_start[2]=1
    grip Gripper frame_a=arm.frame_b frame_b=body.frame_a T=0.03 cT=2000 dT=20 cR=30 dR=0.3
    motor WorldForceAndTorque frame_b=body.frame_a";

/// A hand and a body that fly past each other; the one takes the other along.
const FLYING: &str = "world World g=9.81
    hand Body m=5 I_11=0.1 I_22=0.2 I_33=0.2 r_0_start[1]=0.6 angles_start[3]=0.4 v_0_start[1]=0.3 w_0_start[1]=1 w_0_start[2]=-2
    body Body m=1 r_CM[1]=0.05 I_11=0.01 I_22=0.02 I_33=0.015 r_0_start[1]=0.65 r_0_start[2]=0.02 angles_start[1]=0.2 \
        w_0_start[2]=1
    grip Gripper frame_a=hand.frame_a frame_b=body.frame_a T=0.03 cT=2000 dT=20 cR=30 dR=0.3";

/// The component between frames that move in the same way has the same states and loads.
#[test]
fn the_part_does_what_the_component_does() {
    for interface in INTERFACES {
        let mut train = train(interface, FLYING);
        let mut component = Trial::new::<Gripper<f64>>(&[("orientation", "quaternion")]);
        let parameters = [("T", 0.03), ("cT", 2000.0), ("dT", 20.0), ("cR", 30.0), ("dR", 0.3)];
        parameters.iter().for_each(|(name, value)| component.set(name, *value));
        for name in ["useMoment", "useInPlace"] {
            component.set(name, true);
            train.set(&format!("grip.{name}"), true);
        }
        let mut states = Vec::new();
        for k in 0..60 {
            let active = (5..30).contains(&k) || k >= 31;
            train.set("grip.active", active);
            frames(&mut train).iter().for_each(|(name, value)| component.set(name, *value));
            component.set("active", active);
            train.step(0.005);
            component.step(0.005);
            frames(&mut train).iter().for_each(|(name, value)| component.set(name, *value));
            let state = train.integer("grip.state");
            // In Model Exchange a step ends with the events there, in Co-Simulation the next one begins with them.
            let both = [state, component.integer("state")];
            let is_end = [[OFF2ON, ON], [ON2OFF, OFF]].contains(&both);
            assert!(is_end || both[0] == both[1], "{interface:?} {k}: {both:?}");
            states.push(state);
            for load in ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t"] {
                for i in 1..=3 {
                    let (one, other) =
                        (train.real(&format!("grip.{load}[{i}]")), component.real(&format!("{load}[{i}]")));
                    assert!((one - other).abs() < 1e-9 * one.abs().max(1.0), "{k} {load}[{i}]: {one} {other}");
                }
            }
        }
        states.dedup();
        assert_eq!(states, [OFF, OFF2ON, ON, ON2OFF, OFF2ON, ON], "{interface:?}");
    }
}

/// Returns the motion of both frames, by the names of the component's inputs.
fn frames(train: &mut Trial) -> Vec<(String, f64)> {
    let mut values = Vec::new();
    for (own, body) in [("frame_a", "hand"), ("frame_b", "body")] {
        let q = [1, 2, 3, 4].map(|i| train.real(&format!("{body}.Q[{i}]")));
        let length = q.iter().map(|q| q * q).sum::<f64>().sqrt();
        values.extend((1..).zip(q).map(|(i, q)| (format!("{own}.Q[{i}]"), q / length)));
        for (to, from) in [("r_0", "r_0"), ("v_0", "v_0"), ("R.w", "w_a")] {
            let of = |i| (format!("{own}.{to}[{i}]"), train.real(&format!("{body}.{from}[{i}]")));
            values.extend([1, 2, 3].map(of));
        }
    }
    values
}

/// The springs bear the weight, where the gripper holds from the start on.
#[test]
fn a_held_body_starts_at_rest() {
    let text = "world World
        lift Prismatic frame_a=world.frame_b n[1]=0 n[2]=1
        body Body m=2 frame_a=lift.frame_b
        grip Gripper frame_a=world.frame_b frame_b=body.frame_a cT=800
        steady true";
    let mut train = train(Interface::CoSimulation, text);
    train.set("grip.active", true);
    let expected = -2.0 * 9.80665 / 800.0;
    assert!((train.real("lift.s") - expected).abs() < 1e-12, "{}", train.real("lift.s"));
    train.step(0.5);
    assert!((train.real("lift.s") - expected).abs() < 1e-9);
}

#[test]
fn derivatives_are_those_of_differences() {
    let outputs = ["post.a", "body.a_0[2]", "grip.frame_a.f[2]", "grip.frame_b.t[1]", "grip.lossPower"];
    let text = PICK.to_owned()
        + "\nholder Gripper useActiveLevel=true activeLevel=1 frame_a=world.frame_b frame_b=body.frame_a cT=300";
    let mut model = train(Interface::ModelExchange, &text);
    model.set("grip.active", true);
    model.step(0.01);
    by_inputs(&mut model, &["motor.force[1]", "motor.torque[2]"], &outputs);
    let parameters = ["post.w_start", "holder.cT", "holder.dT", "arm.r[1]", "body.m"];
    by_parameters(&text, &parameters, &["post.a", "body.a_0[2]", "holder.frame_a.f[2]", "holder.lossPower"]);
}

#[test]
#[should_panic = "unknown structure option \"orientation\""]
fn the_orientation_of_frames_is_that_of_the_mechanism() {
    slide(Interface::CoSimulation, "", "orientation=quaternion");
}
