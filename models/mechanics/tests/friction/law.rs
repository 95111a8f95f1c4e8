//! The law without inertias, in equations of motion that are solved here, against the exact element.

use mechanics::friction::{
    Coefficient, Extrapolation, FrictionLaw, LawBranch, LawParameters, Line, Mode, Slip, SlipState, Transition,
};
use proptest::prelude::*;

use crate::fixture::{AT_REST, drive};

/// An inertia under a torque and friction: `J a_rel = torque - tau` with both from the branch of the curve.
struct System<'a> {
    law: FrictionLaw<&'a Coefficient, f64>,
    inertia: f64,
    torque: f64,
    n: f64,
    branch: LawBranch,
}

impl System<'_> {
    fn line(&self, w: f64) -> Line<f64> {
        self.law.line(self.branch.mode, w, self.n, 0.0)
    }

    /// Returns the curve parameter.
    fn sa(&self, w: f64) -> f64 {
        let Line { ca, cb, ta, tb } = self.line(w);
        (self.torque - tb - self.inertia * cb) / (self.inertia * ca + ta)
    }

    fn rate(&self, w: f64) -> f64 {
        let Line { ca, cb, .. } = self.line(w);
        ca * self.sa(w) + cb
    }

    /// Returns the velocity after a step by Runge and Kutta's method.
    fn moved(&self, w: f64, h: f64) -> f64 {
        let a = self.rate(w);
        let b = self.rate(w + h / 2.0 * a);
        let c = self.rate(w + h / 2.0 * b);
        let d = self.rate(w + h * c);
        w + h / 6.0 * (a + 2.0 * (b + c) + d)
    }

    fn signs(&self, w: f64) -> [bool; 4] {
        self.law.indicators(self.branch, w, self.n, self.sa(w)).map(|z| z > 0.0)
    }

    /// Iterates an event.
    fn settle(&mut self, w: &mut f64) {
        for _ in 0..5 {
            // At w = 0 the sliding torque is that at rest, wherever an overshoot ended.
            let there = if self.law.next(self.branch, *w, self.n, 0.0).stops { 0.0 } else { *w };
            let Transition { branch, stops } = self.law.next(self.branch, *w, self.n, self.sa(there));
            *w = if stops { 0.0 } else { *w };
            if branch.mode == std::mem::replace(&mut self.branch, branch).mode {
                return;
            }
        }
        panic!("an event without end");
    }

    fn advance(&mut self, w: &mut f64, end: f64) {
        let mut t = 0.0;
        self.settle(w);
        while t < end {
            let before = self.signs(*w);
            // The method has its order but for the steps over a corner of the curve, so these must be short.
            let mut h = (end - t).min(1e-3);
            let is_event = self.signs(self.moved(*w, h)) != before;
            if is_event {
                let mut lo = 0.0;
                while h - lo > 1e-15 {
                    let middle = 0.5 * (lo + h);
                    if self.signs(self.moved(*w, middle)) == before { lo = middle } else { h = middle }
                }
            }
            *w = self.moved(*w, h);
            t += h;
            self.branch.breaks &= *w == 0.0;
            if is_event {
                self.settle(w);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn equations_with_the_law_move_as_the_element(
        start in -2.0..2.0_f64,
        inertia in 0.2..5.0_f64,
        peak in 1.0..1.5_f64,
        mu in prop::array::uniform3(0.2..0.6_f64),
        loads in prop::collection::vec((-4.0..4.0_f64, prop_oneof![Just(0.0), 1.0..5.0_f64]), 1..6),
    ) {
        let rows = [[0.0, mu[0]], [1.0, mu[1]], [2.0, mu[2]]];
        let coefficient = Coefficient::new(&rows, Extrapolation::Hold).unwrap();
        let law = FrictionLaw { coefficient: &coefficient, parameters: LawParameters { peak, K_locked: 0.0, w_small: 1e10 } };
        let slip = Slip { coefficient: &coefficient, peak, inertia };
        let branch = LawBranch { mode: Mode::sliding(start), breaks: false };
        let mut system = System { law, inertia, torque: 0.0, n: 1.0, branch };
        let (mut w, mut x) = (start, SlipState { w: start, ..AT_REST });
        for (torque, n) in loads {
            (system.torque, system.n) = (torque, n);
            system.advance(&mut w, 0.7);
            slip.advance(&mut x, &drive(&[torque], &[n]), 0.7).unwrap();
            prop_assert!((w - x.w).abs() < 1e-8, "{} {}", w, x.w);
            prop_assert_eq!(system.branch.mode, x.mode);
        }
    }
}

/// A torque between the sliding torque and the limit holds an element, and does not stop one that moves; in the
/// iteration of an event it is not enough for one that has broken away and does not move.
#[test]
fn between_the_sliding_torque_and_the_limit() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let law = FrictionLaw {
        coefficient: &coefficient,
        parameters: LawParameters { peak: 1.2, K_locked: 0.0, w_small: 1e10 },
    };
    let next = |mode, breaks, w, sa| law.next(LawBranch { mode, breaks }, w, 10.0, sa);
    let to = |mode, breaks, stops| Transition { branch: LawBranch { mode, breaks }, stops };
    assert_eq!((law.tau0(10.0), law.tau0_max(10.0)), (5.0, 6.0));
    assert_eq!(next(Mode::Stuck, false, 0.0, 5.5), to(Mode::Stuck, false, false));
    assert_eq!(next(Mode::Stuck, false, 0.0, -6.5), to(Mode::Backward, true, false));
    // The element accelerates, or it does not.
    assert_eq!(next(Mode::Backward, true, 0.0, -6.5), to(Mode::Backward, true, false));
    assert_eq!(next(Mode::Backward, true, 0.0, -5.5), to(Mode::Stuck, false, false));
    // Arrivals stick first, whatever acts.
    assert_eq!(next(Mode::Forward, false, -1e-9, 100.0), to(Mode::Stuck, false, true));
    assert_eq!(next(Mode::Free, false, 0.0, 100.0), to(Mode::Stuck, false, false));
    assert_eq!(next(Mode::Free, false, 1e-20, 5.5), to(Mode::Stuck, false, true));
    assert_eq!(next(Mode::Free, false, 2.0, 0.0), to(Mode::Forward, false, false));
    assert_eq!(law.next(LawBranch { mode: Mode::Stuck, breaks: false }, 0.0, 0.0, 0.0), to(Mode::Free, false, false));
}

#[test]
fn an_overshoot_above_w_small_is_a_reversal() {
    let coefficient = Coefficient::new(&[[0.0, 0.5]], Extrapolation::Linear).unwrap();
    let law = FrictionLaw {
        coefficient: &coefficient,
        parameters: LawParameters { peak: 1.0, K_locked: 0.0, w_small: 1e-3 },
    };
    let at = LawBranch { mode: Mode::Forward, breaks: false };
    assert_eq!(law.next(at, -1e-2, 1.0, 0.0).branch.mode, Mode::Backward);
    assert_eq!(law.next(at, -1e-4, 1.0, 0.0).branch.mode, Mode::Stuck);
}
