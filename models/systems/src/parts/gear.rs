//! Gears without inertia.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{DEG, M, RAD};
use fmu_runtime::{Connector, Scalar, Structure, group, structure};
use mechanics::constant;
use mechanics::drivetrain::Relation;

use super::domain::{Domain, InDomain};
use super::drive::SupportStructure;
use crate::part::{AnyPart, Kinematics, Part, PartType, Properties, Solution, Typed};

/// Message about a ratio of 0.
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

/// Returns the relation between the flanges 0 and 1 of a gear, whose angles count from the support, flange 2, if it has one.
pub(super) fn gear<T: Scalar>(ratio: T, use_support: bool) -> Relation<T> {
    let mut terms = vec![(0, T::one()), (1, -ratio)];
    if use_support {
        terms.extend([(2, ratio), (2, -T::one())]);
    }
    Relation { terms, constant: T::zero() }
}

crate::capabilities!(IdealGear);

impl<T: Scalar> Part<T> for IdealGear<T> {
    type Structure = SupportStructure;

    fn problem(&self) -> Option<String> {
        (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned())
    }

    fn relations(&self, structure: &SupportStructure) -> Vec<Relation<T>> {
        vec![gear(self.ratio, structure.useSupport)]
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
}

/// A gear between a shaft and a rod, or a wheel.
pub struct R2TType;

structure! {
    /// The options of a gear between a shaft and a rod.
    pub struct R2TSupports {
        useSupportR: bool = false, "Whether the housing of the shaft has a flange; otherwise it is at rest";
        useSupportT: bool = false, "Whether the housing of the rod has a flange; otherwise it is at rest";
    }
}

/// The structure of a gear between a shaft and a rod: its type says whether it is a wheel.
#[derive(Clone, Debug, Default)]
pub struct R2TStructure {
    is_wheel: bool,
    supports: R2TSupports,
}

impl Structure for R2TStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        self.supports.visit(visit);
    }
}

group! {
    /// ```text
    /// IdealGearR2T        flangeR.phi - supportR.phi = ratio (flangeT.s - supportT.s)
    /// IdealRollingWheel   (flangeR.phi - supportR.phi) radius = flangeT.s - supportT.s
    /// ```
    ///
    /// Source: Modelica.Mechanics.Rotational.Components.
    pub struct R2T<T>(is_wheel: bool) {
        parameter ratio: T = 1.0, RAD_PER_M, "Transmission ratio flangeR.phi / flangeT.s", when = !is_wheel;
        parameter radius: T = 0.3, M, "Radius of the wheel", min = 1e-12, when = is_wheel;
    }
}

/// Returns the gear between a shaft and a rod, and the wheel.
pub(super) fn between_shaft_and_rod() -> [Box<dyn AnyPart>; 2] {
    [
        (false, "IdealGearR2T", "A gear without inertia between a shaft and a rod, such as a rack"),
        (true, "IdealRollingWheel", "A rolling wheel without inertia"),
    ]
    .map(|(is_wheel, type_name, text)| {
        let properties = Properties { type_name, text, ..Properties::of::<R2TType>() };
        let structure = R2TStructure { is_wheel, supports: R2TSupports::default() };
        Box::new(Typed::<R2TType>::of_family(structure, properties)) as Box<dyn AnyPart>
    })
}

impl PartType for R2TType {
    const NAME: &'static str = "R2T";
    const TEXT: &'static str = "A relation between a shaft and a rod";
    type Structure = R2TStructure;
    type In<T: Scalar> = R2T<T>;

    fn connectors(structure: &R2TStructure) -> Vec<(&'static str, Connector)> {
        let [shaft, rod] = [Domain::Rotational, Domain::Translational];
        let mut connectors = vec![("flangeR", shaft.flange_a()), ("flangeT", rod.flange_b())];
        connectors.extend(structure.supports.useSupportR.then(|| ("supportR", shaft.support())));
        connectors.extend(structure.supports.useSupportT.then(|| ("supportT", rod.support())));
        connectors
    }

    fn options(structure: &R2TStructure, _: bool) -> bool {
        structure.is_wheel
    }
}

crate::capabilities!(R2T);

impl<T: Scalar> Part<T> for R2T<T> {
    type Structure = R2TStructure;

    fn problem(&self) -> Option<String> {
        (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned())
    }

    fn relations(&self, structure: &R2TStructure) -> Vec<Relation<T>> {
        let [shaft, rod] = if structure.is_wheel { [self.radius, T::one()] } else { [T::one(), self.ratio] };
        let mut coefficients = vec![shaft, -rod];
        coefficients.extend(structure.supports.useSupportR.then_some(-shaft));
        coefficients.extend(structure.supports.useSupportT.then_some(rod));
        vec![Relation { terms: coefficients.into_iter().enumerate().collect(), constant: T::zero() }]
    }
}

/// A rigid connection without inertia.
pub struct RigidType<D>(PhantomData<D>);

group! {
    /// ```text
    /// phi = flange_a.phi + deltaPhi/2 = flange_b.phi - deltaPhi/2
    /// s = flange_a.s + L/2 = flange_b.s - L/2
    /// ```
    ///
    /// Source: Disc and Rod of Modelica.Mechanics.
    pub struct Rigid<T>(o: Domain) {
        parameter distance: T = 0.0, "Angle flange_b.phi - flange_a.phi", name = o.pick("deltaPhi", "L"),
            text = o.pick("Angle flange_b.phi - flange_a.phi", "Length from flange_a to flange_b"), unit = o.pick(RAD, M);
        output x: T, "Angle in the middle between those of the flanges", name = o.pick("phi", "s"),
            text = o.pick("Angle in the middle between those of the flanges", "Position of the middle"),
            unit = o.pick(RAD, M), display = o.pick(DEG, "");
    }
}

impl<D: InDomain> PartType for RigidType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Disc", "Rod");
    const TEXT: &'static str =
        D::DOMAIN.pick("A rigid connection of two shafts, without inertia", "A rod without mass");
    type Structure = ();
    type In<T: Scalar> = Rigid<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        D::DOMAIN.flanges()
    }

    fn options((): &(), _: bool) -> Domain {
        D::DOMAIN
    }
}

crate::capabilities!(Rigid);

impl<T: Scalar> Part<T> for Rigid<T> {
    type Structure = ();

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        vec![Relation { constant: self.distance, ..Relation::equal(1, 0) }]
    }

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.x = (motion.x(0) + motion.x(1)) * constant::<T>(0.5);
    }
}
