//! Frames of parts, and their directions.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Shape, group};
use mechanics::direction::unit;
use mechanics::motion::Motion;
use mechanics::tree::{Closing, Element, Joint};
use nalgebra::{Matrix3, Vector3};
use ports::assembly::shown;

/// Returns the connectors frame_a and frame_b.
pub fn frames() -> Vec<(&'static str, Connector)> {
    vec![("frame_a", Connector::Frame_a), ("frame_b", Connector::Frame_b)]
}

/// Returns the elements of a part that acts on this number of frames.
pub fn loaded<T: Scalar>(count: usize) -> Vec<Element<T>> {
    (0..count).map(|frame| Element::Load { frame }).collect()
}

/// Passes the option of a joint that closes a ring to a visitor.
pub fn visit_closes(closes: &mut bool, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
    visit("closes", "Whether the joint closes a ring, so that its motion follows from that of the others", closes);
}

/// Returns a joint from frame_a to frame_b, or its conditions if it closes a ring.
pub fn joint<T: Scalar>(joint: Joint<T>, closes: bool) -> Element<T> {
    let frames = [0, 1];
    if closes { Element::Ring { frames, closing: Closing::of(joint) } } else { Element::Joint { frames, joint } }
}

/// Returns the shape of a rod from frame_a to frame_b.
pub fn rod(color: &'static str) -> Shape<'static> {
    Shape::rod("rod", ["frame_a", "frame_b"], ["rodDiameter", color])
}

group! {
    /// The origin of a frame.
    pub struct Origin<T>(_o: ()) {
        r_0: Vector3<T>, M, "Position of the origin, resolved in the world frame";
    }
}

impl<T: Scalar> Origin<T> {
    /// Sets the origin from the motion of the frame.
    pub fn set_outputs(&mut self, motion: &Motion<T>) {
        self.r_0 = motion.r_0;
    }
}

/// Returns the rotation to a frame with its x-axis along a vector and its y-axis in the plane of both vectors.
pub fn axes<T: Scalar>(n_x: &Vector3<T>, n_y: &Vector3<T>) -> Matrix3<T> {
    let x = unit(n_x);
    let z = unit(&x.cross(n_y));
    Matrix3::from_rows(&[x.transpose(), z.cross(&x).transpose(), z.transpose()])
}

/// Sine of the angle between two directions below which their common perpendicular is rounding.
const PARALLEL: f64 = 1e-9;

/// Describes the error of a direction that is parallel to another one; both are parameters with these names.
pub fn parallel<T: Scalar>((name, v): (&str, &Vector3<T>), (other, n): (&str, &Vector3<T>)) -> Option<String> {
    let is_parallel = unit(v).cross(&unit(n)).norm().value() <= PARALLEL;
    is_parallel
        .then(|| format!("{name} is {}, parallel to {other} = {}, but must have another direction", shown(v), shown(n)))
}

/// Describes the error of a vector that gives no direction.
pub fn no_direction<T: Scalar>(name: &str, vector: &Vector3<T>) -> Option<String> {
    let is_zero = vector.iter().all(|element| element.value() == 0.0);
    is_zero.then(|| format!("{name} is {}, but must have a direction", shown(vector)))
}
