//! Parts whose positions linear relations tie together: shafts with gears, masses on rods.
//!
//! ```text
//! x = N q + e                                         positions by their coordinates q = (free, given)
//! M a = N_free^T (tau - J N_given a_given)            accelerations of the free ones
//! M = N_free^T J N_free                               J: inertias of the positions; constant
//! ```
//!
//! M falls into blocks, one for each set of coordinates that share an inertia. Most have one row, so the work grows
//! with the number of parts. Where positions are those of joints of a mechanism in space, `M_tree(q)` is added to their
//! J: these blocks are factored at each evaluation ([`Factors`]), or articulated bodies take their place.
//!
//! Some given coordinates may follow from the free ones, as the axes of assemblies do: `s' = S(q) q'` and `s'' = S q'' + sigma`.
//! Then `N_free + N_s S` takes the place of `N_free`, and sigma is among `a_given`.

mod articulated;
mod balance;
mod coordinates;
mod factors;
mod massless;
mod rows;

use nalgebra::DMatrix;

use crate::disjoint_sets::DisjointSets;
use crate::factor::Factor;
use crate::null_space::NullSpace;
use crate::tree::MassSolver;
use crate::{Scalar, value, vanishes};
use coordinates::{Coordinates, ROUNDING};
pub use coordinates::{Preference, Relation, RelationError};
pub use factors::Factors;
pub use massless::{Compliance, Law, MasslessBuffers, MasslessGroup};
use rows::Rows;

/// A one-dimensional mechanism: positions as linear functions of coordinates, with their mass matrix.
#[derive(Clone, Debug)]
pub struct Drivetrain<T: Scalar> {
    /// The positions that are coordinates: the free ones, then the given ones.
    coordinates: Vec<usize>,
    free: usize,
    locked: Option<(usize, usize)>,
    /// Coefficients N; `constants` are e.
    rows: Rows<T>,
    constants: Vec<T>,
    inertias: Vec<T>,
    /// The positions with an inertia that given coordinates move.
    driven: Vec<usize>,
    /// The positions that move with dependent coordinates: given ones that follow from free ones.
    following: Vec<usize>,
    /// Numbers of coordinates of the blocks of M, in their order.
    sizes: Vec<usize>,
    /// Coordinates that share no inertia with others, with their rows of M.
    single: Vec<(usize, T)>,
    /// First coordinate and factor of each other block of M that is constant.
    blocks: Vec<(usize, Factor<T>)>,
    /// First coordinate of each block that changes with the motion, with the constant part of the block.
    changing: Vec<(usize, DMatrix<T>)>,
    /// For each free coordinate, the index of the block in `changing` that contains it.
    changing_of: Vec<Option<usize>>,
    /// A solver in place of the changing blocks.
    solver: Option<Box<dyn MassSolver<T>>>,
}

/// Reasons why there is no displacement that moves the two sides of a relation apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDisplacement {
    /// Other relations tie the two sides, too.
    Tied,
    /// Each moves positions that are to be avoided.
    ToAvoid,
}

/// Returns a displacement of the positions that fulfils all relations but one, of which the terms then are 1, and does not
/// move the positions to avoid or given ones.
///
/// # Errors
///
/// Says why there is none.
pub fn displacement<T: Scalar>(
    preferences: &[Preference],
    relations: &[Relation<T>],
    cut: usize,
    avoid: &[bool],
) -> Result<Vec<T>, NoDisplacement> {
    let others: Vec<_> =
        relations.iter().enumerate().filter(|(number, _)| *number != cut).map(|(_, one)| one.clone()).collect();
    let Ok(Coordinates { free, positions, .. }) = Coordinates::new(preferences, &others) else {
        return Err(NoDisplacement::Tied);
    };
    let mut by = vec![T::zero(); free.len()];
    let mut largest = 0.0_f64;
    for (position, coefficient) in &relations[cut].terms {
        for (k, n) in &positions[*position].terms {
            by[*k] += *coefficient * *n;
            largest = largest.max(value(*coefficient * *n).abs());
        }
    }
    let is_moved = |k: usize, position: &usize| positions[*position].terms.iter().any(|(own, _)| *own == k);
    let is_to_avoid = |k: usize| (0..positions.len()).filter(|position| avoid[*position]).any(|i| is_moved(k, &i));
    let size = |k: &usize| value(by[*k]).abs();
    let apart = (0..free.len()).filter(|k| preferences[free[*k]] != Preference::Given && size(k) > 1e-9 * largest);
    let most = apart.clone().filter(|k| !is_to_avoid(*k)).max_by(|one, other| size(one).total_cmp(&size(other)));
    let Some(k) = most else {
        return Err(if apart.clone().next().is_some() { NoDisplacement::ToAvoid } else { NoDisplacement::Tied });
    };
    let moved = |position: &coordinates::Position<T>| {
        let term = position.terms.iter().find(|(own, _)| *own == k);
        term.map_or(T::zero(), |(_, n)| *n / by[k])
    };
    Ok(positions.iter().map(moved).collect())
}

/// Reasons why parts have no equations of motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrivetrainError {
    /// A relation cannot be fulfilled by any motion.
    Relation(RelationError),
    /// A free position moves nothing that has inertia, while others rest or move with it.
    NoInertia(usize),
    /// These free positions move nothing that has inertia.
    Massless(Vec<usize>),
    /// The choice of free coordinates differs from that with other parameters.
    OtherCoordinates,
    /// A relation locks a position, by ratios around a circle: see [`Drivetrain::locked`].
    Locked(usize, usize),
    /// Gears with losses, by the numbers of their parts, close a circle: their torques do not follow from the motion.
    GearCircle(Vec<usize>),
    /// The torque at flange_a of a gear with losses, by the number of its part, follows from loads in space only.
    GearInSpace(usize),
}

impl<T: Scalar> Drivetrain<T> {
    /// Makes the equations of positions with these relations. `preferences` says of each position how much it is wanted
    /// as a coordinate, `inertias` has the inertia that moves with it, in kg.m2 or kg. `couplings` are sets of
    /// positions between which there are inertias that change with the motion; a given one among them follows from the
    /// others.
    ///
    /// # Errors
    ///
    /// Names a relation that no motion fulfils, or a position that moves without inertia.
    pub fn new(
        preferences: &[Preference],
        relations: &[Relation<T>],
        inertias: Vec<T>,
        couplings: &[Vec<usize>],
    ) -> Result<Self, DrivetrainError> {
        let Coordinates { free: chosen, positions, locked } =
            Coordinates::new(preferences, relations).map_err(DrivetrainError::Relation)?;
        let is_given = |k: &usize| preferences[chosen[*k]] == Preference::Given;
        let may_have_inertia = |position: usize| may_have_inertia((&preferences[position], &inertias[position]));
        // For each dependent coordinate, the set from which it follows.
        let mut leaders: Vec<Option<&Vec<usize>>> = vec![None; chosen.len()];
        for coupling in couplings {
            for k in coupling.iter().filter_map(|position| chosen.binary_search(position).ok()).filter(is_given) {
                leaders[k] = Some(coupling);
            }
        }
        let leaders_of = |position: usize| positions[position].terms.iter().filter_map(|(k, _)| leaders[*k]);
        // The free coordinates in groups, one for all that move positions of the same set.
        let mut groups = DisjointSets::new(chosen.len());
        let mut join = |set: &mut dyn Iterator<Item = usize>| {
            let terms = set.flat_map(|position| &positions[position].terms);
            let mut members = terms.map(|(k, _)| *k).filter(|k| !is_given(k));
            if let Some(first) = members.next() {
                members.for_each(|other| groups.join(first, other));
            }
        };
        for position in (0..positions.len()).filter(|position| may_have_inertia(*position)) {
            join(&mut leaders_of(position).flatten().copied().chain([position]));
        }
        couplings.iter().for_each(|set| join(&mut set.iter().copied()));
        // The coordinates of a block stand together.
        let mut free: Vec<_> = (0..chosen.len()).filter(|k| !is_given(k)).map(|k| (groups.of(k), k)).collect();
        free.sort_unstable();
        let sizes = free.chunk_by(|one, other| one.0 == other.0).map(<[_]>::len).collect();
        let given = (0..chosen.len()).filter(is_given);
        let order: Vec<usize> = free.iter().map(|(_, k)| *k).chain(given).collect();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let is_driven = |i: &usize| may_have_inertia(*i) && positions[*i].terms.iter().any(|(k, _)| is_given(k));
        let driven = (0..positions.len()).filter(is_driven).collect();
        let following = (0..positions.len()).filter(|position| leaders_of(*position).next().is_some()).collect();
        let mut train = Self {
            coordinates: order.iter().map(|k| chosen[*k]).collect(),
            free: free.len(),
            locked,
            rows: Rows::new(positions.iter().map(|position| position.terms.iter().map(|(k, n)| (place[*k], *n)))),
            constants: positions.iter().map(|position| position.constant).collect(),
            inertias,
            driven,
            following,
            sizes,
            single: Vec::new(),
            blocks: Vec::new(),
            changing: Vec::new(),
            changing_of: Vec::new(),
            solver: None,
        };
        train.factor(couplings)?;
        Ok(train)
    }

    /// Returns true if the same positions of a train that is not [merged](Self::merge) may have inertias as with these:
    /// those that are not 0, and by their preferences.
    pub fn has_inertias_as(&self, inertias: &[T], preferences: &[Preference]) -> bool {
        let own = preferences.iter().zip(&self.inertias).map(may_have_inertia);
        own.eq(preferences.iter().zip(inertias).map(may_have_inertia))
    }

    /// Makes the equations of a train that is not [merged](Self::merge) with other inertias, which
    /// [the same positions](Self::has_inertias_as) may have.
    ///
    /// # Errors
    ///
    /// Names a position that moves without inertia.
    pub fn with_inertias(&self, inertias: Vec<T>, couplings: &[Vec<usize>]) -> Result<Self, DrivetrainError> {
        let mut train = Self {
            coordinates: self.coordinates.clone(),
            rows: self.rows.clone(),
            constants: self.constants.clone(),
            inertias,
            driven: self.driven.clone(),
            following: self.following.clone(),
            sizes: self.sizes.clone(),
            single: Vec::with_capacity(self.single.len()),
            blocks: Vec::new(),
            changing: Vec::new(),
            changing_of: Vec::new(),
            solver: None,
            ..*self
        };
        train.factor(couplings)?;
        Ok(train)
    }

    /// Merges positions that are always equal, where they follow one another, unless a displacement moves them apart;
    /// returns the new number of each.
    pub fn merge(&mut self, displacements: &[Vec<T>]) -> Vec<usize> {
        let same = |one: T, other: T| value(one) == value(other) && one.tangent() == other.tangent();
        let (mut numbers, mut kept) = (Vec::new(), Vec::<usize>::new());
        // Index of the last position kept for each coordinate.
        let mut last = vec![usize::MAX; self.coordinates.len()];
        for (i, row) in self.rows.iter().enumerate() {
            let is_same = |number: &usize| {
                let known = kept[*number];
                let mut terms = row.iter().zip(self.rows.row(known));
                displacements.iter().all(|displacement| same(displacement[known], displacement[i]))
                    && self.rows.row(known).len() == row.len()
                    && same(self.constants[i], self.constants[known])
                    && terms.all(|(one, other)| one.0 == other.0 && same(one.1, other.1))
            };
            let before = row.first().map(|(k, _)| &mut last[*k]);
            let number = before.as_deref().copied().filter(|number| *number < kept.len() && is_same(number));
            let number = number.unwrap_or_else(|| {
                kept.push(i);
                kept.len() - 1
            });
            before.into_iter().for_each(|before| *before = number);
            numbers.push(number);
        }
        let mut inertias = vec![T::zero(); kept.len()];
        numbers.iter().zip(&self.inertias).for_each(|(number, inertia)| inertias[*number] += *inertia);
        self.inertias = inertias;
        self.rows = Rows::new(kept.iter().map(|i| self.rows.row(*i).iter().copied()));
        self.constants = kept.iter().map(|i| self.constants[*i]).collect();
        for number in self.coordinates.iter_mut().chain(&mut self.driven).chain(&mut self.following) {
            *number = numbers[*number];
        }
        for list in [&mut self.driven, &mut self.following] {
            let mut seen = vec![false; kept.len()];
            list.retain(|number| !std::mem::replace(&mut seen[*number], true));
        }
        numbers
    }

    /// Returns the virtual work of the loads at the positions and of their inertias along a displacement.
    pub fn work(&self, displacement: &[(usize, T)], tau: &[T], a: &[T]) -> T {
        let work = |sum: T, (i, by): &(usize, T)| sum + *by * (tau[*i] - self.inertias[*i] * a[*i]);
        displacement.iter().fold(T::zero(), work)
    }

    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Converts the drive train to another scalar type, number by number, without its [solver](Self::set_mass_solver).
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Drivetrain<U> {
        let block = |(first, factor): &(usize, Factor<T>)| (*first, factor.map(&to));
        Drivetrain {
            coordinates: self.coordinates.clone(),
            free: self.free,
            locked: self.locked,
            rows: self.rows.map(&to),
            constants: self.constants.iter().map(|constant| to(*constant)).collect(),
            inertias: self.inertias.iter().map(|inertia| to(*inertia)).collect(),
            driven: self.driven.clone(),
            following: self.following.clone(),
            sizes: self.sizes.clone(),
            single: self.single.iter().map(|(k, mass)| (*k, to(*mass))).collect(),
            blocks: self.blocks.iter().map(block).collect(),
            changing: self.changing.iter().map(|(first, matrix)| (*first, matrix.map(&to))).collect(),
            changing_of: self.changing_of.clone(),
            solver: None,
        }
    }

    /// Returns the positions that are coordinates: the free ones, then the given ones.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// Returns the number of free coordinates.
    pub fn free(&self) -> usize {
        self.free
    }

    /// Returns the first relation that locks its positions, with one that cannot move.
    pub fn locked(&self) -> Option<(usize, usize)> {
        self.locked
    }

    /// Returns the coefficients of a position by the coordinates.
    pub fn position(&self, position: usize) -> &[(usize, T)] {
        self.rows.row(position)
    }

    /// Returns the second one of two positions less the first one, by coefficients of coordinates and a constant.
    pub fn difference(&self, [first, second]: [usize; 2]) -> (Vec<(usize, T)>, T) {
        let mut terms = self.rows.row(second).to_vec();
        for (k, n) in self.rows.row(first) {
            match terms.iter_mut().find(|(known, _)| known == k) {
                Some((_, sum)) => {
                    let magnitude = value(*sum).abs() + value(*n).abs();
                    *sum -= *n;
                    if value(*sum).abs() <= ROUNDING * magnitude {
                        *sum = T::with_tangent(0.0, sum.tangent());
                    }
                }
                None => terms.push((*k, -*n)),
            }
        }
        terms.retain(|(_, n)| !vanishes(*n));
        (terms, self.constants[second] - self.constants[first])
    }

    /// Returns how far the second of these positions is ahead of the first one, in the same form; without a second one, how far
    /// what is at rest is.
    pub fn ahead(&self, positions: &[usize]) -> (Vec<(usize, T)>, T) {
        match *positions {
            [first, second, ..] => self.difference([first, second]),
            [first] => (self.rows.row(first).iter().map(|(k, n)| (*k, -*n)).collect(), -self.constants[first]),
            [] => (Vec::new(), T::zero()),
        }
    }

    /// True if a position moves with given coordinates that follow from free ones.
    pub fn follows(&self, position: usize) -> bool {
        self.following.contains(&position)
    }

    /// Computes all positions `x` from the coordinates.
    #[inline]
    pub fn positions(&self, q: &[T], x: &mut [T]) {
        self.rows.multiply(q, x);
        x.iter_mut().zip(&self.constants).for_each(|(x, constant)| *x += *constant);
    }

    /// Computes velocities or accelerations of all positions from those of the coordinates.
    #[inline]
    pub fn rates(&self, q: &[T], x: &mut [T]) {
        self.rows.multiply(q, x);
    }

    /// Computes the accelerations of the free coordinates under the loads `tau` at the positions. `a` has those of the
    /// given ones at its end; their share of inertias that change with the motion is among the loads. Those that follow
    /// from the free ones are at first as if these did not accelerate.
    #[inline]
    pub fn accelerations(&self, factors: &mut Factors<T>, tau: &[T], a: &mut [T]) {
        self.accelerate(factors, tau, a, true);
    }

    /// Computes the same under impulses, or under further loads on what accelerates already: rates that conditions need for
    /// themselves do not count.
    #[inline]
    pub fn responses(&self, factors: &mut Factors<T>, tau: &[T], a: &mut [T]) {
        self.accelerate(factors, tau, a, false);
    }

    #[inline]
    fn accelerate(&self, factors: &mut Factors<T>, tau: &[T], a: &mut [T], drifts: bool) {
        let (free, given) = a.split_at_mut(self.free);
        self.free_loads(factors, tau, given, free);
        self.solve(factors, free, drifts);
        factors.slopes.iter().for_each(|(k, j, slope)| given[*k - self.free] += *slope * free[*j]);
    }

    /// Computes the generalised loads on the free coordinates under the loads `tau` at the positions, while the given
    /// coordinates have these accelerations.
    #[inline]
    pub fn free_loads(&self, factors: &mut Factors<T>, tau: &[T], given: &[T], free: &mut [T]) {
        free.fill(T::zero());
        self.rows.add_transposed(tau, free);
        let inertial = |position: usize| {
            let row = self.rows.row(position).iter();
            let moved = row.filter_map(|(k, n)| Some(*n * given[k.checked_sub(self.free)?]));
            moved.fold(T::zero(), |load, a| load - self.inertias[position] * a)
        };
        for position in &self.driven {
            self.rows.add_row(*position, inertial(*position), free);
        }
        if factors.slopes.is_empty() {
            return;
        }
        let loads = &mut factors.loads;
        loads.fill(T::zero());
        for position in &self.following {
            self.rows.add_row(*position, tau[*position] + inertial(*position), loads);
        }
        factors.slopes.iter().for_each(|(k, j, slope)| free[*j] += *slope * factors.loads[*k]);
    }

    /// Computes the loads on the coordinates that lead to the accelerations `a` of the positions under the loads `tau`
    /// there: those that the given coordinates need. Of the free ones they are 0.
    pub fn reactions(&self, tau: &[T], a: &[T], reactions: &mut [T]) {
        reactions.fill(T::zero());
        for i in 0..self.rows.len() {
            self.rows.add_row(i, self.inertias[i] * a[i] - tau[i], reactions);
        }
    }

    /// Resets the changing blocks to their constant part, and removes all slopes.
    pub fn begin(&self, factors: &mut Factors<T>) {
        factors.blocks.iter_mut().zip(&self.changing).for_each(|(block, (_, constant))| block.copy_from(constant));
        factors.slopes.clear();
        factors.solver().into_iter().for_each(MassSolver::begin);
    }

    /// Adds a dependent coordinate, with the ratio of its velocity to that of a joint's position.
    pub fn follow(&self, factors: &mut Factors<T>, coordinate: usize, position: usize, slope: T) {
        let free = self.rows.row(position).iter().filter(|(k, _)| *k < self.free);
        factors.slopes.extend(free.map(|(k, n)| (coordinate, *k, slope * *n)));
    }

    /// Adds the inertia that couples the accelerations of two positions, or of one twice, in kg.m2, kg.m or kg.
    pub fn couple(&self, factors: &mut Factors<T>, [one, other]: [usize; 2], inertia: T) {
        let terms = |position: usize| self.rows.row(position).iter().filter(|(k, _)| *k < self.free);
        for (j, n_j) in terms(one) {
            let Some(block) = self.changing_of[*j] else { continue };
            let first = self.changing[block].0;
            let matrix = &mut factors.blocks[block];
            for (k, n_k) in terms(other) {
                let mass = *n_j * inertia * *n_k;
                if one != other {
                    // In the lower half one of the two is there, and on the diagonal both.
                    let (row, column) = if j > k { (j, k) } else { (k, j) };
                    matrix[(row - first, column - first)] += if j == k { mass + mass } else { mass };
                } else if j >= k {
                    matrix[(j - first, k - first)] += mass;
                }
            }
        }
    }

    /// Factors the changing blocks.
    ///
    /// # Errors
    ///
    /// Returns the number of a coordinate that moves without inertia, and those that move against it if it has some
    /// unless they do.
    pub fn finish(&self, factors: &mut Factors<T>) -> Result<(), (usize, Vec<usize>)> {
        self.couple_following(factors);
        factors.finish().map_err(|(block, row, has_inertia)| {
            let first = self.changing[block].0;
            let against = if has_inertia { factors.counteracting_rows(block, row) } else { Vec::new() };
            (first + row, against.into_iter().map(|row| first + row).collect())
        })
    }

    /// Adds the inertias of positions that follow from the free coordinates.
    pub fn couple_following(&self, factors: &mut Factors<T>) {
        let Factors { blocks, slopes, loads: row, solver, .. } = factors;
        for position in self.following.iter().filter(|position| value(self.inertias[**position]) != 0.0) {
            row.fill(T::zero());
            for (k, n) in self.rows.row(*position) {
                row[*k] += *n;
                slopes.iter().filter(|(follows, ..)| follows == k).for_each(|(_, j, slope)| row[*j] += *n * *slope);
            }
            if let Some(solver) = solver {
                couple_row(&mut **solver, &row[..self.free], self.inertias[*position]);
            }
            for ((first, _), matrix) in self.changing.iter().zip(&mut *blocks) {
                let row = &row[*first..*first + matrix.nrows()];
                for (j, n_j) in row.iter().enumerate() {
                    let mass = self.inertias[*position] * *n_j;
                    matrix.column_mut(j).iter_mut().zip(row).for_each(|(entry, n)| *entry += mass * *n);
                }
            }
        }
    }

    /// Turns generalised loads of the free coordinates into their accelerations.
    #[inline]
    fn solve(&self, factors: &mut Factors<T>, free: &mut [T], drifts: bool) {
        self.solve_constant(free);
        if let Some(solver) = factors.solver() {
            return solver.solve(free, drifts);
        }
        for (block, (first, constant)) in self.changing.iter().enumerate() {
            factors.solve(block, &mut free[*first..first + constant.nrows()], drifts);
        }
    }

    /// Turns generalised loads into accelerations where M is constant.
    #[inline]
    fn solve_constant(&self, free: &mut [T]) {
        for (k, mass) in &self.single {
            free[*k] /= *mass;
        }
        for (first, factor) in &self.blocks {
            factor.solve(&mut free[*first..first + factor.count()]);
        }
    }

    /// Returns the number of the block, or cluster of the [solver](Self::set_mass_solver), with the coordinates that move a
    /// position, and all coordinates of it, in rising order; none if only given ones move it.
    pub fn block_at(&self, position: usize) -> Option<(usize, Vec<usize>)> {
        let (k, _) = self.rows.row(position).iter().find(|(k, _)| *k < self.free)?;
        if let Some(solver) = &self.solver {
            let cluster = solver.cluster_of(*k)?;
            return Some((cluster, solver.coordinates(cluster).to_vec()));
        }
        let block = self.changing_of[*k]?;
        let (first, constant) = &self.changing[block];
        Some((block, (*first..first + constant.nrows()).collect()))
    }

    /// Adds to a condition on the rates of these coordinates the ratio to the velocity of a position.
    pub fn condition(
        &self,
        space: &mut NullSpace<T>,
        coordinates: &[usize],
        condition: usize,
        position: usize,
        slope: T,
    ) {
        for (k, n) in self.rows.row(position) {
            if let Ok(place) = coordinates.binary_search(k) {
                space.add(condition, place, slope * *n);
            }
        }
    }

    /// Factors the blocks of M.
    fn factor(&mut self, couplings: &[Vec<usize>]) -> Result<(), DrivetrainError> {
        let mut block_of = Vec::with_capacity(self.free);
        let mut blocks: Vec<(usize, DMatrix<T>)> = Vec::with_capacity(self.sizes.len());
        for size in &self.sizes {
            let first = block_of.len();
            block_of.resize(first + size, blocks.len());
            blocks.push((first, DMatrix::zeros(*size, *size)));
        }
        let is_constant = |position: &usize| has_inertia(&self.inertias[*position]) && !self.follows(*position);
        for position in (0..self.rows.len()).filter(is_constant) {
            let inertia = self.inertias[position];
            let terms = || self.rows.row(position).iter().filter(|(k, _)| *k < self.free);
            for ((j, n_j), (k, n_k)) in terms().flat_map(|j| terms().map(move |k| (j, k))) {
                let (first, matrix) = &mut blocks[block_of[*j]];
                matrix[(j - *first, k - *first)] += *n_j * inertia * *n_k;
            }
        }
        let mut is_changing = vec![false; blocks.len()];
        for position in couplings.iter().flatten().chain(&self.following) {
            for (k, _) in self.rows.row(*position).iter().filter(|(k, _)| *k < self.free) {
                is_changing[block_of[*k]] = true;
            }
        }
        self.changing_of = vec![None; self.free];
        let mut massless = Vec::new();
        for ((first, matrix), is_changing) in blocks.into_iter().zip(is_changing) {
            if is_changing {
                self.changing_of[first..first + matrix.nrows()].fill(Some(self.changing.len()));
                self.changing.push((first, matrix));
                continue;
            }
            let at = |row: usize| DrivetrainError::NoInertia(self.coordinates[first + row]);
            if let [mass] = matrix.as_slice() {
                if value(*mass).is_nan() || value(*mass) <= 0.0 {
                    massless.push(self.coordinates[first]);
                }
                self.single.push((first, *mass));
                continue;
            }
            self.blocks.push((first, Factor::new(matrix).map_err(at)?));
        }
        if massless.is_empty() { Ok(()) } else { Err(DrivetrainError::Massless(massless)) }
    }
}

/// Adds the inertia of a position that moves with coordinates as this row says.
fn couple_row<T: Scalar>(solver: &mut dyn MassSolver<T>, row: &[T], inertia: T) {
    let moving = || row.iter().enumerate().filter(|(_, n)| !vanishes(**n));
    for (j, n_j) in moving() {
        moving().take_while(|(k, _)| *k <= j).for_each(|(k, n_k)| solver.couple([j, k], inertia * *n_j * *n_k));
    }
}

/// Returns true if a position may have an inertia, with which its coordinates are in a block.
fn may_have_inertia<T: Scalar>((preference, inertia): (&Preference, &T)) -> bool {
    matches!(preference, Preference::Inertia | Preference::Preferred) || has_inertia(inertia)
}

fn has_inertia<T: Scalar>(inertia: &T) -> bool {
    value(*inertia) != 0.0
}
