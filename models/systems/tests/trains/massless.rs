//! Springs and dampers in series without an inertia between them: closed forms, the limit of a small mass, energy, derivatives.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};
use crate::space::refused::message;

/// Makes a system with a tolerance so tight that what remains is the error of the equations.
fn precise(interface: Interface, text: &str) -> Trial {
    let mut train = train(interface, text);
    train.set_tolerance(1e-11);
    train
}

fn assert_close(found: f64, expected: f64, bound: f64, what: &str) {
    assert!((found - expected).abs() <= bound, "{what}: {found} instead of {expected}");
}

/// Two springs between two shafts act as one with c1 c2 / (c1 + c2); the flange between them divides the angle.
#[test]
fn springs_in_series_act_as_one() {
    let text = |kind: &str, spring: &str, x: &str, v: &str| {
        format!(
            "one {kind} {x}_start=0.3 {v}_start=1\nother {kind}
             near {spring} c=30 {x}_rel0=0.1 flange_a=one.flange_b
             far {spring} c=60 {x}_rel0=-0.2 flange_a=near.flange_b flange_b=other.flange_a"
        )
    };
    for (kind, spring, [x, v, f]) in
        [("Inertia", "Spring", ["phi", "w", "tau"]), ("Mass", "Translational.Spring", ["s", "v", "f"])]
    {
        let as_one = format!(
            "one {kind} {x}_start=0.3 {v}_start=1\nother {kind}
             spring {spring} c=20 {x}_rel0=-0.1 flange_a=one.flange_b flange_b=other.flange_a"
        );
        for interface in INTERFACES {
            let mut series = precise(interface, &text(kind, spring, x, v));
            let mut one = precise(interface, &as_one);
            for _ in 0..50 {
                let mut expected = |name: &str| one.real(name);
                let at = expected(&format!("one.{x}")) + 0.1 + 2.0 / 3.0 * (expected(&format!("spring.{x}_rel")) + 0.1);
                let load = expected(&format!("spring.{f}"));
                let [own, other] = ["one", "other"].map(|part| expected(&format!("{part}.{v}")));
                assert_close(series.real(&format!("near.{f}")), load, 1e-8, "near");
                assert_close(series.real(&format!("far.{f}")), load, 1e-8, "far");
                assert_close(series.real(&format!("near.flange_b.{x}")), at, 1e-9, "position");
                assert_close(
                    series.real(&format!("near.flange_b.{v}")),
                    own + 2.0 / 3.0 * (other - own),
                    1e-8,
                    "velocity",
                );
                series.step(0.02);
                one.step(0.02);
            }
        }
    }
}

/// Behind a damper a spring relaxes with the time d/c: the torque that a given speed needs is d w (1 - exp(-c t/d)). So it is for
/// two springs with the damper between, of which none alone decides where the damper is.
#[test]
fn springs_relax_through_a_damper() {
    let one =
        "spring Spring c=8 flange_a=left.flange\ndamper Damper d=4 flange_a=spring.flange_b flange_b=drive.flange";
    let two = "spring Spring c=12 flange_a=left.flange\ndamper Damper d=4 flange_a=spring.flange_b
        other Spring c=24 phi_rel0=0.7 flange_a=damper.flange_b flange_b=drive.flange";
    for (text, state) in [(one, "spring.flange_b.phi"), (two, "damper.flange_b.phi_rel")] {
        for interface in INTERFACES {
            let mut train = precise(interface, &format!("left Fixed phi0=0.5\n{text}\ndrive Speed w=0.3 phi_start=1"));
            // At the start the springs are relaxed.
            check(&mut train, &[("spring.flange_b.phi", 0.5), ("spring.tau", 0.0), ("damper.w_rel", 0.0)]);
            for i in 0..40 {
                let expected = 1.2 * (1.0 - (-2.0 * 0.05 * f64::from(i)).exp());
                for torque in ["spring.tau", "damper.tau", "drive.tau"] {
                    assert_close(train.real(torque), expected, 1e-9, torque);
                }
                // The rate of the torque is c times that of the spring.
                let rate = 2.4 * (-2.0 * 0.05 * f64::from(i)).exp();
                let c = if text == one { 8.0 } else { 12.0 };
                assert_close(c * train.real("spring.flange_b.w"), rate, 1e-9, "rate");
                assert_close(train.real("damper.a_rel"), rate / 4.0, 1e-8, "a_rel");
                let _ = train.real(state);
                train.step(0.05);
            }
        }
    }
}

/// A rod and a gear between springs carry no inertia either: stiffnesses add up as their squared ratios say.
#[test]
fn rods_and_gears_between_springs_have_no_inertia() {
    for interface in INTERFACES {
        let mut train = precise(
            interface,
            "shaft Inertia J=2 phi_start=0.2\nwall Fixed
             near Spring c=90 flange_a=shaft.flange_b
             gear IdealGear ratio=3 flange_a=near.flange_b
             far Spring c=900 flange_a=gear.flange_b flange_b=wall.flange",
        );
        // 900 behind the gear are 900/9 before it.
        let c = 90.0 * 100.0 / 190.0;
        let omega = f64::sqrt(c / 2.0);
        for i in 0..40 {
            assert_close(train.real("shaft.phi"), 0.2 * (omega * 0.05 * f64::from(i)).cos(), 1e-8, "shaft");
            train.step(0.05);
        }
    }
}

/// Where a node touches a stop, the stiffness there changes: at an exact event, whatever the exponent.
#[test]
fn contacts_at_a_flange_change_its_stiffness() {
    for n in [1.0, 1.5, 3.0] {
        for interface in INTERFACES {
            let mut train = precise(
                interface,
                &format!(
                    "drive Translational.Speed v=0.1\nwall Translational.Fixed\nstop Translational.Fixed s0=0.01
                     pull Translational.Spring c=200 flange_a=drive.flange
                     hold Translational.Spring c=300 flange_a=wall.flange flange_b=pull.flange_b
                     gap ElastoGap c=1000 d=0 n={n} flange_a=hold.flange_b flange_b=stop.flange"
                ),
            );
            // Until 0.25 s the node is at 0.4 x.
            for i in 0..60 {
                let x = 0.001 * f64::from(i);
                let s = train.real("pull.flange_b.s");
                let depth = (s - 0.01).max(0.0);
                let residual = 200.0 * (x - s) - 300.0 * s - 1000.0 * depth.powf(n);
                assert_close(residual, 0.0, 1e-9, &format!("n = {n}, x = {x}, s = {s}"));
                assert!(i == 25 || train.boolean("gap.contact") == (i > 25), "{i}");
                // At the contact itself, the side that rounding chooses counts.
                if i == 25 {
                    train.step(0.01);
                    continue;
                }
                let slope = if depth > 0.0 { 1000.0 * n * depth.powf(n - 1.0) } else { 0.0 };
                assert_close(train.real("pull.flange_b.v"), 0.1 * 200.0 / (500.0 + slope), 1e-9, "velocity");
                train.step(0.01);
            }
        }
    }
}

/// Shafts, springs, dampers and a damped contact around two flanges without inertia.
const MIXED: &str = "one Inertia J=0.5 w_start=3\nother Inertia J=0.8
    a Spring c=40 flange_a=one.flange_b
    b SpringDamper c=15 d=0.4 phi_rel0=0.1 flange_a=a.flange_b flange_b=other.flange_a useHeatPort=true heatPort=heat.port
    c ElastoBacklash c=500 d=0.7 b=0.05 flange_a=a.flange_b flange_b=other.flange_a useHeatPort=true heatPort=heat.port
    e Spring c=70 flange_a=a.flange_b
    f Damper d=0.3 flange_a=e.flange_b useHeatPort=true heatPort=heat.port
    g Spring c=25 phi_rel0=-0.2 flange_a=f.flange_b flange_b=ground.flange
    ground Fixed
    heat HeatCapacitor C=1 T=1";

/// Kinetic and elastic energy and the heat: their sum is constant.
#[test]
fn the_energy_is_that_of_the_start() {
    for interface in INTERFACES {
        let mut train = precise(interface, MIXED);
        train.set_tolerance(1e-12);
        let energy = |train: &mut Trial| {
            let mut half = |factor: f64, name: &str, zero: f64| 0.5 * factor * (train.real(name) - zero).powi(2);
            let mut sum = half(0.5, "one.w", 0.0) + half(0.8, "other.w", 0.0);
            for (c, name, zero) in [(40.0, "a", 0.0), (15.0, "b", 0.1), (70.0, "e", 0.0), (25.0, "g", -0.2)] {
                sum += half(c, &format!("{name}.phi_rel"), zero);
            }
            let depth = (train.real("c.phi_rel").abs() - 0.025).max(0.0);
            sum + 250.0 * depth * depth + train.real("heat.T")
        };
        let begin = energy(&mut train);
        let mut heat = train.real("heat.T");
        for _ in 0..200 {
            train.step(0.02);
            assert_close(energy(&mut train), begin, 1e-9 * begin, "energy");
            // At each instant, what springs, dampers and contact take is what the shafts lose.
            let [one, x, y, z] =
                ["one", "a.flange_b", "e.flange_b", "f.flange_b"].map(|name| train.real(&format!("{name}.w")));
            let other = train.real("other.w");
            let rates = [("a", x - one), ("b", other - x), ("c", other - x), ("e", y - x), ("f", z - y), ("g", -z)];
            let kinetic = 0.5 * one * train.real("one.a") + 0.8 * other * train.real("other.a");
            let power = rates.iter().fold(kinetic, |sum, (name, rate)| sum + rate * train.real(&format!("{name}.tau")));
            assert_close(power, 0.0, 1e-9, "power");
            assert!(train.real("heat.T") >= heat - 1e-9);
            heat = train.real("heat.T");
        }
        assert!(heat > 1.5, "{heat}");
    }
}

/// A run goes on from a saved state with the same bits.
#[test]
fn saved_states_go_on_with_the_same_bits() {
    for interface in INTERFACES {
        let mut train = precise(interface, MIXED);
        (0..30).for_each(|_| train.step(0.02));
        let state = train.save();
        let ends = [0, 1].map(|_| {
            train.restore(&state);
            (0..30).for_each(|_| train.step(0.02));
            ["one.phi", "other.w", "a.flange_b.phi", "f.flange_b.phi_rel"].map(|name| train.real(name).to_bits())
        });
        assert_eq!(ends[0], ends[1], "{interface:?}");
    }
}

/// With masses in place of the flanges without inertia, the motion comes as much closer as these are smaller.
#[test]
fn small_inertias_lead_to_the_same_motion() {
    let names = ["one.w", "other.w", "a.tau", "f.tau"];
    let run = |text: &str| {
        let mut train = train(Interface::CoSimulation, text);
        train.set_tolerance(1e-8);
        (0..90).for_each(|_| train.step(0.01));
        names.map(|name| train.real(name))
    };
    let massless = run(MIXED);
    // Their motion begins where springs balance, too.
    let mut start = train(Interface::CoSimulation, MIXED);
    let [x, y, z] = ["a.flange_b", "e.flange_b", "f.flange_b"].map(|flange| start.real(&format!("{flange}.phi")));
    let with = |j: f64| {
        let at =
            |name: &str, flange: &str, phi: f64| format!("{name} Inertia J={j} phi_start={phi:?} flange_a={flange}\n");
        run(&format!("{MIXED}\n{}{}{}", at("x", "a.flange_b", x), at("y", "e.flange_b", y), at("z", "f.flange_b", z)))
    };
    let errors = [1e-3, 1e-4].map(|j| {
        let found = with(j);
        found.iter().zip(massless).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
    });
    assert!(errors[1] < 0.02 && errors[1] < 0.3 * errors[0], "{errors:?}");
}

/// Derivatives through the balance of springs, in the initial mode and behind it.
#[test]
fn derivatives_are_those_of_differences() {
    let outputs =
        ["one.a", "other.a", "a.tau", "b.tau", "a.flange_b.w", "f.flange_b.phi_rel", "f.w_rel", "f.lossPower"];
    for known in ["one.J", "a.c", "b.d", "e.c", "f.d", "g.phi_rel0", "one.phi_start"] {
        let here = || train(Interface::ModelExchange, &MIXED.replace("w_start=3", "w_start=3 phi_start=0.3"));
        let value = here().real(known);
        for output in outputs {
            let exact = here().directional_derivative(output, known);
            let h = 1e-5;
            let at = |shift: f64| {
                let mut train = here();
                train.set(known, value + shift);
                train.real(output)
            };
            let difference = (at(h) - at(-h)) / (2.0 * h);
            assert_close(exact, difference, 1e-6 * difference.abs().max(1.0), &format!("{output} by {known}"));
        }
    }
}

/// Two springs in series under a weight start where they bear it.
#[test]
fn a_start_at_rest_is_where_springs_bear_the_load() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "steady true\nweight Mass m=3\nforce ConstantForce f_constant=-12 flange=weight.flange_a\nground Translational.Fixed
             low Translational.SpringDamper c=30 d=2 s_rel0=0.4 flange_a=ground.flange
             high Translational.Spring c=60 s_rel0=0.3 flange_a=low.flange_b flange_b=weight.flange_a",
        );
        check(&mut train, &[("weight.s", 0.1), ("low.flange_b.s", 0.0), ("weight.a", 0.0), ("high.f", -12.0)]);
        train.step(1.0);
        assert_close(train.real("weight.s"), 0.1, 1e-9, "weight");
    }
}

/// A constant load bends springs in series where they meet: by f/(c1 + c2) between walls that move, and with the reaction on a
/// housing that another spring holds.
#[test]
fn constant_loads_act_where_springs_meet() {
    for interface in INTERFACES {
        let mut train = precise(
            interface,
            "drive Translational.Speed v=0.2\nwall Translational.Fixed
             pull Translational.Spring c=200 flange_a=drive.flange
             hold Translational.Spring c=300 flange_a=wall.flange flange_b=pull.flange_b
             weight ConstantForce f_constant=-10 flange=pull.flange_b
             kick ForceStep stepForce=25 startTime=0.5 useSupport=true flange=pull.flange_b support=frame.flange_b
             frame Translational.Spring c=50 flange_a=wall.flange",
        );
        for i in 0..20 {
            let t = 0.05 * f64::from(i) + 0.02;
            train.step(if i == 0 { 0.02 } else { 0.05 });
            let kick = if t > 0.5 { 25.0 } else { 0.0 };
            let s = (200.0 * 0.2 * t - 10.0 + kick) / 500.0;
            assert_close(train.real("pull.flange_b.s"), s, 1e-9, "node");
            assert_close(train.real("pull.flange_b.v"), 0.08, 1e-9, "velocity");
            assert_close(train.real("frame.flange_b.s"), -kick / 50.0, 1e-9, "housing");
            assert_close(train.real("drive.f"), 200.0 * (0.2 * t - s), 1e-7, "force of the drive");
        }
    }
}

/// A constant torque on a damper and a spring: it turns towards tau/c with the time d/c; a jump acts on what was reached.
#[test]
fn constant_loads_move_dampers_without_inertia() {
    for interface in INTERFACES {
        let mut train = precise(
            interface,
            "wall Fixed\ndamper SpringDamper c=8 d=4 flange_a=wall.flange\nload ConstantTorque tau_constant=2 flange=damper.flange_b
             more TorqueStep stepTorque=6 startTime=1 flange=damper.flange_b",
        );
        let phi = |train: &mut Trial| train.real("damper.flange_b.phi");
        // The start is where springs balance.
        assert_close(phi(&mut train), 0.25, 1e-12, "start");
        for i in 1..60 {
            train.step(0.05);
            let since = (0.05 * f64::from(i) - 1.0).max(0.0);
            assert_close(phi(&mut train), 0.25 + 0.75 * (1.0 - (-2.0 * since).exp()), 1e-9, "angle");
            if i != 20 {
                let w = if i < 20 { 0.0 } else { 1.5 * (-2.0 * since).exp() };
                assert_close(train.real("damper.flange_b.w"), w, 1e-9, "speed");
            }
        }
    }
}

/// A damper alone has not moved at the start, however large the load; a jump at the start acts on what it finds.
#[test]
fn constant_loads_at_the_start_move_what_follows_from_them() {
    for interface in INTERFACES {
        let mut train = precise(
            interface,
            "wall Fixed\ndamper Damper d=4 flange_a=wall.flange\nload ConstantTorque tau_constant=2 flange=damper.flange_b",
        );
        for i in 0..3 {
            assert_close(train.real("damper.flange_b.phi"), 0.05 * f64::from(i), 1e-9, "angle");
            assert_close(train.real("damper.flange_b.w"), 0.5, 1e-12, "speed");
            train.step(0.1);
        }
        let mut train = precise(
            interface,
            "wall Translational.Fixed\nhold Translational.SpringDamper c=200 d=4 flange_a=wall.flange
             kick ForceStep stepForce=10 flange=hold.flange_b",
        );
        for _ in 0..3 {
            assert_close(train.real("hold.flange_b.s"), 0.05, 1e-9, "position");
            assert_close(train.real("hold.flange_b.v"), 0.0, 1e-9, "speed");
            train.step(0.1);
        }
    }
}

/// A contact that a jump of the load closes at once bears its part of the new load.
#[test]
fn a_jump_of_the_load_closes_a_contact() {
    for interface in INTERFACES {
        let mut train = precise(
            interface,
            "wall Translational.Fixed\nstop Translational.Fixed s0=0.01
             hold Translational.Spring c=300 flange_a=wall.flange
             load ForceStep stepForce=9 startTime=0.1 flange=hold.flange_b
             gap ElastoGap c=700 d=0 flange_a=hold.flange_b flange_b=stop.flange",
        );
        for (h, s, is_closed) in [(0.05, 0.0, false), (0.1, 0.016, true), (0.5, 0.016, true)] {
            train.step(h);
            assert_close(train.real("hold.flange_b.s"), s, 1e-12, "node");
            assert_eq!(train.boolean("gap.contact"), is_closed, "{interface:?} {s}");
        }
        // 9 N = 300 N/m * 0.016 m + 700 N/m * 0.006 m
        assert_close(train.real("gap.f"), -4.2, 1e-9, "contact");
    }
}

/// Springs one behind the other, with this number of flanges between.
fn chain(count: usize) -> String {
    let mut text = "one Inertia\nother Inertia\ns0 Spring flange_a=one.flange_b\n".to_owned();
    for i in 1..count {
        text += &format!("s{i} Spring flange_a=s{}.flange_b\n", i - 1);
    }
    text + &format!("s{count} Spring flange_a=s{}.flange_b flange_b=other.flange_a", count - 1)
}

#[test]
fn what_has_no_solution_is_refused() {
    let between = |parts: &str| format!("one Inertia\nother Inertia\n{parts}");
    #[rustfmt::skip]
    let cases = [
        (between("s Spring flange_a=one.flange_b\nt Spring flange_a=s.flange_b flange_b=other.flange_a\nbrake Brake flange_a=s.flange_b"),
         "\"brake\" acts at \"s.flange_b\", which has no inertia, so that only springs, dampers and constant loads can meet there: connect an Inertia to it"),
        (between("s Spring flange_a=one.flange_b\nt Spring flange_a=s.flange_b flange_b=other.flange_a\nmotor Torque flange=s.flange_b"),
         "\"motor\" acts at \"s.flange_b\", which has no inertia, so that only springs, dampers and constant loads can meet there: connect \
          an Inertia to it"),
        (
            "m Mass\nk Mass\ns ElastoGap c=1 flange_a=m.flange_b\nt ElastoGap c=1 flange_a=s.flange_b flange_b=k.flange_a".to_owned(),
            "nothing that always acts holds \"s.flange_b\", which has no inertia: connect a Mass, a Spring, or a Damper to it that leads to \
             what has inertia or is held",
        ),
        ("a ConstantForce\nb ConstantForce flange=a.flange\nm Mass\nk Mass".to_owned(), "connect a Mass"),
        (between("s Spring flange_a=one.flange_b"),
         "nothing that moves with \"s.flange_b\" has inertia: connect an Inertia to it, or hold it by Fixed or Position"),
        (
            between(
                "s Spring flange_a=one.flange_b\ngear IdealGear ratio=2\nd Damper flange_a=s.flange_b flange_b=gear.flange_a
                 e Damper flange_a=s.flange_b flange_b=gear.flange_b
                 t Spring flange_a=gear.flange_b flange_b=other.flange_a",
            ),
            "\"e\" acts over a gear at \"s.flange_b\", which has no inertia: connect an Inertia to it",
        ),
        (between("s SpringDamper d=0 flange_a=one.flange_b\nt Spring flange_a=s.flange_b flange_b=other.flange_a"),
         "s.d is 0, but at \"s.flange_b\" nothing has inertia: give it a damping above 0, or take a Spring"),
        (between("s Spring c=0 flange_a=one.flange_b\nt Spring flange_a=s.flange_b flange_b=other.flange_a"),
         "s.c is 0, but at \"s.flange_b\" nothing has inertia: give it a stiffness above 0, or leave it out"),
        (
            between(
                "s Spring flange_a=one.flange_b\nt Spring flange_a=s.flange_b flange_b=other.flange_a
                 g ElastoBacklash c=1 b=0.1 d=2 flange_a=s.flange_b flange_b=other.flange_a",
            ),
            "g.d is 2.0, but at \"s.flange_b\" neither an inertia nor a damper that always acts decides the velocity: give it the damping \
             0, or connect a Damper or an Inertia there",
        ),
        (chain(301), "springs and dampers connect 300 flanges without inertia to \"s0.flange_b\", but can connect at most 300: connect an Inertia"),
    ];
    for (text, expected) in cases {
        let found = message(|| {
            train(Interface::CoSimulation, &text).real("time");
        });
        assert!(found.contains(expected), "{found}\ninstead of\n{expected}");
    }
}

/// Three gears of 5e-5 turn a massless flange by 8e12 for each turn of the motor; the load behind it moves as it does behind one gear.
#[test]
fn a_massless_flange_follows_fast_gears() {
    let ratio = 5e-5_f64.powi(3);
    let (j, c) = (ratio.powi(2), 8.0 * ratio.powi(2));
    let springs = format!(
        "first Spring c={c:e} flange_b=second.flange_a
        second Spring c={c:e} flange_b=load.flange_a
        load Inertia J={j:e}
        motor Inertia J=1 w_start=1"
    );
    let gears = "a IdealGear ratio=5e-5 flange_a=motor.flange_b
        b IdealGear ratio=5e-5 flange_a=a.flange_b
        c IdealGear ratio=5e-5 flange_a=b.flange_b flange_b=first.flange_a";
    let gear = format!("gear IdealGear ratio={ratio:e} flange_a=motor.flange_b flange_b=first.flange_a");
    for interface in INTERFACES {
        let mut found = Vec::new();
        for gears in [gears, &gear] {
            let mut train = train(interface, &format!("{springs}\n{gears}"));
            train.set_tolerance(1e-9);
            // A quarter of the period of both inertias against each other, with c / 2 at the load.
            train.step(std::f64::consts::PI / 8.0_f64.sqrt() / 2.0);
            found.push([train.real("motor.w"), train.real("load.w") * ratio]);
        }
        // Half of the motion is common.
        for (w, expected) in found.concat().iter().zip([0.5; 4]) {
            assert!((w - expected).abs() < 1e-6, "{found:?}");
        }
    }
}
