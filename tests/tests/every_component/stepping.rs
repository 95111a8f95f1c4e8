//! Steps and the clocks of importers.

use fmu_tests::api::{CO_SIMULATION, Status};
use fmu_tests::finished::{Fmu, Instance};

use crate::life::{COURSE, Course, for_each_life};
use crate::points::{Random, for_each_structure};
use crate::states::{initialise, step_over};

const LAST_SUCCESSFUL_TIME: i32 = 2;
const H: f64 = 1e-3;
const MANY: u32 = 10_000_000;

/// A shaft under a constant torque, which is pure arithmetic: `w = torque t`, `phi = torque t^2 / 2`.
fn accelerate(instance: &Instance<'_>, start: f64, torque: f64, clock: impl Fn(u32, f64) -> f64) {
    assert_eq!(instance.set("flange_b.tau", &[torque]), Status::Ok);
    instance.initialise_at(start);
    let mut time = start;
    for i in 0..MANY {
        let point = clock(i, time);
        assert_eq!(instance.fmi.do_step(point, H), Status::Ok);
        time = point + H;
        if i % 65_536 == 0 || i + 1 == MANY {
            assert_eq!(instance.fmi.get_real_status(LAST_SUCCESSFUL_TIME), (Status::Ok, time));
        }
    }
    let passed = H * f64::from(MANY);
    let deviation = |found: f64, expected: f64| ((found - expected) / expected).abs();
    let bound = 2.0 * f64::EPSILON * f64::from(MANY);
    assert!(((time - start - passed) / passed).abs() < bound, "{time}");
    assert!(deviation(instance.get("flange_b.w")[0], torque * passed) < bound);
    assert!(deviation(instance.get("flange_b.phi")[0], torque * passed * passed / 2.0) < bound);
}

#[test]
fn d3_ten_million_steps_with_a_clock_that_adds_up() {
    let fmu = Fmu::new("brake", &[]);
    accelerate(&fmu.instance(), 0.0, 0.5, |_, time| time);
}

#[test]
fn d3_s4_ten_million_steps_with_a_clock_that_multiplies_from_a_negative_start() {
    let fmu = Fmu::new("brake", &[]);
    accelerate(&fmu.instance(), -1234.5, 0.5, |i, _| f64::from(i).mul_add(H, -1234.5));
}

/// Importers reject steps to repeat them with other inputs, another size, or both, whatever they announced before.
#[test]
fn d4_d6_d7_rejected_steps_leave_no_trace() {
    for_each_structure(|fmu| {
        let (straight, iterating) = (fmu.instance(), fmu.instance());
        let mut random = initialise(&straight, fmu);
        let mut same = initialise(&iterating, fmu);
        let mut others = Random::new();
        let mut state = iterating.save();
        for i in 0..8 {
            let (point, half) = (f64::from(i) * H / 2.0, H / 2.0);
            for h in [3.0 * H, H / 7.0] {
                assert_eq!(iterating.fmi.get_state(&mut state), Status::Ok);
                step_over(&iterating, fmu, &mut others, point, h);
                iterating.step(point + h, h);
                assert_eq!(iterating.fmi.set_state(state), Status::Ok);
            }
            let expected = step_over(&straight, fmu, &mut random, point, half);
            assert_eq!(step_over(&iterating, fmu, &mut same, point, half), expected);
        }
        iterating.fmi.free_state(&mut state);
    });
}

/// Neither the start time of a run nor its communication points matter.
#[test]
fn d3_d4_s4_a_life_is_the_same_in_halves_and_at_any_time() {
    for_each_life(|life| {
        let end = |course: Course| -> Vec<f64> {
            let seen = life.with(course).live(&life.instance(), 0).pop().unwrap();
            seen.into_iter().map(f64::from_bits).collect()
        };
        let compare = |one: Course, other: Course| {
            // Instants that are outputs move with the start.
            let later = other.start - one.start;
            for (a, b) in end(one).into_iter().zip(end(other)) {
                let is_close = |b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
                assert!(is_close(b) || is_close(b - later), "{a} {b}");
            }
        };
        for start in [-7.25, 1024.0] {
            compare(COURSE, Course { start, ..COURSE });
        }
        if life.kind() == CO_SIMULATION {
            let held = Course { rates: false, ..COURSE };
            compare(held, Course { halves: true, ..held });
        }
    });
}

#[test]
fn s3_s4_d5_any_start_and_a_stop_time() {
    for_each_structure(|fmu| {
        for start in [-7.25, 1e3, -1e-9] {
            let instance = fmu.instance();
            let fmi = &instance.fmi;
            assert_eq!(fmi.setup_experiment(Some(1e-6), start, Some(start + 4.0 * H)), Status::Ok);
            assert_eq!(fmi.enter_initialization_mode(), Status::Ok);
            assert_eq!(fmi.exit_initialization_mode(), Status::Ok, "{:?}", fmi.messages());
            for i in 0..4 {
                instance.step(f64::from(i).mul_add(H, start), H);
            }
            let stop = fmi.get_real_status(LAST_SUCCESSFUL_TIME).1;
            assert_eq!(fmi.do_step(stop, H), Status::Error);
            assert!(instance.last_message().text.contains("after stopTime"));
        }
    });
}
