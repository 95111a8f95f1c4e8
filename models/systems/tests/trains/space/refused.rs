//! Mechanisms that are refused.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

#[test]
#[should_panic = "\"joint\" is a part in space, which needs a part of type World: connect it to the frame_b of one"]
fn parts_in_space_need_a_world() {
    train(Interface::CoSimulation, "joint Revolute\nbody Body frame_a=joint.frame_b").real("joint.phi");
}

#[test]
#[should_panic = "\"other\" is a second World, but a system has only one"]
fn a_second_world_is_refused() {
    let text = "world World\njoint Revolute frame_a=world.frame_b\nother World\nbody Body frame_a=other.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "\"bar\" is not connected to the world: connect it to the frame_b of the World, through joints or rigid parts, or \
                  to a Body, which moves freely"]
fn a_part_apart_is_refused() {
    let text = "world World\njoint Revolute frame_a=world.frame_b\nbody Body frame_a=joint.frame_b
        bar FixedTranslation\nhinge Revolute frame_a=bar.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

/// Returns the message with which a system of these parts and a World is refused.
pub fn refusal(parts: &str) -> String {
    message(|| {
        train(Interface::CoSimulation, &format!("world World\n{parts}")).real("world.g");
    })
}

#[test]
fn a_free_body_needs_mass_and_moments_of_inertia() {
    for inertia in ["m=0", "I_11=0 I_22=0 I_33=0", "I_11=0 I_22=0 I_33=0 r_CM[1]=1"] {
        let message = refusal(&format!("arm Body {inertia}"));
        let expected = "\"arm\" can move without moving any inertia: a body that moves freely needs a mass and moments of inertia \
                        about all axes";
        assert!(message.contains(expected), "{message}");
    }
    let message = refusal("ball Spherical frame_a=world.frame_b\nrod Body I_11=0 r_CM[1]=1 frame_a=ball.frame_b");
    let expected = "\"ball\" can move without moving any inertia: what is behind it needs a mass and moments of inertia about all axes";
    assert!(message.contains(expected), "{message}");
}

/// The angles at the start, and start values of a body that a joint carries.
#[test]
fn start_values_that_cannot_be_are_refused() {
    let message = message(|| {
        let mut train = train(Interface::CoSimulation, "world World\nbody Body");
        train.set("body.sequence_start[2]", 1);
        train.real("body.r_0[1]");
    });
    let expected = "body.sequence_start is [1, 1, 3], but must be three of the axes 1, 2, 3 without equal neighbours";
    assert!(message.contains(expected), "{message}");
    let joint = "joint Revolute frame_a=world.frame_b\nbody Body frame_a=joint.frame_b";
    for (option, variable) in
        [("r_0.initial=guess", "r_0[1]"), ("v_0.initial=enforce", "v_0[1]"), ("steady=true", "v_0[1]")]
    {
        let message = refusal(&format!("{joint} {option}"));
        let expected = format!(
            "body.{variable} has a start value, but \"body\" does not move freely: its motion follows from the joints that carry \
             it, or from another body, so give their start values"
        );
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
#[should_panic = "joint.n_b is [-2.0, 0.0, 0.0], parallel to n_a = [1.0, 0.0, 0.0], but must have another direction, or use a Revolute"]
fn a_universal_joint_with_one_axis_is_refused() {
    let text = "world World
        joint Universal frame_a=world.frame_b n_b[1]=-2 n_b[2]=0
        body Body frame_a=joint.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi_a");
}

#[test]
fn a_loop_through_a_universal_joint_is_refused() {
    let message = refusal(
        "one Universal frame_a=world.frame_b
         rod BodyShape frame_a=one.frame_b r[1]=1
         two Universal frame_a=rod.frame_b frame_b=world.frame_b",
    );
    let expected = "\"one\", \"rod\" and \"two\" close a loop in which no joint can follow from the others: put a \
                    Revolute, Prismatic or Spherical into it, leave a joint out, or the part that closes the loop";
    assert!(message.contains(expected), "{message}");
}

/// An importer sets a quaternion that is no orientation.
#[test]
#[should_panic = "body.Q has length 0 or is not a number: any other quaternion is an orientation"]
fn a_quaternion_without_length_is_refused() {
    let mut train = train(Interface::ModelExchange, "world World\nbody Body");
    train.step(0.1);
    train.set_continuous_states(&[0.0; 13]);
    train.real("body.w_a[1]");
}

#[test]
#[should_panic = "\"first\", \"second\" and \"third\" hold each other in a circle without joints: leave one of them out"]
fn a_circle_of_rigid_parts_is_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        first FixedTranslation frame_a=joint.frame_b
        second FixedTranslation frame_a=first.frame_b
        third FixedTranslation frame_a=joint.frame_b frame_b=second.frame_b
        body Body frame_a=second.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "\"elbow\" can move without moving any inertia: what is behind it needs a mass away from its axis, or \
                  moments of inertia"]
fn a_joint_without_inertia_behind_it_is_refused() {
    let text = "world World
        shoulder Revolute frame_a=world.frame_b
        upper BodyShape frame_a=shoulder.frame_b r[1]=1
        elbow Revolute frame_a=upper.frame_b
        lower Body frame_a=elbow.frame_b m=0 I_11=0 I_22=0 I_33=0";
    train(Interface::CoSimulation, text).real("elbow.phi");
}

/// Two joints about the same axis turn the same body.
#[test]
#[should_panic = "\"outer\" and \"inner\" can move without moving any inertia, as two joints about the same axis turn \
                  against each other: leave one of them out, or put a body between them"]
fn axes_in_one_line_are_refused_without_inertia_between_them() {
    let text = "world World
        outer Revolute frame_a=world.frame_b
        inner Revolute frame_a=outer.frame_b
        body Body frame_a=inner.frame_b r_CM[1]=1";
    train(Interface::CoSimulation, text).real("outer.phi");
}

/// A gimbal of three joints whose middle one stands at 90 degrees, or gets there.
#[test]
fn a_gimbal_lock_is_named_with_its_joints() {
    let gimbal = "yaw Revolute frame_a=world.frame_b
        pitch Revolute frame_a=yaw.frame_b n[2]=1 n[3]=0 PITCH
        roll Revolute frame_a=pitch.frame_b n[1]=1 n[3]=0
        top Body frame_a=roll.frame_b I_11=1 I_22=2 I_33=3
        DRIVE";
    let at = |pitch: &str, drive: &str| gimbal.replace("PITCH", pitch).replace("DRIVE", drive);
    let expected = "so that \"yaw\" and \"roll\" turn about the same axis and can move without moving any inertia, at 0.0 s: put a \
                    Spherical in place of these joints, or bodies with moments of inertia between them";
    let started = refusal(&at(&format!("phi_start={:?}", std::f64::consts::FRAC_PI_2), ""));
    assert!(
        started.contains(&format!("gimbal lock: \"pitch\" is at {:?} rad, {expected}", std::f64::consts::FRAC_PI_2)),
        "{started}"
    );
    // A motor turns it there, and a ball must turn about an axis for which no joint is left.
    let driven = at("", "drive Speed flange=pitch.axis w=1\nmotor Torque flange=yaw.axis tau=1")
        .replace("I_22=2 I_33=3", "I_22=1 I_33=1");
    let mut train = train(Interface::CoSimulation, &format!("world World\n{driven}"));
    let reached = message(move || (0..20).for_each(|_| train.step(0.1)));
    assert!(reached.contains("gimbal lock: \"pitch\" is at 1.5") && reached.contains(", at 1.5"), "{reached}");
}

#[test]
#[should_panic = "body.I_11 to I_32 make an inertia tensor with the principal moment -0.999 kg.m2, but none can be negative"]
fn a_negative_moment_of_inertia_is_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        body Body frame_a=joint.frame_b I_21=1";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "joint.n is [0.0, 0.0, 0.0], but must have a direction"]
fn an_axis_without_direction_is_refused() {
    let text = "world World\njoint Revolute frame_a=world.frame_b n[3]=0\nbody Body frame_a=joint.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "bend.n_y is [0.3, 0.6, 0.9], parallel to n_x = [0.1, 0.2, 0.3], but must have another direction"]
fn two_directions_that_are_one_but_for_rounding_are_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        bend FixedRotation frame_a=joint.frame_b rotationType=TwoAxesVectors \
            n_x[1]=0.1 n_x[2]=0.2 n_x[3]=0.3 n_y[1]=0.3 n_y[2]=0.6 n_y[3]=0.9
        body Body frame_a=bend.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "\"wall\" fixes a frame that is already fixed: connect it elsewhere or leave it out"]
fn a_frame_at_rest_is_held_once() {
    let text = "world World\nwall MultiBody.Fixed frame_b=world.frame_b\nbody Body frame_a=wall.frame_b";
    train(Interface::CoSimulation, text).real("body.frame_a.r_0[1]");
}

#[test]
#[should_panic = "bend.n_y is [1.0, 0.0, 0.0], parallel to n_x = [1.0, 0.0, 0.0], but must have another direction"]
fn two_directions_that_are_one_are_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        bend FixedRotation frame_a=joint.frame_b rotationType=TwoAxesVectors n_y[1]=1 n_y[2]=0
        body Body frame_a=bend.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

/// A body in the origin, which two joints carry through it.
#[test]
#[should_panic = "\"body\" has its center of mass in the origin of the world, towards which PointGravity pulls without limit, \
                  at 0.0 s"]
fn a_body_in_the_center_of_gravity_is_refused() {
    let text = "world World gravityType=PointGravity mue=10
        x Prismatic frame_a=world.frame_b
        body Body frame_a=x.frame_b";
    train(Interface::CoSimulation, text).real("x.s");
}

const CRANK: &str = "world World
    bearing Revolute frame_a=world.frame_b w_start=3
    web BodyShape frame_a=bearing.frame_b r[1]=0.1\n";

/// Returns the message with which a call fails.
pub fn message(call: impl FnOnce()) -> String {
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).expect_err("refused");
    refused.downcast_ref::<String>().expect("a message").clone()
}

fn closed(rod: &str) -> fmu_runtime::Trial {
    train(Interface::CoSimulation, &(CRANK.to_owned() + rod))
}

#[test]
#[should_panic = "\"rod\" is connected to the world at frame_a, but not at frame_b: an assembly closes a loop, so both need a way \
                  to the world through other joints or rigid parts"]
fn an_assembly_with_an_open_end_is_refused() {
    closed("rod JointRRP frame_a=web.frame_b\npiston Body frame_a=rod.frame_im").real("rod.s");
}

#[test]
#[should_panic = "\"rod\" is not connected to the world"]
fn an_assembly_apart_is_refused() {
    closed("bar FixedTranslation frame_b=rod.frame_b\nrod JointRRP\npiston Body frame_a=rod.frame_im").real("rod.s");
}

#[test]
#[should_panic = "frame_a and frame_b of \"rod\" are rigidly connected, so nothing in this assembly can move: put a joint between \
                  them"]
fn an_assembly_with_rigid_ends_is_refused() {
    closed("rod JointRRP frame_a=web.frame_b frame_b=web.frame_a").real("rod.s");
}

#[test]
#[should_panic = "\"rod\" closes a loop in which no joint can follow from the others"]
fn an_inner_frame_that_is_held_elsewhere_is_refused() {
    closed("rod JointRRP frame_a=web.frame_b frame_b=world.frame_b\nwall MultiBody.Fixed frame_b=rod.frame_im")
        .real("rod.s");
}

#[test]
#[should_panic = "\"rod\": rod 1 cannot close the loop: it is 1.0 m long, but the distance between its ends is at least 2.0 m: 1.0 m \
                  are missing, at 0.0 s"]
fn a_rod_that_is_too_short_is_refused() {
    let text = "wall MultiBody.Fixed r[2]=2\nrod JointRRP frame_a=web.frame_b frame_b=wall.frame_b";
    closed(text).real("rod.s");
}

#[test]
#[should_panic = "rod.n_b must be perpendicular to n_a, but the angle between them is 45.0"]
fn an_axis_out_of_the_plane_is_refused() {
    closed("rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=-1 n_b[3]=1").real("rod.s");
}

#[test]
#[should_panic = "rod.rRod1_ia is [0.0, 0.0, 1.0], parallel to n_a, but must have a perpendicular component"]
fn a_rod_along_its_axis_is_refused() {
    let rod = "rod JointRRR frame_a=web.frame_b frame_b=world.frame_b rRod1_ia[1]=0 rRod1_ia[3]=1";
    closed(rod).real("rod.phi");
}

/// The rod stands across the axis of the piston once the crank is at 60 degrees.
#[test]
fn a_singular_position_while_it_runs_is_an_error() {
    let text = "world World gravityType=NoGravity
        bearing Revolute frame_a=world.frame_b
        web BodyShape frame_a=bearing.frame_b r[1]=0.2
        rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.1732050807568877 rRod2_ib[1]=0 s_guess=1
        drive Speed flange=bearing.axis w=1
        piston Body frame_a=rod.frame_im";
    let mut train = train(Interface::CoSimulation, text);
    train.step(1.0);
    let message = message(move || train.step(0.1));
    assert!(message.contains("\"rod\": "), "{message}");
    assert!(message.contains(", at 1.04"), "{message}");
}

/// Parts at the axis of an assembly that cannot be there are refused.
#[test]
fn what_is_at_the_axis_of_an_assembly_must_let_it_move() {
    let rod = "rod JointRRP frame_a=web.frame_b frame_b=world.frame_b\n";
    for (part, expected) in [
        (
            "mass Mass flange_a=rod.axis v.initial=guess v=3",
            "mass.v has a start value, but \"mass\" moves with the axis of \"rod\", whose motion follows from that of the \
             mechanism: give start values of joints",
        ),
        (
            "mass Mass flange_a=rod.axis steady=true",
            "mass.v has a start value, but \"mass\" moves with the axis of \"rod\"",
        ),
        (
            "drive Translational.Position flange=rod.axis",
            "the motion at the axis of \"rod\" follows from that of the mechanism, and cannot be given or tied to another one: put \
             a spring between, or give the motion of a joint",
        ),
        (
            "rack IdealGearR2T flangeT=rod.axis flangeR=bearing.axis",
            "\"bearing\" is tied to the axis of \"rod\", whose motion follows from that of the mechanism: put a spring between them",
        ),
    ] {
        let message = message(|| {
            closed(&format!("{rod}{part}")).real("rod.s");
        });
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
#[should_panic = "rod.mslRodForce is true, but must be false in a system: forces would not be balanced, and with them the mass \
                  matrix of the mechanism not symmetric"]
fn the_rod_force_of_the_library_is_refused() {
    let mut train = closed("rod JointSSP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 n_b[3]=0 rRod2_ib[1]=0");
    train.set("rod.mslRodForce", true);
    train.real("rod.s");
}

/// The message names the parameter that keeps the loop from closing.
#[test]
#[should_panic = "rod.rRod2_ib is [0.0, 0.0, 0.5], parallel to n_b, but must have a perpendicular component"]
fn a_second_rod_along_the_axes_is_refused() {
    let rod = "rod JointRRR frame_a=web.frame_b frame_b=world.frame_b rRod2_ib[1]=0 rRod2_ib[3]=0.5";
    closed(rod).real("rod.phi");
}

/// The squares of these lengths would be 0 or infinite.
#[test]
fn directions_can_have_any_length() {
    let rod = |length: f64| {
        format!(
            "rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_a[3]={length:e} n_b[1]={length:e} rRod2_ib[1]=0
             piston Body frame_a=rod.frame_im"
        )
    };
    let expected = closed(&rod(1.0)).real("bearing.a");
    for length in [1e-170, 1e170] {
        assert!((closed(&rod(length)).real("bearing.a") - expected).abs() < 1e-12);
    }
}

/// A crank moves freely: the piston pushes it against the dead centre, and holds it there.
#[test]
fn a_dead_centre_that_holds_a_mechanism_ends_it() {
    let text = "world World gravityType=NoGravity
        bearing Revolute frame_a=world.frame_b w_start=5
        web BodyShape frame_a=bearing.frame_b r[1]=0.2
        rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.1732050807568877 rRod2_ib[1]=0 s_guess=1
        piston Body frame_a=rod.frame_im";
    for tolerance in [1e-6, 1e-9] {
        let mut train = train(Interface::CoSimulation, text);
        train.set_tolerance(tolerance);
        let message = message(move || (0..20).for_each(|_| train.step(0.1)));
        assert!(message.contains("\"rod\": dead centre, where both configurations meet"), "{message}");
        let time: f64 =
            message.rsplit_once(", at ").and_then(|(_, time)| time.split_once(" s")).unwrap().0.parse().unwrap();
        // A dead centre begins where the root is a millionth of the rod.
        assert!((time - dead_centre()).abs() < 2e-6 + 50.0 * tolerance, "{time} {}", dead_centre());
    }
}

/// Returns the time when the crank is at 60 degrees, where the rod stands across the axis: its velocity is that of the
/// energy (0.001 + x'^2) w^2 / 2, with the piston at x = 0.2 cos(phi) + sqrt(0.03 - (0.2 sin(phi))^2). With sin(phi) =
/// sqrt(3)/2 sin(u) the integral of the time has no pole.
fn dead_centre() -> f64 {
    let rate = |u: f64| {
        let sin = 0.75_f64.sqrt() * u.sin();
        let cos = (1.0 - sin * sin).sqrt();
        let slope = 0.2 * sin * u.cos() + 0.04 * sin * cos / 0.03_f64.sqrt();
        (0.001 * u.cos().powi(2) + slope * slope).sqrt() * 0.75_f64.sqrt() / cos
    };
    // Simpson's rule.
    let h = std::f64::consts::FRAC_PI_2 / 2000.0;
    let sum: f64 =
        (0..1000).map(|k| 2.0 * h * f64::from(k)).map(|u| rate(u) + 4.0 * rate(u + h) + rate(u + 2.0 * h)).sum();
    sum * h / 3.0 / 0.001_f64.sqrt() / 5.0
}

/// A loop that is not in a plane.
#[test]
fn rods_of_a_planar_loop_end_in_one_plane() {
    for (assembly, other) in [("JointRRP", "JointUSP"), ("JointRRR", "JointUSR")] {
        let text = format!("wall MultiBody.Fixed r[3]=0.25\nrod {assembly} frame_a=web.frame_b frame_b=wall.frame_b");
        let message = message(|| {
            closed(&text).real("rod.f_rod");
        });
        let expected = format!(
            "rod.rRod1_ia and rRod2_ib end 0.25 m apart along n_a, but must end in one plane: move frame_a or frame_b along n_a, \
             or put a {other} in place of this assembly"
        );
        assert!(message.contains(&expected), "{message}");
    }
}

/// A crank about another axis than the assembly, which rests at the start, and a slide out of the plane.
#[test]
fn a_planar_loop_has_parallel_axes() {
    for (assembly, other) in [("JointRRP", "JointUSP"), ("JointRRR", "JointUSR")] {
        for joint in ["Revolute n[2]=0.2", "Prismatic n[3]=0.3"] {
            let text = format!(
                "world World
                 crank {joint} frame_a=world.frame_b
                 web BodyShape frame_a=crank.frame_b r[1]=0.1
                 ground FixedTranslation frame_a=world.frame_b r[1]=0.6 r[2]=0.2
                 rod {assembly} frame_a=web.frame_b frame_b=ground.frame_b
                 end Body frame_a=rod.frame_ib"
            );
            let message = message(|| {
                train(Interface::CoSimulation, &text).real("rod.f_rod");
            });
            let expected = format!(
                "rod.n_a is not the axis about which frame_b can turn against frame_a, or frame_b can leave the plane across it: \
                 make the axes of all revolute joints of the loop parallel to n_a and slides perpendicular to it, or put a {other} \
                 in place of this assembly"
            );
            assert!(message.contains(&expected), "{message}");
        }
    }
}
