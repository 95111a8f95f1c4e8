//! Tunable parameters: set at a communication point or an event, they take effect from there on.

use std::cell::Cell;

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};
use fmu_tests::tuning::tunables;

use crate::points::{Random, for_each_structure, takes_all_structures};
use crate::states::{initialise, initialise_with, step};

/// Increases every tunable parameter by a quarter.
fn tune(instance: &Instance<'_>, tunables: &[u32]) {
    let (status, mut values) = instance.fmi.get_real(tunables);
    assert_eq!(status, Status::Ok);
    values.iter_mut().for_each(|value| *value *= 1.25);
    assert_eq!(instance.fmi.set_real(tunables, &values), Status::Ok, "{:?}", instance.fmi.messages());
}

fn for_each_with_tunables(test: impl Fn(&Fmu, &[u32])) {
    let count = Cell::new(0);
    for_each_structure(|fmu| {
        let tunables = tunables(&fmu.description);
        if !tunables.is_empty() {
            count.set(count.get() + 1);
            test(fmu, &tunables);
        }
    });
    let least = if takes_all_structures() { 8 } else { 4 };
    assert!(count.get() >= least, "{} FMUs with tunable parameters", count.get());
}

fn steps(instance: &Instance<'_>, fmu: &Fmu, random: &mut Random, from: usize, to: usize) -> Vec<Vec<u64>> {
    (from..to).map(|i| step(instance, fmu, random, i)).collect()
}

/// Setting at the first communication point is equivalent to setting the start value.
#[test]
fn v11_a_tunable_parameter_set_late_is_as_good_as_one_set_early() {
    for_each_with_tunables(|fmu, tunables| {
        let (early, late) = (fmu.instance(), fmu.instance());
        let mut random = initialise_with(&early, fmu, |instance| tune(instance, tunables));
        let mut same = initialise(&late, fmu);
        let before = late.bits();
        tune(&late, tunables);
        assert_ne!(late.bits(), before);
        assert_eq!(late.bits(), early.bits());
        assert_eq!(steps(&late, fmu, &mut same, 0, 6), steps(&early, fmu, &mut random, 0, 6));
    });
}

/// The prepared data, which a serialised state does not contain, do not depend on a tunable parameter.
#[test]
fn v11_f6_a_changed_parameter_is_part_of_the_serialised_state() {
    for_each_with_tunables(|fmu, tunables| {
        let (instance, other) = (fmu.instance(), fmu.instance());
        let mut random = initialise(&instance, fmu);
        initialise(&other, fmu);
        steps(&instance, fmu, &mut random, 0, 3);
        tune(&instance, tunables);
        let state = other.deserialise(&instance.serialise(instance.save()));
        assert_eq!(other.fmi.set_state(state), Status::Ok);
        let mut same = random.clone();
        assert_eq!(steps(&other, fmu, &mut same, 3, 6), steps(&instance, fmu, &mut random, 3, 6));
    });
}

#[test]
fn v11_f2_s8_states_and_resets_bring_the_old_value_back() {
    for_each_with_tunables(|fmu, tunables| {
        let instance = fmu.instance();
        let start = instance.fmi.get_real(tunables);
        let mut random = initialise(&instance, fmu);
        let old = instance.fmi.get_real(tunables);
        let state = instance.save();
        let expected = steps(&instance, fmu, &mut random.clone(), 0, 3);
        assert_eq!(instance.fmi.set_state(state), Status::Ok);
        tune(&instance, tunables);
        assert_ne!(instance.fmi.get_real(tunables), old);
        assert_ne!(steps(&instance, fmu, &mut random.clone(), 0, 3), expected);
        assert_eq!(instance.fmi.set_state(state), Status::Ok);
        assert_eq!(instance.fmi.get_real(tunables), old);
        assert_eq!(steps(&instance, fmu, &mut random, 0, 3), expected);
        assert_eq!(instance.fmi.reset(), Status::Ok);
        assert_eq!(instance.fmi.get_real(tunables), start);
    });
}

#[test]
fn v11_rule_3_2_model_exchange_takes_them_in_event_mode_only() {
    for_each_with_tunables(|fmu, tunables| {
        let expected = fmu.instance();
        expected.initialise();
        tune(&expected, tunables);
        let instance = fmu.model_exchange();
        instance.initialise();
        tune(&instance, tunables);
        assert_eq!(instance.bits(), expected.bits());
        assert_eq!(instance.fmi.new_discrete_states().0, Status::Ok);
        assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
        let refused = instance.fmi.get_real(tunables).1.iter().map(|value| value * 2.0 + 1.0).collect::<Vec<_>>();
        assert_eq!(instance.fmi.set_real(tunables, &refused), Status::Error);
        let message = instance.last_message().text;
        assert!(
            message.contains("it is a tunable parameter, which may be set before the simulation, between"),
            "{message}"
        );
    });
}

#[test]
fn v11_v9_a_value_out_of_bounds_is_discarded_and_the_old_one_stays() {
    for_each_with_tunables(|fmu, tunables| {
        let instance = fmu.instance();
        let mut random = initialise(&instance, fmu);
        let old = instance.bits();
        for tunable in tunables {
            assert_eq!(instance.fmi.set_real(&[*tunable], &[-1.0]), Status::Discard);
            assert!(instance.last_message().text.contains("it must be at least"));
        }
        assert_eq!(instance.bits(), old);
        step(&instance, fmu, &mut random, 0);
        assert_eq!(instance.fmi.terminate(), Status::Ok);
        assert_eq!(instance.fmi.set_real(&tunables[..1], &[1e9]), Status::Error);
    });
}

/// Springs store energy, dampers dissipate it: one scales the static force, the other the loss.
#[test]
fn v11_stiffness_and_damping_scale_what_they_should() {
    let cases = [("bushing", ["TS", "TD"], "frame_b.f[1]"), ("gripper", ["cT", "dT"], "frame_b.f[1]")];
    for (component, [stiffness, damping], force) in cases {
        let fmu = Fmu::new(component, &[]);
        let instance = fmu.instance();
        instance.initialise();
        if component == "gripper" {
            assert_eq!(instance.set("active", &[1.0]), Status::Ok);
            (0..2).for_each(|i| instance.step(f64::from(i), 1.0));
        }
        let loads = |r: f64, v: f64| {
            assert_eq!(instance.set("frame_b.r_0", &[r, 0.0, 0.0]), Status::Ok);
            assert_eq!(instance.set("frame_b.v_0", &[v, 0.0, 0.0]), Status::Ok);
            (instance.get(force)[0], instance.get("lossPower")[0])
        };
        let before = [loads(1e-3, 0.0), loads(0.0, 0.2), loads(1e-3, 0.2)];
        let double = |name: &str| {
            let values: Vec<f64> = instance.get(name).iter().map(|value| 2.0 * value).collect();
            assert_eq!(instance.set(name, &values), Status::Ok);
        };
        double(stiffness);
        let [spring, damper, both] = before;
        assert!(spring.0 > 0.0 && damper.1 > 0.0);
        assert_eq!([loads(1e-3, 0.0), loads(0.0, 0.2)], [(2.0 * spring.0, 0.0), damper]);
        assert_eq!(loads(1e-3, 0.2).1, both.1);
        double(damping);
        assert_eq!(loads(0.0, 0.2), (2.0 * damper.0, 2.0 * damper.1));
        assert_eq!(loads(1e-3, 0.2), (2.0 * both.0, 2.0 * both.1));
    }
}
