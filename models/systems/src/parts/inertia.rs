//! Inertias and masses.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{KG, KG_M2};
use fmu_runtime::{Connector, Scalar, Structure, enumeration, group};
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};

use super::domain::{Domain, InDomain};
use super::movement::{Movement, MovementOptions, MovementStructure, own_motion};
use crate::part::{Kinematics, Part, PartType, Solution};

/// A shaft or a rod with inertia between two flanges.
pub struct InertiaType<D>(PhantomData<D>);

enumeration! {
    /// Which motions are states, where gears and shafts tie several inertias together.
    pub enum StateSelect {
        automatic | "default" = "the choice is free",
        prefer = "the motion of this part",
    }
}

/// The options of an inertia, of a shaft by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InertiaStructure {
    domain: Domain,
    state_select: StateSelect,
    /// The options of its motion.
    pub movement: MovementStructure,
}

impl InertiaStructure {
    /// Makes the default options of a part in this domain.
    pub fn new(domain: Domain) -> Self {
        Self { domain, movement: MovementStructure::new(domain), ..Self::default() }
    }

    /// Returns the options of the rows. `has_states` is true if the motion is free and so a state.
    pub fn options(&self, has_states: bool) -> InertiaOptions {
        let text = self.domain.pick("Angle", "Position of the middle");
        InertiaOptions { domain: self.domain, movement: self.movement.rows(has_states, text) }
    }

    /// Returns the one position that an inertia has behind those of its two flanges, as a preference for a coordinate.
    pub fn own(&self) -> &'static [Preference] {
        match self.state_select {
            StateSelect::automatic => &[Preference::Inertia],
            StateSelect::prefer => &[Preference::Preferred],
        }
    }
}

impl Structure for InertiaStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit(
            "stateSelect",
            "Whether its position and velocity are states, with start values, where gears, shafts and rods tie several inertias together",
            &mut self.state_select,
        );
        self.movement.visit(visit);
    }
}

/// Options of the rows of an inertia.
#[derive(Clone, Copy, Debug, Default)]
pub struct InertiaOptions {
    domain: Domain,
    movement: MovementOptions,
}

impl InertiaOptions {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }
}

group! {
    /// ```text
    /// phi = flange_a.phi = flange_b.phi,   w = phi',   a = w'
    /// J a = flange_a.tau + flange_b.tau
    /// ```
    ///
    /// and for rods
    ///
    /// ```text
    /// s = flange_a.s + L/2 = flange_b.s - L/2,   v = s',   a = v'
    /// m a = flange_a.f + flange_b.f
    /// ```
    ///
    /// Source: Inertia and Mass of Modelica.Mechanics.
    pub struct Inertia<T>(o: InertiaOptions) {
        parameter m: T = 1.0, "Moment of inertia", name = o.pick("J", "m"), text = o.pick("Moment of inertia", "Mass"),
            unit = o.pick(KG_M2, KG), min = 0.0;
        parameter L: T = 0.0, M, "Length from flange_a to flange_b", when = o.domain == Domain::Translational;
        group movement: Movement<T> = o.movement, "", name = "";
    }
}

impl<D: InDomain> PartType for InertiaType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Inertia", "Mass");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft with inertia", "A rod with mass");
    type Structure = InertiaStructure;
    type In<T: Scalar> = Inertia<T>;

    fn connectors(_: &InertiaStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flanges()
    }

    fn structure() -> InertiaStructure {
        InertiaStructure::new(D::DOMAIN)
    }

    fn options(structure: &InertiaStructure, has_states: bool) -> InertiaOptions {
        structure.options(has_states)
    }

    fn own(structure: &InertiaStructure) -> &'static [Preference] {
        structure.own()
    }
}

crate::capabilities!(Inertia);

impl<T: Scalar> Part<T> for Inertia<T> {
    type Structure = InertiaStructure;

    fn relations(&self, _: &InertiaStructure) -> Vec<Relation<T>> {
        let at = |flange, distance: f64| Relation {
            constant: constant::<T>(distance) * self.L,
            ..Relation::equal(flange, 2)
        };
        vec![at(0, -0.5), at(1, 0.5)]
    }

    fn inertia(&self) -> T {
        self.m
    }

    own_motion!(movement, structure.movement, 2);

    fn set_outputs(&mut self, _: &InertiaStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.movement.set_outputs(motion, 2);
    }
}
