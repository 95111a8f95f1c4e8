//! The kinds of rows, the base types of their elements, and value references.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

/// Kind of variable that a row declares. The names are those written in the declaration.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowKind {
    /// An FMI parameter, fixed during the simulation.
    parameter,
    /// An FMI parameter that may be changed between steps. The runtime's `Equations::prepare`
    /// cannot use it: a Real is NaN there.
    tunable,
    /// An FMI calculatedParameter, computed from parameters.
    calculated,
    /// An FMI input.
    input,
    /// An FMI output.
    output,
    /// An FMI local variable.
    local,
    /// Discrete memory of the component: saved with the FMU state, not an FMI variable.
    memory,
    /// Computed like a local variable, but not an FMI variable.
    internal,
}

impl RowKind {
    /// Kind of a group whose rows have kinds of their own.
    #[allow(non_upper_case_globals, reason = "written like the others")]
    pub const group: Self = Self::output;
    /// An output that is a continuous-time state: its row names its derivative.
    #[allow(non_upper_case_globals, reason = "written like the others")]
    pub const state: Self = Self::output;

    /// Returns true if the equations compute the variable, so that it is written back after an evaluation.
    pub const fn is_computed(self) -> bool {
        matches!(self, Self::calculated | Self::output | Self::local | Self::memory | Self::internal)
    }

    /// Returns true if the variable is an FMI variable.
    pub const fn is_visible(self) -> bool {
        !matches!(self, Self::memory | Self::internal)
    }
}

/// The base types, each with value references of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Base {
    /// Real.
    Real,
    /// Integer and Enumeration.
    Integer,
    /// Boolean.
    Boolean,
    /// String.
    String,
}

impl Base {
    /// Returns the value reference of the first variable. The references of all types differ, since some importers look
    /// variables up by these alone; those of Reals, which are used most, are their positions.
    const fn first_reference(self) -> u32 {
        match self {
            Self::Real => 0,
            Self::Integer => 500_000_000,
            Self::Boolean => 1_000_000_000,
            Self::String => 1_500_000_000,
        }
    }

    /// Returns the value reference of the variable at a position among those of its type.
    pub const fn reference(self, slot: usize) -> u32 {
        self.first_reference() + slot as u32
    }

    /// Returns the position of a value reference; beyond all variables for a reference of another type.
    #[inline(always)]
    pub const fn slot(self, reference: u32) -> usize {
        reference.wrapping_sub(self.first_reference()) as usize
    }
}

/// Value references of items other than scalar variables of rows. FMI 3.0 has them; an array has that of its first
/// element.
pub mod reference {
    /// Value reference of the first table; the next ones follow. A table keeps it, however many rows those before it
    /// have.
    pub const TABLES: u32 = 2_000_000_000;
    /// Value reference of the number of rows of the first table; those of the next ones follow.
    pub const ROWS: u32 = 2_500_000_000;
    /// Value reference of the independent variable, time.
    pub const TIME: u32 = 3_000_000_000;
    /// Value reference of the array of all event indicators.
    pub const EVENT_INDICATORS: u32 = 3_000_000_001;
}

/// Position of an element in a vector or matrix, from 1 as Modelica counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Index {
    /// A scalar.
    None,
    /// An element of a vector.
    One(usize),
    /// An element of a matrix or table.
    Two(usize, usize),
}

/// Writes the name of an element within its group.
pub fn write_element_name(out: &mut dyn Write, name: &str, index: Index) -> fmt::Result {
    out.write_str(name)?;
    match index {
        Index::None => Ok(()),
        Index::One(i) => write!(out, "[{i}]"),
        Index::Two(i, j) => write!(out, "[{i},{j}]"),
    }
}
