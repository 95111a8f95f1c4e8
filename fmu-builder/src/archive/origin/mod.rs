//! Where an FMU comes from: its licence, and what is linked into its libraries.

mod licenses;
mod sbom;

/// Whose work an FMU is.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The licence of the component's own package as an SPDX expression.
    pub license: Option<String>,
    /// All that is linked into the libraries, the component's own package among it.
    pub packages: Vec<Package>,
}

/// A package that is linked into a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence as an SPDX expression.
    pub license: Option<String>,
    /// Where its sources are developed.
    pub repository: Option<String>,
    /// SHA-256 of the archive that the registry has of it, in hexadecimal digits; none for a package of a workspace.
    pub sha256: Option<String>,
    /// The texts of its licence that have to go with it.
    pub texts: Vec<String>,
}
