//! Libraries, which several FMUs share, compressed once: this compression takes longer than everything else.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fmu_exchange::fingerprint;
use zip::read::ZipFile;
use zip::result::{ZipError, ZipResult};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipArchive, ZipWriter};

use crate::archive::destination::Destination;
use crate::error::Error;

/// One compressed library, kept in a zip archive of its own.
#[derive(Clone, Debug)]
pub(crate) struct Deflated(ZipArchive<Bytes>);

/// Bytes of an archive, shared by the FMUs that are packed at the same time.
type Bytes = Cursor<Arc<[u8]>>;

impl Deflated {
    /// Compresses the content of a library, or uses the cached result next to it, which has the same content and is named by
    /// a hash of the options.
    pub fn new(content: &[u8], path: &Path, options: SimpleFileOptions) -> Result<Self, Error> {
        let key = key(options);
        let kept = compressed(path);
        if let Some(known) = Self::kept(&kept).filter(|known| known.is_of(&key, content)) {
            return Ok(known);
        }
        let bytes = compress(&key, content, options).map_err(|error| failed(path, &error))?;
        // If it cannot be cached, the next FMU takes as long.
        let _ = Destination::new(&kept).and_then(|kept| kept.write(|writer| writer.write_all(&bytes)));
        Self::of(bytes).map_err(|error| failed(path, &error))
    }

    /// Compresses the content of a library, and caches it nowhere.
    pub fn uncached(content: &[u8], options: SimpleFileOptions) -> ZipResult<Self> {
        Self::of(compress(&key(options), content, options)?)
    }

    fn kept(file: &Path) -> Option<Self> {
        Self::of(fs_err::read(file).ok()?).ok()
    }

    fn of(archive: Vec<u8>) -> ZipResult<Self> {
        ZipArchive::new(Cursor::new(archive.into())).map(Self)
    }

    /// Returns the content of the library.
    fn content(&self) -> ZipResult<Vec<u8>> {
        let mut archive = self.0.clone();
        let mut file = archive.by_index(0)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        Ok(content)
    }

    /// Returns true if the archive contains a file of this name with this content; a damaged archive does not.
    fn is_of(&self, name: &str, content: &[u8]) -> bool {
        self.0.index_for_name(name) == Some(0) && self.content().is_ok_and(|found| found == content)
    }

    /// Returns the archive with another date.
    pub fn dated(&self, date: DateTime) -> ZipResult<Self> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        self.copy(|file| zip.raw_copy_file_touch(file, date, None))?;
        Self::of(zip.finish()?.into_inner())
    }

    /// Passes the compressed file to `take`, which copies it into another archive as it is.
    pub fn copy(&self, take: impl FnOnce(ZipFile<'_, Bytes>) -> ZipResult<()>) -> ZipResult<()> {
        let mut archive = self.0.clone();
        take(archive.by_index_raw(0)?)
    }
}

/// Returns a hash of the options.
fn key(options: SimpleFileOptions) -> String {
    fingerprint(format!("{options:?}").as_bytes())
}

/// Returns the path of a compressed library: next to the library.
fn compressed(library: &Path) -> PathBuf {
    let mut place = library.as_os_str().to_owned();
    place.push(".zip");
    place.into()
}

fn failed(path: &Path, error: &ZipError) -> Error {
    Error::Archive { path: path.into(), reason: error.to_string() }
}

fn compress(name: &str, content: &[u8], options: SimpleFileOptions) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, options)?;
    zip.write_all(content)?;
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_and_is_damaged_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library");
        let content: Vec<u8> = (0..20_000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let made = || drop(Deflated::new(&content, &path, SimpleFileOptions::default()).unwrap());
        made();
        let kept = compressed(&path);
        let good = fs_err::read(&kept).unwrap();
        let mut damaged = good.clone();
        damaged[good.len() / 2] ^= 1;
        fs_err::write(&kept, damaged).unwrap();
        made();
        assert_eq!(fs_err::read(&kept).unwrap(), good);
    }

    #[test]
    fn a_date_changes_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let date = DateTime::from_date_and_time(2026, 1, 1, 0, 0, 0).unwrap();
        let options = SimpleFileOptions::default();
        let made = Deflated::new(&[7; 10_000], &folder.path().join("library"), options).unwrap();
        let dated = made.dated(date).unwrap();
        let name = made.0.name_for_index(0).unwrap().unwrap();
        let expected = compress(&name, &[7; 10_000], options.last_modified_time(date)).unwrap();
        assert_eq!(dated.0.into_inner().into_inner()[..], expected);
    }
}
