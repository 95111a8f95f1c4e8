//! Loops whose frames move through a dead centre: they go on in the other configuration.

use std::f64::consts::{PI, TAU};

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};

use crate::drive::Assembly;

/// An assembly whose frame_a goes around frame_b's origin or beside it.
struct Case {
    component: &'static str,
    parameters: &'static [(&'static str, &'static [f64])],
    /// Position of frame_b.
    b: [f64; 3],
    radius: f64,
    /// Angle at the start.
    start: f64,
    coordinate: &'static str,
    /// Coordinate by the angle.
    expected: fn(f64) -> f64,
    /// Angle between the dead centres, and that of the first one.
    centres: [f64; 2],
}

/// Cases of a slide whose rod is as long as the radius, and of a parallelogram.
#[rustfmt::skip]
const CASES: [Case; 6] = [
    slide("joint-rrp",
     &[("n_b", &[1.0, 0.0, 0.0]), ("rRod1_ia", &[0.1, 0.0, 0.0]), ("rRod2_ib", &[0.0; 3]), ("s_guess", &[0.2])]),
    slide("joint-usp",
     &[("n_b", &[1.0, 0.0, 0.0]), ("rRod1_ia", &[0.1, 0.0, 0.0]), ("rRod2_ib", &[0.0; 3]), ("s_guess", &[0.2])]),
    slide("joint-ssp",
     &[("n_b", &[1.0, 0.0, 0.0]), ("rod1Length", &[0.1]), ("rRod2_ib", &[0.0; 3]), ("s_guess", &[0.2])]),
    parallelogram("joint-rrr",
     &[("rRod1_ia", &[0.5, 0.0, 0.0]), ("rRod2_ib", &[0.2, 0.0, 0.0]), ("phi_guess", &[57.3])]),
    parallelogram("joint-usr",
     &[("rRod1_ia", &[0.5, 0.0, 0.0]), ("rRod2_ib", &[0.2, 0.0, 0.0]), ("phi_guess", &[57.3])]),
    parallelogram("joint-ssr", &[("rod1Length", &[0.5]), ("rRod2_ib", &[0.2, 0.0, 0.0]), ("phi_guess", &[57.3])]),
];

type Parameters = &'static [(&'static str, &'static [f64])];

const fn slide(component: &'static str, parameters: Parameters) -> Case {
    Case {
        component,
        parameters,
        b: [0.0; 3],
        radius: 0.1,
        start: 0.3,
        coordinate: "distance",
        expected: |phi| 0.2 * phi.cos(),
        centres: [PI, 0.5 * PI],
    }
}

const fn parallelogram(component: &'static str, parameters: Parameters) -> Case {
    Case {
        component,
        parameters,
        b: [0.5, 0.0, 0.0],
        radius: 0.2,
        start: 1.0,
        coordinate: "angle",
        expected: |phi| phi - TAU * (phi / TAU).round(),
        centres: [PI, PI],
    }
}

/// Speed of frame_a, in rad/s.
const SPEED: f64 = 3.0;

impl Case {
    fn begin<'a>(&self, instance: Instance<'a>) -> Assembly<'a> {
        let assembly = Assembly::new(instance);
        for (name, values) in self.parameters.iter().chain(&[("frame_b.r_0", &self.b[..])]) {
            assembly.set(name, values);
        }
        self.go_to(&assembly, self.start);
        assembly.instance.initialise();
        assembly
    }

    fn go_to(&self, assembly: &Assembly<'_>, phi: f64) {
        let (sin, cos) = phi.sin_cos();
        let scaled = |[x, y]: [f64; 2], scale: f64| [x * scale, y * scale, 0.0];
        assembly.set("frame_a.r_0", &scaled([cos, sin], self.radius));
        assembly.set("frame_a.v_0", &scaled([-sin, cos], self.radius * SPEED));
        assembly.set("frame_a.a_0", &scaled([-cos, -sin], self.radius * SPEED * SPEED));
    }

    /// Compares the coordinate with that of the expected configuration.
    fn check(&self, assembly: &Assembly<'_>, phi: f64, h: f64) {
        let error = assembly.number(self.coordinate) - (self.expected)(phi);
        assert!(error.abs() < 1e-9, "{} {h}: {error} at {phi}", self.component);
    }

    fn centres_before(&self, phi: f64) -> usize {
        let [distance, first] = self.centres;
        ((phi - first) / distance + 1.0).floor() as usize
    }
}

fn passages(instance: &Instance<'_>) -> usize {
    let messages = instance.fmi.messages();
    messages.iter().filter(|message| message.text.contains("the loop has passed its dead centre")).count()
}

#[test]
fn co_simulation_goes_through() {
    for case in CASES {
        let fmu = Fmu::new(case.component, &[]);
        for h in [1e-3, 0.01, 0.1, 0.2] {
            let assembly = case.begin(fmu.instance());
            let phi = |i: usize| case.start + SPEED * h * i as f64;
            let steps = (2.0 * TAU / (SPEED * h)) as usize;
            for i in 0..steps {
                case.go_to(&assembly, phi(i));
                case.check(&assembly, phi(i), h);
                assembly.instance.step(h * i as f64, h);
            }
            assert_eq!(passages(&assembly.instance), case.centres_before(phi(steps - 1)), "{} {h}", case.component);
        }
    }
}

/// Behind a dead centre the indicator has another sign, up to a distance.
#[test]
fn model_exchange_goes_through_and_its_indicator_changes() {
    for case in CASES {
        let fmu = Fmu::new(case.component, &[]);
        assert_eq!(fmu.description.event_indicators, 1);
        let assembly = case.begin(fmu.model_exchange());
        let fmi = &assembly.instance.fmi;
        assembly.instance.settle();
        assert_eq!(fmi.enter_continuous_time_mode(), Status::Ok);
        let h = 0.01;
        for i in 0..400 {
            let (t, phi) = (h * f64::from(i), case.start + SPEED * h * f64::from(i));
            assert_eq!(fmi.set_time(t), Status::Ok);
            case.go_to(&assembly, phi);
            case.check(&assembly, phi, h);
            let [distance, first] = case.centres;
            let way = (phi - first).rem_euclid(distance);
            let (status, indicators) = fmi.get_event_indicators(1);
            assert_eq!(status, Status::Ok);
            if phi > first && way < 0.1 {
                assert!(indicators[0] < 0.0, "{} {indicators:?} at {phi}", case.component);
            } else if distance - way < 0.3 {
                assert!(indicators[0] > 0.0, "{} {indicators:?} at {phi}", case.component);
            }
            assert_eq!(fmi.completed_integrator_step().0, Status::Ok);
        }
        assert_eq!(passages(&assembly.instance), case.centres_before(case.start + SPEED * h * 399.0));
    }
}

/// The loop turns back at 8 degrees.
#[test]
fn a_loop_that_misses_its_dead_centre_stays() {
    let case = &CASES[0];
    let fmu = Fmu::new(case.component, &[]);
    for h in [1e-3, 0.01, 0.05] {
        let assembly = Assembly::new(fmu.instance());
        case.parameters.iter().for_each(|(name, values)| assembly.set(name, values));
        assembly.set("rRod1_ia", &[0.101, 0.0, 0.0]);
        assembly.set("frame_b.r_0", &case.b);
        case.go_to(&assembly, case.start);
        assembly.instance.initialise();
        for i in 0..(4.0 / h) as usize {
            let phi = case.start + SPEED * h * i as f64;
            case.go_to(&assembly, phi);
            let expected = 0.1 * phi.cos() + (0.101_f64.powi(2) - (0.1 * phi.sin()).powi(2)).sqrt();
            assert!((assembly.number("distance") - expected).abs() < 1e-12, "{h} {phi}");
            assembly.instance.step(h * i as f64, h);
        }
        assert_eq!(passages(&assembly.instance), 0);
    }
}

#[test]
fn ends_of_a_telescope_that_meet_are_an_error() {
    let fmu = Fmu::new("joint-ups", &[]);
    for h in [0.01, 0.3] {
        for (aside, meets) in [(0.0, true), (0.2, false)] {
            let assembly = Assembly::new(fmu.instance());
            let go_to = |t: f64| {
                assembly.set("frame_b.r_0", &[-1.0 + 3.0 * t, aside, 0.0]);
                assembly.set("frame_b.v_0", &[3.0, 0.0, 0.0]);
            };
            go_to(0.0);
            assembly.instance.initialise();
            let reference = assembly.instance.references("axisLength");
            let failed = (0..(1.0 / h) as usize).find(|i| {
                let t = h * *i as f64;
                go_to(t);
                let is_read = assembly.instance.fmi.get_real(&reference).0 == Status::Ok;
                !is_read || assembly.instance.fmi.do_step(t, h) != Status::Ok
            });
            assert_eq!(failed.is_some(), meets, "{h} {aside}: {failed:?}");
            if let Some(i) = failed {
                assert!((h * i as f64 - 1.0 / 3.0).abs() < h, "{i}");
                let text = assembly.instance.last_message().text;
                assert!(text.contains("JointUPS: the origins of frame_a and frame_b are 0"), "{text}");
            }
        }
    }
}
