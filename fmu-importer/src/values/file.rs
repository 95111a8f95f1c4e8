//! Files that are read as a whole.

use std::io::{Read, Take};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use fs_err::File;

/// Opens a file of limited size for reading.
///
/// # Errors
///
/// Also when it is a pipe or a device, which might never end.
pub fn open(path: &Path, most: u64) -> Result<Take<File>> {
    let shown = path.display();
    // The metadata are read before the file is opened: opening a pipe would wait for its other end.
    ensure!(!fs_err::metadata(path).is_ok_and(|present| !present.is_file()), "{shown} is not a file");
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    ensure!(length <= most, "{shown} has {length} bytes; the limit is {most}");
    Ok(file.take(most))
}

/// Reads a file of limited size.
#[cfg(target_family = "wasm")]
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    fmu_exchange::read_limited(path, most).map_err(anyhow::Error::msg)
}

/// Reads a file of limited size.
#[cfg(not(target_family = "wasm"))]
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    open(path, most)?.read_to_end(&mut content)?;
    Ok(content)
}

/// Returns the file that a text names, if there is one.
pub fn named(text: &str) -> Option<PathBuf> {
    Some(PathBuf::from(text)).filter(|path| path.is_file())
}

/// Returns a file's extension in small letters.
pub fn small_extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
