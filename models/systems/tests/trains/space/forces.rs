//! Springs, dampers, forces and torques between frames.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use nalgebra::{Rotation3, Vector3};

use super::derivatives::{by_inputs, by_parameters};
use super::energy::{drift, of_body};
use crate::fixture::{INTERFACES, free, train};

/// Two bodies that fly freely, with a spring between their rims and one to the world.
#[test]
fn bodies_on_springs_keep_their_energy() {
    let text = free("one", "s_start=1;s_start=-0.5;s_start=0.2;w_start=1;w_start=2;w_start=-1")
        + &free("two", "s_start=-1 v_start=1;s_start=0.3;s_start=-0.6;w_start=-2;;phi_start=0.4")
        + "world World g=9.81
        first Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25
        rim FixedTranslation frame_a=first.frame_a r[1]=0.1 r[2]=0.2 r[3]=0.1
        second Body frame_a=two_about_z.frame_b m=1 I_11=0.2 I_22=0.15 I_33=0.1
        other_rim FixedTranslation frame_a=second.frame_a r[1]=-0.2 r[3]=0.1
        between MultiBody.Spring c=60 s_unstretched=0.7 frame_a=rim.frame_b frame_b=other_rim.frame_b
        top MultiBody.Fixed r[2]=2
        up MultiBody.Spring c=40 s_unstretched=0.5 frame_a=top.frame_b frame_b=first.frame_a
        up_too SpringDamperParallel c=40 s_unstretched=0.5 frame_a=second.frame_a frame_b=top.frame_b";
    let energy = |train: &mut Trial| {
        let gravity = [9.81, 0.0];
        let bodies = of_body(train, "first", [2.0, 0.1, 0.2, 0.25], gravity)
            + of_body(train, "second", [1.0, 0.2, 0.15, 0.1], gravity);
        let springs = [("between", 60.0, 0.7), ("up", 40.0, 0.5), ("up_too", 40.0, 0.5)];
        let stored: f64 = springs
            .into_iter()
            .map(|(name, c, relaxed)| 0.5 * c * (train.real(&format!("{name}.s")) - relaxed).powi(2))
            .sum();
        let heights = 9.81 * (2.0 * train.real("first.r_0[2]") + train.real("second.r_0[2]"));
        [bodies + stored, bodies - heights]
    };
    let drift = drift(&text, 1e-8, energy);
    assert!(drift < 1e-7, "{drift:e}");
}

/// Dampers between frames lose as much energy as the bodies.
#[test]
fn dampers_turn_energy_into_heat() {
    let text = free("one", "s_start=1 v_start=2;s_start=-0.5 v_start=1;s_start=0.2;w_start=1;w_start=2;w_start=-1")
        + "world World gravityType=NoGravity
        first Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25
        rim FixedTranslation frame_a=first.frame_a r[1]=0.1 r[2]=0.2 r[3]=0.1
        damper MultiBody.Damper d=3 frame_a=rim.frame_b frame_b=world.frame_b
        both SpringDamperParallel c=0 d=1.5 frame_a=world.frame_b frame_b=first.frame_a";
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        let energy = |train: &mut Trial| of_body(train, "first", [2.0, 0.1, 0.2, 0.25], [0.0, 0.0]);
        let loss = |train: &mut Trial| train.real("damper.lossPower") + train.real("both.lossPower");
        let (begin, h) = (energy(&mut train), 0.01);
        let (mut heat, mut last) = (0.0, loss(&mut train));
        for _ in 0..100 {
            // Simpson's rule.
            train.step(h / 2.0);
            let middle = loss(&mut train);
            train.step(h / 2.0);
            let end = loss(&mut train);
            heat += h / 6.0 * (last + 4.0 * middle + end);
            last = end;
        }
        let lost = begin - energy(&mut train);
        assert!(lost > 1.0 && (lost - heat).abs() < 1e-6 * begin, "{interface:?}: {lost} {heat}");
    }
}

/// A force between two bodies, and its reaction, change neither momentum nor angular momentum of both together.
#[test]
fn a_force_has_its_reaction() {
    for resolve in ["world", "frame_a", "frame_b"] {
        let text = free("one", "s_start=1;;;w_start=1;;w_start=-1")
            + &free("two", "s_start=-1;s_start=0.3;;;w_start=2;phi_start=0.4")
            + &format!(
                "world World gravityType=NoGravity
                first Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.1 I_33=0.1
                second Body frame_a=two_about_z.frame_b m=1 I_11=0.1 I_22=0.1 I_33=0.1
                load ForceAndTorque resolveInFrame={resolve} frame_a=first.frame_a frame_b=second.frame_a \
                    force[1]=1 force[2]=2 force[3]=-3 torque[1]=0.2 torque[3]=0.3"
            );
        let mut train = train(Interface::CoSimulation, &text);
        train.set_tolerance(1e-10);
        let momenta = |train: &mut Trial| {
            let mut sum = [Vector3::zeros(); 2];
            for (body, joints, m) in [("first", "one", 2.0), ("second", "two", 1.0)] {
                let angle = |train: &mut Trial, axis: &str| train.real(&format!("{joints}_about_{axis}.phi"));
                let axes = [("x", Vector3::x_axis()), ("y", Vector3::y_axis()), ("z", Vector3::z_axis())];
                let [x, y, z] = axes.map(|(name, axis)| Rotation3::from_axis_angle(&axis, angle(train, name)));
                let mut vector = |name: &str| Vector3::from_fn(|k, _| train.real(&format!("{body}.{name}[{}]", k + 1)));
                let [r, v, w] = ["r_0", "v_0", "w_a"].map(&mut vector);
                sum[0] += v * m;
                // All moments of inertia are 0.1.
                sum[1] += r.cross(&v) * m + x * y * z * w * 0.1;
            }
            sum
        };
        let begin = momenta(&mut train);
        train.step(0.5);
        let end = momenta(&mut train);
        for (begin, end) in begin.iter().zip(&end) {
            assert!((end - begin).norm() < 1e-8, "{resolve}: {begin} {end}");
        }
        assert!((train.real("second.v_0[1]")).abs() > 0.05, "it moves");
    }
}

const FORCES: &str = "world World g=9.81
    post Revolute frame_a=world.frame_b n[1]=1 n[2]=0 n[3]=1 phi_start=0.5 w_start=1.2
    arm BodyShape frame_a=post.frame_b r[1]=0.6 r_CM[1]=0.3 m=2 I_11=0.1 I_22=0.2 I_33=0.2
    hinge Revolute frame_a=arm.frame_b n[1]=0 n[2]=1 n[3]=0.3 w_start=-1
    hand Body frame_a=hinge.frame_b r_CM[3]=0.3 m=1 I_11=0.1 I_22=0.1 I_33=0.1
    hook FixedTranslation frame_a=hand.frame_a r[2]=0.1 r[3]=0.2
    wall MultiBody.Fixed r[1]=1 r[2]=1 r[3]=0.5
    spring SpringDamperParallel c=30 d=2 s_unstretched=0.3 frame_a=wall.frame_b frame_b=hook.frame_b
    motor WorldForceAndTorque frame_b=hook.frame_b force[1]=2 torque[2]=1
    push ForceAndTorque resolveInFrame=frame_a frame_a=arm.frame_b frame_b=hook.frame_b force[2]=3 torque[3]=-0.5";

#[test]
fn derivatives_are_those_of_differences() {
    let outputs = ["post.a", "hinge.a", "spring.f", "spring.v", "post.frame_a.t[2]", "hand.a_0[3]"];
    let mut model = train(Interface::ModelExchange, FORCES);
    model.step(0.1);
    by_inputs(&mut model, &["motor.force[1]", "motor.torque[2]", "push.force[2]", "push.torque[3]"], &outputs);
    let parameters =
        ["post.phi_start", "hinge.w_start", "spring.c", "spring.d", "spring.s_unstretched", "hook.r[2]", "wall.r[3]"];
    by_parameters(FORCES, &parameters, &outputs);
}

/// A body comes to rest where the springs bear its weight.
#[test]
fn a_body_rests_on_springs() {
    let mut text = free("one", ";s_start=0.1;;;;")
        + "world World g=9.81
        body Body frame_a=one_about_z.frame_b m=3 I_11=0.2 I_22=0.2 I_33=0.2
        steady true\n";
    for (i, [x, z]) in [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]].into_iter().enumerate() {
        text += &format!(
            "wall{i} MultiBody.Fixed r[1]={} r[2]=2 r[3]={z:?}
             corner{i} FixedTranslation frame_a=body.frame_a r[1]={x:?} r[2]=0.1 r[3]={z:?}
             rope{i} MultiBody.Spring c=200 s_unstretched=1.5 frame_a=wall{i}.frame_b frame_b=corner{i}.frame_b\n",
            2.0 * x
        );
    }
    let mut train = train(Interface::CoSimulation, &text);
    let weight = |train: &mut Trial| {
        (0..4)
            .map(|i| {
                train.real(&format!("rope{i}.f")) * (1.9 - train.real("body.r_0[2]"))
                    / train.real(&format!("rope{i}.s"))
            })
            .sum::<f64>()
    };
    assert!((weight(&mut train) - 3.0 * 9.81).abs() < 1e-6, "{}", weight(&mut train));
    let height = train.real("body.r_0[2]");
    train.step(1.0);
    assert!((train.real("body.r_0[2]") - height).abs() < 1e-6);
}

#[test]
#[should_panic = "\"spring\": frame_a and frame_b are at the same place, where its force has no direction; start values or the \
                  mechanism must keep them apart, at 0.0 s"]
fn a_spring_without_length_is_refused() {
    let text = "world World
        slide Prismatic frame_a=world.frame_b
        body Body frame_a=slide.frame_b
        spring MultiBody.Spring frame_a=world.frame_b frame_b=body.frame_a";
    train(Interface::CoSimulation, text).real("slide.s");
}

#[test]
#[should_panic = "\"spring\" acts at frame_b on nothing that is connected to the world: connect frame_b to a body, a joint, a \
                  rigid part or the World"]
fn a_spring_with_an_open_end_is_refused() {
    let text = "world World
        slide Prismatic frame_a=world.frame_b
        body Body frame_a=slide.frame_b
        spring MultiBody.Spring frame_a=body.frame_a";
    train(Interface::CoSimulation, text).real("slide.s");
}

/// A spring does not hold a body.
#[test]
#[should_panic = "\"push\" acts at frame_resolve on nothing that is connected to the world"]
fn signals_are_resolved_in_a_frame_that_is_connected() {
    let text = "world World
        slide Prismatic frame_a=world.frame_b
        body Body frame_a=slide.frame_b
        push WorldForce frame_b=body.frame_a resolveInFrame=frame_resolve";
    train(Interface::CoSimulation, text).real("slide.s");
}

#[test]
#[should_panic = "part \"push\": structure option \"resolveInFrame\" is \"frame_a\", but takes one of world, frame_b, frame_resolve"]
fn a_force_on_one_frame_knows_no_other_one() {
    train(Interface::CoSimulation, "world World\npush WorldForce frame_b=world.frame_b resolveInFrame=frame_a");
}
