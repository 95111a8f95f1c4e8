//! Torques and forces that follow from time, from motions, or from temperatures.

mod contact;
mod kind;
mod one_flange;
mod two_flanges;
mod vehicle;

use super::domain::{InDomain, Rotational, Translational};
use crate::part::{AnyPart, Typed};

/// Returns the types of loads.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types = one_flange::types();
    types.extend([torque::<Rotational>(), torque::<Translational>()]);
    types.push(Box::<Typed<vehicle::VehicleType>>::default());
    types.extend(contact::types());
    types
}

fn torque<D: InDomain>() -> Box<dyn AnyPart> {
    Box::<Typed<two_flanges::Torque2Type<D>>>::default()
}
