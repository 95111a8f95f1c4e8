//! Code that runs once or in few systems is compiled here, for size; the code of steps is compiled for speed where it is used.

use crate::drivetrain::{Drivetrain, DrivetrainError, NoDisplacement, Preference, Relation, displacement};
use crate::least_squares::{Condition, LeastSquares, constrained_least_squares};
use crate::points::{PointError, Points};
use crate::tree::{Element, Tree, TreeError};
use crate::{Dual64, Scalar};

/// A scalar type for which code that runs once or in few systems is compiled in this crate.
pub trait Precompiled: Scalar {
    /// See [`Drivetrain::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn drivetrain(
        preferences: &[Preference],
        relations: &[Relation<Self>],
        inertias: Vec<Self>,
        couplings: &[Vec<usize>],
    ) -> Result<Drivetrain<Self>, DrivetrainError>;
    /// See [`Drivetrain::with_inertias`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn with_inertias(
        drivetrain: &Drivetrain<Self>,
        inertias: Vec<Self>,
        couplings: &[Vec<usize>],
    ) -> Result<Drivetrain<Self>, DrivetrainError>;
    /// See [`Drivetrain::merge`].
    fn merge(drivetrain: &mut Drivetrain<Self>, displacements: &[Vec<Self>]) -> Vec<usize>;
    /// See [`displacement`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn displacement(
        preferences: &[Preference],
        relations: &[Relation<Self>],
        cut: usize,
        avoid: &[bool],
    ) -> Result<Vec<Self>, NoDisplacement>;
    /// See [`Tree::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError>;
    /// See [`constrained_least_squares`].
    fn constrained_least_squares(
        count: usize,
        enforced: &[Condition<Self>],
        guessed: &[Condition<Self>],
    ) -> LeastSquares<Self>;
    /// See [`Points::find`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn find_points(points: &mut Points<Self>, is_start: bool) -> Result<(), PointError>;
}

macro_rules! precompile {
    ($($scalar:ty),*) => {$(
        impl Precompiled for $scalar {
            #[inline(never)]
            fn drivetrain(
                preferences: &[Preference],
                relations: &[Relation<Self>],
                inertias: Vec<Self>,
                couplings: &[Vec<usize>],
            ) -> Result<Drivetrain<Self>, DrivetrainError> {
                Drivetrain::new(preferences, relations, inertias, couplings)
            }

            #[inline(never)]
            fn with_inertias(
                drivetrain: &Drivetrain<Self>,
                inertias: Vec<Self>,
                couplings: &[Vec<usize>],
            ) -> Result<Drivetrain<Self>, DrivetrainError> {
                drivetrain.with_inertias(inertias, couplings)
            }

            #[inline(never)]
            fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError> {
                Tree::new(count, elements)
            }

            #[inline(never)]
            fn merge(drivetrain: &mut Drivetrain<Self>, displacements: &[Vec<Self>]) -> Vec<usize> {
                drivetrain.merge(displacements)
            }

            #[inline(never)]
            fn displacement(
                preferences: &[Preference],
                relations: &[Relation<Self>],
                cut: usize,
                avoid: &[bool],
            ) -> Result<Vec<Self>, NoDisplacement> {
                displacement(preferences, relations, cut, avoid)
            }

            #[inline(never)]
            fn constrained_least_squares(count: usize, enforced: &[Condition<Self>], guessed: &[Condition<Self>]) -> LeastSquares<Self> {
                constrained_least_squares(count, enforced, guessed)
            }

            #[inline(never)]
            fn find_points(points: &mut Points<Self>, is_start: bool) -> Result<(), PointError> {
                points.find(is_start)
            }
        }
    )*};
}

precompile!(f64, Dual64);
