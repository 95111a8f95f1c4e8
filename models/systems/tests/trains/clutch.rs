//! A clutch between two inertias as a system, against the component, which moves in closed form.

use clutch::Clutch;
use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use crate::fixture::train;

const SHAFTS: &str = "a Inertia J=0.4 w_start=3
    b Inertia J=1.5 w_start=-1
    clutch Clutch flange_a=a.flange_b flange_b=b.flange_a showLaw=true showEventTime=true cgeo=0.5 fn_max=8 peak=1.3
    left Torque flange=a.flange_a
    right Torque flange=b.flange_b";

/// Sliding, sticking, breakaway in both directions, and release: torques are straight lines inside steps.
#[test]
fn a_clutch_between_two_inertias_is_the_component() {
    let mut system = train(Interface::CoSimulation, SHAFTS);
    system.set_tolerance(1e-12);
    let mut component = Trial::new::<Clutch<f64>>(&[("showLaw", "true"), ("showEventTime", "true")]);
    for (name, value) in [
        ("J_a", 0.4),
        ("J_b", 1.5),
        ("w_a_start", 3.0),
        ("w_b_start", -1.0),
        ("cgeo", 0.5),
        ("fn_max", 8.0),
        ("peak", 1.3),
    ] {
        component.set(name, value);
    }
    let pairs = [
        ("a.phi", "flange_a.phi"),
        ("a.w", "flange_a.w"),
        ("b.w", "flange_b.w"),
        ("b.a", "flange_b.a"),
        ("clutch.phi_rel", "phi_rel"),
        ("clutch.w_rel", "w_rel"),
        ("clutch.tau", "tau"),
        ("clutch.lossPower", "lossPower"),
        ("clutch.sa", "sa"),
        ("clutch.mue", "mue"),
        ("clutch.eventTime", "eventTime"),
    ];
    let mut modes = Vec::new();
    for step in 0..120 {
        let t = 0.05 * f64::from(step);
        // Slopes hold for one step.
        let (torque, slope) = (2.0 * (t - 1.0), 2.0);
        let force = if step < 90 { 1.0 } else { 0.0 };
        let inputs =
            [("left.tau", "flange_a.tau", torque, slope), ("right.tau", "flange_b.tau", -0.5 * torque, -0.5 * slope)];
        for (of_system, of_component, value, slope) in inputs {
            for (trial, name) in [(&mut system, of_system), (&mut component, of_component)] {
                trial.set(name, value);
                trial.set_derivatives(name, &[slope]);
            }
        }
        system.set("clutch.f_normalized", force);
        component.set("f_normalized", force);
        system.step(0.05);
        component.step(0.05);
        for (of_system, of_component) in pairs {
            let (found, expected) = (system.real(of_system), component.real(of_component));
            let close = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
            assert!(close, "{of_system} at {t}: {found} instead of {expected}");
        }
        let mode = system.integer("clutch.mode");
        assert_eq!(mode, component.integer("mode"), "at {t}");
        if modes.last() != Some(&mode) {
            modes.push(mode);
        }
    }
    assert!([-1, 0, 2].iter().all(|mode| modes.contains(mode)), "{modes:?}");
}
