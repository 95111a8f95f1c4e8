//! Inertias and masses.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{DEG, KG, KG_M2, M, M_PER_S, M_PER_S2, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, InitialValue, Positive, Scalar, Structure, enumeration, group};
use mechanics::constant;
use mechanics::train::{Preference, Relation};

use super::domain::{Domain, InDomain};
use crate::part::{Found, Motion, Part, PartType, Wanted};

/// A shaft or a rod with inertia between two flanges.
pub struct InertiaType<D>(PhantomData<D>);

enumeration! {
    /// Which motions are states, where gears and shafts tie several inertias together.
    pub enum StateSelect {
        automatic | "default" = "the choice is free",
        prefer = "the motion of this part",
    }
}

/// The start value of a position or of its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StartOptions {
    initial: InitialValue,
    nominal: Positive,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { initial: InitialValue::ignore, nominal: Positive(1.0) }
    }
}

/// The options of an inertia, of a shaft by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InertiaStructure {
    domain: Domain,
    state_select: StateSelect,
    x: StartOptions,
    v: StartOptions,
}

impl InertiaStructure {
    /// The default options.
    pub fn new(domain: Domain) -> Self {
        Self { domain, ..Self::default() }
    }

    /// The options of the rows. `has_states` says whether the motion is free, hence a state.
    pub fn options(&self, has_states: bool) -> InertiaOptions {
        InertiaOptions { structure: *self, has_states }
    }

    /// The one position that an inertia has behind those of its two flanges.
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
        let domain = self.domain;
        let mut start = |[initial, nominal]: [&'static str; 2], options: &mut StartOptions| {
            visit(initial, "What the start value is for", &mut options.initial);
            visit(nominal, "Nominal value, in SI units", &mut options.nominal);
        };
        start(domain.pick(["phi.initial", "phi.nominal"], ["s.initial", "s.nominal"]), &mut self.x);
        start(domain.pick(["w.initial", "w.nominal"], ["v.initial", "v.nominal"]), &mut self.v);
    }
}

/// Options of the rows of an inertia.
#[derive(Clone, Copy, Debug, Default)]
pub struct InertiaOptions {
    structure: InertiaStructure,
    has_states: bool,
}

impl InertiaOptions {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.structure.domain.pick(rotational, translational)
    }

    const fn der(self, name: &'static str) -> &'static str {
        if self.has_states { name } else { "" }
    }

    /// Whether a start value is a parameter.
    fn starts(self, of: StartOptions) -> bool {
        self.has_states && of.initial == InitialValue::ignore
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
        parameter L: T = 0.0, M, "Length from flange_a to flange_b", when = o.structure.domain == Domain::Translational;
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M), when = o.starts(o.structure.x);
        parameter v_start: T = 0.0, "Angular velocity at the start", name = o.pick("w_start", "v_start"),
            text = o.pick("Angular velocity at the start", "Velocity at the start"), unit = o.pick(RAD_PER_S, M_PER_S),
            when = o.starts(o.structure.v);
        output x: T, "Angle", name = o.pick("phi", "s"), text = o.pick("Angle", "Position of the middle"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.der(o.pick("w", "v")),
            initial = o.structure.x.initial, nominal = o.structure.x.nominal.0;
        output v: T, "Angular velocity", name = o.pick("w", "v"), text = o.pick("Angular velocity", "Velocity"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), der = o.der("a"),
            initial = o.structure.v.initial, nominal = o.structure.v.nominal.0;
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

    fn start(&self, structure: &InertiaStructure) -> [T; 2] {
        let pick = |of: StartOptions, own, parameter| if of.initial == InitialValue::ignore { parameter } else { own };
        [pick(structure.x, self.x, self.x_start), pick(structure.v, self.v, self.v_start)]
    }

    fn wanted(&self, structure: &InertiaStructure) -> Vec<Wanted<T>> {
        let wanted = |name, order, start, of: StartOptions| Wanted {
            name,
            terms: vec![(2, T::one())],
            order,
            start,
            initial: of.initial,
            nominal: of.nominal.0,
        };
        let [x, v] = structure.domain.pick(["phi", "w"], ["s", "v"]);
        vec![wanted(x, 0, self.x, structure.x), wanted(v, 1, self.v, structure.v)]
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
