//! Model Exchange: an integration by Euler's method with all events.

use c_interface::{EventInfo, FmuState, Slave, Status, Variables};

use crate::fmu::{Kind, Variable};
use crate::play::{H, Play};

/// Integrates a while; inputs change continuously, switches at events.
pub fn integrate(play: &mut Play<'_>) {
    let slave = &play.model_exchange;
    let switches = play.fmu.references(|variable| variable.kind == Kind::Boolean && variable.causality == "input");
    let count = play.fmu.states;
    let mut found = Vec::new();
    let mut info = iterate(slave);
    assert_eq!(slave.enter_continuous_time_mode(), Status::Ok);
    let (_, mut before) = slave.get_event_indicators(play.fmu.indicators);
    let mut events = 0;
    for step in 1..=30 {
        let time = f64::from(step) * H;
        let (status, mut states) = slave.get_continuous_states(count);
        assert_eq!(status, Status::Ok);
        let (status, derivatives) = slave.get_derivatives(count);
        assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, slave.messages());
        assert_eq!(slave.set_time(time), Status::Ok);
        let (references, values) = play.motion(Variable::is_continuous, step);
        assert_eq!(slave.set_real(&references, &values), Status::Ok);
        // Stiff mechanisms would leave all bounds in steps of this length.
        states.iter_mut().zip(&derivatives).for_each(|(state, rate)| *state += (H * rate).clamp(-1.0, 1.0));
        assert_eq!(slave.set_continuous_states(&states), Status::Ok);
        let (status, [enter, _]) = slave.completed_integrator_step();
        assert_eq!(status, Status::Ok);
        let (status, after) = slave.get_event_indicators(play.fmu.indicators);
        assert_eq!(status, Status::Ok);
        let crossed = before.iter().zip(&after).any(|(before, after)| before * after <= 0.0);
        let due = info.next_event_time_defined != 0 && info.next_event_time <= time;
        let switched = step % 7 == 0 && !switches.is_empty();
        if enter != 0 || crossed || due || switched {
            events += 1;
            assert_eq!(slave.enter_event_mode(), Status::Ok);
            assert_eq!(slave.set_boolean(&switches, &vec![step as i32 % 2; switches.len()]), Status::Ok);
            info = iterate(slave);
            assert_eq!(slave.enter_continuous_time_mode(), Status::Ok);
        }
        before = slave.get_event_indicators(play.fmu.indicators).1;
        found.extend([states, derivatives, after].concat());
    }
    let (status, nominals) = slave.get_nominals(count);
    assert_eq!(status, Status::Ok);
    found.extend(nominals);
    play.note(events);
    play.note_reals((Status::Ok, found));
}

/// New discrete states until there are no more.
pub fn iterate(slave: &Slave) -> EventInfo {
    for _ in 0..20 {
        let (status, info) = slave.new_discrete_states();
        assert_eq!(status, Status::Ok, "{:?}", slave.messages());
        if info.new_discrete_states_needed == 0 {
            return info;
        }
    }
    panic!("events do not end")
}

/// A saved state and derivatives in continuous-time mode.
pub fn states(play: &mut Play<'_>) {
    let slave = &play.model_exchange;
    let mut state = FmuState::NULL;
    assert_eq!(slave.get_state(&mut state), Status::Ok);
    let before = play.snapshot(slave);
    assert_eq!(slave.set_time(1.0), Status::Ok);
    assert_eq!(slave.set_state(state), Status::Ok);
    assert_eq!(play.snapshot(slave), before);
    assert_eq!(slave.free_state(&mut state), Status::Ok);
    let unknowns = play.fmu.references(|variable| variable.is_real("output") && variable.is_continuous());
    let (knowns, _) = play.motion(Variable::is_continuous, 0);
    let values = slave.directional_derivative(&unknowns, &knowns, &vec![1.0; knowns.size()]);
    play.note_reals(values);
}
