//! A finished `.fmu`, read back by a road of its own, so that it can judge what was written.

pub(crate) mod element;
pub(crate) mod interpret;
mod model;
mod words;

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

use crate::Error;
pub use model::{Experiment, Interface, ModelDescription};

/// More than any FMU needs, and less than what fills a disk.
const LARGEST_ENTRY: u64 = 256 << 20;
const MOST_ENTRIES: usize = 10_000;

/// An opened FMU.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    zip: ZipArchive<Cursor<Arc<[u8]>>>,
    entries: Vec<Entry>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path inside the archive.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Permissions, if they were recorded.
    pub mode: Option<u32>,
    /// What of the zip format goes beyond FMI, if anything.
    pub(crate) format_problem: Option<&'static str>,
}

impl Archive {
    /// Opens an FMU and reads its list of entries.
    pub fn open(path: &Path) -> Result<Archive, Error> {
        let fail = |reason: String| Error::Archive { path: path.to_owned(), reason };
        let bytes: Arc<[u8]> = fs_err::read(path)?.into();
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| fail(format!("is truncated or no zip archive ({error})")))?;
        if zip.len() > MOST_ENTRIES {
            return Err(fail(format!("has {} entries; more than {MOST_ENTRIES} are not read", zip.len())));
        }
        let mut entries = Vec::with_capacity(zip.len());
        let mut reader = zip.clone();
        for index in 0..zip.len() {
            let file = reader
                .by_index_raw(index)
                .map_err(|error| fail(format!("is truncated or no zip archive ({error})")))?;
            let name = String::from_utf8_lossy(file.name_raw()).into_owned();
            if file.size() > LARGEST_ENTRY {
                return Err(fail(format!("{name} has {} bytes; more than {LARGEST_ENTRY} are not read", file.size())));
            }
            let format_problem = if file.encrypted() {
                Some("is encrypted")
            } else if file.is_symlink() {
                Some("is a symbolic link")
            } else if !matches!(file.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
                Some("is compressed otherwise than by deflate")
            } else if file.version_needed() > 20 {
                Some("needs a later version of zip than 2.0")
            } else if file.flags().is_using_data_descriptor() && file.compression() == CompressionMethod::Stored {
                Some("is stored with a data descriptor")
            } else {
                None
            };
            entries.push(Entry { size: file.size(), mode: file.unix_mode(), name, format_problem });
        }
        Ok(Archive { path: path.to_owned(), zip, entries })
    }

    /// The entries in the order of the archive.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The content of an entry.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let fail = |reason: String| Error::Archive { path: self.path.clone(), reason };
        let Some(index) = self.entries.iter().position(|entry| entry.name == name) else {
            return Err(fail(format!("has no {name}")));
        };
        let mut zip = self.zip.clone();
        let file = zip.by_index(index).map_err(|error| fail(format!("{name} cannot be read: {error}")))?;
        let mut content = Vec::new();
        file.take(LARGEST_ENTRY + 1)
            .read_to_end(&mut content)
            .map_err(|error| fail(format!("{name} cannot be read: {error}")))?;
        if content.len() as u64 > LARGEST_ENTRY {
            return Err(fail(format!("{name} has more than {LARGEST_ENTRY} bytes")));
        }
        let declared = self.entries[index].size;
        if content.len() as u64 != declared {
            return Err(fail(format!(
                "{name} has {} bytes, but the archive's directory says {declared}",
                content.len()
            )));
        }
        Ok(content)
    }

    /// The content of `modelDescription.xml`; the error lists all that is unreadable.
    pub fn model(&self) -> Result<ModelDescription, Error> {
        let fail = |reason: String| Error::Archive {
            path: self.path.clone(),
            reason: format!("modelDescription.xml: {reason}"),
        };
        let text =
            String::from_utf8(self.read("modelDescription.xml")?).map_err(|_| fail("is no UTF-8 text".to_owned()))?;
        let root = element::parse(&text).map_err(fail)?;
        let (model, problems) = interpret::interpret(&root);
        if problems.is_empty() { Ok(model) } else { Err(fail(problems.join("; "))) }
    }

    /// Whether two entries have the very same name.
    pub(crate) fn has_duplicates(&self) -> bool {
        self.zip.has_duplicate_names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::ArchiveWriter;

    fn written(entries: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Spring.fmu");
        let mut archive = ArchiveWriter::new(None);
        for (name, content) in entries {
            archive.add(*name, *content).unwrap();
        }
        archive.write(&path).unwrap();
        (folder, path)
    }

    #[test]
    fn entries_are_read_back() {
        let (_folder, path) = written(&[("modelDescription.xml", "x"), ("resources/a", "content")]);
        let archive = Archive::open(&path).unwrap();
        assert_eq!(archive.entries().len(), 2);
        assert_eq!(archive.read("resources/a").unwrap(), b"content");
        let message = archive.read("resources/b").unwrap_err().to_string();
        assert!(message.ends_with("Spring.fmu: has no resources/b"), "{message}");
    }

    #[test]
    fn every_truncation_is_an_error() {
        let (_folder, path) = written(&[("modelDescription.xml", "x"), ("resources/a", "content")]);
        let bytes = fs_err::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs_err::write(&path, &bytes[..length]).unwrap();
            let message = Archive::open(&path).unwrap_err().to_string();
            assert!(message.contains("Spring.fmu: is truncated or no zip archive"), "{message}");
        }
    }

    #[test]
    fn damage_never_panics() {
        let (_folder, path) = written(&[("modelDescription.xml", "x"), ("resources/a", "content")]);
        let bytes = fs_err::read(&path).unwrap();
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x55;
            fs_err::write(&path, &damaged).unwrap();
            if let Ok(archive) = Archive::open(&path) {
                let _ = archive.read("resources/a");
            }
        }
    }

    #[test]
    fn a_declared_size_beyond_the_limit_is_refused() {
        let (_folder, path) = written(&[("modelDescription.xml", "x")]);
        let mut bytes = fs_err::read(&path).unwrap();
        let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        bytes[central + 24..central + 28].copy_from_slice(&0x2000_0000_u32.to_le_bytes());
        fs_err::write(&path, &bytes).unwrap();
        let message = Archive::open(&path).unwrap_err().to_string();
        assert!(message.contains("modelDescription.xml has 536870912 bytes; more than 268435456"), "{message}");
    }

    #[test]
    fn an_entry_shorter_than_declared_is_refused() {
        let (_folder, path) = written(&[("modelDescription.xml", "x")]);
        let mut bytes = fs_err::read(&path).unwrap();
        let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        bytes[central + 24..central + 28].copy_from_slice(&131_076_u32.to_le_bytes());
        fs_err::write(&path, &bytes).unwrap();
        let message = Archive::open(&path).unwrap().read("modelDescription.xml").unwrap_err().to_string();
        let expected = "modelDescription.xml has 1 bytes, but the archive's directory says 131076";
        assert!(message.ends_with(expected), "{message}");
    }

    #[test]
    fn a_description_that_is_no_xml_is_refused() {
        let (_folder, path) = written(&[("modelDescription.xml", "<fmiModelDescription>")]);
        let message = Archive::open(&path).unwrap().model().unwrap_err().to_string();
        assert!(message.contains("Spring.fmu: modelDescription.xml: "), "{message}");
    }
}
