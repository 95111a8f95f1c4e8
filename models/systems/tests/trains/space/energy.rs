//! Kinetic, potential and elastic energy of mechanisms without losses.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

/// Returns the energy of a body whose center of mass is in its frame_a, under gravity `-g y` or towards the origin with
/// `mue`.
pub fn of_body(train: &mut Trial, name: &str, [m, i_11, i_22, i_33]: [f64; 4], [g, mue]: [f64; 2]) -> f64 {
    let mut vector = |variable: &str| [1, 2, 3].map(|k| train.real(&format!("{name}.{variable}[{k}]")));
    let [r, v, w] = ["r_0", "v_0", "w_a"].map(&mut vector);
    let square = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>();
    let turning = i_11 * w[0] * w[0] + i_22 * w[1] * w[1] + i_33 * w[2] * w[2];
    let distance = square(r).sqrt();
    0.5 * (m * square(v) + turning) + m * g * r[1] - if mue == 0.0 { 0.0 } else { m * mue / distance }
}

/// Returns the largest change of the energy over 10 s, by the largest kinetic energy.
pub fn drift(text: &str, tolerance: f64, energy: impl Fn(&mut Trial) -> [f64; 2]) -> f64 {
    let mut train = train(Interface::CoSimulation, text);
    train.set_tolerance(tolerance);
    let [begin, _] = energy(&mut train);
    let (mut largest, mut size) = (0.0_f64, 0.0_f64);
    for _ in 0..100 {
        train.step(0.1);
        let [now, kinetic] = energy(&mut train);
        largest = largest.max((now - begin).abs());
        size = size.max(kinetic);
    }
    assert!(size > 1.0, "it moves: {size}");
    largest / size
}

#[test]
fn a_pendulum_in_space_keeps_its_energy() {
    let text = "world World g=9.81
         yaw Revolute frame_a=world.frame_b n[1]=0 n[2]=1 n[3]=0 w_start=2
         arm FixedTranslation frame_a=yaw.frame_b r[1]=0.4 r[2]=0.1
         upper Revolute frame_a=arm.frame_b n[1]=1 n[2]=0 n[3]=2 phi_start=0.7
         first Body frame_a=rod.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25
         rod FixedTranslation frame_a=upper.frame_b r[2]=-0.5
         lower Revolute frame_a=rod.frame_b n[1]=0 n[2]=1 n[3]=1 w_start=-3
         turn FixedRotation frame_a=lower.frame_b r[1]=0.3 n[1]=1 n[2]=1 angle=40
         slide Prismatic frame_a=turn.frame_b n[1]=1 n[2]=1 s_start=0.2
         spring Translational.Spring flange_a=slide.support flange_b=slide.axis c=200 s_rel0=0.1
         second Body frame_a=slide.frame_b m=1 I_11=0.02 I_22=0.03 I_33=0.04";
    let energy = |train: &mut Trial| {
        let gravity = [9.81, 0.0];
        let bodies = of_body(train, "first", [2.0, 0.1, 0.2, 0.25], gravity)
            + of_body(train, "second", [1.0, 0.02, 0.03, 0.04], gravity);
        let s = train.real("slide.s") - 0.1;
        let heights = 9.81 * (2.0 * train.real("first.r_0[2]") + train.real("second.r_0[2]"));
        [bodies + 100.0 * s * s, bodies - heights]
    };
    let drift = drift(text, 1e-11, energy);
    assert!(drift < 1e-9, "{drift:e}");
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let text = "world World g=9.81
         one Revolute frame_a=world.frame_b phi_start=1
         upper FixedTranslation frame_a=one.frame_b r[1]=0.5
         first Body frame_a=upper.frame_b m=2 I_11=0 I_22=0 I_33=0.1
         two Revolute frame_a=upper.frame_b
         lower FixedTranslation frame_a=two.frame_b r[1]=0.4
         second Body frame_a=lower.frame_b m=1 I_11=0 I_22=0 I_33=0.05";
    let energy = |train: &mut Trial| {
        let bodies = [("first", [2.0, 0.0, 0.0, 0.1]), ("second", [1.0, 0.0, 0.0, 0.05])];
        let energy: f64 = bodies.into_iter().map(|(name, body)| of_body(train, name, body, [9.81, 0.0])).sum();
        let heights = 9.81 * (2.0 * train.real("first.r_0[2]") + train.real("second.r_0[2]"));
        [energy, energy - heights]
    };
    let drift = drift(text, 1e-10, energy);
    assert!(drift < 1e-9, "{drift:e}");
}

/// A body that two prismatic joints let move in a plane around the center of gravity: an ellipse of Kepler.
#[test]
fn an_orbit_keeps_its_energy_and_comes_back() {
    let text = "world World gravityType=PointGravity mue=10
         x Prismatic frame_a=world.frame_b s_start=1
         y Prismatic frame_a=x.frame_b n[1]=0 n[2]=1 v_start=2.5
         body Body frame_a=y.frame_b m=2 I_11=0 I_22=0 I_33=0";
    let energy = |train: &mut Trial| {
        let energy = of_body(train, "body", [2.0, 0.0, 0.0, 0.0], [0.0, 10.0]);
        [energy, energy + 20.0 / train.real("body.r_0[1]").hypot(train.real("body.r_0[2]"))]
    };
    let drift = drift(text, 1e-10, energy);
    assert!(drift < 1e-9, "{drift:e}");
    // Kepler's third law, with the half axis 1 / (2 / r - v2 / mue).
    let half_axis = 1.0 / (2.0 - 2.5 * 2.5 / 10.0);
    let period = std::f64::consts::TAU * (half_axis * half_axis * half_axis / 10.0_f64).sqrt();
    for interface in crate::fixture::INTERFACES {
        let mut orbit = train(interface, text);
        orbit.set_tolerance(1e-9);
        orbit.step(period);
        assert!((orbit.real("x.s") - 1.0).abs() < 1e-6 && orbit.real("y.s").abs() < 1e-6, "{}", orbit.real("x.s"));
    }
}

/// A tensor and a center of mass, seen from a frame that lies otherwise in the body, are the same body.
#[test]
fn a_body_can_be_seen_from_another_frame() {
    let begin = "world World
         joint Revolute frame_a=world.frame_b n[1]=1 n[2]=1 n[3]=0 w_start=3
         elbow Revolute frame_a=joint.frame_b n[1]=0 n[2]=1 n[3]=1\n";
    let direct = "body Body frame_a=elbow.frame_b m=3 r_CM[1]=0.2 r_CM[2]=0.3 r_CM[3]=-0.1
                  I_11=0.1 I_22=0.3 I_33=0.25 I_21=0.02 I_31=0.01 I_32=-0.03";
    let direct = direct.replace("\n", " ");
    // A quarter turn about x: the new axes are x, z, -y, and the frame's origin is at (0.5, 0, 0).
    let turned = "bend FixedRotation frame_a=elbow.frame_b r[1]=0.5 angle=90
                  body Body frame_a=bend.frame_b m=3 r_CM[1]=-0.3 r_CM[2]=-0.1 r_CM[3]=-0.3 \
                  I_11=0.1 I_22=0.25 I_33=0.3 I_21=0.01 I_31=-0.02 I_32=0.03";
    let turn_by_axes = turned.replace("angle=90", "rotationType=TwoAxesVectors n_x[1]=2 n_y[1]=1 n_y[2]=0 n_y[3]=3");
    let turn_in_sequence = turned.replace("angle=90", "rotationType=PlanarRotationSequence angles[1]=90");
    let mut all: Vec<_> = [direct.as_str(), turned, &turn_by_axes, &turn_in_sequence]
        .iter()
        .map(|body| train(Interface::CoSimulation, &format!("{begin}{body}")))
        .collect();
    for _ in 0..20 {
        let motion = |train: &mut Trial| ["joint.phi", "elbow.phi", "elbow.w", "joint.a"].map(|name| train.real(name));
        let expected = motion(&mut all[0]);
        for train in &mut all {
            let found = motion(train);
            let is_same = found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(is_same, "{found:?} {expected:?}");
            train.step(0.05);
        }
    }
    assert!(all[0].real("elbow.phi").abs() > 0.05, "it moves");
}
