//! Arrays of NumPy in a zip archive.
//!
//! Source: NumPy, `numpy.lib.format`, version 1.0.

use std::io::{Cursor, Write as _};

use anyhow::Result;
use nalgebra::DMatrix;
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use super::arrays::Array;

/// Length of magic, version and length of the header, and what the whole is a multiple of.
const PREFIX: usize = 10;
const ALIGNMENT: usize = 64;

/// Returns the content of a file with arrays; texts are arrays of one dimension.
pub fn content(arrays: &[(&str, Array)]) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    for (name, array) in arrays {
        archive.start_file(format!("{name}.npy"), options)?;
        archive.write_all(&array_of(array))?;
    }
    Ok(archive.finish()?.into_inner())
}

fn array_of(array: &Array) -> Vec<u8> {
    let of_matrix =
        |kind: &str, (rows, columns), bytes: Vec<u8>| file(kind, true, &format!("({rows}, {columns})"), bytes);
    match array {
        Array::Real(matrix) => of_matrix("<f8", matrix.shape(), bytes(matrix)),
        Array::Complex(matrix) => {
            let parts = matrix.iter().flat_map(|value| [value.re, value.im]).flat_map(f64::to_le_bytes);
            of_matrix("<c16", matrix.shape(), parts.collect())
        }
        Array::Texts(texts) => {
            let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
            let padded = texts.iter().flat_map(|text| {
                let signs = text.chars().map(|sign| sign as u32);
                signs.chain(std::iter::repeat(0)).take(width)
            });
            file(
                &format!("<U{width}"),
                false,
                &format!("({},)", texts.len()),
                padded.flat_map(u32::to_le_bytes).collect(),
            )
        }
    }
}

fn bytes(matrix: &DMatrix<f64>) -> Vec<u8> {
    matrix.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Returns the file of an array of a type and a shape, by columns or by rows.
fn file(kind: &str, by_columns: bool, shape: &str, content: Vec<u8>) -> Vec<u8> {
    let order = if by_columns { "True" } else { "False" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let length = (PREFIX + header.len() + 1).next_multiple_of(ALIGNMENT) - PREFIX;
    header = format!("{header:<width$}\n", width = length - 1);
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((length as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(content);
    file
}
