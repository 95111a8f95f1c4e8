//! Comparison with a Runge-Kutta method in tiny steps, with events found by bisection.

use mechanics::friction::{Coefficient, Extrapolation, Mode, Slip, SlipLoad, SlipState};
use proptest::prelude::*;

use crate::fixture::{AT_REST, drive};

/// An independent implementation of the law: the mode is determined at the start of each tiny step.
struct Direct<'a> {
    rows: &'a [[f64; 2]],
    peak: f64,
    inertia: f64,
    drive: SlipLoad,
}

impl Direct<'_> {
    fn mu(&self, u: f64) -> f64 {
        let [first, .., last] = self.rows else { return self.rows[0][1] };
        let pair = if u <= first[0] {
            &self.rows[..2]
        } else if u >= last[0] {
            &self.rows[self.rows.len() - 2..]
        } else {
            let i = self.rows.iter().position(|row| row[0] > u).unwrap();
            &self.rows[i - 1..=i]
        };
        let [[u_0, mu_0], [u_1, mu_1]] = [pair[0], pair[1]];
        (mu_0 + (mu_1 - mu_0) * (u - u_0) / (u_1 - u_0)).max(0.0)
    }

    fn rate(&self, t: f64, w: f64, mode: Mode) -> f64 {
        let n = self.drive.n.at(t);
        let tau = match mode {
            Mode::Free => 0.0,
            Mode::Stuck => return 0.0,
            Mode::Forward => n * self.mu(w.max(0.0)),
            Mode::Backward => -n * self.mu((-w).max(0.0)),
        };
        (self.drive.sa.at(t) - tau) / self.inertia
    }

    fn moved(&self, t: f64, [phi, w]: [f64; 2], mode: Mode, h: f64) -> [f64; 2] {
        let a = self.rate(t, w, mode);
        let b = self.rate(t + h / 2.0, w + h / 2.0 * a, mode);
        let c = self.rate(t + h / 2.0, w + h / 2.0 * b, mode);
        let d = self.rate(t + h, w + h * c, mode);
        [phi + h * w + h * h / 6.0 * (a + b + c), w + h / 6.0 * (a + 2.0 * (b + c) + d)]
    }

    /// True if the mode ends at this point.
    fn ends(&self, t: f64, w: f64, mode: Mode) -> bool {
        let n = self.drive.n.at(t);
        match mode {
            Mode::Free => n > 0.0,
            Mode::Stuck => n <= 0.0 || self.drive.sa.at(t).abs() > self.peak * self.mu(0.0) * n,
            Mode::Forward => n <= 0.0 || w < 0.0,
            Mode::Backward => n <= 0.0 || w > 0.0,
        }
    }

    fn run(&self, w: f64, h: f64) -> ([f64; 2], Vec<Mode>) {
        let (mut t, mut x, steps) = (0.0, [0.0, w], 4000);
        let tiny = h / f64::from(steps);
        let mut mode = self.decide(0.0, w);
        let mut modes = vec![mode];
        while t < h * (1.0 - 1e-12) {
            let step = tiny.min(h - t);
            let mut next = self.moved(t, x, mode, step);
            let mut length = step;
            if self.ends(t + step, next[1], mode) {
                let (mut lo, mut hi) = (0.0, step);
                for _ in 0..60 {
                    length = 0.5 * (lo + hi);
                    next = self.moved(t, x, mode, length);
                    if self.ends(t + length, next[1], mode) { hi = length } else { lo = length }
                }
                length = hi;
                next = self.moved(t, x, mode, hi);
                if matches!(mode, Mode::Forward | Mode::Backward) && self.drive.n.at(t + hi) > 0.0 {
                    next[1] = 0.0;
                }
                mode = self.decide(t + hi, next[1]);
                modes.push(mode);
            }
            t += length;
            x = next;
        }
        (x, modes)
    }

    fn decide(&self, t: f64, w: f64) -> Mode {
        let (n, sa) = (self.drive.n.at(t), self.drive.sa.at(t));
        if n <= 0.0 {
            Mode::Free
        } else if w != 0.0 {
            if w > 0.0 { Mode::Forward } else { Mode::Backward }
        } else if sa.abs() > self.peak * self.mu(0.0) * n {
            if sa > 0.0 { Mode::Forward } else { Mode::Backward }
        } else {
            Mode::Stuck
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn motion_and_modes_agree_with_a_direct_integration(
        mus in prop::collection::vec(0.1..1.0, 1..4),
        gap in 0.1..1.0,
        peak in 1.0..1.8,
        w in prop_oneof![Just(0.0), -2.0..2.0],
        sa in prop::collection::vec(-8.0..8.0, 1..5),
        n in prop_oneof![
            prop::collection::vec(0.5..6.0, 1..2),
            prop::collection::vec(-6.0..9.0, 1..4),
        ],
    ) {
        let rows: Vec<[f64; 2]> = mus.iter().enumerate().map(|(i, mu)| [i as f64 * gap, *mu]).collect();
        let coefficient = Coefficient::new(&rows, Extrapolation::Linear).unwrap();
        let inertia = 0.8;
        let drive = drive(&sa, &n);
        let slip = Slip { coefficient: &coefficient, peak, inertia };
        let mut x = SlipState { w, ..AT_REST };
        slip.settle(&mut x, &drive);
        let mut modes = vec![x.mode];
        let mut s = 0.0;
        while s < 1.0 {
            s = slip.next(&mut x, &drive, s, 1.0);
            if modes.last() != Some(&x.mode) {
                modes.push(x.mode);
            }
        }
        let ([phi, w_end], direct) = Direct { rows: &rows, peak, inertia, drive }.run(w, 1.0);
        prop_assert_eq!(&modes, &direct);
        prop_assert!((x.phi - phi).abs() < 1e-6 && (x.w - w_end).abs() < 1e-5, "{:?} {} {}", x, phi, w_end);
    }

    /// Steps of any length lead to the same state.
    #[test]
    fn communication_points_do_not_matter(
        mus in prop::collection::vec(0.1..1.0, 1..4),
        w in -2.0..2.0,
        sa in prop::collection::vec(-8.0..8.0, 1..6),
        n in prop::collection::vec(0.5..6.0, 1..6),
        cuts in prop::collection::vec(0.0..1.0, 1..30),
    ) {
        let rows: Vec<[f64; 2]> = mus.iter().enumerate().map(|(i, mu)| [i as f64 * 0.5, *mu]).collect();
        let coefficient = Coefficient::new(&rows, Extrapolation::Linear).unwrap();
        let drive = drive(&sa, &n);
        let slip = Slip { coefficient: &coefficient, peak: 1.1, inertia: 0.8 };
        let mut whole = SlipState { w, ..AT_REST };
        slip.advance(&mut whole, &drive, 1.0).unwrap();
        let mut cuts = cuts;
        cuts.push(1.0);
        cuts.sort_by(f64::total_cmp);
        let (mut parts, mut s) = (SlipState { w, ..AT_REST }, 0.0);
        for cut in cuts.into_iter().filter(|cut| *cut > 0.0) {
            if cut > s {
                slip.advance(&mut parts, &drive.shifted(s), cut - s).unwrap();
                s = cut;
            }
        }
        let size = 1.0 + whole.phi.abs() + whole.w.abs();
        prop_assert!((whole.phi - parts.phi).abs() < 1e-11 * size, "{:?} {:?}", whole, parts);
        prop_assert!((whole.w - parts.w).abs() < 1e-11 * size, "{:?} {:?}", whole, parts);
    }
}
