//! Arguments of an evaluation besides the values: the prepared system, and buffers.

use fmu_runtime::Scalar;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Factors};
use mechanics::friction::{AtRest, Limits};
use mechanics::null_space::NullSpace;
use mechanics::points::Points;
use mechanics::tree::Tree;
use mechanics::{constant, value, vanishes};
use nalgebra::{DMatrix, DVector};

use super::heat::HeatBuffers;
use super::massless_flanges::{MasslessFlanges, MasslessState};
use super::ring_buffers::RingBuffers;
use crate::MULTIBODY;
use crate::part::{FrictionPair, View};
use crate::topology::drivetrain::{PartScalar, Purpose, displacements, drivetrain};
use crate::topology::heat::Heat;
use crate::topology::massless_nodes::LinkedPoints;
use crate::topology::mechanism::{SpaceBuffers, elements, tree};
use crate::topology::rings::Rings;
use crate::topology::wiring::{NamedPart, Wiring};

/// Drive train, mechanism and positions of a system, which follow from the parameters.
#[derive(Clone, Debug)]
pub struct Prepared<T: Scalar> {
    /// Coordinates and inertias.
    pub train: Drivetrain<T>,
    /// Positions of each part; those that are always equal count once.
    pub positions: Vec<Vec<usize>>,
    tree: Option<Tree<T>>,
    /// Parts whose pose in space does not follow from positions.
    pub posed: Vec<usize>,
    /// Parts that are assemblies, each with the coordinate that follows from the mechanism, if it has one.
    pub assemblies: Vec<(usize, Option<usize>)>,
    /// Rings of joints.
    pub rings: Rings,
    /// Both positions of each friction element.
    pub(super) between: Vec<[usize; 2]>,
    /// The gears with losses.
    pub(super) gears: Vec<Gearing<T>>,
    /// The flanges without inertia.
    pub(super) massless: MasslessFlanges<T>,
}

/// A gear with losses among the friction elements.
#[derive(Clone, Debug)]
pub(super) struct Gearing<T> {
    /// Number of the friction element.
    pub pair: usize,
    /// Positions that move where its two sides are apart by 1 at flange_a: work along it is that of the torque there.
    pub displacement: Vec<(usize, T)>,
}

/// Buffers of an evaluation: motions, loads, factors of the mass matrix, state of friction.
#[derive(Clone, Debug)]
pub struct Buffers<T: Scalar> {
    /// Positions, velocities and accelerations of all positions.
    pub(crate) x: [Vec<T>; 3],
    /// Positions, velocities and accelerations of the coordinates.
    pub(crate) q: [Vec<T>; 3],
    /// Loads on the positions, in N.m or N.
    pub(crate) tau: Vec<T>,
    /// Blocks of M that change with the motion, with their factors.
    pub(crate) factors: Factors<T>,
    /// Motion and loads of the mechanism in space.
    pub(crate) space: Option<SpaceBuffers<T>>,
    /// Loads that keep given positions on their motion.
    pub(crate) reactions: Vec<T>,
    pub(super) pairs: Vec<Option<FrictionPair<T>>>,
    /// Relative accelerations of friction elements by their torques.
    pub(super) mobility: DMatrix<T>,
    /// Torques at flange_a of gears with losses by those of friction elements.
    pub(super) by_torques: DMatrix<T>,
    /// Columns for articulated bodies: the loads of friction elements on the free coordinates, then those of lossy gears.
    pair_loads: DMatrix<T>,
    /// Torques that act on the relative motion of friction elements.
    pub(super) lambda: DVector<T>,
    pub(super) b: DVector<T>,
    pub(super) limits: Vec<Limits<T>>,
    /// For each friction element, the energy that an impact has taken, in J.
    pub(super) impact_loss: Vec<T>,
    /// For each friction element, true if it is at rest.
    pub(super) rests: Vec<bool>,
    /// For each friction element, true if it only passes the velocity zero.
    pub(super) passes: Vec<bool>,
    pub(super) at_rest: AtRest<T>,
    /// Solution of other states of the friction elements, on trial.
    pub(super) spare: AtRest<T>,
    /// Torques and states of the friction elements, to return to.
    pub(super) before: AtRest<T>,
    pub(super) response: DVector<T>,
    /// Temperatures and heat flows.
    pub(super) heat: HeatBuffers<T>,
    /// Flanges without inertia.
    pub(crate) massless: MasslessState<T>,
    /// Rings of joints.
    pub(crate) rings: RingBuffers<T>,
    /// Points without mass.
    pub(super) points: Vec<Points<T>>,
    /// True if values are random ones, for an analysis.
    pub(super) at_random: bool,
}

impl<T: Scalar> Buffers<T> {
    fn new(prepared: &Prepared<T>, heat: &Heat, at_random: bool) -> Self {
        let (positions, coordinates) = (prepared.train.count(), prepared.train.coordinates().len());
        let (pairs, gears) = (prepared.between.len(), prepared.gears.len());
        let nothing = || DMatrix::zeros(pairs, pairs);
        let zeros = |count: usize| vec![T::zero(); count];
        let at_rest = || AtRest::new(nothing()).with_gears(prepared.gears.iter().map(|gear| gear.pair));
        let mut factors = prepared.train.factors();
        let columns = if factors.solver().is_some() { pairs + gears } else { 0 };
        if MULTIBODY {
            prepared.rings.blocks.iter().for_each(|block| factors.hold(block.block, block.rows, block.rank));
        }
        Self {
            x: std::array::from_fn(|_| zeros(positions)),
            q: std::array::from_fn(|_| zeros(coordinates)),
            tau: zeros(positions),
            factors,
            space: prepared.tree().map(|tree| SpaceBuffers::new(tree, positions, at_random)),
            reactions: zeros(coordinates),
            pairs: vec![None; pairs],
            mobility: nothing(),
            by_torques: DMatrix::zeros(gears, pairs),
            pair_loads: DMatrix::zeros(prepared.train.free(), columns),
            lambda: DVector::zeros(pairs),
            b: DVector::zeros(pairs),
            limits: vec![[T::zero(); 2]; pairs],
            impact_loss: zeros(pairs),
            rests: vec![false; pairs],
            passes: vec![false; pairs],
            at_rest: at_rest(),
            spare: at_rest(),
            rings: RingBuffers::new(&prepared.rings, coordinates, positions),
            before: at_rest(),
            response: DVector::zeros(pairs),
            heat: HeatBuffers::new(heat, at_random),
            massless: prepared.massless.buffers(),
            points: Vec::new(),
            at_random,
        }
    }

    /// Returns the positions (0), velocities (1) or accelerations (2) of all positions.
    pub fn motion(&self, order: usize) -> &[T] {
        &self.x[order]
    }
}

impl<T: Scalar> Prepared<T> {
    /// Returns the mechanism of the parts in space, if there is one.
    pub fn tree(&self) -> Option<&Tree<T>> {
        if MULTIBODY { self.tree.as_ref() } else { None }
    }
}

impl<T: Scalar> Buffers<T> {
    /// Returns the number of coordinates in a block of the mass matrix that changes with the motion.
    pub fn block_size(&self, block: usize) -> usize {
        self.factors.block_size(block)
    }

    /// Returns the conditions of the rings in such a block.
    pub fn null_space(&mut self, block: usize) -> Option<&mut NullSpace<T>> {
        self.factors.null_space(block)
    }
}

impl<T: PartScalar> Prepared<T> {
    /// Prepares a system from the parameters among the values, perhaps random ones.
    pub fn new(
        parts: &[NamedPart],
        wiring: &Wiring,
        view: View<'_, T>,
        at_random: bool,
    ) -> Result<Self, DrivetrainError> {
        let purpose = if at_random { Purpose::Analysis } else { Purpose::Motion };
        let mut train = drivetrain(parts, wiring, view, purpose)?;
        let owners = train.coordinates().iter().filter_map(|position| wiring.owners[*position]);
        if train.free() != wiring.free || !owners.eq(wiring.coordinates.iter().copied()) {
            return Err(DrivetrainError::OtherCoordinates);
        }
        let lossy = |(_, i): &(usize, &usize)| {
            T::of(&*parts[**i].part).friction_pair(view, wiring.offsets[**i]).is_some_and(|pair| pair.is_gear)
        };
        let (gears, gear_parts): (Vec<usize>, Vec<usize>) =
            wiring.friction_pairs.iter().enumerate().filter(lossy).map(|(pair, i)| (pair, *i)).unzip();
        let displacements = displacements(parts, wiring, view, &gear_parts)?;
        let numbers = T::merge(&mut train, &displacements);
        let gearing = |(pair, displacement): (usize, &Vec<T>)| {
            // The first one of merged positions stands for all.
            let mut moved = Vec::new();
            for (by, number) in displacement.iter().zip(&numbers) {
                let is_new = moved.iter().all(|(known, _)| known != number);
                if is_new && !vanishes(*by) {
                    moved.push((*number, *by));
                }
            }
            Gearing { pair, displacement: moved }
        };
        let gears = gears.into_iter().zip(&displacements).map(gearing).collect();
        let renumbered = |own: &Vec<usize>| own.iter().map(|position| numbers[*position]).collect();
        let positions: Vec<Vec<usize>> = wiring.positions.iter().map(renumbered).collect();
        let pair = |i: &usize| {
            let pair = T::of(&*parts[*i].part).friction_pair(view, wiring.offsets[*i])?;
            Some(pair.between.map(|local| positions[*i][local]))
        };
        let between = wiring.friction_pairs.iter().filter_map(pair).collect();
        let elements = elements(parts, wiring, &positions, view);
        let tree = tree(wiring.frame_count, elements).expect("they are a tree with any parameters");
        let assembly = |element: usize| (wiring.elements[element], wiring.given[wiring.elements[element]]);
        let assemblies = tree.iter().flat_map(Tree::assemblies).map(assembly).collect();
        let posed = tree.iter().flat_map(|tree| tree.posed()).map(|element| wiring.elements[*element]).collect();
        let massless =
            MasslessFlanges::new(wiring.linked.iter().map(|group| group.of_train(&train, &positions)).collect());
        articulate(&mut train, tree.as_ref());
        let rings = tree.as_ref().filter(|_| MULTIBODY).map_or_else(Rings::default, |tree| Rings::new(tree, &train));
        Ok(Self { train, positions, tree, posed, assemblies, rings, between, gears, massless })
    }

    /// Converts the prepared system to another scalar type, without derivatives.
    #[inline(never)]
    pub fn values<U: PartScalar>(&self) -> Prepared<U> {
        let to = |number: T| constant::<U>(value(number));
        let tree = self.tree().map(|tree| tree.map(to));
        let (positions, between, assemblies) = (self.positions.clone(), self.between.clone(), self.assemblies.clone());
        let gearing = |Gearing { pair, displacement }: &Gearing<T>| Gearing {
            pair: *pair,
            displacement: displacement.iter().map(|(position, by)| (*position, to(*by))).collect(),
        };
        let gears = self.gears.iter().map(gearing).collect();
        let massless = self.massless.map(&to);
        let (posed, rings) = (self.posed.clone(), self.rings.clone());
        let mut train = self.train.map(to);
        articulate(&mut train, tree.as_ref());
        Prepared { train, positions, tree, posed, assemblies, rings, between, gears, massless }
    }

    /// Allocates the buffers of an evaluation, perhaps at random values, for an analysis.
    pub fn buffers(&self, wiring: &Wiring, at_random: bool) -> Buffers<T> {
        let mut buffers = Buffers::new(self, &wiring.heat, at_random);
        if MULTIBODY {
            buffers.points = wiring.linked_points.iter().map(LinkedPoints::buffers).collect();
        }
        if self.tree().is_none() {
            self.find_mobility(&mut buffers);
        }
        buffers
    }

    /// Computes the mobility: how friction torques accelerate the relative motions of all friction elements.
    pub fn find_mobility(&self, buffers: &mut Buffers<T>) {
        if self.between.is_empty() {
            return;
        }
        if MULTIBODY && buffers.factors.solver().is_some() {
            self.find_articulated_mobility(buffers);
        } else {
            self.find_mobility_by_responses(buffers);
        }
        let Buffers { mobility, by_torques, at_rest, spare, .. } = buffers;
        at_rest.set_mobility(mobility, by_torques);
        spare.set_mobility(mobility, by_torques);
    }

    /// Computes the mobility by articulated bodies, from half a solution for each friction element and gear with losses.
    fn find_articulated_mobility(&self, buffers: &mut Buffers<T>) {
        let Buffers { factors, mobility, by_torques, pair_loads, .. } = buffers;
        let pairs = self.between.len();
        pair_loads.fill(T::zero());
        let mut columns = pair_loads.column_iter_mut();
        for ([first, second], mut column) in self.between.iter().zip(&mut columns) {
            self.train.add_load(factors, *first, -T::one(), column.as_mut_slice());
            self.train.add_load(factors, *second, T::one(), column.as_mut_slice());
        }
        for (Gearing { displacement, .. }, mut column) in self.gears.iter().zip(columns) {
            self.train.add_inertial_loads(factors, displacement, column.as_mut_slice());
        }
        self.train.mobility(factors, pair_loads, pairs, |row, column, product| match row.checked_sub(pairs) {
            None => {
                mobility[(row, column)] = product;
                mobility[(column, row)] = product;
            }
            Some(row) => {
                let Gearing { pair, displacement } = &self.gears[row];
                let [first, second] = self.between[column];
                let by = |position: usize| {
                    displacement.iter().find(|(i, _)| *i == position).map_or(T::zero(), |(_, by)| *by)
                };
                let own = if *pair == column { T::one() } else { T::zero() };
                by_torques[(row, column)] = by(second) - by(first) - product - own;
            }
        });
    }

    fn find_mobility_by_responses(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], tau, reactions: q, factors, mobility, by_torques, .. } = buffers;
        for column in 0..self.between.len() {
            tau.fill(T::zero());
            add_pair_torque(tau, self.between[column], T::one());
            q.fill(T::zero());
            self.train.responses(factors, tau, q);
            self.train.rates(q, a);
            for (row, [first, second]) in self.between.iter().enumerate() {
                mobility[(row, column)] = a[*second] - a[*first];
            }
            for (row, Gearing { pair, displacement }) in self.gears.iter().enumerate() {
                let own = if *pair == column { T::one() } else { T::zero() };
                by_torques[(row, column)] = self.train.work(displacement, tau, a) - own;
            }
        }
    }
}

/// Takes articulated bodies where the mechanism is large.
fn articulate<T: PartScalar>(train: &mut Drivetrain<T>, tree: Option<&Tree<T>>) {
    if let Some(tree) = tree.filter(|_| MULTIBODY)
        && let Some(bodies) = train.articulated_bodies(tree)
    {
        train.set_mass_solver(Box::new(bodies));
    }
}

/// Adds a torque that drives a relative motion forward.
pub(super) fn add_pair_torque<T: Scalar>(tau: &mut [T], [first, second]: [usize; 2], lambda: T) {
    tau[first] -= lambda;
    tau[second] += lambda;
}
