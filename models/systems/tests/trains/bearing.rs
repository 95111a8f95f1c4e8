//! The friction of a bearing.

use crate::fixture::{INTERFACES, train};

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
