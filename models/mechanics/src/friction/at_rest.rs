//! Several friction elements at rest that load each other, solved together.
//!
//! ```text
//! a = A lambda + b              relative accelerations; A symmetric, positive semidefinite        [rad/s2]
//! |lambda_i| <= l_i             torques that resist the relative motions, and their limits        [N.m]
//! a_i = 0                       where |lambda_i| < l_i: the element holds
//! a_i >= 0                      where lambda_i = -l_i: it gives way forward
//! a_i <= 0                      where lambda_i = l_i: it gives way backward
//! ```
//!
//! These are the conditions for the least `lambda A lambda / 2 + b lambda` within the limits. There is always one, and
//! `a` is the same for all. Where elements hold each other redundantly lambda is not unique: of the solutions with the
//! same reactions that with the least `sum lambda_i^2 / l_i` is taken.
//!
//! Method: principal pivoting in blocks, as long as they bring the solution closer, otherwise one by one (Júdice and
//! Pires, Computers and Operations Research 21 (1994) 587; Murty's rule), on A with a small diagonal; then proximal steps
//! with the same diagonal, which converge to the solution for A alone.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The small diagonal, as a fraction of the largest acceleration times its limit.
const REGULARISATION: f64 = 1e-9;

/// The most proximal steps. Each divides the error by the eigenvalue of A over the small diagonal; one is enough unless
/// elements differ by many orders of magnitude.
const PROXIMAL_STEPS: usize = 30;

/// Number of block pivots in a row that need not bring the solution closer.
const PATIENCE: usize = 10;

/// The part of a limit, and of an acceleration's terms, that is rounding.
const ROUNDING: f64 = 1e-12;

/// What an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// It takes no part: it slides, or nothing presses it together.
    Absent,
    /// It holds.
    Holds,
    /// It gives way forward.
    Forward,
    /// It gives way backward.
    Backward,
}

impl Reaction {
    /// The torque, unless it holds.
    fn torque(self, limit: f64) -> Option<f64> {
        match self {
            Self::Absent => Some(0.0),
            Self::Holds => None,
            Self::Forward => Some(-limit),
            Self::Backward => Some(limit),
        }
    }
}

/// There is no solution, since a number is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite;

/// The friction elements of a system, of which some are at rest. It has all buffers: nothing allocates after
/// [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct AtRest {
    /// What each element does; a solution begins with the last ones.
    pub reactions: Vec<Reaction>,
    /// The torques of the elements that take part, in N.m; 0 of the others.
    pub lambda: DVector<f64>,
    acceleration: DVector<f64>,
    step: DVector<f64>,
    diagonal: DVector<f64>,
    matrix: DMatrix<f64>,
}

impl AtRest {
    /// For so many elements, none of which takes part.
    pub fn new(count: usize) -> Self {
        Self {
            reactions: vec![Reaction::Absent; count],
            lambda: DVector::zeros(count),
            acceleration: DVector::zeros(count),
            step: DVector::zeros(count),
            diagonal: DVector::zeros(count),
            matrix: DMatrix::zeros(count, count),
        }
    }

    /// Computes torques and reactions of the elements whose reaction is not [`Reaction::Absent`].
    ///
    /// `a` has a row and a column for each element, in 1/(kg.m2). `b` are the accelerations without these torques, in
    /// rad/s2, `limits` the largest torques, positive, in N.m.
    ///
    /// # Errors
    ///
    /// If a number is not finite.
    pub fn solve(&mut self, a: &DMatrix<f64>, b: &DVector<f64>, limits: &[f64]) -> Result<(), NotFinite> {
        let count = self.reactions.len();
        self.regularise(a, limits);
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        // Single pivots come to an end; if so many do not, something is not finite.
        for _ in 0..1000 * (count + 1) {
            for (i, reaction) in self.reactions.iter().enumerate() {
                self.lambda[i] = reaction.torque(limits[i]).unwrap_or(0.0);
            }
            let Some(factor) = self.factor(a) else {
                self.matrix = DMatrix::zeros(count, count);
                return Err(NotFinite);
            };
            self.approach(&factor, a, b);
            self.acceleration.copy_from(b);
            self.acceleration.gemv(1.0, a, &self.lambda, 1.0);
            let (mut wrong, mut last) = (0, None);
            for (i, limit) in limits.iter().enumerate() {
                let better = self.better(i, a, b, *limit);
                if better != self.reactions[i] {
                    wrong += 1;
                    last = Some((i, better));
                    if patience > 0 {
                        self.reactions[i] = better;
                    }
                }
            }
            if last.is_none() {
                (1..PROXIMAL_STEPS).find(|_| !self.approach(&factor, a, b));
            }
            self.matrix = factor.unpack();
            let Some((i, better)) = last else {
                return if self.lambda.iter().all(|torque| torque.is_finite()) { Ok(()) } else { Err(NotFinite) };
            };
            self.reactions[i] = better;
            patience = if wrong < fewest { PATIENCE } else { patience.saturating_sub(1) };
            fewest = fewest.min(wrong);
        }
        Err(NotFinite)
    }

    /// Sets the small diagonal, in proportion to 1 / limit.
    fn regularise(&mut self, a: &DMatrix<f64>, limits: &[f64]) {
        let largest = limits.iter().enumerate().map(|(i, limit)| a[(i, i)] * limit).fold(0.0, f64::max);
        let size = if largest > 0.0 { REGULARISATION * largest } else { 1.0 };
        for (diagonal, limit) in self.diagonal.iter_mut().zip(limits) {
            *diagonal = size / limit;
        }
    }

    /// The factor of A with the small diagonal, for the elements that hold; of the unit matrix for the others.
    fn factor(&mut self, a: &DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
        let mut matrix = std::mem::take(&mut self.matrix);
        matrix.copy_from(a);
        for (i, reaction) in self.reactions.iter().enumerate() {
            if *reaction == Reaction::Holds {
                matrix[(i, i)] += self.diagonal[i];
            } else {
                matrix.row_mut(i).fill(0.0);
                matrix.column_mut(i).fill(0.0);
                matrix[(i, i)] = 1.0;
            }
        }
        Cholesky::new(matrix)
    }

    /// A proximal step: torques of the elements that hold, closer to an acceleration of 0. Returns whether they were
    /// apart from it by more than rounding.
    fn approach(&mut self, factor: &Cholesky<f64, Dyn>, a: &DMatrix<f64>, b: &DVector<f64>) -> bool {
        self.step.copy_from(b);
        self.step.gemv(-1.0, a, &self.lambda, -1.0);
        let mut apart = false;
        for (i, reaction) in self.reactions.iter().enumerate() {
            if *reaction == Reaction::Holds {
                apart |= self.step[i].abs() > 1e-2 * ROUNDING * self.terms(i, a, b);
            } else {
                self.step[i] = 0.0;
            }
        }
        factor.solve_mut(&mut self.step);
        self.lambda += &self.step;
        apart
    }

    /// The size of the terms whose sum is an acceleration.
    fn terms(&self, i: usize, a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
        a.row(i).iter().zip(&self.lambda).map(|(a, torque)| (a * torque).abs()).sum::<f64>() + b[i].abs()
    }

    /// What an element must do instead, where its torque or its acceleration has the wrong sign.
    fn better(&self, i: usize, a: &DMatrix<f64>, b: &DVector<f64>, limit: f64) -> Reaction {
        let (reaction, torque) = (self.reactions[i], self.lambda[i]);
        let against = match reaction {
            Reaction::Absent => return reaction,
            Reaction::Holds if torque > limit * (1.0 + ROUNDING) => return Reaction::Backward,
            Reaction::Holds if torque < -limit * (1.0 + ROUNDING) => return Reaction::Forward,
            Reaction::Holds => return reaction,
            Reaction::Forward => -1.0,
            Reaction::Backward => 1.0,
        };
        let acceleration = self.acceleration[i] + self.diagonal[i] * torque;
        if against * acceleration > ROUNDING * self.terms(i, a, b) { Reaction::Holds } else { reaction }
    }
}
