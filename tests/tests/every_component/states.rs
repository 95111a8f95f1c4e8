//! FMU states, resets and instances beside each other.

use std::thread;

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{Random, continuous_inputs, for_each_structure, set_randomly};

const STEPS: usize = 12;
const H: f64 = 7e-3;

/// Initialises at a random admissible point, the same one for the same seed.
pub fn initialise(instance: &Instance<'_>, fmu: &Fmu) -> Random {
    initialise_with(instance, fmu, |_| ())
}

/// The same with something else set before the initialisation.
pub fn initialise_with(instance: &Instance<'_>, fmu: &Fmu, set: impl Fn(&Instance<'_>)) -> Random {
    let mut random = Random::new();
    for _ in 0..200 {
        assert_eq!(instance.slave.reset(), Status::Ok);
        let admissible = set_randomly(instance, &mut random, &fmu.description);
        set(instance);
        assert_eq!(instance.slave.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.slave.enter_initialization_mode(), Status::Ok);
        if admissible.is_some() && instance.slave.exit_initialization_mode() == Status::Ok {
            return random;
        }
    }
    panic!("no admissible point");
}

/// One step with inputs that move a little, at random; returns the bits of all values.
pub fn step(instance: &Instance<'_>, fmu: &Fmu, random: &mut Random, i: usize) -> Vec<u64> {
    let inputs = continuous_inputs(&fmu.description);
    for input in inputs {
        let value = instance.slave.get_real(&[input]).1[0] + random.between(-1e-5, 1e-5);
        assert_eq!(instance.slave.set_real(&[input], &[value]), Status::Ok);
    }
    let status = instance.slave.do_step(i as f64 * H, H);
    assert_eq!(status, Status::Ok, "{:?}", instance.slave.messages());
    instance.bits()
}

fn run(instance: &Instance<'_>, fmu: &Fmu) -> Vec<Vec<u64>> {
    let mut random = initialise(instance, fmu);
    (0..STEPS).map(|i| step(instance, fmu, &mut random, i)).collect()
}

#[test]
fn f5_states_of_before_and_during_the_initialisation_are_taken_back() {
    for_each_structure(|fmu| {
        let instance = fmu.instance();
        let take_back = || {
            let mut state = instance.save();
            let bytes = instance.serialise(state);
            let mut copy = instance.deserialise(&bytes);
            assert_eq!(instance.slave.set_state(copy), Status::Ok);
            instance.slave.free_state(&mut copy);
            instance.slave.free_state(&mut state);
        };
        take_back();
        assert_eq!(instance.slave.setup_experiment(None, 0.0, None), Status::Ok);
        take_back();
        assert_eq!(instance.slave.enter_initialization_mode(), Status::Ok);
        take_back();
        assert_eq!(instance.slave.exit_initialization_mode(), Status::Ok);
        take_back();
    });
}

#[test]
fn f9_a_restored_state_continues_bit_for_bit() {
    for_each_structure(|fmu| {
        let expected = run(&fmu.instance(), fmu);
        let (instance, other) = (fmu.instance(), fmu.instance());
        let mut random = initialise(&instance, fmu);
        initialise(&other, fmu);
        for (i, expected) in expected.iter().enumerate() {
            let mut state = instance.save();
            let mut foreign = other.deserialise(&instance.serialise(state));
            // Elsewhere for a while, then back.
            instance.slave.do_step(i as f64 * H, 3.0 * H);
            assert_eq!(instance.slave.set_state(state), Status::Ok);
            assert_eq!(other.slave.set_state(foreign), Status::Ok);
            let mut same = random.clone();
            assert_eq!(&step(&instance, fmu, &mut random, i), expected);
            assert_eq!(&step(&other, fmu, &mut same, i), expected);
            instance.slave.free_state(&mut state);
            other.slave.free_state(&mut foreign);
        }
    });
}

#[test]
fn s8_a_run_after_a_reset_is_that_of_a_fresh_instance() {
    for_each_structure(|fmu| {
        let expected = run(&fmu.instance(), fmu);
        let instance = fmu.instance();
        assert_eq!(run(&instance, fmu), expected);
        // Out of the state "error".
        assert_eq!(instance.slave.do_step(-1e9, H), Status::Error);
        assert_eq!(run(&instance, fmu), expected);
        assert_eq!(instance.slave.terminate(), Status::Ok);
        assert_eq!(run(&instance, fmu), expected);
    });
}

#[test]
fn rule_6_2_instances_on_several_threads_do_not_disturb_each_other() {
    for_each_structure(|fmu| {
        let expected = run(&fmu.instance(), fmu);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| assert_eq!(run(&fmu.instance(), fmu), expected));
            }
        });
    });
}
