//! The types of parts. Names, parameters and signs are those of the Modelica Standard Library, and defaults where it has
//! some.

mod accelerate;
mod compliant;
mod constant_speed;
pub mod domain;
mod drive;
mod flange;
mod friction;
mod gas;
mod gear;
mod heat;
pub mod inertia;
mod input_motion;
mod loads;
mod lossy_gear;
mod mass_with_stop;
pub mod massless;
mod movement;
mod one_way_clutch;
mod prescribed_motion;
pub mod signals;
pub mod space;

use crate::MULTIBODY;
use crate::part::{AnyPart, Typed};
use domain::{InDomain, Rotational, Translational};
pub(crate) use space::Origin;

/// Returns all built-in types, with default options.
pub(crate) fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types: Vec<Box<dyn AnyPart>> = vec![
        Box::<Typed<gear::IdealGearType>>::default(),
        Box::<Typed<lossy_gear::LossyGearType>>::default(),
        Box::<Typed<gear::IdealPlanetaryType>>::default(),
        Box::<Typed<friction::FrictionPartType<friction::ClutchStructure>>>::default(),
        Box::<Typed<one_way_clutch::OneWayClutchType>>::default(),
        Box::<Typed<friction::FrictionPartType<friction::BrakeStructure>>>::default(),
        Box::<Typed<friction::FrictionPartType<friction::BearingStructure>>>::default(),
    ];
    types.splice(2..2, gear::between_shaft_and_rod());
    types.splice(0..0, in_both::<Rotational>());
    types.extend(in_both::<Translational>());
    types.push(Box::<Typed<friction::FrictionPartType<friction::RodBrakeStructure>>>::default());
    types.push(Box::<Typed<friction::FrictionPartType<friction::SupportFrictionStructure>>>::default());
    types.push(Box::<Typed<mass_with_stop::MassWithStopAndFrictionType>>::default());
    types.push(Box::<Typed<gas::GasForceType>>::default());
    types.extend(loads::types());
    types.extend(heat::types());
    types.extend(signals::types());
    if MULTIBODY {
        types.extend(space::types());
    }
    types
}

/// Returns the types that exist in both domains.
fn in_both<D: InDomain>() -> [Box<dyn AnyPart>; 13] {
    [
        Box::<Typed<inertia::InertiaType<D>>>::default(),
        Box::<Typed<compliant::SpringType<D>>>::default(),
        Box::<Typed<compliant::DamperType<D>>>::default(),
        Box::<Typed<compliant::SpringDamperType<D>>>::default(),
        Box::<Typed<prescribed_motion::FixedType<D>>>::default(),
        Box::<Typed<drive::TorqueType<D>>>::default(),
        Box::<Typed<prescribed_motion::PositionType<D>>>::default(),
        Box::<Typed<prescribed_motion::SpeedType<D>>>::default(),
        Box::<Typed<accelerate::AccelerateType<D>>>::default(),
        Box::<Typed<constant_speed::ConstantSpeedType<D>>>::default(),
        Box::<Typed<gear::RigidType<D>>>::default(),
        Box::<Typed<flange::FlangeType<D, flange::A>>>::default(),
        Box::<Typed<flange::FlangeType<D, flange::B>>>::default(),
    ]
}
