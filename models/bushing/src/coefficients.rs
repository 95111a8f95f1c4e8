//! The tables of coefficients and curves, from the configuration and from files.

use std::sync::Arc;

use fmu_runtime::{ModelError, Number, Scalar, Source, Table};
use spreadsheet::{Rows, Selection};

use crate::curve::{curve, pairs};
use crate::picture::picture;
use crate::sanity_checks::{is_zero_offset, warn_if_loads, warn_if_wrong_units};
use crate::table_rows::{Part, Rules};
use crate::varying::{Coefficients, DataSource, Lookup, TableContent, Varying, VaryingOptions};
use crate::{Bushing, Data, Structure};

/// Rows of coefficients for the dependency analysis, where no file is read: the directions differ, and skipped rows,
/// interpolation and extrapolation have an effect, so that no dependency is hidden.
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

/// Rows of curves for the dependency analysis, whose loads resist: an argument and the loads of the three axes.
const UNLIKE_CURVES: [[f64; 4]; 8] = [
    [-0.15, -9e3, -6e3, -8e3],
    [-0.10, -5e3, -3e3, -6e3],
    [-0.05, -2e3, -1e3, -3e3],
    [0.00, 0.0, 0.0, 0.0],
    [0.05, 1e3, 3e3, 2e3],
    [0.10, 3e3, 4e3, 5e3],
    [0.15, 4e3, 6e3, 7e3],
    [0.20, 8e3, 9e3, 1e4],
];

/// A function that reads the rows of a file, from its name, its content, and a selection.
pub type ReadRows = fn(&str, &[u8], Selection<'_>) -> Result<Rows, String>;

/// Number of rows of a table in the configuration beyond which a file is recommended.
const MANY: usize = 1000;

/// Returns rows for the dependency analysis, in place of those of a file.
fn unlike(law: TableContent, skip: usize) -> Rows {
    let numbers = match law {
        TableContent::coefficient => UNLIKE[skip % 4..].as_flattened().to_vec(),
        TableContent::curve => {
            UNLIKE_CURVES[skip % 4..].iter().flat_map(|[x, a, b, c]| [*x, *a, *x, *b, *x, *c]).collect()
        }
    };
    Rows { origin: String::new(), numbers, positions: vec![1; UNLIKE.len() - skip % 4] }
}

impl<T: Scalar> Bushing<T> {
    /// Prepares the [data](fmu_runtime::Equations::prepare), with a function that reads files.
    ///
    /// # Errors
    ///
    /// Returns the error of parameters, tables or files that are not possible.
    pub fn prepare_with(&self, source: &Source<'_, Structure>, read: ReadRows) -> Result<Data, ModelError> {
        let rules = Rules {
            extrapolation: self.extrapolation,
            curve_extrapolation: self.curveExtrapolation,
            allow_negative: self.allowNegative,
            allow_asymmetry: self.allowAsymmetry,
        };
        let mut lookups = [const { Lookup::None }; 4];
        let varying = [&self.TS, &self.TD, &self.RS, &self.RD].into_iter().zip(source.structure.varying());
        for (lookup, (varying, options)) in lookups.iter_mut().zip(varying) {
            *lookup = varying.lookup(options, source, rules, read).map_err(ModelError::Invalid)?;
        }
        Ok(Data { sequence: self.sequence()?, lookups })
    }
}

impl<T: Scalar> Varying<T> {
    /// Prepares the tables in which the loads are looked up; the error gives the position of an invalid row.
    pub(crate) fn lookup(
        &self,
        o: VaryingOptions,
        source: &Source<'_, Structure>,
        rules: Rules,
        read: ReadRows,
    ) -> Result<Lookup, String> {
        let (name, sr) = (o.of.name, self.sr);
        let skip = sr.unsigned_abs();
        let sheet = source.text(self.sheet);
        let (columns, blank) = if o.law == TableContent::curve { (6, true) } else { (4, false) };
        let part = format!("{skip} {columns} {sheet}");
        let read = |file: &str, content: &[u8]| read(file, content, Selection { sheet, skip, columns, blank });
        let (parameter, rows) = match o.source {
            None | Some(DataSource::signal) => return Ok(Lookup::None),
            _ if source.is_dependency_analysis() => ("", Ok(None)),
            Some(DataSource::inline) => {
                let lookup = self.inline(o, source, rules)?;
                source.show(|| picture(o.of, &lookup));
                return Ok(lookup);
            }
            Some(DataSource::attachment) => ("data", source.attachment(self.data, &part, read)),
            Some(DataSource::file) => ("fileName", source.file(self.fileName, &part, read)),
        };
        let has_one_pair =
            |rows: &Rows| rows.numbers.chunks(6).all(|row| row.iter().skip(2).all(|number| number.is_nan()));
        let is_pair = o.law == TableContent::curve && matches!(&rows, Ok(Some(rows)) if has_one_pair(rows));
        let lookup = rows.and_then(|rows| {
            let are_known = rows.is_some();
            let rows = rows.unwrap_or_else(|| Arc::new(unlike(o.law, skip as usize)));
            let lookup = match o.law {
                TableContent::curve => {
                    let of_axis = |axis| curve(o.of, pairs(&rows, axis)?, self.sm, rules, source);
                    Lookup::Curves(Box::new([of_axis(0)?, of_axis(1)?, of_axis(2)?]))
                }
                TableContent::coefficient => {
                    let part = Part {
                        origin: rows.origin.clone(),
                        positions: rows.positions.clone(),
                        before: 0,
                        rows: rows.numbers.as_chunks().0.to_vec(),
                        direction: None,
                    };
                    self.coefficients(o.of, &part, source, rules)?
                }
            };
            if are_known {
                source.show(|| picture(o.of, &lookup));
            }
            Ok(lookup)
        });
        lookup.map_err(|why| {
            let hint = match is_pair {
                true => format!("; the curve of one axis is {}, with DCM_{name} = inline", o.of.curves[0].0),
                false => String::new(),
            };
            format!("{why}{hint} ({name}_{parameter}; sr_{name} = {sr}, sheet_{name} = \"{sheet}\")")
        })
    }

    fn inline(&self, o: VaryingOptions, source: &Source<'_, Structure>, rules: Rules) -> Result<Lookup, String> {
        if o.law == TableContent::coefficient {
            return self.coefficients(o.of, &self.rows_of(self.rows, o.of.table.0, o, source)?, source, rules);
        }
        let of_axis = |axis: usize| {
            let rows =
                self.rows_of([self.curve_1, self.curve_2, self.curve_3][axis], o.of.curves[axis].0, o, source)?;
            curve(o.of, rows, self.sm, rules, source)
        };
        Ok(Lookup::Curves(Box::new([of_axis(0)?, of_axis(1)?, of_axis(2)?])))
    }

    /// Returns the rows of a table in the configuration that are not skipped.
    fn rows_of<const N: usize>(
        &self,
        table: Table<N>,
        origin: &str,
        o: VaryingOptions,
        source: &Source<'_, Structure>,
    ) -> Result<Part<N>, String> {
        let (name, sr) = (o.of.name, self.sr);
        let rows = source.table(table);
        if rows.len() > MANY {
            source.warn(format!(
                "{origin} has {} rows, which are {} parameters of the FMU: DCM_{name} = attachment, with a file as \
                 {name}_data, keeps rows inside the FMU",
                rows.len(),
                N * rows.len()
            ));
        }
        let skip = sr.unsigned_abs() as usize;
        let left = rows.get(skip..).filter(|left| !left.is_empty());
        let left =
            left.ok_or_else(|| format!("sr_{name} = {sr} skips all rows of {origin}: at least one must be left"))?;
        Ok(Part {
            origin: origin.to_owned(),
            positions: (skip..rows.len()).map(|row| row as u32 + 1).collect(),
            before: 0,
            rows: left.to_vec(),
            direction: source.direction(table).map(|direction| direction[skip..].to_vec()),
        })
    }

    /// Prepares the table of coefficients.
    fn coefficients(
        &self,
        of: &Coefficients,
        part: &Part<4>,
        source: &Source<'_, Structure>,
        rules: Rules,
    ) -> Result<Lookup, String> {
        let table = part.table(self.sm, rules.extrapolation)?;
        let loads = warn_if_loads(of, &part.rows);
        for doubt in warn_if_wrong_units(of, 1, &part.rows).iter().chain(&loads) {
            source.warn(format!("{}, {doubt}", part.origin));
        }
        if is_zero_offset(&part.rows) {
            source.warn(format!(
                "{} is {}, slightly below 0, so the table is not looked up by magnitude, and smaller arguments are \
                 extrapolated: without this row, or with 0 in its place, the table is even",
                part.element(0, 0),
                Number(part.rows[0][0])
            ));
        }
        let name = of.name;
        let allowed = "unless allowNegative is true";
        if let Some((row, column)) = first_negative(&part.rows) {
            let what = format!("{} is {}", part.element(row, column), Number(part.rows[row][column]));
            if !rules.allow_negative {
                let doubt = loads.map_or_else(String::new, |doubt| format!("; {doubt}"));
                return Err(format!("{what}, but must not be negative {allowed}{doubt}"));
            }
            source.warn(format!("{what}: a negative coefficient"));
        } else if let Some((row, column, lowest)) = table.undershoot().filter(|(_, _, lowest)| *lowest < 0.0) {
            let what = format!(
                "{}, column {}: after row {} the spline falls to {}",
                part.origin,
                column + 2,
                part.positions[row],
                Number(lowest)
            );
            if !rules.allow_negative {
                return Err(format!(
                    "{what}, but must not be negative {allowed}; sm_{name} = linear or more rows there avoid it"
                ));
            }
            source.warn(what);
        }
        Ok(Lookup::Coefficients(table))
    }
}

/// Returns row and column of the first negative coefficient.
fn first_negative(rows: &[[f64; 4]]) -> Option<(usize, usize)> {
    let in_row = |row: &[f64; 4]| (1..4).find(|column| row[*column] < 0.0);
    rows.iter().enumerate().find_map(|(index, row)| Some((index, in_row(row)?)))
}
