//! Rows of a table or a curve, and the conditions that they must fulfil.

use fmu_runtime::Number;
use mechanics::lookup_table::{self, LookupTable, TableError};

use crate::varying::{Extrapolation, Smoothness};

/// Rules that hold for all tables and curves of a bushing.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub extrapolation: Extrapolation,
    pub curve_extrapolation: Extrapolation,
    pub allow_negative: bool,
    pub allow_asymmetry: bool,
}

/// Rows of a table, which may move in a direction, with their origin and positions for messages.
pub(crate) struct Part<const N: usize> {
    pub origin: String,
    pub positions: Vec<u32>,
    /// Number of columns before these.
    pub before: usize,
    pub rows: Vec<[f64; N]>,
    pub direction: Option<Vec<[f64; N]>>,
}

impl<const N: usize> Part<N> {
    /// Returns the beginning of a message about an element.
    pub fn element(&self, row: usize, column: usize) -> String {
        format!("{}, row {}, column {}", self.origin, self.positions[row], self.before + column + 1)
    }

    /// Prepares the table.
    pub fn table(&self, smoothness: Smoothness, extrapolation: Extrapolation) -> Result<LookupTable, String> {
        let smoothness = match smoothness {
            Smoothness::linear => lookup_table::Smoothness::Linear,
            Smoothness::spline => lookup_table::Smoothness::Spline,
            Smoothness::akima => lookup_table::Smoothness::Akima,
        };
        let extrapolation = match extrapolation {
            Extrapolation::hold => lookup_table::Extrapolation::Hold,
            Extrapolation::linear => lookup_table::Extrapolation::Linear,
        };
        let Self { origin, positions, before, rows, direction } = self;
        let table = LookupTable::new(rows, smoothness, extrapolation).map_err(|wrong| match wrong {
            TableError::Empty => format!("{origin} has no rows"),
            TableError::NotIncreasing { row } => format!(
                "{} is {}, but must be greater than {} in the row before{}",
                self.element(row, 0),
                Number(rows[row][0]),
                Number(rows[row - 1][0]),
                self.order()
            ),
            TableError::TooSteep { row, column } => {
                format!("{origin}, column {} changes too steeply after row {}", before + column + 1, positions[row])
            }
        })?;
        Ok(match direction {
            Some(direction) => table.along(rows, direction, smoothness, extrapolation),
            None => table,
        })
    }

    /// Describes the order of rows that do not increase.
    fn order(&self) -> &'static str {
        let falls = |pair: &[[f64; N]]| pair[1][0] < pair[0][0];
        let pairs = || self.rows.windows(2);
        match (pairs().all(falls), pairs().any(falls)) {
            (true, _) => "; the rows are in the opposite order",
            (_, true) if N == 2 => {
                "; of a loop of loading and unloading, the curve is the mean (the command convert finds it, with the friction)"
            }
            _ => "",
        }
    }
}
