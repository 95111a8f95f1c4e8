//! The tables of coefficients, from the configuration and from files.

use fmu_runtime::{Number, Scalar, Source};
use mechanics::table::{self, LookupTable, TableError};
use spreadsheet::{Selection, read};

use crate::Structure;
use crate::varying::{DataSource, Extrapolation, Smoothness, Varying, VaryingOptions};

/// Checks properties of all tables.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub extrapolation: Extrapolation,
    pub allow_negative: bool,
}

/// Rows for the dependency analysis, where no file is read: the directions differ, and skipped rows, interpolation and
/// extrapolation have an effect, so that no dependency is hidden.
const UNLIKE: [[f64; 4]; 8] = [
    [0.00, 1e4, 2e4, 3e4],
    [0.05, 2e4, 1e4, 4e4],
    [0.10, 1e4, 3e4, 2e4],
    [0.15, 3e4, 2e4, 1e4],
    [0.20, 2e4, 4e4, 3e4],
    [0.25, 4e4, 3e4, 2e4],
    [0.30, 3e4, 5e4, 4e4],
    [0.35, 5e4, 6e4, 7e4],
];

impl<T: Scalar> Varying<T> {
    /// The table, if the coefficients come from one; the error gives the position of an invalid row.
    pub(crate) fn table(
        &self,
        o: VaryingOptions,
        source: &Source<'_, Structure>,
        rules: Rules,
    ) -> Result<Option<LookupTable>, String> {
        let (name, sr) = (o.of.name, self.sr);
        let skip = sr.unsigned_abs();
        let sheet = source.text(self.sheet);
        let part = format!("{skip} {sheet}");
        let read = |file: &str, content: &[u8]| read(file, content, Selection { sheet, skip, columns: 4 });
        let (parameter, rows) = match o.source {
            None | Some(DataSource::signal) => return Ok(None),
            _ if source.is_dependency_analysis() => ("", Ok(None)),
            Some(DataSource::inline) => return self.inline(name, source, rules).map(Some),
            Some(DataSource::attachment) => ("data", source.attachment(self.data, &part, read)),
            Some(DataSource::file) => ("fileName", source.file(self.fileName, &part, read)),
        };
        let table = rows.and_then(|rows| match rows {
            Some(rows) => {
                let position = |row: usize| rows.positions[row];
                self.check(name, (&rows.origin, &position), rows.numbers.as_chunks().0, None, source, rules)
            }
            None => self.check(name, ("", &|_| 1), &UNLIKE[skip as usize % 4_usize..], None, source, rules),
        });
        table
            .map(Some)
            .map_err(|why| format!("{why} ({name}_{parameter}; sr_{name} = {sr}, sheet_{name} = \"{sheet}\")"))
    }

    fn inline(&self, name: &str, source: &Source<'_, Structure>, rules: Rules) -> Result<LookupTable, String> {
        let sr = self.sr;
        let rows = source.table(self.rows);
        let skip = sr.unsigned_abs() as usize;
        match rows.get(skip..) {
            Some(left @ [_, ..]) => {
                let position = |row: usize| (row + skip + 1) as u32;
                let direction = source.direction(self.rows).map(|direction| &direction[skip..]);
                self.check(name, (&format!("{name}_table"), &position), left, direction, source, rules)
            }
            _ => Err(format!(
                "{name}_table has {} rows, of which sr_{name} = {sr} are skipped: at least one must be left",
                rows.len()
            )),
        }
    }

    /// The table of some rows, which may move in a direction. `origin` and positions are for error messages.
    fn check(
        &self,
        name: &str,
        (origin, position): (&str, &dyn Fn(usize) -> u32),
        rows: &[[f64; 4]],
        direction: Option<&[[f64; 4]]>,
        source: &Source<'_, Structure>,
        rules: Rules,
    ) -> Result<LookupTable, String> {
        let smoothness = match self.sm {
            Smoothness::linear => table::Smoothness::Linear,
            Smoothness::spline => table::Smoothness::Spline,
        };
        let extrapolation = match rules.extrapolation {
            Extrapolation::hold => table::Extrapolation::Hold,
            Extrapolation::linear => table::Extrapolation::Linear,
        };
        let table = LookupTable::new(rows, smoothness, extrapolation).map_err(|wrong| match wrong {
            TableError::Empty => format!("{origin} has no rows"),
            TableError::NotIncreasing { row } => format!(
                "{origin}, row {}, column 1 is {}, but must be greater than {} in the row before",
                position(row),
                Number(rows[row][0]),
                Number(rows[row - 1][0])
            ),
            TableError::TooSteep { row, column } => {
                format!("{origin}, column {} changes too steeply after row {}", column + 1, position(row))
            }
        })?;
        let allowed = "unless allowNegative is true";
        if let Some((row, column)) = first_negative(rows) {
            let value = Number(rows[row][column]);
            let place = format!("{origin}, row {}, column {} is {value}", position(row), column + 1);
            if !rules.allow_negative {
                return Err(format!("{place}, but must not be negative {allowed}"));
            }
            source.warn(format!("{place}: a negative coefficient"));
        } else if let Some((row, column, lowest)) = table.undershoot().filter(|(_, _, lowest)| *lowest < 0.0) {
            let place = format!(
                "{origin}, column {}: after row {} the spline falls to {}",
                column + 2,
                position(row),
                Number(lowest)
            );
            if !rules.allow_negative {
                return Err(format!(
                    "{place}, but must not be negative {allowed}; sm_{name} = linear or more rows there avoid it"
                ));
            }
            source.warn(place);
        }
        Ok(match direction {
            Some(direction) => table.along(rows, direction, smoothness, extrapolation),
            None => table,
        })
    }
}

/// Row and column of the first negative coefficient.
fn first_negative(rows: &[[f64; 4]]) -> Option<(usize, usize)> {
    let in_row = |row: &[f64; 4]| (1..4).find(|column| row[*column] < 0.0);
    rows.iter().enumerate().find_map(|(index, row)| Some((index, in_row(row)?)))
}
