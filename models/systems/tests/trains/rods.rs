//! Masses, springs and dampers on a line.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Two masses with lengths between them: the motion is that of their distance, whose period follows from the reduced mass.
#[test]
fn two_masses_with_a_spring_oscillate() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "a Mass m=2 L=0.4 s_start=-1
             b Mass m=0.5 L=0.2 s_start=0.3 v_start=1
             s Translational.Spring flange_a=a.flange_b flange_b=b.flange_a c=10 s_rel0=0.8",
        );
        let w0 = (10.0_f64 / 0.4).sqrt();
        // The spring is longer than at rest by what remains between the ends.
        let stretch = 1.3 - 0.3 - 0.8;
        for i in 1..=100 {
            train.step(0.01);
            let t = 0.01 * f64::from(i);
            let expected = stretch * (w0 * t).cos() + 1.0 / w0 * (w0 * t).sin();
            let found = train.real("b.s") - train.real("a.s") - 1.1;
            assert!((found - expected).abs() < 1e-5, "{t}: {found} {expected}");
            assert!((train.real("s.s_rel") - 0.8 - expected).abs() < 1e-5);
            assert!((train.real("s.f") - 10.0 * expected).abs() < 1e-4);
            let momentum = 2.0 * train.real("a.v") + 0.5 * train.real("b.v");
            assert!((momentum - 0.5).abs() < 1e-9, "{momentum}");
        }
    }
}

/// A train of rods and one of shafts with the same numbers move alike.
#[test]
fn translation_is_rotation_with_other_names() {
    let rotational = "a Inertia J=2 w_start=3
         b Inertia J=0.7
         s SpringDamper flange_a=a.flange_b flange_b=b.flange_a c=40 d=0.5 phi_rel0=0.1
         k Spring flange_a=b.flange_b flange_b=g.flange c=15 phi_rel0=-0.2
         d Damper flange_a=a.flange_a flange_b=x.flange d=0.3
         x Speed useSupport=true support=a.flange_b w=0.4
         g Fixed phi0=0.3
         t Torque flange=b.flange_a useSupport=true support=a.flange_a tau=1.5";
    let names = [
        ("Inertia", "Mass"),
        ("SpringDamper", "Translational.SpringDamper"),
        ("k Spring", "k Translational.Spring"),
        ("d Damper", "d Translational.Damper"),
        ("Speed", "Translational.Speed"),
        ("Fixed", "Translational.Fixed"),
        ("Torque", "Force"),
        ("J=", "m="),
        ("w_start", "v_start"),
        (" w=", " v="),
        ("phi", "s"),
        ("tau", "f"),
    ];
    let translational = names.iter().fold(rotational.to_owned(), |text, (from, to)| text.replace(from, to));
    for interface in INTERFACES {
        let [mut turning, mut moving] = [rotational, &translational].map(|text| train(interface, text));
        let outputs = [
            ("a.phi", "a.s"),
            ("b.w", "b.v"),
            ("b.a", "b.a"),
            ("s.phi_rel", "s.s_rel"),
            ("s.w_rel", "s.v_rel"),
            ("s.tau_c", "s.f_c"),
            ("s.tau_d", "s.f_d"),
            ("s.lossPower", "s.lossPower"),
            ("d.lossPower", "d.lossPower"),
            ("k.tau", "k.f"),
            ("g.tau", "g.f"),
            ("x.tau", "x.f"),
            ("x.phi", "x.s"),
        ];
        for _ in 0..50 {
            for (of_turning, of_moving) in outputs {
                assert_eq!(turning.real(of_turning), moving.real(of_moving), "{of_turning}");
            }
            turning.step(0.02);
            moving.step(0.02);
        }
        assert!(turning.real("a.phi").abs() > 0.1);
    }
}

/// Kinetic and elastic energy, less the work of the force, plus what the damper has turned into heat.
#[test]
fn energy_of_a_chain_is_balanced() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "a Mass m=2 L=0.4
             b Mass m=0.5 s_start=1 v_start=-2
             k Translational.Spring flange_a=a.flange_b flange_b=b.flange_a c=100 s_rel0=0.5
             d Translational.Damper flange_a=a.flange_b flange_b=b.flange_a d=0.3
             wall Translational.Fixed s0=-1
             w Translational.SpringDamper flange_a=wall.flange flange_b=a.flange_a c=30 d=0.2 s_rel0=0.7
             push Force flange=b.flange_b f=3",
        );
        train.set_tolerance(1e-10);
        let energy = |train: &mut Trial| {
            let square = |x: f64| 0.5 * x * x;
            2.0 * square(train.real("a.v"))
                + 0.5 * square(train.real("b.v"))
                + 100.0 * square(train.real("k.s_rel") - 0.5)
                + 30.0 * square(train.real("w.s_rel") - 0.7)
                - 3.0 * train.real("b.s")
        };
        let begin = energy(&mut train);
        let loss = |train: &mut Trial| train.real("d.lossPower") + train.real("w.lossPower");
        // Simpson's rule over pairs of steps.
        let (h, mut heat) = (1e-3, 0.0);
        for _ in 0..500 {
            let first = loss(&mut train);
            train.step(h);
            let middle = loss(&mut train);
            train.step(h);
            heat += h / 3.0 * (first + 4.0 * middle + loss(&mut train));
        }
        let balance = energy(&mut train) + heat - begin;
        assert!(heat > 0.5 && balance.abs() < 1e-7, "{balance:e} of {begin}, heat {heat}");
    }
}

/// A given velocity: the position is its integral, also inside steps in which it changes.
#[test]
fn a_given_velocity_is_integrated() {
    let mut train = train(
        INTERFACES[0],
        "drive Speed phi_start=0.5 flange=shaft.flange_a
         shaft Inertia J=2
         spring Spring flange_a=shaft.flange_b flange_b=load.flange_a c=0
         load Inertia",
    );
    for i in 0..10 {
        let t = 0.1 * f64::from(i);
        train.set("drive.w", t * t);
        train.set("drive.a", 2.0 * t);
        train.set_derivatives("drive.a", &[2.0]);
        train.step(0.1);
    }
    train.set("drive.w", 1.0);
    train.set("drive.a", 2.0);
    for (name, expected) in
        [("drive.phi", 0.5 + 1.0 / 3.0), ("shaft.phi", 0.5 + 1.0 / 3.0), ("shaft.w", 1.0), ("drive.tau", 4.0)]
    {
        assert!((train.real(name) - expected).abs() < 1e-9, "{name}: {}", train.real(name));
    }
}

/// A motion with respect to a housing that moves: the housing takes the reaction.
#[test]
fn a_motion_counts_from_the_housing() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "drive Translational.Position useSupport=true flange=slider.flange_a support=carriage.flange_b
             slider Mass m=2
             carriage Mass m=3 s_start=1 stateSelect=prefer",
        );
        train.set("drive.s", 0.25);
        train.set("drive.a", 5.0);
        // (3 + 2) a_carriage + 2 5 = 0
        for (name, expected) in [("carriage.a", -2.0), ("slider.a", 3.0), ("slider.s", 1.25), ("drive.f", 6.0)] {
            assert!((train.real(name) - expected).abs() < 1e-12, "{name}: {}", train.real(name));
        }
    }
}

#[test]
fn rods_of_the_same_length_lie_beside_each_other() {
    let text = "a Mass L=0.5 flange_b=b.flange_b
         b Mass L=0.5 flange_a=a.flange_a
         push Force flange=a.flange_a f=4";
    let mut train = train(INTERFACES[0], text);
    assert!((train.real("a.a") - 2.0).abs() < 1e-12);
}

#[test]
#[should_panic = "lengths of rods contradict each other: between two points all rods must have the same length"]
fn rods_of_other_lengths_do_not() {
    let text = "a Mass L=0.5 flange_b=b.flange_b
         b Mass L=0.6 flange_a=a.flange_a";
    train(INTERFACES[0], text).real("a.a");
}

/// A rack acts as a gear to a shaft that has the numbers of the rod.
#[test]
fn a_rack_is_a_gear_to_a_rod() {
    let rack = "motor Torque flange=pinion.flange_a tau=3
         pinion Inertia J=0.02 w_start=1
         rack IdealGearR2T ratio=25 flangeR=pinion.flange_b flangeT=table.flange_a
         table Mass m=40
         wall Translational.Fixed s0=0.5
         buffer Translational.SpringDamper flange_a=table.flange_b flange_b=wall.flange c=300 d=8 s_rel0=0.4";
    let gear = "motor Torque flange=pinion.flange_a tau=3
         pinion Inertia J=0.02 w_start=1
         rack IdealGear ratio=25 flange_a=pinion.flange_b flange_b=table.flange_a
         table Inertia J=40
         wall Fixed phi0=0.5
         buffer SpringDamper flange_a=table.flange_b flange_b=wall.flange c=300 d=8 phi_rel0=0.4";
    for interface in INTERFACES {
        let [mut rack, mut gear] = [rack, gear].map(|text| train(interface, text));
        // (J + m / ratio^2) a = tau + (f - d v) / ratio
        let expected = (3.0 + (300.0 * 0.1 - 8.0 / 25.0) / 25.0) / (0.02 + 40.0 / 625.0);
        assert!((rack.real("pinion.a") - expected).abs() < 1e-9, "{} {expected}", rack.real("pinion.a"));
        for _ in 0..50 {
            for (of_rack, of_gear) in [
                ("pinion.phi", "pinion.phi"),
                ("table.v", "table.w"),
                ("buffer.f", "buffer.tau"),
                ("wall.f", "wall.tau"),
            ] {
                let (found, expected) = (rack.real(of_rack), gear.real(of_gear));
                assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{of_rack}: {found} {expected}");
            }
            rack.step(0.05);
            gear.step(0.05);
        }
    }
}

/// A motor on a slide that it moves itself: the housing takes the reaction in both kinds of motion.
#[test]
fn a_rack_pushes_its_housing() {
    let mut train = train(
        INTERFACES[0],
        "motor Torque flange=pinion.flange_a tau=2
         pinion Inertia J=0.1
         rack IdealGearR2T ratio=10 useSupportT=true flangeR=pinion.flange_b flangeT=table.flange_a supportT=slide.flange_a
         table Mass m=4
         slide Mass m=6 stateSelect=prefer",
    );
    // f = 4 a_table = -6 a_slide, 0.1 a_pinion = 2 - f / 10, a_pinion = 10 (a_table - a_slide)
    let f = 2.0 / (0.1 + (1.0 / 4.0 + 1.0 / 6.0));
    for (name, expected) in [("table.a", f / 4.0), ("slide.a", -f / 6.0), ("pinion.a", 10.0 * (f / 4.0 + f / 6.0))] {
        assert!((train.real(name) - expected).abs() < 1e-12, "{name}: {} {expected}", train.real(name));
    }
}
