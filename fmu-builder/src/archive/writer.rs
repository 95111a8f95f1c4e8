//! The archive: the same entries give the same bytes, and a failure leaves nothing behind.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::archive::deflated::Deflated;
use crate::archive::destination::Destination;
use crate::archive::file_kind::FileKind;
use crate::date::Date;
use crate::error::Error;
use crate::text::reserved::is_device;

/// The compression of an archive, which is nearly all libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compression {
    /// Ordinary deflate.
    Usual,
    /// Zopfli with five iterations, beyond which files stay as large: two to five percent smaller, but a second or two for each
    /// library.
    Smallest,
}

impl Compression {
    /// Returns the level of compression, in the terms of the `zip` package.
    fn level(self) -> i64 {
        match self {
            Self::Usual => 9,
            Self::Smallest => 14,
        }
    }
}

/// Largest text that is compressed as far as possible; that of systems of thousands of parts and of large tables would take
/// a tenth of the time of a build for a few percent. It is compressed with the next level.
const MAX_SLOW: usize = 1 << 20;
const QUICK_LEVEL: i64 = 6;

/// The entries of an archive to be written.
pub(crate) struct ArchiveWriter {
    /// Date as zip stores it, from 1980 to 2107.
    date: DateTime,
    compression: Compression,
    entries: BTreeMap<String, Content>,
}

enum Content {
    Plain(Vec<u8>),
    Deflated(Deflated),
}

impl ArchiveWriter {
    /// Makes an archive in which all files have this date.
    pub fn new(date: Option<Date>) -> Self {
        let date = date.and_then(timestamp).unwrap_or_default();
        Self { date, compression: Compression::Usual, entries: BTreeMap::new() }
    }

    /// Sets the compression of the files that are not compressed already.
    pub fn compressed(self, compression: Compression) -> Self {
        Self { compression, ..self }
    }

    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.insert(name.into(), Content::Plain(content.into()))
    }

    /// Adds a file that is compressed already, see [`executable`].
    pub fn add_deflated(&mut self, name: String, content: Deflated) -> Result<(), Error> {
        self.insert(name, Content::Deflated(content))
    }

    fn insert(&mut self, name: String, content: Content) -> Result<(), Error> {
        let reason = name_problem(&name).or_else(|| {
            let clash = self.entries.keys().any(|other| other.eq_ignore_ascii_case(&name));
            clash.then_some("differs from another entry only in case")
        });
        match reason {
            Some(reason) => Err(Error::Entry { name, reason }),
            None => {
                self.entries.insert(name, content);
                Ok(())
            }
        }
    }

    /// Writes the archive in one step; its folder is created if necessary; never overwrites one of the `inputs` or a file
    /// of another kind.
    pub fn write<'a>(
        &self,
        path: &Path,
        kind: FileKind,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), Error> {
        if let Some(folder) = path.parent() {
            if folder.is_file() {
                return Err(Error::Archive { path: folder.to_owned(), reason: "is a file, not a folder".to_owned() });
            }
            fs_err::create_dir_all(folder)?;
        }
        let inputs = inputs.into_iter().map(|input| ("an input of this command", Some(input)));
        let destination = Destination::new(path)?.apart_from("the archive", inputs)?.of_kind(kind)?;
        let bytes =
            self.bytes().map_err(|error| Error::Archive { path: path.to_owned(), reason: error.to_string() })?;
        destination.write(|writer| writer.write_all(&bytes))
    }

    /// Returns the bytes of the archive.
    pub fn bytes(&self) -> Result<Vec<u8>, ZipError> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        // Importers that read the archive as a stream find the description first.
        let first = |name: &str| name != "modelDescription.xml";
        let mut names: Vec<&String> = self.entries.keys().collect();
        names.sort_by_key(|name| (first(name), *name));
        for name in names {
            match &self.entries[name] {
                Content::Plain(content) => {
                    let options = options(self.date, 0o644, self.compression);
                    let quick = (content.len() > MAX_SLOW).then_some(QUICK_LEVEL);
                    zip.start_file(name, options.compression_level(quick.or(Some(self.compression.level()))))?;
                    zip.write_all(content)?;
                }
                Content::Deflated(content) => {
                    content.dated(self.date)?.copy(|file| zip.raw_copy_file_rename(file, name))?;
                }
            }
        }
        Ok(zip.finish()?.into_inner())
    }
}

/// Compresses an executable file that was read from `path`, only once for each file, without a date.
pub(crate) fn executable(content: &[u8], path: &Path, compression: Compression) -> Result<Deflated, Error> {
    Deflated::new(content, path, of_executable(compression))
}

/// Compresses an executable file in memory.
pub(crate) fn executable_in_memory(content: &[u8], compression: Compression) -> Result<Deflated, ZipError> {
    Deflated::uncached(content, of_executable(compression))
}

fn of_executable(compression: Compression) -> SimpleFileOptions {
    options(DateTime::default(), 0o755, compression)
}

fn options(date: DateTime, mode: u32, compression: Compression) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(compression.level()))
        .last_modified_time(date)
        .unix_permissions(mode)
        .large_file(false)
}

fn timestamp(date: Date) -> Option<DateTime> {
    let (year, month, day) = date.0.to_calendar_date();
    let (hour, minute, second) = date.0.as_hms();
    DateTime::from_date_and_time(u16::try_from(year).ok()?, month.into(), day, hour, minute, second).ok()
}

/// Returns the error in the name of an entry, if there is one.
pub(crate) fn name_problem(name: &str) -> Option<&'static str> {
    let printable = name.chars().all(|character| (' '..='~').contains(&character));
    let unusual = (!printable).then_some("has characters other than printable ASCII in its name");
    let is_device = name.split('/').any(is_device);
    unusual
        .or_else(|| harmful_name(name))
        .or_else(|| is_device.then_some("has a part in its path that Windows reserves"))
}

/// Returns the reason why a name may lead out of the folder into which an archive is unpacked, on any system.
pub(crate) fn harmful_name(name: &str) -> Option<&'static str> {
    let parts = || name.strip_suffix('/').unwrap_or(name).split('/');
    if name.is_empty() {
        Some("has no name")
    } else if name.contains(char::is_control) {
        Some("has control characters in its name")
    } else if name.contains('\\') {
        Some("has a backslash in its name")
    } else if name.contains(':') {
        Some("has a colon in its name")
    } else if name.starts_with('/') {
        Some("has an absolute path")
    } else if parts().any(|part| matches!(part, "" | "." | "..")) {
        Some("has an empty, \".\" or \"..\" part in its path")
    } else if parts().any(|part| part.ends_with(['.', ' '])) {
        Some("has a part in its path that ends with a dot or a blank, which Windows leaves out")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> ArchiveWriter {
        dated(None)
    }

    fn dated(date: Option<&str>) -> ArchiveWriter {
        let date = date.map(|date| Date::parse(date).unwrap());
        let mut archive = ArchiveWriter::new(date);
        let folder = tempfile::tempdir().unwrap();
        let library = executable(&[7; 10_000], &folder.path().join("libspring.so"), Compression::Usual).unwrap();
        archive.add_deflated("binaries/linux64/Spring.so".to_owned(), library).unwrap();
        archive.add("documentation/index.html", "<html>").unwrap();
        archive.add("modelDescription.xml", "<fmiModelDescription/>").unwrap();
        archive
    }

    #[test]
    fn z4_the_same_entries_give_the_same_bytes() {
        assert_eq!(example().bytes().unwrap(), example().bytes().unwrap());
    }

    #[test]
    fn a_library_is_compressed_once_as_long_as_it_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("libspring.so");
        let kept = folder.path().join("libspring.so.zip");
        let bytes = |content: &[u8]| {
            let mut archive = ArchiveWriter::new(None);
            archive
                .add_deflated("Spring.so".to_owned(), executable(content, &library, Compression::Usual).unwrap())
                .unwrap();
            archive.bytes().unwrap()
        };
        let first = bytes(&[7; 10_000]);
        let changed = fs_err::metadata(&kept).unwrap().modified().unwrap();
        assert_eq!(bytes(&[7; 10_000]), first);
        assert_eq!(fs_err::metadata(&kept).unwrap().modified().unwrap(), changed);
        assert_ne!(bytes(&[8; 10_000]), first);
        fs_err::write(&kept, "no archive").unwrap();
        assert_eq!(bytes(&[7; 10_000]), first);
    }

    #[test]
    fn z1_z4_headers_are_those_of_zip_2_0() {
        let bytes = dated(Some("1767225601")).bytes().unwrap();
        let central: Vec<&[u8]> =
            bytes.windows(4).enumerate().filter(|(_, w)| w == b"PK\x01\x02").map(|(i, _)| &bytes[i..]).collect();
        assert_eq!(central.len(), 3);
        let name = |header: &&[u8]| String::from_utf8(header[46..46 + header[28] as usize].to_vec()).unwrap();
        let names: Vec<String> = central.iter().map(name).collect();
        assert_eq!(names, ["modelDescription.xml", "binaries/linux64/Spring.so", "documentation/index.html"]);
        for header in &central {
            assert!(header[6] <= 20, "version needed");
            assert_eq!(header[8..10], [0, 0], "flags");
            assert_eq!(header[10..12], [8, 0], "deflate");
            assert_eq!(u16::from_le_bytes([header[14], header[15]]), (2026 - 1980) << 9 | 1 << 5 | 1, "date");
            assert_eq!(header[30..32], [0, 0], "extra field");
        }
        assert_eq!(u32::from_le_bytes(central[1][38..42].try_into().unwrap()) >> 16 & 0o777, 0o755);
        assert_eq!(u32::from_le_bytes(central[2][38..42].try_into().unwrap()) >> 16 & 0o777, 0o644);
    }

    #[test]
    fn z2_z3_bad_names_are_refused() {
        for (name, message) in [
            ("", "archive entry \"\" has no name"),
            ("/a", "archive entry \"/a\" has an absolute path"),
            ("a/../b", "archive entry \"a/../b\" has an empty, \".\" or \"..\" part in its path"),
            ("a\\b", "archive entry \"a\\b\" has a backslash in its name"),
            ("c:a", "archive entry \"c:a\" has a colon in its name"),
            ("ä", "archive entry \"ä\" has characters other than printable ASCII in its name"),
            ("resources/aux.csv", "archive entry \"resources/aux.csv\" has a part in its path that Windows reserves"),
            ("ModelDescription.XML", "archive entry \"ModelDescription.XML\" differs from another entry only in case"),
        ] {
            assert_eq!(example().add(name, "").unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Spring.fmu");
        // A folder of that name cannot be replaced.
        fs_err::create_dir(&path).unwrap();
        let message = example().write(&path, FileKind::Fmu, []).unwrap_err().to_string();
        assert!(message.contains("Spring.fmu: cannot be written: "), "{message}");
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("front.toml");
        fs_err::write(&file, "").unwrap();
        let message = example().write(&file.join("Spring.fmu"), FileKind::Fmu, []).unwrap_err().to_string();
        assert_eq!(message, format!("{}: is a file, not a folder", file.display()));
    }

    #[test]
    fn an_existing_archive_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/Spring.fmu");
        dated(Some("1767225601")).write(&path, FileKind::Fmu, []).unwrap();
        assert_ne!(fs_err::read(&path).unwrap(), example().bytes().unwrap());
        example().write(&path, FileKind::Fmu, []).unwrap();
        assert_eq!(fs_err::read(&path).unwrap(), example().bytes().unwrap());
        assert_eq!(fs_err::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
