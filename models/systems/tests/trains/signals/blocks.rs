//! Blocks that combine signals.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, check, train};

/// All of them, behind two inputs of the FMU and two sources.
const NETWORK: &str = "sine Sine amplitude=2 f=0.5 phase=0.4
    ramp Ramp height=3 duration=4 offset=1
    gain Gain k=3 u=sine.y
    outer Gain k=2
    add Add k1=2 k2=-1 u1=gain.y u2=ramp.y
    add3 Add3 k1=1 k2=2 k3=3 u1=add.y u2=outer.y
    product Product u1=add.y u2=ramp.y
    feedback Feedback u1=product.y u2=outer.y
    motor Torque tau=feedback.y flange=shaft.flange_a
    shaft Inertia J=2";

fn network(train: &mut Trial, t: f64) {
    let (sine, ramp) = (2.0 * (std::f64::consts::PI * t + 0.4).sin(), 1.0 + 0.75 * t);
    let [outer, third] = [train.real("outer.u"), train.real("add3.u3")];
    let add = 6.0 * sine - ramp;
    check(
        train,
        &[
            ("gain.u", sine),
            ("gain.y", 3.0 * sine),
            ("outer.y", 2.0 * outer),
            ("add.y", add),
            ("add3.y", add + 4.0 * outer + 3.0 * third),
            ("product.y", add * ramp),
            ("feedback.y", add * ramp - 2.0 * outer),
            ("motor.tau", add * ramp - 2.0 * outer),
            ("shaft.a", 0.5 * (add * ramp - 2.0 * outer)),
        ],
    );
}

#[test]
fn blocks_combine_signals_in_the_order_of_their_flow() {
    for interface in INTERFACES {
        // The order in the file does not matter.
        for text in [NETWORK.to_owned(), NETWORK.lines().rev().collect::<Vec<_>>().join("\n")] {
            let mut train = train(interface, &text);
            network(&mut train, 0.0);
            train.set("outer.u", -0.7);
            train.set("add3.u3", 0.2);
            network(&mut train, 0.0);
            for i in 1..5 {
                train.step(0.3);
                network(&mut train, 0.3 * f64::from(i));
            }
        }
    }
}

#[test]
fn exact_derivatives_pass_through() {
    for interface in INTERFACES {
        let mut train = train(interface, NETWORK);
        for (unknown, known, expected) in [
            ("outer.y", "outer.u", 2.0),
            ("add3.y", "outer.u", 4.0),
            ("add3.y", "add3.u3", 3.0),
            ("feedback.y", "outer.u", -2.0),
            ("shaft.a", "outer.u", -1.0),
            ("shaft.a", "add3.u3", 0.0),
        ] {
            assert_eq!(train.directional_derivative(unknown, known), expected, "{interface:?} {unknown} {known}");
        }
    }
}

/// An input that varies inside a step passes through blocks as it would act without them.
#[test]
fn inputs_inside_a_step_pass_through() {
    let text = "gain Gain k=2\nmotor Torque tau=gain.y flange=shaft.flange_a\nshaft Inertia J=2";
    let mut train = train(INTERFACES[0], text);
    train.set("gain.u", 1.0);
    train.set_derivatives("gain.u", &[3.0]);
    train.step(0.5);
    assert!((train.real("shaft.w") - (0.5 + 1.5 * 0.25)).abs() < 1e-9);
}

/// One input of the FMU feeds a block and another part.
#[test]
fn an_input_of_the_system_is_a_signal_for_blocks() {
    for interface in INTERFACES {
        let text = "gain Gain k=2 u=input.pedal\nmotor Torque tau=gain.y flange=shaft.flange_a\nbrake Torque tau=input.pedal \
                    flange=shaft.flange_b\nshaft Inertia J=1";
        let mut train = train(interface, text);
        train.set("pedal", 1.5);
        check(&mut train, &[("gain.y", 3.0), ("shaft.a", 4.5)]);
        assert_eq!(train.directional_derivative("shaft.a", "pedal"), 3.0);
    }
}
