//! Malicious archives.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::read::Archive;

type Writer = ZipWriter<Cursor<Vec<u8>>>;

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

fn archive(fill: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut zip = Writer::new(Cursor::new(Vec::new()));
    fill(&mut zip);
    zip.finish().unwrap().into_inner()
}

/// An archive of small files.
fn files(names: &[&str]) -> Vec<u8> {
    archive(|zip| {
        for name in names {
            zip.start_file(*name, options()).unwrap();
            zip.write_all(b"content").unwrap();
        }
    })
}

/// Replaces every occurrence by the same number of bytes; there must be at least one.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<_> = (0..=bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

/// Writes into the last header with this signature.
fn patched(mut bytes: Vec<u8>, signature: &[u8], at: usize, value: &[u8]) -> Vec<u8> {
    let header = bytes.windows(4).rposition(|window| window == signature).unwrap();
    bytes[header + at..header + at + value.len()].copy_from_slice(value);
    bytes
}

fn opened(bytes: &[u8]) -> Result<Archive, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Spring.fmu");
    fs_err::write(&path, bytes).unwrap();
    let named = format!("{}: ", path.display());
    Archive::open(&path).map_err(|error| {
        let message = error.to_string();
        message.strip_prefix(&named).unwrap_or_else(|| panic!("{message}")).to_owned()
    })
}

#[track_caller]
fn refused(bytes: &[u8], message: &str) {
    assert_eq!(opened(bytes).unwrap_err(), message);
}

#[test]
fn usual_archives_are_read() {
    let names = ["modelDescription.xml", "resources/a.csv", "resources/ä.csv"];
    let archive = opened(&files(&names)).unwrap();
    assert_eq!(archive.entries().iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), names);
    let with_folders = archive_with_folders();
    assert_eq!(opened(&with_folders).unwrap().entries().len(), 3);
    let with_comment = archive_with_comment();
    opened(&with_comment).unwrap();
}

#[test]
fn names_in_an_old_code_are_told_apart() {
    // One letter of the German alphabet each, in code page 437.
    let both = replaced(files(&["resources/1", "resources/2"]), b"resources/1", b"resources/\x84");
    let both = opened(&replaced(both, b"resources/2", b"resources/\x94")).unwrap();
    assert_eq!(both.entries()[0].name, "resources/%84");
    assert_eq!(both.entries()[1].name, "resources/%94");
}

fn archive_with_folders() -> Vec<u8> {
    archive(|zip| {
        zip.add_directory("resources/", options()).unwrap();
        zip.add_directory("resources/deep/", options()).unwrap();
        zip.start_file("resources/deep/a", options()).unwrap();
    })
}

fn archive_with_comment() -> Vec<u8> {
    archive(|zip| {
        zip.set_comment("made by hand").unwrap();
        zip.start_file("a", options()).unwrap();
    })
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for (name, problem) in [
        ("../evil", "has an empty, \".\" or \"..\" part in its path"),
        ("resources/../../evil", "has an empty, \".\" or \"..\" part in its path"),
        ("resources//evil", "has an empty, \".\" or \"..\" part in its path"),
        ("./evil", "has an empty, \".\" or \"..\" part in its path"),
        ("/etc/evil", "has an absolute path"),
        ("//host/share/evil", "has an absolute path"),
        ("C:/evil", "has a colon in its name"),
        ("C:evil", "has a colon in its name"),
        ("a:stream", "has a colon in its name"),
        ("..\\evil", "has a backslash in its name"),
        ("\\\\host\\share\\evil", "has a backslash in its name"),
        ("resources/.. /evil", "has a part in its path that ends with a dot or a blank, which Windows leaves out"),
        ("resources/evil.", "has a part in its path that ends with a dot or a blank, which Windows leaves out"),
        ("evil\0.xml", "has control characters in its name"),
        ("\u{1b}[2Jevil", "has control characters in its name"),
    ] {
        // The crate's writer sanitises some of these.
        let harmless = "x".repeat(name.len());
        let bytes = replaced(files(&["modelDescription.xml", &harmless]), harmless.as_bytes(), name.as_bytes());
        refused(&bytes, &format!("entry \"{}\" {problem}", name.escape_debug()));
    }
    let long = "x".repeat(256);
    let expected = format!("entry \"{}…\" has a name of 256 bytes; the limit is 255", &long[..40]);
    refused(&files(&[&long]), &expected);
    opened(&files(&[&long[1..]])).unwrap();
    let nameless = patched(patched(files(&["a"]), b"PK\x01\x02", 28, &[0, 0]), b"PK\x01\x02", 30, &[1, 0]);
    refused(&nameless, "entry \"\" has no name");
}

#[test]
fn an_entry_that_is_there_twice_is_refused() {
    let problem = "occurs twice if case is ignored";
    let bytes = replaced(files(&["resources/a", "resources/b"]), b"resources/b", b"resources/a");
    refused(&bytes, &format!("entry \"resources/a\" {problem}"));
    refused(
        &files(&["modelDescription.xml", "ModelDescription.XML"]),
        &format!("entry \"ModelDescription.XML\" {problem}"),
    );
    refused(&files(&["ä", "Ä"]), &format!("entry \"Ä\" {problem}"));
    refused(&files(&["resources/a", "Resources"]), "entry \"resources\" is both a file and a folder");
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let link = archive(|zip| zip.add_symlink("resources/link", "/etc/passwd", options()).unwrap());
    refused(&link, "entry \"resources/link\" is a symbolic link");
    let encrypted = patched(patched(files(&["a"]), b"PK\x01\x02", 8, &[1, 0]), b"PK\x03\x04", 6, &[1, 0]);
    refused(&encrypted, "entry \"a\" is encrypted");
    for (method, name) in [(12_u8, "Unsupported(12)"), (14, "Unsupported(14)"), (93, "Unsupported(93)"), (99, "AES")] {
        let bytes = patched(patched(files(&["a"]), b"PK\x01\x02", 10, &[method, 0]), b"PK\x03\x04", 8, &[method, 0]);
        let message = opened(&bytes).unwrap_err();
        assert!(
            message.starts_with("entry \"a\" is compressed by ") && message.ends_with(", not by deflate"),
            "{name}: {message}"
        );
    }
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    // Zeros shrink to a thousandth.
    let zeros = |size: usize, count: usize| {
        archive(|zip| {
            let deflated = options().compression_method(CompressionMethod::Deflated);
            for index in 0..count {
                zip.start_file(format!("zeros{index}"), deflated).unwrap();
                zip.write_all(&vec![0; size]).unwrap();
            }
        })
    };
    opened(&zeros(16 << 20, 1)).unwrap();
    let bytes = zeros(9 << 20, 2);
    let expected = format!(
        "entry \"zeros1\" makes the entries 18874368 bytes together, more than 200 times the {} of the archive",
        bytes.len()
    );
    refused(&bytes, &expected);
    let declared = |size: u32| patched(files(&["a"]), b"PK\x01\x02", 24, &size.to_le_bytes());
    refused(&declared(0x2000_0000), "entry \"a\" has 536870912 bytes; the limit is 268435456");
    refused(&declared(8), "entry \"a\" unpacks to 7 bytes, but declares 8");
    // An entry that unpacks to more than its declared size.
    let bytes = patched(zeros(100_000, 1), b"PK\x01\x02", 24, &7_u32.to_le_bytes());
    refused(&bytes, "entry \"zeros0\" of 7 bytes is damaged: File is larger than its declared uncompressed size");
    let bytes = patched(zeros(100_000, 1), b"PK\x01\x02", 24, &200_000_u32.to_le_bytes());
    refused(&bytes, "entry \"zeros0\" unpacks to 100000 bytes, but declares 200000");
}

#[test]
fn large_entries_are_too_large_together() {
    // Five entries with the largest declared size.
    let mut bytes = files(&["a", "b", "c", "d", "e"]);
    let headers: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).collect();
    for header in headers {
        bytes[header + 24..header + 28].copy_from_slice(&(256_u32 << 20).to_le_bytes());
    }
    let message = opened(&bytes).unwrap_err();
    assert!(
        message.starts_with("entry \"a\" makes the entries 268435456 bytes together, more than 200 times"),
        "{message}"
    );
    let mut budget = super::Budget::new(100 << 20);
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let results: Vec<_> = ["a", "b", "c", "d", "e"]
        .into_iter()
        .enumerate()
        .map(|(i, name)| budget.admit(name, &zip.by_index_raw(i).unwrap()))
        .collect();
    assert_eq!(results[..4], [const { Ok(()) }; 4]);
    let expected = "entry \"e\" makes the entries 1342177280 bytes together; the limit is 1073741824";
    assert_eq!(results[4], Err(expected.to_owned()));
}

#[test]
fn too_many_entries_are_refused() {
    let names: Vec<_> = (0..10_001).map(|number| format!("{number}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    refused(&files(&names), "has 10001 entries; the limit is 10000");
    opened(&files(&names[1..])).unwrap();
    let few = patched(files(&["a", "b"]), b"PK\x05\x06", 10, &[1, 0]);
    refused(&few, "has 2 entries, but its end record counts 1");
}

#[test]
fn what_readers_take_differently_is_refused() {
    let inside = patched(files(&["name1", "name2"]), b"PK\x03\x04", 30, b"Name2");
    let otherwise = "has another name or compression in its own header than in the directory of the archive";
    refused(&inside, &format!("entry \"name2\" {otherwise}"));
    refused(&patched(files(&["a"]), b"PK\x03\x04", 8, &[8, 0]), &format!("entry \"a\" {otherwise}"));
    refused(&patched(files(&["a"]), b"PK\x03\x04", 6, &[1, 0]), &format!("entry \"a\" {otherwise}"));
    refused(&patched(files(&["a"]), b"PK\x01\x02", 42, &[9, 0]), &format!("entry \"a\" {otherwise}"));

    let mut prefixed = b"#!/bin/sh\n".to_vec();
    prefixed.extend(files(&["a"]));
    refused(&prefixed, "is truncated or not a zip archive: its directory is not at the declared position");
    let mut followed = files(&["a"]);
    followed.push(b'\n');
    refused(&followed, "is truncated or not a zip archive: it does not end at the declared position");
    // Another archive in the comment.
    let two = archive(|zip| {
        zip.set_raw_comment(files(&["evil"]).into()).unwrap();
        zip.start_file("a", options()).unwrap();
    });
    refused(&two, "is truncated or not a zip archive: its directory is not at the declared position");
    let mut zip64 = files(&["a"]);
    let end = zip64.windows(4).rposition(|window| window == b"PK\x05\x06").unwrap();
    zip64.splice(end..end, [b"PK\x06\x07".as_slice(), &[0; 16]].concat());
    refused(&zip64, "is in the format Zip64, which is not read");

    // A name in Unicode beside the name (Info-ZIP's extra field).
    let mut extra = vec![1];
    extra.extend(crc(b"good").to_le_bytes());
    extra.extend(b"evil");
    let named_twice = archive(|zip| {
        let mut field = zip::write::FileOptions::<zip::write::ExtendedFileOptions>::default();
        field.add_extra_field(0x9901, extra.as_slice(), true).unwrap();
        zip.start_file("good", field.compression_method(CompressionMethod::Stored)).unwrap();
    });
    let named_twice = replaced(named_twice, &[0x01, 0x99, 9, 0], &[0x75, 0x70, 9, 0]);
    refused(&named_twice, "entry \"good\" has another name, \"evil\", as well");
}

/// The checksum of the zip format, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[test]
fn what_is_no_file_or_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &std::path::Path| Archive::open(path).unwrap_err().to_string();
    assert_eq!(refused(folder.path()), format!("{}: is a folder, not an FMU", folder.path().display()));
    let large = folder.path().join("Large.fmu");
    // It is a sparse file.
    std::fs::File::create(&large).unwrap().set_len(super::MAX_ARCHIVE_BYTES + 1).unwrap();
    let expected = format!("{}: has 536870913 bytes; the limit of an archive is 536870912", large.display());
    assert_eq!(refused(&large), expected);
    #[cfg(unix)]
    assert_eq!(refused(std::path::Path::new("/dev/zero")), "/dev/zero: is not a file");
}

#[test]
fn a_damaged_entry_is_refused() {
    let mut bytes = files(&["modelDescription.xml", "a"]);
    let content = bytes.windows(7).rposition(|window| window == b"content").unwrap();
    bytes[content] ^= 1;
    let message = opened(&bytes).unwrap_err();
    assert!(message.starts_with("entry \"a\" of 7 bytes is damaged: "), "{message}");
}
