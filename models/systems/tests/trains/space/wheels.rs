//! Wheels that roll: closed forms, energy, the motion of the contact, a published trajectory, derivatives and messages.

use std::f64::consts::PI;

use fmu_runtime::Trial;
use nalgebra::{Matrix3, Rotation3, Vector3};

use super::derivatives::{by_inputs, by_parameters};
use super::joints::vector;
use super::refused::message;
use crate::fixture::{INTERFACES, published, train};

/// Returns the rotation from the wheel to the world frame.
fn rotation(train: &mut Trial) -> Matrix3<f64> {
    let [x, y, z, s] = [1, 2, 3, 4].map(|k| train.real(&format!("wheel.Q[{k}]")));
    let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(s, x, y, z));
    *q.to_rotation_matrix().matrix()
}

const GROUND: &str = "world World g=9.81 n[2]=0 n[3]=-1\n";

#[test]
fn an_upright_wheel_rolls_on_and_a_push_accelerates_it() {
    // A force at the center moves mass and moment of inertia: a = F / (m + I_axis / radius^2).
    let text = format!(
        "{GROUND}wheel RollingWheel radius=0.4 m=3 I_axis=0.16 I_long=0.2 x_start=0.5 y_start=-1 w_0_start[2]=5
        push WorldForce frame_b=wheel.frame_a force[1]=8"
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for k in 1..=10 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            let x = 0.5 + 2.0 * t + t * t;
            assert!((train.real("wheel.x") - x).abs() < 1e-8 && (train.real("wheel.y") + 1.0).abs() < 1e-12);
            // The ground holds the weight, and turns the wheel: I_axis a / radius^2 against the motion.
            assert!((train.real("wheel.f_n") - 3.0 * 9.81).abs() < 1e-9, "{}", train.real("wheel.f_n"));
            assert!((train.real("wheel.f_wheel_0[1]") + 2.0).abs() < 1e-8, "{}", train.real("wheel.f_wheel_0[1]"));
        }
    }
}

/// A disc that leans by a constant angle rolls along a circle: its speed follows from Euler's equations.
#[test]
fn a_leaning_disc_rolls_along_a_circle() {
    let (radius, m, axial, across) = (0.3_f64, 2.0_f64, 0.09_f64, 0.045_f64);
    // The axis is tilted by `lean` from the plane of the ground; the contact runs along a circle.
    for (lean, precession) in [(0.3_f64, 1.7_f64), (0.6, -2.6)] {
        // w = spin y + precession n, with n = y sin(lean) + u cos(lean). Moments about the contact give, with p and
        // l = spin + p sin(lean), the whole rate about the axis:
        // (axial + m R^2) l p cos(lean) - across p^2 sin(lean) cos(lean) = -m g R sin(lean)
        let (sin, cos) = lean.sin_cos();
        let p = precession;
        let l = (across * p * p * sin * cos - m * 9.81 * radius * sin) / ((axial + m * radius * radius) * p * cos);
        let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), lean);
        let y = turn * Vector3::y();
        let w = y * (l - p * sin) + Vector3::z() * p;
        let text = format!(
            "{GROUND}wheel RollingWheel radius={radius:?} m={m:?} I_axis={axial:?} I_long={across:?} angles_start[1]={lean:?} \
             w_0_start[1]={:?} w_0_start[2]={:?} w_0_start[3]={:?}",
            w.x, w.y, w.z
        );
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            train.set_tolerance(1e-10);
            let height = radius * cos;
            for k in 1..=6 {
                train.step(0.1);
                let axis = rotation(&mut train) * Vector3::y();
                assert!((axis.z - sin).abs() < 1e-7, "{interface:?} it leans on at {k}: {} {sin}", axis.z);
                let expected = Rotation3::from_axis_angle(&Vector3::z_axis(), p * 0.1 * f64::from(k)) * y;
                assert!((axis - expected).norm() < 1e-6, "{axis} {expected}");
                assert!((train.real("wheel.f_n") - m * 9.81).abs() < 1e-6, "{height}");
            }
        }
    }
}

/// MSL's start, and an oblique one.
fn starts() -> [String; 2] {
    let wheel = "wheel RollingWheel radius=0.3 m=2 I_axis=0.06 I_long=0.12";
    [
        format!("{GROUND}{wheel} x_start=0.2 y_start=0.2 w_0_start[1]=1 w_0_start[2]=5"),
        format!(
            "{GROUND}{wheel} angles_start[1]=0.2 angles_start[2]=0.7 w_0_start[1]=0.3 w_0_start[2]=-8.9 w_0_start[3]=-1.2"
        ),
    ]
}

#[test]
fn a_rolling_wheel_keeps_its_energy_and_its_contact_at_rest() {
    for text in starts() {
        let mut train = train(INTERFACES[0], &text);
        train.set_tolerance(1e-11);
        let energy = |train: &mut Trial| {
            let turn = rotation(train);
            let w = vector(train, "wheel.w_a");
            let y = turn * Vector3::y();
            // The lowest point of the rim.
            let along = Vector3::z().cross(&y).normalize();
            let contact = along.cross(&y) * 0.3;
            let v = contact.cross(&(turn * w));
            assert!((train.real("wheel.der_x") - v.x).abs() + (train.real("wheel.der_y") - v.y).abs() < 1e-12);
            0.5 * w.dot(&Vector3::new(0.12 * w.x, 0.06 * w.y, 0.12 * w.z)) + v.norm_squared() - 2.0 * 9.81 * contact.z
        };
        let begin = energy(&mut train);
        for _ in 0..40 {
            train.step(0.1);
            let now = energy(&mut train);
            assert!((now - begin).abs() < 1e-8 * begin, "{now} {begin}");
        }
    }
}

/// The published states are angles about z, y and x, of which the second one is singular at 90 degrees: so orientations are
/// compared.
#[test]
fn a_rolling_wheel_moves_as_published() {
    let Some(rows) = published("MultiBody.RollingWheel") else { return };
    let [text, _] = starts();
    for (interface, every) in [(INTERFACES[0], 1), (INTERFACES[0], 10), (INTERFACES[1], 1)] {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-9);
        let mut time = 0.0;
        // Later the data lose accuracy, each time that the second angle passes 90 degrees.
        for row in rows.iter().step_by(every).filter(|row| (0.0..1.5).contains(&row[0])) {
            if row[0] <= time {
                continue;
            }
            train.step(row[0] - time);
            time = row[0];
            let about = |axis, angle| Rotation3::from_axis_angle(&axis, angle);
            let turn =
                about(Vector3::z_axis(), row[1]) * about(Vector3::y_axis(), row[2]) * about(Vector3::x_axis(), row[3]);
            let found = rotation(&mut train);
            assert!((found - turn.matrix()).amax() < 1e-3, "{interface:?} at {time}: {found} {turn}");
            let place = [train.real("wheel.x") - row[7], train.real("wheel.y") - row[8]];
            assert!(place[0].hypot(place[1]) < 1e-3, "{interface:?} at {time}: {place:?}");
        }
    }
}

#[test]
fn derivatives_of_a_wheel_with_a_load_are_those_of_differences() {
    let text = format!(
        "{}\nfork Revolute frame_a=wheel.frame_a n[2]=1 n[3]=0 w_start=-2
        rider BodyShape frame_a=fork.frame_b r[1]=0.2 r_CM[3]=0.1 m=1 I_11=0.02 I_22=0.03 I_33=0.02
        push WorldForce frame_b=rider.frame_b force[1]=1 force[2]=2",
        starts()[1]
    );
    let outputs = [
        "wheel.z_a[1]", "wheel.z_a[2]", "wheel.z_a[3]", "fork.a", "wheel.der_x", "wheel.f_n", "wheel.f_lat",
        "wheel.f_long",
    ];
    let mut train = train(INTERFACES[1], &text);
    train.step(0.1);
    by_inputs(&mut train, &["push.force[1]", "push.force[2]"], &outputs);
    let parameters = ["wheel.radius", "wheel.I_long", "wheel.angles_start[1]", "wheel.w_0_start[3]", "rider.m"];
    by_parameters(&text, &parameters, &outputs);
}

#[test]
fn a_wheel_that_falls_over_ends_the_run() {
    let text = format!("{GROUND}wheel RollingWheel angles_start[1]=0.2");
    let found = message(|| {
        let mut train = train(INTERFACES[0], &text);
        (0..30).for_each(|_| train.step(0.05));
    });
    let expected = "\"wheel\": the wheel lies nearly on the ground, 8.";
    assert!(found.contains(expected), "{found}");
    assert!(found.contains("degrees from it, where it has no direction; something must hold it, at 0."), "{found}");
    let found = message(|| {
        train(INTERFACES[0], &format!("{GROUND}wheel RollingWheel radius=0")).real("wheel.x");
    });
    assert!(found.contains("wheel.radius is 0, but must be positive"), "{found}");
}

const SET: &str =
    "set RollingWheelSet R_wheel=0.1 m_wheel=0.5 I_wheelAxis=0.01 I_wheelLong=0.02 track=0.5 x_start=1 phi_start=0.3";

#[test]
fn a_wheel_set_rolls_along_a_circle() {
    let text = format!(
        "{GROUND}{SET} der_theta1_start=10 der_theta2_start=16
        hull Body frame_a=set.frameMiddle r_CM[3]=0.1 m=4 I_11=0.1 I_22=0.1 I_33=0.2"
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        // 1.3 m/s and 1.2 rad/s; the center of mass is above the middle.
        let (v, w) = (1.3, 1.2);
        for k in 1..=10 {
            train.step(0.2);
            let t = 0.2 * f64::from(k);
            let phi = 0.3 + w * t;
            let expected = [
                ("set.phi", phi),
                ("set.x", 1.0 + v / w * (phi.sin() - 0.3_f64.sin())),
                ("set.y", v / w * (0.3_f64.cos() - phi.cos())),
                ("set.theta1", 10.0 * t),
                ("set.theta2", 16.0 * t),
                ("set.der_phi", w),
                ("hull.v_0[1]", v * phi.cos()),
            ];
            for (name, expected) in expected {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-8, "{interface:?} {name} at {t}: {found} {expected}");
            }
        }
    }
}

/// Torques at both axes: speed and turning follow from the kinetic energy.
#[test]
fn torques_drive_and_turn_a_wheel_set() {
    let text = format!(
        "{GROUND}{SET}
        hull Body frame_a=set.frameMiddle m=4 I_33=0.2
        left Torque flange=set.axis1 tau=0.6 useSupport=true support=set.support
        right Torque flange=set.axis2 tau=0.2"
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        // v = R (w1 + w2) / 2, turning = R (w2 - w1) / track; each wheel moves with its center, too.
        let mass = 5.0 + 2.0 * 0.01 / 0.01;
        let moment = 0.2 + 2.0 * (0.02 + 0.5 * 0.0625) + 2.0 * 0.01 * 0.0625 / 0.01;
        let (a, z) = ((0.6 + 0.2) / 0.1 / mass, (0.2 - 0.6) * 0.25 / 0.1 / moment);
        let [z1, z2] = [-1.0, 1.0].map(|side| (a + side * z * 0.25) / 0.1);
        for k in 1..=5 {
            train.step(0.2);
            let t = 0.2 * f64::from(k);
            for (name, expected) in [("set.der_theta1", z1 * t), ("set.der_theta2", z2 * t), ("set.der2_theta1", z1)] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-8 * expected.abs(), "{interface:?} {name}: {found} {expected}");
            }
        }
    }
}

/// A center of mass ahead of the axle exchanges speed and turning, but no energy is lost.
#[test]
fn a_wheel_set_keeps_its_energy() {
    let text = format!(
        "{GROUND}{SET} der_theta1_start=10 der_theta2_start=20
        hull Body frame_a=set.frameMiddle r_CM[1]=0.3 r_CM[2]=0.1 m=4 I_33=0.2"
    );
    let mut train = train(INTERFACES[0], &text);
    train.set_tolerance(1e-11);
    let mut largest: f64 = 0.0;
    let mut energy = |train: &mut Trial| {
        let [phi, turning] = ["set.phi", "set.der_phi"].map(|name| train.real(name));
        let [one, two] = ["set.der_theta1", "set.der_theta2"].map(|name| train.real(name));
        let v = Vector3::new(train.real("set.der_x"), train.real("set.der_y"), 0.0);
        let at = |x: f64, y: f64| {
            let r = Rotation3::from_axis_angle(&Vector3::z_axis(), phi) * Vector3::new(x, y, 0.0);
            (v + Vector3::z().cross(&r) * turning).norm_squared()
        };
        let along = v.dot(&Vector3::new(phi.cos(), phi.sin(), 0.0));
        largest = largest.max((along - 1.5).abs());
        0.5 * (4.0 * at(0.3, 0.1) + 0.5 * (at(0.0, 0.25) + at(0.0, -0.25)) + 0.01 * (one * one + two * two))
            + 0.5 * (0.2 + 0.04) * turning * turning
    };
    let begin = energy(&mut train);
    for _ in 0..30 {
        train.step(0.1);
        let now = energy(&mut train);
        assert!((now - begin).abs() < 1e-9 * begin, "{now} {begin}");
    }
    assert!(largest > 0.05, "{largest}");
}

#[test]
fn derivatives_of_a_wheel_set_are_those_of_differences() {
    let text = format!(
        "{GROUND}{SET} der_theta1_start=10 der_theta2_start=20 theta1_start={:?}
        hull Body frame_a=set.frameMiddle r_CM[1]=0.3 r_CM[2]=0.1 m=4 I_33=0.2
        rim Body frame_a=set.frame1 r_CM[1]=0.08 m=0.3
        push WorldForce frame_b=hull.frame_a force[1]=1 force[2]=2
        motor Torque flange=set.axis2 tau=0.5",
        PI / 3.0
    );
    let outputs = ["set.der2_theta1", "set.der2_theta2", "set.der_x", "set.der_phi", "rim.a_0[3]", "hull.a_0[2]"];
    let mut train = train(INTERFACES[1], &text);
    train.step(0.1);
    by_inputs(&mut train, &["push.force[1]", "motor.tau"], &outputs);
    let parameters =
        ["set.R_wheel", "set.track", "set.I_wheelAxis", "set.phi_start", "set.der_theta1_start", "set.theta1_start"];
    by_parameters(&text, &parameters, &outputs);
}

#[test]
fn a_wheel_set_needs_sizes() {
    for name in ["R_wheel", "track"] {
        let found = message(|| {
            train(INTERFACES[0], &format!("{GROUND}set RollingWheelSet {name}=0")).real("set.x");
        });
        assert!(found.contains(&format!("set.{name} is 0, but must be positive")), "{found}");
    }
}

/// A disc that joints hold upright: torques about its axis and about the vertical turn it independently of each other.
#[test]
fn an_upright_disc_rolls_along_a_spiral() {
    let (radius, m) = (0.4, 3.0);
    let text = format!(
        "{GROUND}plane Planar frame_a=world.frame_b v_x_start=2 w_start=-0.5
        spin Revolute n[1]=0 n[2]=1 n[3]=0 w_start=5 frame_a=plane.frame_b
        disc Body m={m:?} I_11=0.2 I_22=0.16 I_33=0.2 frame_a=spin.frame_b
        rolling RollingConstraintVerticalWheel radius={radius:?} frame_a=spin.frame_b
        motor Torque flange=spin.axis tau=0.8
        twist WorldTorque frame_b=plane.frame_b torque[3]=0.3"
    );
    let spin = |t: f64| 5.0 + 0.8 / (0.16 + m * radius * radius) * t;
    let turn = |t: f64| -0.5 * t + 0.5 * 0.3 / 0.2 * t * t;
    // By Simpson's rule.
    let place = |t: f64| {
        let (count, mut sum) = (400, [0.0; 2]);
        for k in 0..=count {
            let at = t * f64::from(k) / f64::from(count);
            let weight = if k == 0 || k == count { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
            let (sin, cos) = turn(at).sin_cos();
            sum[0] += weight * radius * spin(at) * cos;
            sum[1] += weight * radius * spin(at) * sin;
        }
        sum.map(|sum| sum * t / (3.0 * f64::from(count)))
    };
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for k in 1..=20 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            let [x, y] = place(t);
            let rate = 0.3 / 0.2 * t - 0.5;
            let expected = [
                ("spin.w", spin(t)),
                ("plane.phi", turn(t)),
                ("plane.s_x", x),
                ("plane.s_y", y),
                ("rolling.f_long", m * radius * (spin(1.0) - spin(0.0))),
                ("rolling.f_lat", m * radius * spin(t) * rate),
                ("rolling.frame_a.f[2]", -m * radius * spin(t) * rate),
            ];
            for (name, expected) in expected {
                let found = train.real(name);
                assert!((found - expected).abs() < 2e-7, "{interface:?} {name} at {t}: {found} {expected}");
            }
        }
    }
}

const CART: &str = "lift FixedTranslation r[3]=0.1 frame_a=world.frame_b
    plane Planar frame_a=lift.frame_b phi_start=0.3
    left FixedTranslation r[1]=0 r[2]=0.2 frame_a=plane.frame_b
    right FixedTranslation r[1]=0 r[2]=-0.2 frame_a=plane.frame_b
    one Revolute n[1]=0 n[2]=1 n[3]=0 frame_a=left.frame_b
    other Revolute n[1]=0 n[2]=1 n[3]=0 frame_a=right.frame_b
    tyre Body m=0.5 I_11=0.02 I_22=0.01 I_33=0.02 frame_a=one.frame_b
    wheel Body m=0.5 I_11=0.02 I_22=0.01 I_33=0.02 frame_a=other.frame_b
    grip RollingConstraintVerticalWheel radius=0.1 frame_a=one.frame_b
    rolls RollingConstraintVerticalWheel radius=0.1 lateralSlidingConstraint=false frame_a=other.frame_b
    hull Body m=5 r_CM[1]=0.1 I_33=0.2 frame_a=plane.frame_b
    motor Torque flange=one.axis tau=0.3
    brake Torque flange=other.axis tau=-0.1";

#[test]
fn two_upright_wheels_roll_as_a_wheel_set() {
    let set = "set RollingWheelSet R_wheel=0.1 m_wheel=0.5 I_wheelAxis=0.01 I_wheelLong=0.02 track=0.4 phi_start=0.3
        hull Body m=5 r_CM[1]=0.1 I_33=0.2 frame_a=set.frameMiddle
        motor Torque flange=set.axis1 tau=0.3
        brake Torque flange=set.axis2 tau=-0.1";
    let names = [
        ["plane.s_x", "set.x"],
        ["plane.s_y", "set.y"],
        ["plane.phi", "set.phi"],
        ["one.phi", "set.theta1"],
        ["other.phi", "set.theta2"],
        ["hull.a_0[2]", "hull.a_0[2]"],
    ];
    for interface in INTERFACES {
        let mut both = [CART, set].map(|text| train(interface, &format!("{GROUND}{text}")));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-10));
        for k in 1..=20 {
            both.iter_mut().for_each(|train| train.step(0.1));
            for [ours, sets] in names {
                let [found, expected] = [both[0].real(ours), both[1].real(sets)];
                assert!((found - expected).abs() < 2e-7 * expected.abs().max(1.0), "{ours} at {k}: {found} {expected}");
            }
        }
    }
}

/// A tricycle whose steering is held turns about a point on its rear axle's line, with the inertia of all that moves with its
/// driven front wheel.
#[test]
fn a_tricycle_drives_along_a_circle() {
    let [length, half, radius, steering, tau] = [1.1, 0.3, 0.25, 0.4_f64, 6.0];
    let text = format!(
        "{GROUND}plane Planar frame_a=world.frame_b
        hull Body m=40 r_CM[1]=0.5 I_33=3 frame_a=plane.frame_b
        head FixedTranslation r[1]={length:?} frame_a=plane.frame_b
        fork Revolute frame_a=head.frame_b
        hand Fixed phi0={steering:?} flange=fork.axis
        front Revolute n[1]=0 n[2]=1 n[3]=0 frame_a=fork.frame_b
        wheel Body m=2 I_11=0.05 I_22=0.09 I_33=0.05 frame_a=front.frame_b
        grip RollingConstraintVerticalWheel radius={radius:?} frame_a=front.frame_b
        pedals Torque flange=front.axis tau={tau:?}\n"
    ) + &["left", "right"]
        .map(|side| {
            let (y, is_lateral) = if side == "left" { (half, true) } else { (-half, false) };
            format!(
                "{side}_end FixedTranslation r[1]=0 r[2]={y:?} frame_a=plane.frame_b
                {side} Revolute n[1]=0 n[2]=1 n[3]=0 frame_a={side}_end.frame_b
                {side}_wheel Body m=2 I_11=0.05 I_22=0.09 I_33=0.05 frame_a={side}.frame_b
                {side}_grip RollingConstraintVerticalWheel radius={radius:?} lateralSlidingConstraint={is_lateral} \
                    frame_a={side}.frame_b\n"
            )
        })
        .concat();
    // Speeds by the angular velocity of the front wheel: of the hull's turn, the middle of the axle, and its ends.
    let turn = radius * steering.sin() / length;
    let middle = radius * steering.cos();
    let ends = [middle - half * turn, middle + half * turn];
    let inertia = 40.0 * (middle * middle + (0.5 * turn).powi(2))
        + (3.0 + 3.0 * 0.05) * turn * turn
        + 2.0 * radius * radius
        + 0.09
        + ends.map(|v| (2.0 + 0.09 / (radius * radius)) * v * v).iter().sum::<f64>();
    let circle = length / steering.tan();
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for k in 1..=20 {
            train.step(0.2);
            let t = 0.2 * f64::from(k);
            let (w, way) = (tau / inertia * t, 0.5 * tau / inertia * t * t);
            let (sin, cos) = (turn * way).sin_cos();
            let expected = [
                ("front.w", w),
                ("front.phi", way),
                ("plane.phi", turn * way),
                ("plane.s_x", circle * sin),
                ("plane.s_y", circle * (1.0 - cos)),
                ("right.w", ends[1] / radius * w),
            ];
            for (name, expected) in expected {
                let found = train.real(name);
                assert!(
                    (found - expected).abs() < 2e-7 * expected.abs().max(1.0),
                    "{interface:?} {name} at {t}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn derivatives_of_upright_wheels_are_those_of_differences() {
    let text = format!("{GROUND}{CART}");
    let outputs = ["one.a", "plane.a_y", "grip.f_lat", "rolls.f_long", "hull.a_0[1]"];
    let mut moving = train(INTERFACES[1], &text);
    moving.step(0.5);
    by_inputs(&mut moving, &["motor.tau", "brake.tau"], &outputs);
    by_parameters(&text, &["grip.radius", "hull.m", "one.w_start"], &outputs);
}

#[test]
fn an_upright_wheel_needs_a_radius() {
    let text = CART.replacen("radius=0.1", "radius=0", 1);
    let found = message(|| {
        train(INTERFACES[0], &format!("{GROUND}{text}")).real("one.phi");
    });
    assert!(found.contains("grip.radius is 0, but must be positive"), "{found}");
}
