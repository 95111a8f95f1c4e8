//! Positions that linear relations tie together, and the coordinates that remain free.
//!
//! ```text
//! sum_n c_rn x_n = d_r          relations: rigid parts, gears, planetary gears
//! x_n = sum_k N_nk q_k + e_n    each position by the coordinates q, which are some of the positions
//! ```
//!
//! Gauss's elimination on sparse rows. What is eliminated depends on values only, so that dual numbers give the
//! derivatives of N and e for the same choice.

use std::collections::BTreeMap;

use crate::{Scalar, value};

/// The sum of positions times coefficients is this constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation<T> {
    /// Positions with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// The constant.
    pub constant: T,
}

impl<T: Scalar> Relation<T> {
    /// Two positions are the same.
    pub fn equal(one: usize, other: usize) -> Self {
        Self { terms: vec![(one, T::one()), (other, -T::one())], constant: T::zero() }
    }
}

/// A position by the coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<T> {
    /// Coordinates, in rising order, with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// The constant.
    pub constant: T,
}

/// How strongly a position is preferred as a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preference {
    /// Another one will do.
    Any,
    /// It has an inertia.
    Inertia,
    /// It has an inertia, and its motion is wanted as a state.
    Preferred,
    /// Its motion is given: it stays.
    Given,
}

/// A relation that no motion can fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationError {
    /// This relation contradicts those before it.
    Contradiction(usize),
    /// With those before it, this relation ties given motions to each other.
    Overdetermined {
        /// Its number.
        relation: usize,
        /// Two of these; twice the same one if it is held still.
        given: [usize; 2],
        /// A relation before it that lets these only stand still, if there is one.
        locked: Option<usize>,
    },
}

/// Positions by their coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates<T> {
    /// The positions that are coordinates, in rising order.
    pub free: Vec<usize>,
    /// All positions; `terms` counts coordinates by their index in `free`.
    pub positions: Vec<Position<T>>,
    /// The first relation that lets what it ties together only stand still, with a position that cannot move: gears of
    /// different ratios between two shafts.
    pub locked: Option<(usize, usize)>,
}

/// Coefficients below this fraction of the largest in a relation, or of the terms that they are the sum of, are rounding.
const ROUNDING: f64 = 1e-12;

/// A sum of positions and a constant.
#[derive(Clone, Debug)]
struct Sum<T> {
    terms: BTreeMap<usize, T>,
    constant: T,
}

impl<T: Scalar> Sum<T> {
    fn add(&mut self, factor: T, other: &Self) {
        for (position, coefficient) in &other.terms {
            *self.terms.entry(*position).or_insert(T::zero()) += factor * *coefficient;
        }
        self.constant += factor * other.constant;
    }
}

impl<T: Scalar> Coordinates<T> {
    /// The coordinates of as many positions as there are preferences.
    ///
    /// # Errors
    ///
    /// Names a relation that no motion fulfils.
    pub fn new(preferences: &[Preference], relations: &[Relation<T>]) -> Result<Self, RelationError> {
        let count = preferences.len();
        let mut sums: Vec<Option<Sum<T>>> = vec![None; count];
        // For each position, what may contain it.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut locked = None;
        for (number, relation) in relations.iter().enumerate() {
            let mut rest = Sum { terms: BTreeMap::new(), constant: -relation.constant };
            for (position, coefficient) in &relation.terms {
                match &sums[*position] {
                    Some(sum) => rest.add(*coefficient, sum),
                    None => *rest.terms.entry(*position).or_insert(T::zero()) += *coefficient,
                }
            }
            let size = |coefficient: &T| value(*coefficient).abs();
            let of_sum = |position: &usize| {
                let terms = sums[*position].iter().flat_map(|sum| sum.terms.values());
                terms.map(size).fold(1.0, f64::max)
            };
            let sizes = relation.terms.iter().map(|(position, coefficient)| size(coefficient) * of_sum(position));
            let largest = sizes.fold(0.0, f64::max);
            rest.terms.retain(|_, coefficient| size(coefficient) > ROUNDING * largest);
            // What few sums contain is eliminated, so that the work grows little faster than the number of relations.
            let cost = |position: &&usize| (preferences[**position], users[**position].len());
            let Some(pivot) = rest.terms.keys().min_by_key(cost).copied() else {
                if value(rest.constant).abs() > ROUNDING * value(relation.constant).abs() {
                    return Err(RelationError::Contradiction(number));
                }
                continue;
            };
            if preferences[pivot] == Preference::Given {
                let last = rest.terms.keys().next_back().copied().unwrap_or(pivot);
                let first = rest.terms.keys().next().copied().unwrap_or(pivot);
                return Err(RelationError::Overdetermined {
                    relation: number,
                    given: [first, last],
                    locked: locked.map(|(relation, _)| relation),
                });
            }
            let coefficient = rest.terms.remove(&pivot).expect("it is among them");
            // What is tied to something that stands still, such as the housing of a joint, is to stand still.
            let stands = |(position, _): &(usize, T)| sums[*position].as_ref().is_some_and(|sum| sum.terms.is_empty());
            let is_tied = relation.terms.len() == 1 || relation.terms.iter().any(stands);
            if rest.terms.is_empty() && !is_tied {
                // What gives it a motion is a greater mistake, which may follow.
                locked.get_or_insert((number, pivot));
            }
            let factor = -T::one() / coefficient;
            let sum = Sum {
                terms: rest.terms.iter().map(|(position, c)| (*position, factor * *c)).collect(),
                constant: factor * rest.constant,
            };
            for user in std::mem::take(&mut users[pivot]) {
                let of_user = sums[user].as_mut().expect("it was eliminated");
                if let Some(coefficient) = of_user.terms.remove(&pivot) {
                    of_user.add(coefficient, &sum);
                    sum.terms.keys().for_each(|position| users[*position].push(user));
                }
            }
            sum.terms.keys().for_each(|position| users[*position].push(pivot));
            sums[pivot] = Some(sum);
        }
        let free: Vec<_> = (0..count).filter(|position| sums[*position].is_none()).collect();
        let place = |position: &usize| free.binary_search(position).expect("it is free");
        let by_coordinates = |(position, sum): (usize, Option<Sum<T>>)| match sum {
            Some(Sum { terms, constant }) => {
                Position { terms: terms.iter().map(|(position, c)| (place(position), *c)).collect(), constant }
            }
            None => Position { terms: vec![(place(&position), T::one())], constant: T::zero() },
        };
        let positions = sums.into_iter().enumerate().map(by_coordinates).collect();
        Ok(Self { free, positions, locked })
    }
}
