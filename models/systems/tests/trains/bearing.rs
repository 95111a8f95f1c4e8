//! The friction of a bearing.

use crate::fixture::{INTERFACES, train, train_with_tables};
use crate::space::refused::message;

/// A shaft runs out, rests, and breaks away: all in closed form, with a housing that stands still or is free to turn.
#[test]
fn a_shaft_runs_out_in_its_bearing() {
    // With a free housing the inertia of the relative motion is that of both, one behind the other.
    let housed = "bearing BearingFriction peak=1.5 useSupport=true flange_a=shaft.flange_b support=housing.flange_a
         housing Inertia J=0.5
         drive Torque useSupport=true flange=bearing.flange_b support=housing.flange_a";
    let fixed = "bearing BearingFriction peak=1.5 flange_a=shaft.flange_b
         drive Torque flange=bearing.flange_b";
    for (text, inertia) in [(fixed, 0.5_f64), (housed, 0.25)] {
        for interface in INTERFACES {
            let mut train = train(interface, &format!("shaft Inertia J=0.5 w_start=3\n{text}"));
            train.set("bearing.tau_pos[1,2]", 0.8);
            let stop = 3.0 * inertia / 0.8;
            let mut t = 0.0;
            while t < stop + 0.1 {
                let w = (3.0 - 0.8 / inertia * t).max(0.0);
                let phi = (9.0 - w * w) / 2.0 * inertia / 0.8;
                for (name, expected) in [("bearing.w", w), ("bearing.phi", phi), ("bearing.lossPower", 0.8 * w)] {
                    assert!((train.real(name) - expected).abs() < 1e-7, "{name} at {t}: {}", train.real(name));
                }
                assert_eq!(train.boolean("bearing.locked"), t > stop, "{t}");
                train.step(0.05);
                t += 0.05;
            }
            train.set("drive.tau", 1.19);
            train.step(0.05);
            assert_eq!((train.integer("bearing.mode"), train.real("bearing.a")), (0, 0.0));
            assert!((train.real("bearing.tau") - 1.19).abs() < 1e-12);
            // This torque is more than peak times the sliding torque.
            train.set("drive.tau", 1.21);
            train.step(0.05);
            assert_eq!(train.integer("bearing.mode"), 1);
            assert!((train.real("bearing.a") - (1.21 - 0.8) / inertia).abs() < 1e-12, "{}", train.real("bearing.a"));
            assert!((train.real("bearing.w") - 0.05 * (1.21 - 0.8) / inertia).abs() < 1e-9);
        }
    }
}

/// A torque of 0 holds nothing.
#[test]
fn a_bearing_without_torque_at_rest_is_free_there() {
    for interface in INTERFACES {
        let text = "bearing BearingFriction flange_a=shaft.flange_b
             shaft Inertia
             drive Torque flange=shaft.flange_a tau=0.3";
        let mut train = train(interface, text);
        train.set("bearing.tau_pos[1,2]", 0.0);
        train.step(0.5);
        assert!((train.real("shaft.w") - 0.15).abs() < 1e-9, "{}", train.real("shaft.w"));
    }
}

/// A bearing with 0.4 N.m without load, and 0.002 N.m for each newton: it runs out under a load that rises with time, and rests.
#[test]
fn the_torque_of_a_bearing_rises_with_its_load() {
    let rows = vec![0.0, 0.0, 0.4, 0.0, 50.0, 0.4, 500.0, 0.0, 1.4, 500.0, 50.0, 1.4, 800.0, 0.0, 2.0];
    let cases = [
        ("Inertia", "b.tau_pos", ["phi", "w"], "b BearingFriction"),
        ("Mass", "b.f_pos", ["s", "v"], "b SupportFriction"),
    ];
    for (kind, table, [phi, w], text) in cases {
        for interface in INTERFACES {
            let inertia = if kind == "Mass" { "m" } else { "J" };
            let text = format!(
                "a {kind} {inertia}=0.5 {w}_start=2\n{text} useLoad=true showEventTime=true flange_a=a.flange_b load=rise.y
                 rise Ramp offset=100 height=300 duration=3"
            );
            let mut train = train_with_tables(interface, &[(table, 3, rows.clone())], &text);
            train.set_tolerance(1e-11);
            let mut t = 0.0;
            // w' = -(0.6 + 0.2 t) / 0.5 until it rests.
            let speed = |t: f64| 2.0 - 1.2 * t - 0.2 * t * t;
            let stop = (-1.2 + f64::sqrt(1.44 + 1.6)) / 0.4;
            while t < 3.0 {
                train.step(0.1);
                t += 0.1;
                let expected = if t < stop { speed(t) } else { 0.0 };
                let at = t.min(stop);
                let path = 2.0 * at - 0.6 * at * at - 0.2 / 3.0 * at.powi(3);
                assert!((train.real(&format!("a.{w}")) - expected).abs() < 1e-9, "{kind} {t}");
                assert!((train.real(&format!("a.{phi}")) - path).abs() < 1e-8, "{kind} {t}");
                assert_eq!(train.integer("b.mode"), i32::from(t < stop), "{kind} {t}");
            }
            assert!((train.real("b.eventTime") - stop).abs() < 1e-8, "{}", train.real("b.eventTime"));
        }
    }
}

/// A load from outside: the shaft holds up to the torque of its load, beyond the last row that of the last one.
#[test]
fn a_bearing_breaks_away_when_its_load_falls() {
    for interface in INTERFACES {
        let text = "a Inertia\nb BearingFriction useLoad=true peak=1.5 flange_a=a.flange_b\ndrive Torque flange=a.flange_a tau=1";
        let rows = vec![0.0, 0.0, 0.2, 100.0, 0.0, 1.0];
        let mut train = train_with_tables(interface, &[("b.tau_pos", 3, rows)], text);
        for (load, mode) in [(500.0, 0), (100.0, 0), (60.0, 0), (58.0, 1)] {
            train.set("b.load", load);
            train.step(0.1);
            assert_eq!(train.integer("b.mode"), mode, "{load}");
        }
        let expected = 1.0 - (0.2 + 0.008 * 58.0);
        assert!((train.real("a.a") - expected).abs() < 1e-12, "{}", train.real("a.a"));
        // What the torque loses with the load is what the shaft gains.
        let slope = train.directional_derivative("a.a", "b.load");
        assert!((slope + 0.008).abs() < 1e-12, "{slope}");
    }
}

#[test]
fn wrong_tables_over_the_load_are_refused() {
    let text = "a Inertia\nb BearingFriction useLoad=true flange_a=a.flange_b";
    #[rustfmt::skip]
    let cases = [
        (text.to_owned(), [-1.0, 0.0, 1.0, 5.0, 0.0, 1.0], "start value of \"b.tau_pos[1,1]\" is -1.0, but must be at least 0.0"),
        (text.to_owned(), [9.0, 0.0, 1.0, 5.0, 0.0, 1.0],
         "b.tau_pos[2,1] is 5.0, but must not be less than the load in the row before"),
        (format!("{text} useTemperature=true"), [1.0, 0.0, 1.0, 5.0, 0.0, 1.0],
         "b.tau_pos has one more column, of temperatures or of loads, but useTemperature and useLoad are both true: leave one of them out"),
    ];
    for (text, rows, expected) in cases {
        let found = message(|| {
            train_with_tables(INTERFACES[0], &[("b.tau_pos", 3, rows.to_vec())], &text).real("a.w");
        });
        assert!(found.contains(expected), "{found}");
    }
}
