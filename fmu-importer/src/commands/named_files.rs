//! Files that an FMU reads, since String parameters name them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each with what messages call it, for [`apart_from`](fmu_builder::Destination::apart_from).
pub fn described(files: &BTreeSet<PathBuf>) -> impl Iterator<Item = (&str, Option<&Path>)> {
    files.iter().map(|file| ("a file that the FMU reads", Some(file.as_path())))
}
