//! Rules of a draft of FMI for archives: the layered standard for WebAssembly.

use std::path::Path;

use fmu_exchange::Standard;

use crate::description::Description;
use crate::error::Error;

/// Path of the manifest in the archive.
pub const MANIFEST_ENTRY: &str = "extra/org.modelica.fmi-ls-wasm/manifest.xml";

/// The manifest, which says that the draft is followed.
pub const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiLayeredStandardManifest xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest"
  fmi-ls:fmi-ls-name="org.modelica.fmi-ls-wasm"
  fmi-ls:fmi-ls-version="0.1.0"
  fmi-ls:fmi-ls-description="FMI Layered Standard for WebAssembly"/>
"#;

/// Refuses what an FMU with WebAssembly cannot have: another standard than FMI 3.0, and files that its component does not
/// read.
pub fn check(description: &Description, standard: Standard, path: &Path) -> Result<(), Error> {
    let fail = |reason: String| Err(Error::Archive { path: path.to_owned(), reason });
    if standard != Standard::Fmi3 {
        return fail("FMI 2.0 has no WebAssembly; build the FMU for FMI 3.0 (--fmi 3)".to_owned());
    }
    match description.resources.keys().find(|name| spreadsheet::is_workbook(name)) {
        Some(name) => fail(format!("{name} is a workbook, which WebAssembly does not read: save the sheet as .csv")),
        None => Ok(()),
    }
}
