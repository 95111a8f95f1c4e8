//! Arrays in MATLAB's MAT-file format of level 5.
//!
//! Written here, because `matrw` drops the errors of the file system and puts the time of day into the file, and `matio-rs`
//! needs a C library. Source: MathWorks, MAT-File Format, chapter 1.

use nalgebra::DMatrix;

use super::arrays::Array;

/// Data types of elements.
const INT8: u32 = 1;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const UINT16: u32 = 4;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
/// Classes of arrays.
const CELL: u32 = 1;
const CHAR: u32 = 4;
const NUMBERS: u32 = 6;
/// Flag of complex arrays.
const COMPLEX: u32 = 1 << 11;

/// Returns the content of a file with arrays; texts are cell columns of character rows.
pub fn content(arrays: &[(&str, Array)]) -> Vec<u8> {
    let mut content = format!("{:<116}", "MATLAB 5.0 MAT-file, a linear system").into_bytes();
    content.extend([0; 8]);
    content.extend(0x0100_u16.to_le_bytes());
    content.extend(b"IM");
    for (name, array) in arrays {
        content.extend(match array {
            Array::Real(matrix) => array_of(NUMBERS, matrix.shape(), name, &[numbers(matrix)]),
            Array::Complex(matrix) => {
                let parts = [matrix.map(|value| value.re), matrix.map(|value| value.im)];
                array_of(NUMBERS | COMPLEX, matrix.shape(), name, &parts.map(|part| numbers(&part)))
            }
            Array::Texts(texts) => {
                let cells: Vec<Vec<u8>> = texts.iter().map(|text| characters(text)).collect();
                array_of(CELL, (texts.len(), 1), name, &cells)
            }
        });
    }
    content
}

/// Returns an array: flags, dimensions, name, and its parts.
fn array_of(flags: u32, (rows, columns): (usize, usize), name: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    let words = |words: [u32; 2]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut content = element(UINT32, &words([flags, 0]));
    content.extend(element(INT32, &words([rows as u32, columns as u32])));
    content.extend(element(INT8, name.as_bytes()));
    parts.iter().for_each(|part| content.extend(part));
    element(MATRIX, &content)
}

/// Returns a row of characters, without a name.
fn characters(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    array_of(CHAR, (1, units.len()), "", &[element(UINT16, &bytes)])
}

/// Returns the elements of a matrix by columns.
fn numbers(matrix: &DMatrix<f64>) -> Vec<u8> {
    element(DOUBLE, &matrix.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}

/// Returns an element: its type and size, and its content up to a multiple of eight bytes.
fn element(kind: u32, content: &[u8]) -> Vec<u8> {
    let mut all = Vec::with_capacity(content.len() + 15);
    all.extend(kind.to_le_bytes());
    all.extend((content.len() as u32).to_le_bytes());
    all.extend(content);
    all.resize(all.len().next_multiple_of(8), 0);
    all
}
