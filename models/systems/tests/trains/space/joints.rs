//! Joints of several coordinates beside the same in single joints, with closed forms, power, derivatives and messages.

use fmu_runtime::Trial;
use nalgebra::Vector3;

use super::derivatives::{by_inputs, by_parameters};
use super::refused::message;
use crate::fixture::{INTERFACES, train};

pub fn vector(train: &mut Trial, name: &str) -> Vector3<f64> {
    Vector3::from([1, 2, 3].map(|k| train.real(&format!("{name}[{k}]"))))
}

const BODY: &str = "frame_a=JOINT r_CM[1]=0.3 r_CM[2]=0.1 m=2 I_11=0.1 I_22=0.2 I_33=0.15 I_21=0.02";

/// A carrier that swings, so that the joint moves against a frame that turns.
const SWING: &str = "world World g=9.81 n[1]=0.3 n[2]=-1
    swing Revolute frame_a=world.frame_b n[1]=1 n[2]=0.2 w_start=1.5
    arm BodyShape frame_a=swing.frame_b r[2]=0.4 r_CM[2]=0.2 m=3 I_11=0.2 I_22=0.1 I_33=0.2
    push WorldForce frame_b=load.frame_a force[1]=3 force[3]=-2\n";

/// Compares names of one system with names of another one.
fn same(ours: &str, other: &str, names: &[[&str; 2]]) {
    for interface in INTERFACES {
        let mut both = [ours, other].map(|text| train(interface, text));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-10));
        for k in 0..=10 {
            let [ours, other] = &mut both;
            for [one, two] in names {
                let [found, expected] = [ours.real(one), other.real(two)];
                assert!((found - expected).abs() < 2e-8 * expected.abs().max(1.0), "{one} at {k}: {found} {expected}");
            }
            both.iter_mut().for_each(|train| train.step(0.1));
        }
    }
}

#[test]
fn a_cylindrical_joint_is_a_slide_and_a_turn() {
    let ours = format!(
        "{SWING}joint Cylindrical frame_a=arm.frame_b n[1]=1 n[2]=2 n[3]=-1 s_start=0.1 v_start=-0.4 phi_start=0.5 w_start=3
        load Body {}",
        BODY.replace("JOINT", "joint.frame_b")
    );
    let single = format!(
        "{SWING}slide Prismatic frame_a=arm.frame_b n[1]=1 n[2]=2 n[3]=-1 s_start=0.1 v_start=-0.4
        turn Revolute frame_a=slide.frame_b n[1]=1 n[2]=2 n[3]=-1 phi_start=0.5 w_start=3
        load Body {}",
        BODY.replace("JOINT", "turn.frame_b")
    );
    let names = [
        ["joint.s", "slide.s"],
        ["joint.v", "slide.v"],
        ["joint.a", "slide.a"],
        ["joint.phi", "turn.phi"],
        ["joint.w", "turn.w"],
        ["joint.wd", "turn.a"],
        ["joint.frame_a.f[2]", "slide.frame_a.f[2]"],
        ["joint.frame_a.t[3]", "slide.frame_a.t[3]"],
        ["joint.frame_b.t[1]", "turn.frame_b.t[1]"],
        ["load.r_0[3]", "load.r_0[3]"],
    ];
    same(&ours, &single, &names);
    // It bears neither a force nor a torque along its axis.
    let n = Vector3::new(1.0, 2.0, -1.0).normalize();
    let mut train = train(INTERFACES[0], &ours);
    train.step(0.3);
    for load in ["joint.frame_a.f", "joint.frame_a.t", "joint.frame_b.f", "joint.frame_b.t"] {
        assert!(vector(&mut train, load).dot(&n).abs() < 1e-9, "{load}");
    }
}

#[test]
fn a_planar_joint_is_two_slides_and_a_turn() {
    // What n_x has along n is left out.
    let ours = format!(
        "{SWING}joint Planar frame_a=arm.frame_b n[1]=1 n[2]=2 n[3]=2 n_x[1]=2 n_x[2]=-2 n_x[3]=-1 \
            s_x_start=0.1 v_x_start=-0.4 s_y_start=-0.2 v_y_start=0.7 phi_start=0.5 w_start=3
        load Body {}",
        BODY.replace("JOINT", "joint.frame_b")
    );
    // (2, -2, -1) + 4/9 (1, 2, 2), and the cross product of (1, 2, 2) with it.
    let single = format!(
        "{SWING}along Prismatic frame_a=arm.frame_b n[1]=22 n[2]=-10 n[3]=-1 s_start=0.1 v_start=-0.4
        across Prismatic frame_a=along.frame_b n[1]=18 n[2]=45 n[3]=-54 s_start=-0.2 v_start=0.7
        turn Revolute frame_a=across.frame_b n[1]=1 n[2]=2 n[3]=2 phi_start=0.5 w_start=3
        load Body {}",
        BODY.replace("JOINT", "turn.frame_b")
    );
    let names = [
        ["joint.s_x", "along.s"],
        ["joint.v_x", "along.v"],
        ["joint.a_x", "along.a"],
        ["joint.s_y", "across.s"],
        ["joint.v_y", "across.v"],
        ["joint.a_y", "across.a"],
        ["joint.phi", "turn.phi"],
        ["joint.w", "turn.w"],
        ["joint.wd", "turn.a"],
        ["joint.frame_a.t[2]", "along.frame_a.t[2]"],
        ["joint.frame_b.f[1]", "turn.frame_b.f[1]"],
    ];
    same(&ours, &single, &names);
}

/// A block on a slope: its center of mass slides along a parabola, and it turns evenly.
#[test]
fn a_block_slides_down_a_slope() {
    let slope: f64 = 0.3;
    let text = format!(
        "world World g=10 n[2]=0 n[3]=-1
        slope Planar frame_a=world.frame_b n[1]={:?} n[3]={:?} v_y_start=2 w_start=3
        block Body frame_a=slope.frame_b m=2 I_33=0.1",
        slope.sin(),
        slope.cos()
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for k in 1..=5 {
            train.step(0.2);
            let t = 0.2 * f64::from(k);
            let expected = [("s_x", 5.0 * slope.sin() * t * t), ("s_y", 2.0 * t), ("phi", 3.0 * t), ("w", 3.0)];
            for (name, expected) in expected {
                let found = train.real(&format!("slope.{name}"));
                assert!((found - expected).abs() < 1e-8, "{interface:?} {name} at {t}: {found} {expected}");
            }
            let normal = vector(&mut train, "slope.frame_b.f").dot(&Vector3::new(slope.sin(), 0.0, slope.cos()));
            assert!((normal + 20.0 * slope.cos()).abs() < 1e-9, "{normal}");
        }
    }
}

#[test]
fn a_planar_joint_can_start_at_rest_between_springs() {
    let text = "world World g=10
        joint Planar frame_a=world.frame_b steady=true
        block BodyShape frame_a=joint.frame_b r[1]=0.4 r_CM[1]=0.2 m=2
        left FixedTranslation frame_a=world.frame_b r[2]=1
        right FixedTranslation frame_a=world.frame_b r[1]=0.4 r[2]=1
        one MultiBody.Spring frame_a=left.frame_b frame_b=block.frame_a c=100 s_unstretched=0.8
        other MultiBody.Spring frame_a=right.frame_b frame_b=block.frame_b c=100 s_unstretched=0.8";
    let mut train = train(INTERFACES[0], text);
    // Half the weight stretches each spring by 0.1 m.
    for (name, expected) in [("s_x", 0.0), ("s_y", 0.1), ("phi", 0.0), ("v_y", 0.0), ("a_y", 0.0)] {
        let found = train.real(&format!("joint.{name}"));
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
}

const GEAR: &str = "world World g=9.81
    swing Revolute frame_a=world.frame_b n[1]=0.1 n[2]=0.4 w_start=1.5
    housing BodyShape frame_a=swing.frame_b r[2]=0.4 r_CM[2]=0.2 m=3 I_11=0.2 I_22=0.1 I_33=0.2
    gear GearConstraint bearing=housing.frame_b ratio=-3 n_a[1]=1 n_a[2]=1 n_b[1]=0 n_b[3]=2 r_a[1]=0.2 r_b[2]=-0.1 w_b_start=2
    fast Body frame_a=gear.frame_a r_CM[3]=0.1 m=0.5 I_11=0.02 I_22=0.01 I_33=0.03
    slow Body frame_a=gear.frame_b r_CM[1]=0.2 m=2 I_33=0.1
    motor MultiBody.Torque frame_a=housing.frame_b frame_b=fast.frame_a torque[1]=0.7 torque[2]=0.4";

#[test]
fn a_gear_constraint_is_two_hinges_and_a_gear() {
    let single = "world World g=9.81
        swing Revolute frame_a=world.frame_b n[1]=0.1 n[2]=0.4 w_start=1.5
        housing BodyShape frame_a=swing.frame_b r[2]=0.4 r_CM[2]=0.2 m=3 I_11=0.2 I_22=0.1 I_33=0.2
        to_a FixedTranslation frame_a=housing.frame_b r[1]=0.2
        to_b FixedTranslation frame_a=housing.frame_b r[1]=0 r[2]=-0.1
        a Revolute frame_a=to_a.frame_b n[1]=1 n[2]=1 n[3]=0
        b Revolute frame_a=to_b.frame_b w_start=2
        gear IdealGear ratio=-3 flange_a=a.axis flange_b=b.axis
        fast Body frame_a=a.frame_b r_CM[3]=0.1 m=0.5 I_11=0.02 I_22=0.01 I_33=0.03
        slow Body frame_a=b.frame_b r_CM[1]=0.2 m=2 I_33=0.1
        motor MultiBody.Torque frame_a=housing.frame_b frame_b=fast.frame_a torque[1]=0.7 torque[2]=0.4";
    let names = [
        ["gear.phi_b", "b.phi"],
        ["gear.w_b", "b.w"],
        ["gear.a_b", "b.a"],
        ["swing.phi", "swing.phi"],
        ["swing.a", "swing.a"],
        ["fast.w_a[3]", "fast.w_a[3]"],
        ["gear.frame_a.t[1]", "a.frame_b.t[1]"],
        ["gear.frame_b.f[2]", "b.frame_b.f[2]"],
    ];
    same(GEAR, single, &names);
}

/// No power is lost between the frames of a gear, and torques are in the ratio, whatever else it bears.
#[test]
fn a_gear_constraint_loses_no_power() {
    let mut train = train(INTERFACES[0], GEAR);
    let [a, b] = [Vector3::new(1.0, 1.0, 0.0).normalize(), Vector3::z()];
    for _ in 0..5 {
        train.step(0.1);
        let [at_a, at_b] = ["a", "b"].map(|frame| vector(&mut train, &format!("gear.frame_{frame}.t")));
        let sum = -3.0 * a.dot(&at_a) + b.dot(&at_b);
        assert!(sum.abs() < 1e-9 && at_a.norm() > 0.01, "{sum}");
    }
}

#[test]
fn derivatives_of_these_joints_are_those_of_differences() {
    let text = format!(
        "{GEAR}\nrail Cylindrical frame_a=slow.frame_a n[2]=1 v_start=0.3 w_start=1
        bead Body frame_a=rail.frame_b r_CM[1]=0.1 m=0.4 I_11=0.02 I_22=0.02 I_33=0.02
        table Planar frame_a=housing.frame_a n[1]=0.3 s_x_start=0.2 v_y_start=0.3 w_start=-1
        load Body frame_a=table.frame_b r_CM[2]=0.2 m=0.6 I_11=0.02 I_22=0.02 I_33=0.02
        push WorldForce frame_b=bead.frame_a force[1]=1 force[2]=2"
    );
    let outputs =
        ["gear.a_b", "swing.a", "rail.a", "rail.wd", "table.a_x", "table.a_y", "table.wd", "table.frame_a.t[1]"];
    let mut train = train(INTERFACES[1], &text);
    train.step(0.1);
    by_inputs(&mut train, &["push.force[1]", "motor.torque[2]"], &outputs);
    let parameters =
        ["gear.ratio", "gear.n_a[2]", "gear.r_b[1]", "rail.n[1]", "rail.v_start", "table.n[1]", "table.n_x[2]"];
    by_parameters(&text, &parameters, &outputs);
}

fn refused(part: &str) -> String {
    message(|| {
        train(INTERFACES[0], &format!("world World\n{part}\nload Body frame_a=joint.frame_b")).real("world.g");
    })
}

#[test]
fn axes_without_direction_and_ratios_of_0_are_refused() {
    #[rustfmt::skip]
    let cases = [
        ("joint Cylindrical frame_a=world.frame_b n[1]=0", "joint.n is [0.0, 0.0, 0.0], but must have a direction"),
        ("joint Planar frame_a=world.frame_b n[3]=0", "joint.n is [0.0, 0.0, 0.0], but must have a direction"),
        ("joint Planar frame_a=world.frame_b n_x[1]=0", "joint.n_x is [0.0, 0.0, 0.0], but must have a direction"),
        ("joint Planar frame_a=world.frame_b n_x[1]=0 n_x[3]=-2",
         "joint.n_x is [0.0, 0.0, -2.0], parallel to n = [0.0, 0.0, 1.0], but must have another direction"),
        ("joint GearConstraint bearing=world.frame_b ratio=0\nb Body frame_a=joint.frame_a",
         "joint.ratio is 0, but must be another number"),
        ("joint GearConstraint bearing=world.frame_b n_a[1]=0\nb Body frame_a=joint.frame_a",
         "joint.n_a is [0.0, 0.0, 0.0], but must have a direction"),
        ("joint GearConstraint bearing=world.frame_b n_b[1]=0\nb Body frame_a=joint.frame_a",
         "joint.n_b is [0.0, 0.0, 0.0], but must have a direction"),
    ];
    for (part, expected) in cases {
        let found = refused(part);
        assert!(found.contains(expected), "{part}: {found}");
    }
}
