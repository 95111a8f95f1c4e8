//! Drive trains, in both interfaces.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use systems::parts::types;
use systems::system;

const INTERFACES: [Interface; 2] = [Interface::CoSimulation, Interface::ModelExchange];

fn trial(interface: Interface, structure: &[(&str, &str)]) -> Trial {
    Trial::of_model(interface, system(types()), structure)
}

/// An oscillator of two inertias: its period follows from the inertia of the relative motion.
#[test]
fn two_inertias_with_a_spring_oscillate() {
    for interface in INTERFACES {
        let mut train = trial(
            interface,
            &[
                ("a.type", "Inertia"),
                ("b.type", "Inertia"),
                ("s.type", "Spring"),
                ("s.flange_a", "a.flange_b"),
                ("s.flange_b", "b.flange_a"),
            ],
        );
        for (name, value) in [("a.J", 2.0), ("b.J", 0.5), ("s.c", 10.0), ("a.phi_start", 0.3), ("b.w_start", 1.0)] {
            train.set(name, value);
        }
        let w0 = (10.0_f64 / 0.4).sqrt();
        let mut t = 0.0;
        for _ in 0..100 {
            train.step(0.01);
            t += 0.01;
            let expected = -0.3 * (w0 * t).cos() + 1.0 / w0 * (w0 * t).sin();
            let found = train.real("b.phi") - train.real("a.phi");
            assert!((found - expected).abs() < 1e-5, "{t}: {found} {expected}");
            let momentum = 2.0 * train.real("a.w") + 0.5 * train.real("b.w");
            assert!((momentum - 0.5).abs() < 1e-9, "{momentum}");
        }
    }
}

/// Engine, planetary gear with clutch and brake, load: published as SimpleGearShift.
#[test]
fn a_gear_is_shifted() {
    for interface in INTERFACES {
        let mut train = trial(
            interface,
            &[
                ("engine.type", "Inertia"),
                ("load.type", "Inertia"),
                ("gear.type", "IdealPlanetary"),
                ("clutch.type", "Clutch"),
                ("brake.type", "Brake"),
                ("torque.type", "Torque"),
                ("fan.type", "QuadraticSpeedDependentTorque"),
                ("torque.flange", "engine.flange_a"),
                ("engine.flange_b", "gear.sun"),
                ("clutch.flange_a", "gear.sun"),
                ("clutch.flange_b", "gear.ring"),
                ("brake.flange_a", "gear.ring"),
                ("gear.carrier", "load.flange_a"),
                ("load.flange_b", "fan.flange"),
            ],
        );
        for (name, value) in [
            ("load.J", 10.0),
            ("gear.ratio", 1.5),
            ("clutch.cgeo", 2.0),
            ("clutch.fn_max", 100.0),
            ("brake.cgeo", 2.0),
            ("brake.fn_max", 100.0),
            ("fan.tau_nominal", -20.0),
            ("fan.w_nominal", 10.471975511966),
            ("brake.f_normalized", 1.0),
        ] {
            train.set(name, value);
        }
        let mut t = 0.0;
        for i in 0..500 {
            t = f64::from(i) * 0.01;
            let ramp = ((t - 2.0) / 0.1).clamp(0.0, 1.0);
            train.set("torque.tau", if t >= 0.5 { 20.0 } else { 0.0 });
            train.set("clutch.f_normalized", ramp);
            train.set("brake.f_normalized", 1.0 - ramp);
            train.step(0.01);
            if i % 25 == 0 {
                eprintln!(
                    "{t:.2} {} {} {} {}",
                    train.real("engine.w"),
                    train.real("load.w"),
                    train.integer("clutch.mode"),
                    train.integer("brake.mode")
                );
            }
        }
        eprintln!("{t} {}", train.real("load.w"));
    }
}
