//! Positions without a solution: status, message with the numbers, and recovery.

use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;

use crate::drive::Assembly;

/// Returns the message of a step with these inputs.
fn step_fails(fmu: &Fmu, inputs: &[(&str, &[f64])]) -> String {
    let assembly = Assembly::new(fmu.instance());
    let instance = &assembly.instance;
    instance.initialise();
    instance.step(0.0, 0.1);
    let (state, before) = (instance.save(), instance.bits());
    for (name, values) in inputs {
        assembly.set(name, values);
    }
    // A getter after setting the inputs has no value either.
    let (status, _) = instance.fmi.get_real(&instance.references("frame_b.f"));
    assert_eq!(status, Status::Error);
    let text = instance.last_message().text;
    // A saved state or a reset recovers from it.
    assert_eq!(instance.fmi.set_state(state), Status::Ok);
    assert_eq!(instance.bits(), before);
    instance.step(0.1, 0.1);
    for (name, values) in inputs {
        assembly.set(name, values);
    }
    assert_eq!(instance.fmi.do_step(0.2, 0.1), Status::Error);
    let reason = text.trim_start_matches("fmi2GetReal: ").split(" (time").next().unwrap();
    assert_says(&instance.last_message().text, reason);
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.initialise();
    instance.step(0.0, 0.1);
    assert_eq!(instance.bits(), before);
    text
}

fn assert_says(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[test]
fn joint_usr_reports_its_singular_poses() {
    let fmu = Fmu::new("joint-usr", &[]);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[2.0, 0.0, 0.0])]);
    assert_says(&text, "JointUSR: dead centre, where both configurations meet: rod 1 is 1.0 m long");
    assert_says(&text, "the distance between its ends is from 1.0 m to 3.0 m (time = 0.1 s)");
    let text = step_fails(&fmu, &[("frame_b.r_0", &[2.5, 0.0, 0.0])]);
    let expected = "JointUSR: rod 1 cannot close the loop: it is 1.0 m long, but the distance between its ends is \
                    from 1.5 m to 3.5 m";
    assert_says(&text, expected);
    let text = step_fails(&fmu, &[("frame_a.R.T", &QUARTER)]);
    assert_says(
        &text,
        "JointUSR: the universal joint is singular: n1_a is parallel to the line to the other joint (angle ",
    );
}

/// A frame rotated about x by a quarter turn: axis 1 of the universal joint is parallel to rod 1.
const QUARTER: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0];

#[test]
fn joint_rrr_reports_its_singular_poses() {
    let fmu = Fmu::new("joint-rrr", &[]);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[2.0, 0.0, 0.0])]);
    assert_says(&text, "JointRRR: dead centre");
    let text = step_fails(&fmu, &[("frame_a.R.T", &QUARTER)]);
    assert_says(&text, "JointRRR: the universal joint is singular: n_a is parallel");
}

#[test]
fn joint_usp_and_joint_rrp_report_their_singular_poses() {
    for (component, name) in [("joint-usp", "JointUSP"), ("joint-rrp", "JointRRP")] {
        let fmu = Fmu::new(component, &[]);
        let text = step_fails(&fmu, &[("frame_b.r_0", &[1.8, 1.0, 0.0])]);
        assert_says(&text, &format!("{name}: dead centre, where both configurations meet: rod 1 is 1.0 m long"));
        assert_says(&text, "the distance between its ends is at least 1.0 m");
    }
}

#[test]
fn joint_ssr_reports_its_singular_poses() {
    let fmu = Fmu::new("joint-ssr", &[]);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[-2.0, 0.0, 0.0])]);
    assert_says(&text, "JointSSR: dead centre");
}

#[test]
fn joint_ssp_reports_its_singular_poses() {
    let fmu = Fmu::new("joint-ssp", &[]);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[0.0, 0.0, 0.8])]);
    assert_says(&text, "JointSSP: dead centre");
    let text = step_fails(&fmu, &[("frame_b.r_0", &[1.0, 0.0, 0.8])]);
    assert_says(
        &text,
        "JointSSP: rod 1 cannot close the loop: it is 1.0 m long, but the distance between its ends is at least 2.0 m",
    );
}

#[test]
fn joint_ups_reports_its_singular_poses() {
    let fmu = Fmu::new("joint-ups", &[]);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[0.0, 0.0, 1.0])]);
    let expected =
        "JointUPS: the universal joint is singular: n1_a is parallel to the line to the other joint (angle 0.0 deg)";
    assert_says(&text, expected);
    let text = step_fails(&fmu, &[("frame_b.r_0", &[0.0; 3])]);
    assert_says(&text, "JointUPS: the origins of frame_a and frame_b are 0.0 m apart, too close to define a line");
}

#[test]
fn a_solver_of_model_exchange_may_try_a_shorter_step() {
    let fmu = Fmu::new("joint-usr", &[]);
    let assembly = Assembly::new(fmu.model_exchange());
    let instance = &assembly.instance;
    instance.initialise();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let before = assembly.get("phi");
    assembly.set("frame_b.r_0", &[2.5, 0.0, 0.0]);
    let (status, _) = instance.fmi.get_real(&instance.references("phi"));
    assert_eq!(status, Status::Discard);
    assert!(instance.last_message().text.contains("JointUSR: rod 1 cannot close the loop"));
    assembly.set("frame_b.r_0", &[1.0, 1.0, 0.0]);
    assert_eq!(assembly.get("phi"), before);
}

#[test]
fn a_start_out_of_reach_is_refused() {
    for (component, far) in [
        ("joint-usr", [5.0, 0.0, 0.0]),
        ("joint-rrr", [5.0, 0.0, 0.0]),
        ("joint-ssr", [5.0, 0.0, 0.0]),
        ("joint-usp", [0.0, 5.0, 0.0]),
        ("joint-rrp", [0.0, 5.0, 0.0]),
        ("joint-ssp", [5.0, 0.0, 0.0]),
    ] {
        let fmu = Fmu::new(component, &[]);
        let instance = fmu.instance();
        instance.set("frame_b.r_0", &far);
        assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
        assert_eq!(instance.fmi.exit_initialization_mode(), Status::Error, "{component}");
        let text = instance.last_message().text;
        assert!(
            text.contains("rod 1 cannot close the loop: it is 1.0 m long, but the distance between its ends is"),
            "{text}"
        );
        assert_eq!(instance.fmi.reset(), Status::Ok);
        instance.initialise();
    }
}
