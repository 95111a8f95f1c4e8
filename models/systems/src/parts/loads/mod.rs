//! Torques and forces that follow from time, from motions, or from temperatures.

mod contact;
mod kind;
mod one_flange;
mod two_flanges;
mod vehicle;

use super::domain::{InDomain, Rotational, Translational};
use crate::part::{AnyPart, Typed};
use kind::Kind;
use one_flange::LoadType;

/// Returns the types of loads.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types = in_both::<Rotational>();
    types.extend(in_both::<Translational>());
    types.push(Box::<Typed<LoadType<Translational, { Kind::RollingResistance as usize }>>>::default());
    types.push(Box::<Typed<vehicle::VehicleType>>::default());
    types.extend(contact::types());
    types
}

/// Returns the types that exist in both domains.
fn in_both<D: InDomain>() -> Vec<Box<dyn AnyPart>> {
    vec![
        Box::<Typed<LoadType<D, { Kind::Constant as usize }>>>::default(),
        Box::<Typed<LoadType<D, { Kind::Step as usize }>>>::default(),
        Box::<Typed<LoadType<D, { Kind::Linear as usize }>>>::default(),
        Box::<Typed<LoadType<D, { Kind::Quadratic as usize }>>>::default(),
        Box::<Typed<LoadType<D, { Kind::Sign as usize }>>>::default(),
        Box::<Typed<LoadType<D, { Kind::EddyCurrent as usize }>>>::default(),
        Box::<Typed<two_flanges::Torque2Type<D>>>::default(),
    ]
}
