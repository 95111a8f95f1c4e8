//! Columns and cells of a table, whatever its format.

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Whole,
    Real,
    /// A Real, or nothing.
    Optional,
    Boolean,
    Text,
}

/// A column's head.
pub struct Column {
    pub name: String,
    pub kind: Type,
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Whole(i64),
    Real(f64),
    Missing,
    Boolean(bool),
    Text(String),
}
