//! Inertias and masses.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, KG, KG_M2, M, M_PER_S, M_PER_S2, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, Scalar, enumeration, group, structure};
use mechanics::constant;
use mechanics::train::{Preference, Relation};

use super::domain::{Domain, InDomain};
use crate::part::{Found, Motion, Part, PartType};

/// A shaft or a rod with inertia between two flanges.
pub struct InertiaType<D>(PhantomData<D>);

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
        stateSelect: StateSelect = StateSelect::automatic, "Whether its position and velocity are states, with start values, where gears, shafts and rods tie several inertias together";
    }
}

/// Options of the rows of an inertia.
#[derive(Clone, Copy, Debug, Default)]
pub struct InertiaOptions {
    domain: Domain,
    has_states: bool,
}

impl InertiaOptions {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }

    const fn der(self, name: &'static str) -> &'static str {
        if self.has_states { name } else { "" }
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
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M), when = o.has_states;
        parameter v_start: T = 0.0, "Angular velocity at the start", name = o.pick("w_start", "v_start"),
            text = o.pick("Angular velocity at the start", "Velocity at the start"), unit = o.pick(RAD_PER_S, M_PER_S),
            when = o.has_states;
        output x: T, "Angle", name = o.pick("phi", "s"), text = o.pick("Angle", "Position of the middle"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.der(o.pick("w", "v"));
        output v: T, "Angular velocity", name = o.pick("w", "v"), text = o.pick("Angular velocity", "Velocity"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), der = o.der("a");
        output a: T, "Angular acceleration", text = o.pick("Angular acceleration", "Acceleration"),
            unit = o.pick(RAD_PER_S2, M_PER_S2);
    }
}

impl<D: InDomain> PartType for InertiaType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Inertia", "Mass");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft with inertia", "A rod with mass");
    const HAS_LOADS: bool = false;
    type Structure = InertiaStructure;
    type In<T: Scalar> = Inertia<T>;

    fn connectors(_: &InertiaStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flanges()
    }

    fn options(_: &InertiaStructure, has_states: bool) -> InertiaOptions {
        InertiaOptions { domain: D::DOMAIN, has_states }
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

    fn start(&self) -> [T; 2] {
        [self.x_start, self.v_start]
    }

    fn own(&self) -> [T; 3] {
        [self.x, self.v, T::zero()]
    }

    fn set_own(&mut self, [x, v]: [T; 2]) {
        (self.x, self.v) = (x, v);
    }

    fn put(&mut self, _: &InertiaStructure, motion: &Motion<'_, T>, _: Found<'_, T>) {
        (self.x, self.v, self.a) = (motion.x(2), motion.v(2), motion.a(2));
    }
}
