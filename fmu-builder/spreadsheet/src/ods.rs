//! Workbooks of OpenDocument: zip archives of XML, in which equal neighbours are written once, with their number.

use std::collections::BTreeSet;
use std::io::{BufReader, Cursor};

use quick_xml::Reader;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use zip::ZipArchive;

use crate::cell::{COVERED, Cell, CellReceiver, DATE};
use crate::sheet::choose;
use crate::xlsx::MAX_UNPACKED_SIZE;

/// Largest number of cells of a sheet, since a few bytes may repeat them millions of times.
const MAX_CELLS: usize = 4_000_000;

/// A cell that is kept until its row is complete.
#[derive(Clone, Debug)]
enum PendingCell {
    Number(f64),
    Text(String),
    Boolean(bool),
    Date,
    /// Part of a merged cell.
    Covered,
}

impl PendingCell {
    fn cell(&self) -> Cell<'_> {
        match self {
            Self::Number(number) => Cell::Number(*number),
            Self::Text(text) => Cell::Text(text),
            Self::Boolean(truth) => Cell::Boolean(*truth),
            Self::Date => DATE,
            Self::Covered => COVERED,
        }
    }
}

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, sink: &mut dyn CellReceiver) -> Result<(), String> {
    let mut sheets: Vec<(String, bool)> = Vec::new();
    let mut hidden = BTreeSet::new();
    visit(name, bytes, &mut |sheet, row| {
        let filled = row.is_some_and(|(.., cells)| !cells.is_empty());
        match sheets.last_mut().filter(|(last, _)| *last == sheet.name) {
            Some((_, has_data)) => *has_data |= filled,
            None => sheets.push((sheet.name.clone(), filled)),
        }
        if sheet.is_hidden {
            hidden.insert(sheet.name.clone());
        }
        Ok(())
    })?;
    let names: Vec<_> = sheets.iter().map(|(sheet, _)| sheet.clone()).collect();
    let has_data = |name: &str| sheets.iter().any(|(sheet, has_data)| sheet == name && *has_data);
    let chosen = choose(name, &names, sheet, |sheet| hidden.contains(sheet), has_data)?;
    sink.enter(chosen);
    let mut total = 0;
    visit(name, bytes, &mut |sheet, row| {
        let Some((first, repeated, cells)) = row.filter(|_| sheet.name == chosen) else { return Ok(()) };
        total += cells.iter().map(|(_, columns, _)| *columns as usize).sum::<usize>().saturating_mul(repeated as usize);
        if total > MAX_CELLS {
            return Err(format!("{name}, sheet \"{chosen}\" has more than {MAX_CELLS} cells"));
        }
        for row in first..first + if cells.is_empty() { 0 } else { repeated } {
            for (column, columns, cell) in cells {
                (*column..column + columns).try_for_each(|column| sink.add(row, column as usize, &cell.cell()))?;
            }
        }
        Ok(())
    })
}

/// A sheet.
struct Table {
    name: String,
    /// True if a spreadsheet program does not show it.
    is_hidden: bool,
}

/// First row and number of rows, and the first column, number of columns and content of each cell that is not empty.
type RowOfCells<'a> = (u32, u32, &'a [(u32, u32, PendingCell)]);

/// A function that receives each sheet, first alone and then with each of its rows.
type Visitor<'v> = dyn FnMut(&Table, Option<RowOfCells<'_>>) -> Result<(), String> + 'v;

/// Visits each sheet, and its rows.
fn visit(name: &str, bytes: &[u8], visitor: &mut Visitor<'_>) -> Result<(), String> {
    let damaged = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    if archive.decompressed_size().is_none_or(|size| size > MAX_UNPACKED_SIZE) {
        return Err(format!("{name} unpacks to more than {} MB", MAX_UNPACKED_SIZE >> 20));
    }
    let content = archive.by_name("content.xml").map_err(|error| damaged(&error))?;
    let mut reader = Reader::from_reader(BufReader::new(content));
    let mut buffer = Vec::new();
    let mut content = Content { row: 1, rows: 1, column: 1, ..Content::default() };
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|error| damaged(&error))? {
            Event::Eof => return Ok(()),
            Event::Start(tag) => content.begin(&tag, false, visitor)?,
            Event::Empty(tag) => content.begin(&tag, true, visitor)?,
            Event::Text(part) if content.cell.has_text() => content.cell.text += &part,
            Event::GeneralRef(part) if content.cell.has_text() => {
                let known = part.resolve_char_ref().ok().flatten().map(String::from);
                let known = known.or_else(|| quick_xml::escape::resolve_predefined_entity(&part).map(str::to_owned));
                content.cell.text += &known.unwrap_or_default();
            }
            Event::End(tag) => content.end(&tag, visitor)?,
            _ => {}
        }
    }
}

/// The place in the content that has been reached.
#[derive(Default)]
struct Content {
    /// The style that is being read, and those of hidden sheets.
    style: String,
    hidden: BTreeSet<String>,
    sheet: Option<Table>,
    /// First row, and number of rows that are alike.
    row: u32,
    rows: u32,
    column: u32,
    cells: Vec<(u32, u32, PendingCell)>,
    cell: CellText,
}

/// The text of the cell that is being read; remarks in it have texts, too.
#[derive(Default)]
struct CellText {
    text: String,
    /// Number of columns that are alike.
    columns: u32,
    is_text: bool,
    remarks: i32,
}

impl CellText {
    /// Returns true if what is read belongs to the text.
    fn has_text(&self) -> bool {
        self.is_text && self.remarks == 0
    }
}

impl Content {
    /// Reads the beginning of an element.
    fn begin(&mut self, tag: &BytesStart<'_>, is_empty: bool, visitor: &mut Visitor<'_>) -> Result<(), String> {
        match tag.name().as_ref() {
            "style:style" => self.style = attribute(tag, "style:name").unwrap_or_default(),
            "style:table-properties" if attribute(tag, "table:display").as_deref() == Some("false") => {
                self.hidden.insert(std::mem::take(&mut self.style));
            }
            "table:table" => {
                let name = attribute(tag, "table:name").unwrap_or_default();
                let is_hidden = attribute(tag, "table:style-name").is_some_and(|style| self.hidden.contains(&style));
                let table = Table { name, is_hidden };
                visitor(&table, None)?;
                (self.sheet, self.row) = (Some(table), 1);
            }
            "table:table-row" => {
                (self.rows, self.column) = (number(tag, "table:number-rows-repeated"), 1);
                if is_empty {
                    self.row = self.row.saturating_add(self.rows);
                }
            }
            "table:table-cell" | "table:covered-table-cell" => self.begin_cell(tag, is_empty),
            "office:annotation" if !is_empty => self.cell.remarks += 1,
            "text:p" if self.cell.has_text() && !self.cell.text.is_empty() => self.cell.text.push(' '),
            "text:s" | "text:tab" if self.cell.has_text() => self.cell.text.push(' '),
            _ => {}
        }
        Ok(())
    }

    fn begin_cell(&mut self, tag: &BytesStart<'_>, is_empty: bool) {
        let value = |key: &str| attribute(tag, key);
        let kept = match value("office:value-type").as_deref() {
            // What was in it before is not shown.
            _ if tag.name().as_ref() == "table:covered-table-cell" => Some(PendingCell::Covered),
            Some("float" | "percentage" | "currency") => {
                value("office:value").and_then(|value| value.parse().ok()).map(PendingCell::Number)
            }
            Some("boolean") => value("office:boolean-value").map(|value| PendingCell::Boolean(value == "true")),
            Some("date" | "time") => Some(PendingCell::Date),
            _ => None,
        };
        let cell = &mut self.cell;
        cell.columns = number(tag, "table:number-columns-repeated");
        cell.is_text = kept.is_none() && !is_empty;
        cell.text.clear();
        self.cells.extend(kept.map(|kept| (self.column, cell.columns, kept)));
        if !cell.is_text {
            self.column = self.column.saturating_add(cell.columns);
        }
    }

    /// Reads the end of an element.
    fn end(&mut self, tag: &BytesEnd<'_>, visitor: &mut Visitor<'_>) -> Result<(), String> {
        let cell = &mut self.cell;
        match tag.name().as_ref() {
            "office:annotation" => cell.remarks -= 1,
            "table:table-cell" | "table:covered-table-cell" if cell.is_text => {
                if !cell.text.trim().is_empty() {
                    self.cells.push((self.column, cell.columns, PendingCell::Text(cell.text.trim().to_owned())));
                }
                (self.column, cell.is_text) = (self.column.saturating_add(cell.columns), false);
            }
            "table:table-row" => {
                if let Some(sheet) = &self.sheet {
                    visitor(sheet, Some((self.row, self.rows, &self.cells)))?;
                }
                self.row = self.row.saturating_add(self.rows);
                self.cells.clear();
            }
            "table:table" => self.sheet = None,
            _ => {}
        }
        Ok(())
    }
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == key)?;
    quick_xml::escape::unescape(&found.value).map(|text| text.into_owned()).ok()
}

/// Returns the number of repetitions of a row or a cell.
fn number(tag: &BytesStart<'_>, key: &str) -> u32 {
    attribute(tag, key).and_then(|text| text.parse().ok()).unwrap_or(1)
}
