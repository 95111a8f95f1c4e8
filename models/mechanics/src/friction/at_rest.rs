//! Several friction elements at rest that load each other, solved together.
//!
//! ```text
//! a = A lambda + b              relative accelerations; A symmetric, positive semidefinite        [rad/s2]
//! -f_i <= lambda_i <= g_i       torques that drive the relative motions, and their limits         [N.m]
//! a_i = 0                       where -f_i < lambda_i < g_i: the element holds
//! a_i >= 0                      where lambda_i = -f_i: it breaks away forward
//! a_i <= 0                      where lambda_i = g_i: it breaks away backward
//! ```
//!
//! These are the conditions for the least `lambda A lambda / 2 + b lambda` within the limits. There is always one, and
//! `a` is the same for all. Where elements hold each other redundantly lambda is not unique: of the solutions with the
//! same reactions that with the least `sum lambda_i^2 / l_i` is taken, where `l_i` is the larger limit.
//!
//! Clutches and brakes have equal limits. A free-wheel has none against the backward motion, and a stop none against the
//! motion into it. With velocities in place of accelerations, and with the limits 0 and infinity, the problem is that of an
//! impact: `lambda` are impulses.
//!
//! Method: principal pivoting in blocks, as long as they bring the solution closer, otherwise one by one (Júdice and
//! Pires, Computers and Operations Research 21 (1994) 587; Murty's rule), on A with a small diagonal; then proximal steps
//! with the same diagonal, or with a smaller one where elements differ by many orders of magnitude, which converge to the solution
//! for A alone. If that gives another set of reactions, the method starts again from it. Torques with which redundant elements only load each other do not affect
//! accelerations; their rounding errors, which the small diagonal enlarges, are removed at the end ([`AtRest::share`]).

use nalgebra::{Cholesky, DMatrix, DVector, DVectorView, Dyn};

use super::gear::Gear;
use super::stick_state::{Limits, StickState, Unsolved};
use crate::disjoint_sets::DisjointSets;
use crate::{Scalar, constant, value};

/// The small diagonal, as a fraction of the largest acceleration times its limit among the elements that load each other.
const REGULARISATION: f64 = 1e-9;

/// Fraction of the diagonal above which pivots lose at most three digits.
const REGULAR: f64 = 1e-3;

/// Fraction of its terms that is rounding in the derivative of an acceleration.
const ROUNDING_OF_DERIVATIVE: f64 = 1e-12;

/// Largest number of proximal steps with one diagonal. Each divides the error by the eigenvalue of A over the small diagonal;
/// one is enough unless elements differ by many orders of magnitude.
pub(super) const MAX_PROXIMAL_STEPS: usize = 30;

/// Fraction of an element's pivot below which the rest that others leave is rounding: the element is held redundantly.
const REDUNDANT: f64 = 1e-11;

/// Largest number of restarts of pivoting from a solution. Twice is enough unless elements hold each other redundantly.
pub(super) const MAX_ROUNDS: usize = 10;

/// Number of block pivots in a row that need not bring the solution closer.
pub(super) const MAX_STALLED_PIVOTS: usize = 10;

/// Fraction of a limit, or of an acceleration's terms, that is rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// The friction elements of a system, of which some are at rest. It has all buffers: nothing allocates after
/// [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct AtRest<T: Scalar> {
    /// State of each element; a solution begins with the last ones.
    pub reactions: Vec<StickState>,
    /// The torques of the elements that take part, in N.m; 0 of the others.
    pub lambda: DVector<T>,
    /// Torques at which proximal steps begin.
    pub(super) center: DVector<T>,
    pub(super) acceleration: DVector<T>,
    pub(super) step: DVector<T>,
    pub(super) diagonal: DVector<T>,
    pub(super) matrix: DMatrix<T>,
    pub(super) a: DMatrix<T>,
    /// For each element, true if it held when `direct` was made.
    direct_for: Vec<bool>,
    /// Factor of A for these; `is_direct` if none of them holds another redundantly.
    direct: Cholesky<T, Dyn>,
    is_direct: bool,
    /// Elements that load each other.
    sets: DisjointSets,
    /// Elements whose pivots are eliminated, and those that are not.
    eliminated: Vec<usize>,
    rest: Vec<usize>,
    /// A column for each element that is held redundantly: torques that change no acceleration.
    idle: DMatrix<T>,
    /// Fraction of limits and terms that is rounding.
    pub(super) rounding: f64,
    /// The small diagonal as a fraction.
    pub(super) regularisation: f64,
    /// The gears with losses among the elements.
    pub gears: Vec<Gear<T>>,
    /// K: torques at flange_a of the gears by the torques of all elements.
    pub(super) by_torques: DMatrix<T>,
    /// Rows of the pivots of `matrix`, if there are gears.
    pub(super) order: Vec<usize>,
}

impl<T: Scalar> AtRest<T> {
    /// Makes the system of elements of which none takes part yet. `a` has a row and a column for each, in 1/(kg.m2).
    pub fn new(a: DMatrix<T>) -> Self {
        let count = a.nrows();
        Self {
            reactions: vec![StickState::Absent; count],
            lambda: DVector::zeros(count),
            center: DVector::zeros(count),
            acceleration: DVector::zeros(count),
            step: DVector::zeros(count),
            diagonal: DVector::zeros(count),
            matrix: DMatrix::zeros(count, count),
            direct_for: vec![false; count],
            direct: Cholesky::pack_dirty(DMatrix::identity(count, count)),
            is_direct: true,
            sets: DisjointSets::new(count),
            eliminated: Vec::with_capacity(count),
            rest: Vec::with_capacity(count),
            idle: DMatrix::zeros(count, count),
            rounding: ROUNDING,
            regularisation: REGULARISATION,
            gears: Vec::new(),
            by_torques: DMatrix::zeros(0, count),
            order: Vec::new(),
            a,
        }
    }

    /// Replaces A, and K of the gears, by others of the same size.
    pub fn set_mobility(&mut self, a: &DMatrix<T>, by_torques: &DMatrix<T>) {
        self.a.copy_from(a);
        self.by_torques.copy_from(by_torques);
        self.factor_directly();
    }

    /// Computes torques and reactions of the elements whose reaction is not [`StickState::Absent`].
    ///
    /// `b` are the accelerations without these torques, in rad/s2. An infinite limit is never reached.
    ///
    /// # Errors
    ///
    /// If a number is not finite, or gears leave the motion undetermined.
    pub fn solve(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<(), Unsolved> {
        if self.reactions.iter().all(|reaction| *reaction == StickState::Absent) {
            self.lambda.fill(T::zero());
            return Ok(());
        }
        if !self.gears.is_empty() {
            return self.solve_with_gears(b, limits, false);
        }
        // Most often all elements hold, and can.
        let is_first = self.reactions.iter().all(|reaction| matches!(reaction, StickState::Absent | StickState::Holds));
        let is_within = |(torque, limits): (&T, &Limits<T>)| *torque >= -limits[0] && *torque <= limits[1];
        if is_first && self.hold_directly(b, limits) && self.lambda.iter().zip(limits).all(is_within) {
            return Ok(());
        }
        self.regularise(limits);
        for _ in 0..MAX_ROUNDS {
            let factor = self.pivot(b, limits)?;
            self.finish(factor, b)?;
            self.accelerate(b);
            let is_right = |i: usize| self.better(i, T::zero(), b, limits[i]) == self.reactions[i];
            if (0..limits.len()).all(is_right) {
                break;
            }
            for (i, limits) in limits.iter().enumerate() {
                self.center[i] = self.lambda[i].max(-limits[0]).min(limits[1]);
            }
        }
        Ok(())
    }

    /// Finds the states of the elements, on A with the small diagonal.
    fn pivot(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<Cholesky<T, Dyn>, Unsolved> {
        let count = self.reactions.len();
        let (mut fewest, mut patience) = (usize::MAX, MAX_STALLED_PIVOTS);
        // Single pivots always end; if they have not by now, a value is not finite.
        for _ in 0..1000 * (count + 1) {
            let factor = self.begin(b, limits)?;
            self.accelerate(b);
            let (mut wrong, mut last) = (0, None);
            for (i, limits) in limits.iter().enumerate() {
                let pull = self.diagonal[i] * (self.lambda[i] - self.center[i]);
                let better = self.better(i, pull, b, *limits);
                if better != self.reactions[i] {
                    wrong += 1;
                    last = Some((i, better));
                    if patience > 0 {
                        self.reactions[i] = better;
                    }
                }
            }
            let Some((i, better)) = last else { return Ok(factor) };
            self.matrix = factor.unpack_dirty();
            self.reactions[i] = better;
            patience = if wrong < fewest { MAX_STALLED_PIVOTS } else { patience.saturating_sub(1) };
            fewest = fewest.min(wrong);
        }
        Err(Unsolved::NotFinite)
    }

    /// Computes the torques for the present states of the elements, also where they exceed the limits.
    ///
    /// # Errors
    ///
    /// If a number is not finite.
    pub fn hold(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<(), Unsolved> {
        if !self.gears.is_empty() {
            return self.solve_with_gears(b, limits, true);
        }
        if self.hold_directly(b, limits) {
            return Ok(());
        }
        self.regularise(limits);
        let factor = self.begin(b, limits)?;
        self.finish(factor, b)
    }

    /// Computes the holding torques by A alone, in one step; returns false if elements may hold each other redundantly.
    fn hold_directly(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> bool {
        let holds = |reaction: &StickState| *reaction == StickState::Holds;
        if !self.reactions.iter().map(holds).eq(self.direct_for.iter().copied()) {
            self.factor_directly();
        }
        if !self.is_direct {
            return false;
        }
        self.center.fill(T::zero());
        self.start(limits);
        self.pull(b);
        self.direct.solve_mut(&mut self.step);
        self.lambda += &self.step;
        self.lambda.iter().all(|torque| torque.is_finite())
    }

    /// Factors A for the elements that hold.
    fn factor_directly(&mut self) {
        for (known, reaction) in self.direct_for.iter_mut().zip(&self.reactions) {
            *known = *reaction == StickState::Holds;
        }
        let count = self.reactions.len();
        let nothing = Cholesky::pack_dirty(DMatrix::zeros(0, 0));
        let storage = std::mem::replace(&mut self.direct, nothing).unpack_dirty();
        // A pivot of 0 becomes one that is not 0, and far from regular.
        let factor = Cholesky::new_with_substitute(self.held(storage, |_| T::zero()), constant(f64::MIN_POSITIVE));
        let is_finite = factor.is_some();
        self.direct = factor.unwrap_or_else(|| Cholesky::pack_dirty(DMatrix::zeros(count, count)));
        let is_regular = |i: usize| {
            let (root, diagonal) = (value(self.direct.l_dirty()[(i, i)]), value(self.a[(i, i)]));
            !self.direct_for[i] || (diagonal > 0.0 && root * root > REGULAR * diagonal)
        };
        self.is_direct = is_finite && (0..count).all(is_regular);
    }

    /// Copies torques and states of another solution with as many elements.
    pub fn copy_from(&mut self, other: &Self) {
        self.reactions.copy_from_slice(&other.reactions);
        self.lambda.copy_from(&other.lambda);
        self.gears.copy_from_slice(&other.gears);
    }

    pub(super) fn accelerate(&mut self, b: &DVector<T>) {
        self.acceleration.copy_from(b);
        self.acceleration.gemv(T::one(), &self.a, &self.lambda, T::one());
    }

    /// Computes the torques after one step from those of the elements that break away.
    fn begin(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<Cholesky<T, Dyn>, Unsolved> {
        self.start(limits);
        let storage = std::mem::take(&mut self.matrix);
        let Some(factor) = Cholesky::new(self.held(storage, |i| self.diagonal[i])) else {
            self.matrix = DMatrix::zeros(limits.len(), limits.len());
            return Err(Unsolved::NotFinite);
        };
        self.approach(&factor, b);
        Ok(factor)
    }

    /// Sets the torques of elements that break away, and those from which the others begin.
    pub(super) fn start(&mut self, limits: &[Limits<T>]) {
        for (i, reaction) in self.reactions.iter().enumerate() {
            self.lambda[i] = reaction.torque(limits[i]).unwrap_or(self.center[i]);
        }
    }

    /// Takes proximal steps to the solution. A derivative follows its value one step later.
    fn finish(&mut self, mut factor: Cholesky<T, Dyn>, b: &DVector<T>) -> Result<(), Unsolved> {
        let mut is_there = (1..MAX_PROXIMAL_STEPS).any(|_| !self.approach(&factor, b));
        if !is_there && self.has_smaller_diagonal() {
            let matrix = self.held(factor.unpack_dirty(), |i| self.smallest_diagonal(i));
            if let Some(closer) = Cholesky::new(matrix) {
                factor = closer;
                is_there = (1..MAX_PROXIMAL_STEPS).any(|_| !self.approach(&factor, b));
            } else {
                factor = Cholesky::pack_dirty(DMatrix::zeros(b.len(), b.len()));
            }
        }
        if T::IS_DUAL && is_there {
            self.approach(&factor, b);
        }
        self.matrix = factor.unpack_dirty();
        self.share();
        if self.lambda.iter().all(|torque| torque.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) }
    }

    /// Removes from the torques of the elements that hold the part that changes no acceleration, so that
    /// `sum lambda_i^2 / l_i` is least to rounding: the null vectors of A, by elimination with the largest pivots
    /// first.
    fn share(&mut self) {
        let Self { matrix, a, eliminated, rest, reactions, .. } = self;
        matrix.copy_from(a);
        eliminated.clear();
        rest.clear();
        // No torque moves an element between given motions.
        rest.extend((0..reactions.len()).filter(|i| reactions[*i] == StickState::Holds && value(a[(*i, *i)]) > 0.0));
        loop {
            let left = |i: usize| value(matrix[(i, i)]) / value(a[(i, i)]);
            let most = (0..rest.len()).max_by(|one, other| left(rest[*one]).total_cmp(&left(rest[*other])));
            let Some(most) = most.filter(|most| left(rest[*most]) > REDUNDANT) else { break };
            let pivot = rest.swap_remove(most);
            for i in &*rest {
                let factor = matrix[(*i, pivot)] / matrix[(pivot, pivot)];
                for j in &*rest {
                    let product = factor * matrix[(pivot, *j)];
                    matrix[(*i, *j)] -= product;
                }
            }
            eliminated.push(pivot);
        }
        for number in 0..self.rest.len() {
            self.set_idle(number);
            let own = self.idle.column(number);
            let part = self.product(&self.lambda.column(0), &own) / self.product(&own, &own);
            self.lambda.axpy(-part, &own, T::one());
        }
    }

    /// Finds torques that change no acceleration: of one of the elements in `rest` with those that are eliminated, at
    /// right angles to those found before.
    fn set_idle(&mut self, number: usize) {
        let Self { matrix, eliminated, rest, step, .. } = self;
        step.fill(T::zero());
        step[rest[number]] = T::one();
        for (k, pivot) in eliminated.iter().enumerate().rev() {
            let later = eliminated[k + 1..].iter().chain([&rest[number]]);
            let sum = later.fold(T::zero(), |sum, j| sum + matrix[(*pivot, *j)] * step[*j]);
            step[*pivot] = -sum / matrix[(*pivot, *pivot)];
        }
        for former in 0..number {
            let former = self.idle.column(former);
            let part = self.product(&self.step.column(0), &former) / self.product(&former, &former);
            self.step.axpy(-part, &former, T::one());
        }
        self.idle.set_column(number, &self.step);
    }

    /// Returns the weighted inner product of two vectors of torques, with the weights 1 / limit.
    fn product(&self, one: &DVectorView<'_, T>, other: &DVectorView<'_, T>) -> T {
        let terms = one.iter().zip(other).zip(&self.diagonal).map(|((one, other), weight)| *one * *other * *weight);
        terms.fold(T::zero(), |sum, term| sum + term)
    }

    /// Lets steps begin at 0, and sets the small diagonal, in proportion to 1 / limit; the largest limit counts for infinite ones.
    pub(super) fn regularise(&mut self, limits: &[Limits<T>]) {
        self.center.fill(T::zero());
        let finite = |limit: &T| Some(*limit).filter(|limit| limit.is_finite());
        let bound = limits.iter().flatten().filter_map(finite).fold(T::zero(), |most, limit| most.max(limit));
        let bound = if bound > T::zero() { bound } else { T::one() };
        let bounded = |limits: &Limits<T>| {
            let larger = limits[0].max(limits[1]);
            finite(&larger).filter(|limit| *limit > T::zero()).unwrap_or(bound)
        };
        for (i, limit) in limits.iter().enumerate() {
            self.step[i] = self.a[(i, i)] * bounded(limit);
        }
        let largest = self.step.iter().fold(T::zero(), |most, product| most.max(*product));
        self.spread_largest();
        for (i, limit) in limits.iter().enumerate() {
            // No torque moves an element between given motions.
            let product = if self.step[i] > T::zero() { self.step[i] } else { largest };
            let size = if largest > T::zero() { constant::<T>(self.regularisation) * product } else { T::one() };
            self.diagonal[i] = size / bounded(limit);
        }
    }

    /// Replaces each number in `step` by the largest one of the elements that load each other.
    fn spread_largest(&mut self) {
        let Self { step, a, gears, by_torques, sets, .. } = self;
        sets.separate();
        for i in 0..a.nrows() {
            (0..a.ncols()).filter(|j| value(a[(i, *j)]) != 0.0).for_each(|j| sets.join(i, j));
        }
        for (gear, Gear { element, .. }) in gears.iter().enumerate() {
            let torques = (0..by_torques.ncols()).filter(|j| value(by_torques[(gear, *j)]) != 0.0);
            torques.for_each(|j| sets.join(*element, j));
        }
        for i in 0..step.len() {
            let first = sets.of(i);
            step[first] = step[first].max(step[i]);
        }
        (0..step.len()).for_each(|i| step[i] = step[sets.of(i)]);
    }

    /// Returns a diagonal that is small beside the element's own mobility.
    pub(super) fn smallest_diagonal(&self, i: usize) -> T {
        let own = constant::<T>(self.regularisation) * self.a[(i, i)];
        if own > T::zero() { own.min(self.diagonal[i]) } else { self.diagonal[i] }
    }

    /// Returns true if the diagonal is not small beside the mobilities of some elements that hold.
    pub(super) fn has_smaller_diagonal(&self) -> bool {
        let is_smaller = |i: usize| self.smallest_diagonal(i) < constant::<T>(0.1) * self.diagonal[i];
        (0..self.reactions.len()).any(|i| self.reactions[i] == StickState::Holds && is_smaller(i))
    }

    /// Returns A for the elements that hold, with a small diagonal; the unit matrix for the others. It takes the storage of
    /// `matrix`.
    pub(super) fn held(&self, mut matrix: DMatrix<T>, diagonal: impl Fn(usize) -> T) -> DMatrix<T> {
        matrix.copy_from(&self.a);
        for (i, reaction) in self.reactions.iter().enumerate() {
            if *reaction == StickState::Holds {
                matrix[(i, i)] += diagonal(i);
            } else {
                matrix.row_mut(i).fill(T::zero());
                matrix.column_mut(i).fill(T::zero());
                matrix[(i, i)] = T::one();
            }
        }
        matrix
    }

    /// Takes a proximal step: torques of the elements that hold, closer to an acceleration of 0. Returns true if they
    /// were apart from it by more than rounding.
    fn approach(&mut self, factor: &Cholesky<T, Dyn>, b: &DVector<T>) -> bool {
        self.pull(b);
        let is_apart = |i: usize| {
            let moves = self.step[i].tangent().abs();
            self.step[i].abs() > constant::<T>(1e-2 * ROUNDING) * self.terms(i, b)
                || T::IS_DUAL && moves > ROUNDING_OF_DERIVATIVE * self.derived_terms(i, b)
        };
        let apart = (0..self.reactions.len()).any(|i| self.reactions[i] == StickState::Holds && is_apart(i));
        factor.solve_mut(&mut self.step);
        self.lambda += &self.step;
        apart
    }

    /// Computes the accelerations of elements that hold, which a step has to remove.
    pub(super) fn pull(&mut self, b: &DVector<T>) {
        self.step.copy_from(b);
        self.step.gemv(-T::one(), &self.a, &self.lambda, -T::one());
        for (step, reaction) in self.step.iter_mut().zip(&self.reactions) {
            if *reaction != StickState::Holds {
                *step = T::zero();
            }
        }
    }

    /// Returns the size of the terms whose sum is an acceleration.
    pub(super) fn terms(&self, i: usize, b: &DVector<T>) -> T {
        let products = self.a.row(i).into_iter().zip(&self.lambda).map(|(a, torque)| (*a * *torque).abs());
        products.fold(b[i].abs(), |sum, product| sum + product)
    }

    /// Returns the size of the terms whose sum is the derivative of an acceleration.
    fn derived_terms(&self, i: usize, b: &DVector<T>) -> f64 {
        let products = self.a.row(i).into_iter().zip(&self.lambda).map(|(a, torque)| (*a * *torque).tangent().abs());
        products.fold(b[i].tangent().abs(), |sum, product| sum + product)
    }

    /// Returns the torque up to which rounding alone may exceed a limit. A limit of 0 has no digits of its own.
    fn beyond(&self, i: usize, b: &DVector<T>, limit: T) -> T {
        let mobility = self.a[(i, i)];
        if limit == T::zero() && mobility > T::zero() {
            return constant::<T>(self.rounding) * self.terms(i, b) / mobility;
        }
        limit * constant(1.0 + self.rounding)
    }

    /// Returns the state that an element must have instead, where its torque or its acceleration, with the part of the
    /// small diagonal, has the wrong sign.
    pub(super) fn better(&self, i: usize, pull: T, b: &DVector<T>, limits: Limits<T>) -> StickState {
        let [forward, backward] = limits.map(|limit| self.beyond(i, b, limit));
        let (reaction, torque) = (self.reactions[i], self.lambda[i]);
        let against = match reaction {
            StickState::Absent => return reaction,
            StickState::Holds if torque > backward => return StickState::Backward,
            StickState::Holds if torque < -forward => return StickState::Forward,
            StickState::Holds => return reaction,
            StickState::Forward => -T::one(),
            StickState::Backward => T::one(),
        };
        let acceleration = self.acceleration[i] + pull;
        if against * acceleration > constant::<T>(self.rounding) * self.terms(i, b) {
            StickState::Holds
        } else {
            reaction
        }
    }
}
