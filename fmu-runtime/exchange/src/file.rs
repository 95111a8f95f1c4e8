//! Files: their names, and reading them with a limit.

#[cfg(not(target_family = "wasm"))]
use std::fs::File;
#[cfg(not(target_family = "wasm"))]
use std::io::Read;
use std::path::Path;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

/// Name of the canonical configuration in the resources.
pub const CONFIGURATION: &str = "configuration.txt";

/// The largest file of data that is read, in bytes.
pub const MAX_DATA_BYTES: u64 = 16 << 20;

/// Reads a file with at most this number of bytes; the error names the path.
#[cfg(not(target_family = "wasm"))]
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

/// True if there is a file.
#[cfg(not(target_family = "wasm"))]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns the content of a file, or the reason why there is none.
#[cfg(target_family = "wasm")]
pub type ReadFile = fn(&Path) -> Result<Vec<u8>, String>;

/// Where WebAssembly, which has no files, gets their contents from.
#[cfg(target_family = "wasm")]
static READ_FILE: OnceLock<ReadFile> = OnceLock::new();

/// Makes the contents of files come from a function, unless they already come from another one.
#[cfg(target_family = "wasm")]
pub fn read_files_with(read: ReadFile) {
    READ_FILE.get_or_init(|| read);
}

#[cfg(target_family = "wasm")]
fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    READ_FILE.get().map_or_else(|| Err("there are no files here".to_owned()), |read| read(path))
}

/// Reads a file with at most this number of bytes; the error names the path.
#[cfg(target_family = "wasm")]
pub fn read_limited(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let content = read_file(path).map_err(|reason| format!("{shown} cannot be read: {reason}"))?;
    if content.len() as u64 > largest {
        return Err(format!("{shown} is larger than {} MB", largest >> 20));
    }
    Ok(content)
}

/// True if there is a file.
#[cfg(target_family = "wasm")]
pub fn is_file(path: &Path) -> bool {
    read_file(path).is_ok()
}
