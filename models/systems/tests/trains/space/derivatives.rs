//! Exact derivatives of mechanisms against differences.

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
    "base.a",
    "lift.a",
    "arm.a",
    "hand.a",
    "lock.tau",
    "arm.frame_a.t[2]",
    "tool.a_0[1]",
    "upper.frame_b.r_0[3]",
    "hand.frame_b.f[1]",
];

/// The last joint slides, or sticks soon.
const LOCKS: [&str; 2] = ["0.01", "3.0"];

#[test]
fn derivatives_by_inputs_are_those_of_differences() {
    for lock in LOCKS {
        let mut train = train(Interface::ModelExchange, &ROBOT.replace("LOCK", lock));
        // In continuous-time mode.
        train.step(0.3);
        assert_eq!(train.integer("lock.mode") == 0, lock == "3.0");
        for known in ["motor.tau", "push.f", "brake.f_normalized"] {
            for output in OUTPUTS {
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
}

#[test]
fn derivatives_by_parameters_at_the_start_are_those_of_differences() {
    let text = ROBOT.replace("LOCK", LOCKS[0]);
    let parameters = [
        "world.g",
        "world.n[1]",
        "base.n[3]",
        "arm.phi_start",
        "base.w_start",
        "lift.s_start",
        "lift.v_start",
        "tilt.angle",
        "tilt.n[2]",
        "upper.r[1]",
        "upper.m",
        "upper.I_21",
        "tool.r_CM[2]",
        "tool.I_33",
        "spring.c",
    ];
    for parameter in parameters {
        let value = train(Interface::ModelExchange, &text).real(parameter);
        let at = |shift: f64| {
            let mut train = train(Interface::ModelExchange, &text);
            train.set(parameter, value + shift);
            train
        };
        for output in OUTPUTS {
            let exact = at(0.0).directional_derivative(output, parameter);
            let h = 1e-5;
            let difference = (at(h).real(output) - at(-h).real(output)) / (2.0 * h);
            let close = (exact - difference).abs() <= 1e-6 * difference.abs().max(10.0);
            assert!(close, "{output} by {parameter}: {exact} {difference}");
        }
    }
}
