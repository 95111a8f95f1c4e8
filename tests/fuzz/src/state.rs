//! Serialised FMU states: rejected, or serialised to the same bytes, and two instances continue identically.

use fmu_builder::Standard;
use fmu_builder::description::Causality;
use fmu_runtime::reference;
use sha2::{Digest, Sha256};

use crate::bytes::Bytes;
use crate::components::prepared;
use crate::instance::{Answers, Array, ERROR, Experiment, Instance, Kind, OK};
use crate::variables::Base;

/// Range of the digest, behind magic and version and before the body.
const DIGEST: std::ops::Range<usize> = 9..25;

/// Uses bytes as a serialised state, or as changes of a valid one.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    let code = bytes.byte();
    let prepared = prepared(code.into());
    let how = bytes.byte();
    let events = [how & 8 != 0; 2];
    let kind = Kind { co_simulation: code & 64 == 0, events, ..Kind::from(code) };
    let donor = Instance::new(prepared, kind, true);
    bring(&donor, how >> 4);
    let good = serialized(&donor);
    let mut given = match how & 3 {
        // Any bytes are used as a state.
        0 => bytes.0.to_vec(),
        // The bytes are the body behind a valid header.
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
    let receivers = [Instance::new(prepared, kind, true), donor];
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

/// Brings an instance into one of the states of the life cycle.
fn bring(instance: &Instance, far: u8) {
    let Kind { standard, co_simulation, events } = instance.kind;
    let is_2 = standard == Standard::Fmi2;
    let steps: [&dyn Fn() -> i32; 7] = [
        &|| if is_2 { instance.setup_experiment(Experiment::ORDINARY) } else { more_rows(instance) },
        &|| instance.enter_initialization_mode(Experiment::ORDINARY),
        &|| instance.exit_initialization_mode(),
        &|| match co_simulation {
            true if !is_2 && events[0] => instance.enter_step_mode(),
            true => instance.do_step(0.25, 0.5, true, &mut Answers::without(None)),
            false => events_of(instance),
        },
        &|| match co_simulation {
            true if is_2 => derivatives(instance),
            true => instance.do_step(time(instance), 0.5, true, &mut Answers::without(None)),
            false => instance.enter_continuous_time_mode(),
        },
        &|| instance.terminate(),
        &|| instance.get_real(&vec![u32::MAX].into(), 1, &mut Array::filled(0.0, 1), 1),
    ];
    for step in &steps[..usize::from(far) % (steps.len() + 1)] {
        step();
    }
}

fn events_of(instance: &Instance) -> i32 {
    instance.new_discrete_states(&mut Answers::without(None))
}

/// Adds a row to each table.
fn more_rows(instance: &Instance) -> i32 {
    let (references, count) = all(instance, Base::Rows);
    let counts: Vec<_> = rows(instance).iter().map(|rows| rows + 1).collect();
    if count > 0 {
        assert_eq!(instance.enter_configuration_mode(), OK);
        assert_eq!(instance.set_rows(&references, count, &counts.into(), count), OK);
        assert_eq!(instance.exit_configuration_mode(), OK);
    }
    OK
}

/// Returns the value references of all variables of a type.
fn all(instance: &Instance, base: Base) -> (Array<u32>, usize) {
    let references: Vec<_> = instance.variables().of[base as usize].iter().map(|it| it.reference).collect();
    let count = references.len();
    (references.into(), count)
}

/// Returns the numbers of rows of the tables, which FMI 2.0 does not have.
fn rows(instance: &Instance) -> Vec<u64> {
    let (references, count) = all(instance, Base::Rows);
    let mut counts = Array::filled(u64::MAX, count);
    if count > 0 {
        assert_eq!(instance.get_rows(&references, count, &mut counts, count), OK);
    }
    counts.slice().to_vec()
}

/// Returns the time of an instance of FMI 3.0.
fn time(instance: &Instance) -> f64 {
    let mut time = Array::filled(f64::NAN, 1);
    instance.get_real(&vec![reference::TIME].into(), 1, &mut time, 1);
    time.slice()[0]
}

/// Sets derivatives of the first input.
fn derivatives(instance: &Instance) -> i32 {
    let inputs = &instance.variables().of[Base::Real as usize];
    let input = inputs.iter().find(|it| it.causality == Causality::Input);
    let reference = input.map_or(0, |variable| variable.reference);
    instance.set_real_input_derivatives(&vec![reference; 2].into(), 2, &vec![1, 2].into(), &vec![0.5, 0.25].into())
}

fn serialized(instance: &Instance) -> Vec<u8> {
    let mut handle = 0;
    assert_eq!(instance.get_fmu_state(Some(&mut handle)), OK);
    let bytes = instance.bytes_of(handle);
    assert_eq!(instance.free_fmu_state(Some(&mut handle)), OK);
    bytes
}

fn change(given: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    let (kind, position) = (bytes.byte(), usize::from(bytes.word()) % given.len().max(1));
    match kind % 6 {
        0 => given[position..].iter_mut().take(1).for_each(|byte| *byte = bytes.byte()),
        // A Real is written at any offset.
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
        let function = if instance.kind.standard == Standard::Fmi2 {
            "fmi2DeSerializeFMUstate"
        } else {
            "fmi3DeserializeFMUState"
        };
        let reason = format!("{function}: the serialised FMU state is rejected: ");
        assert!(messages.iter().any(|message| message.text.starts_with(&reason)), "{messages:?}");
        return None;
    }
    assert!(given.starts_with(&instance.bytes_of(handle)), "other bytes than were given");
    Some(handle)
}

/// Makes the further calls of an importer; returns their statuses and the bits of all values.
fn go_on(instance: &Instance) -> Vec<u64> {
    let mut trace = Vec::new();
    let (reals, count) = all(instance, Base::Real);
    let mut look = |status: i32| {
        let rows = rows(instance);
        let size = instance.variables().of[Base::Real as usize].iter().map(|it| it.width(&rows)).sum();
        let mut values = Array::filled(f64::NAN, size);
        trace.push(status as u64);
        trace.push(instance.get_real(&reals, count, &mut values, size) as u64);
        trace.extend(values.slice().iter().map(|value| value.to_bits()));
    };
    look(OK);
    // The state of the instance shows which of these calls are legal.
    let is_2 = instance.kind.standard == Standard::Fmi2;
    let mut time = if is_2 { 0.25 } else { time(instance) };
    let got = if is_2 { instance.get_real_status(2, Some(&mut time)) } else { OK };
    look(got);
    for _ in 0..3 {
        let mut answers = Answers::without(None);
        look(if got == OK { instance.do_step(time, 0.125, true, &mut answers) } else { got });
        time = if is_2 { time + 0.125 } else { answers.time };
    }
    let again = serialized(instance);
    for step in [
        &|| instance.enter_initialization_mode(Experiment::ORDINARY),
        &|| instance.exit_initialization_mode(),
        &|| events_of(instance),
        &|| instance.enter_continuous_time_mode(),
        &|| instance.completed_integrator_step(true, [false; 2], &mut [0; 2]),
        &|| instance.do_step(time, 0.125, true, &mut Answers::without(None)),
        &|| instance.terminate(),
        &|| instance.enter_event_mode(),
        &|| if is_2 { OK } else { instance.enter_step_mode() },
    ] as [&dyn Fn() -> i32; 9]
    {
        // Each change starts from the state, which an error must not change.
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
