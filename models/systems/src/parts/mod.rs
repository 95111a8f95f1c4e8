//! The types of parts. Names, parameters and signs are those of the Modelica Standard Library, and defaults where it has
//! some.

mod compliant;
mod contact;
mod drive;
mod flange;
mod gear;
mod inertia;

use crate::part::{AnyPart, Typed};

/// All types, with default options.
pub fn types() -> Vec<Box<dyn AnyPart>> {
    vec![
        Box::<Typed<inertia::InertiaType>>::default(),
        Box::<Typed<gear::IdealGearType>>::default(),
        Box::<Typed<gear::IdealPlanetaryType>>::default(),
        Box::<Typed<compliant::SpringType>>::default(),
        Box::<Typed<compliant::DamperType>>::default(),
        Box::<Typed<compliant::SpringDamperType>>::default(),
        Box::<Typed<contact::ClutchType>>::default(),
        Box::<Typed<contact::BrakeType>>::default(),
        Box::<Typed<drive::FixedType>>::default(),
        Box::<Typed<drive::TorqueType>>::default(),
        Box::<Typed<drive::QuadraticSpeedDependentTorqueType>>::default(),
        Box::<Typed<drive::PositionType>>::default(),
        Box::<Typed<flange::Flange_a>>::default(),
        Box::<Typed<flange::Flange_b>>::default(),
    ]
}
