//! Several instances at once, and threads.

use std::{hint, thread};

use fmu_tests::api::{Api, BESIDE, CO_SIMULATION, STATUS_FUNCTIONS, Status};

use crate::fixture::{INTERFACES, Instance, State, fmu, library};

fn step(instance: &Instance, seed: f64, i: u32) {
    let t = f64::from(i) * 0.01;
    instance.set(&[("u", (seed * t).sin())]);
    assert_eq!(instance.do_step(t, 0.01), Status::Ok);
}

fn start(seed: f64) -> Instance {
    let instance = fmu("sample").instance(CO_SIMULATION);
    instance.set(&[("m", 1.0 + seed)]);
    instance.advance_to(State::StepComplete);
    instance
}

fn alone(seed: f64) -> Vec<u64> {
    let instance = start(seed);
    (0..200).for_each(|i| step(&instance, seed, i));
    instance.real_bits()
}

#[test]
fn rule_1_5_9_two_instances_interleaved_give_what_each_gives_alone() {
    let (one, other) = (start(1.0), start(2.0));
    for i in 0..200 {
        step(&one, 1.0, i);
        step(&other, 2.0, i);
    }
    assert_eq!(one.real_bits(), alone(1.0));
    assert_eq!(other.real_bits(), alone(2.0));
}

#[test]
fn rule_6_2_instances_on_8_threads() {
    let run = |seed: u32| thread::spawn(move || alone(f64::from(seed)));
    let threads: Vec<_> = (0..8).map(run).collect();
    for (seed, thread) in (0..8).zip(threads) {
        assert_eq!(thread.join().unwrap(), alone(f64::from(seed)));
    }
}

#[test]
fn rule_6_2_an_instance_moves_between_threads() {
    let mut instance = start(3.0);
    for i in 0..200 {
        instance = thread::spawn(move || {
            step(&instance, 3.0, i);
            instance
        })
        .join()
        .unwrap();
    }
    assert_eq!(instance.real_bits(), alone(3.0));
    thread::spawn(move || drop(instance)).join().unwrap();
}

#[test]
fn rule_6_2_instances_come_and_go_on_8_threads() {
    let run = |_| {
        thread::spawn(|| {
            for seed in 0..50 {
                step(&start(f64::from(seed)), 1.0, 0);
            }
        })
    };
    (0..8).map(run).collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn an_instance_that_was_freed_is_refused_and_can_be_freed_again() {
    // The library is a copy: elsewhere an instance of another test would take the place of the freed one.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(library("sample").file_name().unwrap());
    fs_err::copy(library("sample"), &path).unwrap();
    let api = Api::load(&path).unwrap();
    let [freed, other] = [0, 1].map(|_| api.instantiate(fmu("sample").setup(CO_SIMULATION)).unwrap());
    freed.free_too_early();
    for function in STATUS_FUNCTIONS.iter().chain(BESIDE) {
        assert_eq!(api.call_with_nulls(function, Some(&freed), 0), Status::Error, "{function}");
    }
    let vr = fmu("sample").vr("u");
    assert_eq!(freed.get_real(&[vr]).0, Status::Error);
    assert_eq!(freed.set_real(&[vr], &[1.0]), Status::Error);
    assert_eq!(freed.do_step(0.0, 0.1), Status::Error);
    freed.free_too_early();
    // The next instances have other places.
    for _ in 0..8 {
        let next = [0, 1].map(|_| api.instantiate(fmu("sample").setup(CO_SIMULATION)).unwrap());
        assert!(next.iter().all(|next| next.setup_experiment(None, 0.0, None) == Status::Ok));
        assert_eq!(freed.setup_experiment(None, 0.0, None), Status::Error);
    }
    drop(freed);
    assert_eq!(other.setup_experiment(None, 0.0, None), Status::Ok);
}

/// Returns true for correct rounding: to nearest, with denormals.
fn rounds_as_usual() -> bool {
    let [one, half_an_ulp, smallest] = [1.0, f64::EPSILON / 2.0, f64::MIN_POSITIVE].map(hint::black_box);
    one + half_an_ulp == 1.0 && one + 1.5 * half_an_ulp > 1.0 && -one - 1.5 * half_an_ulp < -1.0 && smallest / 2.0 > 0.0
}

#[test]
fn b6_the_state_of_the_floating_point_unit_is_left_alone() {
    for name in ["sample", "bushing"] {
        for kind in INTERFACES {
            let instance = fmu(name).instance_in(kind, State::Terminated);
            assert!(rounds_as_usual());
            assert_eq!(instance.reset(), Status::Ok);
            instance.advance_to(if kind == CO_SIMULATION { State::StepComplete } else { State::Continuous });
            assert!(rounds_as_usual());
            if kind == CO_SIMULATION {
                assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
            }
            assert_eq!(instance.call_that_fails(), Status::Error);
            assert!(rounds_as_usual());
        }
    }
}
