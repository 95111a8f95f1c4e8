//! Flanges whose acceleration is given.

use std::marker::PhantomData;

use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{Connector, Scalar, group};
use mechanics::drivetrain::{Preference, Relation};

use super::domain::{Domain, InDomain};
use super::drive::SupportStructure;
use super::prescribed_motion::from_housing;
use crate::part::{Kinematics, Part, PartType, Solution};

/// A flange whose acceleration is given.
pub struct AccelerateType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.phi - support.phi = phi,   phi' = w,   w' = a = a_ref
    /// ```
    ///
    /// and the same for rods, with s and v. Source: Accelerate of Modelica.Mechanics.
    pub struct Accelerate<T>(o: Domain) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M);
        parameter v_start: T = 0.0, "Velocity at the start", name = o.pick("w_start", "v_start"), unit = o.pick(RAD_PER_S, M_PER_S);
        input a_ref: T = 0.0, "Acceleration that the flange has", unit = o.pick(RAD_PER_S2, M_PER_S2);
        output x: T, "Angle of the flange with respect to the housing", name = o.pick("phi", "s"),
            text = o.pick("Angle of the flange with respect to the housing", "Position of the flange with respect to the housing"),
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.pick("w", "v");
        output v: T, "Velocity of the flange", name = o.pick("w", "v"), unit = o.pick(RAD_PER_S, M_PER_S),
            display = o.pick(RPM, ""), der = a;
        output a: T, "Acceleration of the flange", unit = o.pick(RAD_PER_S2, M_PER_S2);
        output f: T, "Torque on the flange, from what moves it", name = o.pick("tau", "f"),
            text = o.pick("Torque on the flange, from what moves it", "Force on the flange, from what moves it"),
            unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for AccelerateType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Accelerate", "Translational.Accelerate");
    const TEXT: &'static str =
        D::DOMAIN.pick("A shaft whose acceleration is an input", "A rod whose acceleration is an input");
    const IS_INTEGRATED: bool = true;
    type Structure = SupportStructure;
    type In<T: Scalar> = Accelerate<T>;

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

crate::capabilities!(Accelerate);

impl<T: Scalar> Part<T> for Accelerate<T> {
    type Structure = SupportStructure;

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        from_housing(structure.useSupport)
    }

    fn start(&self, _: &SupportStructure, _: usize) -> [T; 2] {
        [self.x_start, self.v_start]
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.x, self.v, self.a_ref]
    }

    fn set_own(&mut self, _: usize, motion: [T; 2]) {
        [self.x, self.v] = motion;
    }

    fn set_outputs(&mut self, _: &SupportStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        (self.a, self.f) = (self.a_ref, solution.reaction);
    }
}
