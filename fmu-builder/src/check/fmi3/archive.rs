//! The files of an archive of FMI 3.0.

use std::collections::BTreeSet;

use fmu_exchange::Standard;

use crate::archive::platform::Platform;
use crate::check::report::Report;
use crate::read::{Archive, ModelDescription};

/// Checks the folders that FMI 3.0 names, and that every interface has its binaries.
pub fn check_files(archive: &Archive, model: &ModelDescription, report: &mut Report) {
    let has = |name: &str| archive.entries().iter().any(|entry| entry.name == name);
    let has_folder = |name: &str| archive.entries().iter().any(|entry| entry.name.starts_with(name));
    for (folder, file) in [("documentation/", "documentation/index.html"), ("sources/", "sources/buildDescription.xml")]
    {
        report.expect(has(file) || !has_folder(folder), "T-22", || format!("{folder} has no {file}"));
    }
    let folders: BTreeSet<&str> = (archive.entries().iter())
        .filter_map(|entry| entry.name.strip_prefix("binaries/")?.split_once('/'))
        .map(|(folder, _)| folder)
        .collect();
    report.expect(has_folder("sources/") || !folders.is_empty(), "5.1", || {
        "there are neither binaries nor sources".to_owned()
    });
    let interfaces = model.model_exchange.iter().chain(&model.co_simulation);
    let identifiers: BTreeSet<&str> = interfaces.map(|interface| interface.model_identifier.as_str()).collect();
    for folder in folders {
        let old = Platform::ALL.into_iter().find(|platform| platform.folder() == folder && platform.tuple() != folder);
        report.expect(old.is_none(), "T-22", || {
            let tuple = old.map_or("", Platform::tuple);
            format!("binaries/{folder} is a folder of FMI 2.0; in FMI 3.0 it is binaries/{tuple}")
        });
        let mut all = Platform::ALL.into_iter().chain([Platform::Wasm32]);
        let Some(platform) = all.find(|platform| platform.tuple() == folder) else { continue };
        for identifier in &identifiers {
            let name = platform.entry_of(Standard::Fmi3, identifier);
            let content = archive.read(&name);
            report
                .expect(content.is_ok(), "B-1", || content.as_ref().err().map(ToString::to_string).unwrap_or_default());
            if let Ok(content) = content {
                let accepted = platform.accepts(&content);
                report.expect(accepted.is_ok(), "8.5", || format!("{name} {}", accepted.unwrap_err()));
            }
        }
    }
}
