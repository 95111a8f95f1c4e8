//! Contacts with backlash and gaps: closed forms, energy, and an independent integration of the same laws.

use std::f64::consts::PI;

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, follow, published, range, train};

/// Makes a system with a tolerance so tight that what remains is the error of the laws.
fn precise(interface: Interface, text: &str) -> Trial {
    let mut train = train(interface, text);
    train.set_tolerance(1e-11);
    train
}

/// A mass bounces on a spring that lifts off: half an oscillation, and it leaves as fast as it came.
#[test]
fn a_spring_without_damping_returns_the_speed() {
    let gap = "mass Mass m=2 s_start=0.3 v_start=-3\nwall Translational.Fixed
        gap ElastoGap c=800 d=0 s_rel0=0.1 flange_a=wall.flange flange_b=mass.flange_a";
    let backlash = |kind: &str| {
        format!(
            "mass Inertia J=2 phi_start=0 w_start=3\nwall Fixed
             gap {kind} c=800 d=0 b=0.4 flange_a=wall.flange flange_b=mass.flange_a"
        )
    };
    let systems =
        [(gap.to_owned(), "v", -3.0), (backlash("ElastoBacklash"), "w", 3.0), (backlash("ElastoBacklash2"), "w", 3.0)];
    let omega = 20.0;
    for (text, name, begin) in systems {
        for interface in INTERFACES {
            let mut train = precise(interface, &text);
            // 0.2 m to the contact, and 0.2 rad to the end of the backlash.
            let begins = 0.2 / 3.0;
            let ends = begins + PI / omega;
            // Then a backlash ends on the other side.
            for i in 0..35 {
                let t = 0.01 * f64::from(i);
                let phase = omega * (t.clamp(begins, ends) - begins);
                let (found, expected) = (train.real(&format!("mass.{name}")), begin * phase.cos());
                assert!((found - expected).abs() < 1e-8, "{text} {t}: {found} {expected}");
                // Nothing is lost, but for rounding.
                assert!(train.real("gap.lossPower").abs() < 1e-9);
                train.step(0.01);
            }
        }
    }
}

/// The deepest point of a contact follows from the energy, for any exponent.
#[test]
fn an_exponent_bends_the_spring() {
    for n in [1.0, 1.5, 2.0, 3.0] {
        let text = format!(
            "mass Mass m=2 v_start=-1\nwall Translational.Fixed
             gap ElastoGap c=5000 d=0 n={n} flange_a=wall.flange flange_b=mass.flange_a"
        );
        for interface in INTERFACES {
            let mut train = precise(interface, &text);
            let mut deepest = 0.0_f64;
            for _ in 0..3000 {
                train.step(2e-4);
                let [s, v] = ["mass.s", "mass.v"].map(|name| train.real(name));
                let depth = (-s).max(0.0);
                let energy = v * v + 5000.0 * depth.powf(n + 1.0) / (n + 1.0);
                assert!((energy - 1.0).abs() < 1e-8, "{n}: {energy}");
                deepest = deepest.max(depth);
                if depth > 0.0 {
                    let f = -5000.0 * depth.powf(n);
                    check(&mut train, &[("gap.f", f), ("mass.a", -0.5 * f)]);
                }
            }
            let expected = ((n + 1.0) / 5000.0_f64).powf(1.0 / (n + 1.0));
            assert!((deepest - expected).abs() < 1e-3 * expected, "{n}: {deepest} {expected}");
        }
    }
}

/// Between the end of the backlash and the point where nothing pushes, an ElastoBacklash2 is a damped oscillator.
#[test]
fn a_backlash_that_jumps_is_a_damped_oscillator_while_it_pushes() {
    // Positions from the end of the backlash on: x = (3 / omega) exp(-delta t) sin(omega t).
    let [c, d, inertia]: [f64; 3] = [800.0, 24.0, 2.0];
    let delta = 0.5 * d / inertia;
    let omega = (c / inertia - delta * delta).sqrt();
    let text = format!(
        "mass Inertia J={inertia} w_start=3\nwall Fixed
         gap ElastoBacklash2 c={c} d={d} b=0.4 flange_a=wall.flange flange_b=mass.flange_a"
    );
    let speed = |t: f64| 3.0 * (-delta * t).exp() * ((omega * t).cos() - delta / omega * (omega * t).sin());
    // c x + d x' = 0.
    let acceleration = |t: f64| {
        let x = 3.0 / omega * (-delta * t).exp() * (omega * t).sin();
        c * x + d * speed(t)
    };
    let (mut low, mut high) = (0.01, PI / omega);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if acceleration(middle) > 0.0 { low = middle } else { high = middle }
    }
    for interface in INTERFACES {
        let mut train = precise(interface, &text);
        let begins = 0.2 / 3.0;
        for i in 0..60 {
            let t = 5e-3 * f64::from(i);
            let (found, expected) = (train.real("mass.w"), speed((t - begins).clamp(0.0, low)));
            assert!((found - expected).abs() < 1e-8, "{t}: {found} {expected}");
            train.step(5e-3);
        }
    }
}

/// The contact loses the energy that the masses and the spring lose.
#[test]
fn energy_and_lost_power_agree() {
    for (kind, gap) in
        [("ElastoBacklash", "b=0.02"), ("ElastoBacklash2", "b=0.02"), ("ElastoGap", "n=1.5 s_rel0=-0.01")]
    {
        let is_gap = kind == "ElastoGap";
        let text = if is_gap {
            format!(
                "a Mass m=1\nb Mass m=3 v_start=-2\ngap {kind} c=4e4 d=100 {gap} flange_a=a.flange_b flange_b=b.flange_a"
            )
        } else {
            format!(
                "a Inertia J=1\nb Inertia J=3 w_start=-2\ngap {kind} c=4e4 d=60 {gap} flange_a=a.flange_b flange_b=b.flange_a"
            )
        };
        for interface in INTERFACES {
            let mut train = precise(interface, &text);
            let [v, x] = if is_gap { ["v", "s"] } else { ["w", "phi"] };
            let energy = |train: &mut Trial| {
                let [a, b] = ["a", "b"].map(|name| train.real(&format!("{name}.{v}")));
                let [at_a, at_b] = ["a", "b"].map(|name| train.real(&format!("{name}.{x}")));
                let spring = if is_gap {
                    4e4 * (-(at_b - at_a) - 0.01).max(0.0).powf(2.5) / 2.5
                } else {
                    2e4 * ((at_b - at_a).abs() - 0.01).max(0.0).powi(2)
                };
                0.5 * a * a + 1.5 * b * b + spring
            };
            // Simpson's rule on steps so short that the kinks hardly count.
            let (h, mut lost) = (5e-6, 0.0);
            let begin = energy(&mut train);
            let mut before = train.real("gap.lossPower");
            for _ in 0..5000 {
                train.step(0.5 * h);
                let middle = train.real("gap.lossPower");
                train.step(0.5 * h);
                let after = train.real("gap.lossPower");
                assert!(after > -1e-9, "{kind}: {after}");
                lost += h / 6.0 * (before + 4.0 * middle + after);
                before = after;
            }
            let rest = begin - energy(&mut train) - lost;
            // A jump of the lost power is in the middle of a step.
            let bound = if kind == "ElastoBacklash2" { 5e-4 } else { 1e-4 };
            assert!(lost > 0.3 && rest.abs() < bound * lost, "{kind} {interface:?}: {lost} {rest:e}");
        }
    }
}

/// The clamped law, integrated by a method of fourth order with steps of a microsecond.
#[test]
fn the_clamped_law_is_that_of_an_independent_integration() {
    let text = "shaft Inertia J=1 w_start=4 phi_start=0.3\nwall Fixed
        gap ElastoBacklash c=3000 d=70 b=0.4 phi_rel0=0.1 flange_a=wall.flange flange_b=shaft.flange_a";
    let law = |phi: f64, w: f64| {
        let x = phi - 0.1;
        let spring = 3000.0 * (x - x.clamp(-0.2, 0.2));
        -(spring + (70.0 * w).clamp(-spring.abs(), spring.abs()))
    };
    for interface in INTERFACES {
        let mut train = precise(interface, text);
        let (mut phi, mut w) = (0.3, 4.0);
        let h = 1e-6;
        for i in 0..60 {
            let [found_phi, found] = ["shaft.phi", "shaft.w"].map(|name| train.real(name));
            assert!((found - w).abs() < 1e-5 && (found_phi - phi).abs() < 1e-6, "{i}: {found} {w} {found_phi} {phi}");
            for _ in 0..5000 {
                let [k1, l1] = [w, law(phi, w)];
                let [k2, l2] = [w + 0.5 * h * l1, law(phi + 0.5 * h * k1, w + 0.5 * h * l1)];
                let [k3, l3] = [w + 0.5 * h * l2, law(phi + 0.5 * h * k2, w + 0.5 * h * l2)];
                let [k4, l4] = [w + h * l3, law(phi + h * k3, w + h * l3)];
                phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
                w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
            }
            train.step(5e-3);
        }
    }
}

/// Without backlash there is a spring with a damper, which also pulls.
#[test]
fn no_backlash_is_a_spring_with_a_damper() {
    for kind in ["ElastoBacklash", "ElastoBacklash2"] {
        let contact = format!("link {kind} c=50 d=3 b=1e-11 phi_rel0=0.2 flange_a=a.flange_b flange_b=b.flange_a");
        let spring = "link SpringDamper c=50 d=3 phi_rel0=0.2 flange_a=a.flange_b flange_b=b.flange_a";
        let shafts = "a Inertia J=1 w_start=2\nb Inertia J=2 phi_start=0.5\n";
        let [mut one, mut other] = [&*contact, spring].map(|link| precise(INTERFACES[0], &format!("{shafts}{link}")));
        for _ in 0..20 {
            for name in ["a.w", "b.phi", "link.tau", "link.lossPower"] {
                let (found, expected) = (one.real(name), other.real(name));
                assert!((found - expected).abs() < 1e-9, "{kind} {name}: {found} {expected}");
            }
            assert!(one.boolean("link.contact"));
            [&mut one, &mut other].into_iter().for_each(|train| train.step(0.05));
        }
    }
}

/// The library's PreLoad: a spool that one spring holds in the middle, by contacts at both ends.
const SPOOL: &str = "fixedLe Translational.Fixed s0=-0.0955
    outerContactA ElastoGap c=1000e3 d=250 s_rel0=0.0015 flange_a=fixedLe.flange flange_b=springPlateA.flange_a
    springPlateA Mass m=0.01 L=0.002 s_start=-0.093
    spring Translational.Spring c=20e3 s_rel0=0.025 flange_a=springPlateA.flange_b flange_b=springPlateB.flange_a
    springPlateB Mass m=0.01 L=0.002 s_start=-0.06925
    outerContactB ElastoGap c=1000e3 d=250 s_rel0=0.0015 flange_a=springPlateB.flange_b flange_b=housing.flange_b
    housing Rod L=0.0305 flange_a=fixedLe.flange
    rod1 Rod L=0.007 flange_a=springPlateA.flange_b
    innerContactA ElastoGap c=1000e3 d=250 s_rel0=0.001 flange_a=rod3.flange_a flange_b=rod1.flange_b
    rod3 Rod L=0.00575 flange_b=spool.flange_a
    rod4 Rod L=0.00575 flange_a=spool.flange_a
    innerContactB ElastoGap c=1000e3 d=250 s_rel0=0.001 flange_a=rod2.flange_a flange_b=rod4.flange_b
    rod2 Rod L=0.007 flange_b=springPlateB.flange_a
    friction Translational.Damper d=2500 flange_a=fixedLe.flange flange_b=rod3.flange_a
    spool Mass m=0.15 L=0.19 s_start=0.01475
    force Force f=sineForce.y flange=spool.flange_a
    sineForce Sine amplitude=150 f=0.01";

#[test]
fn a_preloaded_spool_is_as_published() {
    let Some(rows) = published("Translational.PreLoad") else { return };
    let names = [
        "friction.v_rel", "innerContactA.s_rel", "innerContactB.s_rel", "outerContactA.v_rel", "outerContactB.s_rel",
        "outerContactB.v_rel",
    ];
    let ranges: Vec<f64> = (1..=names.len()).map(|column| range(&rows, column)).collect();
    for interface in INTERFACES {
        let mut train = train(interface, SPOOL);
        train.set_tolerance(1e-9);
        let mut worst = 0.0_f64;
        let time = follow(&mut train, &rows, |train, row| {
            for ((name, expected), range) in names.iter().zip(&row[1..]).zip(&ranges) {
                worst = worst.max((train.real(name) - expected).abs() / range);
            }
        });
        assert!(time >= 99.0 && worst < 1e-3, "{interface:?}: {worst} until {time}");
    }
}
