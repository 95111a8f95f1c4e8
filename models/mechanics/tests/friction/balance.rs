//! Heat plus kinetic energy equals the work of the inputs.

use mechanics::friction::{Coefficient, Extrapolation, Mode, Slip, SlipLoad, SlipState};
use proptest::prelude::*;

use crate::fixture::{AT_REST, drive};

/// Abscissas and weights of Gauss and Legendre on [0, 1].
const GAUSS: [(f64, f64); 10] = {
    const X: [f64; 5] = [
        0.148_874_338_981_631_2, 0.433_395_394_129_247_2, 0.679_409_568_299_024_4, 0.865_063_366_688_984_5,
        0.973_906_528_517_171_7,
    ];
    const W: [f64; 5] = [
        0.295_524_224_714_752_9, 0.269_266_719_309_996_4, 0.219_086_362_515_982_04, 0.149_451_349_150_580_6,
        0.066_671_344_308_688_14,
    ];
    let mut rule = [(0.0, 0.0); 10];
    let mut i = 0;
    while i < 5 {
        rule[2 * i] = (0.5 - 0.5 * X[i], 0.5 * W[i]);
        rule[2 * i + 1] = (0.5 + 0.5 * X[i], 0.5 * W[i]);
        i += 1;
    }
    rule
};

/// Returns heat and work of the torque sa over a segment from `s` to `end`.
fn energies(slip: &Slip<'_>, x: &SlipState, drive: &SlipLoad, s: f64, end: f64) -> (f64, f64) {
    let parts = 20;
    let length = (end - s) / f64::from(parts);
    let mut sums = (0.0, 0.0);
    for part in 0..parts {
        for (x_i, weight) in GAUSS {
            let at = (f64::from(part) + x_i) * length;
            let mut there = *x;
            let mut reached = 0.0;
            let local = drive.shifted(s);
            while reached < at && x.mode != Mode::Stuck {
                reached = slip.next(&mut there, &local, reached, at);
            }
            let u = there.w.abs();
            let n = if x.mode == Mode::Free { 0.0 } else { drive.n.at(s + at) };
            sums.0 += weight * length * n * slip.coefficient.mu(u) * u;
            sums.1 += weight * length * drive.sa.at(s + at) * there.w;
        }
    }
    sums
}

fn check(rows: &[[f64; 2]], peak: f64, inertia: f64, w: f64, steps: &[(Vec<f64>, Vec<f64>)]) {
    let coefficient = Coefficient::new(rows, Extrapolation::Linear).unwrap();
    let slip = Slip { coefficient: &coefficient, peak, inertia };
    let mut x = SlipState { w, ..AT_REST };
    let (mut heat, mut work, mut effort) = (0.0, 0.0, 0.0);
    let start = 0.5 * inertia * w * w;
    for (sa, n) in steps {
        let drive = drive(sa, n);
        slip.settle(&mut x, &drive);
        let mut s = 0.0;
        while s < 1.0 {
            let before = x;
            let end = slip.next(&mut x, &drive, s, 1.0);
            let (lost, done) = energies(&slip, &before, &drive, s, end);
            assert!(lost >= 0.0);
            heat += lost;
            work += done;
            effort += done.abs() + lost;
            s = end;
        }
    }
    let kinetic = 0.5 * inertia * x.w * x.w - start;
    let size = effort + start;
    assert!((work - heat - kinetic).abs() <= 1e-11 * size, "{work} {heat} {kinetic}");
}

#[test]
fn the_stribeck_curve_with_reversals() {
    let rows = [[0.0, 0.5], [0.5, 0.3], [3.0, 0.25], [10.0, 0.4]];
    let steps: Vec<_> = [6.0, -3.0, 9.0, -12.0, 0.0, 2.0].iter().map(|torque| (vec![*torque], vec![8.0])).collect();
    check(&rows, 1.3, 0.7, 2.0, &steps);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn power_is_balanced_for_any_polynomial_inputs(
        mus in prop::collection::vec(0.05..1.0, 1..5),
        peak in 1.0..2.0,
        w in -5.0..5.0,
        steps in prop::collection::vec(
            (prop::collection::vec(-8.0..8.0, 1..4), prop::collection::vec(0.5..6.0, 1..3)), 1..5
        ),
    ) {
        let rows: Vec<[f64; 2]> = mus.iter().enumerate().map(|(i, mu)| [i as f64, *mu]).collect();
        check(&rows, peak, 1.3, w, &steps);
    }
}
