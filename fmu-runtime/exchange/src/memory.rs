//! Files in memory, in WebAssembly, which has no others.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::file::read_files_with;

static FILES: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Puts a file into memory, in place of one at the same path.
pub fn write_file(path: &Path, content: Vec<u8>) {
    read_files_with(read);
    files().insert(plain(path), content);
}

/// Removes all files in a folder and in those inside of it.
pub fn remove_folder(path: &Path) {
    let folder = plain(path);
    files().retain(|path, _| !path.starts_with(&folder));
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files().get(&plain(path)).cloned().ok_or_else(|| "there is no such file".to_owned())
}

fn files() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<u8>>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a path without `.` and, where it can be left out, `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
