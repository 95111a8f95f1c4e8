//! Inertias.

use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{Connector, Scalar, group};
use mechanics::train::{Preference, Relation};

use crate::part::{Found, Motion, Part, PartType};

/// A shaft with inertia between two flanges.
pub struct InertiaType;

group! {
    /// ```text
    /// phi = flange_a.phi = flange_b.phi,   w = phi',   a = w'
    /// J a = flange_a.tau + flange_b.tau
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.Inertia.
    pub struct Inertia<T>(has_states: bool) {
        parameter J: T = 1.0, KG_M2, "Moment of inertia", min = 0.0;
        parameter phi_start: T = 0.0, RAD, "Angle at the start";
        parameter w_start: T = 0.0, RAD_PER_S, "Angular velocity at the start";
        output phi: T, RAD, "Angle", display = DEG, der = if has_states { "w" } else { "" };
        output w: T, RAD_PER_S, "Angular velocity", display = RPM, der = if has_states { "a" } else { "" };
        output a: T, RAD_PER_S2, "Angular acceleration";
    }
}

impl PartType for InertiaType {
    const NAME: &'static str = "Inertia";
    const TEXT: &'static str = "A shaft with inertia";
    type Structure = ();
    type In<T: Scalar> = Inertia<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        vec![("flange_a", Connector::Flange_a), ("flange_b", Connector::Flange_b)]
    }

    fn own(_: &()) -> &'static [Preference] {
        &[Preference::Inertia]
    }
}

impl<T: Scalar> Part<T> for Inertia<T> {
    type Structure = ();

    fn options((): &(), has_states: bool) -> bool {
        has_states
    }

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
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

    fn put(&mut self, (): &(), motion: &Motion<'_, T>, _: Found<'_, T>) {
        (self.phi, self.w, self.a) = (motion.x(2), motion.v(2), motion.a(2));
    }
}
