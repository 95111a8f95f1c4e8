//! Linear systems in files for other programs: JSON, MATLAB and NumPy.

mod arrays;
mod json;
mod mat;
mod npz;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use fmu_builder::{Destination, FileKind};

use super::Linearization;
use crate::values::file::small_extension;

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for any program.
    Json,
    /// MATLAB's format of level 5, also for Octave and SciPy.
    Mat,
    /// Arrays of NumPy.
    Npz,
}

impl Format {
    /// Returns the format of a file's extension.
    pub fn of(path: &Path) -> Result<Self> {
        match small_extension(path).as_deref() {
            Some("json") => Ok(Self::Json),
            Some("mat") => Ok(Self::Mat),
            Some("npz") => Ok(Self::Npz),
            _ => bail!("{}: a linear system is a .json, a .mat or an .npz file", path.display()),
        }
    }

    /// Returns the kind of files that a linear system of this name may replace.
    pub fn kind_of(path: &Path) -> Result<FileKind> {
        Ok(match Self::of(path)? {
            Self::Json => FileKind::LinearSystem,
            Self::Mat => FileKind::Mat,
            Self::Npz => FileKind::Npz,
        })
    }
}

/// Writes a linear system into a file, in the format of its extension.
pub fn save(system: &Linearization, file: &Destination) -> Result<()> {
    let content = match Format::of(file.path())? {
        Format::Json => json::content(system)?,
        Format::Mat => mat::content(&arrays::arrays(system)),
        Format::Npz => npz::content(&arrays::arrays(system))?,
    };
    Ok(file.write(|writer| writer.write_all(&content))?)
}
