//! Torques and forces from outside.

use std::marker::PhantomData;

use fmu_runtime::unit::{N, N_M};
use fmu_runtime::{Connector, Scalar, group, structure};

use super::domain::{Domain, InDomain};
use crate::part::{Kinematics, Loads, Part, PartType, Solution};

structure! {
    /// The options of a part with one flange.
    pub struct SupportStructure {
        useSupport: bool = false, "Whether the housing has a flange; otherwise it is at rest";
    }
}

/// Adds the load on the flange, and its reaction on the housing.
fn drive<T: Scalar>(load: T, use_support: bool, add: &mut dyn FnMut(usize, T)) {
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

    fn set_outputs(&mut self, _: &SupportStructure, _: &Kinematics<'_, T>, _: Solution<'_, T>) {}
}

impl<T: Scalar> Loads<T> for Torque<T> {
    fn loads(&self, structure: &SupportStructure, _: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        drive(self.f, structure.useSupport, add);
    }
}

structure! {
    /// The options of a torque that grows with the square of the speed.
    pub struct QuadraticStructure {
        TorqueDirection: bool = true, "Whether the torque has the same direction for both directions of rotation";
        support: SupportStructure;
    }
}

/// A torque that grows with the square of the speed.
pub struct QuadraticSpeedDependentTorqueType;

group! {
    /// ```text
    /// w = flange.w - support.w
    /// tau = -flange.tau = tau_nominal (w / w_nominal)^2       TorqueDirection, or w >= 0
    /// tau = -tau_nominal (w / w_nominal)^2                    otherwise
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Sources.QuadraticSpeedDependentTorque.
    pub struct QuadraticSpeedDependentTorque<T>(_o: ()) {
        parameter tau_nominal: T = -1.0, N_M, "Torque at w_nominal; below 0 for a load";
        parameter w_nominal: T = 1.0, RAD_PER_S, "Nominal speed", min = 1e-15;
        output w: T, RAD_PER_S, "Angular velocity of the flange with respect to the housing";
        output tau: T, N_M, "Torque that accelerates the flange";
    }
}

impl PartType for QuadraticSpeedDependentTorqueType {
    const NAME: &'static str = "QuadraticSpeedDependentTorque";
    const TEXT: &'static str = "A torque that grows with the square of the speed";
    type Structure = QuadraticStructure;
    type In<T: Scalar> = QuadraticSpeedDependentTorque<T>;

    fn connectors(structure: &QuadraticStructure) -> Vec<(&'static str, Connector)> {
        Domain::Rotational.flange_and_support(structure.support.useSupport)
    }

    fn options(_: &QuadraticStructure, _: bool) {}
}

impl<T: Scalar> QuadraticSpeedDependentTorque<T> {
    fn speed_and_torque(&self, structure: &QuadraticStructure, motion: &Kinematics<'_, T>) -> [T; 2] {
        let w = if structure.support.useSupport { motion.v(0) - motion.v(1) } else { motion.v(0) };
        let ratio = w / self.w_nominal;
        let factor = if structure.TorqueDirection { ratio } else { ratio.abs() };
        [w, self.tau_nominal * ratio * factor]
    }
}

crate::capabilities!(QuadraticSpeedDependentTorque: Loads);

impl<T: Scalar> Part<T> for QuadraticSpeedDependentTorque<T> {
    type Structure = QuadraticStructure;

    fn set_outputs(&mut self, structure: &QuadraticStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        [self.w, self.tau] = self.speed_and_torque(structure, motion);
    }
}

impl<T: Scalar> Loads<T> for QuadraticSpeedDependentTorque<T> {
    fn loads(&self, structure: &QuadraticStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [_, tau] = self.speed_and_torque(structure, motion);
        drive(tau, structure.support.useSupport, add);
    }
}
