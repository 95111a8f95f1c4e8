//! Finds the resources folder from the location given by the importer, in all common forms.

use std::borrow::Cow;
use std::path::PathBuf;

use fmu_exchange::{DECLARES, is_file};
use percent_encoding::percent_decode;

/// Returns the folder that contains `file`: at the location, in `resources` below it, or next to the library.
pub fn folder_with(file: &str, location: Option<&[u8]>, library: fn() -> Option<PathBuf>) -> Option<PathBuf> {
    // The path of the library is needed only if there is nothing at the location.
    let beside = || Some(library()?.parent()?.parent()?.parent()?.join("resources"));
    candidates(location)
        .into_iter()
        .flat_map(|folder| [folder.join("resources"), folder].into_iter().rev())
        .chain(std::iter::once_with(beside).flatten())
        .find(|folder| is_file(&folder.join(file)))
}

/// Returns the possible folders of a location, the likeliest first.
fn candidates(location: Option<&[u8]>) -> Vec<PathBuf> {
    if IS_WEBASSEMBLY {
        return vec![PathBuf::new()];
    }
    let location = location.unwrap_or_default().trim_ascii();
    if location.is_empty() {
        return Vec::new();
    }
    let (path, is_uri) = match scheme(location) {
        Some(name) if name.eq_ignore_ascii_case(b"file") => (without_authority(&location[5..]), true),
        Some(_) => return Vec::new(),
        None => (location.into(), false),
    };
    if !is_uri {
        return vec![folder(&path)];
    }
    let once: Cow<'_, [u8]> = percent_decode(&path).into();
    let twice: Cow<'_, [u8]> = percent_decode(&once).into();
    vec![folder(&once), folder(&path), folder(&twice)]
}

/// True if the importer gives the files of the resources by their names there, and no location, as for WebAssembly. The
/// playground, in which FMUs are built, has locations.
const IS_WEBASSEMBLY: bool = cfg!(target_family = "wasm") && !DECLARES;

/// Returns the scheme of a URI; one letter before a colon is a drive.
pub fn scheme(location: &[u8]) -> Option<&[u8]> {
    if IS_WEBASSEMBLY {
        return None;
    }
    let colon = location.iter().position(|byte| *byte == b':')?;
    let name = &location[..colon];
    let valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    (colon >= 2 && name[0].is_ascii_alphabetic() && name.iter().all(valid)).then_some(name)
}

/// Drops an empty or local authority; a drive or a server in its place belongs to the path.
fn without_authority(rest: &[u8]) -> Cow<'_, [u8]> {
    let Some(after) = rest.strip_prefix(b"//") else { return rest.into() };
    let end = after.iter().position(|byte| *byte == b'/').unwrap_or(after.len());
    let (authority, path) = after.split_at(end);
    if authority.is_empty() || authority.eq_ignore_ascii_case(b"localhost") {
        return path.into();
    }
    if is_drive(authority) {
        return after.into();
    }
    let server: &[u8] = if cfg!(windows) { b"//" } else { b"/" };
    [server, after].concat().into()
}

fn is_drive(bytes: &[u8]) -> bool {
    matches!(bytes, [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic())
}

#[cfg(not(windows))]
fn folder(path: &[u8]) -> PathBuf {
    let slashes = path.iter().take_while(|byte| **byte == b'/').count();
    let path = &path[slashes.saturating_sub(1)..];
    #[cfg(unix)]
    let path = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(path);
    #[cfg(not(unix))]
    let path = &*String::from_utf8_lossy(path);
    PathBuf::from(path)
}

#[cfg(windows)]
fn folder(path: &[u8]) -> PathBuf {
    let text = String::from_utf8_lossy(path);
    let text = match text.as_bytes() {
        [b'/', rest @ ..] if is_drive(rest) => text[1..].replacen('|', ":", 1),
        bytes if is_drive(bytes) => text.replacen('|', ":", 1),
        _ => text.into_owned(),
    };
    PathBuf::from(text.replace('/', "\\"))
}
