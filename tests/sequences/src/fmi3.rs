//! What FMI 3.0 has and FMI 2.0 has not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use c_interface::{
    CInstance, CO_SIMULATION, FmuState, Setup, Standard, Status, Update, at_updates, at_updates_no_more,
};

use crate::co_simulation::{do_step, set_inputs};
use crate::fmu::{Chosen, Fmu, Kind, Variable};
use crate::model_exchange::iterate;
use crate::two_instances::{H, Play, begin};

fn outputs(fmu: &Fmu) -> Chosen {
    fmu.references(|variable| variable.is_real("output") && variable.is_continuous())
}

/// The phase; there is nothing to do for an FMU of FMI 2.0.
pub fn phase(play: &mut Play<'_>) {
    if play.fmu.standard == Standard::Fmi3 {
        // The search takes longer than all the rest where there are many inputs.
        if play.inputs.len() <= 5 {
            dependencies(play);
        }
        event_mode(play);
        updates(play);
        other_rows(play);
    }
}

/// What outputs depend on: elements of variables that exist.
fn dependencies(play: &mut Play<'_>) {
    let sizes: BTreeMap<_, _> = play.fmu.variables.iter().map(|variable| (variable.reference, variable.size)).collect();
    for output in outputs(play.fmu).iter() {
        let (status, found) = play.co_simulation.dependencies(*output);
        assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, play.co_simulation.messages());
        for one in &found {
            // Elements are counted from 1; 0 stands for all.
            let is_there = one.element <= sizes[output] && one.independent_element <= sizes[&one.independent];
            assert!(is_there, "{}: {one:?}", play.fmu.name);
        }
        play.note(found);
    }
}

/// Steps that end at events, which the importer handles.
fn event_mode(play: &mut Play<'_>) {
    let setup = Setup { event_mode: true, early_return: true, ..Setup::new(CO_SIMULATION, "") };
    let fmi = play.fmu.instantiate_with(setup);
    begin(&fmi);
    leave_event_mode(&fmi);
    let switches = play.fmu.references(|variable| variable.kind == Kind::Boolean && variable.causality == "input");
    let (mut events, mut time) = (0, 0.0);
    for step in 0..10 {
        if step % 5 == 4 {
            assert_eq!(fmi.enter_event_mode(), Status::Ok);
            assert_eq!(fmi.set_boolean(&switches, &vec![1; switches.len()]), Status::Ok);
            leave_event_mode(&fmi);
        }
        let (references, values) = play.motion(Variable::is_continuous, step);
        assert_eq!(fmi.set_real(&references, &values), Status::Ok, "{:?}", fmi.messages());
        // Long enough for the sample's time events.
        let end = f64::from(step + 1) * 100.0 * H;
        while time < end {
            let (status, found) = fmi.do_step_to_event(time, end - time);
            assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, fmi.messages());
            assert!(found.time > time && found.terminate == 0, "{}: {found:?}", play.fmu.name);
            time = if found.early == 0 { end } else { found.time };
            if found.event != 0 {
                events += 1;
                assert!(events < 100, "{}: events do not end", play.fmu.name);
                assert_eq!(fmi.enter_event_mode(), Status::Ok);
                leave_event_mode(&fmi);
            }
        }
        let snapshot = play.snapshot(&fmi);
        play.note(snapshot);
    }
    play.note(events);
}

fn leave_event_mode(fmi: &CInstance) {
    iterate(fmi);
    assert_eq!(fmi.enter_step_mode(), Status::Ok);
}

/// Steps inside which the importer is called, gets outputs, sets inputs and sometimes asks for an early return.
fn updates(play: &mut Play<'_>) {
    let read = outputs(play.fmu);
    let setup = Setup { early_return: true, updates: Some(&read), ..Setup::new(CO_SIMULATION, "") };
    let fmi = Rc::new(play.fmu.instantiate_with(setup));
    begin(&fmi);
    // The values of each update.
    let found: Rc<RefCell<Vec<Vec<f64>>>> = Rc::default();
    let (inputs, values) = play.motion(Variable::is_continuous, 1);
    at_updates({
        let (fmi, found) = (fmi.clone(), found.clone());
        move |update: &Update| {
            let (status, values_now) = fmi.get_real(&read);
            assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
            let mut found = found.borrow_mut();
            found.push([[update.time].as_slice(), &values_now].concat());
            if update.takes_inputs {
                assert_eq!(fmi.set_real(&inputs, &values), Status::Ok, "{:?}", fmi.messages());
            }
            (update.can_return_early && found.len() % 10 == 3).then_some(update.time)
        }
    });
    let (mut time, mut returned) = (0.0, 0);
    for _ in 0..5 {
        let (status, end) = fmi.do_step_to_event(time, H);
        assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, fmi.messages());
        time = end.time;
        returned += usize::from(end.early);
    }
    at_updates_no_more();
    let found = found.take();
    assert!(!found.is_empty() && (1..5).contains(&returned), "{}: {returned} early returns", play.fmu.name);
    play.note_reals((Status::Ok, found.concat()));
}

/// Tables with more rows than were configured, until a reset, and with as many again during the simulation.
fn other_rows(play: &mut Play<'_>) {
    let counts = play.fmu.references(|variable| variable.kind == Kind::RowCount);
    if counts.is_empty() {
        return;
    }
    let fmi = play.fmu.instantiate_with(Setup::new(CO_SIMULATION, ""));
    let (status, configured) = fmi.get_row_counts(&counts);
    assert_eq!(status, Status::Ok);
    let more: Vec<_> = configured.iter().map(|count| count + 2).collect();
    assert_eq!(fmi.enter_configuration_mode(), Status::Ok);
    assert_eq!(fmi.set_row_counts(&counts, &more), Status::Ok, "{:?}", fmi.messages());
    assert_eq!(fmi.exit_configuration_mode(), Status::Ok);
    for table in play.fmu.variables.iter().filter(|variable| variable.row_count.is_some()) {
        let number = counts.iter().position(|count| Some(*count) == table.row_count).expect("a row count");
        let columns = table.size / configured[number] as usize;
        let mut values = vec![f64::NAN; columns * more[number] as usize];
        assert_eq!(fmi.get_real_into(&[table.reference], &mut values), Status::Ok, "{:?}", fmi.messages());
        // New rows repeat the last one; the abscissa is in the first column.
        for (number, abscissa) in values[table.size..].iter_mut().step_by(columns).enumerate() {
            *abscissa += 1.0 + number as f64;
        }
        assert_eq!(fmi.set_real(&[table.reference], &values), Status::Ok, "{:?}", fmi.messages());
        play.note_reals((Status::Ok, values));
    }
    begin(&fmi);
    let mut state = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut state), Status::Ok);
    let run = || {
        for step in 0..3 {
            set_inputs(play, &fmi, step);
            do_step(play, &fmi, step);
        }
        fmi.get_real(&outputs(play.fmu))
    };
    let straight = run();
    // The state brings its rows with it.
    assert_eq!(fmi.reset(), Status::Ok);
    assert_eq!(fmi.get_row_counts(&counts).1, configured);
    assert_eq!(fmi.set_state(state), Status::Ok);
    assert_eq!(fmi.get_row_counts(&counts).1, more);
    assert_eq!(run(), straight, "{}: another way with more rows", play.fmu.name);
    assert_eq!(fmi.enter_configuration_mode(), Status::Ok);
    assert_eq!(fmi.set_row_counts(&counts, &configured), Status::Ok, "{:?}", fmi.messages());
    assert_eq!(fmi.exit_configuration_mode(), Status::Ok);
    do_step(play, &fmi, 3);
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    play.note_reals(straight);
}
