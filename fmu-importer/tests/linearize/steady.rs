//! Steady states, operating points in motion, and friction.

use crate::{Made, close};

/// A pendulum with a torque rests where m g r cos(phi) = tau.
const PENDULUM: &str = r#"
name = "Pendulum"
outputs = ["joint.phi", "arm.frame_b.r_0[1]"]
[parts.world]
type = "World"
[parts.joint]
type = "Revolute"
phi = { start = -1.4, initial = "enforce" }
frame_a = "world.frame_b"
[parts.motor]
type = "Torque"
tau = 2.0
flange = "joint.axis"
[parts.arm]
type = "BodyShape"
r = [0.5, 0, 0]
r_CM = [0.5, 0, 0]
m = 1.0
I_33 = 0.01
frame_a = "joint.frame_b"
"#;

#[test]
fn a_pendulum_rests_where_the_torques_are_equal() {
    let made = Made::system(PENDULUM);
    let (torque, weight): (f64, f64) = (2.0, 9.80665 * 0.5);
    let linear = made.linear(&["--trim"]);
    let phi = -(torque / weight).acos();
    assert!(close(linear.value("joint.phi"), phi, 1e-10), "{}", linear.value("joint.phi"));
    let omega = (-weight * phi.sin() / (0.25 + 0.01)).sqrt();
    assert!(close(linear.numbers("frequency")[0], omega / std::f64::consts::TAU, 1e-9), "{}", linear.said);
    assert!(linear.said.starts_with("Pendulum at a steady state near 0 s: 2 states, 1 input, 2 outputs\n"));
    // The torque that holds it where it is.
    let linear = made.linear(&["--trim", "--free", "motor.tau"]);
    assert!(close(linear.value("motor.tau"), weight * 1.4_f64.cos(), 1e-10), "{}", linear.said);
    assert_eq!(linear.value("joint.phi"), -1.4);
    // Both, so that its end is at a place.
    let free = "joint.phi,motor.tau";
    let linear = made.linear(&["--trim", "--free", free, "--target", "arm.frame_b.r_0[1]=0.3"]);
    assert!(close(linear.value("joint.phi"), -(0.6_f64).acos(), 1e-10), "{}", linear.said);
    assert!(close(linear.value("motor.tau"), weight * 0.6, 1e-10), "{}", linear.said);
}

#[test]
fn what_a_steady_state_leaves_open_is_named() {
    let text = crate::chain(2, false, 1e4, 5.0);
    let text = text.replacen("m = 2.0\n", "m = 2.0\ns = { start = 0.3, initial = \"enforce\" }\n", 1);
    let linear = Made::system(&text).linear(&["--trim"]);
    let open = "not determined by the steady state: m1.s, m2.s are as near to the start as can be";
    assert!(linear.said.contains(open), "{}", linear.said);
    assert_eq!(linear.json["undetermined"], serde_json::json!(["m1.s", "m2.s"]));
    let [one, two] = ["m1.s", "m2.s"].map(|name| linear.value(name));
    assert!((one - two).abs() < 1e-12 && (0.0..=0.3).contains(&one), "{one} {two}");
}

/// A wheel on a shaft with constant torque and damping: its speed is steady, its angle is not.
#[test]
fn states_that_move_in_a_steady_motion_are_left_out() {
    let text = r#"
name = "Shaft"
outputs = ["wheel.w"]
[parts.motor]
type = "Torque"
tau = 6.0
flange = "wheel.flange_a"
[parts.wheel]
type = "Inertia"
J = 0.5
[parts.oil]
type = "Damper"
d = 0.2
flange_a = "wheel.flange_b"
flange_b = "housing.flange"
[parts.housing]
type = "Fixed"
"#;
    let made = Made::system(text);
    let linear = made.linear(&["--trim", "--free", "wheel.w", "--steady", "wheel.w"]);
    assert!(close(linear.value("wheel.w"), 30.0, 1e-12), "{}", linear.said);
    assert!(close(linear.numbers("time_constant")[1], 2.5, 1e-12), "{}", linear.said);
    // A simulation of many time constants reaches this speed, too.
    let linear = made.linear(&["--time", "60"]);
    assert!(close(linear.value("wheel.w"), 30.0, 1e-6), "{}", linear.said);
    assert!(linear.said.contains("not a steady state: wheel.phi changes"), "{}", linear.said);
    assert_eq!(linear.json["time"], 60.0);
}

#[test]
fn elements_that_hold_are_told_and_their_motions_are_no_modes() {
    let made = Made::example("gear-shift.toml");
    let at_rest = made.linear(&[]);
    assert!(at_rest.said.contains("brake.mode = 0 (Stuck), brake.locked = true"), "{}", at_rest.said);
    let sentence = "stuck: brake holds 1 relative motion, which is not among the modes\n";
    assert!(at_rest.said.contains(sentence), "{}", at_rest.said);
    assert_eq!(at_rest.json["held"], serde_json::json!(["brake"]));
    assert_eq!(at_rest.modes("kind"), ["rigid body"]);
    let released = made.linear(&["--set", "brake.f_normalized=0"]);
    assert!(released.said.contains("brake.mode = 2 (Free), brake.locked = false"), "{}", released.said);
    assert!(!released.said.contains("stuck: "), "{}", released.said);
    assert_eq!(released.modes("kind"), ["rigid body", "rigid body"]);
}

#[test]
fn a_mode_of_a_mechanism_is_animated() {
    let made = Made::example("engine-mount.toml");
    let [page, picture] = ["mode.html", "mode.svg"].map(|name| made.path(name));
    for file in [&page, &picture] {
        let linear = made.linear(&["--trim", "--mode", "1", "--animate", file]);
        assert!(linear.said.ends_with(&format!("{file}\n")), "{}", linear.said);
    }
    let message = crate::refused(&made.file, &["--mode", "1", "--animate", &picture, "--scale", "2"]);
    assert_eq!(message, "--scale must be a part of the size of the mechanism, above 0 and at most 1, not 2");
    let page = fs_err::read_to_string(page).unwrap();
    let (_, data) = page.split_once("{\"bodies\"").unwrap();
    let data = format!("{{\"bodies\"{data}");
    let data = serde_json::Deserializer::from_str(&data).into_iter::<serde_json::Value>().next().unwrap().unwrap();
    let radius = data["radius"].as_f64().unwrap();
    let mut largest: f64 = 0.0;
    for body in data["bodies"].as_array().unwrap() {
        let places: Vec<Vec<f64>> = serde_json::from_value(body["places"].clone()).unwrap();
        // A period ends as it began, and half of it is the other way.
        assert_eq!((places.len(), places.first()), (61, places.last()));
        let ends = |place: &[f64]| [9, 10, 11].map(|at| [place[at], place[at] + place[at - 9]]);
        let [one, other] = [&places[0], &places[30]].map(|place| ends(place));
        for end in 0..2 {
            let distance: f64 = (0..3).map(|axis| (one[axis][end] - other[axis][end]).powi(2)).sum();
            largest = largest.max(distance.sqrt() / 2.0);
        }
    }
    assert!(close(largest, 0.1 * radius, 0.05), "{largest} of {radius}");
}
