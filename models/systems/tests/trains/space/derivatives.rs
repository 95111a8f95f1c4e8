//! Exact derivatives of mechanisms against differences.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

const ROBOT: &str = "world World g=9.81 n[1]=0.2 n[2]=-1
    base Revolute frame_a=world.frame_b n[1]=0 n[2]=1 n[3]=0.1 phi_start=0.3 w_start=1.1
    lift Prismatic frame_a=base.frame_b n[1]=0.2 n[2]=1 s_start=0.4 v_start=-0.5
    tilt FixedRotation frame_a=lift.frame_b r[1]=0.3 n[1]=1 n[2]=0.4 angle=35
    arm Revolute frame_a=tilt.frame_b phi_start=-0.8 w_start=2.0
    upper BodyShape frame_a=arm.frame_b r[1]=0.7 r_CM[1]=0.3 r_CM[3]=0.1 m=3 I_11=0.1 I_22=0.2 I_33=0.15 I_21=0.02
    hand Revolute frame_b=upper.frame_b n[1]=1 n[2]=1 n[3]=0 w_start=-1.5
    tool Body frame_a=hand.frame_a r_CM[2]=0.25 m=1.2 I_11=0.03 I_22=0.02 I_33=0.04
    load Body frame_a=base.frame_b m=4 I_11=0.2 I_22=0.3 I_33=0.2
    motor Torque flange=arm.axis tau=1.5
    push Force flange=lift.axis f=20
    brake Brake flange_a=base.axis fn_max=10 f_normalized=0.6
    lock Brake flange_a=hand.axis fn_max=10 f_normalized=LOCK
    spring SpringDamper flange_a=arm.support flange_b=arm.axis c=20 d=0.4";

const OUTPUTS: [&str; 9] = [
    "base.a", "lift.a", "arm.a", "hand.a", "lock.tau", "arm.frame_a.t[2]", "tool.a_0[1]", "upper.frame_b.r_0[3]",
    "hand.frame_b.f[1]",
];

const INPUTS: [&str; 3] = ["motor.tau", "push.f", "brake.f_normalized"];

/// Friction with which the last joint slides, and with which it sticks soon.
const LOCKS: [&str; 2] = ["0.01", "3.0"];

/// A slider-crank on a crank of which the other end drives a four-bar, on a carriage: two loops between joints that carry none
/// of each other.
const LOOPS: &str = "world World g=9.81
    carriage Prismatic frame_a=world.frame_b v_start=0.3
    frame Body frame_a=carriage.frame_b m=5
    bearing Revolute frame_a=carriage.frame_b phi_start=0.4 w_start=9
    web BodyShape frame_a=bearing.frame_b r[1]=0.1 r_CM[1]=0.02 m=1.2 I_33=0.02
    rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.4 rRod2_ib[1]=0 s_guess=0.5 s_offset=0.1
    bar Body frame_a=rod.frame_ia r_CM[1]=0.07 m=0.4 I_33=0.012
    piston Body frame_a=rod.frame_im m=0.6 I_33=0.01
    hinge Revolute frame_a=rod.frame_im phi_start=0.2
    bob Body frame_a=hinge.frame_b r_CM[2]=-0.2 m=0.3
    ground FixedTranslation frame_a=carriage.frame_b r[1]=-0.4
    rods JointRRR frame_a=web.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.45 rRod2_ib[1]=0.3 phi_guess=90
    rocker Body frame_a=rods.frame_ib r_CM[1]=0.15 m=1.5 I_33=0.02
    motor Torque flange=bearing.axis tau=1.5
    push Force flange=rod.axis f=20
    spring Translational.SpringDamper flange_a=rod.bearing flange_b=rod.axis c=300 d=5 s_rel0=0.3
    brake Brake flange_a=hinge.axis fn_max=10 f_normalized=LOCK";

const LOOP_OUTPUTS: [&str; 11] = [
    "carriage.a", "bearing.a", "hinge.a", "brake.tau", "rod.axis.a", "rod.f_rod", "rod.f", "rods.angle",
    "rods.frame_b.f[1]", "rocker.z_a[3]", "piston.a_0[1]",
];

/// A hull that nothing holds, with a spherical joint the other way round, a universal one, and a body that moves along.
const FREE: &str = "world World g=9.81
    hull BodyShape r[1]=0.4 r[3]=0.2 r_CM[2]=0.1 m=3 I_11=0.2 I_22=0.3 I_33=0.25 I_21=0.02 \
        r_0_start[2]=1 v_0_start[1]=0.3 w_0_start[1]=1 w_0_start[3]=-2 angles_start[1]=0.3 angles_start[2]=-0.5
    ball Spherical frame_b=hull.frame_b w_rel_a_start[1]=2 w_rel_a_start[2]=-1 angles_start[1]=0.4 angles_start[3]=0.2
    arm BodyShape frame_a=ball.frame_a r[2]=0.5 r_CM[2]=0.25 m=1 I_11=0.02 I_22=0.03 I_33=0.04
    wrist Universal frame_a=arm.frame_b n_a[2]=1 n_b[3]=1 phi_a_start=0.4 w_b_start=3
    hand Body frame_a=wrist.frame_b r_CM[3]=0.2 r_CM[1]=0.1 m=0.7 I_11=0.01 I_22=0.02 I_33=0.015
    hinge Revolute frame_a=hull.frame_a n[1]=1 phi_start=0.3 w_start=-4
    tail Body frame_a=hinge.frame_b r_CM[2]=-0.3 m=0.5 I_11=0.01 I_22=0.01 I_33=0.01
    slide Prismatic frame_a=hull.frame_b n[1]=0.2 n[2]=1
    weight Body frame_a=slide.frame_b m=0.6
    companion FreeMotion frame_b=tail.frame_a r_rel_a_start[1]=2 v_rel_a_start[2]=0.5 w_rel_a_start[3]=1 angles_start[2]=0.7
    satellite Body frame_a=companion.frame_a m=0.4 I_11=0.02 I_22=0.05 I_33=0.06
    motor Torque flange=hinge.axis tau=0.5
    push Force flange=slide.axis f=2
    brake Brake flange_a=hinge.axis fn_max=1 f_normalized=0.6";

const FREE_OUTPUTS: [&str; 13] = [
    "hull.a_0[2]", "hull.z_a[1]", "hull.Q[2]", "hull.der_Q[3]", "ball.z_rel_b[3]", "ball.frame_a.f[2]", "wrist.a_b",
    "wrist.frame_a.t[1]", "wrist.frame_b.f[2]", "hinge.a", "companion.a_rel_a[1]", "companion.der_Q[4]",
    "satellite.r_0[3]",
];

#[test]
fn derivatives_of_free_bodies_by_inputs_are_those_of_differences() {
    let mut train = train(Interface::ModelExchange, FREE);
    train.step(0.1);
    by_inputs(&mut train, &["motor.tau", "push.f", "brake.f_normalized"], &FREE_OUTPUTS);
}

#[test]
fn derivatives_of_free_bodies_by_parameters_at_the_start_are_those_of_differences() {
    let parameters = [
        "hull.r_0_start[2]", "hull.v_0_start[1]", "hull.angles_start[1]", "hull.w_0_start[3]", "ball.angles_start[3]",
        "ball.w_rel_a_start[1]", "wrist.n_a[2]", "wrist.phi_a_start", "companion.r_rel_a_start[1]",
        "companion.angles_start[2]", "companion.w_rel_a_start[3]", "arm.m",
    ];
    by_parameters(FREE, &parameters, &FREE_OUTPUTS);
}

/// Compares derivatives of outputs with respect to inputs with differences, in continuous-time mode.
pub fn by_inputs(train: &mut Trial, knowns: &[&str], outputs: &[&str]) {
    for known in knowns {
        for output in outputs {
            let exact = train.directional_derivative(output, known);
            let here = train.real(known);
            let mut at = |shift: f64| {
                train.set(known, here + shift);
                train.real(output)
            };
            let h = 1e-5;
            let difference = (at(h) - at(-h)) / (2.0 * h);
            at(0.0);
            let close = (exact - difference).abs() <= 1e-6 * difference.abs().max(10.0);
            assert!(close, "{output} by {known}: {exact} {difference}");
        }
    }
}

#[test]
fn derivatives_of_loops_by_inputs_are_those_of_differences() {
    for lock in LOCKS {
        let mut train = train(Interface::ModelExchange, &LOOPS.replace("LOCK", lock));
        // The derivatives are taken in continuous-time mode.
        train.step(0.1);
        by_inputs(&mut train, &INPUTS, &LOOP_OUTPUTS);
    }
}

#[test]
fn derivatives_of_loops_by_parameters_at_the_start_are_those_of_differences() {
    let parameters = [
        "bearing.phi_start", "carriage.v_start", "web.r[1]", "rod.rRod1_ia[1]", "rod.rRod2_ib[2]", "rod.s_offset",
        "rods.rRod1_ia[2]", "rods.rRod2_ib[1]", "ground.r[2]", "rocker.m", "spring.s_rel0",
    ];
    by_parameters(&LOOPS.replace("LOCK", LOCKS[0]), &parameters, &LOOP_OUTPUTS);
}

#[test]
fn derivatives_by_inputs_are_those_of_differences() {
    for lock in LOCKS {
        let mut train = train(Interface::ModelExchange, &ROBOT.replace("LOCK", lock));
        // The derivatives are taken in continuous-time mode.
        train.step(0.3);
        assert_eq!(train.integer("lock.mode") == 0, lock == "3.0");
        by_inputs(&mut train, &INPUTS, &OUTPUTS);
    }
}

#[test]
fn derivatives_by_parameters_at_the_start_are_those_of_differences() {
    let text = ROBOT.replace("LOCK", LOCKS[0]);
    let parameters = [
        "world.g", "world.n[1]", "base.n[3]", "arm.phi_start", "base.w_start", "lift.s_start", "lift.v_start",
        "tilt.angle", "tilt.n[2]", "upper.r[1]", "upper.m", "upper.I_21", "tool.r_CM[2]", "tool.I_33", "spring.c",
    ];
    by_parameters(&text, &parameters, &OUTPUTS);
}

pub fn by_parameters(text: &str, parameters: &[&str], outputs: &[&str]) {
    by_parameters_of(|| train(Interface::ModelExchange, text), parameters, outputs);
}

/// Compares derivatives with respect to parameters with differences, of any system.
pub fn by_parameters_of(make: impl Fn() -> Trial, parameters: &[&str], outputs: &[&str]) {
    for parameter in parameters {
        let value = make().real(parameter);
        let at = |shift: f64| {
            let mut train = make();
            train.set(parameter, value + shift);
            train
        };
        for output in outputs {
            let exact = at(0.0).directional_derivative(output, parameter);
            let h = 1e-5;
            let difference = (at(h).real(output) - at(-h).real(output)) / (2.0 * h);
            let close = (exact - difference).abs() <= 1e-6 * difference.abs().max(10.0);
            assert!(close, "{output} by {parameter}: {exact} {difference}");
        }
    }
}
