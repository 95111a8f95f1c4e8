//! Mechanisms described in two ways: joints from their other side, another order of parts, start values.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};

const ARM: &str = "world World
    shoulder Revolute frame_a=world.frame_b n[1]=1 n[2]=0 n[3]=1 w_start=1
    rod BodyShape frame_a=shoulder.frame_b r[1]=0.5 r_CM[1]=0.2 m=2 I_11=0.1 I_22=0.1 I_33=0.1
    slide Prismatic frame_a=rod.frame_b n[1]=0 n[2]=1 s_start=0.1 v_start=0.5
    hand Body frame_a=slide.frame_b r_CM[3]=0.3 m=1";

fn motion(train: &mut Trial) -> [f64; 6] {
    ["shoulder.phi", "shoulder.w", "slide.s", "slide.a", "hand.r_0[1]", "rod.frame_b.r_0[2]"]
        .map(|name| train.real(name))
}

/// With its frames exchanged, a joint turns or slides the other way round, with the same loads.
#[test]
fn joints_can_be_used_from_their_other_side() {
    let from_end = "world World
        shoulder Revolute frame_b=world.frame_b n[1]=-1 n[2]=0 n[3]=-1 w_start=1
        rod BodyShape frame_a=shoulder.frame_a r[1]=0.5 r_CM[1]=0.2 m=2 I_11=0.1 I_22=0.1 I_33=0.1
        slide Prismatic frame_b=rod.frame_b n[1]=0 n[2]=-1 s_start=0.1 v_start=0.5
        hand Body frame_a=slide.frame_a r_CM[3]=0.3 m=1";
    for interface in INTERFACES {
        let [mut one, mut other] = [ARM, from_end].map(|text| train(interface, text));
        for _ in 0..10 {
            for (found, expected) in motion(&mut one).into_iter().zip(motion(&mut other)) {
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
            for (near, far) in [("frame_a", "frame_b"), ("frame_b", "frame_a")] {
                for variable in ["f[1]", "f[2]", "t[1]", "t[3]"] {
                    let (found, expected) =
                        (one.real(&format!("slide.{near}.{variable}")), other.real(&format!("slide.{far}.{variable}")));
                    assert!((found - expected).abs() < 1e-8, "{variable}: {found} {expected}");
                }
            }
            one.step(0.05);
            other.step(0.05);
        }
    }
}

#[test]
fn the_order_of_parts_means_nothing() {
    let mut lines: Vec<_> = ARM.lines().collect();
    lines.reverse();
    let [mut one, mut other] = [ARM, &lines.join("\n")].map(|text| train(Interface::CoSimulation, text));
    for _ in 0..10 {
        for (found, expected) in motion(&mut one).into_iter().zip(motion(&mut other)) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        one.step(0.05);
        other.step(0.05);
    }
}

/// Joints at a frame at rest are those at the world, where it is.
#[test]
fn a_fixed_frame_is_a_translation_of_the_world() {
    let body = "swing Revolute frame_a=FRAME\nbody Body frame_a=swing.frame_b r_CM[1]=1";
    let fixed =
        "world World\npoint MultiBody.Fixed r[1]=2 r[2]=3\n".to_owned() + &body.replace("FRAME", "point.frame_b");
    let moved = "world World\npoint FixedTranslation frame_a=world.frame_b r[1]=2 r[2]=3\n".to_owned()
        + &body.replace("FRAME", "point.frame_b");
    let [mut one, mut other] = [fixed, moved].map(|text| train(Interface::CoSimulation, &text));
    for _ in 0..10 {
        for name in ["swing.phi", "body.r_0[1]", "body.r_0[2]", "body.v_0[1]"] {
            assert_eq!(one.real(name), other.real(name));
        }
        one.step(0.1);
        other.step(0.1);
    }
    assert_eq!([one.real("body.r_0[1]"), one.real("body.r_0[2]")], [2.0, 3.0]);
}

/// Enforced start values of joints that a gear ties together.
#[test]
fn start_values_of_joints_can_be_enforced() {
    let mut train = train(
        Interface::CoSimulation,
        "world World
         one Revolute frame_a=world.frame_b
         other Revolute frame_a=world.frame_b phi.initial=enforce w.initial=enforce phi=1.2 w=3
         gear IdealGear ratio=2 flange_a=one.axis flange_b=other.axis
         a Body frame_a=one.frame_b
         b Body frame_a=other.frame_b",
    );
    assert!((train.real("one.phi") - 2.4).abs() < 1e-12 && (train.real("one.w") - 6.0).abs() < 1e-12);
    assert!((train.real("other.phi") - 1.2).abs() < 1e-12);
}

/// Without joints nothing moves, but frames are where they are.
#[test]
fn a_mechanism_without_joints_stands_still() {
    let mut train = train(
        Interface::CoSimulation,
        "world World
         shelf FixedTranslation frame_a=world.frame_b r[2]=2
         box Body frame_a=shelf.frame_b
         wheel Inertia w_start=1
         drag Damper flange_a=wheel.flange_a flange_b=wall.flange d=1
         wall Fixed",
    );
    train.step(1.0);
    assert_eq!([train.real("box.r_0[2]"), train.real("box.v_0[2]")], [2.0, 0.0]);
    assert!((train.real("wheel.w") - f64::exp(-1.0)).abs() < 1e-5);
}
