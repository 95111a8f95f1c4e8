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
#[should_panic = "\"body\" is not connected to the world: connect it to the frame_b of the World, through joints or rigid parts"]
fn a_body_apart_is_refused() {
    let text =
        "world World\njoint Revolute frame_a=world.frame_b\nbody Body\nbar FixedTranslation frame_a=body.frame_a";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "\"one\", \"crank\", \"two\", \"rod\", \"three\", \"rocker\" and \"four\" close a loop, in which not \
                  every joint can move on its own: where axes are parallel, the assembly JointRRR takes the place of three \
                  Revolute joints, but systems have no assemblies yet"]
fn a_loop_of_revolute_joints_is_refused() {
    let text = "world World
        one Revolute frame_a=world.frame_b
        crank BodyShape frame_a=one.frame_b r[2]=0.2
        two Revolute frame_a=crank.frame_b
        rod BodyShape frame_a=two.frame_b r[1]=1
        three Revolute frame_a=rod.frame_b
        rocker BodyShape frame_a=three.frame_b r[2]=-0.5
        four Revolute frame_a=rocker.frame_b frame_b=world.frame_b";
    train(Interface::CoSimulation, text).real("one.phi");
}

#[test]
#[should_panic = "the assembly JointRRP takes the place of two Revolute joints and a Prismatic one"]
fn a_loop_with_a_prismatic_joint_is_refused() {
    let text = "world World
        one Revolute frame_a=world.frame_b
        crank BodyShape frame_a=one.frame_b r[2]=0.2
        two Revolute frame_a=crank.frame_b
        rod BodyShape frame_a=two.frame_b r[1]=1
        three Revolute frame_a=rod.frame_b
        four Prismatic frame_a=world.frame_b frame_b=three.frame_b";
    train(Interface::CoSimulation, text).real("one.phi");
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
#[should_panic = "\"elbow\" can move without moving any inertia, alone or together with other joints: what is behind it needs a \
                  mass away from its axis, or moments of inertia"]
fn a_joint_without_inertia_behind_it_is_refused() {
    let text = "world World
        shoulder Revolute frame_a=world.frame_b
        upper BodyShape frame_a=shoulder.frame_b r[1]=1
        elbow Revolute frame_a=upper.frame_b
        lower Body frame_a=elbow.frame_b m=0 I_11=0 I_22=0 I_33=0";
    train(Interface::CoSimulation, text).real("elbow.phi");
}

/// Both turn the same.
#[test]
#[should_panic = "can move without moving any inertia, alone or together with other joints"]
fn axes_in_one_line_are_refused_without_inertia_between_them() {
    let text = "world World
        outer Revolute frame_a=world.frame_b
        inner Revolute frame_a=outer.frame_b
        body Body frame_a=inner.frame_b r_CM[1]=1";
    train(Interface::CoSimulation, text).real("outer.phi");
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
#[should_panic = "joint.n is {0, 0, 0}, but must have a direction"]
fn an_axis_without_direction_is_refused() {
    let text = "world World\njoint Revolute frame_a=world.frame_b n[3]=0\nbody Body frame_a=joint.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "bend.n_y is {0.3, 0.6, 0.9}, parallel to n_x = {0.1, 0.2, 0.3}, but must have another direction"]
fn two_directions_that_are_one_but_for_rounding_are_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        bend FixedRotation frame_a=joint.frame_b rotationType=TwoAxesVectors \
            n_x[1]=0.1 n_x[2]=0.2 n_x[3]=0.3 n_y[1]=0.3 n_y[2]=0.6 n_y[3]=0.9
        body Body frame_a=bend.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}

#[test]
#[should_panic = "\"wall\" holds a frame that already stands still: connect it elsewhere or leave it out"]
fn a_frame_at_rest_is_held_once() {
    let text = "world World\nwall MultiBody.Fixed frame_b=world.frame_b\nbody Body frame_a=wall.frame_b";
    train(Interface::CoSimulation, text).real("body.frame_a.r_0[1]");
}

#[test]
#[should_panic = "bend.n_y is {1, 0, 0}, parallel to n_x = {1, 0, 0}, but must have another direction"]
fn two_directions_that_are_one_are_refused() {
    let text = "world World
        joint Revolute frame_a=world.frame_b
        bend FixedRotation frame_a=joint.frame_b rotationType=TwoAxesVectors n_y[1]=1 n_y[2]=0
        body Body frame_a=bend.frame_b";
    train(Interface::CoSimulation, text).real("joint.phi");
}
