//! Parts in space. Their equations of motion are those of `mechanics::tree`.

mod assembly;
mod body;
mod bushing;
mod component;
mod constraint;
mod fixed_shape;
mod force;
mod frame;
mod free;
mod free_frame;
mod gear_constraint;
mod gripper;
mod joint;
mod line;
mod movements;
mod planar;
pub mod point;
mod relative_start;
mod rigid;
mod rotor;
mod scalar_init;
mod sensor;
mod several;
mod spherical;
mod universal;
mod universal_spherical;
mod wheel;
mod world;

use super::domain::{Rotational, Translational};
use super::flange::{A, B};
use crate::part::{AnyPart, Typed};
pub use frame::Origin;
use several::SeveralType;

/// Returns all types of parts in space, with default options.
pub fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types: Vec<Box<dyn AnyPart>> = vec![
        Box::<Typed<world::WorldType>>::default(),
        Box::<Typed<rigid::FixedType>>::default(),
        Box::<Typed<rigid::FixedTranslationType>>::default(),
        Box::<Typed<rigid::FixedRotationType>>::default(),
        Box::<Typed<fixed_shape::FixedShapeType>>::default(),
        Box::<Typed<joint::JointType<Rotational>>>::default(),
        Box::<Typed<joint::JointType<Translational>>>::default(),
        Box::<Typed<bushing::BushingType>>::default(),
        Box::<Typed<gripper::GripperType>>::default(),
        Box::<Typed<free_frame::FreeFrameType<A>>>::default(),
        Box::<Typed<free_frame::FreeFrameType<B>>>::default(),
        Box::<Typed<rotor::Rotor1DType>>::default(),
        Box::<Typed<rotor::Mounting1DType>>::default(),
        Box::<Typed<rotor::BevelGear1DType>>::default(),
        Box::<Typed<SeveralType<universal::Universal, 2>>>::default(),
        Box::<Typed<SeveralType<planar::Cylindrical, 2>>>::default(),
        Box::<Typed<SeveralType<planar::Planar, 3>>>::default(),
        Box::<Typed<universal_spherical::UniversalSphericalType>>::default(),
        Box::<Typed<gear_constraint::GearConstraintType>>::default(),
        Box::<Typed<wheel::RollingWheelType>>::default(),
        Box::<Typed<wheel::RollingWheelSetType>>::default(),
        Box::<Typed<wheel::RollingConstraintType>>::default(),
        Box::<Typed<spherical::SphericalType>>::default(),
        Box::<Typed<spherical::FreeMotionType>>::default(),
        Box::<Typed<scalar_init::FreeMotionScalarInitType>>::default(),
        Box::<Typed<line::LineType<true, false>>>::default(),
        Box::<Typed<line::LineType<false, true>>>::default(),
        Box::<Typed<line::LineType<true, true>>>::default(),
        Box::<Typed<force::ForceType<false, true, false>>>::default(),
        Box::<Typed<force::ForceType<false, false, true>>>::default(),
        Box::<Typed<force::ForceType<false, true, true>>>::default(),
        Box::<Typed<force::ForceType<true, true, false>>>::default(),
        Box::<Typed<force::ForceType<true, false, true>>>::default(),
        Box::<Typed<force::ForceType<true, true, true>>>::default(),
    ];
    types.splice(4..4, body::types());
    types.extend(assembly::types());
    types.extend(constraint::types());
    types.extend(sensor::types());
    types
}
