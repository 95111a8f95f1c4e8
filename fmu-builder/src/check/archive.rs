//! The zip archive and the binaries in it.

use std::collections::BTreeSet;
use std::path::Path;

use super::report::Report;
use crate::archive::platform::Platform;
use crate::archive::writer::name_problem;
use crate::read::{Archive, ModelDescription};

/// Checks names and format of the entries.
pub(super) fn check(path: &Path, archive: &Archive, report: &mut Report) {
    let extension = path.extension().is_some_and(|extension| extension == "fmu");
    report.expect(extension, "Z-1", || format!("{} does not end with .fmu", path.display()));
    let first = archive.entries().first().map(|entry| entry.name.as_str());
    report.prefer(first == Some("modelDescription.xml"), "Z-4", || {
        "modelDescription.xml is not the first entry".to_owned()
    });
    // Unsafe archives, such as those with duplicate names, were rejected when the archive was opened.
    report.checked += archive.entries().len();
    for entry in archive.entries() {
        let name = &entry.name;
        let problem = name_problem(name);
        report.expect(problem.is_none(), "Z-2", || format!("entry \"{name}\" {}", problem.unwrap_or_default()));
        let problem = entry.format_problem;
        report.expect(problem.is_none(), "Z-1", || format!("entry \"{name}\" {}", problem.unwrap_or_default()));
        if name.ends_with(".so") || name.ends_with(".dylib") {
            report.prefer(entry.mode.is_none_or(|mode| mode & 0o111 != 0), "Z-4", || {
                format!("entry \"{name}\" is not executable")
            });
        }
    }
}

/// Checks that every interface has its binaries, each for the platform of its folder.
pub(super) fn check_binaries(archive: &Archive, model: &ModelDescription, report: &mut Report) {
    let folders: BTreeSet<&str> = archive
        .entries()
        .iter()
        .filter_map(|entry| entry.name.strip_prefix("binaries/")?.split_once('/'))
        .map(|(folder, _)| folder)
        .collect();
    let sources = archive.entries().iter().any(|entry| entry.name.starts_with("sources/"));
    report.expect(sources || !folders.is_empty(), "5.1", || "there are neither binaries nor sources".to_owned());
    let interfaces = model.model_exchange.iter().chain(&model.co_simulation);
    let identifiers: BTreeSet<&str> = interfaces.map(|interface| interface.model_identifier.as_str()).collect();
    for folder in folders {
        let Some(platform) = Platform::ALL.into_iter().find(|platform| platform.folder() == folder) else {
            continue;
        };
        for identifier in &identifiers {
            let name = platform.entry(identifier);
            let content = archive.read(&name);
            report.expect(content.is_ok(), "B-1", || match &content {
                Err(error) => error.to_string(),
                Ok(_) => String::new(),
            });
            if let Ok(content) = content {
                let is_arm_alone = platform == Platform::Linux64
                    && archive.read(&Platform::Aarch64Linux.entry(identifier)).is_ok_and(|arm| arm == content);
                let platform = if is_arm_alone { Platform::Aarch64Linux } else { platform };
                let accepted = platform.accepts(&content);
                report.expect(accepted.is_ok(), "8.5", || format!("{name} {}", accepted.unwrap_err()));
            }
        }
    }
}
