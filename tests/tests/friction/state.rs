//! Saved states and reset.

use fmu_tests::api::Status;

use crate::fixture::{Instance, brake, clutch, get, set};

/// Ten steps with changing inputs; the bits of all values after each.
fn steps(instance: &Instance<'_>, inputs: &[&str], begin: f64) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for i in 0..10 {
        let t = begin + f64::from(i) * 0.05;
        set(instance, &[("f_normalized", 0.5 + 0.05 * f64::from(i % 4))]);
        for (k, name) in inputs.iter().enumerate() {
            set(instance, &[(name, [3.0, -4.0, 1.0][(i as usize + k) % 3])]);
            instance.set_rates(name, &[1.5 - f64::from(i)]);
        }
        instance.step(t, 0.05);
        rows.push(instance.bits());
    }
    rows
}

/// All forms with the inputs that drive them.
fn forms() -> Vec<(crate::fixture::Fmu, Vec<&'static str>)> {
    let common = ["fn_max=10", "peak=1.3", "mue_pos=[[0.0,0.5],[0.5,0.3],[2.0,0.4]]"];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    vec![
        (clutch(&common), vec!["flange_a.tau", "flange_b.tau"]),
        (clutch(&with(&["flange_a=motion_in"])), vec!["flange_a.a", "flange_b.tau"]),
        (clutch(&with(&["flange_b=motion_in"])), vec!["flange_a.tau", "flange_b.a"]),
        (clutch(&with(&["flange_a=motion_in", "flange_b=motion_in"])), vec!["flange_a.a", "flange_b.a"]),
        (brake(&common), vec!["flange_a.tau", "flange_b.tau"]),
        (brake(&with(&["flange_a=motion_in"])), vec!["flange_a.a", "flange_b.tau"]),
        (brake(&with(&["useSupport=true"])), vec!["flange_a.tau", "support.tau"]),
        (brake(&with(&["useSupport=true", "support=motion_in"])), vec!["flange_a.tau", "support.a"]),
        (brake(&with(&["useSupport=true", "flange_a=motion_in"])), vec!["flange_a.a", "support.tau"]),
    ]
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits_and_a_reset_begins_anew() {
    for (fmu, inputs) in forms() {
        let instance = fmu.instance();
        instance.initialise();
        let first = steps(&instance, &inputs, 0.0);
        let state = instance.save();
        let bytes = instance.serialise(state);
        let expected = steps(&instance, &inputs, 0.5);
        assert!(expected.windows(2).any(|pair| pair[0] != pair[1]));
        assert_eq!(instance.fmi.set_state(state), Status::Ok);
        assert_eq!(steps(&instance, &inputs, 0.5), expected, "set");
        let other = fmu.instance();
        let state = other.deserialise(&bytes);
        assert_eq!(other.fmi.set_state(state), Status::Ok);
        assert_eq!(steps(&other, &inputs, 0.5), expected, "deserialised");
        assert_eq!(instance.fmi.reset(), Status::Ok);
        instance.initialise();
        assert_eq!(steps(&instance, &inputs, 0.0), first, "reset");
    }
}

#[test]
fn getters_do_not_change_what_is_discrete() {
    let fmu = clutch(&["fn_max=10"]);
    let instance = fmu.instance();
    instance.initialise();
    set(&instance, &[("f_normalized", 1.0)]);
    instance.step(0.0, 0.1);
    assert_eq!(get(&instance, "mode"), 0.0);
    set(&instance, &[("flange_b.tau", 100.0)]);
    assert_eq!((get(&instance, "mode"), get(&instance, "tau"), get(&instance, "a_rel")), (0.0, 50.0, 0.0));
    instance.step(0.1, 0.1);
    assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (1.0, 5.0));
}
