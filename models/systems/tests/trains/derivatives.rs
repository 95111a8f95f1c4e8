//! Exact derivatives of systems against differences, in every mode.

use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

const TRAIN: &str = "engine Inertia J=0.7 w_start=WE
    load Inertia J=5 w_start=WL
    gear IdealPlanetary ratio=1.5 sun=engine.flange_b carrier=load.flange_a
    clutch Clutch flange_a=gear.sun flange_b=gear.ring cgeo=2 fn_max=10 f_normalized=C
    one Brake flange_a=gear.ring cgeo=1 fn_max=10 f_normalized=B
    other Brake flange_a=gear.ring cgeo=0.5 fn_max=10 f_normalized=B
    shaft SpringDamper flange_a=load.flange_b flange_b=wheel.flange_a c=50 d=0.3
    wheel Inertia J=2
    fan QuadraticSpeedDependentTorque flange=wheel.flange_b tau_nominal=-2
    torque Torque flange=engine.flange_a tau=1.5";

const OUTPUTS: [&str; 8] =
    ["engine.a", "load.a", "wheel.a", "clutch.tau", "one.tau", "other.tau", "clutch.a_rel", "shaft.tau"];

/// Speeds of engine and load, normal forces of clutch and brakes: sliding, stuck, stuck redundantly, free.
const POINTS: [[f64; 4]; 5] =
    [[3.0, 0.4, 1.0, 0.5], [2.0, 2.0, 1.0, 0.0], [2.5, 1.0, 0.0, 1.0], [1.0, -2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]];

fn text(point: [f64; 4]) -> String {
    let words = ["WE", "WL", "=C", "=B"].into_iter().zip(point);
    words.fold(TRAIN.to_owned(), |text, (word, value)| {
        let (sign, _) = word.split_at(usize::from(word.starts_with('=')));
        text.replace(word, &format!("{sign}{value:?}"))
    })
}

#[test]
fn derivatives_by_inputs_are_those_of_differences() {
    for point in POINTS {
        let mut train = train(Interface::ModelExchange, &text(point));
        // The derivatives are taken in continuous-time mode.
        train.step(1e-3);
        for input in ["torque.tau", "clutch.f_normalized", "one.f_normalized", "other.f_normalized"] {
            for output in OUTPUTS {
                let exact = train.directional_derivative(output, input);
                let here = train.real(input);
                let mut at = |shift: f64| {
                    train.set(input, here + shift);
                    train.real(output)
                };
                let h = 1e-5;
                // Where a normal force is 0, friction begins on one side only.
                if here == 0.0 && input != "torque.tau" {
                    continue;
                }
                let difference = (at(h) - at(-h)) / (2.0 * h);
                at(0.0);
                let close = (exact - difference).abs() <= 1e-8 * difference.abs().max(1.0);
                assert!(close, "{output} by {input} at {point:?}: {exact} {difference}");
            }
        }
    }
}

#[test]
fn derivatives_by_parameters_at_the_start_are_those_of_differences() {
    // Speeds at which the modes do not depend on the parameters' last digits.
    for point in [POINTS[0], POINTS[3]] {
        for parameter in ["engine.J", "gear.ratio", "shaft.c", "fan.tau_nominal", "clutch.cgeo"] {
            let at = |shift: f64| {
                let mut train = train(Interface::ModelExchange, &text(point));
                let value = match parameter {
                    "engine.J" => 0.7,
                    "gear.ratio" => 1.5,
                    "shaft.c" => 50.0,
                    "fan.tau_nominal" => -2.0,
                    _ => 2.0,
                };
                train.set(parameter, value + shift);
                train
            };
            for output in OUTPUTS {
                let exact = at(0.0).directional_derivative(output, parameter);
                let h = 1e-5;
                let difference = (at(h).real(output) - at(-h).real(output)) / (2.0 * h);
                let close = (exact - difference).abs() <= 1e-6 * difference.abs().max(1.0);
                assert!(close, "{output} by {parameter} at {point:?}: {exact} {difference}");
            }
        }
    }
}

/// Forces of rods at a point of the stroke; the gas has a polynomial there.
#[test]
fn derivatives_of_rods_are_those_of_differences() {
    let text = "piston Mass m=2 s_start=S v_start=V
         gas GasForce flange_a=head.flange flange_b=piston.flange_a
         head Translational.Fixed
         rod Translational.SpringDamper flange_a=piston.flange_b flange_b=end.flange_a c=1e5 d=20 s_rel0=0.1
         end Mass m=1.5 s_start=0.3
         pull Translational.Speed flange=slide.flange_a
         slide Mass
         tie Translational.Damper d=3 flange_a=slide.flange_b flange_b=end.flange_b
         push Force flange=end.flange_b";
    for (s, v) in [(0.2, 3.0), (0.2, -3.0), (0.01, 2.0)] {
        let text = text.replace("=S", &format!("={s:?}")).replace("=V", &format!("={v:?}"));
        for known in ["gas.d", "gas.L", "rod.c", "rod.s_rel0", "piston.L", "piston.s_start", "pull.v", "push.f"] {
            let here = || train(Interface::ModelExchange, &text);
            let value = here().real(known);
            for output in ["gas.press", "gas.f", "piston.a", "end.a", "head.f", "pull.f", "tie.lossPower"] {
                // During initialisation, where parameters are knowns.
                let exact = here().directional_derivative(output, known);
                let h = 1e-5 * value.abs().max(1e-2);
                let at = |shift: f64| {
                    let mut train = here();
                    train.set(known, value + shift);
                    train.real(output)
                };
                let difference = (at(h) - at(-h)) / (2.0 * h);
                let size = here().real(output).abs() / value.abs().max(1e-2);
                let close = (exact - difference).abs() <= 3e-5 * difference.abs() + 1e-7 * size + 1e-9;
                assert!(close, "{output} by {known} at {s}, {v}: {exact} {difference}");
            }
        }
    }
}
