//! Derivatives where elements of the rotation matrix are exactly zero.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};

const SEQUENCES: [[i32; 3]; 12] = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
    [1, 2, 1],
    [1, 3, 1],
    [2, 1, 2],
    [2, 3, 2],
    [3, 1, 3],
    [3, 2, 3],
];

/// The 24 rotation matrices whose elements are 0, 1 and -1, by rows.
fn quarter_turns() -> Vec<[f64; 9]> {
    let places = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let matrix = |(i, place): (usize, [usize; 3]), [first, second]: [f64; 2]| {
        let parity = if i < 3 { 1.0 } else { -1.0 };
        let mut matrix = [0.0; 9];
        for (row, (column, sign)) in place.into_iter().zip([first, second, parity * first * second]).enumerate() {
            matrix[3 * row + column] = sign;
        }
        matrix
    };
    places.into_iter().enumerate().flat_map(|place| signs.map(|sign| matrix(place, sign))).collect()
}

/// Steps to every pose and checks all derivatives of the outputs there.
fn check(instance: &Instance<'_>, outputs: &[u32], what: &str) {
    let inputs: Vec<u32> = ["frame_a.r_0", "frame_a.R.T", "frame_a.v_0", "frame_a.R.w", "frame_b.r_0", "frame_b.R.T"]
        .iter()
        .chain(&["frame_b.v_0", "frame_b.R.w"])
        .flat_map(|name| instance.references(name))
        .collect();
    for (step, matrix) in quarter_turns().iter().enumerate() {
        let what = format!("{what}, matrix {matrix:?}");
        assert_eq!(instance.set("frame_b.R.T", matrix), Status::Ok);
        let rates: Vec<f64> = (0..9).map(|i| 1e-3 * f64::from(i)).collect();
        assert_eq!(instance.set_rates("frame_b.R.T", &rates), Status::Ok);
        instance.step(step as f64 * 1e-3, 1e-3);
        let finite = |(status, values): (Status, Vec<f64>), of: &str| {
            assert_eq!(status, Status::Ok, "{what}, {of}: {:?}", instance.fmi.messages());
            assert!(values.iter().all(|value| value.is_finite()), "{what}, {of}: {values:?}");
            values
        };
        // The pose itself again, exactly.
        assert_eq!(instance.set("frame_b.R.T", matrix), Status::Ok);
        finite(instance.fmi.get_real(outputs), "outputs");
        let rates = instance.fmi.get_real_output_derivatives(outputs, &vec![1; outputs.len()]);
        finite(rates, "output derivatives");
        let mut any = false;
        for input in &inputs {
            let values = finite(instance.fmi.directional_derivative(outputs, &[*input], &[1.0]), "directional");
            any |= values.iter().any(|value| *value != 0.0);
        }
        assert!(any, "{what}: nothing depends on anything");
    }
}

fn loads(instance: &Instance<'_>) -> Vec<u32> {
    let names = ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t", "lossPower"];
    names.iter().flat_map(|name| instance.references(name)).collect()
}

/// Frame_b at a small distance and in motion, so that nothing vanishes by chance.
fn start(instance: &Instance<'_>, assignments: &[(&str, &[f64])]) {
    for (name, values) in assignments {
        assert_eq!(instance.set(name, values), Status::Ok, "{name}: {:?}", instance.fmi.messages());
    }
    instance.set("frame_b.r_0", &[1e-3, 2e-3, -1e-3]);
    instance.set("frame_b.v_0", &[0.1, -0.2, 0.3]);
    instance.set("frame_b.R.w", &[0.3, 0.2, -0.1]);
    instance.initialise();
}

#[test]
fn there_are_24_of_them() {
    let all = quarter_turns();
    assert_eq!(all.len(), 24);
    for (i, m) in all.iter().enumerate() {
        assert_eq!(nalgebra::Matrix3::from_row_slice(m).determinant(), 1.0);
        assert!(!all[..i].contains(m));
    }
}

#[test]
fn the_bushing_has_finite_derivatives_at_quarter_turns_in_all_sequences() {
    for law in ["literal", "gimbal"] {
        let fmu = Fmu::new("bushing", &[&format!("momentLaw={law}"), "sensor_R=true"]);
        for axes in SEQUENCES {
            let instance = fmu.instance();
            start(&instance, &[("RotSeq", &axes.map(f64::from))]);
            let outputs = [loads(&instance), instance.references("th_out")].concat();
            check(&instance, &outputs, &format!("{law} {axes:?}"));
        }
    }
}

#[test]
fn the_gripper_has_finite_derivatives_at_quarter_turns() {
    for law in ["literal", "gimbal"] {
        let fmu = Fmu::new("gripper", &[&format!("momentLaw={law}")]);
        for in_place in [0.0, 1.0] {
            let instance = fmu.instance();
            start(&instance, &[("useMoment", &[1.0]), ("useInPlace", &[in_place]), ("active", &[1.0])]);
            check(&instance, &loads(&instance), law);
        }
    }
}
