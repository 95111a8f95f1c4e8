//! The size and the dimension of a unit.

/// A unit: its dimension, and its size in the coherent unit of the SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    pub dimension: [i32; 8],
    /// Its size is `numerator / denominator * 10^power`, so that powers of ten move the decimal point only.
    pub(super) numerator: f64,
    pub(super) denominator: f64,
    pub(super) power: i32,
    /// Beginning of the scale, in the unit of the SI: 273.15 K for degC.
    pub(super) offset: f64,
}

/// Turns numbers in one unit into numbers in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    pub(super) numerator: f64,
    pub(super) denominator: f64,
    pub(super) power: i32,
    pub(super) offset: f64,
}

impl Unit {
    pub(super) const ONE: Self = Self::si([0; 8], 0);

    /// Returns the conversion to the coherent unit of the SI.
    pub fn to_coherent(&self) -> Conversion {
        let Self { numerator, denominator, power, offset, .. } = *self;
        Conversion { numerator, denominator, power, offset }
    }

    /// Converts a value to the coherent unit of the SI.
    pub fn to_si(&self, value: f64) -> f64 {
        self.to_coherent().apply(value)
    }

    /// True if the unit is coherent with the SI.
    pub fn is_si(&self) -> bool {
        self.numerator == self.denominator && self.power == 0 && self.offset == 0.0
    }

    /// Makes a unit of the SI with this prefix.
    pub(super) const fn si(dimension: [i32; 8], power: i32) -> Self {
        Self { dimension, numerator: 1.0, denominator: 1.0, power, offset: 0.0 }
    }

    pub(super) const fn of(self, numerator: f64, denominator: f64, power: i32) -> Self {
        Self { numerator, denominator, power, ..self }
    }

    pub(super) const fn from(self, offset: f64) -> Self {
        Self { offset, ..self }
    }

    /// Returns the product with a power of another unit; differences count of units whose scales do not begin at 0.
    pub(super) fn times(mut self, other: Self, exponent: i32) -> Option<Self> {
        self.offset = 0.0;
        for (own, factor) in self.dimension.iter_mut().zip(other.dimension) {
            *own = own.checked_add(factor.checked_mul(exponent)?)?;
        }
        self.power = self.power.checked_add(other.power.checked_mul(exponent)?)?;
        let [above, below] = [other.numerator, other.denominator].map(|factor| factor.powi(exponent.abs()));
        let [above, below] = if exponent < 0 { [below, above] } else { [above, below] };
        (self.numerator, self.denominator) = (self.numerator * above, self.denominator * below);
        let usable = |factor: f64| factor.is_normal() && factor > 0.0;
        (usable(self.numerator) && usable(self.denominator) && self.power.abs() <= MAX_EXPONENT).then_some(self)
    }
}

impl Conversion {
    /// Converts a number to the other unit.
    pub fn apply(&self, value: f64) -> f64 {
        let value = if self.numerator == self.denominator { value } else { value * self.numerator / self.denominator };
        if self.power == 0 {
            return value + self.offset;
        }
        // 4.1 mm must be 0.0041 m, which 4.1 / 1000 is not always.
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent = exponent.parse::<i32>().unwrap_or_default() + self.power;
        format!("{digits}e{exponent}").parse().unwrap_or(value) + self.offset
    }
}

/// Largest power of ten in the size of a unit.
const MAX_EXPONENT: i32 = 300;
