//! Starts at rest where signals follow from the motion.

use crate::fixture::{INTERFACES, train};

/// Compares a start at rest with a controller to that with the spring that it replaces.
fn same(controlled: &str, spring: &str, names: &[&str]) {
    for interface in INTERFACES {
        let [mut one, mut other] = [controlled, spring].map(|text| train(interface, &format!("{text}\nsteady true")));
        for train in [&mut one, &mut other] {
            train.set_tolerance(1e-9);
        }
        for _ in 0..3 {
            for name in names {
                let (found, expected) = (one.real(name), other.real(name));
                assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{name}: {found} {expected}");
            }
            one.step(0.1);
            other.step(0.1);
        }
    }
}

/// A controlled torque holds an arm where a spring would, and where gravity and limits leave it.
#[test]
fn a_controller_holds_an_arm_at_rest() {
    let arm = |more: &str| {
        format!(
            "world World\nhinge Revolute frame_a=world.frame_b\nbody Body m=2 r_CM[1]=0.5 frame_a=hinge.frame_b\n{more}"
        )
    };
    let controlled = arm("angle AngleSensor flange=hinge.axis\nspeed SpeedSensor flange=hinge.axis
        sum Add k1=-60 k2=-2 u1=angle.phi u2=speed.w\nmotor Torque tau=sum.y flange=hinge.axis");
    let spring = arm("spring SpringDamper c=60 d=2 flange_a=hinge.support flange_b=hinge.axis");
    same(&controlled, &spring, &["hinge.phi", "hinge.w", "hinge.a", "hinge.tau"]);
    let limited = arm("angle AngleSensor flange=hinge.axis\nsum Gain k=-300 u=angle.phi\nlimit Limiter uMax=5 u=sum.y
        motor Torque tau=limit.y flange=hinge.axis");
    let mut train = train(INTERFACES[0], &format!("{limited}\nsteady true"));
    // Of 2 kg at 0.5 m only 5 N.m are held.
    let expected = -(5.0 / 9.80665_f64).acos();
    assert!((train.real("hinge.phi") - expected).abs() < 1e-9, "{} {expected}", train.real("hinge.phi"));
    assert_eq!(train.real("limit.y"), 5.0);
}

/// A chain of masses, of which one is held by a force from its position, and a force in space from that of a body.
#[test]
fn forces_from_positions_hold_masses_at_rest() {
    let chain = |more: &str| {
        format!(
            "one Mass m=1\nbetween Translational.Spring c=50 s_rel0=0.3 flange_a=one.flange_b flange_b=two.flange_a\ntwo Mass m=2
            weight ConstantForce f_constant=-20 flange=two.flange_b\n{more}"
        )
    };
    let controlled =
        chain("at PositionSensor flange=one.flange_a\nback Gain k=-80 u=at.s\nhold Force f=back.y flange=one.flange_a");
    let spring =
        chain("hold Translational.Spring c=80 flange_a=wall.flange flange_b=one.flange_a\nwall Translational.Fixed");
    same(&controlled, &spring, &["one.s", "two.s", "one.a", "two.v"]);
    let body = |more: &str| {
        format!(
            "world World\nslide Prismatic n[1]=0 n[2]=1 s_start=-0.5 frame_a=world.frame_b\nbody Body m=3 frame_a=slide.frame_b\n{more}"
        )
    };
    let controlled = body("at AbsolutePosition resolveInFrame=world frame_a=slide.frame_b\nback Gain k=-90 u=at.r[2]
        hold WorldForce frame_b=slide.frame_b force[2]=back.y\ncut CutForce frame_a=slide.frame_b frame_b=other.frame_a\nother Body m=1");
    let spring = body("hold MultiBody.Spring c=90 frame_a=world.frame_b frame_b=slide.frame_b\nfixed FixedTranslation frame_a=slide.frame_b
        other Body m=1 frame_a=fixed.frame_b");
    same(&controlled, &spring, &["slide.s", "slide.v", "slide.a"]);
}
