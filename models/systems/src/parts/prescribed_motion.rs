//! Flanges whose motion is given.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, Diagnostics, Scalar, group};
use mechanics::drivetrain::{Preference, Relation};

use super::domain::{Domain, InDomain};
use super::drive::SupportStructure;
use super::input_motion::InputMotion;
use crate::part::{Kinematics, Memory, Part, PartType, Solution};

/// Returns the relation by which the flange is at the part's own position, which counts from the housing.
pub fn from_housing<T: Scalar>(use_support: bool) -> Vec<Relation<T>> {
    let own = Relation::equal(0, if use_support { 2 } else { 1 });
    let Relation { mut terms, constant } = own;
    if use_support {
        terms.push((1, -T::one()));
    }
    vec![Relation { terms, constant }]
}

/// A flange that stands still.
pub struct FixedType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.phi = phi0      or      flange.s = s0
    /// ```
    ///
    /// Source: Fixed of Modelica.Mechanics.
    pub struct Fixed<T>(o: Domain) {
        parameter x_fixed: T = 0.0, "Angle of the flange", name = o.pick("phi0", "s0"),
            text = o.pick("Angle of the flange", "Position of the flange"), unit = o.pick(RAD, M);
        output f: T, "Torque on the flange, from what holds it", name = o.pick("tau", "f"),
            text = o.pick("Torque on the flange, from what holds it", "Force on the flange, from what holds it"),
            unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for FixedType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Fixed", "Translational.Fixed");
    const TEXT: &'static str = D::DOMAIN.pick("A fixed shaft", "A fixed rod");
    type Structure = ();
    type In<T: Scalar> = Fixed<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(false)
    }

    fn options((): &(), _: bool) -> Domain {
        D::DOMAIN
    }

    fn own(_: &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!(Fixed);

impl<T: Scalar> Part<T> for Fixed<T> {
    type Structure = ();

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        from_housing(false)
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x_fixed, T::zero(), T::zero()]
    }

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.f = solution.reaction;
    }
}

group! {
    /// Velocity and acceleration from outside.
    pub struct Rates<T>(o: Domain) {
        v: T, "angular velocity", name = o.pick("w", "v"), text = o.pick("angular velocity", "velocity"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), der = a;
        a: T, "angular acceleration", text = o.pick("angular acceleration, der(w)", "acceleration, der(v)"),
            unit = o.pick(RAD_PER_S2, M_PER_S2);
    }
}

/// A flange whose motion is given.
pub struct PositionType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.phi - support.phi = phi, exactly, with w = phi' and a = w' from outside
    /// ```
    ///
    /// and the same for rods, with s and v. Source: Position of Modelica.Mechanics with exact = true, and Move.
    pub struct Position<T>(o: Domain) {
        input x: T, "Motion of the flange: angle", name = o.pick("phi", "s"),
            text = o.pick("Motion of the flange: angle", "Motion of the flange: position"), unit = o.pick(RAD, M),
            display = o.pick(DEG, ""), der = o.pick("w", "v");
        input rates: Rates<T> = o, "Motion of the flange", name = "";
        output f: T, "Torque on the flange, from what moves it", name = o.pick("tau", "f"),
            text = o.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.pick(N_M, N);
        memory seen: InputMotion<T>, "The given motion at the end of the last step";
    }
}

impl<D: InDomain> PartType for PositionType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Position", "Translational.Position");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft whose motion is an input", "A rod whose motion is an input");
    type Structure = SupportStructure;
    type In<T: Scalar> = Position<T>;

    fn connectors(structure: &SupportStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(structure.useSupport)
    }

    fn options(_: &SupportStructure, _: bool) -> Domain {
        D::DOMAIN
    }

    fn own(_: &SupportStructure) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!(Position: Memory);

impl<T: Scalar> Memory<T> for Position<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.seen.follow(Some(self.x), [self.rates.v, self.rates.a], diagnostics);
    }
}

impl<T: Scalar> Part<T> for Position<T> {
    type Structure = SupportStructure;

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        from_housing(structure.useSupport)
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x, self.rates.v, self.rates.a]
    }

    fn set_outputs(&mut self, _: &SupportStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.f = solution.reaction;
    }
}

/// A flange whose velocity is given.
pub struct SpeedType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.w - support.w = w, exactly, with a = w' from outside
    /// flange.phi - support.phi = phi,   phi' = w
    /// ```
    ///
    /// and the same for rods, with s and v. Source: Speed of Modelica.Mechanics with exact = true.
    pub struct Speed<T>(o: Domain) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M);
        input rates: Rates<T> = o, "Motion of the flange", name = "";
        output x: T, "Angle of the flange with respect to the housing", name = o.pick("phi", "s"),
            text = o.pick("Angle of the flange with respect to the housing", "Position of the flange with respect to the housing"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.pick("der_phi", "der_s");
        output der_x: T, "Derivative of phi: w", name = o.pick("der_phi", "der_s"),
            text = o.pick("Derivative of phi: w", "Derivative of s: v"), unit = o.pick(RAD_PER_S, M_PER_S);
        output f: T, "Torque on the flange, from what moves it", name = o.pick("tau", "f"),
            text = o.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.pick(N_M, N);
        memory seen: InputMotion<T>, "The given motion at the end of the last step";
    }
}

impl<D: InDomain> PartType for SpeedType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Speed", "Translational.Speed");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft whose speed is an input", "A rod whose velocity is an input");
    const IS_INTEGRATED: bool = true;
    type Structure = SupportStructure;
    type In<T: Scalar> = Speed<T>;

    fn connectors(structure: &SupportStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(structure.useSupport)
    }

    fn options(_: &SupportStructure, _: bool) -> Domain {
        D::DOMAIN
    }

    fn own(_: &SupportStructure) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!(Speed: Memory);

impl<T: Scalar> Memory<T> for Speed<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.seen.follow(None, [self.rates.v, self.rates.a], diagnostics);
    }
}

impl<T: Scalar> Part<T> for Speed<T> {
    type Structure = SupportStructure;

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        from_housing(structure.useSupport)
    }

    fn start(&self, _: &SupportStructure, _: usize) -> [T; 2] {
        [self.x_start, self.rates.v]
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x, self.rates.v, self.rates.a]
    }

    fn set_own(&mut self, _: usize, [x, _]: [T; 2]) {
        self.x = x;
    }

    fn set_outputs(&mut self, _: &SupportStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        (self.der_x, self.f) = (self.rates.v, solution.reaction);
    }
}
