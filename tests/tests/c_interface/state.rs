//! FMU states: saved, restored, serialised and refused.

use fmu_runtime::reference;
use fmu_tests::api::{Api, CInstance, CO_SIMULATION, FmuState, MODEL_EXCHANGE, Standard, Status};

use crate::fixture::{INTERFACES, Instance, State, fmu, states};

const LAST_SUCCESSFUL_TIME: i32 = 2;

fn ok(status: Status) {
    assert_eq!(status, Status::Ok);
}

/// Makes steps from the current time; returns the bits of all values on the way.
fn steps(instance: &Instance, count: u32) -> Vec<Vec<u64>> {
    let step = |i: u32| {
        let time = instance.get_real_status(LAST_SUCCESSFUL_TIME).1;
        if i.is_multiple_of(3) {
            instance.set(&[("u", time.sin())]);
        }
        ok(instance.do_step(time, 0.07));
        let mut bits = instance.real_bits();
        bits.push(instance.value("count").to_bits());
        bits
    };
    (0..count).map(step).collect()
}

/// Continues from a state as far as possible.
fn finish(instance: &Instance, state: State) -> Vec<Vec<u64>> {
    match (instance.kind, state) {
        (CO_SIMULATION, State::Instantiated | State::Initialization | State::StepComplete) => {
            if state == State::Instantiated {
                ok(instance.enter_initialization_mode());
            }
            if state != State::StepComplete {
                ok(instance.exit_initialization_mode());
            }
            steps(instance, 10)
        }
        (_, State::Terminated | State::Error) => vec![instance.real_bits()],
        _ => {
            if state == State::Instantiated {
                ok(instance.enter_initialization_mode());
            }
            if matches!(state, State::Instantiated | State::Initialization) {
                ok(instance.exit_initialization_mode());
            }
            if state != State::Continuous {
                ok(instance.new_discrete_states().0);
                ok(instance.enter_continuous_time_mode());
            }
            ok(instance.set_continuous_states(&[0.3, 0.1]));
            ok(instance.set_time(0.3));
            ok(instance.enter_event_mode());
            ok(instance.new_discrete_states().0);
            vec![instance.real_bits(), vec![instance.value("count").to_bits()]]
        }
    }
}

fn serialized(instance: &Instance, state: FmuState) -> Vec<u8> {
    let (status, size) = instance.serialized_size(state);
    ok(status);
    let mut bytes = vec![0; size];
    ok(instance.serialize(state, &mut bytes));
    bytes
}

#[test]
fn f1_f2_f9_in_each_state() {
    for (kind, state) in INTERFACES.into_iter().flat_map(|kind| states(kind).iter().map(move |state| (kind, *state))) {
        let instance = fmu("sample").instance(kind);
        instance.set(&[("m", 3.0), ("x", 0.7), ("gain", 2.0), ("u", 1.0), ("axes[2]", 9.0)]);
        ok(instance.set_string(&[instance.fmu.vr("label")], &[Some(b"kept")]));
        instance.advance_to(state);
        let snapshot = instance.snapshot();
        let bytes = serialized(&instance, snapshot);
        let expected = finish(&instance, state);
        let check = |instance: &Instance, how: &str| {
            assert_eq!(instance.get_string(&[instance.fmu.vr("label")]).1, [Some("kept".to_owned())]);
            assert_eq!(finish(instance, state), expected, "{how} in {state:?} of fmi2Type {kind}");
            assert_eq!(instance.value("axes[2]"), 9.0);
        };
        ok(instance.set_state(snapshot));
        check(&instance, "restored");
        ok(instance.reset());
        ok(instance.set_state(snapshot));
        check(&instance, "restored after fmi2Reset");
        assert_eq!(instance.call_that_fails(), Status::Error);
        ok(instance.set_state(snapshot));
        check(&instance, "restored after an error");
        let other = fmu("sample").instance(kind);
        let mut copy = FmuState::NULL;
        ok(other.deserialize(&bytes, &mut copy));
        ok(other.set_state(copy));
        check(&other, "restored in another instance");
    }
}

/// Derivatives and event indicators, which are computed when they are asked for.
fn computed_on_demand(instance: &Instance) -> Vec<Vec<f64>> {
    let vr = |name: &str| instance.fmu.vr(name);
    let get = |(status, values): (Status, Vec<f64>)| {
        assert_eq!(status, Status::Ok, "{:?}", instance.messages());
        values
    };
    let along = || get(instance.directional_derivative(&[vr("a")], &[vr("u")], &[1.0]));
    match instance.kind {
        CO_SIMULATION => vec![get(instance.get_real_output_derivatives(&[vr("v")], &[1])), along()],
        _ => vec![get(instance.get_event_indicators(1)), along()],
    }
}

#[test]
fn f9_what_is_computed_on_demand_follows_a_deserialised_state() {
    for (kind, state) in [(CO_SIMULATION, State::StepComplete), (MODEL_EXCHANGE, State::Continuous)] {
        let instance = fmu("sample").instance(kind);
        instance.set(&[("m", 3.0), ("x", 0.7), ("u", 1.25)]);
        instance.advance_to(state);
        let expected = computed_on_demand(&instance);
        assert!(expected.iter().all(|values| values[0] != 0.0 && values[0] != 1.0), "{expected:?}");
        // All values are up to date when they are saved, so that nothing else has to be computed afterwards.
        let bits = instance.real_bits();
        let bytes = serialized(&instance, instance.snapshot());
        let other = fmu("sample").instance(kind);
        let mut copy = FmuState::NULL;
        ok(other.deserialize(&bytes, &mut copy));
        ok(other.set_state(copy));
        assert_eq!(computed_on_demand(&other), expected, "fmi2Type {kind}");
        assert_eq!(other.real_bits(), bits);
    }
}

#[test]
fn f1_a_given_state_is_overwritten() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let mut state = instance.snapshot();
    let handle = state;
    steps(&instance, 3);
    ok(instance.get_state(&mut state));
    assert_eq!(state, handle);
    let expected = steps(&instance, 5);
    ok(instance.set_state(state));
    assert_eq!(steps(&instance, 5), expected);
}

#[test]
fn f9_two_states_interleaved() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let early = instance.snapshot();
    let from_early = steps(&instance, 30);
    let late = instance.snapshot();
    let from_late = steps(&instance, 30);
    for _ in 0..3 {
        ok(instance.set_state(early));
        assert_eq!(steps(&instance, 30), from_early);
        ok(instance.set_state(late));
        assert_eq!(steps(&instance, 30), from_late);
    }
}

#[test]
fn f1_derivatives_of_inputs_are_part_of_the_state() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    ok(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[2.0]));
    let state = instance.snapshot();
    for _ in 0..2 {
        ok(instance.do_step(0.0, 0.5));
        assert_eq!(instance.value("u"), 1.0);
        ok(instance.set_state(state));
    }
}

#[test]
fn f3_states_are_freed_and_null_is_ignored() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let mut state = instance.snapshot();
    ok(instance.free_state(&mut state));
    assert_eq!(state, FmuState::NULL);
    ok(instance.free_state(&mut state));
    ok(fmu("sample").api.call_with_nulls("fmi2FreeFMUstate", Some(&instance), 0));
    let mut states: Vec<_> = (0..1000).map(|_| instance.snapshot()).collect();
    states.iter_mut().rev().for_each(|state| ok(instance.free_state(state)));
}

#[test]
fn f4_foreign_and_freed_states_are_refused() {
    let owner = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let foreign = owner.snapshot();
    let refuse = |state: FmuState| {
        let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
        let calls: [fn(&Instance, FmuState) -> Status; 5] = [
            |instance, state| instance.set_state(state),
            |instance, mut state| instance.get_state(&mut state),
            |instance, mut state| instance.free_state(&mut state),
            |instance, state| instance.serialized_size(state).0,
            |instance, state| instance.serialize(state, &mut [0; 10_000]),
        ];
        for call in calls {
            assert_eq!(call(&instance, state), Status::Error);
            let message = instance.last_message().text;
            assert!(message.ends_with("this FMU state was not made by this instance, or was freed"), "{message}");
            assert!(instance.is_in_error());
            instance.messages();
        }
    };
    refuse(foreign);
    refuse(FmuState::dangling_for_test(8));
    refuse(FmuState::dangling_for_test(usize::MAX));
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let state = instance.snapshot();
    ok(instance.free_state(&mut state.clone()));
    assert_eq!(instance.set_state(state), Status::Error);
    assert_eq!(instance.free_state(&mut state.clone()), Status::Error);
    assert_eq!(instance.set_state(FmuState::NULL), Status::Error);
    ok(owner.set_state(foreign));
}

#[test]
fn f5_the_buffer_may_be_larger_but_not_smaller() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let state = instance.snapshot();
    let bytes = serialized(&instance, state);
    let mut large = vec![0xAA; bytes.len() + 100];
    ok(instance.serialize(state, &mut large));
    assert_eq!(large[..bytes.len()], bytes);
    let mut copy = FmuState::NULL;
    ok(instance.deserialize(&large, &mut copy));
    ok(instance.set_state(copy));
    assert_eq!(instance.serialize(state, &mut large[..bytes.len() - 1]), Status::Error);
    assert!(instance.last_message().text.contains(&format!("but {} are needed", bytes.len())));
}

#[test]
fn f5_what_deserialize_finds_in_place_of_a_state_is_not_looked_at() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let first = instance.snapshot();
    let bytes = serialized(&instance, first);
    let expected = steps(&instance, 4);
    let mut state = first;
    ok(instance.deserialize(&bytes, &mut state));
    ok(instance.set_state(state));
    assert_eq!(steps(&instance, 4), expected);
    assert_ne!(state, first);
    ok(instance.set_state(first));
    assert_eq!(steps(&instance, 4), expected);
}

#[test]
fn f5_every_corruption_and_truncation_is_refused() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    let state = instance.snapshot();
    let bytes = serialized(&instance, state);
    let refuse = |bytes: &[u8]| {
        let mut copy = FmuState::NULL;
        assert_eq!(instance.deserialize(bytes, &mut copy), Status::Error);
        assert_eq!(copy, FmuState::NULL);
        let message = instance.last_message().text;
        assert!(message.starts_with("fmi2DeSerializeFMUstate: the serialised FMU state is rejected: "), "{message}");
    };
    for i in 0..bytes.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut corrupted = bytes.clone();
            corrupted[i] ^= change;
            refuse(&corrupted);
        }
        refuse(&bytes[..i]);
    }
    ok(instance.deserialize(&bytes, &mut FmuState::NULL.clone()));
}

/// Replaces bytes that occur once in the body of a serialised state, and corrects its checksum.
fn forged(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    const DIGEST: std::ops::Range<usize> = 9..25;
    let places: Vec<usize> = (DIGEST.end..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("{from:?} is there {} times", places.len()) };
    let mut forged = [&bytes[..at], to, &bytes[at + from.len()..]].concat();
    let digest = fmu_runtime::fingerprint(&forged[DIGEST.end..]);
    for (i, byte) in forged[DIGEST].iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digest[2 * i..2 * i + 2], 16).unwrap();
    }
    forged
}

#[test]
fn f5_what_no_instance_writes_is_refused_also_with_a_right_checksum() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    instance.set(&[("m", 3.25), ("steps", 777.0)]);
    ok(instance.setup_experiment(None, 0.0, Some(7.5)));
    let bytes = serialized(&instance, instance.snapshot());
    let real = |value: f64| value.to_le_bytes();
    // Whole numbers have 7 bits in each byte, and the sign in the lowest.
    let steps = [0x92, 0x0C];
    let values = "its values do not fit this FMU";
    for (from, to, reason) in [
        (&real(3.25)[..], &real(-1.0)[..], values),
        (&real(3.25), &real(f64::NAN), values),
        (&real(7.5), &real(f64::INFINITY), values),
        (&real(7.5), &real(-1.0), values),
        (&steps, &[0x92, 0x7C], values),
        (&steps, &[0x92, 0x8C, 0x00], "its encoding is not that of this FMU"),
    ] {
        let mut copy = FmuState::NULL;
        assert_eq!(instance.deserialize(&forged(&bytes, from, to), &mut copy), Status::Error, "{to:?}");
        let message = instance.last_message().text;
        assert!(message.ends_with(&format!("the serialised FMU state is rejected: {reason}")), "{message}");
    }
    ok(instance.deserialize(&forged(&bytes, &real(3.25), &real(4.5)), &mut FmuState::NULL.clone()));
}

#[test]
fn f5_states_of_other_fmus_and_interfaces_are_refused() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    for (other, reason) in [
        (fmu("bushing").instance(CO_SIMULATION), "it belongs to the FMU with GUID "),
        (fmu("sample").instance(MODEL_EXCHANGE), "it was taken from an instance of the other interface"),
    ] {
        let bytes = serialized(&other, other.snapshot());
        assert_eq!(instance.deserialize(&bytes, &mut FmuState::NULL.clone()), Status::Error);
        let message = instance.last_message().text;
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn f9_the_memory_of_the_bushing_is_part_of_the_state() {
    let instance = fmu("bushing").instance_in(CO_SIMULATION, State::StepComplete);
    let run = |from: u32| {
        let step = |i: u32| {
            let t = f64::from(i) * 0.01;
            instance.set(&[("frame_b.r_0[1]", 0.01 * t.sin()), ("frame_b.v_0[1]", 0.01 * t.cos())]);
            ok(instance.do_step(t, 0.01));
            instance.real_bits()
        };
        (from..from + 10).map(step).collect::<Vec<_>>()
    };
    run(0);
    let state = instance.snapshot();
    let expected = run(10);
    ok(instance.set_state(state));
    assert_eq!(run(10), expected);
}

#[test]
fn t13_a_state_brings_its_number_of_rows_and_goes_on() {
    let sample = fmu("sample");
    let api = Api::load_as(&sample.binary, Standard::Fmi3).unwrap();
    let instance = api.instantiate(sample.setup(CO_SIMULATION)).unwrap_or_else(|messages| panic!("{messages:?}"));
    let (rows, table) = ([reference::ROWS], [reference::TABLES]);
    assert_eq!(instance.get_row_counts(&rows), (Status::Ok, vec![2]));
    ok(instance.enter_configuration_mode());
    ok(instance.set_row_counts(&rows, &[3]));
    ok(instance.exit_configuration_mode());
    ok(instance.set_real(&table, &[0.0, 1.0, 1.0, 3.0, 2.0, 3.0]));
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    let mut state = FmuState::NULL;
    ok(instance.get_state(&mut state));
    ok(instance.do_step(0.0, 0.1));
    let x = [sample.vr("x")];
    let (_, straight) = instance.get_real(&x);
    ok(instance.reset());
    assert_eq!(instance.get_row_counts(&rows).1, [2]);
    ok(instance.set_state(state));
    assert_eq!(instance.get_row_counts(&rows).1, [3]);
    ok(instance.do_step(0.0, 0.1));
    assert_eq!(instance.get_real(&x).1, straight);
    ok(instance.free_state(&mut state));
}

/// An instance of the sample in FMI 3.0, not initialised, and what sets its number of rows.
fn sample_of_fmi_3(kind: i32) -> (CInstance, impl Fn(&CInstance, u64)) {
    let sample = fmu("sample");
    let api = Api::load_as(&sample.binary, Standard::Fmi3).unwrap();
    let instance = api.instantiate(sample.setup(kind)).unwrap_or_else(|messages| panic!("{messages:?}"));
    let resize = |instance: &CInstance, count| {
        ok(instance.enter_configuration_mode());
        ok(instance.set_row_counts(&[reference::ROWS], &[count]));
        ok(instance.exit_configuration_mode());
        assert_eq!(instance.get_row_counts(&[reference::ROWS]), (Status::Ok, vec![count]));
    };
    (instance, resize)
}

#[test]
fn t13_a_state_with_the_configured_rows_goes_on_after_others() {
    let (instance, resize) = sample_of_fmi_3(CO_SIMULATION);
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    let mut state = FmuState::NULL;
    ok(instance.get_state(&mut state));
    resize(&instance, 3);
    ok(instance.reset());
    ok(instance.set_state(state));
    ok(instance.do_step(0.0, 0.1));
    ok(instance.free_state(&mut state));
}

#[test]
fn t13_states_of_other_rows_in_model_exchange() {
    let (instance, resize) = sample_of_fmi_3(MODEL_EXCHANGE);
    let complete = |time| {
        ok(instance.new_discrete_states().0);
        ok(instance.enter_continuous_time_mode());
        ok(instance.set_time(time));
        ok(instance.completed_integrator_step().0);
    };
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    complete(0.1);
    let [mut two, mut three] = [FmuState::NULL; 2];
    ok(instance.get_state(&mut two));
    ok(instance.get_state(&mut three));
    ok(instance.enter_event_mode());
    resize(&instance, 3);
    complete(0.2);
    ok(instance.get_state(&mut three));
    for (state, rows) in [(two, 2), (three, 3), (two, 2)] {
        ok(instance.set_state(state));
        assert_eq!(instance.get_row_counts(&[reference::ROWS]).1, [rows]);
        ok(instance.set_time(0.3));
        ok(instance.completed_integrator_step().0);
    }
    ok(instance.free_state(&mut two));
    ok(instance.free_state(&mut three));
}

#[test]
fn t9_a_table_that_is_tuned_at_the_start_repeats_no_initialisation() {
    let (instance, _) = sample_of_fmi_3(MODEL_EXCHANGE);
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    ok(instance.new_discrete_states().0);
    ok(instance.enter_continuous_time_mode());
    ok(instance.set_continuous_states(&[2.0, 3.0]));
    ok(instance.enter_event_mode());
    ok(instance.set_real(&[reference::TABLES], &[0.0, 1.0, 1.0, 3.0]));
    ok(instance.new_discrete_states().0);
    assert_eq!(instance.get_continuous_states(2), (Status::Ok, vec![2.0, 3.0]));
    assert_eq!(instance.messages(), []);
}

#[test]
fn t10_dependencies_follow_the_number_of_rows() {
    let (instance, resize) = sample_of_fmi_3(MODEL_EXCHANGE);
    let looked_up = fmu("sample").vr("looked_up");
    ok(instance.enter_initialization_mode());
    ok(instance.exit_initialization_mode());
    let count = |rows| {
        resize(&instance, rows);
        let (status, all) = instance.dependencies(looked_up);
        ok(status);
        all.len()
    };
    let [one, two] = [1, 2].map(count);
    assert!(one < two, "{one} dependencies with one row, {two} with two");
}
