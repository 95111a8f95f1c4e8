//! Friction parameters that change while sliding or sticking.

use crate::fixture::{BACKWARD, FORWARD, Instance, STUCK, assert_close, brake, clutch, get, set};

const H: f64 = 0.01;

/// Slides for a second, with a value set half way. Returns the bits of all values after each step.
fn slide(instance: &Instance<'_>, half_way: &[(&str, f64)]) -> Vec<Vec<u64>> {
    set(instance, &[("f_normalized", 0.5)]);
    instance.initialise();
    let step = |i: usize| {
        if i == 50 {
            set(instance, half_way);
        }
        instance.step(i as f64 * H, H);
        let outputs = ["w_rel", "phi_rel", "a_rel", "tau", "lossPower", "mode"];
        outputs.iter().map(|name| get(instance, name).to_bits()).collect()
    };
    (0..100).map(step).collect()
}

/// The torque is cgeo fn_max f_normalized mue: doubling any of the factors has the same effect.
#[test]
fn v11_the_factors_of_the_torque_are_exchangeable_during_a_run() {
    let settings = ["fn_max=8", "mue_pos=[[0.0,0.5],[100.0,0.4]]"];
    let fmus =
        [clutch(&[&settings[..], &["w_b_start=20"]].concat()), brake(&[&settings[..], &["w_a_start=20"]].concat())];
    for fmu in fmus {
        let run = |half_way: (&str, f64)| slide(&fmu.instance(), &[half_way]);
        let expected = run(("f_normalized", 1.0));
        assert_ne!(expected, run(("f_normalized", 0.5)));
        assert_eq!(run(("fn_max", 16.0)), expected);
        assert_eq!(run(("cgeo", 2.0)), expected);
    }
}

/// The energy lost by the shafts becomes heat; the velocity does not jump where the normal force does.
#[test]
fn v11_energy_is_conserved_over_a_change() {
    let fmu = clutch(&["fn_max=8", "J_a=0.7", "J_b=0.4", "w_b_start=20"]);
    let instance = fmu.instance();
    set(&instance, &[("f_normalized", 0.5)]);
    instance.initialise();
    let energy = || 0.5 * (0.7 * get(&instance, "flange_a.w").powi(2) + 0.4 * get(&instance, "flange_b.w").powi(2));
    let before = energy();
    let mut heat = 0.0;
    for i in 0..100_u32 {
        if i % 30 == 29 {
            let (w, tau) = (get(&instance, "w_rel"), get(&instance, "tau"));
            set(&instance, &[("fn_max", 8.0 + f64::from(i) / 10.0)]);
            assert_eq!(get(&instance, "w_rel").to_bits(), w.to_bits());
            assert!(get(&instance, "tau") > tau);
        }
        // The torque is constant in a step, hence the power linear.
        let power = get(&instance, "lossPower");
        instance.step(f64::from(i) * H, H);
        heat += H / 2.0 * (power + get(&instance, "lossPower"));
        assert_eq!(get(&instance, "mode"), FORWARD);
    }
    assert!(heat > 10.0, "{heat}");
    assert_close(before - energy(), heat, 1e-12 * before);
}

/// The element is stuck with 12 N.m of at most 15; then at most 10 are left.
#[test]
fn v11_a_lower_limit_releases_what_sticks_at_the_next_step_or_event() {
    let fmu = clutch(&["fn_max=20", "peak=1.5"]);
    let start = |instance: &Instance<'_>, direction: f64| {
        let torques = [("flange_a.tau", -12.0 * direction), ("flange_b.tau", 12.0 * direction)];
        set(instance, &[("f_normalized", 1.0), torques[0], torques[1]]);
        instance.initialise();
    };
    for (direction, mode) in [(1.0, FORWARD), (-1.0, BACKWARD)] {
        let instance = fmu.instance();
        start(&instance, direction);
        instance.step(0.0, H);
        assert_eq!(get(&instance, "mode"), STUCK);
        assert_close(get(&instance, "tau"), 12.0 * direction, 1e-12);
        set(&instance, &[("peak", 1.0)]);
        assert_eq!(get(&instance, "mode"), STUCK, "memory is frozen up to the step");
        instance.step(H, H);
        assert_eq!(get(&instance, "mode"), mode);
        assert_close(get(&instance, "tau"), 10.0 * direction, 1e-12);
        // Both shafts are accelerated by 2 N.m and have 1 kg.m2.
        assert_close(get(&instance, "w_rel"), 4.0 * H * direction, 1e-12);

        let instance = fmu.model_exchange();
        start(&instance, direction);
        instance.settle();
        assert_eq!(get(&instance, "mode"), STUCK);
        set(&instance, &[("peak", 1.0)]);
        instance.settle();
        assert_eq!(get(&instance, "mode"), mode);
        assert_close(get(&instance, "a_rel"), 4.0 * direction, 1e-12);
    }
}
