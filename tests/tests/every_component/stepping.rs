//! Steps and the clocks of importers.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};

use crate::points::for_each_structure;
use crate::states::{initialise, step};

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
        assert_eq!(instance.slave.do_step(point, H), Status::Ok);
        time = point + H;
        if i % 65_536 == 0 || i + 1 == MANY {
            assert_eq!(instance.slave.get_real_status(LAST_SUCCESSFUL_TIME), (Status::Ok, time));
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

#[test]
fn d4_d7_a_rejected_step_and_two_halves_are_as_good_as_the_halves_alone() {
    for_each_structure(|fmu| {
        let (straight, iterating) = (fmu.instance(), fmu.instance());
        let mut random = initialise(&straight, fmu);
        let mut same = initialise(&iterating, fmu);
        let mut state = iterating.save();
        for i in 0..6 {
            // Other inputs, another size, and back, twice.
            for _ in 0..2 {
                assert_eq!(iterating.slave.get_state(&mut state), Status::Ok);
                step(&iterating, fmu, &mut same.clone(), i);
                assert_eq!(iterating.slave.set_state(state), Status::Ok);
            }
            assert_eq!(step(&iterating, fmu, &mut same, i), step(&straight, fmu, &mut random, i));
        }
        iterating.slave.free_state(&mut state);
    });
}

#[test]
fn s3_s4_d5_any_start_and_a_stop_time() {
    for_each_structure(|fmu| {
        for start in [-7.25, 1e3, -1e-9] {
            let instance = fmu.instance();
            let slave = &instance.slave;
            assert_eq!(slave.setup_experiment(Some(1e-6), start, Some(start + 4.0 * H)), Status::Ok);
            assert_eq!(slave.enter_initialization_mode(), Status::Ok);
            assert_eq!(slave.exit_initialization_mode(), Status::Ok, "{:?}", slave.messages());
            for i in 0..4 {
                instance.step(f64::from(i).mul_add(H, start), H);
            }
            let stop = slave.get_real_status(LAST_SUCCESSFUL_TIME).1;
            assert_eq!(slave.do_step(stop, H), Status::Error);
            assert!(instance.last_message().text.contains("after stopTime"));
        }
    });
}
