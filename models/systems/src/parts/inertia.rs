//! Inertias.

use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{Connector, Scalar, enumeration, group, structure};
use mechanics::train::{Preference, Relation};

use crate::part::{Found, Motion, Part, PartType};

/// A shaft with inertia between two flanges.
pub struct InertiaType;

enumeration! {
    /// Which motions are states, where gears and shafts tie several inertias together.
    pub enum StateSelect {
        automatic | "default" = "the choice is free",
        prefer = "the motion of this part",
    }
}

structure! {
    /// The options of an inertia.
    pub struct InertiaStructure {
        stateSelect: StateSelect = StateSelect::automatic, "Whether its angle and speed are states, with start values, where gears and shafts tie several inertias together";
    }
}

group! {
    /// ```text
    /// phi = flange_a.phi = flange_b.phi,   w = phi',   a = w'
    /// J a = flange_a.tau + flange_b.tau
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.Inertia.
    pub struct Inertia<T>(has_states: bool) {
        parameter J: T = 1.0, KG_M2, "Moment of inertia", min = 0.0;
        parameter phi_start: T = 0.0, RAD, "Angle at the start", when = has_states;
        parameter w_start: T = 0.0, RAD_PER_S, "Angular velocity at the start", when = has_states;
        output phi: T, RAD, "Angle", display = DEG, der = if has_states { "w" } else { "" };
        output w: T, RAD_PER_S, "Angular velocity", display = RPM, der = if has_states { "a" } else { "" };
        output a: T, RAD_PER_S2, "Angular acceleration";
    }
}

impl PartType for InertiaType {
    const NAME: &'static str = "Inertia";
    const TEXT: &'static str = "A shaft with inertia";
    const HAS_LOADS: bool = false;
    type Structure = InertiaStructure;
    type In<T: Scalar> = Inertia<T>;

    fn connectors(_: &InertiaStructure) -> Vec<(&'static str, Connector)> {
        vec![("flange_a", Connector::Flange_a), ("flange_b", Connector::Flange_b)]
    }

    fn own(structure: &InertiaStructure) -> &'static [Preference] {
        match structure.stateSelect {
            StateSelect::automatic => &[Preference::Inertia],
            StateSelect::prefer => &[Preference::Preferred],
        }
    }
}

impl<T: Scalar> Part<T> for Inertia<T> {
    type Structure = InertiaStructure;

    fn options(_: &InertiaStructure, has_states: bool) -> bool {
        has_states
    }

    fn relations(&self, _: &InertiaStructure) -> Vec<Relation<T>> {
        [0, 1].map(|flange| Relation::equal(flange, 2)).into()
    }

    fn inertia(&self) -> T {
        self.J
    }

    fn start(&self) -> [T; 2] {
        [self.phi_start, self.w_start]
    }

    fn own(&self) -> [T; 3] {
        [self.phi, self.w, T::zero()]
    }

    fn set_own(&mut self, [phi, w]: [T; 2]) {
        (self.phi, self.w) = (phi, w);
    }

    fn put(&mut self, _: &InertiaStructure, motion: &Motion<'_, T>, _: Found<'_, T>) {
        (self.phi, self.w, self.a) = (motion.x(2), motion.v(2), motion.a(2));
    }
}
