//! Directional derivatives against central differences, in each mode of each form.

use std::collections::BTreeSet;

use fmu_builder::description::{Causality, Description};
use fmu_tests::api::Status;

use crate::fixture::{Fmu, Instance, brake, clutch, set};

struct Case {
    fmu: Fmu,
    states: usize,
    inputs: Vec<(&'static str, f64)>,
}

const TABLE: &str = "mue_pos=[[0.0,0.5],[1.0,0.3],[4.0,0.6]]";

fn cases() -> Vec<Case> {
    let case = |fmu, states, inputs: &[(&'static str, f64)]| Case { fmu, states, inputs: inputs.to_vec() };
    let torques = [("flange_a.tau", 0.3), ("flange_b.tau", -0.7)];
    let given_a = [("flange_a.phi", 0.1), ("flange_a.w", 0.4), ("flange_a.a", 0.2)];
    let given_b = [("flange_b.phi", 0.3), ("flange_b.w", 2.4), ("flange_b.a", -0.6)];
    vec![
        case(clutch(&["fn_max=10", "J_b=0.6", TABLE]), 4, &torques),
        case(clutch(&["fn_max=10", TABLE, "flange_a=motion_in"]), 2, &[&given_a[..], &torques[1..]].concat()),
        case(clutch(&["fn_max=10", TABLE, "flange_b=motion_in"]), 2, &[&given_b[..], &torques[..1]].concat()),
        case(
            clutch(&["fn_max=10", TABLE, "flange_a=motion_in", "flange_b=motion_in"]),
            0,
            &[&given_a[..], &given_b[..]].concat(),
        ),
        case(brake(&["fn_max=10", TABLE, "useHeatPort=true"]), 2, &torques),
        case(
            brake(&["fn_max=10", TABLE, "useSupport=true", "J_support=3"]),
            4,
            &[&torques[..], &[("support.tau", 0.2)]].concat(),
        ),
    ]
}

/// Reaches the mode by inputs and states, and leaves the instance in continuous-time mode.
fn bring(case: &Case, instance: &Instance<'_>, w_rel: f64, f: f64) {
    instance.initialise();
    set(instance, &[("f_normalized", f)]);
    set(instance, &case.inputs);
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let states: &[f64] = match case.states {
        4 => &[0.2, 0.5, 0.1, w_rel],
        2 => &[0.1, w_rel],
        _ => &[],
    };
    assert_eq!(instance.fmi.set_continuous_states(states), Status::Ok);
    if case.states == 0 {
        let w_a = case.inputs[1].1;
        set(instance, &[("flange_b.w", w_a + w_rel), ("flange_b.phi", case.inputs[0].1 + 1e-6)]);
    }
    assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
}

#[test]
fn derivatives_are_those_of_differences_in_each_mode_of_each_form() {
    for case in cases() {
        for (mode, w_rel, f) in [(1.0, 2.0, 0.8), (-1.0, -1.7, 0.8), (0.0, 0.0, 0.8), (2.0, 0.9, 0.0)] {
            let instance = case.fmu.model_exchange();
            bring(&case, &instance, w_rel, f);
            assert_eq!(instance.get("mode"), [mode]);
            compare(&case, &instance);
        }
    }
}

fn compare(case: &Case, instance: &Instance<'_>) {
    let variables = &case.fmu.description.variables;
    let of = |causality| {
        let wanted = variables.iter().filter(move |variable| variable.is_real() && variable.causality == causality);
        wanted.map(|variable| variable.value_reference).collect::<Vec<u32>>()
    };
    let outputs = of(Causality::Output);
    let mut knowns = of(Causality::Input);
    let state_names: &[&str] = match case.states {
        4 => &["flange_a.phi", "flange_a.w", "phi_rel", "w_rel"],
        2 => &["phi_rel", "w_rel"],
        _ => &[],
    };
    let states: Vec<u32> = state_names.iter().map(|name| instance.references(name)[0]).collect();
    knowns.extend(&states);
    let (_, start) = instance.fmi.get_continuous_states(case.states);
    let h = 1e-6;
    for known in knowns {
        let state = states.iter().position(|state| *state == known);
        let (_, value) = instance.fmi.get_real(&[known]);
        let at = |value: f64| {
            match state {
                Some(state) => {
                    let mut moved = start.clone();
                    moved[state] = value;
                    instance.fmi.set_continuous_states(&moved)
                }
                None => instance.fmi.set_real(&[known], &[value]),
            };
            instance.fmi.get_real(&outputs).1
        };
        let (above, below) = (at(value[0] + h), at(value[0] - h));
        at(value[0]);
        let (status, exact) = instance.fmi.directional_derivative(&outputs, &[known], &[1.0]);
        assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
        for (i, exact) in exact.iter().enumerate() {
            let difference = (above[i] - below[i]) / (2.0 * h);
            let size = 1.0 + exact.abs();
            assert!(
                (exact - difference).abs() < 1e-6 * size,
                "known {known}, output {}: {exact} {difference}",
                outputs[i]
            );
        }
    }
}

/// Returns the dependencies of `tau`.
fn knowns(description: &Description) -> BTreeSet<String> {
    let name = |index: usize| description.variables[index].name.clone();
    let tau = description.model_structure.outputs.iter().find(|unknown| name(unknown.index) == "tau").unwrap();
    tau.dependencies.as_ref().unwrap().iter().map(|index| name(*index)).collect()
}

/// An importer may give the table other elements, and its steep rows may be far from any random point.
#[test]
fn ms4_what_the_torque_depends_on_does_not_follow_the_rows() {
    for (form, speed) in [(&[][..], "w_rel"), (&["flange_a=motion_in"], "w_rel"), (&GIVEN, "flange_b.w")] {
        let knowns = |table: &str| knowns(&clutch(&[form, &[table]].concat()).description);
        for table in ["mue_pos=[[0,0.3],[1,0.3]]", "mue_pos=[[0,0],[1e-9,0.5],[100,0.5]]"] {
            assert!(knowns(table).contains(speed), "{table}: {:?}", knowns(table));
        }
        // A table of one row is one number.
        let constant = knowns("mue_pos=[[0,0]]");
        assert!(constant.contains("f_normalized") && (form == GIVEN || !constant.contains(speed)), "{constant:?}");
    }
}

const GIVEN: [&str; 2] = ["flange_a=motion_in", "flange_b=motion_in"];
