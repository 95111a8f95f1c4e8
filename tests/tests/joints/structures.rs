//! Structure options: other ports, the same mechanics.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, describe};
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::{Rotation3, UnitQuaternion};

use crate::drive::{ASSEMBLIES, Assembly, V};

/// Returns a motion close to the start values, with arbitrary rates.
fn motion(r_0: &[f64], k: f64) -> Motion<f64> {
    let rotation = Rotation3::from_scaled_axis(V::new(0.05, -0.04, 0.03) * k);
    Motion {
        r_0: V::from_column_slice(r_0) + V::new(0.02, 0.01, -0.03) * k,
        T: rotation.matrix().transpose(),
        v_0: V::new(0.3, -0.2, 0.1) * k,
        w: V::new(-0.4, 0.5, 0.6) * k,
        a_0: V::new(1.0, -2.0, 0.5) * k,
        z: V::new(0.7, 0.2, -0.9) * k,
    }
}

fn move_and_load(assembly: &Assembly<'_>, ia: bool, im: bool) {
    for (frame, k) in [("frame_a", 1.0), ("frame_b", -0.7)] {
        let start = assembly.get(&format!("{frame}.r_0"));
        assembly.set_motion(frame, &motion(&start, k));
    }
    load(assembly, ia, im);
}

fn load(assembly: &Assembly<'_>, ia: bool, im: bool) {
    for (frame, exists, k) in [("frame_ia", ia, 1.0), ("frame_ib", true, -0.5), ("frame_im", im, 0.3)] {
        if exists {
            assembly.set_load(frame, &Load { f: V::new(10.0, -20.0, 5.0) * k, t: V::new(1.0, 2.0, -3.0) * k });
        }
    }
}

fn drive_of(component: &str) -> (&'static str, &'static str) {
    if component.ends_with('r') { ("axis.tau", "bearing.tau") } else { ("axis.f", "bearing.f") }
}

#[test]
fn the_total_power_is_zero_and_the_bearing_takes_the_drive() {
    for (component, ia, im) in ASSEMBLIES {
        let mass = if component.starts_with("joint-ss") { "rod1Mass=2" } else { "checkTotalPower=true" };
        let fmu = Fmu::new(component, &["checkTotalPower=true", mass]);
        let assembly = Assembly::new(fmu.instance());
        assembly.instance.initialise();
        move_and_load(&assembly, ia, im);
        let (axis, bearing) = drive_of(component);
        assembly.set(axis, &[7.0]);
        let power = assembly.number("totalPower");
        assert!(power.abs() < 1e-12, "{component}: {power}");
        assert_eq!(assembly.number(bearing), -7.0);
        let through = |frame: &str| assembly.motion(frame).power(&assembly.load(frame)).abs();
        assert!(through("frame_a") + through("frame_b") > 0.1, "{component}: nothing flows");
    }
}

/// For any motion and load of the assembly, aux follows from the contribution of the drive to the force in rod 1.
#[test]
fn aux_is_the_denominator_of_the_force_in_rod_1() {
    for (component, ia, im) in ASSEMBLIES.into_iter().filter(|(component, ..)| *component != "joint-ups") {
        let fmu = Fmu::new(component, &[]);
        let assembly = Assembly::new(fmu.instance());
        assembly.instance.initialise();
        move_and_load(&assembly, ia, im);
        let f_rod = [0.0, 100.0].map(|drive| {
            assembly.set(drive_of(component).0, &[drive]);
            assembly.number("f_rod")
        });
        let aux = assembly.number("aux");
        assert!(aux.abs() > 0.01, "{component}: {aux}");
        assert!(((f_rod[1] - f_rod[0]) * aux + 100.0).abs() < 1e-10, "{component}: {f_rod:?} {aux}");
    }
}

#[test]
fn the_library_s_rod_force_is_an_option_of_joint_ssp() {
    let fmu = Fmu::new("joint-ssp", &["rod1Mass=2", "mslRodForce=true", "checkTotalPower=true"]);
    let assembly = Assembly::new(fmu.instance());
    assembly.instance.initialise();
    move_and_load(&assembly, false, true);
    let power = assembly.number("totalPower");
    assert!(power.abs() > 1e-3, "{power}");
}

/// Returns outputs that do not depend on how orientations are given.
fn plain(assembly: &Assembly<'_>, ia: bool) -> Vec<f64> {
    let mut names =
        vec!["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t", "frame_ib.a_0", "frame_ib.z", "frame_ib.R.w"];
    if ia {
        names.extend(["frame_ia.r_0", "frame_ia.R.w", "frame_ia.z"]);
    }
    names.iter().flat_map(|name| assembly.get(name)).collect()
}

fn assert_close(found: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(1.0_f64, |size, value| size.max(value.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12 * size, "{found} is not {expected}");
    }
}

#[test]
fn the_orientation_may_be_a_matrix_a_quaternion_or_cardan_angles() {
    for (component, ia, im) in ASSEMBLIES {
        let fmu = Fmu::new(component, &[]);
        let assembly = Assembly::new(fmu.instance());
        assembly.instance.initialise();
        let starts = ["frame_a", "frame_b"].map(|frame| assembly.get(&format!("{frame}.r_0")));
        move_and_load(&assembly, ia, im);
        let (expected, rotation) = (plain(&assembly, ia), assembly.motion("frame_ib").T);
        for orientation in ["quaternion", "cardan"] {
            let fmu = Fmu::new(component, &[&format!("orientation={orientation}")]);
            let other = Assembly::new(fmu.instance());
            other.instance.initialise();
            for (frame, start, k) in [("frame_a", &starts[0], 1.0), ("frame_b", &starts[1], -0.7)] {
                let motion = motion(start, k);
                for (name, value) in
                    [("r_0", motion.r_0), ("v_0", motion.v_0), ("R.w", motion.w), ("a_0", motion.a_0), ("z", motion.z)]
                {
                    other.set(&format!("{frame}.{name}"), value.as_slice());
                }
                let rotation = Rotation3::from_matrix_unchecked(motion.T.transpose());
                if orientation == "quaternion" {
                    let q = UnitQuaternion::from_rotation_matrix(&rotation).into_inner();
                    other.set(&format!("{frame}.Q"), &[q.i, q.j, q.k, q.w]);
                } else {
                    // The angles are about x, then y', then z'': in reverse order for the frame's own axes.
                    let (x, y, z) = rotation.inverse().euler_angles();
                    other.set(&format!("{frame}.phi"), &[-x, -y, -z]);
                }
            }
            load(&other, ia, im);
            assert_close(&plain(&other, ia), &expected);
            let found = if orientation == "quaternion" {
                let q = other.get("frame_ib.Q");
                let q = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
                *q.to_rotation_matrix().matrix()
            } else {
                let phi = other.get("frame_ib.phi");
                let about = |axis: V, angle: f64| Rotation3::from_scaled_axis(axis * angle);
                *(about(V::x(), phi[0]) * about(V::y(), phi[1]) * about(V::z(), phi[2])).matrix()
            };
            assert_close(found.transpose().as_slice(), rotation.as_slice());
        }
    }
}

#[test]
fn without_accelerations_there_are_none_and_no_mass() {
    for (component, ..) in ASSEMBLIES {
        let description = describe(component, &["accelerations=false"]).unwrap();
        let has = |name: &str| description.variables.iter().any(|variable| variable.name == name);
        assert!(!has("frame_a.a_0[1]") && !has("frame_ib.z[1]") && !has("axis.a") && !has("rod1Mass") && !has("g[1]"));
        assert!(has("frame_a.v_0[1]") && has("frame_ib.R.w[1]"));
        // Value references do not change.
        let full = describe(component, &[]).unwrap();
        for variable in &description.variables {
            let same = full.variables.iter().find(|other| other.name == variable.name).unwrap();
            assert_eq!(same.value_reference, variable.value_reference, "{}", variable.name);
        }
    }
}

#[test]
fn calculated_parameters_are_those_of_the_library() {
    let get = |component: &str, parameters: &[(&str, [f64; 3])], names: [&str; 3]| {
        let fmu = Fmu::new(component, &[]);
        let instance = fmu.instance();
        parameters.iter().for_each(|(name, value)| assert_eq!(instance.set(name, value), Status::Ok));
        instance.initialise();
        names.map(|name| instance.get(name)).concat()
    };
    let rods = [("rRod1_ia", [3.0, 4.0, 0.0]), ("rRod2_ib", [-4.0, 3.0, 0.0])];
    let found = get("joint-usr", &rods, ["rod1Length", "eRod1_ia", "e2_ia"]);
    assert_close(&found, &[5.0, 0.6, 0.8, 0.0, -0.8, 0.6, 0.0]);
    let found = get("joint-ups", &[("nAxis_ia", [3.0, 4.0, 0.0])], ["eAxis_ia", "e2_ia", "e3_ia"]);
    assert_close(&found, &[0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0]);
    // e_ia is the axis of rotation, not axis 2 of the universal joint.
    let long = ("n_a", [0.0, 0.0, 2.0]);
    let found = get("joint-rrr", &[long], ["e_a", "e_ia", "e_b"]);
    assert_eq!(found, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let tilted = ("rRod1_ia", [1.0, 0.0, 0.5]);
    let found = get("joint-rrr", &[tilted, ("frame_b.r_0", [1.0, 1.0, 0.5])], ["e_a", "e_ia", "e_b"]);
    assert_close(&found, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let found = get("joint-rrp", &[long, ("n_b", [-2.0, 0.0, 0.0])], ["e_ia", "e_im", "e_b"]);
    assert_eq!(found, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0]);
}

/// The axis of JointRRR is that of the start, resolved in frame_b, and does not follow frame_a.
#[test]
fn the_axis_of_joint_rrr_is_taken_at_the_start() {
    let fmu = Fmu::new("joint-rrr", &["n_a=[0,0,3]"]);
    let instance = fmu.instance();
    // The frame_b is turned by a quarter about x.
    let turned = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0];
    instance.set("frame_b.R.T", &turned);
    instance.initialise();
    assert_eq!(instance.get("n_b"), [0.0, 3.0, 0.0]);
    assert_eq!(instance.get("e_b"), [0.0, 1.0, 0.0]);
    let tilted = Rotation3::from_scaled_axis(V::y() * 0.1);
    instance.set("frame_a.R.T", tilted.matrix().as_slice());
    instance.step(0.0, 0.1);
    assert!(instance.get("frame_ia.R.T")[0] < 0.999, "frame_ia follows frame_a");
    assert_eq!(instance.get("e_b"), [0.0, 1.0, 0.0]);
}
