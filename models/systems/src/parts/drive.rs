//! Torques and motions from outside.

use fmu_runtime::{Connector, Scalar, group, structure};
use mechanics::train::{Preference, Relation};
use ports::{FlangeMotion, MotionOptions};

use crate::part::{Found, Motion, Part, PartType};

structure! {
    /// The options of a torque.
    pub struct TorqueStructure {
        useSupport: bool = false, "Whether the housing has a flange; otherwise it is at rest";
    }
}

fn flange_and_support(use_support: bool) -> Vec<(&'static str, Connector)> {
    let mut connectors = vec![("flange", Connector::Flange_b)];
    if use_support {
        connectors.push(("support", Connector::Support));
    }
    connectors
}

/// Adds the torque on the flange, and its reaction on the housing.
fn drive<T: Scalar>(tau: T, use_support: bool, add: &mut dyn FnMut(usize, T)) {
    add(0, tau);
    if use_support {
        add(1, -tau);
    }
}

/// A torque from a signal.
pub struct TorqueType;

group! {
    /// ```text
    /// flange.tau = -tau
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Sources.Torque.
    pub struct Torque<T>(_o: ()) {
        input tau: T = 0.0, N_M, "Torque that accelerates the flange";
    }
}

impl PartType for TorqueType {
    const NAME: &'static str = "Torque";
    const TEXT: &'static str = "A torque from an input";
    type Structure = TorqueStructure;
    type In<T: Scalar> = Torque<T>;

    fn connectors(structure: &TorqueStructure) -> Vec<(&'static str, Connector)> {
        flange_and_support(structure.useSupport)
    }
}

impl<T: Scalar> Part<T> for Torque<T> {
    type Structure = TorqueStructure;

    fn options(_: &TorqueStructure, _: bool) {}

    fn loads(&self, structure: &TorqueStructure, _: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        drive(self.tau, structure.useSupport, add);
    }

    fn put(&mut self, _: &TorqueStructure, _: &Motion<'_, T>, _: Found<'_, T>) {}
}

structure! {
    /// The options of a torque that grows with the square of the speed.
    pub struct QuadraticStructure {
        TorqueDirection: bool = true, "Whether the torque has the same direction for both directions of rotation";
        useSupport: bool = false, "Whether the housing has a flange; otherwise it is at rest";
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
        flange_and_support(structure.useSupport)
    }
}

impl<T: Scalar> QuadraticSpeedDependentTorque<T> {
    fn speed_and_torque(&self, structure: &QuadraticStructure, motion: &Motion<'_, T>) -> [T; 2] {
        let w = if structure.useSupport { motion.v(0) - motion.v(1) } else { motion.v(0) };
        let ratio = w / self.w_nominal;
        let factor = if structure.TorqueDirection { ratio } else { ratio.abs() };
        [w, self.tau_nominal * ratio * factor]
    }
}

impl<T: Scalar> Part<T> for QuadraticSpeedDependentTorque<T> {
    type Structure = QuadraticStructure;

    fn options(_: &QuadraticStructure, _: bool) {}

    fn loads(&self, structure: &QuadraticStructure, motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [_, tau] = self.speed_and_torque(structure, motion);
        drive(tau, structure.useSupport, add);
    }

    fn put(&mut self, structure: &QuadraticStructure, motion: &Motion<'_, T>, _: Found<'_, T>) {
        [self.w, self.tau] = self.speed_and_torque(structure, motion);
    }
}

/// A flange that stands still.
pub struct FixedType;

group! {
    /// ```text
    /// flange.phi = phi0
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.Fixed.
    pub struct Fixed<T>(_o: ()) {
        parameter phi0: T = 0.0, RAD, "Angle of the flange";
        output tau: T, N_M, "Torque on the flange, from what holds it";
    }
}

impl PartType for FixedType {
    const NAME: &'static str = "Fixed";
    const TEXT: &'static str = "A flange that stands still";
    type Structure = ();
    type In<T: Scalar> = Fixed<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        flange_and_support(false)
    }

    fn own(_: &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

impl<T: Scalar> Part<T> for Fixed<T> {
    type Structure = ();

    fn options((): &(), _: bool) {}

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        vec![Relation::equal(0, 1)]
    }

    fn own(&self) -> [T; 3] {
        [self.phi0, T::zero(), T::zero()]
    }

    fn put(&mut self, (): &(), _: &Motion<'_, T>, found: Found<'_, T>) {
        self.tau = found.reaction;
    }
}

/// A flange whose motion is given.
pub struct PositionType;

group! {
    /// ```text
    /// flange.phi = phi, exactly, with w = phi' and a = w' from outside
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Sources.Position with exact = true, and Move.
    pub struct Position<T>(_o: ()) {
        input motion: FlangeMotion<T> = MotionOptions::rates(true), "Motion of the flange", name = "";
        output tau: T, N_M, "Torque on the flange, from what moves it";
    }
}

impl PartType for PositionType {
    const NAME: &'static str = "Position";
    const TEXT: &'static str = "A flange whose motion is an input";
    type Structure = ();
    type In<T: Scalar> = Position<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        flange_and_support(false)
    }

    fn own(_: &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

impl<T: Scalar> Part<T> for Position<T> {
    type Structure = ();

    fn options((): &(), _: bool) {}

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        vec![Relation::equal(0, 1)]
    }

    fn own(&self) -> [T; 3] {
        [self.motion.phi, self.motion.w, self.motion.a]
    }

    fn put(&mut self, (): &(), _: &Motion<'_, T>, found: Found<'_, T>) {
        self.tau = found.reaction;
    }
}
