//! Model Exchange: an integration by Euler's method with all events.

use c_interface::{CInstance, EventInfo, FmuState, Status, Variables};

use crate::fmu::{Kind, Variable};
use crate::two_instances::{H, Play};

/// Integrates a while; inputs change continuously, switches at events.
pub fn integrate(play: &mut Play<'_>) {
    let fmi = &play.model_exchange;
    let switches = play.fmu.references(|variable| variable.kind == Kind::Boolean && variable.causality == "input");
    let count = play.fmu.states;
    let mut found = Vec::new();
    let mut info = iterate(fmi);
    assert_eq!(fmi.enter_continuous_time_mode(), Status::Ok);
    let (_, mut before) = fmi.get_event_indicators(play.fmu.indicators);
    let mut events = 0;
    for step in 1..=30 {
        let time = f64::from(step) * H;
        let (status, mut states) = fmi.get_continuous_states(count);
        assert_eq!(status, Status::Ok);
        let (status, derivatives) = fmi.get_derivatives(count);
        assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, fmi.messages());
        assert_eq!(fmi.set_time(time), Status::Ok);
        let (references, values) = play.motion(Variable::is_continuous, step);
        assert_eq!(fmi.set_real(&references, &values), Status::Ok);
        // Stiff mechanisms would leave all bounds in steps of this length.
        states.iter_mut().zip(&derivatives).for_each(|(state, rate)| *state += (H * rate).clamp(-1.0, 1.0));
        assert_eq!(fmi.set_continuous_states(&states), Status::Ok);
        let (status, [enter, _]) = fmi.completed_integrator_step();
        assert_eq!(status, Status::Ok);
        let (status, after) = fmi.get_event_indicators(play.fmu.indicators);
        assert_eq!(status, Status::Ok);
        let crossed = before.iter().zip(&after).any(|(before, after)| before * after <= 0.0);
        let due = info.next_event_time_defined != 0 && info.next_event_time <= time;
        let switched = step % 7 == 0 && !switches.is_empty();
        if enter != 0 || crossed || due || switched {
            events += 1;
            assert_eq!(fmi.enter_event_mode(), Status::Ok);
            assert_eq!(fmi.set_boolean(&switches, &vec![step as i32 % 2; switches.len()]), Status::Ok);
            info = iterate(fmi);
            assert_eq!(fmi.enter_continuous_time_mode(), Status::Ok);
        }
        before = fmi.get_event_indicators(play.fmu.indicators).1;
        found.extend([states, derivatives, after].concat());
    }
    let (status, nominals) = fmi.get_nominals(count);
    assert_eq!(status, Status::Ok);
    found.extend(nominals);
    play.note(events);
    play.note_reals((Status::Ok, found));
}

/// New discrete states until there are no more.
pub fn iterate(fmi: &CInstance) -> EventInfo {
    for _ in 0..20 {
        let (status, info) = fmi.new_discrete_states();
        assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
        if info.new_discrete_states_needed == 0 {
            return info;
        }
    }
    panic!("events do not end")
}

/// A saved state and derivatives in continuous-time mode.
pub fn states(play: &mut Play<'_>) {
    let fmi = &play.model_exchange;
    let mut state = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut state), Status::Ok);
    let before = play.snapshot(fmi);
    assert_eq!(fmi.set_time(1.0), Status::Ok);
    assert_eq!(fmi.set_state(state), Status::Ok);
    assert_eq!(play.snapshot(fmi), before);
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    let unknowns = play.fmu.references(|variable| variable.is_real("output") && variable.is_continuous());
    let (knowns, _) = play.motion(Variable::is_continuous, 0);
    let values = fmi.directional_derivative(&unknowns, &knowns, &vec![1.0; knowns.size()]);
    play.note_reals(values);
}
