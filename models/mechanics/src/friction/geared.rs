//! Gears with losses among the elements at rest: what a gear loses depends on the torque at its flange, and so on all
//! other elements.
//!
//! ```text
//! lambda_g = -L,   tau_a = m + K lambda,   u = sigma tau_a
//! forward, a drives        lambda_g + (1 - eta1) tau_a = -sigma tau1
//! forward, b drives        eta2 lambda_g - (1 - eta2) tau_a = -sigma eta2 tau2       backward: sigma = -1
//! at rest                  a_g = 0,   -l(-tau_a) <= L <= l(tau_a)
//! ```
//!
//! A gear that moves is in one of two states, one at rest in one of five. The matrix is not symmetric. Method: that of
//! [`AtRest`], with Gauss's elimination. Elements between blocks that gears and clutches connect without a circle have one
//! solution; with parallel paths there may be several, of which pivoting takes one, or none.

use nalgebra::{DMatrix, DVector};

use super::at_rest::{AtRest, MAX_PROXIMAL_STEPS, MAX_ROUNDS, MAX_STALLED_PIVOTS, ROUNDING};
use super::gear::Gear;
use super::load_path::{LoadPath, PathGear};
use super::losses::Losses;
use super::stick_state::{Limits, StickState, Unsolved};
use crate::{Scalar, constant, value};

/// Number of pivots for each element after which they will come to no end.
const PIVOTS: usize = 20;

/// Factor of the small diagonal where there are gears: torques of elements that hold each other redundantly have less noise.
const DIAGONAL: f64 = 1e3;

/// Fraction of limits and terms that is rounding where there are gears: more than the noise of torques.
const GEAR_ROUNDING: f64 = 1e-9;

/// Direction of a gear's motion in a state, if it moves.
fn direction(state: StickState) -> Option<f64> {
    match state {
        StickState::Forward => Some(1.0),
        StickState::Backward => Some(-1.0),
        StickState::Absent | StickState::Holds => None,
    }
}

impl<T: Scalar> AtRest<T> {
    /// Adds the gears, without data.
    pub fn with_gears(mut self, elements: impl Iterator<Item = usize>) -> Self {
        self.gears = elements.map(Gear::new).collect();
        if self.gears.is_empty() {
            return self;
        }
        self.by_torques = DMatrix::zeros(self.gears.len(), self.reactions.len());
        self.order = vec![0; self.reactions.len()];
        self.rounding = GEAR_ROUNDING;
        self.regularisation *= DIAGONAL;
        self
    }

    /// Returns the torque at flange_a of a gear, by its number among the gears.
    pub fn flange_torque(&self, gear: usize) -> T {
        let products = self.by_torques.row(gear).into_iter().zip(&self.lambda).map(|(k, torque)| *k * *torque);
        products.fold(self.gears[gear].torque, |sum, product| sum + product)
    }

    /// Returns the size of the terms whose sum is the torque at flange_a of a gear.
    pub fn flange_terms(&self, gear: usize) -> T {
        let products = self.by_torques.row(gear).into_iter().zip(&self.lambda).map(|(k, torque)| (*k * *torque).abs());
        products.fold(self.gears[gear].torque.abs(), |sum, product| sum + product)
    }

    /// Finds states and torques; only the driving sides of gears where all elements hold that do.
    pub(super) fn solve_with_gears(
        &mut self,
        b: &DVector<T>,
        limits: &[Limits<T>],
        holds: bool,
    ) -> Result<(), Unsolved> {
        for gear in &mut self.gears {
            let sign = direction(self.reactions[gear.element]).unwrap_or(1.0);
            gear.is_driven_back = constant::<T>(sign) * gear.torque < gear.losses.corner();
        }
        self.regularise(limits);
        for _ in 0..MAX_ROUNDS {
            if !(self.pivot_with_gears(b, limits, holds)? || self.follow_loads(b, limits, holds)?) {
                return Err(Unsolved::Undetermined);
            }
            self.finish_with_gears(b, limits)?;
            self.accelerate(b);
            // Without the small diagonal another state may be right: pivots begin again at these torques.
            self.center.copy_from(&self.lambda);
            let is_right = |i: usize| self.better_with_gears(i, b, limits, holds) == (self.reactions[i], self.side(i));
            if (0..self.reactions.len()).all(is_right) {
                break;
            }
        }
        Ok(())
    }

    /// Finds the states by pivots; returns false if they come to no end.
    fn pivot_with_gears(&mut self, b: &DVector<T>, limits: &[Limits<T>], holds: bool) -> Result<bool, Unsolved> {
        let (mut fewest, mut patience) = (usize::MAX, MAX_STALLED_PIVOTS);
        for _ in 0..PIVOTS * (self.reactions.len() + 1) {
            self.evaluate_with_gears(b, limits)?;
            self.accelerate(b);
            let (mut wrong, mut last) = (0, None);
            for i in 0..self.reactions.len() {
                let (state, side) = self.better_with_gears(i, b, limits, holds);
                if (state, side) != (self.reactions[i], self.side(i)) {
                    wrong += 1;
                    last = Some((i, state, side));
                    if patience > 0 {
                        self.set_state(i, state, side);
                    }
                }
            }
            let Some((i, state, side)) = last else { return Ok(true) };
            self.set_state(i, state, side);
            patience = if wrong < fewest { MAX_STALLED_PIVOTS } else { patience.saturating_sub(1) };
            fewest = fewest.min(wrong);
        }
        Ok(false)
    }

    /// Computes the torques in the present states.
    fn evaluate_with_gears(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<(), Unsolved> {
        self.factor_with_gears(|this, i| this.diagonal[i])?;
        self.start(limits);
        for gear in &self.gears {
            if direction(self.reactions[gear.element]).is_some() {
                self.lambda[gear.element] = self.center[gear.element];
            }
        }
        for _ in 0..2 {
            self.refine(b, limits, true);
        }
        if self.lambda.iter().all(|torque| torque.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) }
    }

    /// Finds the states along a path of growing loads; returns false if it leads nowhere. It allocates, and is seldom needed.
    #[cold]
    fn follow_loads(&mut self, b: &DVector<T>, limits: &[Limits<T>], holds: bool) -> Result<bool, Unsolved> {
        let mut a = self.a.map(value);
        (0..a.nrows()).for_each(|i| a[(i, i)] += value(self.diagonal[i]));
        let gear = |gear: &Gear<T>| PathGear {
            element: gear.element,
            losses: Losses { eta: gear.losses.eta.map(value), tau: gear.losses.tau.map(value) },
            torque: value(gear.torque),
            rolls: gear.rolls,
        };
        let path = LoadPath {
            a,
            b: b.map(value),
            limits: limits.iter().map(|limits| limits.map(value)).collect(),
            by_torques: self.by_torques.map(value),
            gears: self.gears.iter().map(gear).collect(),
            holds,
        };
        let rolls = |i: usize| self.gear_of(i).is_some_and(|gear| self.gears[gear].rolls.is_some());
        let start = |i: usize| match self.reactions[i] {
            StickState::Absent => (StickState::Absent, false),
            state if rolls(i) => (state, false),
            _ => (StickState::Holds, false),
        };
        let Some(states) = path.follow((0..self.reactions.len()).map(start).collect()) else { return Ok(false) };
        states.iter().enumerate().for_each(|(i, (state, side))| self.set_state(i, *state, *side));
        // The path has slightly larger limits, so that a state at a limit may be the next one.
        if self.pivot_with_gears(b, limits, holds)? {
            return Ok(true);
        }
        states.iter().enumerate().for_each(|(i, (state, side))| self.set_state(i, *state, *side));
        self.evaluate_with_gears(b, limits)?;
        Ok(true)
    }

    /// Removes the effect of the small diagonal. A derivative follows its value one step later.
    fn finish_with_gears(&mut self, b: &DVector<T>, limits: &[Limits<T>]) -> Result<(), Unsolved> {
        let mut is_there = (1..MAX_PROXIMAL_STEPS).any(|_| !self.refine(b, limits, false));
        // Values may be there at once, and their derivatives not.
        if (T::IS_DUAL || !is_there) && self.has_smaller_diagonal() {
            self.factor_with_gears(|this, i| this.smallest_diagonal(i))?;
            is_there = (1..MAX_PROXIMAL_STEPS).any(|_| !self.refine(b, limits, false));
        }
        if T::IS_DUAL && is_there {
            self.refine(b, limits, false);
        }
        if self.lambda.iter().all(|torque| torque.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) }
    }

    fn gear_of(&self, element: usize) -> Option<usize> {
        self.gears.iter().position(|gear| gear.element == element)
    }

    fn side(&self, element: usize) -> bool {
        self.gear_of(element).is_some_and(|gear| self.gears[gear].is_driven_back)
    }

    fn set_state(&mut self, element: usize, state: StickState, side: bool) {
        self.reactions[element] = state;
        if let Some(gear) = self.gear_of(element) {
            self.gears[gear].is_driven_back = side;
        }
    }

    /// Returns the factors of lambda and of `tau_a` in the equation of a gear that moves, and its right side.
    fn gear_law(&self, gear: usize, direction: f64) -> [T; 3] {
        let Gear { losses: Losses { eta, tau }, is_driven_back, .. } = self.gears[gear];
        let against = constant::<T>(-direction);
        if is_driven_back {
            [eta[1], eta[1] - T::one(), against * eta[1] * tau[1]]
        } else {
            [T::one(), T::one() - eta[0], against * tau[0]]
        }
    }

    /// Factors the equations of the present states, with a small diagonal.
    fn factor_with_gears(&mut self, diagonal: fn(&Self, usize) -> T) -> Result<(), Unsolved> {
        let storage = std::mem::take(&mut self.matrix);
        let mut matrix = self.held(storage, |i| diagonal(self, i));
        for gear in 0..self.gears.len() {
            let element = self.gears[gear].element;
            let Some(direction) = direction(self.reactions[element]) else { continue };
            let [own, by_torque, _] = self.gear_law(gear, direction);
            for j in 0..matrix.ncols() {
                matrix[(element, j)] = by_torque * self.by_torques[(gear, j)];
            }
            matrix[(element, element)] += own;
        }
        // The columns of what does not hold were cleared, but rows of elements that hold need them no more: these torques
        // are known, or those of gears.
        for gear in 0..self.gears.len() {
            let element = self.gears[gear].element;
            if direction(self.reactions[element]).is_some() {
                for i in (0..matrix.nrows()).filter(|i| self.reactions[*i] == StickState::Holds) {
                    matrix[(i, element)] = self.a[(i, element)];
                }
            }
        }
        let is_regular = eliminate(&mut matrix, &mut self.order);
        self.matrix = matrix;
        if is_regular { Ok(()) } else { Err(Unsolved::NotFinite) }
    }

    /// Takes a step to the solution of the equations of the present states; returns true if it was apart from it by more
    /// than rounding.
    fn refine(&mut self, b: &DVector<T>, limits: &[Limits<T>], is_regularised: bool) -> bool {
        self.pull(b);
        if is_regularised {
            for i in (0..self.step.len()).filter(|i| self.reactions[*i] == StickState::Holds) {
                self.step[i] -= self.diagonal[i] * (self.lambda[i] - self.center[i]);
            }
        }
        for gear in 0..self.gears.len() {
            let element = self.gears[gear].element;
            if let Some(direction) = direction(self.reactions[element]) {
                let [own, by_torque, right] = self.gear_law(gear, direction);
                self.step[element] = right - own * self.lambda[element] - by_torque * self.flange_torque(gear);
            }
        }
        let size = |i: usize| match self.gear_of(i) {
            Some(gear) if direction(self.reactions[i]).is_some() => self.flange_terms(gear) + self.lambda[i].abs(),
            _ => self.terms(i, b),
        };
        let is_apart = (0..limits.len()).any(|i| self.step[i].abs() > constant::<T>(1e-2 * ROUNDING) * size(i));
        back_substitute(&self.matrix, &self.order, &mut self.step);
        self.lambda += &self.step;
        is_apart
    }

    /// Returns state and driving side that an element must have instead.
    fn better_with_gears(&self, i: usize, b: &DVector<T>, limits: &[Limits<T>], holds: bool) -> (StickState, bool) {
        let (state, side) = (self.reactions[i], self.side(i));
        let pull = self.diagonal[i] * (self.lambda[i] - self.center[i]);
        let Some(gear) = self.gear_of(i) else {
            let state = if holds { state } else { self.better(i, pull, b, limits[i]) };
            return (state, side);
        };
        let torque = self.flange_torque(gear);
        let rounding = constant::<T>(self.rounding) * (self.flange_terms(gear) + self.lambda[i].abs());
        let Gear { losses, rolls, .. } = self.gears[gear];
        let corner = losses.corner();
        // The side that drives in a direction, with the present one where both do.
        let side_in = |direction: f64, now: bool| {
            let above = constant::<T>(direction) * torque - corner;
            if now { above <= rounding } else { above < -rounding }
        };
        match state {
            StickState::Absent => (state, side),
            StickState::Holds if holds => (state, side),
            StickState::Holds => {
                let [forward, backward] = self.gears[gear].limits(torque);
                if self.lambda[i] < -forward - rounding {
                    (StickState::Forward, side_in(1.0, false))
                } else if self.lambda[i] > backward + rounding {
                    (StickState::Backward, side_in(-1.0, false))
                } else {
                    (state, side)
                }
            }
            StickState::Forward | StickState::Backward => {
                let direction = direction(state).unwrap_or_default();
                let acceleration = constant::<T>(direction) * (self.acceleration[i] + pull);
                if rolls.is_none() && acceleration < -constant::<T>(self.rounding) * self.terms(i, b) {
                    return (StickState::Holds, side);
                }
                (state, side_in(direction, side))
            }
        }
    }
}

/// Replaces a matrix by its triangular factors, with the largest pivot of each column; `order` gets the row of each
/// pivot. Returns false if there is no inverse.
fn eliminate<T: Scalar>(matrix: &mut DMatrix<T>, order: &mut [usize]) -> bool {
    let count = matrix.nrows();
    for k in 0..count {
        let size = |i: usize| value(matrix[(i, k)]).abs();
        let pivot = (k..count).max_by(|one, other| size(*one).total_cmp(&size(*other))).unwrap_or(k);
        if !(size(pivot) > 0.0 && size(pivot).is_finite()) {
            return false;
        }
        order[k] = pivot;
        matrix.swap_rows(k, pivot);
        for i in k + 1..count {
            let factor = matrix[(i, k)] / matrix[(k, k)];
            matrix[(i, k)] = factor;
            if value(factor) != 0.0 || T::IS_DUAL {
                for j in k + 1..count {
                    let product = factor * matrix[(k, j)];
                    matrix[(i, j)] -= product;
                }
            }
        }
    }
    true
}

/// Replaces a right side by the solution, from the triangular factors.
fn back_substitute<T: Scalar>(factors: &DMatrix<T>, order: &[usize], right: &mut DVector<T>) {
    let count = factors.nrows();
    order.iter().enumerate().for_each(|(k, row)| right.swap_rows(k, *row));
    for k in 0..count {
        for i in k + 1..count {
            let product = factors[(i, k)] * right[k];
            right[i] -= product;
        }
    }
    for k in (0..count).rev() {
        for j in k + 1..count {
            let product = factors[(k, j)] * right[j];
            right[k] -= product;
        }
        right[k] /= factors[(k, k)];
    }
}
