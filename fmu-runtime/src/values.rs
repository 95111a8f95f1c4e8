//! The values of all variables, flat: a value reference is an index.

use serde::{Deserialize, Serialize};

/// Where a table lies among the Reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// Name of the parameter.
    pub name: &'static str,
    /// Index of the first element.
    pub offset: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
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
    /// Takes over other values of the same shape without allocating, strings apart.
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

    /// Whether `other` has as many values of each type.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.reals.len() == other.reals.len()
            && self.integers.len() == other.integers.len()
            && self.booleans.len() == other.booleans.len()
            && self.strings.len() == other.strings.len()
    }
}

/// Reads values in the order of the declaration.
pub struct Reader<'a, T> {
    reals: &'a [T],
    integers: &'a [i32],
    booleans: &'a [bool],
    strings: usize,
    tables: usize,
    attachments: usize,
}

impl<'a, T: Copy> Reader<'a, T> {
    /// A reader at the beginning; the Reals may be in another scalar type than the stored ones.
    pub fn new(reals: &'a [T], values: &'a Values) -> Self {
        let Values { integers, booleans, .. } = values;
        Self { reals, integers, booleans, strings: 0, tables: 0, attachments: 0 }
    }

    /// The next `N` Reals.
    pub fn reals<const N: usize>(&mut self) -> [T; N] {
        let (first, rest) = self.reals.split_first_chunk().expect("a Real for every element declared");
        self.reals = rest;
        *first
    }

    /// The next Integer.
    pub fn integer(&mut self) -> i32 {
        let (first, rest) = self.integers.split_first().expect("an Integer for every element declared");
        self.integers = rest;
        *first
    }

    /// The next Boolean.
    pub fn boolean(&mut self) -> bool {
        let (first, rest) = self.booleans.split_first().expect("a Boolean for every element declared");
        self.booleans = rest;
        *first
    }

    /// Position of the next String.
    pub fn string(&mut self) -> usize {
        self.strings += 1;
        self.strings - 1
    }

    /// Position of the next table.
    pub fn table(&mut self) -> usize {
        self.tables += 1;
        self.tables - 1
    }

    /// Position of the next attachment.
    pub fn attachment(&mut self) -> usize {
        self.attachments += 1;
        self.attachments - 1
    }
}

/// Writes values in the order of the declaration.
pub struct Writer<'a, T> {
    reals: &'a mut [T],
    integers: &'a mut [i32],
    booleans: &'a mut [bool],
}

impl<'a, T: Copy> Writer<'a, T> {
    /// A writer at the beginning.
    pub fn new(reals: &'a mut [T], integers: &'a mut [i32], booleans: &'a mut [bool]) -> Self {
        Self { reals, integers, booleans }
    }

    /// The next `N` Reals.
    pub fn reals<const N: usize>(&mut self, values: [T; N]) {
        self.advance_reals(N).copy_from_slice(&values);
    }

    /// The next Integer.
    pub fn integer(&mut self, value: i32) {
        self.advance_integers(1)[0] = value;
    }

    /// The next Boolean.
    pub fn boolean(&mut self, value: bool) {
        self.advance_booleans(1)[0] = value;
    }

    /// Leaves out what has this size.
    pub fn skip(&mut self, size: Size) {
        self.advance_reals(size.reals);
        self.advance_integers(size.integers);
        self.advance_booleans(size.booleans);
    }

    fn advance_reals(&mut self, count: usize) -> &'a mut [T] {
        let (first, rest) = std::mem::take(&mut self.reals).split_at_mut(count);
        self.reals = rest;
        first
    }

    fn advance_integers(&mut self, count: usize) -> &'a mut [i32] {
        let (first, rest) = std::mem::take(&mut self.integers).split_at_mut(count);
        self.integers = rest;
        first
    }

    fn advance_booleans(&mut self, count: usize) -> &'a mut [bool] {
        let (first, rest) = std::mem::take(&mut self.booleans).split_at_mut(count);
        self.booleans = rest;
        first
    }
}

/// How many values of each type a variable has. Strings, tables and attachments have places of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Reals, without tables.
    pub reals: usize,
    /// Integers and enumerations.
    pub integers: usize,
    /// Booleans.
    pub booleans: usize,
}

impl Size {
    /// Nothing.
    pub const NONE: Self = Self { reals: 0, integers: 0, booleans: 0 };

    /// The sum of two sizes.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            reals: self.reals + other.reals,
            integers: self.integers + other.integers,
            booleans: self.booleans + other.booleans,
        }
    }
}
