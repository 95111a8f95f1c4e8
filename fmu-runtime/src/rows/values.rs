//! The values of all variables, flat: a value reference is an index plus an offset for the type.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::rows::scalar::Scalar;

/// The location of a table among the Reals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// Name of the parameter.
    pub name: String,
    /// Index of the first element.
    pub offset: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl TableShape {
    /// Returns the range of the table's elements among the Reals from `begin` on.
    pub(crate) fn elements(&self, begin: usize) -> Range<usize> {
        let offset = self.offset - begin;
        offset..offset + self.rows * self.columns
    }
}

/// The values of all variables of one instance, memory included.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// Reals, the tables' elements last.
    pub reals: Vec<f64>,
    /// Number of Reals before the tables' elements.
    #[serde(skip)]
    pub before_tables: usize,
    /// Integers and enumerations.
    pub integers: Vec<i32>,
    /// Booleans.
    pub booleans: Vec<bool>,
    /// Strings.
    pub strings: Vec<String>,
}

impl Values {
    /// Copies other values of the same shape without allocating, except strings.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.reals.copy_from_slice(&other.reals);
        self.integers.copy_from_slice(&other.integers);
        self.booleans.copy_from_slice(&other.booleans);
        for (own, other) in self.strings.iter_mut().zip(&other.strings) {
            // Comparing nothing with nothing is slow: memcmp may touch the addresses.
            if !(own.is_empty() && other.is_empty()) && own != other {
                own.clone_from(other);
            }
        }
    }

    /// Returns true if `other` has as many values of each type.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.reals.len() == other.reals.len()
            && self.integers.len() == other.integers.len()
            && self.booleans.len() == other.booleans.len()
            && self.strings.len() == other.strings.len()
    }
}

/// Reads values in the order of the declaration.
#[derive(Clone)]
pub struct Reader<'a, T> {
    reals: &'a [T],
    /// Index of the first Real of the tables.
    before_tables: usize,
    integers: &'a [i32],
    booleans: &'a [bool],
    /// Number of values passed so far, by type.
    passed: Size,
    strings: usize,
    tables: usize,
    attachments: usize,
}

impl<'a, T: Copy> Reader<'a, T> {
    /// Makes a reader at the start; the Reals may be in another scalar type than the stored ones.
    pub fn new(reals: &'a [T], values: &'a Values) -> Self {
        let Values { integers, booleans, before_tables, .. } = values;
        Self {
            reals,
            before_tables: *before_tables,
            integers,
            booleans,
            passed: Size::NONE,
            strings: 0,
            tables: 0,
            attachments: 0,
        }
    }

    /// Makes a reader of a part of a model, whose values begin at these offsets and have this size. A part has no group
    /// behind its other rows.
    #[inline(always)]
    pub fn at(reals: &'a [T], integers: &'a [i32], booleans: &'a [bool], offsets: Offsets, size: Size) -> Self {
        let Offsets { passed, strings, tables, attachments } = offsets;
        Self {
            reals: slice(reals, passed.reals, size.reals),
            before_tables: 0,
            integers: slice(integers, passed.integers, size.integers),
            booleans: slice(booleans, passed.booleans, size.booleans),
            passed: Size::NONE,
            strings,
            tables,
            attachments,
        }
    }

    /// Limits the reader to this size, at the beginning. Where the size is a constant, it takes the place of a check
    /// for each value.
    #[inline(always)]
    pub fn limited(self, size: Size) -> Self {
        Self {
            reals: &self.reals[..size.reals],
            before_tables: self.before_tables,
            integers: &self.integers[..size.integers],
            booleans: &self.booleans[..size.booleans],
            passed: Size::NONE,
            ..self
        }
    }

    /// Returns a reader of the Reals from `begin` on, if there are any before the tables.
    #[inline(always)]
    pub fn rest(&self, begin: usize, size: Size) -> Option<Self> {
        let rest = || Self { reals: &self.reals[begin..begin + size.reals], passed: Size::NONE, ..*self };
        (self.before_tables > begin).then(rest)
    }

    /// Skips values of this size.
    #[inline(always)]
    pub fn skip(&mut self, size: Size) {
        self.passed = self.passed.plus(size);
    }

    /// Reads the next `N` Reals.
    #[inline(always)]
    pub fn reals<const N: usize>(&mut self) -> [T; N] {
        let from = self.passed.reals;
        self.passed.reals += N;
        // One by one, code that is optimised for size calls a function for each, also for those that nobody uses. All at once, code
        // that is optimised for speed copies more than it needs.
        #[cfg(any(fmu_small, target_family = "wasm"))]
        return self.reals.get(from..).and_then(<[T]>::first_chunk).copied().unwrap_or_else(|| missing());
        #[cfg(not(any(fmu_small, target_family = "wasm")))]
        std::array::from_fn(|i| self.reals[from + i])
    }

    /// Reads the next Integer.
    #[inline(always)]
    pub fn integer(&mut self) -> i32 {
        self.passed.integers += 1;
        self.integers[self.passed.integers - 1]
    }

    /// Reads the next Boolean.
    #[inline(always)]
    pub fn boolean(&mut self) -> bool {
        self.passed.booleans += 1;
        self.booleans[self.passed.booleans - 1]
    }

    /// Returns the position of the next String.
    pub fn string(&mut self) -> usize {
        self.strings += 1;
        self.strings - 1
    }

    /// Returns the position of the next table.
    pub fn table(&mut self) -> usize {
        self.tables += 1;
        self.tables - 1
    }

    /// Returns the position of the next attachment.
    pub fn attachment(&mut self) -> usize {
        self.attachments += 1;
        self.attachments - 1
    }
}

/// Returns a slice of values, in little code: each type of part reads them at many places.
#[inline(always)]
fn slice<V>(all: &[V], begin: usize, count: usize) -> &[V] {
    if count == 0 {
        return &[];
    }
    let Some(some) = all.get(begin..).and_then(|rest| rest.get(..count)) else { missing() };
    some
}

/// Returns a mutable slice of values, in little code.
#[inline(always)]
fn slice_mut<V>(all: &mut [V], begin: usize, count: usize) -> &mut [V] {
    if count == 0 {
        return &mut [];
    }
    let Some(some) = all.get_mut(begin..).and_then(|rest| rest.get_mut(..count)) else { missing() };
    some
}

#[cold]
#[inline(never)]
fn missing() -> ! {
    panic!("there are fewer values than declared")
}

/// Writes values in the order of the declaration.
pub struct Writer<'a, T> {
    reals: &'a mut [T],
    /// The Reals behind the limit of [`limited`](Self::limited).
    rest: &'a mut [T],
    integers: &'a mut [i32],
    booleans: &'a mut [bool],
    /// Number of values passed so far, by type.
    passed: Size,
    /// Sums of the Reals that were written, which take turns, so that additions do not wait for each other.
    sums: [f64; 8],
}

impl<'a, T: Scalar> Writer<'a, T> {
    /// Makes a writer at the start.
    pub fn new(reals: &'a mut [T], integers: &'a mut [i32], booleans: &'a mut [bool]) -> Self {
        Self { reals, rest: &mut [], integers, booleans, passed: Size::NONE, sums: [0.0; 8] }
    }

    /// Makes a writer of a part of a model, whose values begin at these offsets and have this size.
    #[inline(always)]
    pub fn at(
        reals: &'a mut [T],
        integers: &'a mut [i32],
        booleans: &'a mut [bool],
        Offsets { passed, .. }: Offsets,
        size: Size,
    ) -> Self {
        Self::new(
            slice_mut(reals, passed.reals, size.reals),
            slice_mut(integers, passed.integers, size.integers),
            slice_mut(booleans, passed.booleans, size.booleans),
        )
    }

    /// Reborrows the writer for a shorter time.
    pub fn borrowed(&mut self) -> Writer<'_, T> {
        let Self { reals, rest, integers, booleans, passed, sums } = self;
        Writer { reals, rest, integers, booleans, passed: *passed, sums: *sums }
    }

    /// Returns true if the sum of all Reals that were written is finite. Then all of them are.
    #[inline(always)]
    pub fn is_sum_finite(&self) -> bool {
        let [a, b, c, d, e, f, g, h] = self.sums;
        (((a + b) + (c + d)) + ((e + f) + (g + h))).is_finite()
    }

    /// Limits the writer to this size, at the beginning. Where the size is a constant, it takes the place of a check
    /// for each value.
    #[inline(always)]
    pub fn limited(self, size: Size) -> Self {
        let (reals, rest) = self.reals.split_at_mut(size.reals);
        Self {
            reals,
            rest,
            integers: &mut self.integers[..size.integers],
            booleans: &mut self.booleans[..size.booleans],
            passed: Size::NONE,
            sums: [0.0; 8],
        }
    }

    /// Writes Reals of this size behind the limit of [`limited`](Self::limited), by a writer whose places the compiler knows.
    #[inline(always)]
    pub fn write_rest(&mut self, size: Size, write: impl FnOnce(&mut Writer<'_, T>)) {
        let mut rest = Writer::new(&mut self.rest[..size.reals], &mut [], &mut []);
        rest.sums = self.sums;
        write(&mut rest);
        self.sums = rest.sums;
    }

    /// Writes the next `N` Reals.
    #[inline(always)]
    pub fn reals<const N: usize>(&mut self, values: [T; N]) {
        let from = self.passed.reals;
        self.passed.reals += N;
        for (i, value) in values.into_iter().enumerate() {
            self.reals[from + i] = value;
            // Nobody asks for those of other numbers.
            if !T::IS_DUAL {
                let [a, b, c, d, e, f, g, h] = self.sums;
                self.sums = [b, c, d, e, f, g, h, a + value.value()];
            }
        }
    }

    /// Writes the next Integer.
    #[inline(always)]
    pub fn integer(&mut self, value: i32) {
        self.integers[self.passed.integers] = value;
        self.passed.integers += 1;
    }

    /// Writes the next Boolean.
    #[inline(always)]
    pub fn boolean(&mut self, value: bool) {
        self.booleans[self.passed.booleans] = value;
        self.passed.booleans += 1;
    }

    /// Skips values of this size.
    #[inline(always)]
    pub fn skip(&mut self, size: Size) {
        self.passed = self.passed.plus(size);
    }
}

/// Numbers of the values that come before those of a part of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offsets {
    /// Numbers of Reals, Integers and Booleans.
    pub passed: Size,
    /// Number of Strings.
    pub strings: usize,
    /// Number of tables.
    pub tables: usize,
    /// Number of attachments.
    pub attachments: usize,
}

/// Number of values of each type of a variable. Strings, tables and attachments are counted separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of Reals, without tables.
    pub reals: usize,
    /// Number of Integers and enumerations.
    pub integers: usize,
    /// Number of Booleans.
    pub booleans: usize,
}

impl Size {
    /// The size of no values.
    pub const NONE: Self = Self { reals: 0, integers: 0, booleans: 0 };

    /// Returns the sum of two sizes.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            reals: self.reals + other.reals,
            integers: self.integers + other.integers,
            booleans: self.booleans + other.booleans,
        }
    }
}

/// Returns true if all values are finite, without a branch for each.
#[inline]
pub fn are_finite(values: &[f64]) -> bool {
    values.iter().fold(0, |carried, value| carried | non_finite_bit(*value)) >> 63 == 0
}

/// Returns a number whose highest bit is set if the value is infinite or NaN: an exponent of ones plus one carries into
/// the sign.
#[inline]
fn non_finite_bit(value: f64) -> u64 {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    const ONE: u64 = 1 << (f64::MANTISSA_DIGITS - 1);
    (value.to_bits() & EXPONENT) + ONE
}
