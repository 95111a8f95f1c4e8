//! Checks that an archive is safe to unpack, in any program.
//!
//! The directory of the archive is read here independently of the `zip` crate, since archives are rejected above all
//! if two readers could interpret them differently.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use zip::CompressionMethod;
use zip::read::ZipFile;

use crate::archive::writer::harmful_name;
use crate::error::Error;

/// The largest archive, in bytes.
const MAX_ARCHIVE_BYTES: u64 = 512 << 20;
/// The largest entry, unpacked.
const MAX_ENTRY_BYTES: u64 = 256 << 20;
/// The largest unpacked size of all entries together.
const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// The largest compression ratio, above a size that is always allowed.
const MAX_COMPRESSION_RATIO: u64 = 200;
const ROOM: u64 = 16 << 20;
const MAX_ENTRIES: usize = 10_000;
const MAX_NAME_BYTES: usize = 255;

const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const END_OF_ZIP64: &[u8] = b"PK\x06\x07";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const ENCRYPTED: u16 = 1;

/// Reads the bytes of a file; rejects folders, special files, and files that are too large.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, Error> {
    let fail = |reason: String| Err(Error::Archive { path: path.to_owned(), reason });
    // The metadata are read before the file is opened: reading a pipe would wait for its other end.
    match fs_err::metadata(path) {
        Ok(present) if present.is_dir() => return fail("is a folder, not an FMU".to_owned()),
        Ok(present) if !present.is_file() => return fail("is not a file".to_owned()),
        _ => {}
    }
    let file = fs_err::File::open(path)?;
    let mut length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= MAX_ARCHIVE_BYTES {
        file.take(MAX_ARCHIVE_BYTES + 1).read_to_end(&mut bytes)?;
        length = bytes.len() as u64;
    }
    if length > MAX_ARCHIVE_BYTES {
        return fail(format!("has {length} bytes; the limit of an archive is {MAX_ARCHIVE_BYTES}"));
    }
    Ok(bytes)
}

/// Rejects an archive whose directory is ambiguous, too long, or has unsafe names; returns the names.
pub(super) fn names(bytes: &[u8]) -> Result<Vec<String>, String> {
    let truncated = || "is truncated or not a zip archive".to_owned();
    let (start, end) = directory(bytes)?;
    let count = usize::from(number(bytes, end + 10).ok_or_else(truncated)?);
    if count > MAX_ENTRIES {
        return Err(format!("has {count} entries; the limit is {MAX_ENTRIES}"));
    }
    let mut names = Vec::with_capacity(count);
    let mut files = BTreeSet::new();
    let mut folders = BTreeSet::new();
    let mut listed = BTreeSet::new();
    let mut rest = &bytes[start..end];
    while !rest.is_empty() {
        let (header, remaining) = header(rest).ok_or_else(truncated)?;
        rest = remaining;
        let name = decoded(header.name);
        let fail = |what: &str| format!("entry \"{}\" {what}", name.escape_debug());
        if header.name.len() > MAX_NAME_BYTES {
            let beginning: String = name.chars().take(40).collect();
            let length = header.name.len();
            return Err(format!(
                "entry \"{}…\" has a name of {length} bytes; the limit is {MAX_NAME_BYTES}",
                beginning.escape_debug()
            ));
        }
        if let Some(problem) = harmful_name(&name) {
            return Err(fail(problem));
        }
        if !header.agrees_with(bytes) {
            return Err(fail("has another name or compression in its own header than in the directory of the archive"));
        }
        let key = name.trim_end_matches('/').to_lowercase();
        let above = key.match_indices('/').map(|(end, _)| key[..end].to_owned());
        folders.extend(above);
        let is_new = if name.ends_with('/') {
            folders.insert(key.clone());
            listed.insert(key)
        } else {
            files.insert(key)
        };
        if !is_new {
            return Err(fail("occurs twice if case is ignored"));
        }
        names.push(name);
    }
    if let Some(both) = files.intersection(&folders).next() {
        return Err(format!("entry \"{}\" is both a file and a folder", both.escape_debug()));
    }
    if names.len() != count {
        return Err(format!("has {} entries, but its end record counts {count}", names.len()));
    }
    Ok(names)
}

/// Decodes a name in UTF-8, or in an old encoding: then with `%84` for characters that are not ASCII, so that names
/// stay distinct.
fn decoded(name: &[u8]) -> String {
    let shown = |byte: &u8| if byte.is_ascii() { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    String::from_utf8(name.to_owned()).unwrap_or_else(|_| name.iter().map(shown).collect())
}

/// Returns the start and end of the directory of an archive. There must be only one candidate.
fn directory(bytes: &[u8]) -> Result<(usize, usize), String> {
    let truncated = || "is truncated or not a zip archive".to_owned();
    let from = bytes.len().saturating_sub(END_LENGTH + usize::from(u16::MAX));
    let found = bytes[from..].windows(END.len()).rposition(|window| window == END);
    let end = from + found.ok_or_else(truncated)?;
    let comment = usize::from(number(bytes, end + 20).ok_or_else(truncated)?);
    if end + END_LENGTH + comment != bytes.len() {
        return Err("is truncated or not a zip archive: it does not end at the declared position".to_owned());
    }
    if end.checked_sub(20).is_some_and(|locator| bytes[locator..].starts_with(END_OF_ZIP64)) {
        return Err("is in the format Zip64, which is not read".to_owned());
    }
    let length = long(bytes, end + 12).ok_or_else(truncated)?;
    let start = long(bytes, end + 16).ok_or_else(truncated)?;
    if start.checked_add(length) != Some(end) {
        return Err("is truncated or not a zip archive: its directory is not at the declared position".to_owned());
    }
    Ok((start, end))
}

/// An entry of the directory.
struct Header<'a> {
    flags: u16,
    method: u16,
    name: &'a [u8],
    offset: usize,
}

/// Returns the first header of a directory, and the bytes behind it.
fn header(bytes: &[u8]) -> Option<(Header<'_>, &[u8])> {
    let lengths: Option<Vec<u16>> = [28, 30, 32].map(|at| number(bytes, at)).into_iter().collect();
    let [name, extra, comment] = lengths?.try_into().ok().map(|all: [u16; 3]| all.map(usize::from))?;
    let rest = bytes.get(46 + name + extra + comment..)?;
    let header = Header {
        flags: number(bytes, 8)?,
        method: number(bytes, 10)?,
        name: &bytes[46..46 + name],
        offset: long(bytes, 42)?,
    };
    bytes.starts_with(CENTRAL).then_some((header, rest))
}

impl Header<'_> {
    /// Returns true if the header before the entry's content agrees.
    fn agrees_with(&self, bytes: &[u8]) -> bool {
        let Some(local) = bytes.get(self.offset..).filter(|local| local.starts_with(LOCAL)) else { return false };
        let name = number(local, 26).and_then(|length| local.get(30..30 + usize::from(length)));
        let encrypted = number(local, 6).map(|flags| flags & ENCRYPTED);
        (encrypted, number(local, 8), name) == (Some(self.flags & ENCRYPTED), Some(self.method), Some(self.name))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let value = bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)?;
    usize::try_from(value).ok()
}

/// The limits for all entries of an archive together.
pub(super) struct Budget {
    archive: u64,
    total: u64,
}

impl Budget {
    /// Makes the limits for an archive of this size in bytes.
    pub fn new(archive: usize) -> Self {
        Self { archive: archive as u64, total: 0 }
    }

    /// Rejects a packed entry by its header.
    pub fn admit<R: Read>(&mut self, name: &str, file: &ZipFile<'_, R>) -> Result<(), String> {
        let fail = |what: String| Err(format!("entry \"{}\" {what}", name.escape_debug()));
        let other = decoded(file.name_raw());
        if other != name {
            return fail(format!("has another name, \"{}\", as well", other.escape_debug()));
        }
        if file.encrypted() {
            return fail("is encrypted".to_owned());
        }
        if file.is_symlink() {
            return fail("is a symbolic link".to_owned());
        }
        if !matches!(file.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return fail(format!("is compressed by {}, not by deflate", file.compression()));
        }
        let size = file.size();
        if size > MAX_ENTRY_BYTES {
            return fail(format!("has {size} bytes; the limit is {MAX_ENTRY_BYTES}"));
        }
        self.total += size;
        if self.total > MAX_TOTAL_BYTES {
            return fail(format!("makes the entries {} bytes together; the limit is {MAX_TOTAL_BYTES}", self.total));
        }
        if self.total > ROOM.max(MAX_COMPRESSION_RATIO * self.archive) {
            return fail(format!(
                "makes the entries {} bytes together, more than {MAX_COMPRESSION_RATIO} times the {} of the archive",
                self.total, self.archive
            ));
        }
        Ok(())
    }
}

/// Unpacks an entry; rejects it if its size differs from the declared one, or if it is damaged.
pub(super) fn unpack<R: Read>(name: &str, mut file: ZipFile<'_, R>, into: &mut impl io::Write) -> Result<(), String> {
    let (declared, shown) = (file.size(), name.escape_debug());
    match io::copy(&mut file, into) {
        Ok(length) if length == declared => Ok(()),
        Ok(length) => Err(format!("entry \"{shown}\" unpacks to {length} bytes, but declares {declared}")),
        // The crate stops at the declared size.
        Err(error) => Err(format!("entry \"{shown}\" of {declared} bytes is damaged: {error}")),
    }
}

#[cfg(test)]
mod tests;
