//! Inputs as polynomials of time, and derivatives of outputs.

use fmu_tests::api::{CO_SIMULATION, Status};

use crate::fixture::{Instance, State, fmu};

fn ok(status: Status) {
    assert_eq!(status, Status::Ok);
}

fn step_complete(name: &str) -> Instance {
    fmu(name).instance_in(CO_SIMULATION, State::StepComplete)
}

fn refused(instance: &Instance, status: Status, reason: &str) {
    assert_eq!(status, Status::Error);
    let message = instance.last_message().text;
    assert!(message.contains(reason), "{message}");
    assert!(instance.is_in_error());
}

#[test]
fn rule_7_3_inputs_are_polynomials_during_a_step() {
    let derivatives = [3.0, -4.0, 12.0];
    for highest in 1..=3 {
        for h in [0.1, 0.5, 2.0] {
            let instance = step_complete("sample");
            let u = instance.fmu.vr("u");
            instance.set(&[("u", 1.5)]);
            let orders: Vec<i32> = (1..=highest).collect();
            let given = &derivatives[..highest as usize];
            ok(instance.set_real_input_derivatives(&vec![u; given.len()], &orders, given));
            assert_eq!(instance.value("u"), 1.5);
            ok(instance.do_step(0.0, h));
            let terms = [3.0 * h, -4.0 * h * h / 2.0, 12.0 * h * h * h / 6.0];
            let expected = 1.5 + terms[..highest as usize].iter().sum::<f64>();
            assert!((instance.value("u") - expected).abs() <= 1e-14 * expected.abs().max(1.0));
            let u_end = instance.value("u");
            let [x, v] = ["x", "v"].map(|name| instance.value(name));
            assert_eq!(instance.value("a"), (u_end - 8.0 * x - 0.4 * v) / 2.0, "outputs are those of the new inputs");
        }
    }
}

#[test]
fn rule_7_3_states_follow_a_polynomial_input() {
    let run = |h: f64| {
        let instance = fmu("sample").instance(CO_SIMULATION);
        instance.advance_to(State::StepComplete);
        let count = (1.0 / h).round() as i32;
        for i in 0..count {
            ok(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[5.0]));
            ok(instance.do_step(f64::from(i) * h, h));
        }
        instance.value("x")
    };
    assert!((run(1.0) - run(0.001)).abs() < 1e-6);
}

#[test]
fn rule_7_3_derivatives_hold_for_one_step() {
    let instance = step_complete("sample");
    ok(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[2.0]));
    ok(instance.do_step(0.0, 0.5));
    ok(instance.do_step(0.5, 0.5));
    assert_eq!(instance.value("u"), 1.0);
}

#[test]
fn rule_7_3_the_last_derivative_of_an_order_wins() {
    let instance = step_complete("sample");
    let u = instance.fmu.vr("u");
    ok(instance.set_real_input_derivatives(&[u, u], &[1, 1], &[2.0, 3.0]));
    ok(instance.set_real_input_derivatives(&[u], &[1], &[4.0]));
    ok(instance.do_step(0.0, 0.5));
    assert_eq!(instance.value("u"), 2.0);
}

#[test]
fn rule_7_3_derivatives_may_be_set_before_the_initialisation() {
    for state in [State::Instantiated, State::Initialization] {
        let instance = fmu("sample").instance(CO_SIMULATION);
        let set = || ok(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[2.0]));
        if state == State::Instantiated {
            set();
        }
        ok(instance.setup_experiment(None, 0.0, None));
        ok(instance.enter_initialization_mode());
        if state == State::Initialization {
            set();
        }
        ok(instance.exit_initialization_mode());
        ok(instance.do_step(0.0, 0.5));
        assert_eq!(instance.value("u"), 1.0);
    }
}

#[test]
fn rule_7_3_wrong_derivatives_of_inputs_are_errors() {
    let cases = [
        ("u", 0, 1.0, "order of the derivative of \"u\" is 0, but must be from 1 to 8"),
        ("u", -1, 1.0, "is -1, but must be from 1 to 8"),
        ("u", i32::MAX, 1.0, "is 2147483647, but must be from 1 to 8"),
        ("u", 1, f64::NAN, "derivative of \"u\" cannot be NaN; a finite number is needed"),
        ("u", 2, f64::INFINITY, "derivative of \"u\" cannot be inf; a finite number is needed"),
        ("level", 1, 1.0, "\"level\" is a discrete input and has no derivatives"),
        ("x", 1, 1.0, "\"x\" is not a Real input"),
        ("m", 1, 1.0, "\"m\" is not a Real input"),
    ];
    for (name, order, value, reason) in cases {
        let instance = step_complete("sample");
        let [u, vr] = ["u", name].map(|name| instance.fmu.vr(name));
        let before = instance.snapshot();
        refused(&instance, instance.set_real_input_derivatives(&[u, vr], &[1, order], &[9.0, value]), reason);
        ok(instance.set_state(before));
        ok(instance.do_step(0.0, 0.5));
        assert_eq!(instance.value("u"), 0.0, "nothing was stored");
    }
    let instance = step_complete("sample");
    refused(&instance, instance.set_real_input_derivatives(&[u32::MAX], &[1], &[1.0]), "is not a Real input");
}

#[test]
fn rule_7_3_wrong_derivatives_of_outputs_are_errors() {
    let cases = [
        ("x", 0, "order of the derivative of \"x\" is 0"),
        ("x", 2, "order of the derivative of \"x\" is 2, but can only be 1"),
        ("u", 1, "\"u\" is not a Real output"),
        ("energy", 1, "\"energy\" is not a Real output"),
    ];
    for (name, order, reason) in cases {
        let instance = step_complete("sample");
        refused(&instance, instance.get_real_output_derivatives(&[instance.fmu.vr(name)], &[order]).0, reason);
    }
}

#[test]
fn rule_7_3_derivatives_of_the_outputs_of_the_sample() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    instance.set(&[("u", 3.0), ("axis[2]", 0.5)]);
    instance.advance_to(State::StepComplete);
    compare_with_differences(&instance, &["x", "v", "a", "looked_up", "sensor.r[1]", "sensor.r[2]", "sensor.f[1]"]);
}

#[test]
fn rule_7_3_derivatives_of_the_outputs_of_the_bushing() {
    let instance = step_complete("bushing");
    let rates = [("frame_b.r_0[1]", 0.3), ("frame_b.v_0[2]", -2.0), ("frame_b.R.w[3]", 1.5), ("frame_a.r_0[3]", -0.1)];
    for (name, rate) in rates {
        let vr = [instance.fmu.vr(name)];
        ok(instance.set_real_input_derivatives(&[vr[0], vr[0]], &[1, 2], &[rate, 0.7]));
    }
    let axes =
        (1..=3).flat_map(|i| ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t"].map(|name| format!("{name}[{i}]")));
    let names: Vec<_> = axes.chain(["lossPower".to_owned()]).collect();
    compare_with_differences(&instance, &names.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Compares derivatives after a step with differences between a shorter and a longer one.
fn compare_with_differences(instance: &Instance, outputs: &[&str]) {
    let start = instance.snapshot();
    let (h, reach) = (0.125, 1e-5);
    let vr: Vec<_> = outputs.iter().map(|name| instance.fmu.vr(name)).collect();
    let after = |h: f64| {
        ok(instance.set_state(start));
        ok(instance.do_step(0.0, h));
        instance.get_real(&vr).1
    };
    let (above, below) = (after(h + reach), after(h - reach));
    after(h);
    let (status, derivatives) = instance.get_real_output_derivatives(&vr, &vec![1; vr.len()]);
    ok(status);
    for (i, name) in outputs.iter().enumerate() {
        let difference = (above[i] - below[i]) / (2.0 * reach);
        let tolerance = 1e-7 * difference.abs().max(1.0) + 1e-15 * above[i].abs() / reach;
        assert!((derivatives[i] - difference).abs() <= tolerance, "{name}: {} instead of {difference}", derivatives[i]);
    }
}
