//! Archives: entries are read as declared, within limits, and all problems are reported.

use std::path::PathBuf;
use std::sync::OnceLock;

use fmu_builder::{Archive, Error, check as problems};

use crate::bytes::Bytes;
use crate::components::folder;
use crate::zipped::zip;

/// More than any test needs.
const MAX_SUM: usize = 64 << 20;

/// Uses bytes as an archive, or as the parts of one.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    match bytes.byte() {
        0..128 => {
            judge(bytes.0);
        }
        128..192 => parts(bytes.0),
        // Only the description.
        _ => {
            if let Some(archive) = zip(&[("modelDescription.xml", bytes.0)]) {
                assert!(judge(&archive).is_some());
            }
        }
    }
}

fn path() -> &'static PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| folder().join("archive.fmu"))
}

/// Checks properties of all archives; returns the opened one.
fn judge(bytes: &[u8]) -> Option<Archive> {
    std::fs::write(path(), bytes).unwrap();
    let archive = match Archive::open(path()) {
        Ok(archive) => archive,
        Err(error) => {
            named(&error);
            return None;
        }
    };
    let mut sum = 0;
    for entry in archive.entries() {
        // An entry that declares more is read up to its limit only in the few runs that the sum allows.
        if sum + entry.size as usize > MAX_SUM {
            break;
        }
        match archive.read(&entry.name) {
            Ok(content) => {
                sum += content.len();
                let same: Vec<_> = archive.entries().iter().filter(|other| other.name == entry.name).collect();
                assert!(same.iter().any(|other| content.len() as u64 == other.size), "{entry:?}: {}", content.len());
            }
            Err(error) => named(&error),
        }
    }
    assert!(archive.read("no such entry").is_err() || archive.entries().iter().any(|it| it.name == "no such entry"));
    let model = archive.model();
    if let Err(error) = &model {
        named(error);
    }
    // The check would load and run a binary.
    if archive.entries().iter().all(|entry| !entry.name.contains("binaries")) {
        match problems(path()) {
            Ok(report) => {
                assert!(report.checked > 0);
                // There is no binary.
                assert!(!report.passed());
                // Another version of FMI is a problem of the version.
                let is_told =
                    |problem: &String| problem.contains("modelDescription.xml") || problem.contains("fmiVersion");
                assert!(model.is_ok() || report.problems.iter().any(is_told));
            }
            Err(error) => named(&error),
        }
    }
    Some(archive)
}

fn named(error: &Error) {
    let message = error.to_string();
    assert!(message.contains("archive.fmu"), "the file is not named: {message}");
}

/// Names and contents separated by zeros: what was written can be read.
fn parts(bytes: &[u8]) {
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    let entries: Vec<(&str, &[u8])> =
        parts.chunks(2).filter_map(|pair| Some((std::str::from_utf8(pair[0]).ok()?, *pair.get(1)?))).collect();
    let Some(written) = zip(&entries) else { return };
    let Some(archive) = judge(&written) else { return };
    assert_eq!(archive.entries().len(), entries.len());
    for (name, content) in &entries {
        assert_eq!(archive.read(name).unwrap(), *content, "{name}");
    }
}
