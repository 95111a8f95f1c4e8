//! Closed forms.

use crate::fixture::{INTERFACES, train};

/// An oscillator of two inertias: its period follows from the inertia of the relative motion.
#[test]
fn two_inertias_with_a_spring_oscillate() {
    for interface in INTERFACES {
        let mut train = train(
            interface,
            "a Inertia J=2 phi_start=0.3
             b Inertia J=0.5 w_start=1
             s Spring flange_a=a.flange_b flange_b=b.flange_a c=10",
        );
        let w0 = (10.0_f64 / 0.4).sqrt();
        for i in 1..=100 {
            train.step(0.01);
            let t = 0.01 * f64::from(i);
            let expected = -0.3 * (w0 * t).cos() + 1.0 / w0 * (w0 * t).sin();
            let found = train.real("b.phi") - train.real("a.phi");
            assert!((found - expected).abs() < 1e-5, "{t}: {found} {expected}");
            let momentum = 2.0 * train.real("a.w") + 0.5 * train.real("b.w");
            assert!((momentum - 0.5).abs() < 1e-9, "{momentum}");
        }
    }
}
