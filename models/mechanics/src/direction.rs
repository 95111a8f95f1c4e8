//! Unit vectors of directions.

use nalgebra::Vector3;

use crate::{Scalar, constant, value};

/// Range in which the square of a length is exact enough.
const SQUARES: std::ops::Range<f64> = 1e-280..1e280;

/// Returns the unit vector in the direction of a vector; zero for a zero vector.
#[inline]
pub fn unit<T: Scalar>(vector: &Vector3<T>) -> Vector3<T> {
    let square = vector.norm_squared();
    if SQUARES.contains(&value(square)) { vector / square.sqrt() } else { scaled(vector) }
}

/// Returns the unit vector where the square of the length would be 0 or infinite.
#[cold]
fn scaled<T: Scalar>(vector: &Vector3<T>) -> Vector3<T> {
    let largest = vector.iter().map(|element| value(*element).abs()).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return Vector3::zeros();
    }
    let scaled: Vector3<T> = vector / constant::<T>(largest);
    scaled / scaled.norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_does_not_depend_on_the_length() {
        let expected = Vector3::new(0.6, 0.0, -0.8);
        for length in [1e-300, 1e-170, 1e-3, 1.0, 1e3, 1e170, 1e300] {
            assert!((unit(&(expected * length)) - expected).amax() < 1e-15, "{length}");
        }
        assert_eq!(unit(&Vector3::<f64>::zeros()), Vector3::zeros());
    }
}
