//! Two given motions, at the limit of the spring's holding torque.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use fmu_tests::api::Status;
use proptest::prelude::*;

use crate::fixture::{BACKWARD, FORWARD, Fmu, Instance, STUCK, assert_close, brake, clutch, get, indicators, set};

const LIMIT: f64 = 400.0;

/// A clutch whose static friction equals its sliding friction, 400 N.m.
fn between_motions() -> Fmu {
    clutch(&["flange_a=motion_in", "flange_b=motion_in", "fn_max=800"])
}

fn slide(instance: &Instance<'_>, phi: f64) {
    set(instance, &[("f_normalized", 1.0), ("flange_b.phi", phi), ("flange_b.w", 1.0)]);
    instance.initialise();
    assert_eq!(get(instance, "mode"), FORWARD);
}

/// A step of a solver that locates no events; returns whether there was one.
fn solve(instance: &Instance<'_>, inputs: &[(&str, f64)]) -> bool {
    // Each step ends later; nothing else depends on time.
    static STEPS: AtomicU32 = AtomicU32::new(1);
    let before = indicators(instance);
    assert_eq!(instance.fmi.set_time(f64::from(STEPS.fetch_add(1, Ordering::Relaxed))), Status::Ok);
    set(instance, inputs);
    let now = indicators(instance);
    let (status, [asks, _]) = instance.fmi.completed_integrator_step();
    assert_eq!(status, Status::Ok);
    let event = asks != 0 || before.iter().zip(&now).any(|(before, now)| (*before > 0.0) != (*now > 0.0));
    if event {
        assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
        instance.settle();
        assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    }
    assert!(indicators(instance).iter().all(|indicator| *indicator != 0.0));
    event
}

/// Loaded up to the limit at rest, then with half the normal force and another speed.
fn release(w: f64) -> Instance<'static> {
    let instance = FMU.model_exchange();
    slide(&instance, 0.0);
    instance.settle();
    set(&instance, &[("flange_b.w", 0.0)]);
    instance.settle();
    assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (STUCK, LIMIT));
    set(&instance, &[("f_normalized", 0.5), ("flange_b.w", w)]);
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (FORWARD, 0.5 * LIMIT));
    instance
}

/// The unloading in the first step starts from the sliding torque, as in Co-Simulation.
#[test]
fn after_a_breakaway_against_the_motion_no_step_is_lost() {
    for h in [1e-4, 1e-3, 1e-2] {
        let exchange = release(-0.01);
        let instance = FMU.instance();
        slide(&instance, 0.0);
        for (time, f, w) in [(0.0, 1.0, 0.0), (h, 0.5, -0.01)] {
            set(&instance, &[("f_normalized", f), ("flange_b.w", w)]);
            instance.step(time, h);
        }
        solve(&exchange, &[("flange_b.phi", -0.01 * h)]);
        for instance in [&instance, &exchange] {
            assert_eq!(get(instance, "mode"), STUCK);
            assert_close(get(instance, "tau"), 0.5 * LIMIT - 1e5 * 0.01 * h, 1e-3);
        }
    }
}

/// If nothing moves, or the force rises slowly, the end of the solver's step requests the event.
#[test]
fn m5_a_spring_that_has_given_way_holds_after_a_step() {
    for rise in [0.0, 5e-8] {
        let instance = release(0.0);
        let events = (1..=1000).filter(|i| solve(&instance, &[("f_normalized", 0.5 + rise * f64::from(*i))]));
        assert_eq!((events.count(), get(&instance, "mode")), (1, STUCK));
        assert_close(get(&instance, "tau"), 0.5 * LIMIT, LIMIT * rise + 1e-6);
    }
}

/// A breakaway at rest, after which the motion takes the direction of the torque and comes back.
#[test]
fn what_slides_after_a_breakaway_at_rest_sticks_at_its_reversal() {
    let instance = release(0.0);
    for (phi, w) in [(5e-5, 0.1), (1e-4, 0.1)] {
        solve(&instance, &[("flange_b.phi", phi), ("flange_b.w", w)]);
        assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (FORWARD, 0.5 * LIMIT));
    }
    assert!(solve(&instance, &[("flange_b.w", -0.01)]));
    assert_eq!(get(&instance, "mode"), STUCK);
    assert_close(get(&instance, "tau"), 0.5 * LIMIT, 1e-9);
    solve(&instance, &[("flange_b.phi", 0.0)]);
    assert_close(get(&instance, "tau"), 0.5 * LIMIT - 1e5 * 1e-4, 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rounding of the anchor has no effect.
    #[test]
    fn what_comes_to_rest_sticks_at_any_angle(phi in -3.0..3.0, fall in 0.0..0.9) {
        let instance = FMU.instance();
        slide(&instance, phi);
        set(&instance, &[("flange_b.w", 0.0)]);
        instance.step(0.0, 1e-3);
        prop_assert_eq!(get(&instance, "mode"), STUCK);
        assert_close(get(&instance, "tau"), LIMIT, 1e-9);
        // Released while loaded, it holds no more than the limit, also when pressed again.
        for (f, time) in [(1.0 - fall, 1e-3), (1.0, 2e-3)] {
            set(&instance, &[("f_normalized", f)]);
            instance.step(time, 1e-3);
            assert_close(get(&instance, "tau"), LIMIT * (1.0 - fall), 1e-3);
        }
        prop_assert_eq!(get(&instance, "mode"), STUCK);

        let exchange = FMU.model_exchange();
        slide(&exchange, phi);
        exchange.settle();
        set(&exchange, &[("flange_b.w", 0.0)]);
        exchange.settle();
        prop_assert_eq!(get(&exchange, "mode"), STUCK);
        assert_close(get(&exchange, "tau"), LIMIT, 1e-9);
    }
}

static FMU: LazyLock<Fmu> = LazyLock::new(between_motions);

/// In Model Exchange a continuously falling limit does not cause an endless series of events: the loaded spring follows
/// it, and holds when it rises again.
#[test]
fn a_falling_limit_is_one_event() {
    let fmu = between_motions();
    let instance = fmu.model_exchange();
    slide(&instance, 0.25);
    instance.settle();
    set(&instance, &[("flange_b.w", 0.0)]);
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let mut events = 0;
    for i in 1..=1500 {
        let f = if i <= 1000 { 1.0 - 9e-4 * f64::from(i) } else { 0.1 + 2e-3 * f64::from(i - 1000) };
        events += u32::from(solve(&instance, &[("f_normalized", f)]));
        assert_close(get(&instance, "tau"), LIMIT * if i <= 1000 { f } else { 0.1 }, 1e-3);
    }
    assert_eq!((events, get(&instance, "mode")), (2, STUCK));
}

/// A solver locates the breakaway to the last bit.
#[test]
fn m3_the_breakaway_is_seen_where_its_indicator_says() {
    let fmu = clutch(&["flange_a=motion_in", "flange_b=motion_in", "c_stuck=1000", "d_stuck=1"]);
    for i in 1..200 {
        let w = 2e-3 * f64::from(i);
        let instance = fmu.model_exchange();
        set(&instance, &[("f_normalized", 1.0), ("flange_b.phi", 0.3)]);
        instance.initialise();
        set(&instance, &[("flange_b.w", w)]);
        instance.settle();
        assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
        let triggers = |t: f64| {
            assert_eq!(instance.fmi.set_time(t), Status::Ok);
            set(&instance, &[("flange_b.phi", 0.3 + w * t)]);
            indicators(&instance)[1] > 0.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        assert!(!triggers(low) && triggers(high));
        while low.midpoint(high) > low && low.midpoint(high) < high {
            let middle = low.midpoint(high);
            if triggers(middle) { high = middle } else { low = middle }
        }
        assert!(triggers(high));
        assert_eq!(instance.fmi.completed_integrator_step().0, Status::Ok);
        assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
        instance.settle();
        assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (FORWARD, 0.5));
    }
}

/// After a breakaway at rest, communication points have no effect.
#[test]
fn a_falling_limit_is_followed_over_communication_points() {
    let fmu = brake(&["flange_a=motion_in", "peak=2", "c_stuck=1000", "d_stuck=1"]);
    for steps in [1, 2, 10, 37] {
        let instance = fmu.instance();
        set(&instance, &[("f_normalized", 1.0)]);
        instance.initialise();
        set(&instance, &[("flange_a.phi", 0.0), ("flange_a.w", -0.009)]);
        instance.step(0.0, 0.1);
        set(&instance, &[("flange_a.phi", -0.0009), ("flange_a.w", 0.0)]);
        instance.step(0.1, 0.1);
        assert_close(get(&instance, "tau"), -0.9, 1e-12);
        let h = 0.1 / f64::from(steps);
        for i in 0..steps {
            assert_eq!(instance.set_rates("f_normalized", &[-3.0]), Status::Ok);
            instance.step(0.2 + h * f64::from(i), h);
        }
        assert_close(get(&instance, "tau"), -0.35, 1e-12);
        assert_eq!(get(&instance, "lossPower"), 0.0);
        // Pressed again, it holds its current torque.
        assert_eq!(instance.set_rates("f_normalized", &[3.0]), Status::Ok);
        instance.step(0.3, 0.1);
        assert_eq!(get(&instance, "mode"), STUCK);
        assert_close(get(&instance, "tau"), -0.35, 1e-5);
    }
}

/// Against the direction of the breakaway, the motion recovers the energy of the spring.
#[test]
fn no_power_comes_out_of_the_friction() {
    let table = "mue_pos=[[0.0,0.5],[0.02,0.3]]";
    let fmu = brake(&["flange_a=motion_in", "cgeo=2.5", "c_stuck=1000", "d_stuck=1", table]);
    let instance = fmu.instance();
    set(&instance, &[("f_normalized", 1.0)]);
    instance.initialise();
    set(&instance, &[("flange_a.w", -0.0088)]);
    instance.step(0.0, 0.1);
    set(&instance, &[("flange_a.w", 0.02)]);
    assert_eq!(instance.set_rates("f_normalized", &[-60.0]), Status::Ok);
    instance.step(0.1, 0.01);
    assert_eq!((get(&instance, "mode"), get(&instance, "lossPower")), (BACKWARD, 0.0));
    assert_close(get(&instance, "tau"), -0.5, 1e-12);
}
