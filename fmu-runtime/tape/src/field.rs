//! Traits of numbers that nalgebra requires.

use std::f64::consts::{LN_2, LN_10};

use approx::{AbsDiffEq, RelativeEq, UlpsEq};
use num_traits::{FromPrimitive, Num, Signed, Zero};
use scalar::Scalar;
use simba::scalar::{ComplexField, Field, RealField, SubsetOf};
use simba::simd::SimdValue;

use crate::number::Recorded;

impl FromPrimitive for Recorded {
    fn from_i64(n: i64) -> Option<Self> {
        f64::from_i64(n).map(Self::constant)
    }

    fn from_u64(n: u64) -> Option<Self> {
        f64::from_u64(n).map(Self::constant)
    }

    fn from_f64(n: f64) -> Option<Self> {
        Some(Self::constant(n))
    }
}

impl Num for Recorded {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        <f64 as Num>::from_str_radix(text, radix).map(Self::constant)
    }
}

impl Signed for Recorded {
    fn abs(&self) -> Self {
        if self.value().is_sign_negative() { -*self } else { *self }
    }

    fn abs_sub(&self, other: &Self) -> Self {
        if self <= other { Self::zero() } else { *self - *other }
    }

    fn signum(&self) -> Self {
        Self::constant(self.value().signum())
    }

    fn is_positive(&self) -> bool {
        self.value().is_sign_positive()
    }

    fn is_negative(&self) -> bool {
        self.value().is_sign_negative()
    }
}

impl AbsDiffEq for Recorded {
    type Epsilon = Self;

    fn default_epsilon() -> Self {
        Self::constant(f64::default_epsilon())
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: Self) -> bool {
        self.value().abs_diff_eq(&other.value(), epsilon.value())
    }
}

impl RelativeEq for Recorded {
    fn default_max_relative() -> Self {
        Self::constant(f64::default_max_relative())
    }

    fn relative_eq(&self, other: &Self, epsilon: Self, max_relative: Self) -> bool {
        self.value().relative_eq(&other.value(), epsilon.value(), max_relative.value())
    }
}

impl UlpsEq for Recorded {
    fn default_max_ulps() -> u32 {
        f64::default_max_ulps()
    }

    fn ulps_eq(&self, other: &Self, epsilon: Self, max_ulps: u32) -> bool {
        self.value().ulps_eq(&other.value(), epsilon.value(), max_ulps)
    }
}

impl SimdValue for Recorded {
    type Element = Self;
    type SimdBool = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(number: Self) -> Self {
        number
    }

    #[inline(always)]
    fn extract(&self, _: usize) -> Self {
        *self
    }

    #[inline(always)]
    unsafe fn extract_unchecked(&self, _: usize) -> Self {
        *self
    }

    #[inline(always)]
    fn replace(&mut self, _: usize, number: Self) {
        *self = number;
    }

    #[inline(always)]
    unsafe fn replace_unchecked(&mut self, _: usize, number: Self) {
        *self = number;
    }

    #[inline(always)]
    fn select(self, condition: bool, other: Self) -> Self {
        if condition { self } else { other }
    }
}

impl Field for Recorded {}

impl SubsetOf<Self> for Recorded {
    #[inline(always)]
    fn to_superset(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn from_superset_unchecked(number: &Self) -> Self {
        *number
    }

    fn is_in_subset(_: &Self) -> bool {
        true
    }
}

impl SubsetOf<Recorded> for f64 {
    #[inline(always)]
    fn to_superset(&self) -> Recorded {
        Recorded::constant(*self)
    }

    #[inline(always)]
    fn from_superset_unchecked(number: &Recorded) -> Self {
        number.value()
    }

    fn is_in_subset(_: &Recorded) -> bool {
        true
    }
}

impl SubsetOf<Recorded> for f32 {
    fn to_superset(&self) -> Recorded {
        Recorded::constant(f64::from(*self))
    }

    fn from_superset_unchecked(number: &Recorded) -> Self {
        number.value() as f32
    }

    fn is_in_subset(_: &Recorded) -> bool {
        true
    }
}

/// Implements functions of one number by their derivatives.
macro_rules! functions {
    ($($name:ident |$x:ident| $slope:expr;)*) => {$(
#[inline(never)]
        fn $name(self) -> Self {
            self.function(|$x| (ComplexField::$name($x), $slope))
        }
    )*};
}

/// Implements functions that are constant between jumps.
macro_rules! steps {
    ($($name:ident)*) => {$(
        fn $name(self) -> Self {
            Self::constant(self.value().$name())
        }
    )*};
}

impl ComplexField for Recorded {
    type RealField = Self;

    functions! {
        recip |x| -1.0 / (x * x);
        sin |x| x.cos();
        cos |x| -x.sin();
        tan |x| 1.0 + x.tan() * x.tan();
        asin |x| 1.0 / (1.0 - x * x).sqrt();
        acos |x| -1.0 / (1.0 - x * x).sqrt();
        atan |x| 1.0 / (1.0 + x * x);
        sinh |x| x.cosh();
        cosh |x| x.sinh();
        tanh |x| 1.0 - x.tanh() * x.tanh();
        asinh |x| 1.0 / (x * x + 1.0).sqrt();
        acosh |x| 1.0 / (x * x - 1.0).sqrt();
        atanh |x| 1.0 / (1.0 - x * x);
        log2 |x| 1.0 / (x * LN_2);
        log10 |x| 1.0 / (x * LN_10);
        ln |x| 1.0 / x;
        ln_1p |x| 1.0 / (1.0 + x);
        sqrt |x| 0.5 / x.sqrt();
        exp |x| x.exp();
        exp2 |x| x.exp2() * LN_2;
        exp_m1 |x| x.exp();
        cbrt |x| 1.0 / (3.0 * x.cbrt() * x.cbrt());
        fract |x| 1.0;
    }

    steps!(signum floor ceil round trunc);

    #[inline(always)]
    fn from_real(number: Self) -> Self {
        number
    }

    #[inline(always)]
    fn real(self) -> Self {
        self
    }

    fn imaginary(self) -> Self {
        Self::zero()
    }

    #[inline(always)]
    fn modulus(self) -> Self {
        Signed::abs(&self)
    }

    #[inline(always)]
    fn modulus_squared(self) -> Self {
        self * self
    }

    fn argument(self) -> Self {
        if self.value() >= 0.0 { Self::zero() } else { Self::pi() }
    }

    #[inline(always)]
    fn norm1(self) -> Self {
        Signed::abs(&self)
    }

    #[inline(always)]
    fn scale(self, factor: Self) -> Self {
        self * factor
    }

    #[inline(always)]
    fn unscale(self, factor: Self) -> Self {
        self / factor
    }

    fn mul_add(self, factor: Self, summand: Self) -> Self {
        self * factor + summand
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Signed::abs(&self)
    }

    #[inline(never)]
    fn hypot(self, other: Self) -> Self {
        self.function_of(other, |[x, y]| (x.hypot(y), [x / x.hypot(y), y / x.hypot(y)]))
    }

    #[inline(always)]
    fn conjugate(self) -> Self {
        self
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }

    #[inline(never)]
    fn powi(self, n: i32) -> Self {
        self.function(|x| (x.powi(n), f64::from(n) * x.powi(n - 1)))
    }

    #[inline(never)]
    fn powf(self, n: Self) -> Self {
        self.function_of(n, |[x, n]| (x.powf(n), [n * x.powf(n - 1.0), x.powf(n) * x.ln()]))
    }

    fn powc(self, n: Self) -> Self {
        self.powf(n)
    }

    #[inline(always)]
    fn is_finite(&self) -> bool {
        self.value().is_finite()
    }

    fn try_sqrt(self) -> Option<Self> {
        (self.value() >= 0.0).then(|| self.sqrt())
    }
}

/// Implements constants.
macro_rules! constants {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name() -> Self {
            Self::constant(<f64 as RealField>::$name())
        }
    )*};
}

impl RealField for Recorded {
    constants!(pi two_pi frac_pi_2 frac_pi_3 frac_pi_4 frac_pi_6 frac_pi_8 frac_1_pi frac_2_pi frac_2_sqrt_pi);
    constants!(e log2_e log10_e ln_2 ln_10);

    #[inline(always)]
    fn is_sign_positive(&self) -> bool {
        self.value().is_sign_positive()
    }

    #[inline(always)]
    fn is_sign_negative(&self) -> bool {
        self.value().is_sign_negative()
    }

    fn copysign(self, sign: Self) -> Self {
        if self.value().is_sign_negative() == sign.value().is_sign_negative() { self } else { -self }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    #[inline(always)]
    fn clamp(self, min: Self, max: Self) -> Self {
        if self < min {
            min
        } else if self > max {
            max
        } else {
            self
        }
    }

    #[inline(never)]
    fn atan2(self, other: Self) -> Self {
        self.function_of(other, |[y, x]| {
            let square = x * x + y * y;
            (y.atan2(x), [x / square, -y / square])
        })
    }

    fn min_value() -> Option<Self> {
        Some(Self::constant(f64::MIN))
    }

    fn max_value() -> Option<Self> {
        Some(Self::constant(f64::MAX))
    }
}
