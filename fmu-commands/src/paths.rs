//! Paths as they are written into files.

use std::path::{Component, Path};

use anyhow::Context;

/// Returns the path of a file or folder as written in a file, with slashes.
///
/// # Errors
///
/// When the folder of one is missing.
pub fn seen_from(file: &Path, path: &Path) -> anyhow::Result<String> {
    // The file does not exist yet, its folder does.
    let real = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().with_context(|| format!("{} is not a file", path.display()))?;
        anyhow::Ok(fs_err::canonicalize(folder)?.join(name))
    };
    let target = if path.exists() { fs_err::canonicalize(path)? } else { real(path)? };
    let file = real(file)?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let same = folder.components().zip(target.components()).take_while(|(one, other)| one == other).count();
    // The paths are on different drives.
    if matches!(target.components().nth(same), Some(Component::Prefix(_))) {
        return Ok(path.display().to_string());
    }
    let up = folder.components().count() - same;
    let mut parts = if up == 0 { vec!["."] } else { vec![".."; up] };
    for part in target.components().skip(same) {
        parts.push(part.as_os_str().to_str().with_context(|| format!("{} is not Unicode", path.display()))?);
    }
    Ok(parts.join("/"))
}
