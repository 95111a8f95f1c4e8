//! FMU states taken in the middle of ramps.

use fmu_tests::api::{FmuState, Status};
use fmu_tests::finished::{Fmu, Instance};

const H: f64 = 1e-3;

/// The signal over time: on, off during that ramp, on again later.
fn active(step: u32) -> f64 {
    f64::from((50..90).contains(&step) || step >= 230)
}

/// Steps of a millisecond; the bits of all variables after each.
fn steps(instance: &Instance<'_>, range: std::ops::Range<u32>) -> Vec<Vec<u64>> {
    let step = |i: u32| {
        let time = f64::from(i) * H;
        set(instance, i);
        instance.step(time, H);
        instance.bits()
    };
    range.map(step).collect()
}

/// Sets the inputs for a step.
fn set(instance: &Instance<'_>, i: u32) {
    let time = f64::from(i) * H;
    instance.set("active", &[active(i)]);
    instance.set("frame_b.r_0", &[1e-3 * time.sin(), 2e-3 * (3.0 * time).cos(), 1e-3 * time]);
    assert_eq!(instance.set_rates("frame_b.r_0", &[1e-3 * time.cos(), -6e-3 * (3.0 * time).sin(), 1e-3]), Status::Ok);
}

fn fmu() -> Fmu {
    Fmu::new("gripper", &["useInPlace=true", "useMoment=true"])
}

const END: u32 = 400;

/// Before, at, and after a change; in ramps up and down; at their ends.
const MOMENTS: [u32; 9] = [0, 50, 51, 95, 150, 151, 230, 249, 260];

#[test]
fn a_restored_state_continues_bit_for_bit() {
    let fmu = fmu();
    let instance = fmu.instance();
    instance.initialise();
    let mut saved: Vec<(u32, FmuState, Vec<u8>)> = Vec::new();
    let mut expected = Vec::new();
    for i in 0..END {
        if MOMENTS.contains(&i) {
            let state = instance.save();
            saved.push((i, state, instance.serialise(state)));
        }
        expected.extend(steps(&instance, i..i + 1));
    }
    let states: Vec<_> = [10, 100, 180, 280, 399].map(|i| expected[i].clone()).to_vec();
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]));
    let fresh = fmu.instance();
    for (i, state, bytes) in &saved {
        let rest = &expected[*i as usize..];
        assert_eq!(instance.fmi.set_state(*state), Status::Ok);
        assert!(steps(&instance, *i..END) == rest, "restored at step {i}");
        let state = fresh.deserialise(bytes);
        assert_eq!(fresh.fmi.set_state(state), Status::Ok);
        assert!(steps(&fresh, *i..END) == rest, "deserialised at step {i}");
    }
}

/// The new value of the signal is in the state, although it has had no effect yet.
#[test]
fn a_change_that_was_set_before_the_state_was_saved_is_not_lost() {
    let fmu = fmu();
    let instance = fmu.instance();
    instance.initialise();
    steps(&instance, 0..50);
    set(&instance, 50);
    let state = instance.save();
    let bytes = instance.serialise(state);
    let go_on = |instance: &Instance<'_>| {
        instance.step(50.0 * H, H);
        instance.bits()
    };
    let expected = go_on(&instance);
    assert_eq!(instance.get("state"), [4.0]);
    steps(&instance, 51..160);
    assert_eq!(instance.fmi.set_state(state), Status::Ok);
    assert_eq!(go_on(&instance), expected);
    let fresh = fmu.instance();
    let state = fresh.deserialise(&bytes);
    assert_eq!(fresh.fmi.set_state(state), Status::Ok);
    assert_eq!(go_on(&fresh), expected);
}

#[test]
fn a_state_of_model_exchange_keeps_the_ramp() {
    let fmu = fmu();
    let instance = fmu.model_exchange();
    instance.initialise();
    let event = || {
        let (status, info) = instance.fmi.new_discrete_states();
        assert_eq!(status, Status::Ok);
        (info.next_event_time_defined, info.next_event_time)
    };
    instance.set("active", &[1.0]);
    assert_eq!(event(), (1, 0.1));
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    assert_eq!(instance.fmi.set_time(0.03), Status::Ok);
    let state = instance.save();
    let finish = || {
        assert_eq!(instance.fmi.set_time(0.06), Status::Ok);
        let in_ramp = instance.bits();
        assert_eq!(instance.fmi.set_time(0.1), Status::Ok);
        assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
        assert_eq!(event().0, 0);
        (in_ramp, instance.bits())
    };
    let expected = finish();
    assert_eq!(instance.get("state"), [1.0]);
    assert_eq!(instance.fmi.set_state(state), Status::Ok);
    assert_eq!(finish(), expected);
}

#[test]
fn reset_ends_a_ramp_and_begins_anew() {
    let fmu = fmu();
    let instance = fmu.instance();
    instance.initialise();
    let expected = steps(&instance, 0..100);
    assert_eq!(instance.get("state"), [4.0]);
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.initialise();
    assert_eq!(instance.get("state"), [3.0]);
    assert!(steps(&instance, 0..100) == expected);
}
