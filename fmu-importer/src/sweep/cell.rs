//! Columns and cells of a table, whatever its format.

/// Type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Integer,
    Real,
    /// A Real, or nothing.
    OptionalReal,
    Boolean,
    Text,
}

/// Heading and type of a column.
pub struct Column {
    pub name: String,
    pub kind: Type,
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Integer(i64),
    Real(f64),
    Missing,
    Boolean(bool),
    Text(String),
}

impl Cell {
    /// Makes a cell for a number, or for none.
    pub fn real(value: f64) -> Self {
        if value.is_nan() { Self::Missing } else { Self::Real(value) }
    }
}
