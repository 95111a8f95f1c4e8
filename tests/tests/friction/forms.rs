//! The coupling forms: inputs and results.

use fmu_tests::api::Status;

use crate::fixture::{BACKWARD, FORWARD, FREE, Instance, STUCK, assert_close, brake, clutch, get, set};

fn names(fmu: &crate::fixture::Fmu) -> Vec<&str> {
    fmu.description.variables.iter().map(|variable| variable.name.as_str()).collect()
}

#[test]
fn each_form_has_its_variables() {
    let has = |fmu: &crate::fixture::Fmu, name: &str| names(fmu).iter().filter(|known| **known == name).count() == 1;
    let default = clutch(&[]);
    assert!(has(&default, "flange_a.tau") && has(&default, "flange_a.phi") && has(&default, "J_a"));
    assert!(!has(&default, "c_stuck") && !has(&default, "heatPort.T"));
    assert_eq!(default.description.model_structure.derivatives.len(), 4);
    let driven = clutch(&["flange_b=motion_in", "useHeatPort=true"]);
    assert!(
        has(&driven, "flange_b.tau")
            && !has(&driven, "J_b")
            && !has(&driven, "w_b_start")
            && has(&driven, "heatPort.T")
    );
    assert_eq!(driven.description.model_structure.derivatives.len(), 2);
    let elastic = clutch(&["flange_a=motion_in", "flange_b=motion_in"]);
    assert!(has(&elastic, "c_stuck") && has(&elastic, "d_stuck") && !has(&elastic, "J_a"));
    assert!(elastic.description.model_structure.derivatives.is_empty());
    let fixed = brake(&[]);
    assert!(
        has(&fixed, "flange_b.tau")
            && has(&fixed, "flange_b.phi")
            && !names(&fixed).iter().any(|n| n.starts_with("support"))
    );
    assert_eq!(fixed.description.model_structure.derivatives.len(), 2);
    let carried = brake(&["useSupport=true"]);
    assert!(has(&carried, "support.tau") && has(&carried, "support.phi") && has(&carried, "J_support"));
    assert_eq!(carried.description.model_structure.derivatives.len(), 4);
}

#[test]
fn a_given_side_draws_the_other_to_its_velocity_and_holds_it() {
    let fmu = clutch(&["flange_a=motion_in", "fn_max=8", "J_b=2", "useHeatPort=true"]);
    let instance = fmu.instance();
    set(&instance, &[("flange_a.w", 5.0), ("f_normalized", 1.0)]);
    instance.initialise();
    assert_eq!((get(&instance, "mode"), get(&instance, "flange_a.tau")), (BACKWARD, 4.0));
    assert_eq!(get(&instance, "heatPort.Q_flow"), -20.0);
    // With J_b w' = 4, the sides are together after 2.5 s. The given angle moves with the given velocity.
    instance.step(0.0, 2.0);
    assert_close(get(&instance, "flange_b.w"), 4.0, 1e-14);
    assert_close(get(&instance, "flange_a.phi"), 10.0, 1e-14);
    assert_close(get(&instance, "phi_rel"), -6.0, 1e-14);
    instance.step(2.0, 1.0);
    assert_eq!((get(&instance, "mode"), get(&instance, "w_rel")), (STUCK, 0.0));
    assert_close(get(&instance, "phi_rel"), -6.25, 1e-14);
    // While stuck, the reaction is that of the inertia, up to 4 N.m.
    set(&instance, &[("flange_a.a", 1.75), ("flange_b.tau", 0.5)]);
    assert_eq!(get(&instance, "flange_a.tau"), 3.0);
    instance.step(3.0, 1.0);
    assert_eq!((get(&instance, "mode"), get(&instance, "flange_b.a")), (STUCK, 1.75));
    assert_eq!(get(&instance, "flange_b.w"), get(&instance, "flange_a.w"));
    assert_eq!(get(&instance, "flange_a.w"), 6.75);
    set(&instance, &[("flange_a.a", 3.0)]);
    instance.step(4.0, 1.0);
    assert_eq!(get(&instance, "mode"), BACKWARD);
    assert_close(get(&instance, "flange_b.w"), 6.75 + 4.5 / 2.0, 1e-14);
    assert_close(get(&instance, "flange_a.w"), 9.75, 1e-14);
}

#[test]
fn the_acceleration_takes_derivatives_up_to_the_eighth() {
    let fmu = clutch(&["flange_b=motion_in"]);
    let instance = fmu.instance();
    instance.initialise();
    let a = instance.references("flange_b.a")[0];
    let factorial = |n: i32| f64::from((1..=n).product::<i32>());
    for order in 1..=8 {
        instance.fmi.set_real_input_derivatives(&[a], &[order], &[factorial(order)]);
    }
    instance.step(0.0, 0.5);
    // The acceleration is a = s + s^2 + … + s^8, integrated once and twice.
    let w: f64 = (1..=8).map(|j| 0.5_f64.powi(j + 1) / f64::from(j + 1)).sum();
    let phi: f64 = (1..=8).map(|j| 0.5_f64.powi(j + 2) / f64::from((j + 1) * (j + 2))).sum();
    assert_close(get(&instance, "flange_b.w"), w, 1e-15);
    assert_close(get(&instance, "flange_b.phi"), phi, 1e-15);
    assert_eq!(get(&instance, "mode"), FREE);
    assert_close(get(&instance, "w_rel"), w, 1e-15);
    assert_close(get(&instance, "phi_rel"), phi, 1e-15);
}

#[test]
fn a_jump_of_the_given_motion_does_not_move_a_sliding_inertia() {
    let fmu = clutch(&["flange_a=motion_in", "fn_max=2"]);
    let instance = fmu.instance();
    set(&instance, &[("flange_a.w", 10.0), ("f_normalized", 1.0)]);
    instance.initialise();
    instance.step(0.0, 1.0);
    assert_close(get(&instance, "flange_b.w"), 1.0, 1e-14);
    set(&instance, &[("flange_a.w", -3.0)]);
    assert_close(get(&instance, "flange_b.w"), 1.0, 1e-14);
    assert_close(get(&instance, "w_rel"), 4.0, 1e-14);
    instance.step(1.0, 1.0);
    assert_eq!(get(&instance, "mode"), FORWARD);
    assert_close(get(&instance, "flange_b.w"), 0.0, 1e-14);
    // While stuck, the side moves along.
    instance.step(2.0, 10.0);
    assert_eq!(get(&instance, "mode"), STUCK);
    set(&instance, &[("flange_a.w", 7.0)]);
    instance.step(12.0, 0.5);
    assert_eq!((get(&instance, "mode"), get(&instance, "flange_b.w")), (STUCK, 7.0));
}

/// Importers may set inputs only after the initialisation.
#[test]
fn a_jump_before_the_first_step_is_one_like_all_others() {
    let fmu = clutch(&["flange_a=motion_in", "w_b_start=0.5"]);
    let instance = fmu.instance();
    instance.initialise();
    for f in [0.0, 1.0] {
        set(&instance, &[("flange_a.w", 10.0), ("f_normalized", f)]);
        assert_eq!((get(&instance, "flange_b.w"), get(&instance, "w_rel")), (0.5, -9.5));
    }
    instance.step(0.0, 1.0);
    // The side is drawn along by 0.5 N.m.
    assert_close(get(&instance, "flange_b.w"), 1.0, 1e-15);
}

/// Before the first step a given motion has its given derivatives.
#[test]
fn rule_7_3_a_driven_side_has_derivatives_from_the_beginning() {
    let fmu = clutch(&["flange_a=motion_in", "fn_max=2", "w_b_start=0.5"]);
    let instance = fmu.instance();
    set(&instance, &[("flange_a.w", 10.0), ("flange_a.a", 3.0), ("f_normalized", 1.0)]);
    instance.initialise();
    let names = ["flange_b.phi", "flange_b.w", "phi_rel", "w_rel"];
    let outputs = names.map(|name| instance.references(name)[0]);
    for (i, w_a) in [10.0, 10.3, 10.6].into_iter().enumerate() {
        let rates = instance.output_rates(&outputs);
        let w_b = 0.5 + 0.1 * i as f64;
        for (found, expected) in rates.into_iter().zip([w_b, 1.0, w_b - w_a, -2.0]) {
            assert_close(found, expected, 1e-13);
        }
        instance.step(i as f64 * 0.1, 0.1);
    }
}

#[test]
fn the_brake_is_a_clutch_whose_other_side_stands_still() {
    let parameters = ["fn_max=20", "peak=1.2", "mue_pos=[[0.0,0.5],[1.0,0.3]]"];
    let (brake, clutch) = (brake(&parameters), clutch(&[&parameters[..], &["flange_a=motion_in"]].concat()));
    let (brake, clutch) = (brake.instance(), clutch.instance());
    brake.initialise();
    clutch.initialise();
    for i in 0..200 {
        let (f, torque) = ([1.0, 0.4, 0.8][i % 3], [14.0, -3.0, -13.0, 5.0, 0.0][i % 5]);
        set(&brake, &[("f_normalized", f), ("flange_a.tau", torque + 1.0), ("flange_b.tau", -1.0)]);
        set(&clutch, &[("f_normalized", f), ("flange_b.tau", torque)]);
        brake.step(i as f64 * 0.1, 0.1);
        clutch.step(i as f64 * 0.1, 0.1);
        for name in ["phi_rel", "w_rel", "a_rel", "tau", "lossPower", "mode", "flange_b.phi", "flange_b.w"] {
            assert_eq!(get(&brake, name).to_bits(), get(&clutch, name).to_bits(), "{name} {i}");
        }
    }
}

/// Between two given motions the spring deflects by tau / c_stuck while stuck.
#[test]
fn a_spring_deflects_between_two_given_motions_while_stuck() {
    let fmu = brake(&["flange_a=motion_in", "fn_max=20", "peak=1.5", "c_stuck=1e4", "d_stuck=2"]);
    let instance = fmu.instance();
    set(&instance, &[("f_normalized", 1.0)]);
    instance.initialise();
    set(&instance, &[("flange_a.w", 1e-3), ("flange_b.tau", 0.25)]);
    instance.step(0.0, 0.5);
    assert_close(get(&instance, "tau"), 1e4 * 0.5e-3 + 2e-3, 1e-12);
    assert_close(get(&instance, "flange_a.tau"), get(&instance, "tau") - 0.25, 1e-15);
    assert_close(get(&instance, "lossPower"), 2e-6, 1e-18);
    assert_eq!(get(&instance, "mode"), STUCK);
    // The breakaway is at 15 N.m, then it slides with 10 N.m.
    instance.step(0.5, 0.9);
    assert_eq!(get(&instance, "mode"), STUCK);
    instance.step(1.4, 0.2);
    assert_eq!((get(&instance, "mode"), get(&instance, "tau")), (FORWARD, 10.0));
    assert_close(get(&instance, "lossPower"), 1e-2, 1e-16);
    // It stops and sticks with the same torque.
    set(&instance, &[("flange_a.a", -1e-2)]);
    instance.step(1.6, 0.1 + 1e-9);
    assert_eq!(get(&instance, "mode"), STUCK);
    assert_close(get(&instance, "tau"), 10.0, 1e-6);
}

#[test]
fn a_saved_residual_slip_decays_in_model_exchange() {
    let fmu = clutch(&["K_locked=20", "fn_max=10"]);
    let instance = fmu.model_exchange();
    set(&instance, &[("f_normalized", 1.0)]);
    instance.initialise();
    instance.settle();
    instance.fmi.enter_continuous_time_mode();
    instance.fmi.set_continuous_states(&[0.0, 1.0, 0.0, 1e-3]);
    assert_eq!((get(&instance, "mode"), get(&instance, "a_rel")), (STUCK, -20.0 * 1e-3));
}

#[test]
fn a_breakaway_at_the_initial_point_is_seen_at_once() {
    let fmu = brake(&["fn_max=2"]);
    let instance = fmu.instance();
    set(&instance, &[("f_normalized", 1.0), ("flange_a.tau", -3.0)]);
    instance.initialise();
    assert_eq!((get(&instance, "mode"), get(&instance, "tau"), get(&instance, "a_rel")), (BACKWARD, -1.0, -2.0));
}

/// The normal force comes at 0.25 s and stops the shaft at 0.75 s; a torque breaks it away in the second step.
#[test]
fn the_time_of_the_last_event_is_exact_inside_a_step() {
    for interface in ["clutch", "brake"] {
        let fmu = match interface {
            "clutch" => clutch(&["showEventTime=true", "flange_a=motion_in", "fn_max=8", "w_b_start=2"]),
            _ => brake(&["showEventTime=true", "fn_max=8", "w_a_start=2"]),
        };
        let torque = if interface == "clutch" { "flange_b.tau" } else { "flange_a.tau" };
        let instance = fmu.instance();
        instance.initialise_at(1.0);
        assert_eq!((get(&instance, "eventTime"), get(&instance, "mode")), (1.0, FREE));
        // With fn = 8 (t - 0.25), J w' = -4 (t - 0.25), from 2 to 0 in a second.
        set(&instance, &[("f_normalized", -0.25)]);
        instance.set_rates("f_normalized", &[1.0]);
        instance.step(1.0, 1.0);
        assert_eq!(get(&instance, "mode"), FORWARD);
        assert_close(get(&instance, "eventTime"), 1.25, 1e-15);
        set(&instance, &[("f_normalized", 0.75)]);
        instance.set_rates("f_normalized", &[1.0]);
        instance.step(2.0, 1.0);
        assert_eq!(get(&instance, "mode"), STUCK);
        assert_close(get(&instance, "eventTime"), 2.25, 1e-14);
        instance.step(3.0, 1.0);
        assert_close(get(&instance, "eventTime"), 2.25, 1e-14);
        set(&instance, &[("f_normalized", 1.0), (torque, -5.0)]);
        instance.step(4.0, 1.0);
        assert_eq!((get(&instance, "mode"), get(&instance, "eventTime")), (BACKWARD, 4.0));
    }
}

/// Solves the loop with an inertia of 1 kg.m2 at the given side, whose load is linear in its acceleration; returns that.
fn solve(instance: &Instance<'_>, side: &str) -> f64 {
    let [a, tau] = ["a", "tau"].map(|member| format!("{side}.{member}"));
    let (unknown, known) = (instance.references(&tau), instance.references(&a));
    let (status, slope) = instance.fmi.directional_derivative(&unknown, &known, &[1.0]);
    assert_eq!(status, Status::Ok);
    let acceleration = get(instance, &a) - (get(instance, &a) + get(instance, &tau)) / (1.0 + slope[0]);
    set(instance, &[(&a, acceleration)]);
    assert_close(acceleration + get(instance, &tau), 0.0, 1e-12);
    acceleration
}

/// A torque of 3 N.m moves both sides together, until only 0.4 N.m can be transmitted.
#[test]
fn after_a_jump_a_very_short_step_brings_the_mode_in_which_a_loop_is_solved() {
    for (fmu, given, other) in [
        (clutch(&["flange_a=motion_in", "fn_max=8", "J_b=0.5"]), "flange_a", "flange_b"),
        (brake(&["useSupport=true", "support=motion_in", "fn_max=8", "J_a=0.5"]), "support", "flange_a"),
    ] {
        let instance = fmu.instance();
        let of = |member: &str| format!("{given}.{member}");
        set(&instance, &[("f_normalized", 1.0), (&format!("{other}.tau"), 3.0)]);
        instance.initialise();
        assert_close(solve(&instance, given), 2.0, 1e-12);
        instance.step(0.0, 0.1);
        set(&instance, &[(&of("phi"), 0.01), (&of("w"), 0.2), ("f_normalized", 0.1)]);
        assert_eq!(get(&instance, "mode"), STUCK);
        assert_close(solve(&instance, given), 2.0, 1e-12);
        instance.step(0.1, 1e-9);
        assert_eq!(get(&instance, "mode"), FORWARD);
        assert_close(solve(&instance, given), 0.4, 1e-12);
        assert_close(get(&instance, &format!("{other}.a")), (3.0 - 0.4) / 0.5, 1e-12);
        instance.step(0.1 + 1e-9, 0.1);
        assert_eq!(get(&instance, "mode"), FORWARD);
        assert_close(get(&instance, &format!("{other}.w")), 0.2 + 0.1 * (3.0 - 0.4) / 0.5, 1e-8);
    }
}

#[test]
fn what_the_law_works_with_can_be_seen() {
    let fmu = brake(&["showLaw=true", "fn_max=20", "peak=1.5", "mue_pos=[[0.0,0.5],[2.0,0.3]]", "w_a_start=1"]);
    let instance = fmu.model_exchange();
    set(&instance, &[("f_normalized", 0.5), ("flange_a.tau", -6.0)]);
    instance.initialise();
    instance.settle();
    let law = |expected: [f64; 5]| {
        let names = ["fn", "mue", "sa", "startForward", "startBackward"];
        for (name, expected) in names.into_iter().zip(expected) {
            assert_close(get(&instance, name), expected, 1e-14);
        }
    };
    // It slides with 4 N.m; sa is a_rel and the largest torque while stuck, 7.5 N.m.
    law([10.0, 0.4, -10.0 + 7.5, 0.0, 0.0]);
    instance.fmi.enter_continuous_time_mode();
    instance.fmi.set_continuous_states(&[0.0, -1e-9]);
    instance.fmi.enter_event_mode();
    instance.settle();
    law([10.0, 0.5, -6.0, 0.0, 0.0]);
    set(&instance, &[("flange_a.tau", -8.0)]);
    instance.settle();
    law([10.0, 0.5, -3.0 - 7.5, 0.0, 1.0]);
    instance.fmi.enter_continuous_time_mode();
    instance.fmi.set_continuous_states(&[0.0, -1.0]);
    instance.fmi.completed_integrator_step();
    law([10.0, 0.4, -4.0 - 7.5, 0.0, 0.0]);
}
