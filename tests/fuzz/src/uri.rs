//! Locations of resources: each way to write the path of a folder finds it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use c_interface::Setup;
use fmu_runtime::CONFIGURATION;
use fmu_runtime::resource::{folder_with, scheme};

use crate::bytes::Bytes;
use crate::components::{folder, prepared};
use crate::instance::{Kind, setup};

/// Uses bytes as a location, or as the name of a folder and its notation.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    match bytes.byte() {
        code @ 0..32 => anything(bytes.0, code == 31),
        code => folder_of(code, &mut bytes),
    }
}

/// Uses any location: if something is found, it is a folder with the file.
fn anything(location: &[u8], by_instance: bool) {
    if let Some(name) = scheme(location) {
        assert!(location.starts_with(name) && location[name.len()] == b':');
    }
    let nowhere: fn() -> Option<PathBuf> = || None;
    let elsewhere: fn() -> Option<PathBuf> = || Some("/nowhere/binaries/linux64/x.so".into());
    for library in [nowhere, elsewhere] {
        let found = folder_with(CONFIGURATION, Some(location), library);
        assert!(found.is_none_or(|folder| folder.join(CONFIGURATION).is_file()));
    }
    // This is slow, since the default configuration is made from the declaration.
    if !by_instance || location.contains(&0) {
        return;
    }
    let (sample, kind) = (prepared(0), Kind::from(0));
    let made = sample.api(kind.standard).instantiate(Setup { location: Some(location), ..setup(sample, kind) });
    // Without the folder there is the default configuration, which the sample has.
    assert!(made.is_ok(), "{:?}", made.err());
}

/// Makes a folder of an arbitrary name, written as a path or as a URI.
fn folder_of(code: u8, bytes: &mut Bytes<'_>) {
    let base = folder().join("uri");
    let depth = 1 + bytes.below(3);
    let mut parts = Vec::new();
    for _ in 0..depth {
        let part: Vec<u8> = bytes.counted().iter().copied().filter(|byte| !matches!(byte, 0 | b'/')).take(40).collect();
        parts.push(if matches!(&part[..], b"" | b"." | b"..") { b"x".to_vec() } else { part });
    }
    let made: PathBuf = parts.iter().fold(base.clone(), |path, part| path.join(OsStr::from_bytes(part)));
    std::fs::create_dir_all(&made).unwrap();
    std::fs::write(made.join(CONFIGURATION), &prepared(0).description.configuration).unwrap();
    let path = [b"/".as_slice(), &made.as_os_str().as_bytes()[1..]].concat();
    let location = write(&path, code, bytes);
    let found = folder_with(CONFIGURATION, Some(&location), || None);
    let shown = String::from_utf8_lossy(&location);
    assert_eq!(found.map(|found| found.canonicalize().unwrap()), Some(made.canonicalize().unwrap()), "{shown}");
    std::fs::remove_dir_all(&base).unwrap();
}

/// Writes the path as importers do.
fn write(path: &[u8], code: u8, bytes: &mut Bytes<'_>) -> Vec<u8> {
    let begin: &[u8] = match code % 8 {
        0 => b"file://",
        1 => b"file:",
        2 => b"file://localhost",
        3 => b"FILE://",
        4 => b"file:///",
        5 => b"File://LocalHost",
        // It is a plain path: surrounding blanks would be removed.
        _ => {
            let ends = path.last().is_some_and(u8::is_ascii_whitespace);
            return if ends { [path, b"/"].concat() } else { path.to_vec() };
        }
    };
    let mut location = begin.to_vec();
    for byte in path {
        // RFC 3986: unreserved characters need no escape; other characters of paths are escaped at random.
        let must = matches!(byte, b'%' | b'?' | b'#') || !(b'!'..=b'~').contains(byte);
        let may = *byte != b'/' && bytes.one_in(4);
        match (must || may, bytes.one_in(2)) {
            (true, true) => location.extend(format!("%{byte:02X}").bytes()),
            (true, false) => location.extend(format!("%{byte:02x}").bytes()),
            _ => location.push(*byte),
        }
    }
    if code & 8 != 0 {
        location.push(b'/');
    }
    location
}
