//! Kinds of files, recognised by their content: a command replaces only files of the kind that it writes.

use std::io::{self, Read};
use std::path::Path;

use fmu_exchange::{MAX_DATA_BYTES, read_limited};
use toml::de::DeTable;
use zip::ZipArchive;

use crate::error::Error;

/// Number of bytes at the beginning of a file from which its kind is recognised.
const HEAD_BYTES: u64 = 1024;

/// A kind of file that a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An FMU: a zip archive with `modelDescription.xml`.
    Fmu,
    /// A system of FMUs: a zip archive with `SystemStructure.ssd`.
    Ssp,
    /// A table with commas whose first column has this heading.
    Csv(&'static str),
    /// A table of columns in the format Parquet.
    Parquet,
    /// A drawing.
    Svg,
    /// A picture.
    Png,
    /// A page.
    Html,
    /// A class of the Modelica package `MechanicalFMUs`.
    Modelica,
    /// A configuration in TOML, which has no other keys than those in these lists.
    Configuration([&'static [&'static str]; 2]),
    /// A JSON schema.
    Schema,
    /// Results of a fit as JSON.
    FitResults,
    /// A linear system as JSON.
    LinearSystem,
    /// Arrays of MATLAB, level 5.
    Mat,
    /// Arrays of NumPy: a zip archive of `.npy` files.
    Npz,
    /// A report of tests in JUnit's format.
    Junit,
}

impl FileKind {
    /// Refuses to replace a file of another kind. Empty files and those that do not exist yet may be written.
    ///
    /// # Errors
    ///
    /// When there is such a file, or it cannot be read.
    pub fn check_existing(self, path: &Path) -> Result<(), Error> {
        let fail = |reason: String| Error::Write { path: path.to_owned(), reason };
        if !path.is_file() || self.matches(path).map_err(|error| fail(io::Error::from(error.kind()).to_string()))? {
            return Ok(());
        }
        Err(fail(format!("the existing file is not {}; delete it or choose another name", self.name())))
    }

    fn name(self) -> String {
        let name = match self {
            Self::Fmu => "an FMU",
            Self::Ssp => "an SSP package",
            Self::Csv(heading) => return format!("a table of this command, whose first column is {heading}"),
            Self::Parquet => "a Parquet table",
            Self::Svg => "an SVG drawing",
            Self::Png => "a PNG picture",
            Self::Html => "an HTML page",
            Self::Modelica => "of the Modelica package MechanicalFMUs",
            Self::Configuration(_) => "a configuration",
            Self::Schema => "a JSON schema",
            Self::FitResults => "a file with the results of a fit",
            Self::LinearSystem => "a linear system of this command",
            Self::Mat => "a MAT file of MATLAB",
            Self::Npz => "an NPZ file of NumPy",
            Self::Junit => "a report in JUnit's format",
        };
        name.to_owned()
    }

    fn matches(self, path: &Path) -> io::Result<bool> {
        let file = fs_err::File::open(path)?;
        let mut head = Vec::new();
        (&file).take(HEAD_BYTES).read_to_end(&mut head)?;
        if head.is_empty() {
            return Ok(true);
        }
        let text = || String::from_utf8_lossy(&head);
        let has_entry = |name| ZipArchive::new(&file).is_ok_and(|archive| archive.index_for_name(name).is_some());
        Ok(match self {
            Self::Fmu => has_entry("modelDescription.xml"),
            Self::Ssp => has_entry("SystemStructure.ssd"),
            Self::Csv(heading) => {
                let rest = head.strip_prefix(heading.as_bytes());
                rest.is_some_and(|rest| matches!(rest.first(), None | Some(b',' | b'\n' | b'\r')))
            }
            Self::Parquet => head.starts_with(b"PAR1"),
            Self::Svg => head.starts_with(b"<") && text().contains("<svg"),
            Self::Png => head.starts_with(b"\x89PNG\r\n\x1a\n"),
            Self::Html => text().trim_start().to_ascii_lowercase().starts_with("<!doctype html"),
            Self::Modelica => ["within MechanicalFMUs;", "within;\npackage MechanicalFMUs "]
                .iter()
                .any(|begin| text().starts_with(begin)),
            Self::Configuration(keys) => {
                read_limited(path, MAX_DATA_BYTES).is_ok_and(|content| has_keys_of(&content, keys))
            }
            Self::Schema => text().starts_with("{\n  \"$schema\": \"http://json-schema.org/"),
            Self::FitResults => text().starts_with("{\n  \"correlation\": ["),
            Self::LinearSystem => text().starts_with("{\n  \"format\": \"linear system\""),
            Self::Junit => head.starts_with(b"<") && text().contains("<testsuite"),
            Self::Mat => head.starts_with(b"MATLAB 5.0 MAT-file"),
            Self::Npz => {
                let are_arrays = |archive: ZipArchive<_>| {
                    let mut names = archive.file_names();
                    !archive.is_empty() && names.all(|name| name.is_ok_and(|name| name.ends_with(".npy")))
                };
                ZipArchive::new(&file).is_ok_and(are_arrays)
            }
        })
    }
}

/// Returns true if a text is TOML whose keys are all in these lists.
fn has_keys_of(content: &[u8], lists: [&[&str]; 2]) -> bool {
    let is_known = |key: &str| lists.iter().any(|keys| keys.contains(&key));
    let text = String::from_utf8_lossy(content);
    DeTable::parse(&text).is_ok_and(|table| table.get_ref().keys().all(|key| is_known(key.get_ref())))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(entry: &str) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        writer.start_file("resources/first.txt", SimpleFileOptions::default()).unwrap();
        writer.start_file(entry, SimpleFileOptions::default()).unwrap();
        writer.write_all(b"<xml/>").unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn only_files_of_the_kind_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [fmu, ssp] = ["modelDescription.xml", "SystemStructure.ssd"].map(archive);
        let mut npz = ZipWriter::new(io::Cursor::new(Vec::new()));
        npz.start_file("A.npy", SimpleFileOptions::default()).unwrap();
        let npz = npz.finish().unwrap().into_inner();
        let samples: [(FileKind, &[u8], &str); 16] = [
            (FileKind::Fmu, &fmu, "an FMU"),
            (FileKind::Ssp, &ssp, "an SSP package"),
            (FileKind::Csv("time"), b"time,phi\n0,1\n", "a table of this command, whose first column is time"),
            (FileKind::Csv("run"), b"run\n1\n", "a table of this command, whose first column is run"),
            (FileKind::Parquet, b"PAR1\x15\x04", "a Parquet table"),
            (FileKind::Svg, b"<?xml version=\"1.0\"?>\n<svg/>", "an SVG drawing"),
            (FileKind::Png, b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
            (FileKind::Html, b"<!doctype HTML>\n", "an HTML page"),
            (FileKind::Modelica, b"within MechanicalFMUs;\nmodel A ", "of the Modelica package MechanicalFMUs"),
            (crate::CONFIGURATION, b"# Mount\nname = \"Mount\"\n[parameters]\nTS = 1\n", "a configuration"),
            (FileKind::Schema, b"{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",", "a JSON schema"),
            (FileKind::FitResults, b"{\n  \"correlation\": [\n", "a file with the results of a fit"),
            (FileKind::LinearSystem, b"{\n  \"format\": \"linear system\",\n", "a linear system of this command"),
            (FileKind::Mat, b"MATLAB 5.0 MAT-file, a linear system", "a MAT file of MATLAB"),
            (FileKind::Npz, &npz, "an NPZ file of NumPy"),
            (FileKind::Junit, b"<?xml version=\"1.0\"?>\n<testsuites>", "a report in JUnit's format"),
        ];
        let others: [&[u8]; 7] = [
            b"time;phi\n", b"timer,phi\n", b"[package]\nname = \"a\"\n", b"fmu = \"A.fmu\"\n", b"\xff", b"{\"a\": 1}",
            b"within Other;\n",
        ];
        for (kind, _, name) in samples {
            for content in samples.iter().map(|(_, content, _)| *content).chain(others) {
                fs_err::write(&path, content).unwrap();
                let own = samples.iter().any(|(other, sample, _)| *other == kind && *sample == content);
                let told = kind.check_existing(&path).map_err(|error| error.to_string());
                let message = format!(
                    "{}: cannot be written: the existing file is not {name}; delete it or choose another name",
                    path.display()
                );
                assert_eq!(told, if own { Ok(()) } else { Err(message) }, "{kind:?}, {content:?}");
            }
            fs_err::write(&path, "").unwrap();
            kind.check_existing(&path).unwrap();
            kind.check_existing(&folder.path().join("none")).unwrap();
        }
    }
}
