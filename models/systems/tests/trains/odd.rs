//! Parameters at which the structure of the motion is another one, and drives that nothing can hold.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};
use crate::space::refused::message;

/// An inertia of 0 ties nothing together, but the states stay those of their parts.
#[test]
fn states_stay_with_their_parts_where_an_inertia_is_0() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "carrier Inertia J=0
             ring Inertia J=2 w_start=3
             shaft Inertia J=3 w_start=5
             sun Inertia J=4 w_start=2
             gear IdealPlanetary sun=sun.flange_b carrier=carrier.flange_a ring=ring.flange_a
             spring Spring flange_a=shaft.flange_b flange_b=ring.flange_b c=0
             torque Torque flange=shaft.flange_a tau=6",
        );
        for (name, expected) in [("ring.w", 3.0), ("shaft.w", 5.0), ("sun.w", 2.0), ("shaft.a", 2.0), ("sun.a", 0.0)] {
            assert!((train.real(name) - expected).abs() < 1e-12, "{name}: {}", train.real(name));
        }
        train.step(0.5);
        assert!((train.real("shaft.w") - 6.0).abs() < 1e-9 && (train.real("ring.w") - 3.0).abs() < 1e-9);
    }
}

/// With a ratio of 1 the housing is free of both shafts.
#[test]
#[should_panic = "with these ratios other motions are free than with others"]
fn a_ratio_at_which_other_motions_are_free_is_refused() {
    let mut train = train(
        INTERFACES[0],
        "housing Inertia
         a Inertia
         b Inertia
         gear IdealGear useSupport=true ratio=1 flange_a=a.flange_b flange_b=b.flange_a support=housing.flange_a",
    );
    train.real("a.w");
}

#[test]
#[should_panic = "gear.ratio is 0, but must be another number: positive, or negative where the direction changes"]
fn a_ratio_of_0_is_refused() {
    let text = "a Inertia\nb Inertia\ngear IdealGear ratio=0 flange_a=a.flange_b flange_b=b.flange_a";
    train(INTERFACES[0], text).real("a.w");
}

#[test]
fn more_than_ten_thousand_parts_are_refused() {
    let mut system = systems::system(Vec::new());
    for i in 0..10_000 {
        system.set_structure(&format!("p{i}.type"), "Inertia").expect("it has room");
    }
    let message = system.set_structure("q.type", "Inertia").expect_err("too many");
    assert_eq!(message, "part \"q\" is one too many: a system has at most 10000 parts");
}

/// Ratios around a circle that agree, also where floating point rounds their product: 3 and 1/3, 0.1 and 10.
#[test]
fn gears_in_a_circle_that_agree_turn() {
    for interface in INTERFACES {
        for (first, second) in [(3.0, 1.0_f64 / 3.0), (0.1, 10.0), (7.0 / 11.0, 11.0 / 7.0)] {
            let mut train = train(
                interface,
                &format!(
                    "a Inertia stateSelect=prefer J=2 w_start=6
                     b Inertia
                     one IdealGear ratio={first:?} flange_a=a.flange_b flange_b=b.flange_a
                     other IdealGear ratio={second:?} flange_a=b.flange_b flange_b=a.flange_b
                     t Torque flange=a.flange_a tau=5"
                ),
            );
            check(&mut train, &[("a.w", 6.0), ("b.w", 6.0 / first), ("a.a", 5.0 / (2.0 + 1.0 / (first * first)))]);
        }
    }
    // This is the same circle on a driven shaft.
    let mut train = train(
        INTERFACES[0],
        "a Inertia
         b Inertia
         one IdealGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a
         other IdealGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a
         drive Position flange=a.flange_a",
    );
    train.set("drive.w", 3.0);
    check(&mut train, &[("b.w", 1.5)]);
}

#[test]
#[should_panic = "\"one\" and \"other\" tie shafts in a circle whose ratios do not agree, so that"]
fn gears_in_parallel_that_disagree_are_refused() {
    train(
        INTERFACES[0],
        "a Inertia
         b Inertia
         c Inertia
         one IdealGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a
         aside IdealGear ratio=5 flange_a=b.flange_b flange_b=c.flange_a
         other IdealGear ratio=3 flange_a=a.flange_b flange_b=b.flange_a
         t Torque flange=a.flange_a tau=6",
    )
    .real("a.w");
}

#[test]
#[should_panic = "\"gear\" ties shafts in a circle whose ratios do not agree, so that \"a\" cannot move: make the product of the \
                  ratios around the circle 1, put a clutch into it, or leave it out"]
fn a_gear_between_a_shaft_and_itself_is_refused() {
    train(INTERFACES[0], "a Inertia\ngear IdealGear ratio=2 flange_a=a.flange_a flange_b=a.flange_b").real("a.w");
}

/// A driven shaft with a brake: the torque is within its limit at any time.
#[test]
fn a_brake_on_a_driven_shaft_slides() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "drive Position flange=shaft.flange_a
             shaft Inertia J=2
             brake Brake flange_a=shaft.flange_b fn_max=10 f_normalized=1
             free Inertia
             clutch Clutch flange_a=shaft.flange_b flange_b=free.flange_a fn_max=4 f_normalized=1",
        );
        train.set("drive.a", 1.0);
        for i in 1..=10 {
            assert!(train.real("brake.tau").abs() <= 5.0, "{}", train.real("brake.tau"));
            let t = 0.1 * f64::from(i);
            train.set("drive.phi", 0.5 * t * t);
            train.set("drive.w", t);
            train.step(0.1);
        }
        assert_eq!(train.real("brake.tau"), 5.0);
        assert!((train.real("drive.tau") - 8.0).abs() < 1e-6, "{}", train.real("drive.tau"));
    }
}

/// Two gears of different ratios between the same shafts let neither turn.
#[test]
#[should_panic = "\"drive\" gives a motion to what gears and shafts hold still: remove a part that prescribes a motion"]
fn a_motion_that_gears_hold_still_is_refused() {
    let mut train = train(
        INTERFACES[0],
        "a Inertia
         b Inertia
         one IdealGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a
         other IdealGear ratio=3 flange_a=a.flange_b flange_b=b.flange_a
         drive Position flange=a.flange_a",
    );
    train.real("a.w");
}

/// Elements that hold each other redundantly share the load of the whole, also where their rates differ and a rest of
/// w_rel is left.
#[test]
fn rates_of_parallel_clutches_do_not_contradict_each_other() {
    let mut train = train(
        Interface::ModelExchange,
        "a Inertia w_start=1
         b Inertia w_start=1
         c Clutch flange_a=a.flange_b flange_b=b.flange_a fn_max=10 f_normalized=1 K_locked=0.4
         d Clutch flange_a=a.flange_b flange_b=b.flange_a fn_max=20 f_normalized=1
         torque Torque flange=a.flange_a tau=-3",
    );
    train.step(1e-3);
    // Of the torque (3 + K_locked w_rel) / 2 each takes its share by its limit.
    for (name, share) in [("c.tau", 1.0 / 3.0), ("d.tau", 2.0 / 3.0)] {
        let (tau, by_w) = (train.real(name), train.directional_derivative(name, "b.w"));
        assert!((tau - 1.5 * share).abs() < 1e-12 && (by_w - 0.2 * share).abs() < 1e-12, "{name}: {tau} {by_w}");
    }
}

/// A part between two connectors that never move relative to each other has no effect, however they are tied.
#[test]
fn a_part_without_effect_is_refused() {
    let rigid = "a Inertia\nb Inertia flange_a=a.flange_b\n";
    let rods = "m Mass L=2\nn Mass flange_a=m.flange_b\n";
    let space = "w World\nj Revolute frame_a=w.frame_b\nb BodyShape frame_a=j.frame_b\n";
    #[rustfmt::skip]
    let cases = [
        ("flange_a and flange_b of \"x\"", format!("{rigid}x Spring flange_a=a.flange_a flange_b=b.flange_b")),
        ("flange_a and flange_b of \"x\"", format!("{rigid}x SpringDamper flange_a=a.flange_b flange_b=b.flange_a")),
        ("flange_a and flange_b of \"x\"",
         format!("{rods}x Translational.Damper flange_a=m.flange_a flange_b=n.flange_b")),
        ("flange_a and flange_b of \"x\"", format!("{rods}x GasForce flange_a=m.flange_a flange_b=n.flange_b")),
        ("flange_a and flange_b of \"x\"", format!("{rigid}x Clutch flange_a=a.flange_a flange_b=b.flange_b")),
        ("support and flange_a of \"x\"",
         format!("{rigid}x Brake useSupport=true flange_a=a.flange_a support=b.flange_b")),
        ("flange and support of \"x\"",
         format!("{rigid}x Torque useSupport=true flange=a.flange_a support=b.flange_b")),
        ("frame_a and frame_b of \"x\"", format!("{space}x MultiBody.Spring frame_a=b.frame_a frame_b=b.frame_b")),
        ("frame_a and frame_b of \"x\"", format!("{space}x Bushing frame_a=b.frame_a frame_b=b.frame_b")),
        ("frame_a and frame_b of \"x\"", format!("{space}x Gripper frame_a=b.frame_a frame_b=b.frame_b")),
    ];
    for (begin, text) in cases {
        let found = message(|| {
            train(INTERFACES[0], &text).real("x.none");
        });
        let rest = " never move relative to each other, so it has no effect: connect one of them to a part that moves, or \
                    leave \"x\" out";
        assert!(found.starts_with(&format!("{begin}{rest}")), "{text}: {found}");
    }
}

/// Gears of ratio 1, brakes against the housing and ideal gears are no such parts.
#[test]
fn a_part_with_effect_is_not_refused() {
    let mut train = train(
        INTERFACES[0],
        "a Inertia stateSelect=prefer w_start=1
         b Inertia
         one IdealGear ratio=1 flange_a=a.flange_b flange_b=b.flange_a
         spring Spring flange_a=a.flange_a flange_b=b.flange_b
         brake Brake flange_a=a.flange_a flange_b=b.flange_b
         wall Fixed
         other Fixed phi0=1
         between Spring c=3 flange_a=wall.flange flange_b=other.flange",
    );
    check(&mut train, &[("spring.tau", 0.0), ("brake.w_rel", 1.0), ("between.tau", 3.0)]);
}
