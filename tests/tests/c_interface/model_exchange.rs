//! Model Exchange: modes, events and vectors of states, integrated by the test.

use fmu_tests::api::{CO_SIMULATION, EventInfo, MODEL_EXCHANGE, Status};

use crate::fixture::{Instance, State, fmu};

fn ok(status: Status) {
    assert_eq!(status, Status::Ok);
}

/// Position of the damped oscillator with the sample's start values.
fn closed_form(t: f64) -> f64 {
    let [m, k, d, x0] = [2.0, 8.0, 0.4, 0.5];
    let decay: f64 = d / (2.0 * m);
    let omega = (k / m - decay * decay).sqrt();
    (-decay * t).exp() * x0 * ((omega * t).cos() + decay / omega * (omega * t).sin())
}

/// Iterates an event; returns the last result.
fn handle_event(instance: &Instance) -> EventInfo {
    loop {
        let (status, info) = instance.new_discrete_states();
        ok(status);
        if info.new_discrete_states_needed == 0 {
            return info;
        }
    }
}

fn derivatives(instance: &Instance, t: f64, x: [f64; 2]) -> [f64; 2] {
    ok(instance.set_time(t));
    ok(instance.set_continuous_states(&x));
    let (status, derivatives) = instance.get_derivatives(2);
    ok(status);
    derivatives.try_into().unwrap()
}

fn runge_kutta(instance: &Instance, t: f64, x: [f64; 2], h: f64) -> [f64; 2] {
    let moved = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
    let a = derivatives(instance, t, x);
    let b = derivatives(instance, t + h / 2.0, moved(a, h / 2.0));
    let c = derivatives(instance, t + h / 2.0, moved(b, h / 2.0));
    let d = derivatives(instance, t + h, moved(c, h));
    [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

/// Integrates with events up to `stop`; returns position and velocity at the end.
fn integrate(instance: &Instance, stop: f64) -> [f64; 2] {
    let mut info = handle_event(instance);
    ok(instance.enter_continuous_time_mode());
    let mut x: [f64; 2] = instance.get_continuous_states(2).1.try_into().unwrap();
    let mut t = 0.0;
    while t < stop {
        assert_eq!(info.next_event_time_defined, 1);
        assert!(info.next_event_time > t);
        let end = (t + 0.0025).min(info.next_event_time).min(stop);
        x = runge_kutta(instance, t, x, end - t);
        t = end;
        ok(instance.set_time(t));
        ok(instance.set_continuous_states(&x));
        assert_eq!(instance.completed_integrator_step(), (Status::Ok, [0, 0]));
        if t == info.next_event_time {
            ok(instance.enter_event_mode());
            info = handle_event(instance);
            assert_eq!(info.values_of_continuous_states_changed, 0);
            ok(instance.enter_continuous_time_mode());
        }
    }
    x
}

#[test]
fn m5_the_integrated_sample_is_the_damped_oscillator() {
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event);
    let [x, v] = integrate(&instance, 2.0);
    assert!((x - closed_form(2.0)).abs() < 1e-10, "{x} {}", closed_form(2.0));
    assert_eq!((instance.value("x"), instance.value("v")), (x, v));
    assert_eq!(instance.value("count"), 8.0);
    assert_eq!(instance.value("sensor.r[1]"), x);
    ok(instance.terminate());
    assert_eq!(instance.value("x"), x);
}

#[test]
fn co_simulation_gives_the_same() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    ok(instance.setup_experiment(Some(1e-11), 0.0, None));
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    for i in 0..20 {
        ok(instance.do_step(f64::from(i) * 0.1, 0.1));
    }
    assert!((instance.value("x") - closed_form(2.0)).abs() < 1e-10);
    let model_exchange = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event);
    let [x, v] = integrate(&model_exchange, 2.0);
    assert!((instance.value("x") - x).abs() < 1e-10);
    assert!((instance.value("v") - v).abs() < 1e-10);
}

#[test]
fn discrete_inputs_act_at_events() {
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event);
    instance.set(&[("hold", 1.0)]);
    integrate(&instance, 1.0);
    assert_eq!((instance.value("count"), instance.value("held")), (0.0, 1.0));
}

#[test]
fn m1_ms2_the_order_of_the_states_is_that_of_the_derivatives() {
    let fmu = fmu("sample");
    let names = fmu
        .description
        .model_structure
        .derivatives
        .iter()
        .map(|unknown| &fmu.description.variables[unknown.index].name);
    assert_eq!(names.collect::<Vec<_>>(), ["v", "a"]);
    let instance = fmu.instance_in(MODEL_EXCHANGE, State::Continuous);
    ok(instance.set_continuous_states(&[3.0, 4.0]));
    assert_eq!((instance.value("x"), instance.value("v")), (3.0, 4.0));
    assert_eq!(instance.get_continuous_states(2).1, [3.0, 4.0]);
    assert_eq!(instance.get_derivatives(2).1, [4.0, (-8.0 * 3.0 - 0.4 * 4.0) / 2.0]);
}

#[test]
fn m1_wrong_sizes_are_errors() {
    type Vector = fn(&Instance, usize) -> Status;
    let vectors: [(Vector, &str); 4] = [
        (|instance, n| instance.get_continuous_states(n).0, "continuous states are given, but there are 2"),
        (|instance, n| instance.set_continuous_states(&vec![0.0; n]), "continuous states are given, but there are 2"),
        (|instance, n| instance.get_derivatives(n).0, "continuous states are given, but there are 2"),
        (|instance, n| instance.get_nominals(n).0, "continuous states are given, but there are 2"),
    ];
    for (call, message) in vectors {
        for n in [0, 1, 3] {
            let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
            assert_eq!(call(&instance, n), Status::Error);
            assert!(instance.last_message().text.ends_with(&format!(": {n} {message}")));
        }
    }
    for n in [0, 2] {
        let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
        assert_eq!(instance.get_event_indicators(n).0, Status::Error);
        assert!(
            instance.last_message().text.ends_with(": 0 event indicators are requested, but there are 1") == (n == 0)
        );
    }
}

#[test]
fn m1_states_must_be_finite() {
    for value in [f64::NAN, f64::INFINITY] {
        let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
        assert_eq!(instance.set_continuous_states(&[1.0, value]), Status::Error);
        assert_eq!(
            instance.last_message().text,
            format!("fmi2SetContinuousStates: \"v\" cannot be {value}; a finite number is needed")
        );
        assert_eq!(instance.get_continuous_states(2).1, [0.5, 0.0]);
    }
}

#[test]
fn m2_all_fields_of_the_event_info_are_written() {
    let (status, info) = fmu("bushing").instance_in(MODEL_EXCHANGE, State::Event).new_discrete_states();
    let nothing = EventInfo {
        new_discrete_states_needed: 0,
        terminate_simulation: 0,
        nominals_of_continuous_states_changed: 0,
        values_of_continuous_states_changed: 0,
        next_event_time_defined: 0,
        next_event_time: 0.0,
    };
    assert_eq!((status, info), (Status::Ok, nothing));
    let (status, info) = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event).new_discrete_states();
    assert_eq!(
        (status, info),
        (Status::Ok, EventInfo { next_event_time_defined: 1, next_event_time: 0.25, ..nothing })
    );
}

#[test]
fn m2_an_event_that_was_missed_is_iterated_until_the_next_one_lies_ahead() {
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
    ok(instance.set_time(1.1));
    ok(instance.enter_event_mode());
    assert_eq!(instance.new_discrete_states().1.new_discrete_states_needed, 1);
    assert_eq!(handle_event(&instance).next_event_time, 1.25);
    assert_eq!(instance.value("count"), 4.0);
}

#[test]
fn m3_m4_event_indicators_and_nominals() {
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
    for x in [0.5, -0.25] {
        ok(instance.set_continuous_states(&[x, 0.0]));
        assert_eq!(instance.get_event_indicators(1), (Status::Ok, vec![x]));
    }
    assert_eq!(instance.get_nominals(2), (Status::Ok, vec![1.0, 1.0]));
}

#[test]
fn m5_time_may_go_back() {
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
    for t in [0.1, 0.05, 0.0, 0.2] {
        ok(instance.set_time(t));
        ok(instance.get_derivatives(2).0);
    }
}

#[test]
fn m7_m8_the_bushing_without_states_works_with_both_kinds_of_masters() {
    let instance = fmu("bushing").instance_in(MODEL_EXCHANGE, State::Event);
    let load = |r: f64, t: f64| {
        ok(instance.set_time(t));
        instance.set(&[("frame_b.r_0[1]", r)]);
        instance.value("frame_b.f[1]")
    };
    ok(instance.new_discrete_states().0);
    assert_eq!(load(0.001, 0.1), 4.5e3, "discrete: time moves in event mode");
    ok(instance.enter_continuous_time_mode());
    for t in [0.2, 0.3] {
        assert_eq!(load(t, t), 4.5e6 * t);
        for vector in [instance.get_continuous_states(0), instance.get_derivatives(0), instance.get_event_indicators(0)]
        {
            assert_eq!(vector, (Status::Ok, vec![]));
        }
        ok(instance.set_continuous_states(&[]));
        assert_eq!(instance.completed_integrator_step(), (Status::Ok, [0, 0]));
    }
    assert_eq!(instance.get_continuous_states(1).0, Status::Error);
}

#[test]
fn p12_set_time_outside_the_continuous_time_mode() {
    let instance = fmu("sample").instance(MODEL_EXCHANGE);
    ok(instance.set_time(5.0));
    ok(instance.setup_experiment(None, 1.0, None));
    ok(instance.enter_initialization_mode());
    ok(instance.set_time(1.0));
    ok(instance.exit_initialization_mode());
    ok(instance.set_time(1.0));
    // OpenModelica's runtime is in event mode until the first event.
    ok(instance.set_time(1.5));
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Initialization);
    assert_eq!(instance.set_time(1.5), Status::Error);
    assert!(instance.last_message().text.contains("startTime is 0.0 s"));
}

#[test]
fn p12_set_time_must_be_finite() {
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
        assert_eq!(instance.set_time(time), Status::Error);
        assert!(instance.last_message().text.contains("a finite number is needed"));
    }
}

#[test]
fn p5_s3_a_solver_may_look_beyond_the_stop_time_and_is_told_once_if_it_stays() {
    let setup = fmu_tests::api::Setup { logging_on: true, ..fmu("sample").setup(MODEL_EXCHANGE) };
    let fmi = fmu("sample").api.instantiate(setup).ok().unwrap();
    assert_eq!(fmi.setup_experiment(None, 0.0, Some(1.0)), Status::Ok);
    assert_eq!(fmi.enter_initialization_mode(), Status::Ok);
    assert_eq!(fmi.exit_initialization_mode(), Status::Ok);
    assert_eq!(fmi.new_discrete_states().0, Status::Ok);
    assert_eq!(fmi.enter_continuous_time_mode(), Status::Ok);
    for (time, ends) in [(1.2, false), (1.0_f64.next_up(), true), (1.1, true), (1.2, true)] {
        assert_eq!(fmi.set_time(time), Status::Ok);
        assert_eq!(fmi.get_derivatives(2).0, Status::Ok);
        if ends {
            assert_eq!(fmi.completed_integrator_step().0, Status::Ok);
        }
        let expected =
            if time == 1.1 { vec!["fmi2CompletedIntegratorStep: time is 1.1 s, after stopTime 1.0 s"] } else { vec![] };
        let messages = fmi.messages();
        assert_eq!(messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>(), expected);
        assert!(messages.iter().all(|message| message.category.as_deref() == Some("logStatusWarning")));
    }
}
