//! FMU states, resets and simultaneous instances.

use std::thread;

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance, components, printed, python, root};

use crate::life::for_each_life;
use crate::points::{Random, continuous_inputs, set_randomly};

const H: f64 = 7e-3;

/// Initialises at a random valid point, the same one for the same seed.
pub fn initialise(instance: &Instance<'_>, fmu: &Fmu) -> Random {
    initialise_with(instance, fmu, |_| ())
}

/// The same with other values set before initialisation.
pub fn initialise_with(instance: &Instance<'_>, fmu: &Fmu, set: impl Fn(&Instance<'_>)) -> Random {
    let mut random = Random::new();
    for _ in 0..200 {
        assert_eq!(instance.fmi.reset(), Status::Ok);
        let admissible = set_randomly(instance, &mut random, &fmu.description);
        set(instance);
        assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
        if admissible.is_some() && instance.fmi.exit_initialization_mode() == Status::Ok {
            return random;
        }
    }
    panic!("no admissible point");
}

/// One step with small random changes of the inputs; returns the bits of all values.
pub fn step(instance: &Instance<'_>, fmu: &Fmu, random: &mut Random, i: usize) -> Vec<u64> {
    step_over(instance, fmu, random, i as f64 * H, H)
}

/// The same from a time on, over a length.
pub fn step_over(instance: &Instance<'_>, fmu: &Fmu, random: &mut Random, point: f64, h: f64) -> Vec<u64> {
    let inputs = continuous_inputs(&fmu.description);
    for input in inputs {
        let value = instance.fmi.get_real(&[input]).1[0] + random.between(-1e-5, 1e-5);
        assert_eq!(instance.fmi.set_real(&[input], &[value]), Status::Ok);
    }
    instance.step(point, h);
    instance.bits()
}

/// Calls something that is an error in any state.
fn fail(instance: &Instance<'_>) {
    assert_eq!(instance.fmi.set_real(&[u32::MAX], &[0.0]), Status::Error);
}

#[test]
fn f2_f6_f9_m7_a_restored_state_continues_bit_for_bit_from_every_state() {
    for_each_life(|life| {
        let expected = life.live(&life.instance(), 0);
        let (instance, other) = (life.instance(), life.instance());
        for k in 0..=life.length() {
            let mut state = instance.save();
            let mut copy = other.deserialise(&instance.serialise(state));
            // To the end, into an error, and back.
            for _ in 0..2 {
                assert_eq!(life.live(&instance, k), expected[k..]);
                fail(&instance);
                assert_eq!(instance.fmi.set_state(state), Status::Ok);
            }
            assert_eq!(other.fmi.set_state(copy), Status::Ok);
            assert_eq!(life.live(&other, k), expected[k..]);
            instance.fmi.free_state(&mut state);
            other.fmi.free_state(&mut copy);
            if k < life.length() {
                assert_eq!(life.call(&instance, k), expected[k]);
            }
        }
    });
}

/// FMPy continues in another process, from bytes.
#[test]
fn f6_fmpy_continues_in_another_process() {
    let folder = tempfile::tempdir().unwrap();
    for component in components() {
        let Some(mut python) = python() else { return };
        let fmu = Fmu::new(&component, &[]);
        let instance = fmu.instance();
        let mut random = initialise(&instance, &fmu);
        (0..3).for_each(|i| drop(step(&instance, &fmu, &mut random, i)));
        let mut state = instance.save();
        let bytes = folder.path().join(&component);
        fs_err::write(&bytes, instance.serialise(state)).unwrap();
        instance.fmi.free_state(&mut state);
        instance.step(3.0 * H, H);
        let reals = fmu.description.variables.iter().filter(|variable| variable.is_real());
        let expected = instance.fmi.get_real(&reals.map(|variable| variable.value_reference).collect::<Vec<_>>()).1;
        let script = root().join("tests/tests/every_component/restored.py");
        python.arg(script).arg(&fmu.file).arg(bytes).arg((3.0 * H).to_string()).arg(H.to_string());
        let found: Vec<f64> = printed(&mut python).split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(found, expected, "{component}");
    }
}

#[test]
fn s8_p4_a_life_after_a_reset_is_that_of_a_fresh_instance_from_every_state() {
    for_each_life(|life| {
        let expected = life.live(&life.instance(), 0);
        let instance = life.instance();
        for k in 0..=life.length() {
            (0..k).for_each(|k| assert_eq!(life.call(&instance, k), expected[k]));
            if k % 2 == 1 {
                fail(&instance);
            }
            assert_eq!(instance.fmi.reset(), Status::Ok);
        }
        assert_eq!(life.live(&instance, 0), expected);
        // Nor does a freed one leave anything.
        instance.fmi.free();
        assert_eq!(life.live(&life.instance(), 0), expected);
    });
}

/// Some masters end this way.
#[test]
fn p17_what_is_read_after_a_terminated_initialisation_is_what_it_was() {
    for_each_life(|life| {
        let [expected, found] = [true, false].map(|reads| {
            let instance = life.instance();
            // Values, experiment, initialization mode.
            (0..3).for_each(|k| life.make(&instance, k));
            let before = reads.then(|| instance.bits());
            assert_eq!(instance.fmi.terminate(), Status::Ok);
            before.unwrap_or_else(|| instance.bits())
        });
        assert_eq!(found, expected);
    });
}

#[test]
fn rule_6_2_instances_on_several_threads_do_not_disturb_each_other() {
    for_each_life(|life| {
        let expected = life.live(&life.instance(), 0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| assert_eq!(life.live(&life.instance(), 0), expected));
            }
        });
    });
}
