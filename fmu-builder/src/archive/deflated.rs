//! Files shared by several FMUs, compressed once: this compression takes longer than everything else.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fmu_runtime::fingerprint;
use zip::read::ZipFile;
use zip::result::{ZipError, ZipResult};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::archive::destination::Destination;
use crate::error::Error;

/// One compressed file, kept in a zip archive of its own.
#[derive(Clone, Debug)]
pub(crate) struct Deflated(ZipArchive<Bytes>);

/// Shared by the FMUs that are packed at the same time.
type Bytes = Cursor<Arc<[u8]>>;

impl Deflated {
    /// Compresses the content of a file, or uses the cached result next to it, which is named by a hash of
    /// the content.
    pub fn new(content: &[u8], path: &Path, options: SimpleFileOptions) -> Result<Self, Error> {
        let key = fingerprint(format!("{options:?} {}", fingerprint(content)).as_bytes());
        let kept = compressed(path);
        let known = fs_err::read(&kept).ok().and_then(|bytes| ZipArchive::new(Cursor::new(bytes.into())).ok());
        if let Some(known) = known.filter(|known| known.index_for_name(&key) == Some(0) && is_of(known, content)) {
            return Ok(Self(known));
        }
        let failed = |error: ZipError| Error::Archive { path: path.into(), reason: error.to_string() };
        let bytes = compress(&key, content, options).map_err(failed)?;
        // If it cannot be cached, the next FMU takes as long.
        let _ = Destination::new(&kept).and_then(|kept| kept.write(|writer| writer.write_all(&bytes)));
        ZipArchive::new(Cursor::new(bytes.into())).map(Self).map_err(failed)
    }

    /// The compressed file, to be copied into another archive as it is.
    pub fn copy(&self, take: impl FnOnce(ZipFile<'_, Bytes>) -> ZipResult<()>) -> ZipResult<()> {
        let mut archive = self.0.clone();
        take(archive.by_index_raw(0)?)
    }
}

/// The place of a library that was compressed for archives: beside it.
pub fn compressed(library: &Path) -> PathBuf {
    let mut place = library.as_os_str().to_owned();
    place.push(".zip");
    place.into()
}

/// Whether an archive has this content; a damaged one has not.
fn is_of(archive: &ZipArchive<Bytes>, content: &[u8]) -> bool {
    let mut found = Vec::with_capacity(content.len());
    let read = archive.clone().by_index(0).is_ok_and(|mut file| file.read_to_end(&mut found).is_ok());
    read && found == content
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
}
