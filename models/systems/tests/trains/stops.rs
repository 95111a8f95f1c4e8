//! Friction of rods, and masses between stops: closed forms, a published trajectory, impacts, energy, and what is refused.

use crate::fixture::{INTERFACES, check, follow, published, train, train_with_tables};

/// Modelica's Translational.Examples.Brake: a mass brakes with 1 N from 0.1 s on, against the housing or a support.
#[test]
fn a_brake_stops_a_mass() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "mass1 Mass v_start=1
             brake Translational.Brake flange_a=mass1.flange_b f_normalized=step.y
             mass2 Mass v_start=1
             brake1 Translational.Brake useSupport=true flange_a=mass2.flange_b support=fixed.flange f_normalized=step.y
             fixed Translational.Fixed
             step Step startTime=0.1 height=2",
        );
        for k in 1..=20 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            let v = (1.0 - (t - 0.1).max(0.0)).max(0.0);
            let braking = (t - 0.1).clamp(0.0, 1.0);
            let s = t.min(0.1) + braking - 0.5 * braking * braking;
            for (name, expected) in [("mass1.v", v), ("mass2.v", v), ("brake.s", s), ("brake1.v", v)] {
                assert!((train.real(name) - expected).abs() < 1e-6, "{name} at {t}: {}", train.real(name));
            }
        }
        assert_eq!(
            (train.integer("brake.mode"), train.boolean("brake1.locked"), train.real("brake.f")),
            (0, true, 0.0)
        );
    }
}

/// Modelica's Translational.Examples.Friction against the published trajectory: Stribeck's curve twice, once as a table, and a
/// mass that a spring throws against its stops.
#[test]
fn the_published_trajectory_is_reached() {
    let Some(rows) = published("Translational.Friction") else { return };
    let friction = |v: f64| 5.0 + v + 10.0 * (-2.0 * v).exp();
    let table = (0..50).flat_map(|i| [12.0 * f64::from(i) / 49.0, friction(12.0 * f64::from(i) / 49.0)]).collect();
    let parts = "sineForce Sine amplitude=25 f=0.25
        force Force flange=stop1.flange_a f=sineForce.y
        stop1 MassWithStopAndFriction L=1
        force2 Force flange=mass.flange_a f=sineForce.y
        mass Mass L=1
        supportFriction SupportFriction flange_a=mass.flange_b
        fixed2 Translational.Fixed s0=-1.75
        spring Translational.Spring c=500 s_rel0=1 flange_a=fixed2.flange flange_b=stop2.flange_a
        stop2 MassWithStopAndFriction L=1 smax=0.9 smin=-0.9 F_Coulomb=3 F_Stribeck=5 v_start=-5";
    for (interface, every) in [(INTERFACES[0], 1), (INTERFACES[0], 10), (INTERFACES[1], 1)] {
        let mut train = train_with_tables(interface, &[("supportFriction.f_pos", 2, Vec::clone(&table))], parts);
        let is_event =
            |i: usize| rows[i.saturating_sub(1)..].windows(2).take(2).any(|pair| pair[1][0] - pair[0][0] < 1e-4);
        let smooth = (every..rows.len()).step_by(every).filter(|i| !is_event(*i)).map(|i| &rows[i]);
        let time = follow(&mut train, smooth, |train, row| {
            // 1e-4 of the ranges; velocities jump where the data end.
            for (name, column, allowed) in [
                ("mass.s", 1, 1e-3),
                ("mass.v", 2, 1e-3),
                ("stop1.s", 3, 1e-3),
                ("stop1.v", 4, 1e-3),
                ("stop2.s", 5, 4e-4),
                ("stop2.v", 6, 6e-3),
            ] {
                let (found, expected) = (train.real(name), row[column]);
                assert!((found - expected).abs() < allowed, "{name} at {}: {found} instead of {expected}", row[0]);
            }
        });
        assert!(time > 4.8, "{time}");
    }
}

/// Two masses on one rod hit the stop of one of them: both come to rest, and their energy is lost.
#[test]
fn all_that_is_rigidly_connected_comes_to_rest() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "stop MassWithStopAndFriction m=2 L=1 smin=-3 smax=2.5 F_prop=0 F_Coulomb=0 F_Stribeck=0 v_start=4
             other Mass m=3 flange_a=stop.flange_b
             clutch SupportFriction useSupport=true flange_a=third.flange_a support=stop.flange_a
             third Mass m=1 v_start=4",
        );
        assert_eq!((train.integer("stop.mode"), train.integer("clutch.mode")), (2, 0));
        train.step(0.6);
        check(&mut train, &[("stop.s", 2.0), ("stop.v", 0.0), ("other.v", 0.0), ("stop.impactLoss", 0.5 * 5.0 * 16.0)]);
        assert_eq!((train.integer("stop.stopped"), train.boolean("stop.locked")), (1, true));
        // What friction held slides on: 1 N on 1 kg.
        assert_eq!(train.integer("clutch.mode"), 1);
        assert!((train.real("third.v") - 3.9).abs() < 1e-6, "{}", train.real("third.v"));
        // Its friction presses the stop.
        check(&mut train, &[("stop.f", 1.0)]);
        for _ in 0..50 {
            train.step(0.1);
        }
        check(&mut train, &[("stop.s", 2.0), ("third.v", 0.0), ("stop.f", 0.0), ("stop.impactLoss", 40.0)]);
    }
}

/// A force away from the stop has to exceed static friction, one against it never moves the mass.
#[test]
fn a_stop_holds_in_one_direction() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "stop MassWithStopAndFriction smax=1 s_start=1 F_prop=0 fexp=0
             force Force flange=stop.flange_a",
        );
        for (force, f, stopped) in [(1e6, 1e6, 1), (10.0, 10.0, 1), (-15.0, -15.0, 1), (-15.01, -15.01, 1)] {
            train.set("force.f", force);
            train.step(0.1);
            check(&mut train, &[("stop.f", f), ("stop.s", 1.0), ("stop.v", 0.0)]);
            assert_eq!(train.integer("stop.stopped"), stopped);
        }
        train.set("force.f", -16.0);
        train.step(0.5);
        assert_eq!((train.integer("stop.stopped"), train.integer("stop.mode")), (0, -1));
        check(&mut train, &[("stop.f", -15.0)]);
        assert!((train.real("stop.s") - (1.0 - 0.125)).abs() < 1e-6, "{}", train.real("stop.s"));
    }
}

/// Kinetic and elastic energy, heat, and what impacts take, are constant.
#[test]
fn energy_is_balanced() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "fixed Translational.Fixed s0=-1
             spring Translational.Spring c=400 s_rel0=1 flange_a=fixed.flange flange_b=stop.flange_a
             stop MassWithStopAndFriction smin=-0.3 smax=0.25 F_prop=0.5 F_Coulomb=1 F_Stribeck=2 fexp=3 v_start=8
             rod Mass m=0.5 flange_a=stop.flange_b",
        );
        train.set_tolerance(1e-10);
        let energy = |train: &mut fmu_runtime::Trial| {
            0.75 * train.real("stop.v").powi(2) + 200.0 * train.real("stop.s").powi(2) + train.real("stop.impactLoss")
        };
        let (start, h) = (energy(&mut train), 1e-4);
        let (mut heat, mut power) = (0.0, train.real("stop.lossPower"));
        for _ in 0..10_000 {
            train.step(h);
            let next = train.real("stop.lossPower");
            heat += 0.5 * h * (power + next);
            power = next;
        }
        let sum = energy(&mut train) + heat;
        assert!(train.real("stop.impactLoss") > 1.0);
        assert!((sum - start).abs() < 2e-2, "{sum} {start}");
    }
}

#[test]
#[should_panic = "\"stop\" starts at s = 30.0 m, but must start between its stops, from smin + L/2 = -25.0 m to smax - L/2 = 25.0 m"]
fn a_start_outside_of_the_stops_is_refused() {
    train(INTERFACES[0], "stop MassWithStopAndFriction s_start=30").real("stop.s");
}

#[test]
#[should_panic = "\"stop\" starts at a stop, at s = 25.0 m, with v = 1.0 m/s into it: v must be 0, or lead away from the stop"]
fn a_start_into_a_stop_is_refused() {
    train(INTERFACES[0], "stop MassWithStopAndFriction s_start=25 v_start=1").real("stop.s");
}

#[test]
#[should_panic = "stop.smax is 1.0 and smin 0.0, but between them must be more than the length L = 2.0"]
fn stops_that_leave_no_room_are_refused() {
    train(INTERFACES[0], "stop MassWithStopAndFriction smin=0 smax=1 L=2").real("stop.s");
}

#[test]
#[should_panic = "start value of \"guide.f_pos[1,2]\" is -1.0, but must be at least 0.0"]
fn a_negative_friction_is_refused() {
    let tables = [("guide.f_pos", 2, vec![0.0, -1.0])];
    train_with_tables(INTERFACES[0], &tables, "m Mass\nguide SupportFriction flange_a=m.flange_a").real("m.s");
}
