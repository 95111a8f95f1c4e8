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

/// Accelerations, torques and powers of a train, against Newton's law by hand, also behind a gear, at rest and in two clutches'
/// modes.
#[test]
fn accelerations_and_torques_are_those_of_newtons_law() {
    let text = "source Sine amplitude=6 f=1 phase=0.4
        motor Torque tau=source.y flange=one.flange_a
        one Inertia J=2 w_start=5
        acc AccSensor flange=one.flange_b
        torque TorqueSensor flange_a=one.flange_b flange_b=gear.flange_a
        gear IdealGear ratio=3
        power PowerSensor flange_a=gear.flange_b flange_b=two.flange_a
        two Inertia J=4
        multi MultiSensor flange_a=two.flange_b flange_b=clutch.flange_a
        clutch Clutch fn_max=4 flange_b=three.flange_a f_normalized=1
        three Inertia J=1 w_start=-1
        link RelAccSensor flange_a=three.flange_a flange_b=two.flange_b";

    for interface in INTERFACES {
        let mut train = train(interface, text);
        let mut modes = std::collections::BTreeSet::new();
        for _ in 0..40 {
            let [tau, a1, a2, a3, w2] =
                ["motor.tau", "one.a", "two.a", "three.a", "two.w"].map(|name| train.real(name));
            for (name, expected) in [
                ("acc.a", a1),
                ("torque.tau", tau - 2.0 * a1),
                ("power.power", 3.0 * (tau - 2.0 * a1) * w2),
                ("multi.tau", a3),
                ("multi.w", w2),
                ("multi.power", a3 * w2),
                ("link.a_rel", a2 - a3),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-10, "{interface:?} {name}: {found} {expected}");
            }
            modes.insert(train.integer("clutch.mode"));
            train.step(0.05);
        }
        assert!(modes.len() > 1, "{modes:?}");
        let [found, expected] = [train.directional_derivative("multi.power", "one.w"), train.real("multi.tau") / 3.0];
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }
}

#[test]
fn forces_between_rods_and_of_joints_are_measured() {
    // A mass hangs on a joint along the vertical: what the sensor bears is its weight and inertia.
    let text = "world World
        slide Prismatic frame_a=world.frame_b n[1]=0 n[2]=1 n[3]=0 s_start=0.3
        body Body m=2 frame_a=slide.frame_b
        force ForceSensor flange_a=mass.flange_b flange_b=slide.axis
        acc Translational.AccSensor flange=slide.axis
        mass Mass m=3
        spring Translational.Spring c=50 flange_a=wall.flange flange_b=mass.flange_a
        wall Translational.Fixed
        power Translational.PowerSensor flange_a=mass.flange_b flange_b=tail.flange_a
        tail Mass m=1";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        for _ in 0..10 {
            let [s, v, a] = ["mass.s", "mass.v", "mass.a"].map(|name| train.real(name));
            // 6 a = -50 s - 2 g.
            for (name, expected) in
                [("acc.a", (-50.0 * s - 2.0 * 9.80665) / 6.0), ("force.f", 2.0 * (a + 9.80665)), ("power.power", a * v)]
            {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-9, "{interface:?} {name}: {found} {expected}");
            }
            train.step(0.1);
        }
    }
}

/// A signal that follows from an acceleration through a state acts on it: (J + T-filtered) motion of the third order.
#[test]
fn an_acceleration_acts_through_a_state() {
    // J w' = -k x - d w, T x' = w' - x: a filtered acceleration as a torque.
    let text = "acc AccSensor flange=shaft.flange_b
        late FirstOrder k=-3 T=0.2 u=acc.a
        motor Torque tau=late.y flange=shaft.flange_a
        damper Damper d=0.5 flange_a=shaft.flange_b flange_b=wall.flange
        wall Fixed
        shaft Inertia J=2 w_start=3";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        // 2 w' = y - 0.5 w, 0.2 y' = -3 w' - y, by small steps of Runge and Kutta.
        let slope = |[w, y]: [f64; 2]| {
            let a = (y - 0.5 * w) / 2.0;
            [a, (-3.0 * a - y) / 0.2]
        };
        let mut state = [3.0, 0.0];
        for i in 0..20 {
            for (name, expected) in [("shaft.w", state[0]), ("late.y", state[1])] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-7, "{interface:?} {name} {i}: {found} {expected}");
            }
            train.step(0.1);
            for _ in 0..100 {
                let h = 0.001;
                let ahead = |k: [f64; 2], h: f64| [state[0] + h * k[0], state[1] + h * k[1]];
                let k1 = slope(state);
                let k2 = slope(ahead(k1, h / 2.0));
                let k3 = slope(ahead(k2, h / 2.0));
                let k4 = slope(ahead(k3, h));
                let sum = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
                state = ahead([sum(0), sum(1)], h);
            }
        }
    }
}

/// A torque that goes off where the one behind a shaft is too large: the comparison is an event, whose result acts back.
#[test]
fn a_comparison_of_a_torque_acts_back() {
    let text = "rise Ramp height=10 duration=1
        limit Hysteresis uLow=-1 uHigh=3 u=torque.tau
        drive Switch u1=zero.y u2=limit.y u3=rise.y
        zero Constant k=0
        motor Torque tau=drive.y flange=one.flange_a
        one Inertia J=1
        torque TorqueSensor flange_a=one.flange_b flange_b=two.flange_a
        two Inertia J=1";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.step(0.5);
        // tau / 2 reaches 3 at 0.6 s.
        assert!((train.real("torque.tau") - 2.5).abs() < 1e-9);
        train.step(0.5);
        for (name, expected) in [("one.a", 0.0), ("torque.tau", 0.0), ("one.w", 10.0 * 0.36 / 4.0)] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-9, "{interface:?} {name}: {found} {expected}");
        }
        assert!(train.boolean("limit.y"));
    }
}
