//! The files that a command writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fmu_builder::{Destination, FileKind};

/// Returns one of the files of a command, with its name in messages, if it is given. It is refused if it cannot be
/// written, or would overwrite one before it or a file that the FMU reads.
pub fn destination(
    files: &[(&str, Option<&Path>)],
    position: usize,
    read: &BTreeSet<PathBuf>,
) -> Result<Option<Destination>> {
    let (what, Some(path)) = files[position] else { return Ok(None) };
    let read = read.iter().map(|file| ("a file that the FMU reads", Some(file.as_path())));
    let others = files[..position].iter().copied().chain(read);
    Ok(Some(Destination::new(path)?.apart_from(what, others)?))
}

/// Refuses to replace a file of another kind than the extension asks for.
pub fn of_kind(
    destination: Option<Destination>,
    kind: impl Fn(&Path) -> Result<FileKind>,
) -> Result<Option<Destination>> {
    let checked = |file: Destination| {
        let kind = kind(file.path())?;
        anyhow::Ok(file.of_kind(kind)?)
    };
    destination.map(checked).transpose()
}
