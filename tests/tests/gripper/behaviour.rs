//! Rejected inputs, and features of the runtime during a ramp.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, describe};

const STRETCHED: [f64; 9] = [1.5, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.5];

/// Returns rates that reverse a rotation of 0.3 rad about z so fast that the matrix in between is not a rotation.
fn collapsing() -> ([f64; 9], [f64; 9]) {
    let (s, c) = 0.3_f64.sin_cos();
    let from = [c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0];
    let to = [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0];
    (from, std::array::from_fn(|i| to[i] - from[i]))
}

#[test]
fn a_pose_that_is_no_rotation_cannot_be_captured() {
    let fmu = Fmu::new("gripper", &["useInPlace=true"]);
    let instance = fmu.instance();
    assert_eq!(instance.set("frame_b.R.T", &STRETCHED), Status::Ok);
    assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.fmi.exit_initialization_mode(), Status::Error);
    let text = instance.last_message().text;
    assert!(text.contains("fmi2ExitInitializationMode: frame_b.R.T is not a rotation matrix"), "{text}");
    assert!(text.contains("up to 0.001 is corrected"), "{text}");
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.initialise();
}

/// The ends of the step are rotations; where the gripper is switched on between them there is none.
#[test]
fn the_pose_at_switching_on_inside_a_step_must_be_a_rotation() {
    let fmu = Fmu::new("gripper", &["useInPlace=true", "T=0.5"]);
    let (from, rates) = collapsing();
    let instance = fmu.instance();
    instance.set("active", &[1.0]);
    instance.initialise();
    instance.set("active", &[0.0]);
    instance.step(0.0, 0.25);
    // The ramp down ends in the middle of this step.
    instance.set("active", &[1.0]);
    instance.set("frame_b.R.T", &from);
    let slower: Vec<f64> = rates.iter().map(|rate| 2.0 * rate).collect();
    assert_eq!(instance.set_rates("frame_b.R.T", &slower), Status::Ok);
    assert_eq!(instance.fmi.do_step(0.25, 0.5), Status::Error);
    let text = instance.last_message().text;
    assert!(text.contains("fmi2DoStep: frame_b.R.T is not a rotation matrix"), "{text}");
}

#[test]
fn negative_parameters_are_discarded() {
    let fmu = Fmu::new("gripper", &[]);
    let instance = fmu.instance();
    for name in ["T", "cT", "dT", "cR", "dR"] {
        let before = instance.get(name);
        assert_eq!(instance.set(name, &[-1.0]), Status::Discard, "{name}");
        let text = instance.last_message().text;
        assert!(text.contains(&format!("\"{name}\" cannot be -1.0")) && text.contains("at least 0"), "{text}");
        assert_eq!(instance.get(name), before);
    }
}

#[test]
fn choices_that_do_not_exist_are_refused() {
    let fmu = Fmu::new("gripper", &[]);
    let instance = fmu.instance();
    for (name, number, expected) in
        [("TransDir", 8.0, "8, it must be from 1 to 7"), ("setAngles", 0.0, "0, it must be from 1 to 2")]
    {
        assert_eq!(instance.set(name, &[number]), Status::Discard, "{name}");
        let text = instance.last_message().text;
        assert!(text.contains(&format!("\"{name}\" cannot be {expected}")), "{text}");
    }
    let text = describe("gripper", &["TransDir=diagonal"]).unwrap_err().to_string();
    assert!(text.contains("TransDir") && text.contains("onlyX"), "{text}");
}

/// onoff changes with time even if all inputs are constant.
#[test]
fn derivatives_of_outputs_follow_the_ramp() {
    let fmu = Fmu::new("gripper", &[]);
    let instance = fmu.instance();
    instance.set("frame_b.r_0", &[1e-3, 0.0, 0.0]);
    instance.initialise();
    instance.set("active", &[1.0]);
    instance.step(0.0, 0.04);
    let vr = [instance.references("onoff")[0], instance.references("frame_a.f")[0]];
    let rates = instance.output_rates(&vr);
    assert!((rates[0] - 10.0).abs() < 1e-12 && (rates[1] + 1e4).abs() < 1e-8, "{rates:?}");
    let x = [instance.references("frame_b.r_0")[0]];
    let (status, slope) = instance.fmi.directional_derivative(&vr, &x, &[1.0]);
    assert_eq!(status, Status::Ok);
    assert!(slope[0] == 0.0 && (slope[1] + 0.4e6).abs() < 1e-6, "{slope:?}");
}

/// Where a ramp ends, derivatives from the left are still those of the ramp; later there are none.
#[test]
fn rule_7_3_derivatives_at_the_end_of_a_ramp_are_those_from_the_left() {
    let fmu = Fmu::new("gripper", &[]);
    let instance = fmu.instance();
    instance.set("frame_b.r_0", &[1e-3, 0.0, 0.0]);
    instance.initialise();
    let vr = [instance.references("onoff")[0], instance.references("frame_a.f")[0]];
    for (i, (active, slope)) in [(1.0, 10.0), (1.0, 0.0), (0.0, -10.0), (0.0, 0.0)].into_iter().enumerate() {
        instance.set("active", &[active]);
        instance.step(0.1 * i as f64, 0.1);
        let onoff = instance.get("onoff")[0];
        assert!(onoff == active && onoff.is_sign_positive());
        let rates = instance.output_rates(&vr);
        assert!((rates[0] - slope).abs() < 1e-12 && (rates[1] + 1e3 * slope).abs() < 1e-8, "{rates:?}");
    }
}

#[test]
fn singular_angles_warn_once() {
    let fmu = Fmu::new("gripper", &["useMoment=true", "orientation=cardan", "active=true"]);
    let instance = fmu.instance();
    instance.initialise();
    instance.set("frame_b.phi", &[0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    for (time, warnings) in [(0.0, 1), (0.1, 0)] {
        instance.step(time, 0.1);
        let messages = instance.fmi.messages();
        assert_eq!(messages.len(), warnings, "{messages:?}");
        assert!(
            messages
                .iter()
                .all(|message| message.text.contains("the Euler angles in the sequence [1, 2, 3] are singular here"))
        );
    }
}

/// The second angle of a turn by 1.8 rad is pi - 1.8 rad, and the first one half a turn.
#[test]
fn a_turn_past_the_singularity_warns_once() {
    let fmu = Fmu::new("gripper", &["useMoment=true", "orientation=cardan", "active=true"]);
    let instance = fmu.instance();
    instance.set("frame_b.phi", &[0.0, 1.4, 0.0]);
    instance.initialise();
    for (time, turn, warnings) in [(0.0, 1.4, 0), (0.1, 1.8, 1), (0.2, 1.8, 0)] {
        instance.set("frame_b.phi", &[0.0, turn, 0.0]);
        instance.step(time, 0.1);
        let messages = instance.fmi.messages();
        assert_eq!(messages.len(), warnings, "{messages:?}");
        for message in messages {
            let begin = "the Euler angles in the sequence [1, 2, 3] have passed their singularity (theta_2 = 1.34159";
            let end = " rad, and the moments of the springs jump with it";
            let jump = " rad): theta_1 jumps from ";
            assert!([begin, jump, end].iter().all(|part| message.text.contains(part)), "{}", message.text);
        }
    }
}

/// Parameters may be pasted with the words of the help from which they come.
#[test]
fn choices_may_be_spelled_as_in_the_help() {
    for (parameter, words) in [
        (
            "TransDir",
            &[
                ("All", "all"),
                ("X and Y", "xAndY"),
                ("Y and Z", "yAndZ"),
                ("Z and X", "zAndX"),
                ("Only X", "onlyX"),
                ("Only Y", "onlyY"),
                ("Only Z", "onlyZ"),
            ][..],
        ),
        ("setAngles", &[("Keep Current", "keepCurrent"), ("Reset to zero", "resetToZero")]),
    ] {
        for (word, ours) in words {
            let of = |word: &str| describe("gripper", &[&format!("{parameter}={word}")]).unwrap();
            assert_eq!(of(word), of(ours), "{word}");
        }
    }
}
