//! Coordinates without inertia, where springs and dampers meet.
//!
//! ```text
//! q = Z y + s,   D Z = 0          y: displacements that move no damper; s: states, 0 where y is
//! 0 = Z^T F(q)                    springs balance: y
//! 0 = F(q) + D s'                 loads of springs and dampers: s'
//! 0 = Z^T K (q' + outside)        y', and y'' and s'' in the same way
//! ```
//!
//! F grows with q and q', since each spring and damper pushes back: Newton's method finds the solution, which minimises a
//! convex function. Where loads are linear in pieces, it ends after a finite number of steps.

use super::Drivetrain;
use super::balance::{Balance, newton};
use super::coordinates::Coefficient;
use crate::Scalar;

/// The load of a spring or damper, positive where it pulls, and its slopes.
#[derive(Clone, Copy, Debug)]
pub struct Compliance<T> {
    /// Load, in N.m or N.
    pub load: T,
    /// Slope over the relative position.
    pub stiffness: T,
    /// Slope over the relative velocity.
    pub damping: T,
    /// Slope of the stiffness over the relative position.
    pub bend: T,
    /// True if both slopes are the same everywhere.
    pub is_straight: bool,
}

impl<T: Scalar> Compliance<T> {
    /// No load at all.
    pub fn none() -> Self {
        let zero = T::zero();
        Self { load: zero, stiffness: zero, damping: zero, bend: zero, is_straight: true }
    }
}

/// Returns the load of a part at a relative position and velocity.
pub type Law<'a, T> = &'a mut dyn FnMut(usize, [T; 2]) -> Compliance<T>;

/// A spring or damper between coordinates, by its relative position: a sum.
#[derive(Clone, Debug)]
struct Link<T> {
    part: usize,
    /// Coordinates of the group, by their places in it.
    own: Vec<(usize, T)>,
    /// Other coordinates.
    outer: Vec<(usize, T)>,
    /// Displacements Z, by the places of their coordinates in the group.
    moved: Vec<(usize, T)>,
    constant: T,
}

/// Coordinates without inertia that springs and dampers connect.
#[derive(Clone, Debug)]
pub struct MasslessGroup<T: Scalar> {
    coordinates: Vec<usize>,
    /// For each coordinate, the place of the one with whose y it moves.
    roots: Vec<Option<usize>>,
    links: Vec<Link<T>>,
}

/// Buffers of a group.
#[derive(Clone, Debug)]
pub struct MasslessBuffers<T: Scalar> {
    springs: Balance<T>,
    dampers: Balance<T>,
    /// For each spring or damper, relative position, velocity, acceleration.
    relative: Vec<[T; 3]>,
}

/// Returns the rate of a spring's load and its slope, from its relative position and that one's derivatives.
type Change<'c, T> = dyn FnMut(&Link<T>, &[T; 3]) -> (T, T) + 'c;

impl<T: Scalar> MasslessGroup<T> {
    /// Makes a group of coordinates; `roots` has for each the place of the one with whose balance it moves, its own if its
    /// position is not a state, none if dampers connect it to others that move by themselves. `links` are the parts
    /// with the two positions between which they act, or the only one.
    pub fn new<'p>(
        train: &Drivetrain<T>,
        coordinates: Vec<usize>,
        roots: Vec<Option<usize>>,
        links: impl Iterator<Item = (usize, &'p [usize])>,
    ) -> Self {
        let place = |k: usize| coordinates.iter().position(|own| *own == k);
        let link = |(part, between)| {
            let (terms, constant) = train.ahead(between);
            let mut link = Link { part, own: Vec::new(), outer: Vec::new(), moved: Vec::new(), constant };
            let mut moved: Vec<(usize, Coefficient<T>)> = Vec::new();
            for (k, n) in terms {
                let Some(own) = place(k) else {
                    link.outer.push((k, n));
                    continue;
                };
                link.own.push((own, n));
                let Some(root) = roots[own] else { continue };
                let n = Coefficient::exact(n);
                match moved.iter_mut().find(|(known, _)| *known == root) {
                    Some((_, sum)) => sum.add(n),
                    None => moved.push((root, n)),
                }
            }
            let kept = |(root, n): (usize, Coefficient<T>)| Some((root, n.unless_rounding()?.value));
            link.moved = moved.into_iter().filter_map(kept).collect();
            link
        };
        let links = links.map(link).collect();
        Self { coordinates, roots, links }
    }

    /// Converts the group to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: &impl Fn(T) -> U) -> MasslessGroup<U> {
        let terms = |terms: &[(usize, T)]| terms.iter().map(|(k, n)| (*k, to(*n))).collect();
        let link = |link: &Link<T>| Link {
            part: link.part,
            own: terms(&link.own),
            outer: terms(&link.outer),
            moved: terms(&link.moved),
            constant: to(link.constant),
        };
        MasslessGroup {
            coordinates: self.coordinates.clone(),
            roots: self.roots.clone(),
            links: self.links.iter().map(link).collect(),
        }
    }

    /// Returns the same coordinates without states, where springs alone decide.
    #[must_use]
    pub fn at_rest(&self) -> Self {
        let mut group = self.clone();
        group.roots = (0..self.coordinates.len()).map(Some).collect();
        group.links.iter_mut().for_each(|link| link.moved.clone_from(&link.own));
        group
    }

    /// Returns the coordinates.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// Allocates buffers.
    pub fn buffers(&self) -> MasslessBuffers<T> {
        let is_root = |(place, root): (usize, &Option<usize>)| *root == Some(place);
        MasslessBuffers {
            springs: Balance::new(self.roots.iter().enumerate().map(is_root)),
            dampers: Balance::new(self.roots.iter().enumerate().map(|entry| !is_root(entry))),
            relative: vec![[T::zero(); 3]; self.links.len()],
        }
    }

    /// Replaces positions of the group among `q` by its states: those relative to the ones with whose balance they move.
    pub fn take_states(&self, q: &mut [T]) {
        for (place, root) in self.roots.iter().enumerate() {
            if let Some(root) = root.filter(|root| *root != place) {
                q[self.coordinates[place]] -= q[self.coordinates[root]];
            }
        }
    }

    /// Returns y of a coordinate, if it has one.
    fn displacement(&self, place: usize, springs: &Balance<T>, of: &[T]) -> T {
        self.roots[place].and_then(|root| springs.rows[root]).map_or(T::zero(), |row| of[row])
    }

    /// Sets the positions of the group among `q`, where its states are.
    ///
    /// # Errors
    ///
    /// Returns the place of a coordinate that no spring holds.
    pub fn find_positions(&self, buffers: &mut MasslessBuffers<T>, q: &mut [T], law: Law<'_, T>) -> Result<(), usize> {
        let MasslessBuffers { springs, relative, .. } = buffers;
        for (place, k) in self.coordinates.iter().enumerate() {
            if springs.rows[place].is_some() {
                q[*k] = T::zero();
            }
        }
        for (Link { own, outer, constant, .. }, relative) in self.links.iter().zip(&mut *relative) {
            let outer = outer.iter().fold(*constant, |sum, (k, n)| sum + *n * q[*k]);
            relative[0] = own.iter().fold(outer, |sum, (place, n)| sum + *n * q[self.coordinates[*place]]);
        }
        if springs.right.is_empty() {
            return Ok(());
        }
        let sums = self.links.iter().zip(&*relative).map(|(link, relative)| (link.part, &*link.moved, relative[0]));
        newton(springs, &sums, &mut |part, x| {
            let law = law(part, [x, T::zero()]);
            (law.load, law.stiffness, law.is_straight)
        })?;
        for (link, relative) in self.links.iter().zip(&mut *relative) {
            relative[0] += springs.sum(&link.moved, &springs.solution);
        }
        for (place, k) in self.coordinates.iter().enumerate() {
            q[*k] += self.displacement(place, springs, &springs.solution);
        }
        Ok(())
    }

    /// Sets the velocities of the group among `q_rates`, where positions are known.
    ///
    /// # Errors
    ///
    /// Returns the place of a coordinate that no damper holds.
    pub fn find_velocities(
        &self,
        buffers: &mut MasslessBuffers<T>,
        q_rates: &mut [T],
        law: Law<'_, T>,
    ) -> Result<(), usize> {
        let MasslessBuffers { springs, dampers, relative } = buffers;
        self.add_outer(q_rates, relative, 1);
        if !dampers.right.is_empty() {
            let sums = self.links.iter().enumerate().map(|(i, link)| (i, &*link.own, relative[i][1]));
            newton(dampers, &sums, &mut |i, v| {
                let law = law(self.links[i].part, [relative[i][0], v]);
                (law.load, law.damping, law.is_straight)
            })?;
        }
        self.follow(springs, dampers, relative, 1, &mut |link, relative| {
            let law = law(link.part, [relative[0], relative[1]]);
            (law.stiffness * relative[1], law.stiffness)
        })?;
        self.set(springs, dampers, q_rates);
        Ok(())
    }

    /// Sets the accelerations of the group among `q_rates`, where positions and velocities are known.
    ///
    /// # Errors
    ///
    /// Returns the place of a coordinate that nothing holds.
    pub fn find_accelerations(
        &self,
        buffers: &mut MasslessBuffers<T>,
        q_rates: &mut [T],
        law: Law<'_, T>,
    ) -> Result<(), usize> {
        let MasslessBuffers { springs, dampers, relative } = buffers;
        self.add_outer(q_rates, relative, 2);
        if !dampers.right.is_empty() {
            dampers.clear();
            for (link, [x, v, a]) in self.links.iter().zip(&*relative) {
                let law = law(link.part, [*x, *v]);
                dampers.add(&link.own, law.stiffness * *v + law.damping * *a, law.damping);
            }
            dampers.factor()?;
            dampers.solve();
            dampers.solution.copy_from_slice(&dampers.right);
        }
        self.follow(springs, dampers, relative, 2, &mut |link, [x, v, a]| {
            let law = law(link.part, [*x, *v]);
            (law.stiffness * *a + law.bend * *v * *v, law.stiffness)
        })?;
        self.set(springs, dampers, q_rates);
        Ok(())
    }

    /// Sets velocities (1) or accelerations (2) of the links from those outside.
    fn add_outer(&self, q_rates: &[T], relative: &mut [[T; 3]], order: usize) {
        for (link, relative) in self.links.iter().zip(relative) {
            relative[order] = link.outer.iter().fold(T::zero(), |sum, (k, n)| sum + *n * q_rates[*k]);
        }
    }

    /// Finds the rates of y, with those of the states, by which the loads of springs remain in balance; `change` returns the rate
    /// of a load and its slope.
    fn follow(
        &self,
        springs: &mut Balance<T>,
        dampers: &Balance<T>,
        relative: &mut [[T; 3]],
        order: usize,
        change: &mut Change<'_, T>,
    ) -> Result<(), usize> {
        for (link, relative) in self.links.iter().zip(&mut *relative) {
            relative[order] += dampers.sum(&link.own, &dampers.solution);
        }
        if springs.right.is_empty() {
            return Ok(());
        }
        springs.clear();
        for (link, relative) in self.links.iter().zip(&*relative) {
            let (load, slope) = change(link, relative);
            springs.add(&link.moved, load, slope);
        }
        springs.factor()?;
        springs.solve();
        for (link, relative) in self.links.iter().zip(relative) {
            relative[order] += springs.sum(&link.moved, &springs.right);
        }
        Ok(())
    }

    /// Sets the rates of the coordinates.
    fn set(&self, springs: &Balance<T>, dampers: &Balance<T>, q_rates: &mut [T]) {
        for (place, k) in self.coordinates.iter().enumerate() {
            let own = dampers.rows[place].map_or(T::zero(), |row| dampers.solution[row]);
            q_rates[*k] = own + self.displacement(place, springs, &springs.right);
        }
    }
}
