//! Errors and their messages.

use fmu_tests::api::Status;

use crate::fixture::{Instance, brake, clutch, set};

/// Returns the message with which initialisation fails.
fn refused(instance: &Instance<'_>, settings: &[(&str, &[f64])]) -> String {
    for (name, values) in settings {
        assert_eq!(instance.set(name, values), Status::Ok, "{:?}", instance.fmi.messages());
    }
    instance.fmi.setup_experiment(None, 0.0, None);
    instance.fmi.enter_initialization_mode();
    assert_eq!(instance.fmi.exit_initialization_mode(), Status::Error);
    instance.last_message().text
}

#[track_caller]
fn assert_says(message: &str, words: &str) {
    assert!(message.contains(words), "{message}");
}

#[test]
fn a_table_that_is_out_of_order() {
    let fmu = clutch(&["mue_pos=[[0.0,0.5],[1.0,0.4],[2.0,0.3]]"]);
    let message = refused(&fmu.instance(), &[("mue_pos", &[0.0, 0.5, 1.0, 0.4, 1.0, 0.3])]);
    assert_says(&message, "mue_pos[3,1] is 1.0, but must be greater than the one before");
    let fmu = brake(&["mue_pos=[[0.0,0.5],[1.0,0.4]]"]);
    let message = refused(&fmu.instance(), &[("mue_pos", &[2.0, 0.5, 1.0, 0.4])]);
    assert_says(&message, "mue_pos[2,1] is 1.0, but must be greater than the one before");
}

#[test]
fn negative_elements_of_the_table_are_refused() {
    let fmu = clutch(&[]);
    for (values, element) in [([-1.0, 0.5], "mue_pos[1,1]"), ([0.0, -0.5], "mue_pos[1,2]")] {
        let instance = fmu.instance();
        assert_eq!(instance.set("mue_pos", &values), Status::Discard);
        assert_says(&instance.last_message().text, &format!("\"{element}\" cannot be -"));
        assert_eq!(instance.get("mue_pos"), [0.0, 0.5]);
    }
}

#[test]
fn an_empty_table_and_other_configurations_that_cannot_be_built() {
    let wrong =
        |component, assignment: &str| crate::fixture::describe(component, &[assignment]).unwrap_err().to_string();
    for component in ["clutch", "brake"] {
        assert_says(&wrong(component, "mue_pos=[]"), "mue_pos");
        assert_says(&wrong(component, "peak=0.5"), "peak");
        assert_says(&wrong(component, "mue_pos=[[0.0,-0.5]]"), "mue_pos");
        assert_says(&wrong(component, "flange_a=velocity_in"), "torque_in, motion_in");
        assert_says(&wrong(component, "cgeo=nan"), "cgeo");
    }
}

#[test]
fn parameters_out_of_their_bounds_keep_their_values() {
    let wrong = [("peak", 0.99, 1), ("cgeo", -1.0, 0), ("fn_max", -1.0, 0), ("w_small", -2.0, 0)];
    for fmu in [clutch(&[]), brake(&[])] {
        for (name, value, bound) in wrong {
            let instance = fmu.instance();
            let before = instance.get(name);
            assert_eq!(instance.set(name, &[value]), Status::Discard);
            assert_says(&instance.last_message().text, &format!("it must be at least {bound}"));
            assert_eq!(instance.get(name), before);
        }
    }
}

/// The smallest values are those of the description: FMI has no minima that are excluded.
#[test]
fn an_inertia_stiffness_or_radius_of_0_is_refused() {
    let refuses = |fmu: crate::fixture::Fmu, name: &str| {
        let variable = fmu.description.variables.iter().find(|variable| variable.name == name).expect(name);
        assert_eq!(variable.attributes.min, Some(1e-12));
        let instance = fmu.instance();
        assert_eq!(instance.set(name, &[0.0]), Status::Discard);
        assert_says(&instance.last_message().text, &format!("\"{name}\" cannot be 0.0, it must be at least 1.0e-12"));
        assert_eq!(instance.set(name, &[1e-12]), Status::Ok);
        instance.initialise();
    };
    refuses(clutch(&[]), "J_a");
    refuses(clutch(&[]), "J_b");
    refuses(clutch(&["useSurfaces=true", "r_i=0"]), "r_o");
    refuses(brake(&[]), "J_a");
    refuses(brake(&["useSupport=true"]), "J_support");
    refuses(brake(&["flange_a=motion_in"]), "c_stuck");
    let message = crate::fixture::describe("clutch", &["J_a=0"]).unwrap_err().to_string();
    assert_says(&message, "J_a=0: must be at least 1.0e-12 kg.m2");
}

#[test]
fn a_coefficient_that_is_extrapolated_to_zero_is_warned_of_when_the_fmu_is_built() {
    let warnings = |component, assignments: &[&str]| crate::fixture::describe(component, assignments).unwrap().warnings;
    for component in ["clutch", "brake"] {
        let falling = "mue_pos=[[0.0,0.42],[5.0,0.36]]";
        assert_eq!(
            warnings(component, &[falling]),
            [
                "mue_pos falls at its end: extrapolated, the coefficient, and with it the friction torque, is 0 from 35.0 \
                 rad/s on; give rows up to the highest speed, or set extrapolation = hold"
            ]
        );
        for quiet in [
            &[falling, "extrapolation=hold"][..],
            &["mue_pos=[[0.0,0.42],[100.0,0.38]]"],
            &["mue_pos=[[0.0,0.42],[5.0,0.36],[50.0,0.37]]"],
            &["mue_pos=[[0.0,0.42],[5.0,0.0]]"],
            &["extrapolation=hold"],
        ] {
            assert_eq!(warnings(component, quiet), [""; 0], "{quiet:?}");
        }
    }
}

#[test]
fn a_coefficient_that_is_held_still_brakes_at_a_hundred_radians_per_second() {
    let torque = |extrapolation: &str| {
        let fmu = clutch(&["mue_pos=[[0.0,0.42],[5.0,0.36]]", "fn_max=100", "w_b_start=100", extrapolation]);
        let instance = fmu.instance();
        set(&instance, &[("f_normalized", 1.0)]);
        instance.initialise();
        instance.get("tau")[0]
    };
    assert_eq!(torque("extrapolation=linear"), 0.0);
    assert!((torque("extrapolation=hold") - 36.0).abs() < 1e-13);
}

#[test]
fn values_that_are_no_numbers_and_parameters_that_are_fixed() {
    let fmu = clutch(&[]);
    for name in ["f_normalized", "flange_a.tau", "peak", "w_a_start"] {
        let instance = fmu.instance();
        assert_eq!(instance.set(name, &[f64::NAN]), Status::Error);
        assert_says(&instance.last_message().text, &format!("\"{name}\" cannot be NaN"));
    }
    for name in ["w_small", "J_a", "K_locked", "mue_pos"] {
        let instance = fmu.instance();
        instance.initialise();
        instance.step(0.0, 1e-3);
        let values = instance.get(name).iter().map(|value| value + 1.0).collect::<Vec<_>>();
        assert_eq!(instance.set(name, &values), Status::Error);
        assert_says(&instance.last_message().text, "it is a fixed parameter");
    }
}

#[test]
fn derivatives_of_given_motions_belong_to_the_acceleration() {
    let fmu = clutch(&["flange_a=motion_in"]);
    for (name, derivative) in [("flange_a.phi", "flange_a.w"), ("flange_a.w", "flange_a.a")] {
        let instance = fmu.instance();
        instance.initialise();
        let expected = format!(
            "\"{name}\" changes by 1.0 per second, but its derivative, the input \"{derivative}\", is 0, and the FMU follows that: \
             connect both"
        );
        // Masters send the slopes of all continuous inputs before each step.
        for step in 0..3 {
            assert_eq!(instance.set_rates(name, &[1.0]), Status::Ok);
            instance.step(f64::from(step) * 0.1, 0.1);
            let texts: Vec<_> = instance.fmi.messages().into_iter().map(|message| message.text).collect();
            assert_eq!(
                texts.iter().filter(|text| text.contains(&expected)).count(),
                usize::from(step == 0),
                "{texts:?}"
            );
            assert_eq!(instance.get(name), [0.0]);
        }
    }
    // A whole motion is no reason for a message: the slopes say the same, or will with those of the same call.
    for given in ["flange_a.w", "flange_a.a"] {
        let instance = fmu.instance();
        set(&instance, &[(given, 1.0)]);
        instance.initialise();
        assert_eq!(instance.set_rates("flange_a.phi", &[1.0]), Status::Ok);
        assert!(instance.fmi.messages().is_empty());
    }
    let instance = fmu.instance();
    instance.initialise();
    let references = ["flange_a.phi", "flange_a.w", "flange_a.a"].map(|name| instance.references(name)[0]);
    assert_eq!(instance.fmi.set_real_input_derivatives(&references, &[1; 3], &[0.1, 1.0, 2.0]), Status::Ok);
    assert!(instance.fmi.messages().is_empty());
    let instance = fmu.instance();
    instance.initialise();
    assert_eq!(instance.set_rates("flange_a.a", &[1.0]), Status::Ok);
}

#[test]
fn warnings_come_once() {
    let fmu = brake(&["mue_pos=[[0.0,0.5],[1.0,0.25]]", "w_a_start=10"]);
    let instance = fmu.instance();
    set(&instance, &[("f_normalized", 1.5)]);
    instance.initialise();
    for i in 0..5 {
        instance.step(f64::from(i), 1.0);
    }
    let texts: Vec<String> = instance.fmi.messages().into_iter().map(|message| message.text).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert_says(&texts[0], "mue_pos falls at its end: extrapolated, the coefficient");
    assert_says(&texts[1], "f_normalized is 1.5: the normal force exceeds fn_max and is not limited");
    assert_says(&texts[2], "w_rel is 10.0 rad/s: mue_pos would be negative above 2.0 rad/s and is 0 there");
}

/// A master computes the motion of flange_b from the torque of the step before: the inertias decide whether that settles.
#[test]
fn a_master_that_lags_a_step_is_warned_of_once() {
    let chatter =
        "mode has changed in each of 10 successive steps; if the given acceleration follows from the friction torque";
    let (inside, torque, h) = (1.0, -1.0, 0.01);
    for (outside, expected) in [(0.5, 1), (0.9, 1), (0.99, 1), (1.01, 0), (1.5, 0), (4.0, 0)] {
        let fmu = clutch(&["flange_b=motion_in", &format!("J_a={inside}"), "w_a_start=2", "cgeo=1", "fn_max=20"]);
        let instance = fmu.instance();
        set(&instance, &[("f_normalized", 1.0), ("flange_a.tau", 1.0)]);
        instance.initialise();
        let (mut phi, mut w, mut modes) = (0.0, 0.0, Vec::new());
        for i in 0..60 {
            let a = (torque - instance.get("flange_b.tau")[0]) / outside;
            set(&instance, &[("flange_b.phi", phi), ("flange_b.w", w), ("flange_b.a", a)]);
            instance.step(f64::from(i) * h, h);
            (phi, w) = (phi + h * (w + 0.5 * h * a), w + h * a);
            modes.extend(instance.get("mode"));
        }
        let changes = modes.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(changes > 40, expected == 1, "{outside}: {modes:?}");
        let count = instance.fmi.messages().into_iter().filter(|message| message.text.contains(chatter)).count();
        assert_eq!(count, expected, "{outside}: {modes:?}");
    }
}

/// The acceleration at the beginning of a step may follow from the friction torque of sliding; then the other mode
/// would have to be tried.
#[test]
fn a_reversal_under_a_given_acceleration_is_warned_of_once() {
    let reversal = "w_rel has changed its sign within a step, under the acceleration that was given for the whole step; \
                    if that depends on the friction torque, let this component contain the inertia (torque_in), or use \
                    Model Exchange";
    let warned = |fmu: crate::fixture::Fmu, torque: &str, speed: &[(&str, f64)]| {
        let instance = fmu.instance();
        set(&instance, &[("f_normalized", 1.0), (torque, -30.0)]);
        set(&instance, speed);
        instance.initialise();
        for i in 0..3 {
            instance.step(f64::from(i), 1.0);
        }
        assert_eq!(instance.get("mode"), [-1.0]);
        instance.fmi.messages().into_iter().filter(|message| message.text.contains(reversal)).count()
    };
    let speed = [("w_b_start", 5.0)];
    assert_eq!(warned(clutch(&["flange_a=motion_in"]), "flange_b.tau", &speed), 1);
    assert_eq!(warned(clutch(&[]), "flange_b.tau", &speed), 0);
    let speed = [("w_a_start", 5.0)];
    assert_eq!(warned(brake(&["useSupport=true", "support=motion_in"]), "flange_a.tau", &speed), 1);
    // The world at rest has no dependencies.
    assert_eq!(warned(brake(&[]), "flange_a.tau", &speed), 0);
}
