//! How bodies differ.

use fmu_runtime::{Scalar, Shape, Variable};
use mechanics::tree;
use nalgebra::Vector3;

/// A kind of body.
pub trait BodyKind: Send + Sync + 'static {
    /// The name of the type of part.
    const NAME: &'static str;
    /// One line.
    const TEXT: &'static str;
    /// Whether it has a second frame.
    const HAS_FRAME_B: bool;
    /// How its mass is given.
    type Solid<T: Scalar>: Solid<T>;
    /// What a viewer draws of it.
    fn shapes() -> Vec<Shape<'static>>;
}

/// Parameters of a body, from which its mass and inertia tensor follow.
pub trait Solid<T: Scalar>: Variable<T, Start = ()> {
    /// Mass, center of mass and inertia tensor, resolved in frame_a.
    fn body(&self) -> tree::Body<T>;

    /// Position of frame_b, resolved in frame_a, in m, if there is one.
    fn r(&self) -> Vector3<T> {
        Vector3::zeros()
    }

    /// See [`crate::part::Part::problem`].
    fn problem(&self) -> Option<String>;

    /// See [`crate::part::Part::warning`].
    fn warning(&self) -> Option<String> {
        None
    }

    /// Sets calculated parameters.
    fn set_outputs(&mut self) {}
}
