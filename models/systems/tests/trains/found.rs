//! Parameters that the start determines, against closed forms.

use crate::fixture::{INTERFACES, check, train};
use crate::space::refused::message;

/// Modelica.Mechanics.MultiBody.Examples.Elementary.InitSpringConstant: a level pendulum that hangs on a vertical spring at its tip.
const PENDULUM: &str = "world World g=9.81
    rev Revolute frame_a=world.frame_b phi=0 phi.initial=enforce steady=true
    damper Damper d=0.1 flange_a=rev.support flange_b=rev.axis
    body BodyShape frame_a=rev.frame_b r[1]=1 r_CM[1]=0.5 m=1
    fixed FixedTranslation frame_a=world.frame_b r[1]=1 r[2]=0.2
    spring MultiBody.Spring s_unstretched=0.1 c=100 c.initial=find frame_a=fixed.frame_b frame_b=body.frame_b";

/// c 0.1 m at a lever of 1 m holds m g at 0.5 m; with other parameters in proportion.
#[test]
fn a_spring_holds_a_pendulum_level() {
    for interface in INTERFACES {
        let mut train = train(interface, PENDULUM);
        check(&mut train, &[("spring.c", 49.05), ("rev.phi", 0.0), ("rev.a", 0.0)]);
        train.step(0.5);
        check(&mut train, &[("spring.c", 49.05)]);
        assert!(train.real("rev.phi").abs() < 1e-9, "it stays: {}", train.real("rev.phi"));
    }
    let mut train = train(INTERFACES[0], &PENDULUM.replace("m=1", "m=2"));
    check(&mut train, &[("spring.c", 98.1)]);
}

/// Angles of two shafts, one behind the other: c_1 = (5 + 3)/0.5, c_2 = 3/0.25.
#[test]
fn as_many_parameters_as_positions_are_found() {
    let text = "wall Fixed flange=first.flange_a
        first Spring c.initial=find flange_b=one.flange_a
        one Inertia phi=0.5 phi.initial=enforce steady=true
        second Spring c=7 c.initial=find flange_a=one.flange_b flange_b=two.flange_a
        two Inertia phi=0.75 phi.initial=enforce steady=true
        middle ConstantTorque tau_constant=5 flange=one.flange_b
        end ConstantTorque tau_constant=3 flange=two.flange_b";
    for interface in INTERFACES {
        check(&mut train(interface, text), &[("first.c", 16.0), ("second.c", 12.0), ("two.phi", 0.75)]);
    }
}

/// 5 N.m turn a spring by this angle.
#[test]
fn soft_and_stiff_springs_are_found() {
    for (phi, guess) in [(5e-8, 1e7), (5e-8, 1.0), (5e-4, 1e7), (500.0, 1.0)] {
        let text = format!(
            "wall Fixed flange=spring.flange_a
            spring Spring c={guess:?} c.initial=find flange_b=shaft.flange_a
            shaft Inertia phi={phi:?} phi.initial=enforce steady=true
            end ConstantTorque tau_constant=5 flange=shaft.flange_b"
        );
        for interface in INTERFACES {
            let found = train(interface, &text).real("spring.c") * phi;
            assert!((found - 5.0).abs() < 1e-8, "{interface:?}: {guess} at {phi}: {found}");
        }
    }
}

#[test]
fn what_the_start_does_not_determine_is_refused() {
    for (from, to, expected) in [
        (
            "steady=true",
            "",
            "spring.c is to be found, but nothing starts at rest: set steady = true of a joint, an inertia or a mass whose acceleration \
             it changes, and enforce the start value of its position",
        ),
        (
            "phi=0 phi.initial=enforce",
            "",
            "spring.c is to be found, but rev.a = 0.0 holds with any value of it: enforce as many start values of positions as there are \
             parameters to be found",
        ),
        (
            "s_unstretched=0.1",
            "s_unstretched=0.2",
            "spring.c is to be found, but has no influence where rev.phi = 0.0 and rev.a = 0.0 hold: give its value, or start where it has",
        ),
        (
            "m=1",
            "m.initial=find",
            "body.m cannot be found by the start: only parameters of loads can, such as the stiffness of a spring",
        ),
    ] {
        let found = message(|| {
            train(INTERFACES[0], &PENDULUM.replace(from, to)).real("rev.phi");
        });
        assert!(found.contains(expected), "{found}");
    }
}

/// A spring that pushes where it would have to pull.
#[test]
fn a_found_value_beyond_its_bounds_is_refused() {
    let found = message(|| {
        train(INTERFACES[0], &PENDULUM.replace("s_unstretched=0.1", "s_unstretched=0.3")).real("rev.phi");
    });
    assert!(found.contains("rev.phi = 0.0 and rev.a = 0.0 hold only with spring.c = -49.05"), "{found}");
    assert!(found.contains(", which must be at least 0.0: give other start values"), "{found}");
}

/// Two motions at rest, and one parameter.
#[test]
fn more_conditions_than_parameters_are_refused() {
    let found = message(|| {
        let text = "wall Fixed flange=first.flange_a
            first Spring c.initial=find flange_b=one.flange_a
            one Inertia phi=0.5 phi.initial=enforce steady=true
            second Spring c=7 flange_a=one.flange_b flange_b=two.flange_a
            two Inertia phi=0.75 phi.initial=enforce steady=true
            end ConstantTorque tau_constant=3 flange=two.flange_b";
        train(INTERFACES[0], text).real("two.phi");
    });
    assert!(
        found.contains("no value of first.c was found for the start: enforced start values contradict each other"),
        "{found}"
    );
    assert!(found.contains("two.a = 0.0"), "{found}");
}
