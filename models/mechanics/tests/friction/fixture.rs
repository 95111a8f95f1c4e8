//! Friction elements for the tests.

use mechanics::friction::{
    Coefficient, ElementLoad, ElementState, FrictionElement, FrictionLaw, LawParameters, Mode, Polynomial, Slip,
    SlipLoad, SlipState,
};

/// Returns a number of random cases: `all` with TEST_ALL, which `cargo xtask test --all` sets.
pub fn cases(all: u32) -> u32 {
    if std::env::var_os("TEST_ALL").is_some() { all } else { all.min(256) }
}

pub fn polynomial(coefficients: &[f64]) -> Polynomial {
    let mut polynomial = Polynomial::constant(coefficients[0]);
    for (power, value) in coefficients.iter().enumerate().skip(1) {
        polynomial.set(power, *value);
    }
    polynomial
}

pub fn drive(sa: &[f64], n: &[f64]) -> SlipLoad {
    SlipLoad { sa: polynomial(sa), n: polynomial(n) }
}

pub const AT_REST: SlipState = SlipState { phi: 0.0, w: 0.0, mode: Mode::Stuck };

/// Advances over a step and returns the end of each segment.
pub fn trace(slip: &Slip<'_>, x: &mut SlipState, drive: &SlipLoad, h: f64) -> Vec<(f64, Mode)> {
    slip.settle(x, drive);
    let mut modes = vec![(0.0, x.mode)];
    let mut s = 0.0;
    while s < h {
        s = slip.next(x, drive, s, h);
        if modes.last().is_some_and(|(_, mode)| *mode != x.mode) {
            modes.push((s, x.mode));
        }
        assert!(modes.len() < 100_000);
    }
    modes
}

/// Makes a friction element between two inertias with the start `(phi_1, w_1, phi_2, w_2)`.
pub fn pair<'a>(
    coefficient: &'a Coefficient,
    peak: f64,
    inertia: [f64; 2],
    start: [f64; 4],
) -> FrictionElement<'a, f64> {
    let mut element = FrictionElement {
        law: FrictionLaw { coefficient, parameters: LawParameters { peak, K_locked: 0.0, w_small: 1e10 } },
        c_stuck: 1e5,
        d_stuck: 10.0,
        inertia: inertia.map(Some),
        reference: 0,
        given: [[0.0; 2]; 2],
        time_derivative: 0.0,
        load: ElementLoad { sides: [0.0; 2], n: 0.0 },
        x: ElementState {
            phi_rel: 0.0,
            w_rel: 0.0,
            phi: 0.0,
            w: 0.0,
            mode: Mode::Stuck,
            anchor: 0.0,
            opposite: [0.0; 2],
            keeps_opposite: false,
            breaks: false,
        },
    };
    let [phi_1, w_1, phi_2, w_2] = start;
    element.initialise([[phi_1, w_1], [phi_2, w_2]]);
    element
}

/// Makes one step with constant inputs, as in a simulation.
pub fn step(element: &mut FrictionElement<'_, f64>, torques: [f64; 2], n: f64, h: f64) {
    element.load = ElementLoad { sides: torques, n };
    element.settle();
    element.advance(0, |_| unreachable!(), h).unwrap();
}
