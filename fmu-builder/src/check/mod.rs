//! All problems of a finished FMU, each with the rule that it violates.

mod archive;
mod fmi3;
mod header;
mod library;
mod model_structure;
mod names;
mod report;
mod schema;
mod terminals;
mod variables;

use std::path::Path;

use crate::error::Error;
use crate::read::element::{self, Element};
use crate::read::encoding::{self, Decoded};
use crate::read::{Archive, ModelDescription, interpret};
pub use report::Report;

/// Checks an FMU against FMI 2.0 or FMI 3.0, known limitations of importers, and its own library.
///
/// If the archive has a binary for this computer and a configuration, the binary is loaded and its
/// code runs: check only FMUs that you trust.
pub fn check(path: &Path) -> Result<Report, Error> {
    let archive = Archive::open(path)?;
    let mut report = Report::default();
    archive::check(path, &archive, &mut report);
    let Ok(bytes) = archive.read("modelDescription.xml") else {
        report.expect(false, "5.1", || "modelDescription.xml is missing or damaged".to_owned());
        return Ok(report);
    };
    let Decoded { text, foreign } = match encoding::decode(bytes) {
        Ok(decoded) => decoded,
        Err(reason) => {
            report.expect(false, "X-1", || format!("modelDescription.xml {reason}"));
            return Ok(report);
        }
    };
    report.expect(foreign.is_none(), "X-1", || {
        format!("modelDescription.xml is in {}, not in UTF-8", foreign.as_deref().unwrap_or_default())
    });
    if let Some((root, model)) = check_text(&text, &mut report) {
        if interpret::is_of_fmi_3(&root) {
            fmi3::check_files(&archive, &model, &mut report);
            terminals::check(&archive, &fmi3::whole_variables(&model), &mut report);
        } else {
            archive::check_binaries(&archive, &model, &mut report);
            terminals::check(&archive, &model, &mut report);
        }
        library::check(&archive, &root, &model, &mut report)?;
    }
    Ok(report)
}

/// Checks the text of `modelDescription.xml`.
fn check_text(text: &str, report: &mut Report) -> Option<(Element, ModelDescription)> {
    let declared = text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    report.prefer(declared, "X-1", || {
        "modelDescription.xml does not begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned()
    });
    let root = match element::parse(text.trim_start_matches('\u{feff}')) {
        Ok(root) => root,
        Err(reason) => {
            report.expect(false, "X-1", || format!("modelDescription.xml: {reason}"));
            return None;
        }
    };
    let (model, unreadable) = interpret::interpret(&root);
    report.checked += 1;
    report.problems.extend(unreadable.into_iter().map(|problem| format!("modelDescription.xml: {problem}")));
    if interpret::is_of_fmi_3(&root) {
        fmi3::check(&root, &model, report);
        return Some((root, model));
    }
    schema::check(&root, report);
    header::check(&model, &root, report);
    names::check(&model, report);
    variables::check(&model, report);
    model_structure::check(&model, &root, report);
    Some((root, model))
}

#[cfg(test)]
mod tests;
