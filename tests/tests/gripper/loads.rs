//! Loads, undeformed poses and balances.

use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;
use nalgebra::Vector3;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::fixture::{
    DEFAULTS, Data, Gripper, MASKS, Motion, Point, Row, data, frames, matrix, motions, relative, with_cardan_angles,
};
use crate::schedule::Schedule;

const HELD: Schedule = Schedule { ramp: 0.1, active: true, changes: Vec::new() };

fn vector(values: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(values)
}

/// Returns a pose with rotated and displaced frames, without velocities.
fn pose() -> Point {
    let mut pose = [Vector3::zeros(); 8];
    pose[0] = Vector3::new(1.0, -2.0, 0.5);
    pose[1] = Vector3::new(0.4, -0.3, 0.7);
    pose[4] = pose[0] + Vector3::new(0.03, 0.02, -0.04);
    pose[5] = Vector3::new(0.5, -0.25, 0.6);
    pose
}

/// Returns the row after a step at a pose, for a gripper that was switched on at another pose.
fn held(fmu: &Fmu, data: &Data, start: &Point, then: &Point) -> Row {
    let gripper = Gripper::new(fmu.instance());
    gripper.prepare(data, &Motion { h: 1.0, points: vec![*start] }, &HELD);
    gripper.instance.initialise();
    gripper.set(then);
    gripper.instance.step(0.0, 0.1);
    gripper.row()
}

#[test]
fn forces_act_along_the_axes_of_each_choice_and_moments_about_all() {
    let fmu = with_cardan_angles();
    let pose = pose();
    let r = relative(&pose).r;
    assert!(r.iter().all(|element| element.abs() > 1e-3));
    for (trans_dir, mask) in MASKS.into_iter().enumerate() {
        let data = Data { trans_dir, use_moment: true, ..DEFAULTS };
        let row = held(&fmu, &data, &pose, &pose);
        let f = vector(&row.loads[..3]);
        for i in 0..3 {
            assert!((f[i] + 1e6 * mask[i] * r[i]).abs() < 1e-9, "choice {trans_dir}, axis {i}: {f}");
        }
        let moment = vector(&row.loads[3..6]) - r.cross(&f);
        assert!(moment.iter().all(|element| element.abs() > 100.0), "{moment}");
    }
}

/// The cases are those of the source: with moments or without, in place or pulled to coincide.
#[test]
fn loads_of_the_four_cases_are_those_of_the_source() {
    let fmu = with_cardan_angles();
    let (start, mut then) = (pose(), pose());
    then[4] += matrix(&then[1]).transpose() * Vector3::new(1e-3, 2e-3, -3e-3);
    let case = |use_moment, use_in_place| Data { use_moment, use_in_place, ..DEFAULTS };
    let loads = |data: &Data, then: &Point| {
        let row = held(&fmu, data, &start, then);
        let (f, r) = (vector(&row.loads[..3]), relative(then).r);
        (f, vector(&row.loads[3..6]) - r.cross(&f))
    };
    let r = relative(&then).r;
    let (f, m) = loads(&case(false, false), &then);
    assert!((f + 1e6 * r).norm() < 1e-8 && m.norm() < 1e-8, "1: {f} {m}");
    let (f, m) = loads(&case(false, true), &then);
    assert!((f - Vector3::new(-1e3, -2e3, 3e3)).norm() < 1e-8 && m.norm() < 1e-8, "2: {f} {m}");
    let (f, m) = loads(&case(true, false), &then);
    assert!((f + 1e6 * r).norm() < 1e-8 && m.norm() > 1e3, "3: {f} {m}");
    let (f, m) = loads(&case(true, true), &then);
    assert!((f - Vector3::new(-1e3, -2e3, 3e3)).norm() < 1e-8 && m.norm() < 1e-8, "4: {f} {m}");
    let (f, m) = loads(&case(true, true), &start);
    assert!(f.norm() < 1e-9 && m.norm() < 1e-9, "no load where it gripped: {f} {m}");
}

#[test]
fn angles_are_kept_or_reset_when_gripping_in_place() {
    let fmu = with_cardan_angles();
    let mut start = pose();
    start[1] = Vector3::zeros();
    start[5] = Vector3::new(0.0, 0.0, 0.3);
    let mut then = start;
    then[5].z = 0.35;
    for (reset_to_zero, expected) in [(false, -0.05), (true, -0.35)] {
        let data = Data { use_moment: true, use_in_place: true, reset_to_zero, ..DEFAULTS };
        let row = held(&fmu, &data, &start, &then);
        assert!((row.loads[5] - 1e4 * expected).abs() < 1e-9, "{row:?}");
        assert!(row.loads[..3].iter().all(|f| f.abs() < 1e-9), "the position is kept in both: {row:?}");
    }
}

#[test]
fn offsets_are_captured_at_each_switching_on() {
    let fmu = Fmu::new("gripper", &["useInPlace=true", "T=0"]);
    let instance = fmu.instance();
    let force_at = |x: f64, active: f64, time: f64| {
        assert_eq!(instance.set("frame_b.r_0", &[x, 0.0, 0.0]), Status::Ok);
        assert_eq!(instance.set("active", &[active]), Status::Ok);
        instance.step(time, 1.0);
        let shown = instance.get("frame_a.f")[0];
        assert_eq!(instance.get("frame_b.f")[0], -shown);
        shown
    };
    instance.set("frame_b.r_0", &[0.1, 0.0, 0.0]);
    instance.set("active", &[1.0]);
    instance.initialise();
    assert_eq!(instance.get("frame_a.f")[0], 0.0, "captured at the initialisation");
    assert!((force_at(0.11, 1.0, 0.0) + 1e4).abs() < 1e-8);
    assert_eq!(force_at(0.2, 0.0, 1.0), 0.0, "off");
    assert_eq!(force_at(0.3, 1.0, 2.0), 0.0, "captured anew");
    assert!((force_at(0.31, 1.0, 3.0) + 1e4).abs() < 1e-8);
}

#[test]
fn the_orientation_may_be_a_matrix() {
    let cardan = with_cardan_angles();
    let data = Data { use_moment: true, ..DEFAULTS };
    let expected = held(&cardan, &data, &pose(), &pose());
    let fmu = Fmu::new("gripper", &["useMoment=true"]);
    let instance = fmu.instance();
    let pose = pose();
    for (frame, i) in [("frame_a", 0), ("frame_b", 4)] {
        assert_eq!(instance.set(&format!("{frame}.r_0"), pose[i].as_slice()), Status::Ok);
        let by_rows = matrix(&pose[i + 1]).transpose();
        assert_eq!(instance.set(&format!("{frame}.R.T"), by_rows.as_slice()), Status::Ok);
    }
    instance.set("active", &[1.0]);
    instance.initialise();
    let found =
        ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t", "lossPower"].map(|name| instance.get(name)).concat();
    for (found, expected) in found.iter().zip(&expected.loads) {
        assert!((found - expected).abs() < 1e-12 * 5e4, "{found} {expected}");
    }
}

/// Without springs, the power through the frames equals that of the dampers.
#[test]
fn forces_moments_and_power_balance_in_a_ramp() {
    let fmu = with_cardan_angles();
    let mut runner = TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
    let run = |(data, motion): (Data, Motion)| {
        let data = Data { stiffness: 0.0, angular_stiffness: 0.0, ..data };
        let schedule = Schedule { ramp: 3.5 * motion.h, active: false, changes: vec![0.0] };
        let gripper = Gripper::new(fmu.instance());
        for (row, point) in gripper.run(&data, &motion, &schedule, 1).iter().zip(&motion.points[1..]) {
            let [a, b] = frames(point);
            let [f_a, t_a, f_b, t_b] = [0, 3, 6, 9].map(|i| vector(&row.loads[i..i + 3]));
            let (in_world_a, in_world_b) = (a.T.transpose(), b.T.transpose());
            let size = f_a.norm().max(t_a.norm()).max(1.0);
            prop_assert!((in_world_a * f_a + in_world_b * f_b).norm() < 1e-12 * size);
            let about_a = in_world_a * t_a + in_world_b * t_b + (b.r_0 - a.r_0).cross(&(in_world_b * f_b));
            prop_assert!(about_a.norm() < 1e-12 * size);
            let power = f_a.dot(&(a.T * a.v_0)) + f_b.dot(&(b.T * b.v_0)) + t_a.dot(&a.w) + t_b.dot(&b.w);
            prop_assert!((power - row.loads[12]).abs() < 1e-11 * size, "{} is not {}", power, row.loads[12]);
            prop_assert!(row.loads[12] >= 0.0 && row.onoff > 0.0);
        }
        Ok(())
    };
    runner.run(&(data(), motions(4)), run).unwrap();
}
