//! Starts at rest where signals follow from the motion.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};
use crate::space::refused::message;

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

/// Steps with a tight tolerance; nothing may move.
fn rests(train: &mut Trial, expected: &[(&str, f64)]) {
    train.set_tolerance(1e-9);
    for _ in 0..3 {
        for (name, expected) in expected {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{name}: {found} {expected}");
        }
        train.step(0.1);
    }
}

/// An integral part holds an arm where it should be, against gravity, whatever the stiffness of the controller.
#[test]
fn integral_parts_of_controllers_begin_where_nothing_moves() {
    let arm = "world World\nhinge Revolute frame_a=world.frame_b\nbody Body m=2 r_CM[1]=0.5 frame_a=hinge.frame_b
        angle AngleSensor flange=hinge.axis\nspeed SpeedSensor flange=hinge.axis\nwish Constant k=0.3
        damping Gain k=-4 u=speed.w\nsum Add u1=control.y u2=damping.y\nmotor Torque tau=sum.y flange=hinge.axis\nsteady true\n";
    let bears = 9.80665 * f64::cos(0.3);
    for (control, state, expected) in [
        ("error Feedback u1=wish.y u2=angle.phi\ncontrol PI k=50 T=0.4 u=error.y", "control.x", bears / 50.0),
        ("control LimPID k=50 Ti=0.4 Td=0.1 yMax=100 initType=NoInit u_s=wish.y u_m=angle.phi", "control.I.y", bears / 50.0),
        (
            "error Feedback u1=wish.y u2=angle.phi\ninner Integrator k=30 initType=NoInit u=error.y
             direct Gain k=70 u=error.y\nboth Add u1=inner.y u2=direct.y
             control FirstOrder k=2 T=0.05 u=both.y",
            "inner.y",
            bears / 2.0,
        ),
        (
            "error Feedback u1=wish.y u2=angle.phi\ninner Integrator k=30 initType=NoInit u=error.y\nbound Limiter uMax=50 u=inner.y
             direct Gain k=70 u=error.y\nboth Add u1=bound.y u2=direct.y
             control TransferFunction nb=1 na=3 b[1]=1 a[1]=0.0004 a[2]=0.04 a[3]=1 u=both.y",
            "inner.y",
            bears,
        ),
    ] {
        for interface in INTERFACES {
            let mut train = train(interface, &format!("{arm}{control}"));
            rests(&mut train, &[(state, expected), ("hinge.phi", 0.3), ("hinge.w", 0.0), ("hinge.a", 0.0), ("motor.tau", bears)]);
        }
    }
}

/// A filter between sensor and torque is at rest too, as if it were not there; a filter of a source begins where it rests.
#[test]
fn filters_begin_where_they_rest() {
    let arm = |more: &str| {
        format!(
            "world World\nhinge Revolute frame_a=world.frame_b\nbody Body m=2 r_CM[1]=0.5 frame_a=hinge.frame_b
             damper Damper d=5 flange_a=hinge.support flange_b=hinge.axis\n{more}\nsteady true"
        )
    };
    let filtered = |kind: &str| {
        arm(&format!(
            "angle AngleSensor flange=hinge.axis\nlate {kind} u=angle.phi\nback Gain k=-60 u=late.y
             motor Torque tau=back.y flange=hinge.axis\nload Constant k=2.5\nsmooth FirstOrder k=2 T=3 u=load.y
             push Torque tau=smooth.y flange=hinge.axis"
        ))
    };
    let spring = arm(
        "spring Spring c=60 flange_a=hinge.support flange_b=hinge.axis\npush ConstantTorque tau_constant=5 flange=hinge.axis",
    );
    for interface in INTERFACES {
        let phi = train(interface, &spring).real("hinge.phi");
        for kind in [
            "FirstOrder T=0.01", "SecondOrder w=200 D=0.7", "Filter f_cut=40", "FirstOrder T=0.01 initType=SteadyState",
        ] {
            let mut train = train(interface, &filtered(kind));
            rests(&mut train, &[("hinge.phi", phi), ("late.y", phi), ("smooth.y", 5.0), ("hinge.a", 0.0)]);
        }
    }
}

/// How the start depends on parameters, through the states of the controller.
#[test]
fn states_of_controllers_at_rest_depend_on_parameters() {
    let text = "load Mass m=3\nweight ConstantForce f_constant=-20 flange=load.flange_a\nat PositionSensor flange=load.flange_a
        hold Translational.SpringDamper c=40 d=3 flange_a=wall.flange flange_b=load.flange_b\nwall Translational.Fixed
        wish Constant k=0.2\nerror Feedback u1=wish.y u2=at.s\ncontrol PI k=10 T=2 u=error.y\nact Force f=control.y flange=load.flange_a
        steady true";
    let start = train(INTERFACES[1], text).real("control.x");
    // At rest: 10 x = 20 + 40 * 0.2
    assert!((start - 2.8).abs() < 1e-9, "{start}");
    for (known, slope) in
        [("weight.f_constant", -0.1), ("wish.k", 4.0), ("hold.c", 0.02), ("control.k", -0.28), ("load.m", 0.0)]
    {
        let found = train(INTERFACES[1], text).directional_derivative("control.x", known);
        assert!((found - slope).abs() < 1e-8, "{known}: {found} {slope}");
    }
}

/// An integrator of a constant has no rest; one with a start value keeps it.
#[test]
fn what_cannot_rest_is_refused() {
    let text = |more: &str| {
        format!(
            "a Mass\nhold Translational.Spring c=5 flange_a=a.flange_b flange_b=wall.flange\nwall Translational.Fixed\nsteady true\none Constant k=2\nsum Integrator u=one.y {more}"
        )
    };
    let found = message(|| {
        train(INTERFACES[0], &text("initType=NoInit")).real("a.s");
    });
    let expected = "no steady state was found near the start values of positions: sum.der_y = 2.0 at best; give other start values, or \
                    give the block initType = \"InitialState\", or leave \"steady\" out where nothing balances a load or a motion";
    assert!(found.contains(expected), "{found}");
    assert_eq!(train(INTERFACES[0], &text("y_start=7")).real("sum.y"), 7.0);
}

/// A filter that only records the motion neither keeps a pendulum from hanging nor hides that it stands upright.
#[test]
fn blocks_that_act_on_nothing_leave_the_search_downhill() {
    for interface in INTERFACES {
        let start = |phi: f64| {
            let mut train = train(
                interface,
                &format!(
                    "world World\nhinge Revolute phi_start={phi:?} frame_a=world.frame_b\nbody Body m=2 r_CM[1]=0.5 frame_a=hinge.frame_b
                     angle AngleSensor flange=hinge.axis\nrecord FirstOrder u=angle.phi\nsteady true"
                ),
            );
            let found = (train.real("hinge.phi"), train.real("record.y"));
            (found, train.warnings().len())
        };
        let ((phi, record), warnings) = start(1.6);
        assert!((phi.sin() + 1.0).abs() < 1e-12 && (record - phi).abs() < 1e-9, "{phi} {record}");
        assert_eq!(warnings, 0);
        let ((phi, record), warnings) = start(std::f64::consts::FRAC_PI_2);
        assert!((phi.sin() - 1.0).abs() < 1e-12 && (record - phi).abs() < 1e-9, "{phi} {record}");
        assert_eq!(warnings, 1);
    }
}

/// A comparison behind a state that the start decides begins with what it sees there, whatever its memory says.
#[test]
fn comparisons_behind_states_at_rest_see_them() {
    let text = "a Mass\nhold Translational.Spring c=5 flange_a=a.flange_b flange_b=wall.flange\nwall Translational.Fixed\nsteady true
        one Constant k=1.5\nlag FirstOrder u=one.y y_start=5\nover Hysteresis uLow=1 uHigh=2 u=lag.y";
    for before in [true, false] {
        let mut train = train(INTERFACES[0], text);
        train.set("over.pre_y_start", before);
        assert!((train.real("lag.y") - 1.5).abs() < 1e-9);
        assert_eq!(train.boolean("over.y"), before);
    }
}
