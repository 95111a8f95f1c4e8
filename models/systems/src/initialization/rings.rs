//! Rings of joints at the start: a position in which they close, and how many of their conditions are independent.

use fmu_runtime::{Dual64, ModelError, Number};
use mechanics::least_squares::Condition;
use mechanics::null_space::NullSpace;
use mechanics::{constant, value};
use nalgebra::{DMatrix, DVector};

use super::coordinates::NamedCondition;
use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::real::Real;
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::SpaceBuffers;
use crate::topology::rings::{Minor, Rings};
use crate::topology::wiring::Owner;

/// Largest number of steps of the search for a closed position.
const MAX_STEPS: usize = 200;

/// Gap in m, or as the cosine of an angle, below which a ring is closed.
const CLOSED: f64 = 1e-9;

/// Fraction of the largest pivot below which a condition follows from others.
const DEPENDENT: f64 = 1e-7;

/// Moves along the free directions at which the number of independent conditions is looked for.
const MOVES: [f64; 3] = [0.05, 0.11, 0.2];

/// Angle or fraction of a metre by which the search begins anew elsewhere: flat positions may be singular.
const TURN: f64 = 1e-2;

/// Conditions of a ring, with their gaps and the changes of these with each free coordinate.
struct Gaps<T> {
    /// Number of the ring.
    rings: Vec<usize>,
    gaps: Vec<T>,
    /// A row for each condition.
    slopes: DMatrix<f64>,
}

impl<T: PartScalar> System<'_, T> {
    /// Returns how far rings are open (order 0), or the rates of that (1), where the coordinates are.
    fn gaps(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>, order: usize) -> Result<Gaps<T>, ModelError> {
        let mut all = Gaps { rings: Vec::new(), gaps: Vec::new(), slopes: DMatrix::zeros(0, 0) };
        self.visit_gaps(arrays.view(), buffers, order, &mut |ring, gap| {
            all.rings.push(ring);
            all.gaps.push(gap);
        })?;
        all.slopes = DMatrix::zeros(all.gaps.len(), self.wiring.free);
        let at_random = buffers.space.as_ref().is_some_and(|space| space.workspace.stretches);
        self.along(arrays, order, at_random, |k, system, view, buffers| {
            let mut row = 0..;
            system.visit_gaps(view, buffers, order, &mut |_, gap: Dual64| {
                all.slopes[(row.next().unwrap_or_default(), k)] = gap.eps;
            })
        })?;
        Ok(all)
    }

    fn visit_gaps(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        order: usize,
        visit: &mut dyn FnMut(usize, T),
    ) -> Result<(), ModelError> {
        self.read_motion(view, buffers)?;
        let Buffers { x: [x, v, a], space, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        self.pose(view, tree, workspace)?;
        tree.move_joints(workspace, [x, v, a]);
        for (i, ring) in tree.rings().iter().enumerate() {
            ring.gaps(workspace, order, |_, gap| visit(i, gap));
        }
        Ok(())
    }

    /// Returns the conditions that the rings close, for changes of the free coordinates, as many as are independent.
    pub fn ring_conditions(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        order: usize,
    ) -> Result<Vec<NamedCondition<T>>, ModelError> {
        if !self.has_rings() {
            return Ok(Vec::new());
        }
        let Gaps { rings, gaps, slopes } = self.gaps(arrays, buffers, order)?;
        let Buffers { factors, space, .. } = &mut *buffers;
        if let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) {
            self.find_conditions(tree, workspace, factors);
        }
        let places = &self.prepared.rings.places;
        let mut conditions = Vec::new();
        for block in &self.prepared.rings.blocks {
            let rows: Vec<_> = (0..gaps.len()).filter(|row| places[rings[*row]].block == Some(block.block)).collect();
            let mut space = NullSpace::<Real>::new(self.wiring.free, rows.len(), block.rank);
            for (i, row) in rows.iter().enumerate() {
                slopes.row(*row).iter().enumerate().for_each(|(k, slope)| space.add(i, k, constant(*slope)));
            }
            space.decompose();
            for i in space.independent() {
                let row = rows[*i];
                let slopes = slopes.row(row);
                let terms = slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0);
                // How these ratios change matters where the coordinates move least.
                let mut of_velocities = |k: usize| {
                    let columns = buffers.null_space(block.block)?.columns();
                    columns.get((block.coordinates.binary_search(&k).ok()?, *i)).copied()
                };
                let terms = terms.map(|(k, slope)| (k, constant::<T>(*slope)));
                let terms: Vec<_> = terms
                    .map(|(k, slope)| (k, of_velocities(k).map_or(slope, |by| slope + by - constant::<T>(value(by)))))
                    .collect();
                // Rolling is no condition on positions.
                if terms.is_empty() && value(gaps[row]) == 0.0 {
                    continue;
                }
                let condition = Condition { terms, change: -gaps[row], size: 1.0, nominal: 1.0 };
                let tree = self.prepared.tree();
                let names = tree.map(|tree| self.ring_names(tree, rings[row])).unwrap_or_default();
                let name = format!("the gap in the ring of {names}");
                conditions.push(NamedCondition { name, start: 0.0, is_of_rest: false, condition });
            }
        }
        Ok(conditions)
    }
}

impl<T: PartScalar> System<'_, T> {
    /// Returns the numbers of those of these sums of accelerations that can be chosen where rings are closed; the others then
    /// follow.
    pub fn independent_rests(&self, buffers: &mut Buffers<T>, sums: &[Vec<(usize, T)>]) -> Vec<usize> {
        if !self.has_rings() {
            return (0..sums.len()).collect();
        }
        let mut chosen = vec![true; sums.len()];
        for block in &self.prepared.rings.blocks {
            let Some(space) = buffers.null_space(block.block) else { continue };
            let terms = |sum: &Vec<(usize, T)>| -> Vec<(usize, f64)> {
                let terms = sum.iter().flat_map(|(position, n)| {
                    let row = self.prepared.train.position(*position).iter();
                    row.map(move |(k, by)| (*k, value(*n * *by)))
                });
                terms.filter_map(|(k, n)| Some((block.coordinates.binary_search(&k).ok()?, n))).collect()
            };
            let own: Vec<_> = (0..sums.len()).filter(|i| !terms(&sums[*i]).is_empty()).collect();
            let mut along = NullSpace::<Real>::new(space.directions(), own.len(), usize::MAX);
            for (i, sum) in own.iter().enumerate() {
                for ((k, n), j) in
                    terms(&sums[*sum]).into_iter().flat_map(|term| (0..space.directions()).map(move |j| (term, j)))
                {
                    along.add(i, j, constant(n * value(space.free(k, j))));
                }
            }
            along.decompose();
            own.iter().for_each(|i| chosen[*i] = false);
            along.independent().iter().for_each(|i| chosen[own[*i]] = true);
        }
        (0..sums.len()).filter(|i| chosen[*i]).collect()
    }

    /// Returns positions of the free coordinates where all rings close, near those that are set, and keeps conditions that are
    /// fulfilled there.
    ///
    /// # Errors
    ///
    /// Names a ring that does not close.
    pub fn closed_start(&self, arrays: &Arrays<'_, T>, kept: &[NamedCondition<T>]) -> Result<Vec<f64>, ModelError> {
        let prepared = self.prepared.values::<Real>();
        let (parts, wiring, laws, data, time) =
            (self.parts, self.wiring, self.laws, self.data, constant(value(self.time)));
        let system = System { parts, wiring, prepared: &prepared, laws, data, time };
        let mut buffers = prepared.buffers(wiring, false);
        let mut reals: Vec<Real> = arrays.reals.iter().map(|real| constant(value(*real))).collect();
        let (mut integers, mut booleans) = (arrays.integers.to_vec(), arrays.booleans.to_vec());
        let mut arrays = Arrays { reals: &mut reals, integers: &mut integers, booleans: &mut booleans };
        let kept: Vec<Vec<_>> =
            kept.iter().map(|named| named.condition.terms.iter().map(|(k, n)| (*k, value(*n))).collect()).collect();
        let largest = system.search_closed(&mut arrays, &mut buffers, &kept)?;
        system.refuse_open(largest, &mut arrays, &mut buffers)?;
        Ok(system.free_positions(arrays.view()))
    }
}

impl System<'_, Real> {
    /// Moves the free coordinates to where the rings close, by damped steps, and keeps these conditions; returns the largest
    /// gap.
    fn search_closed(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
        kept: &[Vec<(usize, f64)>],
    ) -> Result<f64, ModelError> {
        let begin = self.free_positions(arrays.view());
        let largest = self.approach_closed(arrays, buffers, kept)?;
        if largest <= CLOSED {
            return Ok(largest);
        }
        let found = self.free_positions(arrays.view());
        let turned =
            (1..).zip(&begin).map(|(k, x)| x + TURN * (0.5 + (0.618_034 * f64::from(k)).fract())).collect::<Vec<_>>();
        self.place(arrays, &turned);
        let again = self.approach_closed(arrays, buffers, kept)?;
        if again > largest {
            self.place(arrays, &found);
        }
        Ok(again.min(largest))
    }

    fn free_positions(&self, view: View<'_, Real>) -> Vec<f64> {
        let of = |Owner { part: i, own }: &Owner| {
            value(Real::of(&*self.parts[*i].part).own(view, self.wiring.offsets[*i], *own)[0])
        };
        self.wiring.coordinates[..self.wiring.free].iter().map(of).collect()
    }

    fn place(&self, arrays: &mut Arrays<'_, Real>, positions: &[f64]) {
        for (Owner { part: i, own }, x) in self.wiring.coordinates.iter().zip(positions) {
            let (part, offsets) = (Real::of(&*self.parts[*i].part), self.wiring.offsets[*i]);
            let [_, v, _] = part.own(arrays.view(), offsets, *own);
            part.set_own(arrays, offsets, *own, [constant(*x), v]);
        }
    }

    /// The method of Levenberg and Marquardt, which also finds positions where conditions are redundant.
    fn approach_closed(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
        kept: &[Vec<(usize, f64)>],
    ) -> Result<f64, ModelError> {
        let begin = self.free_positions(arrays.view());
        let mut x = begin.clone();
        let system = |arrays: &mut Arrays<'_, Real>, buffers: &mut Buffers<Real>, x: &[f64]| {
            self.place(arrays, x);
            let Gaps { gaps, slopes, .. } = self.gaps(arrays, buffers, 0)?;
            let (count, rings) = (gaps.len() + kept.len(), gaps.len());
            let mut c = DVector::zeros(count);
            let mut jacobian = DMatrix::zeros(count, x.len());
            c.iter_mut().zip(&gaps).for_each(|(c, gap)| *c = value(*gap));
            jacobian.view_mut((0, 0), (rings, x.len())).copy_from(&slopes);
            for (i, terms) in kept.iter().enumerate() {
                for (k, n) in terms {
                    jacobian[(rings + i, *k)] += *n;
                    c[rings + i] += n * (x[*k] - begin[*k]);
                }
            }
            Ok::<_, ModelError>((c, jacobian))
        };
        let (mut c, mut jacobian) = system(arrays, buffers, &x)?;
        let mut damping = 1e-3;
        for _ in 0..MAX_STEPS {
            let size = c.norm();
            if c.amax() <= 1e-3 * CLOSED || damping > 1e12 {
                break;
            }
            let mut matrix = &jacobian * jacobian.transpose();
            let diagonal = damping * size * size + 1e-15 * matrix.trace();
            (0..matrix.nrows()).for_each(|i| matrix[(i, i)] += diagonal);
            let Some(factor) = matrix.cholesky() else {
                damping *= 10.0;
                continue;
            };
            let step = jacobian.transpose() * factor.solve(&c);
            let next: Vec<_> = x.iter().zip(&step).map(|(x, step)| x - step).collect();
            let (there, slopes) = system(arrays, buffers, &next)?;
            if there.norm() < size {
                (x, c, jacobian) = (next, there, slopes);
                damping *= 0.3;
            } else {
                damping = (damping * 5.0).max(1e-9);
            }
        }
        self.place(arrays, &x);
        Ok(c.amax())
    }

    /// Finds how many conditions of the rings of each block are independent, on the manifold where they close: at the start and
    /// beside it, with the largest regularity there, and what shows that rings pass singular positions.
    ///
    /// # Errors
    ///
    /// Reports a position that cannot be evaluated.
    pub fn find_ring_ranks(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
    ) -> Result<Rings, ModelError> {
        for Owner { part: i, own } in &self.wiring.coordinates[..self.wiring.free] {
            let part = Real::of(&*self.parts[*i].part);
            let start = part.start(arrays.view(), self.wiring.offsets[*i], *own);
            part.set_own(arrays, self.wiring.offsets[*i], *own, start);
        }
        let mut rings = self.prepared.rings.clone();
        let rolls = |i: usize| self.prepared.tree().is_some_and(|tree| tree.rings()[i].rolls());
        rings.blocks.iter_mut().for_each(|block| (block.rank, block.regularity) = (0, 0.0));
        let mut largest = self.search_closed(arrays, buffers, &[])?;
        for step in [0.0].into_iter().chain(MOVES) {
            let begin = self.free_positions(arrays.view());
            if step > 0.0 {
                let ranks: Vec<_> = rings.blocks.iter().map(|block| block.rank).collect();
                let moved = self.along_free(arrays, buffers, &ranks, step)?;
                self.place(arrays, &moved);
                largest = self.search_closed(arrays, buffers, &[])?;
            }
            // What cannot be closed is refused once start values are known.
            if largest <= CLOSED || step == 0.0 {
                let mut spaces = self.spaces(arrays, buffers, None)?;
                for (block, space) in rings.blocks.iter_mut().zip(&mut spaces) {
                    let found = space.rank_above(DEPENDENT);
                    if found > block.rank {
                        (block.rank, block.regularity) = (found, 0.0);
                    }
                    if found == block.rank {
                        block.regularity = block.regularity.max(space.regularity(found));
                    }
                    for (i, place) in rings.places.iter_mut().enumerate() {
                        // A wheel that rolls has no singular positions.
                        if place.block != Some(block.block) || rolls(i) {
                            continue;
                        }
                        let here = Minor::new(space, place.first..place.first + place.rows, DEPENDENT);
                        let size = |minor: &Minor| (minor.conditions.len(), minor.regularity);
                        if here.as_ref().map(size) > place.minor.as_ref().map(size) {
                            place.minor = here;
                        }
                    }
                }
            }
            self.place(arrays, &begin);
        }
        let Rings { places, blocks } = &mut rings;
        for place in places {
            // Beside much larger rings, conditions of a small one may count as dependent.
            let rank = blocks.iter().find(|own| Some(own.block) == place.block).map_or(0, |own| own.rank);
            place.minor.take_if(|minor| minor.conditions.len() > rank);
        }
        Ok(rings)
    }

    /// Returns the conditions of each block, by all free coordinates.
    fn spaces(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
        ranks: Option<&[usize]>,
    ) -> Result<Vec<NullSpace<Real>>, ModelError> {
        self.visit_gaps(arrays.view(), buffers, 0, &mut |_, _| {})?;
        let Buffers { factors, space, .. } = buffers;
        if let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) {
            self.find_conditions(tree, workspace, factors);
        }
        let mut spaces = Vec::new();
        for (i, block) in self.prepared.rings.blocks.iter().enumerate() {
            let Some(known) = factors.null_space(block.block) else { continue };
            let count = known.count();
            let mut space = NullSpace::new(count, block.rows, ranks.map_or(usize::MAX, |ranks| ranks[i]));
            let entries = (0..block.rows).flat_map(|row| (0..count).map(move |k| (row, k)));
            entries.for_each(|(row, k)| space.add(row, k, known.columns()[(k, row)]));
            space.decompose();
            spaces.push(space);
        }
        Ok(spaces)
    }

    /// Returns the positions after a step along the free directions of all blocks.
    fn along_free(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
        ranks: &[usize],
        step: f64,
    ) -> Result<Vec<f64>, ModelError> {
        let mut positions = self.free_positions(arrays.view());
        let spaces = self.spaces(arrays, buffers, Some(ranks))?;
        for (space, block) in spaces.iter().zip(&self.prepared.rings.blocks) {
            for (place, k) in block.coordinates.iter().enumerate() {
                let weight = |j: usize| 1.0 - 0.3 * (0.618_034 * j as f64).fract();
                positions[*k] +=
                    step * (0..space.directions()).map(|j| weight(j) * value(space.free(place, j))).sum::<f64>();
            }
        }
        Ok(positions)
    }

    /// Refuses rings that do not close at the start.
    fn refuse_open(
        &self,
        largest: f64,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
    ) -> Result<(), ModelError> {
        if largest <= CLOSED {
            return self.refuse_turned(arrays, buffers);
        }
        let Gaps { rings, gaps, .. } = self.gaps(arrays, buffers, 0)?;
        let worst =
            (0..gaps.len()).max_by(|i, j| value(gaps[*i]).abs().total_cmp(&value(gaps[*j]).abs())).unwrap_or_default();
        let names = self.prepared.tree().map(|tree| self.ring_names(tree, rings[worst])).unwrap_or_default();
        Err(ModelError::invalid(format!(
            "the ring of {names} does not close at the start: {} m are missing where the search ended (or that as the cosine of an \
             angle); give start values of positions closer to a position that it can take, or change lengths",
            Number((value(gaps[worst]).abs() * 1e6).round() / 1e6)
        )))
    }

    /// Refuses rings that close with another orientation.
    fn refuse_turned(&self, arrays: &mut Arrays<'_, Real>, buffers: &mut Buffers<Real>) -> Result<(), ModelError> {
        self.visit_gaps(arrays.view(), buffers, 0, &mut |_, _| {})?;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), &buffers.space) else {
            return Ok(());
        };
        match tree.rings().iter().position(|ring| ring.is_turned(workspace)) {
            None => Ok(()),
            Some(turned) => Err(ModelError::invalid(format!(
                "the ring of {} closes at the start only with an axis that points another way: give start values of angles closer to a \
                 position that it can take, or turn the axis",
                self.ring_names(tree, turned)
            ))),
        }
    }
}
