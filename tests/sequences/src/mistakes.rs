//! Errors of importers, and a component that fails: the instance reports it and can be reset.

use c_interface::{CInstance, CO_SIMULATION, FmuState, Setup, Standard, Status};

use crate::fmu::{Kind, Variable};
use crate::two_instances::{H, Play, begin};

/// An instance in the state "error" is reset and starts again.
fn recover(fmi: &CInstance) {
    assert_eq!(fmi.reset(), Status::Ok);
    begin(fmi);
}

/// Calls in the wrong state and with wrong arguments; refused instances.
pub fn refused_calls(play: &mut Play<'_>) {
    let fmu = play.fmu;
    for guid in [None, Some(b"{no such FMU}".as_slice())] {
        let said = fmu.try_instantiate(Setup { guid, ..Setup::new(CO_SIMULATION, "") });
        assert!(said.is_err_and(|messages| !messages.is_empty()), "{}: an instance without its GUID", fmu.name);
    }
    let fmi = &play.co_simulation;
    let absurd = u32::MAX;
    let both: &[&dyn Fn() -> Status] = &[
        &|| fmi.enter_initialization_mode(),
        &|| fmi.new_discrete_states().0,
        &|| fmi.do_step(-1.0, H),
        &|| fmi.do_step(f64::NAN, f64::NAN),
        &|| fmi.get_real(&[absurd]).0,
        &|| fmi.get_integer(&[absurd]).0,
        &|| fmi.get_boolean(&[absurd]).0,
        &|| fmi.get_c_strings(&[absurd]).0,
        &|| fmi.set_real(&[absurd], &[0.0]),
        &|| fmi.set_string(&[absurd], &[Some(b"\xff\xfe")]),
        &|| fmi.directional_derivative(&[absurd], &[0], &[1.0]).0,
        &|| fmi.get_real_output_derivatives(&[absurd], &[1]).0,
    ];
    let one: &[&dyn Fn() -> Status] = match fmu.standard {
        Standard::Fmi2 => &[&|| fmi.set_real_input_derivatives(&[absurd], &[1], &[1.0])],
        Standard::Fmi3 => &[
            &|| fmi.enter_step_mode(),
            // Allowed where there are tables.
            &|| {
                fmi.enter_configuration_mode();
                fmi.enter_configuration_mode()
            },
            &|| fmi.exit_configuration_mode(),
            &|| fmi.get_items(&[absurd]).0,
            &|| fmi.set_items(&[absurd], &[1]),
            &|| fmi.get_row_counts(&[absurd]).0,
            &|| fmi.set_row_counts(&[absurd], &[1]),
            &|| fmi.adjoint_derivative(&[absurd], &[0], &[1.0]).0,
            &|| fmi.dependencies(absurd).0,
            // More and fewer values than the variables have.
            &|| fmi.get_real_into(&[], &mut [0.0; 3]),
            &|| fmi.get_real_into(&fmu.references(|variable| variable.kind == Kind::Real), &mut [0.0]),
            &|| fmi.set_real(&[], &[0.0; 3]),
            &|| fmi.set_integer(&[], &[1]),
        ],
    };
    for (number, mistake) in both.iter().chain(one).enumerate() {
        assert_eq!(mistake(), Status::Error, "{}: mistake {number}", fmu.name);
        recover(fmi);
    }
    // NaN, and a parameter out of its bounds.
    if let Some((input, _)) = play.inputs.first() {
        assert_eq!(fmi.set_real(&[input.reference], &vec![f64::NAN; input.size]), Status::Error);
        recover(fmi);
    }
    let bounded = |variable: &&Variable| variable.is_real("parameter") && variable.min.is_some();
    if let Some(parameter) = fmu.variables.iter().find(bounded) {
        assert_eq!(fmi.reset(), Status::Ok);
        let below = parameter.min.expect("a bound") - 1.0;
        assert_eq!(fmi.set_real(&[parameter.reference], &vec![below; parameter.size]), Status::Discard);
        begin(fmi);
    }
    play.note_messages();
}

/// Bytes of states that are cut, damaged and random.
pub fn damaged_states(play: &mut Play<'_>) {
    let fmi = &play.co_simulation;
    let mut state = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut state), Status::Ok);
    let mut bytes = vec![0; fmi.serialized_size(state).1];
    assert_eq!(fmi.serialize(state, &mut bytes), Status::Ok);
    let mut statuses = Vec::new();
    for length in (0..bytes.len()).step_by(1 + bytes.len() / 16) {
        statuses.push(try_bytes(fmi, &bytes[..length]));
    }
    for place in (0..bytes.len()).step_by(1 + bytes.len() / 16) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x55;
        statuses.push(try_bytes(fmi, &damaged));
    }
    statuses.push(try_bytes(fmi, &[0xff; 300]));
    assert!(statuses.iter().all(|status| *status == Status::Error), "{}: damaged states are taken", play.fmu.name);
    assert_eq!(fmi.set_state(state), Status::Ok);
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    play.note(statuses.iter().map(|status| *status as u8).collect::<Vec<_>>());
    play.note_messages();
}

/// Deserialises invalid bytes.
fn try_bytes(fmi: &CInstance, bytes: &[u8]) -> Status {
    let mut state = FmuState::NULL;
    let status = fmi.deserialize(bytes, &mut state);
    recover(fmi);
    status
}

/// NULL for each pointer of each function.
pub fn nulls(play: &mut Play<'_>) {
    play.fmu.api.free_null();
    for function in play.fmu.standard.status_functions() {
        for count in [0, 1] {
            for fmi in [&play.co_simulation, &play.model_exchange] {
                play.fmu.api.call_with_nulls(function, Some(fmi), count);
                recover(fmi);
            }
        }
        assert_eq!(play.fmu.api.call_with_nulls(function, None, 1), Status::Error, "{function}");
    }
    play.note_messages();
}

/// A component that panics ends its instance only; the sample does so on request.
pub fn trouble(play: &mut Play<'_>) {
    let reference = |name| play.fmu.references(|variable: &Variable| variable.name == name);
    let ([trouble], [since]) = (&reference("trouble")[..], &reference("since")[..]) else { return };
    let fmi = &play.co_simulation;
    for kind in 2..=4 {
        assert_eq!(fmi.reset(), Status::Ok);
        assert_eq!(fmi.set_items(&[*trouble], &[kind]), Status::Ok);
        assert_eq!(fmi.set_real(&[*since], &[2.0 * H]), Status::Ok);
        begin(fmi);
        let statuses: Vec<_> = (0..3).map(|step| fmi.do_step(f64::from(step) * H, H)).collect();
        assert!(statuses.iter().any(|status| *status != Status::Ok), "trouble {kind} is none");
        recover(&play.model_exchange);
    }
    recover(fmi);
    play.note_messages();
}
