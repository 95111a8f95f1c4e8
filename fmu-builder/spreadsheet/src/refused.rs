//! Workbooks without the packages that read them, as in an FMU of WebAssembly.

use std::collections::BTreeSet;

use crate::cell::CellReceiver;

pub(crate) fn collect(name: &str, _: &[u8], _: &str, _: &mut dyn CellReceiver) -> Result<(), String> {
    Err(format!("{name} is a workbook, which WebAssembly does not read: save the sheet as .csv"))
}

pub(crate) fn first_formula(_: &[u8], _: &str, _: &BTreeSet<(u32, usize)>) -> Option<(u32, usize)> {
    None
}
