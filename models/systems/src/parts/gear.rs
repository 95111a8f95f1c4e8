//! Gears without inertia.

use fmu_runtime::{Connector, Scalar, group, structure};
use mechanics::drivetrain::Relation;

use super::domain::Domain;
use super::drive::SupportStructure;
use crate::part::{Kinematics, Part, PartType, Solution};

/// What is wrong with a ratio of 0.
pub const RATIO_IS_0: &str =
    "ratio is 0, but must be another number: positive, or negative where the direction changes";

/// A gear between two shafts.
pub struct IdealGearType;

group! {
    /// ```text
    /// flange_a.phi - support.phi = ratio (flange_b.phi - support.phi)
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.IdealGear.
    pub struct IdealGear<T>(_o: ()) {
        parameter ratio: T = 1.0, ONE, "Transmission ratio flange_a.phi / flange_b.phi";
        output phi_a: T, RAD, "Angle between flange_a and the housing";
        output phi_b: T, RAD, "Angle between flange_b and the housing";
    }
}

impl PartType for IdealGearType {
    const NAME: &'static str = "IdealGear";
    const TEXT: &'static str = "A gear without inertia";
    type Structure = SupportStructure;
    type In<T: Scalar> = IdealGear<T>;

    fn connectors(structure: &SupportStructure) -> Vec<(&'static str, Connector)> {
        Domain::Rotational.flanges_and_support(structure.useSupport)
    }

    fn options(_: &SupportStructure, _: bool) {}
}

crate::capabilities!(IdealGear);

impl<T: Scalar> Part<T> for IdealGear<T> {
    type Structure = SupportStructure;

    fn problem(&self) -> Option<String> {
        (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned())
    }

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        let mut terms = vec![(0, T::one()), (1, -self.ratio)];
        if structure.useSupport {
            terms.push((2, self.ratio - T::one()));
        }
        vec![Relation { terms, constant: T::zero() }]
    }

    fn set_outputs(&mut self, structure: &SupportStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        let support = if structure.useSupport { motion.x(2) } else { T::zero() };
        (self.phi_a, self.phi_b) = (motion.x(0) - support, motion.x(1) - support);
    }
}

/// A planetary gear.
pub struct IdealPlanetaryType;

group! {
    /// ```text
    /// (1 + ratio) carrier.phi = sun.phi + ratio ring.phi
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.IdealPlanetary.
    pub struct IdealPlanetary<T>(_o: ()) {
        parameter ratio: T = 2.0, ONE, "Number of teeth of the ring divided by that of the sun", min = 1e-12;
    }
}

impl PartType for IdealPlanetaryType {
    const NAME: &'static str = "IdealPlanetary";
    const TEXT: &'static str = "A planetary gear without inertia";
    type Structure = ();
    type In<T: Scalar> = IdealPlanetary<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        vec![("sun", Connector::Flange_a), ("carrier", Connector::Flange_a), ("ring", Connector::Flange_b)]
    }

    fn options((): &(), _: bool) {}
}

crate::capabilities!(IdealPlanetary);

impl<T: Scalar> Part<T> for IdealPlanetary<T> {
    type Structure = ();

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        let terms = vec![(0, T::one()), (1, -(T::one() + self.ratio)), (2, self.ratio)];
        vec![Relation { terms, constant: T::zero() }]
    }

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, _: Solution<'_, T>) {}
}

/// A gear between a shaft and a rod.
pub struct IdealGearR2TType;

structure! {
    /// The options of a gear between a shaft and a rod.
    pub struct R2TStructure {
        useSupportR: bool = false, "Whether the housing of the shaft has a flange; otherwise it is at rest";
        useSupportT: bool = false, "Whether the housing of the rod has a flange; otherwise it is at rest";
    }
}

group! {
    /// ```text
    /// flangeR.phi - supportR.phi = ratio (flangeT.s - supportT.s)
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.IdealGearR2T.
    pub struct IdealGearR2T<T>(_o: ()) {
        parameter ratio: T = 1.0, RAD_PER_M, "Transmission ratio flangeR.phi / flangeT.s";
    }
}

impl PartType for IdealGearR2TType {
    const NAME: &'static str = "IdealGearR2T";
    const TEXT: &'static str = "A gear without inertia between a shaft and a rod, such as a rack";
    type Structure = R2TStructure;
    type In<T: Scalar> = IdealGearR2T<T>;

    fn connectors(structure: &R2TStructure) -> Vec<(&'static str, Connector)> {
        let [shaft, rod] = [Domain::Rotational, Domain::Translational];
        let mut connectors = vec![("flangeR", shaft.flange_a()), ("flangeT", rod.flange_b())];
        connectors.extend(structure.useSupportR.then(|| ("supportR", shaft.support())));
        connectors.extend(structure.useSupportT.then(|| ("supportT", rod.support())));
        connectors
    }

    fn options(_: &R2TStructure, _: bool) {}
}

crate::capabilities!(IdealGearR2T);

impl<T: Scalar> Part<T> for IdealGearR2T<T> {
    type Structure = R2TStructure;

    fn problem(&self) -> Option<String> {
        (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned())
    }

    fn relations(&self, structure: &R2TStructure) -> Vec<Relation<T>> {
        let mut coefficients = vec![T::one(), -self.ratio];
        coefficients.extend(structure.useSupportR.then(|| -T::one()));
        coefficients.extend(structure.useSupportT.then_some(self.ratio));
        vec![Relation { terms: coefficients.into_iter().enumerate().collect(), constant: T::zero() }]
    }

    fn set_outputs(&mut self, _: &R2TStructure, _: &Kinematics<'_, T>, _: Solution<'_, T>) {}
}
