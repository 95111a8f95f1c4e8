//! Positions that linear relations tie together, and the coordinates that remain free.
//!
//! ```text
//! sum_n c_rn x_n = d_r          relations: rigid parts, gears, planetary gears
//! x_n = sum_k N_nk q_k + e_n    each position by the coordinates q, which are some of the positions
//! ```
//!
//! Gauss's elimination on sparse rows. What is eliminated depends on values only, so that dual numbers give the
//! derivatives of N and e for the same choice.

use crate::{Scalar, value};

/// A linear relation: the sum of positions times coefficients is a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation<T> {
    /// Positions with their coefficients. A difference of two coefficients, such as `ratio - 1`, is two terms of the same
    /// position, so that its rounding is known.
    pub terms: Vec<(usize, T)>,
    /// The value of the sum.
    pub constant: T,
}

impl<T: Scalar> Relation<T> {
    /// Makes the relation that two positions are equal.
    pub fn equal(one: usize, other: usize) -> Self {
        Self { terms: vec![(one, T::one()), (other, -T::one())], constant: T::zero() }
    }
}

/// A position as a linear function of the coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<T> {
    /// Coordinates, in rising order, with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// Constant part of the position.
    pub constant: T,
}

/// Degree to which a position is preferred as a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preference {
    /// Any other position would do as well.
    Any,
    /// The position has an inertia.
    Inertia,
    /// The position has an inertia, and its motion is wanted as a state.
    Preferred,
    /// The motion of the position is given: it remains a coordinate.
    Given,
}

/// A relation that no motion can fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationError {
    /// This relation contradicts those before it.
    Contradiction(usize),
    /// Together with the relations before it, this relation ties given motions to each other.
    Overdetermined {
        /// Number of the relation.
        relation: usize,
        /// Two of the given positions; twice the same one if it is held still.
        given: [usize; 2],
        /// An earlier relation that locks the given positions, if there is one.
        locked: Option<usize>,
    },
}

/// All positions as linear functions of their coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates<T> {
    /// The positions that are coordinates, in rising order.
    pub free: Vec<usize>,
    /// All positions; `terms` counts coordinates by their index in `free`.
    pub positions: Vec<Position<T>>,
    /// The first relation that locks its positions, with one that cannot move: gears of different ratios between two
    /// shafts.
    pub locked: Option<(usize, usize)>,
}

/// Fraction of the magnitudes that make up a coefficient, below which it is rounding. Ratios in a circle agree to as many
/// digits as people write.
pub(super) const ROUNDING: f64 = 1e-12;

/// The magnitudes that make up a coefficient count as at most so many times its own: what is not rounding is known to some
/// digits, while a bound on its error grows with each planetary gear.
const MAX_MAGNITUDES: f64 = 1e3;

/// A coefficient with the magnitudes that were added up to it. Products of many ratios may be tiny and still exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficient<T> {
    pub value: T,
    magnitudes: f64,
}

impl<T: Scalar> Coefficient<T> {
    pub fn exact(value: T) -> Self {
        Self { value, magnitudes: self::value(value).abs() }
    }

    fn size(&self) -> f64 {
        value(self.value).abs()
    }

    pub fn add(&mut self, other: Self) {
        self.value += other.value;
        self.magnitudes += other.magnitudes;
    }

    fn times(&self, other: &Self) -> Self {
        let magnitudes = self.size() * other.magnitudes + self.magnitudes * other.size();
        Self { value: self.value * other.value, magnitudes }
    }

    /// Returns the factor by which a sum with this coefficient of a position gives that position.
    fn negative_inverse(&self) -> Self {
        Self { value: -T::one() / self.value, magnitudes: self.magnitudes / self.size() / self.size() }
    }

    /// Returns the coefficient, unless it is rounding.
    pub fn unless_rounding(self) -> Option<Self> {
        let magnitudes = self.magnitudes.min(MAX_MAGNITUDES * self.size());
        (self.size() > ROUNDING * self.magnitudes).then_some(Self { magnitudes, ..self })
    }
}

/// A sum of positions and a constant.
#[derive(Clone, Debug)]
struct Sum<T> {
    /// Positions, in rising order, with their coefficients. Most sums have one.
    terms: Vec<(usize, Coefficient<T>)>,
    constant: T,
}

impl<T: Scalar> Sum<T> {
    fn add(&mut self, factor: &Coefficient<T>, other: &Self) {
        for (position, coefficient) in &other.terms {
            self.add_term(*position, factor.times(coefficient));
        }
        self.constant += factor.value * other.constant;
    }

    fn add_term(&mut self, position: usize, coefficient: Coefficient<T>) {
        match self.find(position) {
            Ok(at) => self.terms[at].1.add(coefficient),
            Err(at) => self.terms.insert(at, (position, coefficient)),
        }
    }

    fn remove(&mut self, position: usize) -> Option<Coefficient<T>> {
        Some(self.terms.remove(self.find(position).ok()?).1)
    }

    fn find(&self, position: usize) -> Result<usize, usize> {
        self.terms.binary_search_by_key(&position, |(position, _)| *position)
    }
}

impl<T: Scalar> Coordinates<T> {
    /// Chooses coordinates among as many positions as there are preferences, and eliminates the other positions.
    ///
    /// # Errors
    ///
    /// Names a relation that no motion fulfils.
    pub fn new(preferences: &[Preference], relations: &[Relation<T>]) -> Result<Self, RelationError> {
        let count = preferences.len();
        let mut sums: Vec<Option<Sum<T>>> = vec![None; count];
        // For each position, the sums that may contain it.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut locked = None;
        for (number, relation) in relations.iter().enumerate() {
            let mut rest = Sum { terms: Vec::with_capacity(relation.terms.len()), constant: -relation.constant };
            for (position, coefficient) in &relation.terms {
                let coefficient = Coefficient::exact(*coefficient);
                match &sums[*position] {
                    Some(sum) => rest.add(&coefficient, sum),
                    None => rest.add_term(*position, coefficient),
                }
            }
            rest.terms.retain_mut(|(_, coefficient)| {
                let kept = coefficient.unless_rounding();
                kept.inspect(|kept| *coefficient = *kept).is_some()
            });
            // What few sums contain is eliminated, so that the work grows little faster than the number of relations.
            let cost = |position: &usize| (preferences[*position], users[*position].len());
            let Some(pivot) = rest.terms.iter().map(|(position, _)| *position).min_by_key(cost) else {
                if value(rest.constant).abs() > ROUNDING * value(relation.constant).abs() {
                    return Err(RelationError::Contradiction(number));
                }
                continue;
            };
            if preferences[pivot] == Preference::Given {
                let [first, last] =
                    [rest.terms.first(), rest.terms.last()].map(|term| term.map_or(pivot, |term| term.0));
                return Err(RelationError::Overdetermined {
                    relation: number,
                    given: [first, last],
                    locked: locked.map(|(relation, _)| relation),
                });
            }
            let coefficient = rest.remove(pivot).expect("it is among them");
            // What is tied to something that stands still, such as the housing of a joint, is to stand still.
            let stands = |(position, _): &(usize, T)| sums[*position].as_ref().is_some_and(|sum| sum.terms.is_empty());
            let is_tied = relation.terms.len() == 1 || relation.terms.iter().any(stands);
            if rest.terms.is_empty() && !is_tied {
                // A relation that gives it a motion is a greater mistake, and may follow.
                locked.get_or_insert((number, pivot));
            }
            let factor = coefficient.negative_inverse();
            let mut sum = rest;
            sum.terms.iter_mut().for_each(|(_, coefficient)| *coefficient = factor.times(coefficient));
            sum.constant = factor.value * sum.constant;
            for user in std::mem::take(&mut users[pivot]) {
                let of_user = sums[user].as_mut().expect("it was eliminated");
                if let Some(coefficient) = of_user.remove(pivot) {
                    of_user.add(&coefficient, &sum);
                    sum.terms.iter().for_each(|(position, _)| users[*position].push(user));
                }
            }
            sum.terms.iter().for_each(|(position, _)| users[*position].push(pivot));
            sums[pivot] = Some(sum);
        }
        let free: Vec<_> = (0..count).filter(|position| sums[*position].is_none()).collect();
        let place = |position: &usize| free.binary_search(position).expect("it is free");
        let by_coordinates = |(position, sum): (usize, Option<Sum<T>>)| match sum {
            Some(Sum { terms, constant }) => {
                let terms = terms.iter().map(|(position, coefficient)| (place(position), coefficient.value)).collect();
                Position { terms, constant }
            }
            None => Position { terms: vec![(place(&position), T::one())], constant: T::zero() },
        };
        let positions = sums.into_iter().enumerate().map(by_coordinates).collect();
        Ok(Self { free, positions, locked })
    }
}
