//! Sources as texts.

use std::path::{Path, PathBuf};

use xtask::paths::files_below;

/// Returns the files with these extensions below a folder, with their texts.
pub fn texts_below(folder: &Path, extensions: &[&str]) -> Vec<(PathBuf, String)> {
    let mut files = files_below(folder).unwrap();
    files.retain(|file| file.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)));
    assert!(!files.is_empty(), "nothing checked in {}", folder.display());
    files.into_iter().map(|file| (file.clone(), fs_err::read_to_string(file).unwrap())).collect()
}
