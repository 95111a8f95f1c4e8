//! Free-wheels: closed forms, impacts, energy, and what is refused.

use crate::fixture::{INTERFACES, check, train};

/// Two inertias with a free-wheel between them, which a clutch presses or not.
fn shafts(force: f64, w: [f64; 2]) -> String {
    format!(
        "a Inertia w_start={}
         b Inertia w_start={}
         wheel OneWayClutch flange_a=a.flange_b flange_b=b.flange_a fn_max=2 f_normalized={force} peak=1.5
         left Torque flange=a.flange_a
         right Torque flange=b.flange_b",
        w[0], w[1]
    )
}

/// At rest, a torque forward on flange_a takes flange_b along: a = T / 2. A torque against it turns flange_a alone.
#[test]
fn a_free_wheel_takes_along_in_one_direction_only() {
    for interface in INTERFACES {
        for (torque, a, mode) in [(3.0, [1.5, 1.5], 0), (-3.0, [-3.0, 0.0], 2)] {
            let mut train = train(interface, &shafts(0.0, [0.0; 2]));
            train.set("left.tau", torque);
            check(&mut train, &[("a.a", a[0]), ("b.a", a[1]), ("wheel.tau", -a[1])]);
            assert_eq!(train.integer("wheel.mode"), mode);
            for _ in 0..4 {
                train.step(0.25);
            }
            check(&mut train, &[("a.w", a[0]), ("b.w", a[1]), ("wheel.w_rel", a[1] - a[0])]);
            assert_eq!(train.integer("wheel.mode"), mode);
        }
    }
}

/// The clutch beside it holds up to peak cgeo fn mue = 1.5 N.m against turning forward, and slides with 1 N.m.
#[test]
fn the_clutch_beside_it_holds_up_to_its_limit() {
    for interface in INTERFACES {
        for (torque, a, tau, mode) in [
            (2.9, [-1.45, -1.45], 1.45, 0),
            (3.1, [-2.1, -1.0], 1.0, 1),
            (100.0, [-99.0, -1.0], 1.0, 1),
            (-100.0, [50.0, 50.0], -50.0, 0),
        ] {
            let mut train = train(interface, &shafts(1.0, [0.0; 2]));
            train.set("left.tau", -torque);
            check(&mut train, &[("a.a", a[0]), ("b.a", a[1]), ("wheel.tau", tau)]);
            assert_eq!(train.integer("wheel.mode"), mode);
        }
    }
}

/// The driven shaft runs ahead until the driver has caught up; then both accelerate together.
#[test]
fn the_driver_catches_up() {
    for interface in INTERFACES {
        let mut train = train(interface, &shafts(0.0, [0.0, 3.0]));
        train.set("left.tau", 2.0);
        for k in 1..=30 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            let together = 3.0 + (t - 1.5).max(0.0);
            let expected = [(2.0 * t).min(together), together];
            for (name, expected) in ["a.w", "b.w"].into_iter().zip(expected) {
                assert!((train.real(name) - expected).abs() < 1e-6, "{name} at {t}: {}", train.real(name));
            }
            assert_eq!(train.integer("wheel.mode"), if t < 1.55 { 2 } else { 0 }, "{t}");
        }
        assert_eq!((train.boolean("wheel.stuck"), train.boolean("wheel.locked")), (true, true));
        assert_eq!(train.real("wheel.w_rel"), 0.0);
    }
}

/// A given motion that jumps forward takes the inertia behind the free-wheel along at once; one that jumps back leaves it.
/// A clutch behind carries no impulse, and slides afterwards.
#[test]
fn a_motion_that_jumps_forward_is_an_impact() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "drive Speed flange=wheel.flange_a
             wheel OneWayClutch flange_b=b.flange_a
             b Inertia J=2
             clutch Clutch flange_a=b.flange_b flange_b=c.flange_a f_normalized=1 fn_max=2
             c Inertia J=4",
        );
        train.step(0.1);
        assert_eq!(train.integer("clutch.mode"), 0);
        train.set("drive.w", 3.0);
        train.step(0.01);
        // 1/2 J w^2 of the inertia in the impact.
        check(&mut train, &[("wheel.impactLoss", 9.0), ("b.w", 3.0)]);
        assert_eq!((train.integer("wheel.mode"), train.integer("clutch.mode")), (0, -1));
        assert!((train.real("c.a") - 0.25).abs() < 1e-12, "{}", train.real("c.a"));
        train.set("drive.w", -1.0);
        train.step(0.01);
        assert!((train.real("b.w") - 3.0).abs() < 0.01 && train.integer("wheel.mode") == 2);
        check(&mut train, &[("wheel.impactLoss", 9.0)]);
    }
}

/// Power in, kinetic energy, and what friction and impacts take, agree at any time.
#[test]
fn energy_is_balanced() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "a Inertia J=1.5 w_start=1
             wave Sine amplitude=20 f=2
             drive Torque flange=a.flange_a tau=wave.y
             wheel OneWayClutch flange_a=a.flange_b flange_b=b.flange_a fn_max=3 peak=2 f_normalized=press.y
             press Pulse period=0.7 width=40
             b Inertia J=0.5 w_start=2
             drag Damper d=0.3 flange_a=b.flange_b flange_b=ground.flange
             ground Fixed
             speed SpeedSensor flange=a.flange_a
             speed_b SpeedSensor flange=b.flange_a
             power Product u1=wave.y u2=speed.w
             work Integrator u=power.y
             square Product u1=speed_b.w u2=speed_b.w
             loss Gain k=0.3 u=square.y
             damped Integrator u=loss.y",
        );
        train.set_tolerance(1e-10);
        let mut heat = 0.0;
        let kinetic =
            |train: &mut fmu_runtime::Trial| 0.75 * train.real("a.w").powi(2) + 0.25 * train.real("b.w").powi(2);
        let start = kinetic(&mut train);
        let mut power = train.real("wheel.lossPower");
        let h = 1e-4;
        for _ in 0..20_000 {
            train.step(h);
            let next = train.real("wheel.lossPower");
            heat += 0.5 * h * (power + next);
            power = next;
        }
        let sum = kinetic(&mut train) + train.real("damped.y") + heat - train.real("work.y");
        assert!((sum - start).abs() < 2e-3, "{sum} {start}");
        assert_eq!(train.real("wheel.impactLoss"), 0.0);
    }
}

#[test]
#[should_panic = "\"wheel\" starts with w_rel = -2.0 rad/s, but as a free-wheel it turns forward only: flange_b must not be slower than flange_a"]
fn a_start_that_turns_backward_is_refused() {
    train(INTERFACES[0], &shafts(1.0, [3.0, 1.0])).real("a.w");
}

#[test]
#[should_panic = "\"wheel\": given motions turn or push it in the direction in which it is blocked, at 0.1 s: put a spring between, or change the motions"]
fn given_motions_that_turn_backward_are_refused() {
    let text = "one Speed flange=wheel.flange_a
        wheel OneWayClutch flange_b=other.flange
        other Speed";
    let mut train = train(INTERFACES[0], text);
    train.step(0.1);
    train.set("one.w", 1.0);
    train.step(0.1);
}
