//! Rows of a workbook, in the form of rows of a text file.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use csv::StringRecord;
use spreadsheet::numbers::{Evidence, Numbers};
use spreadsheet::{Cell, workbook};

/// The rows of a sheet.
pub struct Rows {
    /// The first row that is not blank.
    pub header: StringRecord,
    /// The numbers of the others and their cells, as many as the header has or more.
    pub records: Vec<(u32, StringRecord)>,
    /// How numbers in these cells are written.
    pub numbers: Numbers,
}

/// The content of a cell.
enum Content {
    Number(f64),
    Text(String),
}

impl Rows {
    /// Reads a sheet; rows whose first cell begins with `#` are comments.
    pub fn read(path: &Path, content: &[u8], sheet: &str) -> Result<Self> {
        let (mut rows, mut evidence) = (Vec::<(u32, Vec<(usize, Content)>)>::new(), Evidence::default());
        workbook(&path.to_string_lossy(), content, sheet, &mut |row, column, cell| {
            let content = match cell {
                Cell::Empty => return Ok(()),
                Cell::Number(number) => Content::Number(*number),
                Cell::Text(text) if text.trim().is_empty() => return Ok(()),
                Cell::Text(text) => {
                    evidence.add(text);
                    Content::Text(text.trim().to_owned())
                }
                Cell::Truth(truth) => Content::Text(truth.to_string()),
                Cell::Other(what) => return Err(format!("row {row}, column {column} {what}, but must be a number")),
            };
            match rows.last_mut() {
                Some((last, cells)) if *last == row => cells.push((column, content)),
                _ => rows.push((row, vec![(column, content)])),
            }
            Ok(())
        })
        .map_err(|what| anyhow!("{what}"))?;
        let numbers = evidence.decide(None, false).map_err(|what| anyhow!("{what}"))?;
        rows.retain(|(_, cells)| !matches!(&cells[..], [(_, Content::Text(text)), ..] if text.starts_with('#')));
        let Some((_, header)) = rows.first() else { bail!("it holds no row of values") };
        let (first, width) = (header[0].0, header[header.len() - 1].0 + 1 - header[0].0);
        let left =
            rows.iter().find_map(|(row, cells)| Some((row, cells.first().filter(|(column, _)| *column < first)?.0)));
        if let Some((row, column)) = left {
            bail!("row {row}, column {column} is left of the headings, which begin in column {first}");
        }
        let record = |cells: &[(usize, Content)]| {
            let mut texts = vec![String::new(); width];
            for (column, content) in cells {
                let at = column - first;
                texts.resize(texts.len().max(at + 1), String::new());
                texts[at] = match content {
                    // Integers without a point; others in their shortest form.
                    Content::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => number.to_string(),
                    Content::Number(number) => format!("{number:?}").replace('.', &numbers.decimal.to_string()),
                    Content::Text(text) => text.clone(),
                };
            }
            StringRecord::from(texts)
        };
        let mut records = rows.iter().map(|(row, cells)| (*row, record(cells)));
        let header = records.next().map(|(_, header)| header).unwrap_or_default();
        let records = records.collect();
        Ok(Self { header, records, numbers })
    }
}
