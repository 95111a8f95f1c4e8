//! Parts in space. Their equations of motion are those of `mechanics::tree`.

mod assembly;
mod body;
mod frame;
mod joint;
mod rigid;
mod world;

use super::domain::{Rotational, Translational};
use crate::part::{AnyPart, Typed};

/// All types, with default options.
pub fn types() -> Vec<Box<dyn AnyPart>> {
    let mut types: Vec<Box<dyn AnyPart>> = vec![
        Box::<Typed<world::WorldType>>::default(),
        Box::<Typed<rigid::FixedType>>::default(),
        Box::<Typed<rigid::FixedTranslationType>>::default(),
        Box::<Typed<rigid::FixedRotationType>>::default(),
        Box::<Typed<body::BodyType>>::default(),
        Box::<Typed<body::BodyShapeType>>::default(),
        Box::<Typed<joint::JointType<Rotational>>>::default(),
        Box::<Typed<joint::JointType<Translational>>>::default(),
    ];
    types.extend(assembly::types());
    types
}
