//! Bodies, which differ in how mass and inertia tensor are given.

mod inertia;
mod kind;
mod part;
mod shaped;

use crate::part::{AnyPart, Typed};
use part::BodyType;

/// Returns all types of bodies, with default options.
pub fn types() -> [Box<dyn AnyPart>; 4] {
    [
        Box::<Typed<BodyType<inertia::Body>>>::default(),
        Box::<Typed<BodyType<inertia::BodyShape>>>::default(),
        Box::<Typed<BodyType<shaped::BodyBox>>>::default(),
        Box::<Typed<BodyType<shaped::BodyCylinder>>>::default(),
    ]
}
