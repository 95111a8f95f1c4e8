//! A system that is cut at a flange is two systems.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Engine, clutch and gear; behind them a shaft with two wheels.
const DRIVE: &str = "engine Inertia J=0.7 w_start=20
    torque Torque flange=engine.flange_a tau=5
    clutch Clutch flange_a=engine.flange_b flange_b=gear.flange_a cgeo=2 fn_max=10 f_normalized=1
    gear IdealGear ratio=3";
const WHEELS: &str = "hub Inertia J=2 phi_start=HP w_start=HW
    shaft SpringDamper flange_a=hub.flange_b flange_b=wheel.flange_a c=50 d=0.3
    wheel Inertia J=1.5 phi_start=WP w_start=WW";

fn wheels([phi, w]: [f64; 2], [wheel_phi, wheel_w]: [f64; 2]) -> String {
    let values = [("HP", phi), ("HW", w), ("WP", wheel_phi), ("WW", wheel_w)];
    values.into_iter().fold(WHEELS.to_owned(), |text, (word, value)| text.replace(word, &format!("{value:?}")))
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} {expected}");
}

/// At each instant, the drive is given the motion of the hub, and the wheels the torque that this takes.
#[test]
fn torque_and_motion_at_a_cut_are_those_inside_the_whole() {
    for interface in INTERFACES {
        let whole = format!("{DRIVE} flange_b=hub.flange_a\n{}", wheels([0.0; 2], [0.0; 2]));
        let mut whole = train(interface, &whole);
        let mut modes = Vec::new();
        for _ in 0..30 {
            whole.step(0.05);
            let mut real = |name: &str| whole.real(name);
            let [phi, w, a] = ["hub.phi", "hub.w", "hub.a"].map(&mut real);
            let wheel = ["wheel.phi", "wheel.w"].map(&mut real);

            let mut behind = train(
                interface,
                &format!("{}\ncut Flange_a flange=hub.flange_a coupling=torque_in", wheels([phi, w], wheel)),
            );
            let tau = 2.0 * a - real("shaft.tau");
            behind.set("cut.tau", tau);
            for (name, expected) in [("cut.phi", phi), ("cut.w", w), ("cut.a", a), ("wheel.a", real("wheel.a"))] {
                assert_close(behind.real(name), expected, name);
            }

            let speed = real("engine.w");
            let mut before = train(
                interface,
                &format!("{DRIVE} flange_b=cut.flange\ncut Flange_b coupling=motion_in")
                    .replace("=20", &format!("={speed:?}")),
            );
            for (name, value) in [("cut.phi", phi), ("cut.w", w), ("cut.a", a)] {
                before.set(name, value);
            }
            assert_close(before.real("cut.tau"), -tau, "cut.tau");
            assert_close(before.real("engine.a"), real("engine.a"), "engine.a");
            assert_eq!(mode(&mut before), mode(&mut whole));
            modes.push(mode(&mut before));
        }
        modes.dedup();
        assert_eq!(modes, [-1, 0], "the clutch slides, then it sticks");
    }
}

/// At one point, the two halves of a system of rods get the motion and the force at the cut.
#[test]
fn force_and_motion_at_a_cut_of_a_rod_are_those_inside_the_whole() {
    let left = "left Mass m=2 v_start=1\nspring Translational.Spring c=30 flange_a=left.flange_b flange_b=middle.flange_a\n\
                middle Mass m=0.5 s_start=0.2 stateSelect=prefer";
    let right = "right Mass m=3 v_start=-1\nother Translational.Spring c=70 flange_b=right.flange_a flange_a=";
    for interface in INTERFACES {
        let mut whole = train(interface, &format!("{left}\n{right}middle.flange_b"));
        let [s, v, a] = ["middle.s", "middle.v", "middle.a"].map(|name| whole.real(name));
        let f = whole.real("other.f");
        let mut before =
            train(interface, &format!("{left}\ncut Translational.Flange_b flange=middle.flange_b coupling=force_in"));
        before.set("cut.f", f);
        let mut behind = train(interface, &format!("{right}cut.flange\ncut Translational.Flange_a coupling=motion_in"));
        for (name, value) in [("cut.s", s), ("cut.v", v), ("cut.a", a)] {
            assert_close(before.real(name), value, name);
            behind.set(name, value);
        }
        assert!(f.abs() > 1.0);
        assert_close(behind.real("cut.f"), -f, "cut.f");
        assert_close(behind.real("right.a"), whole.real("right.a"), "right.a");
    }
}

/// With `flows = "outflow"` an output is the load on the attached component, also its derivatives.
#[test]
fn flows_out_of_the_system_have_the_opposite_sign() {
    let text = "a Inertia J=2\nb Inertia J=1\nspring Spring c=30 flange_a=a.flange_b flange_b=b.flange_a\n\
                cut Flange_a flange=a.flange_a coupling=motion_in";
    for interface in INTERFACES {
        let [mut plain, mut reversed] =
            ["", "\nflows outflow"].map(|option| train(interface, &format!("{text}{option}")));
        let inputs = [("cut.phi", 0.1), ("cut.w", 0.2), ("cut.a", 3.0)];
        for (name, value) in inputs {
            plain.set(name, value);
            reversed.set(name, value);
        }
        assert_close(plain.real("cut.tau"), 2.0 * 3.0 + 30.0 * 0.1, "cut.tau");
        assert_close(reversed.real("cut.tau"), -9.0, "cut.tau");
        for (name, _) in inputs {
            let of = |train: &mut Trial| train.directional_derivative("cut.tau", name);
            assert_close(of(&mut reversed), -of(&mut plain), name);
        }
    }
}

fn mode(train: &mut Trial) -> i32 {
    train.integer("clutch.mode")
}
