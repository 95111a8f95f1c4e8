//! Requests and replies as bytes: the lengths of a header and of the data, then both.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::Serialize;

/// Size of the largest header and of the largest data that are read, in bytes.
const MAX_HEADER: u64 = 1 << 28;
const MAX_DATA: u64 = 1 << 33;

/// A request or a reply: JSON, and numbers or states as bytes.
pub(super) struct Frame {
    pub header: String,
    pub data: Vec<u8>,
}

impl Frame {
    /// Makes a frame of a header and the data.
    pub fn of(header: &impl Serialize, data: Vec<u8>) -> Self {
        Self { header: serde_json::to_string(header).unwrap_or_default(), data }
    }

    /// Reads a frame; nothing at the end of the input.
    pub fn read(input: &mut impl Read) -> Result<Option<Self>> {
        let mut lengths = [[0; 8]; 2];
        for length in &mut lengths {
            match input.read_exact(length) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                done => done?,
            }
        }
        let [header, data] = lengths.map(u64::from_le_bytes);
        if header > MAX_HEADER || data > MAX_DATA {
            return Err(Error::new(ErrorKind::InvalidData, "a frame is too long"));
        }
        let header = String::from_utf8(bytes(input, header)?).map_err(|_| Error::from(ErrorKind::InvalidData))?;
        Ok(Some(Self { header, data: bytes(input, data)? }))
    }

    /// Writes the frame.
    pub fn write(&self, output: &mut impl Write) -> Result<()> {
        for part in [self.header.as_bytes(), &self.data] {
            output.write_all(&(part.len() as u64).to_le_bytes())?;
        }
        output.write_all(self.header.as_bytes())?;
        output.write_all(&self.data)?;
        output.flush()
    }
}

fn bytes(input: &mut impl Read, length: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| Error::from(ErrorKind::OutOfMemory))?];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns columns of numbers as bytes, one column after another.
pub(super) fn packed<'a>(columns: impl Iterator<Item = &'a [f64]> + Clone) -> Vec<u8> {
    let mut data = Vec::with_capacity(columns.clone().map(<[f64]>::len).sum());
    for column in columns {
        data.extend(column.iter().map(|value| value.to_le_bytes()));
    }
    data.into_flattened()
}

/// Returns the numbers that bytes are.
pub(super) fn numbers(data: &[u8]) -> Vec<f64> {
    data.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}
