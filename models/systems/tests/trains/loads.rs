//! Loads on one flange and between two, beside closed forms.

use std::f64::consts::{FRAC_PI_2, PI};

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};
use crate::space::refused::message;

/// Makes a shaft of 2 kg.m2, or a mass of 2 kg, under a load.
fn under(interface: Interface, start: f64, load: &str) -> Trial {
    let shaft = format!("shaft Inertia J=2 w_start={start}\n{load} flange=shaft.flange_b");
    let rod = format!("shaft Mass m=2 v_start={start}\n{load} flange=shaft.flange_b");
    let is_rotational = load.contains("Torque");
    let mut train = train(interface, if is_rotational { &shaft } else { &rod });
    train.set_tolerance(1e-11);
    train
}

/// Compares the speed with a function of time, in both domains and both interfaces.
fn follows(start: f64, [shaft, rod]: [&str; 2], speed: &dyn Fn(f64) -> f64, bound: f64) {
    for (load, name) in [(shaft, "shaft.w"), (rod, "shaft.v")] {
        for interface in INTERFACES {
            let mut train = under(interface, start, load);
            for i in 0..20 {
                let (found, expected) = (train.real(name), speed(0.07 * f64::from(i)));
                assert!((found - expected).abs() < bound, "{interface:?} {load} {i}: {found} {expected}");
                train.step(0.07);
            }
        }
    }
}

#[test]
fn a_constant_load_accelerates() {
    let loads = ["load ConstantTorque tau_constant=3", "load ConstantForce f_constant=3"];
    follows(-1.0, loads, &|t| -1.0 + 1.5 * t, 1e-12);
    check(&mut under(INTERFACES[0], 4.0, loads[0]), &[("load.tau", 3.0), ("load.w", 4.0), ("shaft.a", 1.5)]);
    // The library's f is that of the flange.
    check(&mut under(INTERFACES[0], 4.0, loads[1]), &[("load.f", -3.0), ("load.v", 4.0), ("shaft.a", 1.5)]);
}

#[test]
fn a_step_jumps_at_its_time() {
    let loads = [
        "load TorqueStep stepTorque=-5 offsetTorque=1 startTime=0.4",
        "load ForceStep stepForce=-5 offsetForce=1 startTime=0.4",
    ];
    follows(0.0, loads, &|t| if t < 0.4 { 0.5 * t } else { 0.2 - 2.0 * (t - 0.4) }, 1e-11);
    for (load, name, sign) in [(loads[0], "load.tau", 1.0), (loads[1], "load.f", -1.0)] {
        let mut train = under(INTERFACES[0], 0.0, load);
        check(&mut train, &[(name, sign)]);
        train.step(0.5);
        check(&mut train, &[(name, -4.0 * sign)]);
    }
    // A jump that was before the start.
    let early = "load TorqueStep stepTorque=-5 offsetTorque=1 startTime=-1";
    check(&mut under(INTERFACES[0], 0.0, early), &[("load.tau", -4.0)]);
}

#[test]
fn a_load_proportional_to_the_speed_damps_or_drives() {
    let loads = [
        "load LinearSpeedDependentTorque TorqueDirection=false tau_nominal=-6 w_nominal=2",
        "load LinearSpeedDependentForce ForceDirection=false f_nominal=-6 v_nominal=2",
    ];
    follows(-3.0, loads, &|t| -3.0 * (-1.5 * t).exp(), 1e-9);
    // With the same direction for both, 2 w' = 3 |w| + 1 passes a standstill with a kink.
    let [k, a, start]: [f64; 3] = [1.5, 0.5, -1.0];
    let speed = |t: f64| {
        let stands = ((start - a / k) / (-a / k)).ln() / k;
        if t < stands { a / k + (start - a / k) * (-k * t).exp() } else { a / k * ((k * (t - stands)).exp() - 1.0) }
    };
    let loads = [
        "push ConstantTorque tau_constant=1 flange=shaft.flange_a
         load LinearSpeedDependentTorque tau_nominal=6 w_nominal=2",
        "push ConstantForce f_constant=1 flange=shaft.flange_a
         load LinearSpeedDependentForce f_nominal=6 v_nominal=2",
    ];
    follows(start, loads, &speed, 1e-8);
}

#[test]
fn a_load_of_the_square_of_the_speed_brakes() {
    let loads = [
        "load QuadraticSpeedDependentTorque TorqueDirection=false tau_nominal=-8 w_nominal=2",
        "load QuadraticSpeedDependentForce ForceDirection=false f_nominal=-8 v_nominal=2",
    ];
    follows(-3.0, loads, &|t| -3.0 / (1.0 + 3.0 * t), 1e-9);
    let loads = [
        "load QuadraticSpeedDependentTorque tau_nominal=8 w_nominal=2",
        "load QuadraticSpeedDependentForce f_nominal=8 v_nominal=2",
    ];
    follows(-3.0, loads, &|t| -3.0 / (1.0 + 3.0 * t), 1e-9);
}

/// 2 w' = -2 r(w): at full size down to w0, then by the closed form of each regularisation.
#[test]
fn a_load_with_the_sign_of_the_speed_is_regularised() {
    let w0 = 0.3;
    let below = |reg: &str, s: f64| match reg {
        "Linear" => w0 * (-s / w0).exp(),
        "Sine" => 4.0 * w0 / PI * ((PI / 4.0).tan() * (-FRAC_PI_2 * s / w0).exp()).atan(),
        // The cotangent of half the angle rises at a constant rate.
        _ => 2.0 * (1.0 / (1.0 + FRAC_PI_2 * s / w0)).atan() * w0 / FRAC_PI_2,
    };
    for reg in ["Linear", "Sine", "CoSine", "Cosine"] {
        let speed = |t: f64| if t < 0.5 { 0.8 - t } else { below(reg, t - 0.5) };
        for sign in [1.0, -1.0] {
            let [torque, force] = [("Torque", "tau", "w0"), ("Force", "f", "v0")]
                .map(|(kind, f, v0)| format!("load Sign{kind} {f}_nominal=-2 {v0}={w0} reg={reg}"));
            follows(sign * 0.8, [&torque, &force], &|t| sign * speed(t), 1e-8);
        }
    }
    // sinh(w / s) falls exponentially.
    let s = 0.02 * w0;
    let speed = |t: f64| s * ((0.02 / s).sinh() * (-t / s).exp()).asinh();
    let loads = ["load SignTorque tau_nominal=-2 w0=0.3", "load SignForce f_nominal=-2 v0=0.3"];
    follows(0.02, loads, &speed, 1e-9);
}

/// ln x + x^2/2 falls at a constant rate, at a temperature that changes the speed of the largest torque.
#[test]
fn an_eddy_current_brake_takes_the_energy() {
    let resistance = 1.0 + 0.004 / (1.0 + 0.004 * 20.0) * (373.15 - 313.15);
    for (load, v) in [
        ("load EddyCurrentTorque tau_nominal=5 w_nominal=3 TRef=313.15 alpha20=0.004 T=373.15", "w"),
        ("load EddyCurrentForce f_nominal=5 v_nominal=3 TRef=313.15 alpha20=0.004 T=373.15", "v"),
    ] {
        for interface in INTERFACES {
            let mut train = under(interface, 10.0, load);
            let nominal = 3.0 * resistance;
            let value = |v: f64| (v / nominal).ln() + 0.5 * (v / nominal).powi(2);
            for i in 0..30 {
                let speed = train.real(&format!("shaft.{v}"));
                let expected = value(10.0) - 10.0 / (2.0 * nominal) * 0.1 * f64::from(i);
                assert!((value(speed) - expected).abs() < 1e-8, "{i}: {speed}");
                let x = speed / nominal;
                let tau = 10.0 * x / (1.0 + x * x);
                let f = if v == "w" { "load.tau" } else { "load.f" };
                check(&mut train, &[(f, tau), ("load.lossPower", tau * speed)]);
                train.step(0.1);
            }
        }
    }
}

#[test]
fn a_wheel_resists_by_its_load() {
    let weight = 2.0 * 9.80665;
    let slope = 0.1_f64;
    let a = 0.02 * 9.80665 * slope.atan().cos();
    let load = format!(
        "load RollingResistance fWeight={weight} CrConstant=0.02 inclinationConstant={slope} v0=0.1 reg=Linear"
    );
    let speed = |t: f64| {
        let slow = 0.1 / a;
        let begin = (0.25 - 0.1) / a;
        if t < begin { 0.25 - a * t } else { 0.1 * (-(t - begin) / slow).exp() }
    };
    for interface in INTERFACES {
        let mut train = under(interface, 0.25, &load);
        check(&mut train, &[("load.f", 0.02 * weight * slope.atan().cos()), ("load.v", 0.25)]);
        for i in 0..20 {
            let (found, expected) = (train.real("shaft.v"), speed(0.1 * f64::from(i)));
            assert!((found - expected).abs() < 1e-9, "{i}: {found} {expected}");
            train.step(0.1);
        }
        // Inputs have the effect of the parameters that they replace.
        let inputs =
            format!("load RollingResistance fWeight={weight} useCrInput=true useInclinationInput=true reg=Linear");
        let mut train = under(interface, 0.25, &inputs);
        train.set("load.cr", 0.02);
        train.set("load.inclination", slope);
        check(&mut train, &[("shaft.a", -a)]);
    }
}

#[test]
fn a_load_acts_on_the_housing_too() {
    for load in [
        "ConstantTorque tau_constant=3",
        "LinearSpeedDependentTorque tau_nominal=6 w_nominal=2",
        "SignTorque tau_nominal=3 w0=0.5 reg=Linear",
    ] {
        let text = format!(
            "shaft Inertia J=2 w_start=2\nhousing Inertia J=5 w_start=1
             load {load} useSupport=true flange=shaft.flange_b support=housing.flange_a"
        );
        let mut train = train(INTERFACES[0], &text);
        check(&mut train, &[("shaft.a", 1.5), ("housing.a", -0.6)]);
    }
}

#[test]
fn a_torque_between_two_shafts_has_its_sign() {
    let text = "a Inertia J=2\nb Inertia J=5\nload Torque2 tau=10 flange_a=a.flange_b flange_b=b.flange_a
        m Mass m=2\nn Mass m=5\nforce Force2 f=10 flange_a=m.flange_b flange_b=n.flange_a";
    for interface in INTERFACES {
        // flange_a.tau = tau acts on the part, so the shaft at flange_a is moved backward.
        check(&mut train(interface, text), &[("a.a", -5.0), ("b.a", 2.0), ("m.a", -5.0), ("n.a", 2.0)]);
    }
}

#[test]
fn a_constant_speed_is_held() {
    let text = "drive ConstantSpeed w_fixed=3 phi_start=0.5\nshaft Inertia J=2 flange_a=drive.flange
        belt Translational.ConstantSpeed v_fixed=-2\nmass Mass m=2 v_start=1
        damper Translational.Damper d=4 flange_a=belt.flange flange_b=mass.flange_a
        brake LinearSpeedDependentTorque TorqueDirection=false tau_nominal=-6 w_nominal=2 flange=shaft.flange_b";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-11);
        train.step(0.5);
        let v = -2.0 + 3.0 * (-1.0_f64).exp();
        for (name, expected) in [
            ("drive.phi", 2.0),
            ("shaft.phi", 2.0),
            ("shaft.w", 3.0),
            ("drive.tau", 9.0),
            ("belt.s", -1.0),
            ("mass.v", v),
            ("belt.f", 4.0 * (-2.0 - v)),
        ] {
            let found = train.real(name);
            assert!((found - expected).abs() < 1e-8, "{name}: {found} {expected}");
        }
    }
}

#[test]
fn a_disc_and_a_wheel_are_rigid() {
    let text = "a Inertia J=2 phi_start=0.1 w_start=3\ndisc Disc deltaPhi=0.4 flange_a=a.flange_b flange_b=b.flange_a
        b Inertia J=1\nwheel IdealRollingWheel radius=0.5 flangeR=b.flange_b flangeT=car.flange_a\ncar Mass m=4
        push ConstantForce f_constant=8 flange=rod.flange_b\nrod Rod L=3 flange_a=car.flange_b";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        let phi = train.real("a.phi");
        check(
            &mut train,
            &[
                ("b.phi", phi + 0.4),
                ("disc.phi", phi + 0.2),
                ("car.s", 0.5 * (phi + 0.4)),
                ("a.a", 1.0),
                ("car.a", 0.5),
            ],
        );
    }
    // The housings move: what counts is the relative motion.
    let text = "a Inertia J=2\nwheel IdealRollingWheel radius=0.5 useSupportR=true useSupportT=true flangeR=a.flange_b
            flangeT=car.flange_a supportR=motor.flange_a supportT=road.flange_a\ncar Mass m=4
        motor Inertia J=3\nroad Mass m=7\npush ConstantForce f_constant=11 flange=car.flange_b";
    let text = text.replace("flange_b\n            flangeT", "flange_b flangeT");
    let mut train = train(INTERFACES[0], &text);
    let [a, motor, car, road] = ["a.a", "motor.a", "car.a", "road.a"].map(|name| train.real(name));
    assert!(((a - motor) * 0.5 - (car - road)).abs() < 1e-12, "{a} {motor} {car} {road}");
    // What acts on the wheel also acts on the housings.
    assert!((2.0 * a + 3.0 * motor).abs() < 1e-12 && (4.0 * car + 7.0 * road - 11.0).abs() < 1e-12);
    assert!((2.0 * a + 0.5 * (4.0 * car - 11.0)).abs() < 1e-12 && a > 0.1, "{a}");
}

/// v' = -(a + b v^2) on a road, with the wheels' inertia.
#[test]
fn a_vehicle_coasts() {
    let g = 9.80665;
    let slope = 0.02_f64;
    let whole = 1200.0 + 3.0 / 0.09;
    let a = 1200.0 * g * (0.012 * slope.atan().cos() + slope.atan().sin()) / whole;
    let b = 0.5 * 0.3 * 2.2 * 1.2 / whole;
    let text = "car Vehicle m=1200 J=3 R=0.3 A=2.2 Cd=0.3 CrConstant=0.012 inclinationConstant=0.02 v_start=30";
    for interface in INTERFACES {
        for is_input in [false, true] {
            let options = if is_input { "useCrInput=true useInclinationInput=true useWindInput=true" } else { "" };
            let text = if is_input {
                text.replace("CrConstant=0.012 inclinationConstant=0.02", options)
            } else {
                text.to_owned()
            };
            let mut train = train(interface, &text);
            train.set_tolerance(1e-11);
            if is_input {
                train.set("car.cr", 0.012);
                train.set("car.inclination", slope);
            }
            for i in 0..10 {
                let t = 2.0 * f64::from(i);
                let expected = (a / b).sqrt() * ((30.0 * (b / a).sqrt()).atan() - (a * b).sqrt() * t).tan();
                let found = train.real("car.v");
                assert!((found - expected).abs() < 1e-8, "{t}: {found} {expected}");
                train.step(2.0);
            }
        }
    }
}

/// At a standstill on a slope rolling resistance is proportional to the velocity; then the vehicle rolls back.
#[test]
fn a_vehicle_is_driven_at_its_wheels_and_rolls_back() {
    let text = "shaft Inertia J=0\nmotor Torque tau=100 flange=shaft.flange_a
        car Vehicle m=1000 J=9 R=0.3 A=0 g=10 CrConstant=0.01 inclinationConstant=0.75 flangeR=shaft.flange_b";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        check(&mut train, &[("car.a", (100.0 / 0.3 - 6000.0) / 1100.0)]);
        // Soon faster than vReg: rolling resistance acts against the motion, with its full size.
        train.step(0.5);
        check(&mut train, &[("car.a", (100.0 / 0.3 - 6000.0 + 80.0) / 1100.0)]);
        let [v, w] = ["car.v", "shaft.w"].map(|name| train.real(name));
        assert!((v - 0.3 * w).abs() < 1e-12 && v < -2.0, "{v} {w}");
    }
    // A head wind drives as it brakes.
    let mut still = crate::fixture::train(INTERFACES[0], "car Vehicle m=1000 A=2 Cd=0.5 vWindConstant=-10");
    check(&mut still, &[("car.a", -0.5 * 2.0 * 0.5 * 1.2 * 100.0 / 1000.0)]);
}

#[test]
fn derivatives_are_those_of_the_laws() {
    let text = "shaft Inertia J=2 w_start=1.3\nload SignTorque tau_nominal=-3 w0=2 reg=Sine flange=shaft.flange_a
        brake EddyCurrentTorque tau_nominal=5 w_nominal=3 flange=shaft.flange_b
        fan LinearSpeedDependentTorque tau_nominal=-1 w_nominal=4 flange=shaft.flange_b";
    let mut train = train(INTERFACES[1], text);
    train.step(0.1);
    let w = train.real("shaft.w");
    let x = w / 3.0;
    let eddy = -10.0 / 3.0 * (1.0 - x * x) / (1.0 + x * x) / (1.0_f64 + x * x);
    let expected = 0.5 * (-3.0 * FRAC_PI_2 / 2.0 * (FRAC_PI_2 * 0.5 * w).cos() + eddy - 0.25);
    let found = train.directional_derivative("shaft.a", "shaft.w");
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn a_material_without_resistance_is_refused() {
    let text = "shaft Inertia\nload EddyCurrentTorque alpha20=0.02 TRef=193.15 flange=shaft.flange_a";
    let message = message(|| {
        train(INTERFACES[0], text).real("shaft.w");
    });
    for expected in [
        "load.alpha20 is 0.02, but 1 + alpha20 (TRef - 293.15 K), which is -0.999",
        " with TRef = 193.15 K, must be above 0",
    ] {
        assert!(message.contains(expected), "{message}");
    }
}
