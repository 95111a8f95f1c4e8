//! Flanges that move at a constant speed.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, M, M_PER_S, N, N_M, RAD, RAD_PER_S, RPM};
use fmu_runtime::{Connector, Scalar, group};
use mechanics::drivetrain::{Preference, Relation};

use super::domain::{Domain, InDomain};
use super::drive::SupportStructure;
use super::prescribed_motion::from_housing;
use crate::part::{Kinematics, Part, PartType, Solution};

/// A flange that moves at a constant speed.
pub struct ConstantSpeedType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.w - support.w = w = w_fixed,   flange.phi - support.phi = phi,   phi' = w
    /// ```
    ///
    /// and the same for rods, with s and v. Source: ConstantSpeed of Modelica.Mechanics.
    pub struct ConstantSpeed<T>(o: Domain) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M);
        parameter v_fixed: T = 1.0, "Speed", name = o.pick("w_fixed", "v_fixed"), unit = o.pick(RAD_PER_S, M_PER_S);
        output x: T, "Angle of the flange with respect to the housing", name = o.pick("phi", "s"),
            text = o.pick("Angle of the flange with respect to the housing", "Position of the flange with respect to the housing"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.pick("w", "v");
        output v: T, "Speed", name = o.pick("w", "v"), unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, "");
        output f: T, "Torque on the flange, from what moves it", name = o.pick("tau", "f"),
            text = o.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for ConstantSpeedType<D> {
    const NAME: &'static str = D::DOMAIN.pick("ConstantSpeed", "Translational.ConstantSpeed");
    const TEXT: &'static str = D::DOMAIN.pick("A shaft with a constant speed", "A rod with a constant velocity");
    const IS_INTEGRATED: bool = true;
    type Structure = SupportStructure;
    type In<T: Scalar> = ConstantSpeed<T>;

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

crate::capabilities!(ConstantSpeed);

impl<T: Scalar> Part<T> for ConstantSpeed<T> {
    type Structure = SupportStructure;

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        from_housing(structure.useSupport)
    }

    fn start(&self, _: &SupportStructure, _: usize) -> [T; 2] {
        [self.x_start, self.v_fixed]
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x, self.v_fixed, T::zero()]
    }

    fn set_own(&mut self, _: usize, [x, _]: [T; 2]) {
        self.x = x;
    }

    fn set_outputs(&mut self, _: &SupportStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        (self.v, self.f) = (self.v_fixed, solution.reaction);
    }
}
