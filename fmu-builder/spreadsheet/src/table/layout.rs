//! Layout of a table: its columns, its rows, and their units.

use super::grid::Grid;
use super::heading::{Heading, is_unit};
use super::options::{ColumnName, TableOptions};
use super::rows::{Content, Row};
use crate::cell::A_BOOLEAN;
use crate::numbers::is_number;
use crate::units::{Conversion, Unit};

/// The table in a grid.
pub(super) struct Layout {
    /// The columns from 1, in the order that is wanted.
    pub columns: Vec<usize>,
    /// The unit of each column, as it was written, and its conversion.
    pub units: Vec<Option<(String, Conversion)>>,
    /// Columns whose unit in the file is another one, and that unit.
    pub overridden: Vec<(usize, String)>,
    /// True if neither file nor user give units, although there are some.
    pub assumed: bool,
    /// Position of the first row of numbers.
    pub first: usize,
    /// Position of the row of headings.
    headings: Option<usize>,
}

impl Layout {
    /// Returns the heading of a column, with its unit.
    pub fn heading<'g>(&self, grid: &'g Grid, column: usize) -> Option<&'g str> {
        grid.rows[self.headings?].text(column)
    }
}

/// Finds the table; errors are to be put behind the origin.
pub(super) fn find(grid: &Grid, form: &TableOptions, units: &[&str], blank: bool) -> Result<Layout, String> {
    let (columns, headings, complete_row) = match &form.columns[..] {
        [] => unnamed(grid, form, units.len())?,
        names => named(grid, names, units.len())?,
    };
    let first = beginning(grid, &columns, headings, complete_row, blank)?;
    let named = headings.filter(|_| !form.columns.is_empty());
    // A range may begin right below its headings.
    let above = match first {
        0 => {
            let numbers = grid.above.iter().rposition(|row| has_number(row, &columns));
            &grid.above[numbers.map_or(0, |position| position + 1)..]
        }
        _ => &grid.rows[..first],
    };
    let written = written(above, named, &columns, units);
    let mut overridden = Vec::new();
    let given = match given(form, units)? {
        Some(given) => {
            overridden = contradictions(&given, &written, &columns);
            given.into_iter().map(Some).collect()
        }
        None => {
            agree(above, &written, &columns)?;
            complete(&written, &columns, units)?
        }
    };
    let mut found = Vec::with_capacity(units.len());
    for ((text, target), column) in given.iter().zip(units).zip(&columns) {
        found.push(match text {
            Some(text) => Some((text.clone(), converted(text, target, *column)?)),
            None => None,
        });
    }
    let is_heading = |row: &Row| {
        let mut texts = columns.iter().filter_map(|column| row.text(*column));
        texts.any(|text| Heading::only_unit(text, None).is_none())
    };
    let headings = headings.filter(|position| is_heading(&grid.rows[*position]));
    let headings = headings.or_else(|| grid.rows[..first].iter().rposition(is_heading));
    let assumed = given.iter().all(Option::is_none) && units.iter().any(|unit| !unit.is_empty());
    Ok(Layout { columns, units: found, overridden, assumed, first, headings })
}

fn is_numeric(content: &Content) -> bool {
    match content {
        Content::Number(_) => true,
        Content::Text(text) => is_number(text),
        Content::Boolean(_) | Content::Other(_) => false,
    }
}

fn has_number(row: &Row, columns: &[usize]) -> bool {
    columns.iter().any(|column| row.at(*column).is_some_and(is_numeric))
}

/// Columns of a table, position of the headings, and position of the first row of numbers.
type Extent = (Vec<usize>, Option<usize>, usize);

/// Finds all columns of the first row that has nothing but numbers.
fn unnamed(grid: &Grid, form: &TableOptions, width: usize) -> Result<Extent, String> {
    let all = |row: &&Row| row.cells.iter().all(|(_, content)| is_numeric(content));
    let position = |row: &Row| grid.rows.iter().position(|other| other.number == row.number).unwrap_or_default();
    let rows = || grid.rows.iter().filter(all);
    if let Some(given) = form.area.width().filter(|given| *given != width) {
        return Err(format!(": range has {given} instead of {width} columns"));
    }
    let numbers = |row: &&Row| row.cells.iter().filter(|(_, content)| is_numeric(content)).count();
    let (row, count) = match rows().find(|row| row.cells.len() == width) {
        Some(row) => {
            let (columns, first) = (row.cells.iter().map(|(column, _)| *column).collect::<Vec<_>>(), position(row));
            // Rows with further numbers need a choice of columns. Further numbers of a title do not count.
            let beside = |row: &Row| {
                let others = row.cells.iter().filter(|(column, _)| !columns.contains(column));
                others.filter(|(_, content)| is_numeric(content)).count()
            };
            let mut rows = grid.rows.iter().enumerate();
            let wider = rows.find(|(at, row)| beside(row) > 0 && (*at > first || has_number(row, &columns)));
            match wider {
                Some((_, row)) => (row, width + beside(row)),
                None => return Ok((columns, None, first)),
            }
        }
        None => match rows().next().or_else(|| grid.rows.iter().max_by_key(numbers)) {
            Some(row) => (row, row.cells.len()),
            None => return Ok(Default::default()),
        },
    };
    let is_heading = |row: &&Row| {
        let mut texts = row.cells.iter().filter_map(|(column, _)| row.text(*column));
        texts.any(|text| !is_number(text) && Heading::only_unit(text, None).is_none())
    };
    let above = grid.rows[..position(row)].iter().rev().find(is_heading);
    let headings: Vec<_> = match above {
        Some(above) => row.cells.iter().filter_map(|(column, _)| above.text(*column)).collect(),
        None => Vec::new(),
    };
    let plural = if count == 1 { "" } else { "s" };
    let mut message = format!(", row {} has {count} column{plural}, but must have {width}", row.number);
    if count > width {
        let texts = list(headings.into_iter());
        let choice =
            if texts.is_empty() { "columns, by their numbers".to_owned() } else { format!("columns among {texts}") };
        message += &format!(": choose {choice}");
    } else if count == width {
        let wrong = row.cells.iter().find(|(_, content)| !is_numeric(content));
        let (column, content) = wrong.expect("a row of other things than numbers");
        let what = match content {
            Content::Text(text) => no_number(text),
            Content::Boolean(_) => format!("{A_BOOLEAN}, but must be a number"),
            Content::Other(what) => format!("{what}, but must be a number"),
            Content::Number(_) => String::new(),
        };
        message = format!(", row {}, column {column} {what}", row.number);
    }
    Err(message)
}

/// Returns true if a text may be a heading with this name: a table has one row of them, but each row is asked.
fn begins_with(text: &str, name: &str) -> bool {
    let is_before = |first: char| first == '#' || first.is_whitespace();
    text.trim_start_matches(is_before).starts_with(name.trim_start_matches(is_before))
}

/// Finds the columns with these headings or numbers.
fn named(grid: &Grid, names: &[ColumnName], width: usize) -> Result<Extent, String> {
    if names.len() != width {
        return Err(format!(": columns names {}, but must name {width}", names.len()));
    }
    let matches = |row: &Row, name: &str| -> Vec<usize> {
        let same = |text: &str| text == name || begins_with(text, name) && Heading::of(text).name == name;
        let found = row.cells.iter().filter(|(_, content)| matches!(content, Content::Text(text) if same(text)));
        found.map(|(column, _)| *column).collect()
    };
    let texts = || {
        names.iter().filter_map(|name| match name {
            ColumnName::Heading(text) => Some(text.as_str()),
            ColumnName::Number(_) => None,
        })
    };
    let hits = |row: &Row| texts().filter(|name| !matches(row, name).is_empty()).count();
    let headings = match texts().next() {
        Some(_) => {
            let best = grid.rows.iter().enumerate().rev().max_by_key(|(_, row)| hits(row));
            best.map(|(position, _)| position)
        }
        None => None,
    };
    let mut columns = Vec::with_capacity(width);
    for name in names {
        let column = match (name, headings) {
            (ColumnName::Number(number), _) => *number,
            (ColumnName::Heading(_), None) => 0,
            (ColumnName::Heading(name), Some(headings)) => {
                let row = &grid.rows[headings];
                match matches(row, name)[..] {
                    [column] => column,
                    [] if hits(row) == 0 => return Err(format!(" has no column \"{name}\": no row has such headings")),
                    [] => {
                        let there = list(row.cells.iter().filter_map(|(column, _)| row.text(*column)));
                        return Err(format!(", row {} has no column \"{name}\"; available: {there}", row.number));
                    }
                    _ => return Err(format!(", row {} has several columns \"{name}\"", row.number)),
                }
            }
        };
        if columns.contains(&column) {
            return Err(format!(": columns has column {column} twice"));
        }
        columns.push(column);
    }
    let after = headings.map_or(0, |headings| headings + 1);
    let is_data = |row: &Row| columns.iter().all(|column| row.at(*column).is_some_and(is_numeric));
    match grid.rows[after..].iter().position(is_data) {
        Some(offset) => {
            let first = after + offset;
            Ok((columns, headings, first))
        }
        None => {
            let numbers: Vec<_> = columns.iter().map(usize::to_string).collect();
            Err(format!(" has no row with numbers in all of the columns {}", numbers.join(", ")))
        }
    }
}

/// Returns the position of the first row of the table: the complete one that was found, or rows right above it that
/// belong to it, too. A number further above is one of an incomplete row, which is not dropped.
fn beginning(
    grid: &Grid,
    columns: &[usize],
    headings: Option<usize>,
    complete: usize,
    blank: bool,
) -> Result<usize, String> {
    let is_wrong = |row: &Row, column: usize| row.at(column).map_or(!blank, |content| !is_numeric(content));
    let wrong = |row: &Row| columns.iter().copied().find(|column| is_wrong(row, *column));
    let after = headings.map_or(0, |headings| headings + 1);
    let above = &grid.rows[after..complete];
    let own = above.iter().rev().take_while(|row| has_number(row, columns) && wrong(row).is_none()).count();
    match above[..above.len() - own].iter().find(|row| has_number(row, columns)) {
        Some(row) => {
            let column = wrong(row).unwrap_or(columns[0]);
            let what = match row.at(column) {
                None => "is empty, but must be a number".to_owned(),
                Some(Content::Boolean(_)) => format!("{A_BOOLEAN}, but must be a number"),
                Some(Content::Other(what)) => format!("{what}, but must be a number"),
                Some(Content::Text(text)) if !is_number(text) => no_number(text),
                Some(_) => "is a number above the table".to_owned(),
            };
            Err(format!(", row {}, column {column} {what}; use range to say where the table begins", row.number))
        }
        None => Ok(complete - own),
    }
}

/// Returns the units that the user gives, one for each column.
fn given(form: &TableOptions, units: &[&str]) -> Result<Option<Vec<String>>, String> {
    if form.units.is_empty() {
        Ok(None)
    } else {
        repeated(&form.units, units).map(Some).map_err(|what| format!(": {what}"))
    }
}

/// Returns as many units as columns: all that are given repeat where those of the FMU do, otherwise the last one does.
///
/// # Errors
///
/// A sentence, when more are given than there are columns.
pub fn repeated(given: &[String], units: &[&str]) -> Result<Vec<String>, String> {
    let count = given.len();
    if count > units.len() {
        return Err(format!("units has {count} entries for {} columns", units.len()));
    }
    let is_periodic = units.iter().enumerate().all(|(index, unit)| *unit == units[index % count]);
    let place = |index: usize| if is_periodic { index % count } else { index.min(count - 1) };
    Ok((0..units.len()).map(|index| given[place(index)].clone()).collect())
}

/// Finds the first column that is not in the unit that it should be in, and its unit, by the lowest row with known
/// units. A unit of another quantity counts where it cannot be the name of something else.
pub(super) fn foreign<'g>(grid: &'g Grid, units: &[&str]) -> Option<(usize, String)> {
    let columns: Vec<_> = (1..=units.len()).collect();
    let right: Vec<_> = units.iter().map(|unit| Unit::parse(unit)).collect();
    let rows = grid.rows.iter().rev().filter(|row| !row.cells.iter().all(|(_, content)| is_numeric(content)));
    let units_of = |row: &'g Row| -> Vec<_> {
        let texts = columns.iter().zip(units).filter_map(|(column, unit)| Some((row.text(*column)?, *unit)));
        let is_unit_row = row.number > grid.rows[0].number && all_units(texts);
        let written = written(std::slice::from_ref(row), None, &columns, units).into_iter().zip(&columns);
        let known = |(text, column): (Option<(_, _)>, &usize)| {
            let (text, is_unit) = text?;
            Some((*column, text, is_unit || is_unit_row, Unit::parse(text)?))
        };
        written.filter_map(known).collect()
    };
    let known = rows.map(units_of).find(|units| !units.is_empty())?;
    let is_wrong = |(column, _, is_unit, unit): &(usize, &'g str, bool, Unit)| match right[column - 1] {
        Some(right) if right.dimension == unit.dimension => *unit != right,
        right => !unit.is_si() || *is_unit && right.is_some(),
    };
    known.into_iter().find(is_wrong).map(|(column, text, ..)| (column, text.to_owned()))
}

/// Finds the units in the rows above the numbers, the lowest that has some: a row of units, or headings with units. A
/// row of which the user says that it has headings is not a row of units. The Boolean is true if the text cannot be the
/// name of something else, as `s` may be: it stands in square brackets, or below headings.
fn written<'g>(
    above: &'g [Row],
    named: Option<usize>,
    columns: &[usize],
    wanted: &[&str],
) -> Vec<Option<(&'g str, bool)>> {
    for (position, row) in above.iter().enumerate().rev() {
        let texts: Vec<_> = columns.iter().map(|column| row.text(*column)).collect();
        let cells = || texts.iter().zip(wanted).filter_map(|(text, wanted)| Some(((*text)?, *wanted)));
        let mut known = cells().filter_map(|(text, wanted)| Heading::only_unit(text, Some(wanted)));
        if named != Some(position) && all_units(cells()) && known.any(is_unit) {
            let unit = |(text, wanted): (Option<&'g str>, &&str)| Heading::only_unit(text?, Some(wanted));
            let units = texts.into_iter().zip(wanted).map(unit);
            return units.map(|unit| Some((unit?, position > 0))).collect();
        }
        let unit = |text: &'g str| Some((Heading::of(text).unit?, text.ends_with(']')));
        let units: Vec<_> = texts.into_iter().map(|text| text.and_then(unit)).collect();
        if units.iter().any(Option::is_some) {
            return units;
        }
    }
    vec![None; columns.len()]
}

/// Refuses a file of which two rows say different units of one quantity.
fn agree(above: &[Row], written: &[Option<(&str, bool)>], columns: &[usize]) -> Result<(), String> {
    for (unit, column) in written.iter().zip(columns) {
        let Some((text, unit)) = unit.and_then(|(text, _)| Some((text, Unit::parse(text)?))) else { continue };
        let is_other = |other: &str| Unit::parse(other).is_some_and(|it| it.dimension == unit.dimension && it != unit);
        let headings = above.iter().filter_map(|row| Some((row.number, row.text(*column)?)));
        let mut others = headings.filter(|(_, heading)| heading.ends_with(']')).filter_map(|(number, heading)| {
            Heading::of(heading).unit.filter(|other| is_other(other)).map(|other| (number, other))
        });
        if let Some((number, other)) = others.next() {
            return Err(format!(
                ": column {column} is in {text}, but in {other} by row {number}; give all units with units = […]"
            ));
        }
    }
    Ok(())
}

/// Returns true if the cells of a row are units, those which may be names where they are what is wanted.
pub(super) fn all_units<'a>(mut cells: impl Iterator<Item = (&'a str, &'a str)>) -> bool {
    cells.all(|(text, wanted)| Heading::only_unit(text, Some(wanted)).is_some())
}

/// Completes the units of a file, which has them for all columns or for none; only dimensionless columns need none.
fn complete(
    written: &[Option<(&str, bool)>],
    columns: &[usize],
    wanted: &[&str],
) -> Result<Vec<Option<String>>, String> {
    let needs_unit = |unit: &str| Unit::parse(unit).is_some_and(|unit| unit.dimension != [0; 8]);
    let mut cells = written.iter().zip(columns).zip(wanted);
    let missing = cells.find(|((unit, _), wanted)| unit.is_none() && needs_unit(wanted));
    match (missing, written.iter().zip(columns).find(|(unit, _)| unit.is_some())) {
        (Some(((_, missing), _)), Some((Some((known, _)), column))) => Err(format!(
            ": column {column} is in {known}, but column {missing} has no unit; give all units with units = […]"
        )),
        _ => Ok(written.iter().map(|unit| unit.map(|(text, _)| text.to_owned())).collect()),
    }
}

/// Finds the columns to which the user gives another unit than the file, unless that may be the name of something else.
fn contradictions(given: &[String], written: &[Option<(&str, bool)>], columns: &[usize]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for ((given, written), column) in given.iter().zip(written).zip(columns) {
        let Some((written, is_unit)) = written else { continue };
        if let (Some(one), Some(other)) = (Unit::parse(given), Unit::parse(written))
            && (one.dimension == other.dimension || *is_unit)
            && one != other
        {
            found.push((*column, (*written).to_owned()));
        }
    }
    found
}

/// Returns the conversion from a unit to that of the FMU.
pub(super) fn converted(text: &str, target: &str, column: usize) -> Result<Conversion, String> {
    let place = format!(", column {column}");
    let Some(unit) = Unit::parse(text) else {
        let right = match text.contains(char::REPLACEMENT_CHARACTER) {
            true => "set encoding to \"windows-1252\" or another one",
            false => "give the units with units = […]",
        };
        return Err(format!("{place} is in \"{}\", which is not a known unit; {right}", crate::cell::cut(text)));
    };
    let Some(wanted) = Unit::parse(target) else { return Ok(unit.to_coherent()) };
    unit.to(&wanted).ok_or_else(|| {
        let may_be_turns = (target, unit.dimension) == ("rad/s", [0, 0, -1, 0, 0, 0, 0, 0]);
        let right = if may_be_turns { "; revolutions per second are rev/s" } else { "" };
        format!("{place} is in {text}, which cannot be converted to {target}{right}")
    })
}

/// Describes the error of a text in place of a number.
pub(super) fn no_number(text: &str) -> String {
    let behind = text.trim_start_matches(|c: char| !c.is_alphabetic() && !matches!(c, '°' | '%'));
    let number = &text[..text.len() - behind.len()];
    let has_unit = is_number(number) && is_unit(behind);
    let right = if has_unit { ", with its unit in the heading or in units" } else { "" };
    format!("is the text \"{}\", but must be a number{right}", crate::cell::cut(text))
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.map(|text| format!("\"{}\"", crate::cell::cut(text))).collect::<Vec<_>>().join(", ")
}
