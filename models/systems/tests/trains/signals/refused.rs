//! Connections to signals that are refused.

use crate::fixture::{INTERFACES, train};
use crate::space::refused::message;

fn refused(text: &str) -> String {
    message(|| {
        train(INTERFACES[0], text).real("shaft.w");
    })
}

/// Returns the message about `connection` in a train with blocks.
fn check(connection: &str, expected: &str) {
    let text = format!(
        "sine Sine\ngain Gain\nopen Gain\nshaft Inertia\nmotor Torque flange=shaft.flange_a\nother Inertia\nclutch Clutch \
         flange_a=shaft.flange_b flange_b=other.flange_a\nend Inertia\ndrive Position flange=end.flange_a\nturn Speed \
         flange=far.flange_a\nfar Inertia\n{connection}"
    );
    let found = refused(&text);
    assert!(found.contains(expected), "{connection}: {found}");
}

#[test]
fn what_is_no_signal_is_refused() {
    #[rustfmt::skip]
    let cases = [
        ("motor Torque flange=shaft.flange_b", "tau", "pedal.y", "there is no part \"pedal\""),
        ("motor Torque flange=shaft.flange_b", "tau", "sine.z",
         "there is no signal \"sine.z\": the signals of \"sine\" are sine.y"),
        ("motor Torque flange=shaft.flange_b", "tau", "sine.amplitude",
         "there is no signal \"sine.amplitude\": the signals of \"sine\" are sine.y"),
        ("motor Torque flange=shaft.flange_b", "tau", "shaft.w",
         "there is no signal \"shaft.w\": \"shaft\" has no signals; blocks have, such as Constant, Sine or Gain"),
        ("brake Brake flange_a=shaft.flange_b", "fn_max", "sine.y", "there is no such input"),
        ("hold Position flange=hub.flange_a\nhub Inertia", "w", "sine.y",
         "it follows from the signal that gives the motion"),
    ];
    for (part, key, from, reason) in cases {
        let (name, _) = part.split_once(' ').unwrap();
        let mut lines = part.lines();
        let first = lines.next().unwrap();
        let rest: Vec<_> = lines.collect();
        let text = format!("sine Sine\nshaft Inertia\n{first} {key}={from}\n{}", rest.join("\n"));
        let found = refused(&text);
        let expected = format!("{name}.{key} = \"{from}\": {reason}");
        assert!(found.contains(&expected), "{found}\n{expected}");
    }
}

#[test]
fn a_circle_of_signals_is_refused_with_its_path() {
    check(
        "a Gain u=b.y\nb Add u1=c.y u2=sine.y\nc Gain u=a.y",
        "the signals a -> c -> b -> a go round in a circle in which each follows from the others at once: put a block with a state into \
         it, such as a FirstOrder, or leave a connection out",
    );
    check("a Gain u=a.y", "a.u = \"a.y\": the signals a -> a go round in a circle");
}

#[test]
fn a_motion_needs_a_signal_whose_derivatives_are_known() {
    for (connection, name) in [
        ("a Position phi=open.y flange=b.flange_a\nb Inertia", "a.phi = \"open.y\""),
        ("a Speed w=open.y flange=b.flange_a\nb Inertia", "a.w = \"open.y\""),
    ] {
        check(connection, &format!("{name}: a given motion needs the signal with its"));
    }
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    for (source, expected) in [
        ("Ramp duration=-1", "\"source.duration\""),
        ("Pulse width=120", "\"source.width\""),
        ("Trapezoid period=0", "\"source.period\""),
        ("KinematicPTP2 qd_max=0", "\"source.qd_max\""),
    ] {
        let found = refused(&format!("source {source}\nshaft Inertia"));
        assert!(found.contains(expected), "{source}: {found}");
    }
}

#[test]
fn values_that_do_not_fit_together_are_refused() {
    #[rustfmt::skip]
    let cases = [
        ("block Limiter symmetric=false uMin=2",
         "\"block\": uMin = 2.0 is above uMax = 1.0: the lower limit must not be above the upper one"),
        ("block DeadZone uMax=-1",
         "\"block\": uMin = 1.0 is above uMax = -1.0: the lower limit must not be above the upper one"),
        ("block Hysteresis uLow=2", "\"block\": uLow = 2.0 must be below uHigh = 1.0"),
        ("block LimPID symmetric=false yMin=2",
         "\"block\": yMin = 2.0 is above yMax = 1.0: the lower limit must not be above the upper one"),
        ("block LimPID Ni=0", "\"block.Ni\""),
        ("block Filter order=0", "block.order is 0, but must be from 1 to 8"),
        ("block Filter analogFilter=ChebyshevI A_ripple=4", "\"block.A_ripple\""),
        ("block Filter filterType=BandPass order=5 f_cut=2",
         "block.order is 5, but that of a band must be from 1 to 4"),
        ("block Filter filterType=BandStop f_min=3 f_cut=2",
         "block.f_min is 3.0, but must be below f_cut = 2.0, the upper limit of the band"),
        ("block TransferFunction nb=3",
         "block.nb is 3, but must not be above na = 2: the numerator cannot have the higher order"),
        ("block TransferFunction nb=0", "block.nb is 0, but there must be a coefficient"),
        ("block TransferFunction a[1]=0", "block.a[1] is 0, but the highest power of the denominator must be there"),
        ("block BooleanPulse width=0", "\"block.width\""),
        ("block BooleanTable table=0;2;1", "block.table[3,1] is 1.0, but times must rise, and the one before is 2.0"),
        ("block CombiTimeTable table=0,1;2,1;1,1",
         "block.table[3,1] is 1.0, but the first column must not fall, and the one before is 2.0"),
        ("block CombiTable1Ds table=0,1;0,2",
         "block.table[2,1] is 0.0, but the first column must rise, and the one before is 0.0"),
        ("block CombiTimeTable smoothness=ContinuousDerivative table=0,1;0,2",
         "block.table[2,1] is 0.0, but the first column must rise, and the one before is 0.0"),
        ("block CombiTimeTable extrapolation=Periodic table=3,1",
         "block.table has rows at one argument only, which cannot be repeated: give a second one, or another extrapolation"),
        ("block CombiTimeTable nout=0 table=0;1", "block.nout is 0, but must be from 1 to 8"),
        ("block CombiTable2Ds nu2=0 table=0;1", "block.nu2 is 0, but must be from 1 to 32"),
        (
            "block CombiTable2Ds table=0,1,2",
            "block.table has one row only, but needs two: the first one has the values of u2, each other one a value of u1 and the \
             values there",
        ),
        ("block CombiTable2Ds table=0,1,2;0,0,0;2,0,0;1,0,0",
         "block.table[4,1] is 1.0, but the first column must rise, and the one before is 2.0"),
        ("block CombiTable2Ds table=0,2,2;0,0,0;1,0,0",
         "block.table[1,3] is 2.0, but the first row must rise, and the one before is 2.0"),
        ("block CombiTable2Ds nu2=1 extrapolation=Periodic table=0,1;0,0;1,0",
         "block.table has one value of u2 only, which cannot be repeated: give a second one, or another extrapolation"),
        ("block CombiTable2Ds extrapolation=NoExtrapolation table=0,1,2;-1,0,0;1,0,0",
         "\"block\": u2 is 0.0, but the table goes from 1.0 to 2.0, without extrapolation"),
        (
            "block CombiTable2Ds smoothness=MonotoneContinuousDerivative1",
            "structure option \"smoothness\" is \"MonotoneContinuousDerivative1\", but takes one of LinearSegments, \
             ContinuousDerivative, ConstantSegments",
        ),
        ("block CombiTimeTable extrapolation=NoExtrapolation table=1,1;2,3",
         "\"block\": the time of the table is 0.0, but the table goes from 1.0 to 2.0, without extrapolation"),
        ("block CombiTable1Ds extrapolation=NoExtrapolation table=1,1;2,3",
         "\"block\": u is 0.0, but the table goes from 1.0 to 2.0, without extrapolation"),
        ("block PI initType=SteadyState",
         "structure option \"initType\" is \"SteadyState\", but takes one of InitialState, NoInit, InitialOutput"),
    ];
    for (block, expected) in cases {
        let found = refused(&format!("{block}\nshaft Inertia"));
        assert!(found.contains(expected), "{block}: {found}");
    }
    check(
        "order FirstOrder initType=SteadyState u=back.y\nback Gain k=-1 u=order.y",
        "order.initType = \"SteadyState\" needs the input of \"order\" at the start, but that follows from its output: use \
         InitialState",
    );
    check(
        "smooth Filter u=back.y\nback Gain k=-1 u=smooth.y",
        "smooth.init = \"SteadyState\" needs the input of \"smooth\" at the start, but that follows from its output: use InitialState",
    );
    check(
        "above Greater u1=sine.y\nswitch Switch u1=above.y",
        "switch.u1 = \"above.y\": the signal is true or false, but the input takes a number",
    );
    check(
        "switch Switch u2=sine.y",
        "switch.u2 = \"sine.y\": the signal is a number, but the input takes true or false",
    );
}

#[test]
fn what_follows_from_a_motion_cannot_give_one() {
    check(
        "angle AngleSensor flange=end.flange_b\nhalf Gain k=0.5 u=angle.phi\nlead Position phi=half.y flange=b.flange_a\nb Inertia",
        "lead.phi = \"half.y\": the signal follows from the motion of the system, but a given motion must be known before: use a \
         torque or a force",
    );
    // A state behind a sensor is known before, but not its rate.
    check(
        "angle AngleSensor flange=end.flange_b\nlate FirstOrder u=angle.phi\nlead Speed w=late.y flange=b.flange_a\nb Inertia",
        "lead.w = \"late.y\": a given motion needs the signal with its derivative in time",
    );
    check(
        "acc AccSensor flange=other.flange_b\nlate FirstOrder u=acc.a\npush Torque tau=late.y flange=other.flange_b\nsteady true",
        "a start at rest cannot be found where \"late\" acts on the motion, which follows from accelerations: leave \"steady\" out, or \
         measure positions or velocities",
    );
}

#[test]
fn what_follows_from_accelerations_cannot_change_them_at_once() {
    check(
        "acc AccSensor flange=other.flange_b\nback Gain k=-1 u=acc.a\npush Torque tau=back.y flange=other.flange_b",
        "push.tau = \"back.y\": the signals acc -> back -> push go round in a circle, since what \"acc\" measures follows from \
         accelerations, which \"push\" changes at once: put a block with a state into it, such as a FirstOrder, or measure positions or \
         velocities",
    );
    check(
        "torque TorqueSensor flange_a=other.flange_b flange_b=load.flange_a\nload Inertia\nbrake Brake f_normalized=torque.tau \
         flange_a=load.flange_b",
        "brake.f_normalized = \"torque.tau\": the signals torque -> brake go round in a circle",
    );
    check(
        "acc AccSensor flange=other.flange_b\nlate FirstOrder initType=SteadyState u=acc.a\npush Torque tau=late.y flange=other.flange_b",
        "late.initType = \"SteadyState\" needs the input of \"late\" at the start, but that follows from its output",
    );
}

#[test]
fn a_torque_that_is_not_determined_is_refused() {
    let expected = |name: &str| {
        format!("what goes through \"{name}\" is not determined, since its flanges are also connected rigidly")
    };
    check(
        "one TorqueSensor flange_a=other.flange_b flange_b=load.flange_a\ntwo PowerSensor flange_a=other.flange_b \
         flange_b=load.flange_a\nload Inertia",
        &expected("one"),
    );
    check("one MultiSensor flange_a=other.flange_b flange_b=other.flange_b", &expected("one"));
    check(
        "one TorqueSensor flange_a=other.flange_b flange_b=load.flange_a\ngear IdealGear ratio=2 flange_a=other.flange_b \
         flange_b=middle.flange_a\nback IdealGear ratio=0.5 flange_a=middle.flange_b flange_b=load.flange_a\nmiddle Inertia\nload Inertia",
        &expected("one"),
    );
    check("one TorqueSensor flange_a=wall.flange flange_b=floor.flange\nwall Fixed\nfloor Fixed", &expected("one"));
}

#[test]
fn a_table_without_extrapolation_ends_behind_its_last_row() {
    for interface in INTERFACES {
        let mut train =
            train(interface, "block CombiTimeTable extrapolation=NoExtrapolation table=0,1;0.5,3\nshaft Inertia");
        train.step(0.5);
        assert_eq!(train.real("block.y[1]"), 3.0);
        let found = message(|| train.step(0.25));
        let expected = "\"block\": the time of the table is 0.5";
        assert!(found.contains(expected) && found.contains("without extrapolation"), "{interface:?}: {found}");
    }
}
