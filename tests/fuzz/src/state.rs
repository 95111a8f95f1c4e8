//! Serialised FMU states: rejected, or serialised to the same bytes, and two instances continue identically.

use sha2::{Digest, Sha256};

use crate::bytes::Bytes;
use crate::components::prepared;
use crate::instance::{Array, ERROR, Instance, OK, UNWRITTEN};

/// Magic, version and digest before the body.
const DIGEST: std::ops::Range<usize> = 9..25;

/// Uses bytes as a serialised state, or as changes of a valid one.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    let code = bytes.byte();
    let prepared = prepared(code.into());
    let co_simulation = code & 64 == 0;
    let donor = Instance::new(prepared, co_simulation, true);
    let how = bytes.byte();
    bring(&donor, how >> 4);
    let good = serialized(&donor);
    let mut given = match how & 3 {
        // Whatever it is.
        0 => bytes.0.to_vec(),
        // A body with a valid header.
        1 => [&good[..DIGEST.end], bytes.0].concat(),
        _ => {
            let mut given = good.clone();
            let mut changes = 0;
            while !bytes.is_empty() && changes < 20 {
                change(&mut given, &mut bytes);
                changes += 1;
            }
            given
        }
    };
    // With the right digest the reader reaches the rest.
    if how & 3 != 0 && how & 4 == 0 && given.len() >= DIGEST.end {
        let digest = Sha256::digest(&given[DIGEST.end..]);
        given[DIGEST].copy_from_slice(&digest[..DIGEST.len()]);
    }
    let receivers = [Instance::new(prepared, co_simulation, true), donor];
    let handles = receivers.each_ref().map(|receiver| read(receiver, &given));
    assert_eq!(handles[0].is_some(), handles[1].is_some());
    let [Some(first), Some(second)] = handles else {
        assert!(given != good, "a true state is refused: {:?}", receivers[0].messages());
        return;
    };
    let ways = [(&receivers[0], first), (&receivers[1], second)].map(|(receiver, handle)| {
        assert_eq!(receiver.set_fmu_state(handle), OK);
        go_on(receiver)
    });
    assert!(ways[0] == ways[1], "two instances go on differently");
}

/// Into one of the states of the life cycle.
fn bring(instance: &Instance, far: u8) {
    let steps: [&dyn Fn() -> i32; 7] = [
        &|| instance.setup_experiment(false, 0.0, 0.25, true, 10.0),
        &|| instance.enter_initialization_mode(),
        &|| instance.exit_initialization_mode(),
        &|| if instance.co_simulation { instance.do_step(0.25, 0.5, true) } else { events(instance) },
        &|| if instance.co_simulation { derivatives(instance) } else { instance.enter_continuous_time_mode() },
        &|| instance.terminate(),
        &|| instance.get_real(&vec![u32::MAX].into(), 1, &mut Array::filled(0.0, 1)),
    ];
    for step in &steps[..usize::from(far) % (steps.len() + 1)] {
        step();
    }
}

fn events(instance: &Instance) -> i32 {
    instance.new_discrete_states(Some(&mut { UNWRITTEN }))
}

/// Derivatives of the first input.
fn derivatives(instance: &Instance) -> i32 {
    use fmu_builder::description::{Causality, VariableType};
    let variables = &instance.prepared.description.variables;
    let real_input =
        variables.iter().find(|it| it.causality == Causality::Input && matches!(it.kind, VariableType::Real { .. }));
    let reference = real_input.map_or(0, |variable| variable.value_reference);
    instance.set_real_input_derivatives(&vec![reference; 2].into(), 2, &vec![1, 2].into(), &vec![0.5, 0.25].into())
}

fn serialized(instance: &Instance) -> Vec<u8> {
    let mut handle = 0;
    assert_eq!(instance.get_fmu_state(Some(&mut handle)), OK);
    let bytes = bytes_of(instance, handle);
    assert_eq!(instance.free_fmu_state(Some(&mut handle)), OK);
    bytes
}

fn bytes_of(instance: &Instance, handle: usize) -> Vec<u8> {
    let mut size = 0;
    assert_eq!(instance.serialized_fmu_state_size(handle, Some(&mut size)), OK);
    let mut bytes = Array::filled(0, size);
    assert_eq!(instance.serialize_fmu_state(handle, &mut bytes, size), OK);
    bytes.slice().to_vec()
}

fn change(given: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    let (kind, position) = (bytes.byte(), usize::from(bytes.word()) % given.len().max(1));
    match kind % 6 {
        0 => given[position..].iter_mut().take(1).for_each(|byte| *byte = bytes.byte()),
        // A Real at any offset.
        1 | 2 => {
            let real = bytes.real().to_le_bytes();
            given[position..].iter_mut().zip(real).for_each(|(byte, new)| *byte = new);
        }
        3 => given.truncate(position.max(1)),
        4 => given.insert(position, bytes.byte()),
        _ => given.extend(bytes.counted()),
    }
}

/// Deserialises; an accepted state is serialised to the same bytes.
fn read(instance: &Instance, given: &[u8]) -> Option<usize> {
    let mut handle = 0;
    instance.messages();
    let array: Array<u8> = given.to_vec().into();
    let status = instance.deserialize_fmu_state(&array, given.len(), Some(&mut handle));
    let messages = instance.messages();
    if status != OK {
        assert_eq!((status, handle), (ERROR, 0));
        let reason = "fmi2DeSerializeFMUstate: the serialised FMU state is rejected: ";
        assert!(messages.iter().any(|message| message.text.starts_with(reason)), "{messages:?}");
        return None;
    }
    assert!(given.starts_with(&bytes_of(instance, handle)), "other bytes than were given");
    Some(handle)
}

/// The further calls of an importer: their statuses and the bits of all values.
fn go_on(instance: &Instance) -> Vec<u64> {
    let mut trace = Vec::new();
    let variables = &instance.prepared.description.variables;
    let reals: Vec<u32> = variables
        .iter()
        .filter(|it| matches!(it.kind, fmu_builder::description::VariableType::Real { .. }))
        .map(|it| it.value_reference)
        .collect();
    let (reals, count) = (Array::from(reals.clone()), reals.len());
    let mut look = |status: i32| {
        let mut values = Array::filled(f64::NAN, count);
        trace.push(status as u64);
        trace.push(instance.get_real(&reals, count, &mut values) as u64);
        trace.extend(values.slice().iter().map(|value| value.to_bits()));
    };
    look(OK);
    // Which of these are legal shows the state of the instance.
    let mut time = 0.25;
    let got = instance.get_real_status(2, Some(&mut time));
    look(got);
    for _ in 0..3 {
        look(if got == OK { instance.do_step(time, 0.125, true) } else { got });
        time += 0.125;
    }
    let again = serialized(instance);
    for step in [
        &|| instance.enter_initialization_mode(),
        &|| instance.exit_initialization_mode(),
        &|| events(instance),
        &|| instance.enter_continuous_time_mode(),
        &|| instance.completed_integrator_step(true, Some(&mut 0), Some(&mut 0)),
        &|| instance.do_step(time, 0.125, true),
        &|| instance.terminate(),
    ] as [&dyn Fn() -> i32; 7]
    {
        // Each starts from the state, which an error must not change.
        let mut handle = 0;
        let array: Array<u8> = again.clone().into();
        if instance.deserialize_fmu_state(&array, again.len(), Some(&mut handle)) == OK {
            assert_eq!(instance.set_fmu_state(handle), OK);
            look(step());
            assert_eq!(instance.free_fmu_state(Some(&mut handle)), OK);
        }
    }
    for message in instance.messages() {
        let told = instance.prepared.panics && message.text.contains("trouble is panic");
        assert!(told || !message.text.contains("internal error"), "{message:?}");
    }
    trace
}
