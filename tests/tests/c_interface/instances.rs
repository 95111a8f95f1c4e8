//! Several instances at once, and threads.

use std::thread;

use fmu_tests::api::{CO_SIMULATION, Status};

use crate::fixture::{Instance, State, fmu};

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
fn two_instances_interleaved_give_what_each_gives_alone() {
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
