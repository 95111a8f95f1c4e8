//! Line forces with masses, against closed forms, a telescope with bodies and a published trajectory.

use super::derivatives::{by_inputs, by_parameters};
use super::refused::message;
use crate::fixture::{INTERFACES, published, train};

/// A load on a slide hangs from a spring with a mass: the motion is harmonic, with the moved mass M + m h^2.
#[test]
fn a_weight_hangs_from_a_spring_with_a_mass() {
    let text = "world World g=10
        slide Prismatic n[1]=0 n[2]=-1 frame_a=world.frame_b s_start=0.6 v_start=0.3
        load Body m=2 frame_a=slide.frame_b
        line LineForceWithMass m=1.5 lengthFraction=0.4 frame_a=world.frame_b frame_b=load.frame_a
        spring Translational.Spring c=90 s_rel0=0.4 flange_a=line.flange_a flange_b=line.flange_b";
    let moved: f64 = 2.0 + 1.5 * 0.16;
    let rest: f64 = 0.4 + (2.0 + 1.5 * 0.4) * 10.0 / 90.0;
    let w = (90.0 / moved).sqrt();
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        for k in 0..=20 {
            let (sin, cos) = (w * 0.1 * f64::from(k)).sin_cos();
            let s = rest + (0.6 - rest) * cos + 0.3 / w * sin;
            assert!((train.real("line.length") - s).abs() < 1e-8, "{interface:?} at {k}");
            // Newton's law for the mass on the line.
            let a = train.real("slide.a");
            let f = 90.0 * (s - 0.4);
            let expected = -f + 1.5 * 0.4 * (10.0 - 0.4 * a);
            assert!(
                (train.real("line.frame_b.f[2]") - expected).abs() < 1e-6,
                "{} {expected}",
                train.real("line.frame_b.f[2]")
            );
            assert!((train.real("line.f") + f).abs() < 1e-6, "{} {f}", train.real("line.f"));
            train.step(0.1);
        }
    }
}

/// A spring and a damper in series on a line without mass relax: the force is d v (1 - exp(-c t/d)) while one end moves away.
#[test]
fn a_line_without_mass_carries_a_spring_and_a_damper_in_series() {
    let text = "world World
        slide Prismatic n[1]=0.6 n[2]=0.8 frame_a=world.frame_b
        load Body frame_a=slide.frame_b
        drive Translational.Speed v=0.3 s_start=1 flange=slide.axis
        line LineForceWithMass m=0 frame_a=world.frame_b frame_b=load.frame_a
        spring Translational.Spring c=80 s_rel0=0.4 flange_a=line.flange_a
        damper Translational.Damper d=40 flange_a=spring.flange_b flange_b=line.flange_b";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        for k in 0..=20 {
            let f = 12.0 * (1.0 - (-0.2 * f64::from(k)).exp());
            for (name, expected) in [("damper.f", f), ("line.frame_b.f[1]", 0.6 * f), ("line.frame_a.f[2]", -0.8 * f)] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-8, "{interface:?} {name} at {k}: {found} {expected}");
            }
            train.step(0.1);
        }
    }
}

/// Both halves of the example of the Modelica Standard Library.
const TWO_MASSES: &str = "world World
    rod1 FixedTranslation r[1]=0 r[2]=-0.9 frame_a=world.frame_b
    rod2 FixedTranslation r[1]=0 r[2]=0.3 frame_a=world.frame_b
    revolute1 Revolute frame_a=rod2.frame_b
    bodyBox1 BodyBox r[1]=0.7 width=0.035 height=0.035 frame_a=revolute1.frame_b
    jointUPS JointUPS nAxis_ia[1]=0.7 nAxis_ia[2]=1.2 nAxis_ia[3]=0 frame_a=rod1.frame_b frame_b=bodyBox1.frame_b
    body1 Body m=1 I_11=0 I_22=0 I_33=0 r_CM[1]=0.100774205104817 r_CM[2]=0.172755780179687 frame_a=jointUPS.frame_ia
    body2 Body m=1 I_11=0 I_22=0 I_33=0 r_CM[1]=-0.100774205104817 r_CM[2]=-0.172755780179687 frame_a=jointUPS.frame_ib
    damper1 Translational.Damper d=3 flange_a=jointUPS.bearing flange_b=jointUPS.axis
    rod3 FixedTranslation r[1]=0 r[2]=-0.9 r[3]=0.3 frame_a=world.frame_b
    rod4 FixedTranslation r[1]=0 r[2]=0.3 r[3]=0.3 frame_a=world.frame_b
    revolute2 Revolute frame_a=rod4.frame_b
    bodyBox2 BodyBox r[1]=0.7 width=0.035 height=0.035 frame_a=revolute2.frame_b
    line LineForceWithTwoMasses m_a=1 m_b=1 L_a=0.2 L_b=0.2 frame_a=rod3.frame_b frame_b=bodyBox2.frame_b
    damper2 Translational.Damper d=3 flange_a=line.flange_a flange_b=line.flange_b";

#[test]
fn two_masses_on_a_line_are_those_of_a_telescope() {
    for interface in INTERFACES {
        let mut train = train(interface, TWO_MASSES);
        train.set_tolerance(1e-10);
        for _ in 0..30 {
            train.step(0.1);
            for [one, other] in [
                ["revolute1.phi", "revolute2.phi"],
                ["revolute1.w", "revolute2.w"],
                ["revolute1.a", "revolute2.a"],
                ["jointUPS.s", "line.length"],
                ["jointUPS.frame_a.f[1]", "line.frame_a.f[1]"],
                ["jointUPS.frame_b.f[2]", "line.frame_b.f[2]"],
            ] {
                let [one_value, other_value] = [one, other].map(|name| train.real(name));
                assert!(
                    (one_value - other_value).abs() < 1e-6 * other_value.abs().max(1.0),
                    "{one}: {one_value} {other_value}"
                );
            }
        }
    }
}

#[test]
fn two_masses_on_a_line_move_as_published() {
    let Some(rows) = published("MultiBody.LineForceWithTwoMasses") else { return };
    for (interface, every) in [(INTERFACES[0], 1), (INTERFACES[0], 10), (INTERFACES[1], 1)] {
        let mut train = train(interface, TWO_MASSES);
        train.set_tolerance(1e-8);
        let mut time = 0.0;
        for row in rows.iter().step_by(every) {
            if row[0] <= time {
                continue;
            }
            train.step(row[0] - time);
            time = row[0];
            for (column, name) in ["revolute1.phi", "revolute1.w", "revolute2.phi", "revolute2.w"].iter().enumerate() {
                let (found, expected) = (train.real(name), row[column + 1]);
                assert!(
                    (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
                    "{name} at {time}: {found} {expected}"
                );
            }
        }
    }
}

/// A line between two links that both move in space.
const SPACE: &str = "world World g=9.81
    one Revolute frame_a=world.frame_b n[1]=1 n[2]=0.2 w_start=1
    upper BodyShape frame_a=one.frame_b r[2]=0.4 r[3]=0.1 r_CM[2]=0.2 m=2 I_11=0.1 I_22=0.1 I_33=0.1
    post FixedTranslation frame_a=world.frame_b r[1]=0.9
    two Revolute frame_a=post.frame_b n[1]=0.1 n[2]=1 w_start=-2
    lower BodyShape frame_a=two.frame_b r[1]=0.3 r[2]=-0.2 r_CM[1]=0.2 m=1 I_11=0.1 I_22=0.1 I_33=0.1
    single LineForceWithMass m=0.7 lengthFraction=0.3 frame_a=upper.frame_b frame_b=lower.frame_b
    double LineForceWithTwoMasses m_a=0.5 m_b=0.8 L_a=0.1 L_b=0.2 frame_a=lower.frame_b frame_b=upper.frame_a
    spring Translational.SpringDamper c=40 d=0.0 s_rel0=0.7 flange_a=single.flange_a flange_b=single.flange_b
    push Force2 flange_a=double.flange_a flange_b=double.flange_b";

#[test]
fn masses_on_lines_keep_the_energy() {
    use super::joints::vector;
    let mut train = train(INTERFACES[0], &SPACE.replace("push Force2", "push Translational.Spring c=20 s_rel0=0.5"));
    train.set_tolerance(1e-11);
    let mut energy = || {
        let mut sum = 0.0;
        for (body, center, m) in [("upper", [0.0, 0.2, 0.0], 2.0), ("lower", [0.2, 0.0, 0.0], 1.0)] {
            let w = vector(&mut train, &format!("{body}.w_a"));
            // The center of mass follows from both frames and the rotation: its velocity from the energy's derivative.
            let r = nalgebra::Vector3::from(center);
            let turn = frame(&mut train, body);
            let v = vector(&mut train, &format!("{body}.v_0")) + turn * w.cross(&r);
            let height = (vector(&mut train, &format!("{body}.r_0")) + turn * r).y;
            sum += 0.5 * m * v.norm_squared() + 0.05 * w.norm_squared() + m * 9.81 * height;
        }
        let tip = |train: &mut _, body: &str, r: [f64; 3]| {
            let turn = frame(train, body);
            let w = vector(train, &format!("{body}.w_a"));
            let r = nalgebra::Vector3::from(r);
            (
                vector(train, &format!("{body}.r_0")) + turn * r,
                vector(train, &format!("{body}.v_0")) + turn * w.cross(&r),
            )
        };
        let (top, bottom) = (tip(&mut train, "upper", [0.0, 0.4, 0.1]), tip(&mut train, "lower", [0.3, -0.2, 0.0]));
        let v = top.1 * 0.7 + bottom.1 * 0.3;
        sum += 0.5 * 0.7 * v.norm_squared() + 0.7 * 9.81 * (top.0 * 0.7 + bottom.0 * 0.3).y;
        sum += 20.0 * ((bottom.0 - top.0).norm() - 0.7).powi(2);
        let base = tip(&mut train, "upper", [0.0; 3]);
        let (r, v) = (base.0 - bottom.0, base.1 - bottom.1);
        let (l, e) = (r.norm(), r.normalize());
        let e_1 = (v - e * e.dot(&v)) / l;
        for (m, place, speed) in
            [(0.5, bottom.0 + e * 0.1, bottom.1 + e_1 * 0.1), (0.8, base.0 - e * 0.2, base.1 - e_1 * 0.2)]
        {
            sum += 0.5 * m * speed.norm_squared() + m * 9.81 * place.y;
        }
        sum += 10.0 * (l - 0.5).powi(2);
        train.step(0.1);
        sum
    };
    let begin = energy();
    for _ in 0..30 {
        let now = energy();
        assert!((now - begin).abs() < 1e-8 * begin.abs().max(10.0), "{now} {begin}");
    }
}

/// Returns the rotation from a body to the world frame: about the axis of its joint.
fn frame(train: &mut fmu_runtime::Trial, body: &str) -> nalgebra::Matrix3<f64> {
    let (joint, axis) = if body == "upper" { ("one", [1.0, 0.2, 1.0]) } else { ("two", [0.1, 1.0, 1.0]) };
    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::from(axis));
    *nalgebra::Rotation3::from_axis_angle(&axis, train.real(&format!("{joint}.phi"))).matrix()
}

#[test]
fn derivatives_of_lines_are_those_of_differences() {
    let outputs = ["one.a", "two.a", "single.frame_a.f[1]", "double.frame_b.f[2]", "double.flange_b.a", "single.f"];
    let mut train = train(INTERFACES[1], SPACE);
    train.step(0.1);
    by_inputs(&mut train, &["push.f"], &outputs);
    let parameters =
        ["single.m", "single.lengthFraction", "double.m_b", "double.L_a", "double.L_b", "two.w_start", "post.r[1]"];
    by_parameters(SPACE, &parameters, &outputs);
}

#[test]
fn a_line_without_length_is_refused() {
    let found = message(|| {
        let text = "world World\nslide Prismatic frame_a=world.frame_b\nload Body frame_a=slide.frame_b
            line LineForceWithMass m=1 frame_a=world.frame_b frame_b=load.frame_a";
        train(INTERFACES[0], text).real("slide.s");
    });
    let expected = "\"line\": the origins of frame_a and frame_b are 0.0 m apart, too close to define a line between them, at 0.0 s";
    assert!(found.contains(expected), "{found}");
}
