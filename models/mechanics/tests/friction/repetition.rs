//! Friction elements over thousands of events.

use mechanics::friction::{Coefficient, Extrapolation, Mode, Polynomial, Slip, SlipLoad, SlipState, TooManyEvents};

use crate::fixture::{pair, step};

/// Returns torque of side 2 and normal force, constant over each tenth of a second.
fn inputs(tenth: usize) -> ([f64; 2], f64) {
    let torque = [14.0, 1.0, -14.5, 0.5][tenth % 4];
    ([0.3, torque], 12.0 + (tenth % 3) as f64)
}

/// Returns the states after a number of tenths of a second in steps of a tenth or less, and the number of changes of
/// the mode between steps.
fn run(tenths: usize, parts: usize) -> ([f64; 4], usize) {
    let coefficient = Coefficient::new(&[[0.0, 0.4], [0.1, 0.35], [1.0, 0.5]], Extrapolation::Linear).unwrap();
    let mut element = pair(&coefficient, 1.2, [0.7, 0.4], [0.0; 4]);
    let mut changes = 0;
    for tenth in 0..tenths {
        let (torques, n) = inputs(tenth);
        for _ in 0..parts {
            let mode = element.x.mode;
            step(&mut element, torques, n, 0.1 / parts as f64);
            changes += usize::from(mode != element.x.mode);
            assert!(element.x.mode != Mode::Stuck || element.x.w_rel == 0.0);
        }
    }
    ([element.x.phi, element.x.w, element.x.phi_rel, element.x.w_rel], changes)
}

#[track_caller]
fn assert_agreement(tenths: usize, parts: usize) -> usize {
    let ((long, _), (short, changes)) = (run(tenths, 1), run(tenths, parts));
    let sizes = [long[0], long[1], long[2], 1.0].map(f64::abs);
    for ((long, short), size) in long.iter().zip(short).zip(sizes) {
        assert!((long - short).abs() <= 1e-11 * size, "{long} {short}");
    }
    changes
}

#[test]
fn ten_thousand_events_in_steps_of_a_tenth_or_of_a_hundredth() {
    assert!(assert_agreement(10_000, 10) >= 10_000);
}

#[test]
fn steps_of_a_tenth_second_and_of_a_tenth_millisecond_agree() {
    assert!(assert_agreement(200, 1000) >= 200);
}

#[test]
fn a_step_far_longer_than_its_time_constant_ends_with_an_error_soon() {
    // The time constant on a tooth's rising side is 1e-6 s, and the normal force varies.
    let teeth: Vec<[f64; 2]> = (0..20).map(|i| [1e-6 * f64::from(i), 0.1 + 0.1 * f64::from(i % 2)]).collect();
    let coefficient = Coefficient::new(&teeth, Extrapolation::Linear).unwrap();
    let mut n = Polynomial::constant(10.0);
    n.set(1, 1.0);
    let load = SlipLoad { sa: Polynomial::constant(1.5), n };
    let mut x = SlipState { phi: 0.0, w: 0.0, mode: Mode::Forward };
    let slip = Slip { coefficient: &coefficient, peak: 1.0, inertia: 1.0 };
    assert_eq!(slip.advance(&mut x, &load, 100.0), Err(TooManyEvents));
}
