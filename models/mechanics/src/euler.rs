//! Euler angles in all twelve sequences.
//!
//! `T = T_k(theta3) T_j(theta2) T_i(theta1)`: first about axis i of the frame, then about axis j of
//! the turned frame, then about axis k of the frame turned twice.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::fmt;

use nalgebra::{Matrix3, Vector3};

use crate::angle::angle;
use crate::rotation::about;
use crate::{Scalar, constant, value};

/// Cosine (for proper sequences sine) of the second angle below which the first and the third angle cannot be told
/// apart.
pub const SINGULAR: f64 = 1e-6;

/// One of the twelve sequences of rotation axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    i: usize,
    j: usize,
    k: usize,
}

/// Axes as text, such as `[1, 2, 3]`. The standard library's formatting of arrays would make each library larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes(pub [i32; 3]);

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [i, j, k] = self.0;
        write!(f, "[{i}, {j}, {k}]")
    }
}

/// The error of axes that are not a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSequence(pub [i32; 3]);

impl fmt::Display for NoSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = Axes(self.0);
        write!(f, "{axes}, but must be three of the axes 1, 2, 3 without equal neighbours, such as [1, 2, 3]")
    }
}

impl Default for Sequence {
    fn default() -> Self {
        Self::XYZ
    }
}

/// Euler angles of a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles<T: Scalar> {
    /// The angles, in rad: the second in [-pi/2, pi/2], for proper sequences in [0, pi]; the others
    /// in [-pi, pi].
    pub theta: Vector3<T>,
    /// True if the first angle was given, since the rotation does not determine it.
    pub singular: bool,
}

impl Sequence {
    /// Rotations about x, then y', then z''.
    pub const XYZ: Self = Self { i: 0, j: 1, k: 2 };

    /// Makes the sequence of three axes from 1 to 3, of which neighbours differ.
    pub fn new(axes: [i32; 3]) -> Result<Self, NoSequence> {
        let valid = axes.iter().all(|axis| (1..=3).contains(axis)) && axes[0] != axes[1] && axes[1] != axes[2];
        if !valid {
            return Err(NoSequence(axes));
        }
        let [i, j, k] = axes.map(|axis| (axis - 1) as usize);
        Ok(Self { i, j, k })
    }

    /// Returns the axes, counted from 0.
    pub fn axes(self) -> [usize; 3] {
        [self.i, self.j, self.k]
    }

    /// True if the first and the third axis are the same, so that the sequence is singular at the identity.
    pub fn is_proper(self) -> bool {
        self.i == self.k
    }

    /// Returns the angles of the rotation matrix `rotation`; where they are not unique, the first one is `theta1`.
    #[inline(always)]
    pub fn angles<T: Scalar>(self, rotation: &Matrix3<T>, theta1: T) -> Angles<T> {
        let Self { i, j, k } = self;
        // In the literature's form, with the columns as axes of the turned frame.
        let r = |row: usize, column: usize| rotation[(column, row)];
        let sign = if (j + 3 - i) % 3 == 1 { T::one() } else { -T::one() };
        let (away, angles) = if self.is_proper() {
            let n = 3 - i - j;
            let sine = length(r(i, j), r(i, n));
            let theta2 = angle(sine, r(i, i));
            (sine, [angle(r(j, i), -sign * r(n, i)), theta2, angle(r(i, j), sign * r(i, n))])
        } else {
            let cosine = length(r(i, i), r(i, j));
            let theta2 = angle(sign * r(i, k), cosine);
            (cosine, [angle(-sign * r(j, k), r(k, k)), theta2, angle(-sign * r(i, j), r(i, i))])
        };
        if away >= constant(SINGULAR) {
            return Angles { theta: angles.into(), singular: false };
        }
        self.singular_angles(rotation, theta1, angles[1])
    }

    /// Returns the angles of the rotation matrix `rotation` on the branch of `reference`: where its second angle is
    /// beyond the range of [`Self::angles`], so is that of the result. So the angles of a reference pose are those that
    /// it was given by.
    #[inline(always)]
    pub fn angles_on_branch<T: Scalar>(self, rotation: &Matrix3<T>, theta1: T, reference: &Vector3<T>) -> Angles<T> {
        if self.is_within(reference) { self.angles(rotation, theta1) } else { self.other_angles(rotation, theta1) }
    }

    /// Returns the angles of the rotation matrix `rotation`, of the two solutions that with the first angle nearer to
    /// `theta1`, which is the first angle where it is not unique.
    pub fn angles_near<T: Scalar>(self, rotation: &Matrix3<T>, theta1: T) -> Angles<T> {
        let angles = self.angles(rotation, theta1);
        if angles.singular {
            return angles;
        }
        let other = self.other_angles(rotation, theta1);
        let distance = |of: &Angles<T>| value(of.theta[0] - theta1).abs();
        if distance(&other) < distance(&angles) { other } else { angles }
    }

    /// True if a second angle is in the range of [`Self::angles`].
    fn is_within<T: Scalar>(self, theta: &Vector3<T>) -> bool {
        let second = value(wrap(theta[1]));
        if self.is_proper() { second >= 0.0 } else { second.abs() <= FRAC_PI_2 }
    }

    /// Returns the angles with the second one beyond the range of [`Self::angles`]: half a turn more of the first and
    /// the third one.
    #[cold]
    #[inline(never)]
    fn other_angles<T: Scalar>(self, rotation: &Matrix3<T>, theta1: T) -> Angles<T> {
        let half = constant::<T>(PI);
        let Angles { theta, singular } = self.angles(rotation, theta1 - half);
        let second = if self.is_proper() { -theta[1] } else { half - theta[1] };
        Angles { theta: Vector3::new(theta[0] + half, second, theta[2] + half).map(wrap), singular }
    }

    /// Returns the sine of the distance of a second angle from the one at which the first and the third angle cannot be
    /// told apart.
    pub fn distance_from_singularity(self, theta2: f64) -> f64 {
        if self.is_proper() { theta2.sin().abs() } else { theta2.cos().abs() }
    }

    /// Solves for the third angle, with the other two given.
    #[cold]
    #[inline(never)]
    fn singular_angles<T: Scalar>(self, rotation: &Matrix3<T>, theta1: T, theta2: T) -> Angles<T> {
        let rest = rotation * (about(self.j, theta2) * about(self.i, theta1)).transpose();
        let (l, m) = ((self.k + 1) % 3, (self.k + 2) % 3);
        let theta3 = angle(rest[(l, m)] - rest[(m, l)], rest[(l, l)] + rest[(m, m)]);
        Angles { theta: Vector3::new(theta1, theta2, theta3), singular: true }
    }

    /// Returns the rotation matrix of the angles.
    pub fn rotation<T: Scalar>(self, theta: &Vector3<T>) -> Matrix3<T> {
        about(self.k, theta[2]) * about(self.j, theta[1]) * about(self.i, theta[0])
    }

    /// Returns the three rotation axes as columns, resolved in the frame from which the angles are counted: the angular
    /// velocity is this matrix times the rates of the angles.
    #[inline(never)]
    pub fn jacobian<T: Scalar>(self, theta: &Vector3<T>) -> Matrix3<T> {
        let first = about(self.i, theta[0]).transpose();
        let second = first * about(self.j, theta[1]).transpose();
        let mut axes = Matrix3::zeros();
        axes[(self.i, 0)] = T::one();
        axes.set_column(1, &first.column(self.j));
        axes.set_column(2, &second.column(self.k));
        axes
    }
}

/// Returns the length of a vector, as a constant at zero, where it has no derivative.
fn length<T: Scalar>(x: T, y: T) -> T {
    let square = x * x + y * y;
    if square > constant(SINGULAR * SINGULAR) { square.sqrt() } else { T::zero() }
}

/// Wraps an angle to (-pi, pi].
#[inline]
pub fn wrap<T: Scalar>(angle: T) -> T {
    if value(angle).abs() < PI {
        return angle;
    }
    let turns = ((value(angle) - PI) / TAU).ceil();
    angle - constant(turns * TAU)
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;
    use proptest::prelude::*;

    use super::*;

    const SEQUENCES: [[i32; 3]; 12] = [
        [1, 2, 3],
        [1, 3, 2],
        [2, 1, 3],
        [2, 3, 1],
        [3, 1, 2],
        [3, 2, 1],
        [1, 2, 1],
        [1, 3, 1],
        [2, 1, 2],
        [2, 3, 2],
        [3, 1, 3],
        [3, 2, 3],
    ];

    fn by_nalgebra(axes: [i32; 3], theta: &[f64]) -> Rotation3<f64> {
        let unit = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
        axes.iter().zip(theta).fold(Rotation3::identity(), |product, (axis, angle)| {
            product * Rotation3::from_axis_angle(&unit[(axis - 1) as usize], *angle)
        })
    }

    proptest! {
        #[test]
        fn angles_give_back_every_rotation(axis in prop::array::uniform3(-3.0..3.0_f64)) {
            let rotation = Rotation3::from_scaled_axis(Vector3::from(axis));
            for axes in SEQUENCES {
                let sequence = Sequence::new(axes).unwrap();
                let angles = sequence.angles(&rotation.matrix().transpose(), 0.0);
                let again = by_nalgebra(axes, angles.theta.as_slice());
                prop_assert!((again.matrix() - rotation.matrix()).amax() < 1e-9, "{axes:?}");
                let matrix = sequence.rotation(&angles.theta).transpose();
                prop_assert!((matrix - again.matrix()).amax() < 1e-15);
            }
        }

        #[test]
        fn angles_on_the_branch_of_a_pose_are_those_of_the_pose(theta in prop::array::uniform3(-3.1..3.1_f64)) {
            let theta = Vector3::from(theta);
            for axes in SEQUENCES {
                let sequence = Sequence::new(axes).unwrap();
                prop_assume!(sequence.distance_from_singularity(theta[1]) > 1e-3);
                let angles = sequence.angles_on_branch(&sequence.rotation(&theta), 0.0, &theta);
                prop_assert!(!angles.singular && (angles.theta - theta).amax() < 1e-9, "{axes:?}: {}", angles.theta);
            }
        }

        #[test]
        fn jacobian_gives_the_angular_velocity(theta in prop::array::uniform3(-1.4..1.4), rate in prop::array::uniform3(-1.0..1.0)) {
            let (theta, rate) = (Vector3::from(theta), Vector3::from(rate));
            let h = 1e-6;
            for axes in SEQUENCES {
                let sequence = Sequence::new(axes).unwrap();
                let at = |s: f64| by_nalgebra(axes, (theta + rate * s).as_slice());
                let spin = (at(h).matrix() - at(-h).matrix()) / (2.0 * h) * at(0.0).matrix().transpose();
                let turned = Vector3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]);
                prop_assert!((sequence.jacobian(&theta) * rate - turned).amax() < 1e-8, "{axes:?}");
            }
        }

        #[test]
        fn wrapped_angle_is_the_same_angle(angle in -50.0..50.0_f64) {
            let wrapped = wrap(angle);
            prop_assert!(wrapped > -PI && wrapped <= PI + 1e-12);
            prop_assert!((wrapped.cos() - angle.cos()).abs() < 1e-12 && (wrapped.sin() - angle.sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn at_a_singularity_the_first_angle_is_kept() {
        for axes in SEQUENCES {
            let sequence = Sequence::new(axes).unwrap();
            let second = if sequence.is_proper() { 0.0 } else { std::f64::consts::FRAC_PI_2 };
            let rotation = by_nalgebra(axes, &[0.4, second, 0.3]);
            let angles = sequence.angles(&rotation.matrix().transpose(), 0.1);
            assert!(angles.singular, "{axes:?}");
            assert_eq!(angles.theta[0], 0.1);
            let again = by_nalgebra(axes, angles.theta.as_slice());
            assert!((again.matrix() - rotation.matrix()).amax() < 1e-9, "{axes:?}");
        }
    }

    #[test]
    fn a_half_turn_stays_positive() {
        assert_eq!(wrap(-PI), PI);
        assert_eq!(wrap(PI), PI);
    }

    #[test]
    fn what_is_no_sequence_is_refused() {
        for axes in [[1, 1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 4]] {
            assert_eq!(Sequence::new(axes), Err(NoSequence(axes)));
        }
        let message = NoSequence([1, 1, 2]).to_string();
        assert_eq!(
            message,
            "[1, 1, 2], but must be three of the axes 1, 2, 3 without equal neighbours, such as [1, 2, 3]"
        );
    }
}
