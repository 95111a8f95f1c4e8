//! Temporary folders: on disk, or in WebAssembly in memory.

use std::path::Path;

use crate::error::Error;

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub struct TemporaryFolder(Place);

#[cfg(not(target_family = "wasm"))]
type Place = tempfile::TempDir;
#[cfg(target_family = "wasm")]
type Place = std::path::PathBuf;

#[cfg(not(target_family = "wasm"))]
impl TemporaryFolder {
    /// Makes a folder whose name begins so.
    ///
    /// # Errors
    ///
    /// When the system's folder for temporary files cannot be written.
    pub fn new(prefix: &str) -> Result<Self, Error> {
        Ok(Self(tempfile::Builder::new().prefix(prefix).tempdir()?))
    }

    /// Writes a file, whose name may have folders.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        let file = self.0.path().join(name);
        if let Some(parent) = file.parent() {
            fs_err::create_dir_all(parent)?;
        }
        Ok(fs_err::write(file, content)?)
    }
}

#[cfg(target_family = "wasm")]
impl TemporaryFolder {
    /// Makes a folder whose name begins so.
    pub fn new(prefix: &str) -> Result<Self, Error> {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        // No name that a user gives begins with a slash.
        Ok(Self(format!("/{prefix}{}", NUMBER.fetch_add(1, Ordering::Relaxed)).into()))
    }

    /// Writes a file, whose name may have folders.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        fmu_exchange::memory::write_file(&self.0.join(name), content.to_vec());
        Ok(())
    }
}

impl TemporaryFolder {
    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.0.as_ref()
    }
}

#[cfg(target_family = "wasm")]
impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        fmu_exchange::memory::remove_folder(&self.0);
    }
}
