//! Sensors, and what acts on the motion that they measure.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Compares variables of two systems over some steps.
fn same(one: &mut Trial, other: &mut Trial, names: &[&str]) {
    for system in [&mut *one, &mut *other] {
        system.set_tolerance(1e-10);
    }
    for i in 0..20 {
        for name in names {
            let (found, expected) = (one.real(name), other.real(name));
            assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{name} {i}: {found} {expected}");
        }
        one.step(0.07);
        other.step(0.07);
    }
}

/// A controller in place of a spring and a damper.
#[test]
fn a_controlled_torque_acts_as_a_spring_with_a_damper() {
    let controlled = "angle RelAngleSensor flange_a=left.flange_b flange_b=right.flange_a
        speed RelSpeedSensor flange_a=left.flange_b flange_b=right.flange_a
        load Add k1=40 k2=3 u1=angle.phi_rel u2=speed.w_rel
        reverse Gain k=-1 u=load.y
        one Torque tau=load.y flange=left.flange_b
        two Torque tau=reverse.y flange=right.flange_a";
    let spring = "spring SpringDamper c=40 d=3 flange_a=left.flange_b flange_b=right.flange_a";
    let shafts = "left Inertia J=2 w_start=3\nright Inertia J=1 phi_start=0.2\n";
    for interface in INTERFACES {
        let [mut one, mut other] = [controlled, spring].map(|text| train(interface, &format!("{shafts}{text}")));
        same(&mut one, &mut other, &["left.phi", "left.w", "left.a", "right.phi", "right.a"]);
        for (unknown, known) in
            [("left.a", "left.phi"), ("left.a", "right.w"), ("right.a", "right.phi"), ("right.a", "left.w")]
        {
            let [found, expected] = [&mut one, &mut other].map(|train| train.directional_derivative(unknown, known));
            assert!((found - expected).abs() < 1e-12, "{unknown} {known}: {found} {expected}");
        }
    }
}

#[test]
fn rods_and_joints_are_measured() {
    let rod = "at PositionSensor flange=mass.flange_b\nv Translational.SpeedSensor flange=mass.flange_b\nwall Translational.Fixed
        far RelPositionSensor flange_a=wall.flange flange_b=mass.flange_b
        fast Translational.RelSpeedSensor flange_a=mass.flange_b flange_b=wall.flange
        back Add3 k1=-5 k2=-1 k3=0.5 u1=at.s u2=v.v u3=fast.v_rel
        push Force f=back.y flange=mass.flange_a\nmass Mass m=2 s_start=1";
    let spring = "spring Translational.SpringDamper c=5 d=1.5 flange_a=mass.flange_b flange_b=wall.flange
        wall Translational.Fixed\nmass Mass m=2 s_start=1";
    let arm = |control: &str| {
        format!(
            "world World\nhinge Revolute frame_a=world.frame_b phi_start=0.7\nbody Body m=2 r_CM[1]=0.5 frame_a=hinge.frame_b\n{control}"
        )
    };
    let sensed = arm("angle AngleSensor flange=hinge.axis\nspeed SpeedSensor flange=hinge.axis
         sum Add k1=-30 k2=-2 u1=angle.phi u2=speed.w\nmotor Torque tau=sum.y flange=hinge.axis");
    let held = arm("spring SpringDamper c=30 d=2 flange_a=hinge.support flange_b=hinge.axis");
    for interface in INTERFACES {
        same(&mut train(interface, rod), &mut train(interface, spring), &["mass.s", "mass.v", "mass.a"]);
        same(&mut train(interface, &sensed), &mut train(interface, &held), &["hinge.phi", "hinge.w", "hinge.a"]);
    }
}

/// Speed is held between two values by a torque that goes on and off against a constant load.
#[test]
fn a_comparison_of_a_speed_is_an_event() {
    for interface in INTERFACES {
        let text = "speed SpeedSensor flange=shaft.flange_a
            fast Hysteresis uLow=9 uHigh=10 u=speed.w
            slow Not u=fast.y
            drives BooleanToReal realTrue=5 realFalse=-2 u=slow.y
            motor Torque tau=drives.y flange=shaft.flange_a
            shaft Inertia J=1";
        let mut train = train(interface, text);
        let w = |t: f64| {
            if t < 2.0 {
                return 5.0 * t;
            }
            let s = (t - 2.0).rem_euclid(0.7);
            if s < 0.5 { 10.0 - 2.0 * s } else { 9.0 + 5.0 * (s - 0.5) }
        };
        let mut t = 0.0;
        for _ in 0..40 {
            train.step(0.13);
            t += 0.13;
            let (found, expected) = (train.real("shaft.w"), w(t));
            assert!((found - expected).abs() < 1e-8, "{interface:?} {t}: {found} {expected}");
        }
    }
}

/// A torque through a filter: u' = (k w - u) / T, J w' = -u, an oscillation of second order.
#[test]
fn a_state_behind_a_sensor_acts_on_the_motion() {
    for interface in INTERFACES {
        let text = "speed SpeedSensor flange=shaft.flange_a
            late FirstOrder k=-20 T=0.5 u=speed.w
            motor Torque tau=late.y flange=shaft.flange_a
            shaft Inertia J=2 w_start=3";
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        // w'' + w'/T + k/(J T) w = 0 with w(0) = 3, w'(0) = 0.
        let omega = (20.0_f64 - 1.0).sqrt();
        for i in 0..12 {
            let t = 0.11 * f64::from(i);
            let expected = 3.0 * (-t).exp() * ((omega * t).cos() + (omega * t).sin() / omega);
            let found = train.real("shaft.w");
            assert!((found - expected).abs() < 1e-7, "{interface:?} {t}: {found} {expected}");
            train.step(0.11);
        }
        assert_eq!(train.directional_derivative("late.der_y", "shaft.w"), -40.0);
        assert_eq!(train.directional_derivative("shaft.a", "late.y"), 0.5);
        assert_eq!(train.directional_derivative("shaft.a", "shaft.w"), 0.0);
    }
}
