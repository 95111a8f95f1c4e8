//! Rotation matrices from the inputs of importers: matrices, quaternions, cardan angles.

use nalgebra::{Matrix3, Vector3, Vector4};

use crate::angle::angle;
use crate::{Scalar, constant, value};

/// Largest deviation that is corrected; more is an error of the importer.
pub const MAX_DEVIATION: f64 = 1e-3;

/// Reason why a matrix is not a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RotationError {
    /// The largest element of `|T^T T - 1|` is too large.
    Deviation(f64),
    /// The matrix is orthogonal, but its determinant is negative.
    Reflection,
}

/// Returns the rotation matrix nearest to `matrix` (its polar factor), or the reason why there is none.
#[inline]
pub fn nearest<T: Scalar>(matrix: &Matrix3<T>) -> Result<Matrix3<T>, RotationError> {
    let values = matrix.map(value);
    let rotation = polar_factor(&values)?;
    Ok(if T::IS_DUAL { differentiated(&rotation, &values, matrix) } else { rotation.map(constant) })
}

/// Gives `rotation`, the nearest one to the matrix with the value `x`, its derivative by that matrix.
///
/// ```text
/// X = R S,   dR_m = R_m x w,   (tr(S) - S) w = sum of dX_m x R_m      m: rows
/// ```
#[inline(never)]
fn differentiated<T: Scalar>(rotation: &Matrix3<f64>, x: &Matrix3<f64>, matrix: &Matrix3<T>) -> Matrix3<T> {
    let s = rotation.transpose() * x;
    let k = Matrix3::identity() * s.trace() - s;
    let columns = [0, 1, 2].map(|i| k.column(i).into_owned());
    let determinant = columns[0].dot(&columns[1].cross(&columns[2]));
    let rows = [0, 1, 2].map(|m| rotation.row(m).transpose());
    let arguments = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|element| matrix[element]);
    let w = [0, 1, 2].map(|i| {
        let of_inverse = columns[(i + 1) % 3].cross(&columns[(i + 2) % 3]) / determinant;
        let slopes = Matrix3::from_columns(&rows.map(|row| row.cross(&of_inverse))).transpose();
        T::depending(0.0, arguments, [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|element| slopes[element]))
    });
    Matrix3::from_fn(|m, n| {
        let (second, third) = ((n + 1) % 3, (n + 2) % 3);
        let slopes = [-rotation[(m, third)], rotation[(m, second)]];
        T::depending(rotation[(m, n)], [w[second], w[third]], slopes)
    })
}

/// Newton-Schulz iteration `X - X (X^T X - 1) / 2`, which converges quadratically.
// Inlined or not, it is compiled for speed where it is used.
#[inline]
fn polar_factor(matrix: &Matrix3<f64>) -> Result<Matrix3<f64>, RotationError> {
    let mut error = orthogonality(matrix);
    if !is_below(&error, MAX_DEVIATION) {
        return Err(RotationError::Deviation(error.amax()));
    }
    let [x, y, z] = [0, 1, 2].map(|i| matrix.column(i).into_owned());
    if x.cross(&y).dot(&z) < 0.0 {
        return Err(RotationError::Reflection);
    }
    let mut rotation = *matrix;
    if !is_below(&error, 1e-8) {
        for _ in 0..2 {
            rotation -= rotation * (error * 0.5);
            error = orthogonality(&rotation);
        }
    }
    Ok(rotation - rotation * (error * 0.5))
}

/// Computes `T^T T - 1`.
#[inline(always)]
fn orthogonality(matrix: &Matrix3<f64>) -> Matrix3<f64> {
    let [x, y, z] = [0, 1, 2].map(|i| matrix.column(i).into_owned());
    let (xy, xz, yz) = (x.dot(&y), x.dot(&z), y.dot(&z));
    Matrix3::new(x.dot(&x) - 1.0, xy, xz, xy, y.dot(&y) - 1.0, yz, xz, yz, z.dot(&z) - 1.0)
}

/// True if all elements of a symmetric matrix are numbers of at most `limit` in size.
#[inline(always)]
fn is_below(matrix: &Matrix3<f64>, limit: f64) -> bool {
    [0, 3, 4, 6, 7, 8].into_iter().fold(true, |below, i| below & (matrix[i].abs() <= limit))
}

/// Returns the rotation matrix of a quaternion in Modelica's order (scalar part last), or the deviation of the
/// quaternion's length from 1.
#[inline(never)]
pub fn from_quaternion<T: Scalar>(quaternion: &Vector4<T>) -> Result<Matrix3<T>, T> {
    let length = quaternion.norm();
    let deviation = (length - T::one()).abs();
    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "so it also rejects NaN")]
    if !(deviation <= constant(MAX_DEVIATION)) {
        return Err(deviation);
    }
    Ok(from_unit_quaternion(&(quaternion / length)))
}

/// Returns the rotation matrix of a quaternion of any length in Modelica's order, scalar part last; none if the length
/// is 0 or no number.
pub fn from_any_quaternion<T: Scalar>(quaternion: &Vector4<T>) -> Option<Matrix3<T>> {
    let length = quaternion.norm();
    let is_length = value(length) > 0.0 && value(length).is_finite();
    is_length.then(|| from_unit_quaternion(&(quaternion / length)))
}

fn from_unit_quaternion<T: Scalar>(q: &Vector4<T>) -> Matrix3<T> {
    let (vector, scalar) = (q.xyz(), q[3]);
    let two = constant::<T>(2.0);
    let diagonal = two * scalar * scalar - T::one();
    Matrix3::identity() * diagonal + (vector * vector.transpose() - vector.cross_matrix() * scalar) * two
}

/// Returns the rate of the quaternion of a frame in Modelica's order, in 1/s, while the frame turns with the angular
/// velocity `w`, resolved in it, in rad/s.
pub fn quaternion_rate<T: Scalar>(quaternion: &Vector4<T>, w: &Vector3<T>) -> Vector4<T> {
    let (vector, scalar) = (quaternion.xyz(), quaternion[3]);
    let rate = w * scalar + vector.cross(w);
    Vector4::new(rate.x, rate.y, rate.z, -vector.dot(w)) * constant::<T>(0.5)
}

/// Returns the quaternion of a rotation matrix in Modelica's order, scalar part last and not negative.
#[inline(never)]
pub fn to_quaternion<T: Scalar>(rotation: &Matrix3<T>) -> Vector4<T> {
    let t = |i: usize, j: usize| rotation[(i, j)];
    let (one, quarter) = (T::one(), constant::<T>(0.25));
    // Four times the squares of the parts; the largest is safe to divide by.
    let squares = [
        one + t(0, 0) - t(1, 1) - t(2, 2),
        one - t(0, 0) + t(1, 1) - t(2, 2),
        one - t(0, 0) - t(1, 1) + t(2, 2),
        one + t(0, 0) + t(1, 1) + t(2, 2),
    ];
    let sums = [t(1, 2) + t(2, 1), t(2, 0) + t(0, 2), t(0, 1) + t(1, 0)];
    let differences = [t(1, 2) - t(2, 1), t(2, 0) - t(0, 2), t(0, 1) - t(1, 0)];
    let products = [
        [squares[0], sums[2], sums[1], differences[0]],
        [sums[2], squares[1], sums[0], differences[1]],
        [sums[1], sums[0], squares[2], differences[2]],
        [differences[0], differences[1], differences[2], squares[3]],
    ];
    let largest = (0..3).fold(3, |best, i| if squares[i] > squares[best] { i } else { best });
    let q = Vector4::from(products[largest]) * (quarter / (squares[largest] * quarter).sqrt());
    if q[3] < T::zero() { -q } else { q }
}

/// Returns the quaternion after a further rotation by the rotation vector `turn` in rad, resolved in the frame.
pub fn turned<T: Scalar>(quaternion: &Vector4<T>, turn: &Vector3<T>) -> Vector4<T> {
    let square = turn.norm_squared();
    let (cos, ratio) = if value(square) < SMALL_ANGLE * SMALL_ANGLE {
        // At an angle of 0 the length has no derivative.
        (T::one() - square * constant(0.125), T::one() - square * constant(1.0 / 24.0))
    } else {
        let angle = square.sqrt();
        let (sin, cos) = (angle * constant(0.5)).sin_cos();
        (cos, sin * constant(2.0) / angle)
    };
    quaternion * cos + quaternion_rate(quaternion, turn) * ratio
}

/// Angle in rad below which values are taken from the first terms of series, which are exact to rounding there.
const SMALL_ANGLE: f64 = 1e-4;

/// Returns the rotation vector of a rotation matrix, in rad: the axis times the angle, which is at most half a turn.
pub fn rotation_vector<T: Scalar>(rotation: &Matrix3<T>) -> Vector3<T> {
    let q = to_quaternion(rotation);
    let square = q.xyz().norm_squared();
    let two = constant::<T>(2.0);
    let ratio = if value(square) < SMALL_ANGLE * SMALL_ANGLE {
        (two - square * two / (q[3] * q[3] * constant(3.0))) / q[3]
    } else {
        let sine = square.sqrt();
        two * angle(sine, q[3]) / sine
    };
    q.xyz() * ratio
}

/// Returns the rotation matrix of cardan angles: about x, then y', then z''.
#[inline(never)]
pub fn from_cardan<T: Scalar>(phi: &Vector3<T>) -> Matrix3<T> {
    about(2, phi[2]) * about(1, phi[1]) * about(0, phi[0])
}

/// Returns the matrix from a frame to the one that is turned by `angle` about its axis 0, 1 or 2.
#[inline(never)]
pub fn about<T: Scalar>(axis: usize, angle: T) -> Matrix3<T> {
    let (sin, cos) = angle.sin_cos();
    let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = Matrix3::zeros();
    matrix[(axis, axis)] = T::one();
    matrix[(second, second)] = cos;
    matrix[(third, third)] = cos;
    matrix[(second, third)] = sin;
    matrix[(third, second)] = -sin;
    matrix
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, UnitQuaternion};
    use proptest::prelude::*;

    use super::*;
    use crate::Dual64;

    fn vector() -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-3.0..3.0).prop_map(Vector3::from)
    }

    proptest! {
        #[test]
        fn cardan_angles_are_three_rotations_of_nalgebra(phi in vector()) {
            let axes = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
            let rotation = axes.iter().zip(phi.iter()).fold(Rotation3::identity(), |product, (axis, angle)| {
                product * Rotation3::from_axis_angle(axis, *angle)
            });
            prop_assert!((from_cardan(&phi).transpose() - rotation.matrix()).amax() < 1e-15);
        }

        #[test]
        fn quaternion_is_that_of_nalgebra(axis in vector(), stretch in 0.9995..1.0005) {
            let unit = UnitQuaternion::from_scaled_axis(axis);
            let q = unit.quaternion();
            let scaled = Vector4::new(q.i, q.j, q.k, q.w) * stretch;
            let matrix = from_quaternion(&scaled).unwrap();
            prop_assert!((matrix.transpose() - unit.to_rotation_matrix().matrix()).amax() < 1e-14);
        }

        #[test]
        fn a_quaternion_turns_with_its_frame(axis in vector(), w in vector(), length in 0.1..10.0) {
            let q = to_quaternion(Rotation3::from_scaled_axis(axis).matrix()) * length;
            let h = 1e-6;
            let at = |s: f64| from_any_quaternion(&(q + quaternion_rate(&q, &w) * s)).unwrap();
            let turn = -(at(h) - at(-h)) / (2.0 * h) * at(0.0).transpose();
            prop_assert!((turn - w.cross_matrix()).amax() < 1e-8, "{turn} {w}");
        }

        #[test]
        fn a_quaternion_gives_back_its_rotation(axis in vector()) {
            let rotation = Rotation3::from_scaled_axis(axis).matrix().transpose();
            let q = to_quaternion(&rotation);
            prop_assert!(q[3] >= 0.0 && (q.norm() - 1.0).abs() < 1e-14);
            prop_assert!((from_quaternion(&q).unwrap() - rotation).amax() < 1e-14);
        }

        #[test]
        fn a_rotation_vector_is_that_of_nalgebra(axis in vector(), stretch in prop_oneof![Just(1e-7), Just(1.0)]) {
            let axis = axis * stretch;
            let rotation = Rotation3::from_scaled_axis(axis);
            let found = rotation_vector(&rotation.matrix().transpose());
            // The rotation vector of nalgebra is not exact for small turns.
            let exact = if stretch < 1.0 { axis } else { rotation.scaled_axis() };
            prop_assert!((found - exact).amax() < 1e-9 * stretch, "{found} {exact}");
            let start = to_quaternion(&Rotation3::from_euler_angles(0.3, -0.8, 1.9).matrix().transpose());
            let q = UnitQuaternion::from_euler_angles(0.3, -0.8, 1.9) * UnitQuaternion::from_scaled_axis(axis);
            let expected = Vector4::new(q.i, q.j, q.k, q.w);
            prop_assert!((turned(&start, &axis) - expected).amax().min((turned(&start, &axis) + expected).amax()) < 1e-14);
        }

        #[test]
        fn nearest_rotation_is_the_polar_factor(axis in vector(), errors in prop::array::uniform9(-2e-4..2e-4)) {
            let rotation = *Rotation3::from_scaled_axis(axis).matrix();
            let disturbed = rotation + Matrix3::from_row_slice(&errors);
            let nearest = nearest(&disturbed).unwrap();
            let svd = disturbed.svd(true, true);
            let polar = svd.u.unwrap() * svd.v_t.unwrap();
            prop_assert!((nearest - polar).amax() < 1e-14);
        }

        #[test]
        fn nearest_rotation_has_the_derivative_of_the_polar_factor(
            axis in vector(),
            errors in prop::array::uniform9(-2e-4..2e-4),
            direction in prop::array::uniform9(-1.0..1.0),
        ) {
            let direction = Matrix3::from_row_slice(&direction);
            let matrix = *Rotation3::from_scaled_axis(axis).matrix() + Matrix3::from_row_slice(&errors);
            let polar = |s: f64| {
                let svd = (matrix + direction * s).svd(true, true);
                svd.u.unwrap() * svd.v_t.unwrap()
            };
            let h = 1e-4;
            let differences = (polar(h) - polar(-h)) / (2.0 * h);
            let nearest = nearest(&matrix.zip_map(&direction, Dual64::new)).unwrap();
            prop_assert!((nearest.map(value) - polar(0.0)).amax() < 1e-14);
            prop_assert!((nearest.map(|element| element.eps) - differences).amax() < 1e-7, "{nearest} {differences}");
        }
    }

    #[test]
    fn what_is_no_rotation_is_refused() {
        assert_eq!(nearest(&(Matrix3::identity() * 1.5)), Err(RotationError::Deviation(1.25)));
        assert_eq!(nearest(&(Matrix3::identity() * -1.5)), Err(RotationError::Deviation(1.25)));
        assert_eq!(nearest(&Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0))), Err(RotationError::Reflection));
        assert!(nearest(&Matrix3::from_element(f64::NAN)).is_err());
        assert_eq!(from_quaternion(&Vector4::new(0.0, 0.0, 0.0, 2.0)), Err(1.0));
        assert_eq!(from_any_quaternion(&Vector4::<f64>::zeros()), None);
        assert_eq!(from_any_quaternion(&Vector4::new(f64::INFINITY, 0.0, 0.0, 1.0)), None);
    }

    #[test]
    fn half_turns_have_a_quaternion() {
        for axis in [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()] {
            let rotation = Rotation3::from_axis_angle(&axis, std::f64::consts::PI).matrix().transpose();
            assert!((from_quaternion(&to_quaternion(&rotation)).unwrap() - rotation).amax() < 1e-15);
        }
    }

    #[test]
    fn the_identity_stays_exactly() {
        assert_eq!(to_quaternion(&Matrix3::<f64>::identity()), Vector4::new(0.0, 0.0, 0.0, 1.0));
        assert_eq!(nearest(&Matrix3::<f64>::identity()), Ok(Matrix3::identity()));
        assert_eq!(from_quaternion(&Vector4::new(0.0, 0.0, 0.0, 1.0)), Ok(Matrix3::<f64>::identity()));
    }
}
