//! Starts at rest against closed forms.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};

/// Makes a mass that hangs on a spring, with a load on it.
fn hanging(interface: Interface, mass: &str, force: f64) -> Trial {
    let mut train = train(
        interface,
        &format!(
            "top Fixed flange=spring.flange_a
             spring Translational.SpringDamper c=200 d=3 s_rel0=0.4 flange_b=mass.flange_a
             mass Mass m=2 {mass}
             load Force flange=mass.flange_b"
        ),
    );
    train.set("load.f", force);
    train
}

#[test]
fn a_spring_bears_the_load() {
    for interface in INTERFACES {
        let mut train = hanging(interface, "steady=true s_start=3", 5.0);
        check(&mut train, &[("mass.s", 0.425), ("mass.v", 0.0), ("mass.a", 0.0), ("spring.f", 5.0)]);
    }
    // The mass stays there.
    let mut train = hanging(Interface::CoSimulation, "steady=true", 5.0);
    train.step(0.5);
    check(&mut train, &[("mass.s", 0.425), ("mass.v", 0.0)]);
}

/// Derivatives are those of s = s_rel0 + f/c.
#[test]
fn the_steady_state_has_derivatives() {
    let mut train = hanging(INTERFACES[0], "steady=true", 5.0);
    for (known, expected) in [("load.f", 1.0 / 200.0), ("spring.c", -5.0 / 40_000.0), ("spring.s_rel0", 1.0)] {
        let found = train.directional_derivative("mass.s", known);
        assert!((found - expected).abs() < 1e-14, "{known}: {found} instead of {expected}");
    }
}

/// A torque on the fast shaft of a gear, a spring at the slow one: phi_b = ratio tau/c.
#[test]
fn what_gears_tie_together_rests_together() {
    for steady in [
        "a Inertia steady=true\nb Inertia",
        "a Inertia\nb Inertia steady=true",
        "steady true\na Inertia\nb Inertia w_start=0",
    ] {
        let mut train = train(
            INTERFACES[0],
            &format!(
                "{steady}
                 gear IdealGear ratio=4 flange_a=a.flange_b flange_b=b.flange_a
                 spring Spring c=50 flange_a=b.flange_b
                 wall Fixed flange=spring.flange_b
                 motor Torque flange=a.flange_a"
            ),
        );
        train.set("motor.tau", 3.0);
        check(&mut train, &[("b.phi", 0.24), ("a.phi", 0.96), ("a.w", 0.0), ("b.a", 0.0), ("spring.tau", -12.0)]);
    }
}

/// Two masses and the spring between them can be anywhere: they move least, or to where a guess is.
#[test]
fn what_rest_leaves_open_moves_least_or_towards_guesses() {
    let two = |first: &str| {
        format!(
            "steady true
             a Mass {first}
             spring Translational.Spring c=10 s_rel0=0.6 flange_a=a.flange_b flange_b=b.flange_a
             b Mass m=3 s_start=1"
        )
    };
    check(&mut train(INTERFACES[0], &two("")), &[("a.s", 0.2), ("b.s", 0.8)]);
    check(&mut train(INTERFACES[1], &two("s.initial=guess s=2")), &[("a.s", 2.0), ("b.s", 2.6)]);
    check(&mut train(INTERFACES[1], &two("s.initial=enforce s=-1")), &[("a.s", -1.0), ("b.s", -0.4)]);
}

/// tau = m g r cos(phi): a solution of equations that are not linear.
#[test]
fn a_pendulum_rests_where_its_motor_bears_it() {
    for interface in INTERFACES {
        let mut train = pendulum(interface, 2.0);
        check(&mut train, &[("joint.phi", -(2.0_f64 / (1.5 * 9.80665 * 0.3)).acos()), ("joint.w", 0.0)]);
        assert!(train.real("joint.a").abs() < 1e-12);
    }
}

fn pendulum(interface: Interface, tau: f64) -> Trial {
    let mut train = train(
        interface,
        "steady true
         world World
         joint Revolute phi_start=-1.2 frame_a=world.frame_b
         bob Body m=1.5 r_CM[1]=0.3 frame_a=joint.frame_b
         motor Torque flange=joint.axis",
    );
    train.set("motor.tau", tau);
    train
}

/// Friction holds a deflection of up to n/c on both sides; from beyond, the spring comes to the edge.
#[test]
fn what_friction_holds_stays() {
    for (start, expected) in [(0.015, 0.015), (-0.01, -0.01), (0.5, 0.02)] {
        let mut train = train(
            INTERFACES[0],
            &format!(
                "shaft Inertia steady=true phi_start={start}
                 spring Spring c=50 flange_a=shaft.flange_b
                 wall Fixed flange=spring.flange_b
                 brake Brake fn_max=2 flange_a=shaft.flange_a"
            ),
        );
        train.set("brake.f_normalized", 1.0);
        let found = train.real("shaft.phi");
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        assert!(train.real("shaft.a").abs() < 1e-9);
    }
}

#[test]
#[should_panic = "no steady state was found near the start values of positions: a.a = 2.0 at best; give other start values, or leave \"steady\" out where nothing balances a load or a motion"]
fn a_load_that_nothing_balances_has_no_steady_state() {
    let mut train = train(INTERFACES[0], "a Inertia steady=true J=2\nmotor Torque flange=a.flange_a");
    train.set("motor.tau", 4.0);
    train.real("a.phi");
}

/// A bob of 2 kg at 0.5 m.
const PENDULUM: &str = "steady true
    world World g=9.81
    joint Revolute phi_start=START frame_a=world.frame_b
    bob Body m=2 r_CM[1]=0.5 frame_a=joint.frame_b";

/// From anywhere to the nearest position downhill: where its arm is level, no small turn changes how gravity pulls, and beyond
/// that, Newton's method leads up.
#[test]
fn a_pendulum_comes_to_rest_downhill() {
    let down = -std::f64::consts::FRAC_PI_2;
    let turn = 2.0 * std::f64::consts::PI;
    for (start, expected) in [
        (0.0, down),
        (0.1, down),
        (1.5, down),
        (std::f64::consts::FRAC_PI_2 - 3e-7, down),
        (1.6, down + turn),
        (3.0, down + turn),
        (9.0, down + 2.0 * turn),
    ] {
        for interface in INTERFACES {
            let mut train = train(interface, &PENDULUM.replace("START", &format!("{start:?}")));
            check(&mut train, &[("joint.phi", expected), ("joint.w", 0.0)]);
            assert!(train.real("joint.a").abs() < 1e-12 && train.warnings().is_empty());
        }
    }
}

/// Upright, gravity pulls at the bob with m g r phi: phi'' = g/r phi. Only a start at exactly this position stays there.
#[test]
fn an_unstable_start_is_reported() {
    for interface in INTERFACES {
        let mut train = train(interface, &PENDULUM.replace("START", "1.5707963267948966"));
        check(&mut train, &[("joint.phi", std::f64::consts::FRAC_PI_2)]);
        let expected = "\"joint\" starts in an unstable equilibrium: the smallest disturbance grows by a factor of e in 0.226 s; \
                        another start value of its position leads to a stable one";
        assert_eq!(train.warnings(), [expected], "{}", (0.5_f64 / 9.81).sqrt());
    }
}

/// A spring of 0.3 m across a hinge with an arm of 0.2 m, whose other end is at 0.2 m + 0.25 m above: over the centre it pushes
/// to either side. Each start leads to its own side.
#[test]
fn a_spring_over_centre_pushes_to_the_side_of_the_start() {
    let at = |start: f64| {
        train(
            INTERFACES[0],
            &format!(
                "steady true
                 world World gravityType=NoGravity
                 joint Revolute phi_start={start:?} frame_a=world.frame_b
                 arm BodyShape r[1]=0.2 m=1 I_33=0.01 frame_a=joint.frame_b
                 far FixedTranslation r[1]=0.4 frame_a=world.frame_b
                 spring MultiBody.Spring c=1000 s_unstretched=0.3 frame_a=far.frame_b frame_b=arm.frame_b"
            ),
        )
    };
    // The law of cosines where the spring has its length.
    let side = ((0.16_f64 + 0.04 - 0.09) / (2.0 * 0.4 * 0.2)).acos();
    for (start, expected) in [(0.05, side), (0.3, side), (-0.05, -side), (-0.3, -side), (2.0, side)] {
        let mut train = at(start);
        check(&mut train, &[("joint.phi", expected)]);
        assert!(train.warnings().is_empty());
    }
    assert!(at(0.0).warnings()[0].contains("\"joint\" starts in an unstable equilibrium"));
}

/// Both arms of a double pendulum hang, wherever it starts; a body on a bushing hangs below its mount, which it was above.
#[test]
fn several_motions_come_to_rest_downhill_together() {
    for (one, two) in [(0.3, 0.2), (1.4, 0.1), (-0.2, 2.5)] {
        let mut double = train(
            INTERFACES[0],
            &format!(
                "steady true
                 world World g=9.81
                 one Revolute phi_start={one:?} frame_a=world.frame_b
                 upper BodyShape r[1]=0.5 r_CM[1]=0.2 m=2 I_33=0.1 frame_a=one.frame_b
                 two Revolute phi_start={two:?} frame_a=upper.frame_b
                 lower Body r_CM[1]=0.3 m=1 I_33=0.1 frame_a=two.frame_b"
            ),
        );
        let (first, second) = (double.real("one.phi"), double.real("two.phi"));
        assert!((first.sin() + 1.0).abs() < 1e-12 && (second.cos() - 1.0).abs() < 1e-12, "{first} {second}");
        assert!(double.warnings().is_empty());
    }
    let text = "steady true
         world World g=9.81
         body Body m=10 r_CM[2]=0.3 I_11=1 I_22=1 I_33=1
         mount Bushing RS[1]=20 RS[2]=20 RS[3]=20 momentLaw=gimbal frame_a=world.frame_b frame_b=body.frame_a";
    let mut mounted = train(INTERFACES[0], text);
    // Upright, where nothing pulls it to any side.
    let warnings = mounted.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("\"body\" starts in an unstable equilibrium"), "{warnings:?}");
    // On a hinge, beside it: c phi = m g r sin(phi).
    let hinged = "steady true
         world World g=9.81
         hinge Revolute phi_start=1e-3 frame_a=world.frame_b
         body Body m=10 r_CM[2]=0.3 I_33=1 frame_a=hinge.frame_b
         mount Bushing RS[3]=20 frame_a=world.frame_b frame_b=body.frame_a";
    let mut hinged = train(INTERFACES[0], hinged);
    let phi = hinged.real("hinge.phi");
    assert!((20.0 * phi - 10.0 * 9.81 * 0.3 * phi.sin()).abs() < 1e-9 && phi > 1.0, "{phi}");
    assert!(hinged.warnings().is_empty());
}

/// Newton's method alone would go once around from here.
#[test]
fn a_pendulum_with_a_spring_comes_to_rest_nearby() {
    for interface in INTERFACES {
        let text = format!(
            "{}\nspring Spring c=5 flange_a=joint.support flange_b=joint.axis",
            PENDULUM.replace("START", "0.3")
        );
        let mut train = train(interface, &text);
        let phi = train.real("joint.phi");
        assert!((-2.0..0.0).contains(&phi), "{phi}");
        // The moments of the spring and of the weight.
        assert!((5.0 * phi + 2.0 * 9.81 * 0.5 * phi.cos()).abs() < 1e-9, "{phi}");
    }
}

#[test]
#[should_panic = "contradict each other or what is given: a.w = 3.0 (nearest: 1.5"]
fn a_velocity_contradicts_rest() {
    train(INTERFACES[0], "steady true\na Inertia w.initial=enforce w=3\nbrake Brake flange_a=a.flange_b").real("a.phi");
}

#[test]
#[should_panic = "no steady state was found: joint.a is still "]
fn a_motor_that_is_too_strong_has_no_steady_state() {
    pendulum(INTERFACES[0], 5.0).real("joint.phi");
}

/// A crank of 0.2 m on a rod of 0.15 m turns up to where its sine is 0.75. Its motor bears it at an angle of -0.6, with
/// cos(phi) = tau/(m g r), and from 0.1 the weight pulls it down there; at 0.6 it would tip over. At 0.1, where the load hardly
/// changes, a whole step would lead far beyond.
#[test]
fn a_mechanism_comes_to_rest_without_leaving_its_range() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "steady true
             world World g=9.81
             bearing Revolute phi_start=0.1 frame_a=world.frame_b
             web BodyShape r[1]=0.2 r_CM[1]=0.1 m=1.2 I_33=0.002 frame_a=bearing.frame_b
             rod JointRRP n_b[1]=1 rRod1_ia[1]=0.15 rRod2_ib[1]=0 s_guess=0.3 frame_a=web.frame_b frame_b=world.frame_b
             motor Torque flange=bearing.axis",
        );
        train.set("motor.tau", 1.2 * 9.81 * 0.1 * 0.6_f64.cos());
        let distance = 0.2 * 0.6_f64.cos() + (0.15_f64.powi(2) - (0.2 * 0.6_f64.sin()).powi(2)).sqrt();
        check(&mut train, &[("bearing.phi", -0.6), ("bearing.w", 0.0), ("rod.distance", distance)]);
    }
}

/// Nothing but a force and a spring at the axis of the assembly load it: they balance at a distance of 0.22 m. A base on
/// which both ends are can be anywhere, and stays where it starts.
#[test]
fn what_is_at_the_axis_of_an_assembly_balances() {
    // The law of cosines.
    let phi = ((0.05_f64.powi(2) + 0.22_f64.powi(2) - 0.2_f64.powi(2)) / (2.0 * 0.05 * 0.22)).acos();
    let on = |base: &str, start: f64| {
        let mut train = train(
            INTERFACES[0],
            &format!(
                "steady true
                 world World gravityType=NoGravity
                 bearing Revolute phi_start={start:?} frame_a={base}.frame_b
                 web BodyShape r[1]=0.05 r_CM[1]=0.02 m=1.2 I_33=0.002 frame_a=bearing.frame_b
                 rod JointRRP n_b[1]=1 rRod1_ia[1]=0.2 rRod2_ib[1]=0 s_guess=0.25 frame_a=web.frame_b frame_b={base}.frame_b
                 piston Body m=0.6 frame_a=rod.frame_im
                 spring Translational.Spring c=1000 s_rel0=0.2 flange_a=rod.bearing flange_b=rod.axis
                 push Force flange=rod.axis
                 {}",
                if base == "world" { "" } else { "base Revolute phi_start=0.3 frame_a=world.frame_b" }
            ),
        );
        train.set("push.f", 20.0);
        train
    };
    for start in [1.1, 1.35] {
        check(&mut on("world", start), &[("bearing.phi", phi), ("bearing.w", 0.0), ("spring.f", 20.0)]);
    }
    for start in [phi, phi + 1e-9] {
        check(&mut on("base", start), &[("bearing.phi", phi), ("base.phi", 0.3), ("spring.f", 20.0)]);
    }
}

/// A speck on Hertz's contact: `c x^1.5` bears the load.
#[test]
fn a_speck_rests_where_its_contact_bears_it() {
    for (c, m, load) in [(1e6, 1e-9, 1e-8), (1e9, 1e-6, 1e-5), (1e9, 1e-9, 1e-8), (1e5, 1.0, 10.0)] {
        let text = format!(
            "steady true
            wall Translational.Fixed
            gap ElastoGap c={c} d=0 n=1.5 flange_a=wall.flange flange_b=speck.flange_a
            speck Mass m={m} L=0 s_start={}
            force ConstantForce flange=speck.flange_b f_constant={}",
            -1e-9_f64.max(load / c),
            -load
        );
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            let (expected, found) = (-(load / c).powf(1.0 / 1.5), train.real("speck.s"));
            assert!((found / expected - 1.0).abs() < 1e-8, "{c}: {found} instead of {expected}");
        }
    }
}
