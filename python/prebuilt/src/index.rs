//! The list of the libraries, and their archives.

use std::collections::BTreeMap;
use std::io::{self, Read as _};

#[cfg(feature = "installed")]
use fmu_builder::description::StructureKind;
use fmu_builder::{Compression, Origin, Package, Platform};
use lzma_rust2::XzReader;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Name of the file with the list of the libraries.
pub const INDEX: &str = "index.json";

/// The list of the libraries.
#[derive(Serialize, Deserialize)]
pub struct Index {
    /// The components.
    pub components: Vec<Entry>,
    pub(crate) packages: Vec<Package>,
}

/// A component in the folder.
#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the component.
    pub name: String,
    pub(crate) description: String,
    pub(crate) needs_parts: bool,
    pub(crate) license: Option<String>,
    /// Positions of the packages in its libraries.
    pub(crate) packages: Vec<usize>,
    /// Libraries by the folders of the platforms.
    pub libraries: BTreeMap<String, File>,
    /// Compression of archives with the component.
    pub compression: Compression,
    /// The types of parts that it knows.
    pub types: Vec<String>,
}

/// A library.
#[derive(Clone, Serialize, Deserialize)]
pub struct File {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) sha256: String,
}

impl Index {
    /// Returns the components with their libraries for a platform, from the unpacked archive; none if that is damaged.
    pub fn split<'a>(&self, platform: Platform, content: &'a [u8]) -> Option<Vec<(&Entry, &'a [u8])>> {
        let mut rest = content;
        let mut libraries = Vec::new();
        for entry in &self.components {
            let Some(file) = entry.libraries.get(platform.folder()) else { continue };
            let (library, behind) = rest.split_at_checked(file.size)?;
            rest = behind;
            if sha256(library) != file.sha256 {
                return None;
            }
            libraries.push((entry, library));
        }
        Some(libraries)
    }

    /// Returns the origin of a component's libraries.
    pub fn origin(&self, component: &Entry) -> Origin {
        Origin {
            license: component.license.clone(),
            packages: component.packages.iter().map(|i| self.packages[*i].clone()).collect(),
        }
    }
}

/// Unpacks an archive of libraries.
///
/// # Errors
///
/// When it is damaged.
pub fn unpacked(archive: &[u8]) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    XzReader::new(archive, false).read_to_end(&mut content)?;
    Ok(content)
}

/// Returns the types of parts that a library of systems knows.
#[cfg(feature = "installed")]
pub fn types(library: &impl fmu_builder::Describe) -> Result<Vec<String>, fmu_builder::Error> {
    let none = library.outline("")?;
    let types = none.structure.iter().find_map(|option| match &option.kind {
        StructureKind::Part(types) => Some(types.clone()),
        _ => None,
    });
    Ok(types.unwrap_or_default())
}

pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
