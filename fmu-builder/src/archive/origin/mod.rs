//! The origin of an FMU: its licence, and the packages linked into its libraries.

mod licenses;
mod sbom;

use serde::{Deserialize, Serialize};

/// The origin of an FMU.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The licence of the component's own package as an SPDX expression.
    pub license: Option<String>,
    /// All packages linked into the libraries, including the component's own.
    pub packages: Vec<Package>,
}

/// A package that is linked into a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Package {
    /// Name of the package.
    pub name: String,
    /// Version of the package.
    pub version: String,
    /// Licence of the package as an SPDX expression.
    pub license: Option<String>,
    /// Source repository of the package.
    pub repository: Option<String>,
    /// SHA-256 of the package's archive in the registry, in hexadecimal digits; none for a package of a workspace.
    pub sha256: Option<String>,
    /// The licence texts that must be included.
    pub texts: Vec<String>,
}
