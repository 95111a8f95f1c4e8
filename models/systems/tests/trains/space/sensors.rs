//! Sensors of frames: motions against differences of others, loads against those of joints and against the motion.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use nalgebra::{Matrix3, Rotation3, Vector3};

use super::refused::message;
use crate::fixture::{INTERFACES, free, train};

const G: f64 = 9.80665;

fn vector(train: &mut Trial, name: &str) -> Vector3<f64> {
    Vector3::from_fn(|i, _| train.real(&format!("{name}[{}]", i + 1)))
}

/// Two bodies that fly freely, with points on their axes.
fn bodies() -> String {
    let points = |name: &str| {
        let point = |i: usize| {
            format!(
                "{name}{i} FixedTranslation frame_a={name}.frame_a r[{i}]=1\nat_{name}{i} AbsolutePosition resolveInFrame=world frame_a={name}{i}.frame_b\n"
            )
        };
        (1..=3).map(point).collect::<String>()
            + &format!("at_{name} AbsolutePosition resolveInFrame=world frame_a={name}.frame_a\n")
    };
    free("one", "s_start=1 v_start=0.3;s_start=-0.5;s_start=0.2;w_start=1 phi_start=0.3;w_start=0.7;w_start=-1")
        + &free(
            "two",
            "s_start=-1 v_start=1;s_start=0.3;s_start=-0.6;w_start=-2;phi_start=0.2;phi_start=0.4 w_start=0.5",
        )
        + "world World g=9.81
        a Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25 r_CM[1]=0.2
        b Body frame_a=two_about_z.frame_b m=1 I_11=0.2 I_22=0.15 I_33=0.1 r_CM[2]=0.1
        spring MultiBody.Spring c=30 s_unstretched=0.5 frame_a=a1.frame_b frame_b=b2.frame_b
        turned FixedRotation n[1]=1 n[2]=2 n[3]=0.5 angle=40 r[2]=0.3 frame_a=b.frame_a\n"
        + &points("a")
        + &points("b")
}

/// Origin and axes of a body, which follow from the positions of points, and the motion of another frame with it.
fn pose(train: &mut Trial, body: &str) -> (Vector3<f64>, Matrix3<f64>) {
    let origin = vector(train, &format!("at_{body}.r"));
    let axes = [1, 2, 3].map(|i| vector(train, &format!("at_{body}{i}.r")) - origin);
    (origin, Matrix3::from_rows(&axes.map(|axis| axis.transpose())))
}

fn set_sequence(train: &mut Trial, sensor: &str, axes: [i32; 3]) {
    axes.into_iter().zip(1..).for_each(|(axis, i)| train.set(&format!("{sensor}.sequence[{i}]"), axis));
}

/// Outputs of sensors, and poses of the bodies, at three times that follow each other.
struct Moments {
    h: f64,
    at: Vec<Vec<(String, Vector3<f64>)>>,
    poses: Vec<[(Vector3<f64>, Matrix3<f64>); 2]>,
}

impl Moments {
    fn new(interface: Interface, sensors: &str, sequences: &[(&str, [i32; 3])], vectors: &[&str]) -> Self {
        let mut train = train(interface, &(bodies() + sensors));
        sequences.iter().for_each(|(sensor, axes)| set_sequence(&mut train, sensor, *axes));
        train.set_tolerance(1e-12);
        train.step(0.2);
        let h = 1e-4;
        let (mut at, mut poses) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            at.push(vectors.iter().map(|name| ((*name).to_owned(), vector(&mut train, name))).collect());
            poses.push(["a", "b"].map(|body| pose(&mut train, body)));
            train.step(h);
        }
        Self { h, at, poses }
    }

    fn value(&self, i: usize, name: &str) -> Vector3<f64> {
        self.at[i].iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no {name}")).1
    }

    fn middle(&self, name: &str) -> Vector3<f64> {
        self.value(1, name)
    }

    fn rate(&self, name: &str) -> Vector3<f64> {
        (self.value(2, name) - self.value(0, name)) / (2.0 * self.h)
    }

    /// The angular velocity of a body, resolved in the world frame, at all three times; only the middle one is central.
    fn turning(&self, body: usize) -> Vector3<f64> {
        let rate = (self.poses[2][body].1 - self.poses[0][body].1) / (2.0 * self.h);
        let skew = self.poses[1][body].1.tr_mul(&rate);
        // T = R, R' = -[w] R with w resolved in the body: R^T R' = -[w resolved in the world].
        Vector3::new(skew[(1, 2)], skew[(2, 0)], skew[(0, 1)])
    }
}

fn near(found: &Vector3<f64>, expected: &Vector3<f64>, what: &str) {
    assert!((found - expected).norm() < 3e-5 * (1.0 + expected.norm()), "{what}: {found} {expected}");
}

/// In each frame, the sensors of one frame show what follows from the motion of points.
#[test]
fn motions_of_a_frame_follow_from_positions() {
    for interface in INTERFACES {
        let all = "get_r=true get_v=true get_a=true get_w=true get_z=true frame_a=a.frame_a";
        let sensors = format!(
            "world_ AbsoluteSensor resolveInFrame=world {all}
            own AbsoluteSensor {all}
            other AbsoluteSensor resolveInFrame=frame_resolve frame_resolve=b.frame_a {all}
            r AbsolutePosition frame_a=a.frame_a
            v AbsoluteVelocity resolveInFrame=frame_resolve frame_resolve=b.frame_a frame_a=a.frame_a
            w AbsoluteAngularVelocity frame_a=a.frame_a"
        );
        let kinds = ["r", "v", "a", "w", "z"];
        let names: Vec<_> =
            ["world_", "own", "other"].iter().flat_map(|part| kinds.map(|kind| format!("{part}.{kind}"))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).chain(["r.r", "v.v", "w.w"]).collect();
        let moments = Moments::new(interface, &sensors, &[], &names);
        near(&moments.middle("world_.r"), &moments.poses[1][0].0, "r");
        near(&moments.middle("world_.v"), &moments.rate("world_.r"), "v");
        near(&moments.middle("world_.a"), &moments.rate("world_.v"), "a");
        near(&moments.middle("world_.w"), &moments.turning(0), "w");
        near(&moments.middle("world_.z"), &moments.rate("world_.w"), "z");
        for (part, body) in [("own", 0), ("other", 1)] {
            for kind in kinds {
                let expected = moments.poses[1][body].1 * moments.middle(&format!("world_.{kind}"));
                near(&moments.middle(&format!("{part}.{kind}")), &expected, &format!("{part}.{kind}"));
            }
        }
        for (one, other) in [("r.r", "own.r"), ("v.v", "other.v"), ("w.w", "own.w")] {
            assert_eq!(moments.middle(one), moments.middle(other));
        }
        assert!(moments.middle("own.z").norm() > 0.1 && moments.middle("own.a").norm() > 1.0);
    }
}

/// Relative motions are differentiated as components in one frame, and resolved in another one in the end.
#[test]
fn relative_motions_follow_from_positions() {
    let all = "get_r_rel=true get_v_rel=true get_a_rel=true get_w_rel=true get_z_rel=true frame_a=a.frame_a frame_b=b.frame_a";
    for interface in INTERFACES {
        for (words, frame) in [("", Some(0)), ("resolveInFrame=frame_b", Some(1)), ("resolveInFrame=world", None)] {
            let sensors = format!(
                "s RelativeSensor {words} {all}
                turned_ RelativeSensor {words} resolveInFrameAfterDifferentiation=frame_resolve frame_resolve=b.frame_a {all}
                r RelativePosition {words} frame_a=a.frame_a frame_b=b.frame_a
                v RelativeVelocity {words} frame_a=a.frame_a frame_b=b.frame_a
                w RelativeAngularVelocity {words} frame_a=a.frame_a frame_b=b.frame_a
                own RelativePosition frame_a=a.frame_a frame_b=b.frame_a"
            );
            let kinds = ["r_rel", "v_rel", "a_rel", "w_rel", "z_rel"];
            let names: Vec<_> =
                ["s", "turned_"].iter().flat_map(|part| kinds.map(|kind| format!("{part}.{kind}"))).collect();
            let names: Vec<&str> =
                names.iter().map(String::as_str).chain(["r.r_rel", "v.v_rel", "w.w_rel", "own.r_rel"]).collect();
            let moments = Moments::new(interface, &sensors, &[], &names);
            let [a, b] = moments.poses[1];
            let from = frame.map_or(Matrix3::identity(), |frame: usize| moments.poses[1][frame].1);
            near(&moments.middle("s.r_rel"), &(from * (b.0 - a.0)), "r_rel");
            near(&moments.middle("s.v_rel"), &moments.rate("s.r_rel"), "v_rel");
            near(&moments.middle("s.a_rel"), &moments.rate("s.v_rel"), "a_rel");
            near(&moments.middle("s.w_rel"), &(from * (moments.turning(1) - moments.turning(0))), "w_rel");
            near(&moments.middle("s.z_rel"), &moments.rate("s.w_rel"), "z_rel");
            for kind in ["v_rel", "a_rel", "z_rel"] {
                let expected = b.1 * from.transpose() * moments.middle(&format!("s.{kind}"));
                near(&moments.middle(&format!("turned_.{kind}")), &expected, kind);
            }
            for kind in ["r_rel", "w_rel"] {
                assert_eq!(moments.middle(&format!("turned_.{kind}")), moments.middle(&format!("s.{kind}")));
            }
            assert_eq!(moments.middle("r.r_rel"), moments.middle("s.r_rel"));
            assert_eq!(moments.middle("w.w_rel"), moments.middle("s.w_rel"));
            // That of the components in frame_a, resolved elsewhere.
            near(&moments.middle("v.v_rel"), &(from * a.1.transpose() * moments.rate("own.r_rel")), "v");
        }
    }
}

/// The angles lead to the frame by rotations about the axes one after the other; guessAngle1 selects one of two solutions.
#[test]
fn angles_lead_to_the_frame() {
    let sensors = "one AbsoluteAngles frame_a=a.frame_a
        two AbsoluteAngles frame_a=a.frame_a
        far AbsoluteAngles frame_a=a.frame_a guessAngle1=-3
        both RelativeAngles frame_a=a.frame_a frame_b=b.frame_a
        sensor AbsoluteSensor get_angles=true frame_a=a.frame_a
        relative RelativeSensor get_angles=true frame_a=a.frame_a frame_b=b.frame_a";
    let names = ["one.angles", "two.angles", "far.angles", "both.angles", "sensor.angles", "relative.angles"];
    let moments = Moments::new(INTERFACES[0], sensors, &[("two", [3, 1, 3]), ("both", [2, 3, 1])], &names);
    let [a, b] = moments.poses[1].map(|(_, rotation)| rotation);
    let built = |name: &str, axes: [usize; 3]| {
        let angles = moments.middle(name);
        let turn = |i: usize| {
            let mut axis = Vector3::zeros();
            axis[axes[i] - 1] = 1.0;
            Rotation3::from_scaled_axis(axis * -angles[i]).into_inner()
        };
        turn(2) * turn(1) * turn(0)
    };
    for (name, axes, expected) in [
        ("one.angles", [1, 2, 3], a),
        ("two.angles", [3, 1, 3], a),
        ("far.angles", [1, 2, 3], a),
        ("both.angles", [2, 3, 1], b * a.transpose()),
        ("sensor.angles", [1, 2, 3], a),
        ("relative.angles", [1, 2, 3], b * a.transpose()),
    ] {
        let found = built(name, axes);
        assert!((found - expected).norm() < 1e-10, "{name}: {found} {expected}");
    }
    let [one, far] = ["one.angles", "far.angles"].map(|name| moments.middle(name)[0]);
    assert!(((one - far).abs() - std::f64::consts::PI).abs() < 1e-12 && one.abs() < 1.6 && far < -1.5, "{one} {far}");
}

/// A distance is that of the origins, and near 0 the polynomial of the library.
#[test]
fn a_distance_has_no_kink_at_zero() {
    let sensors =
        "d Distance frame_a=a.frame_a frame_b=b.frame_a\nr RelativePosition frame_a=a.frame_a frame_b=b.frame_a";
    let mut one = train(INTERFACES[0], &(bodies() + sensors));
    one.step(0.3);
    assert!((one.real("d.distance") - vector(&mut one, "r.r_rel").norm()).abs() < 1e-14);
    let text = "world World gravityType=NoGravity
        slide Prismatic frame_a=world.frame_b s_start=0.5
        mass Body frame_a=slide.frame_b m=1 r_CM[1]=0
        d Distance frame_a=world.frame_b frame_b=slide.frame_b s_small=0.01";
    let mut train = train(INTERFACES[1], text);
    for (s, expected) in [
        (0.5, 0.5),
        (-0.3, 0.3),
        (0.01, 0.01),
        (0.005, 0.01 * 0.25 * 2.75 / 2.0),
        (0.0, 0.0),
        (-0.002, 0.01 * 0.04 * 2.96 / 2.0),
    ] {
        train.set_continuous_states(&[s, 0.0]);
        assert!((train.real("d.distance") - expected).abs() < 1e-15, "{s}");
    }
    for s in [0.01 * (1.0 - 1e-9), 0.01 * (1.0 + 1e-9)] {
        train.set_continuous_states(&[s, 0.0]);
        let slope = train.directional_derivative("d.distance", "slide.s");
        assert!((slope - 1.0).abs() < 1e-7, "{slope}");
    }
}

/// A double pendulum with sensors in its joints: the loads are those of the joints, and move the bodies.
fn pendulum(cut: &str) -> String {
    let behind = |joint: &str, sensor: &str| {
        if cut.contains(sensor) { format!("{sensor}.frame_b") } else { format!("{joint}.frame_b") }
    };
    format!(
        "world World g={G}
        hinge Revolute frame_a=world.frame_b phi_start=0.4 w_start=1
        arm BodyShape frame_a={} r[1]=1 r_CM[1]=0.5 m=2 I_11=0.1 I_22=0.1 I_33=0.2
        knee Revolute n[1]=0 n[2]=1 n[3]=1 frame_a=arm.frame_b w_start=-3
        leg Body frame_a={} r_CM[1]=0.4 r_CM[2]=0.1 m=1.5 I_11=0.05 I_22=0.1 I_33=0.12
        {cut}",
        behind("hinge", "first"),
        behind("knee", "second")
    )
}

#[test]
fn cut_loads_are_those_of_joints_and_balance_the_motion() {
    for interface in INTERFACES {
        let cut = "first CutForceAndTorque frame_a=hinge.frame_b
            second CutForceAndTorque frame_a=knee.frame_b
            third CutForce positiveSign_ resolveInFrame=world frame_a=first.frame_a frame_b=mass.frame_a
            mass Body m=0.3 r_CM[1]=0.2 I_11=0.01 I_22=0.01 I_33=0.01
            centre FixedTranslation frame_a=leg.frame_a r[1]=0.4 r[2]=0.1
            at AbsoluteSensor resolveInFrame=world get_a=true frame_a=centre.frame_b
            leg_ AbsoluteSensor get_w=true get_z=true frame_a=leg.frame_a
            down AbsolutePosition frame_a=down_.frame_b resolveInFrame=frame_resolve frame_resolve=leg.frame_a
            down_ MultiBody.Fixed r[2]=-1
            in_world CutForceAndTorque resolveInFrame=world frame_a=tool_joint.frame_b frame_b=tool.frame_a
            tool_joint Revolute frame_a=leg.frame_a w_start=1
            tool Body m=0.2 r_CM[2]=0.3 I_11=0.02 I_22=0.01 I_33=0.015
            in_leg CutTorque resolveInFrame=frame_resolve frame_resolve=leg.frame_a frame_a=other_joint.frame_b frame_b=other.frame_a
            other_joint Revolute frame_a=leg.frame_a w_start=-1
            other Body m=0.1 r_CM[2]=0.2 I_11=0.02 I_22=0.01 I_33=0.015"
            .replace(" positiveSign_", "");
        let text = pendulum(&cut);
        let mut train = train(interface, &text);
        train.set_tolerance(1e-10);
        for _ in 0..8 {
            train.step(0.11);
            // What acts on the sensor acts on the joint with the opposite sign.
            for (sensor, joint) in [("second", "knee"), ("first", "hinge")] {
                for (own, load) in [("force", "f"), ("torque", "t")] {
                    let found = vector(&mut train, &format!("{sensor}.{own}"));
                    let mut expected = -vector(&mut train, &format!("{joint}.frame_b.{load}"));
                    if sensor == "first" {
                        // The mass at the other sensor loads the joint, too.
                        let other = vector(&mut train, "third.force");
                        let (sin, cos) = train.real("hinge.phi").sin_cos();
                        let in_joint =
                            Vector3::new(cos * other.x + sin * other.y, cos * other.y - sin * other.x, other.z);
                        if load == "f" {
                            expected -= in_joint;
                        } else {
                            continue;
                        }
                    }
                    near(&found, &expected, &format!("{sensor}.{own}"));
                }
            }
            // One body alone: m (a - g) moves it.
            let (sin, cos) = train.real("hinge.phi").sin_cos();
            let (w, a) = (train.real("hinge.w"), train.real("hinge.a"));
            let inertial = Vector3::new(-w * w * cos - a * sin, -w * w * sin + a * cos, 0.0) * 0.2 * 0.3;
            near(&vector(&mut train, "third.force"), &(inertial + Vector3::new(0.0, 0.3 * G, 0.0)), "third.force");
        }
    }
}

/// The sign, and the frame in which a load is resolved; a sensor does not change the motion.
#[test]
fn loads_are_resolved_and_signed_as_asked() {
    let sensors = "second CutForceAndTorque frame_a=knee.frame_b";
    let mut plain = train(INTERFACES[0], &pendulum(""));
    let mut own = train(INTERFACES[0], &pendulum(sensors));
    let axes = "at AbsolutePosition resolveInFrame=world frame_a=leg.frame_a
        x FixedTranslation r[1]=1 frame_a=leg.frame_a\nat_x AbsolutePosition resolveInFrame=world frame_a=x.frame_b
        y FixedTranslation r[2]=1 frame_a=leg.frame_a\nat_y AbsolutePosition resolveInFrame=world frame_a=y.frame_b
        z FixedTranslation r[3]=1 frame_a=leg.frame_a\nat_z AbsolutePosition resolveInFrame=world frame_a=z.frame_b";
    let mut world = train(
        INTERFACES[0],
        &pendulum(&format!("second CutForceAndTorque resolveInFrame=world frame_a=knee.frame_b\n{axes}")),
    );
    let mut reversed = train(
        INTERFACES[0],
        &pendulum(
            "second CutForceAndTorque resolveInFrame=frame_resolve frame_resolve=arm.frame_a frame_a=knee.frame_b",
        ),
    );
    let mut other = train(INTERFACES[0], &pendulum(sensors));
    other.set("second.positiveSign", false);
    for _ in 0..6 {
        for train in [&mut plain, &mut own, &mut world, &mut reversed, &mut other] {
            train.step(0.09);
        }
        for name in ["hinge.phi", "knee.phi", "hinge.a", "knee.a"] {
            assert!((plain.real(name) - own.real(name)).abs() < 1e-9, "{name}");
        }
        let origin = vector(&mut world, "at.r");
        let to_leg = Matrix3::from_rows(
            &["at_x.r", "at_y.r", "at_z.r"].map(|name| (vector(&mut world, name) - origin).transpose()),
        );
        let knee = Rotation3::from_scaled_axis(Vector3::new(0.0, 1.0, 1.0).normalize() * own.real("knee.phi"));
        for load in ["second.force", "second.torque"] {
            let found = vector(&mut own, load);
            near(&vector(&mut other, load), &-found, "sign");
            near(&vector(&mut world, load), &to_leg.tr_mul(&found), "world");
            near(&vector(&mut reversed, load), &(knee * found), "frame_resolve");
        }
    }
}

/// The power through a sensor is the rate of the energy behind it, of motion and in the field.
#[test]
fn power_is_the_rate_of_energy() {
    let text = pendulum(
        "second MultiBody.Power frame_a=knee.frame_b
        centre FixedTranslation frame_a=leg.frame_a r[1]=0.4 r[2]=0.1
        at AbsoluteSensor resolveInFrame=world get_r=true get_v=true frame_a=centre.frame_b
        turn AbsoluteAngularVelocity frame_a=leg.frame_a",
    );
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        train.set_tolerance(1e-11);
        let energy = |train: &mut Trial| {
            let (v, w, r) = (vector(train, "at.v"), vector(train, "turn.w"), vector(train, "at.r"));
            0.5 * 1.5 * v.norm_squared() + 0.5 * w.dot(&Vector3::new(0.05 * w.x, 0.1 * w.y, 0.12 * w.z)) + 1.5 * G * r.y
        };
        let h = 2e-3;
        for _ in 0..5 {
            train.step(0.1);
            let before = energy(&mut train);
            train.step(h);
            let power = train.real("second.power");
            train.step(h);
            let rate = (energy(&mut train) - before) / (2.0 * h);
            assert!((power - rate).abs() < 1e-3 * (1.0 + rate.abs()), "{interface:?}: {power} {rate}");
        }
    }
}

/// A force from the measured position is a spring, also in its derivatives.
#[test]
fn a_force_from_a_position_is_a_spring() {
    let carried = free("one", "s_start=1;s_start=0.3 v_start=1;s_start=-0.5;w_start=1;w_start=2;w_start=-1")
        + "world World\nbody Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25\n";
    let controlled = "at AbsolutePosition resolveInFrame=world frame_a=body.frame_a
        x Gain k=-50 u=at.r[1]\ny Gain k=-50 u=at.r[2]\nz Gain k=-50 u=at.r[3]
        pull WorldForce frame_b=body.frame_a force[1]=x.y force[2]=y.y force[3]=z.y";
    let spring = "pull MultiBody.Spring c=50 s_unstretched=0 frame_a=world.frame_b frame_b=body.frame_a";
    for interface in INTERFACES {
        let [mut one, mut other] = [controlled, spring].map(|text| train(interface, &format!("{carried}{text}")));
        for train in [&mut one, &mut other] {
            train.set_tolerance(1e-10);
        }
        for _ in 0..10 {
            for name in ["one_x.s", "one_y.v", "one_z.a", "one_about_y.w"] {
                let (found, expected) = (one.real(name), other.real(name));
                assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{name}: {found} {expected}");
            }
            for (unknown, known) in [("one_x.a", "one_x.s"), ("one_y.a", "one_x.s"), ("one_z.a", "one_about_x.phi")] {
                let [found, expected] =
                    [&mut one, &mut other].map(|train| train.directional_derivative(unknown, known));
                assert!((found - expected).abs() < 1e-9, "{unknown} {known}: {found} {expected}");
            }
            one.step(0.07);
            other.step(0.07);
        }
    }
}

fn refused(text: &str, expected: &str) {
    let found = message(|| {
        train(INTERFACES[0], &pendulum(text)).real("hinge.phi");
    });
    assert!(found.contains(expected), "{text}: {found}");
}

#[test]
fn what_follows_from_accelerations_in_space_cannot_change_them_at_once() {
    let back = |sensor: &str, output: &str| {
        format!("{sensor}\nback Gain k=-1 u=sensor.{output}\npush WorldForce frame_b=leg.frame_a force[1]=back.y")
    };
    for (sensor, output) in [
        ("sensor AbsoluteSensor get_a=true frame_a=leg.frame_a", "a[1]"),
        ("sensor RelativeSensor get_z_rel=true frame_a=leg.frame_a frame_b=world.frame_b", "z_rel[3]"),
        ("sensor CutForce frame_a=leg.frame_a frame_b=tip.frame_a\ntip Body m=0.1", "force[2]"),
        ("sensor MultiBody.Power frame_a=leg.frame_a frame_b=tip.frame_a\ntip Body m=0.1", "power"),
    ] {
        refused(
            &back(sensor, output),
            "push.force[1] = \"back.y\": the signals sensor -> back -> push go round in a circle, since what \"sensor\" measures \
             follows from accelerations, which \"push\" changes at once: put a block with a state into it, such as a FirstOrder, or \
             measure positions or velocities",
        );
    }
    // Positions and velocities are known before.
    let text = back("sensor AbsoluteSensor get_r=true get_v=true get_w=true frame_a=leg.frame_a", "v[1]");
    let mut train = train(INTERFACES[0], &pendulum(&text));
    train.step(0.1);
    assert!(train.real("push.force[1]") == -train.real("sensor.v[1]"));
}

#[test]
fn sensors_that_measure_nothing_are_refused() {
    refused(
        "sensor AbsoluteSensor frame_a=leg.frame_a",
        "sensor.get_r is false, and so are get_v, get_a, get_angles, get_w, get_z: with none of them the sensor measures nothing, \
         so set one to true",
    );
    refused(
        "sensor RelativeSensor frame_a=leg.frame_a frame_b=world.frame_b",
        "sensor.get_r_rel is false, and so are get_v_rel, ",
    );
    let found = message(|| {
        let mut train = train(INTERFACES[0], &pendulum("sensor AbsoluteAngles frame_a=leg.frame_a"));
        set_sequence(&mut train, "sensor", [2, 2, 3]);
        train.real("hinge.phi");
    });
    let expected = "sensor.sequence is [2, 2, 3], but must be three of the axes 1, 2, 3 without equal neighbours, such as [1, 2, 3]";
    assert!(found.contains(expected), "{found}");
    refused(
        "sensor AbsolutePosition frame_a=leg.frame_a resolveInFrame=frame_b",
        "part \"sensor\": structure option \"resolveInFrame\" is \"frame_b\", but takes one of frame_a, world, frame_resolve",
    );
    refused("sensor Distance frame_a=leg.frame_a frame_b=world.frame_b s_small=0", "\"sensor.s_small\"");
    refused(
        "sensor AbsolutePosition frame_a=leg.frame_a resolveInFrame=frame_resolve",
        "\"sensor\" acts at frame_resolve on nothing that is connected to the world",
    );
    refused(
        "one CutForce frame_a=leg.frame_a frame_b=tip.frame_a\ntwo CutForce frame_a=leg.frame_a frame_b=tip.frame_a\ntip Body m=0.1",
        "\"one\" and \"two\" close a loop",
    );
}
