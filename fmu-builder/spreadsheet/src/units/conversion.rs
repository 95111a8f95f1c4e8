//! Conversion from one unit to another.

use super::symbols::{FREE_FALL, GRAM, PER_MINUTE, RPM};
use super::unit::{Conversion, Unit};

impl Unit {
    /// Returns the conversion to another unit; `None` if that measures something else.
    ///
    /// Customary meanings count, too: an angular velocity in 1/min is one in revolutions per minute, and an
    /// acceleration in g one in multiples of that of free fall.
    pub fn to(&self, target: &Self) -> Option<Conversion> {
        let customary = [(PER_MINUTE, RPM), (GRAM, FREE_FALL)];
        let meant =
            customary.into_iter().find(|(written, meant)| self == written && meant.dimension == target.dimension);
        let from = meant.map_or(*self, |(_, meant)| meant);
        let ratio = from.times(Self { offset: 0.0, ..*target }, -1).filter(|ratio| ratio.dimension == [0; 8])?;
        let mut conversion =
            Conversion { numerator: ratio.numerator, denominator: ratio.denominator, power: ratio.power, offset: 0.0 };
        if from.offset != target.offset {
            conversion.offset = (from.offset - target.offset) / Self { offset: 0.0, ..*target }.to_si(1.0);
        }
        Some(conversion)
    }
}
