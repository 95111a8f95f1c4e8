//! Initial states against solutions by hand.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::{INTERFACES, check, train};

/// Makes two inertias with `a.phi = 2 b.phi`.
fn geared(interface: Interface, a: &str, b: &str) -> Trial {
    let text = format!("a Inertia {a}\nb Inertia {b}\ng IdealGear ratio=2 flange_a=a.flange_b flange_b=b.flange_a");
    train(interface, &text)
}

/// The value holds whichever of the two has the states.
#[test]
fn an_enforced_start_value_holds_at_any_inertia() {
    for interface in INTERFACES {
        for prefer in ["", "stateSelect=prefer"] {
            let mut train = geared(interface, prefer, "phi.initial=enforce phi=0.5 w.initial=enforce w=-3");
            check(&mut train, &[("a.phi", 1.0), ("b.phi", 0.5), ("a.w", -6.0), ("b.w", -3.0)]);
            assert_eq!((train.real("b.phi"), train.real("b.w")), (0.5, -3.0));
        }
    }
}

/// `(a - 10)^2 + (a/2 - 10)^2` is least at 12; with a nominal value of 1/4, `(a - 10)^2 + 16 (a/2 - 10)^2` at 18.
#[test]
fn guesses_are_approached_by_their_nominal_values() {
    for interface in INTERFACES {
        let mut train = geared(interface, "w.initial=guess w=10", "w.initial=guess w=10");
        check(&mut train, &[("a.w", 12.0), ("b.w", 6.0)]);
    }
    // Numbers are parameters here, so the nominal value is given as bits.
    let bits = format!("w.nominal={}", fmu_runtime::real_text(0.25));
    let mut train = geared(INTERFACES[0], "w.initial=guess w=10", &format!("w.initial=guess w=10 {bits}"));
    check(&mut train, &[("a.w", 18.0), ("b.w", 9.0)]);
}

#[test]
fn enforced_start_values_come_before_guesses() {
    let mut train = geared(INTERFACES[0], "w.initial=guess w=10", "w.initial=enforce w=4");
    check(&mut train, &[("a.w", 8.0), ("b.w", 4.0)]);
}

/// `sun + 2 ring = 3 carrier`: the motion of the carrier is enforced, that of sun and ring begins at their start values.
#[test]
fn what_is_ignored_moves_least() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "sun Inertia stateSelect=prefer w_start=1
             ring Inertia stateSelect=prefer w_start=2
             carrier Inertia w.initial=enforce w=5
             gear IdealPlanetary ratio=2 sun=sun.flange_a ring=ring.flange_a carrier=carrier.flange_a",
        );
        // 1 + 2 * 2 = 5 is to be 15: 10 along (1, 2), whose square is 5.
        check(&mut train, &[("sun.w", 3.0), ("ring.w", 6.0), ("carrier.w", 5.0)]);
    }
}

/// Two rods of 1 m behind each other: their middles are 1 m apart.
#[test]
fn lengths_count_for_the_positions_of_masses() {
    let mut train = train(
        INTERFACES[0],
        "a Mass L=1 flange_b=b.flange_a s.initial=guess s=0 v.initial=enforce v=2
         b Mass L=1 s.initial=guess s=0",
    );
    check(&mut train, &[("a.s", -0.5), ("b.s", 0.5), ("b.v", 2.0)]);
}

/// Start values stay what they are, however often the initialisation is repeated.
#[test]
fn a_guess_is_remembered() {
    let mut train = geared(INTERFACES[0], "w.initial=guess w=10", "w.initial=guess w=10");
    check(&mut train, &[("a.w", 12.0)]);
    train.set("g.ratio", 1.0);
    check(&mut train, &[("a.w", 10.0)]);
    train.set("g.ratio", 2.0);
    check(&mut train, &[("a.w", 12.0)]);
}

/// The derivative of the initial state with respect to an enforced start value and to a parameter of the gear.
#[test]
fn the_initial_state_has_derivatives() {
    let mut train = geared(INTERFACES[0], "stateSelect=prefer", "w.initial=enforce w=3");
    assert!((train.directional_derivative("a.w", "b.w") - 2.0).abs() < 1e-14);
    assert!((train.directional_derivative("a.w", "g.ratio") - 3.0).abs() < 1e-14);
    // Between two guesses, b.w = 10 (ratio + 1) / (ratio^2 + 1).
    let mut train = geared(INTERFACES[0], "stateSelect=prefer w.initial=guess w=10", "w.initial=guess w=10");
    assert!((train.directional_derivative("b.w", "g.ratio") + 2.8).abs() < 1e-12);
    assert!((train.real("b.w") - 6.0).abs() < 1e-12);
}

#[test]
#[should_panic = "enforced start values contradict each other or what is given: a.w = 10.0 (nearest: 9.6), b.w = 4.0 (nearest: 4.8); the smallest residual is 0.894"]
fn a_contradiction_names_the_start_values() {
    let mut train = geared(INTERFACES[0], "w.initial=enforce w=10", "w.initial=enforce w=4");
    train.real("a.w");
}

#[test]
#[should_panic = "contradict each other or what is given: a.w = 3.0 (nearest: 0.0); the smallest residual is 3.0"]
fn a_given_motion_cannot_be_enforced() {
    let mut train = train(
        INTERFACES[0],
        "a Inertia w.initial=enforce w=3
         fixed Fixed flange=a.flange_b",
    );
    train.real("a.w");
}
