//! Flanges whose motion is given.

use std::marker::PhantomData;

use std::f64::consts::TAU;

use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, Diagnostics, Scalar, enumeration, group, structure};
use mechanics::constant;
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

enumeration! {
    /// How a motion is given.
    pub enum Exact {
        rates = "by the position or speed, with its rates as further inputs",
        yes | "true" = "exactly by a reference, with its rates",
        no | "false" = "by a reference alone, which a filter follows",
    }
}

structure! {
    /// The options of a given motion.
    pub struct MotionStructure {
        exact: Exact = Exact::rates, "Whether the motion is exactly that of phi_ref, s_ref, w_ref or v_ref (true), or that of a filter behind it (false); otherwise inputs give it with its rates";
        support: SupportStructure;
    }
}

/// Options of the rows of a given motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct MotionRows {
    domain: Domain,
    exact: Exact,
}

impl MotionRows {
    const fn is_filtered(self) -> bool {
        matches!(self.exact, Exact::no)
    }

    /// A critical frequency of 0 says that there is no filter.
    const fn f_crit(self) -> f64 {
        if self.is_filtered() { 50.0 } else { 0.0 }
    }

    const fn smallest(self) -> f64 {
        if self.is_filtered() { 1e-9 } else { 0.0 }
    }
}

/// The coefficients of a Bessel filter of order 2 of s and s2, with the library.
const BESSEL: [f64; 2] = [1.3617, 0.6180];

fn omega<T: Scalar>(f_crit: T) -> T {
    constant::<T>(TAU) * f_crit
}

group! {
    /// Velocity and acceleration from outside, where the velocity may be a reference.
    pub struct SpeedRates<T>(o: MotionRows) {
        v: T, "angular velocity",
            name = if o.exact == Exact::yes { o.domain.pick("w_ref", "v_ref") } else { o.domain.pick("w", "v") },
            text = o.domain.pick("angular velocity", "velocity"), unit = o.domain.pick(RAD_PER_S, M_PER_S),
            display = o.domain.pick(RPM, ""), der = a;
        a: T, "angular acceleration", text = o.domain.pick("angular acceleration, der(w)", "acceleration, der(v)"),
            unit = o.domain.pick(RAD_PER_S2, M_PER_S2);
    }
}

/// A flange whose motion is given.
pub struct PositionType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.phi - support.phi = phi, exactly, with w = phi' and a = w' from outside; exact = true: phi = phi_ref
    /// exact = false: phi' = w,   w' = ((phi_ref - phi) omega - 1.3617 w) omega / 0.6180,   omega = 2 pi f_crit
    /// ```
    ///
    /// and the same for rods, with s and v. Source: Position of Modelica.Mechanics, and Move.
    pub struct Position<T>(o: MotionRows) {
        input x: T, "Motion of the flange: angle",
            name = if o.exact == Exact::yes { o.domain.pick("phi_ref", "s_ref") } else { o.domain.pick("phi", "s") },
            text = o.domain.pick("Motion of the flange: angle", "Motion of the flange: position"),
            unit = o.domain.pick(RAD, M), display = o.domain.pick(DEG, ""), der = o.domain.pick("w", "v"),
            when = !o.is_filtered();
        input rates: Rates<T> = o.domain, "Motion of the flange", name = "", when = !o.is_filtered();
        output f: T, "Torque on the flange, from what moves it", name = o.domain.pick("tau", "f"),
            text = o.domain.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.domain.pick(N_M, N);
        memory seen: InputMotion<T>, "The given motion at the end of the last step";
        parameter f_crit: T = o.f_crit(), HZ, "Critical frequency of the filter", min = o.smallest(), when = o.is_filtered();
        input reference: T = 0.0, "Angle that the flange follows", name = o.domain.pick("phi_ref", "s_ref"),
            text = o.domain.pick("Angle that the flange follows", "Position that the flange follows"),
            unit = o.domain.pick(RAD, M), display = o.domain.pick(DEG, ""), when = o.is_filtered();
        output q: T, "Angle of the flange", name = o.domain.pick("phi", "s"),
            text = o.domain.pick("Angle of the flange", "Position of the flange"), unit = o.domain.pick(RAD, M),
            display = o.domain.pick(DEG, ""), der = if o.is_filtered() { o.domain.pick("w", "v") } else { "" },
            when = o.is_filtered();
        output v: T, "Velocity of the flange", name = o.domain.pick("w", "v"), unit = o.domain.pick(RAD_PER_S, M_PER_S),
            display = o.domain.pick(RPM, ""), der = if o.is_filtered() { "a" } else { "" }, when = o.is_filtered();
        output a: T, "Acceleration of the flange", unit = o.domain.pick(RAD_PER_S2, M_PER_S2), when = o.is_filtered();
    }
}

impl<D: InDomain> PartType for PositionType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Position", "Translational.Position");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft whose motion is an input", "A rod whose motion is an input");
    type Structure = MotionStructure;
    type In<T: Scalar> = Position<T>;

    fn connectors(structure: &MotionStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(structure.support.useSupport)
    }

    fn options(structure: &MotionStructure, _: bool) -> MotionRows {
        MotionRows { domain: D::DOMAIN, exact: structure.exact }
    }

    fn own(_: &MotionStructure) -> &'static [Preference] {
        &[Preference::Given]
    }

    fn is_integrated(structure: &MotionStructure) -> bool {
        structure.exact == Exact::no
    }
}

crate::capabilities!(Position: Memory);

impl<T: Scalar> Memory<T> for Position<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        if !self.is_filtered() {
            self.seen.follow(Some(self.x), [self.rates.v, self.rates.a], diagnostics);
        }
    }
}

impl<T: Scalar> Position<T> {
    fn is_filtered(&self) -> bool {
        self.f_crit.value() > 0.0
    }

    fn acceleration(&self) -> T {
        let ([first, second], omega) = (BESSEL.map(constant::<T>), omega(self.f_crit));
        ((self.reference - self.q) * omega - first * self.v) * omega / second
    }
}

impl<T: Scalar> Part<T> for Position<T> {
    type Structure = MotionStructure;

    fn relations(&self, structure: &MotionStructure) -> Vec<Relation<T>> {
        from_housing(structure.support.useSupport)
    }

    fn start(&self, _: &MotionStructure, _: usize) -> [T; 2] {
        [self.reference, T::zero()]
    }

    fn own(&self, _: usize) -> [T; 3] {
        if self.is_filtered() { [self.q, self.v, self.acceleration()] } else { [self.x, self.rates.v, self.rates.a] }
    }

    fn set_own(&mut self, _: usize, motion: [T; 2]) {
        [self.q, self.v] = motion;
    }

    fn set_outputs(&mut self, structure: &MotionStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.f = solution.reaction;
        if structure.exact == Exact::no {
            self.a = self.acceleration();
        }
    }
}

/// A flange whose velocity is given.
pub struct SpeedType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.w - support.w = w, exactly, with a = w' from outside; exact = true: w = w_ref
    /// exact = false: w' = (w_ref - w) 2 pi f_crit
    /// flange.phi - support.phi = phi,   phi' = w
    /// ```
    ///
    /// and the same for rods, with s and v. Source: Speed of Modelica.Mechanics.
    pub struct Speed<T>(o: MotionRows) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.domain.pick("phi_start", "s_start"),
            text = o.domain.pick("Angle at the start", "Position at the start"), unit = o.domain.pick(RAD, M);
        input rates: SpeedRates<T> = o, "Motion of the flange", name = "", when = !o.is_filtered();
        output x: T, "Angle of the flange with respect to the housing", name = o.domain.pick("phi", "s"),
            text = o.domain.pick("Angle of the flange with respect to the housing", "Position of the flange with respect to the housing"),
            unit = o.domain.pick(RAD, M), display = o.domain.pick(DEG, ""), der = o.domain.pick("der_phi", "der_s");
        output der_x: T, "Derivative of phi: w", name = o.domain.pick("der_phi", "der_s"),
            text = o.domain.pick("Derivative of phi: w", "Derivative of s: v"), unit = o.domain.pick(RAD_PER_S, M_PER_S);
        output f: T, "Torque on the flange, from what moves it", name = o.domain.pick("tau", "f"),
            text = o.domain.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.domain.pick(N_M, N);
        memory seen: InputMotion<T>, "The given motion at the end of the last step";
        parameter f_crit: T = o.f_crit(), HZ, "Critical frequency of the filter", min = o.smallest(), when = o.is_filtered();
        input reference: T = 0.0, "Velocity that the flange follows", name = o.domain.pick("w_ref", "v_ref"),
            unit = o.domain.pick(RAD_PER_S, M_PER_S), display = o.domain.pick(RPM, ""), when = o.is_filtered();
        output v: T, "Velocity of the flange", name = o.domain.pick("w", "v"), unit = o.domain.pick(RAD_PER_S, M_PER_S),
            display = o.domain.pick(RPM, ""), der = if o.is_filtered() { "a" } else { "" }, when = o.is_filtered();
        output a: T, "Acceleration of the flange", unit = o.domain.pick(RAD_PER_S2, M_PER_S2), when = o.is_filtered();
    }
}

impl<D: InDomain> PartType for SpeedType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Speed", "Translational.Speed");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft whose speed is an input", "A rod whose velocity is an input");
    const IS_INTEGRATED: bool = true;
    type Structure = MotionStructure;
    type In<T: Scalar> = Speed<T>;

    fn connectors(structure: &MotionStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(structure.support.useSupport)
    }

    fn options(structure: &MotionStructure, _: bool) -> MotionRows {
        MotionRows { domain: D::DOMAIN, exact: structure.exact }
    }

    fn own(_: &MotionStructure) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!(Speed: Memory);

impl<T: Scalar> Memory<T> for Speed<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        if !self.is_filtered() {
            self.seen.follow(None, [self.rates.v, self.rates.a], diagnostics);
        }
    }
}

impl<T: Scalar> Speed<T> {
    fn is_filtered(&self) -> bool {
        self.f_crit.value() > 0.0
    }

    /// Velocity and acceleration.
    fn rates(&self) -> [T; 2] {
        if self.is_filtered() {
            [self.v, (self.reference - self.v) * omega(self.f_crit)]
        } else {
            [self.rates.v, self.rates.a]
        }
    }
}

impl<T: Scalar> Part<T> for Speed<T> {
    type Structure = MotionStructure;

    fn relations(&self, structure: &MotionStructure) -> Vec<Relation<T>> {
        from_housing(structure.support.useSupport)
    }

    fn start(&self, structure: &MotionStructure, _: usize) -> [T; 2] {
        [self.x_start, if structure.exact == Exact::no { self.reference } else { self.rates.v }]
    }

    fn own(&self, _: usize) -> [T; 3] {
        let [v, a] = self.rates();
        [self.x, v, a]
    }

    fn set_own(&mut self, _: usize, motion: [T; 2]) {
        [self.x, self.v] = motion;
    }

    fn set_outputs(&mut self, _: &MotionStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        [self.der_x, self.a] = self.rates();
        self.f = solution.reaction;
    }
}
