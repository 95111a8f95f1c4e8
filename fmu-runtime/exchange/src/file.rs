//! Files: their names, and reading them with a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Name of the canonical configuration in the resources.
pub const CONFIGURATION: &str = "configuration.txt";

/// The largest file of data that is read, in bytes.
pub const MAX_DATA_BYTES: u64 = 16 << 20;

/// Reads a file with at most this number of bytes; the error names the path.
pub fn read_limited(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let failed = |error| format!("{shown} cannot be read: {error}");
    // Checked before it is opened: reading a pipe would block.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(format!("{shown} cannot be read: it is not a file"));
    }
    let mut content = Vec::new();
    if metadata.len() <= largest {
        // Without it, reading begins with 32 bytes: five calls of the system more for each instance. One byte more than there
        // are, so that the end is found without room being made.
        content.reserve_exact(metadata.len() as usize + 1);
        File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut content)).map_err(failed)?;
    }
    if metadata.len().max(content.len() as u64) > largest {
        return Err(format!("{shown} is larger than {} MB", largest >> 20));
    }
    Ok(content)
}
