//! Reads a finished `.fmu`, independently of the code that writes it.

pub(crate) mod element;
pub(crate) mod encoding;
pub(crate) mod interpret;
mod interpret_3;
mod limits;
mod model;

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::error::Error;
pub use model::{ArrayVariable, Experiment, Interface, ModelDescription};

/// An opened FMU that is safe to unpack.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    bytes: Arc<[u8]>,
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
    /// A feature of the zip format that FMI does not allow, if there is one.
    pub(crate) format_problem: Option<&'static str>,
}

impl Archive {
    /// Opens an FMU: reads its list of entries, and unpacks each without storing it.
    ///
    /// # Errors
    ///
    /// When it is not a zip archive, or not safe to unpack: too large (512 MiB, 256 MiB for an entry, 1 GiB in total,
    /// 200 times the archive beyond 16 MiB), more than 10 000 entries, names that lead out of a folder or occur twice,
    /// links, encryption, another compression than deflate, or damage.
    pub fn open(path: &Path) -> Result<Archive, Error> {
        let archive = Self::list(path)?;
        (0..archive.entries.len()).try_for_each(|index| archive.unpack(index, &mut io::sink()))?;
        Ok(archive)
    }

    /// Opens an FMU as [`open`](Self::open), but unpacks nothing: damage of an entry is found where it is
    /// [read](Self::read).
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open), but for damage.
    pub fn list(path: &Path) -> Result<Archive, Error> {
        let fail = |reason: String| Error::Archive { path: path.to_owned(), reason };
        let bytes: Arc<[u8]> = limits::load(path)?.into();
        let names = limits::names(&bytes).map_err(fail)?;
        let damaged = |error| fail(damaged(&error));
        let zip = ZipArchive::new(Cursor::new(bytes.clone())).map_err(damaged)?;
        let mut budget = limits::Budget::new(bytes.len());
        let mut entries = Vec::with_capacity(names.len());
        let mut reader = zip.clone();
        for (index, name) in names.into_iter().enumerate() {
            let file = reader.by_index_raw(index).map_err(damaged)?;
            budget.admit(&name, &file).map_err(fail)?;
            let format_problem = if file.version_needed() > 20 {
                Some("needs a later version of zip than 2.0")
            } else if file.flags().is_using_data_descriptor() && file.compression() == CompressionMethod::Stored {
                Some("is stored with a data descriptor")
            } else {
                None
            };
            entries.push(Entry { size: file.size(), mode: file.unix_mode(), name, format_problem });
        }
        Ok(Archive { path: path.to_owned(), bytes, zip, entries })
    }

    /// Returns the path of the archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the archive itself, for an importer that reads it from memory: exactly the bytes that were checked.
    pub fn content(&self) -> Cursor<Arc<[u8]>> {
        Cursor::new(self.bytes.clone())
    }

    /// Returns the entries in the order of the archive.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the content of an entry.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let Some(index) = self.entries.iter().position(|entry| entry.name == name) else {
            return Err(self.fail(format!("has no {name}")));
        };
        let mut content = Vec::with_capacity(self.entries[index].size as usize);
        self.unpack(index, &mut content)?;
        Ok(content)
    }

    /// Unpacks an entry; refuses one that is damaged, or has another size than the declared one.
    fn unpack(&self, index: usize, into: &mut impl io::Write) -> Result<(), Error> {
        let mut zip = self.zip.clone();
        let file = zip.by_index(index).map_err(|error| self.fail(damaged(&error)))?;
        limits::unpack(&self.entries[index].name, file, into).map_err(|reason| self.fail(reason))
    }

    fn fail(&self, reason: String) -> Error {
        Error::Archive { path: self.path.clone(), reason }
    }

    /// Returns the version of FMI that `modelDescription.xml` names, if it does.
    pub fn fmi_version(&self) -> Result<Option<String>, Error> {
        Ok(self.description()?.attribute("fmiVersion").map(element::shown))
    }

    /// Returns true if `modelDescription.xml` is safe XML. Otherwise it must not be passed to an importer.
    pub fn has_safe_description(&self) -> bool {
        self.description().is_ok()
    }

    /// Returns the content of `modelDescription.xml` of FMI 2.0 or 3.0; the error lists everything that is unreadable,
    /// or names the other version of FMI.
    pub fn model(&self) -> Result<ModelDescription, Error> {
        let root = self.description()?;
        if let Some(version) = root.attribute("fmiVersion").filter(|it| !it.starts_with("2.") && !it.starts_with("3."))
        {
            let version = element::shown(version);
            return Err(self.fail(format!("is for FMI {version}; only FMI 2.0 and FMI 3.0 can be imported")));
        }
        let (model, problems) = interpret::interpret(&root);
        if problems.is_empty() { Ok(model) } else { Err(self.undescribed(&element::shown(&problems.join("; ")))) }
    }

    /// The GUID in `modelDescription.xml` of FMI 2.0, of which only the first tag is read.
    pub(crate) fn guid(&self) -> Result<Option<String>, Error> {
        Ok(self.parsed(element::root)?.attribute("guid").map(str::to_owned))
    }

    fn description(&self) -> Result<element::Element, Error> {
        self.parsed(element::parse)
    }

    fn parsed(&self, parse: fn(&str) -> Result<element::Element, String>) -> Result<element::Element, Error> {
        let decoded =
            encoding::decode(self.read("modelDescription.xml")?).map_err(|reason| self.undescribed(&reason))?;
        parse(decoded.text.trim_start_matches('\u{feff}')).map_err(|reason| self.undescribed(&reason))
    }

    fn undescribed(&self, reason: &str) -> Error {
        self.fail(format!("modelDescription.xml: {reason}"))
    }
}

fn damaged(error: &ZipError) -> String {
    format!("is truncated or not a zip archive ({error})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::file_kind::FileKind;
    use crate::archive::writer::ArchiveWriter;

    fn written(entries: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Spring.fmu");
        let mut archive = ArchiveWriter::new(None);
        for (name, content) in entries {
            archive.add(*name, *content).unwrap();
        }
        archive.write(&path, FileKind::Fmu, []).unwrap();
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
            assert!(message.contains("Spring.fmu: is truncated or not a zip archive"), "{message}");
        }
    }

    /// Entries that are unpacked at once and those that are read later have the same messages.
    #[test]
    fn damage_is_found_in_both_ways() {
        let (_folder, path) = written(&[("modelDescription.xml", "x"), ("resources/a", "content")]);
        let bytes = fs_err::read(&path).unwrap();
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x55;
            fs_err::write(&path, &damaged).unwrap();
            let read = Archive::list(&path).and_then(|archive| {
                let names = archive.entries().iter().map(|entry| entry.name.as_str());
                names.map(|name| archive.read(name)).collect::<Result<Vec<_>, _>>()
            });
            let [opened, read] = [Archive::open(&path).err(), read.err()].map(|error| error.map(|it| it.to_string()));
            assert_eq!(opened, read, "{position}");
        }
    }

    #[test]
    fn a_description_that_is_no_xml_is_refused() {
        let (_folder, path) = written(&[("modelDescription.xml", "<fmiModelDescription>")]);
        let message = Archive::open(&path).unwrap().model().unwrap_err().to_string();
        assert!(message.contains("Spring.fmu: modelDescription.xml: "), "{message}");
    }
}
