//! Bodies that move freely, and joints with several velocities.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use nalgebra::{Matrix3, Vector3};

use crate::fixture::{INTERFACES, train};

fn vector(train: &mut Trial, name: &str) -> Vector3<f64> {
    Vector3::from([1, 2, 3].map(|k| train.real(&format!("{name}[{k}]"))))
}

/// Returns the rotation from the world frame, by the formula of Euler and Rodrigues.
fn rotation(train: &mut Trial, name: &str) -> Matrix3<f64> {
    let [x, y, z, s] = [1, 2, 3, 4].map(|k| train.real(&format!("{name}.Q[{k}]")));
    let length = (x * x + y * y + z * z + s * s).sqrt();
    assert!((length - 1.0).abs() < 1e-6, "{length}");
    let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(s, x, y, z));
    q.to_rotation_matrix().matrix().transpose()
}

/// A body that is thrown: a parabola for its center of mass, whatever it turns like.
#[test]
fn a_thrown_body_flies_along_a_parabola() {
    let text = "world World g=10
        body BodyShape r[1]=1 r_CM[1]=0.3 r_CM[2]=-0.2 m=2 I_11=0.1 I_22=0.2 I_33=0.25 \
            r_0_start[1]=1 v_0_start[1]=2 v_0_start[2]=5 angles_start[1]=0.3 angles_start[2]=0.4 angles_start[3]=-1 \
            w_0_start[1]=3 w_0_start[2]=1 w_0_start[3]=-7";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        let center = Vector3::new(0.3, -0.2, 0.0);
        let state = |train: &mut Trial| {
            let turn = rotation(train, "body").transpose();
            let w = turn * vector(train, "body.w_a");
            let r = turn * center;
            (vector(train, "body.r_0") + r, vector(train, "body.v_0") + w.cross(&r))
        };
        let (r, v) = state(&mut train);
        let w = rotation(&mut train, "body").transpose() * vector(&mut train, "body.w_a");
        assert!((w - Vector3::new(3.0, 1.0, -7.0)).norm() < 1e-12, "{w}");
        for k in 1..=10 {
            train.step(0.1);
            let t = 0.1 * f64::from(k);
            let (here, speed) = state(&mut train);
            let g = Vector3::new(0.0, -10.0, 0.0);
            assert!((here - (r + v * t + g * (0.5 * t * t))).norm() < 1e-7, "{interface:?} {t}: {here}");
            assert!((speed - (v + g * t)).norm() < 1e-7);
            let edge = vector(&mut train, "body.r_0") + rotation(&mut train, "body").transpose() * Vector3::x();
            assert!((edge - vector(&mut train, "body.frame_b.r_0")).norm() < 1e-12);
        }
    }
}

/// A body that turns about its middle axis tumbles, and keeps energy and angular momentum.
#[test]
fn a_body_that_tumbles_keeps_its_angular_momentum() {
    let text = "world World gravityType=NoGravity
        body Body m=1 I_11=1 I_22=2 I_33=3 I_21=0 w_0_start[1]=0.01 w_0_start[2]=5 w_0_start[3]=0.02 \
            angles_start[1]=0.5 angles_start[2]=-0.3 angles_start[3]=0.1";
    let moments = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
    let mut train = train(Interface::CoSimulation, text);
    train.set_tolerance(1e-11);
    // The angles are about x, then about the new z, then about the new x.
    train.set("body.sequence_start[2]", 3);
    train.set("body.sequence_start[3]", 1);
    let start = nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), 0.5)
        * nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), -0.3)
        * nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), 0.1);
    assert!((rotation(&mut train, "body").transpose() - start.matrix()).amax() < 1e-14);
    let conserved = |train: &mut Trial| {
        let w = vector(train, "body.w_a");
        (rotation(train, "body").transpose() * moments * w, w.dot(&(moments * w)))
    };
    let (momentum, energy) = conserved(&mut train);
    let mut flips = 0;
    let mut before = 5.0;
    for _ in 0..200 {
        train.step(0.05);
        let (here, energy_here) = conserved(&mut train);
        assert!((here - momentum).norm() < 1e-9 * momentum.norm(), "{:e}", (here - momentum).norm() / momentum.norm());
        assert!((energy_here - energy).abs() < 1e-9 * energy, "{:e}", energy_here / energy - 1.0);
        let w = train.real("body.w_a[2]");
        flips += i32::from(w * before < 0.0);
        before = w;
    }
    assert!(flips >= 3, "it tumbles: {flips}");
}

/// A chain of bodies with each kind of joint, which nothing holds: its momentum, its angular momentum and its energy stay.
#[test]
fn a_free_tree_keeps_its_momentum() {
    let text = "world World gravityType=NoGravity
        hull BodyShape r[1]=0.4 r[3]=0.2 r_CM[2]=0.1 m=3 I_11=0.2 I_22=0.3 I_33=0.25 I_21=0.02 \
            r_0_start[2]=1 v_0_start[1]=0.3 w_0_start[1]=1 w_0_start[3]=-2
        ball Spherical frame_b=hull.frame_b w_rel_a_start[1]=2 w_rel_a_start[2]=-1 angles_start[1]=0.4
        arm BodyShape frame_a=ball.frame_a r[2]=0.5 r_CM[2]=0.25 r_CM[1]=0.05 m=1 I_11=0.02 I_22=0.03 I_33=0.04
        wrist Universal frame_a=arm.frame_b n_a[2]=1 n_b[3]=1 phi_a_start=0.4 w_b_start=3
        hand Body frame_a=wrist.frame_b r_CM[3]=0.2 r_CM[1]=0.1 m=0.7 I_11=0.01 I_22=0.02 I_33=0.015
        hinge Revolute frame_a=hull.frame_a n[1]=1 phi_start=0.3 w_start=-4
        spring Spring flange_a=hinge.support flange_b=hinge.axis c=2
        tail Body frame_a=hinge.frame_b r_CM[2]=-0.3 m=0.5 I_11=0.01 I_22=0.01 I_33=0.01
        companion FreeMotion frame_b=hull.frame_a r_rel_a_start[1]=2 v_rel_a_start[2]=0.5 w_rel_a_start[3]=1
        satellite Body frame_a=companion.frame_a m=0.4 I_11=0.02 I_22=0.05 I_33=0.06";
    let tensor = |[xx, yy, zz, xy]: [f64; 4]| Matrix3::new(xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, zz);
    let bodies = [
        ("hull", 3.0, [0.0, 0.1, 0.0], tensor([0.2, 0.3, 0.25, 0.02])),
        ("arm", 1.0, [0.05, 0.25, 0.0], tensor([0.02, 0.03, 0.04, 0.0])),
        ("hand", 0.7, [0.1, 0.0, 0.2], tensor([0.01, 0.02, 0.015, 0.0])),
        ("tail", 0.5, [0.0, -0.3, 0.0], tensor([0.01, 0.01, 0.01, 0.0])),
        ("satellite", 0.4, [0.0; 3], tensor([0.02, 0.05, 0.06, 0.0])),
    ];
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        // The orientation of each body along the tree.
        let mut conserved = || {
            let hull = rotation(&mut train, "hull");
            let arm = rotation(&mut train, "ball").transpose() * hull;
            let turn = |axis: [f64; 3], angle: f64| {
                let axis = nalgebra::Unit::new_normalize(Vector3::from(axis));
                *nalgebra::Rotation3::from_axis_angle(&axis, -angle).matrix()
            };
            let [a, b, h] = ["wrist.phi_a", "wrist.phi_b", "hinge.phi"].map(|name| train.real(name));
            let hand = turn([0.0, 1.0, 1.0], b) * turn([1.0, 1.0, 0.0], a) * arm;
            let tail = turn([1.0, 0.0, 1.0], h) * hull;
            let satellite = rotation(&mut train, "companion").transpose() * hull;
            let mut sums = (Vector3::zeros(), Vector3::zeros(), h * h);
            for ((name, m, center, inertia), turn) in bodies.iter().zip([hull, arm, hand, tail, satellite]) {
                let [r, v, w] = ["r_0", "v_0", "w_a"].map(|of| vector(&mut train, &format!("{name}.{of}")));
                let (center, w_0) = (turn.transpose() * Vector3::from(*center), turn.transpose() * w);
                let momentum = (v + w_0.cross(&center)) * *m;
                sums.0 += momentum;
                sums.1 += (r + center).cross(&momentum) + turn.transpose() * inertia * w;
                sums.2 += 0.5 * (momentum.norm_squared() / m + w.dot(&(inertia * w)));
            }
            train.step(0.1);
            sums
        };
        let (momentum, angular, energy) = conserved();
        assert!(momentum.norm() > 1.0 && angular.norm() > 1.0 && energy > 1.0);
        for _ in 0..if interface == Interface::CoSimulation { 8 } else { 2 } {
            let (p, l, e) = conserved();
            let errors = [(p - momentum).norm(), (l - angular).norm(), (e - energy).abs()];
            // The solver of Model Exchange has another tolerance.
            let most = if interface == Interface::CoSimulation { 1e-8 } else { 1e-6 };
            assert!(errors.iter().all(|error| *error < most), "{interface:?}: {errors:?}");
        }
    }
}

/// A spherical joint, a universal one and two revolute ones carry the same rod, which the first one does not make spin about its
/// length: then that moment of inertia has no effect.
#[test]
fn a_spherical_pendulum_is_one_of_two_revolute_joints() {
    let rod = |spin: f64| {
        format!("rod BodyShape r[3]=-1 r_CM[3]=-0.5 m=2 I_11=0.05 I_22=0.05 I_33={spin:?} frame_a=joint.frame_b")
    };
    let world = "world World g=9.81 n[2]=0 n[3]=-1";
    // The axis of phi_b, seen from frame_a.
    let [y, z] = [0.8 * 0.6_f64.cos(), 0.8 * 0.6_f64.sin()];
    let spherical = format!(
        "{world}\njoint Spherical frame_a=world.frame_b angles_start[1]=0.6 angles_start[2]=0.3 \
         w_rel_a_start[2]={y:?} w_rel_a_start[3]={z:?}\n{}",
        rod(0.02)
    );
    let universal = format!(
        "{world}\njoint Universal frame_a=world.frame_b phi_a_start=0.6 phi_b_start=0.3 w_b_start=0.8\n{}",
        rod(0.0)
    );
    let two = format!(
        "{world}\nfirst Revolute frame_a=world.frame_b n[1]=1 n[3]=0 phi_start=0.6
         joint Revolute frame_a=first.frame_b n[2]=1 n[3]=0 phi_start=0.3 w_start=0.8\n{}",
        rod(0.0)
    );
    let mut runs = [spherical, universal, two].map(|text| train(Interface::CoSimulation, &text));
    runs.iter_mut().for_each(|run| run.set_tolerance(1e-10));
    let mut most = 0.0_f64;
    for _ in 0..20 {
        let tips = runs.each_mut().map(|run| vector(run, "rod.frame_b.r_0"));
        assert!((tips[0] - tips[1]).norm() < 1e-7 && (tips[1] - tips[2]).norm() < 1e-8, "{tips:?}");
        most = most.max(tips[0].y.abs().min(tips[0].x.abs()));
        let [spherical, universal, two] = &mut runs;
        let pairs = [
            ("joint.phi_a", "first.phi"),
            ("joint.w_b", "joint.w"),
            ("joint.a_a", "first.a"),
            ("joint.frame_a.t[3]", "first.frame_a.t[3]"),
            ("joint.frame_b.f[1]", "joint.frame_b.f[1]"),
        ];
        for (one, other) in pairs.map(|(one, other)| (universal.real(one), two.real(other))) {
            assert!((one - other).abs() < 1e-7, "{one} {other}");
        }
        assert!(vector(spherical, "joint.frame_b.t").norm() < 1e-12);
        assert!(spherical.real("rod.w_a[3]").abs() < 1e-8);
        runs.iter_mut().for_each(|run| run.step(0.1));
    }
    assert!(most > 0.1, "it leaves each plane: {most}");
}

/// A joint between the world and a body moves it as a body without joint moves, also if the joint is the other way round.
#[test]
fn free_motion_is_that_of_a_free_body() {
    let body = "m=2 r_CM[1]=0.1 I_11=0.1 I_22=0.2 I_33=0.25";
    let free = format!("body Body {body} r_0_start[1]=1 v_0_start[2]=3 w_0_start[1]=1 w_0_start[3]=2");
    let joint = format!(
        "joint FreeMotion frame_a=world.frame_b r_rel_a_start[1]=1 v_rel_a_start[2]=3 w_rel_a_start[1]=1 w_rel_a_start[3]=2
         body Body {body} frame_a=joint.frame_b"
    );
    // Seen from the body, which turns: v_rel_a = -v + w x r.
    let reversed = format!(
        "joint FreeMotion frame_b=world.frame_b r_rel_a_start[1]=-1 v_rel_a_start[2]=-1 w_rel_a_start[1]=-1 w_rel_a_start[3]=-2
         body Body {body} frame_a=joint.frame_a"
    );
    let mut runs = [free, joint, reversed].map(|text| train(Interface::CoSimulation, &format!("world World\n{text}")));
    runs.iter_mut().for_each(|run| run.set_tolerance(1e-10));
    for _ in 0..10 {
        for name in ["body.r_0", "body.v_0", "body.a_0", "body.w_a", "body.z_a"] {
            let [free, joint, reversed] = runs.each_mut().map(|run| vector(run, name));
            assert!((free - joint).norm() < 1e-9 * (1.0 + free.norm()), "{name}: {free} {joint}");
            assert!((free - reversed).norm() < 1e-7 * (1.0 + free.norm()), "{name}: {free} {reversed}");
        }
        runs.iter_mut().for_each(|run| run.step(0.1));
    }
}

/// Kepler's ellipse of a satellite in metres and seconds: it comes back after the period of the third law.
#[test]
fn a_satellite_comes_back_after_its_period() {
    let (mue, r, v) = (3.986_004_418e14_f64, 7.0e6_f64, 9.0e3_f64);
    let text = "world World gravityType=PointGravity
        satellite Body m=500 I_11=100 I_22=150 I_33=200 r_0_start[1]=7e6 v_0_start[2]=7e3 v_0_start[3]=5.65685424949238e3 w_0_start[3]=0.01";
    let half_axis = 1.0 / (2.0 / r - v * v / mue);
    let period = std::f64::consts::TAU * (half_axis.powi(3) / mue).sqrt();
    let mut train = train(Interface::CoSimulation, text);
    train.set_tolerance(1e-10);
    (0..4).for_each(|_| train.step(period / 4.0));
    let [here, speed] = ["r_0", "v_0"].map(|of| vector(&mut train, &format!("satellite.{of}")));
    assert!((here - Vector3::new(r, 0.0, 0.0)).norm() < 1e-6 * r, "{here}");
    assert!((speed.norm() - v).abs() < 1e-6 * v, "{speed}");
}

/// A rod that hangs from a spherical or from a universal joint: at rest it hangs straight down.
#[test]
fn a_rod_that_starts_at_rest_hangs_straight_down() {
    for joint in ["Spherical angles_start[1]=0.6 angles_start[2]=0.3", "Universal phi_a_start=0.6 phi_b_start=0.3"] {
        let text = format!(
            "world World n[2]=0 n[3]=-1
             joint {joint} frame_a=world.frame_b steady=true
             rod BodyShape r[3]=-1 r_CM[3]=-0.5 m=2 I_11=0.05 I_22=0.05 I_33=0.01 frame_a=joint.frame_b"
        );
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            for _ in 0..2 {
                let tip = vector(&mut train, "rod.frame_b.r_0");
                assert!((tip - Vector3::new(0.0, 0.0, -1.0)).norm() < 1e-9, "{joint}: {tip}");
                train.step(1.0);
            }
        }
    }
}

/// In a lift that shakes, gravity is a signal, along x, and an input of the FMU.
#[test]
fn gravity_can_be_a_signal() {
    let text = "world World gravityType=InputGravity g_0[1]=wave.y g_0[2]=-5
        wave Sine amplitude=2 f=0.5
        body Body r_CM[1]=0.2
        slide Prismatic frame_a=world.frame_b n[1]=1 n[2]=1
        load Body frame_a=slide.frame_b
        line LineForceWithMass m=3 lengthFraction=1 frame_a=post.frame_b frame_b=load.frame_a
        post MultiBody.Fixed r[1]=-1 r[2]=2";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        // The center of mass falls; the body does not turn.
        for k in 1..=10 {
            train.step(0.1);
            let (t, w) = (0.1 * f64::from(k), std::f64::consts::PI);
            let x = 2.0 / w * (t - (w * t).sin() / w);
            let found = [train.real("body.r_0[1]"), train.real("body.r_0[2]"), train.real("slide.s")];
            let expected = [x, -2.5 * t * t, (x - 2.5 * t * t) / 2.0_f64.sqrt()];
            assert!(
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-8),
                "{found:?} {expected:?}"
            );
        }
        if interface == Interface::ModelExchange {
            let [g, a] = ["world.g_0[2]", "body.a_0[2]"];
            assert!((train.directional_derivative(a, g) - 1.0).abs() < 1e-12);
        }
    }
}
