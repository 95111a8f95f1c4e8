//! Behaviour at the limits of validity.

use fmu_tests::api::Status;
use nalgebra::{Rotation3, Vector3};

use crate::fixture::{Fmu, describe, warnings};

/// The nine elements of the matrix from the world to a frame that is turned.
fn turned(rotation: Rotation3<f64>) -> Vec<f64> {
    // Column by column of the rotation is row by row of its transpose.
    rotation.matrix().as_slice().to_vec()
}

#[test]
fn a_singularity_warns_once_an_episode_and_keeps_the_first_angle() {
    let fmu = Fmu::new(&["sensor_R=true"]);
    let instance = fmu.instance();
    instance.initialise();
    let quarter = |x: f64| {
        turned(
            Rotation3::from_axis_angle(&Vector3::x_axis(), x)
                * Rotation3::from_axis_angle(&Vector3::y_axis(), std::f64::consts::FRAC_PI_2),
        )
    };
    let mut time = 0.0;
    let mut step = |matrix: &[f64]| {
        assert_eq!(instance.set("frame_b.R.T", matrix), Status::Ok);
        assert_eq!(instance.fmi.do_step(time, 0.1), Status::Ok);
        time += 0.1;
        let loads = ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t"].map(|name| instance.get(name)).concat();
        assert!(loads.iter().all(|load| load.is_finite()), "{loads:?}");
        (instance.get("th_out"), warnings(&instance))
    };
    let regular = turned(Rotation3::from_axis_angle(&Vector3::x_axis(), 0.2));

    let (theta, logged) = step(&regular);
    assert!((theta[0] - 0.2).abs() < 1e-15 && logged.is_empty(), "{logged:?}");
    let (theta, logged) = step(&quarter(0.5));
    assert_eq!(theta[0], 0.2);
    assert!((theta[2] - 0.3).abs() < 1e-12, "{theta:?}");
    assert_eq!(logged.len(), 1);
    assert!(logged[0].contains("the Euler angles in the sequence [1, 2, 3] are singular here"), "{logged:?}");
    assert!(logged[0].contains("theta_1 is kept at 0.2 rad"), "{logged:?}");
    let (_, logged) = step(&quarter(0.6));
    assert!(logged.is_empty(), "{logged:?}");
    step(&regular);
    let (_, logged) = step(&quarter(0.5));
    assert_eq!(logged.len(), 1, "a second episode");
}

#[test]
fn a_matrix_that_is_no_rotation_is_an_error_and_a_small_deviation_is_corrected() {
    let fmu = Fmu::new(&[]);
    let instance = fmu.instance();
    instance.initialise();
    let exact = turned(Rotation3::from_scaled_axis(Vector3::new(0.01, 0.02, -0.03)));
    instance.set("frame_b.R.T", &exact);
    let expected = instance.get("frame_b.t");
    let stretched: Vec<f64> = exact.iter().map(|element| element * (1.0 + 2e-4)).collect();
    instance.set("frame_b.R.T", &stretched);
    for (corrected, expected) in instance.get("frame_b.t").iter().zip(&expected) {
        assert!((corrected - expected).abs() < 1e-10, "{corrected} {expected}");
    }
    let wrong: Vec<f64> = exact.iter().map(|element| element * 1.5).collect();
    assert_eq!(instance.set("frame_b.R.T", &wrong), Status::Ok);
    assert_eq!(instance.fmi.do_step(0.0, 0.1), Status::Error);
    let messages = instance.fmi.messages();
    let text = &messages.last().unwrap().text;
    assert!(text.contains("frame_b.R.T is not a rotation matrix: T'T deviates by 1.25"), "{text}");
    assert!(text.contains("up to 0.001 is corrected"), "{text}");
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.initialise();
    let mirrored: Vec<f64> = exact.iter().map(|element| -element).collect();
    instance.set("frame_b.R.T", &mirrored);
    assert_eq!(instance.fmi.do_step(0.0, 0.1), Status::Error);
    let messages = instance.fmi.messages();
    let text = &messages.last().unwrap().text;
    let reason = "frame_b.R.T is not a rotation matrix but a reflection: its determinant is negative";
    assert!(text.contains(reason), "{text}");
    assert_eq!(instance.fmi.reset(), Status::Ok);
    instance.initialise();
}

#[test]
fn what_cannot_work_is_refused_when_the_fmu_is_built() {
    let refused = |assignments: &[&str]| describe(assignments).unwrap_err().to_string();
    let message = refused(&["RotSeq=[1,1,2]"]);
    assert!(
        message.contains("RotSeq is [1, 1, 2], but must be three of the axes 1, 2, 3 without equal neighbours"),
        "{message}"
    );
    assert_eq!(
        refused(&["frame_a.R.T[1,1]=2"]),
        "the FMU would not start: frame_a.R.T is not a rotation matrix: T'T deviates by 3.0 from the identity; \
         up to 0.001 is corrected"
    );
    assert_eq!(
        refused(&["r0=[0,1e308,0]"]),
        "the FMU would not start: \"frame_a.f[2]\" would be inf: an input or parameter is too large"
    );
}

#[test]
fn a_sequence_that_is_singular_in_the_undeformed_pose_is_allowed_with_a_warning() {
    let description = describe(&["RotSeq=[3,1,3]"]).unwrap();
    assert_eq!(description.warnings.len(), 1);
    let warning = &description.warnings[0];
    assert!(warning.contains("RotSeq = [3, 1, 3] is singular at theta_2 = 0, the undeformed pose"), "{warning}");
    assert!(describe(&[]).unwrap().warnings.is_empty());
}

#[test]
fn an_option_without_effect_is_warned_of() {
    let warnings = |assignments: &[&str]| describe(assignments).unwrap().warnings;
    assert_eq!(
        warnings(&["DCM_RD=signal"]),
        ["DCM_RD = signal has no effect here; it would have one with nonlinear_RD = true"]
    );
    assert_eq!(
        warnings(&["resolvedFrame=world", "sensor_R=true"]),
        ["resolvedFrame = world has no effect here; it would have one with sensor_T = true"]
    );
    for used in [
        &["DCM_RD=signal", "nonlinear_RD=true"][..],
        &["resolvedFrame=world", "sensor_Rw=true"],
        &["DCM_RD=inline", "resolvedFrame=frame_a"],
        &["momentLaw=gimbal"],
    ] {
        assert!(warnings(used).is_empty(), "{used:?}");
    }
}

#[test]
fn a_load_that_overflows_is_an_error_and_not_infinite() {
    let fmu = Fmu::new(&[]);
    let instance = fmu.instance();
    instance.initialise();
    assert_eq!(instance.set("frame_b.r_0", &[1e308, 0.0, 0.0]), Status::Ok);
    assert_eq!(instance.fmi.do_step(0.0, 0.1), Status::Error);
    let messages = instance.fmi.messages();
    let text = &messages.last().unwrap().text;
    assert!(text.contains("\"frame_a.f[1]\" would be -inf: an input or parameter is too large"), "{text}");
}
