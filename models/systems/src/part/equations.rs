//! The variables and equations of a part, and their arguments.

use std::any::Any;

use fmu_runtime::{InitialValue, ModelError, Scalar, Source, Structure, Variable};
use mechanics::drivetrain::Relation;
use mechanics::frame::{Load, Relative};
use mechanics::friction::{Coefficient, CoefficientAt, CoefficientsByTemperature, LawBranch, LawParameters, LossTable};
use mechanics::motion::{Coordinate, Motion};
use mechanics::tree::{Tree, Workspace};

use super::relative::Component;

/// All values of a system in a scalar type.
pub struct Arrays<'a, T> {
    /// Reals.
    pub reals: &'a mut [T],
    /// Integers and enumerations.
    pub integers: &'a mut [i32],
    /// Booleans.
    pub booleans: &'a mut [bool],
}

impl<T: Copy> Arrays<'_, T> {
    /// Borrows the values to read them.
    pub fn view(&self) -> View<'_, T> {
        View { reals: self.reals, integers: self.integers, booleans: self.booleans }
    }
}

/// All values of a system, to read.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    /// Reals.
    pub reals: &'a [T],
    /// Integers and enumerations.
    pub integers: &'a [i32],
    /// Booleans.
    pub booleans: &'a [bool],
}

/// The positions of a part with their velocities and accelerations: those of its flanges, then its own. In rad, rad/s and
/// rad/s2, or m, m/s and m/s2.
#[derive(Clone, Copy)]
pub struct Kinematics<'a, T> {
    all: [&'a [T]; 3],
    positions: &'a [usize],
}

impl<'a, T: Copy> Kinematics<'a, T> {
    /// Makes the motion of the positions with these numbers, among all positions, velocities and accelerations.
    pub fn new(all: [&'a [T]; 3], positions: &'a [usize]) -> Self {
        Self { all, positions }
    }

    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// Returns a position.
    pub fn x(&self, i: usize) -> T {
        self.all[0][self.positions[i]]
    }

    /// Returns a velocity.
    pub fn v(&self, i: usize) -> T {
        self.all[1][self.positions[i]]
    }

    /// Returns an acceleration; not known yet where loads are computed.
    pub fn a(&self, i: usize) -> T {
        self.all[2][self.positions[i]]
    }
}

/// The relative motion that nothing but an impact or a torque the other way ends: an element cannot move in it at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// No forward motion: at the stop on that side.
    Forward,
    /// No backward motion: a free-wheel, or at the stop on that side.
    Backward,
}

/// The law of a friction element, from its table.
#[derive(Clone, Debug, Default)]
pub struct ElementLaw {
    /// The coefficient of sliding friction; of no meaning for a gear.
    coefficient: Coefficient,
    /// The coefficients that take its place if they depend on the temperature or the load.
    by_temperature: Option<CoefficientsByTemperature>,
    /// The losses of a gear.
    pub losses: Option<LossTable>,
}

impl ElementLaw {
    /// Makes a law with a coefficient of sliding friction.
    pub fn sliding(coefficient: Coefficient) -> Self {
        Self { coefficient, ..Self::default() }
    }

    /// Makes a law with coefficients that depend on the temperature or the load.
    pub fn by_temperature(coefficients: CoefficientsByTemperature) -> Self {
        Self { by_temperature: Some(coefficients), ..Self::default() }
    }

    /// Makes the law of a gear.
    pub fn gear(losses: LossTable) -> Self {
        Self { losses: Some(losses), ..Self::default() }
    }

    /// Returns the coefficient of sliding friction at a temperature or load.
    #[inline]
    pub fn at<T: Scalar>(&self, condition: T) -> CoefficientAt<'_, T> {
        match &self.by_temperature {
            None => CoefficientAt::any(&self.coefficient),
            Some(coefficients) => coefficients.at(condition),
        }
    }
}

/// The state of a friction element that an event has found.
#[derive(Clone, Copy, Debug)]
pub struct FrictionEvent<T> {
    /// The branch of the friction law.
    pub branch: LawBranch,
    /// The motion that is not possible now.
    pub blocked: Option<Blocked>,
    /// Energy that an impact in this event has taken, in J.
    pub impact_loss: T,
    /// Time of the event, in s.
    pub time: T,
}

/// A friction element between two positions of a part.
#[derive(Clone, Copy, Debug)]
pub struct FrictionPair<T> {
    /// Positions of the part: `w_rel = v[1] - v[0]`, and with it the friction torque acts on the first one.
    pub between: [usize; 2],
    /// The parameters of the friction law.
    pub parameters: LawParameters<T>,
    /// Normal force times geometry, in N.m.
    pub n: T,
    /// Temperature of the element, in K, or its load, in N, if its law depends on that.
    pub condition: T,
    /// The branch of the friction law.
    pub branch: LawBranch,
    /// True if the element is the losses of a gear, between its housing and flange_a.
    pub is_gear: bool,
    /// The motion that is not possible now.
    pub blocked: Option<Blocked>,
    /// Relative positions of the stops against the backward and against the forward motion, if there are any.
    pub stops: Option<[T; 2]>,
}

impl<T: Scalar> FrictionPair<T> {
    /// Makes an element that can move in both directions.
    pub fn new(between: [usize; 2], parameters: LawParameters<T>, n: T, branch: LawBranch) -> Self {
        Self { between, parameters, n, condition: T::zero(), branch, is_gear: false, blocked: None, stops: None }
    }

    /// Returns the normal force times geometry, 0 where nothing presses the element together.
    pub fn pressed(&self) -> T {
        if self.blocked.is_some() { self.n.max(T::zero()) } else { self.n }
    }

    /// True if the element can bear a torque at rest.
    pub fn bears(&self) -> bool {
        self.n.value() > 0.0 || self.blocked.is_some()
    }
}

/// The solution for a friction element.
#[derive(Clone, Copy, Debug)]
pub struct FrictionSolution<'a, T> {
    /// The coefficient of sliding friction.
    pub coefficient: CoefficientAt<'a, T>,
    /// Friction torque, in N.m.
    pub tau: T,
    /// Parameter of the friction law's curve.
    pub sa: T,
    /// Zero, with the derivative of time.
    pub time_derivative: T,
}

/// Data prepared for a part from parameters and tables.
pub type PartData = dyn Any + Send + Sync;

/// The mechanism in space that a part belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Space<'a, T: Scalar> {
    /// The whole mechanism.
    pub tree: &'a Tree<T>,
    /// Motion and loads of the mechanism.
    pub workspace: &'a Workspace<T>,
    /// The numbers of the part's frames.
    pub frames: &'a [usize],
    /// The number of the part's first element.
    pub element: usize,
    /// Data prepared for the part.
    pub data: &'a PartData,
    /// Time in s.
    pub time: T,
}

impl<T: Scalar> Space<'_, T> {
    /// Returns the motion of a frame of the part.
    pub fn frame(&self, i: usize) -> Motion<T> {
        self.tree.frame(self.workspace, self.frames[i])
    }

    /// Returns the motion of the second frame of the part relative to the first one.
    pub fn relative(&self) -> Relative<T> {
        Relative::new(&self.frame(0).frame(), &self.frame(1).frame())
    }

    /// Returns the loads on the part at its two frames, if it is a joint; at its outer ones, if it is an assembly.
    pub fn cut_loads(&self) -> [Load<T>; 2] {
        self.cuts_of(0)
    }

    /// Returns the loads on one of the part's elements, which is a joint, at the joint's two frames.
    pub fn cuts_of(&self, i: usize) -> [Load<T>; 2] {
        self.tree.cut_loads(self.workspace, self.element + i)
    }

    /// Returns the load that drives the part, if it is a joint or an assembly, in N.m or N.
    pub fn driving_load(&self) -> T {
        self.tree.driving_load(self.workspace, self.element)
    }

    /// Returns the part's coordinate and the force in rod 1 with its denominator, if it is an assembly.
    pub fn closed(&self) -> Option<(Coordinate<T>, T, T)> {
        self.tree.closed(self.workspace, self.element)
    }
}

/// Positions and velocities of a part at an event, where one is looked for, or where signals are computed.
#[derive(Clone, Copy)]
pub struct EventPoint<'a, T: Scalar> {
    /// Time in s.
    pub time: T,
    /// Data prepared for the part.
    pub data: &'a PartData,
    /// Of its positions.
    pub motion: Kinematics<'a, T>,
    /// The load that keeps its given position on its motion, in N.m or N; known where accelerations are.
    pub reaction: T,
    /// The mechanism in space, if the part belongs to it; its accelerations are not known yet.
    pub space: Option<Space<'a, T>>,
}

/// The solution of all parts together, besides the motion.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'a, T: Scalar> {
    /// Solution for the friction element, if there is one.
    pub friction: Option<FrictionSolution<'a, T>>,
    /// The load that keeps the part's given position on its motion, in N.m or N.
    pub reaction: T,
    /// The mechanism in space, if the part belongs to it and outputs are computed.
    pub space: Option<Space<'a, T>>,
}

/// A condition for the initial state: the start value of a sum of positions, or of their velocities or accelerations.
#[derive(Clone, Debug)]
pub struct InitialCondition<T> {
    /// Name of the variable of the part.
    pub name: &'static str,
    /// Positions of the part with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// The relative motion of the part's frames, if that is meant in place of positions.
    pub relative: Option<Component<T>>,
    /// 0 for positions, 1 for velocities, 2 for accelerations, which can only be enforced to be 0.
    pub order: usize,
    /// The start value.
    pub start: T,
    /// Kind of the start value: a guess, or enforced.
    pub initial: InitialValue,
    /// The nominal value.
    pub nominal: f64,
    /// True if a steady start asks for it.
    pub is_of_rest: bool,
}

impl<T: Scalar> InitialCondition<T> {
    /// Makes the condition that a position (order 0) or its velocity (1) has a start value.
    pub fn of(
        position: usize,
        (name, order): (&'static str, usize),
        start: T,
        (initial, nominal): (InitialValue, f64),
    ) -> Self {
        let terms = vec![(position, T::one())];
        Self { name, terms, relative: None, order, start, initial, nominal, is_of_rest: false }
    }

    /// Makes the conditions that velocity and acceleration of a position, which have these names, are zero.
    pub fn at_rest(position: usize, names: [&'static str; 2]) -> [Self; 2] {
        let zero = |i: usize| Self::of(position, (names[i], i + 1), T::zero(), (InitialValue::enforce, 1.0));
        [0, 1].map(|i| Self { is_of_rest: true, ..zero(i) })
    }
}

/// The variables and equations of a part in the scalar type `T`. Equations that not every part has are in traits of
/// their own: see [`capabilities!`](crate::capabilities!).
pub trait Part<T: Scalar>: Variable<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Structure options of the part.
    type Structure: Structure;

    /// Describes a parameter with which the part cannot work, and what is right, as `ratio is 0, but …`.
    fn problem(&self) -> Option<String> {
        None
    }

    /// Describes a parameter that is possible, but hardly meant, as `I_11 = …, but …`.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Returns the relations between the part's positions.
    fn relations(&self, _structure: &Self::Structure) -> Vec<Relation<T>> {
        Vec::new()
    }

    /// Returns the inertia that moves with the part's first own position, in kg.m2 or kg.
    fn inertia(&self) -> T {
        T::zero()
    }

    /// Returns position and velocity of one of the part's own positions at the start, unless start values change them.
    fn start(&self, _structure: &Self::Structure, _own: usize) -> [T; 2] {
        [T::zero(); 2]
    }

    /// Returns the conditions for start values that are guessed or enforced; with `rests`, those that the part's own
    /// positions, which are free, start at rest.
    fn initial_conditions(&self, _structure: &Self::Structure, _rests: bool) -> Vec<InitialCondition<T>> {
        Vec::new()
    }

    /// Returns position, velocity and acceleration of one of the part's own positions: a state, or given.
    fn own(&self, _own: usize) -> [T; 3] {
        [T::zero(); 3]
    }

    /// Sets position and velocity of one of the part's own positions, at the start.
    fn set_own(&mut self, _own: usize, _motion: [T; 2]) {}

    /// Sets the velocity of one of the part's own positions.
    fn set_velocity(&mut self, own: usize, velocity: T) {
        let [x, ..] = self.own(own);
        self.set_own(own, [x, velocity]);
    }

    /// Prepares data for the part's equations, from parameters and tables.
    ///
    /// # Errors
    ///
    /// Describes parameters that are not possible, as `RotSeq is …`.
    fn prepare(&self, _source: &Source<'_, Self::Structure>) -> Result<Box<PartData>, ModelError> {
        Ok(Box::new(()))
    }

    /// Sets the part's outputs from the motion and the rest of the solution.
    fn set_outputs(&mut self, _structure: &Self::Structure, _motion: &Kinematics<'_, T>, _solution: Solution<'_, T>) {}
}
