//! The gas in a cylinder: its work along a stroke is the integral of the pressure, also where that jumps.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, train};
use crate::space::refused::message;

const LENGTH: f64 = 0.35;
const MASS: f64 = 2.0;

/// Returns the work in J from the bottom to x, in compression or in expansion. Polynomials of the pressure in bar are
/// as published.
fn work(expands: bool, x: f64) -> f64 {
    let (limit, small, large) = if expands {
        (
            0.933,
            [145.930, -131.707, 17.3438, 17.9272, 2.4],
            [-3929704.0, 14748765.0, -20747000.0, 12964477.0, -3036495.0],
        )
    } else {
        (
            0.986061,
            [177.4132, -287.2189, 151.8252, -24.9973, 2.4],
            [2836360.0, -10569296.0, 14761814.0, -9158505.0, 2129670.0],
        )
    };
    let integral = |powers: [f64; 5], x: f64| -> f64 {
        powers.iter().zip([5, 4, 3, 2, 1]).map(|(c, n)| c * x.powi(n) / f64::from(n)).sum()
    };
    let bars = integral(small, x.min(limit)) + integral(large, x.max(limit)) - integral(large, limit);
    bars * 1e5 * std::f64::consts::PI * 0.1_f64.powi(2) / 4.0 * LENGTH
}

fn cylinder(interface: Interface, s: f64, v: f64) -> fmu_runtime::Trial {
    let text = format!(
        "piston Mass m={MASS} s_start={s} v_start={v}
         gas GasForce flange_a=head.flange flange_b=piston.flange_a
         head Translational.Fixed"
    );
    let mut train = train(interface, &text);
    train.set_tolerance(1e-10);
    train
}

#[test]
fn a_piston_gains_what_the_gas_gives() {
    for interface in INTERFACES {
        // The piston moves down, past the point at which the pressure jumps.
        let mut train = cylinder(interface, 0.01, 2.0);
        for _ in 0..20 {
            train.step(5e-4);
            let (x, v) = (train.real("gas.x"), train.real("piston.v"));
            let expected = 0.5 * MASS * 4.0 + work(true, 1.0 - 0.01 / LENGTH) - work(true, x);
            let energy = 0.5 * MASS * v * v;
            assert!((energy - expected).abs() < 1e-6 * expected, "{interface:?} {x}: {energy} {expected}");
            if x < 0.2 {
                break;
            }
        }
        let x = train.real("gas.x");
        assert!(x < 0.2 && x > 0.0, "{x}");
    }
}

#[test]
fn a_piston_turns_and_comes_back_with_more() {
    for interface in INTERFACES {
        let mut train = cylinder(interface, 0.3, -13.0);
        let begin = 0.5 * MASS * 169.0 + work(false, 1.0 - 0.3 / LENGTH);
        // The piston is where compression has taken all energy.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if work(false, middle) < begin { low = middle } else { high = middle }
        }
        let mut turned = false;
        for _ in 0..120 {
            train.step(5e-4);
            let (x, v) = (train.real("gas.x"), train.real("piston.v"));
            turned |= v > 0.0;
            let expected = if turned { work(true, low) - work(true, x) } else { begin - work(false, x) };
            let energy = 0.5 * MASS * v * v;
            assert!((energy - expected).abs() < 1e-5 * begin, "{interface:?} {x} {v}: {energy} {expected}");
            if x < 0.1 && turned {
                break;
            }
        }
        assert!(turned && low < 0.99 && train.real("piston.v") > 13.0, "{low} {}", train.real("piston.v"));
    }
}

/// At both ends of the stroke compression and expansion agree.
#[test]
fn the_pressure_is_that_at_the_ends() {
    for (s, v, bars) in [(0.0, -1.0, 43.0), (0.0, 1.0, 43.0), (LENGTH, 1.0, 2.4), (LENGTH, -1.0, 2.4)] {
        let mut train = cylinder(INTERFACES[0], s, v);
        let force = bars * 1e5 * std::f64::consts::PI * 0.01 / 4.0;
        for (name, expected) in [("gas.press", bars * 1e5), ("gas.f", -force), ("head.f", force)] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-6 * expected.abs(), "{name} {s} {v}: {found} {expected}");
        }
    }
}

/// The error is that of the library's part, at the start and where the piston leaves the cylinder.
#[test]
fn a_piston_outside_of_its_cylinder_is_an_error() {
    let text = "but the piston must stay in the cylinder, between 0 and L = 0.35 m: check L, start values and where flange_a and \
                flange_b are, at ";
    for interface in INTERFACES {
        for (s, v) in [(-0.1, 1.0), (0.4, -1.0)] {
            let message = message(|| {
                cylinder(interface, s, v).real("gas.press");
            });
            assert!(message.contains(&format!("\"gas\": s_rel = {s:?} m, {text}0.0 s")), "{message}");
        }
        // A third of a metre at more than 10 m/s, from the end of the gas on nearly without a load.
        let message = message(|| {
            let mut train = cylinder(interface, 0.34, 10.0);
            (0..20).for_each(|_| train.step(5e-4));
        });
        assert!(
            message.contains("\"gas\": s_rel = 0.3500000") && message.contains(&format!("{text}0.00095")),
            "{message}"
        );
    }
}

#[test]
fn steps_without_news_end_where_those_that_begin_anew_do() {
    let cylinder = "piston Mass m=2 s_start=0.1 v_start=-2
         gas GasForce flange_a=head.flange flange_b=piston.flange_a
         push Force flange=piston.flange_b
         stop Translational.SpringDamper c=2e6 d=4000 s_rel0=0.1 flange_a=head.flange flange_b=piston.flange_b
         head Translational.Fixed";
    let clutch = "piston Inertia J=2 w_start=3
         clutch Clutch fn_max=20 f_normalized=0.7 flange_a=piston.flange_b flange_b=other.flange_a
         push Torque flange=piston.flange_a
         other Inertia J=1";
    for (text, input, state) in [(cylinder, "push.f", "piston.v"), (clutch, "push.tau", "piston.w")] {
        let run = |sets_again: bool| {
            let mut train = train(Interface::CoSimulation, text);
            train.set(input, -7.0);
            let step = |_| {
                if sets_again {
                    train.set(input, -7.0);
                }
                train.step(2e-3);
                train.real(state).to_bits()
            };
            (0..300).map(step).collect::<Vec<_>>()
        };
        assert_eq!(run(false), run(true), "{text}");
    }
}
