//! Gears with losses: by hand, against closed forms, published trajectories and another integration, and what is refused.

use std::f64::consts::PI;

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, published, train, train_with_tables};

/// Makes a train with tables of losses.
fn with_table(interface: Interface, text: &str, tables: &[(&str, &[[f64; 5]])]) -> Trial {
    let tables: Vec<_> = tables.iter().map(|(name, rows)| (*name, 5, rows.concat())).collect();
    train_with_tables(interface, &tables, text)
}

fn close(train: &mut Trial, expected: &[(&str, f64)], tolerance: f64) {
    for (name, expected) in expected {
        let found = train.real(name);
        assert!(
            (found - expected).abs() <= tolerance * expected.abs().max(1.0),
            "{name}: {found} instead of {expected}"
        );
    }
}

const CHAIN: &str = "a Inertia
    b Inertia
    c Inertia
    one LossyGear flange_a=a.flange_b flange_b=b.flange_a
    other LossyGear flange_a=b.flange_b flange_b=c.flange_a
    drive Torque flange=a.flange_a
    load Torque flange=c.flange_b tau=-1";

/// Three shafts with gears that lose 20 and 50 percent both ways: forward, stuck, and backward.
#[test]
fn a_chain_moves_as_calculated_by_hand() {
    let tables: [(&str, &[[f64; 5]]); 2] =
        [("one.lossTable", &[[0.0, 0.8, 0.8, 0.0, 0.0]]), ("other.lossTable", &[[0.0, 0.5, 0.5, 0.0, 0.0]])];
    for interface in INTERFACES {
        let start = |torque: f64| {
            let mut train = with_table(interface, CHAIN, &tables);
            train.set("drive.tau", torque);
            train
        };
        let mut forward = start(3.0);
        let a = 0.2 / 1.9;
        close(
            &mut forward,
            &[("a.a", a), ("one.tauLoss", 0.2 * (3.0 - a)), ("other.tauLoss", 0.5 * (0.8 * (3.0 - a) - a))],
            1e-9,
        );
        assert_eq!((forward.integer("one.mode"), forward.integer("other.mode")), (1, 1));
        forward.step(0.5);
        close(&mut forward, &[("c.w", 0.5 * a), ("one.lossPower", 0.2 * (3.0 - a) * 0.5 * a)], 1e-9);
        for torque in [0.45, 1.0, 2.0, 2.45] {
            let mut stuck = start(torque);
            close(&mut stuck, &[("a.a", 0.0)], 1e-9);
            assert_eq!((stuck.integer("one.mode"), stuck.boolean("other.locked")), (0, true), "{torque}");
        }
        let mut backward = start(0.3);
        close(&mut backward, &[("a.a", -0.25 / 5.5), ("c.a", -0.25 / 5.5)], 1e-9);
        assert_eq!(backward.integer("one.mode"), -1);
    }
}

/// Without losses it is an ideal gear, and says that it is free.
#[test]
fn without_losses_it_is_an_ideal_gear() {
    for interface in INTERFACES {
        let [mut lossy, mut ideal] = ["LossyGear", "IdealGear"].map(|gear| {
            let text = format!("a Inertia w_start=2 stateSelect=prefer\nb Inertia J=3\ng {gear} ratio=-2 flange_a=a.flange_b flange_b=b.flange_a\nt Torque flange=b.flange_b tau=5");
            train(interface, &text)
        });
        for _ in 0..5 {
            [&mut lossy, &mut ideal].into_iter().for_each(|train| train.step(0.1));
            assert_eq!(lossy.real("a.w"), ideal.real("a.w"));
        }
        assert_eq!((lossy.integer("g.mode"), lossy.real("g.tauLoss")), (2, 0.0));
    }
}

const DEMO: &str = "Inertia1 Inertia
    Inertia2 Inertia J=1.5 stateSelect=prefer
    gear LossyGear ratio=2 useSupport=true flange_a=Inertia1.flange_b flange_b=Inertia2.flange_a support=fixed.flange
    fixed Fixed
    DriveSine Sine amplitude=10 f=1
    torque1 Torque useSupport=true flange=Inertia1.flange_a support=fixed.flange tau=DriveSine.y
    load Ramp height=5 duration=2 offset=-10
    torque2 Torque useSupport=true flange=Inertia2.flange_b support=fixed.flange tau=load.y
    ";

const HALF: (&str, &[[f64; 5]]) = ("gear.lossTable", &[[0.0, 0.5, 0.5, 0.0, 0.0]]);

/// Modelica's LossyGearDemo1 against the published trajectory, in steps of 1 and 10 ms.
#[test]
fn the_published_trajectory_is_reached() {
    let Some(rows) = published("Rotational.LossyGearDemo1") else { return };
    for (interface, h) in [(INTERFACES[0], 1e-3_f64), (INTERFACES[0], 1e-2), (INTERFACES[1], 1e-3)] {
        let mut train = with_table(interface, DEMO, &[HALF]);
        close(&mut train, &[("Inertia2.a", -20.0 / 19.0)], 1e-9);
        let mut time = 0.0;
        for k in 1..=(0.5 / h).round() as u32 {
            train.step(h);
            time = h * f64::from(k);
            let near = rows.iter().rfind(|row| (row[0] - time).abs() < 1e-9);
            let Some(row) = near else { continue };
            for (name, expected, range) in [("Inertia2.phi", row[1], 2e-3), ("Inertia2.w", row[2], 0.028)] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-3 * range, "{name} at {time}: {found} instead of {expected}");
            }
            // Right after an event the data still have the mode before it.
            let mode = train.integer("gear.mode");
            let is_mode = |row: &&Vec<f64>| (row[0] - time).abs() < 5e-3 && row[3] as i32 == mode;
            assert!(rows.iter().any(|row| is_mode(&row)), "mode {mode} at {time}");
        }
        assert!((time - 0.5).abs() < 1e-9);
    }
}

/// Integrates one inertia with small steps: `forward` gives its acceleration in each direction of the motion; from rest it
/// moves only where one of both leads away.
fn integrate(end: f64, acceleration: &dyn Fn(f64, f64, f64) -> f64) -> Vec<f64> {
    let (h, mut w, mut speeds) = (2e-6, 0.0_f64, vec![0.0]);
    for k in 0..(end / h).round() as usize {
        let t = k as f64 * h;
        let direction = if w != 0.0 {
            w.signum()
        } else if acceleration(t, 0.0, 1.0) > 0.0 {
            1.0
        } else if acceleration(t, 0.0, -1.0) < 0.0 {
            -1.0
        } else {
            0.0
        };
        if direction != 0.0 {
            let first = acceleration(t, w, direction);
            let next = w + 0.5 * h * (first + acceleration(t + h, w + h * first, direction));
            w = if direction * next > 0.0 { next } else { 0.0 };
        }
        if (k + 1) % 500 == 0 {
            speeds.push(w);
        }
    }
    speeds
}

/// Modelica's LossyGearDemo2: a gear and a bearing hold the same shaft.
#[test]
fn a_gear_and_a_bearing_against_another_integration() {
    // The acceleration of Inertia2, folded from flange_a: 1/2 or 2 of the torque passes, by the direction of power.
    let acceleration = |t: f64, w: f64, direction: f64| {
        let drive = 10.0 * (2.0 * PI * t).sin() - direction * (0.5 + 0.5 * (2.0 * w).abs());
        let load = -10.0 + 2.5 * t;
        let residual = |a: f64| {
            let torque = drive - 2.0 * a;
            let passes = if direction * torque > 0.0 { 0.5 } else { 2.0 };
            2.0 * passes * torque + load - 1.5 * a
        };
        if residual(0.0) * direction <= 0.0 && w == 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (-100.0, 100.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if residual(middle) > 0.0 { low = middle } else { high = middle }
        }
        low
    };
    let speeds = integrate(0.5, &acceleration);
    let text = DEMO.replace("flange=Inertia1.flange_a", "flange=bearing.flange_a")
        + "bearing BearingFriction useSupport=true flange_b=Inertia1.flange_a support=fixed.flange";
    for interface in INTERFACES {
        let tables = [(HALF.0, 5, HALF.1.concat()), ("bearing.tau_pos", 2, vec![0.0, 0.5, 1.0, 1.0])];
        let mut train = train_with_tables(interface, &tables, &text);
        let mut modes = Vec::new();
        for (k, speed) in speeds.iter().enumerate().skip(1) {
            train.step(1e-3);
            let found = train.real("Inertia2.w");
            assert!((found - speed).abs() < 2e-6, "at {k} ms: {found} instead of {speed}");
            modes.push(train.integer("gear.mode"));
        }
        modes.dedup();
        assert_eq!(modes, [-1, 0, 1, 0, -1]);
    }
}

/// A brake that has nothing to do with a gear at rest gives way when its limit is reached, also beside one.
#[test]
fn other_elements_give_way_beside_a_gear() {
    for interface in INTERFACES {
        let mut train = with_table(
            interface,
            "a Inertia
             b Inertia
             gear LossyGear flange_a=a.flange_b flange_b=b.flange_a
             other Inertia
             rise Ramp duration=10 height=10
             drive Torque flange=other.flange_a tau=rise.y
             brake Brake fn_max=2 f_normalized=1 showEventTime=true flange_a=other.flange_b",
            &[("gear.lossTable", &[[0.0, 0.8, 0.8, 1.0, 1.0]])],
        );
        for k in 1..=20 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            close(&mut train, &[("other.w", 0.5 * (t - 1.0).max(0.0).powi(2))], 1e-6);
        }
        assert!((train.real("brake.eventTime") - 1.0).abs() < 1e-6, "{}", train.real("brake.eventTime"));
    }
}

/// Modelica's LossyGearDemo3, where the direction of power is undecided all the way: with u = beta the shafts stop in 20 ms.
#[test]
fn a_gear_stays_on_its_corner() {
    for interface in INTERFACES {
        let mut train = with_table(
            interface,
            "Inertia1 Inertia J=0.001
             Inertia2 Inertia J=0.001 w_start=10 stateSelect=prefer
             gear LossyGear flange_a=Inertia1.flange_b flange_b=Inertia2.flange_a
             step1 Step startTime=0.5
             torque2 Torque flange=Inertia2.flange_b tau=step1.y",
            &[("gear.lossTable", &[[0.0, 0.25, 0.25, 0.625, 2.5]])],
        );
        for k in 1..=100 {
            train.step(1e-2);
            let t = 1e-2 * f64::from(k);
            let w = (10.0 - 500.0 * t).max(0.0);
            close(&mut train, &[("Inertia1.w", w)], 1e-6);
            if k == 1 {
                close(&mut train, &[("gear.tauLoss", 1.0), ("gear.a_a", -500.0)], 1e-6);
            }
        }
        assert_eq!(train.integer("gear.mode"), 0);
    }
}

/// Kinetic energy and lost power agree with the work of the motor, through both directions of power.
#[test]
fn energy_is_balanced() {
    for interface in INTERFACES {
        let mut train = with_table(
            interface,
            "a Inertia w_start=3 stateSelect=prefer
             gear LossyGear ratio=-1.5 flange_a=a.flange_b flange_b=b.flange_a
             b Inertia J=2
             wave Sine amplitude=8 f=1.5
             motor Torque flange=b.flange_b tau=wave.y
             speed SpeedSensor flange=b.flange_b
             power Product u1=wave.y u2=speed.w
             work Integrator u=power.y",
            &[("gear.lossTable", &[[0.0, 0.8, 0.7, 0.2, 0.3], [2.0, 0.9, 0.85, 0.1, 0.15]])],
        );
        train.set_tolerance(1e-10);
        let energy = |train: &mut Trial| 0.5 * train.real("a.w").powi(2) + train.real("b.w").powi(2);
        let (start, h) = (energy(&mut train), 2e-4);
        let (mut heat, mut power) = (0.0, train.real("gear.lossPower"));
        for _ in 0..5_000 {
            train.step(h);
            let next = train.real("gear.lossPower");
            assert!(next >= 0.0);
            heat += 0.5 * h * (power + next);
            power = next;
        }
        let sum = energy(&mut train) + heat - train.real("work.y");
        assert!((sum - start).abs() < 1e-3, "{sum} {start}");
    }
}

/// Each of two axes of the mechanism in space moves bodies, so that the torque through the gear follows from loads there.
#[test]
#[should_panic = "\"gear\" is between two axes or rotors of the mechanism in space: a LossyGear must have a shaft on one side that does not carry the mechanism, such as that of a motor"]
fn a_gear_between_two_axes_in_space_is_refused() {
    let text = "world World
        one Revolute frame_a=world.frame_b\na Body I_33=1 frame_a=one.frame_b
        two Revolute frame_a=world.frame_b\nb Body I_33=1 frame_a=two.frame_b
        gear LossyGear ratio=2 flange_a=one.axis flange_b=two.axis";
    train(INTERFACES[0], text).real("one.w");
}

/// Two ways between the same shafts, around which power goes: with these efficiencies no torques slow the gears down.
#[test]
#[should_panic = "the efficiencies of \"one\" and \"two\" leave the motion undetermined at 0.0 s: torques have several ways through gears and clutches that hold; take higher efficiencies, or leave one of the ways out"]
fn gears_without_a_solution_are_reported() {
    let text = "a Inertia J=0.18 w_start=10 stateSelect=prefer
        one LossyGear ratio=0.69 flange_a=a.flange_b flange_b=p.sun
        two LossyGear ratio=-1.17 flange_a=a.flange_b flange_b=p.ring
        p IdealPlanetary ratio=2.21
        b Inertia J=0.53 flange_a=p.carrier
        drive Torque flange=a.flange_a tau=-0.9
        load Torque flange=b.flange_b tau=-4.09";
    let tables: [(&str, &[[f64; 5]]); 2] =
        [("one.lossTable", &[[0.0, 0.08, 0.08, 0.0, 0.0]]), ("two.lossTable", &[[0.0, 0.41, 0.41, 0.0, 0.0]])];
    with_table(INTERFACES[1], text, &tables).real("a.a");
}

/// Parallel gears tie the same shafts twice.
#[test]
#[should_panic = "\"one\" and \"other\" tie shafts that other gears tie already, so that the torques through them do not follow from the motion: leave one of these gears out, take an IdealGear, or put a spring or a clutch in between"]
fn gears_in_a_circle_are_refused() {
    let text = "a Inertia\nb Inertia
        one LossyGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a
        other LossyGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a";
    train(INTERFACES[0], text).real("a.w");
}

fn refused(rows: &[[f64; 5]]) {
    let text = "a Inertia\nb Inertia\ngear LossyGear flange_a=a.flange_b flange_b=b.flange_a";
    with_table(INTERFACES[0], text, &[("gear.lossTable", rows)]).real("a.w");
}

#[test]
#[should_panic = "gear.lossTable[1,3] is -0.1, but an efficiency must be from 0 to 1"]
fn a_negative_efficiency_is_refused() {
    refused(&[[0.0, 0.5, -0.1, 0.0, 0.0]]);
}

#[test]
#[should_panic = "gear.lossTable[1,5] is 0.3, but must be the same as tau1, since with both efficiencies 1 it cannot depend on which side drives"]
fn torques_that_differ_without_losses_of_the_mesh_are_refused() {
    refused(&[[0.0, 1.0, 1.0, 0.2, 0.3]]);
}

#[test]
#[should_panic = "gear.lossTable[2,1] is 1.0, but must be greater than the one before"]
fn speeds_that_do_not_rise_are_refused() {
    refused(&[[1.0, 0.9, 0.9, 0.0, 0.0], [1.0, 0.8, 0.8, 0.0, 0.0]]);
}

#[test]
#[should_panic = "gear.lossTable[1,4] is -0.5, but must be a finite number of at least 0"]
fn a_negative_torque_is_refused() {
    refused(&[[0.0, 0.9, 0.9, -0.5, 0.0]]);
}

#[test]
#[should_panic = "gear.ratio is 0, but must be another number: positive, or negative where the direction changes"]
fn a_ratio_of_0_is_refused() {
    train(INTERFACES[0], "a Inertia\nb Inertia\ngear LossyGear ratio=0 flange_a=a.flange_b flange_b=b.flange_a")
        .real("a.w");
}
