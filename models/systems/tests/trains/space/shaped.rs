//! Bodies whose mass and inertia tensor follow from their shape.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;

use crate::fixture::train;

const DENSITY: f64 = 2700.0;

/// Points with their volumes, which integrate polynomials of second degree over a body exactly.
type Points = Vec<(Vector3<f64>, f64)>;

/// Returns the points of the method by Gauss with two points.
fn gauss(from: f64, to: f64) -> [f64; 2] {
    let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
    [-1.0, 1.0].map(|side| middle + half * side / 3_f64.sqrt())
}

fn cuboid([length, width, height]: [f64; 3], sign: f64) -> Points {
    let mut points = Vec::new();
    for x in gauss(0.0, length) {
        for y in gauss(-width / 2.0, width / 2.0) {
            points.extend(
                gauss(-height / 2.0, height / 2.0).map(|z| (Vector3::new(x, y, z), length * width * height / 8.0)),
            );
        }
    }
    points.iter().map(|(point, volume)| (*point, sign * volume)).collect()
}

fn ring(length: f64, [inner, outer]: [f64; 2]) -> Points {
    let mut points = Vec::new();
    for x in gauss(0.0, length) {
        for r in gauss(inner / 2.0, outer / 2.0) {
            for quarter in 0..4 {
                let (sin, cos) = (0.3 + f64::from(quarter) * std::f64::consts::FRAC_PI_2).sin_cos();
                let area = r * (outer - inner) / 4.0 * std::f64::consts::FRAC_PI_2;
                points.push((Vector3::new(x, r * cos, r * sin), area * length / 2.0));
            }
        }
    }
    points
}

/// Returns mass, center of mass and inertia tensor of points that are turned and moved.
fn integrals(points: &Points, place: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let m = DENSITY * points.iter().map(|(_, volume)| volume).sum::<f64>();
    let center = points.iter().map(|(point, volume)| place(point) * *volume).sum::<Vector3<f64>>() * (DENSITY / m);
    let of = |(point, volume): &(Vector3<f64>, f64)| {
        let d = place(point) - center;
        (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * (DENSITY * volume)
    };
    (m, center, points.iter().map(of).sum())
}

fn vector(name: &str, v: Vector3<f64>) -> String {
    (0..3).map(|i| format!(" {name}[{}]={:?}", i + 1, v[i])).collect()
}

/// Makes a body that swings about a point.
fn swing(body: &str) -> Trial {
    let text = format!(
        "world World
        ball Spherical frame_a=world.frame_b w_rel_a_start[1]=3 w_rel_a_start[2]=-2 w_rel_a_start[3]=5
        body {body} frame_a=ball.frame_b"
    );
    train(Interface::CoSimulation, &text)
}

/// Checks that the body has these integrals, and moves as one to which they are given.
fn check(shape: &str, (m, center, tensor): (f64, Vector3<f64>, Matrix3<f64>), r: Vector3<f64>) {
    let given = format!(
        "BodyShape m={m:?}{}{} I_11={:?} I_22={:?} I_33={:?} I_21={:?} I_31={:?} I_32={:?}",
        vector("r", r),
        vector("r_CM", center),
        tensor[(0, 0)],
        tensor[(1, 1)],
        tensor[(2, 2)],
        tensor[(1, 0)],
        tensor[(2, 0)],
        tensor[(2, 1)]
    );
    let [mut shaped, mut given] = [swing(shape), swing(&given)];
    let near = |one: f64, other: f64, size: f64| assert!((one - other).abs() <= 1e-11 * size, "{one} {other}: {shape}");
    near(shaped.real("body.m"), m, m);
    for i in 0..3 {
        near(shaped.real(&format!("body.r_CM[{}]", i + 1)), center[i], center.norm());
        for j in 0..3 {
            near(shaped.real(&format!("body.I[{},{}]", i + 1, j + 1)), tensor[(i, j)], tensor.norm());
        }
    }
    for _ in 0..5 {
        for name in ["ball.w_rel_b[1]", "ball.z_rel_b[2]", "body.frame_b.r_0[3]"] {
            let [one, other] = [shaped.real(name), given.real(name)];
            assert!((one - other).abs() <= 1e-6 * other.abs().max(1.0), "{name}: {one} {other}");
        }
        shaped.step(0.02);
        given.step(0.02);
    }
}

fn direction() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-1.0..1.0).prop_map(Vector3::from).prop_filter("long enough", |v| v.norm() > 0.1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_box_has_the_integrals_over_its_volume(
        begin in direction(), along in direction(), across in direction(),
        outer in prop::array::uniform2(0.01..0.3), hole in prop::array::uniform2(0.0..0.9),
    ) {
        prop_assume!(along.normalize().cross(&across.normalize()).norm() > 0.05);
        let [width, height] = outer;
        let [inner_width, inner_height] = [width * hole[0], height * hole[1]];
        let length = along.norm();
        let points =
            [cuboid([length, width, height], 1.0), cuboid([length, inner_width, inner_height], -1.0)].concat();
        let e_x = along / length;
        let e_y = (across - e_x * e_x.dot(&across)).normalize();
        let turn = Matrix3::from_columns(&[e_x, e_y, e_x.cross(&e_y)]);
        let shape = format!(
            "BodyBox density={DENSITY} width={width:?} height={height:?} innerWidth={inner_width:?} \
             innerHeight={inner_height:?}{}{}{}",
            vector("r_shape", begin), vector("r", begin + along), vector("widthDirection", across)
        );
        check(&shape, integrals(&points, |point| begin + turn * point), begin + along);
    }

    #[test]
    fn a_cylinder_has_the_integrals_over_its_volume(
        begin in direction(), along in direction(), outer in 0.01..0.3, hole in 0.0..0.9,
    ) {
        let inner = outer * hole;
        let length = along.norm();
        let points = ring(length, [inner, outer]);
        let e_x = along / length;
        let e_y = e_x.cross(&Vector3::ith(e_x.iamin(), 1.0)).normalize();
        let turn = Matrix3::from_columns(&[e_x, e_y, e_x.cross(&e_y)]);
        let shape = format!(
            "BodyCylinder density={DENSITY} diameter={outer:?} innerDiameter={inner:?}{}{}",
            vector("r_shape", begin), vector("r", begin + along)
        );
        check(&shape, integrals(&points, |point| begin + turn * point), begin + along);
    }
}

/// Published in the Modelica Standard Library: steel, and a body without a hole.
#[test]
fn defaults_are_a_bar_of_steel() {
    let m = swing("BodyCylinder").real("body.m");
    assert!((m - 7700.0 * 0.1 * std::f64::consts::PI * 0.025 * 0.025).abs() < 1e-12, "{m}");
    let m = swing("BodyBox").real("body.m");
    assert!((m - 7700.0 * 0.1 * 0.05 * 0.05).abs() < 1e-12, "{m}");
}

#[test]
#[should_panic = "body.r and r_shape are both [0.1, 0.0, 0.0], but the shape extends from r_shape to r"]
fn a_shape_without_length_is_refused() {
    swing("BodyBox r_shape[1]=0.1").real("body.m");
}

#[test]
#[should_panic = "body.innerDiameter is 0.06 m, but diameter is 0.05 m, and a hole is not larger than the body"]
fn a_hole_larger_than_the_body_is_refused() {
    swing("BodyCylinder innerDiameter=0.06").real("body.m");
}

#[test]
#[should_panic = "body.widthDirection is [0.0, 1.0, 0.0], parallel to r - r_shape = [0.0, 0.2, 0.0], but must have another direction"]
fn a_width_along_the_length_is_refused() {
    swing("BodyBox r[1]=0 r[2]=0.2").real("body.m");
}
