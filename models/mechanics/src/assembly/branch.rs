//! The two configurations of a loop.

use crate::{Scalar, constant};

/// The two configurations, named by the sign of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// The root is added.
    Positive,
    /// The root is subtracted.
    Negative,
}

/// Relative difference of the distances to the guess below which they count as equal.
const TIE_TOLERANCE: f64 = 1e-12;

impl Branch {
    /// The branch with a positive or negative root.
    pub fn new(positive: bool) -> Self {
        if positive { Self::Positive } else { Self::Negative }
    }

    /// The branch whose coordinate is nearer to the guess, without subtracting full turns; the positive one if
    /// the guess is in the middle.
    pub fn nearest<T: Scalar>([positive, negative]: [T; 2], guess: T) -> Self {
        let (to_positive, to_negative) = ((positive - guess).abs(), (negative - guess).abs());
        let rounding = constant::<T>(TIE_TOLERANCE) * (to_positive + to_negative);
        if to_positive <= to_negative + rounding { Self::Positive } else { Self::Negative }
    }

    /// A root with the sign of the branch.
    pub fn signed<T: Scalar>(self, root: T) -> T {
        match self {
            Self::Positive => root,
            Self::Negative => -root,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_gives_the_positive_branch() {
        assert_eq!(Branch::nearest([2.0, 0.0], 1.0), Branch::Positive);
        assert_eq!(Branch::nearest([0.3, 0.1], 0.2), Branch::Positive, "0.3 - 0.2 is not 0.2 - 0.1 in binary");
        assert_eq!(Branch::nearest([2.0, 0.0], 0.999_999), Branch::Negative);
    }
}
