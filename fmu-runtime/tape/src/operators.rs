//! The operators of recorded numbers.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use num_traits::{One, Zero};
use scalar::Scalar;

use crate::number::Recorded;
use crate::operations::{ONE, ZERO};

/// Implements an operator by its value and its derivatives, and by positions where nothing is to be computed.
macro_rules! operator {
    ($Operator:ident $apply:ident, $Assignment:ident $assign:ident,
     |$a:ident, $b:ident| $value:expr, $slopes:expr $(, $known:pat => $result:expr)*) => {
        impl $Operator for Recorded {
            type Output = Self;

            #[inline(never)]
            fn $apply(self, other: Self) -> Self {
                // Apart, so that the other cases save no registers.
                #[inline(never)]
                fn record(one: Recorded, other: Recorded) -> Recorded {
                    one.function_of(other, |[$a, $b]| ($value, $slopes))
                }
                match (self.0, other.0) {
                    $($known => Self($result),)*
                    _ => record(self, other),
                }
            }
        }

        impl $Operator<f64> for Recorded {
            type Output = Self;

            #[inline(never)]
            fn $apply(self, $b: f64) -> Self {
                self.function(|$a| ($value, $slopes[0]))
            }
        }

        impl $Assignment for Recorded {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = self.$apply(other);
            }
        }
    };
}

operator!(Add add, AddAssign add_assign, |a, b| a + b, [1.0, 1.0], (ZERO, x) | (x, ZERO) => x);
operator!(Sub sub, SubAssign sub_assign, |a, b| a - b, [1.0, -1.0], (x, ZERO) => x);
operator!(Mul mul, MulAssign mul_assign, |a, b| a * b, [b, a], (ONE, x) | (x, ONE) => x, (ZERO, _) | (_, ZERO) => ZERO);
operator!(Div div, DivAssign div_assign, |a, b| a / b, [1.0 / b, -(a / b) / b], (x, ONE) => x);
operator!(Rem rem, RemAssign rem_assign, |a, b| a % b, [1.0, -(a / b).trunc()]);

impl Neg for Recorded {
    type Output = Self;

    #[inline(never)]
    fn neg(self) -> Self {
        self.function(|x| (-x, -1.0))
    }
}

impl Zero for Recorded {
    #[inline(always)]
    fn zero() -> Self {
        Self(ZERO)
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.value() == 0.0
    }
}

impl One for Recorded {
    #[inline(always)]
    fn one() -> Self {
        Self(ONE)
    }
}
