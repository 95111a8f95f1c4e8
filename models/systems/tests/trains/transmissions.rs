//! Energy, and elements that stick together or hold each other.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Two planetary gears with a common sun and a common carrier, and a brake for each ring: each brake makes a gear. Behind
/// them an elastic shaft and a loaded vehicle.
const TRANSMISSION: &str = "engine Inertia J=0.3 w_start=50 stateSelect=prefer
    output Inertia J=0.2 w_start=20 stateSelect=prefer
    vehicle Inertia J=8 w_start=20
    first IdealPlanetary ratio=3 sun=engine.flange_b carrier=output.flange_a
    second IdealPlanetary ratio=1.2 sun=engine.flange_b carrier=output.flange_a
    ring Inertia J=0.05 flange_a=first.ring
    brake1 Brake flange_a=first.ring cgeo=2 fn_max=500
    brake2 Brake flange_a=second.ring cgeo=2 fn_max=500
    shaft Spring c=3000 flange_a=output.flange_b flange_b=vehicle.flange_a
    drive Torque flange=engine.flange_a
    load Torque flange=vehicle.flange_b";

/// Returns kinetic and elastic energy in J.
fn energy(train: &mut Trial) -> f64 {
    let kinetic = |(name, inertia): (&str, f64)| 0.5 * inertia * train.real(&format!("{name}.w")).powi(2);
    let inertias = [("engine", 0.3), ("output", 0.2), ("vehicle", 8.0), ("ring", 0.05)];
    inertias.into_iter().map(kinetic).sum::<f64>() + 0.5 * 3000.0 * train.real("shaft.phi_rel").powi(2)
}

/// Forces and torques are constant in each step and the coefficient does not depend on the speed, so that work and heat are
/// torques times angles.
#[test]
fn a_shift_under_load_keeps_the_balance_of_energy() {
    const STEP: f64 = 0.005;
    for interface in INTERFACES {
        let mut train = train(interface, TRANSMISSION);
        train.set_tolerance(1e-11);
        train.set("drive.tau", 60.0);
        train.set("load.tau", -90.0);
        let begin = energy(&mut train);
        let (mut work, mut heat, mut turnover) = (0.0, 0.0, 0.0_f64);
        let mut shifts = 0;
        let mut gear = 0;
        for i in 0..500 {
            // From 0.2 s on each 0.5 s the other brake closes, within 50 ms.
            let t = STEP * f64::from(i);
            let phase = (t - 0.2) / 0.5;
            let closed = (10.0 * phase.fract()).clamp(0.0, 1.0);
            let even = if (phase.floor() as i32).rem_euclid(2) == 0 { closed } else { 1.0 - closed };
            let second = if phase < 0.0 { 0.0 } else { even };
            let forces = [1.0 - second, second];
            let names = ["engine.phi", "vehicle.phi", "brake1.phi_rel", "brake2.phi_rel"];
            train.set("brake1.f_normalized", forces[0]);
            train.set("brake2.f_normalized", forces[1]);
            let before = names.map(|name| train.real(name));
            train.step(STEP);
            let moved: Vec<_> = names.iter().zip(before).map(|(name, before)| train.real(name) - before).collect();
            work += 60.0 * moved[0] - 90.0 * moved[1];
            heat += forces.iter().zip(&moved[2..]).map(|(force, angle)| 500.0 * force * angle.abs()).sum::<f64>();
            turnover += 60.0 * moved[0].abs();
            let stuck = ["brake1.mode", "brake2.mode"].map(|name| train.integer(name) == 0);
            let now = match stuck {
                [true, false] => 1,
                [false, true] => 2,
                _ => gear,
            };
            shifts += i32::from(gear != 0 && now != gear);
            gear = now;
        }
        assert!(shifts >= 4, "{interface:?}: {shifts}");
        assert!(heat > 0.01 * turnover, "{heat}");
        let rest = energy(&mut train) - begin + heat - work;
        assert!(rest.abs() < 1e-8 * turnover, "{interface:?}: {rest:e} of {turnover}");
    }
}

/// The outer shafts come to rest together, against the one between.
#[test]
fn two_clutches_stick_at_the_same_instant() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "left Inertia J=2 w_start=3
             middle Inertia J=0.5
             right Inertia J=2 w_start=-3
             one Clutch flange_a=left.flange_b flange_b=middle.flange_a fn_max=8 f_normalized=1 showEventTime=true
             other Clutch flange_a=middle.flange_b flange_b=right.flange_a fn_max=8 f_normalized=1 showEventTime=true
             drive Torque flange=left.flange_a tau=1
             load Torque flange=right.flange_b tau=-1",
        );
        // 4 N.m brake, 1 N.m drives: 3 rad/s are gone after 2 s.
        train.step(1.5);
        assert_eq!(["one", "other"].map(|name| train.integer(&format!("{name}.mode"))), [-1, -1]);
        train.step(1.5);
        for name in ["one", "other"] {
            assert_eq!(train.integer(&format!("{name}.mode")), 0, "{interface:?}: {name}");
            let at = train.real(&format!("{name}.eventTime"));
            assert!((at - 2.0).abs() < 1e-9, "{interface:?}: {name} {at}");
            // Each clutch bears the load that drives its outer shaft.
            let tau = train.real(&format!("{name}.tau"));
            assert!((tau + 1.0).abs() < 1e-9, "{interface:?}: {name} {tau}");
        }
        for (name, angle) in [("left", 3.0), ("middle", 0.0), ("right", -3.0)] {
            let [phi, w] = ["phi", "w"].map(|of| train.real(&format!("{name}.{of}")));
            assert!((phi - angle).abs() < 1e-8 && w.abs() < 1e-9, "{interface:?}: {name} {phi} {w}");
        }
    }
}

/// The brake bears the sliding torque of the clutch, then what remains when that sticks; a weaker one gives way at once.
#[test]
fn a_brake_holds_against_a_clutch_that_sticks() {
    for interface in INTERFACES {
        for (limit, holds) in [(6.0, true), (4.5, false)] {
            let mut train = train(
                interface,
                "shaft Inertia J=2 w_start=1
                 housing Inertia J=0.5
                 clutch Clutch flange_a=housing.flange_b flange_b=shaft.flange_a fn_max=10 f_normalized=1
                 brake Brake flange_a=housing.flange_a fn_max=2 f_normalized=1
                 drive Torque flange=shaft.flange_b tau=4",
            );
            train.set("brake.fn_max", 2.0 * limit);
            train.step(1.0);
            // 5 N.m of the clutch against 4 N.m that drive.
            let expected = if holds { 5.0 } else { limit };
            assert!((train.real("brake.tau").abs() - expected).abs() < 1e-9, "{}", train.real("brake.tau"));
            assert_eq!(train.integer("brake.mode"), i32::from(!holds));
            train.step(4.0);
            if holds {
                assert_eq!(["brake.mode", "clutch.mode"].map(|name| train.integer(name)), [0, 0]);
                for name in ["brake.tau", "clutch.tau"] {
                    assert!((train.real(name).abs() - 4.0).abs() < 1e-9, "{name}: {}", train.real(name));
                }
                assert!((train.real("shaft.phi") - 1.0).abs() < 1e-8, "{}", train.real("shaft.phi"));
            } else {
                // The clutch is faster than the drive can keep up: both come to rest, and the brake holds again.
                assert_eq!(["brake.mode", "clutch.mode"].map(|name| train.integer(name)), [0, 0]);
                assert!(train.real("shaft.w").abs() < 1e-9 && train.real("housing.phi") > 0.0);
            }
        }
    }
}

/// The reflected inertia is the sum of `J ratio^(2 i)`, with products of ratios far below the rounding of 1.
#[test]
fn a_long_chain_of_gears_accelerates_as_its_reflected_inertia_does() {
    for (count, ratio) in [(100, 1.01_f64), (100, 2.0), (60, 0.5)] {
        let mut text = "drive Torque flange=i0.flange_a\n i0 Inertia J=0.1".to_owned();
        for i in 1..count {
            let before = i - 1;
            text += &format!(
                "\n g{i} IdealGear ratio={ratio} flange_a=i{before}.flange_b flange_b=i{i}.flange_a\n i{i} Inertia J=0.1"
            );
        }
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            train.set("drive.tau", 3.0);
            let reflected: f64 = (0..count).map(|i| 0.1 * ratio.powi(-2 * i)).sum();
            let last = ratio.powi(1 - count);
            for (name, expected) in [("i0.a".to_owned(), 1.0), (format!("i{}.a", count - 1), last)] {
                let (found, expected) = (train.real(&name), 3.0 / reflected * expected);
                assert!((found / expected - 1.0).abs() < 1e-12, "{ratio}, {name}: {found} instead of {expected}");
            }
        }
    }
}
