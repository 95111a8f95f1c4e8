//! Structure options: other ports, the same loads.

use std::collections::BTreeSet;

use fmu_builder::description::{Description, ModelStructure, Unknown};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

use crate::fixture::{Fmu, Instance, describe};

pub const LOADS: [&str; 5] = ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t", "lossPower"];

/// Orientations of the two frames, as cardan angles.
const ANGLES: [[f64; 3]; 2] = [[0.3, -0.2, 0.5], [0.35, -0.25, 0.4]];

fn rotation([x, y, z]: [f64; 3]) -> Rotation3<f64> {
    Rotation3::from_axis_angle(&Vector3::x_axis(), x)
        * Rotation3::from_axis_angle(&Vector3::y_axis(), y)
        * Rotation3::from_axis_angle(&Vector3::z_axis(), z)
}

/// Sets a general motion; the orientations are given by `orient`.
pub fn move_frames(instance: &Instance<'_>, orient: impl Fn(&Instance<'_>, &str, [f64; 3])) {
    for (frame, angles, shift) in [("frame_a", ANGLES[0], 0.0), ("frame_b", ANGLES[1], 1e-3)] {
        instance.set(&format!("{frame}.r_0"), &[1.0 + shift, 2.0 - 2.0 * shift, -0.5 + 3.0 * shift]);
        instance.set(&format!("{frame}.v_0"), &[0.1 + shift, 0.2, -0.3 - 50.0 * shift]);
        instance.set(&format!("{frame}.R.w"), &[1.0, -2.0 + 100.0 * shift, 0.5]);
        orient(instance, frame, angles);
    }
}

pub fn by_matrix(instance: &Instance<'_>, frame: &str, angles: [f64; 3]) {
    instance.set(&format!("{frame}.R.T"), rotation(angles).matrix().as_slice());
}

pub fn loads(instance: &Instance<'_>) -> Vec<f64> {
    LOADS.iter().flat_map(|name| instance.get(name)).collect()
}

pub fn assert_close(computed: &[f64], expected: &[f64]) {
    assert_eq!(computed.len(), expected.len());
    let size = expected.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    for (computed, expected) in computed.iter().zip(expected) {
        assert!((computed - expected).abs() < 1e-11 * size, "{computed} is not {expected}");
    }
}

#[test]
fn the_orientation_may_be_a_matrix_a_quaternion_or_cardan_angles() {
    let of = |assignments: &[&str], orient: fn(&Instance<'_>, &str, [f64; 3])| {
        let fmu = Fmu::new(assignments);
        let instance = fmu.instance();
        instance.initialise();
        move_frames(&instance, orient);
        loads(&instance)
    };
    let expected = of(&[], by_matrix);
    let quaternion = of(&["orientation=quaternion"], |instance, frame, angles| {
        let q = UnitQuaternion::from_rotation_matrix(&rotation(angles)).into_inner();
        instance.set(&format!("{frame}.Q"), &[q.i, q.j, q.k, q.w]);
    });
    let cardan = of(&["orientation=cardan"], |instance, frame, angles| {
        instance.set(&format!("{frame}.phi"), &angles);
    });
    assert_close(&quaternion, &expected);
    assert_close(&cardan, &expected);
}

#[test]
fn signals_with_the_values_of_the_parameters_give_the_same_loads() {
    let constant = Fmu::new(&[]);
    let constant = constant.instance();
    constant.initialise();
    move_frames(&constant, by_matrix);
    let sets = [("TS", "K_in"), ("TD", "D_in"), ("RS", "Ka_in"), ("RD", "Da_in")];
    let options: Vec<String> =
        sets.iter().flat_map(|(set, _)| [format!("nonlinear_{set}=true"), format!("DCM_{set}=input")]).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let signal = Fmu::new(&options);
    let signal = signal.instance();
    signal.initialise();
    move_frames(&signal, by_matrix);
    assert_eq!(loads(&signal), loads(&constant), "the signals start at the parameters' defaults");
    for (parameter, input) in sets {
        let doubled: Vec<f64> = constant.get(parameter).iter().map(|value| 2.0 * value).collect();
        signal.set(input, &doubled);
    }
    let doubled: Vec<f64> = loads(&constant).iter().map(|load| 2.0 * load).collect();
    assert_close(&loads(&signal), &doubled);
}

/// The words are those of the help from which its parameters come.
#[test]
fn data_sources_may_be_called_gui_and_input() {
    for (word, ours) in [("GUI", "inline"), ("Inline", "inline"), ("input", "signal"), ("Attachment", "attachment")] {
        let of = |source: &str| describe(&["nonlinear_TS=true", &format!("DCM_TS={source}")]).unwrap();
        assert_eq!(of(word), of(ours), "{word}");
    }
}

#[test]
fn sensors_are_resolved_in_the_frame_that_is_asked_for() {
    let sensors = ["sensor_T=true", "sensor_Tv=true", "sensor_R=true", "sensor_Rw=true"];
    let outputs = |frame: &str| {
        let frame = format!("resolvedFrame={frame}");
        let options: Vec<&str> = sensors.into_iter().chain([frame.as_str()]).collect();
        let fmu = Fmu::new(&options);
        let instance = fmu.instance();
        instance.initialise();
        move_frames(&instance, by_matrix);
        ["r_out", "v_out", "w_out", "th_out"].map(|name| Vector3::from_column_slice(&instance.get(name)))
    };
    let [in_a, in_b, in_world] = ["frame_a", "frame_b", "world"].map(outputs);
    let (a, b) = (rotation(ANGLES[0]), rotation(ANGLES[1]));
    for i in 0..3 {
        assert!((a * in_a[i] - in_world[i]).norm() < 1e-14 * (1.0 + in_world[i].norm()));
        assert!((b * in_b[i] - in_world[i]).norm() < 1e-14 * (1.0 + in_world[i].norm()));
    }
    assert!((in_world[0] - Vector3::new(1e-3, -2e-3, 3e-3)).norm() < 1e-15);
    let theta = a.inverse() * b;
    assert!((rotation(in_a[3].into()).matrix() - theta.matrix()).amax() < 1e-14);
}

#[test]
fn rule_3_4_a_value_reference_is_the_same_in_every_structure() {
    let reference = |description: &Description, name: &str| {
        description.variables.iter().find(|variable| variable.name == name).map(|variable| variable.value_reference)
    };
    let default = describe(&[]).unwrap();
    let other = describe(&["orientation=cardan", "nonlinear_TS=true", "DCM_TS=signal", "sensor_R=true"]).unwrap();
    let mut compared = 0;
    for variable in &default.variables {
        if let Some(found) = reference(&other, &variable.name) {
            assert_eq!(found, variable.value_reference, "{}", variable.name);
            compared += 1;
        }
    }
    assert!(compared > 30 && reference(&other, "K_in[1]").is_some() && reference(&other, "TS[1]").is_none());
}

/// An importer may put other numbers into the table, or another file in its place.
#[test]
fn ms4_the_rows_of_a_table_take_no_dependency_away() {
    let knowns = |of: fn(ModelStructure) -> Vec<Unknown>, options: &[String]| -> Vec<BTreeSet<String>> {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let description = describe(&options).unwrap();
        let name = |index: &usize| description.variables[*index].name.clone();
        let names = |unknown: &Unknown| unknown.dependencies.as_ref().unwrap().iter().map(name).collect();
        of(description.model_structure).iter().map(names).collect()
    };
    let sets = ["TS", "TD", "RS", "RD"];
    let scales = ["TS=[1e11,1e11,1e11]", "TD=[0,0,0]", "frame_a.r_0=[6.8e6,0,0]", "frame_b.r_0=[6.8e6,0,0]"];
    assert_eq!(
        knowns(|structure| structure.outputs, &scales.map(str::to_owned)),
        knowns(|structure| structure.outputs, &[])
    );
    let constant = knowns(|structure| structure.outputs, &[]);
    let zeros = sets.map(|set| [format!("nonlinear_{set}=true"), format!("{set}_table=[[0,0,0,0]]")]);
    assert_eq!(knowns(|structure| structure.outputs, zeros.as_flattened()), constant);
    let files = sets.map(|set| [format!("nonlinear_{set}=true"), format!("DCM_{set}=file")]);
    assert_eq!(knowns(|structure| structure.outputs, files.as_flattened()), constant);
    let initial: BTreeSet<_> =
        knowns(|structure| structure.initial_unknowns, files.as_flattened()).into_iter().flatten().collect();
    for of_all in sets.iter().flat_map(|set| [format!("sr_{set}"), format!("sm_{set}")]).chain(["extrapolation".into()])
    {
        assert!(initial.contains(&of_all), "{of_all}");
    }
}
