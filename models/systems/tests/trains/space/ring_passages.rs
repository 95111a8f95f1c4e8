//! Passages of rings through singular positions: the same motion as before, and a message for each.

use std::f64::consts::{FRAC_PI_2, PI};

use fmu_runtime::lifecycle::Interface;

use super::many_rings::windows;
use crate::fixture::{INTERFACES, train};

/// A crank, and two rods that are in line once in a turn, in the middle between their two configurations.
const FOLDING: &str = "world World g=9.81
    crank Revolute frame_a=world.frame_b phi=0.6 phi.initial=enforce w=15 w.initial=enforce
    mid_1 FixedTranslation frame_a=crank.frame_b r[1]=0.2
    one Body frame_a=mid_1.frame_b m=1 I_11=0.01 I_22=0.01 I_33=0.01
    web FixedTranslation frame_a=crank.frame_b r[1]=0.4
    ground FixedTranslation frame_a=world.frame_b r[1]=1\n";

const FOLDING_RING: &str = "first Revolute frame_a=web.frame_b phi_start=0.38
    mid_2 FixedTranslation frame_a=first.frame_b r[1]=0.3
    two Body frame_a=mid_2.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    coupler FixedTranslation frame_a=first.frame_b r[1]=0.6
    rocker Revolute frame_a=ground.frame_b phi_start=2
    mid_3 FixedTranslation frame_a=rocker.frame_b r[1]=0.4
    three Body frame_a=mid_3.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    lever FixedTranslation frame_a=rocker.frame_b r[1]=0.8
    last Revolute frame_a=coupler.frame_b frame_b=lever.frame_b";

const FOLDING_ASSEMBLY: &str =
    "rods JointRRR frame_a=web.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.6 rRod2_ib[1]=0.8 phi_guess=115
    mid_2 FixedTranslation frame_a=rods.frame_ia r[1]=0.3
    two Body frame_a=mid_2.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05
    mid_3 FixedTranslation frame_a=rods.frame_ib r[1]=0.4
    three Body frame_a=mid_3.frame_b m=1 I_11=0.05 I_22=0.05 I_33=0.05";

#[test]
fn a_ring_goes_through_a_singular_position_as_an_assembly_does() {
    let bodies = [("one", 1.0, [0.01; 3]), ("two", 1.0, [0.05; 3]), ("three", 1.0, [0.05; 3])];
    let drift = super::closers::drift(&format!("{FOLDING}{FOLDING_RING}"), &bodies, |_| [0.0; 2]);
    assert!(drift < 1e-9, "{drift:e}");
    let names = ["crank.phi", "crank.w", "two.r_0[2]", "three.r_0[1]", "three.w_a[3]"];
    // With the longer rod the ring misses the position and turns away, at 1e5 rad/s2.
    for (interface, length) in
        INTERFACES.into_iter().flat_map(|interface| [0.8, 0.800002].map(|length| (interface, length)))
    {
        let text = |ring: &str| format!("{FOLDING}{ring}").replace("[1]=0.8", &format!("[1]={length:?}"));
        let mut both = [FOLDING_RING, FOLDING_ASSEMBLY].map(|ring| train(interface, &text(ring)));
        both.iter_mut().for_each(|train| train.set_tolerance(1e-10));
        for _ in 0..30 {
            both.iter_mut().for_each(|train| train.step(0.05));
            for name in names {
                let [found, expected] = both.each_mut().map(|train| train.real(name));
                let is_close = (found - expected).abs() < 1e-5 * expected.abs().max(1.0);
                assert!(is_close, "{interface:?} {length} {name}: {found} {expected}");
            }
        }
        let [ring, assembly] = &mut both;
        let time = |warning: &String| {
            let (_, rest) = warning.split_once("has passed its dead centre, where both configurations meet, at ")?;
            rest.split_once(" s")?.0.parse().ok()
        };
        let dead_centres: Vec<f64> = assembly.warnings().iter().filter_map(time).collect();
        let found = passages(
            &ring.warnings(),
            "the ring of \"crank\", \"first\", \"rocker\" and \"last\" has passed a singular position",
        );
        let are_close = found.len() == dead_centres.len()
            && found.iter().zip(&dead_centres).all(|(one, other)| (one - other).abs() < 1e-6);
        assert!(are_close && found.is_empty() == (length > 0.8), "{interface:?} {length}: {found:?} {dead_centres:?}");
        assert!(both[0].real("crank.phi") > 10.0, "it goes through twice: {}", both[0].real("crank.phi"));
    }
}

/// Returns the times in s of the passages that were logged in these words.
fn passages(warnings: &[String], passed: &str) -> Vec<f64> {
    let begin = format!("{passed}, from which it could go on in several ways, at ");
    let end = " s: it goes on smoothly, since its velocities are continuous";
    let passages = warnings.iter().filter(|warning| warning.starts_with(&begin));
    let time = |warning: &String| {
        let rest = warning.strip_prefix(&begin).unwrap_or_else(|| panic!("{warning}"));
        rest.split_once(end).expect("the end").0.parse().expect("a time")
    };
    passages.map(time).collect()
}

/// A parallelogram without gravity, whose crank turns at a constant speed.
const PARALLELOGRAM: &str = "world World gravityType=NoGravity
    crank Revolute frame_a=world.frame_b phi=1 phi.initial=enforce w=3 w.initial=enforce
    web BodyShape frame_a=crank.frame_b r[1]=0.2 m=1 I_33=0.01
    pin Revolute frame_a=web.frame_b phi_start=-1
    coupler BodyShape frame_a=pin.frame_b r[1]=0.5 m=0.7 I_33=0.01
    ground FixedTranslation frame_a=world.frame_b r[1]=0.5
    rocker Revolute frame_a=ground.frame_b phi_start=1
    lever BodyShape frame_a=rocker.frame_b r[1]=0.2 m=2 I_33=0.02
    last Revolute frame_a=coupler.frame_b frame_b=lever.frame_b";

const PASSED: &str = "the ring of \"crank\", \"pin\", \"rocker\" and \"last\" has passed a singular position";

/// Its bars are in line where the crank is at a multiple of 180 degrees.
#[test]
fn each_passage_of_a_singular_position_is_logged_with_its_time() {
    for interface in INTERFACES {
        for h in [1e-3, 1e-2, 1e-1] {
            let mut train = train(interface, PARALLELOGRAM);
            train.set_tolerance(1e-8);
            (0..(3.0 / h) as u32).for_each(|_| train.step(h));
            let found = passages(&train.warnings(), PASSED);
            let expected = [1.0, 2.0, 3.0].map(|turns| (turns * PI - 1.0) / 3.0);
            let is_close = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-7;
            let are_close = found.len() == 3 && found.iter().zip(&expected).all(is_close);
            assert!(are_close, "{interface:?} {h}: {found:?} instead of {expected:?}");
        }
    }
}

#[test]
fn passages_in_one_communication_step_are_logged_together() {
    let mut train = train(Interface::CoSimulation, PARALLELOGRAM);
    train.step(3.0);
    let mut warnings = train.warnings();
    warnings.retain(|warning| warning.contains("has passed"));
    let last = [PASSED, ", from which it could go on in several ways, at 2.80"].concat();
    let is_told =
        |warning: &String| warning.starts_with(&last) && warning.contains(" s, the last of 3 times: it goes on");
    assert!(warnings.len() == 1 && warnings.iter().all(is_told), "{warnings:?}");
}

/// Both rings of A02 pass at once, in a time that follows from the energy of the one ordinary differential equation.
#[test]
fn rings_that_pass_together_are_logged_in_one_message() {
    let k = 9.81 * 3.5 / 3.0;
    let pace = |phi: f64| 1.0 / (1.0 + 2.0 * k * (1.0 - phi.cos())).sqrt();
    // By Simpson's rule.
    let (count, width) = (2000, FRAC_PI_2 / 2000.0);
    let weight = |i: u32| if i == 0 || i == count { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let expected: f64 = (0..=count).map(|i| weight(i) * pace(width * f64::from(i)) * width / 3.0).sum();
    for interface in INTERFACES {
        let (text, _) = windows(2, [0.0, -1.0]);
        let mut train = train(interface, &text);
        train.set_tolerance(1e-9);
        train.step(0.4);
        train.step(0.6);
        let mut warnings = train.warnings();
        warnings.retain(|warning| warning.contains("has passed"));
        let both =
            "the ring of \"c0\", \"c1\", \"k0\" and \"l0\" has passed a singular position together with another one";
        let found = passages(&warnings, both);
        let is_once = warnings.len() == 1 && found.len() == 1;
        assert!(is_once && (found[0] - expected).abs() < 1e-7, "{interface:?}: {warnings:?} {expected}");
    }
}

/// From there on it moves away.
#[test]
fn a_start_in_a_singular_position_is_no_passage() {
    let text = PARALLELOGRAM
        .replace("phi=1 ", "phi=0 ")
        .replace("phi_start=-1", "phi_start=0 w_start=-3")
        .replace("phi_start=1", "phi_start=0 w_start=3");
    for interface in INTERFACES {
        let mut train = train(interface, &text);
        (0..12).for_each(|_| train.step(0.1));
        let found = passages(&train.warnings(), PASSED);
        assert!(found.len() == 1 && (found[0] - PI / 3.0).abs() < 1e-6, "{interface:?}: {found:?}");
    }
}
