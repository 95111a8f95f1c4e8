//! Steps, FMU states and derivatives in Co-Simulation.

use c_interface::{CInstance, FmuState, Standard, Status, Variables};

use crate::fmu::{Chosen, Kind, Variable};
use crate::two_instances::{H, Play};

/// Examples in which nothing moves in the first steps.
const STANDING: [&str; 4] = [
    "Example_rotational_rolling_wheel", "Example_rotational_simple_gear_shift", "Example_translational_vehicle",
    "Example_multibody_init_spring_constant",
];

/// Sets inputs, with derivatives where the standard has them, and makes a step, without reading.
pub fn step(play: &Play<'_>, fmi: &CInstance, step: u32) {
    set_inputs(play, fmi, step);
    if fmi.standard() == Standard::Fmi2 {
        // At a flange the derivative is a separate input.
        let is_given = |variable: &Variable| variable.name.ends_with(".phi") || variable.name.ends_with(".w");
        let is_free =
            |variable: &Variable| variable.is_continuous() && !variable.is_orientation() && !is_given(variable);
        let (moving, _) = play.motion(is_free, step);
        let status = fmi.set_real_input_derivatives(&moving, &vec![1; moving.len()], &vec![0.01; moving.len()]);
        assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
    }
    do_step(play, fmi, step);
}

/// Sets inputs without derivatives.
pub fn set_inputs(play: &Play<'_>, fmi: &CInstance, step: u32) {
    let (references, values) = play.motion(|_| true, step);
    assert_eq!(fmi.set_real(&references, &values), Status::Ok, "{:?}", fmi.messages());
    let switches = play.fmu.references(|variable| variable.kind == Kind::Boolean && variable.causality == "input");
    let on = i32::from((step / 5).is_multiple_of(2));
    assert_eq!(fmi.set_boolean(&switches, &vec![on; switches.len()]), Status::Ok);
}

/// Makes a step.
pub fn do_step(play: &Play<'_>, fmi: &CInstance, step: u32) {
    let point = f64::from(step) * H;
    assert_eq!(fmi.do_step(point, H), Status::Ok, "{}: {:?}", play.fmu.name, fmi.messages());
}

/// Makes steps in which tunable parameters change and all variables are read.
pub fn steps(play: &mut Play<'_>) {
    let tunable = play.fmu.references(|variable| variable.is_real("parameter") && variable.variability == "tunable");
    let outputs = play.fmu.references(|variable| variable.is_real("output") && variable.is_continuous());
    let (_, first) = play.co_simulation.get_real(&outputs);
    for _ in 0..20 {
        step(play, &play.co_simulation, play.step);
        play.step += 1;
        let snapshot = play.snapshot(&play.co_simulation);
        play.note(snapshot);
        let fmi = &play.co_simulation;
        let (_, values) = fmi.get_real(&tunable);
        let values: Vec<_> = values.iter().map(|value| value * 1.001).collect();
        assert_eq!(fmi.set_real(&tunable, &values), Status::Ok, "{:?}", fmi.messages());
        let derivatives = fmi.get_real_output_derivatives(&outputs, &vec![1; outputs.len()]);
        play.note_reals(derivatives);
        // FMI 3.0 has no such functions.
        let statuses = [play.co_simulation.get_status(1).0, play.co_simulation.get_boolean_status(3).0];
        play.note(statuses.map(|status| status as u8));
    }
    let (_, last) = play.co_simulation.get_real(&outputs);
    let stands = STANDING.contains(&play.fmu.name.as_str());
    assert!(outputs.is_empty() || stands || first != last, "{}: the steps do nothing", play.fmu.name);
}

/// Checks that steps are the same after a return to a state, in memory or as bytes.
pub fn states(play: &mut Play<'_>) {
    let first = play.step;
    let run = |play: &Play<'_>| {
        (first..first + 3).for_each(|i| step(play, &play.co_simulation, i));
        play.snapshot(&play.co_simulation)
    };
    let fmi = &play.co_simulation;
    let mut state = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut state), Status::Ok);
    let straight = run(play);
    assert_eq!(fmi.set_state(state), Status::Ok);
    assert_eq!(run(play), straight, "{}: another way after a saved state", play.fmu.name);
    let (status, size) = fmi.serialized_size(state);
    assert_eq!(status, Status::Ok);
    let mut bytes = vec![0; size];
    assert_eq!(fmi.serialize(state, &mut bytes), Status::Ok);
    // The state is also saved over the other one, which is in use.
    let mut other = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut other), Status::Ok);
    assert_eq!(fmi.get_state(&mut other), Status::Ok);
    let mut read = FmuState::NULL;
    assert_eq!(fmi.deserialize(&bytes, &mut read), Status::Ok, "{:?}", fmi.messages());
    assert_eq!(fmi.set_state(read), Status::Ok);
    assert_eq!(run(play), straight, "{}: another way after bytes", play.fmu.name);
    for state in [&mut state, &mut other, &mut read] {
        assert_eq!(fmi.free_state(state), Status::Ok);
        assert_eq!(*state, FmuState::NULL);
    }
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    play.step += 3;
    play.note((straight, bytes));
}

/// Gets directional derivatives of all outputs, one input at a time and all together, and adjoint ones in FMI 3.0.
pub fn derivatives(play: &mut Play<'_>) {
    let fmi = &play.co_simulation;
    let unknowns = play.fmu.references(|variable| variable.is_real("output") && variable.is_continuous());
    let (knowns, _) = play.motion(Variable::is_continuous, 0);
    let mut columns = Vec::new();
    for (known, _) in play.inputs.iter().filter(|(variable, _)| variable.is_continuous()) {
        for element in 0..known.size {
            let mut seeds = vec![0.0; known.size];
            seeds[element] = 1.0;
            let (status, column) = fmi.directional_derivative(&unknowns, &[known.reference], &seeds);
            assert_eq!(status, Status::Ok, "{}: {:?}", play.fmu.name, fmi.messages());
            columns.push(column);
        }
    }
    let all = fmi.directional_derivative(&unknowns, &knowns, &vec![0.5; knowns.size()]);
    let mut found = columns.concat();
    if play.fmu.standard == Standard::Fmi3 {
        found.extend(adjoint_derivatives(play, &unknowns, &knowns, &columns));
    }
    play.note_reals((Status::Ok, found));
    play.note_reals(all);
}

/// Gets adjoint derivatives, which are sums of directional ones, but for the rounding of the largest.
fn adjoint_derivatives(play: &Play<'_>, unknowns: &Chosen, knowns: &Chosen, columns: &[Vec<f64>]) -> Vec<f64> {
    let seeds: Vec<_> = (0..unknowns.size()).map(|number| 1.0 + number as f64).collect();
    let (status, values) = play.co_simulation.adjoint_derivative(unknowns, knowns, &seeds);
    assert_eq!((status, values.len()), (Status::Ok, columns.len()), "{}", play.fmu.name);
    let parts = |column: &Vec<f64>| -> Vec<f64> {
        seeds.iter().zip(column).map(|(seed, derivative)| seed * derivative).collect()
    };
    let size =
        columns.iter().map(|column| parts(column).iter().map(|part| part.abs()).sum::<f64>()).fold(0.0, f64::max);
    for (value, column) in values.iter().zip(columns) {
        let sum = parts(column).iter().sum::<f64>();
        assert!((value - sum).abs() <= 1e-12 * size, "{}: {value} instead of {sum}", play.fmu.name);
    }
    values
}
