//! Torques and forces from outside.

use std::marker::PhantomData;

use fmu_runtime::unit::{N, N_M};
use fmu_runtime::{Connector, Scalar, group, structure};

use super::domain::{Domain, InDomain};
use crate::part::{Kinematics, Loads, Part, PartType};

structure! {
    /// The options of a part with one flange.
    pub struct SupportStructure {
        useSupport: bool = false, "Whether the housing has a flange; otherwise it is at rest";
    }
}

/// Adds the load on the flange, and its reaction on the housing.
pub fn drive<T: Scalar>(load: T, use_support: bool, add: &mut dyn FnMut(usize, T)) {
    add(0, load);
    if use_support {
        add(1, -load);
    }
}

/// A torque or a force from a signal.
pub struct TorqueType<D>(PhantomData<D>);

group! {
    /// ```text
    /// flange.tau = -tau,   support.tau = tau
    /// ```
    ///
    /// Source: Torque and Force of Modelica.Mechanics.
    pub struct Torque<T>(o: Domain) {
        input f: T = 0.0, "Torque that accelerates the flange", name = o.pick("tau", "f"),
            text = o.pick("Torque that accelerates the flange", "Force that accelerates the flange"),
            unit = o.pick(N_M, N);
    }
}

impl<D: InDomain> PartType for TorqueType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Torque", "Force");
    const TEXT: &'static str = D::DOMAIN.pick("A torque from an input", "A force from an input");
    type Structure = SupportStructure;
    type In<T: Scalar> = Torque<T>;

    fn connectors(structure: &SupportStructure) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flange_and_support(structure.useSupport)
    }

    fn options(_: &SupportStructure, _: bool) -> Domain {
        D::DOMAIN
    }
}

crate::capabilities!(Torque: Loads);

impl<T: Scalar> Part<T> for Torque<T> {
    type Structure = SupportStructure;
}

impl<T: Scalar> Loads<T> for Torque<T> {
    fn loads(&self, structure: &SupportStructure, _: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        drive(self.f, structure.useSupport, add);
    }
}
