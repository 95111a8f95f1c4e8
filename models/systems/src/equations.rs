//! The equations of motion of all parts together.
//!
//! ```text
//! x = N q + e,   M a = N^T (tau - J N_given a_given) + J_f^T lambda     see mechanics::drivetrain, and space.rs
//! a_f = A lambda + b,   A = J_f M^-1 J_f^T                              friction elements at rest
//! ```

use fmu_runtime::{Dual64, Event, ModelError, Number, Scalar};
use mechanics::constant;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Factors};
use mechanics::friction::{AtRest, Coefficient, FrictionLaw, INDICATORS, LawBranch, Mode, StickState};
use mechanics::tree::Tree;
use nalgebra::{DMatrix, DVector};

use crate::MULTIBODY;
use crate::drivetrain::{PartScalar, drivetrain};
use crate::mechanism::{SpaceBuffers, elements, tree};
use crate::part::{Arrays, EventPoint, FrictionPair, FrictionSolution, Kinematics, PartData, Solution, Space, View};
use crate::wiring::{NamedPart, Owner, Wiring};

/// Fraction of their terms below which accelerations, and torques beyond limits, may be rounding.
const MARGIN: f64 = 1e-9;

/// Fraction of their terms below which relative velocities are rounding.
const ROUNDING: f64 = 1e-13;

/// Fraction by which static friction is exceeded where an event is located: more than the rounding of the solution
/// there.
const EXCESS: f64 = 1e-10;

/// Fraction of a mobility that others must leave of it; with less, they hold the relative motion.
const HELD: f64 = 1e-6;

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
    /// Both positions of each friction element.
    between: Vec<[usize; 2]>,
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
    pairs: Vec<Option<FrictionPair<T>>>,
    /// Relative accelerations of friction elements by their torques.
    mobility: DMatrix<T>,
    /// Torques that act on the relative motion of friction elements.
    lambda: DVector<T>,
    b: DVector<T>,
    limits: Vec<T>,
    /// For each friction element, true if it is at rest.
    rests: Vec<bool>,
    /// For each friction element, true if it only passes the velocity zero.
    passes: Vec<bool>,
    at_rest: AtRest<T>,
    /// Solution of other states of the friction elements, on trial.
    spare: AtRest<T>,
    /// Torques and states of the friction elements, to return to.
    before: AtRest<T>,
    response: DVector<T>,
    /// True if values are random ones, for an analysis.
    at_random: bool,
}

impl<T: Scalar> Buffers<T> {
    fn new(prepared: &Prepared<T>, at_random: bool) -> Self {
        let (positions, coordinates) = (prepared.train.count(), prepared.train.coordinates().len());
        let pairs = prepared.between.len();
        let nothing = || DMatrix::zeros(pairs, pairs);
        let zeros = |count: usize| vec![T::zero(); count];
        Self {
            x: std::array::from_fn(|_| zeros(positions)),
            q: std::array::from_fn(|_| zeros(coordinates)),
            tau: zeros(positions),
            factors: prepared.train.factors(),
            space: prepared.tree().map(|tree| SpaceBuffers::new(tree, positions, at_random)),
            reactions: zeros(coordinates),
            pairs: vec![None; pairs],
            mobility: nothing(),
            lambda: DVector::zeros(pairs),
            b: DVector::zeros(pairs),
            limits: zeros(pairs),
            rests: vec![false; pairs],
            passes: vec![false; pairs],
            at_rest: AtRest::new(nothing()),
            spare: AtRest::new(nothing()),
            before: AtRest::new(nothing()),
            response: DVector::zeros(pairs),
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

impl<T: PartScalar> Prepared<T> {
    /// Prepares a system from the parameters among the values.
    pub fn new(parts: &[NamedPart], wiring: &Wiring, view: View<'_, T>) -> Result<Self, DrivetrainError> {
        let mut train = drivetrain(parts, wiring, view, true)?;
        let owners = train.coordinates().iter().filter_map(|position| wiring.owners[*position]);
        if train.free() != wiring.free || !owners.eq(wiring.coordinates.iter().copied()) {
            return Err(DrivetrainError::OtherCoordinates);
        }
        let numbers = T::merge(&mut train);
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
        Ok(Self { train, positions, tree, posed, assemblies, between })
    }

    /// Converts the prepared system to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Prepared<U> {
        let tree = self.tree().map(|tree| tree.map(&to));
        let (positions, between, assemblies) = (self.positions.clone(), self.between.clone(), self.assemblies.clone());
        Prepared { train: self.train.map(to), positions, tree, posed: self.posed.clone(), assemblies, between }
    }

    /// Allocates the buffers of an evaluation, perhaps at random values, for an analysis.
    pub fn buffers(&self, at_random: bool) -> Buffers<T> {
        let mut buffers = Buffers::new(self, at_random);
        if self.tree().is_none() {
            self.find_mobility(&mut buffers);
        }
        buffers
    }

    /// Computes the mobility: how friction torques accelerate the relative motions of all friction elements.
    pub fn find_mobility(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], tau, reactions: q, factors, mobility, at_rest, spare, .. } = buffers;
        for column in 0..self.between.len() {
            tau.fill(T::zero());
            add_pair_torque(tau, self.between[column], T::one());
            q.fill(T::zero());
            self.train.accelerations(factors, tau, q);
            self.train.rates(q, a);
            for (row, [first, second]) in self.between.iter().enumerate() {
                mobility[(row, column)] = a[*second] - a[*first];
            }
        }
        at_rest.set_mobility(mobility);
        spare.set_mobility(mobility);
    }
}

/// Adds a torque that drives a relative motion forward.
fn add_pair_torque<T: Scalar>(tau: &mut [T], [first, second]: [usize; 2], lambda: T) {
    tau[first] -= lambda;
    tau[second] += lambda;
}

/// A system at one point: its parts with the data prepared for them, and the time.
pub struct System<'a, T: Scalar> {
    /// The parts.
    pub parts: &'a [NamedPart],
    /// Connections of the parts, and places of their values.
    pub wiring: &'a Wiring,
    /// Drive train and mechanism, which follow from the parameters.
    pub prepared: &'a Prepared<T>,
    /// Coefficient of sliding friction of each friction element.
    pub coefficients: &'a [Coefficient],
    /// Data prepared for each part.
    pub data: &'a [Box<PartData>],
    /// Time in s.
    pub time: T,
}

impl<T: PartScalar> System<'_, T> {
    /// Computes outputs and derivatives.
    pub fn evaluate(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.forward_kinematics(arrays.view(), buffers)?;
        self.accelerate(arrays.view(), buffers)?;
        if self.wiring.signals.measured.is_empty() {
            self.complete_motion(buffers)?;
        } else {
            self.measure(arrays, buffers)?;
        }
        let mut pairs = 0..;
        for (i, NamedPart { part, .. }) in self.parts.iter().enumerate() {
            if part.properties().is_block {
                continue;
            }
            let pair = if part.properties().has_friction { pairs.next() } else { None };
            self.set_outputs(i, pair, self.space(i, buffers), arrays, buffers);
        }
        self.show(arrays, buffers);
        for slot in &self.wiring.outflows {
            arrays.reals[*slot] = -arrays.reals[*slot];
        }
        Ok(())
    }

    /// Computes the derivatives of the states, which are values of the parts that have them.
    pub fn derivatives(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.forward_kinematics(arrays.view(), buffers)?;
        self.accelerate(arrays.view(), buffers)?;
        self.measure(arrays, buffers)?;
        self.write_derivatives(arrays, buffers);
        Ok(())
    }

    /// Computes motions in space and the loads on given positions, where accelerations are known.
    pub fn complete_motion(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.move_in_space(buffers)?;
        self.find_reactions(buffers);
        Ok(())
    }

    /// Writes the derivatives of the states where the accelerations are known.
    fn write_derivatives(&self, arrays: &mut Arrays<'_, T>, buffers: &Buffers<T>) {
        for i in &self.wiring.moving {
            self.set_outputs(*i, self.wiring.friction_pairs.binary_search(i).ok(), None, arrays, buffers);
        }
    }

    /// Sets the outputs of a part, which may have a friction element or be in space.
    fn set_outputs(
        &self,
        i: usize,
        pair: Option<usize>,
        space: Option<Space<'_, T>>,
        arrays: &mut Arrays<'_, T>,
        buffers: &Buffers<T>,
    ) {
        let Buffers { x: [x, v, a], reactions, pairs, lambda, .. } = buffers;
        let motion = Kinematics::new([x, v, a], &self.prepared.positions[i]);
        let friction = pair.and_then(|k| self.friction(k, pairs, lambda, &motion));
        let reaction = self.wiring.given[i].map_or(T::zero(), |k| reactions[k]);
        T::of(&*self.parts[i].part).set_outputs(
            arrays,
            self.wiring.offsets[i],
            &motion,
            Solution { friction, reaction, space },
        );
    }

    /// Evaluates the event indicators: four for each friction element, then those of parts, then one for each loop.
    pub fn indicators(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        if self.is_passing(view, buffers) {
            indicators.fill(T::one());
            return Ok(());
        }
        let moved = if buffers.pairs.is_empty() {
            // Indicators of parts need no accelerations.
            self.move_to(view, buffers)
        } else {
            self.forward_kinematics(view, buffers).and_then(|()| self.accelerate(view, buffers))
        };
        if moved.is_err() && !self.prepared.assemblies.is_empty() {
            // Where an event is located, a loop may be beyond its dead centre.
            indicators.fill(-T::one());
            return Ok(());
        }
        moved?;
        self.indicators_here(view, buffers, indicators);
        Ok(())
    }

    /// Computes the derivatives of the states and the event indicators.
    pub fn derivatives_and_indicators(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        if self.is_passing(arrays.view(), buffers) {
            indicators.fill(T::one());
            return Ok(());
        }
        self.sense(arrays, buffers)?;
        self.forward_kinematics(arrays.view(), buffers)?;
        self.accelerate(arrays.view(), buffers)?;
        self.measure(arrays, buffers)?;
        self.indicators_here(arrays.view(), buffers, indicators);
        self.write_derivatives(arrays, buffers);
        Ok(())
    }

    /// Evaluates the event indicators with the signals that they need.
    pub fn indicators_afresh(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        self.sense(arrays, buffers)?;
        if !self.wiring.signals.measured.is_empty() && !self.is_passing(arrays.view(), buffers) {
            self.forward_kinematics(arrays.view(), buffers)?;
            self.accelerate(arrays.view(), buffers)?;
            self.measure(arrays, buffers)?;
        }
        self.indicators(arrays.view(), buffers, indicators)
    }

    fn indicators_here(&self, view: View<'_, T>, buffers: &mut Buffers<T>, indicators: &mut [T]) {
        let (indicators, of_loops) = indicators.split_at_mut(indicators.len() - self.prepared.assemblies.len());
        self.loop_indicators(buffers, of_loops);
        let (of_pairs, mut rest) = indicators.split_at_mut(INDICATORS * buffers.pairs.len());
        for (i, count) in &self.wiring.eventful {
            let own;
            (own, rest) = rest.split_at_mut(*count);
            let at = self.event_point(*i, buffers);
            T::of(&*self.parts[*i].part).indicators(view, self.wiring.offsets[*i], &at, own);
        }
        for (k, indicators) in of_pairs.chunks_exact_mut(INDICATORS).enumerate() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let [first, second] = self.prepared.between[k];
            // The rest that rounding leaves of a relative velocity after an event is not a velocity.
            let rest = pair.branch.mode.direction().unwrap_or_default() * self.rounding(k, &buffers.q[1]);
            let w = buffers.x[1][second] - buffers.x[1][first] + constant::<T>(rest);
            let is_stuck = pair.branch.mode == Mode::Stuck;
            let tau = if is_stuck { self.needed(k, buffers) / constant::<T>(1.0 + EXCESS) } else { T::zero() };
            indicators.copy_from_slice(&self.law(k, &pair).indicators(pair.branch, w, pair.n, tau));
        }
    }

    /// Sets the coordinates and the modes of friction at the initial point. At a random point start values may
    /// contradict each other.
    pub fn initialise(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<(), ModelError> {
        self.begin_blocks(arrays, None)?;
        self.set_coordinates(arrays, buffers, at_random)?;
        // During the simulation, a solver may try another step after an error.
        let begun =
            self.begin(arrays, buffers, at_random).and_then(|()| self.forward_kinematics(arrays.view(), buffers));
        begun.map_err(|error| ModelError::invalid(error.to_string()))?;
        self.begin_blocks(arrays, Some(buffers))?;
        self.find_modes(arrays, buffers)?;
        self.begin_measured(arrays, buffers)
    }

    /// Finds the modes of all friction elements, without knowledge of their previous modes.
    pub fn find_modes(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for i in &self.wiring.friction_pairs {
            let branch = LawBranch { mode: Mode::Free, breaks: false };
            let time = constant(self.time.value());
            T::of(&*self.parts[*i].part).set_branch(arrays, self.wiring.offsets[*i], branch, time);
        }
        self.event(arrays, buffers)?;
        Ok(())
    }

    /// Where a part is at an event.
    pub(crate) fn event_point<'b>(&'b self, i: usize, buffers: &'b Buffers<T>) -> EventPoint<'b, T> {
        let Buffers { x: [x, v, a], reactions, .. } = buffers;
        let motion = Kinematics::new([x, v, a], &self.prepared.positions[i]);
        let reaction = self.wiring.given[i].map_or(T::zero(), |k| reactions[k]);
        EventPoint { time: self.time, data: &*self.data[i], motion, reaction, space: self.space(i, buffers) }
    }

    /// Lets the parts with events that are no blocks choose their branches; adds when the next time event is due.
    fn choose_branches(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &Buffers<T>,
        mut all: Event,
    ) -> Result<Event, ModelError> {
        for (i, _) in &self.wiring.eventful {
            if self.parts[*i].part.properties().is_block {
                continue;
            }
            let (part, mut event) = (T::of(&*self.parts[*i].part), Event::default());
            let chosen = part.event(arrays, self.wiring.offsets[*i], &self.event_point(*i, buffers), &mut event);
            // At random points, nothing need fit.
            if let (Err(error), false) = (chosen, buffers.at_random) {
                let (name, time) = (&self.parts[*i].name, Number(self.time.value()));
                return Err(ModelError::singular(format!("\"{name}\": {error}, at {time} s")));
            }
            join(&mut all, event);
        }
        Ok(all)
    }

    /// Handles an event: finds the branches of parts with events, and the mode of each friction element.
    pub fn event(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        let event = self.choose_modes(arrays, buffers)?;
        self.measured_events(arrays, buffers, event)
    }

    /// Handles an event but for blocks that follow from accelerations.
    fn choose_modes(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        let mut of_blocks = self.block_events(arrays, buffers)?;
        if let Some(event) = self.pass_dead_centres(arrays, buffers)? {
            join(&mut of_blocks, event);
            return Ok(Event { states_changed: event.states_changed, ..of_blocks });
        }
        if buffers.pairs.is_empty() {
            if self.wiring.eventful.is_empty() {
                return Ok(Event::default());
            }
            self.move_to(arrays.view(), buffers)?;
            return self.choose_branches(arrays, buffers, of_blocks);
        }
        self.forward_kinematics(arrays.view(), buffers)?;
        self.read_pairs(arrays.view(), buffers);
        self.find_zero_crossing_elements(arrays.view(), buffers)?;
        // Elements that stop may bring others to rest.
        buffers.rests.fill(false);
        let mut has_stopped = false;
        for _ in 0..=buffers.pairs.len() {
            if !self.find_at_rest(buffers) {
                break;
            }
            has_stopped |= self.stick_at_standstill(arrays, buffers)?;
        }
        let event = self.choose_branches(arrays, buffers, of_blocks)?;
        if self.wiring.eventful.iter().any(|(i, _)| self.parts[*i].part.properties().acts_on_frames) {
            self.forward_kinematics(arrays.view(), buffers)?;
        }
        // Elements that broke away, and do not move yet, stay so while sliding friction does not hold them.
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            buffers.limits[k] = self.limit(k, &pair);
        }
        // At most one more element breaks away each time.
        for _ in 0..=buffers.pairs.len() {
            for (pair, reaction) in buffers.pairs.iter_mut().zip(&buffers.at_rest.reactions) {
                if let (Some(pair), true) = (pair, *reaction != StickState::Absent) {
                    pair.branch.mode = Mode::Stuck;
                }
            }
            self.free_accelerations(arrays.view(), buffers);
            self.solve(buffers)?;
            let mut has_broken = false;
            for k in 0..buffers.pairs.len() {
                let Some(mut pair) = buffers.pairs[k] else { continue };
                let reaction = buffers.at_rest.reactions[k];
                let direction = match reaction {
                    StickState::Absent => continue,
                    StickState::Forward if self.moves(k, buffers) => 1.0,
                    StickState::Backward if self.moves(k, buffers) => -1.0,
                    _ => {
                        pair.branch = LawBranch { mode: Mode::Stuck, breaks: false };
                        buffers.pairs[k] = Some(pair);
                        continue;
                    }
                };
                has_broken |= !pair.branch.breaks;
                pair.branch = LawBranch { mode: Mode::sliding(direction), breaks: true };
                buffers.limits[k] = self.limit(k, &pair);
                buffers.pairs[k] = Some(pair);
            }
            if !has_broken {
                break;
            }
        }
        for (pair, i) in buffers.pairs.iter().zip(&self.wiring.friction_pairs) {
            if let Some(pair) = pair {
                let time = constant(self.time.value());
                T::of(&*self.parts[*i].part).set_branch(arrays, self.wiring.offsets[*i], pair.branch, time);
            }
        }
        Ok(Event { states_changed: has_stopped, ..event })
    }

    /// Finds the elements at axes of assemblies that slide on since friction does not hold them: where a mechanism turns back,
    /// as at the end of a rocker's swing, their velocity passes zero, and to stop them would stop all of it.
    fn find_zero_crossing_elements(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for (k, between) in self.prepared.between.iter().enumerate() {
            buffers.passes[k] = false;
            let Some(pair) = buffers.pairs[k].filter(|pair| pair.branch.mode != Mode::Stuck) else {
                continue;
            };
            let w = self.relative(k, &buffers.x[1]).value();
            let follows = between.iter().any(|position| self.prepared.train.follows(*position));
            if !follows || w == 0.0 || !self.law(k, &pair).is_at_rest(pair.branch.mode, w) {
                continue;
            }
            for direction in [w.signum(), -w.signum()] {
                let branch = LawBranch { mode: Mode::sliding(direction), breaks: false };
                buffers.pairs[k] = Some(FrictionPair { branch, ..pair });
                self.find_free_accelerations(view, buffers)?;
                buffers.passes[k] = self.relative(k, &buffers.x[2]).value() * direction > 0.0;
                if buffers.passes[k] {
                    break;
                }
                buffers.pairs[k] = Some(pair);
            }
        }
        Ok(())
    }

    /// Sets the branches of elements that move, or that nothing presses together. Returns true if the set of elements
    /// at rest has changed.
    fn find_at_rest(&self, buffers: &mut Buffers<T>) -> bool {
        let mut has_changed = false;
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let w = self.relative(k, &buffers.x[1]).value();
            let branch = |mode, breaks| LawBranch { mode, breaks };
            let next = if pair.n.value() <= 0.0 {
                Some(branch(Mode::Free, false))
            } else if buffers.passes[k] {
                Some(pair.branch)
            } else if buffers.rests[k] {
                None
            } else if !self.law(k, &pair).is_at_rest(pair.branch.mode, w)
                || (w != 0.0 && buffers.mobility[(k, k)].value() == 0.0)
            {
                Some(branch(Mode::sliding(w), false))
            } else {
                None
            };
            let reaction = if next.is_some() { StickState::Absent } else { StickState::Holds };
            has_changed |= std::mem::replace(&mut buffers.rests[k], reaction == StickState::Holds) != next.is_none();
            buffers.at_rest.reactions[k] = reaction;
            if let Some((pair, branch)) = buffers.pairs[k].as_mut().zip(next) {
                pair.branch = branch;
            }
        }
        has_changed
    }

    /// True if an element at its limit breaks away; others hold it where there are more than needed.
    fn moves(&self, k: usize, buffers: &mut Buffers<T>) -> bool {
        let row = buffers.mobility.row(k);
        let terms = || row.iter().zip(&buffers.at_rest.lambda).map(|(mobility, lambda)| *mobility * *lambda);
        let scale = terms().fold(buffers.b[k].abs(), |sum, term| sum + term.abs());
        let a = terms().fold(buffers.b[k], |sum, term| sum + term);
        a.abs() > constant::<T>(MARGIN) * scale || !self.is_held(k, buffers)
    }

    /// True if no torque can move this element, since others hold it.
    fn is_held(&self, k: usize, buffers: &mut Buffers<T>) -> bool {
        let Buffers { at_rest, spare, response, limits, mobility, .. } = buffers;
        spare.reactions.copy_from_slice(&at_rest.reactions);
        for reaction in &mut spare.reactions {
            if *reaction != StickState::Holds {
                *reaction = StickState::Absent;
            }
        }
        response.copy_from(&mobility.column(k));
        if spare.hold(response, limits).is_err() {
            return false;
        }
        let rest = (0..limits.len()).fold(mobility[(k, k)], |sum, j| sum + mobility[(k, j)] * spare.lambda[j]);
        rest <= constant::<T>(HELD) * mobility[(k, k)]
    }

    fn law(&self, k: usize, pair: &FrictionPair<T>) -> FrictionLaw<'_, T> {
        FrictionLaw { coefficient: &self.coefficients[k], parameters: pair.parameters }
    }

    /// Returns the largest torque at rest, positive: that of sliding for an element that broke away and does not move
    /// yet.
    fn limit(&self, k: usize, pair: &FrictionPair<T>) -> T {
        let law = self.law(k, pair);
        let limit = if pair.branch.breaks { law.tau0(pair.n) } else { law.tau0_max(pair.n) };
        limit.max(constant(1e-300))
    }

    /// Returns zero, with the derivative of time.
    fn time_derivative(&self) -> T {
        self.time - constant::<T>(self.time.value())
    }

    fn relative(&self, k: usize, of: &[T]) -> T {
        let [first, second] = self.prepared.between[k];
        of[second] - of[first]
    }

    /// Returns the largest size that rounding gives a relative velocity.
    fn rounding(&self, k: usize, velocities: &[T]) -> f64 {
        let terms = self.prepared.between[k].into_iter().flat_map(|position| self.prepared.train.position(position));
        ROUNDING * terms.map(|(coordinate, n)| (n.value() * velocities[*coordinate].value()).abs()).sum::<f64>()
    }

    /// Reads positions and velocities of the coordinates, and computes those that follow by linear relations.
    pub fn read_motion(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        let Buffers { x: [x, v, _], q: [q, qd, qdd], .. } = buffers;
        for (k, Owner { part: i, own }) in self.wiring.coordinates.iter().enumerate() {
            [q[k], qd[k], qdd[k]] = T::of(&*self.parts[*i].part).own(view, self.wiring.offsets[*i], *own);
        }
        self.prepared.train.positions(q, x);
        self.prepared.train.rates(qd, v);
    }

    fn read_pairs(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        for (pair, i) in buffers.pairs.iter_mut().zip(&self.wiring.friction_pairs) {
            *pair = T::of(&*self.parts[*i].part).friction_pair(view, self.wiring.offsets[*i]);
        }
    }

    /// Computes the accelerations without the torques of elements at rest.
    fn free_accelerations(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        let Buffers { x: [x, v, a], tau, space, pairs, lambda, .. } = buffers;
        tau.fill(T::zero());
        self.add_bias(tau, space);
        for i in &self.wiring.loaded {
            let positions = &self.prepared.positions[*i];
            let motion = Kinematics::new([x, v, a], positions);
            let add = &mut |local: usize, load: T| tau[positions[local]] += load;
            T::of(&*self.parts[*i].part).loads(view, self.wiring.offsets[*i], &motion, add);
        }
        for (k, pair) in pairs.iter().enumerate() {
            let Some(pair) = pair else { continue };
            let [first, second] = self.prepared.between[k];
            let direction = pair.branch.mode.direction();
            lambda[k] = direction.map_or(T::zero(), |direction| {
                -self.law(k, pair).sliding(direction, v[second] - v[first], pair.n, self.time_derivative())
            });
            add_pair_torque(tau, [first, second], lambda[k]);
        }
        self.find_accelerations(buffers);
    }

    /// Computes the accelerations under the loads at the positions.
    fn find_accelerations(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], q: [_, _, qdd], tau, factors, space, .. } = buffers;
        self.drift(space, qdd);
        self.prepared.train.accelerations(factors, tau, qdd);
        self.prepared.train.rates(qdd, a);
    }

    /// Returns the generalised loads on the free coordinates, with the friction torques, where accelerations are known.
    /// Accelerations of assemblies are lost.
    pub fn free_loads(&self, buffers: &mut Buffers<T>) -> Vec<T> {
        let Buffers { q: [_, _, qdd], tau, factors, space, .. } = buffers;
        self.drift(space, qdd);
        let mut loads = vec![T::zero(); self.wiring.free];
        self.prepared.train.free_loads(factors, tau, &qdd[self.wiring.free..], &mut loads);
        loads
    }

    /// Computes all accelerations, with the friction torques.
    pub(crate) fn accelerate(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.read_pairs(view, buffers);
        self.find_free_accelerations(view, buffers)
    }

    /// Computes all accelerations in the modes of friction that are known.
    fn find_free_accelerations(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.free_accelerations(view, buffers);
        let is_stuck = |pair: &&FrictionPair<T>| pair.branch.mode == Mode::Stuck;
        // One rate for all: elements that hold each other redundantly could not fulfil different ones.
        let rates = buffers.pairs.iter().flatten().filter(is_stuck).map(|pair| pair.parameters.K_locked);
        let Some(rate) = rates.reduce(|most, rate| most.max(rate)) else { return Ok(()) };
        for k in 0..buffers.pairs.len() {
            let stuck = buffers.pairs[k].filter(|pair| pair.branch.mode == Mode::Stuck);
            buffers.at_rest.reactions[k] = if stuck.is_some() { StickState::Holds } else { StickState::Absent };
            let Some(pair) = stuck else {
                buffers.limits[k] = T::one();
                continue;
            };
            buffers.limits[k] = self.limit(k, &pair);
            buffers.b[k] = self.relative(k, &buffers.x[2]) + rate * self.relative(k, &buffers.x[1]);
        }
        let Buffers { at_rest, b, limits, .. } = buffers;
        at_rest.hold(b, limits).map_err(|_| too_large())?;
        self.share_redundant_friction(buffers)?;
        self.apply_friction(buffers);
        Ok(())
    }

    /// Limits redundant friction: where more elements hold than needed, one beyond its limit leaves the rest to the
    /// others.
    fn share_redundant_friction(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { at_rest, before, b, limits, .. } = buffers;
        let held = |k: &usize| at_rest.reactions[*k] == StickState::Holds;
        let is_beyond = |k: usize| at_rest.lambda[k].abs() > limits[k] * constant::<T>(1.0 + MARGIN);
        let stuck = (0..limits.len()).filter(held);
        if stuck.clone().count() > 1 && stuck.clone().any(is_beyond) {
            before.copy_from(at_rest);
            at_rest.solve(b, limits).map_err(|_| too_large())?;
            let gives_way = (0..buffers.limits.len()).any(|k| {
                let yields = matches!(buffers.at_rest.reactions[k], StickState::Forward | StickState::Backward);
                yields && self.moves(k, buffers)
            });
            if gives_way {
                buffers.at_rest.copy_from(&buffers.before);
            }
        }
        Ok(())
    }

    /// Adds the torques of elements at rest to the loads, and computes the accelerations again.
    fn apply_friction(&self, buffers: &mut Buffers<T>) {
        let Buffers { tau, lambda, limits, at_rest, mobility, .. } = buffers;
        for (k, between) in self.prepared.between.iter().enumerate() {
            if at_rest.reactions[k] != StickState::Absent {
                lambda[k] = at_rest.lambda[k];
                // Between given motions no torque is enough; the event follows.
                if mobility[(k, k)].value() == 0.0 {
                    lambda[k] = lambda[k].max(-limits[k]).min(limits[k]);
                }
                add_pair_torque(tau, *between, lambda[k]);
            }
        }
        self.find_accelerations(buffers);
    }

    /// Returns the torque that a stuck element must bear if the others bear as much as they can.
    fn needed(&self, k: usize, buffers: &mut Buffers<T>) -> T {
        let Buffers { at_rest, spare, b, limits, .. } = buffers;
        let is_alone = at_rest.reactions.iter().filter(|reaction| **reaction != StickState::Absent).count() == 1;
        let is_within = at_rest.lambda.iter().zip(&*limits).all(|(lambda, limit)| lambda.abs() <= *limit);
        if is_alone || is_within {
            return at_rest.lambda[k];
        }
        spare.copy_from(at_rest);
        // With an infinite limit the element would have an infinite torque.
        spare.reactions[k] = StickState::Holds;
        let limit = std::mem::replace(&mut limits[k], constant(f64::INFINITY));
        let solved = spare.solve(b, limits);
        limits[k] = limit;
        if solved.is_ok() { spare.lambda[k] } else { constant(f64::INFINITY) }
    }

    /// Solves for states and torques of elements at rest, each within its limit.
    fn solve(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for k in 0..buffers.pairs.len() {
            buffers.b[k] = self.relative(k, &buffers.x[2]);
            if buffers.at_rest.reactions[k] != StickState::Absent {
                buffers.at_rest.reactions[k] = StickState::Holds;
            }
        }
        let Buffers { at_rest, b, limits, .. } = buffers;
        at_rest.solve(b, limits).map_err(|_| too_large())
    }

    /// Ends the relative motion of elements at rest, without a change of momentum of the parts that move together;
    /// returns true if that changes any velocity.
    fn stick_at_standstill(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<bool, ModelError> {
        let mut moves = false;
        for k in 0..buffers.pairs.len() {
            let rests = buffers.at_rest.reactions[k] == StickState::Holds;
            buffers.b[k] = if rests { self.relative(k, &buffers.x[1]) } else { T::zero() };
            buffers.limits[k] = T::one();
            moves |= buffers.b[k].value() != 0.0;
        }
        if !moves {
            return Ok(false);
        }
        let Buffers { q: [_, qd, qdd], tau, factors, at_rest, b, limits, .. } = buffers;
        at_rest.hold(b, limits).map_err(|_| too_large())?;
        tau.fill(T::zero());
        for (k, between) in self.prepared.between.iter().enumerate() {
            add_pair_torque(tau, *between, at_rest.lambda[k]);
        }
        let free = self.wiring.free;
        let mut given = std::mem::take(qdd);
        given[free..].fill(T::zero());
        self.prepared.train.accelerations(factors, tau, &mut given);
        for (k, Owner { part: i, own }) in self.wiring.coordinates[..free].iter().enumerate() {
            qd[k] += given[k];
            T::of(&*self.parts[*i].part).set_velocity(arrays, self.wiring.offsets[*i], *own, qd[k]);
        }
        *qdd = given;
        // The given accelerations have been overwritten, and are read again.
        self.forward_kinematics(arrays.view(), buffers)?;
        Ok(true)
    }

    /// Computes the loads that keep given coordinates on their motion.
    fn find_reactions(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], tau, reactions, .. } = buffers;
        if self.wiring.free < reactions.len() {
            self.prepared.train.reactions(tau, a, reactions);
        }
    }

    /// Returns the solution for friction element `k`.
    fn friction<'c>(
        &'c self,
        k: usize,
        pairs: &[Option<FrictionPair<T>>],
        lambda: &DVector<T>,
        motion: &Kinematics<'_, T>,
    ) -> Option<FrictionSolution<'c, T>> {
        let pair = pairs[k]?;
        let tau = -lambda[k];
        let [first, second] = pair.between;
        let a_rel = motion.a(second) - motion.a(first);
        let sa = match pair.branch.mode.direction() {
            Some(direction) => a_rel + constant::<T>(direction) * self.law(k, &pair).tau0_max(pair.n),
            None if pair.branch.mode == Mode::Stuck => tau,
            None => a_rel,
        };
        Some(FrictionSolution { coefficient: &self.coefficients[k], tau, sa, time_derivative: self.time_derivative() })
    }
}

impl System<'_, Dual64> {
    /// Replaces accelerations, which must be known, by the sizes of the terms whose sums they are, and of their
    /// derivatives.
    pub fn accelerate_by_sizes(&self, view: View<'_, Dual64>, buffers: &mut Buffers<Dual64>) -> Result<(), ModelError> {
        let Buffers { x: [x, v, a], tau, factors, space, lambda, .. } = buffers;
        let size = |load: Dual64| Dual64::new(load.re.abs(), load.eps.abs());
        tau.fill(Dual64::from_re(0.0));
        for bias in self.biases(view, space)? {
            tau.iter_mut().zip(bias).for_each(|(tau, bias)| *tau += size(bias));
        }
        for i in &self.wiring.loaded {
            let positions = &self.prepared.positions[*i];
            let add = &mut |local: usize, load: Dual64| tau[positions[local]] += size(load);
            let motion = Kinematics::new([x, v, a], positions);
            Dual64::of(&*self.parts[*i].part).loads(view, self.wiring.offsets[*i], &motion, add);
        }
        for (k, between) in self.prepared.between.iter().enumerate() {
            between.iter().for_each(|position| tau[*position] += size(lambda[k]));
        }
        factors.change_slopes(size);
        self.find_accelerations(buffers);
        Ok(())
    }
}

fn too_large() -> ModelError {
    ModelError::singular("friction torques are not finite: a value is too large")
}

/// Adds what an event of a part has done.
pub fn join(all: &mut Event, event: Event) {
    all.again |= event.again;
    all.next_time = [all.next_time, event.next_time].into_iter().flatten().reduce(f64::min);
}
