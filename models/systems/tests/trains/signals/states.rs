//! Blocks with states against closed forms.

use crate::fixture::{INTERFACES, check, train};

#[test]
fn steps_are_answered_as_closed_forms() {
    for interface in INTERFACES {
        let text = "step Step height=2 startTime=0.25
            first FirstOrder k=3 T=0.5 y_start=1 u=step.y
            second SecondOrder k=0.5 w=4 D=0.25 y_start=0.2 yd_start=-1 u=step.y
            sum Integrator k=2 y_start=-1 u=step.y
            slope Derivative k=2 T=0.1 x_start=0.5 u=step.y
            control PI k=2 T=0.5 x_start=0.25 u=step.y
            shaft Inertia";
        let mut train = train(interface, text);
        train.set_tolerance(1e-11);
        let mut t: f64 = 0.0;
        for _ in 0..14 {
            let s = (t - 0.25).max(0.0);
            let before = t.min(0.25);
            let first = (-before / 0.5).exp();
            let slope = 0.5 * (-before / 0.1).exp();
            let u = if t < 0.25 { 0.0 } else { 2.0 };
            let x = u + (slope - u) * (-s / 0.1).exp();
            // From a start that decays, and the same towards the new value.
            let omega = 4.0 * (1.0_f64 - 0.0625).sqrt();
            let free = |y: f64, yd: f64, t: f64| {
                let decay = (-t).exp();
                let b = (yd + y) / omega;
                let (sin, cos) = (omega * t).sin_cos();
                [decay * (y * cos + b * sin), decay * ((b * omega - y) * cos - (y * omega + b) * sin)]
            };
            let [y, yd] = free(0.2, -1.0, before);
            let target = 0.5 * u;
            let [y, yd] = if t < 0.25 { [y, yd] } else { free(y - target, yd, s) };
            for (name, expected) in [
                ("first.y", 3.0 * u + (first - 3.0 * u) * (-s / 0.5).exp()),
                ("second.y", target + y),
                ("second.yd", yd),
                ("sum.y", -1.0 + 4.0 * s),
                ("slope.x", x),
                ("slope.y", 2.0 * (u - x) / 0.1),
                ("control.x", 0.25 + u * s / 0.5),
                ("control.y", 2.0 * (0.25 + u * s / 0.5 + u)),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-7, "{interface:?} {name} {t}: {found} {expected}");
            }
            train.step(0.11);
            t += 0.11;
        }
    }
}

#[test]
fn states_begin_as_they_are_asked_to() {
    for interface in INTERFACES {
        let text = "level Constant k=2
            first FirstOrder k=3 T=0.5 initType=SteadyState u=level.y
            second SecondOrder k=0.5 w=4 D=0.25 initType=SteadyState u=first.y
            slope Derivative k=2 T=0.1 initType=SteadyState u=second.y
            other Derivative k=2 T=0.1 initType=InitialOutput y_start=4 u=second.y
            control PI k=4 T=0.5 initType=InitialOutput y_start=1 u=level.y
            shaft Inertia";
        let mut train = train(interface, text);
        check(
            &mut train,
            &[
                ("first.y", 6.0),
                ("second.y", 3.0),
                ("second.yd", 0.0),
                ("slope.y", 0.0),
                ("other.y", 4.0),
                ("control.y", 1.0),
                ("control.x", -1.75),
            ],
        );
        train.step(1.0);
        check(&mut train, &[("first.y", 6.0), ("second.y", 3.0), ("slope.y", 0.0)]);
    }
}

/// A circle through a state is solved like any other: y' = -2 y, then 0.5 behind it.
#[test]
fn a_state_may_follow_from_itself() {
    for interface in INTERFACES {
        let text = "back Gain k=-2 u=state.y
            state Integrator y_start=1 u=back.y
            behind FirstOrder T=0.5 u=back.y
            shaft Inertia";
        let mut train = train(interface, text);
        train.set_tolerance(1e-11);
        for i in 0..5 {
            let t = 0.3 * f64::from(i);
            for (name, expected) in [
                ("state.y", (-2.0 * t).exp()),
                ("back.y", -2.0 * (-2.0 * t).exp()),
                ("behind.y", -4.0 * t * (-2.0 * t).exp()),
            ] {
                let found = train.real(name);
                assert!((found - expected).abs() < 1e-8, "{interface:?} {name} {t}: {found} {expected}");
            }
            train.step(0.3);
        }
        for (unknown, known, expected) in
            [("back.y", "state.y", -2.0), ("behind.der_y", "state.y", -4.0), ("state.y", "state.y", 1.0)]
        {
            if unknown != known {
                let found = train.directional_derivative(unknown, known);
                assert_eq!(found, expected, "{interface:?} {unknown} {known}");
            }
        }
    }
}

/// Angle, speed and acceleration of a motion that a filter gives.
#[test]
fn a_filtered_signal_gives_a_motion() {
    for interface in INTERFACES {
        let text = "sine Sine f=0.5
            filter SecondOrder w=20 D=0.7 u=sine.y
            twice Gain k=2 u=filter.y
            drive Position phi=twice.y flange=shaft.flange_a
            shaft Inertia J=1";
        let mut train = train(interface, text);
        for _ in 0..5 {
            train.step(0.17);
            let expected = ["filter.y", "filter.yd", "filter.der_yd"].map(|name| 2.0 * train.real(name));
            for (name, expected) in ["shaft.phi", "shaft.w", "drive.tau"].into_iter().zip(expected) {
                let found = train.real(name);
                assert!(
                    (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                    "{interface:?} {name}: {found} {expected}"
                );
            }
        }
    }
}
