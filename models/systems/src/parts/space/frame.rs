//! Frames of parts, and directions.

use fmu_runtime::{Connector, Scalar, group};
use mechanics::constant;
use mechanics::motion::Motion;
use nalgebra::Vector3;

/// Both frames of a part.
pub fn frames() -> Vec<(&'static str, Connector)> {
    vec![("frame_a", Connector::Frame_a), ("frame_b", Connector::Frame_b)]
}

group! {
    /// The origin of a frame.
    pub struct Origin<T>(_o: ()) {
        r_0: Vector3<T>, M, "Position of the origin, resolved in the world frame";
    }
}

impl<T: Scalar> Origin<T> {
    /// Sets it.
    pub fn put(&mut self, motion: &Motion<T>) {
        self.r_0 = motion.r_0;
    }
}

/// A vector of length 1; zero if it has none.
pub fn unit<T: Scalar>(vector: &Vector3<T>) -> Vector3<T> {
    // Scaled first, so that no square is 0 or infinite.
    let largest = vector.iter().map(|element| element.value().abs()).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return Vector3::zeros();
    }
    let scaled: Vector3<T> = vector / constant::<T>(largest);
    scaled / scaled.norm()
}

/// Why a vector gives no direction.
pub fn no_direction<T: Scalar>(name: &str, vector: &Vector3<T>) -> Option<String> {
    let is_zero = vector.iter().all(|element| element.value() == 0.0);
    is_zero.then(|| format!("{name} is {{0, 0, 0}}, but must have a direction"))
}
