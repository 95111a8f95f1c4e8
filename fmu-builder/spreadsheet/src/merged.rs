//! Merged cells, of which only the first one has a content. What a program leaves in the others is not shown, and what the
//! first one says may hold for all of them: where a number is needed, both are errors.

use calamine::Dimensions;

use crate::cell::{COVERED, Cell, CellReceiver};

/// Number of cells without a content of their own that are passed on.
const MAX_ADDED: usize = 100_000;

/// A receiver that replaces the cells of a sheet that merged ones cover. Rows and columns count from 1.
pub(crate) struct Merged<'a> {
    sink: &'a mut dyn CellReceiver,
    /// Merged cells that begin below the row, the next one last.
    below: Vec<Dimensions>,
    /// Those that the row crosses.
    here: Vec<Dimensions>,
    row: u32,
    /// First column of the row behind those that were passed on.
    next: usize,
    added: usize,
}

impl<'a> Merged<'a> {
    pub fn new(mut regions: Vec<Dimensions>, sink: &'a mut dyn CellReceiver) -> Self {
        regions.sort_by_key(|region| std::cmp::Reverse(region.start.0));
        Self { sink, below: regions, here: Vec::new(), row: 0, next: 1, added: 0 }
    }

    /// Passes a cell on, after the covered ones before it.
    pub fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String> {
        if row != self.row {
            self.finish()?;
            self.begin(row);
        }
        self.cover(column)?;
        self.next = self.next.max(column + 1);
        let is_covered = self.here.iter().any(|region| columns(region, row).contains(&column));
        self.sink.add(row, column, if is_covered { &COVERED } else { cell })
    }

    /// Passes the covered cells at the end of the last row on.
    pub fn finish(&mut self) -> Result<(), String> {
        let end = self.here.iter().map(|region| columns(region, self.row).end).max().unwrap_or(0);
        self.cover(end)
    }

    fn begin(&mut self, row: u32) {
        (self.row, self.next) = (row, 1);
        while let Some(region) = self.below.pop_if(|region| region.start.0 < row) {
            self.here.push(region);
        }
        self.here.retain(|region| region.end.0 + 1 >= row);
    }

    /// Passes the covered cells of the row on that lie before a column.
    fn cover(&mut self, end: usize) -> Result<(), String> {
        if self.here.is_empty() || self.row == 0 {
            return Ok(());
        }
        let covered = |region: &Dimensions| {
            let columns = columns(region, self.row);
            columns.start.max(self.next)..columns.end.min(end)
        };
        let mut found: Vec<_> = self.here.iter().flat_map(covered).take(MAX_ADDED - self.added).collect();
        found.sort_unstable();
        self.added += found.len();
        self.next = self.next.max(end);
        found.into_iter().try_for_each(|column| self.sink.add(self.row, column, &COVERED))
    }
}

/// Returns the columns of a row that a merged cell covers, all but those of its first cell.
fn columns(region: &Dimensions, row: u32) -> std::ops::Range<usize> {
    let (first, last) = (region.start.1 as usize + 1, region.end.1 as usize + 1);
    if region.start.0 + 1 == row { first + 1..last + 1 } else { first..last + 1 }
}
