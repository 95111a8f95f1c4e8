//! Parts whose positions linear relations tie together: shafts with gears, masses on rods.
//!
//! ```text
//! x = N q + e                                         positions by their coordinates q = (free, given)
//! M a = N_free^T (tau - J N_given a_given)            accelerations of the free ones
//! M = N_free^T J N_free                               J: inertias of the positions; constant
//! ```
//!
//! M falls into blocks, one for each set of coordinates that share an inertia. Most have one row, so the work grows
//! with the number of parts.

mod coordinates;

use nalgebra::{Cholesky, DMatrix, DVectorViewMut, Dyn};

use crate::classes::Classes;
use crate::{Scalar, value};
use coordinates::{Coordinates, Position};
pub use coordinates::{Preference, Relation, RelationError};

/// Parts with their coordinates.
#[derive(Clone, Debug)]
pub struct Train<T: Scalar> {
    /// The positions that are coordinates: the free ones, then the given ones.
    coordinates: Vec<usize>,
    free: usize,
    positions: Vec<Position<T>>,
    inertias: Vec<T>,
    /// First coordinate and factor of each block of M.
    blocks: Vec<(usize, Cholesky<T, Dyn>)>,
}

/// Parts that have no equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// A relation that no motion fulfils.
    Relation(RelationError),
    /// A position that is free, but moves nothing that has inertia.
    NoInertia(usize),
    /// With these parameters other positions are free than with others.
    OtherCoordinates,
}

/// Pivots below this fraction of the diagonal are rounding.
const SINGULAR: f64 = 1e-12;

impl<T: Scalar> Train<T> {
    /// The parts of positions with these relations. `preferences` says of each position how much it is wanted as a
    /// coordinate, `inertias` has the inertia that moves with it, in kg.m2 or kg.
    ///
    /// # Errors
    ///
    /// Names a relation that no motion fulfils, or a position that moves without inertia.
    pub fn new(preferences: &[Preference], relations: &[Relation<T>], inertias: Vec<T>) -> Result<Self, TrainError> {
        let Coordinates { free: chosen, positions } =
            Coordinates::new(preferences, relations).map_err(TrainError::Relation)?;
        let is_given = |k: &usize| preferences[chosen[*k]] == Preference::Given;
        let may_have_inertia = |position: usize| {
            matches!(preferences[position], Preference::Inertia | Preference::Preferred)
                || value(inertias[position]) != 0.0
        };
        let groups = groups(&positions, &may_have_inertia, chosen.len(), &is_given);
        // The coordinates of a block stand together.
        let order: Vec<usize> = groups.iter().flatten().copied().chain((0..chosen.len()).filter(is_given)).collect();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let renumbered = |position: Position<T>| {
            let mut terms: Vec<_> = position.terms.into_iter().map(|(k, n)| (place[k], n)).collect();
            terms.sort_unstable_by_key(|(k, _)| *k);
            Position { terms, ..position }
        };
        let mut train = Self {
            coordinates: order.iter().map(|k| chosen[*k]).collect(),
            free: groups.iter().map(Vec::len).sum(),
            positions: positions.into_iter().map(renumbered).collect(),
            inertias,
            blocks: Vec::new(),
        };
        train.factor(groups.iter().map(Vec::len))?;
        Ok(train)
    }

    /// The same in another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Train<U> {
        let position = |Position { terms, constant }: &Position<T>| Position {
            terms: terms.iter().map(|(k, n)| (*k, to(*n))).collect(),
            constant: to(*constant),
        };
        let block =
            |(first, factor): &(usize, Cholesky<T, Dyn>)| (*first, Cholesky::pack_dirty(factor.l_dirty().map(&to)));
        Train {
            coordinates: self.coordinates.clone(),
            free: self.free,
            positions: self.positions.iter().map(position).collect(),
            inertias: self.inertias.iter().map(|inertia| to(*inertia)).collect(),
            blocks: self.blocks.iter().map(block).collect(),
        }
    }

    /// The positions that are coordinates: the free ones, then the given ones.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// How many of the coordinates are free.
    pub fn free(&self) -> usize {
        self.free
    }

    /// The coefficients of a position by the coordinates, and its constant.
    pub fn position(&self, position: usize) -> (&[(usize, T)], T) {
        let Position { terms, constant } = &self.positions[position];
        (terms, *constant)
    }

    /// All positions `x` by the coordinates.
    #[inline]
    pub fn positions(&self, q: &[T], x: &mut [T]) {
        for (x, position) in x.iter_mut().zip(&self.positions) {
            *x = position.terms.iter().fold(position.constant, |sum, (k, n)| sum + *n * q[*k]);
        }
    }

    /// Velocities or accelerations of all positions by those of the coordinates.
    #[inline]
    pub fn rates(&self, q: &[T], x: &mut [T]) {
        for (x, position) in x.iter_mut().zip(&self.positions) {
            *x = position.terms.iter().fold(T::zero(), |sum, (k, n)| sum + *n * q[*k]);
        }
    }

    /// Accelerations of the free coordinates under the loads `tau` at the positions. `a` has those of the given ones at
    /// its end.
    #[inline]
    pub fn accelerations(&self, tau: &[T], a: &mut [T]) {
        let (free, given) = a.split_at_mut(self.free);
        free.fill(T::zero());
        for ((position, tau), inertia) in self.positions.iter().zip(tau).zip(&self.inertias) {
            let moved = position.terms.iter().filter(|(k, _)| *k >= self.free);
            let load = moved.fold(*tau, |load, (k, n)| load - *inertia * *n * given[*k - self.free]);
            for (k, n) in position.terms.iter().filter(|(k, _)| *k < self.free) {
                free[*k] += *n * load;
            }
        }
        self.solve(free);
    }

    /// Loads on the coordinates that lead to the accelerations `a` of the positions under the loads `tau` there: those that
    /// the given coordinates need. Of the free ones they are 0.
    pub fn reactions(&self, tau: &[T], a: &[T], reactions: &mut [T]) {
        reactions.fill(T::zero());
        for (i, position) in self.positions.iter().enumerate() {
            let missing = self.inertias[i] * a[i] - tau[i];
            for (k, n) in &position.terms {
                reactions[*k] += *n * missing;
            }
        }
    }

    /// Turns generalised loads of the free coordinates into their accelerations.
    #[inline]
    fn solve(&self, free: &mut [T]) {
        for (first, factor) in &self.blocks {
            let count = factor.l_dirty().nrows();
            if count == 1 {
                let root = factor.l_dirty()[(0, 0)];
                free[*first] /= root * root;
            } else {
                factor.solve_mut(&mut DVectorViewMut::from_slice(&mut free[*first..*first + count], count));
            }
        }
    }

    /// Factors the blocks of M, which have these sizes.
    fn factor(&mut self, sizes: impl Iterator<Item = usize>) -> Result<(), TrainError> {
        let mut block_of = Vec::with_capacity(self.free);
        let mut blocks: Vec<(usize, DMatrix<T>)> = Vec::new();
        for size in sizes {
            let first = block_of.len();
            block_of.resize(first + size, blocks.len());
            blocks.push((first, DMatrix::zeros(size, size)));
        }
        for (position, inertia) in self.positions.iter().zip(&self.inertias).filter(|(_, j)| value(**j) != 0.0) {
            let terms = || position.terms.iter().filter(|(k, _)| *k < self.free);
            for ((j, n_j), (k, n_k)) in terms().flat_map(|j| terms().map(move |k| (j, k))) {
                let (first, matrix) = &mut blocks[block_of[*j]];
                matrix[(j - *first, k - *first)] += *n_j * *inertia * *n_k;
            }
        }
        for (first, matrix) in blocks {
            let diagonal: Vec<_> = matrix.diagonal().iter().map(|entry| value(*entry)).collect();
            let at = |row: usize| TrainError::NoInertia(self.coordinates[first + row]);
            let massless = || diagonal.iter().position(|entry| *entry <= 0.0).unwrap_or_default();
            let factor = Cholesky::new(matrix).ok_or_else(|| at(massless()))?;
            let pivot = |row: usize| value(factor.l_dirty()[(row, row)]).powi(2);
            if let Some(row) = (0..diagonal.len()).find(|row| pivot(*row) <= SINGULAR * diagonal[*row]) {
                return Err(at(row));
            }
            self.blocks.push((first, factor));
        }
        Ok(())
    }
}

/// The free coordinates in groups that share inertias, whatever values these have.
fn groups<T: Scalar>(
    positions: &[Position<T>],
    may_have_inertia: &dyn Fn(usize) -> bool,
    count: usize,
    is_given: &dyn Fn(&usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut classes = Classes::new(count);
    for (_, position) in positions.iter().enumerate().filter(|(i, _)| may_have_inertia(*i)) {
        let mut members = position.terms.iter().map(|(k, _)| *k).filter(|k| !is_given(k));
        if let Some(first) = members.next() {
            for other in members {
                classes.join(first, other);
            }
        }
    }
    let mut members = vec![Vec::new(); count];
    for k in (0..count).filter(|k| !is_given(k)) {
        members[classes.of(k)].push(k);
    }
    members.retain(|members| !members.is_empty());
    members
}
